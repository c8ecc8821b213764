// Rows that have together more elements than a cache, which emitted code reads at two places at once, against the reference
// evaluator.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';

const n = 2 ** 21 + 4192; // whole steps, but no whole calls
const hlo = await load();
const storages = { s32: Int32Array, s8: Int8Array, f32: Float32Array, f64: Float64Array };

for (const [type, dims, what, lines, other = '', reduced = [dims.length - 1]] of [
  ['s32', [n], 'x * i', [`i = s32[${n}] iota(), iota_dimension=0`, `y = s32[${n}] multiply(x, i)`]],
  [
    's32',
    [n],
    'reverse(x) * i',
    [
      `i = s32[${n}] iota(), iota_dimension=0`,
      `z = s32[${n}] reverse(x), dimensions={0}`,
      `y = s32[${n}] multiply(z, i)`,
    ],
  ],
  ['s8', [n], '-x', [`y = s8[${n}] negate(x)`]],
  ['f32', [2, n], '-x', [`y = f32[2,${n}] negate(x)`]],
  ['f64', [n], '|x|', [`y = f64[${n}] abs(x)`]],
  // Two rows at a time, with elements left behind whole steps.
  ['f32', [1026, 2051], '-x', ['y = f32[1026,2051] negate(x)']],
  ['f64', [524298, 5], '|x|', ['y = f64[524298,5] abs(x)']],
  ['s8', [2, 70001, 17], '-x', ['y = s8[2,70001,17] negate(x)']],
  [
    's32',
    [3000, 701],
    'reverse(x) * i',
    [
      'i = s32[3000,701] iota(), iota_dimension=1',
      'z = s32[3000,701] reverse(x), dimensions={0,1}',
      'y = s32[3000,701] multiply(z, i)',
    ],
  ],
  // Two reductions.
  [
    's32',
    [3000, 701],
    '-x, and of x',
    ['y = s32[3000,701] negate(x)'],
    'other = s32[3000] reduce(x, start), dimensions={1}, to_apply=pick',
  ],
  // Pieces of rows that are far apart, in turns: of all rows, of some, of the loop's own number.
  ['f32', [7, 33, 9111], '-x', ['y = f32[7,33,9111] negate(x)'], '', [0, 2]],
  ['f64', [5, 7, 67, 17, 57], '|x|', ['y = f64[5,7,67,17,57] abs(x)'], '', [1, 3, 4]],
  [
    's32',
    [7, 133, 2601],
    'reverse(x) * i, and of x',
    [
      'i = s32[7,133,2601] iota(), iota_dimension=0',
      'z = s32[7,133,2601] reverse(x), dimensions={0,2}',
      'y = s32[7,133,2601] multiply(z, i)',
    ],
    'other = s32[133] reduce(x, start), dimensions={0,2}, to_apply=pick',
    [0, 2],
  ],
  // Their loop needs a number of the row: one at a time.
  [
    's32',
    [3000, 701],
    'x * row',
    ['i = s32[3000,701] iota(), iota_dimension=0', 'y = s32[3000,701] multiply(x, i)'],
  ],
])
  for (const op of ['add', 'maximum'])
    test(`${op} of ${what}, ${type}[${dims}]`, async () => {
      const rows = dims.filter((_, d) => !reduced.includes(d));
      const length = dims.reduce((a, b) => a * b);
      const program = hlo.parse(`HloModule long
pick {\n a = ${type}[] parameter(0)\n b = ${type}[] parameter(1)\n ROOT r = ${type}[] ${op}(a, b)\n}
fused {\n x = ${type}[${dims}] parameter(0)\n start = ${type}[] constant(1)\n ${lines.join('\n ')}
 sum = ${type}[${rows}] reduce(y, start), dimensions={${reduced}}, to_apply=pick
 ${other}
 ROOT r = ${type}[${rows}] add(sum, ${other ? 'other' : 'sum'})\n}
ENTRY main {\n x = ${type}[${dims}] parameter(0)\n ROOT r = ${type}[${rows}] fusion(x), kind=kLoop, calls=fused\n}\n`);
      // Sums are exact.
      const x = hlo.array(
        storages[type].from({ length }, (_, i) => ((i * 7919) % 13) - 6),
        { shape: dims },
      );
      const emitted = program.compile({ optimize: false });
      assert.equal(await emitted.ready, true);
      const [got] = emitted.run([x]);
      const [want] = program.compile({ reference: true }).run([x]);
      assert.deepEqual(got.toTypedArray(), want.toTypedArray());
    });
