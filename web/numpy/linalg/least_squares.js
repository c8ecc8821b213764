// Least squares and pseudo-inverses of np.linalg, by singular values.
import { HloError, ShapeError } from '../../errors.js';
import { nameOf } from '../../options.js';
import { broadcastTo } from '../promotion.js';
import { svdOf } from './decompositions.js';
import {
  adjoint,
  epsilonOf,
  filled,
  floatsOf,
  matrixOf,
  multiply,
  program,
  realOf,
  reduceLast,
  repeatAlong,
  scaleColumns,
  squareOf,
} from './matrices.js';
import { checkRows, withColumns } from './solving.js';

/** @typedef {any} Hlo */

/** @param {Hlo} hlo @returns {Record<string, (...args: any[]) => any>} */
export function leastSquaresFunctions(hlo) {
  const leastSquares = program(
    hlo,
    (/** @type {any} */ a, /** @type {any} */ b, /** @type {number | null} */ rcond) =>
      leastSquaresOf(hlo, a, b, rcond),
  );
  return {
    lstsq: (first, second, { rcond = null } = {}) => {
      const [a, b] = floatsOf(hlo, { a: first, b: second });
      if (a.rank !== 2) throw new ShapeError(`a is a matrix, got ${a.xla.text}`);
      if (b.rank < 1 || b.rank > 2)
        throw new ShapeError(`b is a vector or a matrix, got ${b.xla.text}`);
      checkRows(a, b);
      if (rcond !== null && typeof rcond !== 'number')
        throw new HloError(`rcond is a number or null, got ${nameOf(rcond)}`);
      return leastSquares(a, b, rcond);
    },
    pinv: pseudoInverse(hlo),
  };
}

/**
 * @param {Hlo} hlo
 * @param {any} a
 * @param {any} b
 * @param {number | null} rcond
 */
function leastSquaresOf(hlo, a, b, rcond) {
  const [rows, columns] = a.dims;
  const cutoff =
    rcond === null ? epsilonOf(a) * Math.max(rows, columns) : rcond < 0 ? epsilonOf(a) : rcond;
  const [u, s, vh] = svdOf(hlo, a, 'few');
  const largest = reduceLast(hlo, s, 'max', 0);
  const isKept = hlo.gt(s, repeatAlong(hlo, hlo.mul(largest, cutoff), s.dims));
  const inverses = hlo.select(isKept, hlo.div(1, s), filled(hlo, 0, s));
  const solution = withColumns(hlo, b, (right) =>
    multiply(
      hlo,
      scaleColumns(hlo, adjoint(hlo, vh), inverses),
      multiply(hlo, adjoint(hlo, u), right),
    ),
  );
  const rank = hlo.reduce(hlo.convert(isKept, 's32'), hlo.array(0, 's32'), 'add', [0]);
  const rest = hlo.sub(b, hlo.dot(a, solution));
  const size = hlo.abs(rest);
  const sums = hlo.reduce(hlo.mul(size, size), hlo.array(0, s.type), 'add', [0]);
  const residuals = rows > columns ? hlo.reshape(sums, [sums.size]) : hlo.sliceInDim(s, 0, 0, 1, 0);
  return [solution, residuals, rank, s];
}

/** @param {Hlo} hlo */
function pseudoInverse(hlo) {
  const ofCutoff = program(hlo, (/** @type {any} */ a, /** @type {any} */ cutoff) => {
    const [u, s, vh] = svdOf(hlo, a, 'few');
    const largest = reduceLast(hlo, s, 'max', 0);
    const factor = typeof cutoff === 'number' ? cutoff : broadcastTo(hlo, cutoff, largest.dims);
    const isKept = hlo.gt(s, repeatAlong(hlo, hlo.mul(largest, factor), s.dims));
    const inverses = hlo.select(isKept, hlo.div(1, s), filled(hlo, 0, s));
    return multiply(hlo, scaleColumns(hlo, adjoint(hlo, vh), inverses), adjoint(hlo, u));
  });
  return (/** @type {any} */ given, { rcond = null, rtol = null, hermitian = false } = {}) => {
    const a = hermitian ? squareOf(hlo, given, 'a') : matrixOf(hlo, given, 'a');
    if (rcond !== null && rtol !== null)
      throw new HloError('rcond and rtol are one thing: give one');
    // JAX's default: NumPy's, 1e-15, keeps singular values of float32 that are rounding errors.
    const cutoff = rcond ?? rtol ?? 10 * epsilonOf(a) * Math.max(...a.dims.slice(-2));
    if (typeof cutoff === 'number') return ofCutoff(a, cutoff);
    return ofCutoff(a, realOf(hlo, cutoff, rcond === null ? 'rtol' : 'rcond', a));
  };
}
