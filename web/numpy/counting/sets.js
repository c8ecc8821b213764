// NumPy's functions of sets: unique elements, unions, intersections, differences, membership. Where sizes of results depend on
// numbers, `size` states them in traced programs, as in jax.numpy.
import { HloArray } from '../../array.js';
import { HloError } from '../../errors.js';
import { nameOf } from '../../options.js';
import { asArray, classOf, convert, promote, typeOf } from '../promotion.js';

/** How much larger than the arrays together a table of integers may be: NumPy's limit. */
const TABLE_PER_ELEMENT = 6;

/** @typedef {any} Hlo */

/**
 * @param {Hlo} hlo
 * @param {Record<string, (...args: any[]) => any>} others NumPy's functions that these are made of
 * @returns {Record<string, (...args: any[]) => any>}
 */
export function setFunctions(hlo, others) {
  /** @type {Record<string, (...args: any[]) => any>} */
  const np = {};
  const flat = (/** @type {any} */ value, /** @type {string | undefined} */ like = undefined) => {
    const x = asArray(hlo, value, like);
    return hlo.reshape(x, [x.size]);
  };
  const pair = (/** @type {any} */ a, /** @type {any} */ b) => {
    const x = flat(a, b?.type);
    const y = flat(b, x.type);
    const type = promote(hlo, x.type, y.type);
    return [convert(hlo, x, type), convert(hlo, y, type)];
  };
  for (const [name, options] of /** @type {[string, any][]} */ ([
    ['uniqueValues', {}],
    ['uniqueCounts', { returnCounts: true }],
    ['uniqueInverse', { returnInverse: true }],
    ['uniqueAll', { returnIndex: true, returnInverse: true, returnCounts: true }],
  ]))
    np[name] = (x, sizes = {}) => others.unique(x, { ...options, equalNan: false, ...sizes });
  np.union1d = (a, b, options) => {
    const [x, y] = pair(a, b);
    return others.unique(hlo.concatenate([x, y], 0), options);
  };

  /** Whether elements are among those of a sorted vector. */
  const isAmong = (/** @type {any} */ x, /** @type {any} */ sorted) => {
    if (sorted.size === 0) return hlo.broadcastInDim(hlo.array(false), x.dims, []);
    const at = others.searchsorted(sorted, x);
    return hlo.eq(others.take(sorted, at, { mode: 'clip' }), x);
  };
  const kinds = ['sort', 'table'];
  np.isin = (value, test, { assumeUnique = false, invert = false, kind } = {}) => {
    void assumeUnique; // repeated elements do no harm
    if (kind !== undefined && !kinds.includes(kind))
      throw new HloError(`the kind of isin is ${kinds.join(' or ')}, got ${nameOf(kind)}`);
    const { dims } = asArray(hlo, value, test?.type);
    const [x, y] = pair(value, test);
    const found = hlo.reshape(kind === 'sort' ? amongSorted(x, y) : among(x, y), dims);
    return invert ? hlo.not(found) : found;
  };
  /** Whether elements of x are among those of y. @param {any} x @param {any} y */
  const among = (x, y) => {
    const isKnown = x instanceof HloArray && y instanceof HloArray;
    if (!isKnown || y.size === 0 || !/signed/.test(classOf(hlo, y))) return amongSorted(x, y);
    const range = rangeOf(y);
    const [low, high] = range.map((/** @type {any} */ end) => end.item());
    const distance = Number(BigInt(high) - BigInt(low));
    if (distance >= TABLE_PER_ELEMENT * (x.size + y.size)) return amongSorted(x, y);
    // Sizes of tables are powers of two, so that few programs serve all ranges.
    return amongMarked(x, y, ...range, 2 ** Math.ceil(Math.log2(distance + 1)));
  };
  const rangeOf = hlo.jit((/** @type {any} */ x) => [others.min(x), others.max(x)]);
  /** The same of integers in a range, by a table of what is there. */
  const amongMarked = hlo.jit(
    (
      /** @type {any} */ x,
      /** @type {any} */ y,
      /** @type {any} */ low,
      /** @type {any} */ high,
      /** @type {number} */ size,
    ) => {
      const everywhere = (/** @type {any} */ end) => hlo.broadcastInDim(end, x.dims, []);
      const isInside = hlo.and(hlo.ge(x, everywhere(low)), hlo.le(x, everywhere(high)));
      // Types of fewer bits than 32 do not hold their own differences.
      const isNarrow = typeOf(hlo, x.type).bits < 32;
      const placeOf = (/** @type {any} */ z) => {
        const [wide, first] = [z, low].map((part) => (isNarrow ? hlo.convert(part, 's32') : part));
        return convert(hlo, hlo.sub(wide, hlo.broadcastInDim(first, z.dims, [])), 's32');
      };
      const table = hlo.scatter(
        hlo.broadcastInDim(hlo.array(false), [size], []),
        hlo.reshape(placeOf(y), [y.size, 1]),
        hlo.broadcastInDim(hlo.array(true), y.dims, []),
        (/** @type {any} */ _, /** @type {any} */ mark) => mark,
        {
          updateWindowDims: [],
          insertedWindowDims: [0],
          scatterDimsToOperandDims: [0],
          indexVectorDim: 1,
        },
      );
      return hlo.and(isInside, others.take(table, placeOf(x), { mode: 'clip' }));
    },
  );
  const amongSorted = hlo.jit((/** @type {any} */ x, /** @type {any} */ y) => {
    if (classOf(hlo, x) === 'complex') {
      const equal = hlo.eq(
        hlo.broadcastInDim(x, [x.size, y.size], [0]),
        hlo.broadcastInDim(y, [x.size, y.size], [1]),
      );
      return hlo.reduce(equal, hlo.array(false), 'or', [1]);
    }
    return isAmong(x, others.sort(y));
  });
  const distinct = (/** @type {any} */ x, /** @type {boolean} */ assumeUnique) =>
    assumeUnique ? x : others.unique(x);
  np.setdiff1d = (a, b, { assumeUnique = false, size, fillValue } = {}) => {
    const [x, y] = pair(a, b);
    if (size !== undefined) {
      const isOut = hlo.not(among(x, y));
      if (assumeUnique) return others.compress(isOut, x, { size, fillValue: fillValue ?? 0 });
      const { sorted, isFirst } = firstOfEach(x);
      const own = hlo.and(isFirst, hlo.not(among(sorted, y)));
      return others.compress(own, sorted, { size, fillValue: fillValue ?? 0 });
    }
    const own = distinct(x, assumeUnique);
    return others.compress(hlo.not(among(own, y)), own);
  };
  /** Sorted elements, and whether each is the first of its like. @param {any} x */
  const firstOfEach = (x) => {
    const sorted = others.sort(x);
    const before = others.roll(sorted, 1);
    const isFirst = hlo.or(hlo.ne(sorted, before), hlo.eq(hlo.iota('s32', x.dims, 0), 0));
    return { sorted, isFirst };
  };
  np.intersect1d = (a, b, { assumeUnique = false, returnIndices = false, ...sizes } = {}) => {
    const [x, y] = pair(a, b);
    if (sizes.size !== undefined) {
      const { sorted, isFirst } = firstOfEach(x);
      const own = others.compress(hlo.and(isFirst, among(sorted, y)), sorted, {
        fillValue: 0,
        ...sizes,
      });
      if (returnIndices) throw new HloError('intersect1d returns no indices where size is given');
      return own;
    }
    const [p, i] = assumeUnique ? [x, undefined] : others.unique(x, { returnIndex: true });
    const [q, j] = assumeUnique ? [y, undefined] : others.unique(y, { returnIndex: true });
    const order = others.argsort(p);
    const sorted = others.take(p, order);
    const isCommon = among(sorted, q);
    const common = others.compress(isCommon, sorted);
    if (!returnIndices) return common;
    const mine = others.compress(isCommon, order);
    const orderOfOther = others.argsort(q);
    const theirs = others.compress(among(others.take(q, orderOfOther), p), orderOfOther);
    return [common, i ? others.take(i, mine) : mine, j ? others.take(j, theirs) : theirs];
  };
  np.setxor1d = (a, b, { assumeUnique = false, size, fillValue } = {}) => {
    const [x, y] = pair(a, b);
    const sides =
      size === undefined ? [distinct(x, assumeUnique), distinct(y, assumeUnique)] : [x, y];
    const [p, q] = sides;
    const isOwn = hlo.concatenate([hlo.not(among(p, q)), hlo.not(among(q, p))], 0);
    const all = hlo.concatenate([p, q], 0);
    if (size === undefined) return others.sort(others.compress(isOwn, all));
    const order = others.argsort(all);
    const { sorted, isFirst } = firstOfEach(all);
    return others.compress(hlo.and(isFirst, others.take(isOwn, order)), sorted, {
      size,
      fillValue: fillValue ?? 0,
    });
  };
  return np;
}
