// NumPy's pad, in all its modes: axis by axis, each including the padding of those before it.
import { HloError, ShapeError } from '../errors.js';
import { nameOf } from '../options.js';
import {
  asArray,
  axisOf,
  classOf,
  concreteNumbers,
  integer,
  isOptions,
  range,
} from './promotion.js';

/** @typedef {any} Hlo */

/** The modes, and the options of each. @type {Record<string, string>} */
const modes = {
  constant: 'constantValues',
  empty: '',
  edge: '',
  linear_ramp: 'endValues',
  ...Object.fromEntries(
    ['maximum', 'minimum', 'mean', 'median'].map((name) => [name, 'statLength']),
  ),
  ...Object.fromEntries(['reflect', 'symmetric'].map((name) => [name, 'reflectType'])),
  wrap: '',
};

/**
 * A pair (before, after) for each dimension, from one value for all, a pair for all, or a value or a pair for each.
 * @param {any} given
 * @param {number} rank
 * @param {string} what
 * @returns {any[][]}
 */
function pairsByAxis(given, rank, what) {
  const list = Array.isArray(given) ? given : [given];
  const rows = Array.isArray(list[0]) ? list : [list];
  if (rows.length !== 1 && rows.length !== rank)
    throw new ShapeError(`${rows.length} pairs of ${what} do not pad ${rank} dimensions`);
  return range(rank).map((d) => {
    const row = rows[rows.length === 1 ? 0 : d];
    if (!Array.isArray(row) || row.length < 1 || row.length > 2)
      throw new ShapeError(`${what} are one number, a pair, or a pair for each dimension`);
    const [low, high = low] = row;
    return [low, high];
  });
}

/** Widths from an object by axis; other axes have no padding. @param {any} given @param {number} rank */
function widthsByAxis(given, rank) {
  if (!isOptions(given)) return concreteNumbers(given);
  const widths = Array(rank).fill([0, 0]);
  for (const [axis, width] of Object.entries(given))
    widths[axisOf(Number(axis), rank)] = Array.isArray(width) ? width : [width, width];
  return widths;
}

/**
 * @param {Hlo} hlo
 * @param {Record<string, (...args: any[]) => any>} others NumPy's functions that this is made of
 * @returns {Record<string, (...args: any[]) => any>}
 */
export function padFunctions(hlo, others) {
  return { pad: padFunction(hlo, others) };
}

/** @param {Hlo} hlo @param {Record<string, (...args: any[]) => any>} others */
function padFunction(hlo, others) {
  const sliceAlong = (
    /** @type {any} */ x,
    /** @type {number} */ d,
    /** @type {number} */ from,
    /** @type {number} */ to,
  ) => hlo.sliceInDim(x, from, to, 1, d);
  const repeatAlong = (
    /** @type {any} */ x,
    /** @type {number} */ d,
    /** @type {number} */ count,
  ) => hlo.broadcastInDim(x, x.dims.with(d, count), range(x.rank));
  const concatenateAlong = (/** @type {any[]} */ parts, /** @type {number} */ d) =>
    hlo.concatenate(
      parts.filter((x) => x.dims[d] > 0),
      d,
    );

  /** A linear ramp from an end value to the edge, exclusive, in f64. */
  const ramp = (
    /** @type {any} */ edge,
    /** @type {number} */ d,
    /** @type {number} */ count,
    /** @type {number} */ end,
  ) => {
    const type = classOf(hlo, edge) === 'complex' ? 'c128' : 'f64';
    const wide = repeatAlong(hlo.convert(edge, type), d, count);
    const step = hlo.div(hlo.sub(wide, end), count);
    const places = hlo.convert(hlo.iota('f64', wide.dims, d), type);
    const line = hlo.add(hlo.mul(places, step), end);
    const isInteger = /signed/.test(classOf(hlo, edge));
    return hlo.convert(isInteger ? hlo.floor(line) : line, edge.type);
  };
  const reduceEdge = (
    /** @type {any} */ x,
    /** @type {number} */ d,
    /** @type {string} */ mode,
  ) => {
    const along = { axis: d, keepdims: true };
    if (mode === 'maximum' || mode === 'minimum') return others[mode.slice(0, 3)](x, along);
    if (!/signed/.test(classOf(hlo, x))) return others[mode](x, along);
    return hlo.convert(hlo.roundNearestEven(others[mode](hlo.convert(x, 'f64'), along)), x.type);
  };
  /** Reflects repeatedly, each time by as many whole periods of the original as possible. */
  const reflect = (
    /** @type {any} */ x,
    /** @type {number} */ d,
    /** @type {number[]} */ [low, high],
    /** @type {boolean} */ hasEdge,
    /** @type {boolean} */ isOdd,
  ) => {
    const period = hasEdge ? x.dims[d] : x.dims[d] - 1;
    const skipped = hasEdge ? 0 : 1; // the edge itself
    let [left, right] = [low, high];
    let y = x;
    while (left > 0 || right > 0) {
      const size = y.dims[d];
      const most = Math.floor((size - skipped) / period) * period;
      const [before, after] = [Math.min(most, left), Math.min(most, right)];
      const reversedChunk = (
        /** @type {number} */ from,
        /** @type {number} */ count,
        /** @type {number} */ edge,
      ) => {
        const chunk = hlo.reverse(sliceAlong(y, d, from, from + count), [d]);
        if (!isOdd) return chunk;
        return hlo.sub(hlo.mul(repeatAlong(sliceAlong(y, d, edge, edge + 1), d, count), 2), chunk);
      };
      y = concatenateAlong(
        [
          reversedChunk(skipped, before, 0),
          y,
          reversedChunk(size - skipped - after, after, size - 1),
        ],
        d,
      );
      left -= before;
      right -= after;
    }
    return y;
  };

  /** One dimension. @type {Record<string, (x: any, d: number, widths: number[], options: any) => any>} */
  const padAxis = {
    constant: (x, d, [low, high], { constantValues = 0 }) => {
      const [before, after] = pairsByAxis(constantValues, x.rank, 'constant values')[d];
      const constantBlock = (/** @type {any} */ value, /** @type {number} */ width) =>
        hlo.broadcastInDim(hlo.array(value, x.type), x.dims.with(d, width), []);
      return concatenateAlong([constantBlock(before, low), x, constantBlock(after, high)], d);
    },
    empty: (x, d, widths) => padAxis.constant(x, d, widths, {}),
    edge: (x, d, [low, high]) => {
      const size = x.dims[d];
      return concatenateAlong(
        [
          repeatAlong(sliceAlong(x, d, 0, 1), d, low),
          x,
          repeatAlong(sliceAlong(x, d, size - 1, size), d, high),
        ],
        d,
      );
    },
    linear_ramp: (x, d, [low, high], { endValues = 0 }) => {
      const [before, after] = pairsByAxis(endValues, x.rank, 'end values')[d];
      const size = x.dims[d];
      const right = ramp(sliceAlong(x, d, size - 1, size), d, high, after);
      return concatenateAlong(
        [ramp(sliceAlong(x, d, 0, 1), d, low, before), x, hlo.reverse(right, [d])],
        d,
      );
    },
    statistics: (x, d, [low, high], { mode, statLength }) => {
      const size = x.dims[d];
      const [first, last] = pairsByAxis(statLength ?? size, x.rank, 'lengths')[d].map((length) => {
        if (integer(length, 'a length of statistics') < 1)
          throw new ShapeError('there are no statistics of no elements');
        return Math.min(length, size);
      });
      const before = repeatAlong(reduceEdge(sliceAlong(x, d, 0, first), d, mode), d, low);
      const after = repeatAlong(reduceEdge(sliceAlong(x, d, size - last, size), d, mode), d, high);
      return concatenateAlong([before, x, after], d);
    },
    mirrored: (x, d, widths, { mode, reflectType = 'even' }) => {
      if (!['even', 'odd'].includes(reflectType))
        throw new HloError("reflectType is 'even' or 'odd'");
      if (x.dims[d] === 1 && mode === 'reflect') return padAxis.edge(x, d, widths, {}); // as NumPy has it
      return reflect(x, d, widths, mode === 'symmetric', reflectType === 'odd');
    },
    wrap: (x, d, [low, high]) => {
      const size = x.dims[d];
      const places = Int32Array.from({ length: low + size + high }, (_, i) => {
        const place = (i - low) % size;
        return place < 0 ? place + size : place;
      });
      return others.take(x, hlo.array(places), { axis: d });
    },
  };
  for (const name of ['maximum', 'minimum', 'mean', 'median']) padAxis[name] = padAxis.statistics;
  for (const name of ['reflect', 'symmetric']) padAxis[name] = padAxis.mirrored;

  return (
    /** @type {any} */ x,
    /** @type {any} */ given,
    /** @type {any} */ { mode: named = 'constant', ...more } = {},
  ) => {
    const array = asArray(hlo, x);
    // A number in the place of the mode is the value to pad with.
    const isNumber = typeof named === 'number';
    const mode = isNumber ? 'constant' : named;
    const options = isNumber ? { constantValues: named, ...more } : more;
    if (typeof mode !== 'string' || !Object.hasOwn(modes, mode))
      throw new HloError(
        `the modes of pad are ${Object.keys(modes).join(', ')}, got ${nameOf(named)}`,
      );
    for (const name of Object.keys(options))
      if (name !== modes[mode]) throw new HloError(`pad in mode ${mode} has no option "${name}"`);
    const widths = widthsByAxis(given, array.rank);
    const pairs = pairsByAxis(widths, array.rank, 'widths');
    for (const width of pairs.flat())
      if (integer(width, 'a width of padding') < 0) throw new ShapeError('widths are not negative');
    return pairs.reduce((y, pair, d) => {
      if (pair[0] === 0 && pair[1] === 0) return y;
      if (y.dims[d] === 0 && mode !== 'constant' && mode !== 'empty')
        throw new ShapeError(`dimension ${d} has no elements to pad with in mode ${mode}`);
      return padAxis[mode](y, d, pair, { mode, ...options });
    }, array);
  };
}
