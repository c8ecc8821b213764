// NumPy's functions along axes that make one of many: sums, means, extremes, positions, running totals. Must not know how
// operations run.
import { HloError, ShapeError } from '../index.js';
import {
  alongAxis,
  asArray,
  asFloat,
  asPredicate,
  axesOf,
  axisOf,
  classOf,
  convert,
  floatTypeOf,
  typeOf,
} from './promotion.js';

/** @typedef {any} Hlo */

/** The least value of a type, where a maximum starts; the greatest for a minimum. @param {import('../engine.js').TypeInfo} type */
function extremes(type) {
  if (type.class === 'complex') throw new HloError('complex numbers have no order here');
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
  /** Means of small types are of sums in f32, which hold more than their type; those of large integers in f64, which hold them. */
  const summed = (/** @type {any} */ array) => {
    const { class: kind, bits } = typeOf(hlo, array.type);
    if (/signed/.test(kind) && bits >= 32) return hlo.convert(array, 'f64');
    return bits < 32 ? hlo.convert(array, 'f32') : array;
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
    const given = asArray(hlo, x);
    const array = summed(given);
    const mean = hlo.div(reduce(array, 0, 'add', options), countOf(array, options.axis));
    return convert(hlo, mean, floatTypeOf(hlo, given));
  };
  /** The squares' mean in the type that sums are made in. */
  const variance = (/** @type {any} */ x, /** @type {any} */ { ddof = 0, ...options }) => {
    if (typeof ddof !== 'number') throw new HloError('ddof is a number');
    const array = summed(x);
    const mean = np.mean(array, { ...options, keepdims: true }); // in the same type
    const all = array.dims.map((/** @type {number} */ _, /** @type {number} */ d) => d);
    const centred = hlo.sub(array, hlo.broadcastInDim(mean, array.dims, all));
    const square = (/** @type {any} */ y) => hlo.mul(y, y);
    const squares =
      classOf(hlo, array) === 'complex'
        ? hlo.add(square(hlo.real(centred)), square(hlo.imag(centred)))
        : square(centred);
    const count = Math.max(0, countOf(array, options.axis) - ddof);
    return hlo.div(reduce(squares, 0, 'add', options), count);
  };
  const asItsOwn = (/** @type {any} */ result, /** @type {any} */ x) =>
    classOf(hlo, x) === 'complex' ? result : convert(hlo, result, floatTypeOf(hlo, x));
  np.var = (x, options = {}) => {
    const array = asArray(hlo, x);
    return asItsOwn(variance(array, options), array);
  };
  np.std = (x, options = {}) => {
    const array = asArray(hlo, x);
    return asItsOwn(hlo.sqrt(variance(array, options)), array);
  };

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
      if (!keepdims) return at;
      const isFlat = axis === undefined || axis === null;
      return isFlat
        ? hlo.reshape(at, Array(asArray(hlo, x).rank).fill(1))
        : keep(at, array, [along]);
    };
  np.argmax = position('gt', 0);
  np.argmin = position('lt', 1);

  const running =
    (/** @type {string} */ op, /** @type {number} */ start) =>
    (/** @type {any} */ x, /** @type {any} */ { axis } = {}) => {
      const [array, along] = alongAxis(hlo, counted(x), axis);
      const size = array.dims[along];
      if (array.size === 0) return array;
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

  np.softmax = (x, { axis = -1 } = {}) => {
    const array = asFloat(hlo, x);
    const all = array.dims.map((/** @type {number} */ _, /** @type {number} */ d) => d);
    const along = { axis: axisOf(axis, array.rank), keepdims: true };
    const spread = (/** @type {any} */ y) => hlo.broadcastInDim(y, array.dims, all);
    const powers = hlo.exp(hlo.sub(array, spread(np.max(array, along))));
    return hlo.div(powers, spread(np.sum(powers, along)));
  };
  return np;
}
