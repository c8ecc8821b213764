// Special functions, on arrays and, inside jit, on traced values.
import { namespace } from '../elsewhere.js';
import { normalizingFunctions } from '../nn/normalizing.js';
import { bindNamespace } from '../numpy/namespace.js';
import { besselFunctions } from './bessel.js';
import { elementaryFunctions } from './elementary.js';
import { gammaFunctions } from './gamma.js';
import { incompleteFunctions } from './incomplete.js';
import { integralFunctions } from './integrals.js';
import { normalFunctions } from './normal.js';
import { signatures } from './signatures.js';

/**
 * The functions of jax.scipy.special on the arrays of an engine, under their names in camelCase.
 * @param {any} hlo the engine with its operations
 * @returns {import('./types.js').SpecialFunctions}
 */
export function specialOf(hlo) {
  const { softmax, logSoftmax, logsumexp } = normalizingFunctions(hlo);
  /** Over all axes by default, as SciPy's. @param {(...args: any[]) => any} f */
  const overAll = (f) => (/** @type {any} */ x, /** @type {any} */ options) =>
    f(x, { axis: null, ...options });
  const special = {
    ...gammaFunctions(hlo),
    ...incompleteFunctions(hlo),
    ...normalFunctions(hlo),
    ...elementaryFunctions(hlo),
    ...besselFunctions(hlo),
    ...integralFunctions(hlo),
    logsumexp,
    softmax: overAll(softmax),
    logSoftmax: overAll(logSoftmax),
  };
  return /** @type {any} */ (
    namespace(hlo, 'special', bindNamespace(hlo, special, signatures, 'special.'))
  );
}
