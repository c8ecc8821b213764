// The argument orders of XLA's "Operation semantics" page and of XlaBuilder, turned into this package's: options in an object.
// Which names stand where in both orders is said by web/signatures.js; here is how a call shows which one it uses.
import { ShapeError } from '../errors.js';
import { checkArguments, checkCount, checkOptions, nameOf } from '../options.js';
import { isPlain, isShape } from '../tree.js';
import { checksOf, takes } from './argument_kinds.js';

/** @param {any} value @returns {boolean} a shape as an object, or as text with brackets: "f32[2,3]" */
const isShapeText = (value) => isShape(value) || (typeof value === 'string' && /[[(]/.test(value));

/** @param {any} value @returns {boolean} a list of sizes */
const isSizes = (value) => Array.isArray(value) && value.every(Number.isSafeInteger);

/** @param {any} value @returns {boolean} a computation: a function, or an operation's name */
const isBody = (value) => typeof value === 'function' || typeof value === 'string';

/**
 * Operations whose two orders differ before the options, and what tells the page's from this package's.
 * @type {Record<string, (...args: any[]) => boolean>}
 */
const orders = {
  compare: (_lhs, _rhs, third) => Array.isArray(third),
  conditional: (_predicate, _operand, third) => isBody(third),
  infeed: (first) => isShapeText(first),
  iota: (first) => isShapeText(first),
  outfeed: (_operands, second) => isShapeText(second),
  pad: (_x, _value, third) => Array.isArray(third),
  recv: (first) => isShapeText(first),
  reshape: (first, second) => isShapeText(first) || (isSizes(first) && !Array.isArray(second)),
  rngBitGenerator: (_algorithm, _state, third) => isShapeText(third),
  rngNormal: (_mean, _deviation, third) => isShapeText(third),
  rngUniform: (_low, _high, third) => isShapeText(third),
  scan: (first, _initial, third) => !isBody(first) && isBody(third),
  selectAndScatter: (_x, second) => isBody(second),
  selectAndScatterWithGeneralPadding: (_x, second) => isBody(second),
  send: (_x, second) => typeof second === 'number',
};

/** @param {Record<string, any>} given @returns {Record<string, any>} type and sizes in place of a shape's text, "f32[2,3]" */
function withTypeAndSizes({ resultShape, ...given }) {
  const [, type, dims] = /^\s*(\w+)\[([\d,\s]*)\]/.exec(resultShape?.text ?? resultShape) ?? [];
  if (type === undefined)
    throw new ShapeError(
      `the result's shape is text with fixed sizes, as "f32[2,3]", or of shape(), got ${nameOf(resultShape?.text ?? resultShape)}`,
    );
  return { ...given, type, shape: dims.trim() === '' ? [] : dims.split(',').map(Number) };
}

/** @param {any[]} config for each dimension [low, high, interior], or an object as in XLA's PaddingConfig */
function paddingOf(config) {
  const list = config.map((one) => {
    if (Array.isArray(one)) return one;
    checkOptions('paddingConfig', one, 'edgePaddingLow edgePaddingHigh interiorPadding');
    return [one.edgePaddingLow, one.edgePaddingHigh, one.interiorPadding];
  });
  const [low, high, interior] = [0, 1, 2].map((part) => list.map((one) => one[part] ?? 0));
  return { low, high, interior };
}

/**
 * Operations with arguments of the page that this package has in another form: those that are given, in its form.
 * @type {Record<string, (given: Record<string, any>) => Record<string, any>>}
 */
const forms = {
  iota: withTypeAndSizes,
  rngBitGenerator: withTypeAndSizes,
  rngNormal: withTypeAndSizes,
  rngUniform: withTypeAndSizes,
  reshape: ({ resultShape, x }) =>
    isSizes(resultShape)
      ? { x, shape: resultShape }
      : { x, shape: withTypeAndSizes({ resultShape }).shape },
  pad: ({ x, value, paddingConfig }) => ({ x, value, ...paddingOf(paddingConfig) }),
  conditional: ({ index, trueOperand, trueComputation, falseOperand, falseComputation }) => ({
    index,
    branches: [trueComputation, falseComputation],
    operands: [trueOperand, falseOperand],
  }),
};

/** @param {any} value @param {string[]} options names @returns {boolean} whether it is the object with the options */
function areOptions(value, options) {
  return isPlain(value) && Object.keys(value).every((name) => options.includes(name));
}

/**
 * What turns the arguments of an operation's calls into this package's order, and throws where they are wrong by what is known of
 * them without a program.
 * @param {string} name the operation's
 * @param {import('../options.js').Signature} signature
 * @returns {(args: any[]) => any[]}
 */
export function argumentsOf(name, signature) {
  const checks = checksOf(name, signature);
  return (args) => {
    checkCount(name, signature, args);
    const isPage = isInPageOrder(name, signature, args);
    const own = isPage ? inOwnOrder(name, signature, args) : args;
    checkNoneMissing(name, signature, own, isPage);
    checkArguments(name, signature, own);
    for (let i = 0; i < checks.length; i++) checks[i](own[i]);
    return own;
  };
}

/**
 * @param {string} name the operation's
 * @param {import('../options.js').Signature} signature
 * @param {any[]} own the arguments in this package's order
 * @param {boolean} isPage whether they were given in XLA's order, which leaves some out
 */
function checkNoneMissing(name, { text, names, page, least }, own, isPage) {
  const absent = names.findIndex(
    (argument, i) => i < least && own[i] === undefined && (!isPage || page.includes(argument)),
  );
  if (absent >= 0) throw new ShapeError(`${name}${text}: ${names[absent]} is missing`);
}

/**
 * @param {string} name
 * @param {import('../options.js').Signature} signature
 * @param {any[]} args
 * @returns {boolean} whether they stand in XLA's order, where that is another one
 */
function isInPageOrder(name, { names, options, place, page }, args) {
  if (page.length === 0) return false;
  if (orders[name]) return orders[name](...args);
  // The orders are the same up to where the options stand, or go on behind the options.
  if (args.length <= place) return false;
  if (args.length > place + 1) return true;
  const option = args[place];
  const isOwn = page[place] === names[place] || option === undefined;
  return !isOwn && !areOptions(option, options.split(' ')) && takes(page[place], option);
}

/**
 * @param {string} name
 * @param {import('../options.js').Signature} signature
 * @param {any[]} args in XLA's order
 * @returns {any[]} in this package's order
 */
function inOwnOrder(name, { names, options, place, page }, args) {
  /** @type {Record<string, any>} */
  const listed = {};
  args.forEach((value, i) => {
    if (value !== undefined) listed[page[i]] = value;
  });
  const given = forms[name]?.(listed) ?? listed;
  const own = names.map((argument) => given[argument]);
  const optionNames = options.split(' ');
  const rest = Object.entries(given).filter(([argument]) => optionNames.includes(argument));
  if (rest.length > 0) own[place] = { ...own[place], ...Object.fromEntries(rest) };
  return own;
}
