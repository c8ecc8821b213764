// ZIP archives: reads them whole. Format: PKWARE's APPNOTE 6.3 (stored and deflated entries, Zip64, data descriptors).
//
// Local headers and directory must agree, and entries and directory must cover the file exactly once: so an archive never unpacks
// to more than its entries can hold, and no bytes in it are ignored.
import { crc32 } from './crc32.js';
import { ParseError } from './errors.js';
import { withArticle } from './options.js';
import { LOCAL, LOCAL_SIZE, STORED, readDirectory, resolveZip64, viewOf } from './zip_directory.js';

/** @typedef {import('./zip_directory.js').Entry} Entry */

const DESCRIPTOR = 0x08074b50;
const HAS_DESCRIPTOR = 1 << 3;

/**
 * Checks the data descriptor, which follows an entry whose sizes were not known when its header was written.
 * @param {DataView} view
 * @param {Entry} entry
 * @param {number} at
 * @param {number} limit where the next entry starts
 * @returns {number} its end
 */
function readDescriptor(view, entry, at, limit) {
  const length = limit - at; // 12 bytes, 8 more with sizes of 64 bits, 4 more with a signature
  const from = length === 16 || length === 24 ? at + 4 : at;
  const isWide = length >= 20;
  const fieldAt = (/** @type {number} */ place) =>
    isWide ? Number(view.getBigUint64(place, true)) : view.getUint32(place, true);
  const agrees =
    [12, 16, 20, 24].includes(length) &&
    (from === at || view.getUint32(at, true) === DESCRIPTOR) &&
    view.getUint32(from, true) === entry.crc &&
    fieldAt(from + 4) === entry.packed &&
    fieldAt(from + (isWide ? 12 : 8)) === entry.size;
  if (!agrees)
    throw new ParseError(
      `${entry.quoted}: what follows it at byte ${at} is not its data descriptor`,
    );
  return limit;
}

/**
 * @param {Uint8Array} bytes
 * @param {DataView} view
 * @param {Entry} entry
 * @param {number} at where it has to start
 * @param {number} limit where the next one starts
 * @returns {Uint8Array} packed
 */
function readLocalEntry(bytes, view, entry, at, limit) {
  const { quoted, local, rawName } = entry;
  if (local !== at)
    throw new ParseError(
      `${quoted} is at byte ${local}, where what comes before it ends at ${at}: ${local < at ? 'they overlap' : 'there is a hole'}`,
    );
  if (at + LOCAL_SIZE > limit)
    throw new ParseError(`${quoted}, at byte ${at}, and what starts at byte ${limit} overlap`);
  if (view.getUint32(at, true) !== LOCAL)
    throw new ParseError(`${quoted} is not where the ZIP directory says, at byte ${at}`);
  const nameEnd = at + LOCAL_SIZE + view.getUint16(at + 26, true);
  const start = nameEnd + view.getUint16(at + 28, true);
  const end = start + entry.packed;
  if (end > limit)
    throw new ParseError(
      `${quoted} has bytes ${start} to ${end}, over what starts at byte ${limit}`,
    );
  const [size, packed] = resolveZip64(view, nameEnd, start - nameEnd, [
    view.getUint32(at + 22, true),
    view.getUint32(at + 18, true),
  ]);
  const flags = view.getUint16(at + 6, true);
  const hasDescriptor = (flags & HAS_DESCRIPTOR) !== 0;
  const matches = (/** @type {number} */ here, /** @type {number} */ there) =>
    here === there || (hasDescriptor && here === 0);
  const agrees =
    flags === entry.flags &&
    view.getUint16(at + 8, true) === entry.method &&
    matches(view.getUint32(at + 14, true), entry.crc) &&
    matches(packed, entry.packed) &&
    matches(size, entry.size) &&
    nameEnd - at - LOCAL_SIZE === rawName.length &&
    rawName.every((byte, i) => bytes[at + LOCAL_SIZE + i] === byte);
  if (!agrees)
    throw new ParseError(`${quoted}: its header at byte ${at} is not what the ZIP directory says`);
  const last = hasDescriptor && end !== limit ? readDescriptor(view, entry, end, limit) : end;
  if (last !== limit || (hasDescriptor && end === limit))
    throw new ParseError(
      `${quoted} ends at byte ${last}, where nothing starts until ${limit}: there is a hole`,
    );
  return bytes.subarray(start, end);
}

/**
 * @param {Uint8Array} packed
 * @param {number} size
 * @returns {Promise<Uint8Array | null>} null when it has another size; stops as soon as it exceeds `size`
 */
async function inflate(packed, size) {
  const stream = new DecompressionStream('deflate-raw');
  const writeAll = async () => {
    const writer = stream.writable.getWriter();
    for (let at = 0; at < packed.length; at += 1 << 14) {
      await writer.ready;
      await writer.write(/** @type {any} */ (packed.subarray(at, at + (1 << 14))));
    }
    await writer.close();
  };
  writeAll().catch(() => null); // the reader fails, too
  const reader = stream.readable.getReader();
  const whole = new Uint8Array(size);
  let at = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return at === size ? whole : null;
      if (at + value.length > size) break;
      whole.set(value, at);
      at += value.length;
    }
  } catch {
    return null;
  }
  reader.cancel().catch(() => null);
  return null;
}

/**
 * @param {Uint8Array} bytes a whole file
 * @param {string} kind of file, for errors
 * @returns {Promise<{ name: string, data: Uint8Array }[]>} in the directory's order; stored ones are parts of `bytes`
 */
export async function readZip(bytes, kind) {
  const view = viewOf(bytes);
  const { entries, start } = readDirectory(bytes, kind);
  // All headers are checked before anything is unpacked.
  const inOrder = [...entries].sort((a, b) => a.local - b.local);
  /** @type {Map<Entry, Uint8Array>} */
  const packed = new Map();
  let from = 0;
  inOrder.forEach((entry, i) => {
    const limit = i + 1 < inOrder.length ? inOrder[i + 1].local : start;
    packed.set(entry, readLocalEntry(bytes, view, entry, from, limit));
    from = limit;
  });
  if (from !== start)
    throw new ParseError(`${withArticle(kind)} file with ${start} bytes that no entry describes`);
  const files = [];
  for (const entry of entries) {
    const { name, quoted, method, size, crc } = entry;
    const raw = /** @type {Uint8Array} */ (packed.get(entry));
    const data = method === STORED ? raw : await inflate(raw, size);
    if (!data)
      throw new ParseError(
        `${quoted} cannot be decompressed to ${size} bytes (byte ${entry.local})`,
      );
    if (crc32(data) !== crc)
      throw new ParseError(`${quoted} is damaged: its CRC-32 is not what byte ${entry.local} says`);
    files.push({ name, data });
  }
  return files;
}
