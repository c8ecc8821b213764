// Calls of LAPACK's routines as JAX writes them into programs. The engine carries them out, over all matrices of a batch.
import { shapeText } from '../../array.js';

/** @typedef {any} Hlo */

/** The types that LAPACK computes in, with their letters in names of routines. @type {Record<string, string>} */
export const letters = { f32: 's', f64: 'd', c64: 'c', c128: 'z' };

/** @param {string} type @returns {boolean} */
export function isComplex(type) {
  return type === 'c64' || type === 'c128';
}

/** @param {string} type @returns {string} of the parts of complex numbers */
export function realTypeOf(type) {
  return type === 'c64' ? 'f32' : type === 'c128' ? 'f64' : type;
}

/** @param {string} type of floats or complex numbers @returns {string} of complex numbers that hold those */
export function complexTypeOf(type) {
  return type === 'f64' || type === 'c128' ? 'c128' : 'c64';
}

/**
 * @param {Hlo} hlo
 * @param {string} target
 * @param {any[]} operands
 * @param {[string, number[]][]} results types and dimensions
 * @param {Record<string, string>} [options] letters, of which attributes have the codes
 * @returns {any[]}
 */
function customCall(hlo, target, operands, results, options = {}) {
  const shapes = results.map(([type, dims]) => shapeText(type, dims));
  const attributes = Object.entries(options).map(
    ([name, letter]) => `${name} = ${letter.charCodeAt(0)} : ui8`,
  );
  return hlo.customCall(target, operands, `(${shapes.join(', ')})`, {
    apiVersion: 'API_VERSION_TYPED_FFI',
    ...(attributes.length > 0 ? { backendConfig: `{${attributes.join(', ')}}` } : {}),
  });
}

/**
 * @param {Hlo} hlo
 * @param {string} routine without the letter of its type, which is that of the first operand: 'getrf'
 * @param {any[]} operands
 * @param {[string, number[]][]} results types and dimensions, without those of the batch
 * @param {Record<string, string>} [options] { uplo: 'L' }
 * @returns {any[]} the results
 */
export function lapack(hlo, routine, operands, results, options) {
  const batch = batchOf(operands[0]);
  const target = `lapack_${letters[operands[0].type]}${routine}_ffi`;
  const all = results.map(
    ([type, dims]) => /** @type {[string, number[]]} */ ([type, [...batch, ...dims]]),
  );
  return customCall(hlo, target, operands, all, options);
}

/**
 * Of the row exchanges that LU factors come with, the order of rows that they make.
 * @param {Hlo} hlo
 * @param {any} pivots counted from 0
 * @param {number} rows
 */
export function permutationOf(hlo, pivots, rows) {
  const dims = [...pivots.dims.slice(0, -1), rows];
  const [order] = customCall(hlo, 'cu_lu_pivots_to_permutation', [pivots], [['s32', dims]]);
  return order;
}

/** @param {any} matrices @returns {number[]} the dimensions before those of the matrices */
export function batchOf(matrices) {
  return matrices.dims.slice(0, -2);
}
