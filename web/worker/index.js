// The engine off the main thread: the same API with promises. Arrays live in the worker; elements that come back are
// transferred, not copied. Must not know operations: their names come from the worker.
import {
  DisposedError,
  HloError,
  ParseError,
  RunError,
  ShapeError,
  UnsupportedError,
} from '../errors.js';
import { startNodeWorker } from '../node.js';

/** @typedef {import('../engine.js').ShapeInfo} ShapeInfo */
/** @typedef {import('../create.js').ArrayOptions} ArrayOptions */

/** @type {Record<string, any>} */
const located = { ParseError, ShapeError, UnsupportedError };

/** @param {any} described @returns {Error} */
function errorOf({ name, message, code, line, column }) {
  if (located[name]) return new located[name](message, line, column);
  if (name === 'RunError') return new RunError(message, code, line, column);
  if (name === 'HloError' || name === 'DisposedError') return new HloError(message, code);
  return Object.assign(new Error(message), { name });
}

/** The way to the worker: sends calls, and settles their promises. */
class Channel {
  #worker;
  #next = 1;
  /** @type {Map<number, { resolve: (value: any) => void, reject: (error: any) => void }>} */
  #open = new Map();
  /** Objects whose stand-ins here became garbage are disposed of there. @type {FinalizationRegistry<number>} */
  registry = new FinalizationRegistry((object) => this.send(object, 'dispose', []).catch(() => {}));

  /** @param {any} worker */
  constructor(worker) {
    this.#worker = worker;
  }

  /** @param {any} options of load() @returns {Promise<any>} what the worker can do */
  open(options) {
    return new Promise((resolve, reject) => {
      const receive = (/** @type {any} */ data) => {
        if (data.ready) return resolve(data.ready);
        if (data.failed) return reject(errorOf(data.failed));
        const call = this.#open.get(data.id);
        this.#open.delete(data.id);
        if (this.#open.size === 0) this.#worker.unref?.();
        if (data.error) call?.reject(errorOf(data.error));
        else call?.resolve(data.value);
      };
      const fail = (/** @type {any} */ event) => {
        const error = new HloError(`the worker failed: ${event.message ?? event}`);
        reject(error);
        for (const call of this.#open.values()) call.reject(error);
        this.#open.clear();
      };
      if (this.#worker.on) this.#worker.on('message', receive).on('error', fail);
      else {
        this.#worker.onmessage = (/** @type {MessageEvent} */ event) => receive(event.data);
        this.#worker.onerror = fail;
      }
      this.#worker.postMessage({ load: options });
    });
  }

  /**
   * @param {number} on
   * @param {string} method
   * @param {any[]} args
   * @param {{ transfer?: Transferable[], signal?: AbortSignal }} [options]
   * @returns {Promise<any>}
   */
  send(on, method, args, { transfer = [], signal } = {}) {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      this.#worker.postMessage({ id, on, method, args: standIns(args) }, transfer);
      this.#worker.ref?.();
      this.#open.set(id, { resolve, reject });
      signal?.addEventListener('abort', () => this.#worker.postMessage({ abort: id }), {
        once: true,
      });
    }).then((value) => this.made(value));
  }

  /** @param {any} value @returns {any} with objects where the worker named some */
  made(value) {
    if (Array.isArray(value)) return value.map((part) => this.made(part));
    if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return value;
    if (typeof value.object !== 'number')
      return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, this.made(part)]));
    if (value.shape) return new WorkerArray(this, value.object, value.shape);
    return value.parameters
      ? new WorkerExecutable(this, value.object, value)
      : new WorkerModule(this, value.object, value);
  }

  terminate() {
    this.#worker.terminate();
    for (const call of this.#open.values())
      call.reject(new HloError('the worker was terminated', 'cancelled'));
    this.#open.clear();
  }
}

/** @param {any} value @returns {any} with { object } for what lives in the worker */
function standIns(value) {
  if (value instanceof WorkerObject) return { object: value.object };
  if (typeof value === 'function')
    throw new HloError(
      'functions cannot be sent to a worker: name an operation, or compile a program',
    );
  if (Array.isArray(value)) return value.map(standIns);
  if (value === null || typeof value !== 'object') return value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, standIns(part)]));
}

/** Something that lives in the worker. Freed by dispose(), or some time after this became garbage. */
class WorkerObject {
  #object;

  /** @param {Channel} channel @param {number} object */
  constructor(channel, object) {
    this.channel = channel;
    this.#object = object;
    channel.registry.register(this, object, this);
  }

  /** Its name in the worker, for this package. Throws DisposedError after dispose(). */
  get object() {
    if (this.#object === 0) throw new DisposedError('object of a worker');
    return this.#object;
  }

  dispose() {
    if (this.#object === 0) return;
    this.channel.registry.unregister(this);
    this.channel.send(this.#object, 'dispose', []).catch(() => {}); // terminated: it is gone anyway
    this.#object = 0;
  }
}
if (Symbol.dispose)
  /** @type {any} */ (WorkerObject.prototype)[Symbol.dispose] = WorkerObject.prototype.dispose;

/** An array in the worker's engine. */
export class WorkerArray extends WorkerObject {
  /** @param {Channel} channel @param {number} object @param {ShapeInfo} shape */
  constructor(channel, object, shape) {
    super(channel, object);
    this.shape = shape;
  }

  get type() {
    return this.shape.type;
  }

  get dims() {
    return this.shape.dims;
  }

  get rank() {
    return this.shape.dims.length;
  }

  /** @param {{ layout?: import('../array.js').LayoutOption }} [options] @returns {Promise<any>} as HloArray's, transferred */
  async toTypedArray(options) {
    return this.channel.send(this.object, 'toTypedArray', [options]);
  }

  /** @returns {Promise<any>} */
  async toNested() {
    return this.channel.send(this.object, 'toNested', []);
  }

  /** @returns {Promise<string>} the elements as text */
  async toText() {
    return this.channel.send(this.object, 'toString', []);
  }
}

/** A program in the worker. */
export class WorkerModule extends WorkerObject {
  /** @param {Channel} channel @param {number} object @param {any} described */
  constructor(channel, object, { name, computations }) {
    super(channel, object);
    /** @type {string} */
    this.name = name;
    /** @type {import('../program.js').ComputationInfo[]} */
    this.computations = computations;
  }

  /** @param {import('../program.js').TextFormat} [format] @returns {Promise<string>} */
  async print(format) {
    return this.channel.send(this.object, 'print', [format]);
  }

  /** @param {import('../program.js').IndexingOptions} [options] @returns {Promise<string>} */
  async indexing(options) {
    return this.channel.send(this.object, 'indexing', [options]);
  }

  /** @param {{ computation?: string, reference?: boolean }} [options] @returns {Promise<WorkerExecutable>} */
  async compile(options) {
    return this.channel.send(this.object, 'compile', [options]);
  }
}

/** A compiled program in the worker. */
export class WorkerExecutable extends WorkerObject {
  /** @param {Channel} channel @param {number} object @param {any} described */
  constructor(channel, object, { parameters, results }) {
    super(channel, object);
    /** @type {ShapeInfo[]} */
    this.parameters = parameters;
    /** @type {ShapeInfo[]} */
    this.results = results;
  }

  /**
   * @param {WorkerArray[]} [inputs] borrowed
   * @param {{ signal?: AbortSignal, steps?: number }} [options] steps: how many between two looks at the signal
   * @returns {Promise<WorkerArray[]>} owned by the caller
   */
  async run(inputs = [], { signal, steps } = {}) {
    if (!signal) return this.channel.send(this.object, 'run', [inputs]);
    return this.channel.send(this.object, 'runAsync', [inputs, { steps }], { signal });
  }
}

/** The methods of an engine that return a promise here. */
class WorkerHlo {
  #channel;

  /** @param {Channel} channel @param {any} ready */
  constructor(channel, { methods, build, threads, ops, types }) {
    this.#channel = channel;
    /** @type {string} */
    this.build = build;
    /** How many threads compute there. @type {import('../engine.js').ThreadsInfo} */
    this.threads = threads;
    /** @type {import('../engine.js').OpInfo[]} */
    this.ops = ops;
    /** @type {import('../engine.js').TypeInfo[]} */
    this.types = types;
    for (const method of methods)
      /** @type {any} */ (this)[method] ??= (/** @type {any[]} */ ...args) =>
        channel.send(0, method, args);
  }

  /**
   * As Hlo's array(). With transfer the typed array's buffer moves to the worker and is gone here.
   * @param {any} data
   * @param {string | (ArrayOptions & { transfer?: boolean })} [options]
   * @returns {Promise<WorkerArray>}
   */
  array(data, options = {}) {
    const { transfer, ...rest } =
      typeof options === 'string' ? { type: options } : /** @type {any} */ (options);
    return this.#channel.send(0, 'array', [data, rest], {
      transfer: transfer ? [data.buffer] : [],
    });
  }

  /** Bytes in use in the worker's engine. @returns {Promise<{ inUse: number, peak: number }>} */
  memory() {
    return this.#channel.send(0, 'memory', []);
  }

  /** Ends the worker and its threads; whatever is open is rejected. */
  terminate() {
    this.#channel.terminate();
  }
}

/** @typedef {Record<string, (...args: any[]) => Promise<any>>} Operations every operation, with a promise of its result */

/**
 * Starts a worker and loads the engine there.
 * @param {{ worker?: any, build?: import('../loader.js').Build, wasm?: string | BufferSource | WebAssembly.Module,
 *   threads?: boolean | number }} [options]
 *   worker: one that runs this package's worker/worker.js, where bundlers need it written out
 * @returns {Promise<WorkerHlo & Operations>}
 */
export async function loadWorker({ worker, ...options } = {}) {
  const channel = new Channel(worker ?? (await startWorker()));
  try {
    return /** @type {any} */ (new WorkerHlo(channel, await channel.open(options)));
  } catch (error) {
    channel.terminate();
    throw error;
  }
}

async function startWorker() {
  if (typeof Worker !== 'undefined')
    return new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  const script = './worker.js';
  return startNodeWorker(new URL(/* @vite-ignore */ script, import.meta.url));
}
