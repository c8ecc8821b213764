// Systems of equations as parts of programs.
import { ShapeError } from '../../errors.js';
import { broadcastTo, product, range } from '../promotion.js';
import { luWithOrder } from './decompositions.js';
import { batchOf } from './lapack.js';
import { identities, sameBatch, takeRows } from './matrices.js';

/** @typedef {any} Hlo */

/**
 * Solves A X = B for a batch of matrices B.
 * @param {Hlo} hlo
 * @param {any} a
 * @param {any} b
 */
export function solveMatrices(hlo, a, b) {
  const { factors, order } = luWithOrder(hlo, a);
  return solveFactored(hlo, factors, order, b, 0);
}

/** @param {Hlo} hlo @param {any} a */
export function inverseOf(hlo, a) {
  return solveMatrices(hlo, a, identities(hlo, a.dims, a.type));
}

/**
 * @param {Hlo} hlo
 * @param {any} factors
 * @param {any} order
 * @param {any} b
 * @param {number} trans 0: A X = B, 1: with A transposed, 2: with its adjoint
 */
export function solveFactored(hlo, factors, order, b, trans) {
  if (factors.rank === 2 && b.rank > 2)
    return foldBatch(hlo, b, (c) => solveFactored(hlo, factors, order, c, trans));
  const [lu, right] = sameBatch(hlo, factors, b);
  const places = broadcastTo(hlo, order, [...batchOf(lu), order.dims.at(-1)]);
  const lower = { lower: true, unitDiagonal: true };
  const upper = { lower: false };
  if (trans === 0) {
    const inner = hlo.triangularSolve(lu, takeRows(hlo, right, places), lower);
    return hlo.triangularSolve(lu, inner, upper);
  }
  const transposeA = trans === 1 ? 'TRANSPOSE' : 'ADJOINT';
  const inner = hlo.triangularSolve(lu, right, { ...upper, transposeA });
  const turned = hlo.triangularSolve(lu, inner, { ...lower, transposeA });
  const back = hlo.sort([places, hlo.iota('s32', places.dims, places.rank - 1)])[1];
  return takeRows(hlo, turned, back);
}

/**
 * One matrix with many right-hand sides: the batch becomes columns.
 * @param {Hlo} hlo
 * @param {any} b
 * @param {(b: any) => any} solve
 */
export function foldBatch(hlo, b, solve) {
  const batch = batchOf(b);
  const [rows, columns] = b.dims.slice(-2);
  const rank = b.rank;
  const order = [rank - 2, ...range(rank - 2), rank - 1];
  const wide = hlo.reshape(hlo.transpose(b, order), [rows, product(batch) * columns]);
  const solved = solve(wide);
  const apart = hlo.reshape(solved, [solved.dims[0], ...batch, columns]);
  return hlo.transpose(apart, [...range(rank - 2).map((d) => d + 1), 0, rank - 1]);
}

/**
 * Applies a solver of matrices to right-hand sides as NumPy reads them: one dimension is a vector, more are matrices.
 * @param {Hlo} hlo
 * @param {any} b
 * @param {(b: any) => any} solve
 */
export function withColumns(hlo, b, solve) {
  if (b.rank > 1) return solve(b);
  const solved = solve(hlo.reshape(b, [...b.dims, 1]));
  return hlo.reshape(solved, solved.dims.slice(0, -1));
}

/** @param {any} a @param {any} b @param {string} [name] of a */
export function checkRows(a, b, name = 'a') {
  const rows = b.rank === 0 ? undefined : b.dims.at(b.rank === 1 ? -1 : -2);
  if (rows !== a.dims.at(-2))
    throw new ShapeError(
      `b has ${a.dims.at(-2)} rows, as many as ${name} has, got ${b.xla.text} for ${a.xla.text}`,
    );
}
