// NumPy's functions that pack bits into bytes.
import { HloError } from '../errors.js';
import { nameOf } from '../options.js';
import { alongAxis, asPredicate, asArray, classOf, integer } from './promotion.js';

/** @typedef {any} Hlo */

/** @param {Hlo} hlo @returns {Record<string, (...args: any[]) => any>} */
export function bitFunctions(hlo) {
  /** @type {Record<string, (...args: any[]) => any>} */
  const np = {};
  const checkOrder = (/** @type {any} */ order) => {
    if (order !== 'big' && order !== 'little')
      throw new HloError(`bitorder is 'big' or 'little', got ${nameOf(order)}`);
  };
  /** The place of each bit in its byte, along dimension d. @param {number[]} dims @param {number} d @param {string} bitorder */
  const shifts = (dims, d, bitorder) => {
    const place = hlo.iota('u8', dims, d);
    return bitorder === 'big' ? hlo.sub(7, place) : place;
  };
  /** With zeros behind, or cut off where the count is negative. @param {any} x @param {number} along @param {number} count */
  const padEnd = (x, along, count) => {
    const high = x.dims.map((/** @type {any} */ _, /** @type {number} */ d) =>
      d === along ? count : 0,
    );
    return hlo.pad(x, hlo.array(0, 'u8'), { high });
  };
  np.packbits = (x, { axis, bitorder = 'big' } = {}) => {
    checkOrder(bitorder);
    const given = asArray(hlo, x);
    if (!/pred|signed/.test(classOf(hlo, given)))
      throw new HloError(`packbits takes integers and booleans, got ${given.type}`);
    const [array, along] = alongAxis(hlo, given, axis);
    return packed(array, along, bitorder);
  };
  const packed = hlo.jit(
    (/** @type {any} */ x, /** @type {number} */ along, /** @type {string} */ bitorder) => {
      const n = x.dims[along];
      const bytes = Math.ceil(n / 8);
      const bits = padEnd(hlo.convert(asPredicate(hlo, x), 'u8'), along, bytes * 8 - n);
      const dims = x.dims.toSpliced(along, 1, bytes, 8);
      const placed = hlo.shiftLeft(hlo.reshape(bits, dims), shifts(dims, along + 1, bitorder));
      return hlo.reduce(placed, hlo.array(0, 'u8'), 'or', [along + 1]);
    },
  );
  np.unpackbits = (x, { axis, count, bitorder = 'big' } = {}) => {
    checkOrder(bitorder);
    const given = asArray(hlo, x);
    if (given.type !== 'u8') throw new HloError(`unpackbits takes uint8, got ${given.type}`);
    const [array, along] = alongAxis(hlo, given, axis);
    const all = unpacked(array, along, bitorder);
    if (count === undefined) return all;
    const n = all.dims[along];
    const size = integer(count, 'count') < 0 ? n + count : count;
    if (size < 0) throw new HloError(`count ${count} is more than there are bits`);
    return padEnd(all, along, size - n);
  };
  const unpacked = hlo.jit(
    (/** @type {any} */ x, /** @type {number} */ along, /** @type {string} */ bitorder) => {
      const dims = x.dims.toSpliced(along + 1, 0, 8);
      const from = x.dims.map((/** @type {any} */ _, /** @type {number} */ d) =>
        d > along ? d + 1 : d,
      );
      const bits = hlo.shiftRightLogical(
        hlo.broadcastInDim(x, dims, from),
        shifts(dims, along + 1, bitorder),
      );
      return hlo.reshape(hlo.and(bits, 1), x.dims.with(along, x.dims[along] * 8));
    },
  );
  return np;
}
