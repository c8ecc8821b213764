// Options that a call does not have: most likely spelt wrongly. Must not know any call.
import { HloError } from './errors.js';

/**
 * @param {string} what the call's name
 * @param {Record<string, any>} options
 * @param {string[]} names that it takes
 */
export function checkOptions(what, options, names) {
  for (const name of Object.keys(options)) {
    if (!names.includes(name))
      throw new HloError(
        `${what} has no option "${name}": it has ${names.slice(0, -1).join(', ')} and ${names.at(-1)}`,
      );
  }
}
