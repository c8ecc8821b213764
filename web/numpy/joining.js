// NumPy's functions that join arrays and take them apart: blocks, insertions and deletions, parts of unequal size.
import { HloArray } from '../array.js';
import { HloError, ShapeError } from '../errors.js';
import { nameOf } from '../options.js';
import { sameType } from './casting.js';
import {
  alongAxis,
  asArray,
  asPredicate,
  axesOf,
  axisOf,
  broadcastTo,
  broadcastTogether,
  concreteNumbers,
  convert,
  integer,
  isOperand,
  product,
  range,
  sizesOf,
} from './promotion.js';

/** @typedef {any} Hlo */

/** Slices are concatenated where they are fewer, and gathered otherwise. */
const FEW = 20;

/**
 * @param {Hlo} hlo
 * @param {Record<string, (...args: any[]) => any>} others NumPy's functions that these are made of
 * @returns {Record<string, (...args: any[]) => any>}
 */
export function joiningFunctions(hlo, others) {
  /** @type {Record<string, (...args: any[]) => any>} */
  const np = {};
  /** Where a new dimension of size 1 goes, for arrays of the rank. @type {Record<number, (dims: number[]) => number[]>} */
  const shapesOfAtLeast = {
    1: (dims) => (dims.length > 0 ? dims : [1]),
    2: (dims) => (dims.length > 1 ? dims : [1, ...shapesOfAtLeast[1](dims)]),
    3: (dims) => (dims.length > 2 ? dims : [...shapesOfAtLeast[2](dims), 1]),
  };
  for (const rank of [1, 2, 3])
    np[`atleast${rank}d`] = (list) => {
      const arrays = list.map((/** @type {any} */ one) => {
        const x = asArray(hlo, one);
        return hlo.reshape(x, shapesOfAtLeast[rank](x.dims));
      });
      return arrays.length === 1 ? arrays[0] : arrays;
    };
  np.broadcastArrays = (list) =>
    broadcastTogether(
      hlo,
      list.map((/** @type {any} */ x) => asArray(hlo, x)),
    );

  np.arraySplit = (x, given, { axis = 0 } = {}) => {
    const parts = concreteNumbers(given);
    if (Array.isArray(parts)) return others.split(x, parts, { axis });
    const array = asArray(hlo, x);
    if (integer(parts, 'a number of parts') < 1)
      throw new ShapeError(`an array has no ${parts} parts`);
    const size = array.dims[axisOf(axis, array.rank)];
    const [least, longer] = [Math.floor(size / parts), size % parts];
    const places = range(parts - 1).map((i) => (i + 1) * least + Math.min(i + 1, longer));
    return others.split(array, places, { axis });
  };
  for (const [name, least, axis] of /** @type {[string, number, number][]} */ ([
    ['vsplit', 2, 0],
    ['hsplit', 1, 1],
    ['dsplit', 3, 2],
  ]))
    np[name] = (x, parts) => {
      const array = asArray(hlo, x);
      if (array.rank < least)
        throw new ShapeError(`${name} takes arrays of rank ${least} at least, got [${array.dims}]`);
      return others.split(array, parts, { axis: Math.min(axis, array.rank - 1) });
    };
  np.unstack = (x, { axis = 0 } = {}) => {
    const array = asArray(hlo, x);
    const along = axisOf(axis, array.rank);
    return range(array.dims[along]).map((i) =>
      hlo.reshape(hlo.sliceInDim(array, i, i + 1, 1, along), array.dims.toSpliced(along, 1)),
    );
  };
  np.block = (nested) => {
    if (!Array.isArray(nested)) return asArray(hlo, nested);
    /** @type {(x: any) => number} */
    const depthOf = (x) => (Array.isArray(x) ? 1 + depthOf(x[0]) : 0);
    const depth = depthOf(nested);
    const leaves = sameType(hlo, nested.flat(Infinity));
    const rank = Math.max(depth, ...leaves.map((x) => x.rank));
    const next = leaves
      .map((x) => hlo.reshape(x, [...Array(rank - x.rank).fill(1), ...x.dims]))
      .values();
    /** @type {(x: any, level: number) => any} */
    const join = (x, level) => {
      if (Array.isArray(x) !== level < depth || x?.length === 0)
        throw new ShapeError('lists of blocks are nested to one depth, and none is empty');
      if (level === depth) return next.next().value;
      const parts = x.map((/** @type {any} */ part) => join(part, level + 1));
      return hlo.concatenate(parts, rank - depth + level);
    };
    return join(nested, 0);
  };
  np.append = (x, values, { axis } = {}) =>
    others.concatenate([asArray(hlo, x), values], { axis: axis ?? null });

  /** Positions that an index, a list of them or a mask mean. @param {any} given @param {number} size @param {number} end the greatest index @returns {number[]} */
  const positionsOf = (given, size, end) => {
    const list = concreteNumbers(given);
    const all = Array.isArray(list) ? list : [list];
    if (all.length > 0 && all.every((i) => typeof i === 'boolean')) {
      if (all.length !== size) throw new ShapeError(`a mask of ${all.length} is not for ${size}`);
      return range(size).filter((i) => all[i]);
    }
    return all.map((i) => {
      const at = Number(i);
      if (!Number.isInteger(at)) throw new HloError(`an index is an integer, got ${nameOf(i)}`);
      if (at < -size || at > end)
        throw new ShapeError(`index ${at} is out of range for a dimension of ${size}`);
      return at < 0 ? at + size : at;
    });
  };
  const isOneIndex = (/** @type {any} */ given) =>
    isOperand(given) ? given.rank === 0 : !Array.isArray(given);
  np.delete = (x, given, { axis } = {}) => {
    const [array, along] = alongAxis(hlo, x, axis);
    const size = array.dims[along];
    const gone = new Set(positionsOf(given, size, size - 1));
    const marks = [-1, ...[...gone].sort((a, b) => a - b), size];
    if (marks.length < FEW) {
      const runs = marks.slice(1).map((to, i) => [marks[i] + 1, to]);
      return joinRuns(array, runs, along);
    }
    const kept = range(size).filter((i) => !gone.has(i));
    return others.take(array, hlo.array(Int32Array.from(kept)), { axis: along });
  };
  const joinRuns = hlo.jit(
    (/** @type {any} */ array, /** @type {number[][]} */ runs, /** @type {number} */ along) =>
      hlo.concatenate(
        runs.map(([from, to]) => hlo.sliceInDim(array, from, to, 1, along)),
        along,
      ),
  );
  np.insert = (x, given, values, { axis } = {}) => {
    const [array, along] = alongAxis(hlo, x, axis);
    const size = array.dims[along];
    const at = positionsOf(given, size, size);
    const own = convert(hlo, asArray(hlo, values, array.type), array.type);
    const padded = (/** @type {any} */ y) =>
      y.rank < array.rank ? hlo.reshape(y, [...Array(array.rank - y.rank).fill(1), ...y.dims]) : y;
    let added;
    let places = at;
    if (isOneIndex(given)) {
      // One index takes as many slices as the values have.
      const wide = padded(own);
      const slices = others.moveaxis(wide, 0, along);
      const count = slices.dims[along];
      places = Array(count).fill(at[0]);
      added = broadcastTo(hlo, slices, array.dims.with(along, count));
    } else added = broadcastTo(hlo, own, array.dims.with(along, at.length));
    /** @type {[number, number][]} Place in the array, and which slice stands before that. */
    const inserted = places.map((place, i) => [place, i]);
    inserted.sort(([p], [q]) => p - q);
    if (inserted.length < FEW) return insertFew(array, added, inserted, along);
    const order = new Int32Array(size + places.length);
    let [next, from] = [0, 0];
    for (const i of order.keys()) {
      const isNew = next < inserted.length && inserted[next][0] <= from;
      order[i] = isNew ? size + inserted[next++][1] : from++;
    }
    const whole = hlo.concatenate([array, added], along);
    return others.take(whole, hlo.array(order), { axis: along, mode: 'clip' });
  };
  /** Runs of the array and the slices between them, one after the other. */
  const insertFew = hlo.jit(
    (
      /** @type {any} */ array,
      /** @type {any} */ added,
      /** @type {[number, number][]} */ inserted,
      /** @type {number} */ along,
    ) => {
      const slice = (/** @type {any} */ x, /** @type {number} */ from, /** @type {number} */ to) =>
        hlo.sliceInDim(x, from, to, 1, along);
      const parts = inserted.flatMap(([place, i], k) => [
        slice(array, k === 0 ? 0 : inserted[k - 1][0], place),
        slice(added, i, i + 1),
      ]);
      const rest = slice(array, inserted.at(-1)?.[0] ?? 0, array.dims[along]);
      return hlo.concatenate([...parts, rest], along);
    },
  );
  np.resize = (x, shape) => {
    const array = asArray(hlo, x);
    const dims = sizesOf(shape);
    const count = product(dims);
    if (count < 0 || dims.some((n) => n < 0)) throw new ShapeError('sizes are not negative');
    if (array.size === 0 || count === 0) return others.zeros(dims, { dtype: array.type });
    const flat = hlo.reshape(array, [array.size]);
    const repeated = others.tile(flat, Math.ceil(count / array.size));
    return hlo.reshape(hlo.sliceInDim(repeated, 0, count, 1, 0), dims);
  };
  np.rot90 = (x, { k = 1, axes = [0, 1] } = {}) => {
    const array = asArray(hlo, x);
    if (!Array.isArray(axes) || axes.length !== 2)
      throw new ShapeError('rot90 turns a plane: axes are two');
    const [a, b] = axesOf(axes, array.rank);
    const turns = ((integer(k, 'k') % 4) + 4) % 4;
    if (turns === 0) return array;
    if (turns === 2) return hlo.reverse(array, [a, b]);
    const swap = (/** @type {any} */ y) => others.swapaxes(y, a, b);
    return turns === 1 ? swap(hlo.reverse(array, [b])) : hlo.reverse(swap(array), [b]);
  };
  np.rollaxis = (x, axis, { start = 0 } = {}) => {
    const array = asArray(hlo, x);
    const from = axisOf(axis, array.rank);
    const to = integer(start, 'start') < 0 ? start + array.rank : start;
    if (to < 0 || to > array.rank) throw new ShapeError(`start ${start} is out of range`);
    return others.moveaxis(array, from, to > from ? to - 1 : to);
  };
  np.trimZeros = (x, { trim = 'fb', axis } = {}) => {
    if (!/^[fb]{1,2}$/i.test(trim))
      throw new HloError(`trim is 'f', 'b' or 'fb', got ${nameOf(trim)}`);
    const array = asArray(hlo, x);
    if (!(array instanceof HloArray))
      throw new HloError(
        'the size of trimZeros’s result depends on numbers, which traced programs do not know',
      );
    const axes = axesOf(axis, array.rank);
    return axes.reduce((rest, d) => {
      const rows = others.any(asPredicate(hlo, array), {
        axis: range(array.rank).filter((e) => e !== d),
      });
      const marks = [...rows.toTypedArray()].map(Boolean);
      const [first, last] = [marks.indexOf(true), marks.lastIndexOf(true)];
      if (first < 0) return hlo.sliceInDim(rest, 0, 0, 1, d);
      const from = /f/i.test(trim) ? first : 0;
      return hlo.sliceInDim(rest, from, /b/i.test(trim) ? last + 1 : marks.length, 1, d);
    }, array);
  };
  np.ediff1d = (x, { toEnd, toBegin } = {}) => {
    const steps = others.diff(others.ravel(asArray(hlo, x)));
    const ends = [toBegin, toEnd].map((end) =>
      end === undefined
        ? []
        : [convert(hlo, others.ravel(asArray(hlo, end, steps.type)), steps.type)],
    );
    return hlo.concatenate([...ends[0], steps, ...ends[1]], 0);
  };
  return np;
}
