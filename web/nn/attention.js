// Attention, one-hot encodings, losses.
import { HloArray } from '../array.js';
import { HloError, ShapeError } from '../errors.js';
import { nameOf } from '../options.js';
import {
  asArray,
  asFloat,
  axisOf,
  broadcastTo,
  checkIndices,
  classOf,
  concreteNumbers,
  convert,
  promoteAndBroadcast,
  range,
  typeOf,
} from '../numpy/promotion.js';

/** @typedef {any} Hlo */
/** @typedef {(...args: any[]) => any} AnyFunction */

/**
 * @param {Hlo} hlo
 * @param {any} np
 * @param {Record<string, AnyFunction>} others
 * @returns {Record<string, AnyFunction>}
 */
export function attentionFunctions(hlo, np, others) {
  const fill = (/** @type {any} */ x, /** @type {number} */ number) =>
    broadcastTo(hlo, hlo.array(number, x.type), x.dims);
  const attention = hlo.jit(
    (
      /** @type {any} */ query,
      /** @type {any} */ key,
      /** @type {any} */ value,
      /** @type {any} */ bias,
      /** @type {any} */ mask,
      /** @type {number} */ scale,
      /** @type {boolean} */ isCausal,
    ) => {
      const [b, t, n, h] = query.dims;
      const [, s, k] = key.dims;
      const type = /16/.test(query.type) ? 'f32' : query.type;
      // Query heads in groups that share a key's and a value's.
      const grouped = hlo.reshape(query, [b, t, k, n / k, h]);
      const products = np.einsum('btkgh,bskh->bkgts', grouped, key);
      const dims = [b, n, t, s];
      const scaled = hlo.mul(hlo.reshape(convert(hlo, products, type), dims), scale);
      const biased =
        bias === null ? scaled : hlo.add(scaled, broadcastTo(hlo, convert(hlo, bias, type), dims));
      const lowest = fill(biased, typeOf(hlo, type).bits === 64 ? -1e308 : -2.3819763e38);
      const isOld = hlo.ge(hlo.iota('s32', dims, 2), hlo.iota('s32', dims, 3));
      const causal = isCausal ? hlo.select(isOld, biased, lowest) : biased;
      const open =
        mask === null ? causal : hlo.select(broadcastTo(hlo, mask, dims), causal, lowest);
      const weights = convert(hlo, others.softmax(open), query.type);
      const all = np.einsum('bkgts,bskh->btkgh', hlo.reshape(weights, [b, k, n / k, t, s]), value);
      return hlo.reshape(all, [b, t, n, value.dims[3]]);
    },
  );
  /** @type {Record<string, AnyFunction>} */
  const nn = {};
  nn.dotProductAttention = (query, key, value, { bias, mask, scale, isCausal = false }) => {
    const given = [query, key, value].map((x) => asFloat(hlo, x));
    const isBatch = given[0].rank === 4;
    const [q, k, v] = isBatch ? given : given.map((x) => hlo.reshape(x, [1, ...x.dims]));
    const isFit =
      [q, k, v].every((x) => x.rank === 4) &&
      String(k.dims.slice(0, 3)) === String(v.dims.slice(0, 3)) &&
      q.dims[0] === k.dims[0] &&
      q.dims[3] === k.dims[3] &&
      k.dims[2] > 0 &&
      q.dims[2] % k.dims[2] === 0;
    if (!isFit)
      throw new ShapeError(
        `query is [batch, T, heads, size], key and value [batch, S, heads or a divisor, size], got ${given.map((x) => `[${x.dims}]`).join(', ')}`,
      );
    if (scale !== undefined && typeof scale !== 'number')
      throw new HloError(`scale is a number, got ${nameOf(scale)}`);
    const masks = mask === undefined ? null : asArray(hlo, mask);
    if (masks !== null && masks.type !== 'pred')
      throw new HloError(`mask is an array of booleans, got ${masks.type}`);
    const biases = bias === undefined ? null : asFloat(hlo, bias);
    const y = attention(q, k, v, biases, masks, scale ?? 1 / Math.sqrt(q.dims[3]), isCausal);
    return isBatch ? y : hlo.reshape(y, y.dims.slice(1));
  };

  nn.oneHot = (value, numClasses, { dtype = 'f32', axis = -1 }) => {
    if (!Number.isInteger(numClasses) || numClasses < 0)
      throw new HloError(`numClasses is a whole number, got ${nameOf(numClasses)}`);
    const x = asArray(hlo, value, 's32');
    const at = axisOf(axis, x.rank + 1);
    const dims = [...x.dims.slice(0, at), numClasses, ...x.dims.slice(at)];
    const kept = range(dims.length).filter((d) => d !== at);
    return oneHot(x, dims, kept, at, dtype);
  };
  const oneHot = hlo.jit(
    (
      /** @type {any} */ x,
      /** @type {number[]} */ dims,
      /** @type {number[]} */ kept,
      /** @type {number} */ at,
      /** @type {string} */ type,
    ) => {
      const classes = hlo.iota(x.type, dims, at);
      return convert(hlo, hlo.eq(hlo.broadcastInDim(x, dims, kept), classes), type);
    },
  );

  const sumOver = (/** @type {any} */ terms, /** @type {number} */ axis) =>
    hlo.reduce(terms, hlo.array(0, terms.type), 'add', [axis]);
  const ofChances = hlo.jit(
    (/** @type {any} */ logits, /** @type {any} */ chances, /** @type {number} */ axis) => {
      const logs = others.logSoftmax(logits, { axis });
      const zero = fill(logs, 0);
      // A class of probability 0 adds nothing, even where its logarithm is infinite.
      const terms = hlo.select(hlo.eq(chances, zero), zero, hlo.mul(chances, logs));
      return hlo.neg(sumOver(terms, axis));
    },
  );
  const ofClasses = hlo.jit(
    (/** @type {any} */ logits, /** @type {any} */ classes, /** @type {number} */ axis) => {
      const logs = others.logSoftmax(logits, { axis });
      const outer = range(logits.rank).filter((d) => d !== axis);
      const spread = hlo.broadcastInDim(classes, logits.dims, outer);
      const isOwn = hlo.eq(hlo.iota('s32', logits.dims, axis), spread);
      const loss = hlo.neg(sumOver(hlo.select(isOwn, logs, fill(logs, 0)), axis));
      const isClass = hlo.and(hlo.ge(classes, 0), hlo.lt(classes, logits.dims[axis]));
      return hlo.select(isClass, loss, fill(loss, NaN));
    },
  );
  nn.crossEntropy = (given, labels, { axis = -1 }) => {
    const logits = asFloat(hlo, given);
    const along = axisOf(axis, logits.rank);
    const isPlain = Array.isArray(labels) || typeof labels === 'number';
    const target = asArray(hlo, labels, isPlain ? undefined : 's32');
    const batch = logits.dims.toSpliced(along, 1);
    if (target.rank === batch.length && String(target.dims) === String(batch)) {
      if (target instanceof HloArray && classOf(hlo, target) === 'float') {
        const bad = [concreteNumbers(target)].flat(Infinity).find((x) => !Number.isInteger(x));
        if (bad !== undefined)
          throw new HloError(`labels that are classes are integers, got ${nameOf(bad)}`);
      }
      const classes = convert(hlo, target, 's32');
      checkIndices(hlo, classes, 0, logits.dims[along]);
      return ofClasses(logits, classes, along);
    }
    if (String(target.dims) !== String(logits.dims))
      throw new ShapeError(
        `labels are classes, of the shape of logits without the axis, or probabilities of its shape, [${logits.dims}]; got [${target.dims}]`,
      );
    return ofChances(logits, convert(hlo, target, logits.type), along);
  };
  const binaryCrossEntropy = hlo.jit((/** @type {any} */ x, /** @type {any} */ y) => {
    const softplus = hlo.add(hlo.max(x, 0), hlo.log1p(hlo.exp(hlo.neg(hlo.abs(x)))));
    return hlo.sub(softplus, hlo.mul(x, y));
  });
  nn.binaryCrossEntropy = (logits, labels) => {
    const arrays = promoteAndBroadcast(hlo, [logits, labels]).map((x) => asFloat(hlo, x));
    return binaryCrossEntropy(...arrays);
  };
  return nn;
}
