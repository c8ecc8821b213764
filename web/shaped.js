// What arrays and traced values have in common: the properties of a shape, and methods.
import { dtypeOf } from './dtypes.js';
import { giveHints } from './elsewhere.js';
import { methodNames } from './methods/names.js';

/** Something with a shape, which subclasses store or query. */
class WithShape {
  /** XLA's shape: element type, sizes and layout. @returns {import('./engine.js').ShapeInfo} */
  get xla() {
    throw new TypeError('a subclass knows the shape');
  }

  /** For this package. @internal @returns {import('./engine.js').Engine} */
  get engine() {
    throw new TypeError('a subclass knows the engine');
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

const propertyNames = /** @type {const} */ ([
  ...['shape', 'dtype', 'ndim', 'size', 'type', 'dims', 'rank'],
]);
/** What follows from `xla`. @typedef {Pick<WithShape, (typeof propertyNames)[number]>} ShapeProperties */

/** Gives another class that has `xla` the properties that follow from it. @param {object} prototype */
export function giveShapeProperties(prototype) {
  const own = Object.getOwnPropertyDescriptors(WithShape.prototype);
  for (const name of propertyNames) Object.defineProperty(prototype, name, own[name]);
}

for (const name of methodNames)
  Object.defineProperty(WithShape.prototype, name, {
    value: {
      /** @this {WithShape} @param {any[]} args */
      [name](...args) {
        return this.engine.methods[name](this, ...args);
      },
    }[name],
    configurable: true,
    writable: true,
  });
Object.defineProperties(WithShape.prototype, {
  T: {
    /** @this {any} */
    get() {
      return this.transpose();
    },
  },
  mT: {
    /** @this {any} */
    get() {
      return this.swapaxes(-2, -1);
    },
  },
});

giveHints(WithShape.prototype);

/** @typedef {import('./methods/names.js').ArrayMethods} ArrayMethods */

export const Shaped = /** @type {new () => WithShape & ArrayMethods} */ (
  /** @type {unknown} */ (WithShape)
);
