// A program as emitted code and by the oracle: what is different.
import { randomNumbers } from './random_program.js';

/**
 * @typedef {object} Sums by the order of which results may differ
 * @property {number} terms of the longest one, each of which may be rounded
 * @property {number} roundings of results one after the other, of sums and of what is made of them: each may turn out the other way
 */

/** @type {Record<string, number>} */
const roundoffs = {
  f32: 2 ** -24,
  f64: 2 ** -53,
  bf16: 2 ** -9,
  f16: 2 ** -11,
  c64: 2 ** -24,
  c128: 2 ** -53,
};

const LARGEST_ERROR = 160; // in units of roundoff, of a sum of however many terms: docs/numerics.md

/** How far results may be apart, relative to 1 and to the value. */
function toleranceOf(type, sums) {
  if (!sums || !roundoffs[type]) return 0;
  return roundoffs[type] * (Math.min(sums.terms, LARGEST_ERROR) + 2 * sums.roundings);
}

/** Elements as numbers. */
export function numbersOf(array) {
  if (array.type === 'bf16')
    return Float32Array.from(
      array.toTypedArray(),
      (bits) => new Float32Array(Uint32Array.of(bits << 16).buffer)[0],
    );
  if (/^f(16|8|4)/.test(array.type)) return Float32Array.from([array.toNested()].flat(Infinity));
  return array.toTypedArray();
}

/**
 * The first element that differs: in its bits, unless both are NaN, or by more than sums of so many terms may.
 * @param {Sums} [sums]
 * @param {number[][]} [alike] results of inputs that differ in their last bits: as far apart the results may be, too
 */
export function difference(got, want, sums, alike = []) {
  const floating = /^(f|bf|c)/.test(want.type);
  const x = numbersOf(got),
    y = numbersOf(want);
  const tolerance = toleranceOf(want.type, sums);
  for (let i = 0; i < y.length; i++) {
    if (Object.is(x[i], y[i]) || (floating && x[i] !== x[i] && y[i] !== y[i])) continue;
    const allowed = tolerance * (1 + Math.abs(Number(y[i])));
    const isNear = (most) => most > 0 && most < Infinity && Math.abs(x[i] - y[i]) <= most;
    if (isNear(allowed)) continue;
    if (isNear(SPREADS * Math.max(0, ...alike.map((z) => Math.abs(z[i] - y[i]))))) continue;
    return `element ${i} of ${y.length}: ${x[i]}, not ${y[i]}`;
  }
}

const SPREADS = 16; // roundings of sums, which have other orders, beside those of inputs
const NEARBY = 4; // inputs that are tried

/** The same elements but for their last bits. */
function nearby({ type, dims, data }, random) {
  if (data instanceof Uint16Array)
    return { type, dims, data: data.map((bits) => bits ^ (random() < 0.5 ? 1 : 0)) };
  const unit = { f32: 2 ** -22, c64: 2 ** -22, f64: 2 ** -51, c128: 2 ** -51, f16: 2 ** -10 }[type];
  if (unit === undefined) return { type, dims, data };
  return { type, dims, data: data.map((x) => x * (1 + unit * (2 * random() - 1))) };
}

/**
 * What is wrong with a program's results, if anything is.
 * @param {Sums | undefined} sums of the program
 * @param {any[]} inputs of the program
 * @param {(inputs: any[]) => ArrayLike<number>[]} run gives what the oracle makes of others
 */
function wrongResult(got, want, sums, inputs, run) {
  const compare = (alike = []) => {
    const others = (i) => alike.map((results) => results[i]);
    const found = want.map((x, i) => difference(got[i], x, sums, others(i)));
    const at = found.findIndex((x) => x !== undefined);
    return at < 0 ? undefined : `result ${at}, ${found[at]}`;
  };
  const wrong = compare();
  if (!wrong || !sums) return wrong;
  // Sums of sums may cancel: what such a program makes of roundings shows in what it makes of its inputs'.
  const random = randomNumbers(1);
  return compare(Array.from({ length: NEARBY }, () => run(inputs.map((x) => nearby(x, random)))));
}

/**
 * @typedef {object} Program
 * @property {string} text
 * @property {{ type: string, dims: number[], data: any }[]} inputs
 * @property {Sums} [sums] undefined: results agree bit by bit, NaNs aside
 */

/**
 * Runs a program with emitted code and by the oracle: says whether there was code, and what is wrong.
 * @param {Program} program
 * @param {{ optimize?: boolean, steps?: number, runs?: number }} [how] steps: it stops that often; 0: it runs at once
 */
export async function compareWays(hlo, { text, inputs, sums }, how = {}) {
  const { optimize = false, steps = 0, runs = 1 } = how;
  const kept = [];
  const keep = (object) => (kept.push(object), object);
  const arraysOf = (inputs) =>
    inputs.map(({ type, dims, data }) => keep(hlo.array(data, { type, shape: dims })));
  const bytesOf = (array) => new Uint8Array(array.toTypedArray().buffer);
  try {
    const module = keep(hlo.parse(text));
    const compiled = keep(module.compile({ optimize }));
    const isReady = await compiled.ready;
    const reference = keep(module.compile({ reference: true }));
    const arrays = arraysOf(inputs);
    const before = arrays.map(bytesOf);
    const want = reference.run(arrays).map(keep);
    const run = (inputs) => reference.run(arraysOf(inputs)).map((x) => numbersOf(keep(x)));
    let wrong;
    for (let i = 0; i < runs && !wrong; i++) {
      const results = steps ? await compiled.runAsync(arrays, { steps }) : compiled.run(arrays);
      wrong = wrongResult(results.map(keep), want, sums, inputs, run);
    }
    const changed = arrays.findIndex((array, i) =>
      bytesOf(array).some((byte, at) => byte !== before[i][at]),
    );
    if (changed >= 0) wrong = `argument ${changed} was written over`;
    return { isReady, wrong };
  } finally {
    for (const object of kept.reverse()) object.dispose();
  }
}
