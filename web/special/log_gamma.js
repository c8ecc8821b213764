// The logarithm of the absolute value of the gamma function in f64, by Stirling's series. It runs in a fused loop; its error is that of a number
// near 1, so that it is for exponentials and sums. Alone, gammaln is the operation lgamma, which is exact at its zeros, too.
import { polynomial } from './programs.js';

/** @typedef {any} Hlo */

/** Numbers below are moved up by it. */
const SHIFT = 8;
/** B(2k) / (2k (2k - 1)), the coefficients of x^(1 - 2k). */
const STIRLING = [
  1 / 12,
  -1 / 360,
  1 / 1260,
  -1 / 1680,
  1 / 1188,
  -691 / 360360,
  1 / 156,
  -3617 / 122400,
  43867 / 244188,
];

/** @param {Hlo} hlo @param {any} x above 0 */
function ofPositive(hlo, x) {
  const isSmall = hlo.lt(x, SHIFT);
  let product = x;
  for (let i = 1; i < SHIFT; i++) product = hlo.mul(product, hlo.add(x, i));
  const y = hlo.select(isSmall, hlo.add(x, SHIFT), x);
  const inverse = hlo.div(1, y);
  const series = hlo.mul(polynomial(hlo, hlo.mul(inverse, inverse), STIRLING), inverse);
  const main = hlo.sub(hlo.mul(hlo.sub(y, 0.5), hlo.log(y)), y);
  const sum = hlo.add(hlo.add(main, Math.log(2 * Math.PI) / 2), series);
  const infinite = hlo.select(hlo.eq(x, Infinity), x, sum);
  return hlo.select(isSmall, hlo.sub(sum, hlo.log(product)), infinite);
}

/** @param {Hlo} hlo @param {any} x */
export function logGamma(hlo, x) {
  const isNegative = hlo.lt(x, 0.5);
  const positive = ofPositive(hlo, hlo.select(isNegative, hlo.sub(1, x), x));
  // The reflection formula, with the sine's argument reduced exactly.
  const rest = hlo.sub(x, hlo.roundNearestEven(x));
  const sine = hlo.abs(hlo.sin(hlo.mul(rest, Math.PI)));
  return hlo.select(isNegative, hlo.sub(hlo.log(hlo.div(Math.PI, sine)), positive), positive);
}

/** The logarithm of the absolute value of the beta function. @param {Hlo} hlo @param {any} a @param {any} b */
export function logBeta(hlo, a, b) {
  const sum = hlo.add(a, b);
  const result = hlo.sub(hlo.add(logGamma(hlo, a), logGamma(hlo, b)), logGamma(hlo, sum));
  const lowest = hlo.broadcastInDim(hlo.array(-Infinity, a.type), a.dims, []);
  return hlo.select(hlo.eq(sum, Infinity), lowest, result);
}
