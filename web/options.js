// Checks of arguments and options: surplus or misspelt ones are errors, and errors name what was passed.
import { HloError } from './errors.js';

/** @param {string} noun @returns {string} with its article, by how it is spoken: 'a Uint8Array', 'an HloArray', 'an .npz file' */
export function withArticle(noun) {
  const isVowel = /^\.?([aeio]|u(?!int|ni[ot])|hlo|np)/i.test(noun);
  return `${isVowel ? 'an' : 'a'} ${noun}`;
}

/** @param {any} thing @returns {string} as errors say what was given: 'undefined', '"text"', 'a list', 'a Uint8Array' */
export function nameOf(thing) {
  if (typeof thing === 'string') return JSON.stringify(thing);
  if (typeof thing === 'function') return 'a function';
  if (typeof thing !== 'object' || thing === null) return String(thing);
  if (Array.isArray(thing)) return 'a list';
  const name = thing.constructor?.name;
  return withArticle(name && name !== 'Object' ? name : 'object');
}

/**
 * @param {string} what the call's name
 * @param {any} options
 * @param {string} names of its options, separated by blanks
 */
export function checkOptions(what, options, names) {
  if (typeof options !== 'object' || options === null || Symbol.iterator in options)
    throw new HloError(
      `${what} takes options as an object, { ${names.replaceAll(' ', ', ')} }, got ${nameOf(options)}`,
    );
  for (const name of Object.keys(options)) {
    if (!names.split(' ').includes(name))
      throw new HloError(
        `${what} has no option "${name}": it has ${names.replaceAll(' ', ', ').replace(/, (\w+)$/, ' and $1')}`,
      );
  }
}

/**
 * The arguments of a call.
 * @typedef {object} Signature
 * @property {string} text as errors show it: "(x, k, options)"
 * @property {string[]} names of the arguments
 * @property {string[]} page names of the arguments in XLA's order, where calls may have that, too
 * @property {number} least arguments
 * @property {number} most arguments; Infinity where the last may be repeated
 * @property {number} place of the options, -1 where there are none
 * @property {string} options their names, separated by blanks
 */

/**
 * @param {string} text the arguments' names, separated by blanks, as in "x k? options?{largest}": "..." before the last marks
 *   any number of it, "?" after a name that it and those after it are optional, braces an object with these options; a second
 *   order that calls may have follows after " / "
 * @returns {Signature}
 */
export function signatureOf(text) {
  const [own, other] = text.split(' / ');
  const list = own.match(/[^\s{]+(\{[^}]*\})?/g) ?? [];
  const isOptional = (/** @type {string} */ name) => /\?|^\.\.\./.test(name);
  const names = list.map((name) => name.replace(/\??(\{.*)?$/, ''));
  const page = other?.split(' ') ?? [];
  return {
    text: [names, page]
      .filter((order) => order !== page || other !== undefined)
      .map((order) => `(${order.join(', ')})`)
      .join(' or '),
    names,
    page,
    least: [...list, '?'].findIndex(isOptional),
    most: text.includes('...') ? Infinity : Math.max(names.length, page.length),
    place: list.findIndex((name) => name.endsWith('}')),
    options: /\{(.*)\}/.exec(own)?.[1] ?? '',
  };
}

/** The signature of calls without arguments. */
export const NOTHING = signatureOf('');

/**
 * Throws on surplus arguments, except undefined, and on options that are none.
 * @param {string} what the call's name
 * @param {Omit<Signature, 'names' | 'page'>} signature
 * @param {ArrayLike<any>} args
 */
export function checkArguments(what, signature, args) {
  checkCount(what, signature, args);
  const { place, options } = signature;
  if (place >= 0 && args[place] !== undefined) checkOptions(what, args[place], options);
}

/**
 * Throws on surplus arguments, except undefined.
 * @param {string} what the call's name
 * @param {Pick<Signature, 'text' | 'most'>} signature
 * @param {ArrayLike<any>} args
 */
export function checkCount(what, { text, most }, args) {
  for (let i = most; i < args.length; i++) {
    if (args[i] === undefined) continue;
    const count = most === 1 ? '1 argument' : `${most || 'no'} arguments`;
    throw new HloError(
      `${what}${text} takes ${count}, got ${args.length}: ${nameOf(args[i])} is too many`,
    );
  }
}

/**
 * Makes methods of a class throw on surplus arguments; async ones reject.
 * @param {Function} its
 * @param {Record<string, string>} methods what they take, as signatureOf() reads it
 */
export function checkMethods({ prototype }, methods) {
  for (const [name, text] of Object.entries(methods)) {
    const method = prototype[name];
    const signature = signatureOf(text);
    const isAsync = method[Symbol.toStringTag] === 'AsyncFunction';
    const value = {
      /** @this {any} */
      [name]() {
        if (arguments.length > 0) {
          try {
            checkArguments(name, signature, arguments);
          } catch (error) {
            if (isAsync) return Promise.reject(error);
            throw error;
          }
        }
        return method.apply(this, arguments);
      },
    }[name];
    Object.defineProperty(prototype, name, { value, configurable: true, writable: true });
  }
}

/** @param {any} text @param {string} what @returns {string} the text */
export function checkText(text, what) {
  if (typeof text !== 'string') throw new HloError(`${what} is text, got ${nameOf(text)}`);
  return text;
}

/** @param {any} body @param {string} what the call's name @returns {any} the function */
export function checkFunction(body, what) {
  if (typeof body !== 'function')
    throw new HloError(`${what} takes a function, got ${nameOf(body)}`);
  return body;
}

/** @param {Record<string, any>} options @returns {Record<string, any>} with names as in HLO text */
export function snakeCase(options) {
  return Object.fromEntries(
    Object.entries(options).map(([key, value]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}

/** @param {any} thing given as an operand @returns {string} what it is, and what to do */
export function notAnOperand(thing) {
  if (['number', 'bigint', 'boolean'].includes(typeof thing))
    return `${thing}: numbers stand only beside an array that says their type; else use hlo.array(${thing}, type)`;
  if (Array.isArray(thing) || ArrayBuffer.isView(thing))
    return `${nameOf(thing)}: make it an array with hlo.array()`;
  return nameOf(thing);
}
