// Operations that combine many elements into one: dots, convolutions, reductions, windows.
import { shapeText } from '../array.js';
import { HloError, ShapeError } from '../errors.js';
import { checkOptions } from '../options.js';
import {
  constant,
  dimensions,
  int,
  listOf,
  operandList,
  perDimension,
  scalarsOf,
  some,
  spread,
  subcomputation,
} from './arguments.js';

/** @typedef {import('./arguments.js').Operand} Operand */
/** @typedef {import('./arguments.js').OperationTable} OperationTable */

const DIMENSION_NUMBERS =
  'inputBatchDimension inputFeatureDimension inputSpatialDimensions kernelOutputFeatureDimension kernelInputFeatureDimension kernelSpatialDimensions outputBatchDimension outputFeatureDimension outputSpatialDimensions';

/**
 * The attributes that all dots share; dimension numbers may be negative.
 * @param {Operand} lhs
 * @param {Operand} rhs
 * @param {any} options
 */
function dotAttributes(lhs, rhs, options) {
  const { lhsContracting = [], rhsContracting = [], lhsBatch = [], rhsBatch = [] } = options;
  return {
    lhs_batch_dims: some(dimensions(lhsBatch, lhs.rank, 'lhsBatch')),
    rhs_batch_dims: some(dimensions(rhsBatch, rhs.rank, 'rhsBatch')),
    lhs_contracting_dims: dimensions(lhsContracting, lhs.rank, 'lhsContracting'),
    rhs_contracting_dims: dimensions(rhsContracting, rhs.rank, 'rhsContracting'),
    operand_precision: options.precision,
  };
}

/** @param {Operand} x @param {(number[] | undefined)[]} taken @returns {number[]} sizes of the dimensions that are left */
function freeDims(x, taken) {
  const used = taken.flatMap((list) => list ?? []);
  return x.dims.filter((/** @type {number} */ _, /** @type {number} */ d) => !used.includes(d));
}

/** @param {Operand} lhs @param {Operand} rhs @param {ReturnType<typeof dotAttributes>} a */
function dotDims(lhs, rhs, a) {
  return [
    ...(a.lhs_batch_dims ?? []).map((d) => lhs.dims[d]),
    ...freeDims(lhs, [a.lhs_batch_dims, a.lhs_contracting_dims]),
    ...freeDims(rhs, [a.rhs_batch_dims, a.rhs_contracting_dims]),
  ];
}

/**
 * Low and high padding per dimension: 'SAME', 'VALID', or pairs.
 * @param {any} padding
 * @param {{ size: number, window: number, stride: number, dilation: number }[]} axes
 */
function paddingOf(padding, axes) {
  if (padding === 'VALID') return axes.map(() => [0, 0]);
  if (padding === 'SAME')
    return axes.map(({ size, window, stride, dilation }) => {
      const reach = (window - 1) * dilation + 1;
      const total = Math.max((Math.ceil(size / stride) - 1) * stride + reach - size, 0);
      return [Math.floor(total / 2), total - Math.floor(total / 2)];
    });
  if (!Array.isArray(padding) || padding.length !== axes.length)
    throw new ShapeError("padding is 'SAME', 'VALID', or a [low, high] for each dimension");
  return padding.map((pair) => perDimension(2, 'padding of a dimension', pair));
}

/**
 * The window attribute in HLO text form.
 * @param {number[]} sizes of the window
 * @param {number[]} base sizes of the operand, before padding
 * @param {any} options
 */
function windowText(sizes, base, options) {
  const ones = sizes.map(() => 1);
  const list = (/** @type {string} */ name) =>
    perDimension(sizes.length, name, options[name] ?? ones);
  const [strides, baseDilations, windowDilations] = [
    'windowStrides',
    'baseDilations',
    'windowDilations',
  ].map(list);
  const axes = sizes.map((window, d) => ({
    size: (base[d] - 1) * baseDilations[d] + 1,
    window,
    stride: strides[d],
    dilation: windowDilations[d],
  }));
  const pad = paddingOf(options.padding ?? 'VALID', axes).map(([low, high]) => `${low}_${high}`);
  const reversal = options.windowReversal?.map(Number);
  const parts = Object.entries({
    size: sizes,
    stride: strides,
    pad,
    lhs_dilate: baseDilations,
    rhs_dilate: windowDilations,
    rhs_reversal: reversal,
  });
  if (sizes.length === 0) return undefined;
  return `{${parts
    .filter(([, values]) => values)
    .map(([name, values]) => `${name}=${values.join('x')}`)
    .join(' ')}}`;
}

/**
 * Dimension numbers in HLO text form: "b01f_01io->b01f".
 * @param {any} numbers a string, or XLA's ConvolutionDimensionNumbers in camelCase; by default batch, feature, spatial …
 * @param {number} rank
 */
function dimLabels(numbers, rank) {
  if (typeof numbers === 'string') return numbers;
  const spatial = Array.from({ length: rank - 2 }, (_, d) => d);
  const shifted = spatial.map((d) => d + 2);
  const given = numbers ?? {};
  checkOptions('dimensionNumbers', given, DIMENSION_NUMBERS);
  const write = (
    /** @type {string} */ letters,
    /** @type {number} */ first,
    /** @type {number} */ second,
    /** @type {number[]} */ positions,
  ) => {
    const text = Array(rank).fill('?');
    text[first] = letters[0];
    text[second] = letters[1];
    positions.forEach((position, i) => (text[position] = String(i)));
    return text.join('');
  };
  const input = write(
    'bf',
    given.inputBatchDimension ?? 0,
    given.inputFeatureDimension ?? 1,
    given.inputSpatialDimensions ?? shifted,
  );
  const kernel = write(
    'oi',
    given.kernelOutputFeatureDimension ?? 0,
    given.kernelInputFeatureDimension ?? 1,
    given.kernelSpatialDimensions ?? shifted,
  );
  const output = write(
    'bf',
    given.outputBatchDimension ?? 0,
    given.outputFeatureDimension ?? 1,
    given.outputSpatialDimensions ?? shifted,
  );
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
export const contraction = {
  dot: ({ at }, lhs, rhs) => {
    if (lhs.rank < 1 || lhs.rank > 2 || rhs.rank < 1 || rhs.rank > 2)
      throw new ShapeError(
        `dot takes vectors and matrices, got ${lhs.xla.text} and ${rhs.xla.text}: use dotGeneral`,
      );
    return at.add('dot', [lhs, rhs], {
      attributes: { lhs_contracting_dims: [lhs.rank - 1], rhs_contracting_dims: [0] },
    });
  },
  dotGeneral: ({ at }, lhs, rhs, options = {}) => {
    const attributes = dotAttributes(lhs, rhs, options);
    return at.add('dot', [lhs, rhs], {
      attributes: { ...attributes, algorithm: options.algorithm },
      shape: options.type ? shapeText(options.type, dotDims(lhs, rhs, attributes)) : '',
    });
  },
  scaledDot: ({ at }, lhs, rhs, lhsScale, rhsScale, options = {}) => {
    const attributes = dotAttributes(lhs, rhs, options);
    const shape = shapeText(options.type ?? 'f32', dotDims(lhs, rhs, attributes));
    return at.add('scaled-dot', [lhs, rhs, lhsScale, rhsScale], { attributes, shape });
  },
  raggedDot: ({ at }, lhs, rhs, groupSizes, options = {}) => {
    const attributes = dotAttributes(lhs, rhs, options);
    const ragged = dimensions(options.lhsRagged, lhs.rank, 'lhsRagged');
    const group = dimensions(options.rhsGroup ?? [], rhs.rank, 'rhsGroup');
    const contracted = attributes.lhs_contracting_dims.includes(ragged[0]);
    const dims = dotDims(lhs, rhs, {
      ...attributes,
      rhs_contracting_dims: [...attributes.rhs_contracting_dims, ...group],
    });
    const groups = groupSizes.dims[groupSizes.rank - 1];
    return at.add('ragged-dot', [lhs, rhs, groupSizes], {
      attributes: { ...attributes, lhs_ragged_dims: ragged, rhs_group_dims: some(group) },
      shape: shapeText(options.type ?? lhs.type, contracted ? [groups, ...dims] : dims),
    });
  },
  conv: (c, lhs, rhs, strides, padding = 'VALID', options = {}) =>
    contraction.convGeneralDilated(c, lhs, rhs, { ...options, strides, padding }),
  convWithGeneralPadding: (c, lhs, rhs, strides, padding, options) =>
    contraction.conv(c, lhs, rhs, strides, padding, options),
  convWithGeneralDimensions: (c, lhs, rhs, strides, padding, dimensionNumbers, options = {}) =>
    contraction.conv(c, lhs, rhs, strides, padding, { ...options, dimensionNumbers }),
  convGeneral: (c, lhs, rhs, strides, padding, dimensionNumbers, options) =>
    contraction.convWithGeneralDimensions(c, lhs, rhs, strides, padding, dimensionNumbers, options),
  convGeneralDilated: ({ at }, lhs, rhs, options = {}) => {
    if (lhs.rank < 2) throw new ShapeError('a convolution takes arrays of rank 2 at least');
    const labels = dimLabels(options.dimensionNumbers, lhs.rank);
    const [input, kernel] = labels.split(/_|->/);
    const window = windowText(spatialSizes(kernel, rhs.dims), spatialSizes(input, lhs.dims), {
      windowStrides: options.strides,
      baseDilations: options.lhsDilation,
      windowDilations: options.rhsDilation,
      padding: options.padding,
      windowReversal: options.windowReversal,
    });
    const attributes = {
      window,
      dim_labels: labels,
      feature_group_count: options.featureGroupCount,
      batch_group_count: options.batchGroupCount,
      operand_precision: options.precision,
    };
    const inferred = at.add('convolution', [lhs, rhs], { attributes });
    if (options.type === undefined || options.type === inferred.type) return inferred;
    const shape = shapeText(options.type, inferred.dims);
    return at.add('convolution', [lhs, rhs], { attributes, shape });
  },
  reduce: (context, operands, inits, body, list) => {
    const xs = operandList(operands);
    const initial = listOf(inits).map((init, i) => constant(context.at, init, xs[i]?.type));
    const to_apply = subcomputation(context, body, [...scalarsOf(xs), ...scalarsOf(xs)]);
    const all = xs[0].dims.map((/** @type {number} */ _, /** @type {number} */ d) => d);
    const which = list === undefined ? all : dimensions(list, xs[0].rank, 'dimensions');
    return spread(
      context.at.add('reduce', [...xs, ...initial], {
        attributes: { dimensions: which, to_apply },
      }),
    );
  },
  reduceWindow: (context, operands, inits, body, options = {}) => {
    const xs = operandList(operands);
    const initial = listOf(inits).map((init, i) => constant(context.at, init, xs[i]?.type));
    const to_apply = subcomputation(context, body, [...scalarsOf(xs), ...scalarsOf(xs)]);
    const sizes = perDimension(xs[0].rank, 'windowDimensions', options.windowDimensions);
    return spread(
      context.at.add('reduce-window', [...xs, ...initial], {
        attributes: { window: windowText(sizes, xs[0].dims, options), to_apply },
      }),
    );
  },
  selectAndScatter: (context, x, source, init, select, scatter, options = {}) => {
    const scalars = scalarsOf([x, x]);
    const sizes = perDimension(x.rank, 'windowDimensions', options.windowDimensions);
    return context.at.add('select-and-scatter', [x, source, constant(context.at, init, x.type)], {
      attributes: {
        window: windowText(sizes, x.dims, options),
        select: subcomputation(context, select, scalars),
        scatter: subcomputation(context, scatter, scalars),
      },
    });
  },
  batchNormTraining: ({ at }, x, scale, offset, epsilon, featureIndex) =>
    spread(at.add('batch-norm-training', [x, scale, offset], norm(epsilon, featureIndex))),
  batchNormInference: ({ at }, x, scale, offset, mean, variance, epsilon, featureIndex) =>
    at.add('batch-norm-inference', [x, scale, offset, mean, variance], norm(epsilon, featureIndex)),
  batchNormGrad: ({ at }, x, scale, mean, variance, gradOutput, epsilon, featureIndex) =>
    spread(
      at.add(
        'batch-norm-grad',
        [x, scale, mean, variance, gradOutput],
        norm(epsilon, featureIndex),
      ),
    ),
};

/** @param {number} epsilon @param {number} featureIndex */
function norm(epsilon, featureIndex) {
  if (typeof epsilon !== 'number') throw new HloError('epsilon must be a number');
  return { attributes: { epsilon, feature_index: int(featureIndex, 'featureIndex') } };
}
