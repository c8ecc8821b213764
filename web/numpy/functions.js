// A NumPy-like layer: broadcasting and element types are inferred here and lowered to XLA's explicit operations. Works on
// arrays and, inside jit, on traced values.
import { aliases } from './aliases.js';
import { arithmeticFunctions } from './arithmetic.js';
import { arrangementFunctions } from './arrangement.js';
import { bitFunctions } from './bits.js';
import { withDtype } from './casting.js';
import { elementwiseFunctions } from './elementwise.js';
import { fourierTransforms } from './fft/index.js';
import { fittingFunctions } from './signals/fitting.js';
import { floatFunctions } from './floats.js';
import { histogramFunctions } from './counting/histograms.js';
import { indexFunctions } from './indices.js';
import { joiningFunctions } from './joining.js';
import { linearAlgebra } from './linalg/index.js';
import { makingFunctions } from './making.js';
import { bindNamespace } from './namespace.js';
import { nanStatisticsFunctions } from './nan_statistics.js';
import { numberFunctions } from './numbers.js';
import { orderingFunctions } from './ordering.js';
import { padFunctions } from './padding.js';
import { polynomialFunctions } from './signals/polynomials.js';
import { productFunctions } from './products.js';
import { inOneProgram } from './programs.js';
import { dtypes } from '../dtypes.js';
import { namespace } from '../elsewhere.js';
import { quantileFunctions } from './quantiles.js';
import { randomOf } from './random/functions.js';
import { reductionFunctions } from './reduction.js';
import { searchingFunctions } from './searching.js';
import { selectionFunctions } from './selection.js';
import { setFunctions } from './counting/sets.js';
import { shapingFunctions } from './shaping.js';
import { signalFunctions } from './signals/sampling.js';
import { signatures, typed } from './signatures.js';
import { statisticsFunctions } from './statistics.js';
import { tensorFunctions } from './tensors.js';
import { typeFunctions } from './types_of.js';

/** Factories of functions by subject: of an engine, and of the functions that they are made of. */
const subjects = [
  elementwiseFunctions,
  arithmeticFunctions,
  floatFunctions,
  numberFunctions,
  typeFunctions,
  reductionFunctions,
  statisticsFunctions,
  nanStatisticsFunctions,
  quantileFunctions,
  orderingFunctions,
  searchingFunctions,
  setFunctions,
  histogramFunctions,
  selectionFunctions,
  indexFunctions,
  shapingFunctions,
  makingFunctions,
  arrangementFunctions,
  joiningFunctions,
  padFunctions,
  productFunctions,
  tensorFunctions,
  polynomialFunctions,
  fittingFunctions,
  signalFunctions,
  bitFunctions,
];

/** NumPy's constants. */
const constants = {
  pi: Math.PI,
  e: Math.E,
  eulerGamma: 0.5772156649015329,
  inf: Infinity,
  nan: NaN,
  newaxis: null,
};

/**
 * NumPy's functions on the arrays of an engine, under their names in camelCase (`expandDims`, `zerosLike`), and its names of
 * element types: `np.int32` is 's32', and 'int32' is accepted, too.
 * @param {any} hlo the engine with its operations
 * @returns {import('./types.js').NumPy}
 */
export function numpyOf(hlo) {
  /** @type {Record<string, (...args: any[]) => any>} */
  const functions = {};
  // Functions are made of others, whichever file has them.
  for (const make of subjects) Object.assign(functions, make(hlo, functions));
  for (const [name, others] of Object.entries(aliases))
    for (const other of others) functions[other] = functions[name];
  const computing = Object.fromEntries(
    Object.entries(functions).map(([name, f]) => [
      name,
      inOneProgram(hlo, name, name in typed ? withDtype(hlo, name, f) : f),
    ]),
  );
  const np = /** @type {any} */ ({
    ...dtypes,
    ...constants,
    ...bindNamespace(hlo, computing, signatures),
  });
  np.linalg = namespace(hlo, 'np.linalg', linearAlgebra(hlo, np));
  np.fft = namespace(hlo, 'np.fft', fourierTransforms(hlo));
  np.random = namespace(hlo, 'np.random', randomOf(hlo, np));
  return namespace(hlo, 'np', np);
}
