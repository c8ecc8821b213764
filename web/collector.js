// Pressure on the garbage collector. It frees arrays that are not disposed of, but sees a handle of a few bytes where the engine
// holds megabytes, and so has no reason to run. It is given one: garbage buffers, in proportion to the engine's memory.

import { pause } from './host.js';

/** Growth in bytes since the last collection that requests another one; an eighth of the bytes in use, if that is more. */
const MIN_GROWTH = 32e6;
/**
 * Bytes of a garbage buffer, which takes address space only, as it is never touched. V8 counts external buffers and begins to
 * mark at 64 MB. With 16 MB arrays allocated in turns of the event loop, at most 400 MB are then in use at a time; with buffers
 * of 64 MB 820 MB, without buffers as many as fit (Node 20).
 */
const PRESSURE = 128e6;
/** Bytes that an array takes besides its elements. */
const ARRAY_OVERHEAD = 1024;

/**
 * Turns of the event loop that asynchronous runs give a collection at most. Marking goes on in other threads meanwhile, so each is
 * a millisecond. With 16 MB results that nobody disposes of, 112 MB are then in use at a time; with 4 turns 450 MB (Node 20).
 */
const MOST_TURNS = 8;

export class Collector {
  #bytesInUse;
  #next = MIN_GROWTH;
  /** An upper bound of the bytes in use: those when they were last read, plus allocations since. */
  #bound = 0;
  /** A collection was requested, and nothing was collected since. */
  #isDue = false;

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
    this.#next = this.#bound + Math.max(MIN_GROWTH, this.#bound / 8);
    this.#isDue = true;
    this.requestCollection();
  }

  /** Gives the collector turns of the event loop to run in, where it was asked to. */
  async reclaim() {
    for (let turn = 0; turn < MOST_TURNS && this.#isDue; turn++) {
      await (typeof setTimeout === 'function'
        ? new Promise((resolve) => setTimeout(resolve, 1))
        : pause());
      if (this.#isDue) this.requestCollection(); // brings marking forward
    }
    this.#isDue = false;
  }

  /** An object was collected. */
  countCollection() {
    this.#isDue = false;
    this.#bound = this.#bytesInUse();
    this.#next = Math.min(this.#next, this.#bound + Math.max(MIN_GROWTH, this.#bound / 8));
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
