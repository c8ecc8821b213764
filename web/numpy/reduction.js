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
  rowsOf,
  typeOf,
} from './promotion.js';

/** @typedef {any} Hlo */

/** The least value of a type, where a maximum starts; the greatest for a minimum. @param {import('../engine.js').TypeInfo} type */
function extremes(type) {
  if (type.class === 'complex') return [-Infinity, Infinity].map((re) => ({ re, im: re }));
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
  /**
   * Value and position together; the first of equal ones, and NaN before everything, as NumPy has it. Complex numbers are
   * compared by real, then by imaginary part.
   * @param {'gt' | 'lt'} better
   * @param {0 | 1} which of extremes()
   */
  const best = (better, which) => {
    const isAhead = (/** @type {any} */ a, /** @type {any} */ b) => {
      const kind = classOf(hlo, a);
      if (!/float|complex/.test(kind)) return hlo[better](a, b);
      if (kind === 'float') return hlo.or(hlo[better](a, b), hlo.ne(a, a));
      const [p, q] = [hlo.real(a), hlo.real(b)];
      const isBeside = hlo.and(hlo.eq(p, q), hlo[better](hlo.imag(a), hlo.imag(b)));
      return hlo.or(hlo.or(hlo[better](p, q), isBeside), hlo.ne(a, a));
    };
    const choose = (
      /** @type {any} */ a,
      /** @type {any} */ i,
      /** @type {any} */ b,
      /** @type {any} */ j,
    ) => {
      const [ahead, behind] = [isAhead(a, b), isAhead(b, a)];
      // Neither, or both (NaN): the smaller position.
      const tied = hlo.eq(ahead, behind);
      const first = hlo.or(hlo.and(ahead, hlo.not(behind)), hlo.and(tied, hlo.lt(i, j)));
      return [hlo.select(first, a, b), hlo.select(first, i, j)];
    };
    return hlo.jit((/** @type {any} */ x, /** @type {number} */ along) => {
      const start = hlo.array(extremes(typeOf(hlo, x.type))[which], x.type);
      return hlo.reduce(
        [x, hlo.iota('s32', x.dims, along)],
        [start, hlo.array(0x7fffffff, 's32')],
        choose,
        [along],
      );
    });
  };
  const greatest = best('gt', 0);
  const least = best('lt', 1);

  for (const [name, which, search] of /** @type {[string, 0 | 1, any][]} */ ([
    ['max', 0, greatest],
    ['min', 1, least],
  ]))
    np[name] = (x, options = {}) => {
      const array = asArray(hlo, x);
      if (countOf(array, options.axis) === 0)
        throw new ShapeError(`there is no ${name} of no elements`);
      const type = typeOf(hlo, array.type);
      if (type.class !== 'complex') return reduce(array, extremes(type)[which], name, options);
      const axes = axesOf(options.axis, array.rank);
      const rows = rowsOf(hlo, array, axes);
      const [value] = search(rows, rows.rank - 1);
      return options.keepdims ? keep(value, array, axes) : value;
    };
  const position =
    (/** @type {any} */ search) =>
    (/** @type {any} */ x, /** @type {any} */ { axis, keepdims = false } = {}) => {
      const [array, along] = alongAxis(hlo, x, axis);
      if (array.dims[along] === 0) throw new ShapeError('there is no position in no elements');
      const [, at] = search(array, along);
      if (!keepdims) return at;
      const isFlat = axis === undefined || axis === null;
      return isFlat
        ? hlo.reshape(at, Array(asArray(hlo, x).rank).fill(1))
        : keep(at, array, [along]);
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

  np.argmax = position(greatest);
  np.argmin = position(least);

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
