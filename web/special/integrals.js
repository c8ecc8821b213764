// Exponential integrals. M. Abramowitz, I. A. Stegun, "Handbook of mathematical functions", chapter 5.
import { choose, elementwise, iterate, polynomial } from './programs.js';

/** @typedef {any} Hlo */

const EULER = 0.5772156649015329;
const MOST_TERMS = 1000;
const EPSILON = 2 ** -53;
/** Below it E1 is its series: the fraction converges slowly there. */
const NEAR = 2;
/** From here on the asymptotic series of Ei is exact. */
const FAR = 40;

/** @param {Hlo} hlo @returns {Record<string, (...args: any[]) => any>} */
export function integralFunctions(hlo) {
  const fill = (/** @type {any} */ x, /** @type {number} */ number) =>
    hlo.broadcastInDim(hlo.array(number, x.type), x.dims, []);
  /** The sum of x^k / (k k!) for k from 1. @param {any} x */
  const series = (x) => {
    const [sum] = iterate(
      hlo,
      [x, x],
      ([total, power], k) => {
        const number = hlo.add(k, 1);
        const next = hlo.mul(power, hlo.div(x, number));
        const term = hlo.div(next, number);
        return {
          next: [hlo.add(total, term), next],
          isDone: hlo.le(hlo.abs(term), hlo.mul(hlo.abs(total), EPSILON)),
        };
      },
      MOST_TERMS,
    );
    return sum;
  };
  /** exp(x) times the integral of exp(-x t) / t^n from 1, by its continued fraction (Lentz's method). @param {any} n @param {any} x */
  const fraction = (n, x) => {
    const start = hlo.add(x, n);
    const [h] = iterate(
      hlo,
      [hlo.div(1, start), fill(x, 1e300), hlo.div(1, start), start],
      ([sum, c, d, b], k) => {
        const a = hlo.neg(hlo.mul(k, hlo.sub(hlo.add(n, k), 1)));
        const next = hlo.add(b, 2);
        const nextD = hlo.div(1, hlo.add(hlo.mul(a, d), next));
        const nextC = hlo.add(next, hlo.div(a, c));
        const factor = hlo.mul(nextC, nextD);
        return {
          next: [hlo.mul(sum, factor), nextC, nextD, next],
          isDone: hlo.le(hlo.abs(hlo.sub(factor, 1)), EPSILON * 2),
        };
      },
      MOST_TERMS,
    );
    return h;
  };
  const firstIntegral = (/** @type {any} */ x) => {
    const isNear = hlo.lt(x, NEAR);
    const near = hlo.select(isNear, hlo.max(x, 0), fill(x, 0.5));
    const bySeries = hlo.sub(hlo.sub(hlo.neg(hlo.log(near)), EULER), series(hlo.neg(near)));
    const far = hlo.select(hlo.and(hlo.ge(x, NEAR), hlo.lt(x, Infinity)), x, fill(x, 1e3));
    const byFraction = hlo.mul(fraction(fill(x, 1), far), hlo.exp(hlo.neg(far)));
    return choose(
      hlo,
      ...[hlo.or(hlo.lt(x, 0), hlo.ne(x, x)), fill(x, NaN)],
      ...[hlo.eq(x, 0), fill(x, Infinity), hlo.eq(x, Infinity), fill(x, 0)],
      hlo.select(isNear, bySeries, byFraction),
    );
  };
  const factorials = [1];
  for (let k = 1; k <= 40; k++) factorials.push(factorials[k - 1] * k);
  const exponentialIntegral = (/** @type {any} */ x) => {
    const near = hlo.clamp(hlo.array(0, x.type), x, hlo.array(FAR, x.type));
    const bySeries = hlo.add(hlo.add(series(near), hlo.log(near)), EULER);
    const far = hlo.max(x, FAR);
    const asymptotic = polynomial(hlo, hlo.div(1, far), factorials);
    const byPowers = hlo.mul(asymptotic, hlo.div(hlo.exp(far), far));
    return choose(
      hlo,
      ...[hlo.ne(x, x), x, hlo.eq(x, 0), fill(x, -Infinity), hlo.eq(x, Infinity), x],
      ...[hlo.lt(x, 0), hlo.neg(firstIntegral(hlo.neg(x)))],
      hlo.select(hlo.lt(x, FAR), bySeries, byPowers),
    );
  };
  /** By the recurrence from the first, which loses no digits for small x, or by the fraction. @param {any} n @param {any} x */
  const integralOfOrder = (n, x) => {
    const isFar = hlo.ge(x, 1);
    const far = hlo.select(hlo.and(isFar, hlo.lt(x, Infinity)), x, fill(x, 1e3));
    const byFraction = hlo.mul(fraction(hlo.max(n, 0), far), hlo.exp(hlo.neg(far)));
    const near = hlo.select(isFar, fill(x, 0.5), hlo.max(x, 0));
    const decay = hlo.exp(hlo.neg(near));
    const isOpen = (/** @type {any} */ k) => hlo.lt(hlo.add(k, 1), n);
    const atZero = hlo.eq(near, 0);
    const [order] = [fill(x, 0)];
    const [, recurrence] = iterate(
      hlo,
      [order, firstIntegral(near)],
      ([count, value], k) => {
        const product = hlo.select(atZero, fill(x, 0), hlo.mul(near, value));
        const next = hlo.div(hlo.sub(decay, product), k);
        return {
          next: [
            hlo.select(isOpen(count), hlo.add(count, 1), count),
            hlo.select(isOpen(count), next, value),
          ],
          isDone: hlo.not(isOpen(hlo.add(count, 1))),
        };
      },
      MOST_TERMS,
    );
    const isInvalid = hlo.or(
      hlo.or(hlo.lt(x, 0), hlo.lt(n, 0)),
      hlo.or(hlo.ne(x, x), hlo.ne(n, n)),
    );
    return choose(
      hlo,
      ...[isInvalid, fill(x, NaN), hlo.eq(n, 0), hlo.div(hlo.exp(hlo.neg(x)), x)],
      ...[hlo.eq(x, Infinity), fill(x, 0), isFar, byFraction],
      recurrence,
    );
  };
  return {
    exp1: elementwise(hlo, firstIntegral),
    expi: elementwise(hlo, exponentialIntegral),
    expn: elementwise(hlo, integralOfOrder),
  };
}
