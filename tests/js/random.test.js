// `np.random` against jax.random (tests/fixtures/functions/random_table.py), eager and traced.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import { readTable, testTable } from './tables.js';

const hlo = await load();
const { random } = hlo.np;

testTable(hlo, random, readTable('random.json.gz'), { untraced: ['key'] });

test('what is no key is an error that says what one is', () => {
  const call = /** @type {any} */ (random).normal;
  assert.throws(
    () => call(0, [2]),
    /random.normal: key is one that np.random.key.*got 0; np.random.defaultRng/,
  );
  assert.throws(() => call([1, 2], [2]), /normal: key is .*got a list/);
  assert.throws(() => call(hlo.array([1, 2]), [2]), /normal: key is .*got f32\[2\]/);
});

test('shapes and types are checked', () => {
  const key = random.key(0);
  const { normal, bits, split, foldIn, uniform } = /** @type {any} */ (random);
  assert.throws(() => normal(key, [-1]), /normal: shape is a list of sizes/);
  assert.throws(() => normal(key, [1.5]), /normal: shape/);
  assert.throws(() => normal(key, [2], 'int32'), /normal: dtype is a type of floats.*"s32"/);
  assert.throws(() => bits(key, [2], 's32'), /bits: dtype is a type of unsigned integers/);
  assert.throws(() => bits(key, [2], 'f32'), /bits: dtype is a type of integers/);
  assert.throws(() => split(key, 1.5), /split: shape/);
  assert.throws(() => foldIn(key, 1.5), /foldIn: data is an integer/);
  assert.throws(() => uniform(key, [2], { lowest: 1 }), /uniform has no option "lowest"/);
  assert.throws(() => uniform(key, [2], { minval: [1, 2, 3] }), /do not broadcast/);
});

test('split gives nested lists of keys for a list of numbers', () => {
  const key = random.key(3);
  const [[first], [second]] = /** @type {any} */ (random.split(key, [2, 1]));
  const [a, b] = random.split(key);
  assert.deepEqual([first.toNested(), second.toNested()], [a.toNested(), b.toNested()]);
});
