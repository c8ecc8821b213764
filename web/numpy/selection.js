// NumPy's functions that select elements by masks and choices, or return an array with some of them replaced.
import { HloError, ShapeError } from '../errors.js';
import { nameOf } from '../options.js';
import { castTo } from './casting.js';
import {
  alongAxis,
  asArray,
  asPredicate,
  axisOf,
  broadcastShapes,
  broadcastTo,
  broadcastTogether,
  classOf,
  convert,
  promoteAndBroadcast,
} from './promotion.js';

/** @typedef {any} Hlo */

/**
 * @param {Hlo} hlo
 * @param {Record<string, (...args: any[]) => any>} others NumPy's functions that these are made of
 * @returns {Record<string, (...args: any[]) => any>}
 */
export function selectionFunctions(hlo, others) {
  /** @type {Record<string, (...args: any[]) => any>} */
  const np = {};
  const flat = (/** @type {any} */ x) => hlo.reshape(x, [x.size]);
  const valuesLike = (/** @type {any} */ values, /** @type {any} */ x) =>
    convert(hlo, asArray(hlo, values, x.type), x.type);

  np.select = (conditions, choices, { default: other = 0 } = {}) => {
    if (
      !Array.isArray(conditions) ||
      !Array.isArray(choices) ||
      conditions.length !== choices.length
    )
      throw new HloError('select takes as many conditions as choices, in lists');
    if (conditions.length === 0) throw new HloError('select takes one condition at least');
    const masks = conditions.map((condition) => {
      const mask = asArray(hlo, condition);
      if (mask.type !== 'pred') throw new HloError(`conditions are booleans, got ${mask.type}`);
      return mask;
    });
    const values = promoteAndBroadcast(hlo, [...choices, other]);
    const dims = broadcastShapes(values[0].dims, ...masks.map((mask) => mask.dims));
    const [last, ...rest] = values.map((x) => broadcastTo(hlo, x, dims)).toReversed();
    return rest.reduce((chosen, value, i) => {
      const mask = masks[masks.length - 1 - i];
      return hlo.select(broadcastTo(hlo, mask, dims), value, chosen);
    }, last);
  };
  np.choose = (indices, choices, { mode = 'raise' } = {}) => {
    const list = Array.isArray(choices) ? choices : others.unstack(choices);
    const isList = typeof indices === 'number' || Array.isArray(indices);
    const places = isList ? hlo.array(indices, 's32') : asArray(hlo, indices);
    const values = promoteAndBroadcast(hlo, list);
    const dims = broadcastShapes(places.dims, values[0].dims);
    const stacked = others.stack(values.map((x) => broadcastTo(hlo, x, dims)));
    // take() checks what is out of range.
    const own = hlo.reshape(broadcastTo(hlo, places, dims), [1, ...dims]);
    const where = mode === 'wrap' ? others.mod(own, list.length) : own;
    const clipped = mode === 'clip' ? hlo.clamp(0, own, list.length - 1) : where;
    if (!['raise', 'clip', 'wrap'].includes(mode))
      throw new HloError("the mode of choose is 'raise', 'clip' or 'wrap'");
    return hlo.reshape(others.takeAlongAxis(stacked, clipped, { axis: 0 }), dims);
  };
  np.piecewise = (x, conditions, functions, more) => {
    const array = asArray(hlo, x);
    const isMask = (/** @type {any} */ one) => typeof one === 'boolean' || one?.rank === array.rank;
    const isOne =
      !Array.isArray(conditions) ||
      (array.rank > 0 && conditions.every((c) => typeof c === 'boolean'));
    const masks = (isOne && !isMask(conditions?.[0]?.[0]) ? [conditions] : conditions).map(
      (/** @type {any} */ c) => broadcastTo(hlo, asPredicate(hlo, c), array.dims),
    );
    if (![masks.length, masks.length + 1].includes(functions.length))
      throw new HloError(
        `${masks.length} conditions take as many functions, or one more, got ${functions.length}`,
      );
    const valueOf = (/** @type {any} */ f) =>
      broadcastTo(
        hlo,
        valuesLike(typeof f === 'function' ? f(array, ...more) : f, array),
        array.dims,
      );
    const start =
      functions.length > masks.length ? valueOf(functions.at(-1)) : others.zerosLike(array);
    return masks.reduce(
      (/** @type {any} */ found, /** @type {any} */ mask, /** @type {number} */ i) =>
        hlo.select(mask, valueOf(functions[i]), found),
      start,
    );
  };
  np.copyto = (x, values, { casting, where } = {}) => {
    const array = asArray(hlo, x);
    const own = broadcastTo(hlo, castTo(hlo, values, array.type, casting), array.dims);
    if (where === undefined) return own;
    return hlo.select(broadcastTo(hlo, asPredicate(hlo, where), array.dims), own, array);
  };
  /** Replaces where a mask holds, by values that are repeated. @param {string} name @param {(mask: any, count: any) => any} placeOf */
  const replace =
    (name, placeOf) =>
    (/** @type {any} */ x, /** @type {any} */ mask, /** @type {any} */ values) => {
      const array = asArray(hlo, x);
      const where = flat(asPredicate(hlo, mask));
      const own = flat(valuesLike(values, array));
      if (where.size !== array.size)
        throw new ShapeError(`a mask of ${where.size} is not for ${array.size}`);
      if (own.size === 0) throw new ShapeError(`${name} takes one value at least`);
      const spread =
        own.size === 1
          ? broadcastTo(hlo, own, [array.size])
          : others.take(own, hlo.rem(placeOf(where, array.size), own.size), { mode: 'clip' });
      return hlo.reshape(hlo.select(where, spread, flat(array)), array.dims);
    };
  np.putmask = replace('putmask', (_, size) => hlo.iota('s32', [size], 0));
  np.place = replace('place', (where) => hlo.max(0, hlo.sub(others.cumsum(where), 1)));
  const modes = ['raise', 'clip', 'wrap'];
  /** Indices from 0. @param {any} indices @param {number} size @param {string} mode */
  const placesIn = (indices, size, mode) => {
    if (!modes.includes(mode))
      throw new HloError(`mode is ${modes.join(', ')}, got ${nameOf(mode)}`);
    const isList = typeof indices === 'number' || Array.isArray(indices);
    const given = isList ? hlo.array(indices, 's32') : asArray(hlo, indices);
    if (!/signed/.test(classOf(hlo, given)))
      throw new HloError(`indices are integers, got ${given.type}`);
    // take() of all places resolves them, and checks their range.
    return others.take(hlo.iota('s32', [size], 0), given, { mode });
  };
  const scatterSet = (/** @type {any} */ x, /** @type {any} */ places, /** @type {any} */ values) =>
    hlo.scatter(
      x,
      hlo.reshape(places, [places.size, 1]),
      values,
      (/** @type {any} */ _, /** @type {any} */ next) => next,
      {
        updateWindowDims: [],
        insertedWindowDims: [0],
        scatterDimsToOperandDims: [0],
        indexVectorDim: 1,
      },
    );
  np.put = (x, indices, values, { mode = 'raise' } = {}) => {
    const array = asArray(hlo, x);
    const places = flat(placesIn(indices, array.size, mode));
    const own = flat(valuesLike(values, array));
    if (places.size === 0) return array;
    if (own.size === 0) throw new ShapeError('put takes one value at least');
    const all = others.resize(own, places.size);
    return hlo.reshape(scatterSet(flat(array), places, all), array.dims);
  };
  np.putAlongAxis = (x, indices, values, axis) => {
    const [array, along] = alongAxis(hlo, x, axis);
    const size = array.dims[along];
    const where = placesIn(indices, size, 'raise');
    if (where.rank !== array.rank)
      throw new ShapeError(`[${where.dims}] are no places in [${array.dims}] along axis ${along}`);
    const dims = array.dims.with(along, where.dims[along]);
    const places = broadcastTo(hlo, where, dims);
    let position = hlo.mul(places, 0);
    for (const [d, n] of array.dims.entries())
      position = hlo.add(hlo.mul(position, n), d === along ? places : hlo.iota('s32', dims, d));
    const own = flat(broadcastTo(hlo, valuesLike(values, array), dims));
    return hlo.reshape(scatterSet(flat(array), flat(position), own), asArray(hlo, x).dims);
  };

  np.sortComplex = (x) => {
    const array = asArray(hlo, x);
    const isWide = array.type === 'f64' || array.type === 'c128';
    return others.sort(convert(hlo, array, isWide ? 'c128' : 'c64'));
  };
  const indicesOf = (/** @type {any} */ kth, /** @type {number} */ size) => {
    for (const k of [kth].flat())
      if (!Number.isInteger(k) || k < -size || k >= size)
        throw new ShapeError(`kth ${nameOf(k)} is out of range for a dimension of ${size}`);
  };
  for (const [name, run] of [
    ['partition', 'sort'],
    ['argpartition', 'argsort'],
  ])
    // Sorted arrays are partitioned at every place.
    np[name] = (x, kth, { axis = -1, kind = 'introselect' } = {}) => {
      if (kind !== 'introselect')
        throw new HloError(`the kind of ${name} is introselect, got ${nameOf(kind)}`);
      const [array, along] = alongAxis(hlo, x, axis);
      indicesOf(kth?.toNested?.() ?? kth, array.dims[along]);
      return others[run](array, { axis: along });
    };
  np.lexsort = (keys, { axis = -1 } = {}) => {
    const list = Array.isArray(keys) ? keys.map((key) => asArray(hlo, key)) : others.unstack(keys);
    if (list.length === 0) throw new ShapeError('lexsort takes one key at least');
    const arrays = broadcastTogether(hlo, list);
    if (arrays[0].rank === 0) return hlo.array(0, 's32');
    const along = axisOf(axis, arrays[0].rank);
    // Stable sorts by each key, the most important one last.
    return arrays.reduce((order, key) => {
      if (order === undefined) return others.argsort(key, { axis: along });
      const own = others.argsort(others.takeAlongAxis(key, order, { axis: along }), {
        axis: along,
      });
      return others.takeAlongAxis(order, own, { axis: along });
    }, undefined);
  };
  np.applyAlongAxis = (f, axis, x, more) => {
    const array = asArray(hlo, x);
    const along = axisOf(axis, array.rank);
    if (typeof f !== 'function')
      throw new HloError(`applyAlongAxis takes a function, got ${nameOf(f)}`);
    const moved = others.moveaxis(array, along, -1);
    const outer = moved.dims.slice(0, -1);
    const rows = others.unstack(
      hlo.reshape(
        moved,
        [-1, 1].map((n) =>
          n < 0 ? moved.size / Math.max(1, moved.dims.at(-1)) : moved.dims.at(-1),
        ),
      ),
    );
    if (rows.length === 0) throw new ShapeError('applyAlongAxis takes one row at least');
    const results = others.stack(
      rows.map((/** @type {any} */ row) => asArray(hlo, f(row, ...more))),
    );
    const inner = results.dims.slice(1);
    const all = hlo.reshape(results, [...outer, ...inner]);
    const from = inner.map((/** @type {any} */ _, /** @type {number} */ d) => outer.length + d);
    const to = inner.map((/** @type {any} */ _, /** @type {number} */ d) => along + d);
    return others.moveaxis(all, from, to);
  };
  np.applyOverAxes = (f, x, axes) =>
    [axes].flat().reduce(
      (rest, axis) => {
        const along = axisOf(axis, rest.rank);
        const result = asArray(hlo, f(rest, along));
        return result.rank === rest.rank ? result : others.expandDims(result, along);
      },
      asArray(hlo, x),
    );
  return np;
}
