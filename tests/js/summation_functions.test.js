// How far sums may be from exact ones (docs/numerics.md) where functions do more than add, updates are scattered, numbers are
// complex, and the NumPy layer asks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numpy } from '../../web/numpy/index.js';
import {
  add,
  backwards,
  bounds,
  compiledWays,
  engines,
  random,
  runEach,
  sumsOver,
  values,
  ways,
  worstError,
} from './exact_sums.js';

// --- functions that do more than add ---

const pair = (type, more = '') =>
  `f { a = ${type}[] parameter(0) b = ${type}[] parameter(1) x = ${type}[] parameter(2) y = ${type}[] parameter(3) ${more}
 s = ${type}[] add(a, x) `;

/**
 * Reductions and scatters by functions: what they are called with, whose results are sums of what a function makes of x, or of
 * no interest (null).
 */
const functions = {
  'two sums': {
    text: (type) =>
      `${pair(type)}t = ${type}[] add(y, b) ROOT r = (${type}[], ${type}[]) tuple(s, t) }`,
    operands: 'x, x, zero, zero',
    types: (type) => [type, type],
    terms: [(x) => x, (x) => x],
  },
  'a sum and one of squares': {
    text: (type) =>
      `${pair(type, `yy = ${type}[] multiply(y, y)`)}t = ${type}[] add(b, yy) ROOT r = (${type}[], ${type}[]) tuple(s, t) }`,
    operands: 'x, x, zero, zero',
    types: (type) => [type, type],
    terms: [(x) => x, (x) => x * x],
  },
  'a difference of doubles': {
    text: (type) =>
      `f { a = ${type}[] parameter(0) x = ${type}[] parameter(1) xx = ${type}[] add(x, x) ROOT r = ${type}[] subtract(a, xx) }`,
    operands: 'x, zero',
    types: (type) => [type],
    terms: [(x) => -2 * x],
  },
  'the place of the largest beside a sum': {
    text: (
      type,
    ) => `f { m = ${type}[] parameter(0) i = s32[] parameter(1) s = ${type}[] parameter(2)
  x = ${type}[] parameter(3) j = s32[] parameter(4) y = ${type}[] parameter(5)
  keeps = pred[] compare(m, x), direction=GE
  largest = ${type}[] select(keeps, m, x) place = s32[] select(keeps, i, j) sum = ${type}[] add(s, y)
  ROOT r = (${type}[], s32[], ${type}[]) tuple(largest, place, sum) }`,
    operands: 'x, places, x, lowest, none, zero',
    types: (type) => [type, 's32', type],
    terms: [null, null, (x) => x],
  },
  'a sum in a wider type, rounded': {
    text: (
      type,
    ) => `f { a = ${type}[] parameter(0) x = ${type}[] parameter(1) wa = f64[] convert(a) wx = f64[] convert(x)
  s = f64[] add(wa, wx) ROOT r = ${type}[] convert(s) }`,
    operands: 'x, zero',
    types: (type) => [type],
    terms: [(x) => x],
  },
};

for (const [build, hlo] of Object.entries(engines))
  test(`reductions by functions in which values only take in elements, ${build}`, async () => {
    for (const n of [1e5, 1e6])
      for (const [dims, axes] of [
        [[n], [0]],
        [[n / 50, 50], [0]],
        [
          [10, 20, n / 200],
          [0, 2],
        ],
      ])
        for (const [name, { text, operands, types, terms }] of Object.entries(functions)) {
          const out = dims.filter((_, d) => !axes.includes(d));
          const shapes = types('f32').map((type) => `${type}[${out}]`);
          const program = `HloModule sums
${text('f32')}
ENTRY main {
  x = f32[${dims}] parameter(0)
  places = s32[${dims}] iota(), iota_dimension=0
  zero = f32[] constant(0)
  lowest = f32[] constant(-inf)
  none = s32[] constant(0)
  ROOT r = ${shapes.length > 1 ? `(${shapes})` : shapes[0]} reduce(${operands}), dimensions={${axes}}, to_apply=f
}`;
          const data = Float32Array.from({ length: n }, values['3.3f']);
          const sums = terms.map((term) => term && sumsOver(data, dims, axes, term));
          const x = hlo.array(data, { shape: dims });
          // The oracle applies a function as it is written, which rounds at each step.
          const optimizing = Object.keys(ways).filter((way) => way !== 'reference');
          await runEach(hlo, program, [x], optimizing, (way, results) => {
            for (const [i, sum] of sums.entries()) {
              if (sum === null) continue;
              const error = worstError(results[i].toTypedArray(), sum, bounds.f32[0]);
              assert.ok(error <= 64, `${name} over {${axes}} of [${dims}], ${way}: ${error} units`);
            }
          });
          x.dispose();
        }
  });

test('sums of bf16 by way of f32 have the bits of sums of bf16', async () => {
  const hlo = engines.simd;
  const program = (line) => `HloModule sums
f { a = bf16[] parameter(0) x = bf16[] parameter(1) ${line} }
ENTRY main {
  p = f32[3000,7] parameter(0)
  x = bf16[3000,7] convert(p)
  zero = bf16[] constant(0)
  sums = bf16[7] reduce(x, zero), dimensions={0}, to_apply=f
  ROOT r = f32[7] convert(sums)
}`;
  const x = hlo.array(Float32Array.from({ length: 21000 }, random), { shape: [3000, 7] });
  const bits = [];
  for (const line of [
    'ROOT r = bf16[] add(a, x)',
    'wa = f32[] convert(a) wx = f32[] convert(x) s = f32[] add(wx, wa) ROOT r = bf16[] convert(s)',
  ])
    await runEach(hlo, program(line), [x], compiledWays, (_, [got]) => bits.push(got.toNested()));
  for (const other of bits) assert.deepEqual(other, bits[0]);
  x.dispose();
});

test('sums of many updates that are scattered into few elements', async () => {
  for (const [build, hlo] of Object.entries(engines))
    for (const type of ['f32', 'f64', 'c64'])
      for (const [rows, columns] of [
        [1, 1],
        [10, 1],
        [10, 10],
      ])
        for (const n of [1e5, 1e6]) {
          const count = n / columns,
            real = type === 'c64' ? 'f32' : type;
          const program = `HloModule sums
f { a = ${type}[] parameter(0) b = ${type}[] parameter(1) ROOT r = ${type}[] add(a, b) }
ENTRY main {
  x = ${real}[] parameter(0)
  all = ${real}[${count},${columns}] broadcast(x), dimensions={}
  updates = ${type}[${count},${columns}] convert(all)
  zero = ${type}[] constant(${type === 'c64' ? '(0, 0)' : 0})
  start = ${type}[${rows},${columns}] broadcast(zero), dimensions={}
  number = s32[${count},1] iota(), iota_dimension=0
  rows = s32[] constant(${rows})
  divisors = s32[${count},1] broadcast(rows), dimensions={}
  places = s32[${count},1] remainder(number, divisors)
  sums = ${type}[${rows},${columns}] scatter(start, places, updates), update_window_dims={1}, inserted_window_dims={0},
    scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=f
  ROOT r = ${real}[${rows},${columns}] ${type === 'c64' ? 'real' : 'copy'}(sums)
}`;
          const given = hlo.array([0.1], 'f32'),
            each = hlo.convert(given, real),
            x = hlo.reshape(each, []);
          const want = (Math.fround(0.1) * count) / rows,
            [unit] = bounds[real];
          await runEach(hlo, program, [x], compiledWays, (way, [got]) => {
            for (const sum of got.toTypedArray()) {
              const error = Math.abs(sum - want) / want / unit;
              assert.ok(
                error <= 256,
                `${type}[${rows},${columns}] of ${n}, ${way}, ${build}: ${error}`,
              );
            }
          });
          for (const made of [given, each, x]) made.dispose();
        }
});

// --- complex numbers, threads, means and variances ---

test('sums of complex numbers, in every layout', async () => {
  const n = 1e6;
  for (const [build, hlo] of Object.entries(engines))
    for (const [type, real] of [
      ['c64', 'f32'],
      ['c128', 'f64'],
    ])
      for (const [dims, axes] of [
        [[n], [0]],
        [[n / 5, 5], [0]],
        [[5, n / 5], [1]],
        [
          [10, 7, n / 100],
          [0, 2],
        ],
      ])
        for (const layout of new Set(['', backwards(dims)])) {
          const out = dims.filter((_, d) => !axes.includes(d));
          const program = `HloModule sums
${add(type)}
ENTRY main {
  re = ${real}[${dims}]${layout} parameter(0)
  im = ${real}[${dims}]${layout} negate(re)
  x = ${type}[${dims}]${layout} complex(re, im)
  zero = ${type}[] constant((0, 0))
  sum = ${type}[${out}] reduce(x, zero), dimensions={${axes}}, to_apply=add
  a = ${real}[${out}] real(sum)
  b = ${real}[${out}] imag(sum)
  ROOT r = (${real}[${out}], ${real}[${out}]) tuple(a, b)
}`;
          const Storage = real === 'f64' ? Float64Array : Float32Array;
          const data = Storage.from({ length: dims.reduce((a, b) => a * b) }, values['3.3f']);
          const x = hlo.array(data, { type: real, shape: dims });
          const [unit, most] = bounds[real];
          // The oracle applies a function as it is written, which rounds at each step.
          const optimizing = Object.keys(ways).filter((way) => way !== 'reference');
          await runEach(hlo, program, [x], optimizing, (way, results) => {
            for (const [i, sign] of [1, -1].entries()) {
              const sums = sumsOver(data, dims, axes, (x) => sign * x);
              const error = worstError(results[i].toTypedArray(), sums, unit);
              assert.ok(
                error <= most,
                `${type}[${dims}]${layout} over {${axes}}, ${way}, ${build}: ${error}`,
              );
            }
          });
          x.dispose();
        }
});

test('means, variances and deviations by name', () => {
  for (const [build, hlo] of Object.entries(engines)) {
    const np = numpy(hlo);
    for (const [dims, axis] of [
      [[1e6], 0],
      [[2e5, 5], 0],
      [[5, 2e5], 1],
      [
        [100, 100, 100],
        [0, 2],
      ],
    ]) {
      const axes = [axis].flat(),
        count = axes.reduce((product, d) => product * dims[d], 1);
      const data = Float32Array.from(
        { length: dims.reduce((a, b) => a * b) },
        values['in [100, 101]'],
      );
      const means = sumsOver(data, dims, axes, (x) => x).map(
        ({ high, low }) => (high + low) / count,
      );
      const middle = 100.5; // squares of distances from it have no cancellation to speak of
      const variances = sumsOver(data, dims, axes, (x) => (x - middle) ** 2).map(
        ({ high, low }, i) => (high + low) / count - (means[i] - middle) ** 2,
      );
      const x = hlo.array(data, { shape: dims });
      const check = (what, got, want, most) => {
        got.toTypedArray().forEach((y, i) => {
          const error = Math.abs(y - want[i]) / want[i] / bounds.f32[0];
          assert.ok(error <= most, `${what} of [${dims}] over ${axes}, ${build}: ${error} units`);
        });
        got.dispose();
      };
      check('mean', np.mean(x, { axis }), means, 32);
      // Differences from the mean are as far off as that, and squares hide a sum of these.
      check('var', np.var(x, { axis }), variances, 64);
      check('std', np.std(x, { axis }), variances.map(Math.sqrt), 64);
      x.dispose();
    }
  }
});
