// ZIP archives: reads them whole. Format: PKWARE's APPNOTE 6.3 (central directory, stored and deflated entries, Zip64, data
// descriptors).
//
// Local headers and directory must agree, and entries and directory must cover the file exactly once: so an archive never unpacks
// to more than its entries can hold, and no bytes in it are ignored.
import { ParseError } from './errors.js';
import { withArticle } from './options.js';

export const [LOCAL, CENTRAL, END] = [0x04034b50, 0x02014b50, 0x06054b50];
export const [LOCAL_SIZE, CENTRAL_SIZE, END_SIZE] = [30, 46, 22];
const [END_64, LOCATOR_64, DESCRIPTOR] = [0x06064b50, 0x07064b50, 0x08074b50];
const [END_64_SIZE, LOCATOR_64_SIZE] = [56, 20];
export const [STORED, DEFLATED] = [0, 8];
const [HAS_DESCRIPTOR, IS_UTF8, IS_ENCRYPTED] = [1 << 3, 1 << 11, 1 | (1 << 6) | (1 << 13)];
const [MAX_16, MAX_32] = [0xffff, 0xffffffff];
const BEST_RATIO = 1032; // of deflate: 258 bytes take two bits

/**
 * @typedef {object} Entry
 * @property {string} name
 * @property {string} quoted for errors
 * @property {number} flags
 * @property {number} method
 * @property {number} crc
 * @property {number} packed bytes in the file
 * @property {number} size bytes unpacked
 * @property {number} local where its own header is
 * @property {Uint8Array} rawName
 */

/** @param {Uint8Array} bytes */
export function viewOf(bytes) {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

// Code page 437 from 128 on, for names that are not marked as UTF-8.
const CP437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

/** @param {Uint8Array} raw @param {number} flags @param {number} at for errors @returns {string} */
function decodeName(raw, flags, at) {
  if (!(flags & IS_UTF8))
    return Array.from(raw, (c) => (c < 128 ? String.fromCharCode(c) : CP437[c - 128])).join('');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw);
  } catch {
    throw new ParseError(`a ZIP directory with a name at byte ${at} that is no UTF-8`);
  }
}

/**
 * Replaces 32-bit values that are all ones by the 64-bit values of the Zip64 extra field, in order.
 * @param {DataView} view
 * @param {number} at where the extra fields start
 * @param {number} length of all of them
 * @param {number[]} values of 32 bits
 * @returns {number[]}
 */
function resolveZip64(view, at, length, values) {
  if (!values.includes(MAX_32)) return values;
  const end = at + length;
  for (let next; at + 4 <= end; at = next) {
    next = at + 4 + view.getUint16(at + 2, true);
    if (next > end) break;
    if (view.getUint16(at, true) !== 1) continue;
    let from = at + 4;
    return values.map((value) => {
      if (value !== MAX_32) return value;
      if (from + 8 > next) return NaN;
      from += 8;
      return Number(view.getBigUint64(from - 8, true));
    });
  }
  return values;
}

/** @param {DataView} view @param {string} kind for errors @returns {number} where the end record is; a comment may follow it */
function locateEndRecord(view, kind) {
  const first = Math.max(0, view.byteLength - END_SIZE - MAX_16);
  for (let at = view.byteLength - END_SIZE; at >= first; at--)
    if (
      view.getUint32(at, true) === END &&
      view.getUint16(at + 20, true) === view.byteLength - at - END_SIZE
    )
      return at;
  throw new ParseError(`not ${withArticle(kind)} file: there is no ZIP directory at its end`);
}

/**
 * @param {DataView} view
 * @param {string} kind
 * @returns {{ count: number, start: number, end: number }} the directory's
 */
function readEndRecord(view, kind) {
  let end = locateEndRecord(view, kind);
  const u16 = (/** @type {number} */ at) => view.getUint16(end + at, true);
  const u32 = (/** @type {number} */ at) => view.getUint32(end + at, true);
  let [disk, firstDisk, here, count] = [u16(4), u16(6), u16(8), u16(10)];
  let [size, start] = [u32(12), u32(16)];
  const at = end - LOCATOR_64_SIZE;
  if (at >= END_64_SIZE && view.getUint32(at, true) === LOCATOR_64) {
    const record = Number(view.getBigUint64(at + 8, true));
    if (record !== at - END_64_SIZE || view.getUint32(record, true) !== END_64)
      throw new ParseError(
        `${withArticle(kind)} file whose Zip64 end record is not where byte ${at} says`,
      );
    const u64 = (/** @type {number} */ from) => Number(view.getBigUint64(record + from, true));
    [disk, firstDisk] = [view.getUint32(record + 16, true), view.getUint32(record + 20, true)];
    [here, count, size, start, end] = [u64(24), u64(32), u64(40), u64(48), record];
  }
  if (disk !== 0 || firstDisk !== 0 || here !== count)
    throw new ParseError(
      `${withArticle(kind)} file, at byte ${end}, that is a part of a ZIP archive only`,
    );
  if (start + size !== end)
    throw new ParseError(
      `${withArticle(kind)} file whose ZIP directory has bytes ${start} to ${start + size}, and not up to its end record at ${end}`,
    );
  return { count, start, end };
}

/**
 * @param {Uint8Array} bytes
 * @param {DataView} view
 * @param {number} at of an entry of the directory
 * @param {number} end of the directory
 * @returns {{ entry: Entry, next: number }}
 */
function readCentralEntry(bytes, view, at, end) {
  if (at + CENTRAL_SIZE > end || view.getUint32(at, true) !== CENTRAL)
    throw new ParseError(`a ZIP directory that is broken at byte ${at}`);
  const u16 = (/** @type {number} */ from) => view.getUint16(at + from, true);
  const u32 = (/** @type {number} */ from) => view.getUint32(at + from, true);
  const [nameEnd, extra, comment] = [at + CENTRAL_SIZE + u16(28), u16(30), u16(32)];
  const next = nameEnd + extra + comment;
  if (next > end) throw new ParseError(`a ZIP directory that is broken at byte ${at}`);
  const rawName = bytes.subarray(at + CENTRAL_SIZE, nameEnd);
  const [flags, method] = [u16(8), u16(10)];
  const name = decodeName(rawName, flags, at);
  const quoted = JSON.stringify(name).slice(0, 80);
  const [size, packed, local] = resolveZip64(view, nameEnd, extra, [u32(24), u32(20), u32(42)]);
  if (flags & IS_ENCRYPTED)
    throw new ParseError(`${quoted} is encrypted (ZIP directory, byte ${at})`);
  if (method !== STORED && method !== DEFLATED)
    throw new ParseError(
      `${quoted} is compressed by method ${method}, not by deflate (byte ${at})`,
    );
  if (u16(34) !== 0)
    throw new ParseError(`${quoted} is in another part of the archive (byte ${at})`);
  const fits = method === STORED ? size === packed : size <= BEST_RATIO * packed;
  if (![size, packed, local].every(Number.isSafeInteger) || !fits)
    throw new ParseError(
      `${quoted} cannot have ${size} bytes in ${packed} (ZIP directory, byte ${at})`,
    );
  return {
    entry: { name, quoted, flags, method, crc: u32(16), packed, size, local, rawName },
    next,
  };
}

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

// --- CRC-32, eight bytes at a time: M. E. Kounavis and F. L. Berry, "Novel Table Lookup-Based Algorithms for
// High-Performance CRC Generation" (2008) ---

/** @type {Int32Array[]} made when first needed */
let crcTables = [];

function buildCrcTables() {
  crcTables = Array.from({ length: 8 }, () => new Int32Array(256));
  for (let n = 0; n < 256; n++) {
    let c = n;
    for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    crcTables[0][n] = c;
  }
  for (let t = 1; t < 8; t++)
    crcTables[t].forEach((_, n) => {
      const c = crcTables[t - 1][n];
      crcTables[t][n] = crcTables[0][c & 255] ^ (c >>> 8);
    });
}

/** @param {Uint8Array} bytes @returns {number} CRC-32 as ZIP has it */
export function crc32(bytes) {
  if (crcTables.length === 0) buildCrcTables();
  const [t0, t1, t2, t3, t4, t5, t6, t7] = crcTables;
  let c = -1;
  let at = 0;
  for (; at + 8 <= bytes.length; at += 8)
    c =
      t7[(c ^ bytes[at]) & 255] ^
      t6[((c >>> 8) ^ bytes[at + 1]) & 255] ^
      t5[((c >>> 16) ^ bytes[at + 2]) & 255] ^
      t4[(c >>> 24) ^ bytes[at + 3]] ^
      t3[bytes[at + 4]] ^
      t2[bytes[at + 5]] ^
      t1[bytes[at + 6]] ^
      t0[bytes[at + 7]];
  for (; at < bytes.length; at++) c = t0[(c ^ bytes[at]) & 255] ^ (c >>> 8);
  return (c ^ -1) >>> 0;
}

/**
 * @param {Uint8Array} bytes a whole file
 * @param {string} kind of file, for errors
 * @returns {Promise<{ name: string, data: Uint8Array }[]>} in the directory's order; stored ones are parts of `bytes`
 */
export async function readZip(bytes, kind) {
  const view = viewOf(bytes);
  const { count, start, end } = readEndRecord(view, kind);
  /** @type {Entry[]} */
  const entries = [];
  let at = start;
  while (at < end) {
    if (entries.length === count)
      throw new ParseError(
        `a ZIP directory of more than the ${count} entries that it states, at byte ${at}`,
      );
    const { entry, next } = readCentralEntry(bytes, view, at, end);
    entries.push(entry);
    at = next;
  }
  if (entries.length !== count)
    throw new ParseError(
      `a ZIP directory of ${entries.length} entries that states ${count}, at byte ${end}`,
    );
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
