// Activation functions: of each element, or normalised along an axis.
import { asArray, asFloat, axesOf, broadcastTo } from '../numpy/promotion.js';

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
  const softmax = hlo.jit((/** @type {any} */ x, /** @type {any} */ axis) => {
    const axes = axesOf(axis, x.rank);
    const along = (/** @type {string} */ op, /** @type {any} */ y, /** @type {number} */ start) => {
      const all = hlo.reduce(y, hlo.array(start, y.type), op, axes);
      const kept = y.dims.map((/** @type {number} */ size, /** @type {number} */ d) =>
        axes.includes(d) ? 1 : size,
      );
      return broadcastTo(hlo, hlo.reshape(all, kept), y.dims);
    };
    const powers = hlo.exp(hlo.sub(x, along('max', x, -Infinity)));
    return hlo.div(powers, along('add', powers, 0));
  });
  nn.softmax = (x, { axis = -1 } = {}) => softmax(asFloat(hlo, x), axis);
  return nn;
}
