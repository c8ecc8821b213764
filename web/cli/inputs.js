// Which array of which file is which parameter: by name where files have names, else in order.
import { namesError, positionsOf } from '../argument_names.js';
import { usageError, withLocation } from './files.js';

/** @typedef {import('../index.js').HloArray} HloArray */
/** @typedef {{ path: string, arrays: Map<string, HloArray> | HloArray }} Given a file with names, or a single array */

/** Parameters a line each, with the names of exported functions ("params['w']"). @param {import('../index.js').Executable} executable */
export function describeInputs({ parameters, parameterNames }) {
  const haveNames = parameterNames.some((name) => /[^\w.-]/.test(name));
  return parameters
    .map(({ text }, i) => `  ${i}: ${text}${haveNames ? `  ${parameterNames[i]}` : ''}`)
    .join('\n');
}

/**
 * What a file's names say.
 * @param {import('../signature.js').Signature} signature
 * @param {Given} given
 * @returns {{ places: number[], arrays: HloArray[] } | HloArray[]} arrays in order where the file has no names, or such as only
 *   count them
 */
function namedIn(signature, { path, arrays }) {
  if (!(arrays instanceof Map)) return [arrays];
  const names = [...arrays.keys()];
  const list = [...arrays.values()];
  const places = positionsOf(names);
  if (places) return list.map((_, i) => list[places.indexOf(i)]);
  try {
    const matched = signature.match(names);
    return { places: matched, arrays: list };
  } catch (error) {
    if (list.length === 1) return list; // it has no order
    throw withLocation(error, path);
  }
}

/**
 * The arrays of each process, undefined where nothing is given.
 * @param {import('../index.js').Executable} executable
 * @param {Given[]} given
 * @param {number} processes
 * @returns {(HloArray | undefined)[][]}
 */
export function bindInputs(executable, given, processes) {
  const { signature } = executable;
  const { kept, inputCount } = signature;
  const files = given.map((file) => ({ ...file, said: namedIn(signature, file) }));
  const total = files
    .map(({ said }) => (Array.isArray(said) ? said : said.arrays).length)
    .reduce((a, b) => a + b, 0);
  const each = total <= inputCount ? 1 : processes;
  /** @type {(HloArray | undefined)[][]} */
  const slots = Array.from({ length: each }, () => Array(inputCount).fill(undefined));
  /** @type {HloArray[]} */
  const inOrder = [];
  for (const { path, arrays, said } of files) {
    if (Array.isArray(said)) {
      inOrder.push(...said);
      continue;
    }
    const free = slots.find((list) => said.places.every((place) => !list[place]));
    if (!free)
      throw usageError(
        `${path}: ${namesError([.../** @type {any} */ (arrays).keys()], signature.names, 'a parameter is given twice').message}`,
      );
    for (const [i, place] of said.places.entries()) if (place >= 0) free[place] = said.arrays[i];
  }
  const all = slots.flatMap((list, process) =>
    list.flatMap((array, leaf) => (array ? [] : [{ process, leaf }])),
  );
  const wanted = all.filter(({ leaf }) => kept.includes(leaf));
  const places = inOrder.length === all.length ? all : wanted;
  if (inOrder.length > places.length) {
    const count = executable.parameters.length;
    const several = processes === 1 ? '' : `, ${processes} processes together ${count * processes}`;
    throw usageError(
      `the program takes ${count} inputs${several}${several ? ';' : ','} got ${total}`,
    );
  }
  if (each > 1 && inOrder.length < wanted.length) {
    const count = executable.parameters.length;
    throw usageError(
      `the program takes ${count} inputs, ${processes} processes together ${count * processes}; got ${total}`,
    );
  }
  for (const [i, array] of inOrder.entries()) slots[places[i].process][places[i].leaf] = array;
  const lists = slots.map((list) => kept.map((leaf) => list[leaf]));
  return Array.from({ length: processes }, (_, process) => lists[each === 1 ? 0 : process]);
}
