// The NumPy layer against what NumPy gives (tests/fixtures/numpy), eager and traced; promotion and errors.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { HloArray, HloError, load, ShapeError } from '../../web/index.js';
import { numpy } from '../../web/numpy/index.js';

const hlo = await load();
const np = /** @type {Record<string, any>} */ (numpy(hlo));
const cases = JSON.parse(
  readFileSync(new URL('../fixtures/numpy/cases.json', import.meta.url), 'utf8'),
);

const numberOf = (/** @type {any} */ x) =>
  typeof x === 'string' ? Number(x.replace('inf', 'Infinity')) : x;

/** @param {any} x @returns {any} */
function decode(x) {
  if (Array.isArray(x)) return x.map(decode);
  if (x?.number) return numberOf(x.number);
  if (!x?.type) return x;
  const flat = hlo.array(x.data.map(numberOf), x.type);
  return hlo.reshape(flat, x.dims);
}

/** @param {HloArray} got @param {any} want @param {string} where */
function compare(got, want, where) {
  assert.deepEqual(got.dims, want.dims, where);
  // Positions, counts and predicates are exact, whatever integer type they have.
  const exact = want.type !== 'f32';
  if (exact && want.type === 'pred') assert.equal(got.type, 'pred', where);
  const flat = [...hlo.reshape(got, [got.size]).toNested()];
  want.data.map(numberOf).forEach((/** @type {any} */ value, /** @type {number} */ i) => {
    const near =
      Object.is(flat[i], value) ||
      flat[i] == value ||
      (!exact && Math.abs(flat[i] - value) <= 2e-6 * Math.max(1, Math.abs(value)));
    assert.ok(near, `${where}: element ${i} is ${flat[i]}, NumPy gives ${value}`);
  });
}

for (const traced of [false, true])
  test(`${cases.length} calls agree with NumPy, ${traced ? 'traced' : 'eager'}`, () => {
    for (const [name, args, options, want] of cases) {
      const where = `${name} ${JSON.stringify(args)} ${JSON.stringify(options)}`;
      const values = decode(args);
      if (Object.keys(options).length > 0) values.push(options);
      const call = traced ? hlo.jit((...inner) => np[name](...inner)) : np[name];
      const got = call(...values);
      if (Array.isArray(want)) want.forEach((part, i) => compare(got[i], part, where));
      else compare(got, want, where);
    }
  });

test('unsigned integers have a size and a sign', () => {
  const x = hlo.array([0, 3, 255], 'u8');
  assert.deepEqual([np.abs(x).toNested(), np.abs(x).type], [[0, 3, 255], 'u8']);
  assert.deepEqual([np.sign(x).toNested(), np.sign(x).type], [[0, 1, 1], 'u8']);
});

test('without an axis roll goes over rows, as in the example of NumPy’s documentation', () => {
  const x = np.reshape(np.arange(10), [2, 5]);
  const want = [
    [9, 0, 1, 2, 3],
    [4, 5, 6, 7, 8],
  ];
  assert.deepEqual(np.roll(x, 1).toNested(), want);
  assert.deepEqual(
    hlo
      .jit((/** @type {any} */ y) => np.roll(y, 11))(x)
      .toNested(),
    want,
  );
});

test('types are promoted, numbers fit in', () => {
  const a = (/** @type {string} */ type) => hlo.array([1], type);
  for (const [x, y, want] of [
    ['pred', 's8', 's8'],
    ['s8', 'u8', 's16'],
    ['s32', 'u32', 's64'],
    ['s32', 'f16', 'f16'],
    ['f16', 'bf16', 'f32'],
    ['f32', 'f64', 'f64'],
    ['f64', 'c64', 'c128'],
    ['u8', 'u16', 'u16'],
  ])
    assert.equal(np.add(x === 'pred' ? hlo.array([true]) : a(x), a(y)).type, want, `${x} ${y}`);
  assert.equal(np.add(a('s32'), 1).type, 's32');
  assert.equal(np.add(a('s32'), 1.5).type, 'f32');
  assert.equal(np.add(a('bf16'), 1.5).type, 'bf16');
  assert.equal(np.mean(a('s32')).type, 'f32');
});

test('errors name shapes and axes', () => {
  const m = np.zeros([2, 3]);
  assert.throws(() => np.add(m, np.zeros([2])), /\[2,3\] and \[2\] do not broadcast/);
  assert.throws(() => np.sum(m, { axis: 2 }), /axis 2 is out of range for rank 2/);
  assert.throws(() => np.reshape(m, [4, -1]), ShapeError);
  assert.throws(() => np.matmul(m, m), HloError);
  assert.throws(() => np.einsum('ij,jk', m), HloError);
  assert.throws(() => np.einsum('ij->k', m), HloError);
  assert.throws(() => np.max(np.zeros([0])), ShapeError);
  assert.throws(() => np.split(m, -1), ShapeError);
  assert.throws(() => np.take(m, hlo.array([0.5])), HloError);
});
