// Binds arguments of NumPy's functions: by position and, for optional ones, also by name, in a last object in the place of
// Python's keyword arguments.
import { HloError } from '../errors.js';
import { checkCount, checkOptions, nameOf } from '../options.js';
import { elementType } from '../dtypes.js';
import { isOperand } from './promotion.js';

/** Arguments for which null, Python's None, means the default. */
const nullableNames = `
  dtype seed M kind stable shape aMin aMax min max axes y posinf neginf sorter weights N m k count discont
  x where casting left right period range toEnd toBegin size fillValue length`.split(/\s+/);
const flagNames = `
  keepdims isCausal countIncludePad returnSign repetition exact independent replace endpoint retstep
  equalNan sparse stable returned rowvar returnIndex returnInverse returnCounts upper fullMatrices
  computeUv hermitian permuteL pIndices lower unitDiagonal calcQ returnIndices deg density increasing
  wrap assumeUnique invert includeInitial full`.split(/\s+/);

/**
 * @typedef {object} Call
 * @property {string} text as errors show it: "(x, axis, { keepdims })"
 * @property {string[]} order names of what may be given by its place
 * @property {string[]} required names of what must be there
 * @property {string[]} named what may be given by its name
 * @property {string[]} optional those of it that need not be there
 * @property {string[]} nullable optional ones for which null means the default
 * @property {string[]} flags optional ones that are true or false
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
  const required = order.filter((word) => !/\?$|^\.\.\./.test(word)).map(bareName);
  const named = words
    .slice(words.indexOf('/') + 1)
    .filter(isName)
    .map(bareName);
  const isOptional = (/** @type {string} */ name) => !required.includes(name);
  const given = [...order.map(bareName), ...named];
  const shown = order.map((word) => (word === variadic ? word : bareName(word)));
  return {
    text: `(${[...shown, ...(last.length > 0 ? [`{ ${last.join(', ')} }`] : [])].join(', ')})`,
    order: order.map(bareName),
    required,
    named,
    optional: named.filter(isOptional),
    nullable: nullableNames.filter((name) => given.includes(name) && isOptional(name)),
    flags: flagNames.filter((name) => given.includes(name) && isOptional(name)),
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

/**
 * The bound arguments: the required ones in order, a list of the variadic ones if there are any, and an object with the optional
 * ones.
 * @param {string} name
 * @param {Call} call
 * @param {any[]} args
 * @returns {any[]}
 */
export function bindArguments(name, call, args) {
  const { order, required, named, many } = call;
  /** @type {Record<string, any>} */
  const values = {};
  const isNamed = named.length > 0 && hasNames(args.at(-1));
  const positional = isNamed ? args.slice(0, -1) : [...args];
  if (many) values[many] = positional.splice(required.length);
  else if (positional.length > order.length)
    checkCount(name, { text: call.text, most: order.length }, positional);
  for (let i = 0; i < positional.length; i++)
    if (positional[i] !== undefined) values[order[i]] = positional[i];
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
  if (absent !== undefined && args.length >= required.length)
    throw new HloError(`${name}${call.text}: ${absent} is missing`);
  if (absent !== undefined)
    throw new HloError(
      `${name}${call.text} takes ${required.length} argument${required.length === 1 ? '' : 's'}, got ${args.length}`,
    );
  for (const key of call.nullable) if (values[key] === null) delete values[key];
  for (const key of call.flags)
    if (key in values && typeof values[key] !== 'boolean')
      throw new HloError(`${key} is true or false, got ${nameOf(values[key])}`);
  if ('dtype' in values) values.dtype = elementType(values.dtype);
  /** @type {Record<string, any>} */
  const options = {};
  for (const key of call.optional) if (key in values) options[key] = values[key];
  const bound = required.map((key) => values[key]);
  if (many) bound.push(values[many]);
  bound.push(options);
  return bound;
}
