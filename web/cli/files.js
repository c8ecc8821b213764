// Reading programs and arrays from files, and placing errors in them. Must not know which command asks.
import { readFile } from 'node:fs/promises';
import { HloError } from '../errors.js';

/** @typedef {import('../index.js').Hlo} Hlo */

/**
 * @param {string} path "-" is standard input
 * @returns {Promise<string>}
 */
export async function readText(path) {
  if (path !== '-') return readFile(path, 'utf8');
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * @param {Hlo} hlo
 * @param {string} path of a .npy file
 */
export async function readArray(hlo, path) {
  const bytes = await readFile(path);
  try {
    return hlo.fromNpy(bytes);
  } catch (error) {
    throw located(error, path);
  }
}

/**
 * The error with the file (and position) in front, as editors and terminals understand it.
 * @param {any} error
 * @param {string} path
 */
export function located(error, path) {
  if (!(error instanceof HloError)) return error;
  const { line = 0, column = 0 } = /** @type {any} */ (error);
  const where = line > 0 ? `${path}:${line}:${column}` : path;
  return Object.assign(error, { message: `${where}: ${error.message}` });
}

/** @param {string} message @returns {HloError} for a command used wrongly */
export function usageError(message) {
  return new HloError(message, 'usage');
}
