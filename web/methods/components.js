// The components of an index: what at() takes, as integers, slices, masks and positions.
import { HloArray } from '../array.js';
import { Value } from '../builder.js';
import { dimsOf, isList } from '../elements.js';
import { HloError } from '../errors.js';
import { nameOf } from '../options.js';
import { parseIndex } from './index_text.js';

/** @typedef {import('./index_text.js').Component} Component */

/** @param {any} index @returns {boolean} */
const isArray = (index) => index instanceof HloArray || index instanceof Value;

/**
 * @param {string} name
 * @param {any[]} index
 * @returns {Component[]}
 */
export function componentsOf(name, index) {
  return index.flatMap((part) => {
    if (typeof part === 'string') return parseIndex(name, part);
    if (part === null) return [{ kind: 'new' }];
    if (typeof part === 'boolean') return [{ kind: 'boolean', isTaken: part }];
    if (Number.isInteger(part) || typeof part === 'bigint')
      return [{ kind: 'integer', at: Number(part) }];
    if (isArray(part) || isList(part)) return [{ kind: 'array', data: part }];
    throw new HloError(
      `${name} takes integers, texts such as '1:3, ::2', null for a new dimension, and lists and arrays of integers or booleans, got ${nameOf(part)}`,
    );
  });
}

/**
 * The data of a component: flat integers or booleans; a value where it is traced.
 * @param {string} name
 * @param {any} data
 * @returns {{ dims: number[], isMask: boolean, list: ArrayLike<any> | Value }}
 */
function readArray(name, data) {
  if (isArray(data)) {
    const isMask = data.type === 'pred';
    if (!isMask && !/^[su]\d/.test(data.type))
      throw new HloError(`${name}: indices are integers or booleans, got ${data.xla.text}`);
    return {
      dims: data.dims,
      isMask,
      list: data instanceof Value ? data : data.toTypedArray(),
    };
  }
  const dims = dimsOf(data);
  const flat = Array.isArray(data) ? data.flat(Infinity) : data;
  const list = /** @type {any[]} */ (Array.from(/** @type {any} */ (flat), (x) => x));
  const isMask = list.length > 0 && list.every((x) => typeof x === 'boolean');
  const strange = list.find((x) => !Number.isInteger(x) && typeof x !== 'bigint');
  if (!isMask && strange !== undefined)
    throw new HloError(`${name}: a list of indices holds integers, or booleans, got ${strange}`);
  return { dims, isMask, list };
}

/** @param {any} mask @param {number[]} dims @returns {Int32Array[]} the positions of what is true, along each dimension */
export function positionsOfTrue(mask, dims) {
  let count = 0;
  for (let i = 0; i < mask.length; i++) if (mask[i]) count++;
  const places = new Int32Array(count);
  for (let i = 0, k = 0; i < mask.length; i++) if (mask[i]) places[k++] = i;
  if (dims.length === 1) return [places];
  return dims.map((size, d) => {
    const step = dims.slice(d + 1).reduce((product, n) => product * n, 1);
    return places.map((at) => Math.floor(at / step) % size);
  });
}

/**
 * A component with the data of its array; arrays without dimensions are integers and booleans.
 * @param {string} name
 * @param {Component} component
 * @returns {any}
 */
export function withData(name, component) {
  if (component.kind !== 'array') return component;
  const { dims, isMask, list } = readArray(name, component.data);
  if (list instanceof Value) {
    if (!isMask) return { kind: 'positions', dims, list };
    throw new HloError(
      `${name}: how many elements a traced mask selects is not known: use np.where, or set() with one value`,
    );
  }
  if (isMask)
    return dims.length > 0
      ? { kind: 'mask', dims, list }
      : { kind: 'boolean', isTaken: list[0] !== 0 };
  return dims.length > 0
    ? { kind: 'positions', dims, list }
    : { kind: 'integer', at: Number(list[0]) };
}
