// Programs: parsed modules and their executables. Must not know how eager operations or jit make programs.
import { HloArray } from './array.js';
import { DisposedError, HloError } from './errors.js';

/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./engine.js').ShapeInfo} ShapeInfo */

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

/** @param {TextFormat} format */
function formatNumber(format) {
  const number = formats[format];
  if (number === undefined)
    throw new HloError(`there is no text format "${format}": the formats are hlo and stablehlo`);
  return number;
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
    engine.call('hlo_api_module_describe', handle);
    const described = JSON.parse(engine.text());
    /** @type {string} */
    this.name = described.name;
    /** @type {ComputationInfo[]} callees before callers */
    this.computations = described.computations;
    engine.registry.register(this, { destroy: 'hlo_api_module_destroy', handle }, this);
  }

  /**
   * @param {Engine} engine
   * @param {string} text
   * @param {TextFormat} [format]
   */
  static parse(engine, text, format = 'detect') {
    if (typeof text !== 'string') throw new HloError(`a program is text, got ${typeof text}`);
    return new Module(engine, engine.handle('hlo_api_module_parse', text, formatNumber(format)));
  }

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
   * @param {{ computation?: string, reference?: boolean }} [options] the computation to run instead of the entry;
   *   reference: no fast kernels, only the reference evaluator
   * @returns {Executable} keeps what it needs of this module alive
   */
  compile(options = {}) {
    const handle = this.#engine.handle(
      'hlo_api_compile',
      this.handle,
      options.computation ?? '',
      options.reference ? 1 : 0,
    );
    return new Executable(this.#engine, handle, this);
  }

  /** Frees the memory. Executables made from this module must not run afterwards: they throw DisposedError. */
  dispose() {
    if (this.#handle === 0) return;
    this.#engine.registry.unregister(this);
    this.#engine.call('hlo_api_module_destroy', this.#handle);
    this.#handle = 0;
  }
}

/** A compiled program. */
export class Executable {
  #engine;
  #handle;

  /**
   * @param {Engine} engine
   * @param {number} handle owned by this object from now on
   * @param {Module} module
   */
  constructor(engine, handle, module) {
    this.#engine = engine;
    this.#handle = handle;
    this.module = module;
    engine.call('hlo_api_executable_describe', handle);
    const described = JSON.parse(engine.text());
    /** @type {ShapeInfo[]} what run() takes; tuples flattened */
    this.parameters = described.parameters;
    /** @type {ShapeInfo[]} what run() gives; tuples flattened */
    this.results = described.results.map(Object.freeze);
    /** What the last run printed (interpreter.print). */
    this.output = '';
    engine.registry.register(this, { destroy: 'hlo_api_executable_destroy', handle }, this);
  }

  #checkedHandle() {
    if (this.#handle === 0) throw new DisposedError('executable');
    void this.module.handle;
    return this.#handle;
  }

  /**
   * Runs the program to its end.
   * @param {HloArray[]} [inputs] one per parameter; borrowed
   * @returns {HloArray[]} one per result leaf; owned by the caller
   */
  run(inputs = []) {
    const run = this.#start(inputs);
    try {
      this.#continue(run, 0);
      return this.#finish(run);
    } finally {
      this.#engine.call('hlo_api_run_destroy', run);
    }
  }

  /**
   * Runs the program in slices, so that a page stays alive.
   * @param {HloArray[]} [inputs] one per parameter; borrowed until the promise settles
   * @param {{ signal?: AbortSignal, steps?: number }} [options] steps: how many between two pauses
   * @returns {Promise<HloArray[]>} one per result leaf; owned by the caller
   */
  async runAsync(inputs = [], { signal, steps = 1000 } = {}) {
    signal?.throwIfAborted();
    const run = this.#start(inputs);
    try {
      while (!this.#continue(run, steps)) {
        await new Promise((resolve) => setTimeout(resolve));
        signal?.throwIfAborted();
        this.#checkedHandle();
      }
      return this.#finish(run);
    } finally {
      this.#engine.call('hlo_api_run_destroy', run);
    }
  }

  /** @param {HloArray[]} inputs */
  #start(inputs) {
    const handle = this.#checkedHandle();
    if (!Array.isArray(inputs)) throw new HloError('run takes a list of arrays');
    const handles = inputs.map((input, i) => {
      if (!(input instanceof HloArray))
        throw new HloError(`argument ${i} is not an array of this package`);
      return input.handle;
    });
    return this.#engine.handle('hlo_api_run_start', handle, handles.length, handles);
  }

  /**
   * @param {number} run
   * @param {number} steps
   */
  #continue(run, steps) {
    try {
      return this.#engine.count('hlo_api_run_continue', run, steps) === 1;
    } finally {
      this.#keepOutput(run);
    }
  }

  /** @param {number} run */
  #keepOutput(run) {
    const length = this.#engine.call('hlo_api_run_output', run);
    this.output = length > 0 ? this.#engine.text() : '';
  }

  /** @param {number} run */
  #finish(run) {
    /** @type {HloArray[]} */
    const results = [];
    try {
      for (let i = 0; i < this.results.length; i++) {
        results.push(
          new HloArray(
            this.#engine,
            this.#engine.handle('hlo_api_run_result', run, i),
            this.results[i],
          ),
        );
      }
    } catch (error) {
      for (const result of results) result.dispose();
      throw error;
    }
    return results;
  }

  dispose() {
    if (this.#handle === 0) return;
    this.#engine.registry.unregister(this);
    this.#engine.call('hlo_api_executable_destroy', this.#handle);
    this.#handle = 0;
  }
}
if (Symbol.dispose) {
  /** @type {any} */ (Module.prototype)[Symbol.dispose] = Module.prototype.dispose;
  /** @type {any} */ (Executable.prototype)[Symbol.dispose] = Executable.prototype.dispose;
}
