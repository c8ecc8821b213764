// np.linalg: NumPy's linear algebra and some of SciPy's, over XLA's operations and LAPACK's routines.
import { bindNamespace } from '../namespace.js';
import { factorizations } from './factorizations.js';
import { leastSquaresFunctions } from './least_squares.js';
import { matrixFunctions } from './matrix_functions.js';
import { norms } from './norms.js';
import { products } from './products.js';
import { signatures } from './signatures.js';
import { systems } from './systems.js';

/**
 * @param {any} hlo
 * @param {import('../types.js').NumPy} np
 * @returns {import('./types.js').LinearAlgebra}
 */
export function linearAlgebra(hlo, np) {
  const functions = {
    ...systems(hlo),
    ...leastSquaresFunctions(hlo),
    ...factorizations(hlo),
    ...norms(hlo),
    ...matrixFunctions(hlo),
    ...products(hlo, np),
  };
  return /** @type {any} */ (bindNamespace(hlo, functions, signatures, 'linalg.'));
}
