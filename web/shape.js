// XLA's shapes: element type, sizes, layout; and where elements lie in memory.
import { ShapeError } from './errors.js';
import { nameOf } from './options.js';

/**
 * How an array lies in memory.
 * @typedef {object} Layout
 * @property {number[]} minorToMajor the fastest varying dimension first
 * @property {number[]} [paddedDimensions] widths that the dimensions are padded to
 * @property {string} [paddingValue] an element's text, or one of XLA's names: ZERO_PAD, ONE_PAD, LOWEST_PAD, HIGHEST_PAD, UNKNOWN_PAD
 */

/** The shape of an array, or of a tuple of others. Immutable; `String(shape)` is its text in XLA's form. */
export class Shape {
  /** @param {any} described from the engine's JSON */
  constructor({ text, type, dims, dynamic, layout, bytes, strides, trueRank, elements }) {
    /** XLA's form: "f32[2,3]{0,1}"; the default layout is left out. @type {string} */
    this.text = text;
    /** The element type, or "tuple", "token" or "opaque". @type {import('./dtypes.js').XlaType} */
    this.type = type;
    if (elements) {
      /** Of a tuple. @type {Shape[] | undefined} */
      this.elements = Object.freeze(elements.map(shapeFrom));
    }
    /** Sizes; of dynamic dimensions their bounds. @type {number[]} */
    this.dims = Object.freeze(dims);
    /** @type {boolean[]} */
    this.dynamic = Object.freeze(dynamic);
    /** @type {Layout} */
    this.layout =
      layout && Object.freeze({ ...layout, minorToMajor: Object.freeze(layout.minorToMajor) });
    /** Distances in memory between neighbours along each dimension, in elements. @type {number[]} */
    this.strides = Object.freeze(strides);
    /** The number of dimensions larger than 1. @type {number} */
    this.trueRank = trueRank;
    /** In memory, padding included. @type {number} */
    this.bytes = bytes;
    Object.freeze(this);
  }

  /** The number of dimensions. */
  get rank() {
    return this.#sizes.length;
  }

  /** The number of elements. */
  get elementCount() {
    return this.#sizes.reduce((product, size) => product * size, 1);
  }

  /**
   * A dimension's number, from 0 on.
   * @param {number} dimension -1 is the last one
   */
  getDimensionNumber(dimension) {
    const { rank } = this;
    if (!Number.isInteger(dimension))
      throw new ShapeError(`getDimensionNumber: dimension is an integer, got ${nameOf(dimension)}`);
    if (dimension < -rank || dimension >= rank)
      throw new ShapeError(`dimension ${dimension} is out of range for ${this.text}`);
    return dimension < 0 ? dimension + rank : dimension;
  }

  /**
   * A dimension's size.
   * @param {number} dimension -1 is the last one
   */
  getDimension(dimension) {
    return this.dims[this.getDimensionNumber(dimension)];
  }

  /**
   * Where an element lies in the array's memory, counted in elements, under the shape's layout.
   * @param {number[]} index one for each dimension
   * @returns {number}
   */
  linearIndex(index) {
    const sizes = this.#sizes;
    if (!Array.isArray(index) || index.length !== sizes.length)
      throw new ShapeError(
        `linearIndex: index is a list of ${sizes.length} integers for ${this.text}, got ${Array.isArray(index) ? `one of ${index.length}` : nameOf(index)}`,
      );
    return index.reduce((linear, at, d) => {
      if (!Number.isInteger(at) || at < 0 || at >= sizes[d])
        throw new ShapeError(
          `linearIndex: ${nameOf(at)} is no index into dimension ${d} of ${this.text}`,
        );
      return linear + at * this.strides[d];
    }, 0);
  }

  /**
   * Which element lies at a place in the array's memory: the inverse of linearIndex().
   * @param {number} linear counted in elements
   * @returns {number[] | null} null in the padding
   */
  multiIndex(linear) {
    const sizes = this.#sizes;
    const widths = this.layout.paddedDimensions ?? sizes;
    const places = widths.reduce((product, width) => product * width, 1);
    if (!Number.isInteger(linear) || linear < 0 || linear >= places)
      throw new ShapeError(
        `multiIndex: ${nameOf(linear)} is no place in the memory of ${this.text}, which has ${places}`,
      );
    const index = widths.map((width, d) => Math.floor(linear / this.strides[d]) % width);
    return index.every((at, d) => at < sizes[d]) ? index : null;
  }

  /** The text in XLA's form. */
  toString() {
    return this.text;
  }

  /** Of an array: a tuple has none. @returns {number[]} */
  get #sizes() {
    if (this.dims === undefined)
      throw new ShapeError(`${this.text} has no dimensions: it is no array`);
    return this.dims;
  }
}

/** @param {any} described a shape as the engine's JSON or a message between threads has it @returns {Shape} */
export function shapeFrom(described) {
  return described instanceof Shape ? described : new Shape(described);
}
