// Element types in JavaScript: the typed array class of each, and nested lists of numbers as literal text.
import { HloError, ShapeError } from './errors.js';
import { nameOf } from './options.js';

/**
 * @typedef {Int8Array | Uint8Array | Uint8ClampedArray | Int16Array | Uint16Array | Int32Array | Uint32Array
 *   | BigInt64Array | BigUint64Array | Float32Array | Float64Array} TypedArray Float16Array, too, where it exists
 */
/** @typedef {number | bigint | boolean | { re: number, im: number }} Element */
/** @typedef {Element | TypedArray | NestedList[]} NestedList */

/** @type {Record<string, any>} storage that is not decided by class and size alone */
const floats = {
  f16: /** @type {any} */ (globalThis).Float16Array,
  f32: Float32Array,
  f64: Float64Array,
  c64: Float32Array,
  c128: Float64Array,
};
const signed = new Map(
  [
    [1, Int8Array],
    [2, Int16Array],
    [4, Int32Array],
    [8, BigInt64Array],
  ].map((x) => /** @type {[number, any]} */ (x)),
);
const unsigned = new Map(
  [
    [1, Uint8Array],
    [2, Uint16Array],
    [4, Uint32Array],
    [8, BigUint64Array],
  ].map((x) => /** @type {[number, any]} */ (x)),
);

/**
 * The typed array class for elements as they are in memory: complex numbers as pairs of floats, floats without a typed array as
 * their bits.
 * @param {import('./engine.js').TypeInfo} type
 * @returns {any}
 */
export function storageOf(type) {
  if (type.bytes === 0) throw new HloError(`${type.name} has no elements in memory`);
  if (floats[type.name]) return floats[type.name];
  return (type.class === 'signed' ? signed : unsigned).get(type.bytes);
}

/**
 * The element type of a typed array when the caller names none.
 * @param {TypedArray} data
 */
export function typeOfTypedArray(data) {
  // Not the constructor's name: Node's Buffer is a Uint8Array.
  const [, kind, bits] = /(Uint|Int|Float)(\d+)/.exec(data[Symbol.toStringTag]) ?? [];
  if (!kind) throw new HloError(`${data.constructor.name} holds no element type`);
  return { Uint: 'u', Int: 's', Float: 'f' }[kind] + bits;
}

/**
 * The dimensions of a nested list; all rows must agree. Rows may be typed arrays.
 * @param {NestedList} list
 * @returns {number[]}
 */
export function dimsOf(list) {
  /** @type {number[]} */
  const dims = [];
  for (let level = list; isList(level); level = level[0]) dims.push(level.length);
  const check = (
    /** @type {NestedList} */ part,
    /** @type {number} */ depth,
    /** @type {string} */ where,
  ) => {
    if (!isList(part)) {
      if (depth !== dims.length)
        throw new ShapeError(
          `the nested list is ragged at ${where || 'its start'}: an element, expected ${dims[depth]} entries`,
        );
      return;
    }
    if (depth === dims.length || part.length !== dims[depth])
      throw new ShapeError(
        `the nested list is ragged at ${where || 'its start'}: ${part.length} entries, expected ${dims[depth] ?? 'an element'}`,
      );
    if (ArrayBuffer.isView(part)) return;
    for (let i = 0; i < part.length; i++) check(part[i], depth + 1, `${where}[${i}]`);
  };
  check(list, 0, '');
  return dims;
}

/** @param {any} part @returns {part is ArrayLike<any>} */
export function isList(part) {
  return Array.isArray(part) || (ArrayBuffer.isView(part) && !(part instanceof DataView));
}

/** Whether a number is exactly an element of a type, for the types that most lists have. @type {Record<string, (x: number) => boolean>} */
const isExact = {
  f32: () => true,
  f64: () => true,
  s8: (x) => (x << 24) >> 24 === x,
  s16: (x) => (x << 16) >> 16 === x,
  s32: (x) => (x | 0) === x,
  u8: (x) => (x & 0xff) === x,
  u16: (x) => (x & 0xffff) === x,
  u32: (x) => x >>> 0 === x,
};

/**
 * A list of numbers as a typed array: the fast path. undefined where elements need conversion by the engine.
 * @param {NestedList} list
 * @param {number[]} dims
 * @param {import('./engine.js').TypeInfo} type
 * @returns {TypedArray | undefined}
 */
export function packNumbers(list, dims, type) {
  const fits = isExact[type.name];
  if (!fits) return undefined;
  const data = new (storageOf(type))(dims.reduce((product, size) => product * size, 1));
  let at = 0;
  /** @type {(part: any) => boolean} */
  const append = (part) => {
    if (typeof part === 'number') {
      data[at++] = part;
      return fits(part);
    }
    if (!isList(part)) return false;
    for (let i = 0; i < part.length; i++) if (!append(part[i])) return false;
    return true;
  };
  return append(list) ? data : undefined;
}

/** @param {Element} element @param {string} where */
function elementText(element, where) {
  if (typeof element === 'object' && element !== null && 're' in element)
    return `(${numberText(element.re)}, ${numberText(element.im)})`;
  if (typeof element === 'boolean') return String(element);
  if (typeof element === 'number' || typeof element === 'bigint') return numberText(element);
  const isArray = Object(element) === element && 'handle' in element && 'shape' in element;
  const advice = isArray ? ': join arrays with hlo.concatenate' : '';
  throw new HloError(`an array cannot hold ${nameOf(element)}${where && `, at ${where}`}${advice}`);
}

/** @param {number | bigint} value */
function numberText(value) {
  if (typeof value === 'bigint') return String(value);
  if (Number.isNaN(value)) return 'nan';
  if (Object.is(value, -0)) return '-0';
  // Every digit counts in 64-bit integers.
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 64) return String(BigInt(value));
  return Math.abs(value) === Infinity ? (value > 0 ? 'inf' : '-inf') : String(value);
}

/**
 * The list as literal text.
 * @param {any} list
 * @param {string} [where]
 * @returns {string}
 */
export function literalText(list, where = '') {
  if (!isList(list)) return elementText(/** @type {any} */ (list), where);
  return `{${Array.from(list, (part, i) => literalText(part, `${where}[${i}]`)).join(', ')}}`;
}

/**
 * Bytes as JavaScript values: numbers, booleans, bigints or { re, im }.
 * @param {import('./engine.js').TypeInfo} type
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {() => Float64Array} table the values of the bit patterns of a small float type
 * @returns {ArrayLike<any> & Iterable<any>}
 */
export function elementsOf(type, bytes, table) {
  if (type.class === 'float' && type.bytes === 1) {
    const values = table();
    return Array.from(bytes, (pattern) => values[pattern]);
  }
  const flat = new (storageOf(type))(bytes.buffer);
  if (type.class === 'pred') return Array.from(flat, (x) => x !== 0);
  if (type.class === 'complex')
    return Array.from({ length: flat.length / 2 }, (_, i) => ({
      re: flat[2 * i],
      im: flat[2 * i + 1],
    }));
  if (type.name === 'bf16')
    return new Float32Array(Uint32Array.from(flat, (bits) => bits << 16).buffer);
  if (type.name === 'f16' && flat instanceof Uint16Array) return Array.from(flat, halfValue);
  return flat;
}

/** @param {number} bits of an f16 @returns {number} */
function halfValue(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = (bits & 1023) / 1024;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -14 : (1 + fraction) * 2 ** (exponent - 15));
}

/**
 * Elements in row-major order as nested lists.
 * @template T
 * @param {ArrayLike<T>} flat
 * @param {number[]} dims
 * @returns {any}
 */
export function nest(flat, dims) {
  let at = 0;
  /** @type {(depth: number) => any} */
  const nestFrom = (depth) => {
    if (depth === dims.length) return flat[at++];
    return Array.from({ length: dims[depth] }, () => nestFrom(depth + 1));
  };
  return nestFrom(0);
}
