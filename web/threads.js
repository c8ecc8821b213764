// The engine's worker threads: whether they may be used, starting and ending them, and sending them what they need.
import { HloError } from './errors.js';
import { ThreadCount } from './exports.js';
import { bytesOfFile } from './loader.js';
import { nodeModule } from './node.js';
import { OneThread } from './one_thread.js';
import { shareImportedMemory, shareMemory } from './shared_module.js';
import { startWorker } from './workers.js';

/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./loader.js').LoadOptions} LoadOptions */

const DEFAULT_THREADS = 4;
const START_TIMEOUT = 10_000; // ms
const MAX_PAGES = 65536; // of the memory, as it is linked: 4 GB

/** The reason why there is only one thread. */
class NoThreads extends Error {}

/** @returns {number} */
function processors() {
  if (typeof navigator !== 'undefined' && navigator.hardwareConcurrency)
    return navigator.hardwareConcurrency;
  return nodeModule('node:os').availableParallelism();
}

/**
 * @param {LoadOptions} options
 * @returns {number} how many threads there are to be
 */
function countFor({ threads = false, wasm, programs, extras }) {
  if (typeof threads !== 'boolean' && !(Number.isInteger(threads) && threads > 0))
    throw new HloError(`threads is true, false or a whole number from 1 on, not ${threads}`);
  if (threads === false) throw new NoThreads('threads were not asked for');
  if (threads === 1) throw new NoThreads('one thread was asked for');
  if (typeof SharedArrayBuffer === 'undefined' || globalThis.crossOriginIsolated === false)
    throw new NoThreads(
      'the page is not cross-origin isolated: that takes the headers ' +
        'Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp',
    );
  if ([wasm, programs, extras].some((file) => file instanceof WebAssembly.Module))
    throw new NoThreads('the engine was given as a compiled module, not as bytes or an address');
  const most = Math.min(processors(), ThreadCount.MOST);
  if (most < 2) throw new NoThreads('there is only one processor');
  return Math.min(threads === true ? DEFAULT_THREADS : threads, most);
}

function createSharedMemory() {
  try {
    return new WebAssembly.Memory({ initial: 1, maximum: MAX_PAGES, shared: true });
  } catch (error) {
    throw new NoThreads(`there is no shared memory: ${/** @type {Error} */ (error).message}`);
  }
}

/**
 * The engine's threads, as far as they are requested and allowed. They compile its files for shared memory.
 * @param {LoadOptions} options
 * @returns {OneThread}
 */
export function planThreads(options) {
  try {
    return new Threads(countFor(options), createSharedMemory(), options.worker);
  } catch (error) {
    if (!(error instanceof NoThreads)) throw error;
    return new OneThread(error.message);
  }
}

/**
 * Listens to the messages and errors of a worker.
 * @param {any} worker
 * @param {() => void} onMessage
 * @param {(error: any) => void} onError
 */
function listen(worker, onMessage, onError) {
  if (worker.on) {
    worker.on('message', onMessage).on('error', onError);
  } else {
    worker.onmessage = onMessage;
    worker.onerror = onError;
  }
}

class Threads extends OneThread {
  #count;
  #memory;
  #startWorker;
  /** The engine's first file, for this memory. @type {WebAssembly.Module | undefined} */
  #module;
  /** What that expects in the memory. @type {{ at: number, bytes: Uint8Array }[]} */
  #data = [];
  /** @type {any[]} */
  #workers = [];
  /** @type {() => void} */
  #stop = () => {};
  #ended = false;
  /** @override */
  sharesMemory = true;

  /** @param {number} count @param {WebAssembly.Memory} memory @param {LoadOptions['worker']} worker */
  constructor(count, memory, worker) {
    super('the threads have not started');
    this.#count = count;
    this.#memory = memory;
    this.#startWorker = () => startWorker(worker);
    this.imports = { e: { m: memory } };
  }

  /** @type {import('./loader.js').Compile} @override */
  async compile(opened, file) {
    const bytes = await bytesOfFile(opened, file);
    if (file !== 'wasm') return WebAssembly.compile(shareImportedMemory(bytes));
    const shared = shareMemory(bytes);
    this.#data = shared.data;
    this.#memory.grow(shared.pages - 1);
    this.#module = await WebAssembly.compile(shared.bytes);
    return this.#module;
  }

  /** @override */
  fillMemory() {
    const all = new Uint8Array(this.#memory.buffer);
    for (const { at, bytes } of this.#data) all.set(bytes, at);
  }

  /** @param {Engine} engine @override */
  async start(engine) {
    const count = this.#count;
    this.#stop = () => engine.call('hlo_api_threads_set', 1, 0);
    try {
      await Promise.all(Array.from({ length: count - 1 }, (_, i) => this.#startOne(engine, i + 1)));
      // A page's main thread may not block on others, only spin.
      engine.call('hlo_api_threads_set', count, typeof document === 'undefined' ? 1 : 0);
      this.info = Object.freeze({ count });
    } catch (error) {
      this.end(`the threads could not be started: ${/** @type {Error} */ (error).message}`);
    }
  }

  /**
   * @param {Engine} engine
   * @param {number} thread
   */
  async #startOne(engine, thread) {
    const stack = engine.call('hlo_api_thread_stack');
    if (stack === 0) throw new Error('the engine is out of memory');
    const worker = await this.#startWorker();
    if (this.#ended) return void worker.terminate();
    this.#workers.push(worker);
    await new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('no answer')), START_TIMEOUT);
      const fail = (/** @type {any} */ event) => {
        clearTimeout(timer);
        const message = event.message || 'its script does not load';
        if (this.info.count > 1) this.end(`a thread failed: ${message}`);
        else reject(new Error(message));
      };
      const started = () => {
        clearTimeout(timer);
        resolve(undefined);
      };
      listen(worker, started, fail);
      const parts = engine.parts.modules;
      worker.postMessage({ module: this.#module, parts, memory: this.#memory, thread, stack });
    });
    worker.unref?.(); // a Node process may end while they wait
  }

  /**
   * @param {Engine} engine
   * @param {WebAssembly.Module} module
   * @param {number[]} slots
   * @override
   */
  install(engine, module, slots) {
    this.#tell(engine, { module, slots });
  }

  /** @param {Engine} engine @param {import('./parts.js').PartModules} parts @override */
  add(engine, parts) {
    this.#tell(engine, { parts });
  }

  /** Until all threads have read it, work is not shared. @param {Engine} engine @param {object} message */
  #tell(engine, message) {
    if (this.#workers.length === 0) return;
    for (const worker of this.#workers) worker.postMessage(message);
    engine.call('hlo_api_threads_message');
  }

  /** @param {string} [reason] @override */
  end(reason = 'the threads were ended') {
    if (this.#ended) return;
    this.#ended = true;
    this.#stop();
    for (const worker of this.#workers) worker.terminate();
    this.#workers = [];
    this.info = Object.freeze({ count: 1, reason });
  }
}
