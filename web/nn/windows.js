// Convolutions and pooling, over one to three dimensions of space.
import { HloError, ShapeError } from '../errors.js';
import { nameOf } from '../options.js';
import {
  asFloat,
  classOf,
  convert,
  promoteAndBroadcast,
  range,
  extremes,
  typeOf,
  asArray,
} from '../numpy/promotion.js';

/** @typedef {any} Hlo */
/** @typedef {(...args: any[]) => any} AnyFunction */

/** One number for all dimensions, or one for each. @param {string} name @param {any} value @param {number} count @returns {number[]} */
function perDimension(name, value, count) {
  const list = Array.isArray(value) ? value : Array(count).fill(value);
  if (list.length === count && list.every((size) => Number.isInteger(size) && size > 0))
    return list;
  throw new HloError(
    `${name} is a whole number above 0, or a list of ${count}, got ${Array.isArray(value) ? `[${value}]` : nameOf(value)}`,
  );
}

/** Positions of the dimensions in an array. @param {any} x @param {any} dataFormat @returns {{ batch: number, feature: number, spatial: number[] }} */
function placesOf(x, dataFormat) {
  const count = x.rank - 2;
  if (count < 1 || count > 3)
    throw new ShapeError(
      `x has a batch, channels and one to three dimensions of space, got [${x.dims}]`,
    );
  const space = 'DHW'.slice(3 - count);
  const isLast = dataFormat === undefined || dataFormat === `N${space}C`;
  if (!isLast && dataFormat !== `NC${space}`)
    throw new HloError(`dataFormat is "N${space}C" or "NC${space}", got ${nameOf(dataFormat)}`);
  return {
    batch: 0,
    feature: isLast ? count + 1 : 1,
    spatial: range(count).map((d) => d + (isLast ? 1 : 2)),
  };
}

/** @param {any} padding @param {number} count @returns {'SAME' | 'VALID' | [number, number][]} */
function paddingOf(padding, count) {
  const word = typeof padding === 'string' ? padding.toUpperCase() : undefined;
  if (word === 'SAME' || word === 'VALID') return word;
  const isSize = (/** @type {any} */ size) => Number.isInteger(size);
  if (isSize(padding)) return Array(count).fill([padding, padding]);
  const isPair = (/** @type {any} */ pair) =>
    Array.isArray(pair) && pair.length === 2 && pair.every(isSize);
  if (Array.isArray(padding) && padding.length === count && padding.every(isPair)) return padding;
  throw new HloError(
    `padding is "same", "valid", a number or ${count} pairs, [low, high], got ${nameOf(padding)}`,
  );
}

/** Padding that keeps ceil(size / stride) positions. @param {number} size @param {number} window with dilation @param {number} stride @returns {[number, number]} */
function samePadding(size, window, stride) {
  const all = Math.max((Math.ceil(size / stride) - 1) * stride + window - size, 0);
  return [all >> 1, all - (all >> 1)];
}

/** @param {Hlo} hlo @returns {Record<string, AnyFunction>} */
export function windowFunctions(hlo) {
  /** Both as floats of one type, and how their dimensions are numbered. @param {any} value @param {any} weights @param {any} dataFormat */
  const operandsOf = (value, weights, dataFormat) => {
    const [x, kernel] = [value, weights].map((y) => asFloat(hlo, y));
    if (classOf(hlo, x) !== 'float' || classOf(hlo, kernel) !== 'float')
      throw new HloError('no complex numbers are taken');
    const places = placesOf(x, dataFormat);
    const count = places.spatial.length;
    if (kernel.rank !== x.rank)
      throw new ShapeError(`kernel has as many dimensions as x, ${x.rank}, got [${kernel.dims}]`);
    const isLast = places.feature !== 1;
    const numbers = {
      inputBatchDimension: 0,
      inputFeatureDimension: places.feature,
      inputSpatialDimensions: places.spatial,
      kernelSpatialDimensions: range(count).map((d) => (isLast ? d : d + 2)),
      kernelInputFeatureDimension: isLast ? count : 1,
      kernelOutputFeatureDimension: isLast ? count + 1 : 0,
      outputBatchDimension: 0,
      outputFeatureDimension: places.feature,
      outputSpatialDimensions: places.spatial,
    };
    const [{ type }] = promoteAndBroadcast(hlo, [hlo.array(0, x.type), hlo.array(0, kernel.type)]);
    return { x: convert(hlo, x, type), kernel: convert(hlo, kernel, type), places, numbers, count };
  };
  /** @param {any} y @param {any} bias @param {number} feature */
  const withBias = (y, bias, feature) => {
    if (bias === undefined) return y;
    const b = convert(hlo, asFloat(hlo, bias), y.type);
    if (b.rank !== 1 || b.dims[0] !== y.dims[feature])
      throw new ShapeError(`bias is [${y.dims[feature]}], got [${b.dims}]`);
    return hlo.add(y, hlo.broadcastInDim(b, y.dims, [feature]));
  };
  /** @type {Record<string, AnyFunction>} */
  const nn = {};
  nn.conv = (value, weights, options) => {
    const { strides = 1, padding = 'same', dilation = 1, groups = 1, bias, dataFormat } = options;
    const { x, kernel, places, numbers, count } = operandsOf(value, weights, dataFormat);
    const [channels, inputs] = [
      x.dims[places.feature],
      kernel.dims[numbers.kernelInputFeatureDimension],
    ];
    const [groupCount] = perDimension('groups', groups, 1);
    if (inputs * groupCount !== channels)
      throw new ShapeError(
        `kernel takes the ${channels} channels of x, in groups of ${channels / groupCount}, got ${inputs}`,
      );
    const steps = perDimension('strides', strides, count);
    const apart = perDimension('dilation', dilation, count);
    const y = hlo.conv(x, kernel, steps, paddingOf(padding, count), {
      dimensionNumbers: numbers,
      rhsDilation: apart,
      featureGroupCount: groupCount,
    });
    return withBias(y, bias, places.feature);
  };
  nn.convTranspose = (value, weights, options) => {
    const { strides = 1, padding = 'same', dilation = 1, bias, dataFormat } = options;
    const { x, kernel, places, numbers, count } = operandsOf(value, weights, dataFormat);
    const steps = perDimension('strides', strides, count);
    const apart = perDimension('dilation', dilation, count);
    const word = paddingOf(padding, count);
    const pairs = range(count).map((d) => {
      const size = (kernel.dims[numbers.kernelSpatialDimensions[d]] - 1) * apart[d] + 1;
      const step = steps[d];
      if (typeof word !== 'string') return word[d];
      // What makes the result `step` times as large, or as large as that of which x would be the valid convolution.
      const all = size + step - 2 + (word === 'SAME' ? 0 : Math.max(size - step, 0));
      const low = word === 'VALID' || step > size - 1 ? size - 1 : Math.ceil(all / 2);
      return [low, all - low];
    });
    const y = hlo.conv(x, kernel, Array(count).fill(1), pairs, {
      dimensionNumbers: numbers,
      lhsDilation: steps,
      rhsDilation: apart,
    });
    return withBias(y, bias, places.feature);
  };

  /** The windows of a pooling. @param {any} x @param {any} window @param {any} options */
  const windowsOf = (x, window, { strides = window, padding = 'valid', dataFormat }) => {
    const { spatial } = placesOf(x, dataFormat);
    const count = spatial.length;
    const [sizes, steps] = [
      perDimension('window', window, count),
      perDimension('strides', strides, count),
    ];
    const given = paddingOf(padding, count);
    const pairs = range(count).map((d) => {
      if (given === 'SAME') return samePadding(x.dims[spatial[d]], sizes[d], steps[d]);
      return given === 'VALID' ? [0, 0] : given[d];
    });
    const all = (/** @type {any[]} */ values, /** @type {any} */ other) =>
      range(x.rank).map((d) => (spatial.includes(d) ? values[spatial.indexOf(d)] : other));
    return {
      windowDimensions: all(sizes, 1),
      windowStrides: all(steps, 1),
      padding: all(pairs, [0, 0]),
    };
  };
  nn.maxPool = (value, window, options) => {
    const x = asArray(hlo, value);
    const [least] = extremes(typeOf(hlo, x.type));
    return hlo.reduceWindow(x, hlo.array(least, x.type), 'max', windowsOf(x, window, options));
  };
  const average = hlo.jit(
    (/** @type {any} */ x, /** @type {any} */ windows, /** @type {boolean} */ isPaddingCounted) => {
      const wide = /16/.test(x.type) ? hlo.convert(x, 'f32') : x;
      const zero = hlo.array(0, wide.type);
      const sums = hlo.reduceWindow(wide, zero, 'add', windows);
      const ones = hlo.broadcastInDim(hlo.array(1, wide.type), x.dims, []);
      const size = windows.windowDimensions.reduce(
        (/** @type {number} */ a, /** @type {number} */ b) => a * b,
        1,
      );
      const counts = isPaddingCounted ? size : hlo.reduceWindow(ones, zero, 'add', windows);
      return convert(hlo, hlo.div(sums, counts), x.type);
    },
  );
  nn.avgPool = (value, window, { countIncludePad = false, ...options }) => {
    const x = asFloat(hlo, value);
    return average(x, windowsOf(x, window, options), countIncludePad);
  };
  return nn;
}
