// .safetensors files: named arrays behind a JSON header. Format: the Safetensors documentation's format section.
// Must not know about engines; gives and takes element type, dims and bytes in row-major order.
import { ParseError } from './errors.js';

/** @typedef {{ type: string, dims: number[], data: Uint8Array }} Tensor */

/** @type {Record<string, string>} */
const typeOfName = {
  BOOL: 'pred',
  I8: 's8',
  I16: 's16',
  I32: 's32',
  I64: 's64',
  U8: 'u8',
  U16: 'u16',
  U32: 'u32',
  U64: 'u64',
  F8_E5M2: 'f8e5m2',
  F8_E4M3: 'f8e4m3fn',
  F8_E8M0: 'f8e8m0fnu',
  F16: 'f16',
  BF16: 'bf16',
  F32: 'f32',
  F64: 'f64',
  C64: 'c64',
};
const nameOfType = Object.fromEntries(
  Object.entries(typeOfName).map(([name, type]) => [type, name]),
);
const HEADER_LENGTH = 8; // bytes of the number in front of the header

/** @param {number[]} dims @param {number} bytes of an element */
function bytesOf(dims, bytes) {
  return dims.reduce((product, size) => product * size, bytes);
}

/**
 * @param {Uint8Array} bytes a whole file
 * @param {(type: string) => number} bytesOfType
 * @returns {Record<string, Tensor>} data is a copy
 */
export function readSafetensors(bytes, bytesOfType) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER_LENGTH)
    throw new ParseError('a .safetensors file that ends in its header');
  const length = Number(view.getBigUint64(0, true));
  const start = HEADER_LENGTH + length;
  if (start > bytes.length) throw new ParseError('a .safetensors file that ends in its header');
  let header;
  try {
    header = JSON.parse(new TextDecoder().decode(bytes.subarray(HEADER_LENGTH, start)));
  } catch {
    throw new ParseError('not a .safetensors file: its header is no JSON');
  }
  /** @type {Record<string, Tensor>} */
  const tensors = {};
  for (const [name, entry] of Object.entries(header ?? {})) {
    if (name === '__metadata__') continue;
    const { dtype, shape, data_offsets: offsets } = entry ?? {};
    const type = typeOfName[dtype];
    if (!type)
      throw new ParseError(`"${name}" has type ${dtype}, which no element type corresponds to`);
    const sizes = [shape, offsets].every(
      (list) => Array.isArray(list) && list.every((n) => Number.isSafeInteger(n) && n >= 0),
    );
    if (!sizes || offsets.length !== 2)
      throw new ParseError(`"${name}" has no shape or no offsets that make sense`);
    const [from, to] = offsets;
    if (to - from !== bytesOf(shape, bytesOfType(type)) || start + to > bytes.length)
      throw new ParseError(`"${name}": ${dtype}[${shape}] does not lie at bytes ${from} to ${to}`);
    tensors[name] = { type, dims: shape, data: bytes.slice(start + from, start + to) };
  }
  return tensors;
}

/**
 * @param {Record<string, Tensor>} tensors
 * @returns {Uint8Array} a whole file
 */
export function writeSafetensors(tensors) {
  let at = 0;
  /** @type {Record<string, any>} */
  const header = {};
  for (const [name, { type, dims, data }] of Object.entries(tensors)) {
    const dtype = nameOfType[type];
    if (!dtype) throw new ParseError(`.safetensors files have no type for ${type}`);
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
