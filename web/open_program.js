// Programs that leave sizes of their arguments open: compiled anew for each kind of arguments that they are run with, and
// kept. Must not know how programs are parsed or run.
import { HloArray } from './array.js';
import { frozenShape } from './engine.js';
import { DisposedError, HloError } from './errors.js';
import { plansOf } from './plans.js';
import { Executable } from './executable.js';
import { Module } from './program.js';
import { sourceOf } from './text_format.js';

/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./engine.js').ShapeInfo} ShapeInfo */
/** @typedef {import('./program.js').ShapeLike} ShapeLike */
/** @typedef {import('./text_format.js').TextFormat} TextFormat */
/** @typedef {import('./text_format.js').ProgramSource} ProgramSource */
/** @typedef {import('./executable.js').Feeds} Feeds */
/** @typedef {import('./executable.js').GroupOptions} GroupOptions */
/** @typedef {import('./executable.js').Slices} Slices */

const KEPT = 64; // executables; the one that was used longest ago goes first

/** @param {string} text of a shape that may have sizes of '?' @returns {ShapeInfo} */
function openShape(text) {
  const [, type, sizes] = /** @type {string[]} */ (
    /^(\w+)\[(.*)\]$/.exec(text) ?? [text, text, '']
  );
  const list = sizes === '' ? [] : sizes.split(',');
  return frozenShape({
    text,
    type,
    dims: list.map((size) => (size === '?' ? -1 : Number(size.replace('<=', '')))),
    dynamic: list.map((size) => !/^\d/.test(size)),
    layout: { minorToMajor: list.map((_, d) => list.length - 1 - d) },
    bytes: 0,
  });
}

/** @param {readonly ShapeLike[]} inputs @returns {string} */
function shapesOf(inputs) {
  if (!Array.isArray(inputs)) throw new HloError('run takes a list of arrays');
  return inputs
    .map((input) => (input instanceof HloArray ? input.shape.text : (Object(input).text ?? input)))
    .join(' ');
}

/**
 * The executable of a program that leaves sizes of its arguments open (tensor<?x4xf32>): it takes whatever fits. The program
 * is compiled when it first meets such shapes and, where sizes of arrays depend on elements of arguments, such elements.
 * What print(), cost, memory and results tell is about the program that ran last.
 */
export class OpenExecutable extends Executable {
  #engine;
  #source;
  #options;
  /** By shapes, and by the elements of the arguments in #asked. @type {Map<string, Executable>} */
  #kept = new Map();
  /** Arguments whose elements shapes have depended on. @type {Set<number>} */
  #asked = new Set();
  /** @type {Executable | undefined} */
  #last;
  #isDisposed = false;

  /**
   * @param {Engine} engine
   * @param {ProgramSource} source bytes are copied
   * @param {{ format?: TextFormat, reference?: boolean, optimize?: boolean, fuseAll?: boolean }} options
   * @param {string} types of the arguments, as shapes with blanks between them
   */
  constructor(engine, source, options, types) {
    super(engine, null, /** @type {any} */ (null));
    this.#engine = engine;
    const given = sourceOf(source);
    this.#source = typeof given === 'string' ? given : new Uint8Array(given);
    this.#options = options;
    this.parameters = types.split(' ').map(openShape);
  }

  /** @param {ShapeLike[]} inputs */
  #keyOf(inputs) {
    const elements = [...this.#asked].sort().map((i) => {
      const input = inputs[i];
      return input instanceof HloArray ? `${i}:${new Uint8Array(input.toTypedArray().buffer)}` : '';
    });
    return [shapesOf(inputs), ...elements].join(' ');
  }

  /**
   * The program for such arguments, compiled.
   * @param {ShapeLike[]} inputs arrays, or their shapes
   * @returns {Executable} stays this object's: dispose() of this one frees it, too
   */
  specialize(inputs) {
    if (this.#isDisposed) throw new DisposedError('executable');
    const key = this.#keyOf(inputs);
    let executable = this.#kept.get(key);
    if (executable) this.#kept.delete(key);
    else executable = this.#compile(inputs);
    this.#kept.set(this.#keyOf(inputs), executable);
    if (this.#kept.size > KEPT) this.#dropOldest();
    this.#last = executable;
    this.module = executable.module;
    this.results = executable.results;
    this.memory = executable.memory;
    return executable;
  }

  /** Of those that do not run. */
  #dropOldest() {
    for (const [key, executable] of this.#kept) {
      if (!executable.isIdle || executable === this.#last) continue;
      this.#kept.delete(key);
      executable.dispose();
      return;
    }
  }

  /** @param {ShapeLike[]} inputs */
  #compile(inputs) {
    if (inputs.length !== this.parameters.length)
      throw new HloError(
        `the program takes ${this.parameters.length} inputs, got ${inputs.length}`,
      );
    const { format, ...options } = this.#options;
    const module = Module.parse(this.#engine, this.#source, { format, shapes: [...inputs] });
    for (const i of module.askedArguments) this.#asked.add(i);
    return executableOf(this.#engine, module, () => module.plan(options));
  }

  #current() {
    if (this.#isDisposed) throw new DisposedError('executable');
    if (this.#last) return this.#last;
    throw new HloError(
      'the program leaves sizes of its arguments open: run it, or specialize() it, first',
      'open program',
    );
  }

  /** @override */
  get ready() {
    return this.#last?.ready ?? Promise.resolve(false);
  }

  /** @override @param {TextFormat} [format] */
  print(format) {
    return this.#current().print(format);
  }

  /** @override */
  get cost() {
    return this.#current().cost;
  }

  /** @override @param {HloArray[]} [inputs] @param {Feeds} [feeds] @returns {HloArray[]} */
  run(inputs = [], feeds) {
    const executable = this.specialize(inputs);
    try {
      return executable.run(inputs, feeds);
    } finally {
      this.output = executable.output;
    }
  }

  /** @override @param {HloArray[]} [inputs] @param {Slices & Feeds} [options] @returns {Promise<HloArray[]>} */
  async runAsync(inputs = [], options) {
    const executable = this.specialize(inputs);
    try {
      return await executable.runAsync(inputs, options);
    } finally {
      this.output = executable.output;
    }
  }

  /** @override @param {HloArray[][]} inputs @param {GroupOptions} [options] @returns {HloArray[][]} */
  runReplicas(inputs, options) {
    const executable = this.specialize(inputs?.[0] ?? []);
    try {
      return executable.runReplicas(inputs, options);
    } finally {
      this.output = executable.output;
    }
  }

  /** @override @param {HloArray[][]} inputs @param {Slices & GroupOptions} [options] @returns {Promise<HloArray[][]>} */
  async runReplicasAsync(inputs, options) {
    const executable = this.specialize(inputs?.[0] ?? []);
    try {
      return await executable.runReplicasAsync(inputs, options);
    } finally {
      this.output = executable.output;
    }
  }

  /** @override */
  dispose() {
    this.#isDisposed = true;
    for (const executable of this.#kept.values()) executable.dispose();
    this.#kept.clear();
  }
}

/**
 * Compiles a module that nobody else has: it goes with the executable, or with the error.
 * @param {Engine} engine
 * @param {Module} module
 * @param {() => import('./plans.js').Plan} planOf
 */
function executableOf(engine, module, planOf) {
  try {
    return new Executable(engine, planOf(), module, true);
  } catch (error) {
    module.dispose();
    throw error;
  }
}

/**
 * The executable of a program, which may leave sizes open. Where there is one of the same text, compiled in the same way, they
 * share its plan.
 * @param {Engine} engine
 * @param {ProgramSource} source
 * @param {import('./program.js').ParseOptions & import('./program.js').CompileOptions} options
 * @returns {Executable}
 */
export function compileSource(engine, source, { format, shapes, ...options }) {
  const plans = plansOf(engine);
  const isText = typeof source === 'string';
  const way = shapes?.length || !isText ? '' : JSON.stringify([format, options]);
  const known = isText ? plans.get(source, way) : undefined;
  if (known !== undefined)
    return executableOf(engine, new Module(engine, known.module()), () => known);
  let module;
  try {
    module = Module.parse(engine, source, { format, shapes });
  } catch (error) {
    const isOpen = /** @type {any} */ (error).code === 'open program';
    if (!isOpen || shapes?.length || options.computation) throw error;
    return new OpenExecutable(engine, source, { format, ...options }, engine.text());
  }
  return executableOf(engine, module, () => {
    const plan = module.plan(options);
    if (isText && way !== '') plans.add(source, way, plan);
    return plan;
  });
}
