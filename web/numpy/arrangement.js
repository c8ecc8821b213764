// NumPy's functions that are composed of its others: repetition and stacking, diagonals, differences of neighbours.
import { HloArray } from '../array.js';
import { HloError, ShapeError } from '../errors.js';
import { nameOf } from '../options.js';
import { sameType } from './casting.js';
import {
  alongAxis,
  asArray,
  axesOf,
  axisOf,
  broadcastShapes,
  broadcastTo,
  concreteNumbers,
  dimsOf,
  integer,
  sizeOf,
} from './promotion.js';

/** @typedef {any} Hlo */

/**
 * @param {Hlo} hlo
 * @param {Record<string, (...args: any[]) => any>} others NumPy's functions that these are made of
 * @returns {Record<string, (...args: any[]) => any>}
 */
export function arrangementFunctions(hlo, others) {
  /** @type {Record<string, (...args: any[]) => any>} */
  const np = {};
  np.repeat = (x, given, { axis } = {}) => {
    const [array, along] = alongAxis(hlo, x, axis);
    const size = array.dims[along];
    const list = concreteNumbers(given);
    const counts = Array.isArray(list) && list.length === 1 ? list[0] : list;
    if (Array.isArray(counts)) {
      if (counts.length !== size)
        throw new ShapeError(`${counts.length} counts do not repeat ${size} elements`);
      const from = counts.flatMap((count, i) => Array(checkCount(count)).fill(i));
      return others.take(array, hlo.array(Int32Array.from(from)), { axis: along });
    }
    const [dims, wide] = [array.dims.with(along, size * checkCount(counts)), [...array.dims]];
    wide.splice(along + 1, 0, counts);
    const places = array.dims.map((/** @type {number} */ _, /** @type {number} */ d) =>
      d > along ? d + 1 : d,
    );
    return hlo.reshape(hlo.broadcastInDim(array, wide, places), dims);
  };
  np.tile = (x, counts) => {
    const array = asArray(hlo, x);
    const times = dimsOf(concreteNumbers(counts)).map(checkCount);
    const rank = Math.max(times.length, array.rank);
    const every = Array.from({ length: rank }, (_, d) => d);
    const [all, sizes] = [times, array.dims].map((list) =>
      every.map((d) => list.at(d - rank) ?? 1),
    );
    const wide = hlo.broadcastInDim(
      array,
      every.flatMap((d) => [all[d], sizes[d]]),
      every.slice(rank - array.rank).map((d) => 2 * d + 1),
    );
    return hlo.reshape(
      wide,
      every.map((d) => all[d] * sizes[d]),
    );
  };
  np.meshgrid = (list, { indexing = 'xy', sparse = false }) => {
    if (!['xy', 'ij'].includes(indexing)) throw new HloError("indexing is 'xy' or 'ij'");
    const axes = list.map((/** @type {any} */ x) => others.ravel(x));
    const swap = (/** @type {number} */ d) => (indexing === 'xy' && d < 2 && axes[1] ? 1 - d : d);
    const dims = axes.map((/** @type {any} */ _, /** @type {number} */ d) => axes[swap(d)].dims[0]);
    const ones = dims.map(() => 1);
    return axes.map((/** @type {any} */ x, /** @type {number} */ d) => {
      const place = swap(d);
      return hlo.broadcastInDim(x, sparse ? ones.with(place, dims[place]) : dims, [place]);
    });
  };
  const atLeast = (/** @type {any} */ x, /** @type {number} */ rank) => {
    const array = asArray(hlo, x);
    return array.rank >= rank
      ? array
      : hlo.reshape(array, Array(rank).fill(1).with(-1, array.size));
  };
  np.vstack = (list, options) => {
    const arrays = sameType(hlo, list, options);
    return hlo.concatenate(
      arrays.map((x) => atLeast(x, 2)),
      0,
    );
  };
  np.hstack = (list, options) => {
    const arrays = sameType(hlo, list, options).map((x) => atLeast(x, 1));
    return hlo.concatenate(arrays, arrays[0].rank === 1 ? 0 : 1);
  };

  np.dstack = (list) => {
    const arrays = sameType(hlo, list).map((x) => atLeast(x, 2));
    return hlo.concatenate(
      arrays.map((x) => (x.rank > 2 ? x : hlo.reshape(x, [...x.dims, 1]))),
      2,
    );
  };
  np.columnStack = (list) => {
    const columns = (/** @type {any} */ x) => (x.rank > 1 ? x : hlo.reshape(x, [x.size, 1]));
    return hlo.concatenate(sameType(hlo, list).map(columns), 1);
  };
  for (const [name, axis] of /** @type {[string, number][]} */ ([
    ['flipud', 0],
    ['fliplr', 1],
  ]))
    np[name] = (x) => others.flip(x, { axis });
  np.identity = (size, options) => others.eye(sizeOf(size, 'size'), options);
  np.arrayEqual = (a, b, { equalNan = false } = {}) => {
    const [x, y] = [a, b].map((z) => asArray(hlo, z));
    if (String(x.dims) !== String(y.dims) || x.rank !== y.rank) return hlo.array(false);
    const same = others.equal(x, y);
    const areNaN = () => hlo.and(hlo.ne(x, x), hlo.ne(y, y));
    return others.all(equalNan ? hlo.or(same, areNaN()) : same);
  };

  np.arrayEquiv = (a, b) => {
    const [x, y] = [a, b].map((z) => asArray(hlo, z));
    try {
      broadcastShapes(x.dims, y.dims);
    } catch {
      return hlo.array(false);
    }
    return others.all(others.equal(x, y));
  };

  np.diag = (x, { k: given = 0 } = {}) => {
    const array = asArray(hlo, x);
    const k = integer(given, 'k');
    const [down, right] = [Math.max(0, -k), Math.max(0, k)];
    if (array.rank === 1) {
      const size = array.dims[0] + Math.abs(k);
      const [row, column] = [0, 1].map((d) => hlo.iota('s32', [size, size], d));
      const zeros = hlo.broadcastInDim(hlo.array(0, array.type), [Math.abs(k)], []);
      const shifted = hlo.concatenate([zeros, array], 0);
      const wide = hlo.broadcastInDim(shifted, [size, size], [k < 0 ? 0 : 1]);
      return hlo.select(hlo.eq(hlo.sub(column, row), k), wide, others.zerosLike(wide));
    }
    if (array.rank !== 2) throw new ShapeError('diag takes a vector or a matrix');
    const [rows, columns] = array.dims;
    const size = Math.max(0, Math.min(rows - down, columns - right));
    const first = down * columns + right;
    const places = Int32Array.from({ length: size }, (_, i) => first + i * (columns + 1));
    return others.take(others.ravel(array), hlo.array(places), {});
  };
  np.trace = (x, { offset = 0, axis1 = 0, axis2 = 1, dtype } = {}) => {
    const array = asArray(hlo, x);
    if (array.rank < 2) throw new ShapeError('trace takes a matrix, or several');
    const axes = axesOf([axis1, axis2], array.rank);
    const moved = others.moveaxis(array, axes, [-2, -1]);
    const [row, column] = [2, 1].map((d) => hlo.iota('s32', moved.dims, moved.rank - d));
    const isOn = hlo.eq(hlo.sub(column, row), integer(offset, 'offset'));
    return others.sum(hlo.select(isOn, moved, others.zerosLike(moved)), { axis: [-2, -1], dtype });
  };
  np.diff = (x, { n: times = 1, axis = -1, prepend, append } = {}) => {
    const array = asArray(hlo, x);
    const along = axisOf(axis, array.rank);
    if (checkCount(times) === 0) return array;
    /** A number becomes a slice of one element. @type {(end: any) => any[]} */
    const end = (value) => {
      if (value === undefined) return [];
      const slice = asArray(hlo, value, array.type);
      return [slice.rank === 0 ? broadcastTo(hlo, slice, array.dims.with(along, 1)) : slice];
    };
    const ends = [end(prepend), end(append)];
    const parts = [...ends[0], array, ...ends[1]];
    let whole = parts.length === 1 ? array : hlo.concatenate(sameType(hlo, parts), along);
    for (let i = 0; i < times && whole.dims[along] > 0; i++) whole = neighbours(whole, along);
    return whole;
  };
  const neighbours = (/** @type {any} */ x, /** @type {number} */ along) => {
    const size = x.dims[along];
    const [after, before] = [
      hlo.sliceInDim(x, Math.min(1, size), size, 1, along),
      hlo.sliceInDim(x, 0, Math.max(0, size - 1), 1, along),
    ];
    return hlo[x.type === 'pred' ? 'ne' : 'sub'](after, before);
  };
  np.allclose = (...args) => others.all(others.isclose(...args));
  return np;
}

/** @param {number} count @returns {number} */
function checkCount(count) {
  if (!Number.isInteger(count) || count < 0)
    throw new HloError(`a count is an integer that is not negative, not ${nameOf(count)}`);
  return count;
}
