// The channel to a worker: sends calls, settles their promises, and keeps proxies of the objects that live there.
import {
  DisposedError,
  HloError,
  ParseError,
  RunError,
  ShapeError,
  UnsupportedError,
  isShape,
  shapeFrom,
} from '../index.js';
import { escaped, unescaped } from './escape.js';

/** @type {Record<string, any>} */
const located = { ParseError, ShapeError, UnsupportedError };

/** @param {any} described @returns {Error} of the same class, code and place as over there */
function errorOf({ name, message, code, line, column }) {
  if (located[name]) return new located[name](message, line, column, code);
  if (name === 'RunError') return new RunError(message, code, line, column);
  if (name === 'DisposedError') return Object.assign(new DisposedError('object'), { message });
  if (name === 'HloError') return new HloError(message, code);
  return Object.assign(new Error(message), { name });
}

/**
 * @typedef {object} SendOptions
 * @property {Transferable[]} [transfer]
 * @property {AbortSignal} [signal] aborts the call
 * @property {Record<string, ((...args: any[]) => void) | undefined>} [on] callbacks among the options in the call's
 *   last argument: they are called here
 */
/** @typedef {{ resolve: (value: any) => void, reject: (error: any) => void, on: Record<string, any> }} Call */

export class Channel {
  #worker;
  #objectFor;
  #next = 1;
  /** @type {Map<number, Call>} */
  #open = new Map();
  /** Why nothing can be sent any more. @type {Error | undefined} */
  #ended;
  /** Disposes of objects of the worker whose proxies became garbage. @type {FinalizationRegistry<number>} */
  registry = new FinalizationRegistry((object) => this.send(object, 'dispose', []).catch(() => {}));

  /**
   * @param {any} worker
   * @param {(channel: Channel, described: any) => WorkerObject} objectFor creates the proxy of an object of the worker
   */
  constructor(worker, objectFor) {
    this.#worker = worker;
    this.#objectFor = objectFor;
  }

  /** @param {any} first message: with load()'s options @returns {Promise<any>} what the worker can do */
  open(first) {
    return new Promise((resolve, reject) => {
      const receive = (/** @type {any} */ data) => {
        if (typeof data !== 'object' || data === null) return; // not from this package's script
        if (data.ready) return resolve(data.ready);
        if (data.failed) return reject(errorOf(data.failed));
        this.#receive(data);
      };
      const fail = (/** @type {string} */ why) => {
        this.#end(new HloError(`the worker failed: ${why}`, 'worker failed'));
        reject(this.#ended);
      };
      if (this.#worker.on) {
        this.#worker
          .on('message', receive)
          .on('error', (/** @type {any} */ error) => fail(error.message ?? error))
          .on('messageerror', () => fail('a message could not be read'))
          .on('exit', (/** @type {number} */ code) => fail(`it ended with code ${code}`));
      } else {
        this.#worker.onmessage = (/** @type {MessageEvent} */ event) => receive(event.data);
        this.#worker.onmessageerror = () => fail('a message could not be read');
        this.#worker.onerror = (/** @type {ErrorEvent} */ event) =>
          fail(event.message ?? 'its script could not be loaded: is wasm/hlo-worker.js served?');
      }
      this.#worker.postMessage(first);
    });
  }

  /** @param {any} data */
  #receive(data) {
    const call = this.#open.get(data.id);
    if (data.event) return call?.on[data.event]?.(...this.decode(data.args));
    this.#open.delete(data.id);
    if (this.#open.size === 0) this.#worker.unref?.();
    if (data.error) call?.reject(errorOf(data.error));
    else call?.resolve(this.decode(data.value));
  }

  /** @param {Error} error */
  #end(error) {
    this.#ended ??= error;
    for (const call of this.#open.values()) call.reject(this.#ended);
    this.#open.clear();
  }

  /**
   * @param {number} object that the method is called on; 0: the engine
   * @param {string} method or property
   * @param {any[]} args
   * @param {SendOptions} [options]
   * @returns {Promise<any>}
   */
  async send(object, method, args, { transfer = [], signal, on = {} } = {}) {
    signal?.throwIfAborted();
    if (this.#ended) throw this.#ended;
    const id = this.#next++;
    const events = Object.keys(on).filter((name) => on[name] !== undefined);
    const abort = () => this.#worker.postMessage({ abort: id });
    try {
      this.#worker.postMessage(
        { id, on: object, method, args: encodeArguments(args), events },
        transfer,
      );
    } catch (error) {
      if (error instanceof HloError) throw error;
      throw new HloError(`${method}: ${/** @type {any} */ (error).message}`); // of structured cloning
    }
    this.#worker.ref?.();
    try {
      return await new Promise((resolve, reject) => {
        this.#open.set(id, { resolve, reject, on });
        signal?.addEventListener('abort', abort, { once: true });
      });
    } catch (error) {
      if (signal?.aborted && /** @type {any} */ (error).name === 'AbortError') throw signal.reason;
      throw error;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  /** @param {any} value @returns {any} with proxies in the place of the worker's objects */
  decode(value) {
    if (Array.isArray(value)) return value.map((part) => this.decode(part));
    if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return value;
    if (typeof value.object === 'number') return this.#objectFor(this, value);
    if (isShape(value)) return shapeFrom(value);
    const entries = Object.entries(unescaped(value));
    return Object.fromEntries(entries.map(([key, part]) => [key, this.decode(part)]));
  }

  terminate() {
    this.#end(new HloError('the worker was terminated', 'cancelled'));
    this.#worker.terminate();
  }
}

/** @param {any} value @returns {any} with { object } in the place of proxies */
function encodeArguments(value) {
  if (value instanceof WorkerObject) return { object: value.object };
  if (value instanceof Promise) throw new HloError('an argument is a promise: await it');
  if (typeof value === 'function')
    throw new HloError(
      "functions cannot be sent to a worker: name an operation ('add'), or use jit with a local engine",
    );
  if (Array.isArray(value)) return value.map(encodeArguments);
  if (value instanceof Map)
    return new Map([...value].map(([key, part]) => [key, encodeArguments(part)]));
  if (value === null || typeof value !== 'object') return value;
  if (Object.getPrototypeOf(value) !== Object.prototype) {
    if (typeof value.handleIn === 'function')
      throw new HloError('this array is not in the worker: send its elements with array()');
    return value;
  }
  const entries = Object.entries(value).map(([key, part]) => [key, encodeArguments(part)]);
  return escaped(Object.fromEntries(entries));
}

/** Something that lives in the worker. Freed by dispose(), or some time after this became garbage. */
export class WorkerObject {
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
    this.channel.send(this.#object, 'dispose', []).catch(() => {}); // terminated: nothing to dispose of
    this.#object = 0;
  }

  /** For `using`, where JavaScript has it: the same as dispose(). */
  [Symbol.dispose]() {
    this.dispose();
  }

  /** @param {string} method @param {any[]} args @param {SendOptions} [options] @returns {Promise<any>} */
  async ask(method, args = [], options) {
    return this.channel.send(this.object, method, args, options);
  }
}
