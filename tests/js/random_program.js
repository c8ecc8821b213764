// What generators of random programs have in common: a source of choices, element types and where their elements are kept,
// lines with numbered names, and computations of two scalars.

/** A generator of numbers from 0 to 1: mulberry32. */
export function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export const isComplex = (type) => type[0] === 'c';
export const isFloat = (type) => /^(f|bf)/.test(type);
export const isInteger = (type) => /^[su]\d/.test(type);
export const bitsOf = (type) => (type === 'pred' ? 1 : Number(/\d+/.exec(type)[0]));
export const elementsOf = (dims) => dims.reduce((a, b) => a * b, 1);
export const shapeText = ({ type, dims, layout = '' }) => `${type}[${dims}]${layout}`;

const storages = {
  pred: Uint8Array,
  s8: Int8Array,
  u8: Uint8Array,
  s16: Int16Array,
  u16: Uint16Array,
  s32: Int32Array,
  u32: Uint32Array,
  s64: BigInt64Array,
  u64: BigUint64Array,
  bf16: Uint16Array,
  f16: Uint16Array,
  f32: Float32Array,
  f64: Float64Array,
  c64: Float32Array,
  c128: Float64Array,
};

/** The typed array that an array of the type is made from; those of fewer bits than 8 have a byte an element. */
export const storageOf = (type) => storages[type] ?? (type[0] === 's' ? Int8Array : Uint8Array);

/** An input of a program, its elements, or their parts, by a function. */
export function randomInput(type, dims, element) {
  const length = elementsOf(dims) * (isComplex(type) ? 2 : 1);
  return { type, dims, data: storageOf(type).from({ length }, element) };
}

export class RandomProgram {
  lines = [];
  computations = new Map(); // texts by name
  inputs = [];
  /** @type {import('./program_comparison.js').Sums | undefined} */
  sums = undefined; // of numbers that are rounded
  count = 0; // of names

  constructor(seed) {
    this.random = randomNumbers(seed);
  }
  below(n) {
    return Math.floor(this.random() * n);
  }
  pick(list) {
    return list[this.below(list.length)];
  }
  shuffled(list) {
    const out = [...list];
    for (let i = out.length; i-- > 1;) {
      const j = this.below(i + 1);
      [out[i], out[j]] = [out[j], out[i]];
    }
    return out;
  }
  /** An element of an input: any integer of up to 32 bits, below 2 ** 40, or a float between -4 and 4. */
  element(type) {
    if (isFloat(type)) return this.random() * 8 - 4;
    if (bitsOf(type) === 64) return BigInt(Math.floor(this.random() * 2 ** 40));
    return Math.floor(this.random() * 2 ** bitsOf(type));
  }
  name(prefix = 'v') {
    return `${prefix}${this.count++}`;
  }
  /** Appends an instruction. @returns the value that it defines */
  add(type, dims, operation, layout = '') {
    const value = { name: this.name(), type, dims, layout };
    this.lines.push(`  ${value.name} = ${shapeText(value)} ${operation}`);
    return value;
  }
  /**
   * The program whose text `text` writes.
   * @returns {import('./program_comparison.js').Program}
   */
  make() {
    const text = this.text();
    return { text, inputs: this.inputs, sums: this.sums };
  }
  /** The name of a computation of two scalars, for reductions and the like. */
  combiner(op, type) {
    const name = `${op.replaceAll('-', '_')}_${type}`;
    const parameters = `  a = ${type}[] parameter(0)\n  b = ${type}[] parameter(1)`;
    this.computations.set(name, `${name} {\n${parameters}\n  ROOT r = ${type}[] ${op}(a, b)\n}\n`);
    return name;
  }
}
