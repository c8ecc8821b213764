// Threefry2x32-20, the cipher that JAX's random numbers are made of: two words of a counter and two of a key give two random words.
// J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011. Written in operations, so that a
// draw and what is made of it are one fused loop.

/** @typedef {any} Hlo */
/** @typedef {[any, any]} Words two arrays of u32 of one shape: the words of a key, of a counter or of a result */

const ROTATIONS = [
  [13, 15, 26, 6],
  [17, 29, 16, 24],
];
const PARITY = 0x1bd11bda;

/**
 * @param {Hlo} hlo
 * @param {Words} key of the counter's shape
 * @param {Words} counter
 * @returns {Words}
 */
export function threefry(hlo, key, counter) {
  const rotate = (/** @type {any} */ x, /** @type {number} */ bits) =>
    hlo.or(hlo.shiftLeft(x, bits), hlo.shiftRightLogical(x, 32 - bits));
  const keys = [...key, hlo.xor(hlo.xor(...key), PARITY)];
  let [x, y] = counter.map((word, i) => hlo.add(word, keys[i]));
  for (let injection = 1; injection <= 5; injection++) {
    for (const bits of ROTATIONS[(injection - 1) % 2]) {
      x = hlo.add(x, y);
      y = hlo.xor(rotate(y, bits), x);
    }
    x = hlo.add(x, keys[injection % 3]);
    y = hlo.add(hlo.add(y, keys[(injection + 1) % 3]), injection);
  }
  return [x, y];
}
