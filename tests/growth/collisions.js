// Texts that collide under the engine's plain hash of names, FNV-1a of 32 bits: two blocks for each step, which lead from one hash
// to the same next one, so that every choice of blocks has the same hash. (A. Joux: Multicollisions in iterated hash functions,
// 2004.)
const BLOCK = 8;
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$';

/** @param {number} hash @param {string} text */
function hashOn(hash, text) {
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619) >>> 0;
  return hash;
}

/** Of letters that differ in many bits: short blocks of near ones never collide. @param {number} n */
function blockOf(n) {
  let bits = (BigInt(n + 1) * 0x9e3779b97f4a7c15n) & ((1n << 64n) - 1n);
  let block = '';
  for (let i = 0; i < BLOCK; i++, bits >>= 6n) block += LETTERS[Number(bits & 63n)];
  return block;
}

/** @param {number} hash @returns {[string, string]} */
function pairFrom(hash) {
  const seen = new Map();
  for (let n = 0; ; n++) {
    const block = blockOf(n);
    const next = hashOn(hash, block);
    if (seen.has(next)) return [seen.get(next), block];
    seen.set(next, block);
  }
}

/** @type {[string, string][]} */
const pairs = [];
let hash = 2166136261;

/** n different texts of one length and one hash. @param {number} n @returns {string[]} */
export function collisions(n) {
  const steps = Math.ceil(Math.log2(n));
  while (pairs.length < steps) {
    const pair = pairFrom(hash);
    hash = hashOn(hash, pair[0]);
    pairs.push(pair);
  }
  return Array.from({ length: n }, (_, i) =>
    Array.from({ length: steps }, (_, step) => pairs[step][(i >> step) & 1]).join(''),
  );
}
