// Positions along dimensions as gather and scatter take them: an array of index vectors.
import { Value } from '../builder.js';
import { broadcastTo, convert, product, typeOf } from '../numpy/promotion.js';

/** @typedef {import('./selection.js').Positions} Positions */

/** @param {Positions[]} all @param {number[]} batch @returns {Int32Array} of each place in the batch one position after the other */
export function packPositions(all, batch) {
  const [{ dims, positions }] = all;
  if (all.length === 1 && String(dims) === String(batch))
    return /** @type {Int32Array} */ (positions);
  const packed = new Int32Array(product(batch) * all.length);
  for (const [k, { dims, positions }] of all.entries()) {
    const list = /** @type {Int32Array} */ (positions);
    // How far the list is advanced along each dimension of the batch: not at all where it broadcasts.
    const strides = batch.map((_, d) => {
      const own = d - batch.length + dims.length;
      return own < 0 || dims[own] === 1 ? 0 : product(dims.slice(own + 1));
    });
    let at = k;
    const pack = (/** @type {number} */ d, /** @type {number} */ from) => {
      if (d === batch.length) {
        packed[at] = list[from];
        at += all.length;
      } else for (let i = 0; i < batch[d]; i++) pack(d + 1, from + i * strides[d]);
    };
    pack(0, 0);
  }
  return packed;
}

/**
 * Positions of which some are traced: from 0 where they are in range, and which are not.
 * @param {any} hlo
 * @param {any} x
 * @param {Positions[]} all
 * @param {number[]} batch
 */
export function tracePositions(hlo, x, all, batch) {
  const isWide = all.some(({ positions }) => {
    const type = positions instanceof Value ? typeOf(hlo, positions.type) : undefined;
    return type && (type.bits > 32 || (type.bits === 32 && type.class === 'unsigned'));
  });
  const type = isWide ? 's64' : 's32';
  let isOutside = hlo.array(false);
  const columns = all.map(({ dimension, dims, positions }) => {
    const size = x.dims[dimension];
    const given =
      positions instanceof Value ? positions : hlo.array(positions, { type: 's32', shape: dims });
    const index = broadcastTo(hlo, convert(hlo, given, type), batch);
    const from0 = hlo.select(hlo.lt(index, 0), hlo.add(index, size), index);
    isOutside = hlo.or(isOutside, hlo.or(hlo.lt(from0, 0), hlo.ge(from0, size)));
    return hlo.reshape(from0, [...batch, 1]);
  });
  return { positions: hlo.concatenate(columns, batch.length), isOutside };
}
