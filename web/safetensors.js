// .safetensors files: named arrays after a JSON header. Format: the Safetensors documentation's format section.
// Reads and writes element types, dims and bytes in row-major order.
import { ParseError } from './errors.js';
import { asBooleans } from './npy.js';

/** @typedef {{ type: string, dims: number[], data: Uint8Array }} Tensor */

const typeOfName = new Map([
  ['BOOL', 'pred'],
  ['I8', 's8'],
  ['I16', 's16'],
  ['I32', 's32'],
  ['I64', 's64'],
  ['U8', 'u8'],
  ['U16', 'u16'],
  ['U32', 'u32'],
  ['U64', 'u64'],
  ['F8_E5M2', 'f8e5m2'],
  ['F8_E4M3', 'f8e4m3fn'],
  ['F8_E8M0', 'f8e8m0fnu'],
  ['F16', 'f16'],
  ['BF16', 'bf16'],
  ['F32', 'f32'],
  ['F64', 'f64'],
  ['C64', 'c64'],
]);
const nameOfType = new Map([...typeOfName].map(([name, type]) => [type, name]));
const HEADER_LENGTH = 8; // bytes of the length before the header
const LONGEST_HEADER = 100_000_000; // as the format says

// A token of JSON that has been found valid, with what separates it from the next.
const TOKEN = /\s*(?:("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|(-?[0-9][0-9.eE+-]*)|([{}[\]])|[,a-z]+)\s*/y;

/**
 * Rejects what JSON.parse accepts: duplicate keys, and numbers that are no sizes ("1e1", "-0").
 * @param {string} text valid JSON
 */
function checkTokens(text) {
  /** @type {Set<string>} an array's keys */
  const none = new Set();
  /** @type {Set<string>[]} */
  const open = [];
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < text.length;) {
    const at = TOKEN.lastIndex;
    const token = TOKEN.exec(text);
    if (!token) return; // not reached: the text is valid
    const [, string, colon, number, bracket] = token;
    if (bracket === '{' || bracket === '[') open.push(bracket === '{' ? new Set() : none);
    else if (bracket) open.pop();
    else if (number && !/^(0|[1-9][0-9]*)$/.test(number))
      throw new ParseError(
        `a .safetensors header with the number ${number.slice(0, 40)} at character ${at}, which is no size`,
      );
    else if (colon) {
      const keys = open[open.length - 1];
      const key = JSON.parse(string);
      if (keys.has(key))
        throw new ParseError(
          `a .safetensors header with ${string.slice(0, 80)} twice, at character ${at}`,
        );
      keys.add(key);
    }
  }
}

/** @param {Uint8Array} bytes @returns {{ header: Record<string, any>, start: number }} start: of the elements */
function readHeader(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER_LENGTH)
    throw new ParseError(`a .safetensors file that ends in its header, at byte ${bytes.length}`);
  const length = Number(view.getBigUint64(0, true));
  if (length > bytes.length - HEADER_LENGTH)
    throw new ParseError(
      `a .safetensors file that ends in its header: ${bytes.length - HEADER_LENGTH} of ${length} bytes from byte 8`,
    );
  if (length > LONGEST_HEADER)
    throw new ParseError(`a .safetensors header of ${length} bytes: the format allows 100 MB`);
  const start = HEADER_LENGTH + length;
  let text, header;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      bytes.subarray(HEADER_LENGTH, start),
    );
    header = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? `: ${error.message.slice(0, 120)}` : '';
    throw new ParseError(`not a .safetensors file: its header, from byte 8, is no JSON${why}`);
  }
  if (text[0] !== '{')
    throw new ParseError('not a .safetensors file: its header, at byte 8, does not start with {');
  checkTokens(text);
  return { header, start };
}

/** @param {unknown} list @returns {boolean} */
function areSizes(list) {
  return Array.isArray(list) && list.every((n) => Number.isSafeInteger(n) && n >= 0);
}

/**
 * @param {string} name for errors, in quotes
 * @param {any} entry of the header
 * @param {(type: string) => number} bytesOfType
 * @returns {{ type: string, dims: number[], from: number, to: number }}
 */
function readEntry(name, entry, bytesOfType) {
  const { dtype, shape, data_offsets: offsets } = entry ?? {};
  const type = typeOfName.get(dtype);
  if (!type)
    throw new ParseError(
      `${name} has type ${String(JSON.stringify(dtype)).slice(0, 40)}, which no element type corresponds to`,
    );
  if (!areSizes(shape) || !areSizes(offsets) || offsets.length !== 2)
    throw new ParseError(`${name} has no shape or no offsets that make sense`);
  const [from, to] = offsets;
  const length = shape.reduce(
    (/** @type {number} */ n, /** @type {number} */ dim) => n * dim,
    bytesOfType(type),
  );
  if (to - from !== length)
    throw new ParseError(
      `${name}: ${dtype}[${shape.slice(0, 20)}] takes ${length} bytes and has bytes ${from} to ${to}`,
    );
  return { type, dims: shape, from, to };
}

/**
 * @param {Uint8Array} bytes a whole file
 * @param {(type: string) => number} bytesOfType
 * @returns {Record<string, Tensor>} without prototype; data is a part of `bytes` unless something had to change
 */
export function readSafetensors(bytes, bytesOfType) {
  const { header, start } = readHeader(bytes);
  /** @type {Record<string, Tensor>} */
  const tensors = Object.create(null);
  const places = [];
  for (const [name, entry] of Object.entries(header)) {
    const quoted = JSON.stringify(name).slice(0, 80);
    if (name === '__metadata__') {
      const isMap = Object(entry) === entry && !Array.isArray(entry);
      if (!isMap || !Object.values(entry).every((value) => typeof value === 'string'))
        throw new ParseError(`${quoted} is no map from strings to strings`);
      continue;
    }
    const { type, dims, from, to } = readEntry(quoted, entry, bytesOfType);
    places.push({ quoted, from, to });
    const data = bytes.subarray(start + from, start + to);
    tensors[name] = { type, dims, data: type === 'pred' ? asBooleans(data) : data };
  }
  // The elements of all arrays are all that follows the header, without holes, each byte once.
  places.sort((a, b) => a.from - b.from || a.to - b.to);
  let at = 0;
  for (const { quoted, from, to } of places) {
    if (from !== at)
      throw new ParseError(
        `${quoted} starts at byte ${from} of the elements, where what comes before it ends at ${at}: ${from < at ? 'they overlap' : 'there is a hole'}`,
      );
    at = to;
  }
  if (at !== bytes.length - start)
    throw new ParseError(
      `a .safetensors file with ${bytes.length - start} bytes of elements from byte ${start}, of which its header describes ${at}`,
    );
  return tensors;
}

/**
 * @param {Record<string, Tensor>} tensors
 * @returns {Uint8Array} a whole file
 */
export function writeSafetensors(tensors) {
  let at = 0;
  /** @type {Record<string, any>} */
  const header = Object.create(null);
  for (const [name, { type, dims, data }] of Object.entries(tensors)) {
    const dtype = nameOfType.get(type);
    if (!dtype) throw new ParseError(`.safetensors files have no type for ${type}`);
    if (name === '__metadata__')
      throw new ParseError('no array in a .safetensors file can be named "__metadata__"');
    header[name] = { dtype, shape: dims, data_offsets: [at, at + data.length] };
    at += data.length;
  }
  const text = new TextEncoder().encode(JSON.stringify(header));
  const padded = Math.ceil(text.length / 8) * 8; // the data is aligned; spaces may follow the header
  const bytes = new Uint8Array(HEADER_LENGTH + padded + at);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(padded), true);
  bytes.fill(0x20, HEADER_LENGTH, HEADER_LENGTH + padded);
  bytes.set(text, HEADER_LENGTH);
  at = HEADER_LENGTH + padded;
  for (const { data } of Object.values(tensors)) {
    bytes.set(data, at);
    at += data.length;
  }
  return bytes;
}
