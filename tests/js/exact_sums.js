// Exact sums, and what tests of summation compare with them: types, values, ways to run a program. Knows no test.
import { load } from '../../web/index.js';
import { randomNumbers } from './random_program.js';

export const engines = { 'the best build': await load(), simd: await load({ build: 'simd' }) };

/** Units of rounding of a type, and how many of them errors may have: of a sum of magnitudes. */
export const bounds = {
  f32: [2 ** -24, 32],
  f64: [2 ** -53, 32],
  bf16: [2 ** -9, 32],
  f16: [2 ** -11, 32],
};
export const ways = {
  reference: { reference: true },
  'as written': { optimize: false },
  optimised: {},
};

/** The oracle applies a function that is more than an operation, and a scatter's, element after element. */
export const compiledWays = Object.keys(ways).filter((way) => way !== 'reference');

export const random = randomNumbers(40);
export const values = {
  'in [100, 101]': () => Math.fround(100 + random()),
  '0.1f': () => Math.fround(0.1),
  '3.3f': () => Math.fround(3.3),
};

/** A sum that is exact but for its last bits (Neumaier's), and that of magnitudes. */
export class Exact {
  high = 0;
  low = 0;
  size = 0;
  add(x) {
    const sum = this.high + x;
    this.low += Math.abs(this.high) >= Math.abs(x) ? this.high - sum + x : x - sum + this.high;
    this.high = sum;
    this.size += Math.abs(x);
  }
}

/** Exact sums of row-major elements, over axes. */
export function sumsOver(data, dims, axes, f) {
  const steps = dims.map(() => 0);
  let results = 1;
  for (let d = dims.length - 1; d >= 0; d--) {
    if (axes.includes(d)) continue;
    steps[d] = results;
    results *= dims[d];
  }
  const sums = Array.from({ length: results }, () => new Exact()),
    index = dims.map(() => 0);
  for (let i = 0, at = 0; i < data.length; i++) {
    sums[at].add(f(data[i]));
    for (let d = dims.length - 1; d >= 0; d--) {
      at += steps[d];
      if (++index[d] < dims[d]) break;
      at -= steps[d] * dims[d];
      index[d] = 0;
    }
  }
  return sums;
}

/** The greatest error, in units of rounding of the sum of magnitudes. */
export function worstError(got, sums, unit) {
  let worst = 0;
  for (const [i, { high, low, size }] of sums.entries())
    worst = Math.max(worst, Math.abs(got[i] - high - low) / size / unit);
  return worst;
}

/** Runs a program every way that is named. */
export async function runEach(hlo, text, inputs, names, check) {
  const program = hlo.parse(text);
  for (const name of names) {
    const executable = program.compile(ways[name]);
    await executable.ready;
    const results = executable.run(inputs);
    check(name, results);
    for (const made of [...results, executable]) made.dispose();
  }
  program.dispose();
}

/** The layout with the first dimension fastest. */
export const backwards = (dims) => (dims.length > 1 ? `{${dims.map((_, d) => d)}}` : '');

export const add = (type) =>
  `add { a = ${type}[] parameter(0) b = ${type}[] parameter(1) ROOT r = ${type}[] add(a, b) }`;
