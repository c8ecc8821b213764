// Methods of arrays and of traced values: what NumPy's functions of the same names give.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HloError, ShapeError, load } from '../../web/index.js';
import { functionNames } from '../../web/methods/names.js';
import { signatures } from '../../web/numpy/signatures.js';

const hlo = await load();
const { np } = hlo;
const x = hlo.array([
  [0.25, 0.5, 0.75],
  [0.125, 1, 0.375],
]);
const whole = hlo.array(
  [
    [1, 2, 3],
    [4, 5, 6],
  ],
  'int32',
);

/** Arguments after the array, where there have to be some, or the array is not x. */
const others = {
  dot: [x.T],
  matmul: [x.T],
  tensordot: [x.T, 1],
  inner: [x],
  outer: [x],
  astype: ['int32'],
  quantile: [0.5],
  percentile: [50],
  searchsorted: [0.5],
  take: [[0, 1]],
  takeAlongAxis: [hlo.array([[0], [1]], 'int32'), 1],
  repeat: [2],
  tile: [2],
  roll: [1],
  split: [3, 1],
  swapaxes: [0, 1],
  moveaxis: [0, 1],
  partition: [1],
  argpartition: [1],
  choose: [Array(7).fill(x)],
  expandDims: [0],
  broadcastTo: [[2, 2, 3]],
  pad: [1],
};
const needsWhole = /bitwise|Shift|invert|choose/;
const needsVector = /searchsorted/;
const isTraceable = (name) => !/nonzero/.test(name);
const text = (result) => [result].flat().map(String).join('\n');

for (const name of functionNames)
  test(`${name} is the function of np`, () => {
    assert.match(signatures[name], /^x /, 'its first argument is an array');
    const array = needsVector.test(name) ? x.ravel() : needsWhole.test(name) ? whole : x;
    const args = others[name] ?? (/^x y /.test(signatures[name]) ? [array] : []);
    const wanted = text(np[name](array, ...args));
    assert.equal(text(array[name](...args)), wanted);
    if (!isTraceable(name)) return;
    assert.equal(text(hlo.jit((value) => value[name](...args))(array)), wanted);
  });

test('two operands broadcast and promote, traced or not', () => {
  const column = hlo.array([[1], [2]], 'int32');
  const compute = (a, b) => a.multiply(b).add(1).subtract(b).divide(2).power(2);
  const wanted = np.power(np.divide(np.subtract(np.add(np.multiply(x, column), 1), column), 2), 2);
  assert.equal(String(compute(x, column)), String(wanted));
  const [got] = [hlo.jit(compute)(x, column).toNested(), wanted.toNested()].map((rows, i, both) => {
    both[0].flat().forEach((y, k) => assert.ok(Math.abs(y - both[1].flat()[k]) < 1e-6));
    return rows;
  });
  assert.deepEqual([got.length, got[0].length], [2, 3]);
});

test('reshape and transpose take lists, or their entries', () => {
  for (const make of [(f) => f(whole), (f) => hlo.jit(f)(whole)]) {
    assert.deepEqual(make((y) => y.reshape(-1, 2)).toNested(), [[1, 2], [3, 4], [5, 6]]); // prettier-ignore
    assert.deepEqual(make((y) => y.reshape([3, -1])).shape, [3, 2]);
    assert.deepEqual(make((y) => y.reshape(6)).shape, [6]);
    assert.deepEqual(make((y) => y.reshape([6], { order: 'F' })).toNested(), [1, 4, 2, 5, 3, 6]);
    assert.deepEqual(make((y) => y.reshape(1, 2, 3).transpose(2, 0, 1)).shape, [3, 1, 2]);
    assert.deepEqual(make((y) => y.reshape(1, 2, 3).transpose([2, 0, 1])).shape, [3, 1, 2]);
    assert.deepEqual(make((y) => y.transpose()).toNested(), [[1, 4], [2, 5], [3, 6]]); // prettier-ignore
    assert.deepEqual(make((y) => y.T).shape, [3, 2]);
    assert.deepEqual(make((y) => y.reshape(1, 2, 3).mT).shape, [1, 3, 2]);
    assert.deepEqual(make((y) => y.reshape(1, 2, 3).T).shape, [3, 2, 1]);
    assert.deepEqual(make((y) => y.flatten()).shape, [6]);
  }
});

test('errors of methods are those of the functions, but for the array', () => {
  assert.throws(() => x.reshape(5), ShapeError);
  assert.throws(() => x.sum(2), /axis 2 is out of range for rank 2/);
  assert.throws(() => x.add(), /add\(y, \{ dtype, casting \}\) takes 1 argument, got 0/);
  assert.throws(() => x.flatten(1), /flatten\(\) takes no arguments/);
  assert.throws(() => x.mean({ keepDims: true }), /mean has no option "keepDims"/);
  assert.throws(() => x.astype('float31'), HloError);
  const gone = x.add(1);
  gone.dispose();
  assert.throws(() => gone.sum(), /dispose/);
});

test('methods leave nothing behind but their results', () => {
  for (const body of [(y) => y.mean(0), (y) => y.T, (y) => y.var(), (y) => y.reshape(-1)]) {
    body(x).dispose();
    const before = hlo.memory.inUse;
    body(x).dispose();
    assert.equal(hlo.memory.inUse, before);
  }
});
