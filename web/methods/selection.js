// What an index selects of an array, by NumPy's rules: spans of its dimensions, positions along others, and the result's shape.
import { HloArray } from '../array.js';
import { Value } from '../builder.js';
import { HloError, ShapeError } from '../errors.js';
import { componentsOf, positionsOfTrue, withData } from './components.js';

/**
 * Positions along a dimension: integers from 0, or a traced value with integers that may be anything.
 * @typedef {{ dimension: number, dims: number[], positions: Int32Array | Value }} Positions
 */
/**
 * What an index selects. Where a span has no positions, `count` elements of it are taken, `step` apart, in reverse or not.
 * @typedef {object} Selection
 * @property {{ start: number, length: number, count: number, step: number, isReversed: boolean }[]} spans of each dimension
 * @property {Positions[]} positions along dimensions whose span is all of them
 * @property {number[]} batch the shape that positions broadcast to
 * @property {number} place where the batch is among the dimensions that have spans only
 * @property {number[]} kept those dimensions whose spans are dimensions of the result
 * @property {number[]} dims of the result
 */

/**
 * Python's slice of a dimension.
 * @param {string} name
 * @param {{ start?: number | undefined, stop?: number | undefined, step?: number | undefined }} slice
 * @param {number} size
 */
function spanOf(name, { start, stop, step = 1 }, size) {
  if (step === 0) throw new HloError(`${name}: the step of a slice is not 0`);
  const isReversed = step < 0;
  const [least, most] = isReversed ? [-1, size - 1] : [0, size];
  const clamp = (/** @type {number} */ at) =>
    Math.min(most, Math.max(least, at < 0 ? at + size : at));
  const from = start === undefined ? (isReversed ? most : least) : clamp(start);
  const to = stop === undefined ? (isReversed ? least : most) : clamp(stop);
  const count = Math.max(0, Math.ceil((to - from) / step));
  const length = count === 0 ? 0 : (count - 1) * Math.abs(step) + 1;
  return {
    start: count === 0 ? 0 : isReversed ? from - length + 1 : from,
    length,
    count,
    step: count > 1 ? Math.abs(step) : 1,
    isReversed: isReversed && count > 1,
  };
}

/**
 * Positions along a dimension, checked, from 0.
 * @param {string} name
 * @param {any} list
 * @param {any} x
 * @param {number} dimension
 */
function checkPositions(name, list, x, dimension) {
  const size = x.dims[dimension];
  // A loop over the places: from() with a function takes 100 ms for a million.
  const from0 = new Int32Array(list.length);
  for (let i = 0; i < from0.length; i++) {
    const at = Number(list[i]);
    if (at < -size || at >= size)
      throw new ShapeError(
        `${name}: index ${at} is out of range for dimension ${dimension} of ${x.xla.text}`,
      );
    from0[i] = at < 0 ? at + size : at;
  }
  return from0;
}

/** @param {string} name @param {number[][]} shapes @returns {number[]} */
function broadcastShape(name, shapes) {
  const rank = Math.max(0, ...shapes.map((dims) => dims.length));
  return Array.from({ length: rank }, (_, d) => {
    const sizes = shapes.map((dims) => dims[d - rank + dims.length] ?? 1).filter((n) => n !== 1);
    if (sizes.some((size) => size !== sizes[0]))
      throw new ShapeError(
        `${name}: arrays of indices broadcast together; ${shapes.map((dims) => `[${dims}]`).join(' and ')} do not`,
      );
    return sizes[0] ?? 1;
  });
}

/** @param {any} component @returns {number} how many dimensions it stands for */
function dimensionsOf({ kind, dims }) {
  if (kind === 'mask') return dims.length;
  return kind === 'integer' || kind === 'slice' || kind === 'positions' ? 1 : 0;
}

/**
 * What an index selects of an array.
 * @param {string} name of the method
 * @param {any} x an array or a traced value
 * @param {any[]} index
 * @returns {Selection}
 */
export function select(name, x, index) {
  const components = componentsOf(name, index).map((component) => {
    if ('data' in component && component.data instanceof HloArray)
      component.data.handleIn(x.engine);
    return withData(name, component);
  });
  const ellipses = components.filter(({ kind }) => kind === 'ellipsis').length;
  if (ellipses > 1) throw new HloError(`${name}: an index has one ... at most`);
  if (ellipses === 0) components.push({ kind: 'ellipsis' });
  const taken = components.reduce((sum, component) => sum + dimensionsOf(component), 0);
  if (taken > x.rank)
    throw new ShapeError(`${name}: the index has ${taken} dimensions, ${x.xla.text} has ${x.rank}`);
  const selecting = new Selecting(name, x, x.rank - taken);
  // Beside arrays, integers are such, too.
  const hasArrays = components.some(({ kind }) => /positions|mask|boolean/.test(kind));
  for (const component of components)
    if (hasArrays && component.kind === 'integer')
      selecting.positions({ dims: [], list: [component.at] });
    else selecting[/** @type {Kind} */ (component.kind)](component);
  return selecting.finish();
}

/** @typedef {'integer' | 'slice' | 'new' | 'ellipsis' | 'boolean' | 'mask' | 'positions'} Kind */

/** A selection as it is put together, from the first dimension to the last. */
class Selecting {
  /** @type {Selection['spans']} */
  #spans = [];
  /** @type {Positions[]} */
  #positions = [];
  /** Shapes of the arrays, which broadcast. @type {number[][]} */
  #shapes = [];
  /** @type {number[]} */
  #kept = [];
  /** Sizes of the result's dimensions; 'batch' for each array. @type {(number | 'batch')[]} */
  #sizes = [];
  /** How many dimensions are kept before the first array. */
  #keptBefore = 0;
  /** Whether the last component was an array, and whether all of them follow each other. */
  #isAfterArray = false;
  #areTogether = true;

  /** @param {string} name @param {any} x @param {number} open how many dimensions an ellipsis stands for */
  constructor(name, x, open) {
    this.name = name;
    this.x = x;
    this.open = open;
  }

  /** @param {{ start?: number | undefined, stop?: number | undefined, step?: number | undefined }} slice */
  #span(slice) {
    const span = spanOf(this.name, slice, this.x.dims[this.#spans.length]);
    this.#spans.push(span);
    return span.count;
  }

  /** @param {number[]} dims */
  #array(dims) {
    if (this.#shapes.length === 0) this.#keptBefore = this.#kept.length;
    else this.#areTogether &&= this.#isAfterArray;
    this.#isAfterArray = true;
    this.#shapes.push(dims);
    this.#sizes.push('batch');
  }

  /** @param {any} slice */
  slice(slice) {
    this.#isAfterArray = false;
    this.#kept.push(this.#spans.length);
    this.#sizes.push(this.#span(slice));
  }

  /** @param {{ at: number }} component */
  integer({ at }) {
    const [start] = checkPositions(this.name, [at], this.x, this.#spans.length);
    this.#span({ start, stop: start + 1 });
  }

  new() {
    this.#isAfterArray = false;
    this.#sizes.push(1);
  }

  ellipsis() {
    this.#isAfterArray = false; // also where it stands for nothing
    for (let i = 0; i < this.open; i++) this.slice({});
  }

  /** @param {{ isTaken: boolean }} component */
  boolean({ isTaken }) {
    this.#array([isTaken ? 1 : 0]);
  }

  /** @param {{ dims: number[], list: any }} component */
  positions({ dims, list }) {
    const dimension = this.#spans.length;
    const positions =
      list instanceof Value ? list : checkPositions(this.name, list, this.x, dimension);
    this.#span({});
    this.#array(dims);
    this.#positions.push({ dimension, dims, positions });
  }

  /** @param {{ dims: number[], list: ArrayLike<any> }} component */
  mask({ dims, list }) {
    const first = this.#spans.length;
    const own = this.x.dims.slice(first, first + dims.length);
    if (String(own) !== String(dims))
      throw new ShapeError(
        `${this.name}: a mask of shape [${dims}] is for dimensions of these sizes, not for [${own}] of ${this.x.xla.text}`,
      );
    for (const along of positionsOfTrue(list, dims))
      this.positions({ dims: [along.length], list: along });
  }

  /** @returns {Selection} */
  finish() {
    const sizes = this.#sizes;
    const batch = broadcastShape(this.name, this.#shapes);
    const first = sizes.indexOf('batch');
    const others = /** @type {number[]} */ (sizes.filter((size) => size !== 'batch'));
    // Arrays with something else in between have their dimensions in front.
    const areTogether = this.#areTogether;
    return {
      spans: this.#spans,
      positions: this.#positions,
      batch,
      place: areTogether ? this.#keptBefore : 0,
      kept: this.#kept,
      dims: first < 0 ? others : others.toSpliced(areTogether ? first : 0, 0, ...batch),
    };
  }
}
