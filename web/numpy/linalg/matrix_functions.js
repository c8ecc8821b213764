// Functions of matrices in np.linalg: powers, the exponential, the square root.
import { checkOperand } from '../operands.js';
import { asArray, convert, integer, range } from '../promotion.js';
import { schurOf } from './decompositions.js';
import { batchOf, complexTypeOf, isComplex, realTypeOf } from './lapack.js';
import {
  adjoint,
  checkSquare,
  diagonalOf,
  epsilonOf,
  filled,
  identities,
  multiply,
  program,
  reduceLast,
  repeatAlong,
  squareOf,
  triangle,
} from './matrices.js';
import { inverseOf, solveMatrices } from './solving.js';
import { matrixNorm } from './norm_values.js';

/** @typedef {any} Hlo */

/**
 * Padé approximants of exp: coefficients of the numerator, and the norm up to which they are exact (Higham, The Scaling and Squaring
 * Method for the Matrix Exponential Revisited, table 2.3).
 * @type {Record<string, { coefficients: number[], bound: number }>}
 */
const approximants = {
  f32: {
    coefficients: [17297280, 8648640, 1995840, 277200, 25200, 1512, 56, 1],
    bound: 3.92572478313866,
  },
  f64: {
    coefficients: [
      64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800, 129060195264000,
      10559470521600, 670442572800, 33522128640, 1323241920, 40840800, 960960, 16380, 182, 1,
    ],
    bound: 5.371920351148152,
  },
};

/** @param {Hlo} hlo @returns {Record<string, (...args: any[]) => any>} */
export function matrixFunctions(hlo) {
  const expm = program(hlo, (/** @type {any} */ a) => exponential(hlo, a));
  const sqrtm = program(hlo, (/** @type {any} */ a) => {
    const complex = convert(hlo, a, complexTypeOf(a.type));
    return squareRoot(hlo, complex, !isComplex(a.type));
  });
  const power = program(hlo, (/** @type {any} */ a, /** @type {number} */ n) => {
    if (n === 0) return identities(hlo, a.dims, a.type);
    let square = n < 0 ? inverseOf(hlo, a) : a;
    let result;
    for (let rest = Math.abs(n); ; square = multiply(hlo, square, square)) {
      if (rest % 2 === 1) result = result === undefined ? square : multiply(hlo, result, square);
      rest = Math.floor(rest / 2);
      if (rest === 0) return result;
    }
  });
  return {
    matrixPower: (given, n) => {
      integer(n, 'n');
      const a = asArray(hlo, checkOperand(given, 'a'));
      return power(n < 0 ? squareOf(hlo, a, 'a') : checkSquare(a, 'a'), n);
    },
    expm: (A) => expm(squareOf(hlo, A, 'A')),
    sqrtm: (A) => sqrtm(squareOf(hlo, A, 'A')),
  };
}

/**
 * Scaling and squaring: the matrix is halved until a Padé approximant is exact, and the result is squared as often.
 * @param {Hlo} hlo
 * @param {any} a
 */
function exponential(hlo, a) {
  if (a.size === 0) return a;
  const { coefficients, bound } = approximants[realTypeOf(a.type)];
  const norm = matrixNorm(hlo, a, [a.rank - 2, a.rank - 1], 1);
  const halvings = hlo.max(hlo.ceil(hlo.mul(hlo.log(hlo.div(norm, bound)), Math.LOG2E)), 0);
  // Not finite: then the result is not, either.
  const isFinite = hlo.lt(norm, Infinity);
  const counts = hlo.convert(hlo.select(isFinite, halvings, filled(hlo, 0, halvings)), 's32');
  const factors = hlo.pow(filled(hlo, 0.5, norm), hlo.convert(counts, norm.type));
  const scaled = hlo.mul(a, convert(hlo, repeatAlong(hlo, factors, a.dims), a.type));
  const approximant = pade(hlo, scaled, coefficients);
  const most = hlo.reduce(counts, hlo.array(0, 's32'), 'max', range(counts.rank));
  const [, result] = hlo.while(
    (/** @type {any} */ i) => hlo.lt(i, most),
    (/** @type {any} */ i, /** @type {any} */ x) => {
      const isSquared = repeatAlong(hlo, hlo.lt(filled(hlo, i, counts), counts), x.dims);
      return [hlo.add(i, 1), hlo.select(isSquared, multiply(hlo, x, x), x)];
    },
    [hlo.array(0, 's32'), approximant],
  );
  return result;
}

/**
 * (V - U) X = V + U, where U has the odd terms of the polynomial and V the even ones.
 * @param {Hlo} hlo
 * @param {any} a
 * @param {number[]} coefficients
 */
function pade(hlo, a, coefficients) {
  const one = identities(hlo, a.dims, a.type);
  const square = multiply(hlo, a, a);
  const fourth = multiply(hlo, square, square);
  const sixth = multiply(hlo, fourth, square);
  const powers = [one, square, fourth, sixth];
  const sum = (/** @type {number[]} */ terms, /** @type {any[]} */ of) =>
    terms.map((c, i) => hlo.mul(of[i], c)).reduce((x, y) => hlo.add(x, y));
  const parts = [0, 1].map((first) => {
    const terms = coefficients.filter((_, i) => i % 2 === first);
    const low = sum(terms.slice(0, 4), powers);
    if (terms.length <= 4) return low;
    return hlo.add(low, multiply(hlo, sixth, sum(terms.slice(4), powers.slice(1))));
  });
  const [even, odd] = [parts[0], multiply(hlo, a, parts[1])];
  return solveMatrices(hlo, hlo.sub(even, odd), hlo.add(even, odd));
}

/**
 * The principal square root by Schur's form (Björck and Hammarling): column j of the root R of the triangular T solves
 * (R + r_jj I) x = t, with the part of R that is left of it.
 * @param {Hlo} hlo
 * @param {any} a complex
 * @param {boolean} isReal whether its numbers are real
 */
function squareRoot(hlo, a, isReal) {
  const size = a.dims.at(-1);
  if (a.size === 0) return a;
  const [form, vectors] = schurOf(hlo, a);
  const values = diagonalOf(hlo, form);
  const roots = hlo.sqrt(isReal ? withoutRoundedParts(hlo, values) : values);
  const one = identities(hlo, a.dims, a.type);
  const columns = hlo.iota('s32', a.dims, a.rank - 1);
  const isDiagonal = hlo.eq(hlo.iota('s32', a.dims, a.rank - 2), columns);
  const column = [...batchOf(a), size, 1];
  const places = hlo.iota('s32', column, a.rank - 2);
  const diagonal = hlo.mul(
    one,
    hlo.broadcastInDim(roots, a.dims, [...range(a.rank - 2), a.rank - 1]),
  );
  const strict = triangle(hlo, form, 'upper', 1);
  const at = (/** @type {any} */ j, /** @type {any} */ x, /** @type {number} */ d) =>
    hlo.dynamicSlice(
      x,
      range(x.rank).map((i) => (i === d ? j : hlo.array(0, 's32'))),
      x.dims.map((/** @type {number} */ n, /** @type {number} */ i) => (i === d ? 1 : n)),
    );
  const [, root] = hlo.while(
    (/** @type {any} */ j) => hlo.lt(j, size),
    (/** @type {any} */ j, /** @type {any} */ known) => {
      const own = at(j, roots, roots.rank - 1);
      const shift = hlo.mul(
        one,
        hlo.broadcastInDim(own, a.dims, [...range(a.rank - 2), a.rank - 1].slice(0, own.rank)),
      );
      // Where a sum of roots is 0, so is the element, or there is no square root.
      const sums = hlo.add(known, shift);
      const isUnknown = hlo.and(hlo.eq(sums, 0), isDiagonal);
      const system = hlo.select(isUnknown, filled(hlo, 1, sums), sums);
      const solved = hlo.triangularSolve(system, at(j, strict, a.rank - 1), { lower: false });
      const kept = hlo.select(
        hlo.lt(places, filled(hlo, j, places)),
        solved,
        filled(hlo, 0, solved),
      );
      const isColumn = hlo.eq(columns, filled(hlo, j, columns));
      const spread = hlo.broadcastInDim(
        hlo.reshape(kept, column.slice(0, -1)),
        a.dims,
        range(a.rank - 1),
      );
      return [hlo.add(j, 1), hlo.add(known, hlo.select(isColumn, spread, filled(hlo, 0, a)))];
    },
    [hlo.array(0, 's32'), diagonal],
  );
  return multiply(hlo, multiply(hlo, vectors, root), adjoint(hlo, vectors));
}

/**
 * Eigenvalues of real matrices without imaginary parts that are rounding errors: their signs would choose the roots of negative ones.
 * @param {Hlo} hlo
 * @param {any} values
 */
function withoutRoundedParts(hlo, values) {
  const sizes = hlo.abs(values);
  const largest = repeatAlong(hlo, reduceLast(hlo, sizes, 'max', 0), values.dims);
  const imaginary = hlo.imag(values);
  const bound = hlo.mul(largest, 10 * values.dims.at(-1) * epsilonOf(values));
  const isRounded = hlo.le(hlo.abs(imaginary), bound);
  return hlo.complex(hlo.real(values), hlo.select(isRounded, filled(hlo, 0, imaginary), imaginary));
}
