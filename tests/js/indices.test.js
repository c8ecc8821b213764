// at(), set() and their like against NumPy's indexing: generated indices (fixtures/numpy/indices.py), then single cases.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { HloError, ShapeError, load } from '../../web/index.js';

const hlo = await load();
const { np } = hlo;
const file = new URL('../fixtures/numpy/indices.json.gz', import.meta.url);
const cases = JSON.parse(String(gunzipSync(readFileSync(file))));

const isArrayForm = (part) => part?.dims !== undefined;
/** @param {{ dims: number[], type?: string, data: any[] }} form */
function arrayOf({ dims, type = 's32', data }) {
  const list = data.map((x) => (type === 's64' ? BigInt(x) : x));
  return hlo.reshape(hlo.array(list, type), dims);
}
const numbersFrom1 = (dims) => {
  const size = dims.reduce((product, n) => product * n, 1);
  return hlo.array(
    Int32Array.from({ length: size }, (_, i) => i + 1),
    { shape: dims },
  );
};

/** @param {any[]} one @param {boolean} isTraced @returns {string | undefined} what is wrong */
function faultOf([dims, index, method, value, wanted], isTraced) {
  const x = numbersFrom1(dims);
  const given = index.map((part) => (isArrayForm(part) ? arrayOf(part) : part));
  const last = value === null ? [] : [arrayOf(value)];
  const compute = () => {
    if (!isTraced) return x[method](...given, ...last);
    // Masks select a number of elements that has to be known.
    const isTraceable = (part, i) => isArrayForm(index[i]) && part.type !== 'pred';
    const traced = given.filter(isTraceable);
    return hlo.jit((y, values, others) => {
      const rest = [...values];
      const inner = given.map((part, i) => (isTraceable(part, i) ? rest.shift() : part));
      return y[method](...inner, ...others);
    })(x, traced, last);
  };
  try {
    const got = compute();
    if (wanted === null) return `gives ${got}, which NumPy refuses`;
    const ours = [got.type, got.shape, [...got.toTypedArray()]];
    const theirs = ['s32', wanted.dims, wanted.data];
    return JSON.stringify(ours) === JSON.stringify(theirs) ? undefined : `gives ${got}`;
  } catch (error) {
    if (wanted === null && error instanceof HloError) return undefined;
    return `${error.stack}`;
  }
}

for (const isTraced of [false, true])
  test(`generated indices, ${isTraced ? 'traced' : 'of arrays'}`, () => {
    // Traced integers that are out of range are no error: see below.
    const isComparable = ([, index, , , wanted]) =>
      !isTraced || wanted !== null || !index.some(isArrayForm);
    const compared = cases.filter(isComparable);
    assert.ok(compared.length > 1400);
    const faults = compared.flatMap((one) => {
      const fault = faultOf(one, isTraced);
      return fault ? [`${JSON.stringify(one)}\n  ${fault}`] : [];
    });
    assert.equal(faults.length, 0, `${faults.length} faults\n${faults.slice(0, 12).join('\n')}`);
  });

const x = hlo.array([[1, 2, 3], [4, 5, 6]]); // prettier-ignore

test('at gives an array, item an element', () => {
  const element = x.at(1, -1);
  assert.deepEqual([element.shape, element.item(), Number(element)], [[], 6, 6]);
  assert.deepEqual([x.item(1, -1), x.item(4), x.item(-1), hlo.array([7]).item()], [6, 5, 6, 7]);
  assert.equal(hlo.array([[2n ** 60n]], 's64').item(0, 0), 2n ** 60n);
  assert.deepEqual(x.at().toNested(), x.toNested());
  for (const [index, message] of [
    [[], /item\(\) is for arrays of one element; f32\[2,3\] has 6/],
    [[6], /item: index 6 is out of range for the 6 elements of f32\[2,3\]/],
    [[0, 3], /item: index 3 is out of range for dimension 1 of f32\[2,3\]/],
    [[0, 0, 0], /item: f32\[2,3\] takes 2 indices, got 3/],
    [[0.5, 0], /item: index 0.5 is out of range/],
  ])
    assert.throws(() => x.item(...index), message);
});

test('errors of indices say which and where', () => {
  for (const [index, message] of [
    [[2], /at: index 2 is out of range for dimension 0 of f32\[2,3\]/],
    [[':, [0, 5]'], /at: index 5 is out of range for dimension 1 of f32\[2,3\]/],
    [[0, 0, 0], /at: the index has 3 dimensions, f32\[2,3\] has 2/],
    [['1:x, 0'], /at: "1:x" in "1:x, 0" is no index: it is an integer, a slice/],
    [['::0'], /at: the step of a slice is not 0/],
    [['..., ...'], /at: an index has one \.\.\. at most/],
    [[1.5], /at takes integers, texts such as '1:3, ::2', null .* got 1.5/],
    [[undefined], /got undefined/],
    [[[0.5]], /a list of indices holds integers, or booleans, got 0.5/],
    [[[0, true]], /holds integers, or booleans, got true/],
    [[x], /at: indices are integers or booleans, got f32\[2,3\]/],
    [[[true, false, true]], /at: a mask of shape \[3\] is for dimensions of these sizes/],
    [
      [
        [0, 1],
        [0, 1, 2],
      ],
      /arrays of indices broadcast together; \[2\] and \[3\] do not/,
    ],
  ])
    assert.throws(
      () => x.at(...index),
      (error) => error instanceof HloError && message.test(error.message),
      `${index}`,
    );
  assert.throws(() => x.set(0, [1, 2]), /set: a value of shape \[2\] does not broadcast to/);
  assert.throws(() => x.set(1), /set takes an index and a value, got 1 arguments/);
  assert.throws(() => x.addAt(9, 1), /addAt: index 9 is out of range for dimension 0/);
  assert.throws(() => x.set(hlo.array([true]), 1), ShapeError);
});

test('traced positions count from the end, and those out of range have no element', () => {
  const places = hlo.array([0, -1, 3, -4], 's32');
  const [taken, changed] = hlo.jit((y, i) => [y.at(0, i), y.at(0).addAt(i, 10)])(x, places);
  assert.deepEqual(taken.toNested(), [1, 3, NaN, NaN]);
  assert.deepEqual(changed.toNested(), [11, 2, 13]);
  const bytes = hlo.array([1, 2], 'u8');
  assert.deepEqual(
    hlo
      .jit((y, i) => y.at(i))(bytes, places)
      .toNested(),
    [1, 2, 255, 255],
  );
  assert.equal(
    hlo
      .jit((y, i) => y.at(1, i))(x, hlo.array(2n))
      .item(),
    6,
  );
});

test('a mask may be traced where one value is set', () => {
  const clip = (y) => y.set(np.greater(y, 2), 0).addAt(y.less(2), 5);
  const wanted = [[6, 2, 0], [0, 0, 0]]; // prettier-ignore
  assert.deepEqual(clip(x).toNested(), wanted);
  assert.deepEqual(hlo.jit(clip)(x).toNested(), wanted);
  const rows = hlo.jit((y, mask) => y.set(mask, [7, 8, 9]))(x, hlo.array([false, true]));
  assert.deepEqual(rows.toNested(), [[1, 2, 3], [7, 8, 9]]); // prettier-ignore
  assert.throws(() => hlo.jit((y) => y.at(y.greater(2)))(x), /how many elements a traced mask/);
});

test('values become of the array’s type, and what was indexed stays as it was', () => {
  const whole = hlo.array([1, 2, 3], 's32');
  assert.deepEqual(whole.set(0, 2.7).toNested(), [2, 2, 3]);
  assert.deepEqual(whole.set('1:', hlo.array([1.5, -1.5])).toNested(), [1, 1, -1]);
  assert.deepEqual(whole.set([0, 0], [8, 9]).toNested(), [9, 2, 3]);
  assert.deepEqual(hlo.array([true, false]).set(1, 1).toNested(), [true, true]);
  assert.deepEqual(
    hlo
      .array([{ re: 1, im: 2 }])
      .set(0, 3)
      .toNested(),
    [{ re: 3, im: 0 }],
  );
  assert.deepEqual(whole.toNested(), [1, 2, 3]);
});

test('single elements and spans at changing places share a program', () => {
  const long = np.arange(64);
  for (let i = 0; i < 3; i++) long.at(i).dispose();
  const before = hlo.memory.inUse;
  for (let i = 0; i < 60; i++) {
    const element = long.at(i);
    assert.equal(element.item(), i);
    element.dispose();
    long.at(`${i}:${i + 4}`).dispose();
  }
  assert.ok(hlo.memory.inUse - before < 60 * 2048, 'no program for each place');
});

test('an array of another engine is no index', async () => {
  const other = await load();
  const index = other.np.array([0, 1], 'int32');
  const x = hlo.np.array([1, 2, 3]);
  assert.throws(() => x.at(index), /of another engine/);
  assert.throws(() => x.set(index, 0), /of another engine/);
});
