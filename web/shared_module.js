// Rewrites the engine's modules for shared memory: the same code with an imported, shared memory, and the data segments apart.
// Every thread is an instance of them. So threads need no build of their own, which would double the package.
import { HloError } from './errors.js';

const HEADER = 8;
const sections = { import: 2, memory: 5, data: 11, dataCount: 12 };
const SHARED = 2; // flags of a memory
const HAS_MAXIMUM = 1;
const kinds = { function: 0, table: 1, memory: 2, global: 3 };

/** Reads the binary format of a module. */
export class Reader {
  /** @param {Uint8Array} bytes @param {number} [at] */
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  /** @returns {number} a number of 32 bits, 7 of them in each byte, the lowest first */
  number() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.bytes[this.at++];
      if (byte === undefined)
        throw new HloError("the module is not the engine's: it ends too soon");
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
  }

  /** @returns {Uint8Array} the next bytes, with their number in front of them */
  counted() {
    const length = this.number();
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
}

/** @param {number} value @returns {number[]} as number() reads it */
function encoded(value) {
  return value < 128 ? [value] : [(value & 127) | 128, ...encoded(value >>> 7)];
}

/** @param {number} number @param {number[]} content @returns {number[]} */
const section = (number, content) => [number, ...encoded(content.length), ...content];

/** @param {Uint8Array} content of a data section @returns {{ at: number, bytes: Uint8Array }[]} */
function segmentsIn(content) {
  const reader = new Reader(content);
  return Array.from({ length: reader.number() }, () => {
    // In memory 0, at a constant: i32.const n end.
    const form = [reader.number(), reader.bytes[reader.at++]];
    const at = reader.number();
    if (form[0] !== 0 || form[1] !== 0x41 || reader.bytes[reader.at++] !== 0x0b)
      throw new HloError('the module has data of a form that its linker did not make');
    return { at, bytes: reader.counted() };
  });
}

/**
 * @typedef {object} SharedModule
 * @property {Uint8Array<ArrayBuffer>} bytes of a module that imports "e" "m", a shared memory
 * @property {number} pages initial size of the memory
 * @property {{ at: number, bytes: Uint8Array }[]} data segments, to be written once, before the first call
 */

/**
 * @param {Uint8Array} bytes a module that imports functions, with one memory that has a maximum
 * @returns {SharedModule}
 */
export function shareMemory(bytes) {
  const reader = new Reader(bytes, HEADER);
  /** @type {(Uint8Array | number[])[]} */
  const kept = [bytes.subarray(0, HEADER)];
  /** @type {{ at: number, bytes: Uint8Array }[]} */
  let data = [];
  /** @type {Uint8Array} */
  let imports = new Uint8Array();
  let place = 0;
  let pages = 0;
  let mostPages = 0;
  while (reader.at < bytes.length) {
    const start = reader.at;
    const number = reader.number();
    const content = reader.counted();
    if (number === sections.memory) {
      const limit = new Reader(content, 2); // after the number of memories and the flags
      if (content[1] !== HAS_MAXIMUM) throw new HloError("the module's memory has no maximum");
      pages = limit.number();
      mostPages = limit.number();
    } else if (number === sections.import) {
      imports = content;
      place = kept.push([]) - 1;
    } else if (number === sections.data) data = segmentsIn(content);
    else if (number !== sections.dataCount) kept.push(bytes.subarray(start, reader.at));
  }
  const others = new Reader(imports);
  const count = others.number() + 1;
  const name = [1, 0x65, 1, 0x6d]; // "e" "m"
  const limits = [SHARED | HAS_MAXIMUM, ...encoded(pages), ...encoded(mostPages)];
  const added = [...encoded(count), ...name, kinds.memory, ...limits];
  kept[place] = section(sections.import, [...added, ...imports.subarray(others.at)]);
  return { bytes: concatenate(kept), pages, data };
}

/**
 * Makes the memory that a module imports shared.
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function shareImportedMemory(bytes) {
  const changed = bytes.slice();
  const reader = new Reader(bytes, HEADER);
  while (reader.number() !== sections.import) reader.counted();
  reader.number(); // its length
  for (let left = reader.number(); left > 0; left--) {
    reader.counted();
    reader.counted();
    const kind = reader.bytes[reader.at++];
    if (kind === kinds.memory) {
      changed[reader.at] |= SHARED;
      return changed;
    }
    if (kind === kinds.function) reader.number();
    else reader.at += kind === kinds.global ? 2 : tableLength(reader);
  }
  throw new HloError('the module imports no memory');
}

/** @param {Reader} reader before a table's type @returns {number} how many bytes long that is */
function tableLength({ bytes, at }) {
  const limits = new Reader(bytes, at + 2);
  limits.number();
  if (bytes[at + 1] & HAS_MAXIMUM) limits.number();
  return limits.at - at;
}

/** @param {(Uint8Array | number[])[]} parts @returns {Uint8Array<ArrayBuffer>} */
function concatenate(parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
