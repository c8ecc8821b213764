// Norms of np.linalg, and what singular values tell of a matrix.
import { HloError, ShapeError } from '../../errors.js';
import { nameOf } from '../../options.js';
import { checkOperand } from '../operands.js';
import { asFloat, axesOf, range } from '../promotion.js';
import { eighOf, singularValues } from './decompositions.js';
import {
  epsilonOf,
  filled,
  matrixOf,
  program,
  realOf,
  reduceLast,
  repeatAlong,
  squareOf,
} from './matrices.js';
import { conditionNumber, matrixNorm, vectorNorm } from './norm_values.js';

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

/** @param {Hlo} hlo @returns {Record<string, (...args: any[]) => any>} */
export function norms(hlo) {
  const ofAxes = (/** @type {typeof vectorNorm} */ norm) =>
    program(
      hlo,
      (
        /** @type {any} */ x,
        /** @type {number[]} */ axes,
        /** @type {any} */ ord,
        /** @type {boolean} */ keepdims,
      ) => {
        const result = norm(hlo, x, axes, ord);
        if (!keepdims) return result;
        const sizes = x.dims.map((/** @type {number} */ size, /** @type {number} */ d) =>
          axes.includes(d) ? 1 : size,
        );
        return hlo.reshape(result, sizes);
      },
    );
  const vectors = ofAxes(vectorNorm);
  const matrices = ofAxes(matrixNorm);
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
    const result = conditionNumber(hlo, x, p);
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
  const boundOf = (/** @type {any} */ bound, /** @type {string} */ name, /** @type {any} */ a) =>
    bound === null || typeof bound === 'number' ? bound : realOf(hlo, bound, name, a);

  return {
    norm: (given, { ord = null, axis = null, keepdims = false } = {}) => {
      const x = asFloat(hlo, checkOperand(given, 'x'));
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
      const x = asFloat(hlo, checkOperand(given, 'x'));
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
      const all = asFloat(hlo, checkOperand(given, 'A'));
      if (all.rank < 2) {
        const hasSome = hlo.reduce(hlo.ne(all, 0), hlo.array(false), 'or', range(all.rank));
        return hlo.convert(hasSome, 's32');
      }
      const a = hermitian ? squareOf(hlo, all, 'A') : all;
      const relative = tol === null ? (rtol ?? epsilonOf(a) * Math.max(...a.dims.slice(-2))) : null;
      return rankProgram(a, hermitian, {
        tol: boundOf(tol, 'tol', a),
        rtol: boundOf(relative, 'rtol', a),
      });
    },
  };
}
