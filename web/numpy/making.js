// NumPy's functions that make arrays of other things: of buffers, of iterators, of a function of the indices.
import { HloError, ShapeError } from '../errors.js';
import { nameOf } from '../options.js';
import { arrayOf, asArray, broadcastTo, integer, sizesOf, typeOf } from './promotion.js';

/** @typedef {any} Hlo */

/**
 * @param {Hlo} hlo
 * @param {Record<string, (...args: any[]) => any>} others NumPy's functions that these are made of
 * @returns {Record<string, (...args: any[]) => any>}
 */
export function makingFunctions(hlo, others) {
  /** @type {Record<string, (...args: any[]) => any>} */
  const np = {};
  np.asarray = (data, { dtype } = {}) => arrayOf(hlo, data, dtype);
  np.copy = (x) => hlo.copy(asArray(hlo, x));
  np.empty = (shape, options) => others.zeros(shape, options);
  np.emptyLike = (x, options) => others.zerosLike(x, options);
  np.fromfunction = (f, shape, { dtype = 'f32' } = {}) => {
    if (typeof f !== 'function')
      throw new HloError(`fromfunction takes a function, got ${nameOf(f)}`);
    const dims = sizesOf(shape);
    const result = asArray(hlo, f(...dims.map((_, d) => hlo.iota(dtype, dims, d))));
    return result.rank === 0 ? broadcastTo(hlo, result, dims) : result;
  };
  np.fromiter = (iterable, dtype, { count = -1 } = {}) => {
    if (typeof iterable?.[Symbol.iterator] !== 'function')
      throw new HloError(`fromiter takes something with an iterator, got ${nameOf(iterable)}`);
    const list = [];
    for (const one of iterable) {
      if (list.length === count) break;
      list.push(one);
    }
    if (list.length < integer(count, 'count'))
      throw new ShapeError(`the iterator gives ${list.length} elements, not ${count}`);
    return list.length === 0 ? others.zeros([0], { dtype }) : arrayOf(hlo, list, dtype);
  };
  np.frombuffer = (buffer, { dtype = 'f32', count = -1, offset = 0 } = {}) => {
    const isView = ArrayBuffer.isView(buffer);
    if (!isView && !(buffer instanceof ArrayBuffer))
      throw new HloError(`frombuffer takes an ArrayBuffer or a view of one, got ${nameOf(buffer)}`);
    const bytes = isView
      ? new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)
      : new Uint8Array(buffer);
    const width = Math.max(8, typeOf(hlo, dtype).bits) / 8;
    if (integer(offset, 'offset') < 0 || offset > bytes.length)
      throw new ShapeError(`offset ${offset} is not in ${bytes.length} bytes`);
    const left = (bytes.length - offset) / width;
    if (integer(count, 'count') < 0 && !Number.isInteger(left))
      throw new ShapeError(`${bytes.length - offset} bytes are no whole number of ${dtype}`);
    const size = count < 0 ? left : count;
    if (size > left)
      throw new ShapeError(`${bytes.length - offset} bytes are less than ${count} of ${dtype}`);
    const own = bytes.slice(offset, offset + size * width);
    return hlo.array(own.buffer, { type: dtype, shape: [size] });
  };
  return np;
}
