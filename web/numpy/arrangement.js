// NumPy's functions that are made of its others: what repeats and lines up elements, diagonals, what is made of neighbours.
// Must not know how operations run.
import { HloError, nameOf, ShapeError, checkOptions } from '../index.js';
import {
  alongAxis,
  asArray,
  axisOf,
  broadcastTo,
  dimsOf,
  integer,
  isOptions,
  sameType,
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
    const counts = Array.isArray(given) && given.length === 1 ? given[0] : given;
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
    const times = dimsOf(counts).map(checkCount);
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
  np.meshgrid = (...args) => {
    const last = args.at(-1);
    const hasOptions = isOptions(last) && !ArrayBuffer.isView(last) && !('re' in last);
    if (hasOptions) checkOptions('meshgrid', last, 'indexing sparse');
    const { indexing = 'xy', sparse = false } = hasOptions ? last : {};
    if (!['xy', 'ij'].includes(indexing)) throw new HloError("indexing is 'xy' or 'ij'");
    const axes = (hasOptions ? args.slice(0, -1) : args).map((x) => others.ravel(x));
    const swap = (/** @type {number} */ d) => (indexing === 'xy' && d < 2 && axes[1] ? 1 - d : d);
    const dims = axes.map((_, d) => axes[swap(d)].dims[0]);
    const ones = dims.map(() => 1);
    return axes.map((x, d) => {
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
  np.vstack = (list) => others.concatenate(list.map((/** @type {any} */ x) => atLeast(x, 2)));
  np.hstack = (list) => {
    const arrays = list.map((/** @type {any} */ x) => atLeast(x, 1));
    return others.concatenate(arrays, { axis: arrays[0]?.rank === 1 ? 0 : 1 });
  };

  np.diag = (x, given = 0) => {
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
  np.trace = (x, k = 0) => {
    const array = asArray(hlo, x);
    if (array.rank !== 2) throw new ShapeError('trace takes a matrix');
    return others.sum(np.diag(array, k));
  };
  np.diff = (x, given = 1, more = {}) => {
    const times = isOptions(given) ? 1 : given;
    const options = isOptions(given) ? given : more;
    if (isOptions(given)) checkOptions('diff', given, 'axis prepend append');
    const { axis = -1, prepend, append } = options;
    const array = asArray(hlo, x);
    const along = axisOf(axis, array.rank);
    if (checkCount(times) === 0) return array;
    /** Numbers stand for one slice of them. @type {(end: any) => any[]} */
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
