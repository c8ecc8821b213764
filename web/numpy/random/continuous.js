// Distributions of real numbers that are made of a fixed number of uniform or normal ones. Each is (hlo, key, dims, type, ...parameters): the
// key as two scalars, the parameters as arrays of the shape; part of a program.
import { broadcastTo } from '../promotion.js';
import {
  aboveMinusOne,
  epsilon,
  exponential,
  gumbel,
  leastNormal,
  normal,
  signs,
  splitWords,
  uniform,
} from './keys.js';

/** @typedef {any} Hlo */
/** @typedef {import('./threefry.js').Words} Words */
/** @typedef {(hlo: Hlo, key: Words, dims: number[], type: string, ...parameters: any[]) => any} Distribution */

/** @type {Distribution} */
function laplace(hlo, key, dims, type) {
  const x = uniform(hlo, key, dims, type, aboveMinusOne(type), 1);
  return hlo.mul(hlo.sign(x), hlo.log1p(hlo.neg(hlo.abs(x))));
}

/** @type {Distribution} */
function logistic(hlo, key, dims, type) {
  const x = uniform(hlo, key, dims, type, leastNormal(type), 1);
  return hlo.sub(hlo.log(x), hlo.log1p(hlo.neg(x)));
}

/** @type {Distribution} */
function cauchy(hlo, key, dims, type) {
  const x = uniform(hlo, key, dims, type, epsilon(type), 1);
  return hlo.tan(hlo.mul(hlo.sub(x, 0.5), Math.PI));
}

/** @type {Distribution} */
function truncatedNormal(hlo, key, dims, type, lower, upper) {
  const [low, high] = [lower, upper].map((limit) => hlo.erf(hlo.div(limit, Math.SQRT2)));
  const x = hlo.mul(hlo.erfInv(uniform(hlo, key, dims, type, low, high)), Math.SQRT2);
  const infinite = (/** @type {number} */ sign) =>
    broadcastTo(hlo, hlo.array(sign * Infinity, type), dims);
  const least = hlo.nextAfter(lower, infinite(1));
  return hlo.min(hlo.nextAfter(upper, infinite(-1)), hlo.max(least, x));
}

/** @type {Distribution} */
function maxwell(hlo, key, dims, type) {
  // The barrier keeps the draw a loop of its own: within a reduction of short rows it is not vectorised.
  const x = hlo.optimizationBarrier(normal(hlo, key, [...dims, 3], type));
  return hlo.sqrt(hlo.reduce(hlo.mul(x, x), hlo.array(0, type), 'add', [dims.length]));
}

/** @type {Distribution} */
function doubleSidedMaxwell(hlo, key, dims, type, loc, scale) {
  const [first, second] = splitWords(hlo, key, 2);
  const x = maxwell(hlo, first, dims, type);
  return hlo.add(hlo.mul(hlo.mul(signs(hlo, second, dims, type), x), scale), loc);
}

/** @type {Distribution} */
function weibullMin(hlo, key, dims, type, scale, concentration) {
  return hlo.mul(hlo.pow(exponential(hlo, key, dims, type), hlo.div(1, concentration)), scale);
}

/** @type {Distribution} */
function rayleigh(hlo, key, dims, type, scale) {
  const logs = hlo.log(uniform(hlo, key, dims, type));
  return hlo.mul(scale, hlo.sqrt(hlo.mul(logs, -2)));
}

/** @type {Distribution} */
function pareto(hlo, key, dims, type, b) {
  return hlo.exp(hlo.div(exponential(hlo, key, dims, type), b));
}

/** @type {Distribution} */
function triangular(hlo, key, dims, type, left, mode, right) {
  const x = uniform(hlo, key, dims, type);
  const [width, rise, fall] = [hlo.sub(right, left), hlo.sub(mode, left), hlo.sub(right, mode)];
  const rising = hlo.add(left, hlo.sqrt(hlo.mul(hlo.mul(x, width), rise)));
  const falling = hlo.sub(right, hlo.sqrt(hlo.mul(hlo.mul(hlo.sub(1, x), width), fall)));
  return hlo.select(hlo.lt(x, hlo.div(rise, width)), rising, falling);
}

/** @type {Distribution} */
function lognormal(hlo, key, dims, type, sigma) {
  return hlo.exp(hlo.mul(normal(hlo, key, dims, type), sigma));
}

/** The inverse Gaussian distribution of scale 1. @type {Distribution} */
function wald(hlo, key, dims, type, mean) {
  const [first, second] = splitWords(hlo, key, 2);
  const x = normal(hlo, first, dims, type);
  const u = uniform(hlo, second, dims, type);
  const square = hlo.mul(x, x);
  const means = hlo.mul(mean, mean);
  const root = hlo.sqrt(
    hlo.add(hlo.mul(hlo.mul(mean, 4), square), hlo.mul(means, hlo.mul(square, square))),
  );
  const middle = hlo.add(mean, hlo.div(hlo.mul(means, square), 2));
  const smaller = hlo.sub(middle, hlo.mul(hlo.div(mean, 2), root));
  const isSmaller = hlo.le(u, hlo.div(mean, hlo.add(mean, smaller)));
  return hlo.select(isSmaller, smaller, hlo.div(means, smaller));
}

/** @type {Distribution} */
const betweenLimits = (hlo, key, dims, type, minval, maxval) =>
  uniform(hlo, key, dims, type, minval, maxval);

/**
 * A distribution, the names of its parameters and, of optional ones, their defaults.
 * @typedef {{ draw: Distribution, required?: string, optional?: Record<string, number> }} Entry
 */
/** By name. @type {Record<string, Entry>} */
export const continuous = {
  uniform: { optional: { minval: 0, maxval: 1 }, draw: betweenLimits },
  normal: { draw: normal },
  exponential: { draw: exponential },
  gumbel: { draw: gumbel },
  laplace: { draw: laplace },
  logistic: { draw: logistic },
  cauchy: { draw: cauchy },
  maxwell: { draw: maxwell },
  truncatedNormal: { required: 'lower upper', draw: truncatedNormal },
  doubleSidedMaxwell: { required: 'loc scale', draw: doubleSidedMaxwell },
  weibullMin: { required: 'scale concentration', draw: weibullMin },
  rayleigh: { required: 'scale', draw: rayleigh },
  pareto: { required: 'b', draw: pareto },
  triangular: { required: 'left mode right', draw: triangular },
  wald: { required: 'mean', draw: wald },
  lognormal: { optional: { sigma: 1 }, draw: lognormal },
};
