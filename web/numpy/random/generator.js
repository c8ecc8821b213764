// np.random.defaultRng(seed): NumPy's Generator for those who want no keys. Draw number i of a seed has the key foldIn(key(seed), i); the bits
// are JAX's, not those of NumPy's PCG64.
import { Value } from '../../builder.js';
import { HloError } from '../../errors.js';
import { nameOf } from '../../options.js';
import { parseCall } from '../calls.js';
import { bindNamespace } from '../namespace.js';
import { asArray, axisOf, broadcastShapes, product, range } from '../promotion.js';
import { checkParameters } from './parameters.js';
import { generatorSignatures } from './signatures.js';

/** @typedef {any} Hlo */
/** @typedef {(...args: any[]) => any} AnyFunction */

/** Random numbers of a seed: each call gives others. Made by np.random.defaultRng(). */
export class Generator {
  /** @param {Record<string, AnyFunction>} methods */
  constructor(methods) {
    Object.assign(this, methods);
    Object.freeze(this);
  }
}

/** @param {any} seed undefined: one that nobody knows @returns {number[]} two words */
function wordsOfSeed(seed) {
  if (seed === undefined || seed === null) return [...crypto.getRandomValues(new Uint32Array(2))];
  if ((typeof seed !== 'bigint' && !Number.isInteger(seed)) || seed < 0)
    throw new HloError(`seed is an integer from 0, got ${nameOf(seed)}`);
  const words = BigInt.asUintN(64, BigInt(seed));
  return [Number(words >> 32n), Number(words & 0xffffffffn)];
}

/**
 * @param {Hlo} hlo
 * @param {any} np
 * @param {Record<string, AnyFunction>} random functions of keys
 * @param {number[]} words of the seed
 * @returns {Generator}
 */
function generatorOf(hlo, np, random, words) {
  let count = 0;
  const nextKey = () => {
    if (hlo.iota('u32', [1]) instanceof Value)
      throw new HloError(
        'a function that jit traces is called once, so that a Generator would give it the same numbers each time: give it a key',
      );
    return random.foldIn(hlo.array(words, 'u32'), count++);
  };
  /** Draws of the shape that is asked for, or that of the parameters. @param {string} name @param {any[]} parameters @param {any} size @param {any} [options] */
  const draw = (name, parameters, size, options = {}) =>
    random[name](
      nextKey(),
      ...parameters,
      size === undefined ? options : { ...options, shape: size },
    );
  /** Scaled and moved; what is 1 or 0 is left out. @param {string} name @param {any} loc @param {any} scale @param {any} size */
  const moved = (name, loc, scale, size) => {
    const shape =
      size ?? broadcastShapes([], ...[loc, scale].map((x) => asArray(hlo, x, 'f32').dims));
    const x = random[name](nextKey(), { shape });
    const scaled = scale === 1 ? x : np.multiply(x, scale);
    return loc === 0 ? scaled : np.add(scaled, loc);
  };
  /** @type {Record<string, AnyFunction>} */
  const methods = {
    random: ({ size, dtype = 'f32' }) => draw('uniform', [], size, { dtype }),
    uniform: ({ low = 0, high = 1, size }) =>
      draw('uniform', [], size, { minval: low, maxval: high }),
    integers: (low, { high, size, dtype = 's32', endpoint = false }) => {
      const [least, limit] = high === undefined ? [0, low] : [low, high];
      const last = endpoint ? np.add(limit, 1) : limit;
      const dims = typeof size === 'number' ? [size] : size;
      const shape =
        dims ?? broadcastShapes([], ...[least, last].map((x) => asArray(hlo, x, 's32').dims));
      const beyond = endpoint && typeof limit === 'number' ? limit + 1 : last;
      if (typeof least === 'number' && typeof beyond === 'number' && beyond <= least)
        throw new HloError(`integers: there is none from ${least} to below ${beyond}`);
      return random.randint(nextKey(), shape, least, beyond, { dtype });
    },
    standardNormal: ({ size, dtype = 'f32' }) => draw('normal', [], size, { dtype }),
    standardExponential: ({ size, dtype = 'f32' }) => draw('exponential', [], size, { dtype }),
    standardCauchy: ({ size }) => draw('cauchy', [], size),
    normal: ({ loc = 0, scale = 1, size }) => moved('normal', loc, scale, size),
    laplace: ({ loc = 0, scale = 1, size }) => moved('laplace', loc, scale, size),
    logistic: ({ loc = 0, scale = 1, size }) => moved('logistic', loc, scale, size),
    gumbel: ({ loc = 0, scale = 1, size }) => moved('gumbel', loc, scale, size),
    exponential: ({ scale = 1, size }) => moved('exponential', 0, scale, size),
    lognormal: ({ mean = 0, sigma = 1, size }) => np.exp(moved('normal', mean, sigma, size)),
    rayleigh: ({ scale = 1, size }) => draw('rayleigh', [scale], size),
    weibull: (a, { size }) => {
      const shape = size ?? asArray(hlo, a, 'f32').dims;
      return random.weibullMin(nextKey(), 1, a, { shape });
    },
    /** The Lomax distribution, as in NumPy: from 0, not from 1. */
    pareto: (a, { size }) => np.subtract(draw('pareto', [a], size), 1),
    triangular: (left, mode, right, { size }) => draw('triangular', [left, mode, right], size),
    wald: (mean, scale, { size }) => {
      const shape =
        size ?? broadcastShapes([], ...[mean, scale].map((x) => asArray(hlo, x, 'f32').dims));
      return np.multiply(random.wald(nextKey(), np.divide(mean, scale), { shape }), scale);
    },
    gamma: (a, { scale = 1, size }) => {
      const shape =
        size ?? broadcastShapes([], ...[a, scale].map((x) => asArray(hlo, x, 'f32').dims));
      const x = random.gamma(nextKey(), a, { shape });
      return scale === 1 ? x : np.multiply(x, scale);
    },
    standardGamma: (a, { size }) => draw('gamma', [a], size),
    beta: (a, b, { size }) => draw('beta', [a, b], size),
    chisquare: (df, { size }) => draw('chisquare', [df], size),
    standardT: (df, { size }) => draw('t', [df], size),
    f: (dfnum, dfden, { size }) => draw('f', [dfnum, dfden], size),
    dirichlet: (alpha, { size }) => draw('dirichlet', [alpha], size),
    multivariateNormal: (mean, cov, { size }) => draw('multivariateNormal', [mean, cov], size),
    poisson: ({ lam = 1, size }) => draw('poisson', [lam], size),
    geometric: (p, { size }) => draw('geometric', [p], size),
    binomial: (n, p, { size }) => np.astype(draw('binomial', [n, p], size), 's32'),
    /** A Poisson distribution whose rate is a gamma-distributed one. */
    negativeBinomial: (n, p, { size }) => {
      const shape = size ?? broadcastShapes([], ...[n, p].map((x) => asArray(hlo, x, 'f32').dims));
      const rate = random.gamma(nextKey(), n, { shape });
      const odds = np.divide(np.subtract(1, p), p);
      return random.poisson(nextKey(), np.multiply(rate, odds), {});
    },
    multinomial: (n, pvals, { size }) => {
      const p = asArray(hlo, pvals, 'f32');
      const outer = typeof size === 'number' ? [size] : size;
      const shape = outer === undefined ? {} : { shape: [...outer, p.dims.at(-1)] };
      return np.astype(random.multinomial(nextKey(), n, p, shape), 's32');
    },
    choice: (a, { size = [], replace = true, p, axis = 0 }) =>
      random.choice(nextKey(), a, { shape: size, replace, p, axis }),
    permutation: (x, { axis = 0 }) => random.permutation(nextKey(), x, { axis }),
    permuted: (x, { axis }) => {
      const array = asArray(hlo, x);
      if (axis !== undefined && axis !== null)
        return random.permutation(nextKey(), array, {
          axis: axisOf(axis, array.rank),
          independent: true,
        });
      const flat = hlo.reshape(array, [product(array.dims)]);
      return hlo.reshape(random.permutation(nextKey(), flat), array.dims);
    },
    shuffle: () => {
      throw new HloError('arrays do not change: permutation gives a shuffled one');
    },
    spawn: (children) => {
      if (!Number.isInteger(children) || children < 0)
        throw new HloError(`nChildren is a whole number, got ${nameOf(children)}`);
      return range(children).map(() => {
        const [high, low] = nextKey().toTypedArray();
        return generatorOf(hlo, np, random, [high, low]);
      });
    },
  };
  const checked = Object.entries(methods).map(([name, draws]) => {
    const { required } = parseCall(generatorSignatures[name]);
    /** @param {any[]} bound the required arguments, then the optional ones */
    const draw = (...bound) => {
      const given = Object.fromEntries(required.map((key, i) => [key, bound[i]]));
      checkParameters(name, { ...given, ...bound.at(-1) });
      return draws(...bound);
    };
    return [name, draw];
  });
  return new Generator(
    bindNamespace(hlo, Object.fromEntries(checked), generatorSignatures, 'Generator.'),
  );
}

/**
 * @param {Hlo} hlo
 * @param {any} np
 * @param {Record<string, AnyFunction>} random functions of keys
 * @returns {AnyFunction} defaultRng
 */
export function generatorFunction(hlo, np, random) {
  return ({ seed } = {}) => generatorOf(hlo, np, random, wordsOfSeed(seed));
}
