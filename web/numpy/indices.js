// NumPy's functions about places: grids of indices, triangles and diagonals, positions as one number or several.
import { HloError, ShapeError } from '../errors.js';
import { nameOf } from '../options.js';
import {
  asArray,
  axesOf,
  broadcastTo,
  broadcastTogether,
  checkIndices,
  classOf,
  convert,
  integer,
  product,
  range,
  sizeOf,
  sizesOf,
} from './promotion.js';

/** @typedef {any} Hlo */

const modes = ['raise', 'clip', 'wrap'];

/**
 * @param {Hlo} hlo
 * @param {Record<string, (...args: any[]) => any>} others NumPy's functions that these are made of
 * @returns {Record<string, (...args: any[]) => any>}
 */
export function indexFunctions(hlo, others) {
  /** @type {Record<string, (...args: any[]) => any>} */
  const np = {};
  np.indices = (shape, { dtype = 's32', sparse = false } = {}) => {
    const dims = sizesOf(shape);
    const ones = dims.map(() => 1);
    const grids = dims.map((n, d) => hlo.iota(dtype, sparse ? ones.with(d, n) : dims, d));
    if (sparse) return grids;
    return grids.length > 0 ? others.stack(grids) : others.zeros([0], { dtype });
  };
  np.ix = (lists) =>
    lists.map((/** @type {any} */ given, /** @type {number} */ d) => {
      const x =
        Array.isArray(given) && given.every(Number.isInteger)
          ? hlo.array(given, 's32')
          : asArray(hlo, given);
      if (x.rank !== 1) throw new ShapeError(`ix takes vectors, got [${x.dims}]`);
      const places = x.type === 'pred' ? others.flatnonzero(x) : x;
      return hlo.reshape(places, Array(lists.length).fill(1).with(d, places.size));
    });
  np.tri = (rows, { M: columns = rows, k = 0, dtype = 'f32' } = {}) => {
    const dims = [sizeOf(rows, 'rows'), sizeOf(columns, 'M')];
    const [row, column] = [0, 1].map((d) => hlo.iota('s32', dims, d));
    return hlo.convert(hlo.le(hlo.sub(column, row), integer(k, 'k')), dtype);
  };
  const indexArray = (/** @type {number[]} */ list) => hlo.array(Int32Array.from(list));
  /** Rows and columns of what is in a triangle. @param {number} n @param {number} m @param {(offset: number) => boolean} isIn */
  const triangle = (n, m, isIn) => {
    const rows = range(n).flatMap((i) =>
      range(m)
        .filter((j) => isIn(j - i))
        .map((j) => [i, j]),
    );
    return [0, 1].map((part) => indexArray(rows.map((place) => place[part])));
  };
  for (const [name, isIn] of /** @type {[string, (offset: number, k: number) => boolean][]} */ ([
    ['tril', (offset, k) => offset <= k],
    ['triu', (offset, k) => offset >= k],
  ])) {
    np[`${name}Indices`] = (n, { k = 0, m = n } = {}) =>
      triangle(integer(n, 'n'), integer(m, 'm'), (offset) => isIn(offset, integer(k, 'k')));
    np[`${name}IndicesFrom`] = (x, { k = 0 } = {}) => {
      const { dims } = asArray(hlo, x);
      if (dims.length !== 2)
        throw new ShapeError(`${name}IndicesFrom takes a matrix, got [${dims}]`);
      return np[`${name}Indices`](dims[0], { k, m: dims[1] });
    };
  }
  np.maskIndices = (n, maskOf, k) => {
    const ones = others.ones([integer(n, 'n'), n], { dtype: 's32' });
    return others.nonzero(k === undefined ? maskOf(ones) : maskOf(ones, k));
  };
  np.diagIndices = (n, { ndim = 2 } = {}) =>
    Array.from({ length: integer(ndim, 'ndim') }, () => hlo.iota('s32', [integer(n, 'n')], 0));
  np.diagIndicesFrom = (x) => {
    const { dims } = asArray(hlo, x);
    if (dims.length < 2 || new Set(dims).size > 1)
      throw new ShapeError(
        `diagIndicesFrom takes arrays whose dimensions are equal, got [${dims}]`,
      );
    return np.diagIndices(dims[0], { ndim: dims.length });
  };
  np.diagflat = (x, { k = 0 } = {}) => others.diag(others.ravel(asArray(hlo, x)), { k });
  np.diagonal = (x, { offset = 0, axis1 = 0, axis2 = 1 } = {}) => {
    const array = asArray(hlo, x);
    if (array.rank < 2)
      throw new ShapeError(`diagonal takes arrays of rank 2 at least, got [${array.dims}]`);
    const moved = others.moveaxis(array, axesOf([axis1, axis2], array.rank), [-2, -1]);
    const [rows, columns] = moved.dims.slice(-2);
    const [down, right] = [Math.max(0, -integer(offset, 'offset')), Math.max(0, offset)];
    const size = Math.max(0, Math.min(rows - down, columns - right));
    const outer = moved.dims.slice(0, -2);
    const flat = hlo.reshape(moved, [...outer, rows * columns]);
    // Elements of a diagonal stand one row and one column apart.
    const from = size > 0 ? down * columns + right : 0;
    const to = size > 0 ? from + (size - 1) * (columns + 1) + 1 : 0;
    return hlo.sliceInDim(flat, from, to, columns + 1, outer.length);
  };
  np.fillDiagonal = (x, value, { wrap = false } = {}) => {
    const array = asArray(hlo, x);
    const { dims, rank } = array;
    if (rank < 2)
      throw new ShapeError(`fillDiagonal takes arrays of rank 2 at least, got [${dims}]`);
    if (rank > 2 && new Set(dims).size > 1)
      throw new ShapeError(`beyond matrices, all dimensions are equal; got [${dims}]`);
    const step =
      rank === 2
        ? dims[1] + 1
        : range(rank).reduce((sum, d) => sum + product(dims.slice(d + 1)), 0);
    const end = wrap || rank > 2 ? array.size : Math.min(array.size, dims[1] * dims[1]);
    const count = Math.ceil(end / step);
    const own = convert(hlo, asArray(hlo, value, array.type), array.type);
    if (own.size === 0) throw new ShapeError('there is nothing to fill the diagonal with');
    const place = hlo.iota('s32', [array.size], 0);
    const isOn = hlo.and(hlo.eq(hlo.rem(place, step), 0), hlo.lt(place, end));
    const spread =
      own.rank === 0
        ? broadcastTo(hlo, own, [array.size])
        : others.take(others.resize(own, Math.max(1, count)), hlo.div(place, step), {
            mode: 'clip',
          });
    return hlo.reshape(hlo.select(isOn, spread, hlo.reshape(array, [array.size])), dims);
  };

  /** Points of a range as Python's slices have them: "start:stop:step"; a step such as "5j" is a number of points. @param {string} text */
  const parseRange = (text) => {
    const parts = text.split(':').map((part) => part.trim());
    const isCount = /^\d+j$/.test(parts[2] ?? '');
    const numbers = parts.map((part) => (part === '' ? undefined : Number(part.replace(/j$/, ''))));
    const [start = 0, stop, step = 1] = numbers;
    if (
      parts.length < 2 ||
      parts.length > 3 ||
      stop === undefined ||
      numbers.some((n) => Number.isNaN(n))
    )
      throw new HloError(
        `a range is "start:stop", "start:stop:step" or "start:stop:5j", got ${nameOf(text)}`,
      );
    return { start, stop, step, isCount };
  };
  for (const [name, sparse] of /** @type {[string, boolean][]} */ ([
    ['mgrid', false],
    ['ogrid', true],
  ]))
    np[name] = (text) => {
      if (typeof text !== 'string')
        throw new HloError(`${name} takes text such as "0:3, 0:1:5j", got ${nameOf(text)}`);
      const ranges = text.split(',').map(parseRange);
      const isWhole = ranges.every(
        (r) => !r.isCount && [r.start, r.stop, r.step].every(Number.isInteger),
      );
      const dtype = isWhole ? 's32' : 'f32';
      const axes = ranges.map(({ start, stop, step, isCount }) =>
        isCount
          ? others.linspace(start, stop, { num: step, dtype })
          : others.arange(start, { stop, step, dtype }),
      );
      if (axes.length === 1) return axes[0];
      const grids = others.meshgrid(axes, { indexing: 'ij', sparse });
      return sparse ? grids : others.stack(grids);
    };

  const strides = (/** @type {number[]} */ dims, /** @type {string} */ order) => {
    if (order !== 'C' && order !== 'F')
      throw new HloError(`order is 'C' or 'F', got ${nameOf(order)}`);
    return dims.map((_, d) => product(order === 'C' ? dims.slice(d + 1) : dims.slice(0, d)));
  };
  const placesOf = (/** @type {any} */ given) => {
    const isList = typeof given === 'number' || Array.isArray(given);
    const x = isList ? hlo.array(given, 's32') : asArray(hlo, given);
    if (!/signed/.test(classOf(hlo, x))) throw new HloError(`indices are integers, got ${x.type}`);
    return convert(hlo, x, 's32');
  };
  np.unravelIndex = (indices, shape, { order = 'C' } = {}) => {
    const dims = sizesOf(shape);
    const x = placesOf(indices);
    checkIndices(hlo, x, 0, product(dims));
    return strides(dims, order).map((step, d) =>
      hlo.rem(hlo.div(x, Math.max(1, step)), Math.max(1, dims[d])),
    );
  };
  np.ravelMultiIndex = (multiIndex, shape, { mode = 'raise', order = 'C' } = {}) => {
    const dims = sizesOf(shape);
    const given = Array.isArray(multiIndex) ? multiIndex : others.unstack(multiIndex);
    const rules = Array.isArray(mode) ? mode : dims.map(() => mode);
    if (given.length !== dims.length || rules.length !== dims.length)
      throw new ShapeError(`${given.length} indices are not for ${dims.length} dimensions`);
    if (!rules.every((rule) => modes.includes(rule)))
      throw new HloError(`the mode of ravelMultiIndex is ${modes.join(', ')}`);
    const places = given.map((/** @type {any} */ part, /** @type {number} */ d) => {
      const x = placesOf(part);
      if (rules[d] === 'raise') checkIndices(hlo, x, 0, dims[d]);
      if (rules[d] === 'clip') return hlo.clamp(0, x, dims[d] - 1);
      return rules[d] === 'wrap' ? others.mod(x, dims[d]) : x;
    });
    const steps = strides(dims, order);
    return broadcastTogether(hlo, places)
      .map((x, d) => hlo.mul(x, steps[d]))
      .reduce((sum, x) => hlo.add(sum, x));
  };
  return np;
}
