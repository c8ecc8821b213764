// Scratch memory in the engine's memory, for the arguments of a call and for results that it writes there.
import { RunError } from './errors.js';

const PAGE = 65536;
const KEPT = 1 << 20; // bytes kept from call to call

export class Scratch {
  #exports;
  #outOfMemory;
  #at = 0;
  #size = 0;
  /** Bytes held by calls in progress. */
  #held = 0;
  #words = new Uint32Array(0);

  /**
   * @param {Record<string, any>} exports of the engine
   * @param {(message: string) => RunError} outOfMemory
   */
  constructor(exports, outOfMemory) {
    this.#exports = exports;
    this.#outOfMemory = outOfMemory;
  }

  /** Bytes allocated. */
  get size() {
    return this.#size + this.#held;
  }

  /**
   * Reserves bytes with undefined contents, valid until the next call of reserve().
   * @param {number} size
   * @returns {number} where they are
   */
  reserve(size) {
    if (size <= this.#size) return this.#at;
    this.#release();
    const room = Math.max(Math.ceil(size / 4) * 4, PAGE);
    this.#at = this.#exports.hlo_api_allocate(room) >>> 0;
    if (this.#at === 0)
      throw this.#outOfMemory(`out of memory: arguments of ${size} bytes do not fit`);
    this.#size = room;
    return this.#at;
  }

  /** Frees the memory if it is large. */
  trim() {
    if (this.#size > KEPT) this.#release();
  }

  #release() {
    this.#exports.hlo_api_release(this.#at);
    this.#at = this.#size = 0;
  }

  /**
   * The scratch memory as words. Any call may grow the memory and so detach them: use at once.
   * @returns {Uint32Array}
   */
  get words() {
    const { buffer } = this.#exports.memory;
    const words = this.#words;
    if (words.buffer === buffer && words.byteOffset === this.#at && words.byteLength === this.#size)
      return words;
    return (this.#words = new Uint32Array(buffer, this.#at, this.#size / 4));
  }

  /**
   * Calls a function that may call the engine while a call is in progress. The memory of that call is left alone.
   * @template T
   * @param {() => T} body
   * @returns {T}
   */
  nested(body) {
    const [at, size] = [this.#at, this.#size];
    this.#held += size;
    this.#at = this.#size = 0;
    try {
      return body();
    } finally {
      this.#release();
      [this.#at, this.#size] = [at, size];
      this.#held -= size;
    }
  }
}
