// NumPy's reductions along axes: sums, means, extremes and their positions; cumulative sums and products.
import { HloError, ShapeError } from '../errors.js';
import { nameOf } from '../options.js';
import {
  alongAxis,
  asArray,
  asFloat,
  asPredicate,
  axesOf,
  axisOf,
  broadcastTo,
  classOf,
  collapseAxes,
  convert,
  extremes,
  floatTypeOf,
  typeOf,
} from './promotion.js';

/** @typedef {any} Hlo */

/**
 * @param {Hlo} hlo
 * @param {Record<string, (...args: any[]) => any>} others NumPy's functions of elements
 * @returns {Record<string, (...args: any[]) => any>}
 */
export function reductionFunctions(hlo, others) {
  /** @type {Record<string, (...args: any[]) => any>} */
  const np = {};
  const keepAxes = (
    /** @type {any} */ result,
    /** @type {any} */ x,
    /** @type {number[]} */ axes,
  ) =>
    hlo.reshape(
      result,
      x.dims.map((/** @type {number} */ size, /** @type {number} */ d) =>
        axes.includes(d) ? 1 : size,
      ),
    );
  /** The mask of elements to include. @param {any} where @param {number[]} dims */
  const maskOf = (where, dims) => {
    const mask = asArray(hlo, where);
    if (mask.type !== 'pred') throw new HloError(`where is an array of booleans, got ${mask.type}`);
    return broadcastTo(hlo, mask, dims);
  };
  /** Replaces the elements outside the mask by the neutral element. @param {any} x @param {any} where @param {any} neutral */
  const applyMask = (x, where, neutral) =>
    where === undefined
      ? x
      : hlo.select(
          maskOf(where, x.dims),
          x,
          hlo.broadcastInDim(hlo.array(neutral, x.type), x.dims, []),
        );
  /** Combines a result with an initial value. @param {any} result @param {any} initial @param {(a: any, b: any) => any} combine */
  const combineInitial = (result, initial, combine) => {
    if (initial === undefined) return result;
    const first = convert(hlo, asArray(hlo, initial, result.type), result.type);
    if (first.rank > 0) throw new ShapeError(`initial is one number, got ${first.xla.text}`);
    return combine(broadcastTo(hlo, first, result.dims), result);
  };
  const reduce = (
    /** @type {any} */ x,
    /** @type {any} */ start,
    /** @type {string} */ op,
    /** @type {any} */ { axis, keepdims = false, initial, where } = {},
  ) => {
    const axes = axesOf(axis, x.rank);
    const result = hlo.reduce(applyMask(x, where, start), hlo.array(start, x.type), op, axes);
    const all = combineInitial(result, initial, (a, b) => hlo[op](a, b));
    return keepdims ? keepAxes(all, x, axes) : all;
  };
  /** Booleans and small integers are summed as s32 or u32, as in JAX; NumPy uses 64 bits. */
  const widenForSum = (
    /** @type {any} */ x,
    /** @type {string | undefined} */ dtype = undefined,
  ) => {
    const array = asArray(hlo, x, dtype);
    if (dtype !== undefined) return convert(hlo, array, dtype);
    const { class: kind, bits } = typeOf(hlo, array.type);
    if (kind !== 'pred' && (bits >= 32 || !/signed/.test(kind))) return array;
    return hlo.convert(array, kind === 'unsigned' ? 'u32' : 's32');
  };
  /** For means, small types are summed in f32, which has the larger range, and large integers in f64, which represents them. */
  const widenForMean = (/** @type {any} */ array) => {
    const { class: kind, bits } = typeOf(hlo, array.type);
    if (/signed/.test(kind) && bits >= 32) return hlo.convert(array, 'f64');
    return bits < 32 ? hlo.convert(array, 'f32') : array;
  };
  /** The number of elements reduced to each result, as a number or an array. @param {any} x @param {any} options */
  const elementCount = (x, { axis, keepdims, where }) => {
    if (where === undefined)
      return axesOf(axis, x.rank).reduce((product, d) => product * x.dims[d], 1);
    return np.sum(maskOf(where, x.dims), { axis, keepdims });
  };
  /** Divides by a count minus lost degrees of freedom. @param {any} total @param {any} count @param {number} [lostDegrees] */
  const divideByCount = (total, count, lostDegrees = 0) => {
    if (typeof count === 'number') return hlo.div(total, Math.max(0, count - lostDegrees));
    return hlo.div(
      total,
      hlo.convert(hlo.max(hlo.sub(hlo.convert(count, 'f64'), lostDegrees), 0), total.type),
    );
  };

  np.sum = (x, { dtype, ...options } = {}) => reduce(widenForSum(x, dtype), 0, 'add', options);
  np.prod = (x, { dtype, ...options } = {}) => reduce(widenForSum(x, dtype), 1, 'mul', options);
  np.any = (x, options) => reduce(asPredicate(hlo, x), false, 'or', options);
  np.all = (x, options) => reduce(asPredicate(hlo, x), true, 'and', options);
  /**
   * Reduces to the extreme value and its position: the first of equal ones, and NaN first of all, as in NumPy. Complex numbers
   * are compared by real, then by imaginary part.
   * @param {'gt' | 'lt'} better
   * @param {0 | 1} which of extremes()
   */
  const reduceWithIndex = (better, which) => {
    const precedes = (/** @type {any} */ a, /** @type {any} */ b) => {
      const kind = classOf(hlo, a);
      if (!/float|complex/.test(kind)) return hlo[better](a, b);
      if (kind === 'float') return hlo.or(hlo[better](a, b), hlo.ne(a, a));
      const [p, q] = [hlo.real(a), hlo.real(b)];
      const isTieBroken = hlo.and(hlo.eq(p, q), hlo[better](hlo.imag(a), hlo.imag(b)));
      // With one part a number, a NaN can be less than another number.
      const isBetter = hlo.and(hlo.or(hlo[better](p, q), isTieBroken), hlo.eq(b, b));
      return hlo.or(isBetter, hlo.ne(a, a));
    };
    const combine = (
      /** @type {any} */ a,
      /** @type {any} */ i,
      /** @type {any} */ b,
      /** @type {any} */ j,
    ) => {
      const [ahead, behind] = [precedes(a, b), precedes(b, a)];
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
        combine,
        [along],
      );
    });
  };
  const greatest = reduceWithIndex('gt', 0);
  const least = reduceWithIndex('lt', 1);

  for (const [name, which, search] of /** @type {[string, 0 | 1, any][]} */ ([
    ['max', 0, greatest],
    ['min', 1, least],
  ]))
    np[name] = (x, { axis, keepdims = false, initial, where } = {}) => {
      const array = asArray(hlo, x);
      if (initial === undefined && where !== undefined)
        throw new HloError(
          `${name} where something holds takes an initial value: that may be nowhere`,
        );
      if (initial === undefined && elementCount(array, { axis }) === 0)
        throw new ShapeError(`there is no ${name} of no elements`);
      const type = typeOf(hlo, array.type);
      const start = extremes(type)[which];
      const axes = axesOf(axis, array.rank);
      const rows = () => collapseAxes(hlo, applyMask(array, where, start), axes);
      const found =
        type.class === 'complex'
          ? search(rows(), array.rank - axes.length)[0]
          : reduce(array, start, name, { axis, where });
      const all = combineInitial(found, initial, others[name === 'max' ? 'maximum' : 'minimum']);
      return keepdims ? keepAxes(all, array, axes) : all;
    };
  /**
   * The position of the extreme value by two reductions that need no combiner of their own: the value, and the least position that
   * has it. A NaN is an extreme of everything, so that there are NaNs where one is found.
   * @param {'max' | 'min'} op
   * @param {0 | 1} which of extremes()
   * @param {any} search for complex numbers
   */
  const positionOf = (op, which, search) =>
    hlo.jit((/** @type {any} */ x, /** @type {number} */ along) => {
      const type = typeOf(hlo, x.type);
      if (type.class === 'complex') return search(x, along)[1];
      const start = hlo.array(extremes(type)[which], x.type);
      const kept = x.dims
        .map((/** @type {any} */ _, /** @type {number} */ d) => d)
        .toSpliced(along, 1);
      const extreme = hlo.broadcastInDim(hlo.reduce(x, start, op, [along]), x.dims, kept);
      const isThere = hlo.eq(x, extreme);
      const isFound = type.class === 'float' ? hlo.or(isThere, hlo.ne(x, x)) : isThere;
      const none = hlo.broadcastInDim(hlo.array(0x7fffffff, 's32'), x.dims, []);
      const places = hlo.select(isFound, hlo.iota('s32', x.dims, along), none);
      return hlo.reduce(places, hlo.array(0x7fffffff, 's32'), 'min', [along]);
    });
  const argFunction =
    (/** @type {any} */ search) =>
    (/** @type {any} */ x, /** @type {any} */ { axis, keepdims = false } = {}) => {
      const [array, along] = alongAxis(hlo, x, axis);
      if (array.dims[along] === 0) throw new ShapeError('there is no position in no elements');
      const at = search(array, along);
      if (!keepdims) return at;
      const isFlat = axis === undefined || axis === null;
      return isFlat
        ? hlo.reshape(at, Array(asArray(hlo, x).rank).fill(1))
        : keepAxes(at, array, [along]);
    };
  np.mean = (x, { dtype, ...options } = {}) => {
    const given = widenForSum(x, dtype ?? asArray(hlo, x).type);
    const array = /signed/.test(dtype ? typeOf(hlo, dtype).class : '')
      ? given
      : widenForMean(given);
    const total = reduce(array, 0, 'add', options);
    const quotient = divideByCount(
      /signed/.test(classOf(hlo, total)) ? hlo.convert(total, 'f64') : total,
      elementCount(array, options),
    );
    return convert(hlo, quotient, dtype ?? floatTypeOf(hlo, given));
  };
  /** The variance in the type of the sums. */
  const variance = hlo.jit(
    (/** @type {any} */ x, /** @type {any} */ { ddof, correction, mean, ...options }) => {
      if (ddof !== undefined && correction !== undefined)
        throw new HloError('ddof and correction are one thing: give one of them');
      const lostDegrees = ddof ?? correction ?? 0;
      if (typeof lostDegrees !== 'number')
        throw new HloError(`ddof is a number, got ${nameOf(lostDegrees)}`);
      const array = widenForMean(x);
      const middle =
        mean === undefined
          ? np.mean(array, { ...options, keepdims: true }) // in the same type
          : convert(hlo, asArray(hlo, mean, array.type), array.type);
      const centred = hlo.sub(array, broadcastTo(hlo, middle, array.dims));
      const square = (/** @type {any} */ y) => hlo.mul(y, y);
      const squares =
        classOf(hlo, array) === 'complex'
          ? hlo.add(square(hlo.real(centred)), square(hlo.imag(centred)))
          : square(centred);
      return divideByCount(
        reduce(squares, 0, 'add', options),
        elementCount(array, options),
        lostDegrees,
      );
    },
  );
  for (const [name, finish] of /** @type {[string, (x: any) => any][]} */ ([
    ['var', (x) => x],
    ['std', (x) => hlo.sqrt(x)],
  ]))
    np[name] = (x, { dtype, ...options } = {}) => {
      const given = asArray(hlo, x, dtype);
      const type = dtype ?? floatTypeOf(hlo, given);
      if (!/float|complex/.test(typeOf(hlo, type).class))
        throw new HloError(`${name} is computed in floats, not in ${type}`);
      const result = finish(variance(dtype ? convert(hlo, given, dtype) : given, options));
      return classOf(hlo, { type }) === 'complex' ? result : convert(hlo, result, type);
    };

  np.argmax = argFunction(positionOf('max', 0, greatest));
  np.argmin = argFunction(positionOf('min', 1, least));

  /** What sums and products start with: of 0 in floats -0, which leaves the sign of zeros. @param {string} type @param {number} start */
  const startOf = (type, start) => {
    const kind = classOf(hlo, { type });
    if (start !== 0 || !/float|complex/.test(kind)) return start;
    return kind === 'complex' ? hlo.array({ re: -0, im: -0 }, type) : -0;
  };
  const cumulative =
    (/** @type {string} */ op, /** @type {number} */ start) =>
    (/** @type {any} */ x, /** @type {any} */ { axis, dtype } = {}) => {
      const [array, along] = alongAxis(hlo, widenForSum(x, dtype), axis);
      const size = array.dims[along];
      if (array.size === 0) return array;
      const perAxis = (/** @type {any} */ value, /** @type {any} */ other) =>
        array.dims.map((/** @type {number} */ _, /** @type {number} */ d) =>
          d === along ? value : other,
        );
      return hlo.reduceWindow(array, startOf(array.type, start), op, {
        windowDimensions: perAxis(size, 1),
        padding: perAxis([size - 1, 0], [0, 0]),
      });
    };
  np.cumsum = cumulative('add', 0);
  np.cumprod = cumulative('mul', 1);
  for (const [name, of, start] of /** @type {[string, string, number][]} */ ([
    ['cumulativeSum', 'cumsum', 0],
    ['cumulativeProd', 'cumprod', 1],
  ]))
    np[name] = (value, { axis, dtype, includeInitial = false } = {}) => {
      const x = asArray(hlo, value);
      if (axis === undefined && x.rank !== 1)
        throw new ShapeError(`${name} of an array of rank ${x.rank} takes an axis`);
      const along = axisOf(axis ?? 0, x.rank);
      const all = np[of](x, { axis: along, dtype });
      if (!includeInitial) return all;
      const first = hlo.broadcastInDim(hlo.array(start, all.type), x.dims.with(along, 1), []);
      return hlo.concatenate([first, all], along);
    };
  return np;
}
