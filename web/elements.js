// Element types as JavaScript sees them: which typed array holds them, and how nested lists of numbers become text
// that the engine reads. Must not know about handles or programs.
import { HloError, ShapeError } from './errors.js';

/**
 * @typedef {Int8Array | Uint8Array | Uint8ClampedArray | Int16Array | Uint16Array | Int32Array | Uint32Array
 *   | BigInt64Array | BigUint64Array | Float32Array | Float64Array} TypedArray
 */
/** @typedef {number | bigint | boolean | { re: number, im: number }} Element */
/** @typedef {Element | NestedList[]} NestedList */

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
 * The typed array class that holds elements as they are in memory: complex numbers as pairs of floats; floats that no
 * typed array has as their bits.
 * @param {import('./engine.js').TypeInfo} type
 * @returns {any}
 */
export function storageOf(type) {
  if (floats[type.name]) return floats[type.name];
  return (type.class === 'signed' ? signed : unsigned).get(type.bytes);
}

/**
 * The element type of a typed array when the caller names none.
 * @param {TypedArray} data
 */
export function typeOfTypedArray(data) {
  const names = /** @type {Record<string, string>} */ ({
    Int8Array: 's8',
    Uint8Array: 'u8',
    Uint8ClampedArray: 'u8',
    Int16Array: 's16',
    Uint16Array: 'u16',
    Int32Array: 's32',
    Uint32Array: 'u32',
    BigInt64Array: 's64',
    BigUint64Array: 'u64',
    Float16Array: 'f16',
    Float32Array: 'f32',
    Float64Array: 'f64',
  });
  const name = names[data.constructor.name];
  if (!name) throw new HloError(`${data.constructor.name} holds no element type`);
  return name;
}

/**
 * The dimensions of a nested list; all rows must agree.
 * @param {NestedList} list
 * @returns {number[]}
 */
export function dimsOf(list) {
  /** @type {number[]} */
  const dims = [];
  for (let level = list; Array.isArray(level); level = level[0]) dims.push(level.length);
  const check = (
    /** @type {NestedList} */ part,
    /** @type {number} */ depth,
    /** @type {string} */ where,
  ) => {
    if (!Array.isArray(part)) {
      if (depth !== dims.length)
        throw new ShapeError(`the nested list is ragged at ${where || 'its start'}`);
      return;
    }
    if (depth === dims.length || part.length !== dims[depth])
      throw new ShapeError(
        `the nested list is ragged at ${where || 'its start'}: ${part.length} entries, expected ${dims[depth] ?? 'none'}`,
      );
    part.forEach((entry, i) => check(entry, depth + 1, `${where}[${i}]`));
  };
  check(list, 0, '');
  return dims;
}

/** @param {Element} element */
function elementText(element) {
  if (typeof element === 'object' && element !== null && 're' in element)
    return `(${numberText(element.re)}, ${numberText(element.im)})`;
  if (typeof element === 'boolean') return String(element);
  if (typeof element === 'number' || typeof element === 'bigint') return numberText(element);
  throw new HloError(
    `an array cannot hold ${typeof element === 'string' ? JSON.stringify(element) : String(element)}`,
  );
}

/** @param {number | bigint} value */
function numberText(value) {
  if (typeof value === 'bigint') return String(value);
  if (Number.isNaN(value)) return 'nan';
  if (Object.is(value, -0)) return '-0';
  return Math.abs(value) === Infinity ? (value > 0 ? 'inf' : '-inf') : String(value);
}

/**
 * The list as literal text.
 * @param {NestedList} list
 * @returns {string}
 */
export function literalText(list) {
  if (!Array.isArray(list)) return elementText(list);
  return `{${list.map(literalText).join(', ')}}`;
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
  const level = (depth) => {
    if (depth === dims.length) return flat[at++];
    return Array.from({ length: dims[depth] }, () => level(depth + 1));
  };
  return level(0);
}
