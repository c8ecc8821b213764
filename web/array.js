// Arrays: a shape, and elements in the engine's memory.
import { elementType } from './dtypes.js';
import { elementsOf, nest, storageOf } from './elements.js';
import { shapeFrom } from './shape.js';
import { DisposedError, HloError, ShapeError } from './errors.js';
import { checkOptions, nameOf, withArticle } from './options.js';
import { Shaped } from './shaped.js';
import { show } from './show.js';

const LAYOUT = 'minorToMajor paddedDimensions paddingValue';

/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./engine.js').Layout} Layout */
/** @typedef {import('./elements.js').TypedArray} TypedArray */
/** @typedef {import('./elements.js').NestedList} NestedList */
/** @typedef {import('./elements.js').Element} Element */
/** @typedef {Element | Nested[]} Nested elements in lists */

/**
 * An array in the engine's memory. Immutable. Freed by dispose() (or `using`), or some time after it became garbage.
 */
export class HloArray extends Shaped {
  #engine;
  #handle;

  /** @type {import('./engine.js').ShapeInfo | undefined} */
  #xla;

  /**
   * @param {Engine} engine
   * @param {number} handle owned by this object from now on
   * @param {import('./engine.js').ShapeInfo} [shape] when it is known
   * @param {number} [bytes] at most, when they are known
   */
  constructor(engine, handle, shape, bytes = shape?.bytes) {
    super();
    this.#engine = engine;
    this.#handle = handle;
    this.#xla = shape;
    engine.registry.register(this, { destroy: 'hlo_api_array_destroy', handle }, this);
    engine.tidyScope?.add(this);
    engine.countAllocation(bytes);
  }

  /** For this package. @internal @override */
  get engine() {
    return this.#engine;
  }

  /** XLA's shape: element type, sizes and layout. @override @returns {import('./engine.js').ShapeInfo} */
  get xla() {
    void this.handle;
    if (this.#xla === undefined) {
      this.#engine.call('hlo_api_array_shape', this.handle);
      this.#xla = shapeFrom(JSON.parse(this.#engine.text()));
    }
    return this.#xla;
  }

  /**
   * Of a result with dynamic dimensions, the shape that the program states: "f32[<=5]". null for other arrays.
   * @returns {import('./engine.js').ShapeInfo | null}
   */
  get bound() {
    if (this.#engine.call('hlo_api_array_bound', this.handle) === 0) return null;
    return shapeFrom(JSON.parse(this.#engine.text()));
  }

  /** The engine's handle, for this package. Throws DisposedError after dispose(). */
  get handle() {
    if (this.#handle === 0) throw new DisposedError('array');
    return this.#handle;
  }

  /** The same, checked to be one of that engine. @param {Engine} engine */
  handleIn(engine) {
    if (engine !== this.#engine)
      throw new HloError(
        `an array ${this.xla.text} of another engine: arrays stay with the load() that they come from`,
      );
    return this.handle;
  }

  /**
   * A copy of the memory: elements in the order of the layout, padding included.
   *
   * | element type | typed array |
   * |---|---|
   * | s8 … s64, u8 … u64, f32, f64 | the one of that type: Int8Array … BigInt64Array, Float32Array, Float64Array |
   * | s2, s4; u2, u4 | Int8Array; Uint8Array: one element per byte |
   * | pred | Uint8Array of 0 and 1 |
   * | f16 | Float16Array where that exists, else Uint16Array of the bits |
   * | bf16; floats of 8 and 4 bits | Uint16Array; Uint8Array of the bits |
   * | c64; c128 | Float32Array; Float64Array of pairs (re, im) |
   * @template {TypedArray} [T=TypedArray]
   * @param {{ layout?: LayoutOption, into?: T }} [options] layout: the memory as it would be in this layout; by
   *   default row-major. into: a typed array of the right class and length to write to, also one over a SharedArrayBuffer
   * @returns {T} `into`, or a new typed array
   */
  toTypedArray(options = {}) {
    checkOptions('toTypedArray', options, 'layout into');
    const { layout = null, into } = options;
    const array = this.withLayout(layout);
    try {
      const Storage = storageOf(this.#typeInfo);
      const { bytes } = array.xla;
      const at = this.#engine.call('hlo_api_array_data', array.handle);
      if (into === undefined) return new Storage(this.#engine.read(at, bytes).buffer);
      // Images' pixels are clamped bytes.
      const fits =
        into instanceof Storage || (into instanceof Uint8ClampedArray && Storage === Uint8Array);
      if (!fits || into.byteLength !== bytes)
        throw new HloError(
          `${array.xla.text} fits into ${withArticle(Storage.name)} of length ${bytes / Storage.BYTES_PER_ELEMENT}, not into ${nameOf(into)} of length ${into.length}`,
        );
      new Uint8Array(into.buffer, into.byteOffset, bytes).set(
        new Uint8Array(this.#engine.buffer, at, bytes),
      );
      return into;
    } finally {
      if (array !== this) array.dispose();
    }
  }

  get #typeInfo() {
    return /** @type {import('./engine.js').TypeInfo} */ (this.#engine.types.get(this.type));
  }

  /**
   * The elements as nested lists: numbers, booleans, bigints (64-bit integers) or { re, im }. A scalar gives its element.
   * @template {Nested} [T=Nested]
   * @returns {T}
   */
  toNested() {
    const elements = this.#elements();
    return nest(elements, this.dims);
  }

  /** Iterates along the first dimension, as over nested lists: elements of a vector, rows of a matrix. @returns {Iterator<Nested>} */
  [Symbol.iterator]() {
    if (this.rank === 0) throw new ShapeError(`${this.xla.text} has no dimension to walk along`);
    return /** @type {Nested[]} */ (this.toNested())[Symbol.iterator]();
  }

  /**
   * An element as a JavaScript value: the only one, or that with this index. Negative indices count from the end; a single one of
   * several dimensions counts all elements, row after row.
   * @template {Element} [T=number]
   * @param {...number} index
   * @returns {T} by default said to be a number
   */
  item(...index) {
    const flat = index.length === 1 && this.rank !== 1;
    const dims = flat ? [this.size] : this.dims;
    if (index.length === 0 && this.size !== 1)
      throw new ShapeError(
        `item() is for arrays of one element; ${this.xla.text} has ${this.size}: item(index) takes one of them`,
      );
    if (index.length > 0 && index.length !== dims.length)
      throw new ShapeError(
        `item: ${this.xla.text} takes ${this.rank} indices, got ${index.length}`,
      );
    let position = 0;
    index.forEach((i, d) => {
      const at = Number.isInteger(i) && i < 0 ? i + dims[d] : i;
      if (!Number.isInteger(at) || at < 0 || at >= dims[d])
        throw new ShapeError(
          `item: index ${nameOf(i)} is out of range for ${flat ? `the ${this.size} elements` : `dimension ${d}`} of ${this.xla.text}`,
        );
      position = position * dims[d] + at;
    });
    const rows = this.withLayout(null);
    try {
      const { bytes } = this.#typeInfo;
      const data = this.#engine.call('hlo_api_array_data', rows.handle);
      return this.#decoded(this.#engine.read(data + position * bytes, bytes))[0];
    } finally {
      if (rows !== this) rows.dispose();
    }
  }

  /**
   * For JSON.stringify: nested lists as toNested() gives them, except that 64-bit integers beyond 2^53 are strings of digits.
   * JSON has no NaN and no infinities: they become null. String(array) keeps everything.
   * @returns {Nested | string | null}
   */
  toJSON() {
    const plain = (/** @type {any} */ x) =>
      typeof x !== 'bigint' ? x : Number.isSafeInteger(Number(x)) ? Number(x) : String(x);
    return nest(Array.from(this.#elements(), plain), this.dims);
  }

  /**
   * As a number, scalars are their element; as text, arrays are what toString() gives.
   * @param {'number' | 'string' | 'default'} hint
   * @returns {string | number | bigint | boolean}
   */
  [Symbol.toPrimitive](hint) {
    if (hint === 'string' || (hint === 'default' && this.rank > 0)) return this.toString();
    const element = this.rank === 0 ? this.item() : undefined;
    if (element === undefined || typeof element === 'object')
      throw new ShapeError(
        `${this.xla.text} is no number: use operations (hlo.add, hlo.gt, …), or at() for one element`,
      );
    return hint === 'number' ? Number(element) : element;
  }

  /** "f32[2,3] {{8, 10, 12}, {11, 13, 15}}" @override */
  toString() {
    const { text } = this.xla;
    if (this.type === 'token') return text;
    this.#engine.count('hlo_api_array_print', this.handle);
    return `${text} ${this.#engine.text()}`;
  }

  /**
   * The same elements in another layout (this array itself when it is laid out so already).
   * @param {LayoutOption} layout null: row-major
   * @returns {HloArray}
   */
  withLayout(layout) {
    const text = shapeText(this.type, this.dims, layout);
    // Several elements in a byte, as "s4[6]{0:E(4)}" has them, are no row-major array's.
    const isPacked = this.xla.bytes < this.size * this.#typeInfo.bytes;
    if (
      text === this.xla.text ||
      (layout === null && !isPacked && text === shapeText(this.type, this.dims, this.xla.layout))
    )
      return this;
    return new HloArray(
      this.#engine,
      this.#engine.handle('hlo_api_array_relayout', this.handle, text),
    );
  }

  /** Frees the memory. Later use throws DisposedError; a second dispose() does nothing. */
  dispose() {
    if (this.#handle === 0) return;
    this.#engine.registry.unregister(this);
    this.#engine.tidyScope?.delete(this);
    this.#engine.destroy('hlo_api_array_destroy', this.#handle);
    this.#handle = 0;
  }

  /** For `using`, where JavaScript has it: the same as dispose(). */
  [Symbol.dispose]() {
    this.dispose();
  }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    return this.#handle === 0 ? 'HloArray (disposed)' : `HloArray ${show(this)}`;
  }

  get [Symbol.toStringTag]() {
    return 'HloArray';
  }

  /** @returns {ArrayLike<any> & Iterable<any>} the elements in row-major order as JavaScript values */
  #elements() {
    return this.#decoded(new Uint8Array(/** @type {ArrayBuffer} */ (this.toTypedArray().buffer)));
  }

  /** @param {Uint8Array<ArrayBuffer>} bytes of elements @returns {ArrayLike<any> & Iterable<any>} */
  #decoded(bytes) {
    const type = this.#typeInfo;
    return elementsOf(type, bytes, () => this.#engine.floatTable(type));
  }
}

/**
 * How an array lies in memory: minor-to-major dimension numbers, or an object that adds padding; null is row-major.
 * @typedef {number[] | Layout | null} LayoutOption
 */

/**
 * A shape in text form: "f32[2,3]{0,1}".
 * @param {string} type XLA's or NumPy's name
 * @param {number[]} dims
 * @param {LayoutOption} [layout]
 * @returns {string}
 */
export function shapeText(type, dims, layout = null) {
  const text = `${elementType(type)}[${dims.join(',')}]`;
  if (layout === null) return text;
  if (!Array.isArray(layout)) checkOptions('a layout', layout, LAYOUT);
  const { minorToMajor, paddedDimensions, paddingValue } = Array.isArray(layout)
    ? { minorToMajor: layout }
    : layout;
  if (!Array.isArray(minorToMajor) || !dims?.map)
    throw new HloError('a shape has a list of sizes, a layout a list minorToMajor, or is one');
  const order = minorToMajor.map((d) => (d < 0 ? d + dims.length : d));
  if (!paddedDimensions) {
    const isDefault = order.every((d, i) => d === dims.length - 1 - i);
    return isDefault && order.length === dims.length ? text : `${text}{${order.join(',')}}`;
  }
  const value =
    paddingValue === undefined || String(paddingValue) === '0' ? '' : `;${paddingValue}`;
  return `${text}{${order.join(',')}:P(${paddedDimensions.join(',')}${value})}`;
}
