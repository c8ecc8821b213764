// Reading and changing what an index selects: x.at(), x.set() and their like.
import { Value } from '../builder.js';
import { HloError, ShapeError } from '../errors.js';
import { arrayOf, broadcastTo, fillValue, isOperand, product } from '../numpy/promotion.js';
import { packPositions, tracePositions } from './positions.js';
import { select } from './selection.js';
import { readSpans, writeSpans } from './spans.js';

/** @typedef {import('./selection.js').Selection} Selection */
/** @typedef {import('./spans.js').Span} Span */
/**
 * What is compiled into a program: a selection, but for where its spans start and for the positions.
 * @typedef {{ spans: Span[], along: number[], batch: number[], place: number, kept: number[], dims: number[] }} Pattern
 */
/**
 * Where a selection is. starts: of the spans, as numbers or an array; positions: along the dimensions `along`, as the last
 * dimension; isOutside: which of them are out of range, where they are traced.
 * @typedef {{ starts: any, positions: any, isOutside: any }} Where
 */

/** What becomes of an element, as the name of an operation on it and the value for it. */
const changes = {
  set: null,
  addAt: 'add',
  multiplyAt: 'multiply',
  minimumAt: 'minimum',
  maximumAt: 'maximum',
};

/** @param {Pattern} pattern @returns {number[]} the result's shape without new dimensions, as gather and scatter have it */
function gatheredDims({ spans, kept, batch, place }) {
  return kept.map((d) => spans[d].count).toSpliced(place, 0, ...batch);
}

/** @param {Pattern} pattern @returns {number[]} those of its dimensions that are no positions' */
function windowDimensions({ kept, batch, place }) {
  return kept.map((_, i) => (i < place ? i : i + batch.length));
}

/** @param {any} hlo @param {any} x @param {Where} where @param {Pattern} pattern */
function read(hlo, x, { starts, positions, isOutside }, pattern) {
  const part = readSpans(hlo, x, starts, pattern.spans);
  if (positions === null) return hlo.reshape(part, pattern.dims);
  const { along, batch, place } = pattern;
  let taken = hlo.gather(part, positions, {
    offsetDims: windowDimensions(pattern),
    collapsedSliceDims: along,
    startIndexMap: along,
    indexVectorDim: batch.length,
    sliceSizes: part.dims.map((/** @type {number} */ size, /** @type {number} */ d) =>
      along.includes(d) ? 1 : size,
    ),
  });
  if (isOutside !== null) {
    const own = batch.map((_, d) => place + d);
    const mask = hlo.broadcastInDim(isOutside, taken.dims, own);
    taken = hlo.select(mask, hlo.array(fillValue(hlo, x.type), x.type), taken);
  }
  return hlo.reshape(taken, pattern.dims);
}

/** @param {any} hlo @param {any} x @param {Where} where @param {Pattern} pattern @param {any} value of x's type @param {string | null} change */
function write(hlo, x, { starts, positions }, pattern, value, change) {
  const { spans, along, batch } = pattern;
  const given = hlo.reshape(broadcastTo(hlo, value, pattern.dims), gatheredDims(pattern));
  if (positions === null) {
    const counts = spans.map(({ count }) => count);
    const part = hlo.reshape(given, counts);
    const changed = change === null ? part : hlo[change](readSpans(hlo, x, starts, spans), part);
    return writeSpans(hlo, x, starts, changed, spans);
  }
  const combine = change ?? ((/** @type {any} */ _, /** @type {any} */ b) => b);
  const changed = hlo.scatter(readSpans(hlo, x, starts, spans), positions, given, combine, {
    updateWindowDims: windowDimensions(pattern),
    insertedWindowDims: along,
    scatterDimsToOperandDims: along,
    indexVectorDim: batch.length,
  });
  return writeSpans(hlo, x, starts, changed, spans);
}

/**
 * The methods that take an index.
 * @param {any} hlo the engine with its operations
 * @returns {Record<string, (x: any, ...args: any[]) => any>}
 */
export function accessMethods(hlo) {
  // Patterns as text: they are part of the key by which a program is found, at every call.
  /** @type {(x: any, where: Where, pattern: string) => any} */
  const readProgram = hlo.jit((/** @type {[any, Where, string]} */ ...[x, where, pattern]) =>
    read(hlo, x, where, JSON.parse(pattern)),
  );
  /** @type {(x: any, where: Where, pattern: string, value: any, change: string | null) => any} */
  const writeProgram = hlo.jit(
    (/** @type {[any, Where, string, any, string | null]} */ ...[x, where, pattern, ...rest]) =>
      write(hlo, x, where, JSON.parse(pattern), ...rest),
  );
  /** @param {any} x @param {Selection} selection @param {boolean} isTraced @returns {[Where, Pattern]} */
  const split = (x, { spans, positions, batch, place, kept, dims }, isTraced) => {
    const pattern = {
      spans: spans.map(({ start, ...span }) => span),
      along: positions.map(({ dimension }) => dimension),
      ...{ batch, place, kept, dims },
    };
    const starts = spans.map(({ start }) => start);
    const where = { starts, positions: null, isOutside: null };
    if (positions.some((one) => one.positions instanceof Value))
      Object.assign(where, tracePositions(hlo, x, positions, batch));
    else if (positions.length > 0)
      where.positions = hlo.array(packPositions(positions, batch), {
        shape: [...batch, positions.length],
      });
    if (!isTraced) where.starts = hlo.array(Int32Array.from(starts));
    return [where, pattern];
  };
  const isTraced = (/** @type {any[]} */ ...operands) => operands.some((x) => x instanceof Value);

  /** @param {any} x @param {any[]} index */
  const at = (x, ...index) => {
    const selection = select('at', x, index);
    if (product(selection.dims) === 0)
      return hlo.broadcastInDim(hlo.array(0, x.type), selection.dims, []);
    const traced = isTraced(x, ...selection.positions.map(({ positions }) => positions));
    const [where, pattern] = split(x, selection, traced);
    return traced ? read(hlo, x, where, pattern) : readProgram(x, where, JSON.stringify(pattern));
  };

  /** @param {string} name @param {string | null} change */
  const changing =
    (name, change) =>
    (/** @type {any} */ x, /** @type {any[]} */ ...args) => {
      if (args.length < 2)
        throw new HloError(`${name} takes an index and a value, got ${args.length} arguments`);
      const [index, given] = [args.slice(0, -1), args[args.length - 1]];
      const value = arrayOf(hlo, given, x.type);
      const [mask] = index;
      // One value for all that a mask selects: how many elements those are does not matter.
      if (index.length === 1 && isOperand(mask) && mask.type === 'pred' && mask.rank > 0)
        if (value.rank <= x.rank - mask.rank) return setMasked(name, x, mask, value, change);
      const selection = select(name, x, index);
      const fitting = fit(name, value, selection.dims);
      if (product(selection.dims) === 0) return hlo.copy(x);
      const traced = isTraced(x, value, ...selection.positions.map(({ positions }) => positions));
      const [where, pattern] = split(x, selection, traced);
      return traced
        ? write(hlo, x, where, pattern, fitting, change)
        : writeProgram(x, where, JSON.stringify(pattern), fitting, change);
    };

  /** @param {string} name @param {any} x @param {any} mask @param {any} value @param {string | null} change */
  const setMasked = (name, x, mask, value, change) => {
    const own = x.dims.slice(0, mask.rank);
    if (String(own) !== String(mask.dims))
      throw new ShapeError(`${name}: a mask ${mask.xla.text} is for no array ${x.xla.text}`);
    const fitting = broadcastTo(hlo, fit(name, value, x.dims.slice(mask.rank)), x.dims);
    const along = own.map((/** @type {number} */ _, /** @type {number} */ d) => d);
    const isChanged = hlo.broadcastInDim(mask, x.dims, along);
    return hlo.select(isChanged, change === null ? fitting : hlo[change](x, fitting), x);
  };

  /** @param {string} name @param {any} value @param {number[]} dims @returns {any} the value, if it broadcasts to them */
  const fit = (name, value, dims) => {
    // As in NumPy's assignments, leading dimensions of size 1 may be too many.
    const surplus = Math.max(0, value.rank - dims.length);
    const own = value.dims.slice(surplus);
    const fits = own.every((/** @type {number} */ size, /** @type {number} */ d) =>
      [1, dims[dims.length - own.length + d]].includes(size),
    );
    if (!fits || value.dims.slice(0, surplus).some((/** @type {number} */ size) => size !== 1))
      throw new ShapeError(
        `${name}: a value of shape [${value.dims}] does not broadcast to the shape [${dims}] of what is selected`,
      );
    return surplus > 0 ? hlo.reshape(value, own) : value;
  };

  const writers = Object.entries(changes).map(([name, change]) => [name, changing(name, change)]);
  return Object.fromEntries(
    Object.entries({ at, ...Object.fromEntries(writers) }).map(([name, method]) => [
      name,
      (/** @type {[any, ...any]} */ ...args) => hlo.tidy(() => method(...args)),
    ]),
  );
}
