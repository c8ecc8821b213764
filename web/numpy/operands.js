// Arguments that are to become arrays.
import { HloError } from '../errors.js';
import { nameOf } from '../options.js';
import { isOperand } from './promotion.js';

/**
 * Fails with the argument's name unless an array can be made of the value.
 * @template T
 * @param {T} value
 * @param {string} name
 * @returns {T}
 */
export function checkOperand(value, name) {
  const x = /** @type {any} */ (value);
  const isNumber = /^(number|bigint|boolean)$/.test(typeof x) || (x && 're' in Object(x));
  if (isOperand(x) || isNumber || Array.isArray(x) || ArrayBuffer.isView(x)) return value;
  throw new HloError(`${name} is an array, a list or a number, got ${nameOf(x)}`);
}
