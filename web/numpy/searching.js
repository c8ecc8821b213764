// NumPy's searching functions: nonzero, unique, searchsorted.
import { Value } from '../builder.js';
import { HloError, ShapeError } from '../errors.js';
import { nameOf } from '../options.js';
import { asArray, classOf, convert, product, promote } from './promotion.js';

/** @typedef {any} Hlo */

/**
 * @param {Hlo} hlo
 * @param {Record<string, (...args: any[]) => any>} others NumPy's functions that these are made of
 * @returns {Record<string, (...args: any[]) => any>}
 */
export function searchingFunctions(hlo, others) {
  /** @type {Record<string, (...args: any[]) => any>} */
  const np = {};
  np.countNonzero = (x, options) => others.sum(others.notEqual(asArray(hlo, x), 0), options);
  const isNumber = (/** @type {any} */ x) => hlo.eq(x, x);
  /** What is in an array now: sizes of results that depend on it cannot be traced. @param {string} name @param {any} x @returns {any} */
  const requireConcrete = (name, x) => {
    const array = asArray(hlo, x);
    if (array instanceof Value)
      throw new HloError(
        `the size of ${name}'s result depends on numbers, which traced programs do not know`,
      );
    return array;
  };
  /** Places of what is true. @param {any} mask @returns {number[]} */
  const trueIndices = (mask) =>
    [...mask.toTypedArray()].flatMap((/** @type {any} */ one, i) => (one ? [i] : []));
  const indexArray = (/** @type {number[]} */ list) => hlo.array(Int32Array.from(list));
  np.flatnonzero = (x) => {
    const array = requireConcrete('flatnonzero', x);
    return indexArray(trueIndices(hlo.ne(hlo.reshape(array, [array.size]), 0)));
  };
  np.nonzero = (x) => {
    const array = requireConcrete('nonzero', x);
    if (array.rank === 0) throw new ShapeError('nonzero takes an array with dimensions');
    const places = trueIndices(hlo.ne(hlo.reshape(array, [array.size]), 0));
    return array.dims.map((/** @type {number} */ size, /** @type {number} */ d) => {
      const step = product(array.dims.slice(d + 1));
      return indexArray(places.map((at) => Math.floor(at / step) % size));
    });
  };
  np.unique = (
    x,
    { returnIndex = false, returnInverse = false, returnCounts = false, equalNan = true } = {},
  ) => {
    const array = requireConcrete('unique', x);
    const flat = others.ravel(array);
    const order = others.argsort(flat);
    const sorted = others.take(flat, order);
    const before = others.roll(sorted, 1);
    const differs = hlo.ne(sorted, before);
    const isNew = equalNan ? hlo.and(differs, hlo.or(isNumber(sorted), isNumber(before))) : differs;
    const starts = [...new Set([...(flat.size > 0 ? [0] : []), ...trueIndices(isNew)])];
    const parts = [others.take(sorted, indexArray(starts))];
    if (returnIndex) parts.push(others.take(order, indexArray(starts)));
    if (returnInverse) {
      const ends = [...starts.slice(1), flat.size];
      const groups = starts.flatMap((start, i) => Array(ends[i] - start).fill(i));
      const inverseOrder = others.argsort(order);
      parts.push(hlo.reshape(others.take(indexArray(groups), inverseOrder), array.dims));
    }
    if (returnCounts)
      parts.push(indexArray(starts.map((start, i) => (starts[i + 1] ?? flat.size) - start)));
    return parts.length === 1 ? parts[0] : parts;
  };
  const precedes = (/** @type {any} */ a, /** @type {any} */ b) =>
    hlo.or(hlo.lt(a, b), hlo.and(isNumber(a), hlo.ne(b, b)));
  /** Binary search without branches: each step adds a power of two where the element there is still below. */
  const search = hlo.jit(
    (/** @type {any} */ sorted, /** @type {any} */ wanted, /** @type {boolean} */ isRight) => {
      const [n] = sorted.dims;
      let found = hlo.broadcastInDim(hlo.array(0, 's32'), wanted.dims, []);
      for (let step = 2 ** Math.floor(Math.log2(Math.max(1, n))); n > 0 && step >= 1; step /= 2) {
        const next = hlo.add(found, step);
        const candidate = others.take(sorted, hlo.sub(next, 1), { mode: 'clip' });
        const isBelow = isRight
          ? hlo.not(precedes(wanted, candidate))
          : precedes(candidate, wanted);
        found = hlo.select(hlo.and(hlo.le(next, n), isBelow), next, found);
      }
      return found;
    },
  );
  np.searchsorted = (x, wanted, { side = 'left', sorter } = {}) => {
    if (side !== 'left' && side !== 'right')
      throw new HloError(`side is 'left' or 'right', got ${nameOf(side)}`);
    const array = asArray(hlo, x);
    if (array.rank !== 1)
      throw new ShapeError(`searchsorted takes a vector, got ${array.xla.text}`);
    if (classOf(hlo, array) === 'complex')
      throw new HloError('searchsorted takes no complex numbers');
    const sorted = sorter === undefined ? array : others.take(array, sorter);
    const given = asArray(hlo, wanted, array.type);
    const type = promote(hlo, sorted.type, given.type);
    return search(convert(hlo, sorted, type), convert(hlo, given, type), side === 'right');
  };
  return np;
}
