// The public form of a table of functions: arguments by place or name, intermediate arrays disposed of, errors that name the call.
import { HloError } from '../errors.js';
import { bindArguments, parseCall } from './calls.js';

/** @typedef {(...args: any[]) => any} AnyFunction */

/**
 * @param {import('../index.js').Hlo} hlo
 * @param {Record<string, AnyFunction>} functions each takes its required arguments, then an object with the optional ones
 * @param {Record<string, string>} signatures of each, as parseCall() reads them
 * @returns {Record<string, AnyFunction>}
 */
export function bindNamespace(hlo, functions, signatures) {
  const calls = Object.entries(functions).map(([name, f]) => [
    name,
    bindFunction(hlo, name, f, signatures[name]),
  ]);
  return Object.fromEntries(calls);
}

/** @param {import('../index.js').Hlo} hlo @param {string} name @param {AnyFunction} f @param {string} signature @returns {AnyFunction} */
function bindFunction(hlo, name, f, signature) {
  const call = parseCall(signature);
  return {
    [name]: (/** @type {any[]} */ ...args) => {
      const given = bindArguments(name, call, args);
      try {
        return hlo.tidy(() => f(...given));
      } catch (error) {
        if (error instanceof HloError) throw error;
        const why = `${name} cannot be called like this: ${/** @type {any} */ (error).message}`;
        throw Object.assign(new HloError(why), { cause: error });
      }
    },
  }[name];
}
