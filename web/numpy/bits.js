// NumPy's functions that pack bits into bytes.
import { HloError } from '../errors.js';
import { nameOf } from '../options.js';
import { alongAxis, asPredicate, asArray, classOf, integer } from './promotion.js';

/** @typedef {any} Hlo */

/**
 * @param {Hlo} hlo
 * @param {Record<string, (...args: any[]) => any>} others NumPy's functions that these are made of
 * @returns {Record<string, (...args: any[]) => any>}
 */
export function bitFunctions(hlo, others) {
  /** @type {Record<string, (...args: any[]) => any>} */
  const np = {};
  const checkOrder = (/** @type {any} */ order) => {
    if (order !== 'big' && order !== 'little')
      throw new HloError(`bitorder is 'big' or 'little', got ${nameOf(order)}`);
  };
  /** With zeros behind, or cut off where the count is negative. @param {any} x @param {number} along @param {number} count */
  const padEnd = (x, along, count) => {
    const high = x.dims.map((/** @type {any} */ _, /** @type {number} */ d) =>
      d === along ? count : 0,
    );
    return hlo.pad(x, hlo.array(0, 'u8'), { high });
  };
  /** What f makes of an array along its last axis, along any: bits of one byte lie side by side. @param {any} x @param {any} axis @param {(x: any) => any} f */
  const lastAxis = (x, axis, f) => {
    const [array, along] = alongAxis(hlo, x, axis);
    if (along === array.rank - 1) return f(array);
    return others.moveaxis(f(others.moveaxis(array, along, -1)), -1, along);
  };
  np.packbits = (x, { axis, bitorder = 'big' } = {}) => {
    checkOrder(bitorder);
    const given = asArray(hlo, x);
    if (!/pred|signed/.test(classOf(hlo, given)))
      throw new HloError(`packbits takes integers and booleans, got ${given.type}`);
    return lastAxis(given, axis, (array) => packed(array, bitorder));
  };
  // Eight elements are one number of 64 bits. The product's upper byte has of each the one bit that its place asks for, and no two
  // partial products meet, so that nothing is carried.
  const packed = hlo.jit((/** @type {any} */ x, /** @type {string} */ bitorder) => {
    const n = x.dims.at(-1);
    const bytes = Math.ceil(n / 8);
    const bits = padEnd(hlo.convert(asPredicate(hlo, x), 'u8'), x.rank - 1, bytes * 8 - n);
    const eights = hlo.bitcastConvert(hlo.reshape(bits, [...x.dims.slice(0, -1), bytes, 8]), 'u64');
    const factor = bitorder === 'big' ? 0x8040201008040201n : 0x0102040810204080n;
    return hlo.convert(hlo.shiftRightLogical(hlo.mul(eights, factor), 56n), 'u8');
  });
  np.unpackbits = (x, { axis, count, bitorder = 'big' } = {}) => {
    checkOrder(bitorder);
    const given = asArray(hlo, x);
    if (given.type !== 'u8') throw new HloError(`unpackbits takes uint8, got ${given.type}`);
    return lastAxis(given, axis, (array) => {
      const all = unpacked(array, bitorder);
      if (count === undefined) return all;
      const n = all.dims.at(-1);
      const size = integer(count, 'count') < 0 ? n + count : count;
      if (size < 0) throw new HloError(`count ${count} is more than there are bits`);
      return padEnd(all, all.rank - 1, size - n);
    });
  };
  // Of eight copies of the byte in a number of 64 bits each keeps a bit of its own; adding 127 carries it to the copy's top.
  const unpacked = hlo.jit((/** @type {any} */ x, /** @type {string} */ bitorder) => {
    const copies = hlo.mul(hlo.convert(x, 'u64'), 0x0101010101010101n);
    const own = hlo.and(copies, bitorder === 'big' ? 0x0102040810204080n : 0x8040201008040201n);
    const tops = hlo.shiftRightLogical(hlo.add(own, 0x7f7f7f7f7f7f7f7fn), 7n);
    const bits = hlo.bitcastConvert(hlo.and(tops, 0x0101010101010101n), 'u8');
    return hlo.reshape(bits, [...x.dims.slice(0, -1), x.dims.at(-1) * 8]);
  });
  return np;
}
