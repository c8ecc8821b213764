// Binds arguments of NumPy's functions: by position and, for optional ones, also by name, in a last object in the place of
// Python's keyword arguments.
import { HloError } from '../errors.js';
import { checkArguments, checkOptions, nameOf } from '../options.js';
import { elementType } from '../dtypes.js';
import { isOperand } from './promotion.js';

/**
 * @typedef {object} Call
 * @property {string} text as errors show it: "(x, axis, { keepdims })"
 * @property {string[]} order names of what may be given by its place
 * @property {string[]} required names of what must be there
 * @property {string[]} named what may be given by its name
 * @property {string | undefined} many the name of the argument with any number of values
 */

/**
 * @param {string} text as in Python: names before "/" are positional only, names after "*" are keywords only, "?" marks an
 *   optional one, and "..." one with any number of values
 * @returns {Call}
 */
export function parseCall(text) {
  const words = text.split(' ');
  const bareName = (/** @type {string} */ word) => word.replace(/^\.\.\.|\?$/g, '');
  const isName = (/** @type {string} */ word) => word !== '/' && word !== '*';
  const variadic = words.find((word) => word.startsWith('...'));
  const star = words.includes('*') ? words.indexOf('*') : words.length;
  const order = words.slice(0, star).filter(isName);
  const last = words.slice(star).filter(isName).map(bareName);
  const shown = order.map((word) => (word === variadic ? word : bareName(word)));
  return {
    text: `(${[...shown, ...(last.length > 0 ? [`{ ${last.join(', ')} }`] : [])].join(', ')})`,
    order: order.map(bareName),
    required: order.filter((word) => !/\?$|^\.\.\./.test(word)).map(bareName),
    named: words
      .slice(words.indexOf('/') + 1)
      .filter(isName)
      .map(bareName),
    many: variadic && bareName(variadic),
  };
}

/** Whether it is an object with arguments by their names, rather than an array, a complex number or another argument. @param {any} x */
function hasNames(x) {
  if (typeof x !== 'object' || x === null || isOperand(x)) return false;
  const prototype = Object.getPrototypeOf(x);
  const keys = Object.keys(x);
  return (
    (prototype === null || prototype === Object.prototype) &&
    !('re' in x && 'im' in x) &&
    !(keys.length > 0 && keys.every((key) => /^-?\d+$/.test(key)))
  );
}

/** Arguments for which null, Python's None, means the default. */
const nullable = `
  dtype seed M kind stable shape aMin aMax min max axes y posinf neginf sorter weights N m k count discont
  x where casting left right period range toEnd toBegin size fillValue length`.split(/\s+/);
const flags = `
  keepdims isCausal countIncludePad returnSign repetition exact independent replace endpoint retstep
  equalNan sparse stable returned rowvar returnIndex returnInverse returnCounts upper fullMatrices
  computeUv hermitian permuteL pIndices lower unitDiagonal calcQ returnIndices deg density increasing
  wrap assumeUnique invert includeInitial full`.split(/\s+/);

/**
 * The bound arguments: the required ones in order, a list of the variadic ones if there are any, and an object with the optional
 * ones.
 * @param {string} name
 * @param {Call} call
 * @param {any[]} args
 * @returns {any[]}
 */
export function bindArguments(name, { text, order, required, named, many: variadic }, args) {
  /** @type {Record<string, any>} */
  const values = {};
  const isNamed = named.length > 0 && hasNames(args.at(-1));
  const positional = isNamed ? args.slice(0, -1) : [...args];
  const requiredCount = required.length;
  if (variadic) values[variadic] = positional.splice(requiredCount);
  else
    checkArguments(
      name,
      { text, least: requiredCount, most: order.length, place: -1, options: '' },
      positional,
    );
  for (const [i, value] of positional.entries()) if (value !== undefined) values[order[i]] = value;
  if (isNamed) {
    const given = args.at(-1);
    checkOptions(name, given, named.join(' '));
    for (const [key, value] of Object.entries(given)) {
      if (value === undefined) continue;
      if (values[key] !== undefined) throw new HloError(`${name} is given ${key} twice`);
      values[key] = value;
    }
  }
  const absent = required.find((key) => values[key] === undefined);
  if (absent !== undefined && args.length >= requiredCount)
    throw new HloError(`${name}${text}: ${absent} is missing`);
  if (absent !== undefined)
    throw new HloError(
      `${name}${text} takes ${requiredCount} argument${requiredCount === 1 ? '' : 's'}, got ${args.length}`,
    );
  for (const key of nullable)
    if (values[key] === null && !required.includes(key)) delete values[key];
  for (const key of flags)
    if (key in values && !required.includes(key) && typeof values[key] !== 'boolean')
      throw new HloError(`${key} is true or false, got ${nameOf(values[key])}`);
  if ('dtype' in values) values.dtype = elementType(values.dtype);
  const options = Object.fromEntries(
    named
      .filter((key) => key in values && !required.includes(key))
      .map((key) => [key, values[key]]),
  );
  const given = required.map((key) => values[key]);
  return [...given, ...(variadic ? [values[variadic]] : []), options];
}
