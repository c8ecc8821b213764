// Pressure on the garbage collector. It frees arrays that are not disposed of, but sees a handle of a few bytes where the engine
// holds megabytes, and so has no reason to run. It is given one: garbage buffers, in proportion to the engine's memory.

/** Growth in bytes since the last collection that requests another one; half of the bytes in use, if that is more. */
const MIN_GROWTH = 128e6;
/**
 * Bytes of a garbage buffer, which takes address space only, as it is never touched. V8 counts external buffers and begins to
 * mark at 64 MB. With 16 MB arrays allocated in turns of the event loop, at most 400 MB are then in use at a time; with buffers
 * of 64 MB 820 MB, without buffers as many as fit (Node 20).
 */
const PRESSURE = 128e6;
/** Bytes that an array takes besides its elements. */
const ARRAY_OVERHEAD = 1024;

export class Collector {
  #bytesInUse;
  #next = MIN_GROWTH;
  /** An upper bound of the bytes in use: those when they were last read, plus allocations since. */
  #bound = 0;

  /** @param {() => number} bytesInUse reads the bytes in use, by a call of the engine */
  constructor(bytesInUse) {
    this.#bytesInUse = bytesInUse;
  }

  /** @param {number} bytes of a new array; Infinity: not known, as of a program */
  countAllocation(bytes) {
    this.#bound += bytes + ARRAY_OVERHEAD;
    if (this.#bound < this.#next) return;
    this.#bound = this.#bytesInUse();
    if (this.#bound < this.#next) return;
    this.#next = this.#bound + Math.max(MIN_GROWTH, this.#bound / 2);
    this.requestCollection();
  }

  /** An object was collected. */
  countCollection() {
    this.#bound = this.#bytesInUse();
    this.#next = Math.min(this.#next, this.#bound + Math.max(MIN_GROWTH, this.#bound / 2));
  }

  /** Makes the garbage collector run, at the earliest when control returns to the event loop. */
  requestCollection() {
    try {
      void new ArrayBuffer(PRESSURE);
    } catch {
      // The allocation failed after a collection, or requests one.
    }
  }
}
