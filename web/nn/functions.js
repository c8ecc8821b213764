// Functions of neural networks, on arrays and, inside jit, on traced values.
import { namespace } from '../elsewhere.js';
import { bindNamespace } from '../numpy/namespace.js';
import { activationFunctions } from './activations.js';
import { attentionFunctions } from './attention.js';
import { normalizationFunctions } from './normalization.js';
import { normalizingFunctions } from './normalizing.js';
import { signatures } from './signatures.js';
import { windowFunctions } from './windows.js';

/**
 * The functions of jax.nn on the arrays of an engine, under their names in camelCase, and layers.
 * @param {any} hlo the engine with its operations
 * @returns {import('./types.js').NeuralNetworks}
 */
export function nnOf(hlo) {
  const { np } = hlo;
  const normalizing = normalizingFunctions(hlo);
  const functions = {
    ...activationFunctions(hlo),
    ...normalizing,
    ...normalizationFunctions(hlo, np),
    ...attentionFunctions(hlo, np, normalizing),
    ...windowFunctions(hlo),
  };
  return /** @type {any} */ (
    namespace(hlo, 'nn', bindNamespace(hlo, functions, signatures, 'nn.'))
  );
}
