// The public form of a table of functions: arguments by place or name, intermediate arrays disposed of, errors that name the call.
import { HloArray } from '../array.js';
import { HloError } from '../errors.js';
import { nameOf } from '../options.js';
import { bindArguments, parseCall } from './calls.js';

/** @typedef {(...args: any[]) => any} AnyFunction */

/**
 * @param {import('../index.js').Hlo} hlo
 * @param {Record<string, AnyFunction>} functions each takes its required arguments, then an object with the optional ones
 * @param {Record<string, string>} signatures of each, as parseCall() reads them
 * @param {string} [prefix] of the names in errors: 'linalg.'
 * @returns {Record<string, AnyFunction>}
 */
export function bindNamespace(hlo, functions, signatures, prefix = '') {
  const calls = Object.entries(functions).map(([name, f]) => [
    name,
    bindFunction(hlo, prefix, name, f, signatures[name]),
  ]);
  return Object.fromEntries(calls);
}

/**
 * @param {import('../index.js').Hlo} hlo
 * @param {string} prefix
 * @param {string} name
 * @param {AnyFunction} f
 * @param {string} signature
 * @returns {AnyFunction}
 */
function bindFunction(hlo, prefix, name, f, signature) {
  const shown = `${prefix}${name}`;
  /** @type {(call: import('./calls.js').Call, operands: any[], args: any[]) => any} */
  const run = (call, operands, args) => {
    try {
      const given = bindArguments(shown, call, args);
      return hlo.tidy(() => f(...operands, ...given));
    } catch (error) {
      if (error instanceof HloError) throw withName(error, shown);
      const shownArguments = args.map((arg) =>
        arg instanceof HloArray ? arg.xla.text : nameOf(arg),
      );
      const why = `${shown} cannot be called with (${shownArguments.join(', ')}): it takes ${call.text}`;
      throw Object.assign(new HloError(why), { cause: error });
    }
  };
  const call = parseCall(signature);
  const bound = { [name]: (/** @type {any[]} */ ...args) => run(call, [], args) }[name];
  const [first, ...others] = signature.split(' ');
  if (first !== 'x') return bound;
  const ofOthers = parseCall(others.join(' '));
  methodForms.set(bound, (x, ...args) => run(ofOthers, [x], args));
  return bound;
}

/** Functions of an array x as methods of it. @type {WeakMap<AnyFunction, (x: any, ...args: any[]) => any>} */
const methodForms = new WeakMap();

/**
 * A bound function as a method: it takes the array apart from its arguments, and its errors speak of these.
 * @param {AnyFunction} bound
 * @returns {(x: any, ...args: any[]) => any}
 */
export function methodOf(bound) {
  return /** @type {AnyFunction} */ (methodForms.get(bound));
}

/** An error that says first which function was called. @param {HloError} error @param {string} name */
function withName(error, name) {
  const { message } = error;
  if (new RegExp(`^${name}\\b`).test(message)) return error;
  error.message = `${name}: ${message}`;
  error.stack = error.stack?.replace(message, () => error.message);
  return error;
}
