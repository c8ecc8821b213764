// Functions of np.random that draw vectors and matrices.
import { HloError, ShapeError } from '../../errors.js';
import { nameOf } from '../../options.js';
import { asArray, convert } from '../promotion.js';
import { ball, dirichlet } from './gamma.js';
import { checkFloats, checkKey, checkShape, normal, wordsOf } from './keys.js';
import { drawProgram, shapeOf } from './programs.js';

/** @typedef {any} Hlo */

/**
 * @param {Hlo} hlo
 * @param {any} np
 * @returns {Record<string, (...args: any[]) => any>}
 */
export function vectorFunctions(hlo, np) {
  /** @type {Record<string, (...args: any[]) => any>} */
  const random = {};
  const dirichlets = drawProgram(hlo, (words, dims, alpha) =>
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
  const balls = drawProgram(hlo, (words, dims, p) => ball(hlo, words, dims, p.type, p));
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
