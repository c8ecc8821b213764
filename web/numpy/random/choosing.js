// What depends on arrays of choices: permutations, samples, categories. Parts of programs.
import { collapseAxes, range } from '../promotion.js';
import { gumbel, randomBits, splitWords, uniform } from './keys.js';

/** @typedef {any} Hlo */
/** @typedef {import('./threefry.js').Words} Words */

/** How often an array of so many elements is sorted by random bits, so that equal bits do not matter. @param {number} size */
const rounds = (size) => Math.ceil((3 * Math.log(Math.max(1, size))) / Math.log(2 ** 32 - 1));

/** Shuffles along an axis, each row on its own. @param {Hlo} hlo @param {Words} key @param {any} x @param {number} axis */
export function shuffle(hlo, key, x, axis) {
  let [current, shuffled] = [key, x];
  for (let round = rounds(x.size); round > 0; round--) {
    const [next, own] = splitWords(hlo, current, 2);
    const bits = randomBits(hlo, own, x.dims, 32);
    shuffled = hlo.sort([bits, shuffled], { dimension: axis, isStable: true })[1];
    current = next;
  }
  return shuffled;
}

/** The first so many of the shuffled positions. @param {Hlo} hlo @param {Words} key @param {number} size @param {number} [count] */
export function shuffledPositions(hlo, key, size, count = size) {
  const all = shuffle(hlo, key, hlo.iota('s32', [size]), 0);
  return count === size ? all : hlo.slice(all, [0], [count]);
}

/** Positions with probabilities p, by the cumulative sums. @param {Hlo} hlo @param {any} np @param {Words} key @param {number[]} dims @param {any} p */
export function weightedPositions(hlo, np, key, dims, p) {
  const sums = np.cumsum(p);
  const last = hlo.reshape(hlo.slice(sums, [p.size - 1], [p.size]), []);
  const u = hlo.mul(hlo.sub(1, uniform(hlo, key, dims, p.type)), last);
  return np.searchsorted(sums, u);
}

/** Different positions with probabilities p. @param {Hlo} hlo @param {Words} key @param {any} p @param {number} count */
export function differentPositions(hlo, key, p, count) {
  const [, places] = hlo.topK(hlo.add(gumbel(hlo, key, [p.size], p.type), hlo.log(p)), count);
  return places;
}

/**
 * Categories of unnormalised log probabilities, with the greatest sum of such and of Gumbel-distributed numbers.
 * @param {Hlo} hlo
 * @param {any} np
 * @param {Words} key
 * @param {any} logits
 * @param {number} axis from 0
 * @param {number[]} outer dimensions of the result in front of those of logits
 */
export function categories(hlo, np, key, logits, axis, outer) {
  const dims = [...outer, ...logits.dims];
  const all = hlo.broadcast(logits, outer);
  return np.argmax(hlo.add(gumbel(hlo, key, dims, logits.type), all), {
    axis: axis + outer.length,
  });
}

/** As many different categories as the sizes in front say. @param {Hlo} hlo @param {Words} key @param {any} logits @param {number} axis @param {number[]} outer @param {number} count */
export function differentCategories(hlo, key, logits, axis, outer, count) {
  const sum = hlo.add(logits, gumbel(hlo, key, logits.dims, logits.type));
  const [, places] = hlo.topK(collapseAxes(hlo, sum, [axis]), count);
  const rank = places.rank;
  const first = hlo.transpose(places, [rank - 1, ...range(rank - 1)]);
  return hlo.reshape(first, [...outer, ...first.dims.slice(1)]);
}
