// Makes the engine's module work on shared memory: one with the same code whose memory is imported, and the bytes that it
// expects there. Every thread then is an instance of it. So threads need no build of their own, which would double
// the package. Must not know threads.
import { HloError } from './errors.js';

const HEADER = 8;
const sections = { import: 2, memory: 5, data: 11, dataCount: 12 };
const SHARED_WITH_MAXIMUM = 3;
const HAS_MAXIMUM = 1;

class Reader {
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
 * @property {number} pages that the memory has at least at first
 * @property {number} mostPages
 * @property {{ at: number, bytes: Uint8Array }[]} data to be put into it once, before anything is called
 */

/**
 * @param {Uint8Array} bytes a module without imports, with one memory that has a maximum
 * @returns {SharedModule}
 */
export function shareMemory(bytes) {
  const reader = new Reader(bytes, HEADER);
  /** @type {(Uint8Array | number[])[]} */
  const kept = [bytes.subarray(0, HEADER)];
  /** @type {{ at: number, bytes: Uint8Array }[]} */
  let data = [];
  let pages = 0;
  let mostPages = 0;
  while (reader.at < bytes.length) {
    const start = reader.at;
    const number = reader.number();
    const content = reader.counted();
    if (number === sections.memory) {
      const [, flags, ...limits] = content;
      const limit = new Reader(Uint8Array.from(limits));
      if (flags !== HAS_MAXIMUM) throw new HloError("the module's memory has no maximum");
      pages = limit.number();
      mostPages = limit.number();
    } else if (number === sections.data) data = segmentsIn(content);
    else if (number !== sections.dataCount) kept.push(bytes.subarray(start, reader.at));
  }
  const imported = [...encoded(pages), ...encoded(mostPages)];
  const name = [1, 0x65, 1, 0x6d]; // "e" "m"
  const imports = section(sections.import, [1, ...name, 2, SHARED_WITH_MAXIMUM, ...imported]);
  // Behind the types, which come first.
  kept.splice(2, 0, imports);
  return { bytes: concatenate(kept), pages, mostPages, data };
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
