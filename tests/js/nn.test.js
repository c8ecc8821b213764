// `nn` against jax.nn and jax.lax (tests/fixtures/functions/nn_table.py), eager and traced.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import { readTable, testTable } from './tables.js';

const hlo = await load();
const { nn } = hlo;
const cases = readTable('nn.json.gz');

testTable(hlo, nn, cases);

test('every function is in the table', () => {
  const there = new Set(cases.map(([name]) => name));
  assert.deepEqual(
    Object.keys(nn).filter((name) => !there.has(name)),
    [],
  );
});

test('numbers and lists are taken, relu keeps the type of its argument', () => {
  assert.equal(nn.sigmoid(0).item(), 0.5);
  assert.deepEqual(nn.oneHot([0, 2], 3).toNested(), [
    [1, 0, 0],
    [0, 0, 1],
  ]);
  assert.equal(nn.relu(hlo.array([-2, 3], 's32')).type, 's32');
  assert.equal(nn.crossEntropy([[0, 0]], [1]).item(), Math.fround(Math.LN2));
});

test('a class out of range is an error, of a traced array a loss of NaN', () => {
  const logits = hlo.array([
    [0, 0],
    [0, 0],
  ]);
  for (const bad of [-1, 2])
    assert.throws(() => nn.crossEntropy(logits, [0, bad]), /crossEntropy: index .* out of range/);
  for (const labels of [[0, 1.7], hlo.array([0, 1.7])])
    assert.throws(
      () => nn.crossEntropy(logits, labels),
      /crossEntropy: labels .* integers, got 1.7/,
    );
  assert.equal(nn.crossEntropy(logits, hlo.array([0, 1])).dims.length, 1);
  const traced = hlo.jit((/** @type {any} */ x, /** @type {any} */ y) => nn.crossEntropy(x, y));
  assert.deepEqual(traced(logits, hlo.array([1, -1], 's32')).toNested(), [
    Math.fround(Math.LN2),
    NaN,
  ]);
});

test('NumPy has none of these names', () => {
  const { np } = /** @type {any} */ (hlo);
  for (const name of ['relu', 'sigmoid', 'softmax', 'erf', 'gelu']) assert.equal(name in np, false);
});
