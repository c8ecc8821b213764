// Arrays: a shape, and elements in the engine's memory. Must not know how programs run.
import { dimsOf, literalText, nest, storageOf, typeOfTypedArray } from './elements.js';
import { DisposedError, HloError, ShapeError } from './errors.js';

/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./engine.js').Layout} Layout */
/** @typedef {import('./elements.js').TypedArray} TypedArray */
/** @typedef {import('./elements.js').NestedList} NestedList */

/**
 * An array in the engine's memory. Immutable. Freed by dispose() (or `using`), or some time after it became garbage.
 */
export class HloArray {
  #engine;
  #handle;

  /** @type {import('./engine.js').ShapeInfo | undefined} */
  #shape;

  /**
   * @param {Engine} engine
   * @param {number} handle owned by this object from now on
   * @param {import('./engine.js').ShapeInfo} [shape] when it is known
   */
  constructor(engine, handle, shape) {
    this.#engine = engine;
    this.#handle = handle;
    this.#shape = shape;
    engine.registry.register(this, { destroy: 'hlo_api_array_destroy', handle }, this);
    engine.made?.add(this);
  }

  /** The shape with its layout. @returns {import('./engine.js').ShapeInfo} */
  get shape() {
    if (this.#shape === undefined) {
      this.#engine.call('hlo_api_array_shape', this.handle);
      this.#shape = /** @type {any} */ (Object.freeze(JSON.parse(this.#engine.text())));
    }
    return /** @type {any} */ (this.#shape);
  }

  /**
   * Of a result with dynamic dimensions, the shape that the program states: "f32[<=5]". null for other arrays.
   * @returns {import('./engine.js').ShapeInfo | null}
   */
  get bound() {
    if (this.#engine.call('hlo_api_array_bound', this.handle) === 0) return null;
    return Object.freeze(JSON.parse(this.#engine.text()));
  }

  /** The element type's name. */
  get type() {
    return this.shape.type;
  }

  /** Sizes of the dimensions. */
  get dims() {
    return this.shape.dims;
  }

  get rank() {
    return this.shape.dims.length;
  }

  /** The number of elements. */
  get size() {
    return this.shape.dims.reduce((product, size) => product * size, 1);
  }

  /** The engine's handle, for this package. Throws DisposedError after dispose(). */
  get handle() {
    if (this.#handle === 0) throw new DisposedError('array');
    return this.#handle;
  }

  /**
   * A copy of the memory: elements in the order of the layout, padding included. Complex numbers are pairs (re, im);
   * f16 is a Float16Array where that exists; other floats below 32 bits are their bits; pred is 0 or 1.
   * @param {{ layout?: LayoutOption }} [options] the memory as it would be in this layout; by default row-major
   * @returns {any} the typed array class that fits the element type
   */
  toTypedArray(options = {}) {
    const array = this.withLayout(options.layout ?? null);
    try {
      const bytes = this.#engine.read(
        this.#engine.call('hlo_api_array_data', array.handle),
        array.shape.bytes,
      );
      const Storage = storageOf(/** @type {any} */ (this.#engine.types.get(this.type)));
      return new Storage(bytes.buffer);
    } finally {
      if (array !== this) array.dispose();
    }
  }

  /**
   * The elements as nested lists: numbers, booleans, bigints (64-bit integers) or { re, im }. A scalar gives its element.
   * @returns {any}
   */
  toNested() {
    const elements = this.#elements();
    return nest(elements, this.dims);
  }

  /** Parts along the first dimension as nested lists do: elements of a vector, rows of a matrix. @returns {Iterator<any>} */
  [Symbol.iterator]() {
    if (this.rank === 0) throw new ShapeError(`${this.shape.text} has no dimension to walk along`);
    return this.toNested()[Symbol.iterator]();
  }

  /**
   * One element. Negative indices count from the end.
   * @param {...number} index one per dimension
   * @returns {any}
   */
  at(...index) {
    if (index.length !== this.rank)
      throw new ShapeError(`${this.shape.text} takes ${this.rank} indices, got ${index.length}`);
    let position = 0;
    index.forEach((i, d) => {
      const at = i < 0 ? i + this.dims[d] : i;
      if (!Number.isInteger(at) || at < 0 || at >= this.dims[d])
        throw new ShapeError(`index ${i} is out of range for dimension ${d} of ${this.shape.text}`);
      position = position * this.dims[d] + at;
    });
    return this.#elements()[position];
  }

  /** "f32[2,3] {{8, 10, 12}, {11, 13, 15}}" */
  toString() {
    const { text } = this.shape;
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
    if (
      text === this.shape.text ||
      (layout === null && text === shapeText(this.type, this.dims, this.shape.layout))
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
    this.#engine.made?.delete(this);
    this.#engine.call('hlo_api_array_destroy', this.#handle);
    this.#handle = 0;
  }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    return this.#handle === 0 ? 'HloArray (disposed)' : `HloArray ${this}`;
  }

  /** @returns {any} the elements in row-major order as JavaScript values */
  #elements() {
    const type = /** @type {import('./engine.js').TypeInfo} */ (this.#engine.types.get(this.type));
    const flat = this.toTypedArray();
    if (type.class === 'float' && !/^Float/.test(flat.constructor.name)) return this.#parsed();
    if (type.class === 'pred') return Array.from(flat, (x) => x !== 0);
    if (type.class === 'complex')
      return Array.from({ length: flat.length / 2 }, (_, i) => ({
        re: flat[2 * i],
        im: flat[2 * i + 1],
      }));
    return flat;
  }

  /** @returns {number[]} elements of types that JavaScript has no typed array for, from their text */
  #parsed() {
    this.#engine.count('hlo_api_array_print', this.handle);
    const text = this.#engine.text().replace(/\/\*.*?\*\//g, ''); // XLA's notes of leading indices
    const words = text.match(/[^{},\s]+/g) ?? [];
    return words.map((word) => (/nan/.test(word) ? NaN : Number(word.replace('inf', 'Infinity'))));
  }
}
if (Symbol.dispose)
  /** @type {any} */ (HloArray.prototype)[Symbol.dispose] = HloArray.prototype.dispose;

/**
 * How an array lies in memory: minor-to-major dimension numbers, or an object that adds padding; null is row-major.
 * @typedef {number[] | Layout | null} LayoutOption
 */

/**
 * A shape in text form: "f32[2,3]{0,1}".
 * @param {string} type
 * @param {number[]} dims
 * @param {LayoutOption} [layout]
 * @returns {string}
 */
export function shapeText(type, dims, layout = null) {
  const text = `${type}[${dims.join(',')}]`;
  if (layout === null) return text;
  const { minorToMajor, paddedDimensions, paddingValue } = Array.isArray(layout)
    ? { minorToMajor: layout }
    : layout;
  const order = minorToMajor.map((d) => (d < 0 ? d + dims.length : d));
  if (!paddedDimensions) {
    const isDefault = order.every((d, i) => d === dims.length - 1 - i);
    return isDefault && order.length === dims.length ? text : `${text}{${order.join(',')}}`;
  }
  const value =
    paddingValue === undefined || String(paddingValue) === '0' ? '' : `;${paddingValue}`;
  return `${text}{${order.join(',')}:P(${paddedDimensions.join(',')}${value})}`;
}

/**
 * @typedef {object} ArrayOptions
 * @property {string} [type] element type; by default the typed array's, s32 for bigint lists …
 * @property {number[]} [shape] dimensions; needed for typed arrays of more than one dimension
 * @property {LayoutOption} [layout] how a typed array given as data is laid out; by default row-major
 */

/**
 * Makes an array from nested lists, a single element, a typed array that holds the memory in the layout given, or text
 * as String(array) gives it.
 * @param {Engine} engine
 * @param {NestedList | TypedArray | string} data
 * @param {string | ArrayOptions} [options] an element type, or options
 * @returns {HloArray}
 */
export function createArray(engine, data, options = {}) {
  const { type, shape, layout = null } = typeof options === 'string' ? { type: options } : options;
  if (typeof data === 'string')
    return new HloArray(engine, engine.handle('hlo_api_array_parse', data));
  if (type !== undefined && !engine.types.has(type))
    throw new HloError(`there is no element type "${type}"`);
  if (ArrayBuffer.isView(data))
    return fromTypedArray(engine, /** @type {any} */ (data), type, shape, layout);
  const dims = dimsOf(data);
  const flat = shape && String(shape) !== String(dims) ? data : null;
  if (flat) throw new ShapeError(`the list has shape [${dims}], not [${shape}]`);
  const text = `${shapeText(type ?? typeOfList(data), dims)} ${literalText(data)}`;
  const array = new HloArray(engine, engine.handle('hlo_api_array_parse', text));
  if (layout === null) return array;
  const result = array.withLayout(layout);
  if (result !== array) array.dispose();
  return result;
}

/** @param {NestedList} data */
function typeOfList(data) {
  let first = data;
  while (Array.isArray(first)) first = first[0];
  if (typeof first === 'boolean') return 'pred';
  if (typeof first === 'bigint') return 's64';
  return typeof first === 'object' && first ? 'c64' : 'f32';
}

/**
 * @param {Engine} engine
 * @param {TypedArray} data
 * @param {string | undefined} type
 * @param {number[] | undefined} shape
 * @param {LayoutOption} layout
 */
function fromTypedArray(engine, data, type, shape, layout) {
  const info = /** @type {import('./engine.js').TypeInfo} */ (
    engine.types.get(type ?? typeOfTypedArray(data))
  );
  const dims = shape ?? [(data.length * data.BYTES_PER_ELEMENT) / info.bytes];
  const Storage = storageOf(info);
  const sameSize = data.BYTES_PER_ELEMENT === Storage.BYTES_PER_ELEMENT;
  const isFloat = /^Float/.test(data.constructor.name);
  const floating = isFloat === (info.class === 'float' || info.class === 'complex');
  const asBits = info.bytes < 4 && !(isFloat && info.name !== 'f16');
  if (!sameSize || !(floating || asBits))
    throw new HloError(
      `a ${data.constructor.name} does not hold elements of ${info.name}: use ${Storage.name}`,
    );
  const array = new HloArray(
    engine,
    engine.handle('hlo_api_array_create', shapeText(info.name, dims, layout)),
  );
  if (data.byteLength !== array.shape.bytes) {
    const message = `${array.shape.text} takes ${array.shape.bytes / data.BYTES_PER_ELEMENT} entries of a ${data.constructor.name}, got ${data.length}`;
    array.dispose();
    throw new ShapeError(message);
  }
  engine.write(
    engine.call('hlo_api_array_data', array.handle),
    new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
  );
  return array;
}
