// What callers give: how errors name it, and options that a call does not have, most likely spelt wrongly. Must not know
// any call.
import { HloError } from './errors.js';

/** @param {any} thing @returns {string} as errors say what was given: 'undefined', '"text"', 'a list', 'a Uint8Array' */
export function nameOf(thing) {
  if (typeof thing === 'string') return JSON.stringify(thing);
  if (typeof thing === 'function') return 'a function';
  if (typeof thing !== 'object' || thing === null) return String(thing);
  return Array.isArray(thing) ? 'a list' : `a ${thing.constructor?.name || 'object'}`;
}

/**
 * @param {string} what the call's name
 * @param {any} options
 * @param {string} names that it takes, with blanks between them
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
