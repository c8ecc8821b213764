// Special functions, on arrays and, inside jit, on traced values.
import { bindNamespace } from '../numpy/namespace.js';
import { asFloat } from '../numpy/promotion.js';
import { signatures } from './signatures.js';

/**
 * The functions of jax.scipy.special on the arrays of an engine, under their names in camelCase.
 * @param {any} hlo the engine with its operations
 * @returns {import('./types.js').SpecialFunctions}
 */
export function specialOf(hlo) {
  const special = {
    erf: (/** @type {any} */ x) => hlo.erf(asFloat(hlo, x)),
  };
  return /** @type {any} */ (Object.freeze(bindNamespace(hlo, special, signatures, 'special.')));
}
