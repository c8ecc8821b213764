// Functions of np.random with arguments of their own: integers, booleans, choices and vectors.
import { HloError, ShapeError } from '../../errors.js';
import { nameOf } from '../../options.js';
import {
  asArray,
  axisOf,
  broadcastShapes,
  broadcastTo,
  convert,
  isOperand,
  product,
  typeOf,
} from '../promotion.js';
import * as choosing from './choosing.js';
import { binomial, geometric, integersBetween, poisson } from './discrete.js';
import { ball, dirichlet } from './gamma.js';
import {
  bernoulli,
  checkFloats,
  checkIntegers,
  checkKey,
  checkShape,
  normal,
  signs,
  wordsOf,
} from './keys.js';

/** @typedef {any} Hlo */

/** @param {Hlo} hlo @param {any} x @param {string} [other] @returns {any} an array of floats: of its own type, or else of the other */
function floatsOf(hlo, x, other = 'f32') {
  const array = asArray(hlo, x, other);
  return typeOf(hlo, array.type).class === 'float' ? array : convert(hlo, array, other);
}

/** The shape asked for, which the parameters' broadcast to, or theirs. @param {any} shape @param {any[]} parameters @returns {number[]} */
function shapeOf(shape, ...parameters) {
  const own = broadcastShapes([], ...parameters.map((x) => x.dims));
  if (shape === undefined) return own;
  const dims = checkShape(shape);
  if (String(broadcastShapes(own, dims)) !== String(dims))
    throw new ShapeError(`parameters of shape [${own}] do not broadcast to shape [${dims}]`);
  return dims;
}

/**
 * @param {Hlo} hlo
 * @param {any} np
 * @returns {Record<string, (...args: any[]) => any>}
 */
export function samplingFunctions(hlo, np) {
  /** @type {Record<string, (...args: any[]) => any>} */
  const random = {};
  /** A program of a key and arrays that broadcast to a shape. @param {(key: any, dims: number[], ...parameters: any[]) => any} draw */
  const programOf = (draw) => {
    const program = hlo.jit(
      (/** @type {any} */ key, /** @type {number[]} */ dims, /** @type {any[]} */ parameters) =>
        draw(wordsOf(hlo, key), dims, ...parameters.map((x) => broadcastTo(hlo, x, dims))),
    );
    return (
      /** @type {any} */ key,
      /** @type {number[]} */ dims,
      /** @type {any[]} */ ...parameters
    ) => program(checkKey(key), dims, parameters);
  };

  /** @type {Record<string, any>} */
  const integerPrograms = {};
  random.randint = (key, shape, minval, maxval, { dtype = 's32' } = {}) => {
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

  const dirichlets = programOf((words, dims, alpha) =>
    dirichlet(hlo, words, dims, alpha.type, alpha),
  );
  random.dirichlet = (key, alpha, { shape, dtype = 'f32' } = {}) => {
    const type = checkFloats(dtype);
    const a = convert(hlo, asArray(hlo, alpha, type), type);
    if (a.rank === 0)
      throw new ShapeError('alpha has a number for each coordinate, got one number');
    const outer = shape === undefined ? a.dims.slice(0, -1) : checkShape(shape);
    return dirichlets(key, [...outer, a.dims.at(-1)], a);
  };
  const balls = programOf((words, dims, p) => ball(hlo, words, dims, p.type, p));
  random.ball = (key, d, { p = 2, shape = [], dtype = 'f32' } = {}) => {
    const [size] = checkShape(d);
    return balls(key, [...checkShape(shape), size], hlo.array(Number(p), checkFloats(dtype)));
  };
  const vectors = hlo.jit(
    (
      /** @type {any} */ key,
      /** @type {any} */ mean,
      /** @type {any} */ cov,
      /** @type {number[]} */ outer,
    ) => {
      const size = mean.dims.at(-1);
      const swapped = np.swapaxes(cov, -1, -2);
      const factor = np.tril(hlo.cholesky(hlo.div(hlo.add(cov, swapped), 2)));
      const x = normal(hlo, wordsOf(hlo, key), [...outer, size], mean.type);
      return np.add(mean, np.einsum('...ij,...j->...i', factor, x));
    },
  );
  random.multivariateNormal = (
    key,
    mean,
    cov,
    { shape, dtype = 'f32', method = 'cholesky' } = {},
  ) => {
    if (method !== 'cholesky') throw new HloError(`method is 'cholesky', got ${nameOf(method)}`);
    const type = checkFloats(dtype);
    const [m, c] = [mean, cov].map((x) => convert(hlo, asArray(hlo, x, type), type));
    const size = m.dims.at(-1);
    if (m.rank < 1 || c.rank < 2 || String(c.dims.slice(-2)) !== String([size, size]))
      throw new ShapeError(`mean is [n] and cov [n, n], got [${m.dims}] and [${c.dims}]`);
    const outer = shapeOf(shape, { dims: m.dims.slice(0, -1) }, { dims: c.dims.slice(0, -2) });
    return vectors(checkKey(key), m, c, outer);
  };
  const matrices = hlo.jit(
    (/** @type {any} */ key, /** @type {number[]} */ dims, /** @type {string} */ type) =>
      normal(hlo, wordsOf(hlo, key), dims, type),
  );
  random.orthogonal = (key, n, { shape = [], dtype = 'f32', m = n } = {}) => {
    const [rows, columns] = [checkShape(n)[0], checkShape(m)[0]];
    const [more, less] = [Math.max(rows, columns), Math.min(rows, columns)];
    const x = matrices(checkKey(key), [...checkShape(shape), more, less], checkFloats(dtype));
    const [q, r] = np.linalg.qr(x);
    const diagonal = np.einsum('...ii->...i', r);
    const result = np.multiply(q, np.expandDims(np.sign(diagonal), -2));
    return rows < columns ? np.swapaxes(result, -1, -2) : result;
  };
  return random;
}

/** @param {number} count @param {number} size */
function checkCount(count, size) {
  if (count > size)
    throw new ShapeError(`without replacement there are at most ${size} choices, got ${count}`);
}
