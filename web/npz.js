// NumPy's .npz files: ZIP archives of .npy files. Format: numpy.savez's documentation. Reads and
// writes whole .npy files by name.
import { crc32 } from './crc32.js';
import { ParseError } from './errors.js';
import { readZip } from './zip.js';
import {
  CENTRAL,
  CENTRAL_SIZE,
  END,
  END_SIZE,
  LOCAL,
  LOCAL_SIZE,
  STORED,
  viewOf,
} from './zip_directory.js';

/**
 * @param {Uint8Array} bytes a whole file
 * @returns {Promise<Record<string, Uint8Array>>} .npy files by name, without the ".npy", in an object without prototype; stored
 *   ones are parts of `bytes`
 */
export async function readNpz(bytes) {
  /** @type {Record<string, Uint8Array>} */
  const files = Object.create(null);
  for (const { name, data } of await readZip(bytes, '.npz')) {
    const short = name.replace(/\.npy$/, '');
    if (short in files)
      throw new ParseError(
        `a .npz file with two arrays named ${JSON.stringify(short).slice(0, 80)}`,
      );
    files[short] = data;
  }
  return files;
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
  if (entries.length > 0xfffe || entries.some(({ name }) => name.length > 0xffff))
    throw new ParseError('a .npz file takes up to 65534 arrays with names of up to 65531 bytes');
  const total = entries.reduce(
    (sum, { name, data }) => sum + LOCAL_SIZE + CENTRAL_SIZE + 2 * name.length + data.length,
    END_SIZE,
  );
  const bytes = new Uint8Array(total);
  const view = viewOf(bytes);
  let at = 0;
  // The fields that the local header and the directory share, from the version needed on.
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
