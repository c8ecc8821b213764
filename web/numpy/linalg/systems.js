// Systems of equations, inverses and determinants of np.linalg. A singular matrix gives infinities or NaN, as in JAX, since a
// traced program cannot raise an error.
import { HloError, ShapeError } from '../../errors.js';
import { nameOf } from '../../options.js';
import { checkOperand } from '../operands.js';
import { asArray, axesOf, integer, product, range } from '../promotion.js';
import { luFactors } from './decompositions.js';
import { isComplex, permutationOf } from './lapack.js';
import {
  checkChoice,
  checkSquare,
  diagonalOf,
  filled,
  floatsOf,
  program,
  reduceLast,
  sameBatch,
  squareOf,
} from './matrices.js';
import {
  checkRows,
  foldBatch,
  inverseOf,
  solveFactored,
  solveMatrices,
  withColumns,
} from './solving.js';

/** @typedef {any} Hlo */

/** @param {Hlo} hlo @returns {Record<string, (...args: any[]) => any>} */
export function systems(hlo) {
  const solve = program(hlo, (/** @type {any} */ a, /** @type {any} */ b) =>
    withColumns(hlo, b, (right) => solveMatrices(hlo, a, right)),
  );
  const inverse = program(hlo, (/** @type {any} */ a) => inverseOf(hlo, a));
  const signAndLogarithm = program(hlo, (/** @type {any} */ a) => {
    const { diagonal, sign } = determinantParts(hlo, a);
    const sizes = hlo.abs(diagonal);
    const isZero = reduceLast(hlo, hlo.eq(sizes, 0), 'or', false);
    const directions = isComplex(a.type)
      ? hlo.div(diagonal, hlo.complex(sizes, filled(hlo, 0, sizes)))
      : hlo.sign(diagonal);
    const phase = hlo.mul(sign, reduceLast(hlo, directions, 'mul', 1));
    const logarithm = reduceLast(hlo, hlo.log(sizes), 'add', 0);
    return [
      hlo.select(isZero, filled(hlo, 0, phase), phase),
      hlo.select(isZero, filled(hlo, -Infinity, logarithm), logarithm),
    ];
  });
  const determinant = program(hlo, (/** @type {any} */ a) => {
    const { diagonal, sign } = determinantParts(hlo, a);
    return hlo.mul(sign, reduceLast(hlo, diagonal, 'mul', 1));
  });
  const triangular = program(
    hlo,
    (/** @type {any} */ a, /** @type {any} */ b, /** @type {any} */ options) =>
      withColumns(hlo, b, (right) =>
        a.rank === 2 && right.rank > 2
          ? foldBatch(hlo, right, (c) => hlo.triangularSolve(a, c, options))
          : hlo.triangularSolve(...sameBatch(hlo, a, right), options),
      ),
  );
  const choleskySolve = program(
    hlo,
    (/** @type {any} */ c, /** @type {any} */ b, /** @type {boolean} */ lower) => {
      const [first, second] = lower ? ['NO_TRANSPOSE', 'ADJOINT'] : ['ADJOINT', 'NO_TRANSPOSE'];
      return withColumns(hlo, b, (right) => {
        const [factor, columns] = sameBatch(hlo, c, right);
        const inner = hlo.triangularSolve(factor, columns, { lower, transposeA: first });
        return hlo.triangularSolve(factor, inner, { lower, transposeA: second });
      });
    },
  );
  const luSolve = program(
    hlo,
    (
      /** @type {any} */ lu,
      /** @type {any} */ pivots,
      /** @type {any} */ b,
      /** @type {number} */ trans,
    ) => {
      const order = permutationOf(hlo, pivots, lu.dims.at(-2));
      return withColumns(hlo, b, (right) => solveFactored(hlo, lu, order, right, trans));
    },
  );

  return {
    solve: (first, second) => {
      const [a, b] = floatsOf(hlo, { a: first, b: second });
      checkRows(checkSquare(a, 'a'), b);
      return solve(a, b);
    },
    inv: (a) => inverse(squareOf(hlo, a, 'a')),
    det: (a) => determinant(squareOf(hlo, a, 'a')),
    slogdet: (a) => signAndLogarithm(squareOf(hlo, a, 'a')),
    solveTriangular: (first, second, { trans = 0, lower = false, unitDiagonal = false } = {}) => {
      const [a, b] = floatsOf(hlo, { a: first, b: second });
      checkRows(checkSquare(a, 'a'), b);
      const place = checkChoice(trans, 'trans', [0, 1, 2, 'N', 'T', 'C']);
      const transposeA = ['NO_TRANSPOSE', 'TRANSPOSE', 'ADJOINT'][
        typeof place === 'number' ? place : 'NTC'.indexOf(place)
      ];
      return triangular(a, b, { lower, unitDiagonal, transposeA });
    },
    choSolve: (cAndLower, second) => {
      if (!Array.isArray(cAndLower) || cAndLower.length !== 2 || typeof cAndLower[1] !== 'boolean')
        throw new HloError(`cAndLower is the result of choFactor, got ${nameOf(cAndLower)}`);
      const [c, b] = floatsOf(hlo, { 'cAndLower[0]': cAndLower[0], b: second });
      checkRows(checkSquare(c, 'cAndLower[0]'), b, 'the factor');
      return choleskySolve(c, b, cAndLower[1]);
    },
    luSolve: (luAndPiv, second, { trans = 0 } = {}) => {
      if (!Array.isArray(luAndPiv) || luAndPiv.length !== 2)
        throw new HloError(`luAndPiv is the result of luFactor, got ${nameOf(luAndPiv)}`);
      const [lu, b] = floatsOf(hlo, { 'luAndPiv[0]': luAndPiv[0], b: second });
      const pivots = asArray(hlo, checkOperand(luAndPiv[1], 'luAndPiv[1]'), 's32');
      checkRows(checkSquare(lu, 'luAndPiv[0]'), b, 'the factors');
      if (pivots.type !== 's32' || String(pivots.dims) !== String(lu.dims.slice(0, -1)))
        throw new ShapeError(
          `luAndPiv[1] has the int32 pivots of luFactor, got ${pivots.xla.text}`,
        );
      return luSolve(lu, pivots, b, checkChoice(trans, 'trans', [0, 1, 2]));
    },
    tensorsolve: (first, second, { axes = null } = {}) => {
      const [a, b] = floatsOf(hlo, { a: first, b: second });
      const last = axes === null ? [] : axesOf(axes, a.rank);
      const order = [...range(a.rank).filter((d) => !last.includes(d)), ...last];
      const turned = hlo.transpose(a, order);
      const dims = turned.dims.slice(b.rank);
      if (product(dims) !== b.size || product(turned.dims.slice(0, b.rank)) !== b.size)
        throw new ShapeError(
          `a has as many rows as columns when it is reshaped for b, got ${a.xla.text} for ${b.xla.text}`,
        );
      const square = hlo.reshape(turned, [b.size, b.size]);
      return hlo.reshape(solve(square, hlo.reshape(b, [b.size])), dims);
    },
    tensorinv: (given, { ind = 2 } = {}) => {
      const [a] = floatsOf(hlo, { a: given });
      if (!(integer(ind, 'ind') > 0)) throw new ShapeError(`ind is at least 1, got ${ind}`);
      const [rows, columns] = [a.dims.slice(0, ind), a.dims.slice(ind)];
      if (product(rows) !== product(columns))
        throw new ShapeError(
          `a has as many elements before dimension ${ind} as behind it, got ${a.xla.text}`,
        );
      const square = hlo.reshape(a, [product(rows), product(columns)]);
      return hlo.reshape(inverse(square), [...columns, ...rows]);
    },
  };
}

/**
 * The determinant is the product of these: of the diagonal, and -1 for each exchange of rows.
 * @param {Hlo} hlo
 * @param {any} a
 */
function determinantParts(hlo, a) {
  const { factors, pivots } = luFactors(hlo, a);
  const isExchange = hlo.ne(pivots, hlo.iota('s32', pivots.dims, pivots.rank - 1));
  const isOdd = reduceLast(hlo, isExchange, 'xor', false);
  const sign = hlo.sub(1, hlo.mul(hlo.convert(isOdd, a.type), 2));
  return { diagonal: diagonalOf(hlo, factors), sign };
}
