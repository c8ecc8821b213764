// The error function and the normal distribution.
import { choose, elementwise, floatsOf, polynomial } from './programs.js';

/** @typedef {any} Hlo */

const LOG_ROOT_2_PI = Math.log(2 * Math.PI) / 2;
/** From here on the asymptotic series of the logarithm is exact, and erfc is not yet 0. */
const FAR = -20;
/** Of 1 - 1/x² + 3/x⁴ - …, in 1/x²: odd factorials with alternating signs. */
const ASYMPTOTIC = (() => {
  const terms = [1];
  for (let k = 1; k <= 9; k++) terms.push(-terms[k - 1] * (2 * k - 1));
  return terms;
})();

/** @param {Hlo} hlo @returns {Record<string, (...args: any[]) => any>} */
export function normalFunctions(hlo) {
  const fill = (/** @type {any} */ x, /** @type {number} */ number) =>
    hlo.broadcastInDim(hlo.array(number, x.type), x.dims, []);
  const ndtr = (/** @type {any} */ x) => hlo.mul(hlo.erfc(hlo.mul(x, -Math.SQRT1_2)), 0.5);
  /** log ndtr of numbers below 0. @param {any} x */
  const logOfLower = (x) => {
    const far = hlo.min(x, FAR);
    const inverse = hlo.div(1, hlo.mul(far, far));
    const series = hlo.log(polynomial(hlo, inverse, ASYMPTOTIC));
    const half = hlo.mul(hlo.mul(far, far), -0.5);
    const tail = hlo.add(hlo.sub(hlo.sub(half, hlo.log(hlo.neg(far))), LOG_ROOT_2_PI), series);
    return hlo.select(hlo.lt(x, FAR), tail, hlo.log(ndtr(hlo.max(x, FAR))));
  };
  const logNdtr = (/** @type {any} */ x) =>
    choose(
      hlo,
      ...[hlo.eq(x, -Infinity), x, hlo.lt(x, 0), logOfLower(x)],
      hlo.log1p(hlo.neg(ndtr(hlo.neg(x)))),
    );
  /**
   * Newton's method on log ndtr from the approximation 26.2.23 of M. Abramowitz, I. A. Stegun, "Handbook of mathematical functions", which is off by
   * less than 4.5e-4: each step squares that.
   * @param {any} p at most 0.5
   */
  const lowerQuantile = (p) => {
    const logP = hlo.log(p);
    const t = hlo.sqrt(hlo.mul(logP, -2));
    const ratio = hlo.div(
      polynomial(hlo, t, [2.515517, 0.802853, 0.010328]),
      polynomial(hlo, t, [1, 1.432788, 0.189269, 0.001308]),
    );
    let x = hlo.sub(ratio, t);
    for (let step = 0; step < 3; step++) {
      const log = logOfLower(x);
      const logDensity = hlo.sub(hlo.mul(hlo.mul(x, x), -0.5), LOG_ROOT_2_PI);
      x = hlo.sub(x, hlo.mul(hlo.sub(log, logP), hlo.exp(hlo.sub(log, logDensity))));
    }
    return x;
  };
  const ndtri = (/** @type {any} */ p) => {
    const isUpper = hlo.gt(p, 0.5);
    const least = hlo.select(isUpper, hlo.sub(1, p), p);
    const isTail = hlo.and(hlo.gt(least, 0), hlo.lt(least, 0.1));
    const tail = lowerQuantile(hlo.select(isTail, least, fill(p, 0.1)));
    const middle = hlo.mul(hlo.erfInv(hlo.sub(hlo.mul(least, 2), 1)), Math.SQRT2);
    const x = hlo.select(isTail, tail, middle);
    return hlo.select(isUpper, hlo.neg(x), x);
  };
  /** @type {Record<string, (...args: any[]) => any>} */
  const special = {
    ndtr: elementwise(hlo, ndtr),
    ndtri: elementwise(hlo, ndtri),
    logNdtr: elementwise(hlo, logNdtr),
  };
  for (const [name, op] of [
    ['erf', 'erf'],
    ['erfc', 'erfc'],
    ['erfinv', 'erfInv'],
  ])
    special[name] = (/** @type {any[]} */ ...args) => hlo[op](...floatsOf(hlo, args));
  return special;
}
