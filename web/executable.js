// Compiled programs, and their runs on one device or several.
import { HloArray } from './array.js';
import { createArray } from './create.js';
import { DisposedError, HloError } from './errors.js';
import { now } from './host.js';
import { checkOptions } from './options.js';
import { handlesOf, Run } from './run.js';
import { Signature } from './signature.js';
import { inSlices } from './slices.js';
import { formatNumber } from './text_format.js';
import { isPlain } from './tree.js';

/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./engine.js').ShapeInfo} ShapeInfo */
/** @typedef {import('./plans.js').Plan} Plan */
/** @typedef {import('./program.js').CostReport} CostReport */
/** @typedef {import('./program.js').Module} Module */
/** @typedef {import('./text_format.js').TextFormat} TextFormat */

/**
 * @typedef {object} Feeds what infeed instructions read and outfeed instructions give, item by item
 * @property {HloArray[][]} [infeed] items, each a list of arrays; borrowed
 * @property {(arrays: HloArray[]) => void} [onOutfeed] called with each item; the arrays are the callee's
 */
/**
 * @typedef {object} GroupOptions
 * @property {number} [partitions] how many processes each replica has; 1 by default
 * @property {HloArray[][][]} [infeed] the items for each process
 * @property {(arrays: HloArray[], process: { replica: number, partition: number }) => void} [onOutfeed]
 */
/** @typedef {import('./slices.js').Slices} Slices */
/**
 * What an exported function takes: arrays, what array() makes one of, and structures of these.
 * @typedef {HloArray | import('./create.js').ArrayData | null | undefined | ArgumentTree[] | { [name: string]: ArgumentTree }
 *   | Map<string, ArgumentTree>} ArgumentTree
 */
/** @typedef {HloArray | null | ResultTree[] | { [name: string]: ResultTree }} ResultTree what an exported function gives */
/** @typedef {HloArray | null | undefined | InputTree[] | { [name: string]: InputTree } | Map<string, InputTree>} InputTree */
/**
 * @typedef {HloArray[] | { [name: string]: InputTree } | Map<string, InputTree>} Inputs one array for each parameter in order; or for each leaf
 *   that the arguments of an exported function have, also those that it does not use; or by name, as `parameterNames` say or
 *   by the ends of these ("w" of "params['w']"), also nested ({ params: { w } })
 */
/**
 * @typedef {object} About where a program comes from
 * @property {boolean} [ownsModule] dispose() is the module's, too
 * @property {string} [computation] instead of the entry
 * @property {readonly string[]} [names] of parameters; by default the module's
 * @property {import('./signature.js').FileSignature | null} [file]
 * @property {() => Executable} [vjp] compiles the one that the file has
 */

/**
 * @param {GroupOptions} options
 * @returns {((arrays: HloArray[], process: number) => void) | undefined} onOutfeed, for a process by its number
 */
function outfeedOf({ partitions = 1, onOutfeed }) {
  if (onOutfeed === undefined) return undefined;
  return (arrays, i) =>
    onOutfeed(arrays, { replica: Math.floor(i / partitions), partition: i % partitions });
}

const FEEDS = 'infeed onOutfeed';
const SLICES = 'signal steps onProgress';

/** @param {import('./engine.js').ShapeInfo} shape @param {string} name @returns {string[]} */
const leafNames = ({ elements }, name) =>
  elements ? elements.flatMap((shape, i) => leafNames(shape, `${name}[${i}]`)) : [name];

const nothing = {
  parameters: /** @type {ShapeInfo[]} */ ([]),
  results: /** @type {ShapeInfo[]} */ ([]),
  memory: { arguments: 0, results: 0, constants: 0, temporaries: 0, peak: 0 },
};

/** A compiled program. */
export class Executable {
  #engine;
  #handle = 0;
  /** @type {any} */
  #plan;
  #isDisposed = false;
  #about;
  /** @type {Signature | undefined} */
  #signature;
  /** This object and the runs in progress: the last one to end frees the plan. */
  #users = 1;

  /**
   * @param {Engine} engine
   * @param {Plan | null} plan this object is a user of it from now on; null: there is none, others run (open_program.js)
   * @param {Module} module
   * @param {About} [about]
   */
  constructor(engine, plan, module, about = {}) {
    this.#engine = engine;
    this.#about = about;
    this.#plan = plan;
    this.module = module;
    const described = plan ?? nothing;
    /**
     * The shapes of run()'s inputs; tuples flattened. An array may be smaller where a dimension is dynamic, and have any size
     * where the program leaves it open, which is -1 here.
     * @type {ShapeInfo[]}
     */
    this.parameters = [...described.parameters];
    /** @type {ShapeInfo[]} what run() gives; tuples flattened */
    this.results = [...described.results];
    /**
     * Bytes of the arrays of a run, known beforehand.
     * @type {{ arguments: number, results: number, constants: number, temporaries: number, peak: number }}
     */
    this.memory = described.memory;
    /** What the last run printed (interpreter.print). */
    this.output = '';
    if (plan === null) return;
    let handle = 0;
    try {
      handle = this.#handle = plan.executable();
    } catch (error) {
      plan.release();
      throw error;
    }
    engine.registry.register(this, { destroy: 'hlo_api_executable_destroy', handle, plan }, this);
    engine.countAllocation();
  }

  /** Names of parameters, and the nesting of arguments, for this package. */
  get signature() {
    const { names, file = null, computation } = this.#about;
    this.#signature ??= new Signature(names ?? this.#namesIn(computation), file);
    return this.#signature;
  }

  /** @param {string} [computation] @returns {string[]} */
  #namesIn(computation) {
    const found = this.module.computations.find(({ name, isEntry }) =>
      computation ? name === computation : isEntry,
    );
    return (found?.parameters ?? []).flatMap(({ name, label, shape }) =>
      leafNames(shape, label ?? name),
    );
  }

  /**
   * The names of the parameters, tuples flattened: those of the exported function (`params['w']`) where the program keeps them,
   * else those of the program.
   * @returns {readonly string[]}
   */
  get parameterNames() {
    return this.signature.names;
  }

  /**
   * One array for each parameter, for this package.
   * @param {Inputs} inputs
   * @returns {HloArray[]}
   */
  bind(inputs) {
    if (Array.isArray(inputs)) {
      if (!this.#about.file || inputs.length === this.parameters.length) return inputs;
      return [...this.signature.keep(inputs)];
    }
    if (!isPlain(inputs) && !(inputs instanceof Map))
      throw new HloError('run takes a list of arrays, or an object of arrays by their names');
    return this.signature.bind(inputs);
  }

  /**
   * Calls the exported function of a file of jax.export with its own arguments, nested as they are in Python: lists for
   * tuples, objects or Maps for dictionaries, and a last object with the arguments by name, if there are any.
   * @template {ResultTree} [R=HloArray]
   * @param {...ArgumentTree} args their leaves are arrays, which are borrowed, or what array() makes one of
   * @returns {R} its result, nested likewise, by default said to be one array; the arrays are the caller's
   */
  call(...args) {
    const leaves = this.signature.flatten(args);
    /** @type {HloArray[]} */
    const made = [];
    const arrays = leaves.map((leaf, i) => {
      if (leaf instanceof HloArray) return leaf;
      const { type, dims } = this.parameters[i];
      const array = createArray(this.#engine, leaf, {
        type,
        ...(ArrayBuffer.isView(leaf) && { shape: dims }),
      });
      made.push(array);
      return array;
    });
    try {
      return this.signature.unflatten(this.run(arrays));
    } finally {
      for (const array of made) array.dispose();
    }
  }

  /**
   * The vector-Jacobian product that a file of jax.export has stored (`exported.serialize(vjp_order=1)`), as `exported.vjp()` in
   * Python: it takes the function's arguments and the cotangents of its results, and returns those of the arguments. Its call() takes
   * arguments as the function's does and then the cotangents, nested as the results are, and returns a list of the arguments' own.
   * @returns {Executable} owned by the caller
   */
  vjp() {
    if (this.#about.vjp) return this.#about.vjp();
    throw new HloError(
      'this program has no vector-Jacobian product stored: write a file of jax.export with exported.serialize(vjp_order=1)',
    );
  }

  /**
   * Programs can run immediately, if need be without generated code. Resolves when that code is installed: to true, or to false
   * where there is none, because the program has no fusions that gain by it or because the page may not compile code.
   * @returns {Promise<boolean>}
   */
  get ready() {
    return this.#plan.code.ready;
  }

  #checkedHandle() {
    if (this.#isDisposed) throw new DisposedError('executable');
    void this.module.handle;
    return this.#handle;
  }

  /**
   * The program that runs, optimised unless it was compiled otherwise, as text.
   * @param {TextFormat} [format]
   */
  print(format = 'hlo') {
    const handle = this.#checkedHandle();
    this.#engine.count('hlo_api_executable_print', handle, formatNumber(format));
    return this.#engine.text();
  }

  /**
   * The cost of a run. The program is the optimised one: instructions are those that print() shows.
   * @returns {CostReport}
   */
  get cost() {
    this.#engine.count('hlo_api_executable_cost', this.#checkedHandle());
    return JSON.parse(this.#engine.text());
  }

  /**
   * Runs the program to its end.
   * @param {Inputs} [inputs] borrowed
   * @param {Feeds} [feeds]
   * @returns {HloArray[]} one per result leaf; owned by the caller
   */
  run(inputs = [], feeds = {}) {
    const args = this.#argumentsOf(inputs);
    checkOptions('run', feeds, FEEDS);
    const { code } = this.#plan;
    const start = code.patience > 0 && now();
    try {
      const isFed = feeds.infeed !== undefined || feeds.onOutfeed !== undefined;
      return isFed ? this.#runFed(args, feeds) : this.#runAtOnce(args);
    } finally {
      if (start) code.spendPatience(now() - start);
    }
  }

  /** @param {number[]} args their handles */
  #runAtOnce(args) {
    this.#users++;
    try {
      this.output = '';
      const keepOutput = (/** @type {string} */ text) => (this.output = text);
      return this.#arraysOf(this.#engine.run(this.#handle, args, this.results.length, keepOutput));
    } finally {
      this.#release();
    }
  }

  /** @param {number[]} args their handles @param {Feeds} feeds */
  #runFed(args, { infeed, onOutfeed }) {
    const run = this.#begin(Run.start(this.#engine, this.#handle, args));
    try {
      run.feed([infeed]);
      this.#advance(run, 0, onOutfeed && ((arrays) => onOutfeed(arrays)));
      return this.#finish(run, 1)[0];
    } finally {
      this.#end(run);
    }
  }

  /**
   * Runs the program in slices, so that a page stays alive.
   * @param {Inputs} [inputs] borrowed until the promise settles
   * @param {Slices & Feeds} [options]
   * @returns {Promise<HloArray[]>} one per result leaf; owned by the caller
   */
  async runAsync(inputs = [], options = {}) {
    const args = this.#argumentsOf(inputs);
    const run = this.#begin(Run.start(this.#engine, this.#handle, args));
    try {
      checkOptions('runAsync', options, `${SLICES} ${FEEDS}`);
      const { infeed, onOutfeed } = options;
      run.feed([infeed]);
      const receive = onOutfeed && ((/** @type {HloArray[]} */ arrays) => onOutfeed(arrays));
      const advance = (/** @type {number} */ steps) => this.#advance(run, steps, receive);
      await this.#engine.reclaim();
      await inSlices(advance, () => this.#checkedHandle(), options);
      return this.#finish(run, 1)[0];
    } finally {
      this.#end(run);
    }
  }

  /**
   * Runs the program as replicas that communicate through collectives, in turns. With partitions each replica is several
   * processes.
   * @param {Inputs[]} inputs the inputs of each process: replica by replica, of each its partitions; borrowed
   * @param {GroupOptions} [options]
   * @returns {HloArray[][]} the results of each process in the same order; owned by the caller
   */
  runReplicas(inputs, options = {}) {
    checkOptions('runReplicas', options, `partitions ${FEEDS}`);
    const run = this.#begin(this.#startGroup(inputs, options));
    try {
      run.feed(options.infeed ?? []);
      this.#advance(run, 0, outfeedOf(options));
      return this.#finish(run, inputs.length);
    } finally {
      this.#end(run);
    }
  }

  /**
   * The same in slices, so that a page stays alive.
   * @param {Inputs[]} inputs borrowed until the promise settles
   * @param {Slices & GroupOptions} [options]
   * @returns {Promise<HloArray[][]>}
   */
  async runReplicasAsync(inputs, options = {}) {
    checkOptions('runReplicasAsync', options, `${SLICES} partitions ${FEEDS}`);
    const run = this.#begin(this.#startGroup(inputs, options));
    try {
      run.feed(options.infeed ?? []);
      const onOutfeed = outfeedOf(options);
      const advance = (/** @type {number} */ steps) => this.#advance(run, steps, onOutfeed);
      await this.#engine.reclaim();
      await inSlices(advance, () => this.#checkedHandle(), options);
      return this.#finish(run, inputs.length);
    } finally {
      this.#end(run);
    }
  }

  /** @param {Inputs} inputs @returns {number[]} handles */
  #argumentsOf(inputs) {
    this.#checkedHandle();
    return handlesOf(this.#engine, this.bind(inputs));
  }

  /** @param {Run} run in progress from now on, until #end() */
  #begin(run) {
    this.#users++;
    return run;
  }

  /** @param {Run} run */
  #end(run) {
    run.destroy();
    this.#release();
  }

  /** Called once by each user. */
  #release() {
    if (--this.#users > 0) return;
    this.#plan.release();
    this.#engine.destroy('hlo_api_executable_destroy', this.#handle);
  }

  /**
   * @param {Inputs[]} inputs
   * @param {GroupOptions} options
   */
  #startGroup(inputs, { partitions = 1 }) {
    if (!Array.isArray(inputs) || !inputs.every((list) => Array.isArray(list) || isPlain(list)))
      throw new HloError('runReplicas takes a list of lists of arrays: the inputs of each process');
    if (!Number.isInteger(partitions) || partitions < 1 || inputs.length % partitions !== 0)
      throw new HloError(
        `${inputs.length} lists of inputs are no replicas of ${partitions} partitions`,
      );
    const executable = this.#checkedHandle();
    const bound = inputs.map((list) => this.bind(list));
    for (const [i, list] of bound.entries()) {
      if (list.length !== this.parameters.length)
        throw new HloError(
          `the program takes ${this.parameters.length} inputs, process ${i} has ${list.length}`,
        );
    }
    const handles = handlesOf(this.#engine, bound.flat());
    const replicas = inputs.length / partitions;
    return Run.startGroup(this.#engine, executable, replicas, partitions, handles);
  }

  /**
   * @param {Run} run
   * @param {number} steps
   * @param {((arrays: HloArray[], process: number) => void) | undefined} onOutfeed
   */
  #advance(run, steps, onOutfeed) {
    let isDone;
    try {
      isDone = run.advance(steps);
    } finally {
      this.output = run.output;
    }
    if (onOutfeed) run.drain(onOutfeed);
    return isDone;
  }

  /** @param {Run} run that has ended @param {number} processes how many it has */
  #finish(run, processes) {
    /** @type {HloArray[][]} */
    const results = [];
    try {
      while (results.length < processes)
        results.push(this.#arraysOf(run.results(results.length, this.results.length)));
    } catch (error) {
      for (const result of results.flat()) result.dispose();
      throw error;
    }
    return results;
  }

  /** @param {number[]} handles of all results, which the arrays own from now on @returns {HloArray[]} */
  #arraysOf(handles) {
    /** @type {HloArray[]} */
    const arrays = [];
    try {
      for (let i = 0; i < handles.length; i++) {
        const shape = this.results[i];
        const known = this.#plan.isDynamic ? undefined : shape;
        arrays.push(new HloArray(this.#engine, handles[i], known, shape.bytes));
      }
    } catch (error) {
      for (const handle of handles.slice(arrays.length))
        this.#engine.destroy('hlo_api_array_destroy', handle);
      for (const array of arrays) array.dispose();
      throw error;
    }
    return arrays;
  }

  /** Whether no run is in progress. */
  get isIdle() {
    return this.#users <= 1;
  }

  /**
   * Frees the memory once no run is in progress; runs in progress are rejected with a DisposedError. An executable of
   * hlo.compile() is freed with its module; a module that was parsed separately stays.
   */
  dispose() {
    if (!this.#engine.registry.unregister(this)) return;
    this.#isDisposed = true;
    if (this.#about.ownsModule) this.module.dispose();
    this.#release();
  }

  /** For `using`, where JavaScript has it: the same as dispose(). */
  [Symbol.dispose]() {
    this.dispose();
  }
}
