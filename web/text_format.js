// The text forms of programs, by name. Must not know what is read or printed.
import { HloError } from './errors.js';

const formats = { detect: 0, hlo: 1, stablehlo: 2 };
/** @typedef {'detect' | 'hlo' | 'stablehlo'} TextFormat */

/** @param {TextFormat} format @returns {number} as the engine counts them */
export function formatNumber(format) {
  const number = formats[format];
  if (number === undefined)
    throw new HloError(`there is no text format "${format}": the formats are hlo and stablehlo`);
  return number;
}
