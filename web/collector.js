// Arrays that nobody disposes of: the garbage collector frees their handles, but sees a handle of some bytes where the engine
// holds megabytes, and so has no reason to run. It is given one: bytes of its own, in step with those that the engine's memory
// grows by.

/** So many more bytes in use than after the last collection let the collector be told. Half of what is in use, if that is more. */
const STEP = 128e6;
/**
 * Bytes of a buffer that nobody keeps nor touches, which take address space alone. V8 counts buffers outside of its heap and
 * begins to mark at 64 MB; of 16 MB arrays, added to in turns of the event loop, at most 400 MB are in use at a time so, with
 * 64 MB 820, without any as many as fit (Node 20).
 */
const PRESSURE = 128e6;

export class Collector {
  #next = STEP;

  /** Arrays or programs were made: bytes in use by now. @param {number} inUse */
  made(inUse) {
    if (inUse < this.#next) return;
    this.#next = inUse + Math.max(STEP, inUse / 2);
    this.press();
  }

  /** Something was collected: bytes in use by now. @param {number} inUse */
  collected(inUse) {
    this.#next = Math.min(this.#next, inUse + Math.max(STEP, inUse / 2));
  }

  /** Lets the garbage collector run, not before the work under way gives others their turn. */
  press() {
    try {
      void new ArrayBuffer(PRESSURE);
    } catch {
      // So the collector has run just now, or will.
    }
  }
}
