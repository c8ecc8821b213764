// Programs that leave sizes of their arguments open: compiled for each combination of argument shapes, and cached.
import { HloArray } from './array.js';
import { shapeFrom } from './shape.js';
import { DisposedError, HloError } from './errors.js';
import { plansOf } from './plans.js';
import { Executable } from './executable.js';
import { Module } from './program.js';
import { productSignature } from './signature.js';
import { sourceOf } from './text_format.js';
import { xlaShapeOf } from './tree.js';

/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./engine.js').ShapeInfo} ShapeInfo */
/** @typedef {import('./program.js').ShapeLike} ShapeLike */
/** @typedef {import('./text_format.js').TextFormat} TextFormat */
/** @typedef {import('./text_format.js').ProgramSource} ProgramSource */
/** @typedef {import('./executable.js').Feeds} Feeds */
/** @typedef {import('./executable.js').Inputs} Inputs */
/** @typedef {import('./executable.js').GroupOptions} GroupOptions */
/** @typedef {import('./executable.js').Slices} Slices */

const MAX_EXECUTABLES = 64; // then the least recently used one goes

/** @param {string} text of a shape that may have sizes of '?' @returns {ShapeInfo} */
function openShape(text) {
  const [, type, sizes] = /** @type {string[]} */ (
    /^(\w+)\[(.*)\]$/.exec(text) ?? [text, text, '']
  );
  const list = sizes === '' ? [] : sizes.split(',');
  return shapeFrom({
    text,
    type,
    dims: list.map((size) => (size === '?' ? -1 : Number(size.replace('<=', '')))),
    dynamic: list.map((size) => !/^\d/.test(size)),
    layout: { minorToMajor: list.map((_, d) => list.length - 1 - d) },
    bytes: 0,
    strides: list.map(() => NaN),
    trueRank: NaN,
  });
}

/** @param {readonly ShapeLike[]} inputs @returns {string} */
function shapesOf(inputs) {
  if (!Array.isArray(inputs)) throw new HloError('run takes a list of arrays');
  return inputs
    .map((input) => (input instanceof HloArray ? input.xla.text : (Object(input).text ?? input)))
    .join(' ');
}

/**
 * The executable of a program that leaves sizes of its arguments open (tensor<?x4xf32>): it takes any arguments that fit. The
 * program is compiled for each new combination of shapes and, where sizes of arrays depend on elements of arguments, of those
 * elements. print(), cost, memory and results describe the program that ran last.
 */
export class OpenExecutable extends Executable {
  #engine;
  #source;
  #options;
  #vjp;
  /** By shapes, and by the elements of the arguments in #asked. @type {Map<string, Executable>} */
  #specialized = new Map();
  /** Arguments whose elements shapes have depended on. @type {Set<number>} */
  #valueArguments = new Set();
  /** @type {Executable | undefined} */
  #last;
  #isDisposed = false;

  /**
   * @param {Engine} engine
   * @param {ProgramSource} source bytes are copied
   * @param {{ format?: TextFormat, reference?: boolean, optimize?: boolean, fuseAll?: boolean, target?: import('./loader.js').Build }} options
   * @param {string} types of the arguments, as shapes with blanks between them
   * @param {import('./executable.js').About} about
   * @param {number} vjp
   */
  constructor(engine, source, options, types, about, vjp) {
    super(engine, null, /** @type {any} */ (null), about);
    this.#vjp = vjp;
    this.#engine = engine;
    const given = sourceOf(source);
    this.#source = typeof given === 'string' ? given : new Uint8Array(given);
    this.#options = options;
    this.parameters = types.split(' ').map(openShape);
  }

  /** @param {ShapeLike[]} inputs */
  #keyOf(inputs) {
    const elements = [...this.#valueArguments].sort().map((i) => {
      const input = inputs[i];
      return input instanceof HloArray ? `${i}:${new Uint8Array(input.toTypedArray().buffer)}` : '';
    });
    return [shapesOf(inputs), ...elements].join(' ');
  }

  /**
   * The program compiled for such arguments.
   * @param {ShapeLike[]} inputs arrays, or their shapes
   * @returns {Executable} stays this object's: dispose() of this one frees it, too
   */
  specialize(inputs) {
    if (this.#isDisposed) throw new DisposedError('executable');
    const key = this.#keyOf(inputs);
    let executable = this.#specialized.get(key);
    if (executable) this.#specialized.delete(key);
    else executable = this.#compile(inputs);
    this.#specialized.set(this.#keyOf(inputs), executable);
    if (this.#specialized.size > MAX_EXECUTABLES) this.#dropOldest();
    this.#last = executable;
    this.module = executable.module;
    this.results = executable.results;
    this.memory = executable.memory;
    return executable;
  }

  /** Disposes of the least recently used executable that is not running. */
  #dropOldest() {
    for (const [key, executable] of this.#specialized) {
      if (!executable.isIdle || executable === this.#last) continue;
      this.#specialized.delete(key);
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
    const module = Module.parse(
      this.#engine,
      this.#source,
      { format, shapes: [...inputs] },
      this.#vjp,
    );
    for (const i of module.askedArguments) this.#valueArguments.add(i);
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

  /** @override @param {Inputs} [inputs] @param {Feeds} [feeds] @returns {HloArray[]} */
  run(inputs = [], feeds) {
    const bound = this.bind(inputs);
    const executable = this.specialize(bound);
    try {
      return executable.run(bound, feeds);
    } finally {
      this.output = executable.output;
    }
  }

  /** @override @param {Inputs} [inputs] @param {Slices & Feeds} [options] @returns {Promise<HloArray[]>} */
  async runAsync(inputs = [], options) {
    const bound = this.bind(inputs);
    const executable = this.specialize(bound);
    try {
      return await executable.runAsync(bound, options);
    } finally {
      this.output = executable.output;
    }
  }

  /** @param {Inputs[]} inputs @returns {HloArray[][]} */
  #bindEach(inputs) {
    return Array.isArray(inputs) ? inputs.map((list) => this.bind(list)) : inputs;
  }

  /** @override @param {Inputs[]} inputs @param {GroupOptions} [options] @returns {HloArray[][]} */
  runReplicas(inputs, options) {
    const bound = this.#bindEach(inputs);
    const executable = this.specialize(bound?.[0] ?? []);
    try {
      return executable.runReplicas(bound, options);
    } finally {
      this.output = executable.output;
    }
  }

  /** @override @param {Inputs[]} inputs @param {Slices & GroupOptions} [options] @returns {Promise<HloArray[][]>} */
  async runReplicasAsync(inputs, options) {
    const bound = this.#bindEach(inputs);
    const executable = this.specialize(bound?.[0] ?? []);
    try {
      return await executable.runReplicasAsync(bound, options);
    } finally {
      this.output = executable.output;
    }
  }

  /** @override */
  dispose() {
    this.#isDisposed = true;
    for (const executable of this.#specialized.values()) executable.dispose();
    this.#specialized.clear();
  }
}

/**
 * Compiles a module that the executable then owns; if that fails, the module is disposed of.
 * @param {Engine} engine
 * @param {Module} module
 * @param {() => import('./plans.js').Plan} planOf
 * @param {import('./executable.js').About} [about]
 */
function executableOf(engine, module, planOf, about) {
  try {
    return new Executable(engine, planOf(), module, { ...about, ownsModule: true });
  } catch (error) {
    module.dispose();
    throw error;
  }
}

/** For JSON: shapes as their texts, and what JSON has not, which is refused below. @param {string} _ @param {any} value */
const asJson = (_, value) =>
  xlaShapeOf(value)?.text ??
  (/^(function|symbol|bigint)$/.test(typeof value) ? String(value) : value);

/**
 * The executable of a program, which may leave sizes open. Executables of the same text or bytes and options share a
 * plan.
 * @param {Engine} engine
 * @param {ProgramSource} source
 * @param {import('./program.js').ParseOptions & import('./program.js').CompileOptions} all
 * @param {number} [vjp] which of the programs of a file of jax.export
 * @param {import('./signature.js').FileSignature | null} [of] the signature of the function that this is the product of
 * @returns {Executable}
 */
export function compileSource(engine, source, all, vjp = 0, of) {
  const { format, shapes, ...options } = all;
  const plans = plansOf(engine);
  // Elements of arrays may be part of the program; what is no list is refused below.
  const isShared =
    shapes === undefined ||
    (Array.isArray(shapes) && !shapes.some((shape) => shape instanceof HloArray));
  const key = isShared
    ? plans.keyOf(sourceOf(source), JSON.stringify([format, options, shapes, vjp], asJson))
    : '';
  const shared = plans.get(key);
  if (shared !== undefined) {
    const { plan, about } = shared;
    const again = new Module(engine, plan.module());
    again.file = about.file ?? null;
    return executableOf(engine, again, () => plan, about);
  }
  let module;
  try {
    module = Module.parse(engine, source, { format, shapes }, vjp);
  } catch (error) {
    const isOpen = /** @type {any} */ (error).code === 'open program';
    if (!isOpen || shapes?.length || options.computation) throw error;
    const [types, ...names] = engine.text().split('\n');
    const file = productSignature(JSON.parse(names.pop() || 'null'), of);
    const about = { names, file, vjp: vjpOf(engine, source, all, file, vjp) };
    return new OpenExecutable(engine, source, { format, ...options }, types, about, vjp);
  }
  const { computation } = options;
  const file = computation ? null : productSignature(module.file, of);
  const about = { computation, file, vjp: vjpOf(engine, source, all, file, vjp) };
  const planOf = () => {
    const plan = module.plan(options);
    if (isShared) plans.add(key, plan, about);
    return plan;
  };
  return executableOf(engine, module, planOf, about);
}

/**
 * @param {Engine} engine
 * @param {ProgramSource} source
 * @param {import('./program.js').ParseOptions & import('./program.js').CompileOptions} options
 * @param {import('./signature.js').FileSignature | null} file
 * @param {number} vjp
 * @returns {import('./executable.js').About['vjp']} undefined: the file has none
 */
function vjpOf(engine, source, { shapes, ...options }, file, vjp) {
  if (!file?.hasVjp) return undefined;
  const copy = new Uint8Array(/** @type {Uint8Array} */ (sourceOf(source)));
  return () => compileSource(engine, copy, options, vjp + 1, file);
}
