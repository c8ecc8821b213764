// The directory of a ZIP archive: PKWARE's APPNOTE 6.3 (central directory, Zip64), and the names that it shares with the headers
// of entries.
import { ParseError } from './errors.js';
import { withArticle } from './options.js';

export const [LOCAL, CENTRAL, END] = [0x04034b50, 0x02014b50, 0x06054b50];
export const [LOCAL_SIZE, CENTRAL_SIZE, END_SIZE] = [30, 46, 22];
const [END_64, LOCATOR_64] = [0x06064b50, 0x07064b50];
const [END_64_SIZE, LOCATOR_64_SIZE] = [56, 20];
export const [STORED, DEFLATED] = [0, 8];
const [IS_UTF8, IS_ENCRYPTED] = [1 << 11, 1 | (1 << 6) | (1 << 13)];
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
export function resolveZip64(view, at, length, values) {
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
 * The directory: its entries, and where it starts.
 * @param {Uint8Array} bytes
 * @param {string} kind of file, for errors
 * @returns {{ entries: Entry[], start: number }}
 */
export function readDirectory(bytes, kind) {
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
  return { entries, start };
}
