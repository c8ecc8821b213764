// `nn`: the functions of neural networks, eager and traced.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';

const hlo = await load();
const { nn } = hlo;

test('softmax sums to 1 along its axis, also where numbers are large', () => {
  const x = hlo.array([
    [1000, 1001],
    [-5, 5],
  ]);
  for (const axis of [0, 1, -1]) {
    const sums = hlo.reduce(nn.softmax(x, axis), 0, 'add', [axis < 0 ? 1 : axis]);
    for (const sum of sums.toTypedArray()) assert.ok(Math.abs(Number(sum) - 1) < 1e-6);
  }
});

test('relu keeps the type of its argument, sigmoid makes floats', () => {
  const whole = hlo.array([-2, 3], 's32');
  assert.deepEqual(nn.relu(whole).toNested(), [0, 3]);
  assert.equal(nn.relu(whole).type, 's32');
  assert.equal(nn.sigmoid(0).item(), 0.5);
  assert.equal(nn.sigmoid(whole).type, 'f32');
});
