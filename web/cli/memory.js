// Whether a run fits into the engine's memory, asked before its inputs are made.
import { RunError } from '../errors.js';

/** What WebAssembly addresses, in bytes. */
export const ADDRESSABLE = 2 ** 32;

/** @param {number} bytes */
function gigabytes(bytes) {
  return `${(bytes / 1e9).toPrecision(3)} GB`;
}

/**
 * @param {import('../index.js').Hlo} hlo
 * @param {number} needed bytes, of all inputs, results and what lies between them
 * @param {number} [most] bytes that may be in use then
 */
export function checkMemory(hlo, needed, most = ADDRESSABLE) {
  const { inUse } = hlo.memory;
  if (inUse + needed <= most) return;
  const taken = inUse > 1e6 ? ` and ${gigabytes(inUse)} are in use` : '';
  throw new RunError(
    `the program needs ${gigabytes(needed)} of memory${taken}: at most ${gigabytes(most)} are to be had here, so nothing was run`,
    'out of memory',
  );
}
