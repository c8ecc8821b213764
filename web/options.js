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
 * @property {number} least arguments
 * @property {number} most arguments; Infinity where the last may be repeated
 * @property {number} place of the options, -1 where there are none
 * @property {string} options their names, separated by blanks
 */

/**
 * @param {string} text the arguments' names, separated by blanks, as in "x k? options?{largest}": "..." before the last marks
 *   any number of it, "?" after a name that it and those after it are optional, braces an object with these options
 * @returns {Signature}
 */
export function signatureOf(text) {
  const names = text.match(/[^\s{]+(\{[^}]*\})?/g) ?? [];
  const place = names.findIndex((name) => name.endsWith('}'));
  const isOptional = (/** @type {string} */ name) => /\?|^\.\.\./.test(name);
  return {
    text: `(${names.map((name) => name.replace(/\??(\{.*)?$/, '')).join(', ')})`,
    least: [...names, '?'].findIndex(isOptional),
    most: text.includes('...') ? Infinity : names.length,
    place,
    options: /\{(.*)\}/.exec(text)?.[1] ?? '',
  };
}

/** The signature of calls without arguments. */
export const NOTHING = signatureOf('');

/**
 * Throws on surplus arguments, except undefined.
 * @param {string} what the call's name
 * @param {Signature} signature
 * @param {ArrayLike<any>} args
 */
export function checkArguments(what, signature, args) {
  const { most, place, options } = signature;
  for (let i = most; i < args.length; i++) {
    if (args[i] === undefined) continue;
    const count = most === 1 ? '1 argument' : `${most || 'no'} arguments`;
    throw new HloError(
      `${what}${signature.text} takes ${count}, got ${args.length}: ${nameOf(args[i])} is too many`,
    );
  }
  if (place >= 0 && args[place] !== undefined) checkOptions(what, args[place], options);
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
