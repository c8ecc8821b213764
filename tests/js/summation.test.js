// How far sums may be from exact ones, path by path: docs/numerics.md states the bounds. Sums here are of numbers that round
// alike again and again, for which errors of sums one after the other grow with the number of elements.
import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import {
  add,
  backwards,
  bounds,
  engines,
  runEach,
  sumsOver,
  values,
  ways,
  worstError,
} from './exact_sums.js';

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
