// Functions of np.random with arguments of their own: integers, booleans, choices.
import { HloError, ShapeError } from '../../errors.js';
import { nameOf } from '../../options.js';
import { asArray, axisOf, broadcastTo, convert, isOperand, product, typeOf } from '../promotion.js';
import * as choosing from './choosing.js';
import { binomial, geometric, integersBetween, multinomial, poisson } from './discrete.js';
import {
  bernoulli,
  checkFloats,
  checkIntegers,
  checkKey,
  checkShape,
  signs,
  wordsOf,
} from './keys.js';
import { drawProgram, floatsOf, shapeOf } from './programs.js';

/** @typedef {any} Hlo */

/**
 * @param {Hlo} hlo
 * @param {any} np
 * @returns {Record<string, (...args: any[]) => any>}
 */
export function samplingFunctions(hlo, np) {
  /** @type {Record<string, (...args: any[]) => any>} */
  const random = {};
  const programOf = (/** @type {import('./programs.js').Draw} */ draw) => drawProgram(hlo, draw);

  /** @type {Record<string, any>} */
  const integerPrograms = {};
  random.randint = (key, shape, minval, maxval, { dtype = 's32' } = {}) => {
    // A number would be a shape, too, and calls in the order of NumPy's randint(low, high, size) would give other numbers in silence.
    if (!Array.isArray(shape))
      throw new HloError(
        `shape is a list of sizes, as [3], got ${nameOf(shape)}: the order is key, shape, minval, maxval`,
      );
    const info = checkIntegers(hlo, dtype);
    const wide = dtype === 'u64' ? 'u64' : 's64';
    const isSigned = info.class === 'signed';
    const least = isSigned ? -(2n ** BigInt(info.bits - 1)) : 0n;
    const beyond = least + 2n ** BigInt(info.bits);
    const limits = [minval, maxval].map((limit, i) => {
      const most = i === 0 || info.bits === 64 ? beyond - 1n : beyond;
      if (isOperand(limit)) {
        if (!/signed/.test(typeOf(hlo, limit.type).class))
          throw new HloError(`minval and maxval are integers, got an array of ${limit.type}`);
        const array = convert(hlo, limit, wide);
        return info.bits === 64
          ? array
          : hlo.clamp(hlo.array(least, wide), array, hlo.array(most, wide));
      }
      const numbers = Array.isArray(limit) ? limit.flat(Infinity) : [limit];
      for (const number of numbers)
        if (typeof number !== 'bigint' && !Number.isInteger(number))
          throw new HloError(`minval and maxval are integers, got ${nameOf(number)}`);
      /** @type {(x: any) => any} */
      const clipped = (x) => {
        if (Array.isArray(x)) return x.map(clipped);
        const whole = BigInt(x);
        return whole < least ? least : whole > most ? most : whole;
      };
      return hlo.array(clipped(limit), wide);
    });
    const dims = shapeOf(shape, ...limits);
    integerPrograms[dtype] ??= hlo.jit(
      (/** @type {any} */ words, /** @type {number[]} */ size, /** @type {any[]} */ [low, high]) =>
        integersBetween(hlo, wordsOf(hlo, words), size, dtype, low, high),
    );
    return integerPrograms[dtype](checkKey(key), dims, limits);
  };
  const flips = programOf((words, dims, p) => bernoulli(hlo, words, p, dims, p.type));
  random.bernoulli = (key, { p = 0.5, shape } = {}) => {
    const chance = floatsOf(hlo, p);
    return flips(key, shapeOf(shape, chance), chance);
  };
  const signProgram = hlo.jit(
    (/** @type {any} */ key, /** @type {number[]} */ dims, /** @type {string} */ type) =>
      signs(hlo, wordsOf(hlo, key), dims, type),
  );
  random.rademacher = (key, { shape = [], dtype = 's32' } = {}) =>
    signProgram(checkKey(key), checkShape(shape), dtype);

  const geometrics = programOf((words, dims, p) => geometric(hlo, words, dims, p));
  random.geometric = (key, p, { shape, dtype = 's32' } = {}) => {
    const chance = floatsOf(hlo, p);
    return convert(hlo, geometrics(key, shapeOf(shape, chance), chance), dtype);
  };
  const poissons = programOf((words, dims, rate) => poisson(hlo, words, dims, rate));
  random.poisson = (key, lam, { shape, dtype = 's32' } = {}) => {
    const rate = convert(hlo, asArray(hlo, lam, 'f32'), 'f32');
    return convert(hlo, poissons(key, shapeOf(shape, rate), rate), dtype);
  };
  const binomials = programOf((words, dims, n, p) => binomial(hlo, words, dims, n, p));
  random.binomial = (key, n, p, { shape, dtype = 'f32' } = {}) => {
    const type = checkFloats(dtype);
    const parameters = [n, p].map((x) => convert(hlo, asArray(hlo, x, type), type));
    return binomials(key, shapeOf(shape, ...parameters), ...parameters);
  };

  const multinomials = hlo.jit(
    (
      /** @type {any} */ key,
      /** @type {any} */ n,
      /** @type {any} */ p,
      /** @type {number[]} */ outer,
    ) => {
      const rows = broadcastTo(hlo, p, [...outer, p.dims.at(-1)]);
      const rest = np.flip(np.cumsum(np.flip(rows, -1), -1), -1);
      const ratios = np.moveaxis(np.divide(rows, np.where(np.equal(rest, 0), 1, rest)), -1, 0);
      const counts = multinomial(hlo, wordsOf(hlo, key), broadcastTo(hlo, n, outer), ratios);
      return np.moveaxis(counts, 0, -1);
    },
  );
  random.multinomial = (key, n, p, { shape, dtype = 'f32' }) => {
    const type = checkFloats(dtype);
    const [total, chances] = [n, p].map((x) => convert(hlo, asArray(hlo, x, type), type));
    const categories = chances.dims.at(-1);
    if (categories === undefined)
      throw new ShapeError('p has a number for each category, got one number');
    const dims = shape === undefined ? undefined : checkShape(shape);
    if (dims && dims.at(-1) !== categories)
      throw new ShapeError(`shape ends with the ${categories} categories of p, got [${dims}]`);
    const outer = shapeOf(dims?.slice(0, -1), total, { dims: chances.dims.slice(0, -1) });
    return multinomials(checkKey(key), total, chances, outer);
  };

  /** A program whose other arguments are plain. @param {(key: any, ...others: any[]) => any} draw */
  const direct = (draw) => {
    const program = hlo.jit((/** @type {any} */ key, /** @type {any[]} */ ...others) =>
      draw(wordsOf(hlo, key), ...others),
    );
    return (/** @type {any} */ key, /** @type {any[]} */ ...others) =>
      program(checkKey(key), ...others);
  };
  const categoryProgram = direct((words, logits, axis, outer) =>
    choosing.categories(hlo, np, words, logits, axis, outer),
  );
  const differentProgram = direct((words, logits, axis, outer, count) =>
    choosing.differentCategories(hlo, words, logits, axis, outer, count),
  );
  random.categorical = (key, given, { axis = -1, shape, replace = true } = {}) => {
    const logits = floatsOf(hlo, given);
    const along = axisOf(axis, logits.rank);
    const batch = logits.dims.filter(
      (/** @type {number} */ _, /** @type {number} */ d) => d !== along,
    );
    const dims = shape === undefined ? batch : checkShape(shape);
    const outer = dims.slice(0, Math.max(0, dims.length - batch.length));
    if (String([...outer, ...batch]) !== String(dims))
      throw new ShapeError(
        `shape ends with the shape of logits without the axis, [${batch}], got [${dims}]`,
      );
    if (replace) return categoryProgram(key, logits, along, outer);
    const count = product(outer);
    checkCount(count, logits.dims[along]);
    return differentProgram(key, logits, along, outer, count);
  };

  const shuffleProgram = direct((words, x, axis) => choosing.shuffle(hlo, words, x, axis));
  const positions = direct((words, size, count) =>
    choosing.shuffledPositions(hlo, words, size, count),
  );
  const weighted = direct((words, dims, p) => choosing.weightedPositions(hlo, np, words, dims, p));
  const different = direct((words, p, count) => choosing.differentPositions(hlo, words, p, count));
  random.permutation = (key, x, { axis = 0, independent = false } = {}) => {
    if (typeof x === 'number') return positions(key, checkShape(x)[0], x);
    const array = asArray(hlo, x);
    const along = axisOf(axis, array.rank);
    if (independent || array.rank === 1) return shuffleProgram(key, array, along);
    const size = array.dims[along];
    return np.take(array, positions(key, size, size), { axis: along });
  };
  random.choice = (key, a, { shape = [], replace = true, p, axis = 0 } = {}) => {
    const dims = checkShape(shape);
    const array = typeof a === 'number' ? undefined : asArray(hlo, a);
    const along = array ? axisOf(axis, array.rank) : 0;
    const size = array ? array.dims[along] : checkShape(a)[0];
    const count = product(dims);
    if (size === 0 && count > 0) throw new ShapeError('a has no elements to choose from');
    if (!replace) checkCount(count, size);
    const chances = p === undefined ? undefined : floatsOf(hlo, p);
    if (chances && String(chances.dims) !== String([size]))
      throw new ShapeError(`p has a number for each of ${size} choices, got [${chances.dims}]`);
    const places = () => {
      if (chances) return replace ? weighted(key, dims, chances) : different(key, chances, count);
      return replace ? random.randint(key, dims, 0, size, {}) : positions(key, size, count);
    };
    if (array && !replace && !chances && array.rank > 1 && size === count)
      return random.permutation(key, array, { axis: along });
    const at = hlo.reshape(places(), dims);
    return array ? np.take(array, at, { axis: along }) : at;
  };

  return random;
}

/** @param {number} count @param {number} size */
function checkCount(count, size) {
  if (count > size)
    throw new ShapeError(`without replacement there are at most ${size} choices, got ${count}`);
}
