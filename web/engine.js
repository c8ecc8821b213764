// The WebAssembly instance: calls of its exports, and access to its memory. No view of the memory is kept across calls, because
// growing the memory detaches it.
import { Collector } from './collector.js';
import { HloError, ParseError, RunError, ShapeError, UnsupportedError } from './errors.js';
import { FunctionTable } from './function_table.js';
import { decodeText } from './host.js';
import { CacheSet } from './program_cache.js';
import { Scratch } from './scratch.js';

/** The kinds of errors that have a class of their own; all others are a RunError. @type {Record<string, any>} */
const classes = {
  'parse error': ParseError,
  'shape error': ShapeError,
  unsupported: UnsupportedError,
};
const OUT_OF_MEMORY = 'out of memory';
const STACK_OVERFLOW = 'stack overflow';
/** What needs another part of the engine for some programs; other calls do always or never. */
const MAY_NEED_PARTS = /^hlo_api_(build|compile|computation_finish|executable_|run_|group_)/;
/**
 * C functions that recurse over nested programs and expressions, or write texts. A stack overflow inside them would leak what they
 * hold, so they are not called when little of the host's stack is left. The others are those of each array and each run.
 */
const DEEP =
  /^hlo_api_(compile|computation_cost|array_(parse|print|relayout)|executable_(code|cost|describe|print|source)|(module|indexing|map)_(?!destroy)|instruction_)/;
/** Calls of descend(): 100 to 240 KB of V8's 984 KB of stack, optimised or not. */
const STACK_RESERVE = 2000;

/** Recurses to that depth, to throw where the stack has no room for it. @param {number} calls @returns {number} */
const descend = (calls) => (calls === 0 ? 0 : 1 + descend(calls - 1));

/** @param {any} error @returns {unknown} an error of the package, if it says that the stack has overflowed */
function stackError(error) {
  const isStack = error instanceof RangeError || error?.name === 'InternalError'; // Firefox's
  if (!isStack) return error;
  return Object.assign(
    new RunError(
      `the call stack has no room for the engine's work: ${error.message}`,
      STACK_OVERFLOW,
    ),
    { cause: error },
  );
}

/** @typedef {import('./exports.js').Exports} Exports */
/** @typedef {Record<string, (x: any, ...args: any[]) => any>} Methods */

/**
 * @typedef {object} TypeInfo
 * @property {import('./dtypes.js').XlaType} name "f32"
 * @property {'pred' | 'signed' | 'unsigned' | 'float' | 'complex' | 'other'} class
 * @property {number} bits
 * @property {number} bytes of one element in memory
 */
/**
 * @typedef {object} OpInfo
 * @property {string} name as in HLO text
 * @property {string} stablehlo the name in StableHLO, "" when it has none
 * @property {number} minOperands
 * @property {number} maxOperands -1: any number
 * @property {string} attributes names, "?" marks optional ones
 * @property {boolean} elementwise
 * @property {boolean} runs whether this engine can run it
 */
/** @typedef {import('./shape.js').Layout} Layout */
/** @typedef {import('./shape.js').Shape} ShapeInfo */

/** @param {string} text "f32 float 32 4" @returns {[string, TypeInfo]} */
function typeInfo(text) {
  const [name, type, bits, bytes] = text.split(' ');
  const info = { name, class: type, bits: Number(bits), bytes: Number(bytes) };
  return [name, /** @type {any} */ (info)];
}

export class Engine {
  /** @type {Record<string, any>} */
  #exports;
  /** @type {Methods | undefined} */
  #methods;
  /** @type {OpInfo[] | undefined} */
  #ops;
  /** Objects to destroy that a stack overflow kept alive: names of functions, and handles. @type {[string, number][]} */
  #pending = [];
  /** Whether an exception has left the engine whose unwinding is left to do. */
  #isCutOff = false;
  /** @type {Set<string>} */
  #deep;
  #collector = new Collector(() => this.memory.inUse);
  #scratch;

  /**
   * @param {WebAssembly.Instance} instance
   * @param {import('./parts.js').Parts} parts whose imports it has
   * @param {import('./one_thread.js').OneThread} threads
   */
  constructor(instance, parts, threads) {
    this.#exports = instance.exports;
    this.#deep = new Set(Object.keys(this.#exports).filter((name) => DEEP.test(name)));
    this.parts = parts;
    this.threads = threads;
    this.table = new FunctionTable(this.#exports);
    this.#scratch = new Scratch(this.#exports, (message) => this.#outOfMemory(message));
    parts.attach(instance);
    this.#exports._initialize?.();
    this.#exports.hlo_api_describe();
    const [build, types, ops] = this.text()
      .split('\n')
      .map((line) => line.split(','));
    this.build = /** @type {import('./loader.js').Build} */ (build[0]);
    /** @type {Map<string, TypeInfo>} */
    this.types = new Map(types.map(typeInfo));
    /** @type {Map<string, number>} */
    this.opcodes = new Map();
    /** Elementwise operations and their numbers of operands. @type {Map<string, number>} */
    this.elementwise = new Map();
    for (const [number, op] of ops.entries()) {
      const [name, operands] = op.split(' ');
      this.opcodes.set(name, number);
      if (operands) this.elementwise.set(name, Number(operands));
    }
    /** What functions given to operations by name mean; set by load(). @type {Record<string, (...args: any[]) => any>} */
    this.operations = {};
    /** The values of the bit patterns of a float type of at most 8 bits; set by load(). @type {(type: TypeInfo) => Float64Array} */
    this.floatTable = () => new Float64Array();
    /** Where the functions of custom calls are in the table. @type {Map<string, number>} */
    this.customCalls = new Map();
    /** Adds parts; set by startEngine(). @type {(parts: import('./parts.js').Part | import('./parts.js').Part[]) => Promise<void>} */
    this.add = async () => {};
    /** The platform whose branches programs for several take; '': any. */
    this.platform = '';
    /** Shapes of arrays that data were put into, by their texts, whose bytes these are. @type {Map<string, { bytes: Uint8Array, shape: ShapeInfo }>} */
    this.shapes = new Map();
    /** Programs of operations and traced functions that were called. */
    this.caches = new CacheSet();
    /** The object that load() gives. @type {any} */
    this.hlo = undefined;
    /** Makes the methods of arrays; set by load(). @type {() => Methods} */
    this.makeMethods = () => ({});
    /** Arrays created in the innermost tidy() in progress. @type {Set<import('./array.js').HloArray> | undefined} */
    this.tidyScope = undefined;
    /** The computation that a function is being traced into. @type {import('./builder.js').Computation | undefined} */
    this.tracing = undefined;
    /** The steps of a function given to an operation, while it runs. @type {{ step: (name: string, args: any[], run: () => any) => any } | undefined} */
    this.steps = undefined;
    /** What a function given to an operation threw last. @type {unknown} */
    this.bodyError = undefined;
    /** @type {FinalizationRegistry<{ destroy: string, handle: number, plan?: { release(): void } }>} */
    this.registry = new FinalizationRegistry(({ destroy, handle, plan }) => {
      plan?.release();
      this.destroy(destroy, handle);
      this.#collector.countCollection();
    });
  }

  /** Methods of arrays and traced values, each of which takes one first. */
  get methods() {
    return (this.#methods ??= this.makeMethods());
  }

  /** Whether programs can be optimised: what does it is a part. */
  get optimizes() {
    return this.parts.modules.programs !== undefined;
  }

  /** All operations, in the order of their numbers. @returns {OpInfo[]} */
  get ops() {
    if (this.#ops === undefined) {
      this.call('hlo_api_describe_ops');
      this.#ops = JSON.parse(this.text());
    }
    return /** @type {OpInfo[]} */ (this.#ops);
  }

  /** @returns {ArrayBuffer} the memory as it is now, perhaps a shared one: use at once, do not keep */
  get buffer() {
    return this.#exports.memory.buffer;
  }

  /** Bytes in use by arrays and programs now, and at most so far. */
  get memory() {
    return {
      inUse: this.#exports.hlo_api_memory_in_use() - this.#scratch.size,
      peak: this.#exports.hlo_api_memory_peak(),
    };
  }

  /** @param {number} bytes */
  setMemoryLimit(bytes) {
    this.#exports.hlo_api_set_memory_limit(bytes);
  }

  /**
   * Calls an exported function. A string argument becomes its UTF-8 bytes' address and length, an array of numbers
   * the address of 32-bit words, a Float64Array the address of its values. Addresses come back unsigned.
   * @template {keyof Exports} N
   * @param {N} name
   * @param {Parameters<Exports[N]>} args
   * @returns {number}
   */
  call(name, ...args) {
    if (this.#deep.has(name)) this.#checkStack();
    let plain = true; // the common case: numbers only
    for (let i = 0; i < args.length; i++) plain &&= typeof args[i] === 'number';
    if (plain) return this.#enter(name, /** @type {number[]} */ (args)) >>> 0;
    const result = this.#enter(name, this.#scratch.encode(args)) >>> 0;
    this.#scratch.trim();
    return result;
  }

  /**
   * Runs a program to its end, in one call.
   * @param {number} executable
   * @param {number[]} args handles of its arguments
   * @param {number} count how many results it has
   * @param {(text: string) => void} onOutput receives what it printed, also before an error is thrown
   * @returns {number[]} handles of the results, owned by the caller
   */
  run(executable, args, count, onOutput) {
    const first = 1 + args.length; // words: the run while it is in progress, arguments, results
    const end = first + count;
    const at = this.#scratch.reserve(4 * end);
    let { words } = this.#scratch;
    words[0] = 0;
    for (let i = 0; i < args.length; i++) words[1 + i] = args[i];
    for (let i = first; i < end; i++) words[i] = 0;
    const call = [executable, args.length, at + 4, at + 4 * first, at];
    let printed;
    try {
      printed = this.#enter('hlo_api_executable_run', call);
    } catch (error) {
      ({ words } = this.#scratch);
      const run = words[0];
      for (const array of words.slice(first, end)) this.destroy('hlo_api_array_destroy', array);
      try {
        if (run !== 0 && this.call('hlo_api_run_output', run) > 0) onOutput(this.text());
      } finally {
        if (run !== 0) this.destroy('hlo_api_run_destroy', run);
      }
      throw error;
    }
    if (printed !== 0) onOutput(this.text());
    if (printed < 0) throw this.error();
    ({ words } = this.#scratch);
    /** @type {number[]} */
    const results = [];
    for (let i = first; i < end; i++) results.push(words[i]);
    return results;
  }

  /**
   * Calls a host function from within a call of the engine. It may call the engine in turn.
   * @template T
   * @param {() => T} body
   * @returns {T}
   */
  nested(body) {
    return this.#scratch.nested(body);
  }

  /**
   * @param {string} name
   * @param {number[]} args
   * @returns {number}
   */
  #enter(name, args) {
    try {
      if (this.#isCutOff) this.#recover();
      if (this.#pending.length > 0) this.#destroyPending();
      if (!this.parts.isMissing || MAY_NEED_PARTS.test(name)) return this.#exports[name](...args);
      return this.parts.guard(name, () => this.#exports[name](...args));
    } catch (error) {
      this.#isCutOff = true; // no call: where the stack ends, this is all that is sure to happen
      throw this.#unwound(error);
    }
  }

  #checkStack() {
    try {
      descend(STACK_RESERVE);
    } catch (error) {
      throw stackError(error);
    }
  }

  /**
   * The one place where exceptions leave the engine: a stack overflow, an exception of a host function, a missing part. They
   * unwind C functions, whose frames on the engine's own stack are popped, and whose memory is given back: now, or by the next call
   * that has room for it.
   * @param {any} error
   * @returns {unknown} what is to be thrown
   */
  #unwound(error) {
    try {
      if (this.#isCutOff) this.#recover();
    } catch {} // isCutOff says that it is left to do
    return stackError(error);
  }

  #recover() {
    this.parts.leave();
    this.#exports.hlo_api_abandon();
    this.#isCutOff = false;
  }

  /**
   * Destroys an object of the engine; after a stack overflow, at the next call that has room.
   * @param {string} name of the function
   * @param {number} handle
   */
  destroy(name, handle) {
    try {
      this.#enter(name, [handle]);
    } catch (error) {
      if (/** @type {any} */ (error)?.code !== STACK_OVERFLOW && !(error instanceof RangeError))
        throw error;
      this.#pending.push([name, handle]);
    }
  }

  #destroyPending() {
    const list = this.#pending;
    this.#pending = [];
    for (const [name, handle] of list) this.destroy(name, handle);
  }

  /** Counts an object that only the garbage collector may free. @param {number} [bytes] of an array, where they are known */
  countAllocation(bytes = Infinity) {
    this.#collector.countAllocation(bytes);
  }

  /** Gives the garbage collector time, where much was allocated since it ran. */
  reclaim() {
    return this.#collector.reclaim();
  }

  /**
   * The same for functions that return a handle: throws when it is 0.
   * @template {keyof Exports} N
   * @param {N} name
   * @param {Parameters<Exports[N]>} args
   * @returns {number}
   */
  handle(name, ...args) {
    const handle = this.call(name, ...args);
    if (handle === 0) throw this.error();
    return handle;
  }

  /**
   * The same for functions that return a count or state: throws when it is negative.
   * @template {keyof Exports} N
   * @param {N} name
   * @param {Parameters<Exports[N]>} args
   * @returns {number}
   */
  count(name, ...args) {
    const count = this.call(name, ...args) | 0;
    if (count < 0) throw this.error();
    return count;
  }

  /** The engine's text buffer. */
  text() {
    const at = this.#exports.hlo_api_text() >>> 0;
    return this.#decode(at, this.#exports.hlo_api_text_length() >>> 0);
  }

  /** The same as a copy of its bytes. */
  bytes() {
    return this.read(this.#exports.hlo_api_text() >>> 0, this.#exports.hlo_api_text_length() >>> 0);
  }

  /** @returns {HloError} what went wrong in the last call */
  error() {
    const api = this.#exports;
    const kind = this.#decodeZeroTerminated(api.hlo_api_error_kind() >>> 0);
    const message = this.#decodeZeroTerminated(api.hlo_api_error_message() >>> 0) || kind;
    const [line, column] = [api.hlo_api_error_line(), api.hlo_api_error_column()];
    if (kind === 'ok') return this.#outOfMemory();
    if (kind === OUT_OF_MEMORY) return this.#outOfMemory(message, line, column);
    if (kind === 'invalid argument') return new HloError(message);
    if (kind === 'open program') return new UnsupportedError(message, line, column, kind);
    if (kind in classes) return new classes[kind](message, line, column);
    return new RunError(message, kind, line, column);
  }

  /** @param {string} [message] @param {number} [line] @param {number} [column] */
  #outOfMemory(message = 'the engine is out of memory', line, column) {
    this.#collector.requestCollection();
    const inUse = Math.round(this.memory.inUse / 1e6);
    return new RunError(
      `${message}; ${inUse} MB are in use: dispose() and tidy() free what is no longer needed at once, the garbage collector only between tasks`,
      OUT_OF_MEMORY,
      line,
      column,
    );
  }

  /**
   * A copy of bytes of the memory.
   * @param {number} at
   * @param {number} length
   */
  read(at, length) {
    const bytes = new Uint8Array(this.buffer, at, length);
    try {
      return bytes.slice();
    } catch (error) {
      throw new RunError(
        `out of memory: JavaScript has no room for a copy of ${length} bytes, though the engine holds them: ${/** @type {any} */ (error).message}; read the array in parts, by slices`,
        OUT_OF_MEMORY,
      );
    }
  }

  /**
   * @param {number} at
   * @param {Uint8Array} bytes
   */
  write(at, bytes) {
    new Uint8Array(this.buffer, at, bytes.length).set(bytes);
  }

  /**
   * @param {number} at
   * @param {number} length
   */
  #decode(at, length) {
    return decodeText(this.read(at, length)); // a copy: TextDecoder rejects shared memory
  }

  /** @param {number} at @returns {string} */
  #decodeZeroTerminated(at) {
    return this.#decode(at, new Uint8Array(this.buffer, at).indexOf(0));
  }
}
