// What functions of np.random have in common: their parameters as arrays, shapes, programs.
import { ShapeError } from '../../errors.js';
import { asArray, broadcastShapes, broadcastTo, convert, typeOf } from '../promotion.js';
import { checkKey, checkShape, wordsOf } from './keys.js';

/** @typedef {any} Hlo */
/** @typedef {(key: import('./threefry.js').Words, dims: number[], ...parameters: any[]) => any} Draw of parameters of the shape */

/** @param {Hlo} hlo @param {any} x @param {string} [other] @returns {any} an array of floats: of its own type, or else of the other */
export function floatsOf(hlo, x, other = 'f32') {
  const array = asArray(hlo, x, other);
  return typeOf(hlo, array.type).class === 'float' ? array : convert(hlo, array, other);
}

/** The shape asked for, which the parameters' broadcast to, or theirs. @param {any} shape @param {any[]} parameters @returns {number[]} */
export function shapeOf(shape, ...parameters) {
  const own = broadcastShapes([], ...parameters.map((x) => x.dims));
  if (shape === undefined) return own;
  const dims = checkShape(shape);
  if (String(broadcastShapes(own, dims)) !== String(dims))
    throw new ShapeError(`parameters of shape [${own}] do not broadcast to shape [${dims}]`);
  return dims;
}

/** A program of a key and arrays that broadcast to a shape. @param {Hlo} hlo @param {Draw} draw */
export function drawProgram(hlo, draw) {
  const program = hlo.jit(
    (/** @type {any} */ key, /** @type {number[]} */ dims, /** @type {any[]} */ parameters) =>
      draw(wordsOf(hlo, key), dims, ...parameters.map((x) => broadcastTo(hlo, x, dims))),
  );
  return (
    /** @type {any} */ key,
    /** @type {number[]} */ dims,
    /** @type {any[]} */ ...parameters
  ) => program(checkKey(key), dims, parameters);
}
