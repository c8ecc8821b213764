// Rows of more elements than a cache has, which emitted code reads at two places at once, against the reference evaluator.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';

const n = 2 ** 21 + 4192; // whole steps, but no whole calls
const hlo = await load();
const storages = { s32: Int32Array, s8: Int8Array, f32: Float32Array, f64: Float64Array };

for (const [type, rows, what, lines] of [
  ['s32', [], 'x * i', [`i = s32[${n}] iota(), iota_dimension=0`, `y = s32[${n}] multiply(x, i)`]],
  [
    's32',
    [],
    'reverse(x) * i',
    [
      `i = s32[${n}] iota(), iota_dimension=0`,
      `z = s32[${n}] reverse(x), dimensions={0}`,
      `y = s32[${n}] multiply(z, i)`,
    ],
  ],
  ['s8', [], '-x', [`y = s8[${n}] negate(x)`]],
  ['f32', [2], '-x', [`y = f32[2,${n}] negate(x)`]],
  ['f64', [], '|x|', [`y = f64[${n}] abs(x)`]],
])
  for (const op of ['add', 'maximum'])
    test(`${op} of ${what}, ${type}`, async () => {
      const dims = [...rows, n];
      const length = n * (rows[0] ?? 1);
      const program = hlo.parse(`HloModule long
pick {\n a = ${type}[] parameter(0)\n b = ${type}[] parameter(1)\n ROOT r = ${type}[] ${op}(a, b)\n}
fused {\n x = ${type}[${dims}] parameter(0)\n start = ${type}[] constant(1)\n ${lines.join('\n ')}
 ROOT r = ${type}[${rows}] reduce(y, start), dimensions={${rows.length}}, to_apply=pick\n}
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
