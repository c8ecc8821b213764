// NumPy's functions along axes: sums, extremes, positions, running totals, sorting. Must not know how operations run.
import { HloError, ShapeError } from '../index.js';
import {
  alongAxis,
  asArray,
  asFloat,
  asPredicate,
  axesOf,
  axisOf,
  convert,
  typeOf,
} from './promotion.js';

/** @typedef {any} Hlo */

/** The least value of a type, where a maximum starts; the greatest for a minimum. @param {import('../engine.js').TypeInfo} type */
function extremes(type) {
  if (type.class === 'float') return [-Infinity, Infinity];
  if (type.class === 'pred') return [false, true];
  const bits = BigInt(type.bits);
  if (type.class === 'unsigned') return [0n, 2n ** bits - 1n];
  return [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n];
}

/** @param {Hlo} hlo @returns {Record<string, (...args: any[]) => any>} */
export function reductionFunctions(hlo) {
  /** @type {Record<string, (...args: any[]) => any>} */
  const np = {};
  const keep = (/** @type {any} */ result, /** @type {any} */ x, /** @type {number[]} */ axes) =>
    hlo.reshape(
      result,
      x.dims.map((/** @type {number} */ size, /** @type {number} */ d) =>
        axes.includes(d) ? 1 : size,
      ),
    );
  const reduce = (
    /** @type {any} */ x,
    /** @type {any} */ start,
    /** @type {string} */ op,
    /** @type {any} */ { axis, keepdims = false } = {},
  ) => {
    const axes = axesOf(axis, x.rank);
    const result = hlo.reduce(x, hlo.array(start, x.type), op, axes);
    return keepdims ? keep(result, x, axes) : result;
  };
  /** Sums of booleans and of small integers are s32 or u32, as in JAX; NumPy takes 64 bits. */
  const counted = (/** @type {any} */ x) => {
    const array = asArray(hlo, x);
    const { class: kind, bits } = typeOf(hlo, array.type);
    if (kind !== 'pred' && (bits >= 32 || !/signed/.test(kind))) return array;
    return hlo.convert(array, kind === 'unsigned' ? 'u32' : 's32');
  };
  /** Means of small floats are of sums in f32, which hold more than their type. */
  const summed = (/** @type {any} */ x) => {
    const array = asFloat(hlo, x);
    return typeOf(hlo, array.type).bits < 32 ? hlo.convert(array, 'f32') : array;
  };
  const countOf = (/** @type {any} */ x, /** @type {any} */ axis) =>
    axesOf(axis, x.rank).reduce((product, d) => product * x.dims[d], 1);

  np.sum = (x, options) => reduce(counted(x), 0, 'add', options);
  np.prod = (x, options) => reduce(counted(x), 1, 'mul', options);
  np.any = (x, options) => reduce(asPredicate(hlo, x), false, 'or', options);
  np.all = (x, options) => reduce(asPredicate(hlo, x), true, 'and', options);
  for (const [name, which] of /** @type {[string, 0 | 1][]} */ ([
    ['max', 0],
    ['min', 1],
  ]))
    np[name] = (x, options = {}) => {
      const array = asArray(hlo, x);
      if (countOf(array, options.axis) === 0)
        throw new ShapeError(`there is no ${name} of no elements`);
      return reduce(array, extremes(typeOf(hlo, array.type))[which], name, options);
    };
  np.mean = (x, options = {}) => {
    const array = summed(x);
    const mean = hlo.div(reduce(array, 0, 'add', options), countOf(array, options.axis));
    return convert(hlo, mean, asFloat(hlo, x).type);
  };
  np.var = (x, options = {}) => {
    const array = summed(x);
    const mean = np.mean(array, { ...options, keepdims: true });
    const all = array.dims.map((/** @type {number} */ _, /** @type {number} */ d) => d);
    const centred = hlo.sub(array, hlo.broadcastInDim(mean, array.dims, all));
    const total = reduce(hlo.mul(centred, centred), 0, 'add', options);
    const variance = hlo.div(total, countOf(array, options.axis) - (options.ddof ?? 0));
    return convert(hlo, variance, asFloat(hlo, x).type);
  };
  np.std = (x, options) => hlo.sqrt(np.var(x, options));

  // Value and position together; the first of equal ones, and NaN before everything, as NumPy has it.
  const position =
    (/** @type {'gt' | 'lt'} */ better, /** @type {0 | 1} */ which) =>
    (/** @type {any} */ x, /** @type {any} */ { axis, keepdims = false } = {}) => {
      const [array, along] = alongAxis(hlo, x, axis);
      if (array.dims[along] === 0) throw new ShapeError('there is no position in no elements');
      const type = typeOf(hlo, array.type);
      const start = extremes(type)[which];
      const isFloat = type.class === 'float';
      const [, at] = hlo.reduce(
        [array, hlo.iota('s32', array.dims, along)],
        [hlo.array(start, array.type), hlo.array(0x7fffffff, 's32')],
        (
          /** @type {any} */ a,
          /** @type {any} */ i,
          /** @type {any} */ b,
          /** @type {any} */ j,
        ) => {
          const ahead = isFloat ? hlo.or(hlo[better](a, b), hlo.ne(a, a)) : hlo[better](a, b);
          const behind = isFloat ? hlo.or(hlo[better](b, a), hlo.ne(b, b)) : hlo[better](b, a);
          // Neither, or both (NaN): the smaller position.
          const tied = hlo.eq(ahead, behind);
          const first = hlo.or(hlo.and(ahead, hlo.not(behind)), hlo.and(tied, hlo.lt(i, j)));
          return [hlo.select(first, a, b), hlo.select(first, i, j)];
        },
        [along],
      );
      return keepdims ? keep(at, array, [along]) : at;
    };
  np.argmax = position('gt', 0);
  np.argmin = position('lt', 1);

  const running =
    (/** @type {string} */ op, /** @type {number} */ start) =>
    (/** @type {any} */ x, /** @type {any} */ { axis } = {}) => {
      const [array, along] = alongAxis(hlo, counted(x), axis);
      const size = array.dims[along];
      if (size === 0) return array;
      const set = (/** @type {any} */ value, /** @type {any} */ other) =>
        array.dims.map((/** @type {number} */ _, /** @type {number} */ d) =>
          d === along ? value : other,
        );
      return hlo.reduceWindow(array, start, op, {
        windowDimensions: set(size, 1),
        padding: set([size - 1, 0], [0, 0]),
      });
    };
  np.cumsum = running('add', 0);
  np.cumprod = running('mul', 1);

  np.sort = (x, { axis = -1 } = {}) =>
    hlo.sort(asArray(hlo, x), { dimension: axis, isStable: true });
  np.argsort = (x, { axis = -1 } = {}) => {
    const array = asArray(hlo, x);
    const along = axisOf(axis, array.rank);
    const order = hlo.iota('s32', array.dims, along);
    return hlo.sort([array, order], { dimension: along, isStable: true })[1];
  };
  np.median = (x, { axis, keepdims = false } = {}) => {
    const [array, along] = alongAxis(hlo, asFloat(hlo, x), axis);
    const size = array.dims[along];
    if (size === 0) throw new ShapeError('there is no median of no elements');
    const sorted = hlo.sort(array, { dimension: along, isStable: true });
    const at = (/** @type {number} */ i) => hlo.sliceInDim(sorted, i, i + 1, 1, along);
    const [low, high, last] = [(size - 1) >> 1, size >> 1, size - 1].map(at);
    const middle = size % 2 === 1 ? low : hlo.add(hlo.mul(low, 0.5), hlo.mul(high, 0.5));
    const median = hlo.select(hlo.ne(last, last), last, middle); // NaNs come last
    if (!keepdims) return hlo.reshape(median, array.dims.toSpliced(along, 1));
    const rank = asArray(hlo, x).rank;
    return axis === undefined ? hlo.reshape(median, Array(rank).fill(1)) : median;
  };
  np.softmax = (x, { axis = -1 } = {}) => {
    const array = asFloat(hlo, x);
    const all = array.dims.map((/** @type {number} */ _, /** @type {number} */ d) => d);
    const along = { axis: axisOf(axis, array.rank), keepdims: true };
    const spread = (/** @type {any} */ y) => hlo.broadcastInDim(y, array.dims, all);
    const powers = hlo.exp(hlo.sub(array, spread(np.max(array, along))));
    return hlo.div(powers, spread(np.sum(powers, along)));
  };
  np.take = (x, indices, { axis } = {}) => {
    const [array, along] = alongAxis(hlo, x, axis);
    const where = asIndices(hlo, indices, array.dims[along]);
    const offset = array.dims.flatMap((/** @type {number} */ _, /** @type {number} */ d) =>
      d < along ? [d] : d > along ? [d - 1 + where.rank] : [],
    );
    return hlo.gather(array, hlo.reshape(where, [...where.dims, 1]), {
      offsetDims: offset,
      collapsedSliceDims: [along],
      startIndexMap: [along],
      indexVectorDim: where.rank,
      sliceSizes: array.dims.map((/** @type {number} */ size, /** @type {number} */ d) =>
        d === along ? 1 : size,
      ),
    });
  };
  np.takeAlongAxis = (x, indices, axis) => {
    const [array, along] = alongAxis(hlo, x, axis);
    const where = convert(hlo, asIndices(hlo, indices, array.dims[along]), 's32');
    const fits = (/** @type {number} */ size, /** @type {number} */ d) =>
      d === along || size === array.dims[d];
    if (where.rank !== array.rank || !where.dims.every(fits))
      throw new ShapeError(`[${where.dims}] are no places in [${array.dims}] along axis ${along}`);
    let flat = hlo.mul(where, 0);
    for (const [d, size] of array.dims.entries())
      flat = hlo.add(hlo.mul(flat, size), d === along ? where : hlo.iota('s32', where.dims, d));
    return np.take(array, flat);
  };
  return np;
}

/** @param {Hlo} hlo @param {any} indices @param {number} size negative indices count from the end */
function asIndices(hlo, indices, size) {
  const array =
    typeof indices === 'number' || Array.isArray(indices)
      ? hlo.array(indices, 's32')
      : asArray(hlo, indices);
  if (!/signed/.test(typeOf(hlo, array.type).class))
    throw new HloError(`indices are integers, got ${array.type}`);
  if (typeOf(hlo, array.type).class === 'unsigned') return array;
  return hlo.select(hlo.lt(array, 0), hlo.add(array, size), array);
}
