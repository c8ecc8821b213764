// Moves that read elements backwards or skip some become code where few lie together, and stay with their kernel where many do:
// the bits are the evaluator's, those of NaNs too.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import { randomNumbers } from './random_program.js';

const types = { f32: 4, f64: 8, u8: 1, s16: 2, pred: 1, c64: 8, s64: 8 };
// What is read, the operation, and whether it is worth code.
const moves = [
  ['[200,301]', '[200,301] reverse(x), dimensions={1}', true],
  ['[200,301]', '[200,301] reverse(x), dimensions={0,1}', true],
  ['[200,301]', '[200,301] reverse(x), dimensions={0}', false],
  ['[130,257,3]', '[130,257,3] reverse(x), dimensions={1}', true],
  ['[3,200,70]', '[3,200,70] reverse(x), dimensions={0,1}', false],
  ['[40000,1]', '[40000,1] reverse(x), dimensions={0}', true],
  ['[2,70001]', '[2,35001] slice(x), slice={[0:2], [0:70001:2]}', true],
  ['[200,907]', '[200,302] slice(x), slice={[0:200], [1:907:3]}', true],
  ['[601,301]', '[201,301] slice(x), slice={[0:601:3], [0:301]}', false],
  ['[20,30]', '[20,30] reverse(x), dimensions={1}', false],
];

for (const build of ['simd', undefined])
  test(`reversed arrays, and slices with strides, ${build ?? 'the best build'}`, async () => {
    const hlo = await load({ build });
    const random = randomNumbers(7);
    for (const [type, size] of Object.entries(types))
      for (const [from, move, isCode] of moves) {
        const text = `ENTRY main {\n  x = ${type}${from} parameter(0)\n  ROOT r = ${type}${move}\n}\n`;
        const dims = JSON.parse(from);
        const bytes = Uint8Array.from({ length: size * dims.reduce((a, b) => a * b, 1) }, () =>
          type === 'pred' ? random() * 2 : random() * 256,
        );
        const x = hlo.array(bytes.buffer, { type, shape: dims });
        const [emitted, reference] = [{}, { reference: true }].map((way) => hlo.compile(text, way));
        if (isCode) assert.equal(await emitted.ready, true, text);
        assert.equal(/fusion\(/.test(emitted.print()), isCode, text);
        const [got, want] = [emitted, reference].map(
          (way) => new Uint8Array(way.run([x])[0].toTypedArray().buffer),
        );
        assert.deepEqual(got, want, text);
        for (const object of [x, emitted, reference]) object.dispose();
      }
  });
