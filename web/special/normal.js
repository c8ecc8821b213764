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

/** Up to this distance of p from 1/2 the first ratio of QUANTILE holds. */
const MIDDLE = 0.425;
/**
 * Ratios of polynomials for the quantile of p, relative errors about 1e-16: in 0.425² - (p - 1/2)², and, of r = √(-log p), in r - 1.6 up to r = 5 and in
 * r - 5 beyond. M. J. Wichura, "Algorithm AS 241: the percentage points of the normal distribution", 1988 (PPND16).
 */
const QUANTILE = {
  middle: {
    above: [
      ...[3.387132872796366608, 133.14166789178437745, 1971.5909503065514427],
      ...[13731.693765509461125, 45921.953931549871457, 67265.770927008700853],
      ...[33430.575583588128105, 2509.0809287301226727],
    ],
    below: [
      ...[1, 42.313330701600911252, 687.1870074920579083, 5394.1960214247511077],
      ...[21213.794301586595867, 39307.89580009271061, 28729.085735721942674],
      5226.495278852854561,
    ],
  },
  near: {
    above: [
      ...[1.42343711074968357734, 4.6303378461565452959, 5.7694972214606914055],
      ...[3.64784832476320460504, 1.27045825245236838258, 0.24178072517745061177],
      ...[0.0227238449892691845833, 7.7454501427834140764e-4],
    ],
    below: [
      ...[1, 2.05319162663775882187, 1.6763848301838038494, 0.68976733498510000455],
      ...[0.14810397642748007459, 0.0151986665636164571966, 5.475938084995344946e-4],
      1.05075007164441684324e-9,
    ],
  },
  far: {
    above: [
      ...[6.6579046435011037772, 5.4637849111641143699, 1.7848265399172913358],
      ...[0.29656057182850489123, 0.026532189526576123093, 1.2426609473880784386e-3],
      ...[2.71155556874348757815e-5, 2.01033439929228813265e-7],
    ],
    below: [
      ...[1, 0.59983220655588793769, 0.13692988092273580531, 0.0148753612908506148525],
      ...[7.868691311456132591e-4, 1.8463183175100546818e-5, 1.4215117583164458887e-7],
      2.04426310338993978564e-15,
    ],
  },
};

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
  const ndtri = (/** @type {any} */ p) => {
    const q = hlo.sub(p, 0.5);
    const isUpper = hlo.gt(q, 0);
    const ratio = (
      /** @type {any} */ x,
      /** @type {{ above: number[], below: number[] }} */ terms,
    ) => hlo.div(polynomial(hlo, x, terms.above), polynomial(hlo, x, terms.below));
    const middle = hlo.mul(q, ratio(hlo.sub(MIDDLE * MIDDLE, hlo.mul(q, q)), QUANTILE.middle));
    const least = hlo.select(isUpper, hlo.sub(1, p), p);
    const r = hlo.sqrt(hlo.neg(hlo.log(least)));
    const near = ratio(hlo.sub(r, 1.6), QUANTILE.near);
    const far = ratio(hlo.sub(hlo.min(r, 100), 5), QUANTILE.far);
    const size = hlo.select(hlo.le(r, 5), near, far);
    const tail = hlo.select(hlo.eq(least, 0), fill(p, Infinity), size);
    const isMiddle = hlo.le(hlo.abs(q), MIDDLE);
    return hlo.select(isMiddle, middle, hlo.select(isUpper, tail, hlo.neg(tail)));
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
