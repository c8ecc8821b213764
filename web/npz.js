// NumPy's .npz files: ZIP archives of .npy files. Format: numpy.savez's documentation and PKWARE's APPNOTE (central
// directory, stored and deflated entries). Must not know about arrays: gives and takes whole .npy files by name.
import { ParseError } from './errors.js';

const [LOCAL, CENTRAL, END] = [0x04034b50, 0x02014b50, 0x06054b50];
const [LOCAL_SIZE, CENTRAL_SIZE, END_SIZE] = [30, 46, 22];
const [STORED, DEFLATED] = [0, 8];

/** @param {Uint8Array} bytes */
function viewOf(bytes) {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** @param {DataView} view @returns {number} where the end record is; a comment may follow it */
function endRecord(view) {
  for (let at = view.byteLength - END_SIZE; at >= 0; at--)
    if (view.getUint32(at, true) === END) return at;
  throw new ParseError('not a .npz file: there is no ZIP directory at its end');
}

/** @param {Uint8Array} packed @returns {Promise<Uint8Array>} */
async function inflate(packed) {
  const stream = new Blob([/** @type {any} */ (packed)])
    .stream()
    .pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * @param {Uint8Array} bytes a whole file
 * @returns {Promise<Record<string, Uint8Array>>} .npy files by name, without the ".npy"
 */
export async function readNpz(bytes) {
  const view = viewOf(bytes);
  const end = endRecord(view);
  /** @type {Record<string, Uint8Array>} */
  const files = {};
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    if (at + CENTRAL_SIZE > bytes.length || view.getUint32(at, true) !== CENTRAL)
      throw new ParseError('a .npz file whose ZIP directory is broken');
    const [method, packed, size] = [
      view.getUint16(at + 10, true),
      view.getUint32(at + 20, true),
      view.getUint32(at + 24, true),
    ];
    const nameLength = view.getUint16(at + 28, true);
    const local = view.getUint32(at + 42, true);
    const name = new TextDecoder().decode(
      bytes.subarray(at + CENTRAL_SIZE, at + CENTRAL_SIZE + nameLength),
    );
    at += CENTRAL_SIZE + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (local + LOCAL_SIZE > bytes.length || view.getUint32(local, true) !== LOCAL)
      throw new ParseError(`"${name}" is not where the ZIP directory says`);
    const start =
      local + LOCAL_SIZE + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    const data = bytes.slice(start, start + packed);
    if (data.length !== packed) throw new ParseError(`"${name}" ends early`);
    if (method !== STORED && method !== DEFLATED)
      throw new ParseError(`"${name}" is compressed by a method that .npz files do not use`);
    const file = method === STORED ? data : await inflate(data).catch(() => new Uint8Array(0));
    if (file.length !== size) throw new ParseError(`"${name}" cannot be decompressed`);
    files[name.replace(/\.npy$/, '')] = file;
  }
  return files;
}

const crcTable = Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});

/** @param {Uint8Array} bytes CRC-32 as ZIP has it */
function crc32(bytes) {
  let c = 0xffffffff;
  for (const byte of bytes) c = crcTable[(c ^ byte) & 255] ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

/**
 * @param {Record<string, Uint8Array>} files .npy files by name
 * @returns {Uint8Array} a whole file, not compressed
 */
export function writeNpz(files) {
  const entries = Object.entries(files).map(([name, data]) => ({
    name: new TextEncoder().encode(`${name}.npy`),
    data,
    crc: crc32(data),
    at: 0,
  }));
  const total = entries.reduce(
    (sum, { name, data }) => sum + LOCAL_SIZE + CENTRAL_SIZE + 2 * name.length + data.length,
    END_SIZE,
  );
  const bytes = new Uint8Array(total);
  const view = viewOf(bytes);
  let at = 0;
  // What the local header and the directory say alike, from the version needed on.
  const describe = (/** @type {number} */ to, /** @type {any} */ { name, data, crc }) => {
    view.setUint16(to, 20, true);
    view.setUint16(to + 2, 0x0800, true); // names are UTF-8
    view.setUint16(to + 4, STORED, true);
    view.setUint32(to + 6, 0x00210000, true); // 1980-01-01: the same file each time
    view.setUint32(to + 10, crc, true);
    view.setUint32(to + 14, data.length, true);
    view.setUint32(to + 18, data.length, true);
    view.setUint16(to + 22, name.length, true);
  };
  for (const entry of entries) {
    entry.at = at;
    view.setUint32(at, LOCAL, true);
    describe(at + 4, entry);
    bytes.set(entry.name, at + LOCAL_SIZE);
    bytes.set(entry.data, at + LOCAL_SIZE + entry.name.length);
    at += LOCAL_SIZE + entry.name.length + entry.data.length;
  }
  const directory = at;
  for (const entry of entries) {
    view.setUint32(at, CENTRAL, true);
    view.setUint16(at + 4, 20, true);
    describe(at + 6, entry);
    view.setUint32(at + 42, entry.at, true);
    bytes.set(entry.name, at + CENTRAL_SIZE);
    at += CENTRAL_SIZE + entry.name.length;
  }
  view.setUint32(at, END, true);
  view.setUint16(at + 8, entries.length, true);
  view.setUint16(at + 10, entries.length, true);
  view.setUint32(at + 12, at - directory, true);
  view.setUint32(at + 16, directory, true);
  return bytes;
}
