// Convolutions, and which dimension of their arrays is what.
import { shapeText } from '../array.js';
import { ShapeError } from '../errors.js';
import { checkOptions } from '../options.js';
import { dimension, ints, precisionText } from './arguments.js';
import { windowText } from './windows.js';

/** @typedef {import('./arguments.js').OperationTable} OperationTable */

const DIMENSION_NUMBERS =
  'inputBatchDimension inputFeatureDimension inputSpatialDimensions kernelOutputFeatureDimension kernelInputFeatureDimension kernelSpatialDimensions outputBatchDimension outputFeatureDimension outputSpatialDimensions';

/**
 * Dimension numbers in HLO text form: "b01f_01io->b01f".
 * @param {any} numbers a string, or XLA's ConvolutionDimensionNumbers in camelCase; by default batch, feature, spatial …
 * @param {number} rank
 */
export function dimLabels(numbers, rank) {
  if (typeof numbers === 'string') {
    if (/^\w+_\w+->\w+$/.test(numbers)) return numbers;
    throw new ShapeError(`dimensionNumbers are text such as "b01f_01io->b01f", got "${numbers}"`);
  }
  const spatial = Array.from({ length: rank - 2 }, (_, d) => d);
  const shifted = spatial.map((d) => d + 2);
  const given = numbers ?? {};
  checkOptions('dimensionNumbers', given, DIMENSION_NUMBERS);
  /** @param {string} letters @param {'input' | 'kernel' | 'output'} side @param {string[]} names of two of its dimensions */
  const write = (letters, side, names) => {
    const text = Array(rank).fill('?');
    const put = (
      /** @type {string} */ name,
      /** @type {number} */ d,
      /** @type {string} */ letter,
    ) => (text[dimension(d, rank, name)] = letter);
    names.forEach((name, i) => put(name, given[name] ?? i, letters[i]));
    const positions = `${side}SpatialDimensions`;
    ints(given[positions] ?? shifted, positions).forEach((d, i) => put(positions, d, String(i)));
    return text.join('');
  };
  const input = write('bf', 'input', ['inputBatchDimension', 'inputFeatureDimension']);
  const kernel = write('oi', 'kernel', [
    'kernelOutputFeatureDimension',
    'kernelInputFeatureDimension',
  ]);
  const output = write('bf', 'output', ['outputBatchDimension', 'outputFeatureDimension']);
  return `${input}_${kernel}->${output}`;
}

/** @param {string} labels of one operand @param {number[]} dims @returns {number[]} sizes in order of the spatial numbers */
function spatialSizes(labels, dims) {
  const sizes = [];
  for (let number = 0; labels.includes(String(number)); number++)
    sizes.push(dims[labels.indexOf(String(number))]);
  return sizes;
}

/** @type {OperationTable} */
export const convolution = {
  conv: (c, lhs, rhs, strides, padding = 'VALID', options = {}) =>
    convolution.convGeneralDilated(c, lhs, rhs, { ...options, strides, padding }),
  convWithGeneralPadding: (c, lhs, rhs, strides, padding, options) =>
    convolution.conv(c, lhs, rhs, strides, padding, options),
  convWithGeneralDimensions: (c, lhs, rhs, strides, padding, dimensionNumbers, options = {}) =>
    convolution.conv(c, lhs, rhs, strides, padding, { ...options, dimensionNumbers }),
  convGeneral: (c, lhs, rhs, strides, padding, dimensionNumbers, options) =>
    convolution.convWithGeneralDimensions(c, lhs, rhs, strides, padding, dimensionNumbers, options),
  convGeneralDilated: ({ at }, lhs, rhs, options = {}) => {
    if (lhs.rank < 2) throw new ShapeError('a convolution takes arrays of rank 2 at least');
    const labels = dimLabels(options.dimensionNumbers, lhs.rank);
    const [input, kernel] = labels.split(/_|->/);
    const base = spatialSizes(input, lhs.dims);
    const names = ['strides', 'lhsDilation', 'rhsDilation'];
    const window = windowText(spatialSizes(kernel, rhs.dims), base, options, names);
    const attributes = {
      window,
      dim_labels: labels,
      feature_group_count: options.featureGroupCount,
      batch_group_count: options.batchGroupCount,
      operand_precision: precisionText(options.precision),
    };
    const inferred = at.add('convolution', [lhs, rhs], { attributes });
    if (options.type === undefined || options.type === inferred.type) return inferred;
    const shape = shapeText(options.type, inferred.dims);
    return at.add('convolution', [lhs, rhs], { attributes, shape });
  },
  // What TensorFlow's gradients of padded convolutions are lowered to: the same convolutions, whose padding XLA adapts where
  // sizes are dynamic. Here sizes are known when an array arrives, and the padding stated is the one that is meant.
  dynamicConvForward: (c, lhs, rhs, options) =>
    convolution.convGeneralDilated(c, lhs, rhs, options),
  dynamicConvInputGrad: (c, _inputSizes, lhs, rhs, options) =>
    convolution.convGeneralDilated(c, lhs, rhs, options),
  dynamicConvKernelGrad: (c, lhs, rhs, options) =>
    convolution.convGeneralDilated(c, lhs, rhs, options),
};
