// NumPy's functions that create arrays and change their shapes.
import { HloError, ShapeError } from '../errors.js';
import { nameOf } from '../options.js';
import { sameType } from './casting.js';
import {
  arrayOf,
  asArray,
  axesOf,
  axisOf,
  broadcastTo,
  classOf,
  concreteNumbers,
  convert,
  dimsOf,
  floatTypeOf,
  integer,
  isOperand,
  product,
  promote,
  promoteAndBroadcast,
  range,
  sizeOf,
  sizesOf,
} from './promotion.js';

/** @typedef {any} Hlo */

/** @param {Hlo} hlo @returns {Record<string, (...args: any[]) => any>} */
export function shapingFunctions(hlo) {
  /** @type {Record<string, (...args: any[]) => any>} */
  const np = {};
  np.array = (data, { dtype, ndmin = 0 } = {}) => {
    const array = arrayOf(hlo, data, dtype);
    const missing = integer(ndmin, 'ndmin') - array.rank;
    return missing > 0 ? hlo.reshape(array, [...Array(missing).fill(1), ...array.dims]) : array;
  };
  /** The value broadcasts to the shape. */
  np.full = (shape, value, { dtype } = {}) => {
    const alone = typeof value === 'number' ? 'f32' : undefined;
    return broadcastTo(hlo, arrayOf(hlo, value, dtype ?? alone), sizesOf(shape));
  };
  np.zeros = (shape, options) => np.full(shape, 0, options);
  np.ones = (shape, options) => np.full(shape, 1, options);
  np.fullLike = (x, value, { dtype, shape } = {}) => {
    const array = asArray(hlo, x);
    return np.full(shape ?? array.dims, value, { dtype: dtype ?? array.type });
  };
  np.zerosLike = (x, options) => np.fullLike(x, 0, options);
  np.onesLike = (x, options) => np.fullLike(x, 1, options);
  const checkNumbers = (/** @type {string} */ what, /** @type {any[]} */ ...numbers) => {
    for (const x of numbers)
      if (typeof x !== 'number') throw new HloError(`${what} takes numbers, got ${nameOf(x)}`);
  };
  np.arange = (start, { stop, step = 1, dtype } = {}) => {
    const [from, to] = stop === undefined ? [0, start] : [start, stop];
    checkNumbers('arange', from, to, step);
    const isWhole = [from, to, step].every(Number.isInteger);
    const type = dtype ?? (isWhole ? 's32' : 'f32');
    const count = Math.max(0, Math.ceil((to - from) / step));
    if (!Number.isFinite(count) || step === 0)
      throw new ShapeError(`arange(${from}, ${to}, ${step}) has no end`);
    // start, start + step, … as NumPy computes them: in f64.
    return hlo.convert(hlo.add(hlo.mul(hlo.iota('f64', [count]), from + step - from), from), type);
  };
  /** The points along a first dimension, and their distance. */
  const spread = hlo.jit(
    (
      /** @type {any} */ from,
      /** @type {any} */ to,
      /** @type {number} */ num,
      /** @type {boolean} */ endpoint,
      /** @type {string} */ type,
    ) => {
      const dims = [num, ...from.dims];
      const broadcast = (/** @type {any} */ x) =>
        hlo.broadcastInDim(
          x,
          dims,
          range(from.rank).map((d) => d + 1),
        );
      const parts = endpoint ? num - 1 : num;
      const extent = hlo.sub(to, from);
      const step = hlo.div(extent, parts);
      const places = hlo.iota(from.type, dims, 0);
      // Where the step underflows to 0, points are fractions of the range instead of multiples of the step.
      const isTiny = hlo.reduce(hlo.eq(step, 0), hlo.array(false), 'or');
      const distances =
        parts > 0
          ? hlo.select(
              broadcastTo(hlo, isTiny, dims),
              hlo.mul(hlo.div(places, parts), broadcast(extent)),
              hlo.mul(places, broadcast(step)),
            )
          : hlo.mul(places, broadcast(extent));
      let points = hlo.add(distances, broadcast(from));
      if (endpoint && num > 1)
        points = hlo.select(hlo.eq(hlo.iota('s32', dims, 0), num - 1), broadcast(to), points);
      const isWhole = /signed/.test(classOf(hlo, { type }));
      return { points: convert(hlo, isWhole ? hlo.floor(points) : points, type), step };
    },
  );
  /** Computed in f64. Arrays as ends give arrays of points along a new axis. */
  np.linspace = (
    start,
    stop,
    { num = 50, endpoint = true, retstep = false, dtype, axis = 0 } = {},
  ) => {
    if (integer(num, 'the number of points') < 0)
      throw new ShapeError(`linspace cannot have ${num} points`);
    const ends = [start, stop];
    const own = ends.filter(isOperand).map((x) => floatTypeOf(hlo, x));
    const type = dtype ?? own.reduce((a, b) => promote(hlo, a, b), own[0] ?? 'f32');
    const isComplex = ends.some((x) => isOperand(x) && classOf(hlo, x) === 'complex');
    const [from, to] = promoteAndBroadcast(
      hlo,
      ends.map((x) => asArray(hlo, x, 'f64')),
      isComplex ? 'c128' : 'f64',
    );
    const { points, step } = spread(from, to, num, endpoint, type);
    const parts = endpoint ? num - 1 : num;
    const isWhole = /signed/.test(classOf(hlo, { type }));
    const result = np.moveaxis(points, 0, axis);
    if (!retstep) return result;
    return [result, convert(hlo, parts > 0 ? step : hlo.array(NaN), isWhole ? 'f32' : type)];
  };
  np.eye = (rows, { M: columns = rows, k = 0, dtype = 'f32' } = {}) => {
    const dims = [sizeOf(rows, 'rows'), sizeOf(columns, 'M')];
    return diagonalOnes(dims, integer(k, 'k'), dtype);
  };
  const diagonalOnes = hlo.jit(
    (/** @type {number[]} */ dims, /** @type {number} */ k, /** @type {string} */ type) => {
      const [row, column] = [0, 1].map((d) => hlo.iota('s32', dims, d));
      return hlo.convert(hlo.eq(hlo.sub(column, row), k), type);
    },
  );
  const triangle = (/** @type {string} */ keeps) => {
    const program = hlo.jit((/** @type {any} */ x, /** @type {number} */ k) => {
      const [row, column] = [x.rank - 2, x.rank - 1].map((d) => hlo.iota('s32', x.dims, d));
      return hlo.select(hlo[keeps](hlo.sub(column, row), k), x, np.zerosLike(x));
    });
    return (/** @type {any} */ x, { k = 0 } = {}) => {
      const given = asArray(hlo, x);
      if (given.rank < 1) throw new ShapeError('a triangle needs a dimension at least');
      const [size] = given.dims;
      const array = given.rank > 1 ? given : broadcastTo(hlo, given, [size, size]);
      return program(array, integer(k, 'k'));
    };
  };
  np.tril = triangle('le');
  np.triu = triangle('ge');

  np.reshape = (x, shape, { order = 'C' } = {}) => {
    const array = asArray(hlo, x);
    if (order !== 'C' && order !== 'F')
      throw new HloError(`order is 'C' or 'F', got ${nameOf(order)}`);
    const wanted = dimsOf(concreteNumbers(shape));
    const open = wanted.indexOf(-1);
    const rest = product(wanted.filter((_, d) => d !== open));
    // Without elements the open size is ambiguous, NaN here, and an error as in NumPy.
    const size = product(array.dims) / rest;
    if (open >= 0 && (!Number.isInteger(size) || size < 0))
      throw new ShapeError(`[${array.dims}] does not reshape to [${wanted}]`);
    const dims = open < 0 ? wanted : wanted.with(open, size);
    if (order === 'C') return hlo.reshape(array, dims);
    return hlo.transpose(hlo.reshape(hlo.transpose(array), dims.toReversed()));
  };
  np.ravel = (x, options) => np.reshape(x, [-1], options);
  np.transpose = (x, { axes } = {}) => hlo.transpose(asArray(hlo, x), axes);
  np.moveaxis = (x, from, to) => {
    const array = asArray(hlo, x);
    const [sources, targets] = [from, to].map((axes) => axesOf(axes, array.rank));
    if (sources.length !== targets.length)
      throw new ShapeError(`${sources.length} axes do not move to ${targets.length}`);
    const order = range(array.rank).filter((d) => !sources.includes(d));
    const moves = targets.map((target, i) => [target, sources[i]]).sort(([a], [b]) => a - b);
    for (const [target, source] of moves) order.splice(target, 0, source);
    return hlo.transpose(array, order);
  };
  np.swapaxes = (x, a, b) => {
    const array = asArray(hlo, x);
    const [first, second] = [a, b].map((axis) => axisOf(axis, array.rank));
    return hlo.transpose(
      array,
      range(array.rank).map((d) => (d === first ? second : d === second ? first : d)),
    );
  };
  np.expandDims = (x, axis) => {
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
        ? range(array.rank).filter((d) => array.dims[d] === 1)
        : axesOf(axis, array.rank);
    if (axes.some((d) => array.dims[d] !== 1))
      throw new ShapeError(`[${array.dims}] has sizes other than 1 there`);
    return hlo.reshape(
      array,
      array.dims.filter((/** @type {number} */ _, /** @type {number} */ d) => !axes.includes(d)),
    );
  };
  np.broadcastTo = (x, shape) => broadcastTo(hlo, asArray(hlo, x), sizesOf(shape));
  np.concatenate = (list, { axis = 0, ...options } = {}) => {
    const arrays = sameType(hlo, list, options);
    if (axis === null)
      return hlo.concatenate(
        arrays.map((x) => np.ravel(x)),
        0,
      );
    return hlo.concatenate(arrays, axis);
  };
  np.stack = (list, { axis = 0, ...options } = {}) => {
    const arrays = sameType(hlo, list, options).map((x) => np.expandDims(x, axis));
    return hlo.concatenate(arrays, axis);
  };
  np.split = (x, given, { axis = 0 } = {}) => {
    const parts = concreteNumbers(given);
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
      : range(parts - 1).map((i) => (i + 1) * size);
    // Positions beyond either end give empty parts, negative ones count from the end, as in Python's slices.
    const clampPosition = (/** @type {number} */ i) =>
      Math.min(whole, Math.max(0, i < 0 ? i + whole : i));
    return [0, ...starts].map((start, i) => {
      const from = clampPosition(start);
      const to = i < starts.length ? clampPosition(starts[i]) : whole;
      return hlo.sliceInDim(array, from, Math.max(from, to), 1, along);
    });
  };
  np.flip = (x, { axis } = {}) => {
    const array = asArray(hlo, x);
    return hlo.reverse(array, axesOf(axis, array.rank));
  };
  np.roll = (x, given, { axis } = {}) => {
    const shift = concreteNumbers(given);
    const array = asArray(hlo, x);
    if (axis === undefined || axis === null)
      return hlo.reshape(np.roll(np.ravel(array), shift, { axis: 0 }), array.dims);
    const [axes, shifts] = [axis, shift].map((one) => (Array.isArray(one) ? one : [one]));
    const longest = Math.max(axes.length, shifts.length);
    const elementAt = (/** @type {number[]} */ list, /** @type {number} */ i) =>
      list.length === 1 ? list[0] : list[i];
    if ([axes, shifts].some((list) => list.length !== 1 && list.length !== longest))
      throw new ShapeError(`${shifts.length} shifts are not for ${axes.length} axes`);
    return range(longest).reduce(
      (rolled, i) => rollAxis(rolled, elementAt(shifts, i), axisOf(elementAt(axes, i), array.rank)),
      array,
    );
  };
  const rollAxis = (
    /** @type {any} */ array,
    /** @type {number} */ shift,
    /** @type {number} */ along,
  ) => {
    const size = array.dims[along];
    const cut = size === 0 ? 0 : ((-integer(shift, 'a shift') % size) + size) % size;
    return cut === 0 ? array : turned(array, cut, along);
  };
  const turned = hlo.jit(
    (/** @type {any} */ array, /** @type {number} */ cut, /** @type {number} */ along) => {
      const [front, back] = [
        hlo.sliceInDim(array, cut, array.dims[along], 1, along),
        hlo.sliceInDim(array, 0, cut, 1, along),
      ];
      return hlo.concatenate([front, back], along);
    },
  );
  return np;
}
