// Compiled programs: their runs, on one device or many. Must not know what they were compiled from.
import { HloArray } from './array.js';
import { DisposedError, HloError } from './errors.js';
import { now } from './host.js';
import { checkOptions } from './options.js';
import { inSlices } from './slices.js';
import { formatNumber } from './text_format.js';

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

const FEEDS = 'infeed onOutfeed';
const SLICES = 'signal steps onProgress';

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
  #ownsModule;
  /** This object, and the runs under way, which need the engine's part to their end. */
  #users = 1;

  /**
   * @param {Engine} engine
   * @param {Plan | null} plan this object is a user of it from now on; null: there is none, others run (open_program.js)
   * @param {Module} module
   * @param {boolean} [ownsModule] dispose() is the module's, too
   */
  constructor(engine, plan, module, ownsModule = false) {
    this.#engine = engine;
    this.#ownsModule = ownsModule;
    this.#plan = plan;
    this.module = module;
    const described = plan ?? nothing;
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
    let handle = 0;
    try {
      handle = this.#handle = plan.executable();
    } catch (error) {
      plan.release();
      throw error;
    }
    engine.registry.register(this, { destroy: 'hlo_api_executable_destroy', handle, plan }, this);
    engine.countMade();
  }

  /**
   * Programs run at once, if need be on a slower path. Resolves when the fast one is ready: to true, or to false where
   * there is none, because the program has no part that gains by it or because the page may not compile code.
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
    const { code } = this.#plan;
    const start = code.patience > 0 && now();
    try {
      checkOptions('run', feeds, FEEDS);
      this.#feed(run, feeds.infeed);
      this.#continue(run, 0, feeds.onOutfeed);
      return this.#finish([run])[0];
    } finally {
      this.#end('hlo_api_run_destroy', run);
      if (start) code.loseTime(now() - start);
    }
  }

  /**
   * Runs the program in slices, so that a page stays alive.
   * @param {HloArray[]} [inputs] one per parameter; borrowed until the promise settles
   * @param {Slices & Feeds} [options]
   * @returns {Promise<HloArray[]>} one per result leaf; owned by the caller
   */
  async runAsync(inputs = [], options = {}) {
    const run = this.#start(inputs);
    try {
      checkOptions('runAsync', options, `${SLICES} ${FEEDS}`);
      this.#feed(run, options.infeed);
      const advance = (/** @type {number} */ steps) =>
        this.#continue(run, steps, options.onOutfeed);
      await inSlices(advance, () => this.#checkedHandle(), options);
      return this.#finish([run])[0];
    } finally {
      this.#end('hlo_api_run_destroy', run);
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
    checkOptions('runReplicas', options, `partitions ${FEEDS}`);
    const group = this.#startGroup(inputs, options);
    try {
      this.#continueGroup(group, 0, options);
      return this.#finish(group.processes);
    } finally {
      this.#end('hlo_api_group_destroy', group.handle);
    }
  }

  /**
   * The same in slices, so that a page stays alive.
   * @param {HloArray[][]} inputs borrowed until the promise settles
   * @param {Slices & GroupOptions} [options]
   * @returns {Promise<HloArray[][]>}
   */
  async runReplicasAsync(inputs, options = {}) {
    checkOptions('runReplicasAsync', options, `${SLICES} partitions ${FEEDS}`);
    const group = this.#startGroup(inputs, options);
    try {
      const advance = (/** @type {number} */ steps) => this.#continueGroup(group, steps, options);
      await inSlices(advance, () => this.#checkedHandle(), options);
      return this.#finish(group.processes);
    } finally {
      this.#end('hlo_api_group_destroy', group.handle);
    }
  }

  /** @param {HloArray[]} inputs */
  #start(inputs) {
    const handle = this.#checkedHandle();
    const handles = handlesOf(this.#engine, inputs);
    const run = this.#engine.handle('hlo_api_run_start', handle, handles.length, handles);
    this.#users++;
    return run;
  }

  /** @param {string} destroy @param {number} handle of a run or a group */
  #end(destroy, handle) {
    this.#engine.destroy(destroy, handle);
    this.#release();
  }

  /** Each user calls it once. */
  #release() {
    if (--this.#users > 0) return;
    this.#plan.release();
    this.#engine.destroy('hlo_api_executable_destroy', this.#handle);
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
        `${inputs.length} lists of inputs are no replicas of ${partitions} partitions`,
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
    this.#users++;
    const processes = inputs.map((_, i) => this.#engine.call('hlo_api_group_process', handle, i));
    try {
      for (const [i, run] of processes.entries()) this.#feed(run, infeed[i]);
    } catch (error) {
      this.#end('hlo_api_group_destroy', handle);
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
          try {
            list.push(new HloArray(this.#engine, handle, this.#plan.isDynamic ? undefined : shape));
          } catch (error) {
            this.#engine.destroy('hlo_api_array_destroy', handle);
            throw error;
          }
        }
      }
    } catch (error) {
      for (const result of results.flat()) result.dispose();
      throw error;
    }
    return results;
  }

  /** Whether no run is under way. */
  get isIdle() {
    return this.#users <= 1;
  }

  /**
   * Frees the memory, when no run is under way any more: those are rejected with a DisposedError. What hlo.compile() made is
   * freed with its module; a module that was there before stays.
   */
  dispose() {
    if (!this.#engine.registry.unregister(this)) return;
    this.#isDisposed = true;
    if (this.#ownsModule) this.module.dispose();
    this.#release();
  }

  /** For `using`, where the engine knows it: the same as dispose(). */
  [Symbol.dispose]() {
    this.dispose();
  }
}
