// Proxies of arrays, programs and executables that live in a worker: their members, with promises where the worker has to be
// asked.
import { HloError, giveShapeProperties, methodNames, nameOf, shapeFrom } from '../index.js';
import { WorkerObject } from './channel.js';

/** @typedef {import('./channel.js').Channel} Channel */
/** @typedef {import('../engine.js').ShapeInfo} ShapeInfo */
/** @typedef {import('../text_format.js').TextFormat} TextFormat */
/** @typedef {import('../program.js').CostReport} CostReport */
/** @typedef {import('../slices.js').Slices} Slices */

/** @typedef {WorkerArray | null | undefined | FarTree[] | { [name: string]: FarTree }} FarTree arrays of the worker's, and structures of them */

/** @param {Channel} channel @param {any} described @returns {WorkerObject} */
export function objectFor(channel, described) {
  if (described.xla) return new WorkerArray(channel, described.object, described.xla);
  return described.parameters
    ? new WorkerExecutable(channel, described.object, described)
    : new WorkerModule(channel, described.object, described);
}

/** @param {ArrayBufferView} view */
function isShared(view) {
  return typeof SharedArrayBuffer !== 'undefined' && view.buffer instanceof SharedArrayBuffer;
}

/**
 * HloArray's methods that compute, with promises.
 * @typedef {import('../methods/names.js').ArrayMethods} ArrayMethods
 */
/** @typedef {{ [Name in Exclude<keyof ArrayMethods, 'T' | 'mT'>]: import('./index.js').FarCall<ArrayMethods[Name]> }} WorkerMethods */

/** @typedef {import('../shaped.js').ShapeProperties} ShapeProperties */
/** @type {new (channel: Channel, object: number) => WorkerObject & WorkerMethods & ShapeProperties} */
const WithMethods = /** @type {any} */ (class extends WorkerObject {});
giveShapeProperties(WithMethods.prototype);
for (const name of methodNames)
  WithMethods.prototype[name] = /** @type {any} */ (
    {
      /** @this {WorkerObject} @param {any[]} args */
      async [name](...args) {
        return this.ask(name, args);
      },
    }[name]
  );

/** An array in the worker's engine. */
export class WorkerArray extends WithMethods {
  /** @param {Channel} channel @param {number} object @param {ShapeInfo} xla */
  constructor(channel, object, xla) {
    super(channel, object);
    /** XLA's shape: element type, sizes and layout. */
    this.xla = shapeFrom(xla);
  }

  /**
   * As HloArray's. A new typed array is transferred; into shared memory the worker writes itself, without a copy here.
   * @template {import('../elements.js').TypedArray} [T=import('../elements.js').TypedArray]
   * @param {{ layout?: import('../array.js').LayoutOption, into?: T }} [options]
   * @returns {Promise<T>}
   */
  async toTypedArray(options) {
    const { into, ...others } = options ?? {};
    if (into === undefined) return this.ask('toTypedArray', [others]);
    if (isShared(into)) await this.ask('toTypedArray', [options]);
    else {
      const given = await this.ask('toTypedArray', [others]);
      const isPixels = into instanceof Uint8ClampedArray && given instanceof Uint8Array;
      if (!(into instanceof given.constructor || isPixels) || given.length !== into.length)
        throw new HloError(`${this.xla.text} fits into ${nameOf(given)} of length ${given.length}`);
      /** @type {any} */ (into).set(given);
    }
    return into;
  }

  /**
   * @template {import('../array.js').Nested} [T=import('../array.js').Nested]
   * @returns {Promise<T>}
   */
  async toNested() {
    return this.ask('toNested');
  }

  /**
   * An element, as HloArray's.
   * @template {import('../elements.js').Element} [T=number]
   * @param {...number} index
   * @returns {Promise<T>}
   */
  async item(...index) {
    return this.ask('item', index);
  }

  /** @param {import('../array.js').LayoutOption} layout @returns {Promise<WorkerArray>} */
  async withLayout(layout) {
    return this.ask('withLayout', [layout]);
  }

  /** @returns {Promise<string>} the elements as text */
  async toText() {
    return this.ask('toString');
  }

  /** @override */
  toString() {
    return `${this.xla.text} (in a worker: toText() asks for the elements)`;
  }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    return `WorkerArray ${this}`;
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

  /** @param {TextFormat} [format] @returns {Promise<string>} */
  async print(format) {
    return this.ask('print', [format]);
  }

  /** @param {{ computation?: string, reference?: boolean, optimize?: boolean }} [options] @returns {Promise<WorkerExecutable>} */
  async compile(options) {
    return this.ask('compile', [options]);
  }

  /** @param {{ computation?: string }} [options] @returns {Promise<WorkerModule>} owned by the caller */
  async optimize(options) {
    return this.ask('optimize', [options]);
  }

  /** As Module's, with operands and users by name. @param {string} [computation] @returns {Promise<ReturnType<import('../inspect.js').Instruction['toJSON']>[]>} */
  async instructions(computation) {
    return this.ask('instructions', [computation]);
  }

  /** @param {{ computation?: string }} [options] @returns {Promise<import('../inspect.js').Graph>} */
  async graph(options) {
    return this.ask('graph', [options]);
  }

  /** @param {{ computation?: string }} [options] @returns {Promise<string>} */
  async toDot(options) {
    return this.ask('toDot', [options]);
  }

  /** @param {{ computation?: string }} [options] @returns {Promise<CostReport>} */
  async cost(options) {
    return this.ask('cost', [options]);
  }

  /** @param {import('../indexing.js').IndexingOptions} [options] @returns {Promise<string>} */
  async indexing(options) {
    return this.ask('indexing', [options]);
  }

  /** @param {{ computation?: string }} [options] @returns {Promise<import('../program.js').Traffic>} */
  async traffic(options) {
    return this.ask('traffic', [options]);
  }
}

/** As Executable's: in a list, or by name. @typedef {WorkerArray[] | Record<string, WorkerArray> | Map<string, WorkerArray>} WorkerInputs */
/**
 * @typedef {object} WorkerFeeds
 * @property {WorkerArray[][]} [infeed] items, each a list of arrays; borrowed
 * @property {(arrays: WorkerArray[]) => void} [onOutfeed] called with each item; the arrays are the callee's
 */
/**
 * @typedef {object} WorkerGroup
 * @property {number} [partitions]
 * @property {WorkerArray[][][]} [infeed]
 * @property {(arrays: WorkerArray[], process: { replica: number, partition: number }) => void} [onOutfeed]
 */

/** A compiled program in the worker. */
export class WorkerExecutable extends WorkerObject {
  /** @param {Channel} channel @param {number} object @param {any} described */
  constructor(channel, object, { parameters, parameterNames, results, memory }) {
    super(channel, object);
    /** @type {readonly string[]} */
    this.parameterNames = parameterNames;
    /** @type {ShapeInfo[]} */
    this.parameters = parameters?.map(shapeFrom);
    /** @type {ShapeInfo[]} */
    this.results = results?.map(shapeFrom);
    /** @type {import('../executable.js').Executable['memory']} */
    this.memory = memory;
  }

  /** @param {TextFormat} [format] @returns {Promise<string>} */
  async print(format) {
    return this.ask('print', [format]);
  }

  /**
   * As OpenExecutable's, for a program that leaves sizes of its arguments open.
   * @param {(WorkerArray | string)[]} inputs arrays, or their shapes
   * @returns {Promise<WorkerExecutable>}
   */
  async specialize(inputs) {
    return this.ask('specialize', [inputs]);
  }

  /**
   * As Executable's: calls the exported function of a file of jax.export with its own arguments.
   * @template {FarTree} [R=WorkerArray]
   * @param {...(FarTree | import('../create.js').ArrayData)} args nested as in Python; their leaves are arrays of the worker's,
   *   which are borrowed, or what array() makes one of
   * @returns {Promise<R>} its result, nested likewise, by default said to be one array; the arrays are the caller's
   */
  async call(...args) {
    return this.ask('call', args);
  }

  /** As Executable's: the vector-Jacobian product that the file has stored. @returns {Promise<WorkerExecutable>} owned by the caller */
  async vjp() {
    return this.ask('vjp');
  }

  /** What a run takes. @returns {Promise<CostReport>} */
  async cost() {
    return this.ask('cost');
  }

  /** What the last run printed. @returns {Promise<string>} */
  async output() {
    return this.ask('output');
  }

  /** Resolves when the fast code is in place. @returns {Promise<boolean>} */
  async ready() {
    return this.ask('ready');
  }

  /**
   * With a signal or onProgress the worker runs in slices and receives messages in between; otherwise to the end.
   * @param {WorkerInputs} [inputs] borrowed
   * @param {Slices & WorkerFeeds} [options]
   * @returns {Promise<WorkerArray[]>} owned by the caller
   */
  async run(inputs = [], options = {}) {
    const isSliced = options?.signal || options?.onProgress || options?.steps;
    return this.#run(isSliced ? 'runAsync' : 'run', inputs, options);
  }

  /**
   * In slices, always.
   * @param {WorkerInputs} [inputs] borrowed until the promise settles
   * @param {Slices & WorkerFeeds} [options]
   * @returns {Promise<WorkerArray[]>} owned by the caller
   */
  async runAsync(inputs = [], options = {}) {
    return this.#run('runAsync', inputs, options);
  }

  /**
   * As Executable's, in slices.
   * @param {WorkerInputs[]} inputs borrowed until the promise settles
   * @param {Slices & WorkerGroup} [options]
   * @returns {Promise<WorkerArray[][]>} owned by the caller
   */
  async runReplicas(inputs, options = {}) {
    return this.#run('runReplicasAsync', inputs, options);
  }

  /** @param {string} method @param {any} inputs @param {any} options @returns {Promise<any>} */
  #run(method, inputs, options) {
    const { signal, onProgress, onOutfeed, ...others } = options ?? {};
    return this.ask(method, [inputs, others], { signal, on: { onProgress, onOutfeed } });
  }
}
