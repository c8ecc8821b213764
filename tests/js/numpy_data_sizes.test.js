// Functions of np whose work depends on data: what is true is found by the engine, members of integers by tables or by sorting.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';

const hlo = await load();
const { np } = hlo;
let seed = 1;
const next = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;

test('nonzero finds what is true in vectors of any length and density', () => {
  for (const size of [0, 1, 7, 8, 9, 15, 16, 17, 63, 1000, 4079, 4080, 4081, 70001])
    for (const density of [0, 0.01, 0.5, 0.99, 1]) {
      const marks = Uint8Array.from({ length: size }, () => Number(next() < density));
      const mask = hlo.array(marks.buffer, { type: 'pred', shape: [size] });
      const expected = [...marks.keys()].filter((i) => marks[i] === 1);
      assert.deepEqual([...np.nonzero(mask)[0].toTypedArray()], expected, `${size}, ${density}`);
      const extracted = np.extract(mask, np.arange(size));
      assert.deepEqual([...extracted.toTypedArray()], expected);
    }
});

test('bytes beside 0 and 1 are true, and no memory but the result is written', () => {
  const marks = Uint8Array.from({ length: 1000 }, (_, i) => (i % 3) * 100);
  const mask = hlo.array(marks.buffer, { type: 'pred', shape: [1000] });
  const expected = [...marks.keys()].filter((i) => marks[i] !== 0);
  assert.deepEqual([...np.flatnonzero(mask).toTypedArray()], expected);
});

test('isin finds the same by a table and by sorting, at the ends of types as well', () => {
  for (const [type, low, high] of [
    ['s8', -128n, 127n],
    ['u8', 0n, 255n],
    ['s16', -(2n ** 15n), 2n ** 15n - 1n],
    ['s32', -(2n ** 31n), 2n ** 31n - 1n],
    ['u32', 0n, 2n ** 32n - 1n],
    ['s64', -(2n ** 63n), 2n ** 63n - 1n],
    ['u64', 0n, 2n ** 64n - 1n],
  ])
    for (const start of [low, high - 100n, (low + high) / 2n]) {
      const list = (length) =>
        Array.from({ length }, () => start + BigInt(Math.floor(next() * 101)));
      const of = (values) => hlo.array(values, type);
      const [x, y] = [of([...list(200), low, high]), of(list(40))];
      const [byTable, bySorting] = [{}, { kind: 'sort' }].map((options) =>
        np.isin(x, y, options).toNested(),
      );
      assert.deepEqual(byTable, bySorting, `${type} from ${start}`);
      const members = new Set(y.toNested().map(String));
      assert.deepEqual(
        byTable,
        x.toNested().map((n) => members.has(String(n))),
      );
    }
});

test('isin agrees with sorting where a range is too wide for a table', () => {
  const x = hlo.array(Int32Array.of(-(2 ** 31), 0, 2 ** 31 - 1, 5));
  const y = hlo.array(Int32Array.of(-(2 ** 31), 2 ** 31 - 1));
  assert.deepEqual(np.isin(x, y).toNested(), [true, false, true, false]);
});

test('a vector of another type has no places', () => {
  const numbers = hlo.array([1, 2]);
  assert.throws(
    () => numbers.engine.handle('hlo_api_array_true_places', numbers.handle),
    /places are found in a vector of pred, got f32\[2\]/,
  );
});
