// Formats of programs: text by name, and bytes.
import { HloError } from './errors.js';
import { Format } from './exports.js';
import { nameOf } from './options.js';

const formats = new Map([
  ['detect', Format.DETECT],
  ['hlo', Format.HLO],
  ['stablehlo', Format.STABLEHLO],
]);
/** @typedef {'detect' | 'hlo' | 'stablehlo'} TextFormat */

/** @param {TextFormat} format @returns {number} */
export function formatNumber(format) {
  const number = formats.get(format);
  if (number === undefined)
    throw new HloError(
      `there is no text format ${nameOf(format)}: the formats are hlo and stablehlo`,
    );
  return number;
}

/**
 * @typedef {string | ArrayBuffer | Uint8Array} ProgramSource a program: text, or bytes. Those of a StableHLO portable artifact
 *   (MLIR bytecode), of a file of jax.export (`exported.serialize()`), of a serialized HLO module (`HloModuleProto`), or of text
 */

/**
 * Whether a file with these bytes is text: all others have zeros in them, or the start of a serialized module's computations.
 * @param {Uint8Array} bytes
 */
export const holdsText = (bytes) => !bytes.includes(0) && !bytes.includes(0x1a);

/** @param {any} program @returns {string | Uint8Array} */
export function sourceOf(program) {
  if (typeof program === 'string' || program instanceof Uint8Array) return program;
  if (program instanceof ArrayBuffer) return new Uint8Array(program);
  const given = program instanceof Promise ? 'a promise: await it' : nameOf(program);
  throw new HloError(`a program is text, or bytes in a Uint8Array or ArrayBuffer, got ${given}`);
}
