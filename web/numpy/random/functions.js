// np.random: JAX's random numbers, of keys. Each draw is one program, kept by its shape and type.
import { HloArray } from '../../array.js';
import { HloError } from '../../errors.js';
import { nameOf } from '../../options.js';
import { bindNamespace } from '../namespace.js';
import {
  asArray,
  broadcastShapes,
  broadcastTo,
  convert,
  integer,
  isOperand,
  product,
  range,
  typeOf,
} from '../promotion.js';
import { continuous } from './continuous.js';
import { gammas } from './gamma.js';
import {
  checkFloats,
  checkIntegers,
  checkKey,
  checkShape,
  foldWords,
  keysOf,
  randomBits,
  wordsOf,
} from './keys.js';
import { generatorFunction } from './generator.js';
import { samplingFunctions } from './sampling.js';
import { signatures } from './signatures.js';
import { vectorFunctions } from './vectors.js';

/** @typedef {any} Hlo */

/** @param {Hlo} hlo @returns {Record<string, (...args: any[]) => any>} */
function keyFunctions(hlo) {
  /** @type {Record<string, (...args: any[]) => any>} */
  const random = {};
  const join = (/** @type {any[]} */ words) =>
    hlo.concatenate(
      words.map((word) => hlo.reshape(word, [...word.dims, 1])),
      words[0].rank,
    );
  random.key = (seed) => {
    if (isOperand(seed)) {
      const info = typeOf(hlo, seed.type);
      if (seed.rank > 0 || !/signed/.test(info.class))
        throw new HloError(`seed is an integer, got ${seed.type}[${seed.dims}]`);
      const high =
        info.bits === 64
          ? hlo.convert(hlo.shiftRightLogical(seed, 32), 'u32')
          : hlo.array(0, 'u32');
      return join([high, hlo.convert(seed, 'u32')]);
    }
    if (typeof seed !== 'bigint' && !Number.isInteger(seed))
      throw new HloError(`seed is an integer, got ${nameOf(seed)}`);
    // As in JAX without 64-bit types: the lower 32 bits.
    return hlo.array([0, Number(BigInt.asUintN(32, BigInt(seed)))], 'u32');
  };
  const split = hlo.jit((/** @type {any} */ key, /** @type {number} */ count) =>
    join(keysOf(hlo, wordsOf(hlo, key), [count])),
  );
  random.split = (key, { num = 2 } = {}) => {
    const dims = checkShape(num);
    const count = product(dims);
    const all = split(checkKey(key), count);
    const words = all instanceof HloArray ? all.toTypedArray() : undefined;
    const one = (/** @type {number} */ i) =>
      words
        ? hlo.array(words.slice(2 * i, 2 * i + 2))
        : hlo.reshape(hlo.slice(all, [i, 0], [i + 1, 2]), [2]);
    return nest(range(count).map(one), dims);
  };
  const foldIn = hlo.jit((/** @type {any} */ key, /** @type {any} */ data) =>
    join(foldWords(hlo, wordsOf(hlo, key), data)),
  );
  random.foldIn = (key, data) => {
    checkKey(key);
    if (!isOperand(data)) integer(data, 'data');
    const word = isOperand(data) ? convert(hlo, data, 'u32') : hlo.array(data >>> 0, 'u32');
    if (word.rank > 0) throw new HloError(`data is one integer, got an array of [${word.dims}]`);
    return foldIn(key, word);
  };
  const bits = hlo.jit(
    (/** @type {any} */ key, /** @type {number[]} */ dims, /** @type {number} */ width) =>
      randomBits(hlo, wordsOf(hlo, key), dims, width),
  );
  random.bits = (key, { shape = [], dtype = 'u32' } = {}) => {
    const info = checkIntegers(hlo, dtype);
    if (info.class !== 'unsigned')
      throw new HloError(`dtype is a type of unsigned integers, got ${dtype}`);
    return bits(checkKey(key), checkShape(shape), info.bits);
  };
  return random;
}

/** A list as nested lists of those sizes. @param {any[]} list @param {number[]} dims @returns {any[]} */
function nest(list, dims) {
  if (dims.length < 2) return list;
  const size = product(dims.slice(1));
  return range(dims[0]).map((i) => nest(list.slice(i * size, (i + 1) * size), dims.slice(1)));
}

/**
 * A function of a key, parameters and the options shape and dtype; the shape is by default that of the parameters.
 * @param {Hlo} hlo
 * @param {import('./continuous.js').Entry} entry
 * @returns {(...args: any[]) => any}
 */
function drawFunction(hlo, { draw, optional = {} }) {
  const program = hlo.jit(
    (
      /** @type {any} */ key,
      /** @type {any[]} */ parameters,
      /** @type {number[]} */ dims,
      /** @type {string} */ type,
    ) => {
      // Defaults stay numbers, which the program is made for.
      const all = parameters.map((x) => (isOperand(x) ? broadcastTo(hlo, x, dims) : x));
      return draw(hlo, wordsOf(hlo, key), dims, type, ...all);
    },
  );
  return (key, ...rest) => {
    const { shape, dtype = 'f32', ...named } = rest.pop();
    const type = checkFloats(dtype);
    const toType = (/** @type {any} */ x) => convert(hlo, asArray(hlo, x, type), type);
    const defaults = Object.keys(named).length === 0 ? Object.values(optional) : undefined;
    const others = Object.entries(optional).map(([one, value]) => named[one] ?? value);
    const parameters = [...rest.map(toType), ...(defaults ?? others.map(toType))];
    const own = broadcastShapes([], ...parameters.map((x) => x.dims ?? []));
    const dims = shape === undefined ? own : checkShape(shape);
    return program(checkKey(key), parameters, dims, type);
  };
}

/**
 * @param {Hlo} hlo
 * @param {any} np its other functions
 * @returns {import('./types.js').Random}
 */
export function randomOf(hlo, np) {
  const draws = Object.entries({ ...continuous, ...gammas }).map(([name, entry]) => [
    name,
    drawFunction(hlo, entry),
  ]);
  const functions = {
    ...keyFunctions(hlo),
    ...Object.fromEntries(draws),
    ...samplingFunctions(hlo, np),
    ...vectorFunctions(hlo, np),
  };
  const random = bindNamespace(hlo, functions, signatures, 'random.');
  const defaultRng = generatorFunction(hlo, np, random);
  return /** @type {any} */ ({
    ...random,
    ...bindNamespace(hlo, { defaultRng }, signatures, 'random.'),
  });
}
