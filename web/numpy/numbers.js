// NumPy's functions of elements that are about kinds of numbers: divisors and bits of integers, parts of complex ones, and
// special functions.
import { HloArray } from '../array.js';
import { HloError } from '../errors.js';
import {
  asArray,
  asFloat,
  axisOf,
  classOf,
  computeWider,
  convert,
  promoteAndBroadcast,
  withoutBooleans,
} from './promotion.js';

/** @typedef {any} Hlo */

/** @param {Hlo} hlo @param {Record<string, (...args: any[]) => any>} others @returns {Record<string, (...args: any[]) => any>} */
export function numberFunctions(hlo, others) {
  /** @type {Record<string, (...args: any[]) => any>} */
  const np = {};
  const isComplex = (/** @type {any} */ x) => classOf(hlo, x) === 'complex';
  const fill = (/** @type {any} */ value, /** @type {any} */ like) =>
    hlo.broadcastInDim(hlo.array(value), like.dims, []);

  np.divmod = (a, b) => [others.floorDivide(a, b), others.mod(a, b)];
  /** Euclid's algorithm on all pairs at once, until every remainder is 0. */
  const greatestDivisor = (/** @type {any} */ x, /** @type {any} */ y) => {
    const isUnsigned = classOf(hlo, x) === 'unsigned';
    const [a] = hlo.while(
      (/** @type {any} */ _, /** @type {any} */ rest) =>
        hlo.reduce(hlo.ne(rest, 0), hlo.array(false), 'or'),
      (/** @type {any} */ p, /** @type {any} */ q) => {
        const isDone = hlo.eq(q, 0);
        const rest = hlo.rem(p, hlo.select(isDone, 1, q));
        return [hlo.select(isDone, p, q), hlo.select(isDone, 0, rest)];
      },
      isUnsigned ? [x, y] : [hlo.abs(x), hlo.abs(y)],
    );
    return isUnsigned ? a : hlo.abs(a);
  };
  /** @param {string} name @param {(x: any, y: any) => any} f */
  const ofIntegers = (name, f) => {
    const program = hlo.jit(f);
    return (/** @type {any} */ a, /** @type {any} */ b) => {
      const pair = promoteAndBroadcast(hlo, [a, b], undefined, 's32');
      const [x, y] = pair.map((z) => withoutBooleans(hlo, z));
      if (!/signed/.test(classOf(hlo, x)))
        throw new HloError(`${name} takes integers, got ${x.type}`);
      return program(x, y);
    };
  };
  np.gcd = ofIntegers('gcd', greatestDivisor);
  np.lcm = ofIntegers('lcm', (x, y) => {
    const divisor = greatestDivisor(x, y);
    const isZero = hlo.eq(divisor, 0);
    const isUnsigned = classOf(hlo, x) === 'unsigned';
    const [a, b] = isUnsigned ? [x, y] : [hlo.abs(x), hlo.abs(y)];
    return hlo.mul(hlo.div(a, hlo.select(isZero, 1, divisor)), b);
  });
  np.bitwiseCount = (value) => {
    const x = asArray(hlo, value, 's32');
    const kind = classOf(hlo, x);
    if (kind === 'pred') return hlo.convert(x, 'u8');
    if (!/signed/.test(kind)) throw new HloError(`bitwiseCount takes integers, got ${x.type}`);
    return hlo.convert(hlo.popcnt(kind === 'signed' ? hlo.abs(x) : x), 'u8');
  };
  np.floatPower = (a, b) => {
    const [x, y] = promoteAndBroadcast(hlo, [a, b]);
    const type = isComplex(x) ? 'c128' : 'f64';
    return hlo.pow(convert(hlo, x, type), convert(hlo, y, type));
  };

  for (const [name, sign] of /** @type {[string, number][]} */ ([
    ['isposinf', Infinity],
    ['isneginf', -Infinity],
  ]))
    np[name] = (value) => {
      const x = asArray(hlo, value);
      if (isComplex(x)) throw new HloError(`${name} takes no complex numbers`);
      return classOf(hlo, x) === 'float' ? hlo.eq(x, sign) : fill(false, x);
    };
  np.iscomplex = (value) => {
    const x = asArray(hlo, value);
    return isComplex(x) ? hlo.ne(hlo.imag(x), 0) : fill(false, x);
  };
  np.isreal = (value) => hlo.not(np.iscomplex(value));
  np.iscomplexobj = (value) => isComplex(asArray(hlo, value));
  np.isrealobj = (value) => !np.iscomplexobj(value);
  np.realIfClose = (value, { tol = 100 } = {}) => {
    const x = asArray(hlo, value);
    if (!isComplex(x)) return x;
    if (!(x instanceof HloArray))
      throw new HloError(
        'the type of realIfClose’s result depends on numbers, which traced programs do not know',
      );
    const epsilon = x.type === 'c64' ? 2 ** -23 : 2 ** -52;
    const most = tol > 1 ? tol * epsilon : tol;
    const isClose = others.all(hlo.lt(hlo.abs(hlo.imag(x)), most)).item();
    return isClose ? hlo.real(x) : x;
  };
  const angle = hlo.jit((/** @type {any} */ x, /** @type {boolean} */ deg) => {
    const [re, im] = isComplex(x) ? [hlo.real(x), hlo.imag(x)] : [x, others.zerosLike(x)];
    const radians = hlo.atan2(im, re);
    return deg ? others.rad2deg(radians) : radians;
  });
  np.angle = (value, { deg = false } = {}) => angle(asFloat(hlo, value), deg);

  const sinc = hlo.jit((/** @type {any} */ x) => {
    const ofWide = (/** @type {any} */ y) => {
      const z = hlo.mul(hlo.select(hlo.eq(y, 0), 1e-20, y), Math.PI);
      return hlo.div(hlo.sin(z), z);
    };
    if (!isComplex(x)) return computeWider(hlo, [x], 'f64', ofWide);
    return convert(hlo, ofWide(convert(hlo, x, 'c128')), x.type);
  });
  np.sinc = (value) => sinc(asFloat(hlo, value));
  const besselI0 = hlo.jit((/** @type {any} */ x) =>
    computeWider(hlo, [x], 'f64', (y) => besselI0OfDoubles(hlo, hlo.abs(y))),
  );
  np.i0 = (value) => {
    const x = asFloat(hlo, value);
    if (isComplex(x)) throw new HloError('i0 takes no complex numbers');
    return besselI0(x);
  };

  const unwrapped = hlo.jit(
    (/** @type {any} */ x, /** @type {number} */ along, /** @type {any} */ { period, discont }) => {
      const isWhole = /signed/.test(classOf(hlo, x));
      const steps = others.diff(x, { axis: along });
      const half = isWhole ? Math.floor(period / 2) : period / 2;
      const isAmbiguous = !isWhole || period % 2 === 0;
      const least = -half;
      const rest = others.add(others.mod(others.subtract(steps, least), period), least);
      const kept = isAmbiguous
        ? hlo.select(hlo.and(others.equal(rest, least), hlo.gt(steps, 0)), hlo.neg(rest), rest)
        : rest;
      const isSmall = others.less(others.abs(steps), discont ?? period / 2);
      const change = hlo.sub(kept, steps);
      const corrections = others.where(isSmall, others.zerosLike(change), change);
      const total = convert(hlo, others.cumsum(corrections, { axis: along }), x.type);
      const first = hlo.sliceInDim(x, 0, 1, 1, along);
      const later = hlo.sliceInDim(x, 1, x.dims[along], 1, along);
      return hlo.concatenate([first, hlo.add(later, total)], along);
    },
  );
  np.unwrap = (value, { discont, axis = -1, period = 2 * Math.PI } = {}) => {
    const given = withoutBooleans(hlo, asArray(hlo, value));
    if (isComplex(given)) throw new HloError('unwrap takes no complex numbers');
    const isWhole = /signed/.test(classOf(hlo, given)) && Number.isInteger(period);
    const x = isWhole ? given : asFloat(hlo, given);
    const along = axisOf(axis, x.rank);
    return x.dims[along] < 2 ? x : unwrapped(x, along, { period, discont });
  };
  return np;
}

/** Where the two expansions of I0 meet. The terms of the asymptotic one are below 1e-17 there. */
const ASYMPTOTIC_FROM = 20;
/** 1/k!²: of the power series in (x/2)². */
const seriesTerms = termsOf(38, (k) => 1 / (k * k));
/** (1·3·…·(2k-1))² / (k! 8^k): of the asymptotic series in 1/x, next to e^x / sqrt(2πx). */
const asymptoticTerms = termsOf(26, (k) => (2 * k - 1) ** 2 / (8 * k));

/** @param {number} count @param {(k: number) => number} ratio of a term to the one before @returns {number[]} */
function termsOf(count, ratio) {
  const terms = [1];
  for (let k = 1; k < count; k++) terms.push(terms[k - 1] * ratio(k));
  return terms;
}

/** The modified Bessel function of order 0. @param {Hlo} hlo @param {any} x of f64, not negative @returns {any} */
function besselI0OfDoubles(hlo, x) {
  const horner = (/** @type {number[]} */ terms, /** @type {any} */ y) =>
    terms.reduceRight(
      (sum, term) => (sum === undefined ? term : hlo.add(hlo.mul(y, sum), term)),
      /** @type {any} */ (undefined),
    );
  const isLarge = hlo.ge(x, ASYMPTOTIC_FROM);
  const low = hlo.min(x, ASYMPTOTIC_FROM);
  const series = horner(seriesTerms, hlo.mul(hlo.mul(low, low), 0.25));
  const high = hlo.max(x, ASYMPTOTIC_FROM);
  const growth = hlo.div(hlo.exp(high), hlo.sqrt(hlo.mul(high, 2 * Math.PI)));
  return hlo.select(isLarge, hlo.mul(growth, horner(asymptoticTerms, hlo.div(1, high))), series);
}
