// NumPy's statistics that pass over NaN, where these are more than sums: positions, medians, quantiles, cumulative sums.
import { HloArray } from '../array.js';
import { HloError, ShapeError } from '../errors.js';
import {
  asArray,
  axesOf,
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
 * @param {Record<string, (...args: any[]) => any>} others NumPy's functions that these are made of
 * @returns {Record<string, (...args: any[]) => any>}
 */
export function nanStatisticsFunctions(hlo, others) {
  /** @type {Record<string, (...args: any[]) => any>} */
  const np = {};
  const hasNaN = (/** @type {any} */ x) => /float|complex/.test(classOf(hlo, x));
  const isNaN = (/** @type {any} */ x) => hlo.ne(x, x);
  const replaced = (/** @type {any} */ x, /** @type {any} */ value) =>
    hlo.select(isNaN(x), hlo.broadcastInDim(hlo.array(value, x.type), x.dims, []), x);
  for (const [name, neutral] of /** @type {[string, number][]} */ ([
    ['cumsum', 0],
    ['cumprod', 1],
  ]))
    np[`nan${name}`] = (value, options) => {
      const x = asArray(hlo, value);
      return others[name](hasNaN(x) ? replaced(x, neutral) : x, options);
    };
  for (const [name, which] of /** @type {[string, 0 | 1][]} */ ([
    ['argmax', 0],
    ['argmin', 1],
  ]))
    np[`nan${name}`] = (value, options = {}) => {
      const x = asArray(hlo, value);
      if (!hasNaN(x)) return others[name](x, options);
      const isNone = others.all(isNaN(x), { axis: options.axis, keepdims: options.keepdims });
      if (isNone instanceof HloArray && others.any(isNone).item())
        throw new HloError(`nan${name} finds nothing but NaN`);
      const found = others[name](replaced(x, extremes(typeOf(hlo, x.type))[which]), options);
      return isNone instanceof HloArray ? found : hlo.select(isNone, -1, found); // as in JAX
    };
  return np;
}
