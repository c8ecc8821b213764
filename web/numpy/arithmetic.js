// NumPy's elementwise functions that consist of several operations: floor division, rounding to decimals, logarithms to other
// bases, hypot. Called on arrays, each runs as one program.
import { HloError } from '../errors.js';
import {
  asArray,
  asFloat,
  classOf,
  computeWider,
  mapParts,
  promoteAndBroadcast,
  scaleComplex,
  typeOf,
  withoutBooleans,
} from './promotion.js';

/** @typedef {any} Hlo */

/** log10(2) in two parts: the first has 41 bits, so that its products with exponents are exact. */
const LOG10_2_HIGH = 1323943922167 / 2 ** 42;
const LOG10_2_LOW = 1.42050232272661e-13;

/** @param {Hlo} hlo @returns {Record<string, (...args: any[]) => any>} */
export function arithmeticFunctions(hlo) {
  /** @type {Record<string, (...args: any[]) => any>} */
  const np = {};
  const complexError = (/** @type {string} */ name) =>
    new HloError(`${name} takes no complex numbers`);
  /** A function of two arguments. @param {string} name @param {(x: any, y: any) => any} f @param {typeof asFloat} [as] */
  const pairwise = (name, f, as = withoutBooleans) => {
    const program = hlo.jit(f);
    return (/** @type {any} */ a, /** @type {any} */ b) => {
      const [x, y] = promoteAndBroadcast(hlo, [a, b]);
      if (classOf(hlo, x) === 'complex') throw complexError(name);
      return program(as(hlo, x), as(hlo, y));
    };
  };
  const byKind =
    (
      /** @type {(x: any, y: any) => any} */ ofFloats,
      /** @type {(x: any, y: any) => any} */ ofIntegers,
    ) =>
    (/** @type {any} */ x, /** @type {any} */ y) => {
      if (classOf(hlo, x) === 'float') return computeWider(hlo, [x, y], 'f32', ofFloats);
      const divisor = hlo.select(hlo.eq(y, 0), hlo.add(hlo.mul(y, 0), 1), y);
      return hlo.select(hlo.eq(y, 0), hlo.mul(y, 0), ofIntegers(x, divisor)); // as NumPy divides by 0
    };
  const isOpposite = (/** @type {any} */ x, /** @type {any} */ y) =>
    hlo.ne(hlo.lt(x, 0), hlo.lt(y, 0));

  np.floorDivide = pairwise(
    'floorDivide',
    byKind(
      (x, y) => {
        // As Python's float_divmod: without the remainder the quotient is nearly an integer, and is rounded to one.
        const rest = hlo.rem(x, y);
        const whole = hlo.div(hlo.sub(x, rest), y);
        const isBelow = hlo.and(hlo.ne(rest, 0), isOpposite(rest, y));
        const quotient = hlo.select(isBelow, hlo.sub(whole, 1), whole);
        const floor = hlo.floor(quotient);
        const near = hlo.select(hlo.gt(hlo.sub(quotient, floor), 0.5), hlo.add(floor, 1), floor);
        const rawQuotient = hlo.div(x, y);
        const result = hlo.select(hlo.eq(quotient, 0), hlo.mul(rawQuotient, 0), near); // with the quotient's sign
        return hlo.select(hlo.eq(y, 0), rawQuotient, result);
      },
      (x, y) => {
        const quotient = hlo.div(x, y);
        if (classOf(hlo, x) === 'unsigned') return quotient;
        const isBelow = hlo.and(hlo.ne(hlo.rem(x, y), 0), isOpposite(x, y));
        return hlo.select(isBelow, hlo.sub(quotient, 1), quotient);
      },
    ),
  );
  np.mod = pairwise(
    'mod',
    byKind(
      (x, y) => {
        const rest = hlo.rem(x, y);
        const differsInSign = hlo.and(hlo.ne(rest, 0), isOpposite(rest, y));
        const sum = hlo.select(differsInSign, hlo.add(rest, y), rest);
        const isZero = hlo.eq(sum, 0); // which has the divisor's sign
        return hlo.select(hlo.and(isZero, hlo.lt(y, 0)), -0, hlo.select(isZero, 0, sum));
      },
      (x, y) => {
        const rest = hlo.rem(x, y);
        if (classOf(hlo, x) === 'unsigned') return rest;
        const differsInSign = hlo.and(hlo.ne(rest, 0), isOpposite(rest, y));
        return hlo.select(differsInSign, hlo.add(rest, y), rest);
      },
    ),
  );
  np.fmod = pairwise(
    'fmod',
    byKind(
      (x, y) => hlo.rem(x, y),
      (x, y) => hlo.rem(x, y),
    ),
  );
  const reciprocal = hlo.jit((/** @type {any} */ x) => {
    if (!/signed/.test(classOf(hlo, x))) return hlo.div(1, asFloat(hlo, x));
    const { class: kind, bits } = typeOf(hlo, x.type);
    // For 0 NumPy returns what the processor converts infinity to.
    const reciprocalOfZero = kind === 'signed' && bits >= 32 ? -(2n ** BigInt(bits - 1)) : 0;
    return hlo.select(hlo.eq(x, 0), reciprocalOfZero, hlo.div(1, hlo.select(hlo.eq(x, 0), 1, x)));
  });
  np.reciprocal = (x) => reciprocal(withoutBooleans(hlo, asArray(hlo, x)));

  // Squares of f32 values cannot overflow in f64; f64 values are scaled near 1 by a power of two.
  np.hypot = pairwise(
    'hypot',
    (x, y) =>
      computeWider(hlo, [x, y], 'f64', (a, b) => {
        const [p, q] = [hlo.abs(a), hlo.abs(b)];
        const larger = hlo.max(p, q);
        const [isBig, isSmall] = [hlo.gt(larger, 2 ** 500), hlo.lt(larger, 2 ** -500)];
        const scale = (/** @type {any} */ z, /** @type {number} */ exponent) => {
          const scaledDown = hlo.select(isBig, hlo.mul(z, 2 ** -exponent), z);
          return hlo.select(isSmall, hlo.mul(z, 2 ** exponent), scaledDown);
        };
        const [u, v] = x.type === 'f64' ? [scale(p, 600), scale(q, 600)] : [p, q];
        const root = hlo.sqrt(hlo.add(hlo.mul(u, u), hlo.mul(v, v)));
        const length = x.type === 'f64' ? scale(root, -600) : root;
        const isInfinite = hlo.or(hlo.eq(p, Infinity), hlo.eq(q, Infinity)); // whatever the other is
        return hlo.select(isInfinite, Infinity, length);
      }),
    asFloat,
  );

  /**
   * A logarithm of positive f64 values that is exact at powers of the base: exponent and fraction are combined separately.
   * @param {(exponent: any, log: any) => any} combine log: the natural one of the fraction
   */
  const logOfParts = (combine) => (/** @type {any} */ x) => {
    const isTiny = hlo.lt(x, 2 ** -1022);
    const bits = hlo.bitcastConvert(hlo.select(isTiny, hlo.mul(x, 2 ** 54), x), 's64');
    const biased = hlo.convert(hlo.shiftRightLogical(bits, 52), 'f64');
    const fraction = hlo.bitcastConvert(hlo.or(hlo.and(bits, 2n ** 52n - 1n), 1023n << 52n), 'f64');
    const isUpper = hlo.gt(fraction, Math.SQRT2); // near 1 the exponent is 0
    const shifts = hlo.add(
      hlo.mul(hlo.convert(isTiny, 'f64'), 54),
      hlo.sub(1023, hlo.convert(isUpper, 'f64')),
    );
    const exponent = hlo.sub(biased, shifts);
    const near = hlo.select(isUpper, hlo.mul(fraction, 0.5), fraction);
    const isPositiveFinite = hlo.and(hlo.gt(x, 0), hlo.lt(x, Infinity));
    return hlo.select(isPositiveFinite, combine(exponent, hlo.log(near)), hlo.log(x));
  };
  /** @param {(x: any) => any} ofDoubles @param {number} scale of the natural logarithm */
  const logarithm = (ofDoubles, scale) => {
    const program = hlo.jit((/** @type {any} */ x) => {
      if (classOf(hlo, x) === 'complex') return scaleComplex(hlo, hlo.log(x), scale);
      // For smaller types the f64 result nearest to an integer logarithm rounds to that integer.
      const scaledLog = (/** @type {any} */ y) => hlo.mul(hlo.log(y), scale);
      return x.type === 'f64' ? ofDoubles(x) : computeWider(hlo, [x], 'f64', scaledLog);
    });
    return (/** @type {any} */ x) => program(asFloat(hlo, x));
  };
  np.log2 = logarithm(
    logOfParts((exponent, log) => hlo.add(exponent, hlo.mul(log, Math.LOG2E))),
    Math.LOG2E,
  );
  np.log10 = logarithm(
    logOfParts((exponent, log) =>
      hlo.add(
        hlo.add(hlo.mul(exponent, LOG10_2_LOW), hlo.mul(log, Math.LOG10E)),
        hlo.mul(exponent, LOG10_2_HIGH),
      ),
    ),
    Math.LOG10E,
  );

  np.round = (value, { decimals = 0 } = {}) => {
    const x = asArray(hlo, value);
    if (!Number.isInteger(decimals)) throw new HloError('decimals are an integer');
    const { class: kind, bits } = typeOf(hlo, x.type);
    if (kind === 'pred' || (decimals >= 0 && /signed/.test(kind))) return x;
    if (/signed/.test(kind)) return roundInteger(x, 10n ** BigInt(-decimals), bits);
    const factor = 10 ** Math.abs(decimals);
    const [there, back] = decimals > 0 ? ['mul', 'div'] : ['div', 'mul'];
    const round = (/** @type {any} */ y) =>
      decimals === 0
        ? hlo.roundNearestEven(y)
        : hlo[back](hlo.roundNearestEven(hlo[there](y, factor)), factor);
    return kind === 'complex' ? mapParts(hlo, x, round) : round(x);
  };
  /** Rounds to a multiple of a factor, ties to even. @param {any} x @param {bigint} factor @param {number} bits */
  const roundInteger = (x, factor, bits) => {
    if (factor >= 2n ** BigInt(bits - 1)) return hlo.mul(x, 0);
    const quotient = np.floorDivide(x, hlo.array(factor, x.type));
    const rest = hlo.sub(x, hlo.mul(quotient, factor));
    const other = hlo.sub(factor, rest);
    const isUp = hlo.or(
      hlo.gt(rest, other),
      hlo.and(hlo.eq(rest, other), hlo.eq(hlo.and(quotient, 1), 1)),
    );
    return hlo.mul(hlo.select(isUp, hlo.add(quotient, 1), quotient), factor);
  };
  return np;
}
