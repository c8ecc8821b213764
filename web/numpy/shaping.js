// NumPy's functions that make arrays and change their shapes. Must not know how operations run.
import { HloError, nameOf, ShapeError } from '../index.js';
import {
  asArray,
  axesOf,
  axisOf,
  broadcastTo,
  convert,
  dimsOf,
  integer,
  isOperand,
  product,
  sameType,
  typeOf,
  upTo,
} from './promotion.js';

/** @typedef {any} Hlo */

/** @param {Hlo} hlo @returns {Record<string, (...args: any[]) => any>} */
export function shapingFunctions(hlo) {
  /** @type {Record<string, (...args: any[]) => any>} */
  const np = {};
  np.array = (data, type) => {
    if (type === undefined) return asArray(hlo, data);
    return isOperand(data) ? convert(hlo, data, type) : hlo.array(data, type);
  };
  np.full = (shape, value, type = 'f32') =>
    hlo.broadcastInDim(hlo.array(value, type), dimsOf(shape), []);
  np.zeros = (dims, type) => np.full(dims, 0, type);
  np.ones = (dims, type) => np.full(dims, 1, type);
  const like =
    (/** @type {number} */ value) =>
    (/** @type {any} */ x, /** @type {any} */ type = undefined) => {
      const array = asArray(hlo, x);
      return np.full(array.dims, value, type ?? array.type);
    };
  np.zerosLike = like(0);
  np.onesLike = like(1);
  np.fullLike = (x, value, type) => {
    const array = asArray(hlo, x);
    return np.full(array.dims, value, type ?? array.type);
  };
  /** start, start + step, … as NumPy computes them: in f64. */
  const steps = (/** @type {number} */ count, /** @type {number} */ step) =>
    hlo.mul(hlo.iota('f64', [count]), step);
  const checkNumbers = (/** @type {string} */ what, /** @type {any[]} */ ...numbers) => {
    for (const x of numbers)
      if (typeof x !== 'number') throw new HloError(`${what} takes numbers, got ${nameOf(x)}`);
  };
  np.arange = (start, stop, step = 1, given = undefined) => {
    const [from, to] = stop === undefined ? [0, start] : [start, stop];
    checkNumbers('arange', from, to, step);
    const isWhole = [from, to, step].every(Number.isInteger);
    const type = given ?? (isWhole ? 's32' : 'f32');
    const count = Math.max(0, Math.ceil((to - from) / step));
    if (!Number.isFinite(count) || step === 0)
      throw new ShapeError(`arange(${from}, ${to}, ${step}) has no end`);
    return hlo.convert(hlo.add(steps(count, from + step - from), from), type);
  };
  np.linspace = (start, stop, count = 50, { type = 'f32', endpoint = true } = {}) => {
    checkNumbers('linspace', start, stop, count);
    if (integer(count, 'the count of linspace') < 0)
      throw new ShapeError(`linspace cannot have ${count} elements`);
    const parts = endpoint ? count - 1 : count;
    const range = stop - start;
    const step = range / parts;
    // A step that is 0 because it is too small for its type is put off.
    const distances =
      parts > 0 && step !== 0
        ? steps(count, step)
        : hlo.mul(hlo.div(hlo.iota('f64', [count]), Math.max(1, parts)), range);
    let points = hlo.add(distances, start);
    if (endpoint && count > 1)
      points = hlo.select(hlo.eq(hlo.iota('s32', [count]), count - 1), stop, points);
    return hlo.convert(/signed/.test(typeOf(hlo, type).class) ? hlo.floor(points) : points, type);
  };
  np.eye = (rows, columns = rows, { type = 'f32', k = 0 } = {}) => {
    const [row, column] = [0, 1].map((d) => hlo.iota('s32', [rows, columns], d));
    return hlo.convert(hlo.eq(hlo.sub(column, row), integer(k, 'k')), type);
  };
  const triangle =
    (/** @type {string} */ keeps) =>
    (/** @type {any} */ x, k = 0) => {
      const given = asArray(hlo, x);
      if (given.rank < 1) throw new ShapeError('a triangle needs a dimension at least');
      const [size] = given.dims;
      const array = given.rank > 1 ? given : broadcastTo(hlo, given, [size, size]);
      const [row, column] = [array.rank - 2, array.rank - 1].map((d) =>
        hlo.iota('s32', array.dims, d),
      );
      return hlo.select(
        hlo[keeps](hlo.sub(column, row), integer(k, 'k')),
        array,
        np.zerosLike(array),
      );
    };
  np.tril = triangle('le');
  np.triu = triangle('ge');

  np.reshape = (x, dims) => {
    const array = asArray(hlo, x);
    const wanted = dimsOf(dims);
    const open = wanted.indexOf(-1);
    if (open < 0) return hlo.reshape(array, wanted);
    const rest = product(wanted.filter((_, d) => d !== open));
    // Of no elements any size would do, NumPy says.
    const size = product(array.dims) / rest;
    if (!Number.isInteger(size) || size < 0)
      throw new ShapeError(`[${array.dims}] does not reshape to [${wanted}]`);
    return hlo.reshape(array, wanted.with(open, size));
  };
  np.ravel = (x) => np.reshape(x, [-1]);
  np.transpose = (x, axes) => hlo.transpose(asArray(hlo, x), axes ?? undefined);
  np.moveaxis = (x, from, to) => {
    const array = asArray(hlo, x);
    const [sources, targets] = [from, to].map((axes) => axesOf(axes, array.rank));
    if (sources.length !== targets.length)
      throw new ShapeError(`${sources.length} axes do not move to ${targets.length}`);
    const order = upTo(array.rank).filter((d) => !sources.includes(d));
    const moves = targets.map((target, i) => [target, sources[i]]).sort(([a], [b]) => a - b);
    for (const [target, source] of moves) order.splice(target, 0, source);
    return hlo.transpose(array, order);
  };
  np.swapaxes = (x, a, b) => {
    const array = asArray(hlo, x);
    const [first, second] = [a, b].map((axis) => axisOf(axis, array.rank));
    return hlo.transpose(
      array,
      upTo(array.rank).map((d) => (d === first ? second : d === second ? first : d)),
    );
  };
  np.expandDims = (x, { axis }) => {
    const array = asArray(hlo, x);
    const list = Array.isArray(axis) ? axis : [axis];
    const axes = axesOf(list, array.rank + list.length);
    const dims = [...array.dims];
    for (const d of axes.toSorted((a, b) => a - b)) dims.splice(d, 0, 1);
    return hlo.reshape(array, dims);
  };
  np.squeeze = (x, { axis } = {}) => {
    const array = asArray(hlo, x);
    const axes =
      axis === undefined || axis === null
        ? upTo(array.rank).filter((d) => array.dims[d] === 1)
        : axesOf(axis, array.rank);
    if (axes.some((d) => array.dims[d] !== 1))
      throw new ShapeError(`[${array.dims}] has sizes other than 1 there`);
    return hlo.reshape(
      array,
      array.dims.filter((/** @type {number} */ _, /** @type {number} */ d) => !axes.includes(d)),
    );
  };
  np.broadcastTo = (x, shape) => broadcastTo(hlo, asArray(hlo, x), dimsOf(shape));
  np.concatenate = (list, { axis = 0 } = {}) => {
    const arrays = sameType(hlo, list);
    if (axis === null)
      return hlo.concatenate(
        arrays.map((x) => np.ravel(x)),
        0,
      );
    return hlo.concatenate(arrays, axis);
  };
  np.stack = (list, { axis = 0 } = {}) =>
    np.concatenate(
      list.map((/** @type {any} */ x) => np.expandDims(x, { axis })),
      { axis },
    );
  np.split = (x, parts, { axis = 0 } = {}) => {
    const array = asArray(hlo, x);
    const along = axisOf(axis, array.rank);
    const whole = array.dims[along];
    const size = whole / parts;
    if (
      !Array.isArray(parts) &&
      (!(parts > 0) || !Number.isInteger(parts) || !Number.isInteger(size))
    )
      throw new ShapeError(`${whole} is not divisible into that many parts`);
    const starts = Array.isArray(parts)
      ? parts.map((place) => integer(place, 'a place to split at'))
      : upTo(parts - 1).map((i) => (i + 1) * size);
    // Places beyond either end give empty parts, negative ones count from the end, as in Python's slices.
    const within = (/** @type {number} */ i) => Math.min(whole, Math.max(0, i < 0 ? i + whole : i));
    return [0, ...starts].map((start, i) => {
      const from = within(start);
      const to = i < starts.length ? within(starts[i]) : whole;
      return hlo.sliceInDim(array, from, Math.max(from, to), 1, along);
    });
  };
  np.flip = (x, { axis } = {}) => {
    const array = asArray(hlo, x);
    return hlo.reverse(array, axesOf(axis, array.rank));
  };
  np.roll = (x, shift, { axis } = {}) => {
    const array = asArray(hlo, x);
    if (axis === undefined || axis === null)
      return hlo.reshape(np.roll(np.ravel(array), shift, { axis: 0 }), array.dims);
    const [axes, shifts] = [axis, shift].map((one) => (Array.isArray(one) ? one : [one]));
    const longest = Math.max(axes.length, shifts.length);
    const at = (/** @type {number[]} */ list, /** @type {number} */ i) =>
      list.length === 1 ? list[0] : list[i];
    if ([axes, shifts].some((list) => list.length !== 1 && list.length !== longest))
      throw new ShapeError(`${shifts.length} shifts are not for ${axes.length} axes`);
    return upTo(longest).reduce(
      (rolled, i) => rolledOnce(rolled, at(shifts, i), axisOf(at(axes, i), array.rank)),
      array,
    );
  };
  const rolledOnce = (
    /** @type {any} */ array,
    /** @type {number} */ shift,
    /** @type {number} */ along,
  ) => {
    const size = array.dims[along];
    const cut = size === 0 ? 0 : ((-integer(shift, 'a shift') % size) + size) % size;
    if (cut === 0) return array;
    const [front, back] = [
      hlo.sliceInDim(array, cut, size, 1, along),
      hlo.sliceInDim(array, 0, cut, 1, along),
    ];
    return hlo.concatenate([front, back], along);
  };
  return np;
}
