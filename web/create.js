// Creates arrays from JavaScript's data: nested lists, typed arrays, buffers, text.
import { HloArray, shapeText } from './array.js';
import { elementType } from './dtypes.js';
import {
  dimsOf,
  isList,
  literalText,
  packNumbers,
  storageOf,
  typeOfTypedArray,
} from './elements.js';
import { HloError, ShapeError } from './errors.js';
import { encodeText } from './host.js';
import { checkOptions, nameOf } from './options.js';

const MAX_CACHED_SHAPES = 256;

/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./array.js').LayoutOption} LayoutOption */
/** @typedef {import('./elements.js').TypedArray} TypedArray */
/** @typedef {import('./elements.js').NestedList} NestedList */

/**
 * @typedef {object} ArrayOptions
 * @property {import('./dtypes.js').ElementType} [type] element type; by default the typed array's; of lists f32, pred of booleans, s64 of bigints, c64
 *   of { re, im }
 * @property {number[]} [shape] dimensions; by default those of the list, or one
 * @property {LayoutOption} [layout] how a typed array or buffer given as data is laid out, and how the array will be; by
 *   default row-major
 */
/** @typedef {NestedList | TypedArray | ArrayBuffer | SharedArrayBuffer | DataView | string} ArrayData */

/**
 * Creates an array from nested lists, a single element, a typed array or buffer with the memory in the given layout, or text as
 * String(array) prints it.
 * @param {Engine} engine
 * @param {ArrayData} data
 * @param {string | ArrayOptions} [options] an element type, or options
 * @returns {HloArray}
 */
export function createArray(engine, data, options = {}) {
  const named = typeof options === 'string' ? { type: elementType(options) } : options;
  checkOptions('array()', named, 'type shape layout');
  const { shape, layout = null } = named;
  const type = named.type === undefined ? undefined : elementType(named.type);
  if (shape !== undefined && !(isList(shape) && Array.from(shape).every(isSize)))
    throw new ShapeError('the shape is a list of sizes, whole numbers from 0');
  if (typeof data === 'string')
    return new HloArray(engine, engine.handle('hlo_api_array_parse', data));
  if (data instanceof HloArray)
    throw new HloError(
      `this is an array already: hlo.convert(x, type), hlo.reshape(x, shape) and x.withLayout(layout) make others of it`,
    );
  if (ArrayBuffer.isView(data) || isBuffer(data))
    return fromMemory(engine, /** @type {any} */ (data), type, shape, layout);
  return fromList(engine, /** @type {NestedList} */ (data), type, shape, layout);
}

/** @param {any} size */
function isSize(size) {
  return Number.isInteger(size) && size >= 0;
}

/** @param {any} data @returns {boolean} */
function isBuffer(data) {
  return (
    data instanceof ArrayBuffer ||
    (typeof SharedArrayBuffer !== 'undefined' && data instanceof SharedArrayBuffer)
  );
}

/**
 * @param {Engine} engine
 * @param {NestedList} data
 * @param {string | undefined} type
 * @param {number[] | undefined} shape
 * @param {LayoutOption} layout
 */
function fromList(engine, data, type, shape, layout) {
  const listDims = dimsOf(data);
  const dims = shape ?? listDims;
  const count = (/** @type {number[]} */ list) => list.reduce((product, size) => product * size, 1);
  // A flat list takes any shape of as many elements.
  if (String(dims) !== String(listDims) && !(listDims.length === 1 && count(dims) === listDims[0]))
    throw new ShapeError(`the list has shape [${listDims}], not [${dims}]`);
  const info = /** @type {import('./engine.js').TypeInfo} */ (
    engine.types.get(type ?? typeOfList(data))
  );
  const numbers = packNumbers(data, listDims, info);
  const rows = numbers
    ? fromMemory(engine, numbers, info.name, dims, null)
    : parseList(engine, info.name, listDims, dims, data);
  if (layout === null) return rows;
  const result = rows.withLayout(layout);
  if (result !== rows) rows.dispose();
  return result;
}

/**
 * @param {Engine} engine
 * @param {string} type
 * @param {number[]} listDims dimensions of the list
 * @param {number[]} dims of the array
 * @param {NestedList} data
 */
function parseList(engine, type, listDims, dims, data) {
  const text = `${shapeText(type, listDims)} ${literalText(data)}`;
  const flat = new HloArray(engine, engine.handle('hlo_api_array_parse', text));
  if (String(listDims) === String(dims)) return flat;
  try {
    return fromMemory(engine, flat.toTypedArray(), type, dims, null);
  } finally {
    flat.dispose();
  }
}

/** @param {NestedList} data */
function typeOfList(data) {
  /** @type {any} */
  let first = data;
  while (Array.isArray(first)) first = first[0];
  if (ArrayBuffer.isView(first)) return typeOfTypedArray(/** @type {any} */ (first));
  if (typeof first === 'boolean') return 'pred';
  if (typeof first === 'bigint') return 's64';
  return typeof first === 'object' && first ? 'c64' : 'f32';
}

/**
 * @param {Engine} engine
 * @param {TypedArray | DataView | ArrayBuffer} data
 * @param {string | undefined} type
 * @param {number[] | undefined} shape
 * @param {LayoutOption} layout
 */
function fromMemory(engine, data, type, shape, layout) {
  const isBytes = data instanceof DataView || isBuffer(data);
  if (isBytes && type === undefined)
    throw new HloError(`say what ${nameOf(data)} holds: hlo.array(data, 'f32')`);
  const info = /** @type {import('./engine.js').TypeInfo} */ (
    engine.types.get(type ?? typeOfTypedArray(/** @type {any} */ (data)))
  );
  const Storage = storageOf(info);
  if (!isBytes && type !== undefined) checkStorage(/** @type {any} */ (data), info, Storage);
  const dims = shape ?? [data.byteLength / info.bytes];
  if (!dims.every(isSize))
    throw new ShapeError(
      `${data.byteLength} bytes are no whole number of elements of ${info.name} (${info.bytes} bytes each)`,
    );
  const array = allocateArray(engine, shapeText(info.name, dims, layout));
  if (data.byteLength !== array.xla.bytes) {
    const unit = /** @type {any} */ (data).BYTES_PER_ELEMENT ?? 1;
    const message = `${array.xla.text} takes ${array.xla.bytes / unit} entries of ${nameOf(data)}, got ${data.byteLength / unit}`;
    array.dispose();
    throw new ShapeError(message);
  }
  let bytes = ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
  // Of a type narrower than a byte only the low bits count, as in the engine.
  const unusedBits = 32 - info.bits;
  if (unusedBits > 24 && info.class !== 'pred')
    bytes = bytes.map((b) =>
      info.class === 'signed' ? (b << unusedBits) >> unusedBits : (b << unusedBits) >>> unusedBits,
    );
  engine.write(engine.call('hlo_api_array_data', array.handle), bytes);
  return array;
}

/**
 * An array with undefined elements. Descriptions of shapes are cached, since reading them would take most of the time of
 * creating a small array.
 * @param {Engine} engine
 * @param {string} text of the shape
 */
export function allocateArray(engine, text) {
  const cached = engine.shapes.get(text);
  const handle = engine.handle('hlo_api_array_create', cached?.bytes ?? text);
  const array = new HloArray(engine, handle, cached?.shape);
  if (cached === undefined) {
    if (engine.shapes.size === MAX_CACHED_SHAPES) engine.shapes.clear();
    engine.shapes.set(text, { bytes: encodeText(text), shape: array.xla });
  }
  return array;
}

/**
 * @param {TypedArray} data
 * @param {import('./engine.js').TypeInfo} info
 * @param {any} Storage of it
 */
function checkStorage(data, info, Storage) {
  const sameSize = data.BYTES_PER_ELEMENT === Storage.BYTES_PER_ELEMENT;
  const isFloat = /^Float/.test(data[Symbol.toStringTag]);
  const floating = isFloat === (info.class === 'float' || info.class === 'complex');
  const asBits = info.bytes < 4 && !(isFloat && info.name !== 'f16');
  if (!sameSize || !(floating || asBits))
    throw new HloError(
      `${nameOf(data)} does not hold elements of ${info.name}: use ${Storage.name}${asBits ? ' of their bits' : ''}, or convert its own: hlo.convert(hlo.array(data), '${info.name}')`,
    );
}
