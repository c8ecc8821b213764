// A NumPy-like layer: broadcasting and element types are inferred here and lowered to XLA's explicit operations. Works on
// arrays and, inside jit, on traced values.
import { arithmeticFunctions } from './arithmetic.js';
import { arrangementFunctions } from './arrangement.js';
import { withDtype } from './casting.js';
import { elementwiseFunctions } from './elementwise.js';
import { fourierTransforms } from './fft/index.js';
import { linearAlgebra } from './linalg/index.js';
import { orderingFunctions } from './ordering.js';
import { padFunction } from './padding.js';
import { productFunctions } from './products.js';
import { dtypes } from '../dtypes.js';
import { randomOf } from './random/functions.js';
import { reductionFunctions } from './reduction.js';
import { searchingFunctions } from './searching.js';
import { shapingFunctions } from './shaping.js';
import { bindNamespace } from './namespace.js';
import { signatures, typed } from './signatures.js';
import { statisticsFunctions } from './statistics.js';

/**
 * NumPy's functions on the arrays of an engine, under their names in camelCase (`expandDims`, `zerosLike`), and its names of
 * element types: `np.int32` is 's32', and 'int32' is accepted, too.
 * @param {any} hlo the engine with its operations
 * @returns {import('./types.js').NumPy}
 */
export function numpyOf(hlo) {
  const elementwise = elementwiseFunctions(hlo);
  const single = {
    ...elementwise,
    ...arithmeticFunctions(hlo),
    ...reductionFunctions(hlo, elementwise),
    ...orderingFunctions(hlo),
    ...shapingFunctions(hlo),
    ...productFunctions(hlo),
  };
  const others = { ...single, ...arrangementFunctions(hlo, single) };
  const functions = {
    ...others,
    ...statisticsFunctions(hlo, others),
    ...searchingFunctions(hlo, others),
    pad: padFunction(hlo, others),
  };
  const computing = Object.fromEntries(
    Object.entries(functions).map(([name, f]) => [
      name,
      name in typed ? withDtype(hlo, name, f) : f,
    ]),
  );
  const np = /** @type {any} */ ({ ...dtypes, ...bindNamespace(hlo, computing, signatures) });
  np.linalg = Object.freeze(linearAlgebra(hlo, np));
  np.fft = Object.freeze(fourierTransforms(hlo));
  np.random = randomOf(hlo, np);
  return Object.freeze(np);
}
