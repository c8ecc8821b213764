// Norms as parts of programs. They are reduced along their axes where these are: a transpose would take longer than the sums.
import { range } from '../promotion.js';
import { singularValues } from './decompositions.js';
import { realTypeOf } from './lapack.js';
import { filled, reduceLast } from './matrices.js';
import { inverseOf } from './solving.js';

/** @typedef {any} Hlo */

/** @param {number} rank @param {number[]} axes @returns {number[]} the other axes */
function others(rank, axes) {
  return range(rank).filter((d) => !axes.includes(d));
}

/** @param {Hlo} hlo @param {any} x @param {string} operation @param {number} start @param {number[]} axes */
function reduce(hlo, x, operation, start, axes) {
  return hlo.reduce(x, hlo.array(start, x.type), operation, axes);
}

/** @param {Hlo} hlo @param {any} x @param {number[]} axes */
function rootOfSquares(hlo, x, axes) {
  const square = (/** @type {any} */ y) => hlo.mul(y, y);
  const squares =
    x.type === realTypeOf(x.type) ? square(x) : hlo.add(square(hlo.real(x)), square(hlo.imag(x)));
  return hlo.sqrt(reduce(hlo, squares, 'add', 0, axes));
}

/**
 * The norm of all elements along axes.
 * @param {Hlo} hlo
 * @param {any} x
 * @param {number[]} axes
 * @param {number} ord
 */
export function vectorNorm(hlo, x, axes, ord) {
  if (ord === 2) return rootOfSquares(hlo, x, axes);
  const sizes = hlo.abs(x);
  if (ord === Infinity) return reduce(hlo, sizes, 'max', 0, axes);
  if (ord === -Infinity) return reduce(hlo, sizes, 'min', Infinity, axes);
  if (ord === 0) return reduce(hlo, hlo.convert(hlo.ne(x, 0), sizes.type), 'add', 0, axes);
  if (ord === 1) return reduce(hlo, sizes, 'add', 0, axes);
  // Scaled by the largest element, or for negative powers the smallest, so that powers neither overflow nor lose digits.
  const [operation, start] = ord > 0 ? ['max', 0] : ['min', Infinity];
  const scale = reduce(hlo, sizes, operation, start, axes);
  const ratios = hlo.div(sizes, hlo.broadcastInDim(scale, sizes.dims, others(x.rank, axes)));
  const total = reduce(hlo, powerOf(hlo, ratios, ord), 'add', 0, axes);
  const norm = hlo.mul(scale, hlo.pow(total, filled(hlo, 1 / ord, total)));
  const isItself = hlo.or(hlo.eq(scale, 0), hlo.eq(scale, Infinity));
  return hlo.select(isItself, scale, norm);
}

/** Small whole powers are products. @param {Hlo} hlo @param {any} x not negative @param {number} exponent @returns {any} */
function powerOf(hlo, x, exponent) {
  if (exponent === 1) return x;
  if (!Number.isInteger(exponent) || exponent < 1 || exponent > 16)
    return hlo.exp(hlo.mul(hlo.log(x), exponent));
  const root = powerOf(hlo, x, Math.floor(exponent / 2));
  const square = hlo.mul(root, root);
  return exponent % 2 === 1 ? hlo.mul(square, x) : square;
}

/**
 * The norm of matrices with rows and columns along two axes.
 * @param {Hlo} hlo
 * @param {any} x
 * @param {number[]} axes of rows, of columns
 * @param {any} ord
 */
export function matrixNorm(hlo, x, axes, ord) {
  if (ord === 'fro') return rootOfSquares(hlo, x, axes);
  const [operation, start] = ord > 0 ? ['max', 0] : ['min', Infinity];
  if (ord === 'nuc' || Math.abs(ord) === 2) {
    const values = singularValues(hlo, hlo.transpose(x, [...others(x.rank, axes), ...axes]));
    return ord === 'nuc'
      ? reduceLast(hlo, values, 'add', 0)
      : reduceLast(hlo, values, operation, start);
  }
  const [along, across] = Math.abs(ord) === 1 ? axes : axes.toReversed();
  const sums = reduce(hlo, hlo.abs(x), 'add', 0, [along]);
  return reduce(hlo, sums, operation, start, [across > along ? across - 1 : across]);
}

/**
 * The product of a matrix's norm and its inverse's.
 * @param {Hlo} hlo
 * @param {any} x
 * @param {any} p
 */
export function conditionNumber(hlo, x, p) {
  const axes = [x.rank - 2, x.rank - 1];
  if (Math.abs(p) !== 2)
    return hlo.mul(matrixNorm(hlo, x, axes, p), matrixNorm(hlo, inverseOf(hlo, x), axes, p));
  const values = singularValues(hlo, x);
  const [first, last] = [0, values.dims.at(-1) - 1].map((i) =>
    hlo.reshape(hlo.sliceInDim(values, i, i + 1, 1, values.rank - 1), values.dims.slice(0, -1)),
  );
  return p === 2 ? hlo.div(first, last) : hlo.div(last, first);
}
