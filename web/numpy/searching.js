// NumPy's searching functions: nonzero, unique, searchsorted.
import { HloArray } from '../array.js';
import { Value } from '../builder.js';
import { HloError, ShapeError } from '../errors.js';
import { nameOf } from '../options.js';
import {
  alongAxis,
  asArray,
  asPredicate,
  broadcastTo,
  classOf,
  convert,
  product,
  promote,
} from './promotion.js';

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
  /**
   * Places of what is true in a vector of booleans. With a size there are as many, the last ones `fill` where less is true; without
   * one there are as many as are true, which traced programs do not know.
   * @param {string} name
   * @param {any} mask
   * @param {number | undefined} size
   * @param {any} [fill]
   */
  const truePlaces = (name, mask, size, fill = 0) => {
    if (size !== undefined) return placesOfSize(mask, checkSize(size), fill);
    if (mask instanceof Value)
      throw new HloError(
        `the size of ${name}'s result depends on numbers, which traced programs do not know: say it with the option size`,
      );
    const { engine } = mask;
    const rows = mask.withLayout(null);
    return new HloArray(engine, engine.handle('hlo_api_array_true_places', rows.handle));
  };
  const checkSize = (/** @type {any} */ size) => {
    if (!Number.isInteger(size) || size < 0)
      throw new HloError(`size is an integer that is not negative, got ${nameOf(size)}`);
    return size;
  };
  const placesOfSize = hlo.jit(
    (/** @type {any} */ mask, /** @type {number} */ size, /** @type {any} */ fill) => {
      const start = hlo.broadcastInDim(hlo.array(fill, 's32'), [size], []);
      const rank = hlo.sub(others.cumsum(mask), 1);
      // What is not true goes out of range, and is dropped.
      const target = hlo.select(mask, rank, size);
      return hlo.scatter(
        start,
        hlo.reshape(target, [mask.size, 1]),
        hlo.iota('s32', mask.dims, 0),
        (/** @type {any} */ _, /** @type {any} */ place) => place,
        {
          updateWindowDims: [],
          insertedWindowDims: [0],
          scatterDimsToOperandDims: [0],
          indexVectorDim: 1,
        },
      );
    },
  );
  const flatMask = (/** @type {any} */ x) => hlo.reshape(asPredicate(hlo, x), [x.size]);
  np.flatnonzero = (x, { size, fillValue } = {}) =>
    truePlaces('flatnonzero', flatMask(asArray(hlo, x)), size, fillValue);
  /** One vector of indices for each dimension. @param {string} name @param {any} array @param {any} options */
  const indicesOfTrue = (name, array, { size, fillValue = 0 }) => {
    // One place more is that of filling.
    const places = truePlaces(name, flatMask(array), size, array.size);
    return array.dims.map((/** @type {number} */ n, /** @type {number} */ d) => {
      const step = Math.max(1, product(array.dims.slice(d + 1)));
      const own = array.rank === 1 ? places : hlo.rem(hlo.div(places, step), Math.max(1, n));
      if (size === undefined) return own;
      const fill = Array.isArray(fillValue) ? fillValue[d] : fillValue;
      return hlo.select(hlo.eq(places, array.size), fill, own);
    });
  };
  np.nonzero = (x, options = {}) => {
    const array = asArray(hlo, x);
    if (array.rank === 0) throw new ShapeError('nonzero takes an array with dimensions');
    return indicesOfTrue('nonzero', array, options);
  };
  np.argwhere = (x, options = {}) => {
    const given = asArray(hlo, x);
    const array = given.rank === 0 ? hlo.reshape(given, [1]) : given;
    const places = others.stack(indicesOfTrue('argwhere', array, options), { axis: 1 });
    return given.rank === 0 ? hlo.sliceInDim(places, 0, 0, 1, 1) : places;
  };
  np.compress = (condition, x, { axis, size, fillValue = 0 } = {}) => {
    const mask = asPredicate(hlo, condition);
    const [array, along] = alongAxis(hlo, x, axis);
    if (mask.rank !== 1) throw new ShapeError(`a condition is a vector, got [${mask.dims}]`);
    const length = array.dims[along];
    if (mask.size > length)
      throw new ShapeError(`a condition of ${mask.size} is not for a dimension of ${length}`);
    const places = truePlaces('compress', mask, size, length);
    const taken = others.take(array, places, { axis: along, mode: 'clip' });
    if (size === undefined) return taken;
    const isFill = broadcastTo(
      hlo,
      hlo.reshape(hlo.eq(places, length), [size, ...Array(array.rank - 1 - along).fill(1)]),
      taken.dims,
    );
    const fill = convert(hlo, asArray(hlo, fillValue, array.type), array.type);
    return hlo.select(isFill, broadcastTo(hlo, fill, taken.dims), taken);
  };
  np.extract = (condition, x, options) => {
    const array = asArray(hlo, x);
    return np.compress(
      flatMask(asArray(hlo, condition)),
      hlo.reshape(array, [array.size]),
      options,
    );
  };
  /** The sorted elements, their order if it is wanted (which takes twice as long), and which of them are the first of their like. */
  const sortedGroups = hlo.jit(
    (/** @type {any} */ flat, /** @type {any} */ { equalNan, isOrdered }) => {
      const order = isOrdered ? others.argsort(flat) : undefined;
      const sorted = isOrdered ? others.take(flat, order, { mode: 'clip' }) : others.sort(flat);
      const before = others.roll(sorted, 1);
      const differs = hlo.ne(sorted, before);
      const isNew = equalNan
        ? hlo.and(differs, hlo.or(isNumber(sorted), isNumber(before)))
        : differs;
      const isFirst = hlo.or(isNew, hlo.eq(hlo.iota('s32', sorted.dims, 0), 0));
      return { order, sorted, isFirst };
    },
  );
  const inverseOf = hlo.jit((/** @type {any} */ order, /** @type {any} */ isFirst) =>
    hlo.scatter(
      hlo.mul(order, 0),
      hlo.reshape(order, [order.size, 1]),
      hlo.sub(others.cumsum(isFirst), 1),
      (/** @type {any} */ _, /** @type {any} */ group) => group,
      {
        updateWindowDims: [],
        insertedWindowDims: [0],
        scatterDimsToOperandDims: [0],
        indexVectorDim: 1,
      },
    ),
  );
  np.unique = (
    x,
    {
      returnIndex = false,
      returnInverse = false,
      returnCounts = false,
      equalNan = true,
      size,
      fillValue,
    } = {},
  ) => {
    const array = asArray(hlo, x);
    const flat = hlo.reshape(array, [array.size]);
    if (array.size === 0 && size !== undefined && size > 0 && fillValue === undefined)
      throw new ShapeError('of no elements, unique takes a fillValue for a size');
    const { order, sorted, isFirst } = sortedGroups(flat, {
      equalNan,
      isOrdered: returnIndex || returnInverse,
    });
    const starts = truePlaces('unique', isFirst, size, flat.size);
    const isFill = size === undefined ? undefined : hlo.eq(starts, flat.size);
    const among = (/** @type {any} */ y) => others.take(y, starts, { mode: 'clip' });
    const filled = (/** @type {any} */ y, /** @type {() => any} */ fill) =>
      isFill === undefined ? y : hlo.select(isFill, broadcastTo(hlo, fill(), y.dims), y);
    const first = (/** @type {any} */ y) => hlo.reshape(hlo.sliceInDim(y, 0, 1, 1, 0), []);
    const fill = () =>
      fillValue === undefined
        ? first(sorted)
        : convert(hlo, asArray(hlo, fillValue, array.type), array.type);
    if (flat.size === 0 && isFill) {
      const none = hlo.broadcastInDim(hlo.array(0, 's32'), [size], []);
      const parts = [broadcastTo(hlo, fill(), [size]), ...(returnIndex ? [none] : [])];
      if (returnInverse) parts.push(others.zeros(array.dims, { dtype: 's32' }));
      if (returnCounts) parts.push(none);
      return parts.length === 1 ? parts[0] : parts;
    }
    const parts = [filled(among(sorted), fill)];
    if (returnIndex) parts.push(filled(among(order), () => first(order)));
    if (returnInverse) parts.push(hlo.reshape(inverseOf(order, isFirst), array.dims));
    if (returnCounts) {
      // Up to the place after, where the next group or the end is.
      const limit = size === undefined ? undefined : size + 1;
      const places = limit === undefined ? starts : truePlaces('unique', isFirst, limit, flat.size);
      const ends = hlo.array(Int32Array.of(flat.size));
      const all = limit === undefined ? hlo.concatenate([places, ends], 0) : places;
      parts.push(others.diff(all));
    }
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
