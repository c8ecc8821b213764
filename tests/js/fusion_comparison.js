// A program as emitted code and by the reference evaluator: what is different.
import { randomNumbers } from './random_program.js';

/** How far results may be apart in a program with sums, relative to 1 and to the value. */
const tolerances = { f32: 2e-4, f64: 1e-10, bf16: 0.3, f16: 0.05, c64: 2e-4, c128: 1e-10 };

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

/** @param {number[][]} [alike] results of inputs that differ in their last bits: as far apart the results may be, too */
export function difference(got, want, tolerance, alike = []) {
  const floating = /^(f|bf|c)/.test(want.type);
  const x = numbersOf(got),
    y = numbersOf(want);
  for (let i = 0; i < y.length; i++) {
    if (Object.is(x[i], y[i]) || (floating && x[i] !== x[i] && y[i] !== y[i])) continue;
    const allowed = tolerance * (tolerances[want.type] ?? 0) * (1 + Math.abs(Number(y[i])));
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
 * @param {number} tolerance see compareWays
 * @param {any[]} inputs of the program
 * @param {(inputs: any[]) => ArrayLike<number>[]} run gives what the oracle makes of others
 */
export function wrongResult(got, want, tolerance, inputs, run) {
  const compare = (alike = []) => {
    const others = (i) => alike.map((results) => results[i]);
    const found = want.map((x, i) => difference(got[i], x, tolerance, others(i)));
    const at = found.findIndex((x) => x !== undefined);
    return at < 0 ? undefined : `result ${at}, ${found[at]}`;
  };
  const wrong = compare();
  if (!wrong || tolerance === 0) return wrong;
  // Sums of sums may cancel: what such a program makes of roundings shows in what it makes of its inputs'.
  const random = randomNumbers(1);
  return compare(Array.from({ length: NEARBY }, () => run(inputs.map((x) => nearby(x, random)))));
}

/**
 * Runs a program both ways; says whether code was made, and what is wrong.
 * @param {number} tolerance 0: all bits agree, NaNs aside; 1: as programs with sums may differ
 */
export async function compareWays(hlo, text, inputs, tolerance) {
  const kept = [];
  const keep = (object) => (kept.push(object), object);
  const arraysOf = (inputs) =>
    inputs.map(({ type, dims, data }) => keep(hlo.array(data, { type, shape: dims })));
  try {
    const module = keep(hlo.parse(text));
    const emitted = keep(module.compile({ optimize: false }));
    const isReady = await emitted.ready;
    const reference = keep(module.compile({ reference: true }));
    const arrays = arraysOf(inputs);
    const want = reference.run(arrays).map(keep);
    const got = emitted.run(arrays).map(keep);
    const run = (inputs) => reference.run(arraysOf(inputs)).map((x) => numbersOf(keep(x)));
    return { isReady, wrong: wrongResult(got, want, tolerance, inputs, run) };
  } finally {
    for (const object of kept.reverse()) object.dispose();
  }
}
