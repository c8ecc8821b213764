// Factorizations of np.linalg, NumPy's and SciPy's, and eigenvalues.
import { convert } from '../promotion.js';
import { complexTypeOf, permutationOf } from './lapack.js';
import {
  eighOf,
  eigOf,
  hessenbergOf,
  householder,
  luFactors,
  qrOf,
  schurOf,
  singularValues,
  svdOf,
} from './decompositions.js';
import {
  checkChoice,
  conjugate,
  identities,
  matrixOf,
  program,
  repeatAlong,
  scaleColumns,
  squareOf,
  takeRows,
  transposed,
  triangle,
} from './matrices.js';

/** @typedef {any} Hlo */

/** @param {Hlo} hlo @returns {Record<string, (...args: any[]) => any>} */
export function factorizations(hlo) {
  const cholesky = program(hlo, (/** @type {any} */ a, /** @type {boolean} */ upper) =>
    triangle(hlo, hlo.cholesky(a, { lower: !upper }), upper ? 'upper' : 'lower'),
  );
  const choFactor = program(hlo, (/** @type {any} */ a, /** @type {boolean} */ lower) =>
    hlo.cholesky(a, { lower }),
  );
  const qr = program(hlo, (/** @type {any} */ a, /** @type {string} */ mode) => {
    if (mode === 'reduced' || mode === 'complete') return qrOf(hlo, a, mode === 'complete');
    const { reflectors, factors } = householder(hlo, a);
    if (mode === 'raw') return [transposed(hlo, reflectors), factors];
    const few = Math.min(...a.dims.slice(-2));
    return triangle(hlo, hlo.sliceInDim(reflectors, 0, few, 1, a.rank - 2), 'upper');
  });
  const svd = program(hlo, (/** @type {any} */ a, /** @type {any} */ vectors) =>
    svdOf(hlo, a, vectors),
  );
  const svdvals = program(hlo, (/** @type {any} */ a) => singularValues(hlo, a));
  const hermitianSvd = program(hlo, (/** @type {any} */ a) => hermitianSvdOf(hlo, a));
  const hermitianSvdvals = program(hlo, (/** @type {any} */ a) =>
    hlo.sort(hlo.abs(eighOf(hlo, a, 'L', false)[0]), { comparator: 'gt' }),
  );
  const eigh = program(hlo, (/** @type {any} */ a, /** @type {string} */ uplo) =>
    eighOf(hlo, a, uplo),
  );
  const eigvalsh = program(
    hlo,
    (/** @type {any} */ a, /** @type {string} */ uplo) => eighOf(hlo, a, uplo, false)[0],
  );
  const eig = program(hlo, (/** @type {any} */ a) => eigOf(hlo, a, true));
  const eigvals = program(hlo, (/** @type {any} */ a) => eigOf(hlo, a, false)[0]);
  const lu = program(hlo, (/** @type {any} */ a, permuteL = false, pIndices = false) => {
    const [rows, columns] = a.dims.slice(-2);
    const few = Math.min(rows, columns);
    const { factors, pivots } = luFactors(hlo, a);
    const tall = hlo.sliceInDim(factors, 0, few, 1, a.rank - 1);
    const lower = hlo.add(triangle(hlo, tall, 'lower', -1), identities(hlo, tall.dims, a.type));
    const upper = triangle(hlo, hlo.sliceInDim(factors, 0, few, 1, a.rank - 2), 'upper');
    const order = permutationOf(hlo, pivots, rows);
    // A = L[places] U: row i of A went to place places[i].
    const places = hlo.sort([order, hlo.iota('s32', order.dims, order.rank - 1)])[1];
    if (permuteL) return [takeRows(hlo, lower, places), upper];
    if (pIndices) return [places, lower, upper];
    const square = [...order.dims, rows];
    const column = hlo.iota('s32', square, order.rank);
    const isOne = hlo.eq(repeatAlong(hlo, places, square), column);
    return [hlo.convert(isOne, a.type), lower, upper];
  });
  const luFactor = program(hlo, (/** @type {any} */ a) => {
    const { factors, pivots } = luFactors(hlo, a);
    return [factors, pivots];
  });
  const schur = program(hlo, (/** @type {any} */ a) => schurOf(hlo, a));
  const hessenberg = program(hlo, (/** @type {any} */ a, /** @type {boolean} */ calcQ) =>
    calcQ ? hessenbergOf(hlo, a) : hessenbergOf(hlo, a)[0],
  );
  const uplos = ['L', 'U'];
  return {
    cholesky: (a, { upper = false } = {}) => cholesky(squareOf(hlo, a, 'a'), upper),
    choFactor: (a, { lower = false } = {}) => [choFactor(squareOf(hlo, a, 'a'), lower), lower],
    qr: (a, { mode = 'reduced' } = {}) =>
      qr(matrixOf(hlo, a, 'a'), checkChoice(mode, 'mode', ['reduced', 'complete', 'r', 'raw'])),
    svd: (a, { fullMatrices = true, computeUv = true, hermitian = false } = {}) => {
      const x = hermitian ? squareOf(hlo, a, 'a') : matrixOf(hlo, a, 'a');
      if (!computeUv) return hermitian ? hermitianSvdvals(x) : svdvals(x);
      return hermitian ? hermitianSvd(x) : svd(x, fullMatrices ? 'all' : 'few');
    },
    svdvals: (x) => svdvals(matrixOf(hlo, x, 'x')),
    eigh: (a, { UPLO = 'L' } = {}) => eigh(squareOf(hlo, a, 'a'), checkChoice(UPLO, 'UPLO', uplos)),
    eigvalsh: (a, { UPLO = 'L' } = {}) =>
      eigvalsh(squareOf(hlo, a, 'a'), checkChoice(UPLO, 'UPLO', uplos)),
    eig: (a) => eig(squareOf(hlo, a, 'a')),
    eigvals: (a) => eigvals(squareOf(hlo, a, 'a')),
    lu: (a, { permuteL = false, pIndices = false } = {}) =>
      lu(matrixOf(hlo, a, 'a'), permuteL, pIndices),
    luFactor: (a) => luFactor(matrixOf(hlo, a, 'a')),
    schur: (a, { output = 'real' } = {}) => {
      const x = squareOf(hlo, a, 'a');
      checkChoice(output, 'output', ['real', 'complex']);
      return schur(output === 'complex' ? convert(hlo, x, complexTypeOf(x.type)) : x);
    },
    hessenberg: (a, { calcQ = false } = {}) => hessenberg(squareOf(hlo, a, 'a'), calcQ),
  };
}

/**
 * Singular values of Hermitian matrices: the eigenvalues without their signs.
 * @param {Hlo} hlo
 * @param {any} a
 */
function hermitianSvdOf(hlo, a) {
  const [values, vectors] = eighOf(hlo, a, 'L');
  const negative = hlo.neg(hlo.abs(values));
  const place = hlo.iota('s32', values.dims, values.rank - 1);
  const [sorted, order] = hlo.sort([negative, place]);
  const signs = hlo.sub(1, hlo.mul(hlo.convert(hlo.lt(values, 0), values.type), 2));
  const left = transposed(hlo, takeRows(hlo, transposed(hlo, vectors), order));
  const right = scaleColumns(hlo, vectors, signs);
  const vh = conjugate(hlo, takeRows(hlo, transposed(hlo, right), order));
  return [left, hlo.neg(sorted), vh];
}
