// Operations that combine many elements into one: dots, reductions, windows, normalisation.
import { shapeText } from '../array.js';
import { HloError, ShapeError } from '../errors.js';
import {
  constant,
  dimension,
  dimensions,
  listOf,
  operandList,
  perDimension,
  precisionText,
  scalarsOf,
  some,
  spread,
  subcomputation,
} from './arguments.js';
import { windowText } from './windows.js';

/** @typedef {import('./arguments.js').Operand} Operand */
/** @typedef {import('./arguments.js').OperationTable} OperationTable */

/**
 * The attributes that all dots share; dimension numbers may be negative.
 * @param {Operand} lhs
 * @param {Operand} rhs
 * @param {any} options
 */
function dotAttributes(lhs, rhs, options) {
  const {
    lhsContracting = options.lhsContractingDimensions ?? [],
    rhsContracting = options.rhsContractingDimensions ?? [],
    lhsBatch = options.lhsBatchDimensions ?? [],
    rhsBatch = options.rhsBatchDimensions ?? [],
  } = options;
  return {
    lhs_batch_dims: some(dimensions(lhsBatch, lhs.rank, 'lhsBatch')),
    rhs_batch_dims: some(dimensions(rhsBatch, rhs.rank, 'rhsBatch')),
    lhs_contracting_dims: dimensions(lhsContracting, lhs.rank, 'lhsContracting'),
    rhs_contracting_dims: dimensions(rhsContracting, rhs.rank, 'rhsContracting'),
    operand_precision: precisionText(options.precision),
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

/** @type {OperationTable} */
export const contraction = {
  dot: (context, lhs, rhs, options = {}) => {
    if (lhs.rank < 1 || lhs.rank > 2 || rhs.rank < 1 || rhs.rank > 2)
      throw new ShapeError(
        `dot takes vectors and matrices, got ${lhs.xla.text} and ${rhs.xla.text}: use dotGeneral`,
      );
    const dimensions = { lhsContracting: [lhs.rank - 1], rhsContracting: [0] };
    return contraction.dotGeneral(context, lhs, rhs, { ...dimensions, ...options });
  },
  dotGeneral: ({ at }, lhs, rhs, options = {}) => {
    const attributes = dotAttributes(lhs, rhs, options);
    return at.add('dot', [lhs, rhs], {
      attributes: { ...attributes, algorithm: options.algorithm },
      shape: options.type ? shapeText(options.type, dotDims(lhs, rhs, attributes)) : '',
    });
  },
  scaledDot: ({ at }, lhs, lhsScale, rhs, rhsScale, options = {}) => {
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
  reduceAll: (context, operands, initial, body) =>
    contraction.reduce(context, operands, initial, body),
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
  reduceWindowWithGeneralPadding: (context, operands, initial, body, options) =>
    contraction.reduceWindow(context, operands, initial, body, options),
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
    spread(at.add('batch-norm-training', [x, scale, offset], norm(x, epsilon, featureIndex))),
  batchNormInference: ({ at }, x, scale, offset, mean, variance, epsilon, featureIndex) => {
    const operands = [x, scale, offset, mean, variance];
    return at.add('batch-norm-inference', operands, norm(x, epsilon, featureIndex));
  },
  batchNormGrad: ({ at }, x, scale, mean, variance, gradOutput, epsilon, featureIndex) => {
    const operands = [x, scale, mean, variance, gradOutput];
    return spread(at.add('batch-norm-grad', operands, norm(x, epsilon, featureIndex)));
  },
};

/** @param {Operand} x @param {number} epsilon @param {number} featureIndex */
function norm(x, epsilon, featureIndex) {
  if (epsilon === undefined) throw new HloError('epsilon is a number, got undefined');
  return {
    attributes: { epsilon, feature_index: dimension(featureIndex, x.rank, 'featureIndex') },
  };
}
