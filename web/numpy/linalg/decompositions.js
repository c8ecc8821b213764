// Decompositions of matrices of float32, float64, complex64 and complex128, as parts of programs.
import { range } from '../promotion.js';
import { complexTypeOf, isComplex, lapack, permutationOf, realTypeOf } from './lapack.js';
import { filled, identities, triangle } from './matrices.js';

/** @typedef {any} Hlo */

/** @param {any} a @returns {[number, number, number]} rows, columns, the smaller of these */
function sizesOf(a) {
  const [rows, columns] = a.dims.slice(-2);
  return [rows, columns, Math.min(rows, columns)];
}

/**
 * P A = L U: both factors in one matrix, row exchanges counted from 0.
 * @param {Hlo} hlo
 * @param {any} a
 * @returns {{ factors: any, pivots: any }}
 */
export function luFactors(hlo, a) {
  const [rows, columns, few] = sizesOf(a);
  const [factors, pivots] = lapack(
    hlo,
    'getrf',
    [a],
    [
      [a.type, [rows, columns]],
      ['s32', [few]],
      ['s32', []],
    ],
  );
  return { factors, pivots: hlo.sub(pivots, 1) };
}

/** The factors, and the order of rows in which they give A. @param {Hlo} hlo @param {any} a */
export function luWithOrder(hlo, a) {
  const { factors, pivots } = luFactors(hlo, a);
  return { factors, order: permutationOf(hlo, pivots, a.dims.at(-2)) };
}

/**
 * Householder's reflectors below the diagonal, R above it.
 * @param {Hlo} hlo
 * @param {any} a
 * @returns {{ reflectors: any, factors: any }}
 */
export function householder(hlo, a) {
  const [rows, columns, few] = sizesOf(a);
  const [reflectors, factors] = lapack(
    hlo,
    'geqrf',
    [a],
    [
      [a.type, [rows, columns]],
      [a.type, [few]],
    ],
  );
  return { reflectors, factors };
}

/**
 * The first columns of the unitary matrix that reflectors make.
 * @param {Hlo} hlo
 * @param {any} reflectors
 * @param {any} factors
 * @param {number} columns at least as many as there are factors
 */
export function unitaryOf(hlo, reflectors, factors, columns) {
  const [rows, own] = reflectors.dims.slice(-2);
  const last = reflectors.rank - 1;
  const high = range(reflectors.rank).map((d) => (d === last ? columns - own : 0));
  const wide =
    columns > own
      ? hlo.pad(reflectors, hlo.array(0, reflectors.type), { high })
      : hlo.sliceInDim(reflectors, 0, columns, 1, last);
  const routine = isComplex(reflectors.type) ? 'ungqr' : 'orgqr';
  return lapack(hlo, routine, [wide, factors], [[reflectors.type, [rows, columns]]])[0];
}

/** @param {Hlo} hlo @param {any} a @param {boolean} isComplete @returns {any[]} Q, R */
export function qrOf(hlo, a, isComplete) {
  const [rows, , few] = sizesOf(a);
  const { reflectors, factors } = householder(hlo, a);
  const size = isComplete ? rows : few;
  const upper = triangle(hlo, hlo.sliceInDim(reflectors, 0, size, 1, a.rank - 2), 'upper');
  return [unitaryOf(hlo, reflectors, factors, size), upper];
}

/**
 * @param {Hlo} hlo
 * @param {any} a
 * @param {'all' | 'few' | 'none'} vectors as many as the matrix has rows or columns, or values, or none
 * @returns {any[]} U, the values in descending order, V's adjoint
 */
export function svdOf(hlo, a, vectors) {
  const [rows, columns, few] = sizesOf(a);
  const counts = { all: [rows, columns], few: [few, few], none: [0, 0] }[vectors];
  const mode = { all: 'A', few: 'S', none: 'N' }[vectors];
  const [, values, u, vh] = lapack(
    hlo,
    'gesdd',
    [a],
    [
      [a.type, [rows, columns]],
      [realTypeOf(a.type), [few]],
      [a.type, [rows, counts[0]]],
      [a.type, [counts[1], columns]],
      ['s32', []],
    ],
    { mode },
  );
  return [u, values, vh];
}

/** @param {Hlo} hlo @param {any} a @returns {any} */
export function singularValues(hlo, a) {
  return svdOf(hlo, a, 'none')[1];
}

/**
 * Eigenvalues in ascending order of Hermitian matrices, of which one triangle is read, and their vectors.
 * @param {Hlo} hlo
 * @param {any} a
 * @param {string} uplo 'L' or 'U': the triangle
 * @param {boolean} [hasVectors]
 * @returns {any[]} values, vectors
 */
export function eighOf(hlo, a, uplo, hasVectors = true) {
  const [size] = a.dims.slice(-1);
  const routine = isComplex(a.type) ? 'heevd' : 'syevd';
  const [vectors, values] = lapack(
    hlo,
    routine,
    [a],
    [
      [a.type, [size, size]],
      [realTypeOf(a.type), [size]],
      ['s32', []],
    ],
    { mode: hasVectors ? 'V' : 'N', uplo },
  );
  return [values, vectors];
}

/** @param {Hlo} hlo @param {any} a @param {boolean} hasVectors @returns {any[]} complex eigenvalues, and vectors */
export function eigOf(hlo, a, hasVectors) {
  const [size] = a.dims.slice(-1);
  const complex = complexTypeOf(a.type);
  const isReal = !isComplex(a.type);
  /** @type {[string, number[]][]} */
  const values = isReal
    ? [
        [a.type, [size]],
        [a.type, [size]],
      ]
    : [[a.type, [size]]];
  const results = lapack(
    hlo,
    'geev',
    [a],
    [...values, [complex, [size, size]], [complex, [size, size]], ['s32', []]],
    { compute_left: 'N', compute_right: hasVectors ? 'V' : 'N' },
  );
  return isReal ? [hlo.complex(results[0], results[1]), results[3]] : [results[0], results[2]];
}

/** @param {Hlo} hlo @param {any} a @returns {any[]} T, Z with A = Z T Z's adjoint */
export function schurOf(hlo, a) {
  const [size] = a.dims.slice(-1);
  /** @type {[string, number[]][]} */
  const values = isComplex(a.type)
    ? [[a.type, [size]]]
    : [
        [a.type, [size]],
        [a.type, [size]],
      ];
  const square = /** @type {[string, number[]]} */ ([a.type, [size, size]]);
  const [form, vectors] = lapack(
    hlo,
    'gees',
    [a],
    [square, square, ...values, ['s32', []], ['s32', []]],
    { mode: 'V', sort: 'N' },
  );
  return [form, vectors];
}

/** @param {Hlo} hlo @param {any} a @returns {any[]} H, Q with A = Q H Q's adjoint */
export function hessenbergOf(hlo, a) {
  const [size] = a.dims.slice(-1);
  const few = Math.max(0, size - 1);
  const [packed, factors] = lapack(
    hlo,
    'gehrd',
    [a],
    [
      [a.type, [size, size]],
      [a.type, [few]],
      ['s32', []],
    ],
  );
  const form = triangle(hlo, packed, 'upper', -1);
  if (size < 2) return [form, identities(hlo, a.dims, a.type)];
  // The reflectors leave the first row and column alone.
  const below = hlo.sliceInDim(packed, 1, size, 1, a.rank - 2);
  const reflectors = hlo.sliceInDim(below, 0, few, 1, a.rank - 1);
  const inner = unitaryOf(hlo, reflectors, factors, few);
  const low = range(a.rank).map((d) => (d < a.rank - 2 ? 0 : 1));
  const padded = hlo.pad(inner, hlo.array(0, a.type), { low });
  const [row, column] = [a.rank - 2, a.rank - 1].map((d) => hlo.iota('s32', a.dims, d));
  const isCorner = hlo.eq(hlo.add(row, column), 0);
  return [form, hlo.select(isCorner, filled(hlo, 1, a), padded)];
}
