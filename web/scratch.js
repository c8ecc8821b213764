// Scratch memory in the engine's memory, for the arguments of a call and for results that it writes there.
import { HloError, RunError } from './errors.js';
import { encodeText } from './host.js';
import { nameOf } from './options.js';

const PAGE = 65536;
const KEPT = 1 << 20; // bytes kept from call to call

/** An argument of a call: a number, or what it is the address of. @typedef {number | string | Uint8Array | number[] | Float64Array} Argument */

/** @param {number[] | Uint8Array | Float64Array} arg @returns {number} rounded up to whole doubles */
function bytesOf(arg) {
  if (arg instanceof Uint8Array) return (arg.length + 7) & ~7;
  if (typeof arg !== 'object' || arg === null)
    throw new HloError(`expected text, got ${nameOf(arg)}`);
  return arg instanceof Float64Array ? arg.length * 8 : (arg.length * 4 + 7) & ~7;
}

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

  /**
   * Writes arguments to the scratch memory. Texts become the address and the length of their bytes, lists of numbers the address
   * of 32-bit words, Float64Arrays the address of their values.
   * @param {Argument[]} args
   * @returns {number[]} what the function is called with
   */
  encode(args) {
    const encoded = args.map((arg) => (typeof arg === 'string' ? encodeText(arg) : arg));
    let size = 0;
    for (const arg of encoded) if (typeof arg !== 'number') size += bytesOf(arg);
    let at = size > 0 ? this.reserve(size) : 0;
    const { buffer } = this.#exports.memory;
    /** @type {number[]} */
    const flat = [];
    for (const arg of encoded) {
      flat.push(typeof arg === 'number' ? arg : at);
      if (typeof arg === 'number') continue;
      if (arg instanceof Uint8Array) {
        new Uint8Array(buffer).set(arg, at);
        flat.push(arg.length);
      } else if (arg instanceof Float64Array) {
        new Float64Array(buffer, at, arg.length).set(arg);
      } else {
        new Uint32Array(buffer, at, arg.length).set(arg);
      }
      at += bytesOf(arg);
    }
    return flat;
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
