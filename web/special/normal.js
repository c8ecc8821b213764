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
  const logNdtr = (/** @type {any} */ x) => {
    const far = hlo.min(x, FAR);
    const inverse = hlo.div(1, hlo.mul(far, far));
    const series = hlo.log(polynomial(hlo, inverse, ASYMPTOTIC));
    const half = hlo.mul(hlo.mul(far, far), -0.5);
    const tail = hlo.add(hlo.sub(hlo.sub(half, hlo.log(hlo.neg(far))), LOG_ROOT_2_PI), series);
    const near = hlo.log(ndtr(hlo.max(x, FAR)));
    return choose(
      hlo,
      ...[hlo.eq(x, -Infinity), fill(x, -Infinity)],
      ...[hlo.lt(x, FAR), tail, hlo.lt(x, 0), near],
      hlo.log1p(hlo.neg(ndtr(hlo.neg(x)))),
    );
  };
  /** Newton's method on log ndtr, which is concave: from the left it converges without overshooting. @param {any} p at most 0.5 */
  const lowerQuantile = (p) => {
    const logP = hlo.log(p);
    let x = hlo.neg(hlo.sqrt(hlo.mul(logP, -2)));
    for (let step = 0; step < 6; step++) {
      const log = logNdtr(x);
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
