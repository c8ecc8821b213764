// Arrays that nobody disposes of: the garbage collector frees their handles, but sees a handle of some bytes where the engine
// holds megabytes, and so has no reason to run. It is given one: bytes of its own, in step with those that the engine's memory
// grows by.

/** So many more bytes in use than after the last collection let the collector be told. Half of what is in use, if that is more. */
const MIN_GROWTH = 128e6;
/**
 * Bytes of a buffer that nobody keeps nor touches, which take address space alone. V8 counts buffers outside of its heap and
 * begins to mark at 64 MB; of 16 MB arrays, added to in turns of the event loop, at most 400 MB are in use at a time so, with
 * 64 MB 820, without any as many as fit (Node 20).
 */
const PRESSURE = 128e6;
/** Bytes that an array has in use besides its elements. */
const ARRAY_OVERHEAD = 1024;

export class Collector {
  #bytesInUse;
  #next = MIN_GROWTH;
  /** Bytes in use are fewer than that: those when they were read last, and what was made since. */
  #bound = 0;

  /** @param {() => number} bytesInUse reads them, which costs a call of the engine */
  constructor(bytesInUse) {
    this.#bytesInUse = bytesInUse;
  }

  /** An array of so many bytes, or a program (Infinity), was made. @param {number} bytes */
  countAllocation(bytes) {
    this.#bound += bytes + ARRAY_OVERHEAD;
    if (this.#bound < this.#next) return;
    this.#bound = this.#bytesInUse();
    if (this.#bound < this.#next) return;
    this.#next = this.#bound + Math.max(MIN_GROWTH, this.#bound / 2);
    this.requestCollection();
  }

  /** Something was collected. */
  countCollection() {
    this.#bound = this.#bytesInUse();
    this.#next = Math.min(this.#next, this.#bound + Math.max(MIN_GROWTH, this.#bound / 2));
  }

  /** Lets the garbage collector run, not before the work under way gives others their turn. */
  requestCollection() {
    try {
      void new ArrayBuffer(PRESSURE);
    } catch {
      // So the collector has run just now, or will.
    }
  }
}
