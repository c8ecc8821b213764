// Matches named arrays with the parameters of a program.
import { HloError } from './errors.js';

/**
 * The steps of a name: "params['blocks.10.w'][0].b" has params, blocks.10.w, 0 and b. Names with dots or slashes in place of
 * brackets, as in files, are matched later by the names of parameters.
 * @param {string} name @returns {string[]}
 */
export function stepsOf(name) {
  const steps = [];
  const pattern =
    /\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]|\[(-?\w+)\]|\.?([^.[\]/]+)|[./]/gy;
  for (let match; (match = pattern.exec(name));) {
    const step = match[1] ?? match[2] ?? match[3] ?? match[4];
    if (step !== undefined) steps.push(step);
    if (pattern.lastIndex === name.length) return steps;
  }
  return [name]; // not a path
}

/** @param {string[]} steps @returns {string} as texts of all forms are compared */
const normalized = (steps) => steps.join('.').replaceAll('/', '.');

/**
 * @param {readonly string[]} wanted
 * @returns {Map<string, { index: number, dropped: number }[]>} by each way to say the end of a name, whose it is, and how many
 *   steps in front it leaves out
 */
function indexSuffixes(wanted) {
  const suffixes = new Map();
  for (const [index, name] of wanted.entries()) {
    const steps = stepsOf(name);
    const add = (/** @type {string} */ text, /** @type {number} */ dropped) => {
      const owners = suffixes.get(text) ?? [];
      if (!owners.some((/** @type {any} */ one) => one.index === index))
        owners.push({ index, dropped });
      suffixes.set(text, owners);
    };
    add(name.replaceAll('/', '.'), 0);
    for (let dropped = 0; dropped < steps.length; dropped++)
      add(normalized(steps.slice(dropped)), dropped);
  }
  return suffixes;
}

/** @param {readonly string[]} names @returns {string} */
const quotedList = (names) =>
  names.length === 0 ? 'none' : names.map((name) => `"${name}"`).join(', ');

/**
 * For each given name the index of the wanted name that it matches: equal to it, or a unique suffix of it, step by step
 * ("blocks.0.w" matches "params['blocks'][0]['w']").
 * @param {readonly string[]} wanted
 * @param {readonly string[]} given
 * @returns {number[]} -1: none of them
 */
export function matchNames(wanted, given) {
  const suffixes = indexSuffixes(wanted);
  return given.map((name) => {
    const all =
      suffixes.get(name.replaceAll('/', '.')) ?? suffixes.get(normalized(stepsOf(name))) ?? [];
    const least = Math.min(...all.map(({ dropped }) => dropped));
    const best = all.filter(({ dropped }) => dropped === least);
    if (best.length > 1)
      throw new HloError(
        `"${name}" may be each of ${quotedList(best.map(({ index }) => wanted[index]))}: say more of the name`,
      );
    return best[0]?.index ?? -1;
  });
}

/** Names that are mere positions: those that numpy.savez and this package give to arrays without names. */
const NUMBERED = /^(?:arr_|arg_?|result_|output_?|input_?)?(\d+)$/;

/**
 * The positions that such names stand for.
 * @param {readonly string[]} given
 * @returns {number[] | null} null: they say something else
 */
export function positionsOf(given) {
  const places = given.map((name) => Number(NUMBERED.exec(name)?.[1] ?? NaN));
  const sorted = places.toSorted((a, b) => a - b);
  return given.length > 0 && sorted.every((place, i) => place === i) ? places : null;
}

/**
 * @param {readonly string[]} given
 * @param {readonly string[]} wanted
 * @param {string} what is wrong
 */
export function namesError(given, wanted, what) {
  return new HloError(
    `${what}. Given: ${quotedList(given)}. The program takes: ${quotedList(wanted)}`,
  );
}
