// Functions of neural networks, on arrays and, inside jit, on traced values.
import { bindNamespace } from '../numpy/namespace.js';
import { activationFunctions } from './activations.js';
import { normalizingFunctions } from './normalizing.js';
import { signatures } from './signatures.js';

/**
 * The functions of jax.nn on the arrays of an engine, under their names in camelCase.
 * @param {any} hlo the engine with its operations
 * @returns {import('./types.js').NeuralNetworks}
 */
export function nnOf(hlo) {
  const nn = bindNamespace(
    hlo,
    { ...activationFunctions(hlo), ...normalizingFunctions(hlo) },
    signatures,
    'nn.',
  );
  return /** @type {any} */ (Object.freeze(nn));
}
