// Builds programs instruction by instruction, in the manner of XlaBuilder. Names and attributes come from the engine's list of
// operations.
import { HloArray, shapeText } from './array.js';
import { Shape, shapeFrom } from './shape.js';
import { HloError } from './errors.js';
import { checkOptions, checkText, nameOf, notAnOperand, snakeCase } from './options.js';
import { Module } from './program.js';
import { Shaped } from './shaped.js';
import { isPlain } from './tree.js';

/** @typedef {import('./engine.js').Engine} Engine */

/** The result of an instruction under construction: it has a shape, and no elements yet. */
export class Value extends Shaped {
  #handle;
  #xla;

  /**
   * @param {Computation} computation
   * @param {number} handle
   * @param {import('./engine.js').ShapeInfo} [shape] when it is known
   */
  constructor(computation, handle, shape) {
    super();
    this.computation = computation;
    this.#handle = handle;
    const { engine } = computation.builder;
    if (shape === undefined) engine.call('hlo_api_instruction_shape', handle);
    this.#xla = shape ?? shapeFrom(JSON.parse(engine.text()));
  }

  /** For this package. @internal @override */
  get engine() {
    return this.computation.builder.engine;
  }

  /** XLA's shape: element type, sizes and layout. @override */
  get xla() {
    return this.#xla;
  }

  /** The engine's handle, for this package. Throws when the program that this value belongs to is finished. */
  get handle() {
    void this.computation.handle;
    return this.#handle;
  }

  /** @override */
  toString() {
    return `${this.xla.text} (a value being traced: it has no elements yet)`;
  }

  /** JavaScript's own operators (x > 1, x + 1) have no number to work on either. @param {string} hint */
  [Symbol.toPrimitive](hint) {
    if (hint === 'string') return this.toString();
    throw noElements(this, "JavaScript's own operators", 'use hlo.add, hlo.gt, hlo.select …');
  }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    return `Value ${this}`;
  }
}
// Members of arrays that read elements throw here, and say why.
for (const method of ['toNested', 'toTypedArray', 'item', 'toJSON', 'dispose', Symbol.iterator])
  Object.defineProperty(Value.prototype, method, {
    /** @this {Value} */
    value() {
      const name = typeof method === 'symbol' ? 'walking along it' : `${method}()`;
      const advice =
        method === 'dispose' ? 'there is no need to' : 'return it, and read the result';
      throw noElements(this, name, advice);
    },
  });

/** @param {Value} value @param {string} what @param {string} advice */
function noElements(value, what, advice) {
  return new HloError(
    `no ${what} here: this ${value.xla.text} is being traced (inside jit, or a function given to an operation) and has no elements yet; ${advice}`,
    'traced value',
  );
}

/** One computation under construction. */
export class Computation {
  #parameters = 0;
  #handle;

  /**
   * @param {Builder} builder
   * @param {string} name
   */
  constructor(builder, name) {
    this.builder = builder;
    this.name = name;
    this.isClosure = false; // it may capture values of other computations, which become parameters
    /** @type {Map<Value, Value>} captured values of other computations, and the parameters that receive them, in order */
    this.captured = new Map();
    /** @type {Value | undefined} what it returns, once it is finished */
    this.result = undefined;
    checkText(name, 'a name');
    this.#handle = builder.engine.handle('hlo_api_computation_create', builder.handle, name);
  }

  /** The engine's handle, for this package. Throws when the module is finished. */
  get handle() {
    void this.builder.handle;
    return this.#handle;
  }

  /**
   * The next parameter. As in XLA, its number may stand first.
   * @param {[shape: string | Shape, name?: string] | [number: number, shape: string | Shape, name?: string]} args
   * @returns {Value}
   */
  parameter(...args) {
    const next = this.#parameters;
    if (typeof args[0] === 'number' && args.shift() !== next)
      throw new HloError(`parameter: the next number is ${next}`);
    const [shape, name = ''] = /** @type {[any, string?]} */ (args);
    if (!/^([A-Za-z_][\w.-]*)?$/.test(checkText(name, 'a name')))
      throw new HloError(`parameter: ${nameOf(name)} is no name of HLO text`);
    const isKnown = shape instanceof Shape;
    const text = isKnown ? shape.text : checkText(shape, 'a shape');
    const { engine } = this.builder;
    const handle = engine.handle('hlo_api_build_parameter', this.handle, next, text, name);
    this.#parameters++;
    return new Value(this, handle, isKnown ? shape : undefined);
  }

  /** @param {HloArray} array its elements are copied */
  constant(array) {
    return new Value(
      this,
      this.builder.engine.handle(
        'hlo_api_build_constant',
        this.handle,
        array.handleIn(this.builder.engine),
      ),
    );
  }

  /**
   * Appends an instruction.
   * @param {string} name the op's name in HLO text
   * @param {(Value | HloArray)[]} operands arrays become constants
   * @param {{ attributes?: Record<string, any>, shape?: string, broadcastDimensions?: number[] }} [options]
   *   attributes by their names in HLO text; shape: where operands do not determine it; broadcastDimensions:
   *   broadcast as elementwise ops do ([] where ranks agree or an operand is a scalar)
   */
  add(name, operands, { attributes = {}, shape = '', broadcastDimensions } = {}) {
    const { engine } = this.builder;
    const opcode = engine.opcodes.get(name);
    if (opcode === undefined) throw new HloError(`there is no operation "${name}"`);
    const handles = operands.map((operand) => this.own(operand).handle);
    const handle = engine.handle(
      'hlo_api_build',
      this.handle,
      opcode,
      shape,
      handles.length,
      handles,
      attributesText({ ...this.builder.attributes, ...attributes }),
      broadcastDimensions ? broadcastDimensions.length : -1,
      new Float64Array(broadcastDimensions ?? []),
    );
    return new Value(this, handle);
  }

  /**
   * The operand as a value of this computation.
   * @param {Value | HloArray} operand
   * @returns {Value}
   */
  own(operand) {
    if (operand instanceof HloArray) return this.constant(operand);
    if (!(operand instanceof Value))
      throw new HloError(`an operand is an array or a traced value, got ${notAnOperand(operand)}`);
    if (operand.computation === this) return operand;
    void operand.handle; // throws when it belongs to a finished program
    const known = this.captured.get(operand);
    if (known) return known;
    if (!this.isClosure)
      throw new HloError(
        "a value of another function is used here: it leaves an operation's function only as its result, and only those of while, conditional, scan and call may use values from outside",
      );
    const parameter = this.parameter(operand.xla);
    this.captured.set(operand, parameter);
    return parameter;
  }

  /**
   * Calls a function; operations without operands that it calls (iota, replicaId …) are appended here.
   * @template T
   * @param {(...args: any[]) => T} body
   * @param {any[]} args
   * @returns {T}
   */
  trace(body, args) {
    const { engine } = this.builder;
    const outer = engine.tracing;
    engine.tracing = this;
    try {
      return body(...args);
    } finally {
      engine.tracing = outer;
    }
  }

  /**
   * @param {Value} root
   * @param {boolean} [isEntry]
   */
  finish(root, isEntry = false) {
    this.result = this.own(root);
    this.builder.engine.count(
      'hlo_api_computation_finish',
      this.handle,
      this.result.handle,
      isEntry ? 1 : 0,
    );
    return this;
  }
}

/** A module under construction. */
export class Builder {
  #names = 0;
  #handle;

  /** Attributes that every instruction gets from now on. @type {Record<string, string | undefined>} */
  attributes = {};

  /**
   * @param {Engine} engine
   * @param {string} [name]
   */
  constructor(engine, name = 'module') {
    this.engine = engine;
    this.#handle = engine.handle('hlo_api_module_create', checkText(name, 'a name'));
  }

  /** The engine's handle, for this package. Throws when the module is finished. */
  get handle() {
    if (this.#handle === 0)
      throw new HloError(
        'this value belongs to a program that is finished: one that a jit function left behind (traced values must not be kept), or one of a builder after build() or dispose()',
        'traced value',
      );
    return this.#handle;
  }

  /** Instructions added from now on have this sharding, as HLO text has it: "{devices=[2,1]<=[2]}". @param {string} sharding */
  setSharding(sharding) {
    this.attributes.sharding = checkText(sharding, 'a sharding');
  }

  /** Ends setSharding(). */
  clearSharding() {
    this.attributes.sharding = undefined;
  }

  /**
   * Instructions added from now on say where they come from.
   * @param {{ opType?: string, opName?: string, sourceFile?: string, sourceLine?: number }} metadata
   */
  setOpMetadata(metadata) {
    checkOptions('setOpMetadata', metadata, 'opType opName sourceFile sourceLine');
    const fields = Object.entries(snakeCase(metadata));
    this.attributes.metadata = `{${fields.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(' ')}}`;
  }

  /** Ends setOpMetadata(). */
  clearOpMetadata() {
    this.attributes.metadata = undefined;
  }

  /**
   * Instructions added from now on carry these texts for whoever reads the program; {} for none.
   * @param {Record<string, string>} attributes
   */
  setFrontendAttributes(attributes) {
    if (!isPlain(attributes))
      throw new HloError(`setFrontendAttributes takes texts by name, got ${nameOf(attributes)}`);
    const texts = Object.entries(attributes).map(
      ([name, value]) => `${name}=${JSON.stringify(String(value))}`,
    );
    this.attributes.frontend_attributes = texts.length === 0 ? undefined : `{${texts.join(',')}}`;
  }

  /** @param {string} [name] */
  computation(name = `computation.${this.#names++}`) {
    return new Computation(this, name);
  }

  /**
   * The finished module; the builder cannot be used afterwards.
   * @param {Computation} entry
   * @param {Value} root
   * @returns {Module} owned by the caller
   */
  build(entry, root) {
    if (!(entry instanceof Computation))
      throw new HloError(`build takes a computation of this builder, got ${nameOf(entry)}`);
    entry.finish(root, true);
    const module = new Module(this.engine, this.handle);
    this.#handle = 0;
    return module;
  }

  /** Frees a module that was not built. */
  dispose() {
    if (this.#handle !== 0) this.engine.call('hlo_api_module_destroy', this.#handle);
    this.#handle = 0;
  }
}

/**
 * Attributes in HLO text form: lists in braces, computations by name, undefined ones left out.
 * @param {Record<string, any>} attributes
 */
function attributesText(attributes) {
  const text = (/** @type {any} */ value) => {
    if (value instanceof Computation) return `%${value.name}`;
    return Array.isArray(value)
      ? `{${value.map((v) => (v instanceof Computation ? `%${v.name}` : v)).join(',')}}`
      : String(value);
  };
  return Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${text(value)}`)
    .join(', ');
}

export { shapeText };
