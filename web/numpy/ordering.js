// NumPy's functions that sort elements, and those that select them by index.
import { HloArray } from '../array.js';
import { HloError, ShapeError } from '../errors.js';
import { nameOf } from '../options.js';
import {
  alongAxis,
  asArray,
  asFloat,
  axesOf,
  broadcastShapes,
  broadcastTo,
  checkIndices,
  collapseAxes,
  computeWider,
  convert,
  fillValue,
  product,
  typeOf,
} from './promotion.js';

/** @typedef {any} Hlo */

const kindsOfSort = ['quicksort', 'heapsort', 'mergesort', 'stable'];

/** @param {Hlo} hlo @returns {Record<string, (...args: any[]) => any>} */
export function orderingFunctions(hlo) {
  /** @type {Record<string, (...args: any[]) => any>} */
  const np = {};
  /** A sort key whose total order is NumPy's: all NaNs are equal and last, and both zeros are equal. */
  const keyOf = (/** @type {any} */ x) =>
    hlo.select(hlo.ne(x, x), NaN, hlo.select(hlo.eq(x, 0), 0, x));
  /** Sort keys of complex numbers: by real, then by imaginary part, those with a NaN last. */
  const keysOf = (/** @type {any} */ x) => {
    const { class: kind } = typeOf(hlo, x.type);
    if (kind === 'float') return [keyOf(x)];
    if (kind !== 'complex') return [x];
    const [re, im] = [hlo.real(x), hlo.imag(x)];
    const isNaN = (/** @type {any} */ part) => hlo.convert(hlo.ne(part, part), 's32');
    const nans = hlo.add(hlo.mul(isNaN(re), 2), isNaN(im));
    return [nans, keyOf(re), keyOf(im)];
  };
  /** Whether a comes before b. The engine recognises this form as a comparison of keys (src/kernels/order/sort_keys.c). */
  const comesBefore = (/** @type {any} */ a, /** @type {any} */ b) => {
    const [left, right] = [keysOf(a), keysOf(b)];
    const compared = (/** @type {number} */ i, /** @type {string} */ direction) => {
      const order = /^b?f/.test(left[i].type) ? { type: 'TOTALORDER' } : {};
      return hlo.compare(left[i], right[i], direction, order);
    };
    return left.reduceRight((rest, _, i) => {
      const isLess = compared(i, 'LT');
      return rest === undefined ? isLess : hlo.or(isLess, hlo.and(compared(i, 'EQ'), rest));
    }, undefined);
  };
  const sortOptions = (/** @type {number} */ dimension) => ({
    dimension,
    comparator: (/** @type {any} */ a, /** @type {any} */ b) => comesBefore(a, b),
    isStable: true,
  });
  // Programs of their own, which are cached: the comparator is traced once.
  const sorted = hlo.jit((/** @type {any} */ x, /** @type {number} */ along) =>
    hlo.sort(x, sortOptions(along)),
  );
  const order = hlo.jit((/** @type {any} */ x, /** @type {number} */ along) => {
    const places = hlo.iota('s32', x.dims, along);
    return hlo.sort([x, places], sortOptions(along))[1];
  });
  for (const [name, run] of Object.entries({ sort: sorted, argsort: order }))
    np[name] = (x, { axis = -1, kind, stable } = {}) => {
      // All of these are one stable sort.
      if (kind !== undefined && !kindsOfSort.includes(kind))
        throw new HloError(`the kind of ${name} is ${kindsOfSort.join(', ')}, got ${nameOf(kind)}`);
      if (kind !== undefined && stable !== undefined)
        throw new HloError('kind and stable say one thing: give one of them');
      const [array, along] = alongAxis(hlo, x, axis);
      return run(array, along);
    };

  np.median = (x, { axis, keepdims = false } = {}) => {
    const array = asFloat(hlo, x);
    if (typeOf(hlo, array.type).class === 'complex')
      throw new HloError('median takes no complex numbers');
    const axes = axesOf(axis, array.rank);
    const rows = collapseAxes(hlo, array, axes);
    const dims = rows.dims.slice(0, -1);
    const median =
      rows.dims.at(-1) === 0
        ? hlo.broadcastInDim(hlo.array(NaN, array.type), dims, [])
        : hlo.reshape(medianOfSorted(sorted(rows, rows.rank - 1)), dims);
    if (!keepdims) return median;
    const kept = array.dims.map((/** @type {number} */ n, /** @type {number} */ d) =>
      axes.includes(d) ? 1 : n,
    );
    return hlo.reshape(median, kept);
  };
  const medianOfSorted = (/** @type {any} */ rows) => {
    const along = rows.rank - 1;
    const size = rows.dims[along];
    const at = (/** @type {number} */ i) => hlo.sliceInDim(rows, i, i + 1, 1, along);
    const [low, high, last] = [(size - 1) >> 1, size >> 1, size - 1].map(at);
    const mean = (/** @type {any} */ a, /** @type {any} */ b) =>
      hlo.add(hlo.mul(a, 0.5), hlo.mul(b, 0.5));
    const median = size % 2 === 1 ? low : computeWider(hlo, [low, high], 'f32', mean);
    return hlo.select(hlo.ne(last, last), last, median); // NaNs come last
  };

  /** Indices of s32, or of s64 where they are wider. @param {any} indices */
  const asPlaces = (indices) => {
    const isList = typeof indices === 'number' || Array.isArray(indices);
    const given = isList ? hlo.array(indices, 's32') : asArray(hlo, indices);
    const { class: kind, bits } = typeOf(hlo, given.type);
    if (!/signed/.test(kind)) throw new HloError(`indices are integers, got ${given.type}`);
    const isWide = bits > 32 || (bits === 32 && kind === 'unsigned');
    return convert(hlo, given, isWide ? 's64' : 's32');
  };
  /**
   * Indices along a dimension, normalised to s32 or s64 from 0; negative ones count from the end. In mode 'raise', an index out of
   * range is an error, or marked in isOutside if indices are traced.
   * @param {any} indices
   * @param {number} size
   * @param {'raise' | 'clip' | 'wrap'} mode
   * @returns {{ where: any, isOutside: any }}
   */
  const resolveIndices = (indices, size, mode) => {
    const x = asPlaces(indices);
    if (size === 0 && x.size > 0) throw new ShapeError('there is nothing to take from');
    if (mode === 'wrap') {
      const rest = hlo.rem(x, Math.max(1, size));
      const where = hlo.select(hlo.lt(rest, 0), hlo.add(rest, size), rest);
      return { where, isOutside: undefined };
    }
    if (mode === 'clip')
      return { where: hlo.clamp(0, x, Math.max(0, size - 1)), isOutside: undefined };
    checkIndices(hlo, x, -size, size);
    const where = hlo.select(hlo.lt(x, 0), hlo.add(x, size), x);
    const isOutside = hlo.or(hlo.lt(where, 0), hlo.ge(where, size));
    return { where, isOutside: x instanceof HloArray ? undefined : isOutside };
  };
  np.take = (x, indices, { axis, mode = 'raise' } = {}) => {
    if (!['raise', 'clip', 'wrap'].includes(mode))
      throw new HloError("the mode of take is 'raise', 'clip' or 'wrap'");
    const [array, along] = alongAxis(hlo, x, axis);
    const given = asPlaces(indices);
    const isKnown = given instanceof HloArray;
    const size = array.dims[along];
    // Checked here, indices that are known are resolved and gathered in one program.
    if (mode === 'raise' && size > 0) checkIndices(hlo, given, -size, size);
    return taken(array, given, along, mode, isKnown);
  };
  const taken = hlo.jit(
    (
      /** @type {any} */ array,
      /** @type {any} */ indices,
      /** @type {number} */ along,
      /** @type {any} */ mode,
      /** @type {boolean} */ isKnown,
    ) => {
      const { where, isOutside } = resolveIndices(indices, array.dims[along], mode);
      const offset = array.dims.flatMap((/** @type {number} */ _, /** @type {number} */ d) =>
        d < along ? [d] : d > along ? [d - 1 + where.rank] : [],
      );
      const dims = array.dims.toSpliced(along, 1, ...where.dims);
      if (product(dims) === 0) return hlo.broadcastInDim(hlo.array(0, array.type), dims, []);
      const gathered = hlo.gather(array, hlo.reshape(where, [...where.dims, 1]), {
        offsetDims: offset,
        collapsedSliceDims: [along],
        startIndexMap: [along],
        indexVectorDim: where.rank,
        sliceSizes: array.dims.map((/** @type {number} */ size, /** @type {number} */ d) =>
          d === along ? 1 : size,
        ),
      });
      if (isOutside === undefined || isKnown) return gathered;
      const own = where.dims.map((/** @type {number} */ _, /** @type {number} */ d) => along + d);
      return hlo.select(
        hlo.broadcastInDim(isOutside, dims, own),
        hlo.array(fillValue(hlo, gathered.type), gathered.type),
        gathered,
      );
    },
  );
  np.takeAlongAxis = (x, indices, { axis = -1 } = {}) => {
    const [given, along] = alongAxis(hlo, x, axis);
    const isList = Array.isArray(indices);
    const places = isList ? hlo.array(indices, 's32') : asArray(hlo, indices);
    if (places.rank !== given.rank)
      throw new ShapeError(`[${places.dims}] are no places in [${given.dims}] along axis ${along}`);
    const { where: own, isOutside } = resolveIndices(places, given.dims[along], 'raise');
    // All dimensions except the axis broadcast.
    let dims;
    try {
      dims = broadcastShapes(given.dims.with(along, 1), own.dims.with(along, 1));
    } catch {
      throw new ShapeError(`[${places.dims}] are no places in [${given.dims}] along axis ${along}`);
    }
    const array = broadcastTo(hlo, given, dims.with(along, given.dims[along]));
    const within = dims.with(along, own.dims[along]);
    const where = broadcastTo(hlo, convert(hlo, own, 's32'), within);
    let flat = hlo.mul(where, 0);
    for (const [d, size] of array.dims.entries())
      flat = hlo.add(hlo.mul(flat, size), d === along ? where : hlo.iota('s32', where.dims, d));
    const gathered = np.take(array, flat, { mode: 'clip' });
    if (isOutside === undefined) return gathered;
    return hlo.select(
      broadcastTo(hlo, isOutside, within),
      hlo.array(fillValue(hlo, gathered.type), gathered.type),
      gathered,
    );
  };
  return np;
}
