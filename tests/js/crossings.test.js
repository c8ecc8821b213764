// How often JavaScript enters the engine: once for an operation or a jit function that has been called with such shapes
// before, however many arguments and results it has.
import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { load } from '../../web/index.js';
import { onRelaxed } from './relaxed_process.js';

/** Loads an engine, and counts calls of its functions by their names. */
async function loadCounted(options) {
  /** @type {Map<string, number>} */
  const calls = new Map();
  const counted = (name, f) =>
    function (...args) {
      calls.set(name, (calls.get(name) ?? 0) + 1);
      return f(...args);
    };
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = async (module, imports) => {
    const { exports } = await instantiate.call(WebAssembly, module, imports);
    const wrap = ([name, value]) => [
      name,
      name.startsWith('hlo_api_') ? counted(name, value) : value,
    ];
    return { exports: Object.fromEntries(Object.entries(exports).map(wrap)) };
  };
  try {
    return { hlo: await load(options), calls };
  } finally {
    WebAssembly.instantiate = instantiate;
  }
}

/** The calls of the third time: the first one compiles, and may find less memory than the others. */
function steadyCalls(calls, body) {
  body();
  body();
  calls.clear();
  body();
  return Object.fromEntries(calls);
}

const once = { hlo_api_executable_run: 1 };

/** Functions of np and methods, of arrays, numbers and options. */
const functionsOfNumPy = (np, x, y) => ({
  'np.add': () => np.add(x, y),
  'np.add of a number': () => np.add(x, 1),
  'np.add with dtype': () => np.add(x, 1, { dtype: 'float64' }),
  'np.power': () => np.power(x, 2),
  'np.equal': () => np.equal(x, 2),
  'np.where': () => np.where(x, y, 0),
  'np.clip': () => np.clip(x, 1, 3),
  'np.sum': () => np.sum(x),
  'np.sum with options': () => np.sum(x, { axis: [0], keepdims: true, initial: 2 }),
  'np.stack': () => np.stack([x, y]),
  'np.mean': () => np.mean(x),
  'a method': () => x.add(y),
  'a method of a number': () => x.subtract(1),
  'a method without arguments': () => x.sqrt(),
  'a reducing method': () => x.sum(),
  'a reducing method along an axis': () => x.max(0),
});

const testCalls = (options) =>
  test(`${JSON.stringify(options)}: a steady call enters the engine once`, async () => {
    const { hlo, calls } = await loadCounted(options);
    try {
      const x = hlo.array([1, 2, 3, 4], 'f32');
      const y = hlo.array([5, 6, 7, 8], 'f32');
      const large = hlo.array(new Float32Array(1 << 20));
      const bytes = hlo.array([1, 2, 3, 4], 's8');
      const model = { w: x, layers: [{ b: y }, new Map([['c', x]])] };
      const none = hlo.jit(() => hlo.iota('f32', [4]));
      const one = hlo.jit((a) => hlo.sine(a));
      const several = hlo.jit((a, b) => [hlo.add(a, b), hlo.mul(a, b), hlo.sub(a, b)]);
      const nested = hlo.jit(({ w, layers: [{ b }, c] }, scale) => ({
        w: hlo.mul(w, scale),
        rest: [new Map([['sum', hlo.add(b, c.get('c'))]])],
      }));
      const program = hlo.compile(
        'ENTRY e { a = f32[4] parameter(0)  b = f32[4] parameter(1)  s = f32[4] add(a, b)  ROOT r = (f32[4], f32[4]) tuple(s, a) }',
      );
      const dynamic = hlo.compile(`ENTRY e { a = f32[4] parameter(0)  n = s32[] constant(2)
        ROOT r = f32[<=4] set-dimension-size(a, n), dimensions={0} }`);
      const bodies = {
        add: () => hlo.add(x, y),
        'add of a number': () => hlo.add(x, 1),
        unary: () => hlo.exp(x),
        compare: () => hlo.gt(x, y),
        select: () => hlo.select(hlo.gt(x, y), x, y),
        reduce: () => hlo.reduce(x, 0, 'add', [0]),
        dot: () => hlo.dot(x, y),
        bytes: () => hlo.add(bytes, bytes),
        large: () => hlo.add(large, large),
        'jit of nothing': () => none(),
        jit: () => one(x),
        'jit of two': () => several(x, y),
        'jit of a tree': () => nested(model, 3),
        'jit of large': () => one(large),
        run: () => program.run([x, y]),
        'run by names': () => program.run({ a: x, b: y }),
        dynamic: () => dynamic.run([x]),
        ...functionsOfNumPy(hlo.np, x, y),
        map: () => hlo.map(x, (a) => hlo.mul(a, a)),
        'reduce with a function': () => hlo.reduce(x, 0, (a, b) => hlo.max(a, b), [0]),
        while: () =>
          hlo.while(
            (a) => hlo.lt(hlo.reduce(a, 0, 'add', [0]), 100),
            (a) => hlo.add(a, 1),
            x,
          ),
      };
      for (const [name, body] of Object.entries(bodies))
        assert.deepEqual(
          steadyCalls(calls, body),
          name === 'select' ? { hlo_api_executable_run: 2 } : once,
          name,
        );
      assert.equal(hlo.threads.count, Math.min(options.threads ?? 1, availableParallelism()));
      assert.deepEqual(
        steadyCalls(calls, () => hlo.exp(hlo.mul(hlo.add(x, y), 2))),
        { hlo_api_executable_run: 3 },
      );
    } finally {
      hlo.dispose();
    }
  });

if (process.env.HLO_TEST_BUILD) {
  testCalls({ build: process.env.HLO_TEST_BUILD });
} else {
  testCalls({ build: 'simd' });
  testCalls({ build: 'simd', threads: 2 });
  await onRelaxed(fileURLToPath(import.meta.url), (build) => testCalls({ build }));
}

test('a function given to an operation is traced again where it does something else', async () => {
  const { hlo, calls } = await loadCounted();
  const x = hlo.array([1, 2], 'f32');
  let [number, array] = [2, x];
  let isSquare = false;
  const scale = (a) => hlo.mul(a, isSquare ? a : number);
  for (const expected of [2, 3, 2, 3]) {
    number = expected;
    assert.deepEqual(hlo.map(x, scale).toNested(), [expected, 2 * expected]);
  }
  isSquare = true;
  assert.deepEqual(hlo.map(x, scale).toNested(), [1, 4]);
  assert.deepEqual(
    steadyCalls(calls, () => hlo.map(x, scale)),
    once,
  );
  const shift = (a) => hlo.add(a, hlo.reduce(array, 0, 'add'));
  for (const total of [3, 7]) {
    assert.deepEqual(hlo.map(x, shift).toNested(), [1 + total, 2 + total]);
    array = hlo.array([3, 4], 'f32');
  }
  const fail = (a) => {
    if (isSquare) return hlo.neg(a);
    throw new Error('not square');
  };
  assert.deepEqual(hlo.map(x, fail).toNested(), [-1, -2]);
  isSquare = false;
  assert.throws(() => hlo.map(x, fail), /not square/);
});

test('numbers that differ from call to call are not compiled into programs', async () => {
  const { hlo, calls } = await loadCounted();
  const x = hlo.array([1, 2, 3, 4], 'f32');
  let number = 0;
  const body = () => hlo.np.multiply(x, number++);
  assert.ok(!('hlo_api_compile' in steadyCalls(calls, body)));
  assert.deepEqual(body().toNested(), [3, 6, 9, 12]);
});

test('what is broadcast in a traced function is no constant of that size', async () => {
  const { hlo } = await loadCounted();
  const large = hlo.array(new Float32Array(1 << 16));
  const text = hlo
    .jit((x) => hlo.np.where(hlo.np.greater(x, 1), x, 0))
    .lower(large)
    .print();
  assert.ok(text.length < 2000, `${text.length}`);
});

test('what programs print is read where there is something, also before they fail', async () => {
  const { hlo, calls } = await loadCounted();
  const print = (rest) =>
    hlo.compile(`module { func.func @main(%x: tensor<i64>) -> tensor<i64> {
      "interpreter.print"(%x) : (tensor<i64>) -> ()
      ${rest} func.return %x : tensor<i64> } }`);
  const program = print('');
  const x = hlo.array(7n, 's64');
  assert.deepEqual(
    steadyCalls(calls, () => program.run([x])),
    { ...once, hlo_api_text: 1, hlo_api_text_length: 1 },
  );
  assert.match(program.output, /7/);
  const failing = print('check.expect_eq_const %x, dense<8> : tensor<i64>');
  for (let i = 0; i < 2; i++) {
    assert.throws(() => failing.run([x]));
    assert.match(failing.output, /7/);
  }
});

test('custom calls may call the engine: arguments and results of the call in progress stay', async () => {
  const { hlo } = await loadCounted();
  const x = hlo.array([1, 2, 3], 'f32');
  let depth = 0;
  hlo.registerCustomCall('again', ([a]) => {
    // More arguments than the engine keeps room for, so that the room moves.
    hlo.array(`f32[40000] {${'1,'.repeat(39999)}1}`).dispose();
    const most = depth++ < 3 ? hlo.customCall('again', [a], 'f32[3]') : a;
    return hlo.add(most, a);
  });
  const before = hlo.memory.inUse;
  const program = hlo.jit((a, b) => [hlo.customCall('again', [a], 'f32[3]'), b, hlo.neg(a)]);
  for (let i = 0; i < 3; i++) {
    depth = 0;
    assert.deepEqual(
      program(x, x).map((array) => array.toNested()),
      [
        [5, 10, 15],
        [1, 2, 3],
        [-1, -2, -3],
      ],
    );
  }
  assert.ok(hlo.memory.inUse > before);
});
