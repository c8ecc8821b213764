// The engine off the main thread: the same API with promises. Arrays live in the worker; elements that are read are transferred,
// not copied. The worker lists the operations.
import { checkArguments, checkMethods, signatureOf, workerFiles } from '../index.js';
import { Channel, WorkerObject } from './channel.js';
import { workerJit } from './jit.js';
import { objectFor, WorkerArray, WorkerExecutable, WorkerModule } from './objects.js';

export { WorkerArray, WorkerExecutable, WorkerModule };

/** @typedef {import('../create.js').ArrayOptions} ArrayOptions */
/** @typedef {import('../parts.js').Part} Part */

/** An engine in a worker: Hlo's methods and all operations, each with a promise of its result. */
export class WorkerHlo {
  #channel;

  /** @param {Channel} channel @param {any} ready */
  constructor(channel, { methods, build, threads, ops, types }) {
    this.#channel = channel;
    /** @type {string} */
    this.build = build;
    /** How many threads compute there. @type {import('../one_thread.js').ThreadsInfo} */
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
   * As Hlo's array(). With transfer the typed array's buffer moves to the worker and is gone here; elements in shared memory
   * (SharedArrayBuffer) are read from there.
   * @param {import('../create.js').ArrayData} data
   * @param {import('../dtypes.js').ElementType | (ArrayOptions & { transfer?: boolean })} [options]
   * @returns {Promise<WorkerArray>}
   */
  array(data, options = {}) {
    const { transfer, ...rest } =
      typeof options === 'string' ? { type: options } : /** @type {any} */ (options ?? {});
    return this.#channel.send(0, 'array', [data, rest], {
      transfer: transfer ? [/** @type {any} */ (data).buffer ?? data] : [],
    });
  }

  /**
   * A function whose program runs in the worker. It is traced here, once per combination of shapes as by Hlo's jit, with the
   * operations of an engine of this thread; arguments and results are the worker's arrays, and structures of them.
   * @template {(...args: never[]) => unknown} F
   * @param {F} body
   * @param {{ hlo: import('../index.js').Hlo } & import('../jit.js').JitOptions} options hlo: the engine to trace with
   * @returns {import('./jit.js').WorkerJit<F>}
   */
  jit(body, options) {
    return workerJit((text) => /** @type {any} */ (this).compile(text), body, options);
  }

  /** Bytes in use in the worker's engine. @returns {Promise<{ inUse: number, peak: number }>} */
  memory() {
    return this.#channel.send(0, 'memory', []);
  }

  /** The parts of the engine that are there. @returns {Promise<Part[]>} */
  parts() {
    return this.#channel.send(0, 'parts', []);
  }

  /** Ends the worker and its threads; pending promises are rejected. */
  terminate() {
    this.#channel.terminate();
  }
}

for (const [its, methods] of /** @type {[Function, Record<string, string>][]} */ ([
  [WorkerHlo, { array: 'data options', jit: 'body options', memory: '', parts: '', terminate: '' }],
  [WorkerObject, { dispose: '' }],
  [
    WorkerArray,
    {
      toTypedArray: 'options',
      toNested: '',
      item: '...index',
      withLayout: 'layout',
      toText: '',
      toString: '',
    },
  ],
  [
    WorkerModule,
    {
      print: 'format',
      compile: 'options',
      optimize: 'options',
      instructions: 'computation',
      graph: 'options',
      toDot: 'options',
      cost: 'options',
      indexing: 'options',
      traffic: 'options',
    },
  ],
  [
    WorkerExecutable,
    {
      print: 'format',
      specialize: 'inputs',
      cost: '',
      output: '',
      ready: '',
      call: '...args',
      vjp: '',
      run: 'inputs options',
      runAsync: 'inputs options',
      runReplicas: 'inputs options',
    },
  ],
]))
  checkMethods(its, methods);

/** @typedef {import('../index.js').Hlo & import('../index.js').Operations} Here */
/**
 * The proxy of an argument or result of the worker's engine.
 * @template T
 * @typedef {0 extends 1 & T ? T : T extends import('../index.js').HloArray ? WorkerArray
 *   : T extends import('../index.js').Executable ? WorkerExecutable : T extends import('../index.js').Module ? WorkerModule
 *   : T extends (infer Part)[] ? Far<Part>[] : T} Far
 */
/**
 * A function of the proxies. One may have arguments in two orders, each for an array and for a list.
 * @template F
 * @typedef {F extends { (...args: infer A): infer P; (...args: infer B): infer Q; (...args: infer C): infer R; (...args: infer D): infer S }
 *   ? FarSignature<A, P> & FarSignature<B, Q> & FarSignature<C, R> & FarSignature<D, S> : never} FarCall
 */
/**
 * @template {unknown[]} Given
 * @template Result
 * @typedef {(...args: { [I in keyof Given]: Far<Given[I]> }) => Promise<Far<Awaited<Result>>>} FarSignature
 */
/** @typedef {'builder' | 'tidy' | 'dispose' | typeof Symbol.dispose | 'registerCustomCall'} OnlyHere */
/** @typedef {{ [Name in Exclude<keyof Here, keyof WorkerHlo | OnlyHere>]: FarCall<Here[Name]> }} Operations */

const LOAD_WORKER = signatureOf('options{worker parts wasm programs extras build threads}');

/**
 * Starts a worker and loads the engine there.
 * @param {{ worker?: Worker | (() => Worker | Promise<Worker>), build?: import('../loader.js').Build, threads?: boolean | number, parts?: Part | Part[] } &
 *   { [file in 'wasm' | import('../parts.js').AddedPart]?: string | URL | BufferSource | WebAssembly.Module }} [given]
 *   as load()'s, addresses relative to the page; worker: one that runs hlo-wasm/hlo-worker.js, or a function that starts one,
 *   where a page may not start the one beside this file
 * @returns {Promise<WorkerHlo & Operations & { add(parts: Part | Part[]): Promise<void> }>}
 */
export async function loadWorker(given) {
  checkArguments('loadWorker', LOAD_WORKER, arguments);
  const { worker, ...options } = given ?? {};
  const { absolute, allAddresses, startWorker } = workerFiles;
  for (const [name, value] of Object.entries(options))
    if (!['build', 'parts'].includes(name) && (typeof value === 'string' || value instanceof URL))
      Object.assign(options, { [name]: absolute(value).href });
  const channel = new Channel(await startWorker(worker), objectFor);
  try {
    const ready = await channel.open({ load: options, addresses: allAddresses() });
    return /** @type {any} */ (new WorkerHlo(channel, ready));
  } catch (error) {
    channel.terminate();
    throw error;
  }
}
