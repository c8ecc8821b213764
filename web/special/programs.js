// How functions of elements are made of operations: one program each, in f64 for types that are narrower, so that what cancels in between
// does not show.
import { HloError } from '../errors.js';
import { asFloat, classOf, computeWider, promoteAndBroadcast } from '../numpy/promotion.js';

/** @typedef {any} Hlo */

/**
 * @param {Hlo} hlo
 * @param {(...args: any[]) => any} f of arrays of one type of floats and one shape
 * @returns {(...args: any[]) => any}
 */
export function elementwise(hlo, f) {
  const program = hlo.jit((/** @type {any[]} */ ...args) => computeWider(hlo, args, 'f64', f));
  return (...args) => program(...floatsOf(hlo, args));
}

/** Arguments without the options, as arrays of one type of real floats and one shape. @param {Hlo} hlo @param {any[]} args @returns {any[]} */
export function floatsOf(hlo, args) {
  const arrays = promoteAndBroadcast(hlo, args.slice(0, -1)).map((x) => asFloat(hlo, x));
  if (arrays.some((x) => classOf(hlo, x) !== 'float'))
    throw new HloError('no complex numbers are taken');
  return arrays;
}

/** A polynomial by Horner's rule. @param {Hlo} hlo @param {any} x @param {number[]} coefficients from the constant one */
export function polynomial(hlo, x, coefficients) {
  return coefficients.reduceRight(
    (sum, c) => (sum === undefined ? c : hlo.add(hlo.mul(sum, x), c)),
    /** @type {any} */ (undefined),
  );
}

/**
 * A chain of choices: the value of the first condition that holds, or the last value.
 * @param {Hlo} hlo
 * @param {...any} parts condition, value, condition, value, …, value
 */
export function choose(hlo, ...parts) {
  const last = parts.at(-1);
  let result = last;
  for (let i = parts.length - 3; i >= 0; i -= 2)
    result = hlo.select(parts[i], parts[i + 1], result);
  return result;
}

/**
 * Repeats a step of all elements until none changes any more, or so many times.
 * @param {Hlo} hlo
 * @param {any[]} state
 * @param {(state: any[], k: any) => { next: any[], isDone: any }} step k: the number of the step as a scalar of the elements' type
 * @param {number} most
 * @returns {any[]} the state
 */
export function iterate(hlo, state, step, most) {
  const [first] = state;
  const isOpen = hlo.broadcastInDim(hlo.array(true), first.dims, []);
  const all = /** @type {any} */ (undefined);
  const [, , ...result] = hlo.while(
    (/** @type {any[]} */ ...[k, open]) =>
      hlo.and(hlo.lt(k, most), hlo.reduce(open, hlo.array(false), 'or', all)),
    (/** @type {any[]} */ ...[k, open, ...current]) => {
      const { next, isDone } = step(current, hlo.broadcastInDim(k, first.dims, []));
      const kept = next.map((x, i) => hlo.select(open, x, current[i]));
      return [hlo.add(k, 1), hlo.and(open, hlo.not(isDone)), ...kept];
    },
    [hlo.array(1, first.type), isOpen, ...state],
  );
  return result;
}
