// Modified Bessel functions of the first kind, of orders 0 and 1. M. Abramowitz, I. A. Stegun, "Handbook of mathematical functions", 9.6.10 and 9.7.1.
import { elementwise, polynomial } from './programs.js';

/** @typedef {any} Hlo */

/** Up to here the series in x²/4, all of whose terms are positive; beyond it the asymptotic one in 1/x. */
const FAR = 30;

/** Of the series in x²/4 of I(x) (2/x)^order. @param {number} order */
function seriesOf(order) {
  const terms = [1];
  for (let k = 1; k <= 60; k++) terms.push(terms[k - 1] / (k * (k + order)));
  return terms;
}

/** Of the series in 1/x of I(x) exp(-x) sqrt(2 pi x). @param {number} order */
function asymptoticOf(order) {
  const terms = [1];
  for (let k = 1; k <= 22; k++)
    terms.push((-terms[k - 1] * (4 * order * order - (2 * k - 1) ** 2)) / (8 * k));
  return terms;
}

/** @param {Hlo} hlo @returns {Record<string, (...args: any[]) => any>} */
export function besselFunctions(hlo) {
  const scaled = (/** @type {number} */ order) => (/** @type {any} */ x) => {
    const size = hlo.abs(x);
    const near = hlo.min(size, FAR);
    const squares = hlo.mul(hlo.mul(near, near), 0.25);
    const sum = hlo.mul(polynomial(hlo, squares, seriesOf(order)), hlo.exp(hlo.neg(near)));
    const first = order === 0 ? sum : hlo.mul(sum, hlo.mul(near, 0.5));
    const far = hlo.max(size, FAR);
    const series = polynomial(hlo, hlo.div(1, far), asymptoticOf(order));
    const second = hlo.div(series, hlo.sqrt(hlo.mul(far, 2 * Math.PI)));
    const all = hlo.select(hlo.lt(size, FAR), first, second);
    const known = hlo.select(hlo.ne(x, x), x, all);
    return order === 0 ? known : hlo.select(hlo.lt(x, 0), hlo.neg(known), known);
  };
  const unscaled = (/** @type {number} */ order) => (/** @type {any} */ x) => {
    // In two factors, of which neither overflows before the product does.
    const half = hlo.exp(hlo.mul(hlo.abs(x), 0.5));
    return hlo.mul(hlo.mul(scaled(order)(x), half), half); // of infinity NaN, as in SciPy
  };
  return {
    i0: elementwise(hlo, unscaled(0)),
    i0e: elementwise(hlo, scaled(0)),
    i1: elementwise(hlo, unscaled(1)),
    i1e: elementwise(hlo, scaled(1)),
  };
}
