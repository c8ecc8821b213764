// Reproducible random inputs for programs that are tried out. Must not know about commands.
import { storageOf } from '../elements.js';

/**
 * Marsaglia's xorshift generator with 32 bits of state ("Xorshift RNGs", 2003).
 * @param {number} seed
 * @returns {() => number} numbers in [0, 1)
 */
export function randomNumbers(seed) {
  let state = (Math.imul(seed + 1, 0x9e3779b9) ^ 0x5bd1e995) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/**
 * Floats and complex parts in [-1, 1), integers from 0 (or -8) to 7 as far as the type goes, pred 0 or 1; a token as it is.
 * @param {import('../index.js').Hlo} hlo
 * @param {import('../index.js').ShapeInfo} shape
 * @param {number} seed
 */
export function randomArray(hlo, shape, seed) {
  if (shape.type === 'token') return /** @type {any} */ (hlo).afterAll();
  const type = /** @type {import('../index.js').TypeInfo} */ (
    hlo.types.find(({ name }) => name === shape.type)
  );
  const next = randomNumbers(seed);
  const half = 2 ** Math.min(type.bits - 1, 3);
  const element = {
    pred: () => next() < 0.5,
    signed: () => Math.floor(next() * 2 * half) - half,
    unsigned: () => Math.floor(next() * 2 * half),
    float: () => next() * 2 - 1,
    complex: () => ({ re: next() * 2 - 1, im: next() * 2 - 1 }),
    other: () => 0,
  }[type.class];
  /** @type {(depth: number) => any} */
  const fill = (depth) =>
    depth === shape.dims.length
      ? element()
      : Array.from({ length: shape.dims[depth] }, () => fill(depth + 1));
  // A list that is empty at some level no longer tells its inner sizes.
  if (shape.dims.includes(0)) {
    return hlo.array(new (storageOf(type))(0), { type: type.name, shape: shape.dims });
  }
  return hlo.array(fill(0), type.name);
}
