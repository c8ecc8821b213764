// Programs: parsed modules and their executables. Must not know how eager operations or jit make programs.
import { HloArray } from './array.js';
import { DisposedError, HloError } from './errors.js';
import { Indexing } from './indexing.js';
import { dotOf, graphOf, instructionsOf, placeOf } from './inspect.js';
import { checkOptions } from './options.js';
import { Plan } from './plans.js';
import { inSlices } from './slices.js';

/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./engine.js').ShapeInfo} ShapeInfo */
/** @typedef {import('./indexing.js').IndexingOptions} IndexingOptions */

const COMPILE_OPTIONS = ['computation', 'reference', 'optimize', 'fuseAll'];
const formats = { detect: 0, hlo: 1, stablehlo: 2 };
/** @typedef {'detect' | 'hlo' | 'stablehlo'} TextFormat */
/** @typedef {{ name: string, shape: ShapeInfo }} ParameterInfo */
/**
 * @typedef {object} ComputationInfo
 * @property {string} name
 * @property {boolean} isEntry
 * @property {boolean} isFunction a function of StableHLO text
 * @property {number} instructions
 * @property {ParameterInfo[]} parameters
 * @property {ShapeInfo} result
 */

/**
 * @typedef {object} Cost what a computation or an instruction takes; says nothing about time
 * @property {string} name
 * @property {number} flops operations on elements, also on integers: a multiply-add is two
 * @property {number} transcendentals calls of elementary functions such as exp and tanh
 * @property {number} bytesRead of operands, each once; slices read only what they take
 * @property {number} bytesWritten of results
 * @property {boolean} complete false: more than that. A loop whose number of rounds cannot be seen counts as one round, a
 *   custom call as nothing
 */
/** @typedef {Cost & { instructions: (Cost & { opcode: string })[] }} CostReport loops count all their rounds, calls what is called */

/**
 * @typedef {object} ParseOptions
 * @property {TextFormat} [format]
 * @property {ShapeLike[]} [shapes] shapes of the entry's arguments, or arrays that have them, for a StableHLO program that
 *   leaves sizes open ("tensor<?x4xf32>"). Elements of small arrays of integers count where sizes depend on them
 */
/** @typedef {string | { text: string } | { shape: { text: string } } | HloArray} ShapeLike a shape, or something that has one */
/** @typedef {{ computation?: string, reference?: boolean, optimize?: boolean, fuseAll?: boolean }} CompileOptions */

/** @typedef {{ name: string, computations: ComputationInfo[] }} Description of a module */

/** @param {ShapeLike} shape */
function textOfShape(shape) {
  if (typeof shape === 'string') return shape;
  return 'shape' in shape ? shape.shape.text : shape.text;
}

/** @param {TextFormat} format */
function formatNumber(format) {
  const number = formats[format];
  if (number === undefined)
    throw new HloError(`there is no text format "${format}": the formats are hlo and stablehlo`);
  return number;
}

/** @param {any} thing @returns {string} */
function notText(thing) {
  if (thing instanceof Promise) return 'a promise: await it';
  if (ArrayBuffer.isView(thing) || thing instanceof ArrayBuffer)
    return `${thing.constructor.name}: decode it, new TextDecoder().decode(bytes)`;
  return thing === null || typeof thing !== 'object'
    ? String(thing)
    : thing.constructor?.name || 'object';
}

/** A program: computations of instructions, verified. Freed by dispose(), or some time after it became garbage. */
export class Module {
  #engine;
  #handle;

  /**
   * @param {Engine} engine
   * @param {number} handle owned by this object from now on
   */
  constructor(engine, handle) {
    this.#engine = engine;
    this.#handle = handle;
    engine.registry.register(this, { destroy: 'hlo_api_module_destroy', handle }, this);
  }

  /**
   * @param {Engine} engine
   * @param {string} text
   * @param {TextFormat | ParseOptions} [options]
   */
  static parse(engine, text, options = {}) {
    if (typeof text !== 'string') throw new HloError(`a program is text, got ${notText(text)}`);
    /** @type {ParseOptions} */
    const named = typeof options === 'string' ? { format: options } : options;
    checkOptions('parse', named, ['format', 'shapes']);
    const { format = 'detect', shapes = [] } = named;
    const texts = shapes.map(textOfShape).join(' ');
    const arrays = shapes.map((shape) => (shape instanceof HloArray ? shape.handleIn(engine) : 0));
    const handle = engine.handle(
      'hlo_api_module_parse',
      text,
      formatNumber(format),
      texts,
      arrays.length,
      arrays,
    );
    const asked = JSON.parse(engine.text());
    const module = new Module(engine, handle);
    module.askedArguments = asked;
    return module;
  }

  /** @type {Description | undefined} */
  #described;

  /** What it is made of: of eager operations' and jit's nobody asks. */
  get #description() {
    if (this.#described === undefined) {
      this.#engine.call('hlo_api_module_describe', this.handle);
      this.#described = JSON.parse(this.#engine.text());
    }
    return /** @type {Description} */ (this.#described);
  }

  get name() {
    return this.#description.name;
  }

  /** Callees before callers. */
  get computations() {
    return this.#description.computations;
  }

  /** Numbers of the arguments whose elements, given to parse(), made it the program that it is. @type {number[]} */
  askedArguments = [];

  /** The engine's handle, for this package. Throws DisposedError after dispose(). */
  get handle() {
    if (this.#handle === 0) throw new DisposedError('module');
    return this.#handle;
  }

  /**
   * The program as text.
   * @param {TextFormat} [format]
   */
  print(format = 'hlo') {
    this.#engine.count('hlo_api_module_print', this.handle, formatNumber(format));
    return this.#engine.text();
  }

  toString() {
    return this.print();
  }

  /**
   * @param {CompileOptions} [options] the
   *   computation to run instead of the entry; reference: no fast kernels, only the reference evaluator, instruction by
   *   instruction; optimize: false runs the program as it is written; fuseAll: makes code also for loops over so few
   *   elements that it does not pay
   * @returns {Executable} keeps what it needs of this module alive
   */
  compile(options = {}) {
    return new Executable(this.#engine, this.plan(options), this);
  }

  /** The plan of an executable, for this package. @param {CompileOptions} options @returns {Plan} */
  plan(options) {
    checkOptions('compile', options, COMPILE_OPTIONS);
    const handle = this.#engine.handle(
      'hlo_api_compile',
      this.handle,
      options.computation ?? '',
      (options.reference ? 1 : 0) |
        (options.optimize === false ? 2 : 0) |
        (options.fuseAll ? 4 : 0),
    );
    return new Plan(this.#engine, handle);
  }

  /**
   * The program that would run instead of this one.
   * @param {{ computation?: string }} [options]
   * @returns {Module} owned by the caller
   */
  optimize(options = {}) {
    const executable = this.compile(options);
    try {
      return Module.parse(this.#engine, executable.print(), 'hlo');
    } finally {
      executable.dispose();
    }
  }

  /**
   * The instructions of a computation, operands before their users. They stay as they are when the module is disposed.
   * @param {string} [computation] by default the entry
   * @returns {readonly import('./inspect.js').Instruction[]}
   */
  instructions(computation) {
    return instructionsOf(this.#engine, this, computation);
  }

  /**
   * All instructions and what flows between them, as plain data.
   * @param {{ computation?: string }} [options] only this computation; by default all
   * @returns {import('./inspect.js').Graph}
   */
  graph(options = {}) {
    return graphOf(this.#engine, this, options.computation);
  }

  /**
   * The graph in Graphviz' language, for `dot -Tsvg`.
   * @param {{ computation?: string }} [options] only this computation; by default all
   */
  toDot(options = {}) {
    return dotOf(this.name, this.graph(options));
  }

  /**
   * What a computation takes, as it is written: an executable's `cost` is that of the program that runs.
   * @param {{ computation?: string }} [options] by default the entry
   * @returns {CostReport}
   */
  cost(options = {}) {
    const place = placeOf(this, options.computation);
    this.#engine.count('hlo_api_computation_cost', this.handle, place);
    return JSON.parse(this.#engine.text());
  }

  /**
   * Which elements of other arrays an element of an array is computed from, or goes into, as XLA's indexing maps in
   * text form.
   * @param {IndexingOptions} [options]
   * @returns {string}
   */
  indexing(options = {}) {
    return Indexing.print(this.#engine, this.handle, options);
  }

  /**
   * The same maps as data, which also tell the elements for a single index: for the root of the entry,
   * `module.indexingMaps().at(0, [1, 2]).indices` are the elements of operand 0 that element [1, 2] is computed from.
   * @param {IndexingOptions} [options]
   * @returns {Indexing} owned by the caller; of no use after this module is disposed
   */
  indexingMaps(options = {}) {
    return new Indexing(this.#engine, this, options);
  }

  /** Frees the memory. Executables made from this module must not run afterwards: they throw DisposedError. */
  dispose() {
    if (this.#handle === 0) return;
    this.#engine.registry.unregister(this);
    this.#engine.call('hlo_api_module_destroy', this.#handle);
    this.#handle = 0;
  }
}

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
 * @param {Engine} engine
 * @param {HloArray[]} arrays
 * @returns {number[]}
 */
function handlesOf(engine, arrays) {
  if (!Array.isArray(arrays)) throw new HloError('run takes a list of arrays');
  return arrays.map((array, i) => {
    if (!(array instanceof HloArray))
      throw new HloError(
        `argument ${i} is not an array of this package: make it one with hlo.array(data, type)`,
      );
    return array.handleIn(engine);
  });
}

const nothing = {
  isDynamic: false,
  parameters: /** @type {ShapeInfo[]} */ ([]),
  results: /** @type {ShapeInfo[]} */ ([]),
  memory: { arguments: 0, results: 0, constants: 0, temporaries: 0, peak: 0 },
};

/** A compiled program. */
export class Executable {
  #engine;
  #handle;
  #isDynamic;
  /** @type {any} */
  #plan;

  /**
   * @param {Engine} engine
   * @param {Plan | null} plan this object is a user of it from now on; null: there is none, others run (open_program.js)
   * @param {Module} module
   */
  constructor(engine, plan, module) {
    this.#engine = engine;
    this.#handle = 0;
    this.#plan = plan;
    this.module = module;
    const described = plan ?? nothing;
    /** @type {boolean} the results' sizes may differ from run to run */
    this.#isDynamic = described.isDynamic;
    /**
     * What run() takes; tuples flattened. An array may be smaller where a dimension is dynamic, and have any size where the
     * program leaves it open, which is -1 here.
     * @type {ShapeInfo[]}
     */
    this.parameters = [...described.parameters];
    /** @type {ShapeInfo[]} what run() gives; tuples flattened */
    this.results = [...described.results];
    /**
     * Bytes of arrays that a run takes, known beforehand.
     * @type {{ arguments: number, results: number, constants: number, temporaries: number, peak: number }}
     */
    this.memory = described.memory;
    /** What the last run printed (interpreter.print). */
    this.output = '';
    if (plan === null) return;
    const handle = plan.executable();
    this.#handle = handle;
    engine.registry.register(this, { destroy: 'hlo_api_executable_destroy', handle, plan }, this);
  }

  /**
   * Programs run at once, if need be on a slower path. Resolves when the fast one is ready: to true, or to false where
   * there is none, because the program has no part that gains by it or because the page may not compile code.
   */
  get ready() {
    return this.#plan.code.ready;
  }

  #checkedHandle() {
    if (this.#handle === 0) throw new DisposedError('executable');
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
   * What a run takes. The program is the optimised one: instructions are those that print() shows.
   * @returns {CostReport}
   */
  get cost() {
    this.#engine.count('hlo_api_executable_cost', this.#checkedHandle());
    return JSON.parse(this.#engine.text());
  }

  /**
   * Runs the program to its end.
   * @param {HloArray[]} [inputs] one per parameter; borrowed
   * @param {Feeds} [feeds]
   * @returns {HloArray[]} one per result leaf; owned by the caller
   */
  run(inputs = [], feeds = {}) {
    const run = this.#start(inputs);
    try {
      this.#feed(run, feeds.infeed);
      this.#continue(run, 0, feeds.onOutfeed);
      return this.#finish([run])[0];
    } finally {
      this.#engine.call('hlo_api_run_destroy', run);
    }
  }

  /**
   * Runs the program in slices, so that a page stays alive.
   * @param {HloArray[]} [inputs] one per parameter; borrowed until the promise settles
   * @param {Slices & Feeds} [options]
   * @returns {Promise<HloArray[]>} one per result leaf; owned by the caller
   */
  async runAsync(inputs = [], options = {}) {
    options.signal?.throwIfAborted();
    const run = this.#start(inputs);
    try {
      this.#feed(run, options.infeed);
      const advance = (/** @type {number} */ steps) =>
        this.#continue(run, steps, options.onOutfeed);
      await inSlices(advance, () => this.#checkedHandle(), options);
      return this.#finish([run])[0];
    } finally {
      this.#engine.call('hlo_api_run_destroy', run);
    }
  }

  /**
   * Runs the program as replicas that can talk to each other through collectives, in turns. With partitions each replica
   * is several processes.
   * @param {HloArray[][]} inputs the inputs of each process: replica by replica, of each its partitions; borrowed
   * @param {GroupOptions} [options]
   * @returns {HloArray[][]} the results of each process in the same order; owned by the caller
   */
  runReplicas(inputs, options = {}) {
    const group = this.#startGroup(inputs, options);
    try {
      this.#continueGroup(group, 0, options);
      return this.#finish(group.processes);
    } finally {
      this.#engine.call('hlo_api_group_destroy', group.handle);
    }
  }

  /**
   * The same in slices, so that a page stays alive.
   * @param {HloArray[][]} inputs borrowed until the promise settles
   * @param {Slices & GroupOptions} [options]
   * @returns {Promise<HloArray[][]>}
   */
  async runReplicasAsync(inputs, options = {}) {
    options.signal?.throwIfAborted();
    const group = this.#startGroup(inputs, options);
    try {
      const advance = (/** @type {number} */ steps) => this.#continueGroup(group, steps, options);
      await inSlices(advance, () => this.#checkedHandle(), options);
      return this.#finish(group.processes);
    } finally {
      this.#engine.call('hlo_api_group_destroy', group.handle);
    }
  }

  /** @param {HloArray[]} inputs */
  #start(inputs) {
    const handle = this.#checkedHandle();
    const handles = handlesOf(this.#engine, inputs);
    return this.#engine.handle('hlo_api_run_start', handle, handles.length, handles);
  }

  /**
   * @param {HloArray[][]} inputs
   * @param {GroupOptions} options
   */
  #startGroup(inputs, { partitions = 1, infeed = [] }) {
    if (!Array.isArray(inputs) || !inputs.every(Array.isArray))
      throw new HloError('runReplicas takes a list of lists of arrays: the inputs of each process');
    if (!Number.isInteger(partitions) || partitions < 1 || inputs.length % partitions !== 0)
      throw new HloError(
        `${inputs.length} lists of inputs are not those of replicas of ${partitions} partitions each`,
      );
    const executable = this.#checkedHandle();
    for (const [i, list] of inputs.entries()) {
      if (list.length !== this.parameters.length)
        throw new HloError(
          `the program takes ${this.parameters.length} inputs, process ${i} has ${list.length}`,
        );
    }
    const handles = handlesOf(this.#engine, inputs.flat());
    const handle = this.#engine.handle(
      'hlo_api_group_start',
      executable,
      inputs.length / partitions,
      partitions,
      handles.length,
      handles,
    );
    const processes = inputs.map((_, i) => this.#engine.call('hlo_api_group_process', handle, i));
    try {
      for (const [i, run] of processes.entries()) this.#feed(run, infeed[i]);
    } catch (error) {
      this.#engine.call('hlo_api_group_destroy', handle);
      throw error;
    }
    return { handle, processes };
  }

  /**
   * @param {number} run
   * @param {HloArray[][]} [items]
   */
  #feed(run, items = []) {
    for (const item of items) {
      const handles = handlesOf(this.#engine, item);
      this.#engine.count('hlo_api_run_feed', run, handles.length, handles);
    }
  }

  /**
   * @param {number} run
   * @param {number} steps
   * @param {Feeds['onOutfeed']} onOutfeed
   */
  #continue(run, steps, onOutfeed) {
    let done;
    try {
      done = this.#engine.count('hlo_api_run_continue', run, steps) === 1;
    } finally {
      this.output = this.#outputOf(run);
    }
    this.#drain(run, onOutfeed);
    return done;
  }

  /**
   * @param {{ handle: number, processes: number[] }} group
   * @param {number} steps
   * @param {GroupOptions} options
   */
  #continueGroup({ handle, processes }, steps, { partitions = 1, onOutfeed }) {
    let done;
    try {
      done = this.#engine.count('hlo_api_group_continue', handle, steps) === 1;
    } finally {
      this.output = processes.map((run) => this.#outputOf(run)).join('');
    }
    for (const [i, run] of processes.entries()) {
      const process = { replica: Math.floor(i / partitions), partition: i % partitions };
      this.#drain(run, onOutfeed && ((arrays) => onOutfeed(arrays, process)));
    }
    return done;
  }

  /** @param {number} run */
  #outputOf(run) {
    return this.#engine.call('hlo_api_run_output', run) > 0 ? this.#engine.text() : '';
  }

  /**
   * Hands what is in the outfeed over.
   * @param {number} run
   * @param {Feeds['onOutfeed']} onOutfeed
   */
  #drain(run, onOutfeed) {
    if (onOutfeed === undefined) return;
    for (;;) {
      const count = this.#engine.call('hlo_api_run_outfeed_count', run) | 0;
      if (count < 0) return;
      const arrays = Array.from(
        { length: count },
        (_, i) =>
          new HloArray(this.#engine, this.#engine.handle('hlo_api_run_outfeed_take', run, i)),
      );
      this.#engine.call('hlo_api_run_outfeed_drop', run);
      onOutfeed(arrays);
      this.#checkedHandle();
    }
  }

  /**
   * The results of ended runs.
   * @param {number[]} runs
   */
  #finish(runs) {
    /** @type {HloArray[][]} */
    const results = [];
    try {
      for (const run of runs) {
        /** @type {HloArray[]} */
        const list = [];
        results.push(list);
        for (const [i, shape] of this.results.entries()) {
          const handle = this.#engine.handle('hlo_api_run_result', run, i);
          list.push(new HloArray(this.#engine, handle, this.#isDynamic ? undefined : shape));
        }
      }
    } catch (error) {
      for (const result of results.flat()) result.dispose();
      throw error;
    }
    return results;
  }

  dispose() {
    if (this.#handle === 0) return;
    this.#engine.registry.unregister(this);
    this.#plan.release();
    this.#engine.call('hlo_api_executable_destroy', this.#handle);
    this.#handle = 0;
  }
}
if (Symbol.dispose) {
  /** @type {any} */ (Module.prototype)[Symbol.dispose] = Module.prototype.dispose;
  /** @type {any} */ (Executable.prototype)[Symbol.dispose] = Executable.prototype.dispose;
}
