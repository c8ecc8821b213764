// Programs: parsed modules.
import { HloArray } from './array.js';
import { DisposedError, HloError } from './errors.js';
import { Executable } from './executable.js';
import { CompileFlag } from './exports.js';
import { Indexing } from './indexing.js';
import { dotOf, graphOf, instructionsOf, placeOf } from './inspect.js';
import { checkOptions, checkText, nameOf } from './options.js';
import { Plan } from './plans.js';
import { formatNumber, sourceOf } from './text_format.js';
import { xlaShapeOf } from './tree.js';

/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./engine.js').ShapeInfo} ShapeInfo */
/** @typedef {import('./indexing.js').IndexingOptions} IndexingOptions */
/**
 * @typedef {object} Traffic bytes; Infinity: no bound is known
 * @property {string} computation
 * @property {{ read: number, loaded: number, written: number }} fused inputs read once and the result; loaded: counting every load of
 *   a loop that computes each element of the result on its own
 * @property {{ read: number, written: number }} unfused every instruction reads its operands and writes its result
 * @property {boolean} exact otherwise they are upper bounds
 */
/** @typedef {import('./text_format.js').TextFormat} TextFormat */
/** @typedef {import('./text_format.js').ProgramSource} ProgramSource */

const COMPILE_OPTIONS = 'computation reference optimize fuseAll target';
/** @typedef {{ name: string, shape: ShapeInfo, label?: string }} ParameterInfo label: in the program that it comes from, "params['w']" */
/**
 * @typedef {object} ComputationInfo
 * @property {string} name
 * @property {boolean} isEntry
 * @property {boolean} isFunction a function of StableHLO
 * @property {number} instructions
 * @property {ParameterInfo[]} parameters
 * @property {ShapeInfo} result
 */

/**
 * @typedef {object} Cost what a computation or an instruction takes; says nothing about time
 * @property {string} name
 * @property {number} flops operations on elements, also on integers: a multiply-add is two
 * @property {number} transcendentals calls of elementary functions such as exp and tanh
 * @property {number} bytesRead of operands, each once; slices read only their part
 * @property {number} bytesWritten of results
 * @property {boolean} complete false: a lower bound. A loop with an unknown trip count counts as one iteration, a custom
 *   call as nothing
 */
/** @typedef {Cost & { instructions: (Cost & { opcode: string })[] }} CostReport loops count all their rounds, calls what is called */

/**
 * @typedef {object} ParseOptions
 * @property {TextFormat} [format]
 * @property {ShapeLike[]} [shapes] shapes of the entry's arguments, or arrays that have them, for a StableHLO program that
 *   leaves sizes open ("tensor<?x4xf32>"). Elements of small arrays of integers count where sizes depend on them
 */
/** @typedef {string | ShapeInfo | { xla: ShapeInfo } | { shape: ShapeInfo }} ShapeLike a shape, or something that has one */
/** @typedef {{ computation?: string, reference?: boolean, optimize?: boolean, fuseAll?: boolean, target?: import('./loader.js').Build }} CompileOptions */

/** @typedef {{ name: string, computations: ComputationInfo[] }} Description of a module */

/** @param {import('./loader.js').Build} [target] */
function targetFlag(target) {
  if (target === undefined) return 0;
  if (target === 'simd') return CompileFlag.FOR_SIMD;
  if (target === 'relaxed-simd') return CompileFlag.FOR_RELAXED_SIMD;
  throw new HloError(`target is "simd" or "relaxed-simd", got ${nameOf(target)}`);
}

/** @param {ShapeLike} shape */
function textOfShape(shape) {
  if (typeof shape === 'string') return shape;
  const described = xlaShapeOf(shape);
  if (described) return described.text;
  throw new HloError(`a shape is text, or something that has one, got ${nameOf(shape)}`);
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
   * @param {ProgramSource} program
   * @param {TextFormat | ParseOptions} [options]
   * @param {number} [vjp] which of the programs of a file of jax.export, for this package
   */
  static parse(engine, program, options = {}, vjp = 0) {
    const source = sourceOf(program);
    /** @type {ParseOptions} */
    const named = typeof options === 'string' ? { format: options } : options;
    checkOptions('parse', named, 'format shapes');
    const { format = 'detect', shapes = [] } = named;
    if (!Array.isArray(shapes))
      throw new HloError(`shapes is a list of the arguments' shapes, got ${nameOf(shapes)}`);
    const texts = shapes.map(textOfShape).join(' ');
    const arrays = shapes.map((shape) => (shape instanceof HloArray ? shape.handleIn(engine) : 0));
    const handle = engine.handle(
      'hlo_api_module_parse',
      source,
      formatNumber(format),
      texts,
      engine.platform,
      vjp,
      arrays.length,
      arrays,
    );
    const [asked, file] = engine.text().split('\n');
    const module = new Module(engine, handle);
    module.askedArguments = JSON.parse(asked);
    module.file = JSON.parse(file || 'null');
    return module;
  }

  /** @type {Description | undefined} */
  #described;

  /** Read when first needed: programs of eager operations and of jit are never asked for it. */
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

  /** The signature stored in a file of jax.export. @type {import('./signature.js').FileSignature | null} */
  file = null;

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
   * @param {CompileOptions} [options] computation: the one to run instead of the entry; reference: evaluates each instruction by
   *   its definition, without kernels or optimisation; optimize: false runs the program as written; fuseAll: generates code
   *   also for fusions over so few elements that it does not pay; target: the build for whose host code is generated,
   *   this one by default
   * @returns {Executable} keeps what it needs of this module alive
   */
  compile(options = {}) {
    const plan = this.plan(options);
    const { computation } = options;
    const file = computation ? null : this.file;
    return new Executable(this.#engine, plan, this, { computation, file });
  }

  /** For this package: an executable that is not inspected, so small programs run without optimisation. @returns {Executable} */
  compileQuickly() {
    return new Executable(this.#engine, this.plan({}, CompileFlag.UNLESS_SMALL), this);
  }

  /**
   * The plan of an executable, for this package.
   * @param {CompileOptions} options
   * @param {number} [flags] further ones of the engine's
   * @returns {Plan}
   */
  plan(options, flags = 0) {
    checkOptions('compile', options, COMPILE_OPTIONS);
    const handle = this.#engine.handle(
      'hlo_api_compile',
      this.handle,
      options.computation ?? '',
      flags |
        (options.reference ? CompileFlag.REFERENCE : 0) |
        (options.optimize === false || !this.#engine.optimizes ? CompileFlag.UNOPTIMIZED : 0) |
        (options.fuseAll ? CompileFlag.FUSE_ALL : 0) |
        targetFlag(options.target),
    );
    return new Plan(this.#engine, handle);
  }

  /**
   * The program that would run instead of this one.
   * @param {{ computation?: string }} [options]
   * @returns {Module} owned by the caller
   */
  optimize(options = {}) {
    checkOptions('optimize', options, 'computation');
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
    checkOptions('graph', options, 'computation');
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
   * The cost of a computation as written; an executable's `cost` is that of the optimised program.
   * @param {{ computation?: string }} [options] by default the entry
   * @returns {CostReport}
   */
  cost(options = {}) {
    checkOptions('cost', options, 'computation');
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

  /**
   * Bytes that cross between memory and a computation's instructions: when all run as one fusion, and when each runs on its own.
   * @param {{ computation?: string }} [options] by default the entry; a fusion's is the computation that it calls
   * @returns {Traffic}
   */
  traffic(options = {}) {
    checkOptions('traffic', options, 'computation');
    const { computation = '' } = options;
    this.#engine.count(
      'hlo_api_module_traffic',
      this.handle,
      checkText(computation, 'the name of a computation'),
    );
    const read = JSON.parse(this.#engine.text());
    const bytes = (/** @type {string} */ key) => read[key] ?? Infinity;
    return {
      computation: read.computation,
      fused: {
        read: bytes('fusedRead'),
        loaded: bytes('fusedLoaded'),
        written: bytes('fusedWritten'),
      },
      unfused: { read: bytes('unfusedRead'), written: bytes('unfusedWritten') },
      exact: read.exact,
    };
  }

  /** Frees the memory. Executables made from this module must not run afterwards: they throw DisposedError. The module of an
   * executable that hlo.compile() made is disposed of with it. */
  dispose() {
    if (this.#handle === 0) return;
    this.#engine.registry.unregister(this);
    this.#engine.destroy('hlo_api_module_destroy', this.#handle);
    this.#handle = 0;
  }

  /** For `using`, where JavaScript has it: the same as dispose(). */
  [Symbol.dispose]() {
    this.dispose();
  }
}
