// Elements at given places, in order, and sizes known only when a program runs.
import { shapeText } from '../array.js';
import { HloError } from '../errors.js';
import { snakeCase } from '../options.js';
import {
  constant,
  dimension,
  dimensions,
  int,
  ints,
  operandList,
  parsedShape,
  scalarsOf,
  spread,
  subcomputation,
} from './arguments.js';
import { movement } from './movement.js';

/** @typedef {import('./arguments.js').OperationTable} OperationTable */

/**
 * Dimension numbers of gather or scatter, negative ones counted from the end.
 * @param {Record<string, any>} options
 * @param {Record<string, number>} ranks of what each option's dimensions belong to
 */
function dimensionNumbers(options, ranks) {
  const numbers = { ...options };
  for (const [name, rank] of Object.entries(ranks))
    if (options[name] !== undefined) numbers[name] = dimensions(options[name], rank, name);
  return snakeCase(numbers);
}

/** @param {number | undefined} number @param {number} rank of the indices @returns {number | undefined} rank itself: each index is a scalar */
function indexVectorDim(number, rank) {
  return number === undefined || number === rank
    ? number
    : dimension(number, rank, 'indexVectorDim');
}

/** @param {import('./arguments.js').Context} c @param {any} sizes an array of rank 1 @param {number} d @returns {any} its element as s32 */
function sizeAt(c, sizes, d) {
  const scalar = movement.reshape(c, movement.slice(c, sizes, [d], [d + 1]), []);
  return movement.convert(c, scalar, 's32');
}

/** @type {OperationTable} */
export const indexed = {
  gather: ({ at }, x, starts, options = {}) => {
    const all = { offsetDims: [], collapsedSliceDims: [], ...options };
    all.indexVectorDim = indexVectorDim(all.indexVectorDim, starts.rank);
    const batchRank = starts.rank - Number(all.indexVectorDim !== starts.rank);
    const attributes = dimensionNumbers(all, {
      offsetDims: batchRank + all.offsetDims.length,
      collapsedSliceDims: x.rank,
      startIndexMap: x.rank,
      operandBatchingDims: x.rank,
      startIndicesBatchingDims: starts.rank,
    });
    return at.add('gather', [x, starts], { attributes });
  },
  scatter: (context, operands, indices, updates, body, options = {}) => {
    const [xs, values] = [operandList(operands), operandList(updates)];
    const to_apply = subcomputation(context, body, [...scalarsOf(xs), ...scalarsOf(values)]);
    const all = { updateWindowDims: [], insertedWindowDims: [], ...options };
    all.indexVectorDim = indexVectorDim(all.indexVectorDim, indices.rank);
    const attributes = dimensionNumbers(all, {
      updateWindowDims: values[0].rank,
      insertedWindowDims: xs[0].rank,
      scatterDimsToOperandDims: xs[0].rank,
      inputBatchingDims: xs[0].rank,
      scatterIndicesBatchingDims: indices.rank,
    });
    return spread(
      context.at.add('scatter', [...xs, indices, ...values], {
        attributes: { ...attributes, to_apply },
      }),
    );
  },
  getDimensionSize: ({ at }, x, dim) =>
    at.add('get-dimension-size', [x], { attributes: { dimensions: [dimension(dim, x.rank)] } }),
  setDimensionSize: ({ at }, x, size, dim) =>
    at.add('set-dimension-size', [x, constant(at, size, 's32')], {
      attributes: { dimensions: [dimension(dim, x.rank)] },
    }),
  removeDynamicDimension: (c, x, dim) => {
    const own = c.at.own(x);
    const which = dimension(dim, x.rank);
    if (!own.xla.dynamic[which]) return own;
    const whole = indexed.setDimensionSize(c, own, x.dims[which], which);
    const sizes = x.dims.map((/** @type {number} */ _, /** @type {number} */ d) =>
      indexed.getDimensionSize(c, whole, d),
    );
    const isDynamic = own.xla.dynamic.with(which, false);
    return indexed.dynamicReshape(c, whole, sizes, x.dims, isDynamic);
  },
  dynamicBroadcastInDim: (c, x, outputDimensions, broadcastDimensions, shape) => {
    const { dims, dynamic } = parsedShape(c, shape);
    const whole = movement.broadcastInDim(c, x, dims, broadcastDimensions);
    return dynamic.reduce(
      (y, isDynamic, d) =>
        isDynamic ? indexed.setDimensionSize(c, y, sizeAt(c, outputDimensions, d), d) : y,
      whole,
    );
  },
  dynamicReshape: ({ at }, x, sizes, bounds, isDynamic) => {
    const dynamic = isDynamic ?? bounds.map(() => true);
    const dims = ints(bounds, 'bounds').map((size, d) => (dynamic[d] ? `<=${size}` : size));
    return at.add(
      'dynamic-reshape',
      [x, ...sizes.map((/** @type {any} */ size) => constant(at, size, 's32'))],
      { shape: `${x.type}[${dims.join(',')}]` },
    );
  },
  topK: ({ at }, x, k, options = {}) => {
    const { largest = true } = options;
    return spread(at.add('topk', [x], { attributes: { k: int(k, 'k'), largest } }));
  },
  sort: (context, operands, options = {}) => {
    const { dimension: dim = -1, comparator = 'lt', isStable = false } = options;
    const xs = operandList(operands);
    const parameters = scalarsOf(xs).flatMap((scalar) => [scalar, scalar]);
    const order = /^b?f/.test(xs[0].type) ? { type: 'TOTALORDER' } : {};
    const compare = context.builder.engine.operations[comparator];
    const body = compare
      ? (/** @type {any} */ a, /** @type {any} */ b) =>
          compare({ ...context, at: a.computation }, a, b, order)
      : comparator;
    const to_apply = subcomputation(context, body, parameters);
    const sorted = spread(
      context.at.add('sort', xs, {
        attributes: { dimensions: [dimension(dim, xs[0].rank)], is_stable: isStable, to_apply },
      }),
    );
    return Array.isArray(operands) && !Array.isArray(sorted) ? [sorted] : sorted;
  },
  approxTopK: (c, operands, _initial, k, dim, comparator) => {
    const xs = operandList(operands);
    const which = dimension(dim, xs[0].rank);
    const sorted = indexed.sort(c, xs, { comparator, dimension: which, isStable: true });
    const keep = (/** @type {any} */ x) => movement.sliceInDim(c, x, 0, int(k, 'k'), 1, which);
    return sorted.map(keep);
  },
};
