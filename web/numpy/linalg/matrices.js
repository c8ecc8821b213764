// What the functions of np.linalg have in common: checked arguments, programs, and simple operations on matrices and batches of them.
import { HloError, ShapeError } from '../../errors.js';
import { nameOf } from '../../options.js';
import { sameType } from '../casting.js';
import { checkOperand } from '../operands.js';
import {
  asArray,
  asFloat,
  broadcastShapes,
  broadcastTo,
  convert,
  isOperand,
  range,
} from '../promotion.js';
import { batchOf, isComplex, letters, realTypeOf } from './lapack.js';

/** @typedef {any} Hlo */

// --- arguments ---

/**
 * Matrices of floats.
 * @param {Hlo} hlo
 * @param {any} value
 * @param {string} name
 */
export function matrixOf(hlo, value, name) {
  const x = asFloat(hlo, checkOperand(value, name));
  if (x.rank < 2)
    throw new ShapeError(`${name} is a matrix or a batch of matrices, got ${x.xla.text}`);
  return x;
}

/** @param {Hlo} hlo @param {any} value @param {string} name */
export function squareOf(hlo, value, name) {
  return checkSquare(matrixOf(hlo, value, name), name);
}

/** @param {any} x @param {string} name */
export function checkSquare(x, name) {
  if (x.rank < 2 || x.dims.at(-1) !== x.dims.at(-2))
    throw new ShapeError(`${name} is a square matrix or a batch of such, got ${x.xla.text}`);
  return x;
}

/** Arguments, by their names, as floats of one type. @param {Hlo} hlo @param {Record<string, any>} args @returns {any[]} */
export function floatsOf(hlo, args) {
  const values = Object.entries(args).map(([name, value]) => checkOperand(value, name));
  const [{ type }] = values;
  const areReady = values.every((x) => isOperand(x) && x.type === type) && type in letters;
  if (areReady) return values; // which is quicker to see than to find their common type
  return sameType(
    hlo,
    sameType(hlo, values).map((x) => asFloat(hlo, x)),
  );
}

/**
 * An argument as an array of the type of a matrix's norms.
 * @param {Hlo} hlo
 * @param {any} value
 * @param {string} name
 * @param {any} matrix
 */
export function realOf(hlo, value, name, matrix) {
  const type = realTypeOf(matrix.type);
  return convert(hlo, asArray(hlo, checkOperand(value, name), type), type);
}

/** @param {any} choice @param {string} name @param {any[]} choices @returns {any} */
export function checkChoice(choice, name, choices) {
  if (!choices.includes(choice))
    throw new HloError(`${name} is ${choices.map(nameOf).join(' or ')}, got ${nameOf(choice)}`);
  return choice;
}

// --- programs ---

/**
 * A function of several operations as one program. LAPACK has no narrow floats: those are computed with as float32, and results
 * are rounded.
 * @template {(...args: any[]) => any} F
 * @param {Hlo} hlo
 * @param {F} body
 * @returns {F}
 */
export function program(hlo, body) {
  const isNarrow = (/** @type {any} */ x) =>
    /^(b?f16|f[468]\w*)$/.test(x?.type) && x.type !== 'f64';
  const ofParts = (/** @type {any} */ x, /** @type {(part: any) => any} */ f) =>
    Array.isArray(x) ? x.map(f) : f(x);
  return hlo.jit((/** @type {any[]} */ ...args) => {
    const narrow = args.flat().find(isNarrow)?.type;
    if (narrow === undefined) return body(...args);
    const widened = args.map((arg) =>
      ofParts(arg, (x) => (isNarrow(x) ? hlo.convert(x, 'f32') : x)),
    );
    return ofParts(body(...widened), (x) =>
      isOperand(x) && x.type === 'f32' ? hlo.convert(x, narrow) : x,
    );
  });
}

// --- operations ---

/** @param {Hlo} hlo @param {any} number a number, or an array of no dimensions @param {any} like */
export function filled(hlo, number, like) {
  const one = typeof number === 'number' ? hlo.array(number, like.type) : number;
  return hlo.broadcastInDim(one, like.dims, []);
}

/** @param {Hlo} hlo @param {any} x */
export function transposed(hlo, x) {
  const order = range(x.rank);
  [order[x.rank - 2], order[x.rank - 1]] = [x.rank - 1, x.rank - 2];
  return hlo.transpose(x, order);
}

/** @param {Hlo} hlo @param {any} x */
export function conjugate(hlo, x) {
  return isComplex(x.type) ? hlo.complex(hlo.real(x), hlo.neg(hlo.imag(x))) : x;
}

/** @param {Hlo} hlo @param {any} x */
export function adjoint(hlo, x) {
  return conjugate(hlo, transposed(hlo, x));
}

/**
 * Elements of a triangle; the others are zero.
 * @param {Hlo} hlo
 * @param {any} x
 * @param {'lower' | 'upper'} which
 * @param {number} [offset] of the diagonal that the triangle ends with
 */
export function triangle(hlo, x, which, offset = 0) {
  const [row, column] = [x.rank - 2, x.rank - 1].map((d) => hlo.iota('s32', x.dims, d));
  const distance = hlo.sub(column, row);
  const isKept = which === 'lower' ? hlo.le(distance, offset) : hlo.ge(distance, offset);
  return hlo.select(isKept, x, filled(hlo, 0, x));
}

/** Identity matrices. @param {Hlo} hlo @param {number[]} dims @param {string} type */
export function identities(hlo, dims, type) {
  const [row, column] = [dims.length - 2, dims.length - 1].map((d) => hlo.iota('s32', dims, d));
  return hlo.convert(hlo.eq(row, column), type);
}

/**
 * A diagonal of the last two dimensions: every so many elements of all of them one after the other.
 * @param {Hlo} hlo
 * @param {any} x
 * @param {number} [offset]
 */
export function diagonalOf(hlo, x, offset = 0) {
  const batch = batchOf(x);
  const [rows, columns] = x.dims.slice(-2);
  const count = Math.max(0, Math.min(rows + Math.min(offset, 0), columns - Math.max(offset, 0)));
  const flat = hlo.reshape(x, [...batch, rows * columns]);
  if (count === 0) return hlo.sliceInDim(flat, 0, 0, 1, batch.length);
  const start = offset < 0 ? -offset * columns : offset;
  return hlo.sliceInDim(
    flat,
    start,
    start + (count - 1) * (columns + 1) + 1,
    columns + 1,
    batch.length,
  );
}

/** Scales columns. @param {Hlo} hlo @param {any} x @param {any} factors a row of each matrix */
export function scaleColumns(hlo, x, factors) {
  const kept = range(x.rank).filter((d) => d !== x.rank - 2);
  return hlo.mul(x, hlo.broadcastInDim(convert(hlo, factors, x.type), x.dims, kept));
}

/** Products of matrices with the same batch. @param {Hlo} hlo @param {any} a @param {any} b */
export function multiply(hlo, a, b) {
  const batch = range(a.rank - 2);
  if (batch.length === 0) return hlo.dot(a, b);
  return hlo.dotGeneral(a, b, {
    lhsBatch: batch,
    rhsBatch: batch,
    lhsContracting: [-1],
    rhsContracting: [-2],
  });
}

/** Matrices with the same batch dimensions. @param {Hlo} hlo @param {any[]} matrices */
export function sameBatch(hlo, ...matrices) {
  const batch = broadcastShapes(...matrices.map(batchOf));
  return matrices.map((x) => broadcastTo(hlo, x, [...batch, ...x.dims.slice(-2)]));
}

/**
 * Rows of matrices in another order.
 * @param {Hlo} hlo
 * @param {any} x
 * @param {any} order of each matrix of the batch
 */
export function takeRows(hlo, x, order) {
  if (x.size === 0) return x;
  const batch = range(x.rank - 2);
  const [row, column] = [x.rank - 2, x.rank - 1];
  return hlo.gather(x, order, {
    offsetDims: [column],
    collapsedSliceDims: [row],
    operandBatchingDims: batch,
    startIndicesBatchingDims: batch,
    startIndexMap: [row],
    indexVectorDim: order.rank,
    sliceSizes: [...batch.map(() => 1), 1, x.dims[column]],
  });
}

/** Reduces the last dimensions. @param {Hlo} hlo @param {any} x @param {string} operation @param {any} start @param {number} [count] of dimensions */
export function reduceLast(hlo, x, operation, start, count = 1) {
  const axes = range(count).map((i) => x.rank - count + i);
  return hlo.reduce(x, hlo.array(start, x.type), operation, axes);
}

/** Repeats each element along dimensions that come behind. @param {Hlo} hlo @param {any} x @param {number[]} dims those of x, then others */
export function repeatAlong(hlo, x, dims) {
  return hlo.broadcastInDim(x, dims, range(x.rank));
}

/** How far 1 is from the next number of the type that matrices of x are computed in. @param {any} x @returns {number} */
export function epsilonOf(x) {
  return realTypeOf(x.type) === 'f64' ? 2 ** -52 : 2 ** -23;
}
