// The NumPy layer against what NumPy gives (tests/fixtures/numpy), eager and traced; promotion and errors.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { HloArray, HloError, load, ShapeError } from '../../web/index.js';
import { aliases } from '../../web/numpy/aliases.js';
import { parseCall } from '../../web/numpy/calls.js';
import { numpy } from '../../web/numpy/index.js';
import { signatures } from '../../web/numpy/signatures.js';

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

test('NaN of either sign comes last, and a median of some is one', () => {
  const zeros = hlo.array([0, 0]);
  const nans = hlo.div(zeros, zeros); // negative on x86
  const x = np.concatenate([nans, [3, -2], hlo.neg(nans), [1]]);
  const last = [NaN, NaN, NaN, NaN];
  assert.deepEqual(np.sort(x).toNested(), [-2, 1, 3, ...last]);
  assert.deepEqual(np.argsort(x).toNested(), [3, 6, 2, 0, 1, 4, 5]);
  for (const f of [np.median, np.max, np.min]) assert.ok(Number.isNaN(f(x).item()));
  assert.equal(np.argmax(x).item(), 0);
  const many = np.tile(x, 3000);
  assert.equal(np.sort(many).item(8999), 3);
  assert.ok(Number.isNaN(np.median(many).item()));
});

test('division that rounds down, hypot and logarithms where they were wrong', () => {
  for (const type of ['f32', 'f64']) {
    const of = (/** @type {number} */ x) => hlo.array(x, type);
    assert.equal(np.floorDivide(of(1), of(0.1)).item(), 9);
    assert.equal(np.hypot(of(1e30), of(1e30)).item() > 1.41e30, true);
    assert.equal(np.hypot(of(Infinity), of(NaN)).item(), Infinity);
    const near = np.hypot(of(3e-30), of(4e-30)).item();
    assert.ok(Math.abs(near - 5e-30) < 1e-36, `${near}`);
    assert.equal(np.floor(np.log10(of(1000))).item(), 3);
    for (let e = type === 'f32' ? -149 : -1074; e < (type === 'f32' ? 128 : 1024); e++)
      assert.equal(np.log2(of(2 ** e)).item(), e);
  }
  assert.throws(() => np.hypot([{ re: 1, im: 1 }], 1), /hypot takes no complex numbers/);
  const whole = hlo.array([2, 3], 's32');
  assert.throws(() => np.power(whole, -1), /no negative powers/);
  assert.throws(() => np.power(whole, hlo.array([1, -1], 's32')), /no negative powers/);
  assert.equal(np.power(whole, 2).item(1), 9);
});

test('traced indices that are out of range give NaN, others an error', () => {
  const x = hlo.array([10, 20, 30]);
  const where = hlo.array([0, 3, -4, -1], 's32');
  assert.throws(() => np.take(x, where), /index 3 is out of range for a dimension of 3/);
  const take = hlo.jit((/** @type {any} */ a, /** @type {any} */ i) => np.take(a, i));
  assert.deepEqual(take(x, where).toNested(), [10, NaN, NaN, 30]);
  assert.deepEqual(take(hlo.convert(x, 's8'), where).toNested(), [10, -128, -128, 30]);
  assert.deepEqual(np.take(x, where, { mode: 'clip' }).toNested(), [10, 30, 10, 10]);
  assert.deepEqual(np.take(x, where, { mode: 'wrap' }).toNested(), [10, 10, 30, 30]);
  assert.throws(() => np.take(x, 0, { mode: 'fill' }), /'raise', 'clip' or 'wrap'/);
});

test('real infinities have an angle', () => {
  const angles = np.angle([Infinity, -Infinity, NaN, 0, -0, 2, -2]).toNested();
  const pi = Math.fround(Math.PI);
  assert.deepEqual(angles, [0, pi, NaN, 0, pi, 0, pi]);
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

test('NumPy’s names of element types stand for XLA’s', () => {
  for (const [name, type] of [
    ['bool', 'pred'],
    ['int8', 's8'],
    ['int64', 's64'],
    ['uint32', 'u32'],
    ['float16', 'f16'],
    ['bfloat16', 'bf16'],
    ['float32', 'f32'],
    ['float64', 'f64'],
    ['complex64', 'c64'],
    ['complex128', 'c128'],
  ]) {
    assert.equal(np[name], type);
    assert.equal(np.zeros(2, name).type, type);
    assert.equal(np.zeros(2, type).type, type);
  }
  assert.equal(np.array([1, 2], np.int32).type, 's32');
  assert.equal(np.array(np.arange(3), 'float32').type, 'f32');
  assert.equal(np.astype([1.5], 'int16').type, 's16');
  for (const call of [
    () => np.arange(0, 3, 1, 'int8'),
    () => np.linspace(0, 3, 2, { dtype: 'int8' }),
    () => np.full([1], 3, 'int8'),
    () => np.eye(1, 1, 0, 'int8'),
    () => np.ones(1, 'int8'),
  ])
    assert.equal(call().type, 's8');
  assert.throws(() => np.zeros(2, 3), /a name such as 'float32' or 'f32', not 3/);
  assert.throws(() => np.zeros([2], 'float31'), /there is no element type "float31"/);
});

test('an axis is a number or an option, wherever its place is', () => {
  const m = np.array([[1, 2, 3]]);
  for (const axis of [0, { axis: 0 }, -2, { axis: -2 }]) {
    assert.deepEqual(np.sum(m, axis).dims, [3]);
    assert.deepEqual(np.argmax(m, axis).dims, [3]);
    assert.deepEqual(np.squeeze(m, axis).dims, [3]);
    assert.deepEqual(np.concatenate([m, m], axis).dims, [2, 3]);
  }
  assert.deepEqual(np.expandDims(m, { axis: -1 }).dims, [1, 3, 1]);
  assert.deepEqual(np.split(m, 3, { axis: 1 })[2].dims, [1, 1]);
  assert.deepEqual(np.roll(m, 1, { axis: 1 }).toNested(), [[3, 1, 2]]);
  assert.deepEqual(np.take(m, [-1], 1).toNested(), [[3]]);
  assert.throws(() => np.sum(m, 2), /axis 2 is out of range for rank 2/);
  assert.throws(() => np.stack([m, m], { axes: 1 }), /stack has no option "axes": it has axis/);
  assert.throws(() => np.sum(m, 'x'), /an axis is an integer, got "x"/);
});

test('sums and means hold more than small types do', () => {
  const bytes = hlo.array([200, 100], 'u8');
  assert.deepEqual([np.sum(bytes).item(), np.sum(bytes).type], [300, 'u32']);
  const small = hlo.array([100, 100], 's8');
  assert.deepEqual([np.cumsum(small).toNested(), np.cumsum(small).type], [[100, 200], 's32']);
  const halves = np.full(70000, 2, 'float16'); // whose sum is infinite, as is how many they are
  assert.deepEqual([np.mean(halves).item(), np.mean(halves).type], [2, 'f16']);
  assert.deepEqual([np.var(halves).item(), np.std(halves).type], [0, 'f16']);
});

test('the layer is of an engine, not of the promise of one', () => {
  assert.throws(
    () => numpy(/** @type {any} */ (load())),
    /numpy takes what load\(\) gave: await it/,
  );
});

test('what is as large as numbers say is not traced', () => {
  for (const name of ['nonzero', 'flatnonzero', 'unique']) {
    const traced = hlo.jit((/** @type {any} */ x) => np[name](x));
    const error = new RegExp(`the size of ${name}'s result depends on numbers, which traced`);
    assert.throws(() => traced(hlo.array([1, 2])), error);
    const sized = hlo.jit((/** @type {any} */ x) => [np[name](x, { size: 2 })].flat());
    assert.deepEqual(sized(hlo.array([0, 2]))[0].dims, [2]);
  }
  const quantile = hlo.jit((/** @type {any} */ x, /** @type {any} */ q) => np.quantile(x, q));
  assert.equal(quantile(hlo.array([1, 2]), hlo.array(0.5)).item(), 1.5);
  const tile = hlo.jit((/** @type {any} */ x) => np.tile(x, x));
  assert.throws(() => tile(hlo.array([1, 2])), /cannot be traced: give numbers/);
  assert.deepEqual(np.searchsorted(np.arange(1000), [-1, 500, 2000]).toNested(), [0, 500, 1000]);
});

test('errors name shapes and axes', () => {
  assert.throws(
    () => np.where([true]),
    /where\(condition, onTrue, onFalse\) takes 3 arguments, got 1/,
  );
  assert.throws(
    () =>
      np.pad(
        [[1]],
        [
          [1, 1],
          [1, 1],
          [1, 1],
        ],
      ),
    /3 pairs of widths do not pad 2 dimensions/,
  );
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
  assert.throws(() => np.repeat(m, -1), /a count is an integer that is not negative, not -1/);
  assert.throws(() => np.repeat(m, [1, 2], 1), /2 counts do not repeat 3 elements/);
  assert.throws(() => np.tile(m, [{}]), /not an object/);
  assert.throws(() => np.diag(np.zeros([1, 1, 1])), ShapeError);
  assert.throws(
    () => np.takeAlongAxis(m, [[1, 0]], 0),
    /\[1,2\] are no places in \[2,3\] along axis 0/,
  );
  assert.ok(Number.isNaN(np.median(np.zeros([0])).item()));
  assert.throws(() => np.meshgrid([1], { indexing: 'yx' }), /indexing is 'xy' or 'ij'/);
  assert.throws(() => np.diff(m, { axes: 0 }), /axes/);
});

test('types have the arguments and options that calls are read by', () => {
  const page = [
    'types.js',
    'types/numbers.js',
    'types/counting.js',
    'types/places.js',
    'types/signals.js',
  ]
    .map((file) => readFileSync(new URL(`../../web/numpy/${file}`, import.meta.url), 'utf8'))
    .join('\n');
  /** @type {Map<string, string>} */
  const types = new Map();
  for (const [, type, name] of page.matchAll(/@typedef \{(.*)\} (\w+)/g)) types.set(name, type);
  for (const [, union, name] of page.matchAll(/@typedef \{(['\s*|\w]+)\} (\w+)Name/g))
    for (const [, one] of union.matchAll(/'(\w+)'/g))
      types.set(`its ${one}`, types.get(name) ?? '');
  for (const [, type, name] of page.matchAll(/@property \{(?:<.*?>)?(\(.*=>.*)\} (\w+)/g))
    types.set(`its ${name}`, type);
  for (const [name, others] of Object.entries(aliases))
    for (const other of others) types.set(`its ${other}`, types.get(`its ${name}`) ?? '');
  /** With what the types of options in it are. @type {(text: string) => string} */
  const whole = (text) =>
    text.replace(/\b(?:\w+Options|Typed|Along|Tolerances)\b/g, (name) =>
      whole(types.get(name) ?? ''),
    );
  for (const [name, text] of Object.entries(signatures)) {
    const { order, named } = parseCall(text);
    const type = whole(types.get(`its ${name}`) ?? '');
    for (const one of new Set([...order, ...named]))
      assert.match(type, new RegExp(`\\b${one}\\??: `), `${name} ${one}`);
    for (const [, one] of type.matchAll(/(\w+)\??: /g))
      assert.ok([...order, ...named, 'options'].includes(one), `${name} ${one}`);
  }
});

test('a list of arrays is an array, and an array is a list of its rows', () => {
  const [a, b] = [hlo.array([1, 2]), hlo.array([3, 4], 's32')];
  const rows = [
    [1, 2],
    [3, 4],
  ];
  assert.deepEqual(np.array([a, b]).toNested(), rows);
  assert.deepEqual(np.array([a, [3, 4]]).toNested(), rows);
  assert.deepEqual(np.asarray([[a, b]], 'f64').toNested(), [rows]);
  assert.equal(np.asarray([a, b], 'f64').type, 'f64');
  assert.equal(np.array([b, b]).type, 's32');
  assert.deepEqual(np.add([a, b], 1).toNested(), [
    [2, 3],
    [4, 5],
  ]);
  assert.deepEqual(np.sum([a, b], 0).toNested(), [4, 6]);
  assert.deepEqual(np.append(np.array([a]), [b], 0).toNested(), rows);
  assert.deepEqual(np.array([a.at(0), 5]).toNested(), [1, 5]);
  const traced = hlo.jit((/** @type {any} */ x, /** @type {any} */ y) => np.array([x, y]));
  assert.deepEqual(traced(a, b).toNested(), rows);
  assert.throws(() => np.array([a, hlo.array([1])]), /array: the arrays of a list have one shape/);
  const m = np.array(rows);
  assert.deepEqual(np.stack(m, 1).toNested(), np.transpose(m).toNested());
  assert.deepEqual(np.stack(a).toNested(), [1, 2]);
  for (const join of [np.concatenate, np.hstack])
    assert.deepEqual(join(m).toNested(), [1, 2, 3, 4]);
  assert.deepEqual(np.vstack(a).toNested(), [[1], [2]]);
  assert.throws(() => np.stack(a.at(0)), /stack: expected a list of arrays/);
  assert.throws(() => np.concatenate(a), HloError);
});
