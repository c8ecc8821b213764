// The parts of MLIR's bytecode ("MLIR Bytecode Format"), to make files that no writer writes yet of files that are there.

/** A number as bytecode has it: zeros at the end of the first byte say how many follow. @param {number} n @returns {number[]} */
export function number(n) {
  let more = 0;
  while (n >= 2 ** (7 * (more + 1))) more++;
  const value = ((BigInt(n) << 1n) | 1n) << BigInt(more);
  return Array.from({ length: more + 1 }, (_, i) => Number((value >> BigInt(8 * i)) & 255n));
}

/** @param {Uint8Array} bytes @param {number} at */
function reader(bytes, at) {
  const next = () => {
    const first = bytes[at];
    const more = first === 0 ? 8 : Math.clz32(first & -first) ^ 31;
    let value = 0n;
    for (let i = more; i >= 0; i--) value = (value << 8n) | BigInt(bytes[at + i]);
    at += more + 1;
    return Number(more === 8 ? value >> 8n : value >> BigInt(more + 1));
  };
  return { next, at: () => at, skip: (/** @type {number} */ count) => (at += count) };
}

/**
 * @param {Uint8Array} bytes an artifact
 * @returns {{ head: Uint8Array, sections: Map<number, { alignment: number, bytes: Uint8Array }> }}
 */
export function partsOf(bytes) {
  const in_ = reader(bytes, 4);
  in_.next();
  while (bytes[in_.at()] !== 0) in_.skip(1);
  in_.skip(1);
  const head = bytes.slice(0, in_.at());
  const sections = new Map();
  while (in_.at() < bytes.length) {
    const id = bytes[in_.at()];
    in_.skip(1);
    const length = in_.next();
    const alignment = id & 128 ? in_.next() : 1;
    while (in_.at() % alignment !== 0) in_.skip(1);
    sections.set(id & 127, { alignment, bytes: bytes.slice(in_.at(), in_.at() + length) });
    in_.skip(length);
  }
  return { head, sections };
}

/** @param {ReturnType<typeof partsOf>} parts @returns {Uint8Array} */
export function join({ head, sections }) {
  const out = [...head];
  for (const [id, { alignment, bytes }] of sections) {
    out.push(alignment > 1 ? id | 128 : id, ...number(bytes.length));
    if (alignment > 1) out.push(...number(alignment));
    while (out.length % alignment !== 0) out.push(0xcb);
    for (const byte of bytes) out.push(byte);
  }
  return new Uint8Array(out);
}

/**
 * Where attributes and types lie in section 2.
 * @param {ReturnType<typeof partsOf>} parts
 * @returns {{ at: number, size: number, isCustom: boolean, isType: boolean }[]}
 */
export function valuesOf({ sections }) {
  const { bytes } = sections.get(3);
  const in_ = reader(bytes, 0);
  const counts = [in_.next(), in_.next()];
  const values = [];
  let at = 0;
  for (const [kind, count] of counts.entries())
    for (let left = count; left > 0;) {
      in_.next(); // the dialect
      const group = in_.next();
      left -= group;
      for (let i = 0; i < group; i++) {
        const coded = in_.next();
        values.push({ at, size: coded >> 1, isCustom: (coded & 1) === 1, isType: kind === 1 });
        at += coded >> 1;
      }
    }
  return values;
}

/** The encoded properties of operations. @param {ReturnType<typeof partsOf>} parts @returns {Uint8Array[]} */
export function propertiesOf({ sections }) {
  const { bytes } = sections.get(8);
  const in_ = reader(bytes, 0);
  return Array.from({ length: in_.next() }, () => {
    const length = in_.next();
    in_.skip(length);
    return bytes.slice(in_.at() - length, in_.at());
  });
}

/** @param {ReturnType<typeof partsOf>} parts @param {Uint8Array[]} list */
export function setProperties({ sections }, list) {
  const bytes = [...number(list.length), ...list.flatMap((p) => [...number(p.length), ...p])];
  sections.set(8, { alignment: 1, bytes: new Uint8Array(bytes) });
}

/** How many numbers the bytes are. @param {Uint8Array} bytes */
export function countNumbers(bytes) {
  const in_ = reader(bytes, 0);
  let count = 0;
  for (; in_.at() < bytes.length; count++) in_.next();
  return count;
}

/** A copy with a text of the same length in the place of another. @param {Uint8Array} bytes @param {string} from @param {string} to */
export function renamed(bytes, from, to) {
  const text = Buffer.from(bytes).toString('latin1').replaceAll(from, to);
  return new Uint8Array(Buffer.from(text, 'latin1'));
}
