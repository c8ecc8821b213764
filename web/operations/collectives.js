// Collectives among replicas and partitions: for jit and builders, run by runReplicas().
import { shapeText } from '../array.js';
import { ShapeError } from '../errors.js';
import {
  dimension,
  listOf,
  operandList,
  scalarsOf,
  spread,
  subcomputation,
  textOfShape,
} from './arguments.js';

/** @typedef {import('./arguments.js').OperationTable} OperationTable */

/** @param {any} options replicaGroups, channelId, useGlobalDeviceIds */
function groupAttributes(options = {}) {
  const { replicaGroups, channelId, useGlobalDeviceIds } = options;
  return {
    replica_groups: groups(replicaGroups ?? []),
    channel_id: channelId,
    use_global_device_ids: useGlobalDeviceIds,
  };
}

/** @param {any} layout @returns {true | undefined} as results have it where a layout is stated */
const constrains = (layout) => (layout === undefined ? undefined : true);

/** @param {any} options channelId, inplace: what is sent is not needed any more, which is no promise that is of use here */
const permuted = ({ channelId } = {}, /** @type {number[][]} */ pairs) => ({
  source_target_pairs: groups(pairs),
  channel_id: channelId,
});

/**
 * Of what has a root in each group: the first, or the one whose position `roots` lists.
 * @param {any} options replicaGroups, channelId, roots
 */
function rootedAttributes(options) {
  return { ...groupAttributes(options), has_dynamic_root: options.roots ? true : undefined };
}

/** @param {any} options */
const rootOperands = ({ roots }) => (roots ? [roots] : []);

/** @param {number[][]} lists */
function groups(lists) {
  return `{${lists.map((list) => `{${list.join(',')}}`).join(',')}}`;
}

/** @param {number} size @param {number} count @param {number} d the dimension @returns {number} of each of `count` equal parts */
function partOf(size, count, d) {
  if (!(count > 0) || size % count !== 0)
    throw new ShapeError(`dimension ${d} of size ${size} has no ${count} equal parts`);
  return size / count;
}

/**
 * The shape of a result: those of the operands with another size of one dimension.
 * @param {any[]} xs
 * @param {number} which
 * @param {(size: number) => number} resize
 * @param {import('../array.js').LayoutOption} [layout] of each
 */
function resized(xs, which, resize, layout) {
  const shapes = xs.map(({ type, dims }) =>
    shapeText(type, dims.with(which, resize(dims[which])), layout),
  );
  return xs.length === 1 ? shapes[0] : `(${shapes.join(', ')})`;
}

/** @type {OperationTable} */
export const collectives = {
  allReduce: (context, operands, body = 'add', options = {}) => {
    const xs = operandList(operands);
    const scalars = scalarsOf([xs[0], xs[0]]);
    const to_apply = subcomputation(context, body, scalars);
    const { shapeWithLayout } = options;
    return spread(
      context.at.add('all-reduce', xs, {
        shape: shapeWithLayout === undefined ? '' : textOfShape(shapeWithLayout),
        attributes: {
          ...groupAttributes(options),
          constrain_layout: constrains(shapeWithLayout),
          to_apply,
        },
      }),
    );
  },
  allReduceStart: (context, operands, body = 'add', options = {}) => {
    const xs = operandList(operands);
    const to_apply = subcomputation(context, body, scalarsOf([xs[0], xs[0]]));
    const attributes = { ...groupAttributes(options), to_apply };
    return context.at.add('all-reduce-start', xs, { attributes });
  },
  allReduceDone: ({ at }, state) => spread(at.add('all-reduce-done', [state])),
  crossReplicaSum: (c, operands, options) => collectives.allReduce(c, operands, 'add', options),
  allGather: ({ at }, operands, dim, shardCount, options = {}) => {
    const xs = operandList(operands);
    const which = dimension(dim, xs[0].rank);
    return spread(
      at.add('all-gather', xs, {
        shape: resized(xs, which, (size) => size * shardCount, options.layout),
        attributes: {
          ...groupAttributes(options),
          constrain_layout: constrains(options.layout),
          dimensions: [which],
        },
      }),
    );
  },
  allGatherStart: ({ at }, operands, dim, shardCount, options = {}) => {
    const xs = operandList(operands);
    const which = dimension(dim, xs[0].rank);
    const given = xs.map((x) => at.own(x).xla.text);
    const from = xs.length === 1 ? given[0] : `(${given.join(', ')})`;
    return at.add('all-gather-start', xs, {
      shape: `(${from}, ${resized(xs, which, (size) => size * shardCount, options.layout)})`,
      attributes: { ...groupAttributes(options), dimensions: [which] },
    });
  },
  allGatherDone: ({ at }, state) => spread(at.add('all-gather-done', [state])),
  reduceScatter: (context, operands, body, dim, shardCount, options = {}) => {
    const xs = operandList(operands);
    const which = dimension(dim, xs[0].rank);
    const to_apply = subcomputation(context, body, scalarsOf([xs[0], xs[0]]));
    return spread(
      context.at.add('reduce-scatter', xs, {
        shape: resized(xs, which, (size) => partOf(size, shardCount, which), options.layout),
        attributes: {
          ...groupAttributes(options),
          constrain_layout: constrains(options.layout),
          dimensions: [which],
          to_apply,
        },
      }),
    );
  },
  allToAll: ({ at }, x, splitDimension, concatDimension, splitCount, options = {}) => {
    // The instruction splits and concatenates the same dimension; for others the parts are transposed before and after.
    const [split, concat] = [splitDimension, concatDimension].map((d) => dimension(d, x.rank));
    const size = partOf(x.dims[split], splitCount, split);
    const parts = Array.from({ length: splitCount }, (_, i) => {
      const slice = x.dims.map((/** @type {number} */ whole, /** @type {number} */ d) =>
        d === split ? `[${i * size}:${(i + 1) * size}]` : `[0:${whole}]`,
      );
      return at.add('slice', [x], { attributes: { slice } });
    });
    const exchanged = listOf(
      spread(at.add('all-to-all', parts, { attributes: groupAttributes(options) })),
    );
    return at.add('concatenate', exchanged, { attributes: { dimensions: [concat] } });
  },
  allToAllTuple: ({ at }, operands, options = {}) =>
    spread(at.add('all-to-all', operandList(operands), { attributes: groupAttributes(options) })),
  collectivePermute: ({ at }, x, pairs, options) =>
    at.add('collective-permute', [x], { attributes: permuted(options, pairs) }),
  multiCollectivePermute: ({ at }, operands, pairs, options) =>
    spread(
      at.add('collective-permute', operandList(operands), { attributes: permuted(options, pairs) }),
    ),
  collectivePermuteStart: ({ at }, x, pairs, options) =>
    at.add('collective-permute-start', [x], { attributes: permuted(options, pairs) }),
  collectivePermuteDone: ({ at }, state) => spread(at.add('collective-permute-done', [state])),
  collectiveBroadcast: ({ at }, x, options = {}) =>
    at.add('collective-broadcast', [x, ...rootOperands(options)], {
      attributes: rootedAttributes(options),
    }),
  collectiveReduce: (context, operands, body, options = {}) => {
    const xs = operandList(operands);
    const to_apply = subcomputation(context, body, scalarsOf([xs[0], xs[0]]));
    return spread(
      context.at.add('collective-reduce', [...xs, ...rootOperands(options)], {
        attributes: { ...rootedAttributes(options), to_apply },
      }),
    );
  },
  raggedAllToAll: (
    { at },
    input,
    inputOffsets,
    sendSizes,
    output,
    outputOffsets,
    recvSizes,
    options = {},
  ) =>
    at.add(
      'ragged-all-to-all',
      [input, output, inputOffsets, sendSizes, outputOffsets, recvSizes],
      { attributes: groupAttributes(options) },
    ),
  replicaId: ({ at }) => at.add('replica-id', [], { shape: shapeText('u32', []) }),
  partitionId: ({ at }, shape = 'u32[]') =>
    at.add('partition-id', [], { shape: textOfShape(shape) }),
};
