// The gamma distribution and those that are made of it. G. Marsaglia, W. W. Tsang, "A simple method for generating gamma variables", 2000: an
// element that is rejected is drawn again with its own key, so that the elements do not depend on each other, as in JAX.
import {
  aboveMinusOne,
  exponential,
  keysOf,
  normal,
  normalOf,
  signs,
  splitWords,
  uniformOfEach,
} from './keys.js';
import { broadcastTo } from '../promotion.js';

/** @typedef {any} Hlo */
/** @typedef {import('./threefry.js').Words} Words */
/** @typedef {import('./continuous.js').Distribution} Distribution */

const ALL = /** @type {any} */ (undefined);

/** @param {Hlo} hlo @param {any} isTrue @returns {any} whether any element is true */
const any = (hlo, isTrue) => hlo.reduce(isTrue, hlo.array(false), 'or', ALL);

/**
 * Normal numbers x with 1 + x * scale above 0, and these sums, each of its own key.
 * @param {Hlo} hlo
 * @param {Words} keys
 * @param {any} scale
 * @param {any} isWanted whether the element is drawn at all
 */
function normalsAbove(hlo, keys, scale, isWanted) {
  const fill = (/** @type {any} */ number) => broadcastTo(hlo, number, scale.dims);
  const isOpen = (/** @type {any} */ sum) => hlo.le(sum, 0);
  // An element that nobody waits for is done from the beginning.
  const start = hlo.select(
    isWanted,
    fill(hlo.array(-1, scale.type)),
    fill(hlo.array(1, scale.type)),
  );
  const [, , x, sum] = hlo.while(
    (/** @type {any[]} */ ...[, , , sum]) => any(hlo, isOpen(sum)),
    (/** @type {any[]} */ ...[k0, k1, x, sum]) => {
      const [next, own] = splitWords(hlo, [k0, k1], 2);
      const { type } = scale;
      const drawn = normalOf(hlo, uniformOfEach(hlo, own, type, aboveMinusOne(type), 1));
      const replace = (/** @type {any} */ y, /** @type {any} */ old) =>
        hlo.select(isOpen(sum), y, old);
      const drawnSum = hlo.add(hlo.mul(drawn, scale), 1);
      return [
        replace(next[0], k0),
        replace(next[1], k1),
        replace(drawn, x),
        replace(drawnSum, sum),
      ];
    },
    [...keys, fill(hlo.array(0, scale.type)), start],
  );
  return [x, sum];
}

/**
 * Gamma-distributed numbers, or their logarithms, which do not underflow where a is small.
 * @param {Hlo} hlo
 * @param {Words} key
 * @param {number[]} dims
 * @param {string} type
 * @param {any} a
 * @param {boolean} isLog
 */
function drawGamma(hlo, key, dims, type, a, isLog) {
  const keys = keysOf(hlo, key, dims);
  const isLarge = hlo.ge(a, 1);
  const d = hlo.sub(hlo.select(isLarge, a, hlo.add(a, 1)), 1 / 3);
  const c = hlo.div(1 / 3, hlo.sqrt(d));
  const [drawing, boosting] = splitWords(hlo, keys, 2);
  const fill = (/** @type {number} */ number) => broadcastTo(hlo, hlo.array(number, type), dims);
  const isRejected = (/** @type {any} */ square, /** @type {any} */ cube, /** @type {any} */ u) => {
    const isFarOut = hlo.ge(u, hlo.sub(1, hlo.mul(hlo.mul(square, square), 0.0331)));
    const log = hlo.mul(d, hlo.add(hlo.sub(1, cube), hlo.log(cube)));
    return hlo.and(isFarOut, hlo.ge(hlo.log(u), hlo.add(hlo.mul(square, 0.5), log)));
  };
  const [, , , cube] = hlo.while(
    (/** @type {any[]} */ ...[, , square, cube, u]) => any(hlo, isRejected(square, cube, u)),
    (/** @type {any[]} */ ...[k0, k1, square, cube, u]) => {
      const isOpen = isRejected(square, cube, u);
      const replace = (/** @type {any} */ y, /** @type {any} */ old) => hlo.select(isOpen, y, old);
      const [next, forNormal, forUniform] = splitWords(hlo, [k0, k1], 3);
      const [x, v] = normalsAbove(hlo, forNormal, c, isOpen);
      return [
        replace(next[0], k0),
        replace(next[1], k1),
        replace(hlo.mul(x, x), square),
        replace(hlo.mul(hlo.mul(v, v), v), cube),
        replace(uniformOfEach(hlo, forUniform, type), u),
      ];
    },
    [...drawing, fill(0), fill(1), fill(2)],
  );
  // Below 1 the number for a + 1 is scaled by a power of a uniform one.
  if (!isLog) {
    const power = hlo.pow(hlo.sub(1, uniformOfEach(hlo, boosting, type)), hlo.div(1, a));
    return hlo.mul(hlo.mul(d, cube), hlo.select(isLarge, fill(1), power));
  }
  const log = hlo.log1p(hlo.neg(uniformOfEach(hlo, boosting, type)));
  const boost = hlo.select(hlo.or(isLarge, hlo.eq(log, 0)), fill(0), hlo.mul(log, hlo.div(1, a)));
  return hlo.add(hlo.add(hlo.log(d), hlo.log(cube)), boost);
}

/** @type {Distribution} */
const gamma = (hlo, key, dims, type, a) => drawGamma(hlo, key, dims, type, a, false);
/** @type {Distribution} */
const loggamma = (hlo, key, dims, type, a) => drawGamma(hlo, key, dims, type, a, true);

/** @type {Distribution} */
function beta(hlo, key, dims, type, a, b) {
  const [first, second] = splitWords(hlo, key, 2);
  const logs = [loggamma(hlo, first, dims, type, a), loggamma(hlo, second, dims, type, b)];
  const most = hlo.max(...logs);
  const [x, y] = logs.map((log) => hlo.exp(hlo.sub(log, most)));
  return hlo.div(x, hlo.add(x, y));
}

/** @type {Distribution} */
function chisquare(hlo, key, dims, type, df) {
  return hlo.mul(hlo.exp(loggamma(hlo, key, dims, type, hlo.div(df, 2))), 2);
}

/** @type {Distribution} */
function t(hlo, key, dims, type, df) {
  const [first, second] = splitWords(hlo, key, 2);
  const half = hlo.div(df, 2);
  const scale = hlo.sqrt(hlo.div(half, gamma(hlo, second, dims, type, half)));
  return hlo.mul(normal(hlo, first, dims, type), scale);
}

/** @type {Distribution} */
function f(hlo, key, dims, type, dfnum, dfden) {
  const [forDenominator, forNumerator] = splitWords(hlo, key, 2);
  const mean = (/** @type {Words} */ own, /** @type {any} */ df) =>
    hlo.div(chisquare(hlo, own, dims, type, df), df);
  return hlo.div(mean(forNumerator, dfnum), mean(forDenominator, dfden));
}

/** @type {Distribution} */
function generalizedNormal(hlo, key, dims, type, p) {
  const [first, second] = splitWords(hlo, key, 2);
  const inverse = hlo.div(1, p);
  const size = hlo.pow(gamma(hlo, first, dims, type, inverse), inverse);
  return hlo.mul(signs(hlo, second, dims, type), size);
}

/** Points of a ball in the p-norm, of dims.at(-1) coordinates. @type {Distribution} */
export function ball(hlo, key, dims, type, p) {
  const [first, second] = splitWords(hlo, key, 2);
  const x = generalizedNormal(hlo, first, dims, type, p);
  const last = dims.length - 1;
  const outer = dims.slice(0, last);
  const powers = hlo.reduce(hlo.pow(hlo.abs(x), p), hlo.array(0, type), 'add', [last]);
  const sum = hlo.add(powers, exponential(hlo, second, outer, type));
  const all = hlo.broadcastInDim(
    sum,
    dims,
    outer.map((_, d) => d),
  );
  return hlo.div(x, hlo.pow(all, hlo.div(1, p)));
}

/** Points of the simplex, of dims.at(-1) coordinates. @type {Distribution} */
export function dirichlet(hlo, key, dims, type, alpha) {
  const last = dims.length - 1;
  const kept = dims.slice(0, last).map((_, d) => d);
  const along = (/** @type {any} */ x, /** @type {number} */ start, /** @type {string} */ op) =>
    hlo.broadcastInDim(hlo.reduce(x, hlo.array(start, type), op, [last]), dims, kept);
  const logs = loggamma(hlo, key, dims, type, alpha);
  const powers = hlo.exp(hlo.sub(logs, along(logs, -Infinity, 'max')));
  return hlo.div(powers, along(powers, 0, 'add'));
}

/** By name. @type {Record<string, import('./continuous.js').Entry>} */
export const gammas = {
  gamma: { required: 'a', draw: gamma },
  loggamma: { required: 'a', draw: loggamma },
  beta: { required: 'a b', draw: beta },
  chisquare: { required: 'df', draw: chisquare },
  t: { required: 'df', draw: t },
  f: { required: 'dfnum dfden', draw: f },
  generalizedNormal: { required: 'p', draw: generalizedNormal },
};
