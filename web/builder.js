// Builds programs instruction by instruction: XlaBuilder's surface over the engine's builder. Must not know which
// operations there are: names and attributes come from the engine's list.
import { HloArray, shapeText } from './array.js';
import { HloError } from './errors.js';
import { Module } from './program.js';

/** @typedef {import('./engine.js').Engine} Engine */

/** The result of an instruction under construction. */
export class Value {
  /**
   * @param {Computation} computation
   * @param {number} handle
   */
  constructor(computation, handle) {
    this.computation = computation;
    this.handle = handle;
    const { engine } = computation.builder;
    engine.call('hlo_api_instruction_shape', handle);
    /** @type {import('./engine.js').ShapeInfo} */
    this.shape = JSON.parse(engine.text());
  }

  get type() {
    return this.shape.type;
  }

  get dims() {
    return this.shape.dims;
  }

  get rank() {
    return this.shape.dims.length;
  }

  toString() {
    return `${this.shape.text} (a value being traced: it has no elements yet)`;
  }
}

/** One computation under construction. */
export class Computation {
  #parameters = 0;

  /**
   * @param {Builder} builder
   * @param {string} name
   */
  constructor(builder, name) {
    this.builder = builder;
    this.name = name;
    this.handle = builder.engine.handle('hlo_api_computation_create', builder.handle, name);
  }

  /**
   * The next parameter.
   * @param {string} shape in text form
   */
  parameter(shape) {
    const number = this.#parameters++;
    return new Value(
      this,
      this.builder.engine.handle('hlo_api_build_parameter', this.handle, number, shape),
    );
  }

  /** @param {HloArray} array its elements are copied */
  constant(array) {
    return new Value(
      this,
      this.builder.engine.handle('hlo_api_build_constant', this.handle, array.handle),
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
      attributesText(attributes),
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
      throw new HloError(`an operand is an array or a traced value, got ${typeof operand}`);
    if (operand.computation === this) return operand;
    throw new HloError(
      'a value of an outer function is used inside a function given to an operation: pass it as a further argument or loop state',
    );
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
    this.builder.engine.count(
      'hlo_api_computation_finish',
      this.handle,
      root.handle,
      isEntry ? 1 : 0,
    );
    return this;
  }
}

/** A module under construction. */
export class Builder {
  #names = 0;
  #done = false;

  /**
   * @param {Engine} engine
   * @param {string} [name]
   */
  constructor(engine, name = 'module') {
    this.engine = engine;
    this.handle = engine.handle('hlo_api_module_create', name);
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
    entry.finish(root, true);
    this.#done = true;
    return new Module(this.engine, this.handle);
  }

  /** Frees a module that was not built. */
  dispose() {
    if (!this.#done) this.engine.call('hlo_api_module_destroy', this.handle);
    this.#done = true;
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
