// The regularised incomplete gamma and beta functions, by series and continued fractions.
import { logBeta, logGamma } from './log_gamma.js';
import { choose, elementwise, iterate } from './programs.js';

/** @typedef {any} Hlo */

const MOST_TERMS = 20000;
const EPSILON = 2 ** -53;
/** Stands for 0 in denominators of continued fractions (Lentz). */
const TINY = 1e-300;

/** @param {Hlo} hlo @returns {Record<string, (...args: any[]) => any>} */
export function incompleteFunctions(hlo) {
  const fill = (/** @type {any} */ x, /** @type {number} */ number) =>
    hlo.broadcastInDim(hlo.array(number, x.type), x.dims, []);
  /** The lower regularised function by its series, for x below a + 1. @param {any} a @param {any} x */
  const lowerBySeries = (a, x) => {
    const [sum] = iterate(
      hlo,
      [hlo.div(1, a), hlo.div(1, a)],
      ([total, term], k) => {
        const next = hlo.mul(term, hlo.div(x, hlo.add(a, k)));
        return {
          next: [hlo.add(total, next), next],
          isDone: hlo.le(hlo.abs(next), hlo.mul(hlo.abs(total), EPSILON)),
        };
      },
      MOST_TERMS,
    );
    return sum;
  };
  /** The upper one by its continued fraction (Lentz's method), for x above a + 1. @param {any} a @param {any} x */
  const upperByFraction = (a, x) => {
    const b = hlo.sub(hlo.add(x, 1), a);
    const notZero = (/** @type {any} */ y) =>
      hlo.select(hlo.lt(hlo.abs(y), TINY), fill(x, TINY), y);
    const first = hlo.div(1, notZero(b));
    const [h] = iterate(
      hlo,
      [first, fill(x, 1 / TINY), first, b],
      ([fraction, c, d, denominator], k) => {
        const numerator = hlo.mul(hlo.neg(k), hlo.sub(k, a));
        const next = hlo.add(denominator, 2);
        const nextD = hlo.div(1, notZero(hlo.add(hlo.mul(numerator, d), next)));
        const nextC = notZero(hlo.add(next, hlo.div(numerator, c)));
        const factor = hlo.mul(nextC, nextD);
        return {
          next: [hlo.mul(fraction, factor), nextC, nextD, next],
          isDone: hlo.le(hlo.abs(hlo.sub(factor, 1)), EPSILON * 2),
        };
      },
      MOST_TERMS,
    );
    return h;
  };
  /** The lower and the upper regularised incomplete gamma function. @param {any} a @param {any} x */
  const incompleteGamma = (a, x) => {
    const isOrdinary = hlo.and(
      hlo.and(hlo.gt(a, 0), hlo.gt(x, 0)),
      hlo.and(hlo.lt(a, Infinity), hlo.lt(x, Infinity)),
    );
    const isBelow = hlo.lt(x, hlo.add(a, 1));
    // Each way sees only what it is for; the other elements are set to what is done at once.
    const safe = (/** @type {any} */ isIts, /** @type {any} */ y, /** @type {number} */ other) =>
      hlo.select(hlo.and(isOrdinary, isIts), y, fill(y, other));
    const [seriesA, seriesX] = [safe(isBelow, a, 1), safe(isBelow, x, 0)];
    const isAbove = hlo.not(isBelow);
    const [fractionA, fractionX] = [safe(isAbove, a, 1), safe(isAbove, x, 1e3)];
    const scale = (/** @type {any} */ p, /** @type {any} */ y) =>
      hlo.exp(hlo.sub(hlo.sub(hlo.mul(p, hlo.log(y)), y), logGamma(hlo, p)));
    const lower = hlo.mul(lowerBySeries(seriesA, seriesX), scale(seriesA, seriesX));
    const upper = hlo.mul(upperByFraction(fractionA, fractionX), scale(fractionA, fractionX));
    const [one, zero, none] = [1, 0, NaN].map((number) => fill(x, number));
    const isInvalid = hlo.or(
      hlo.or(hlo.lt(a, 0), hlo.lt(x, 0)),
      hlo.or(hlo.ne(a, a), hlo.ne(x, x)),
    );
    const [xIsZero, aIsZero] = [hlo.eq(x, 0), hlo.eq(a, 0)];
    const [xIsInfinite, aIsInfinite] = [hlo.eq(x, Infinity), hlo.eq(a, Infinity)];
    const edge = (/** @type {any} */ low, /** @type {any} */ high, /** @type {any} */ inside) =>
      choose(
        hlo,
        ...[isInvalid, none],
        ...[aIsZero, hlo.select(xIsZero, none, high)],
        ...[aIsInfinite, hlo.select(xIsInfinite, none, low)],
        ...[xIsZero, low, xIsInfinite, high],
        inside,
      );
    return [
      edge(zero, one, hlo.select(isBelow, lower, hlo.sub(1, upper))),
      edge(one, zero, hlo.select(isBelow, hlo.sub(1, lower), upper)),
    ];
  };

  /** The regularised incomplete beta function by its continued fraction (Lentz's method). @param {any} a @param {any} b @param {any} x */
  const betaByFraction = (a, b, x) => {
    const notZero = (/** @type {any} */ y) =>
      hlo.select(hlo.lt(hlo.abs(y), TINY), fill(x, TINY), y);
    const sum = hlo.add(a, b);
    const start = hlo.div(1, notZero(hlo.sub(1, hlo.div(hlo.mul(sum, x), hlo.add(a, 1)))));
    const [h] = iterate(
      hlo,
      [start, fill(x, 1), start],
      ([fraction, c, d], m) => {
        const double = hlo.add(m, m);
        const even = hlo.div(
          hlo.mul(hlo.mul(m, hlo.sub(b, m)), x),
          hlo.mul(hlo.add(hlo.sub(a, 1), double), hlo.add(a, double)),
        );
        const odd = hlo.div(
          hlo.neg(hlo.mul(hlo.mul(hlo.add(a, m), hlo.add(sum, m)), x)),
          hlo.mul(hlo.add(a, double), hlo.add(hlo.add(a, 1), double)),
        );
        const step = (
          /** @type {any} */ number,
          /** @type {any} */ oldC,
          /** @type {any} */ oldD,
        ) => [
          notZero(hlo.add(1, hlo.div(number, oldC))),
          hlo.div(1, notZero(hlo.add(1, hlo.mul(number, oldD)))),
        ];
        const [middleC, middleD] = step(even, c, d);
        const [nextC, nextD] = step(odd, middleC, middleD);
        const factor = hlo.mul(nextC, nextD);
        const both = hlo.mul(hlo.mul(middleC, middleD), factor);
        return {
          next: [hlo.mul(fraction, both), nextC, nextD],
          isDone: hlo.le(hlo.abs(hlo.sub(factor, 1)), EPSILON * 2),
        };
      },
      MOST_TERMS,
    );
    const front = hlo.exp(
      hlo.sub(
        hlo.add(hlo.mul(a, hlo.log(x)), hlo.mul(b, hlo.log1p(hlo.neg(x)))),
        logBeta(hlo, a, b),
      ),
    );
    return hlo.div(hlo.mul(front, h), a);
  };
  const betainc = (/** @type {any} */ a, /** @type {any} */ b, /** @type {any} */ x) => {
    const isInside = hlo.and(hlo.gt(x, 0), hlo.lt(x, 1));
    const isValid = hlo.and(hlo.gt(a, 0), hlo.gt(b, 0));
    const isFinite = hlo.and(hlo.lt(a, Infinity), hlo.lt(b, Infinity));
    const isOrdinary = hlo.and(isInside, hlo.and(isValid, isFinite));
    const [p, q, y] = [a, b, x].map((given, i) =>
      hlo.select(isOrdinary, given, fill(given, i < 2 ? 1 : 0.5)),
    );
    // The fraction converges fast on the near side of the mean.
    const isSwapped = hlo.gt(y, hlo.div(hlo.add(p, 1), hlo.add(hlo.add(p, q), 2)));
    const swap = (/** @type {any} */ own, /** @type {any} */ other) =>
      hlo.select(isSwapped, other, own);
    const result = betaByFraction(swap(p, q), swap(q, p), swap(y, hlo.sub(1, y)));
    const inside = hlo.select(isSwapped, hlo.sub(1, result), result);
    const isWithin = hlo.and(hlo.ge(x, 0), hlo.le(x, 1));
    return choose(
      hlo,
      ...[hlo.not(hlo.and(hlo.and(isValid, isFinite), isWithin)), fill(x, NaN)],
      ...[hlo.le(x, 0), fill(x, 0), hlo.ge(x, 1), fill(x, 1)],
      inside,
    );
  };
  return {
    gammainc: elementwise(hlo, (a, x) => incompleteGamma(a, x)[0]),
    gammaincc: elementwise(hlo, (a, x) => incompleteGamma(a, x)[1]),
    betainc: elementwise(hlo, betainc),
  };
}
