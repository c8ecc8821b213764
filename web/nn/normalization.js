// Layers that bring means and variances to 0 and 1: of layers, batches and groups.
import { HloError, ShapeError } from '../errors.js';
import { nameOf } from '../options.js';
import {
  asArray,
  asFloat,
  axesOf,
  axisOf,
  broadcastTo,
  convert,
  range,
} from '../numpy/promotion.js';

/** @typedef {any} Hlo */
/** @typedef {(...args: any[]) => any} AnyFunction */

/**
 * @param {Hlo} hlo
 * @param {any} np
 * @returns {Record<string, AnyFunction>}
 */
export function normalizationFunctions(hlo, np) {
  /** Types of 16 bits are computed in f32. @param {any} x */
  const wide = (x) => (/16/.test(x.type) ? hlo.convert(x, 'f32') : x);
  const square = (/** @type {any} */ x) => hlo.mul(x, x);
  const checkEpsilon = (/** @type {any} */ epsilon) => {
    if (typeof epsilon === 'number') return epsilon;
    throw new HloError(`epsilon is a number, got ${nameOf(epsilon)}`);
  };
  /** Scaled, moved and in the type of the argument. @param {any} y @param {any} scale null: none @param {any} bias @param {string} type */
  const finish = (y, scale, bias, type) => {
    const scaled = scale === null ? y : np.multiply(y, convert(hlo, scale, y.type));
    const moved = bias === null ? scaled : np.add(scaled, convert(hlo, bias, y.type));
    return convert(hlo, moved, type);
  };
  const given = (/** @type {any} */ x) => (x === undefined ? null : asFloat(hlo, x));
  /** A parameter of the axes, placed along them. @param {any} parameter @param {any} x @param {number[]} axes @param {string} name */
  const along = (parameter, x, axes, name) => {
    const array = given(parameter);
    if (array === null) return null;
    const sizes = axes.map((d) => x.dims[d]);
    if (String(array.dims) !== String(sizes))
      throw new ShapeError(`${name} is [${sizes}], as x is along the axis, got [${array.dims}]`);
    const shape = x.dims.map((/** @type {number} */ size, /** @type {number} */ d) =>
      axes.includes(d) ? size : 1,
    );
    return hlo.reshape(array, shape);
  };
  /** By mean and variance with the axes kept. @param {any} x @param {any} mean @param {any} variance @param {number} epsilon */
  const normalized = (x, mean, variance, epsilon) => {
    const deviation = hlo.rsqrt(hlo.add(variance, epsilon));
    const [m, d] = [mean, deviation].map((y) => broadcastTo(hlo, y, x.dims));
    return hlo.mul(hlo.sub(x, m), d);
  };
  const moments = (
    /** @type {any} */ x,
    /** @type {number[]} */ axes,
    /** @type {any} */ where,
  ) => {
    const options = { axis: axes, keepdims: true, ...(where === null ? {} : { where }) };
    const mean = np.mean(x, options);
    return [mean, np.mean(square(hlo.sub(x, broadcastTo(hlo, mean, x.dims))), options)];
  };

  const standardize = hlo.jit(
    (
      /** @type {any} */ x,
      /** @type {any} */ mean,
      /** @type {any} */ variance,
      /** @type {any} */ where,
      /** @type {number[]} */ axes,
      /** @type {number} */ epsilon,
    ) => {
      const y = wide(x);
      const [own, ownVariance] = moments(y, axes, where);
      const to = (/** @type {any} */ z, /** @type {any} */ other) =>
        z === null ? other : convert(hlo, z, y.type);
      const middle = to(mean, own);
      const others = { axis: axes, keepdims: true, ...(where === null ? {} : { where }) };
      const aroundMean = () => np.mean(square(np.subtract(y, middle)), others);
      const spread = to(variance, mean === null ? ownVariance : aroundMean());
      return convert(hlo, normalized(y, middle, spread, epsilon), x.type);
    },
  );
  /** @type {Record<string, AnyFunction>} */
  const nn = {};
  nn.standardize = (value, { axis = -1, mean, variance, epsilon = 1e-5, where }) => {
    const x = asFloat(hlo, value);
    const mask = where === undefined ? null : broadcastTo(hlo, asArray(hlo, where), x.dims);
    return standardize(
      ...[x, given(mean), given(variance), mask],
      ...[axesOf(axis, x.rank), checkEpsilon(epsilon)],
    );
  };

  const layerNorm = hlo.jit(
    (
      /** @type {any} */ x,
      /** @type {any} */ scale,
      /** @type {any} */ bias,
      /** @type {number[]} */ axes,
      /** @type {number} */ epsilon,
    ) => {
      const y = wide(x);
      const [mean, variance] = moments(y, axes, null);
      return finish(normalized(y, mean, variance, epsilon), scale, bias, x.type);
    },
  );
  nn.layerNorm = (value, { scale, bias, axis = -1, epsilon = 1e-5 }) => {
    const x = asFloat(hlo, value);
    const axes = axesOf(axis, x.rank);
    const parameters = [along(scale, x, axes, 'scale'), along(bias, x, axes, 'bias')];
    return layerNorm(x, ...parameters, axes, checkEpsilon(epsilon));
  };
  const rmsNorm = hlo.jit(
    (
      /** @type {any} */ x,
      /** @type {any} */ scale,
      /** @type {number[]} */ axes,
      /** @type {number} */ epsilon,
    ) => {
      const y = wide(x);
      const mean = np.mean(square(y), { axis: axes, keepdims: true });
      const factors = broadcastTo(hlo, hlo.rsqrt(hlo.add(mean, epsilon)), y.dims);
      return finish(hlo.mul(y, factors), scale, null, x.type);
    },
  );
  nn.rmsNorm = (value, { scale, axis = -1, epsilon = 1e-6 }) => {
    const x = asFloat(hlo, value);
    const axes = axesOf(axis, x.rank);
    return rmsNorm(x, along(scale, x, axes, 'scale'), axes, checkEpsilon(epsilon));
  };
  const batchNorm = hlo.jit(
    (
      /** @type {any} */ x,
      /** @type {any[]} */ [mean, variance, scale, bias],
      /** @type {number} */ axis,
      /** @type {number} */ epsilon,
    ) => {
      const y = wide(x);
      const others = range(x.rank).filter((d) => d !== axis);
      const [m, v] = mean === null ? moments(y, others, null) : [mean, variance];
      const [middle, spread] = [m, v].map((z) => convert(hlo, z, y.type));
      return finish(normalized(y, middle, spread, epsilon), scale, bias, x.type);
    },
  );
  nn.batchNorm = (value, { mean, variance, scale, bias, axis = -1, epsilon = 1e-5 }) => {
    if ((mean === undefined) !== (variance === undefined))
      throw new HloError('mean and variance are given both, or neither: then they are the batch’s');
    const x = asFloat(hlo, value);
    const feature = axisOf(axis, x.rank);
    const parameters = Object.entries({ mean, variance, scale, bias }).map(([name, parameter]) =>
      along(parameter, x, [feature], name),
    );
    return batchNorm(x, parameters, feature, checkEpsilon(epsilon));
  };
  const groupNorm = hlo.jit(
    (
      /** @type {any} */ x,
      /** @type {number} */ groups,
      /** @type {any} */ scale,
      /** @type {any} */ bias,
      /** @type {number} */ axis,
      /** @type {number} */ epsilon,
    ) => {
      const y = wide(x);
      const size = x.dims[axis] / groups;
      const grouped = hlo.reshape(y, [
        ...x.dims.slice(0, axis),
        ...[groups, size],
        ...x.dims.slice(axis + 1),
      ]);
      // All but the batch and the groups.
      const axes = range(grouped.rank).filter((d) => d !== 0 && d !== axis);
      const [mean, variance] = moments(grouped, axes, null);
      const all = hlo.reshape(normalized(grouped, mean, variance, epsilon), x.dims);
      return finish(all, scale, bias, x.type);
    },
  );
  nn.groupNorm = (value, numGroups, { scale, bias, axis = -1, epsilon = 1e-5 }) => {
    const x = asFloat(hlo, value);
    const feature = axisOf(axis, x.rank);
    const size = x.dims[feature];
    if (feature === 0) throw new ShapeError('the first axis is the batch: groups are of another');
    if (!Number.isInteger(numGroups) || numGroups < 1 || size % numGroups !== 0)
      throw new ShapeError(`numGroups divides the axis, of ${size}, got ${nameOf(numGroups)}`);
    const parameters = [along(scale, x, [feature], 'scale'), along(bias, x, [feature], 'bias')];
    return groupNorm(x, numGroups, ...parameters, feature, checkEpsilon(epsilon));
  };
  return nn;
}
