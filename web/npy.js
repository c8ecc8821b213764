// NumPy's .npy files: one array each. Format: NumPy Enhancement Proposal 1 and numpy.lib.format's documentation.
// Must not know about engines; gives and takes element type, dims and bytes in row-major order.
import { ParseError } from './errors.js';

const MAGIC = '\x93NUMPY';

/** NumPy's type codes, and those of ml_dtypes, which NumPy writes as opaque bytes ("V") or by name. @type {Record<string, string>} */
const typeOfCode = {
  b1: 'pred',
  i1: 's8',
  i2: 's16',
  i4: 's32',
  i8: 's64',
  u1: 'u8',
  u2: 'u16',
  u4: 'u32',
  u8: 'u64',
  f2: 'f16',
  f4: 'f32',
  f8: 'f64',
  c8: 'c64',
  c16: 'c128',
  V2: 'bf16',
};
const codeOfType = Object.fromEntries(
  Object.entries(typeOfCode).map(([code, type]) => [type, code]),
);

/**
 * @param {Uint8Array} bytes a whole file
 * @returns {{ type: string, dims: number[], fortranOrder: boolean, data: Uint8Array }} data as it lies in the file, little-endian
 */
export function readNpy(bytes) {
  const text = (/** @type {number} */ from, /** @type {number} */ to) =>
    String.fromCharCode(...bytes.subarray(from, to));
  if (text(0, 6) !== MAGIC)
    throw new ParseError('not a .npy file: it does not start with \\x93NUMPY');
  const wide = bytes[6] >= 2; // versions 2 and 3 have a 32-bit header length
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = wide ? 12 : 10;
  if (bytes.length < start) throw new ParseError('a .npy file that ends in its header');
  const end = start + (wide ? view.getUint32(8, true) : view.getUint16(8, true));
  if (bytes.length < end) throw new ParseError('a .npy file that ends in its header');
  const header = text(start, end);
  const descr = /'descr'\s*:\s*'([<>|=]?)([A-Za-z]\d+)'/.exec(header);
  const shape = /'shape'\s*:\s*\(([^)]*)\)/.exec(header);
  const order = /'fortran_order'\s*:\s*(True|False)/.exec(header);
  if (!descr || !shape || !order)
    throw new ParseError(`a .npy header that this package cannot read: ${header.trim()}`);
  const type = typeOfCode[descr[2]];
  if (!type)
    throw new ParseError(
      `a .npy file of NumPy type ${descr[2]}, which no element type corresponds to`,
    );
  const dims = shape[1]
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
    .map(Number);
  if (!dims.every((size) => Number.isSafeInteger(size) && size >= 0))
    throw new ParseError(`a .npy file with shape (${shape[1]})`);
  const size = Number(descr[2].slice(1));
  const length = dims.reduce((product, dim) => product * dim, size);
  const data = bytes.slice(end, end + length);
  if (data.length !== length)
    throw new ParseError(`a .npy file that ends early: ${data.length} of ${length} bytes`);
  if (descr[1] === '>') swap(data, descr[2][0] === 'c' ? size / 2 : size);
  return { type, dims, fortranOrder: order[1] === 'True', data };
}

/** @param {Uint8Array} data @param {number} size reverses each element's bytes in place */
function swap(data, size) {
  for (let at = 0; at < data.length; at += size) data.subarray(at, at + size).reverse();
}

/**
 * @param {string} type
 * @param {number[]} dims
 * @param {Uint8Array} data row-major, little-endian
 * @returns {Uint8Array} a whole file
 */
export function writeNpy(type, dims, data) {
  const code = codeOfType[type];
  if (!code) throw new ParseError(`NumPy has no type for ${type}: convert the array first`);
  const order = /1$/.test(code) ? '|' : '<';
  const shape = dims.length === 1 ? `${dims[0]},` : dims.join(', ');
  let header = `{'descr': '${order}${code}', 'fortran_order': False, 'shape': (${shape}), }`;
  header = header.padEnd(Math.ceil((10 + header.length + 1) / 64) * 64 - 10 - 1) + '\n';
  const bytes = new Uint8Array(10 + header.length + data.length);
  bytes.set([...MAGIC].map((c) => c.charCodeAt(0)));
  bytes.set([1, 0, header.length & 255, header.length >> 8], 6);
  bytes.set(
    [...header].map((c) => c.charCodeAt(0)),
    10,
  );
  bytes.set(data, 10 + header.length);
  return bytes;
}
