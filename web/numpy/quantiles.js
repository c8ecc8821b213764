// NumPy's quantiles, with all elements or without NaN: one program sorts, finds places and interpolates.
import { Value } from '../builder.js';
import { HloError, ShapeError } from '../errors.js';
import {
  asArray,
  asFloat,
  axesOf,
  broadcastTo,
  classOf,
  collapseAxes,
  convert,
  floatTypeOf,
  isOperand,
  range,
} from './promotion.js';

/** @typedef {any} Hlo */
/** @typedef {(hlo: Hlo, n: any, q: any) => any} Place in f64: n, the number of elements, and q broadcast together */
/** @typedef {(hlo: Hlo, fraction: any, before: any) => any} Part */

const isZero = (/** @type {Hlo} */ hlo, /** @type {any} */ x) => hlo.eq(x, 0);
const isOdd = (/** @type {Hlo} */ hlo, /** @type {any} */ x) => hlo.ne(hlo.rem(x, 2), 0);
const number = (/** @type {Hlo} */ hlo, /** @type {any} */ predicate) =>
  hlo.convert(predicate, 'f64');
/** @param {number} less @returns {Place} */
const ofCount = (less) => (hlo, n, q) => hlo.sub(hlo.mul(n, q), less);
/** @type {Place} */
const ofSteps = (hlo, n, q) => hlo.mul(hlo.sub(n, 1), q);

/**
 * The quantile methods of Hyndman and Fan. `place` is the fractional position of the quantile q among n sorted numbers; `part` the
 * weight of the number after it against the one before it, by default the fraction. Continuous methods have two parameters.
 * @type {Record<string, { place: Place, part?: Part }>}
 */
const methods = {
  inverted_cdf: { place: ofCount(1), part: (hlo, f) => hlo.sub(1, number(hlo, isZero(hlo, f))) },
  averaged_inverted_cdf: {
    place: ofCount(1),
    part: (hlo, f) => hlo.sub(1, hlo.mul(number(hlo, isZero(hlo, f)), 0.5)),
  },
  closest_observation: {
    place: ofCount(1.5),
    part: (hlo, f, before) => hlo.sub(1, number(hlo, hlo.and(isZero(hlo, f), isOdd(hlo, before)))),
  },
  interpolated_inverted_cdf: { place: continuousPlace(0, 1) },
  hazen: { place: continuousPlace(0.5, 0.5) },
  weibull: { place: continuousPlace(0, 0) },
  linear: { place: ofSteps },
  median_unbiased: { place: continuousPlace(1 / 3, 1 / 3) },
  normal_unbiased: { place: continuousPlace(3 / 8, 3 / 8) },
  lower: { place: (hlo, n, q) => hlo.floor(ofSteps(hlo, n, q)) },
  higher: { place: (hlo, n, q) => hlo.ceil(ofSteps(hlo, n, q)) },
  midpoint: {
    place: ofSteps,
    part: (hlo, f) => hlo.mul(hlo.sub(1, number(hlo, isZero(hlo, f))), 0.5),
  },
  nearest: {
    place: ofSteps,
    part: (hlo, f, before) =>
      number(hlo, hlo.or(hlo.gt(f, 0.5), hlo.and(hlo.eq(f, 0.5), isOdd(hlo, before)))),
  },
};
/** Methods that return one of the numbers, in its type. */
const exact = ['inverted_cdf', 'closest_observation', 'lower', 'higher', 'nearest'];

/** @param {number} alpha @param {number} beta @returns {Place} */
function continuousPlace(alpha, beta) {
  return (hlo, n, q) =>
    hlo.sub(hlo.add(hlo.mul(n, q), hlo.add(hlo.mul(q, 1 - alpha - beta), alpha)), 1);
}

/**
 * @param {Hlo} hlo
 * @param {Record<string, (...args: any[]) => any>} others NumPy's functions that these are made of
 * @returns {Record<string, (...args: any[]) => any>}
 */
export function quantileFunctions(hlo, others) {
  /** @type {Record<string, (...args: any[]) => any>} */
  const np = {};
  const isNumber = (/** @type {any} */ x) => hlo.eq(x, x);
  const mix = (/** @type {any} */ a, /** @type {any} */ b, /** @type {any} */ t) => {
    // Interpolated from the nearer end, as in NumPy.
    const extent = hlo.sub(b, a);
    const fromLow = hlo.add(a, hlo.mul(extent, t));
    const fromHigh = hlo.sub(b, hlo.mul(extent, hlo.sub(1, t)));
    const between = hlo.select(hlo.ge(t, 0.5), fromHigh, fromLow);
    // At an end, and between equal ones, infinities stay as they are.
    const isLow = hlo.or(hlo.eq(t, 0), hlo.eq(a, b));
    return hlo.select(isLow, a, hlo.select(hlo.eq(t, 1), b, between));
  };
  const mean = (/** @type {any} */ a, /** @type {any} */ b, /** @type {any} */ t) =>
    hlo.select(hlo.eq(t, 0), a, hlo.add(hlo.mul(a, 0.5), hlo.mul(b, 0.5)));
  /** Quantiles of rows along the last dimension, which becomes the one of q. */
  const find = (
    /** @type {any} */ given,
    /** @type {any} */ q,
    /** @type {string} */ method,
    /** @type {'all' | 'numbers'} */ of,
  ) => {
    const rows = others.sort(given); // NaNs come last
    const last = rows.rank - 1;
    const count = rows.dims[last];
    const [outer, dims] = [rows.dims.slice(0, -1), [...rows.dims.slice(0, -1), q.size]];
    const { place, part = (/** @type {any} */ _, /** @type {any} */ f) => f } =
      methods[method === 'median' ? 'linear' : method];
    const isOwn = of === 'numbers' && classOf(hlo, rows) === 'float';
    // Without NaN counts differ from row to row; with it places are the same in all rows.
    const wide = isOwn ? dims : [q.size];
    const probabilities = hlo.broadcastInDim(q, wide, [wide.length - 1]);
    const n = isOwn
      ? hlo.broadcastInDim(others.sum(isNumber(rows), { axis: -1 }), wide, range(outer.length))
      : hlo.broadcastInDim(hlo.array(count, 's32'), wide, []);
    const at = place(hlo, hlo.convert(n, 'f64'), probabilities);
    const before = hlo.floor(at);
    const weight = part(hlo, hlo.sub(at, before), before);
    const clamp = (/** @type {any} */ i) =>
      hlo.max(0, hlo.min(hlo.convert(i, 's32'), hlo.sub(n, 1)));
    const [low, high] = [clamp(before), clamp(hlo.add(before, 1))];
    const take = (/** @type {any} */ i) =>
      isOwn
        ? others.takeAlongAxis(rows, i, { axis: -1 })
        : others.take(rows, i, { axis: -1, mode: 'clip' });
    const spread = (/** @type {any} */ x) => (isOwn ? x : hlo.broadcastInDim(x, dims, [last]));
    let found;
    if (exact.includes(method) && rows.type !== 'pred')
      found = hlo.select(hlo.lt(spread(weight), 1), take(low), take(high));
    else {
      const [a, b] = [take(low), take(high)].map((end) => convert(hlo, end, 'f64'));
      const between = (method === 'median' ? mean : mix)(a, b, spread(weight));
      found = hlo.convert(between, floatTypeOf(hlo, rows));
    }
    if (classOf(hlo, rows) !== 'float' || of === 'numbers') return found;
    const end = broadcastTo(hlo, hlo.sliceInDim(rows, count - 1, count, 1, last), dims);
    return hlo.select(hlo.ne(end, end), convert(hlo, end, found.type), found);
  };
  /** The quantiles `given` divided by `most`, which stand along the first dimensions of the result. */
  const alongAxes = hlo.jit(
    (
      /** @type {any} */ array,
      /** @type {any} */ given,
      /** @type {number} */ most,
      /** @type {number[]} */ axes,
      /** @type {number[]} */ left,
      /** @type {string} */ method,
      /** @type {'all' | 'numbers'} */ of,
    ) => {
      const wide = convert(hlo, given, 'f64');
      const q = most === 1 ? wide : hlo.div(wide, most);
      const rows = collapseAxes(hlo, array, axes);
      const found = find(rows, hlo.reshape(q, [q.size]), method, of);
      return hlo.reshape(others.moveaxis(found, -1, 0), [...q.dims, ...left]);
    },
  );
  /** @param {string} name @param {any} x @param {any} q @param {number} most what the greatest quantile is in q @param {'all' | 'numbers'} of @param {any} options */
  const quantilesOf = (name, x, q, most, of, { axis, method = 'linear', keepdims = false }) => {
    const array = asArray(hlo, x);
    if (classOf(hlo, array) === 'complex') throw new HloError('complex numbers have no quantiles');
    const axes = axesOf(axis, array.rank);
    const left = array.dims.flatMap((/** @type {number} */ n, /** @type {number} */ d) =>
      axes.includes(d) ? (keepdims ? [1] : []) : [n],
    );
    if (axes.some((d) => array.dims[d] === 0)) {
      if (of === 'all') throw new ShapeError(`there is no ${name} of no elements`);
      const none = hlo.array(NaN, floatTypeOf(hlo, array));
      return hlo.broadcastInDim(none, [...q.dims, ...left], []);
    }
    return alongAxes(array, q, most, axes, left, method, of);
  };
  /** @param {any} q an array @param {number} most */
  const areWithin = (q, most) =>
    [q.toNested()].flat(Infinity).every((/** @type {any} */ one) => one >= 0 && one <= most);
  for (const [prefix, of] of /** @type {['' | 'nan', 'all' | 'numbers'][]} */ ([
    ['', 'all'],
    ['nan', 'numbers'],
  ])) {
    for (const [name, most] of /** @type {[string, number][]} */ ([
      [`${prefix}quantile`, 1],
      [`${prefix}percentile`, 100],
    ]))
      np[name] = (x, given, options = {}) => {
        const { method = 'linear' } = options;
        if (!Object.hasOwn(methods, method))
          throw new HloError(`the methods of ${name} are ${Object.keys(methods).join(', ')}`);
        const q = isOperand(given) ? given : hlo.array(given, 'f64');
        if (!(q instanceof Value) && !areWithin(q, most))
          throw new HloError('quantiles are between 0 and 1, percentiles between 0 and 100');
        return quantilesOf(name, x, q, most, of, options);
      };
  }
  np.nanmedian = (x, options = {}) => {
    const q = hlo.array(0.5, 'f64');
    return quantilesOf('nanmedian', asFloat(hlo, x), q, 1, 'numbers', {
      ...options,
      method: 'median',
    });
  };
  return np;
}
