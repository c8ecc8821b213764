// NumPy's statistics besides means and variances: covariances, weighted averages, and reductions that ignore NaN.
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
 * @param {Hlo} hlo
 * @param {Record<string, (...args: any[]) => any>} others NumPy's functions that these are made of
 * @returns {Record<string, (...args: any[]) => any>}
 */
export function statisticsFunctions(hlo, others) {
  /** @type {Record<string, (...args: any[]) => any>} */
  const np = {};
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
