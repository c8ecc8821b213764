// Fourier transforms, linear algebra and random numbers.
import { shapeText } from '../array.js';
import { HloError } from '../errors.js';
import { checkSizes, constant, int, ints, spread } from './arguments.js';

/** @typedef {import('./arguments.js').OperationTable} OperationTable */

const algorithms = ['rng_default', 'rng_three_fry', 'rng_philox'];

/** @param {any} context @param {string} distribution @param {any} a @param {any} b @param {string} type @param {number[]} dims */
function rng({ at }, distribution, a, b, type, dims) {
  return at.add('rng', [constant(at, a, type), constant(at, b, type)], {
    shape: shapeText(type, checkSizes(dims, 'shape')),
    attributes: { distribution },
  });
}

/** @type {OperationTable} */
export const numeric = {
  fft: ({ at }, x, fftType, fftLength) =>
    at.add('fft', [x], {
      attributes: {
        fft_type: String(fftType).toUpperCase(),
        fft_length: ints(fftLength, 'length'),
      },
    }),
  cholesky: ({ at }, x, options = {}) =>
    at.add('cholesky', [x], { attributes: { lower: options.lower ?? true } }),
  triangularSolve: ({ at }, a, b, options = {}) => {
    return at.add('triangular-solve', [a, b], {
      attributes: {
        left_side: options.leftSide ?? true,
        lower: options.lower ?? true,
        unit_diagonal: options.unitDiagonal ?? false,
        transpose_a: options.transposeA ?? 'NO_TRANSPOSE',
      },
    });
  },
  reducePrecision: ({ at }, x, exponentBits, mantissaBits) =>
    at.add('reduce-precision', [x], {
      attributes: {
        exponent_bits: int(exponentBits, 'exponentBits'),
        mantissa_bits: int(mantissaBits, 'mantissaBits'),
      },
    }),
  stochasticConvert: ({ at }, x, random, type) =>
    at.add('stochastic-convert', [x, random], { shape: shapeText(type, x.dims) }),
  rngUniform: (c, low, high, type, dims) => rng(c, 'rng_uniform', low, high, type, dims),
  rngNormal: (c, mean, deviation, type, dims) => rng(c, 'rng_normal', mean, deviation, type, dims),
  rngBitGenerator: ({ at }, algorithm, state, type, dims) => {
    if (!algorithms.includes(algorithm))
      throw new HloError(`the algorithms of rngBitGenerator are ${algorithms.join(', ')}`);
    const bits = shapeText(type, checkSizes(dims, 'shape'));
    return spread(
      at.add('rng-bit-generator', [state], {
        shape: `(${state.xla.text}, ${bits})`,
        attributes: { algorithm },
      }),
    );
  },
  rngGetAndUpdateState: ({ at }, delta) =>
    at.add('rng-get-and-update-state', [], {
      shape: shapeText('u64', [2]),
      attributes: { delta: int(delta, 'delta') },
    }),
};
