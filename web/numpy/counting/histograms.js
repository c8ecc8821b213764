// NumPy's functions that count elements by their values: bins, histograms in any number of dimensions.
import { HloArray } from '../../array.js';
import { HloError, ShapeError } from '../../errors.js';
import { nameOf } from '../../options.js';
import { binCounts } from './bin_counts.js';
import {
  asArray,
  asFloat,
  classOf,
  concreteNumbers,
  convert,
  floatTypeOf,
  integer,
  isOperand,
  product,
  range as numbersBelow,
} from '../promotion.js';

/** @typedef {any} Hlo */

/**
 * @param {Hlo} hlo
 * @param {Record<string, (...args: any[]) => any>} others NumPy's functions that these are made of
 * @returns {Record<string, (...args: any[]) => any>}
 */
export function histogramFunctions(hlo, others) {
  /** @type {Record<string, (...args: any[]) => any>} */
  const np = {};
  const vector = (/** @type {any} */ x) => hlo.reshape(x, [x.size]);
  /** Sums of weights, or numbers, of those that have each index below the length; others are dropped. */
  const countInto = hlo.jit(
    (/** @type {any} */ places, /** @type {any} */ weights, /** @type {number} */ length) => {
      const type = weights === null ? 's32' : weights.type;
      const ones = hlo.broadcastInDim(hlo.array(1, type), places.dims, []);
      return hlo.scatter(
        hlo.broadcastInDim(hlo.array(0, type), [length], []),
        hlo.reshape(places, [places.size, 1]),
        weights ?? ones,
        'add',
        {
          updateWindowDims: [],
          insertedWindowDims: [0],
          scatterDimsToOperandDims: [0],
          indexVectorDim: 1,
        },
      );
    },
  );
  const extremesOf = hlo.jit((/** @type {any} */ x) =>
    others.stack([others.min(x), others.max(x)]),
  );
  /** Whether a vector rises throughout, and whether it falls. */
  const monotony = hlo.jit((/** @type {any} */ x) => {
    const before = hlo.sliceInDim(x, 0, x.size - 1, 1, 0);
    const after = hlo.sliceInDim(x, 1, x.size, 1, 0);
    return others.stack([others.all(hlo.le(before, after)), others.all(hlo.ge(before, after))]);
  });
  np.bincount = (x, { weights, minlength = 0, length } = {}) => {
    const isList = Array.isArray(x);
    const array = isList ? hlo.array(x, 's32') : asArray(hlo, x);
    if (array.rank !== 1 || !/signed|pred/.test(classOf(hlo, array)))
      throw new ShapeError(`bincount takes a vector of integers, got ${array.type}[${array.dims}]`);
    if (integer(minlength, 'minlength') < 0) throw new HloError('minlength is not negative');
    const places = convert(hlo, array, 's32');
    const own = weights === undefined ? null : asFloat(hlo, weights);
    if (own && String(own.dims) !== String(array.dims))
      throw new ShapeError(`${own.size} weights are not for ${array.size} elements`);
    if (length === undefined && !(places instanceof HloArray))
      throw new HloError(
        'the length of bincount’s result depends on numbers, which traced programs do not know: say it with the option length',
      );
    const [least, most] =
      places instanceof HloArray && places.size > 0 ? extremesOf(places).toNested() : [0, -1];
    if (least < 0) throw new HloError('bincount takes no negative numbers');
    return countInto(places, own, length ?? Math.max(most + 1, minlength));
  };
  np.digitize = (x, bins, { right = false } = {}) => {
    if (typeof right !== 'boolean')
      throw new HloError(`right is true or false, got ${nameOf(right)}`);
    const edges = asArray(hlo, bins);
    if (edges.rank !== 1) throw new ShapeError(`bins are a vector, got [${edges.dims}]`);
    const n = edges.size;
    const side = right ? 'left' : 'right';
    const array = asArray(hlo, x, edges.type);
    if (n < 2) return others.searchsorted(edges, array, { side });
    const directions = monotony(edges);
    const rising = () => others.searchsorted(edges, array, { side });
    const falling = () => hlo.sub(n, others.searchsorted(others.flip(edges), array, { side }));
    if (!(directions instanceof HloArray)) {
      const rises = hlo.reshape(hlo.sliceInDim(directions, 0, 1, 1, 0), []);
      return others.where(rises, rising(), falling());
    }
    const [rises, falls] = /** @type {any} */ (directions).toNested();
    if (rises) return rising();
    if (!falls) throw new HloError('bins rise or fall throughout');
    return falling();
  };

  const extentOf = hlo.jit((/** @type {any} */ x) => {
    const [low, high] = [others.min(x), others.max(x)].map((end) => convert(hlo, end, 'f64'));
    const isPoint = hlo.eq(low, high);
    const half = hlo.select(isPoint, hlo.array(0.5, 'f64'), hlo.array(0, 'f64'));
    return [hlo.sub(low, half), hlo.add(high, half)];
  });
  const describeRange = (/** @type {any} */ range) => {
    const [low, high] = concreteNumbers(range).map(Number);
    if (!(low <= high)) throw new HloError('the range of a histogram is [least, greatest]');
    if (!Number.isFinite(low) || !Number.isFinite(high))
      throw new HloError(`the range of a histogram is finite, got [${low}, ${high}]`);
    return low === high ? [low - 0.5, high + 0.5] : [low, high];
  };
  /** The least and the greatest element in f64, or what the range says; equal ends are 1 apart. @param {any} x @param {any} range */
  const endsOf = (x, range) => {
    if (range !== undefined) return describeRange(range).map((end) => hlo.array(end, 'f64'));
    if (x.size === 0) return [0, 1].map((end) => hlo.array(end, 'f64'));
    const ends = extentOf(x);
    if (ends[0] instanceof HloArray)
      describeRange(ends.map((/** @type {any} */ end) => end.item()));
    return ends;
  };
  /**
   * Edges of bins, and where these are equally wide, the ends in f64.
   * @param {any} x
   * @param {any} bins a number, a name of an estimator, or edges
   * @param {any} range
   * @param {any} weights
   */
  const edgesOf = (x, bins, range, weights) => {
    if (typeof bins === 'string') {
      if (!(x instanceof HloArray))
        throw new HloError('traced programs take a number of bins, or edges');
      if (weights !== undefined) throw new HloError('weights take a number of bins, or edges');
    }
    const count =
      typeof bins === 'string'
        ? binCounts(hlo, others, x, bins, range === undefined ? undefined : describeRange(range))
        : bins;
    if (typeof count === 'number') {
      if (integer(count, 'the number of bins') < 1) throw new HloError('there is one bin at least');
      const ends = endsOf(x, range);
      const type = floatTypeOf(hlo, x);
      const edges = others.linspace(ends[0], ends[1], { num: count + 1, dtype: type });
      return { edges, ends, count };
    }
    const edges = asArray(hlo, bins);
    if (edges.rank !== 1)
      throw new ShapeError(`bins are a number or a vector, got [${edges.dims}]`);
    if (edges instanceof HloArray && edges.size > 1) {
      const steps = others.diff(convert(hlo, edges, 'f64'));
      if (others.any(hlo.lt(steps, 0)).item()) throw new HloError('edges of bins do not fall');
    }
    return { edges, ends: undefined, count: edges.size - 1 };
  };
  np.histogramBinEdges = (x, { bins = 10, range, weights } = {}) =>
    edgesOf(vector(asArray(hlo, x)), bins, range, weights).edges;

  /** Of each element the bin, and `count` of those outside. */
  const equalBins = hlo.jit(
    (
      /** @type {any} */ x,
      /** @type {any} */ edges,
      /** @type {any} */ low,
      /** @type {any} */ high,
      /** @type {number} */ count,
    ) => {
      const wide = convert(hlo, x, 'f64');
      const from = hlo.broadcastInDim(low, x.dims, []);
      const to = hlo.broadcastInDim(high, x.dims, []);
      const scale = hlo.broadcastInDim(hlo.div(count, hlo.sub(high, low)), x.dims, []);
      const isIn = hlo.and(hlo.ge(wide, from), hlo.le(wide, to));
      const guess = hlo.convert(hlo.select(isIn, hlo.mul(hlo.sub(wide, from), scale), 0), 's32');
      const first = hlo.min(guess, count - 1);
      // Rounding may be off by one: the edges decide.
      const doubles = convert(hlo, edges, 'f64');
      const edgeAt = (/** @type {any} */ i) => others.take(doubles, i, { mode: 'clip' });
      const isBelow = hlo.lt(wide, edgeAt(first));
      const isAbove = hlo.and(hlo.ge(wide, edgeAt(hlo.add(first, 1))), hlo.ne(first, count - 1));
      const place = hlo.add(
        hlo.sub(first, hlo.convert(isBelow, 's32')),
        hlo.convert(isAbove, 's32'),
      );
      return hlo.select(isIn, place, count);
    },
  );
  /** The same for edges at any distances. The last bin includes its end. */
  const anyBins = hlo.jit((/** @type {any} */ x, /** @type {any} */ edges) => {
    const count = edges.size - 1;
    const at = hlo.sub(others.searchsorted(edges, x, { side: 'right' }), 1);
    const last = hlo.reshape(hlo.sliceInDim(edges, count, count + 1, 1, 0), []);
    const isEnd = others.equal(x, last);
    const place = hlo.select(isEnd, count - 1, at);
    return hlo.select(hlo.lt(place, 0), count, place);
  });
  /** @param {any} x @param {any} bins */
  const placesIn = (x, { edges, ends, count }) =>
    ends === undefined ? anyBins(x, edges) : equalBins(x, edges, ends[0], ends[1], count);

  np.histogram = (value, { bins = 10, range, density = false, weights } = {}) => {
    const given = asArray(hlo, value);
    const x = vector(given.type === 'pred' ? hlo.convert(given, 'u8') : given);
    const own = weights === undefined ? null : vector(asArray(hlo, weights));
    if (own && own.size !== x.size)
      throw new ShapeError(`${own.size} weights are not for ${x.size} elements`);
    const all = edgesOf(x, bins, range, weights);
    const counts =
      all.count < 1
        ? hlo.array([], own?.type ?? 's32')
        : countInto(placesIn(x, all), own, all.count);
    if (!density) return [counts, all.edges];
    const widths = convert(hlo, others.diff(all.edges), floatTypeOf(hlo, all.edges));
    const total = others.sum(counts);
    return [others.divide(others.divide(counts, widths), total), all.edges];
  };
  np.histogramdd = (sample, { bins = 10, range, density = false, weights } = {}) => {
    const columns =
      Array.isArray(sample) && sample.some((x) => isOperand(x))
        ? sample.map((x) => vector(asArray(hlo, x)))
        : columnsOf(asArray(hlo, sample));
    const perColumn =
      Array.isArray(bins) && bins.length !== columns.length && bins.every(Number.isInteger);
    if (perColumn)
      throw new ShapeError(
        `${bins.length} numbers of bins are not for ${columns.length} dimensions`,
      );
    const each = columns.map((_, d) => (Array.isArray(bins) ? bins[d] : bins));
    if (range !== undefined && range.length !== columns.length)
      throw new ShapeError(`${range.length} ranges are not for ${columns.length} dimensions`);
    const all = columns.map((x, d) => edgesOf(x, each[d], range?.[d] ?? undefined, undefined));
    const own = weights === undefined ? null : vector(asFloat(hlo, weights));
    if (own && own.size !== columns[0].size)
      throw new ShapeError(`${own.size} weights are not for ${columns[0].size} elements`);
    const dims = all.map(({ count }) => count);
    const size = product(dims);
    const places = columns.map((x, d) => placesIn(x, all[d]));
    let flat = hlo.mul(places[0], 0);
    let isIn = hlo.broadcastInDim(hlo.array(true), flat.dims, []);
    for (const [d, place] of places.entries()) {
      flat = hlo.add(hlo.mul(flat, dims[d]), place);
      isIn = hlo.and(isIn, hlo.lt(place, dims[d]));
    }
    const type = floatTypeOf(hlo, columns[0]);
    const counts = hlo.reshape(countInto(hlo.select(isIn, flat, size), own, size), dims);
    const sums = convert(hlo, counts, own?.type ?? type);
    const edges = all.map((bin) => bin.edges);
    if (!density) return [sums, edges];
    const volumes = edges.reduce(
      (whole, edge, d) => {
        const widths = convert(hlo, others.diff(edge), sums.type);
        return hlo.mul(whole, hlo.broadcastInDim(widths, dims, [d]));
      },
      hlo.broadcastInDim(hlo.array(1, sums.type), dims, []),
    );
    const total = hlo.broadcastInDim(others.sum(sums), dims, []);
    return [hlo.div(hlo.div(sums, total), volumes), edges];
  };
  const columnsOf = (/** @type {any} */ x) => {
    const table = x.rank === 1 ? hlo.reshape(x, [x.size, 1]) : x;
    if (table.rank !== 2)
      throw new ShapeError(`histogramdd takes points as rows of a matrix, got [${x.dims}]`);
    return numbersBelow(table.dims[1]).map((d) => vector(hlo.sliceInDim(table, d, d + 1, 1, 1)));
  };
  np.histogram2d = (x, y, { bins = 10, ...options } = {}) => {
    const isOne = isOperand(bins) || (Array.isArray(bins) && bins.length !== 2);
    const each = isOne || typeof bins === 'number' ? [bins, bins] : bins;
    const sample = [x, y].map((column) => asArray(hlo, column));
    if (sample[0].size !== sample[1].size)
      throw new ShapeError(
        `histogram2d takes as many x as y, got ${sample[0].size} and ${sample[1].size}`,
      );
    const [counts, edges] = np.histogramdd(sample, { bins: each, ...options });
    return [counts, ...edges];
  };
  return np;
}
