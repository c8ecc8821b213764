// Operations that move or reinterpret elements.
import { shapeText } from '../array.js';
import { createArray } from '../create.js';
import { elementType } from '../dtypes.js';
import { ShapeError } from '../errors.js';
import {
  constant,
  dimension,
  dimensions,
  int,
  checkSizes,
  operandList,
  perDimension,
  textOfShape,
} from './arguments.js';

/** @typedef {import('./arguments.js').OperationTable} OperationTable */

/** @type {OperationTable} */
export const movement = {
  convert: ({ at }, x, type) => at.add('convert', [x], { shape: shapeText(type, x.dims) }),
  bitcastConvert: ({ at, builder }, x, type) => {
    const [from, to] = [x.type, type].map(
      (name) =>
        /** @type {import('../engine.js').TypeInfo} */ (
          builder.engine.types.get(elementType(name))
        ),
    );
    const dims = [...x.dims];
    if (to.bits < from.bits) dims.push(from.bits / to.bits);
    if (to.bits > from.bits) dims.pop();
    return at.add('bitcast-convert', [x], { shape: shapeText(type, dims) });
  },
  bitcast: ({ at }, x, shape) => at.add('bitcast', [x], { shape: textOfShape(shape) }),
  constant: ({ at, builder }, literal, type) => {
    const array = createArray(builder.engine, literal, type);
    const made = at.constant(array);
    array.dispose();
    return made;
  },
  broadcast: ({ at }, x, sizes) =>
    at.add('broadcast', [x], {
      shape: shapeText(x.type, [...checkSizes(sizes, 'sizes'), ...x.dims]),
      attributes: {
        dimensions: x.dims.map(
          (/** @type {number} */ _, /** @type {number} */ d) => d + sizes.length,
        ),
      },
    }),
  broadcastInDim: ({ at }, x, shape, broadcastDimensions) => {
    checkSizes(shape, 'shape');
    perDimension(x.rank, 'broadcastDimensions', broadcastDimensions);
    // Dimensions of size 1 are dropped first: the instruction requires equal sizes.
    const kept = dimensions(broadcastDimensions, shape.length, 'broadcastDimensions')
      .map((/** @type {number} */ to, /** @type {number} */ d) => ({ to, size: x.dims[d] }))
      .filter((/** @type {any} */ { to, size }) => size === shape[to] || size !== 1);
    const sizes = kept.map((/** @type {any} */ { size }) => size);
    const narrow =
      kept.length === x.rank ? x : at.add('reshape', [x], { shape: shapeText(x.type, sizes) });
    return at.add('broadcast', [narrow], {
      shape: shapeText(x.type, shape),
      attributes: { dimensions: kept.map((/** @type {any} */ { to }) => to) },
    });
  },
  reshape: ({ at }, x, dims) =>
    at.add('reshape', [x], { shape: shapeText(x.type, checkSizes(dims, 'shape')) }),
  collapse: ({ at }, x, list) => {
    const which = dimensions(list, x.rank, 'dimensions');
    if (which.some((d, i) => i > 0 && d !== which[i - 1] + 1))
      throw new ShapeError('collapse takes consecutive dimensions in order');
    if (which.length === 0) return at.own(x);
    const product = which.reduce((size, d) => size * x.dims[d], 1);
    const after = x.dims.slice(which[which.length - 1] + 1);
    const dims = [...x.dims.slice(0, which[0]), product, ...after];
    return at.add('reshape', [x], { shape: shapeText(x.type, dims) });
  },
  transpose: ({ at }, x, permutation) => {
    const reversed = x.dims.map(
      (/** @type {number} */ _, /** @type {number} */ d) => x.rank - 1 - d,
    );
    return at.add('transpose', [x], {
      attributes: { dimensions: dimensions(permutation ?? reversed, x.rank, 'permutation') },
    });
  },
  slice: ({ at }, x, starts, limits, strides) => {
    perDimension(x.rank, 'starts', starts);
    perDimension(x.rank, 'limits', limits);
    const steps =
      strides === undefined ? starts.map(() => 1) : perDimension(x.rank, 'strides', strides);
    return at.add('slice', [x], {
      attributes: {
        slice: starts.map(
          (/** @type {number} */ start, /** @type {number} */ d) =>
            `[${start}:${limits[d]}:${steps[d]}]`,
        ),
      },
    });
  },
  sliceInDim: (c, x, start, limit, stride, dim) => {
    const which = dimension(dim, x.rank);
    const set = (/** @type {number} */ other, /** @type {number} */ value) =>
      x.dims.map((/** @type {number} */ _, /** @type {number} */ d) =>
        d === which ? value : other,
      );
    const limits = x.dims.map((/** @type {number} */ size, /** @type {number} */ d) =>
      d === which ? limit : size,
    );
    return movement.slice(c, x, set(0, start), limits, set(1, stride));
  },
  concatenate: ({ at }, operands, dim) => {
    const list = operandList(operands);
    return at.add('concatenate', list, {
      attributes: { dimensions: [dimension(dim, list[0].rank)] },
    });
  },
  pad: ({ at }, x, value, options = {}) => {
    const zeros = x.dims.map(() => 0);
    const [l, h, i] = [options.low, options.high, options.interior].map((list) =>
      perDimension(x.rank, 'padding', list ?? zeros),
    );
    if (x.rank === 0) return at.own(x);
    return at.add('pad', [x, constant(at, value, x.type)], {
      attributes: {
        padding: l
          .map((/** @type {number} */ n, /** @type {number} */ d) => `${n}_${h[d]}_${i[d]}`)
          .join('x'),
      },
    });
  },
  padInDim: (c, x, value, dim, low, high) => {
    const which = dimension(dim, x.rank);
    const only = (/** @type {number} */ padding) =>
      x.dims.map((/** @type {number} */ _, /** @type {number} */ d) => (d === which ? padding : 0));
    return movement.pad(c, x, value, {
      low: only(int(low, 'paddingLow')),
      high: only(int(high, 'paddingHigh')),
    });
  },
  reverse: ({ at }, x, list) =>
    at.add('reverse', [x], { attributes: { dimensions: dimensions(list, x.rank, 'dimensions') } }),
  iota: ({ at }, type, size, dim = 0) => {
    const dims = typeof size === 'number' ? [size] : checkSizes(size, 'shape');
    return at.add('iota', [], {
      shape: shapeText(type, dims),
      attributes: { iota_dimension: dimension(dim, dims.length) },
    });
  },
  dynamicSlice: ({ at }, x, starts, sizes) =>
    at.add('dynamic-slice', [x, ...indices(at, starts)], {
      attributes: { dynamic_slice_sizes: checkSizes(sizes, 'sizes') },
    }),
  dynamicUpdateSlice: ({ at }, x, update, starts) =>
    at.add('dynamic-update-slice', [x, update, ...indices(at, starts)]),
};

/** @param {import('../builder.js').Computation} at @param {any[]} starts arrays or numbers */
function indices(at, starts) {
  return starts.map((start) => constant(at, start, 's32'));
}
