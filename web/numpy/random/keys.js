// Keys, and the random bits and uniform numbers that they stand for, numbered as JAX numbers them (jax_threefry_partitionable): element i of a
// draw is made of counter i alone. The functions here are parts of programs: what is given to them is traced.
import { HloError } from '../../errors.js';
import { nameOf } from '../../options.js';
import { isOperand, product, range, typeOf } from '../promotion.js';
import { threefry } from './threefry.js';

/** @typedef {any} Hlo */
/** @typedef {import('./threefry.js').Words} Words */

/**
 * Of each type of floats: how many random bits JAX takes, bits behind the point, the type of the bits and those of 1.
 * @type {Record<string, { random: number, mantissa: number, bits: string, one: number | bigint, least: number }>}
 */
const FLOATS = {
  f16: { random: 16, mantissa: 10, bits: 'u16', one: 0x3c00, least: 2 ** -14 },
  bf16: { random: 8, mantissa: 7, bits: 'u16', one: 0x3f80, least: 2 ** -126 },
  f32: { random: 32, mantissa: 23, bits: 'u32', one: 0x3f800000, least: 2 ** -126 },
  f64: { random: 64, mantissa: 52, bits: 'u64', one: 0x3ffn << 52n, least: 2 ** -1022 },
};

/** @param {string} type @returns {number} the least normal number */
export const leastNormal = (type) => FLOATS[type].least;
/** @param {string} type @returns {number} the distance from 1 to the next number */
export const epsilon = (type) => 2 ** -FLOATS[type].mantissa;
/** @param {string} type @returns {number} the number that follows -1 */
export const aboveMinusOne = (type) => -1 + epsilon(type) / 2;

/** @param {string} type @returns {string} the type, one of floats */
export function checkFloats(type) {
  if (Object.hasOwn(FLOATS, type)) return type;
  throw new HloError(
    `dtype is a type of floats, ${Object.keys(FLOATS).join(', ')}, got ${nameOf(type)}`,
  );
}

/** @param {any} key @returns {any} the key, checked */
export function checkKey(key) {
  const isKey = isOperand(key) && key.type === 'u32' && key.rank === 1 && key.dims[0] === 2;
  if (isKey) return key;
  const got = isOperand(key) ? `${key.type}[${key.dims}]` : nameOf(key);
  throw new HloError(
    `key is one that np.random.key(seed) or np.random.split(key) gave, got ${got}; np.random.defaultRng(seed) draws without keys`,
  );
}

/** @param {Hlo} hlo @param {any} key @returns {Words} two scalars */
export function wordsOf(hlo, key) {
  const word = (/** @type {number} */ i) => hlo.reshape(hlo.slice(key, [i], [i + 1]), []);
  return [word(0), word(1)];
}

/** The words of a draw with one counter for each element. @param {Hlo} hlo @param {Words} key of scalars @param {number[]} dims @returns {Words} */
function drawWords(hlo, key, dims) {
  const size = product(dims);
  const [zeros, places] = [hlo.broadcast(hlo.array(0, 'u32'), [size]), hlo.iota('u32', [size])];
  const keys = key.map((word) => hlo.broadcastInDim(word, [size], []));
  const words = threefry(hlo, [keys[0], keys[1]], [zeros, places]);
  return [hlo.reshape(words[0], dims), hlo.reshape(words[1], dims)];
}

/** The words of one counter for each of many keys. @param {Hlo} hlo @param {Words} keys of any shape @param {number} counter @returns {Words} */
function wordsOfEach(hlo, keys, counter) {
  const all = (/** @type {number} */ word) =>
    hlo.broadcastInDim(hlo.array(word, 'u32'), keys[0].dims, []);
  return threefry(hlo, keys, [all(0), all(counter)]);
}

/** That many further keys of a key, or of each of many. @param {Hlo} hlo @param {Words} keys @param {number} count @returns {Words[]} */
export function splitWords(hlo, keys, count) {
  return range(count).map((i) => wordsOfEach(hlo, keys, i));
}

/** A key for each element. @param {Hlo} hlo @param {Words} key @param {number[]} dims @returns {Words} */
export const keysOf = drawWords;

/** @param {Hlo} hlo @param {Words} key @param {any} data a scalar of u32 @returns {Words} */
export function foldWords(hlo, key, data) {
  return threefry(hlo, key, [hlo.array(0, 'u32'), data]);
}

/** Bits of so many of two words. @param {Hlo} hlo @param {Words} words @param {number} width */
function joinWords(hlo, [high, low], width) {
  if (width === 64)
    return hlo.or(hlo.shiftLeft(hlo.convert(high, 'u64'), 32), hlo.convert(low, 'u64'));
  const mixed = hlo.xor(high, low);
  return width === 32 ? mixed : hlo.convert(mixed, `u${width}`);
}

/** @param {Hlo} hlo @param {Words} key @param {number[]} dims @param {number} width 8, 16, 32 or 64 */
export function randomBits(hlo, key, dims, width) {
  return joinWords(hlo, drawWords(hlo, key, dims), width);
}

/** Floats from 0 up to 1 of bits. @param {Hlo} hlo @param {any} bits @param {string} type */
function unitOf(hlo, bits, type) {
  const { random, mantissa, bits: wide, one } = FLOATS[type];
  const raw = bits.type === wide ? bits : hlo.convert(bits, wide);
  const fraction = hlo.shiftRightLogical(raw, random - mantissa);
  return hlo.sub(hlo.bitcastConvert(hlo.or(fraction, hlo.array(one, wide)), type), 1);
}

/**
 * Uniform numbers between limits, which are numbers or arrays of the shape.
 * @param {Hlo} hlo
 * @param {any} unit
 * @param {any} low
 * @param {any} high
 */
function between(hlo, unit, low, high) {
  if (low === 0 && high === 1) return unit;
  // Products with these spans, 1 and 2 when rounded, are exact.
  if (typeof low === 'number' && typeof high === 'number')
    return hlo.max(low, hlo.add(hlo.mul(unit, high - low), low));
  return hlo.max(low, multiplyAdd(hlo, unit, hlo.sub(high, low), low));
}

/**
 * x * y + z rounded once, as XLA compiles it for CPUs and GPUs; of 16 bits rounded twice, as there.
 * @param {Hlo} hlo
 * @param {any} x
 * @param {any} y
 * @param {any} z
 */
function multiplyAdd(hlo, x, y, z) {
  const { type } = x;
  if (type === 'f32') {
    // Products of two f32 are exact in f64.
    const [a, b, c] = [x, y, z].map((part) => hlo.convert(part, 'f64'));
    return hlo.convert(hlo.add(hlo.mul(a, b), c), 'f32');
  }
  if (type !== 'f64') return hlo.add(hlo.mul(x, y), z);
  // The product's rounding error by T. J. Dekker's splitting, the sum's by D. Knuth's.
  const split = (/** @type {any} */ part) => {
    const scaled = hlo.mul(part, 2 ** 27 + 1);
    const high = hlo.sub(scaled, hlo.sub(scaled, part));
    return [high, hlo.sub(part, high)];
  };
  const [[xHigh, xLow], [yHigh, yLow]] = [x, y].map(split);
  const product = hlo.mul(x, y);
  const cross = hlo.add(hlo.mul(xHigh, yLow), hlo.mul(xLow, yHigh));
  const error = hlo.add(
    hlo.add(hlo.sub(hlo.mul(xHigh, yHigh), product), cross),
    hlo.mul(xLow, yLow),
  );
  const sum = hlo.add(product, z);
  const other = hlo.sub(sum, product);
  const rest = hlo.add(hlo.sub(product, hlo.sub(sum, other)), hlo.sub(z, other));
  return hlo.add(sum, hlo.add(rest, error));
}

/** @param {Hlo} hlo @param {Words} key @param {number[]} dims @param {string} type @param {any} [low] @param {any} [high] */
export function uniform(hlo, key, dims, type, low = 0, high = 1) {
  const bits = randomBits(hlo, key, dims, FLOATS[type].random);
  return between(hlo, unitOf(hlo, bits, type), low, high);
}

/** One uniform number of each key. @param {Hlo} hlo @param {Words} keys @param {string} type @param {any} [low] @param {any} [high] */
export function uniformOfEach(hlo, keys, type, low = 0, high = 1) {
  const bits = joinWords(hlo, wordsOfEach(hlo, keys, 0), FLOATS[type].random);
  return between(hlo, unitOf(hlo, bits, type), low, high);
}

/** Normal numbers of uniform ones between -1 and 1. @param {Hlo} hlo @param {any} x */
export function normalOf(hlo, x) {
  return hlo.mul(hlo.erfInv(x), Math.SQRT2);
}

/** @param {Hlo} hlo @param {Words} key @param {number[]} dims @param {string} type */
export function normal(hlo, key, dims, type) {
  return normalOf(hlo, uniform(hlo, key, dims, type, aboveMinusOne(type), 1));
}

/** @param {Hlo} hlo @param {Words} key @param {number[]} dims @param {string} type */
export function exponential(hlo, key, dims, type) {
  return hlo.neg(hlo.log1p(hlo.neg(uniform(hlo, key, dims, type))));
}

/** @param {Hlo} hlo @param {Words} key @param {number[]} dims @param {string} type */
export function gumbel(hlo, key, dims, type) {
  const x = uniform(hlo, key, dims, type, leastNormal(type), 1);
  return hlo.neg(hlo.log(hlo.neg(hlo.log(x))));
}

/** @param {Hlo} hlo @param {Words} key @param {any} p an array of the shape @param {number[]} dims @param {string} type */
export function bernoulli(hlo, key, p, dims, type) {
  return hlo.lt(uniform(hlo, key, dims, type), p);
}

/** -1 and 1. @param {Hlo} hlo @param {Words} key @param {number[]} dims @param {string} type of the result */
export function signs(hlo, key, dims, type) {
  const isOne = bernoulli(hlo, key, 0.5, dims, 'f32');
  return hlo.sub(hlo.mul(hlo.convert(isOne, type), 2), 1);
}

/** @param {any} shape a list of sizes, or one of them @returns {number[]} */
export function checkShape(shape) {
  const dims = typeof shape === 'number' ? [shape] : shape;
  if (Array.isArray(dims) && dims.every((size) => Number.isInteger(size) && size >= 0)) return dims;
  throw new HloError(
    `shape is a list of sizes, as [2, 3], got ${Array.isArray(shape) ? `[${shape}]` : nameOf(shape)}`,
  );
}

/** @param {Hlo} hlo @param {string} type @returns {import('../../engine.js').TypeInfo} of integers */
export function checkIntegers(hlo, type) {
  const info = typeOf(hlo, type);
  if (/signed/.test(info.class) && info.bits >= 8) return info;
  throw new HloError(`dtype is a type of integers of 8 to 64 bits, got ${nameOf(type)}`);
}
