// Norms of np.linalg, and what singular values tell of a matrix.
import { HloError, ShapeError } from '../../errors.js';
import { nameOf } from '../../options.js';
import { asArray, asFloat, axesOf, convert, range } from '../promotion.js';
import { eighOf, singularValues } from './decompositions.js';
import { realTypeOf } from './lapack.js';
import {
  epsilonOf,
  filled,
  matrixOf,
  program,
  reduceLast,
  repeatAlong,
  squareOf,
} from './matrices.js';
import { inverseOf } from './solving.js';

/** @typedef {any} Hlo */
/** @typedef {number | string | null} Order */

const matrixOrders = ['fro', 'nuc', 1, -1, 2, -2, Infinity, -Infinity];

/** @param {any} ord */
function checkVectorOrder(ord) {
  if (typeof ord !== 'number' || Number.isNaN(ord))
    throw new HloError(`ord of vectors is a number, got ${nameOf(ord)}`);
  return ord;
}

/** @param {any} ord */
function checkMatrixOrder(ord) {
  const order = ord === 'f' ? 'fro' : ord;
  if (!matrixOrders.includes(order))
    throw new HloError(
      `ord of matrices is ${matrixOrders.map(nameOf).join(', ')}, got ${nameOf(ord)}`,
    );
  return order;
}

/**
 * The norm of vectors, which the last dimension has.
 * @param {Hlo} hlo
 * @param {any} x
 * @param {number} ord
 */
function ofVectors(hlo, x, ord) {
  const sizes = hlo.abs(x);
  if (ord === Infinity) return reduceLast(hlo, sizes, 'max', 0);
  if (ord === -Infinity) return reduceLast(hlo, sizes, 'min', Infinity);
  if (ord === 0) return reduceLast(hlo, hlo.convert(hlo.ne(x, 0), sizes.type), 'add', 0);
  if (ord === 1) return reduceLast(hlo, sizes, 'add', 0);
  if (ord === 2) return rootOfSquares(hlo, x, 1);
  // Scaled by the largest element, or for negative powers the smallest, so that powers neither overflow nor lose digits.
  const scale =
    ord > 0 ? reduceLast(hlo, sizes, 'max', 0) : reduceLast(hlo, sizes, 'min', Infinity);
  const ratios = hlo.div(sizes, repeatAlong(hlo, scale, sizes.dims));
  const total = reduceLast(hlo, powerOf(hlo, ratios, ord), 'add', 0);
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

/** @param {Hlo} hlo @param {any} x @param {number} count of dimensions */
function rootOfSquares(hlo, x, count) {
  const square = (/** @type {any} */ y) => hlo.mul(y, y);
  const squares =
    x.type === realTypeOf(x.type) ? square(x) : hlo.add(square(hlo.real(x)), square(hlo.imag(x)));
  return hlo.sqrt(reduceLast(hlo, squares, 'add', 0, count));
}

/**
 * The norm of matrices, which the last two dimensions have.
 * @param {Hlo} hlo
 * @param {any} x
 * @param {any} ord
 */
export function ofMatrices(hlo, x, ord) {
  if (ord === 'fro') return rootOfSquares(hlo, x, 2);
  if (ord === 'nuc') return reduceLast(hlo, singularValues(hlo, x), 'add', 0);
  const isLargest = ord > 0;
  const [operation, start] = isLargest ? ['max', 0] : ['min', Infinity];
  if (Math.abs(ord) === 2) return reduceLast(hlo, singularValues(hlo, x), operation, start);
  const sizes = hlo.abs(x);
  const along = Math.abs(ord) === 1 ? x.rank - 2 : x.rank - 1;
  const sums = hlo.reduce(sizes, hlo.array(0, sizes.type), 'add', [along]);
  return reduceLast(hlo, sums, operation, start);
}

/** @param {Hlo} hlo @returns {Record<string, (...args: any[]) => any>} */
export function norms(hlo) {
  const withAxesKept = (
    /** @type {any} */ result,
    /** @type {any} */ x,
    /** @type {number[]} */ axes,
  ) =>
    hlo.reshape(
      result,
      x.dims.map((/** @type {number} */ size, /** @type {number} */ d) =>
        axes.includes(d) ? 1 : size,
      ),
    );
  const axesLast = (/** @type {any} */ x, /** @type {number[]} */ axes) =>
    hlo.transpose(x, [...range(x.rank).filter((d) => !axes.includes(d)), ...axes]);
  const vectors = program(
    hlo,
    (
      /** @type {any} */ x,
      /** @type {number[]} */ axes,
      /** @type {number} */ ord,
      /** @type {boolean} */ keepdims,
    ) => {
      const last = axesLast(x, axes);
      const dims = last.dims.slice(0, x.rank - axes.length);
      const size = last.dims
        .slice(x.rank - axes.length)
        .reduce((/** @type {number} */ all, /** @type {number} */ n) => all * n, 1);
      const result = ofVectors(hlo, hlo.reshape(last, [...dims, size]), ord);
      return keepdims ? withAxesKept(result, x, axes) : result;
    },
  );
  const matrices = program(
    hlo,
    (
      /** @type {any} */ x,
      /** @type {number[]} */ axes,
      /** @type {any} */ ord,
      /** @type {boolean} */ keepdims,
    ) => {
      const result = ofMatrices(hlo, axesLast(x, axes), ord);
      return keepdims ? withAxesKept(result, x, axes) : result;
    },
  );
  /** There is no least of nothing. @param {any} x @param {number[]} axes @param {any} ord @param {boolean} hasMatrices */
  const checkElements = (x, axes, ord, hasMatrices) => {
    const [rows, columns] = axes.map((d) => x.dims[d]);
    const ofMatrix = /** @type {any} */ ({
      '-1': columns,
      '-2': Math.min(rows, columns),
      '-Infinity': rows,
    });
    const isEmpty = hasMatrices
      ? ofMatrix[ord] === 0
      : ord === -Infinity && axes.some((d) => x.dims[d] === 0);
    if (isEmpty)
      throw new ShapeError(`there is no norm ${ord} without elements, got ${x.xla.text}`);
  };
  const condition = program(hlo, (/** @type {any} */ x, /** @type {any} */ p) => {
    const result = conditionOf(hlo, x, p);
    const hasNaN = reduceLast(hlo, hlo.ne(x, x), 'or', false, 2);
    const isUnknown = hlo.and(hlo.ne(result, result), hlo.not(hasNaN));
    return hlo.select(isUnknown, filled(hlo, Infinity, result), result);
  });
  const rankProgram = program(
    hlo,
    (/** @type {any} */ a, /** @type {boolean} */ hermitian, /** @type {any} */ bounds) => {
      const s = hermitian ? hlo.abs(eighOf(hlo, a, 'L', false)[0]) : singularValues(hlo, a);
      const largest = reduceLast(hlo, s, 'max', 0);
      const { tol, rtol } = bounds;
      const given = tol ?? rtol;
      const bound =
        typeof given === 'number'
          ? filled(hlo, given, largest)
          : hlo.broadcastInDim(
              given,
              largest.dims,
              range(given.rank).map((d) => largest.rank - given.rank + d),
            );
      const least = tol === null ? hlo.mul(largest, bound) : bound;
      const isKept = hlo.gt(s, repeatAlong(hlo, least, s.dims));
      return reduceLast(hlo, hlo.convert(isKept, 's32'), 'add', 0);
    },
  );
  const boundOf = (/** @type {any} */ bound, /** @type {any} */ a) =>
    bound === null || typeof bound === 'number'
      ? bound
      : convert(hlo, asArray(hlo, bound, realTypeOf(a.type)), realTypeOf(a.type));

  return {
    norm: (given, { ord = null, axis = null, keepdims = false } = {}) => {
      const x = asFloat(hlo, given);
      const axes = axesOf(axis, x.rank);
      if (ord === null && axis === null) return vectors(x, axes, 2, keepdims);
      if (axes.length !== 1 && axes.length !== 2)
        throw new ShapeError(
          `axis is one axis or two, got ${axis === null ? `null for ${x.xla.text}` : `[${axes}]`}`,
        );
      const order = axes.length === 1 ? checkVectorOrder(ord ?? 2) : checkMatrixOrder(ord ?? 'fro');
      checkElements(x, axes, order, axes.length === 2);
      return (axes.length === 1 ? vectors : matrices)(x, axes, order, keepdims);
    },
    vectorNorm: (given, { axis = null, keepdims = false, ord = 2 } = {}) => {
      const x = asFloat(hlo, given);
      const axes = axesOf(axis, x.rank);
      checkVectorOrder(ord);
      checkElements(x, axes, ord, false);
      return vectors(x, axes, ord, keepdims);
    },
    matrixNorm: (given, { keepdims = false, ord = 'fro' } = {}) => {
      const x = matrixOf(hlo, given, 'x');
      const axes = [x.rank - 2, x.rank - 1];
      const order = checkMatrixOrder(ord);
      checkElements(x, axes, order, true);
      return matrices(x, axes, order, keepdims);
    },
    cond: (given, { p = null } = {}) => {
      const order = checkMatrixOrder(p ?? 2);
      const isSpectral = Math.abs(/** @type {any} */ (order)) === 2;
      const x = isSpectral ? matrixOf(hlo, given, 'x') : squareOf(hlo, given, 'x');
      if (x.dims.slice(-2).includes(0)) throw new ShapeError(`x has elements, got ${x.xla.text}`);
      return condition(x, order);
    },
    matrixRank: (given, { tol = null, hermitian = false, rtol = null } = {}) => {
      if (tol !== null && rtol !== null) throw new HloError('tol and rtol are two ways: give one');
      const all = asFloat(hlo, given);
      if (all.rank < 2) {
        const hasSome = hlo.reduce(hlo.ne(all, 0), hlo.array(false), 'or', range(all.rank));
        return hlo.convert(hasSome, 's32');
      }
      const a = hermitian ? squareOf(hlo, all, 'A') : all;
      const relative = tol === null ? (rtol ?? epsilonOf(a) * Math.max(...a.dims.slice(-2))) : null;
      return rankProgram(a, hermitian, { tol: boundOf(tol, a), rtol: boundOf(relative, a) });
    },
  };
}

/**
 * @param {Hlo} hlo
 * @param {any} x
 * @param {any} p
 */
function conditionOf(hlo, x, p) {
  if (Math.abs(p) !== 2)
    return hlo.mul(ofMatrices(hlo, x, p), ofMatrices(hlo, inverseOf(hlo, x), p));
  const s = singularValues(hlo, x);
  const [first, last] = [0, s.dims.at(-1) - 1].map((i) =>
    hlo.reshape(hlo.sliceInDim(s, i, i + 1, 1, s.rank - 1), s.dims.slice(0, -1)),
  );
  return p === 2 ? hlo.div(first, last) : hlo.div(last, first);
}
