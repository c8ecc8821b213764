// jit: what it takes and gives back, when it traces anew, static arguments, and what it says when a function does what a
// traced one cannot. Programs are kept as long as said and freed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DisposedError, HloError, load } from '../../web/index.js';

const hlo = await load();
const x = hlo.array([1, 2, 3], 'f32');

/** A jit function that counts its traces. */
function counted(body, options) {
  const counter = { traces: 0 };
  const f = hlo.jit((...args) => (counter.traces++, body(...args)), options);
  return { f, counter };
}

test('arguments and results may be lists, objects and Maps, with null where there is nothing', () => {
  const { f, counter } = counted(({ layers, scale }, names) => ({
    out: layers.map((w) => hlo.mul(w, scale)),
    byName: new Map([...names].map(([name, y]) => [name, hlo.neg(y)])),
    none: null,
    left: undefined,
  }));
  const call = () =>
    f(
      { layers: [x, hlo.array([[1]], 'f32')], scale: 2 },
      new Map([
        ['a', x],
        ['b', hlo.array(5)],
      ]),
    );
  const result = call();
  assert.deepEqual(
    result.out.map((y) => y.toNested()),
    [[2, 4, 6], [[2]]],
  );
  assert.deepEqual(
    [...result.byName].map(([name, y]) => [name, y.toNested()]),
    [
      ['a', [-1, -2, -3]],
      ['b', -5],
    ],
  );
  assert.deepEqual([result.none, 'left' in result], [null, true]);
  call();
  assert.equal(counter.traces, 1);
  const other = f({ layers: [x], scale: 2 }, new Map([['c', x]]));
  assert.deepEqual(other.byName.get('c').toNested(), [-1, -2, -3]);
  assert.equal(counter.traces, 2);
});

test('traces anew for shapes, types, layouts and plain values, and only for them', () => {
  const { f, counter } = counted((a, options) => (options?.negate ? hlo.neg(a) : hlo.copy(a)));
  const columns = hlo.array([[1, 2]], 'f32').withLayout([0, 1]);
  const calls = [
    [x],
    [hlo.array([1, 2], 'f32')],
    [hlo.array([1, 2, 3], 's32')],
    [hlo.array([[1, 2]], 'f32')],
    [columns],
    [x, undefined],
    [x, null],
    [x, { negate: true }],
    [x, { negate: 1 }],
    [x, { negate: '1' }],
    [x, { negate: 1n }],
    [x, { negate: NaN }],
    [x, { negate: null }],
    [x, { negate: 0 }],
    [x, { negate: -0 }],
    [x, [true]],
    [x, new Map([['negate', true]])],
    [x, new Map([[true, 'negate']])],
  ];
  for (const args of calls) f(...args);
  assert.equal(counter.traces, calls.length);
  for (const args of calls) f(...args);
  assert.equal(counter.traces, calls.length);
  assert.deepEqual(f(hlo.array([4, 5, 6], 'f32'), { negate: true }).toNested(), [-4, -5, -6]);
  assert.equal(f.cacheSize, calls.length);
});

test('static arguments, by position and by name', () => {
  class Config {
    constructor(times) {
      this.times = times;
    }
  }
  const { f, counter } = counted(
    (a, act, config, { then } = {}) => {
      let y = a;
      for (let i = 0; i < config.times; i++) y = act(y);
      return then ? then(y) : y;
    },
    { static: [1, 2, 'then'] },
  );
  const two = new Config(2);
  const square = (y) => hlo.mul(y, y);
  assert.deepEqual(f(x, square, two).toNested(), [1, 16, 81]);
  assert.deepEqual(f(hlo.array([2, 2, 2], 'f32'), square, two).toNested(), [16, 16, 16]);
  assert.equal(counter.traces, 1);
  assert.deepEqual(f(x, hlo.neg, two).toNested(), [1, 2, 3]);
  assert.deepEqual(f(x, square, new Config(1)).toNested(), [1, 4, 9]);
  assert.equal(counter.traces, 3);
  assert.deepEqual(f(x, square, two, { then: hlo.neg }).toNested(), [-1, -16, -81]);
  f(x, square, two, { then: hlo.neg });
  assert.equal(counter.traces, 4);

  // Compared by what they hold: everything but functions and instances of classes.
  const held = counted((a, value) => hlo.mul(a, value.size ?? value.length ?? 1), { static: [1] });
  const values = () => [
    new Set([1, 2]),
    new Set([2, 1]),
    new Float32Array([1, 2]),
    new Float64Array([1, 2]),
    new Date(5),
    /a/g,
    /a/,
    { deep: [new Set(['1', '2']), { at: new Date(6) }] },
    Symbol.for('one'),
  ];
  for (const value of values()) held.f(x, value);
  for (const value of values()) held.f(x, value);
  assert.equal(held.counter.traces, values().length);

  assert.throws(() => f(x, square, x), /static argument 2 holds an array/);
  assert.throws(() => held.f(x, { deep: [x] }), /static argument 1\.deep\[0\] holds an array/);
  assert.throws(() => held.f(x, Symbol('mine')), /symbol/);
  for (const options of [{ static: 1 }, { static: [-1] }, { statics: [1] }, { cacheLimit: 0 }])
    assert.throws(() => hlo.jit(() => x, options), HloError);
});

test('a value that is read while tracing says so', () => {
  for (const [body, what] of [
    [(a) => a.toNested(), /no toNested\(\) here: this f32\[3\] is being traced/],
    [(a) => a.toTypedArray(), /toTypedArray/],
    [(a) => hlo.mul(a, a.item(0)), /no item\(\)/],
    [(a) => a.item(), /item/],
    [([first]) => first, /walking along it/],
    [(a) => (a > 1 ? a : hlo.neg(a)), /hlo\.select/],
    [(a) => a + 1, /operators/],
    [(a) => JSON.stringify(a), /toJSON/],
    [(a) => (a.dispose(), a), /dispose/],
  ]) {
    const read = (error) =>
      error instanceof HloError && error.code === 'traced value' && what.test(error.message);
    assert.throws(() => hlo.jit(body)(x), read, String(body));
    assert.throws(() => hlo.call(body, x), read, String(body));
  }
  assert.equal(
    hlo
      .jit((a) => (assert.match(`${a}`, /f32\[3\].*traced/), a))(x)
      .item(0),
    1,
  );
});

test('a value kept after its trace says so, and harms nothing', () => {
  let leaked;
  const f = hlo.jit((a) => (leaked = hlo.neg(a)));
  f(x);
  const isLeak = { name: 'HloError', code: 'traced value', message: /left behind/ };
  assert.throws(() => hlo.neg(leaked), isLeak);
  assert.throws(() => f(leaked), isLeak);
  assert.throws(() => hlo.jit((a) => hlo.add(a, leaked))(x), isLeak);
  f.dispose();
  assert.throws(() => hlo.neg(leaked), isLeak);
  assert.deepEqual([leaked.type, leaked.dims, leaked.size], ['f32', [3], 3]);
  assert.deepEqual(f(x).toNested(), [-1, -2, -3]);
});

test('wrong arguments and results', () => {
  const identity = hlo.jit((a) => a);
  assert.throws(() => identity(() => 1), /argument 0 of a jit function is a function/);
  assert.throws(
    () => identity({ w: new Float32Array(3) }),
    /argument 0\.w .* Float32Array.*hlo\.array/,
  );
  assert.throws(() => identity(new (class Point {})()), /is a Point.*static/);
  const cyclic = {};
  cyclic.self = [cyclic];
  assert.throws(() => identity(cyclic), /contains itself/);
  const gone = hlo.array([1], 'f32');
  gone.dispose();
  assert.throws(() => identity(gone), DisposedError);
  for (const [body, what] of [
    [() => 5, /returned 5/],
    [(a) => void hlo.neg(a), /returned nothing: is a return missing/],
    [async (a) => a, /must not be async/],
    [(a) => ({ y: [a, 'text'] }), /returned "text" at result\.y\[1\]/],
    [(a) => new Set([a]), /returned a Set/],
  ])
    assert.throws(() => hlo.jit(body)(x), what);
  assert.throws(() => hlo.jit(5), HloError);
  assert.throws(
    () =>
      hlo.jit((a) => {
        throw new RangeError(`mine ${a.rank}`);
      })(x),
    RangeError,
  );
  assert.deepEqual(identity(x).toNested(), [1, 2, 3]);
});

test('jit functions inside of jit functions are one program, also around values of the outer one', () => {
  const double = hlo.jit((a) => hlo.add(a, a));
  const outer = hlo.jit((a) => {
    const shifted = hlo.jit((b) => hlo.add(b, a)); // closes over a traced value
    return double(shifted(hlo.array([10, 10, 10], 'f32')));
  });
  assert.deepEqual(outer(x).toNested(), [22, 24, 26]);
  assert.equal(double.cacheSize, 0);
  const made = hlo.jit(() => double(hlo.iota('f32', [3])));
  assert.deepEqual(made().toNested(), [0, 2, 4]);
});

test('arrays from outside become constants, and may go afterwards', () => {
  const c = hlo.array([1, 1, 1], 'f32');
  const f = hlo.jit((a) => hlo.add(a, c));
  assert.deepEqual(f(x).toNested(), [2, 3, 4]);
  c.dispose();
  assert.deepEqual(f(x).toNested(), [2, 3, 4]);
});

test('the program can be looked at', () => {
  const f = hlo.jit(function layer(w, { bias }) {
    return hlo.tanh(bias ? hlo.add(w, bias) : w);
  });
  assert.equal(f.name, 'layer');
  const module = f.lower(x, { bias: hlo.shape('f32[3]') });
  assert.match(module.print(), /HloModule layer[^]*parameter\(1\)[^]*tanh/);
  const [y] = module.compile().run([x, x]);
  assert.ok(Math.abs(y.item(0) - Math.tanh(2)) < 1e-6, `${y.item(0)}`);
  assert.equal(f.cacheSize, 0, 'nothing was compiled for calls');
});

test('dispose of the engine frees what was compiled for calls, and calls compile again', async () => {
  const own = await load();
  const x = own.array([3, 1, 2]);
  const before = own.memory.inUse;
  const twice = own.jit((/** @type {any} */ y) => own.add(y, y));
  const run = () => {
    for (const f of [own.np.median, own.np.sinc, own.nn.softmax, own.special.gammaln, twice])
      f(x).dispose();
  };
  run();
  const [programs, size] = [own.memory.inUse - before, twice.cacheSize];
  own.dispose();
  assert.deepEqual([size, twice.cacheSize], [1, 0]);
  assert.ok(own.memory.inUse - before < programs / 20, `${own.memory.inUse - before}`);
  run();
  assert.equal(twice.cacheSize, 1);
});

test('as many programs as said, least recently used first, and none after dispose', () => {
  const { f, counter } = counted((a) => hlo.neg(a), { cacheLimit: 2 });
  const [one, two, three] = [1, 2, 3].map((n) => hlo.array(new Float32Array(n)));
  for (const a of [one, two, one, three, one]) f(a);
  assert.deepEqual([counter.traces, f.cacheSize], [3, 2]);
  f(two);
  assert.equal(counter.traces, 4);
  f.dispose();
  assert.equal(f.cacheSize, 0);
  const before = hlo.memory.inUse;
  for (let i = 0; i < 50; i++) {
    const g = hlo.jit((a) => hlo.tanh(hlo.add(a, i)));
    g(one).dispose();
    g.dispose();
  }
  assert.ok(hlo.memory.inUse - before < 1000, `${hlo.memory.inUse - before} bytes are kept`);
});

test('a builder is of no use after build(), and values of another program are refused', () => {
  const builder = hlo.builder('one');
  const at = builder.computation('main');
  const a = at.parameter('f32[3]');
  const b = at.add('negate', [a]);
  const foreign = hlo.builder('other').computation('main').parameter('f32[3]');
  assert.throws(() => at.add('add', [a, foreign]), /another function/);
  assert.throws(() => at.finish(foreign), HloError);
  const module = builder.build(at, b);
  assert.throws(() => builder.build(at, b), /finished/);
  assert.throws(() => at.add('negate', [a]), /finished/);
  assert.throws(() => at.parameter('f32[3]'), /finished/);
  builder.dispose();
  assert.deepEqual(module.compile().run([x])[0].toNested(), [-1, -2, -3]);
});

test('arrays stay with their engine', async () => {
  const other = await load();
  const theirs = other.array([1, 2, 3], 'f32');
  assert.throws(() => hlo.add(x, theirs), /another engine/);
  assert.throws(() => hlo.jit((a) => hlo.add(a, theirs))(x), /another engine/);
  assert.throws(
    () =>
      hlo.compile('ENTRY e { p = f32[3] parameter(0) ROOT n = f32[3] negate(p) }').run([theirs]),
    /another engine/,
  );
});
