// Runs that advance step by step, of one process or of several that communicate: infeed, outfeed, output, results. (A run from
// arguments to results in one call is Engine.run.)
import { HloArray } from './array.js';
import { HloError } from './errors.js';

/** @typedef {import('./engine.js').Engine} Engine */

const SINGLE = /** @type {const} */ ({
  advance: 'hlo_api_run_continue',
  destroy: 'hlo_api_run_destroy',
});
const GROUP = /** @type {const} */ ({
  advance: 'hlo_api_group_continue',
  destroy: 'hlo_api_group_destroy',
});

/**
 * @param {Engine} engine
 * @param {HloArray[]} arrays
 * @returns {number[]}
 */
export function handlesOf(engine, arrays) {
  if (!Array.isArray(arrays)) throw new HloError('run takes a list of arrays');
  return arrays.map((array, i) => {
    if (!(array instanceof HloArray))
      throw new HloError(
        `argument ${i} is not an array of this package: make it one with hlo.array(data, type)`,
      );
    return array.handleIn(engine);
  });
}

/** A run in progress. The executable must outlive it. */
export class Run {
  #engine;
  #calls;
  #handle;
  /** Handles of the runs of its processes. */
  #processes;

  /**
   * @param {Engine} engine
   * @param {typeof SINGLE | typeof GROUP} calls
   * @param {number} handle owned by this object from now on
   * @param {number[]} processes
   */
  constructor(engine, calls, handle, processes) {
    this.#engine = engine;
    this.#calls = calls;
    this.#handle = handle;
    this.#processes = processes;
  }

  /**
   * @param {Engine} engine
   * @param {number} executable
   * @param {number[]} args their handles
   */
  static start(engine, executable, args) {
    const handle = engine.handle('hlo_api_run_start', executable, args.length, args);
    return new Run(engine, SINGLE, handle, [handle]);
  }

  /**
   * @param {Engine} engine
   * @param {number} executable
   * @param {number} replicas
   * @param {number} partitions of each replica
   * @param {number[]} args of each process in turn, replica by replica
   */
  static startGroup(engine, executable, replicas, partitions, args) {
    const handle = engine.handle(
      'hlo_api_group_start',
      executable,
      replicas,
      partitions,
      args.length,
      args,
    );
    const processes = Array.from({ length: replicas * partitions }, (_, i) =>
      engine.call('hlo_api_group_process', handle, i),
    );
    return new Run(engine, GROUP, handle, processes);
  }

  /** @param {(HloArray[][] | undefined)[]} infeed the items for each process */
  feed(infeed) {
    for (const [i, run] of this.#processes.entries())
      for (const item of infeed[i] ?? []) {
        const handles = handlesOf(this.#engine, item);
        this.#engine.count('hlo_api_run_feed', run, handles.length, handles);
      }
  }

  /** @param {number} steps at most; 0: to the end @returns {boolean} whether the program has ended */
  advance(steps) {
    return this.#engine.count(this.#calls.advance, this.#handle, steps) === 1;
  }

  /** What the processes have printed so far. */
  get output() {
    let output = '';
    for (const run of this.#processes)
      if (this.#engine.call('hlo_api_run_output', run) > 0) output += this.#engine.text();
    return output;
  }

  /**
   * Passes the items of the outfeeds on.
   * @param {(arrays: HloArray[], process: number) => void} receive
   */
  drain(receive) {
    for (const [i, run] of this.#processes.entries())
      for (;;) {
        const count = this.#engine.call('hlo_api_run_outfeed_count', run) | 0;
        if (count < 0) break;
        const arrays = Array.from(
          { length: count },
          (_, k) =>
            new HloArray(this.#engine, this.#engine.handle('hlo_api_run_outfeed_take', run, k)),
        );
        this.#engine.call('hlo_api_run_outfeed_drop', run);
        receive(arrays, i);
      }
  }

  /**
   * @param {number} process of a program that has ended
   * @param {number} count how many results it has
   * @returns {number[]} their handles, owned by the caller
   */
  results(process, count) {
    /** @type {number[]} */
    const handles = [];
    try {
      while (handles.length < count)
        handles.push(
          this.#engine.handle('hlo_api_run_result', this.#processes[process], handles.length),
        );
    } catch (error) {
      for (const handle of handles) this.#engine.destroy('hlo_api_array_destroy', handle);
      throw error;
    }
    return handles;
  }

  destroy() {
    this.#engine.destroy(this.#calls.destroy, this.#handle);
  }
}
