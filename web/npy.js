// NumPy's .npy files: one array each. Format: numpy.lib.format's documentation, versions 1.0, 2.0 and 3.0.
// Reads and writes element type, dims and bytes in row-major order.
import { ParseError } from './errors.js';

const MAGIC = '\x93NUMPY';

/** NumPy's type codes, and those of ml_dtypes, which NumPy writes as opaque bytes ("V") or by name. */
const typeOfCode = new Map([
  ['b1', 'pred'],
  ['i1', 's8'],
  ['i2', 's16'],
  ['i4', 's32'],
  ['i8', 's64'],
  ['u1', 'u8'],
  ['u2', 'u16'],
  ['u4', 'u32'],
  ['u8', 'u64'],
  ['f2', 'f16'],
  ['f4', 'f32'],
  ['f8', 'f64'],
  ['c8', 'c64'],
  ['c16', 'c128'],
  ['V2', 'bf16'],
]);
const codeOfType = new Map([...typeOfCode].map(([code, type]) => [type, code]));

// --- the header: a Python dictionary with the keys descr, fortran_order and shape, in any order ---

// A token and the white space around it. Strings hold no escapes: no type that is read has any.
const TOKEN =
  /[ \t\n\r\f]*(?:'(?<single>[^'\\\n]*)'|"(?<double>[^"\\\n]*)"|(?<number>(?:0+|[1-9](?:_?[0-9])*)L?(?![\w.]))|(?<word>True|False)\b|(?<mark>[{}()[\],:]))[ \t\n\r\f]*/y;

/** Tokenises and parses the header; `offset` is its position in the file. */
class HeaderReader {
  /** @param {string} text one character for each byte @param {number} offset */
  constructor(text, offset) {
    this.text = text;
    this.offset = offset;
    this.at = 0;
  }

  /** @param {string} what @returns {never} */
  fail(what) {
    const here = JSON.stringify(this.text.slice(this.at, this.at + 20));
    throw new ParseError(
      `a .npy header with ${what} at byte ${this.offset + this.at}: ${here}`.slice(0, 200),
    );
  }

  /** @param {string} kind of token @param {string} what to expect, for errors @returns {string} */
  consume(kind, what) {
    const token = this.peek();
    const text =
      kind === 'string' ? (token?.single ?? token?.double) : token?.[/** @type {any} */ (kind)];
    if (text === undefined) this.fail(`no ${what}`);
    this.at = TOKEN.lastIndex;
    return /** @type {string} */ (text);
  }

  /** @returns {Record<string, string | undefined> | undefined} the next token's groups */
  peek() {
    TOKEN.lastIndex = this.at;
    return TOKEN.exec(this.text)?.groups;
  }

  /** @param {string} mark @returns {boolean} whether it was next, and was consumed */
  accept(mark) {
    if (this.peek()?.mark !== mark) return false;
    this.at = TOKEN.lastIndex;
    return true;
  }

  /** @param {string} mark */
  expect(mark) {
    if (!this.accept(mark)) this.fail(`no "${mark}"`);
  }

  /** @returns {string} */
  descr() {
    if (this.peek()?.mark === '[') this.fail('a structured type, which is no element type,');
    return this.consume('string', 'type in quotes');
  }

  /** @returns {number[]} "()", "(3,)", "(3, 4)" or "(3, 4,)"; "(3)" is a number in Python */
  shape() {
    this.expect('(');
    /** @type {number[]} */
    const dims = [];
    while (!this.accept(')')) {
      const from = this.at;
      const dim = Number(this.consume('number', 'size').replace(/_|L$/g, ''));
      if (!Number.isSafeInteger(dim)) {
        this.at = from;
        this.fail('a size that is too large');
      }
      dims.push(dim);
      const more = this.accept(',');
      if (!more && (dims.length === 1 || this.peek()?.mark !== ')')) this.fail('no ","');
    }
    return dims;
  }

  /** @returns {{ descr: string, fortran_order: boolean, shape: number[] }} */
  header() {
    /** @type {Map<string, any>} */
    const fields = new Map();
    const readers = new Map(
      Object.entries({
        descr: () => this.descr(),
        fortran_order: () => this.consume('word', 'True or False') === 'True',
        shape: () => this.shape(),
      }),
    );
    this.expect('{');
    while (!this.accept('}')) {
      const from = this.at;
      const key = this.consume('string', 'key');
      const reader = readers.get(key);
      if (!reader || fields.has(key)) {
        this.at = from;
        this.fail(reader ? 'a key that came before' : 'an unknown key');
      }
      this.expect(':');
      fields.set(key, /** @type {() => any} */ (reader)());
      if (!this.accept(',') && this.peek()?.mark !== '}') this.fail('no "," or "}"');
    }
    for (const key of readers.keys()) if (!fields.has(key)) this.fail(`no '${key}' up to its end`);
    if (this.at !== this.text.length) this.fail('something after it');
    return /** @type {any} */ (Object.fromEntries(fields));
  }
}

// --- files ---

/** @param {Uint8Array} bytes @returns {{ start: number, end: number }} of the header */
function locateHeader(bytes) {
  const magic = [...MAGIC].every((c, i) => bytes[i] === c.charCodeAt(0));
  if (!magic) throw new ParseError('not a .npy file: it does not start with \\x93NUMPY');
  const [major, minor] = [bytes[6], bytes[7]];
  const short = 'a .npy file that ends in its header';
  if (minor === undefined) throw new ParseError(`${short}, at byte ${bytes.length}`);
  if (major < 1 || major > 3 || minor !== 0)
    throw new ParseError(`a .npy file of version ${major}.${minor}, at byte 6: 1.0 to 3.0 exist`);
  const start = major === 1 ? 10 : 12; // versions 2 and 3 have a 32-bit header length
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < start) throw new ParseError(`${short}, at byte ${bytes.length}`);
  const length = major === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  if (bytes.length - start < length)
    throw new ParseError(`${short}: ${bytes.length - start} of ${length} bytes from byte ${start}`);
  return { start, end: start + length };
}

/**
 * @param {Uint8Array} bytes a whole file
 * @returns {{ type: string, dims: number[], fortranOrder: boolean, data: Uint8Array }} data as it lies in the file,
 *   little-endian: a part of `bytes` unless something had to change
 */
export function readNpy(bytes) {
  const { start, end } = locateHeader(bytes);
  // Latin-1, so that places are bytes; no name that version 3 writes in UTF-8 is read.
  const text = new TextDecoder('latin1').decode(bytes.subarray(start, end));
  const {
    descr,
    fortran_order: fortranOrder,
    shape: dims,
  } = new HeaderReader(text, start).header();
  const [, order = '', code = ''] =
    /^([<>|=]?)([A-Za-z]\d+)$/.exec(descr === '?' ? 'b1' : descr) ?? [];
  const type = typeOfCode.get(code);
  if (!type)
    throw new ParseError(
      `a .npy file of NumPy type ${descr.slice(0, 40)}, which no element type corresponds to`,
    );
  const size = Number(code.slice(1));
  const length = dims.reduce((product, dim) => product * dim, size);
  if (bytes.length - end !== length)
    throw new ParseError(
      `a .npy file with ${bytes.length - end} bytes of elements from byte ${end}, where ${code}[${dims.slice(0, 20)}] takes ${length}`,
    );
  const data = bytes.subarray(end);
  if (order === '>' && size > 1)
    return {
      type,
      dims,
      fortranOrder,
      data: withBytesReversed(data, code[0] === 'c' ? size / 2 : size),
    };
  return { type, dims, fortranOrder, data: type === 'pred' ? asBooleans(data) : data };
}

/** @param {Uint8Array} data @param {number} size @returns {Uint8Array} with each element's bytes reversed */
function withBytesReversed(data, size) {
  const copy = Uint8Array.from(data);
  for (let at = 0; at < copy.length; at += size) copy.subarray(at, at + size).reverse();
  return copy;
}

/**
 * Normalises booleans to 0 and 1: NumPy reads any other byte as true.
 * @param {Uint8Array} data
 * @returns {Uint8Array} data itself where it has no others
 */
export function asBooleans(data) {
  return data.every((byte) => byte <= 1) ? data : data.map((byte) => (byte ? 1 : 0));
}

/**
 * @param {string} type
 * @param {number[]} dims
 * @param {Uint8Array} data row-major, little-endian
 * @returns {Uint8Array} a whole file
 */
export function writeNpy(type, dims, data) {
  const code = codeOfType.get(type);
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
