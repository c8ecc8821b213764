// NumPy's statistics besides means and variances: quantiles, covariances, weighted averages, and reductions that ignore NaN.
import { Value } from '../builder.js';
import { HloError, ShapeError } from '../errors.js';
import { nameOf } from '../options.js';
import {
  asArray,
  asFloat,
  axesOf,
  classOf,
  collapseAxes,
  convert,
  extremes,
  floatTypeOf,
  isOperand,
  promoteAndBroadcast,
  typeOf,
} from './promotion.js';

/** @typedef {any} Hlo */

/**
 * The quantile methods of Hyndman and Fan. `place` is the fractional position of the quantile q among n sorted numbers; `part` the
 * weight of the number after it against the one before it, by default the fraction. Continuous methods have two parameters.
 * @type {Record<string, { place: (n: number, q: number) => number, part?: (fraction: number, before: number) => number }>}
 */
const methods = {
  inverted_cdf: { place: (n, q) => n * q - 1, part: (f) => (f === 0 ? 0 : 1) },
  averaged_inverted_cdf: { place: (n, q) => n * q - 1, part: (f) => (f === 0 ? 0.5 : 1) },
  closest_observation: {
    place: (n, q) => n * q - 1.5,
    part: (f, before) => (f === 0 && before % 2 !== 0 ? 0 : 1),
  },
  interpolated_inverted_cdf: { place: continuousPlace(0, 1) },
  hazen: { place: continuousPlace(0.5, 0.5) },
  weibull: { place: continuousPlace(0, 0) },
  linear: { place: (n, q) => (n - 1) * q },
  median_unbiased: { place: continuousPlace(1 / 3, 1 / 3) },
  normal_unbiased: { place: continuousPlace(3 / 8, 3 / 8) },
  lower: { place: (n, q) => Math.floor((n - 1) * q) },
  higher: { place: (n, q) => Math.ceil((n - 1) * q) },
  midpoint: { place: (n, q) => (n - 1) * q, part: (f) => (f === 0 ? 0 : 0.5) },
  nearest: {
    place: (n, q) => (n - 1) * q,
    part: (f, before) => Number(f > 0.5 || (f === 0.5 && before % 2 !== 0)),
  },
};
/** Methods that return one of the numbers, in its type. */
const exact = ['inverted_cdf', 'closest_observation', 'lower', 'higher', 'nearest'];

/** @param {number} alpha @param {number} beta @returns {(n: number, q: number) => number} */
function continuousPlace(alpha, beta) {
  return (n, q) => n * q + (alpha + q * (1 - alpha - beta)) - 1;
}

/**
 * @param {Hlo} hlo
 * @param {Record<string, (...args: any[]) => any>} others NumPy's functions that these are made of
 * @returns {Record<string, (...args: any[]) => any>}
 */
export function statisticsFunctions(hlo, others) {
  /** @type {Record<string, (...args: any[]) => any>} */
  const np = {};
  const keptDims = (/** @type {any} */ x, /** @type {number[]} */ axes) =>
    x.dims.map((/** @type {number} */ n, /** @type {number} */ d) => (axes.includes(d) ? 1 : n));

  np.quantile = (x, given, { axis, method = 'linear', keepdims = false } = {}) => {
    if (!Object.hasOwn(methods, method))
      throw new HloError(`the methods of quantile are ${Object.keys(methods).join(', ')}`);
    if (given instanceof Value) throw new HloError('quantile takes numbers for q, not traced ones');
    const wanted = isOperand(given) ? given : hlo.array(given, 'f64');
    /** @type {number[]} */
    const list = [...hlo.convert(wanted, 'f64').toTypedArray()];
    if (list.some((q) => !(q >= 0 && q <= 1)))
      throw new HloError('quantiles are between 0 and 1, percentiles between 0 and 100');
    const array = asArray(hlo, x);
    if (classOf(hlo, array) === 'complex') throw new HloError('complex numbers have no quantiles');
    const isExact = exact.includes(method) && array.type !== 'pred';
    const type = isExact ? array.type : floatTypeOf(hlo, array);
    const axes = axesOf(axis, array.rank);
    const rows = others.sort(collapseAxes(hlo, array, axes));
    const n = rows.dims.at(-1);
    if (n === 0) throw new ShapeError('there are no quantiles of no elements');
    const { place, part = (/** @type {number} */ f) => f } = methods[method];
    const steps = list.map((q) => {
      const at = place(n, q);
      const before = Math.floor(at);
      const clampIndex = (/** @type {number} */ i) => Math.min(n - 1, Math.max(0, i));
      return {
        low: clampIndex(before),
        high: clampIndex(before + 1),
        part: part(at - before, before),
      };
    });
    const takeColumns = (/** @type {number[]} */ places) =>
      others.take(rows, hlo.array(Int32Array.from(places)), { axis: -1 });
    const last = rows.rank - 1;
    const spread = (/** @type {any} */ row, /** @type {any} */ like) =>
      hlo.broadcastInDim(row, like.dims, [last]);
    let found;
    if (isExact) found = takeColumns(steps.map(({ low, high, part: t }) => (t < 1 ? low : high)));
    else {
      // Interpolated from the nearer end, as in NumPy.
      const [a, b] = [
        takeColumns(steps.map(({ low }) => low)),
        takeColumns(steps.map(({ high }) => high)),
      ].map((end) => convert(hlo, end, 'f64'));
      const t = spread(
        hlo.array(
          steps.map((step) => step.part),
          'f64',
        ),
        a,
      );
      const range = hlo.sub(b, a);
      const fromLow = hlo.add(a, hlo.mul(range, t));
      const fromHigh = hlo.sub(b, hlo.mul(range, hlo.sub(1, t)));
      const mixed = hlo.select(hlo.ge(t, 0.5), fromHigh, fromLow);
      found = convert(hlo, mixed, type);
    }
    const end = hlo.sliceInDim(rows, n - 1, n, 1, last); // NaNs come last
    if (classOf(hlo, end) === 'float') {
      const all = hlo.broadcastInDim(
        end,
        found.dims,
        rows.dims.map((/** @type {any} */ _, /** @type {number} */ d) => d),
      );
      found = hlo.select(hlo.ne(all, all), convert(hlo, all, type), found);
    }
    const rest = keepdims ? keptDims(array, axes) : rows.dims.slice(0, -1);
    return hlo.reshape(others.moveaxis(found, -1, 0), [...wanted.dims, ...rest]);
  };
  np.percentile = (x, given, options) => {
    if (given instanceof Value)
      throw new HloError('percentile takes numbers for q, not traced ones');
    const wanted = isOperand(given) ? hlo.convert(given, 'f64') : hlo.array(given, 'f64');
    return np.quantile(x, hlo.div(wanted, 100), options);
  };

  const isNumber = (/** @type {any} */ x) => hlo.eq(x, x);
  const hasNaN = (/** @type {any} */ x) => /float|complex/.test(classOf(hlo, x));
  for (const name of ['sum', 'prod', 'mean', 'var', 'std'])
    np[`nan${name}`] = (x, { where, ...options } = {}) => {
      const array = asArray(hlo, x);
      if (!hasNaN(array)) return others[name](array, { where, ...options });
      const valid =
        where === undefined ? isNumber(array) : others.logicalAnd(isNumber(array), where);
      return others[name](array, { where: valid, ...options });
    };
  for (const [name, which] of /** @type {[string, 0 | 1][]} */ ([
    ['max', 0],
    ['min', 1],
  ]))
    np[`nan${name}`] = (x, { where, initial, ...options } = {}) => {
      const array = asArray(hlo, x);
      if (!hasNaN(array)) return others[name](array, { where, initial, ...options });
      if (where !== undefined && initial === undefined)
        throw new HloError(
          `nan${name} where something holds takes an initial value: that may be nowhere`,
        );
      const valid =
        where === undefined ? isNumber(array) : others.logicalAnd(isNumber(array), where);
      const start = hlo.array(extremes(typeOf(hlo, array.type))[which], array.type);
      const filled = hlo.select(valid, array, hlo.broadcastInDim(start, array.dims, []));
      const found = others[name](filled, { initial, ...options });
      return initial === undefined
        ? hlo.select(others.any(valid, options), found, hlo.mul(found, NaN))
        : found;
    };
  np.ptp = (x, options) => others.subtract(others.max(x, options), others.min(x, options));

  np.average = (x, { axis, weights, returned = false, keepdims } = {}) => {
    const array = asFloat(hlo, x);
    if (weights === undefined) {
      const mean = others.mean(array, { axis, keepdims });
      const count = array.size / Math.max(1, mean.size);
      return returned
        ? [mean, hlo.broadcastInDim(hlo.array(count, mean.type), mean.dims, [])]
        : mean;
    }
    const given = asArray(hlo, weights, array.type);
    let spread = given;
    if (String(given.dims) !== String(array.dims)) {
      if (axis === undefined || axis === null)
        throw new ShapeError(`weights ${given.xla.text} of ${array.xla.text} take an axis`);
      const axes = axesOf(axis, array.rank);
      if (String(given.dims) !== String(axes.map((d) => array.dims[d])))
        throw new ShapeError(
          `weights ${given.xla.text} do not weigh axes ${axes} of ${array.xla.text}`,
        );
      spread = hlo.broadcastInDim(given, array.dims, axes);
    }
    const [values, factors] = promoteAndBroadcast(hlo, [array, spread]);
    const total = others.sum(factors, { axis, keepdims });
    const mean = hlo.div(others.sum(hlo.mul(values, factors), { axis, keepdims }), total);
    return returned ? [mean, total] : mean;
  };
  np.cov = (x, { y, rowvar = true, bias = false, ddof } = {}) => {
    if (typeof bias !== 'boolean') throw new HloError(`bias is true or false, got ${nameOf(bias)}`);
    /** One row for each variable. @param {any} given */
    const variableRows = (given) => {
      const array = asFloat(hlo, given);
      if (array.rank > 2)
        throw new ShapeError(`cov takes vectors and matrices, got ${array.xla.text}`);
      if (array.rank < 2) return hlo.reshape(array, [1, array.size]);
      return rowvar || array.dims[0] === 1 ? array : hlo.transpose(array);
    };
    const all =
      y === undefined ? variableRows(x) : others.concatenate([variableRows(x), variableRows(y)]);
    const less = ddof ?? (bias ? 0 : 1);
    if (!Number.isInteger(less)) throw new HloError(`ddof is an integer, got ${nameOf(less)}`);
    const centred = others.subtract(all, others.mean(all, { axis: 1, keepdims: true }));
    const isComplex = classOf(hlo, all) === 'complex';
    const conjugate = isComplex
      ? hlo.complex(hlo.real(centred), hlo.neg(hlo.imag(centred)))
      : centred;
    const sums = hlo.dot(centred, hlo.transpose(conjugate));
    const result = hlo.div(sums, Math.max(0, all.dims[1] - less));
    return others.squeeze(result);
  };

  np.nanToNum = (x, { nan = 0, posinf, neginf } = {}) => {
    const array = asArray(hlo, x);
    if (!hasNaN(array)) return array;
    const replaceNonFinite = (/** @type {any} */ part) => {
      const largest =
        { f16: 65504, bf16: 255 * 2 ** 120, f32: (2 - 2 ** -23) * 2 ** 127 }[
          /** @type {string} */ (part.type)
        ] ?? Number.MAX_VALUE;
      const numbers = hlo.select(
        isNumber(part),
        part,
        hlo.convert(asArray(hlo, nan, part.type), part.type),
      );
      const below = hlo.select(hlo.eq(part, Infinity), posinf ?? largest, numbers);
      return hlo.select(hlo.eq(part, -Infinity), neginf ?? -largest, below);
    };
    return classOf(hlo, array) === 'complex'
      ? hlo.complex(replaceNonFinite(hlo.real(array)), replaceNonFinite(hlo.imag(array)))
      : replaceNonFinite(array);
  };
  return np;
}
