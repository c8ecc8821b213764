// Sums of exponentials along axes, and what is normalised by them.
import { HloError } from '../errors.js';
import {
  asArray,
  asFloat,
  axesOf,
  broadcastTo,
  convert,
  promoteAndBroadcast,
} from '../numpy/promotion.js';

/** @typedef {any} Hlo */

/**
 * softmax, logSoftmax and logsumexp, which nn and special share.
 * @param {Hlo} hlo
 * @returns {Record<string, (...args: any[]) => any>}
 */
export function normalizingFunctions(hlo) {
  /** A reduction with the axes kept, of the array's shape. @param {any} x @param {string} op @param {number} start @param {number[]} axes */
  const along = (x, op, start, axes) => {
    const all = hlo.reduce(x, hlo.array(start, x.type), op, axes);
    return broadcastTo(hlo, hlo.reshape(all, keptSizes(x, axes)), x.dims);
  };
  const keptSizes = (/** @type {any} */ x, /** @type {number[]} */ axes) =>
    x.dims.map((/** @type {number} */ size, /** @type {number} */ d) =>
      axes.includes(d) ? 1 : size,
    );
  const maskOf = (/** @type {any} */ where, /** @type {any} */ x) => {
    if (where === undefined) return undefined;
    const mask = asArray(hlo, where);
    if (mask.type !== 'pred') throw new HloError(`where is an array of booleans, got ${mask.type}`);
    return broadcastTo(hlo, mask, x.dims);
  };
  const masked = (/** @type {any} */ x, /** @type {any} */ mask, /** @type {number} */ other) =>
    mask === null ? x : hlo.select(mask, x, broadcastTo(hlo, hlo.array(other, x.type), x.dims));
  const finite = (/** @type {any} */ x) =>
    hlo.select(hlo.isFinite(x), x, broadcastTo(hlo, hlo.array(0, x.type), x.dims));

  const softmax = hlo.jit(
    (/** @type {any} */ x, /** @type {any} */ mask, /** @type {number[]} */ axes) => {
      const open = masked(x, mask, -Infinity);
      const powers = masked(hlo.exp(hlo.sub(open, along(open, 'max', -Infinity, axes))), mask, 0);
      return hlo.div(powers, along(powers, 'add', 0, axes));
    },
  );
  const logSoftmax = hlo.jit(
    (/** @type {any} */ x, /** @type {any} */ mask, /** @type {number[]} */ axes) => {
      const open = masked(x, mask, -Infinity);
      const shifted = hlo.sub(open, along(open, 'max', -Infinity, axes));
      const sum = along(masked(hlo.exp(shifted), mask, 0), 'add', 0, axes);
      return masked(hlo.sub(shifted, hlo.log(sum)), mask, -Infinity);
    },
  );
  const normalized =
    (/** @type {any} */ program, /** @type {any} */ defaultAxis) =>
    (/** @type {any} */ value, /** @type {any} */ { axis = defaultAxis, where } = {}) => {
      const x = asFloat(hlo, value);
      return program(x, maskOf(where, x) ?? null, axesOf(axis, x.rank));
    };
  /** The logarithm of the sum's size, and its sign. */
  const logSum = hlo.jit(
    (
      /** @type {any} */ x,
      /** @type {any} */ factors,
      /** @type {any} */ mask,
      /** @type {number[]} */ axes,
      /** @type {boolean} */ keepdims,
    ) => {
      const zeros = broadcastTo(hlo, hlo.array(0, x.type), x.dims);
      const lowest = broadcastTo(hlo, hlo.array(-Infinity, x.type), x.dims);
      const weighed = factors === null ? x : hlo.select(hlo.eq(factors, zeros), lowest, x);
      const open = mask === null ? weighed : hlo.select(mask, weighed, lowest);
      const most = hlo.reduce(open, hlo.array(-Infinity, x.type), 'max', axes);
      const shift = finite(most);
      const shape = keptSizes(x, axes);
      const shifts = broadcastTo(hlo, hlo.reshape(shift, shape), x.dims);
      const powers = hlo.exp(hlo.sub(open, shifts));
      const terms = factors === null ? powers : hlo.mul(powers, factors);
      const sum = hlo.reduce(masked(terms, mask, 0), hlo.array(0, x.type), 'add', axes);
      const size = hlo.add(hlo.log(factors === null ? sum : hlo.abs(sum)), shift);
      const kept = (/** @type {any} */ y) => (keepdims ? hlo.reshape(y, shape) : y);
      return [kept(size), kept(hlo.sign(sum))];
    },
  );
  const logsumexp = (
    /** @type {any} */ value,
    /** @type {any} */ { axis, b, keepdims = false, returnSign = false, where } = {},
  ) => {
    const [x, factors] =
      b === undefined
        ? [asFloat(hlo, value), null]
        : promoteAndBroadcast(hlo, [value, b]).map((y) => asFloat(hlo, y));
    const [size, sign] = logSum(
      x,
      factors,
      maskOf(where, x) ?? null,
      axesOf(axis, x.rank),
      keepdims,
    );
    if (returnSign) return [size, sign];
    if (factors === null) return size;
    const none = broadcastTo(hlo, hlo.array(NaN, size.type), size.dims);
    return hlo.select(hlo.lt(sign, hlo.array(0, sign.type)), none, size);
  };
  const logmeanexp = (
    /** @type {any} */ value,
    /** @type {any} */ { axis, where, keepdims = false } = {},
  ) => {
    const x = asFloat(hlo, value);
    const axes = axesOf(axis, x.rank);
    const sum = logsumexp(x, { axis: axes, where, keepdims });
    if (where === undefined)
      return hlo.sub(sum, Math.log(axes.reduce((all, d) => all * x.dims[d], 1)));
    const ones = convert(hlo, maskOf(where, x), x.type);
    const count = hlo.reduce(ones, hlo.array(0, x.type), 'add', axes);
    return hlo.sub(sum, hlo.log(keepdims ? hlo.reshape(count, keptSizes(x, axes)) : count));
  };
  return {
    softmax: normalized(softmax, -1),
    logSoftmax: normalized(logSoftmax, -1),
    logsumexp,
    logmeanexp,
  };
}
