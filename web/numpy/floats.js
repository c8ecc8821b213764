// NumPy's functions of elements that look into floats: signs, exponents, neighbours, fractions; and powers of two.
import { HloError } from '../errors.js';
import {
  asArray,
  asFloat,
  broadcastTogether,
  classOf,
  computeWider,
  convert,
  promoteAndBroadcast,
  scaleComplex,
  typeOf,
  withoutBooleans,
} from './promotion.js';

/** @typedef {any} Hlo */

/** @param {Hlo} hlo @returns {Record<string, (...args: any[]) => any>} */
export function floatFunctions(hlo) {
  /** @type {Record<string, (...args: any[]) => any>} */
  const np = {};
  const refuseComplex = (/** @type {string} */ name, /** @type {any} */ x) => {
    if (classOf(hlo, x) === 'complex') throw new HloError(`${name} takes no complex numbers`);
    return x;
  };
  /** A function of real floats, one program for each shape. @param {string} name @param {(x: any) => any} f */
  const ofFloats = (name, f) => {
    const program = hlo.jit(f);
    return (/** @type {any} */ x) => program(refuseComplex(name, asFloat(hlo, x)));
  };
  /** The same of two. @param {string} name @param {(x: any, y: any) => any} f */
  const ofPairs = (name, f) => {
    const program = hlo.jit(f);
    return (/** @type {any} */ a, /** @type {any} */ b) => {
      const [x, y] = promoteAndBroadcast(hlo, [a, b]).map((z) => asFloat(hlo, z));
      return program(refuseComplex(name, x), y);
    };
  };
  const bitsOf = (/** @type {any} */ x, /** @type {'s' | 'u'} */ sign) =>
    hlo.bitcastConvert(x, `${sign}${typeOf(hlo, x.type).bits}`);
  const isNegative = (/** @type {any} */ x) => hlo.lt(bitsOf(x, 's'), 0);
  const withSignOf = (/** @type {any} */ x, /** @type {any} */ y) => {
    const magnitude = hlo.abs(x);
    return hlo.select(isNegative(y), hlo.neg(magnitude), magnitude);
  };

  np.positive = (value) => {
    const x = asArray(hlo, value);
    if (x.type === 'pred') throw new HloError('booleans have no sign: convert them with astype');
    return x;
  };
  np.fabs = ofFloats('fabs', (x) => hlo.abs(x));
  np.copysign = ofPairs('copysign', withSignOf);
  np.nextafter = ofPairs('nextafter', (x, y) => hlo.nextAfter(x, y));
  np.heaviside = ofPairs('heaviside', (x, y) => {
    const beside = hlo.select(hlo.lt(x, 0), 0, hlo.select(hlo.gt(x, 0), 1, x)); // x: 0 or NaN
    return hlo.select(hlo.eq(x, 0), y, beside);
  });
  np.signbit = (value) => {
    const x = withoutBooleans(hlo, asArray(hlo, value));
    refuseComplex('signbit', x);
    return classOf(hlo, x) === 'float' ? isNegative(x) : hlo.lt(x, 0);
  };
  np.spacing = ofFloats('spacing', (x) => {
    const infinite = hlo.broadcastInDim(hlo.array(Infinity, x.type), x.dims, []);
    const away = hlo.select(hlo.lt(x, 0), hlo.neg(infinite), infinite);
    return hlo.sub(hlo.nextAfter(x, away), x);
  });

  /** 2 to whole powers, as floats whose exponents reach that far. @param {any} exponent of s32 for f32, of s64 for f64 */
  const powerOfTwo = (exponent) => {
    const [type, { mantissa, bias }] =
      exponent.type === 's64' ? ['f64', parts.f64] : ['f32', parts.f32];
    return hlo.bitcastConvert(hlo.shiftLeft(hlo.add(exponent, bias), mantissa), type);
  };
  /** How the bits of floats are divided: numbers of bits, the exponent of 1 and the exponents' mask. */
  const parts = {
    f32: { mantissa: 23n, bias: 127n, mask: 255n },
    f64: { mantissa: 52n, bias: 1023n, mask: 2047n },
  };
  /** Fractions from 0.5 below 1 and exponents (s32, s64) of f32 or f64 values; zeros and what is not finite are their own fractions. @param {any} x */
  const split = (x) => {
    const { mantissa, bias, mask } = x.type === 'f64' ? parts.f64 : parts.f32;
    const isTiny = hlo.lt(hlo.abs(x), 2 ** Number(1n - bias));
    const raised = mantissa + 2n;
    const bits = bitsOf(hlo.select(isTiny, hlo.mul(x, 2 ** Number(raised)), x), 's');
    const biased = hlo.and(hlo.shiftRightArithmetic(bits, mantissa), mask);
    const fraction = hlo.bitcastConvert(
      hlo.or(hlo.and(bits, ~(mask << mantissa)), (bias - 1n) << mantissa),
      x.type,
    );
    const isItself = hlo.or(hlo.eq(x, 0), hlo.not(hlo.isFinite(x)));
    const [own, ofTiny] = [bias - 1n, bias - 1n + raised].map((n) => hlo.array(n, bits.type));
    const exponent = hlo.sub(biased, hlo.select(isTiny, ofTiny, own));
    return {
      fraction: hlo.select(isItself, x, fraction),
      exponent: hlo.select(isItself, hlo.mul(exponent, 0n), exponent),
    };
  };
  np.frexp = ofFloats('frexp', (x) => {
    const { fraction, exponent } = split(x.type === 'f64' ? x : convert(hlo, x, 'f32'));
    return [convert(hlo, fraction, x.type), convert(hlo, exponent, 's32')];
  });
  const scaled = hlo.jit((/** @type {any} */ x, /** @type {any} */ power) => {
    const wide = convert(hlo, x, 'f64');
    // Exponents beyond these make 0 or infinity of any number.
    const shift = hlo.clamp(-5000n, power, 5000n);
    const { fraction, exponent } = split(wide);
    const total = hlo.clamp(-1200n, hlo.add(exponent, shift), 1200n);
    // The first product is exact, so that the result is rounded once.
    const first = hlo.clamp(-1000n, total, 1000n);
    const product = hlo.mul(
      hlo.mul(fraction, powerOfTwo(first)),
      powerOfTwo(hlo.sub(total, first)),
    );
    return convert(hlo, product, x.type);
  });
  np.ldexp = (a, b) => {
    const x = refuseComplex('ldexp', asFloat(hlo, a));
    const power = withoutBooleans(hlo, asArray(hlo, b, 's32'));
    if (!/signed/.test(classOf(hlo, power)))
      throw new HloError(`the exponents of ldexp are integers, got ${power.type}`);
    return scaled(...broadcastTogether(hlo, [x, hlo.convert(power, 's64')]));
  };

  np.modf = ofFloats('modf', (x) => {
    const whole = hlo.select(isNegative(x), hlo.ceil(x), hlo.floor(x));
    const isInfinite = hlo.eq(hlo.abs(x), Infinity);
    const rest = hlo.select(isInfinite, 0, hlo.sub(x, whole));
    return [withSignOf(rest, x), whole];
  });
  np.exp2 = (value) => exp2(asFloat(hlo, value));
  const exp2 = hlo.jit((/** @type {any} */ x) => {
    if (classOf(hlo, x) === 'complex') return hlo.exp(scaleComplex(hlo, x, Math.LN2));
    if (x.type !== 'f32') return hlo.pow(2, x);
    // A power from -0.5 to 0.5, where the product with log 2 loses nothing that counts, times a whole power of two in two
    // factors, since it may be beyond the least normal number.
    const power = hlo.clamp(-160, x, 160);
    const whole = hlo.roundNearestEven(power);
    const rest = hlo.exp(hlo.mul(hlo.sub(power, whole), Math.LN2));
    const exponent = hlo.convert(whole, 's32');
    const half = hlo.shiftRightArithmetic(exponent, 1);
    return hlo.mul(hlo.mul(rest, powerOfTwo(half)), powerOfTwo(hlo.sub(exponent, half)));
  });
  np.logaddexp2 = ofPairs('logaddexp2', (x, y) =>
    computeWider(hlo, [x, y], 'f64', (p, q) => {
      const power = hlo.pow(2, hlo.neg(hlo.abs(hlo.sub(p, q))));
      const more = hlo.mul(hlo.log1p(power), Math.LOG2E);
      // Equal infinities have no difference.
      return hlo.select(hlo.eq(p, q), hlo.add(p, 1), hlo.add(hlo.max(p, q), more));
    }),
  );
  return np;
}
