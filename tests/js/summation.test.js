// How far sums may be from exact ones, path by path: docs/numerics.md states the bounds. Sums here are of numbers that round
// alike again and again, for which errors of sums one after the other grow with the number of elements.
import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import { numpy } from '../../web/numpy/index.js';
import { randomNumbers } from './random_program.js';

const engines = { 'the best build': await load(), simd: await load({ build: 'simd' }) };

/** Units of rounding of a type, and how many of them errors may have: of a sum of magnitudes. */
export const bounds = {
  f32: [2 ** -24, 32],
  f64: [2 ** -53, 32],
  bf16: [2 ** -9, 32],
  f16: [2 ** -11, 32],
};
const ways = {
  reference: { reference: true },
  'as written': { optimize: false },
  optimised: {},
};

/** The oracle applies a function that is more than an operation, and a scatter's, element after element. */
const compiledWays = Object.keys(ways).filter((way) => way !== 'reference');

const random = randomNumbers(40);
const values = {
  'in [100, 101]': () => Math.fround(100 + random()),
  '0.1f': () => Math.fround(0.1),
  '3.3f': () => Math.fround(3.3),
};

/** A sum that is exact but for its last bits (Neumaier's), and that of magnitudes. */
class Exact {
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
function sumsOver(data, dims, axes, f) {
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
function worstError(got, sums, unit) {
  let worst = 0;
  for (const [i, { high, low, size }] of sums.entries())
    worst = Math.max(worst, Math.abs(got[i] - high - low) / size / unit);
  return worst;
}

const add = (type) =>
  `add { a = ${type}[] parameter(0) b = ${type}[] parameter(1) ROOT r = ${type}[] add(a, b) }`;

/** A reduction of what a line makes of x. */
const reduction = (type, dims, layout, axes, line) => `HloModule sums
${add(type)}
ENTRY main {
  x = ${type}[${dims}]${layout} parameter(0)
  ${line.replaceAll('T', `${type}[${dims}]${layout}`)}
  zero = ${type}[] constant(0)
  ROOT r = ${type}[${dims.filter((_, d) => !axes.includes(d))}] reduce(y, zero), dimensions={${axes}}, to_apply=add
}`;

const terms = {
  x: ['y = T copy(x)', (x) => x],
  '-x': ['y = T negate(x)', (x) => -x],
  'x * x': ['y = T multiply(x, x)', (x) => x * x],
};

/** Shapes of about n elements: reduced along rows, columns, few and many, both, pieces far apart. */
const shapes = (n) =>
  [
    [[n], [0]],
    [[n, 1], [0]],
    ...[2, 3, 4, 5, 7, 8, 12, 16, 33, 100].map((columns) => [[n / columns, columns], [0]]),
    [[3, n / 3], [1]],
    [[2, n / 20, 10], [1]],
    [
      [20, n / 20],
      [0, 1],
    ],
    [
      [10, n / 30, 3],
      [0, 1],
    ],
    [
      [10, 2, n / 20],
      [0, 2],
    ],
    [
      [n / 60, 3, 20],
      [0, 2],
    ],
    [
      [n / 60, 20, 3],
      [0, 2],
    ],
    [
      [4, 5, n / 100, 5],
      [0, 2],
    ],
  ].map(([dims, axes]) => [dims.map(Math.floor), axes]);

/** Runs a program every way that is named. */
async function runEach(hlo, text, inputs, names, check) {
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

async function checkReduction(hlo, type, dims, layout, axes, term, value, names) {
  const [unit, most] = bounds[type],
    [line, f] = terms[term];
  const Storage = type === 'f64' ? Float64Array : Float32Array;
  const data = Storage.from({ length: dims.reduce((a, b) => a * b) }, values[value]);
  const sums = sumsOver(data, dims, axes, f);
  const x = hlo.array(data, { type, shape: dims });
  await runEach(hlo, reduction(type, dims, layout, axes, line), [x], names, (name, [got]) => {
    const error = worstError(got.toTypedArray(), sums, unit);
    const what = `${type}[${dims}]${layout} over {${axes}} of ${term} ${value}, ${name}`;
    assert.ok(error <= most, `${what}: an error of ${error.toFixed(1)} units, not ${most}`);
  });
  x.dispose();
}

const backwards = (dims) => (dims.length > 1 ? `{${dims.map((_, d) => d)}}` : '');

for (const [build, hlo] of Object.entries(engines)) {
  for (const type of ['f32', 'f64'])
    test(`reductions of 1e5 ${type}, every shape and layout, ${build}`, async () => {
      for (const [dims, axes] of shapes(1e5))
        for (const layout of new Set(['', backwards(dims)]))
          for (const term of Object.keys(terms))
            await checkReduction(hlo, type, dims, layout, axes, term, '0.1f', Object.keys(ways));
    });

  test(`reductions of 1e6 and 1e7 f32, ${build}`, async () => {
    for (const n of [1e6, 1e7])
      for (const [dims, axes] of [
        [[n], [0]],
        [[Math.floor(n / 3), 3], [0]],
        [[n / 50, 50], [0]],
        [
          [10, Math.floor(n / 70), 7],
          [0, 1],
        ],
        [
          [10, 2, n / 20],
          [0, 2],
        ],
      ])
        for (const value of n === 1e6 ? Object.keys(values) : ['3.3f'])
          await checkReduction(hlo, 'f32', dims, '', axes, '-x', value, ['optimised']);
  });
}

// --- windows (the oracle goes through each: its sums are those of reductions) ---

const windowOf = (sizes, pads = sizes.map(() => '0_0')) =>
  `window={size=${sizes.join('x')} pad=${pads.join('x')}}`;

/** Sums over one number everywhere, of which `countOf` go into the i-th. */
async function checkSums(hlo, type, value, dims, out, what, countOf, names = ['optimised']) {
  const [unit, most] = bounds[type];
  const text = `HloModule sums
${add(type)}
ENTRY main {
  x = ${type}[] parameter(0)
  y = ${type}[${dims}] broadcast(x), dimensions={}
  zero = ${type}[] constant(0)
  sums = ${type}[${out}] ${what}, to_apply=add
  wide = f64[] convert(x)
  numbers = f64[${out}] convert(sums)
  ROOT r = (f64[${out}], f64[]) tuple(numbers, wide)
}`;
  const given = hlo.array(new Float32Array([value])),
    x = hlo.reshape(hlo.convert(given, type), []);
  await runEach(hlo, text, [x], names, (name, [sums, wide]) => {
    const [each] = wide.toTypedArray();
    const worst = sums.toTypedArray().reduce((worst, got, i) => {
      const want = each * countOf(i);
      return Math.max(worst, Math.abs(got - want) / want / unit);
    }, 0);
    assert.ok(worst <= most, `${what} of ${type}[${dims}], ${name}: ${worst.toFixed(1)} units`);
  });
  for (const made of [given, x]) made.dispose();
}

const types = { f32: 2e5, f64: 1e5, bf16: 1e5, f16: 1e4 };

for (const [build, hlo] of Object.entries(engines)) {
  for (const [type, n] of Object.entries(types))
    test(`cumulative sums and sums of windows, ${type}, ${build}`, async () => {
      for (const value of [0.1, 3.3]) {
        for (const [dims, d] of [
          [[n], 0],
          [[n / 4, 4], 0],
          [[n / 20, 20], 0],
          [[n / 500, 500], 0],
          [[5, n / 5], 1],
          [[5, n / 20, 4], 1],
        ])
          for (const isBackwards of [false, true]) {
            const pads = dims.map((size, i) =>
              i !== d ? '0_0' : isBackwards ? `0_${size - 1}` : `${size - 1}_0`,
            );
            const sizes = dims.map((size, i) => (i === d ? size : 1));
            const inner = dims.slice(d + 1).reduce((a, b) => a * b, 1);
            const what = `reduce-window(y, zero), ${windowOf(sizes, pads)}`;
            await checkSums(hlo, type, value, dims, dims, what, (i) => {
              const at = Math.floor(i / inner) % dims[d];
              return isBackwards ? dims[d] - at : at + 1;
            });
          }
        for (const [dims, sizes] of [
          [[12000], [1000]],
          [[12000], [9000]],
          [
            [2, 100, 100, 3],
            [1, 100, 100, 1],
          ],
          [
            [1, 120, 120, 2],
            [1, 100, 110, 1],
          ],
          [
            [100, 30, 30],
            [100, 10, 10],
          ],
        ])
          await checkSums(
            hlo,
            type,
            type === 'f16' ? value / 4 : value,
            dims,
            dims.map((size, d) => size - sizes[d] + 1),
            `reduce-window(y, zero), ${windowOf(sizes)}`,
            () => sizes.reduce((a, b) => a * b),
          );
        for (const [dims, axes] of [
          [
            [32, 32, 8],
            [0, 1, 2],
          ],
          [
            [64, 64, 3],
            [0, 1],
          ],
          [[n / 10, 2], [0]],
        ])
          await checkSums(
            hlo,
            type,
            value,
            dims,
            dims.filter((_, d) => !axes.includes(d)),
            `reduce(y, zero), dimensions={${axes}}`,
            () => axes.reduce((product, d) => product * dims[d], 1),
            ['reference', 'optimised'],
          );
      }
    });
}

test('sums of infinities, NaNs and zeros keep their signs in blocks', async () => {
  const n = 50000;
  for (const [dims, axes] of [
    [[n], [0]],
    [[n / 8, 8], [0]],
  ])
    for (const [special, want] of [
      [[Infinity], Infinity],
      [[-Infinity, 1e38], -Infinity],
      [[Infinity, -Infinity], NaN],
      [[NaN], NaN],
      [[3.4e38, 3.4e38], Infinity],
      [[], -0],
    ]) {
      const hlo = engines.simd,
        data = new Float32Array(n).fill(-0);
      special.forEach((x, i) => (data[17 + 24000 * i] = x));
      const x = hlo.array(data, { shape: dims });
      const text = reduction('f32', dims, '', axes, 'y = T copy(x)');
      const minusZero = text.replace('constant(0)', 'constant(-0)');
      await runEach(hlo, minusZero, [x], Object.keys(ways), (name, [got]) =>
        assert.ok(
          Object.is(got.toTypedArray()[17 % (n / dims[0])], want),
          `${special} in [${dims}], ${name}: ${got.toTypedArray()[17 % (n / dims[0])]}`,
        ),
      );
    }
});

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
          await runEach(hlo, program, [x], Object.keys(ways), (way, results) => {
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
          await runEach(hlo, program, [x], Object.keys(ways), (way, results) => {
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

test(
  'sums on two threads',
  { skip: availableParallelism() < 2 && 'there is one processor' },
  async () => {
    const hlo = await load({ threads: 2 });
    try {
      for (const [dims, axes] of [
        [[1e6], [0]],
        [[50, 2e4], [1]],
        [[2e4, 50], [0]],
        [
          [10, 2e4, 5],
          [0, 1],
        ],
      ])
        for (const layout of new Set(['', backwards(dims)]))
          await checkReduction(hlo, 'f32', dims, layout, axes, 'x * x', '0.1f', ['optimised']);
    } finally {
      await hlo.dispose?.();
    }
  },
);

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
