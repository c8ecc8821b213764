// Distributions of integers and booleans. Parts of programs, as those of continuous.js.
import { broadcastShapes, broadcastTo, typeOf } from '../promotion.js';
import { keysOf, randomBits, splitWords, uniform } from './keys.js';

/** @typedef {any} Hlo */
/** @typedef {import('./threefry.js').Words} Words */

const ALL = /** @type {any} */ (undefined);

/**
 * Integers from minval up to maxval, without it. Two draws of bits make one twice as wide, so that its remainder is nearly uniform.
 * @param {Hlo} hlo
 * @param {Words} key
 * @param {number[]} dims
 * @param {string} type
 * @param {any} minval of 64 bits, and of a shape that broadcasts; limits are computed with before they are broadcast
 * @param {any} maxval
 */
export function integersBetween(hlo, key, dims, type, minval, maxval) {
  const info = typeOf(hlo, type);
  const width = info.bits === 64 ? 64 : 32;
  const bits = `u${width}`;
  const [high, low] = splitWords(hlo, key, 2).map((own) => randomBits(hlo, own, dims, width));
  const own = broadcastShapes(minval.dims, maxval.dims);
  const [start, end] = [minval, maxval].map((limit) => broadcastTo(hlo, limit, own));
  const fill = (/** @type {bigint} */ number) => broadcastTo(hlo, hlo.array(number, bits), own);
  // 0 stands for all integers of the width: remainders by 0 leave a number as it is.
  const distance = hlo.select(hlo.le(end, start), fill(1n), hlo.convert(hlo.sub(end, start), bits));
  const half = hlo.rem(fill(2n ** BigInt(width / 2)), distance);
  const [span, factor, least] = [
    ...[distance, hlo.rem(hlo.mul(half, half), distance)],
    hlo.convert(start, bits),
  ].map((x) => broadcastTo(hlo, x, dims));
  const offset = hlo.add(hlo.mul(hlo.rem(high, span), factor), hlo.rem(low, span));
  return hlo.convert(hlo.add(least, hlo.rem(offset, span)), type);
}

/** Trials up to the first success. @param {Hlo} hlo @param {Words} key @param {number[]} dims @param {any} p */
export function geometric(hlo, key, dims, p) {
  const u = uniform(hlo, key, dims, p.type);
  const logs = hlo.log(hlo.select(hlo.eq(u, 0), hlo.array(1, p.type), u));
  return hlo.add(hlo.floor(hlo.div(logs, hlo.log1p(hlo.neg(p)))), 1);
}

/**
 * Poisson-distributed floats: products of uniform numbers for small rates (D. Knuth), transformed rejection for large ones (W. Hörmann,
 * "The transformed rejection method for generating Poisson random variables", 1993).
 * @param {Hlo} hlo
 * @param {Words} key
 * @param {number[]} dims
 * @param {any} rate
 */
export function poisson(hlo, key, dims, rate) {
  const fill = (/** @type {number} */ number) =>
    broadcastTo(hlo, hlo.array(number, rate.type), dims);
  const isSmall = hlo.or(hlo.ne(rate, rate), hlo.lt(rate, 10));
  const bySum = poissonBySum(hlo, key, dims, hlo.select(isSmall, rate, fill(0)));
  const large = hlo.select(isSmall, fill(1e5), rate);
  const rejected = poissonByRejection(hlo, key, dims, large, hlo.not(isSmall));
  return hlo.select(hlo.eq(rate, 0), fill(0), hlo.select(isSmall, bySum, rejected));
}

/** @param {Hlo} hlo @param {Words} key @param {number[]} dims @param {any} rate */
function poissonBySum(hlo, key, dims, rate) {
  const { type } = rate;
  const fill = (/** @type {number} */ number) => broadcastTo(hlo, hlo.array(number, type), dims);
  const isOpen = (/** @type {any} */ sum) => hlo.gt(sum, hlo.neg(rate));
  const [, , count] = hlo.while(
    (/** @type {any[]} */ ...[, , , sum]) => hlo.reduce(isOpen(sum), hlo.array(false), 'or', ALL),
    (/** @type {any[]} */ ...[k0, k1, count, sum]) => {
      const [next, own] = splitWords(hlo, [k0, k1], 2);
      const more = hlo.select(isOpen(sum), hlo.add(count, 1), count);
      return [...next, more, hlo.add(sum, hlo.log(uniform(hlo, own, dims, type)))];
    },
    [...key, fill(0), fill(0)],
  );
  return hlo.sub(count, 1);
}

/** @param {Hlo} hlo @param {Words} key @param {number[]} dims @param {any} rate at least 10 @param {any} isWanted */
function poissonByRejection(hlo, key, dims, rate, isWanted) {
  const b = hlo.add(hlo.mul(hlo.sqrt(rate), 2.53), 0.931);
  const a = hlo.add(hlo.mul(b, 0.02483), -0.059);
  const inverseAlpha = hlo.add(hlo.div(1.1328, hlo.sub(b, 3.4)), 1.1239);
  const limit = hlo.sub(0.9277, hlo.div(3.6224, hlo.sub(b, 2)));
  const logRate = hlo.log(rate);
  return byRejection(hlo, key, rate, isWanted, (u, v) => {
    const us = hlo.sub(0.5, hlo.abs(u));
    const k = hlo.floor(
      hlo.add(hlo.add(hlo.mul(hlo.add(hlo.div(hlo.mul(a, 2), us), b), u), rate), 0.43),
    );
    const scaled = hlo.div(hlo.mul(v, inverseAlpha), hlo.add(hlo.div(a, hlo.mul(us, us)), b));
    const density = hlo.sub(hlo.add(hlo.neg(rate), hlo.mul(k, logRate)), hlo.lgamma(hlo.add(k, 1)));
    const isInside = hlo.and(hlo.ge(us, 0.07), hlo.le(v, limit));
    const isOutside = hlo.or(hlo.lt(k, 0), hlo.and(hlo.lt(us, 0.013), hlo.gt(v, us)));
    const isBelow = hlo.le(hlo.log(scaled), density);
    return [k, hlo.or(isInside, hlo.and(hlo.not(isOutside), isBelow))];
  });
}

/**
 * Draws all elements until each was accepted once. The last accepted proposal counts, as in JAX, so that an element depends on how long the others
 * take; only where none is wanted at all nothing is drawn.
 * @param {Hlo} hlo
 * @param {Words} key
 * @param {any} like an array of the shape and the type
 * @param {any} isWanted of the elements
 * @param {(u: any, v: any) => [any, any]} propose a number and whether it is accepted, of uniform ones from -0.5 and 0 up to 0.5 and 1
 */
function byRejection(hlo, key, like, isWanted, propose) {
  const { dims, type } = like;
  const isAnyWanted = hlo.reduce(isWanted, hlo.array(false), 'or', ALL);
  const isOpen = broadcastTo(hlo, isAnyWanted, dims);
  const none = broadcastTo(hlo, hlo.array(-1, type), dims);
  const [, , , accepted] = hlo.while(
    (/** @type {any[]} */ ...[, , open]) => hlo.reduce(open, hlo.array(false), 'or', ALL),
    (/** @type {any[]} */ ...[k0, k1, open, accepted]) => {
      const [next, first, second] = splitWords(hlo, [k0, k1], 3);
      const u = hlo.sub(uniform(hlo, first, dims, type), 0.5);
      const [k, isAccepted] = propose(u, uniform(hlo, second, dims, type));
      return [...next, hlo.and(open, hlo.not(isAccepted)), hlo.select(isAccepted, k, accepted)];
    },
    [...key, isOpen, none],
  );
  return accepted;
}

/**
 * Binomially distributed floats: sums of geometric ones where few successes are expected (L. Devroye), transformed rejection elsewhere (W.
 * Hörmann, "The generation of binomial random variates", 1993).
 * @param {Hlo} hlo
 * @param {Words} key
 * @param {number[]} dims
 * @param {any} n
 * @param {any} p
 */
export function binomial(hlo, key, dims, n, p) {
  const { type } = n;
  const fill = (/** @type {number} */ number) => broadcastTo(hlo, hlo.array(number, type), dims);
  const isRare = hlo.lt(p, 0.5);
  const q = hlo.select(isRare, p, hlo.sub(1, p));
  const isNoCount = hlo.or(hlo.ne(n, n), hlo.lt(n, 0));
  const isInfinite = hlo.eq(hlo.abs(n), Infinity);
  const isNoChance = hlo.or(hlo.ne(q, q), hlo.lt(q, 0));
  const chance = hlo.select(isNoChance, fill(0.01), q);
  const isFew = hlo.or(isNoCount, hlo.le(hlo.mul(n, chance), 10));
  const whole = hlo.floor(n);
  const few = binomialBySum(hlo, key, dims, hlo.select(isFew, whole, fill(0)), chance);
  const many = binomialByRejection(
    hlo,
    key,
    dims,
    hlo.select(isFew, fill(1e4), whole),
    hlo.select(isFew, fill(0.5), chance),
    hlo.not(isFew),
  );
  const counts = hlo.select(isFew, few, many);
  const isInvalid = hlo.or(isNoChance, isNoCount);
  const endless = hlo.and(isInfinite, hlo.not(isInvalid));
  const valid = hlo.select(endless, fill(Infinity), hlo.select(isInvalid, fill(NaN), counts));
  const isKept = hlo.or(hlo.or(isRare, isNoCount), hlo.or(hlo.ne(q, q), isInfinite));
  return hlo.select(isKept, valid, hlo.sub(whole, valid));
}

/** @param {Hlo} hlo @param {Words} key @param {number[]} dims @param {any} n @param {any} p */
function binomialBySum(hlo, key, dims, n, p) {
  const { type } = n;
  const zeros = broadcastTo(hlo, hlo.array(0, type), dims);
  const scale = hlo.log1p(hlo.neg(p));
  const isOpen = (/** @type {any} */ sum) => hlo.le(sum, n);
  const [, , count] = hlo.while(
    (/** @type {any[]} */ ...[, , , sum]) => hlo.reduce(isOpen(sum), hlo.array(false), 'or', ALL),
    (/** @type {any[]} */ ...[k0, k1, count, sum]) => {
      const [own, next] = splitWords(hlo, [k0, k1], 2);
      const more = hlo.select(isOpen(sum), hlo.add(count, 1), count);
      const trials = hlo.ceil(hlo.div(hlo.log(uniform(hlo, own, dims, type)), scale));
      return [...next, more, hlo.add(sum, trials)];
    },
    [...key, zeros, zeros],
  );
  return hlo.sub(count, 1);
}

/**
 * Counts of categories that sum to n, category after category: each takes a binomial part of what is left.
 * @param {Hlo} hlo
 * @param {Words} key
 * @param {any} n of the outer shape
 * @param {any} ratios [categories, ...outer]: the probability of each among it and those after it
 * @returns {any} [categories, ...outer]
 */
export function multinomial(hlo, key, n, ratios) {
  const keys = keysOf(hlo, key, [ratios.dims[0]]);
  const [counts] = hlo.scan(
    (/** @type {any[]} */ ...[ratio, k0, k1, left]) => {
      const p = hlo.clamp(hlo.array(0, ratio.type), ratio, hlo.array(1, ratio.type));
      const count = binomial(hlo, [k0, k1], n.dims, left, p);
      return [count, hlo.sub(left, count)];
    },
    [ratios, ...keys],
    [n],
  );
  return counts;
}

/** What Stirling's approximation of log k! lacks, for k from 0 to 9. */
const STIRLING_TAILS = (() => {
  let logFactorial = 0;
  return Array.from({ length: 10 }, (_, k) => {
    logFactorial += Math.log(Math.max(k, 1));
    const approximation = (k + 0.5) * Math.log(k + 1) - (k + 1) + Math.log(2 * Math.PI) / 2;
    return logFactorial - approximation;
  });
})();

/** @param {Hlo} hlo @param {any} k @param {number[]} dims */
function stirlingTail(hlo, k, dims) {
  const small = hlo.clamp(hlo.array(0, k.type), k, hlo.array(9, k.type));
  const next = hlo.add(small, 1);
  const square = hlo.mul(next, next);
  const series = hlo.sub(1 / 12, hlo.div(hlo.sub(1 / 360, hlo.div(1 / 1260, square)), square));
  const tail = STIRLING_TAILS.reduce(
    (rest, number, i) =>
      hlo.select(hlo.eq(small, i), broadcastTo(hlo, hlo.array(number, k.type), dims), rest),
    small,
  );
  return hlo.select(hlo.le(k, 9), tail, hlo.div(series, next));
}

/** @param {Hlo} hlo @param {Words} key @param {number[]} dims @param {any} n @param {any} p at most 0.5 @param {any} isWanted */
function binomialByRejection(hlo, key, dims, n, p, isWanted) {
  const deviation = hlo.sqrt(hlo.mul(hlo.mul(n, p), hlo.sub(1, p)));
  const b = hlo.add(hlo.mul(deviation, 2.53), 1.15);
  const a = hlo.add(hlo.add(hlo.mul(b, 0.0248), -0.0873), hlo.mul(p, 0.01));
  const c = hlo.add(hlo.mul(n, p), 0.5);
  const limit = hlo.sub(0.92, hlo.div(4.2, b));
  const odds = hlo.div(p, hlo.sub(1, p));
  const alpha = hlo.mul(hlo.add(hlo.div(5.1, b), 2.83), deviation);
  const m = hlo.floor(hlo.mul(hlo.add(n, 1), p));
  const tail = (/** @type {any} */ k) => stirlingTail(hlo, k, dims);
  return byRejection(hlo, key, n, isWanted, (u, v) => {
    const us = hlo.sub(0.5, hlo.abs(u));
    const k = hlo.floor(hlo.add(hlo.mul(hlo.add(hlo.div(hlo.mul(a, 2), us), b), u), c));
    const isInside = hlo.and(hlo.ge(us, 0.07), hlo.le(v, limit));
    const isOutside = hlo.or(hlo.lt(k, 0), hlo.gt(k, n));
    const scaled = hlo.log(hlo.div(hlo.mul(v, alpha), hlo.add(hlo.div(a, hlo.mul(us, us)), b)));
    const [rest, restOfMode] = [hlo.sub(n, k), hlo.sub(n, m)];
    const next = (/** @type {any} */ x) => hlo.add(x, 1);
    const modeTerm = hlo.mul(
      hlo.add(m, 0.5),
      hlo.log(hlo.div(next(m), hlo.mul(odds, next(restOfMode)))),
    );
    const restTerm = hlo.mul(next(n), hlo.log(hlo.div(next(restOfMode), next(rest))));
    const ownTerm = hlo.mul(hlo.add(k, 0.5), hlo.log(hlo.div(hlo.mul(odds, next(rest)), next(k))));
    const tails = hlo.sub(hlo.sub(hlo.add(tail(m), tail(restOfMode)), tail(k)), tail(rest));
    const bound = hlo.add(hlo.add(hlo.add(modeTerm, restTerm), ownTerm), tails);
    const isBelow = hlo.le(scaled, bound);
    return [k, hlo.or(isInside, hlo.and(hlo.not(isOutside), isBelow))];
  });
}
