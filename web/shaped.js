// What arrays and traced values have in common: the properties of a shape.
import { dtypeOf } from './dtypes.js';

/** Something with a shape, which subclasses store or query. */
export class Shaped {
  /** XLA's shape: element type, sizes and layout. @returns {import('./engine.js').ShapeInfo} */
  get xla() {
    throw new TypeError('a subclass knows the shape');
  }

  /** Sizes of the dimensions. Not to be changed. */
  get shape() {
    return this.xla.dims;
  }

  /** The element type, as NumPy calls it: 'float32'. @returns {import('./dtypes.js').Dtype} */
  get dtype() {
    return dtypeOf(this.xla.type);
  }

  /** The number of dimensions. */
  get ndim() {
    return this.xla.dims.length;
  }

  /** The number of elements. */
  get size() {
    return this.xla.dims.reduce((product, size) => product * size, 1);
  }

  /** The element type, as XLA calls it: 'f32'. @returns {import('./dtypes.js').XlaType} */
  get type() {
    return this.xla.type;
  }

  /** The same as shape. */
  get dims() {
    return this.xla.dims;
  }

  /** The same as ndim. */
  get rank() {
    return this.xla.dims.length;
  }
}
