// What arrays and traced values have in common: the properties of a shape.

/** Something with a shape, which subclasses store or query. */
export class Shaped {
  /** @returns {import('./engine.js').ShapeInfo} */
  get #own() {
    return /** @type {any} */ (this).shape;
  }

  /** The element type's name. @returns {import('./elements.js').ElementType} */
  get type() {
    return this.#own.type;
  }

  /** Sizes of the dimensions. */
  get dims() {
    return this.#own.dims;
  }

  get rank() {
    return this.#own.dims.length;
  }

  /** The number of elements. */
  get size() {
    return this.#own.dims.reduce((product, size) => product * size, 1);
  }
}
