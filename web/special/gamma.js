// The gamma function and its kin: beta, factorial, binomial coefficients.
import { HloError } from '../errors.js';
import { nameOf } from '../options.js';
import { asFloat } from '../numpy/promotion.js';
import { logBeta, logGamma } from './log_gamma.js';
import { choose, elementwise, floatsOf } from './programs.js';

/** @typedef {any} Hlo */

/** @param {Hlo} hlo @returns {Record<string, (...args: any[]) => any>} */
export function gammaFunctions(hlo) {
  const logGammaOf = (/** @type {any} */ x) => logGamma(hlo, x);
  const isWhole = (/** @type {any} */ x) => hlo.eq(hlo.floor(x), x);
  const isOdd = (/** @type {any} */ x) => hlo.ne(hlo.floor(hlo.mul(x, 0.5)), hlo.mul(x, 0.5));
  const fill = (/** @type {any} */ x, /** @type {number} */ number) =>
    hlo.broadcastInDim(hlo.array(number, x.type), x.dims, []);
  /** 1 or -1; NaN at the poles. @param {any} x */
  const signOfGamma = (x) => {
    const sign = hlo.select(isOdd(hlo.floor(x)), fill(x, -1), fill(x, 1));
    const isNegative = hlo.lt(x, 0);
    const below = choose(hlo, isWhole(x), fill(x, NaN), sign);
    const atZero = hlo.div(1, x); // of the sign of the zero
    return choose(
      hlo,
      hlo.eq(x, 0),
      hlo.sign(atZero),
      isNegative,
      below,
      hlo.ne(x, x),
      x,
      fill(x, 1),
    );
  };
  const gamma = (/** @type {any} */ x) => {
    // Products for small whole numbers, whose gamma function is exact.
    let product = fill(x, 1);
    for (let k = 2; k <= 22; k++)
      product = hlo.select(hlo.ge(x, k + 1), hlo.mul(product, k), product);
    const isSmallWhole = hlo.and(isWhole(x), hlo.and(hlo.ge(x, 1), hlo.le(x, 23)));
    const isPole = hlo.eq(x, -Infinity);
    const general = hlo.mul(hlo.exp(logGammaOf(x)), signOfGamma(x));
    return choose(hlo, isSmallWhole, product, isPole, fill(x, NaN), general);
  };
  const betaln = (/** @type {any} */ a, /** @type {any} */ b) => logBeta(hlo, a, b);
  const logBinomial = (/** @type {any} */ n, /** @type {any} */ k) => {
    const part = (/** @type {any} */ x) => logGammaOf(hlo.add(x, 1));
    return hlo.sub(hlo.sub(part(n), part(k)), part(hlo.sub(n, k)));
  };
  const comb = (/** @type {any} */ n, /** @type {any} */ k) => {
    const size = hlo.exp(logBinomial(n, k));
    const areWhole = hlo.and(isWhole(n), isWhole(k));
    const exact = hlo.select(
      hlo.and(areWhole, hlo.lt(size, 2 ** 46)),
      hlo.roundNearestEven(size),
      size,
    );
    const isNone = hlo.or(hlo.or(hlo.lt(k, 0), hlo.gt(k, n)), hlo.lt(n, 0));
    return hlo.select(isNone, fill(n, 0), exact);
  };

  /** @type {Record<string, (...args: any[]) => any>} */
  const special = {
    gamma: elementwise(hlo, gamma),
    gammasgn: elementwise(hlo, signOfGamma),
    betaln: elementwise(hlo, betaln),
    beta: elementwise(hlo, (a, b) => {
      const signs = hlo.mul(hlo.mul(signOfGamma(a), signOfGamma(b)), signOfGamma(hlo.add(a, b)));
      return hlo.mul(hlo.exp(betaln(a, b)), signs);
    }),
    poch: elementwise(hlo, (z, m) => {
      const sum = hlo.add(z, m);
      const size = hlo.exp(hlo.sub(logGammaOf(sum), logGammaOf(z)));
      const signed = hlo.mul(size, hlo.mul(signOfGamma(sum), signOfGamma(z)));
      return hlo.select(hlo.eq(m, 0), fill(z, 1), signed);
    }),
    zeta: elementwise(hlo, (x, q) => hlo.zeta(x, q)),
    polygamma: elementwise(hlo, (n, x) => hlo.polygamma(n, x)),
  };
  const { zeta } = special;
  special.zeta = (x, { q = 1 }) => zeta(x, q, {});
  const factorials = elementwise(hlo, (n) =>
    hlo.select(hlo.lt(n, 0), fill(n, 0), gamma(hlo.add(n, 1))),
  );
  special.factorial = (n, { exact = false }) => {
    if (exact) throw new HloError('exact results need integers of any length: exact is false');
    return factorials(n, {});
  };
  const combs = elementwise(hlo, comb);
  const repeated = elementwise(hlo, (n, k) => {
    const number = comb(hlo.sub(hlo.add(n, k), 1), k);
    return hlo.select(hlo.and(hlo.eq(n, 0), hlo.eq(k, 0)), fill(n, 1), number);
  });
  special.comb = (n, k, { repetition = false }) => (repetition ? repeated : combs)(n, k, {});
  const multigamma = hlo.jit((/** @type {any} */ x, /** @type {number} */ d) => {
    const wide = hlo.convert(x, 'f64');
    let sum = fill(wide, (d * (d - 1) * Math.log(Math.PI)) / 4);
    for (let j = 0; j < d; j++) sum = hlo.add(sum, logGammaOf(hlo.sub(wide, j / 2)));
    return hlo.convert(sum, x.type);
  });
  special.multigammaln = (a, d) => {
    if (!Number.isInteger(d) || d < 1)
      throw new HloError(`d is a whole number above 0, got ${nameOf(d)}`);
    return multigamma(asFloat(hlo, a), d);
  };
  for (const [name, op] of [
    ['gammaln', 'lgamma'],
    ['loggamma', 'lgamma'],
    ['digamma', 'digamma'],
  ])
    special[name] = (/** @type {any[]} */ ...args) => hlo[op](...floatsOf(hlo, args));
  return special;
}
