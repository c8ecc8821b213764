// Other threads that take parts of the engine's work: whether they may, starting and ending them, and telling them what
// they need. Must not know what is computed.
import { OneThread } from './engine.js';
import { HloError } from './errors.js';
import { instantiate, readWasm } from './loader.js';
import { nodeModule, startNodeWorker } from './node.js';
import { Rest } from './rest.js';
import { shareImportedMemory, shareMemory } from './shared_module.js';

/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./loader.js').LoadOptions} LoadOptions */

const MOST_BY_DEFAULT = 4;
const MOST = 16; // HLO_POOL_THREADS
const STARTED_WITHIN = 10_000; // ms

/** Why there is only one thread. */
class NoThreads extends Error {}

/** @returns {Promise<number>} */
async function processors() {
  if (typeof navigator !== 'undefined' && navigator.hardwareConcurrency)
    return navigator.hardwareConcurrency;
  return (await nodeModule('node:os')).availableParallelism();
}

/**
 * @param {LoadOptions} options
 * @returns {Promise<number>} how many threads there are to be
 */
async function countFor({ threads = false, ...files }) {
  if (typeof threads !== 'boolean' && !(Number.isInteger(threads) && threads > 0))
    throw new HloError(`threads is true, false or a whole number from 1 on, not ${threads}`);
  if (threads === false) throw new NoThreads('threads were not asked for');
  if (threads === 1) throw new NoThreads('one thread was asked for');
  if (typeof SharedArrayBuffer === 'undefined' || globalThis.crossOriginIsolated === false)
    throw new NoThreads(
      'the page is not cross-origin isolated: that takes the headers ' +
        'Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp',
    );
  if (Object.values(files).some((file) => file instanceof WebAssembly.Module))
    throw new NoThreads('the engine was given as a compiled module, not as bytes or an address');
  const most = Math.min(await processors(), MOST);
  if (most < 2) throw new NoThreads('there is only one processor');
  return Math.min(threads === true ? MOST_BY_DEFAULT : threads, most);
}

/** @param {{ pages: number, mostPages: number }} limits */
function makeMemory({ pages, mostPages }) {
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: mostPages, shared: true });
  } catch (error) {
    throw new NoThreads(`there is no shared memory: ${/** @type {Error} */ (error).message}`);
  }
}

/**
 * The engine's instance, on memory that threads share if they are asked for and allowed.
 * @param {LoadOptions} options
 * @returns {Promise<{ instance: WebAssembly.Instance, rest: Rest, threads: OneThread }>} rest: to be started
 */
export async function instantiateForThreads(options) {
  let wasm = options.wasm;
  try {
    const count = await countFor(options);
    const bytes = await readWasm(options);
    wasm = bytes;
    const shared = shareMemory(bytes);
    const memory = makeMemory(shared);
    const module = await WebAssembly.compile(shared.bytes);
    const rest = new Rest({ e: { m: memory } });
    const instance = await WebAssembly.instantiate(module, rest.imports);
    const all = new Uint8Array(memory.buffer);
    for (const { at, bytes: data } of shared.data) all.set(data, at);
    return { instance, rest, threads: new Threads({ count, module, memory }) };
  } catch (error) {
    if (!(error instanceof NoThreads)) throw error;
    const { instance, rest } = await instantiate({ ...options, wasm });
    return { instance, rest, threads: new OneThread(error.message) };
  }
}

/** @returns {Promise<any>} */
async function startWorker() {
  if (typeof Worker !== 'undefined')
    return new Worker(new URL('./thread.js', import.meta.url), { type: 'module' });
  const script = './thread.js';
  return startNodeWorker(new URL(/* @vite-ignore */ script, import.meta.url));
}

/**
 * Calls back with the messages and errors of a worker.
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
  #plan;
  /** @type {any[]} */
  #workers = [];
  /** @type {() => void} */
  #stop = () => {};
  #ended = false;
  /** @override */
  sharesMemory = true;
  /** @override */
  rewrite = shareImportedMemory;

  /** @param {{ count: number, module: WebAssembly.Module, memory: WebAssembly.Memory }} plan */
  constructor(plan) {
    super('the threads have not started');
    this.#plan = plan;
  }

  /** @param {Engine} engine @override */
  async start(engine) {
    const { count } = this.#plan;
    this.#stop = () => engine.call('hlo_api_threads_set', 1, 0);
    try {
      await Promise.all(Array.from({ length: count - 1 }, (_, i) => this.#startOne(engine, i + 1)));
      // A page's main thread may not wait for others but by looking again and again.
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
    const worker = await startWorker();
    if (this.#ended) return void worker.terminate();
    this.#workers.push(worker);
    await new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('no answer')), STARTED_WITHIN);
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
      const { module, memory } = this.#plan;
      worker.postMessage({ module, later: engine.rest.modules, memory, thread, stack });
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
    if (this.#workers.length === 0) return;
    for (const worker of this.#workers) worker.postMessage({ module, slots });
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
