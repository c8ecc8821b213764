// The text forms of programs, by name. Must not know what is read or printed.
import { HloError } from './errors.js';
import { nameOf } from './options.js';

const formats = ['detect', 'hlo', 'stablehlo']; // as the engine counts them
/** @typedef {'detect' | 'hlo' | 'stablehlo'} TextFormat */

/** @param {TextFormat} format @returns {number} */
export function formatNumber(format) {
  const number = formats.indexOf(format);
  if (number < 0)
    throw new HloError(
      `there is no text format ${nameOf(format)}: the formats are hlo and stablehlo`,
    );
  return number;
}
