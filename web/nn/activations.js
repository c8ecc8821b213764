// Activation functions: of each element, or normalised along an axis.
import { asArray, asFloat } from '../numpy/promotion.js';

/** @typedef {any} Hlo */

/** @param {Hlo} hlo @returns {Record<string, (...args: any[]) => any>} */
export function activationFunctions(hlo) {
  /** @type {Record<string, (...args: any[]) => any>} */
  const nn = {};
  nn.relu = (value) => {
    const x = asArray(hlo, value);
    return hlo.max(x, hlo.array(0, x.type));
  };
  nn.sigmoid = (x) => hlo.logistic(asFloat(hlo, x));
  return nn;
}
