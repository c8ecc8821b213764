// Reads programs and arrays from files, and adds the file and position to errors.
import { readFile, writeFile } from 'node:fs/promises';
import { HloError } from '../errors.js';
import { holdsText } from '../text_format.js';

/** @typedef {import('../index.js').Hlo} Hlo */
/** @typedef {import('../index.js').HloArray} HloArray */

/** @param {string} path "-" is standard input */
async function readBytes(path) {
  if (path !== '-') return readFile(path);
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * @param {string} path
 * @returns {Promise<string>}
 */
export async function readText(path) {
  return (await readBytes(path)).toString('utf8');
}

/**
 * @param {string} path
 * @returns {Promise<string | Uint8Array>} the bytes of what is no text
 */
export async function readProgram(path) {
  const bytes = await readBytes(path);
  return holdsText(bytes) ? bytes.toString('utf8') : bytes;
}

/**
 * @param {Hlo} hlo
 * @param {string} path of a .npy file, whose array has no name, or of a .npz or .safetensors file
 * @returns {Promise<{ path: string, arrays: Map<string, HloArray> | HloArray }>}
 */
export async function readArrays(hlo, path) {
  const bytes = await readFile(path);
  const asMap = (/** @type {any} */ arrays) =>
    arrays instanceof Map ? arrays : new Map(Object.entries(arrays));
  try {
    if (path.endsWith('.npz')) return { path, arrays: asMap(await hlo.fromNpz(bytes)) };
    if (path.endsWith('.safetensors')) return { path, arrays: asMap(hlo.fromSafetensors(bytes)) };
    return { path, arrays: hlo.fromNpy(bytes) };
  } catch (error) {
    throw withLocation(error, path);
  }
}

/**
 * Writes arrays to files: one to each .npy file in turn, all the remaining ones to a .npz or .safetensors file.
 * @param {Hlo} hlo
 * @param {HloArray[]} arrays
 * @param {string[]} paths
 * @returns {Promise<HloArray[]>} those that were not written
 */
export async function writeArrays(hlo, arrays, paths) {
  const left = [...arrays];
  for (const path of paths) {
    if (left.length === 0) throw usageError(`there is no result left for ${path}`);
    if (/\.(npz|safetensors)$/.test(path)) {
      const named = Object.fromEntries(left.splice(0).map((array, i) => [`result_${i}`, array]));
      const bytes = path.endsWith('.npz') ? hlo.toNpz(named) : hlo.toSafetensors(named);
      await writeFile(path, bytes);
    } else await writeFile(path, hlo.toNpy(/** @type {HloArray} */ (left.shift())));
  }
  return left;
}

/**
 * Prefixes the message with file and position, in the form that editors and terminals recognise.
 * @param {any} error
 * @param {string} path
 */
export function withLocation(error, path) {
  if (!(error instanceof HloError)) return error;
  const { line = 0, column = 0 } = /** @type {any} */ (error);
  const where = line > 0 ? `${path}:${line}:${column}` : path;
  return Object.assign(error, { message: `${where}: ${error.message}` });
}

/** @param {string} message @returns {HloError} for a command used wrongly */
export function usageError(message) {
  return new HloError(message, 'usage');
}
