// Calls with arguments of the wrong kind: whatever is given, a call works or throws an error of this package, and the
// engine goes on with no more memory in use. Programs that are wrong are in bad_input.test.js.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HloArray, HloError, load } from '../../web/index.js';
import { numpy } from '../../web/numpy/index.js';

const hlo = await load();
const np = numpy(hlo);
const text = 'ENTRY e { p = f32[2] parameter(0) ROOT r = f32[2] add(p, p) }';
const openText =
  'func.func @main(%arg0: tensor<?x4xf32>) -> tensor<?x4xf32> { return %arg0 : tensor<?x4xf32> }';

/** What somebody may give by mistake. */
const wrong = [
  ...[undefined, null, true, NaN, Infinity, -1, 0, 1.5, 1e300, 5n, -1n, 2n ** 200n],
  ...['', 'x', 'f32', Symbol('s'), () => 1, {}, [], [1, 2], [[1, 2], [3]], [null], ['a'], [1n, 2]],
  ...[new Float64Array(6), new BigInt64Array(2), new ArrayBuffer(8), new Map([[1, 2]]), /x/],
  ...[
    Object.create(null),
    { type: 'f32' },
    { shape: [2, -1] },
    { shape: [1e9, 1e9] },
    { wrong: 1 },
  ],
  ...[Promise.resolve(1), { length: 3 }, hlo],
];

/** Names of an object's methods, its classes' among them. */
function methodsOf(object) {
  const names = new Set();
  for (let owner = object; owner !== Object.prototype; owner = Object.getPrototypeOf(owner))
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(owner)))
      if (typeof value === 'function' && name !== 'constructor') names.add(name);
  return [...names];
}

/** Frees what a call gave, but for what it was given. */
function free(result, given = []) {
  if (Array.isArray(result)) for (const part of result) free(part, given);
  else if (result !== hlo && !given.includes(result) && typeof result?.dispose === 'function') {
    try {
      result.dispose();
      result.module?.dispose();
    } catch (error) {
      if (!(error instanceof HloError)) throw error; // a traced value
    }
  }
}

/** Names in HLO text, which no call of JavaScript has: attributes with "_", operations with "-". */
const textNames = new RegExp(
  `\\b(${[
    ...hlo.ops.flatMap(({ attributes }) =>
      attributes.split(' ').map((name) => name.replace('?', '')),
    ),
    ...hlo.ops.map(({ name }) => name),
  ]
    .filter((name) => /[-_]/.test(name))
    .join('|')})\\b`,
);
const operations = new Set(Object.keys(hlo).filter((name) => typeof hlo[name] === 'function'));

async function attempt(what, call, args, operation) {
  try {
    free(await call(...args), args);
  } catch (error) {
    const isOurs = error instanceof HloError;
    assert.ok(isOurs, `${what} threw ${error?.stack ?? error}`);
    assert.doesNotMatch(error.message, /\[object/, what);
    if (operation === undefined) return;
    assert.match(error.message, new RegExp(`^${operation}\\b`), what);
    assert.doesNotMatch(error.message, textNames, what);
  }
}

/** Calls every method of what make() gives with wrong things, alone and behind an array or two. */
async function torment(kind, make, without = []) {
  const x = hlo.array([1, 2]);
  const sample = make();
  for (const name of methodsOf(sample).filter((name) => !without.includes(name)))
    for (const thing of wrong)
      for (const args of [[thing], [x, thing], [x, x, thing]]) {
        const object = make();
        const what = `${kind}.${name} with ${args.length} arguments, the last a ${typeof thing}`;
        const isOperation =
          object === hlo && operations.has(name) && !(name === 'add' && args.length === 1); // which loads a part
        const operation = isOperation || object === np ? name : undefined;
        await attempt(what, (...all) => object[name](...all), args, operation);
        if (object !== hlo && object !== np) free(object);
      }
  if (sample !== hlo && sample !== np) free(sample);
  const sum = hlo.add(x, x);
  assert.deepEqual(sum.toNested(), [2, 4]);
  free([sum, x]);
}

const kinds = {
  hlo: [() => hlo, ['dispose', 'setMemoryLimit']],
  np: [() => np],
  array: [() => hlo.array([1, 2])],
  module: [() => hlo.parse(text), ['plan']], // which is not to be seen outside
  executable: [() => hlo.compile(text)],
  openExecutable: [() => hlo.compile(openText)],
  builder: [() => hlo.builder('b')],
};
for (const [kind, [make, without]] of Object.entries(kinds))
  test(`every method of ${kind}`, async () => {
    await torment(kind, make, without);
    await torment(kind, make, without); // which compiles programs for numbers that come again
    const before = hlo.memory.inUse;
    await torment(kind, make, without);
    // Programs that are kept to run again may have come, arrays of 8 bytes and more have not.
    assert.ok(hlo.memory.inUse - before < 4096, `${hlo.memory.inUse - before} bytes more`);
  });

test('options that are spelt wrongly, and what is no option or no program', async () => {
  const x = hlo.array([[1, 2]]);
  const row = hlo.array([1, 2]);
  const executable = hlo.compile(text);
  for (const [call, what] of [
    [() => hlo.pad(x, 0, { lo: [1, 1] }), /pad has no option "lo": it has low, high and interior/],
    [() => hlo.sort(x, { axis: 0 }), /sort has no option "axis": it has dimension/],
    [() => hlo.topK(x, 1, 0), /topK takes options as an object, { largest }, got 0/],
    [() => hlo.dotGeneral(x, x, { lhsContract: [1] }), /no option "lhsContract"/],
    [() => hlo.conv(x, x, [1], 'SAME', { groups: 2 }), /conv has no option "groups"/],
    [
      () => hlo.reduceWindow(x, 0, 'add', { windowDimensions: [1, 1], stride: 1 }),
      /reduceWindow has no option "stride"/,
    ],
    [() => hlo.crossReplicaSum(x, null), /crossReplicaSum takes options as an object/],
    [() => hlo.array([1], { dtype: 'f32' }), /array\(\) has no option "dtype"/],
    [() => hlo.array([1], null), /array\(\) takes options as an object, .*, got null/],
    [() => hlo.compile(text, null), /compile takes options as an object/],
    [() => hlo.compile(text, { optimise: false }), /compile has no option "optimise"/],
    [() => hlo.compile(new Float32Array(3)), /text, or bytes in a Uint8Array.*Float32Array/],
    [() => hlo.compile(Promise.resolve(text)), /a promise: await it/],
    [() => hlo.parse(undefined), /got undefined/],
    [() => hlo.parse(text, { fmt: 'hlo' }), /parse has no option "fmt"/],
    [() => hlo.parse(text, 'fortran'), /"fortran"/],
    [() => executable.run([[1, 2, 3]]), /argument 0 .* hlo\.array/],
    [() => executable.run(x), /takes a list of arrays/],
    [() => executable.run(), /takes 1 arguments, got 0/],
    [() => hlo.setMemoryLimit(-1), /above 0/],
    [() => hlo.setMemoryLimit(NaN), /above 0/],
    [() => executable.module.graph({ of: 'e' }), /graph has no option "of": it has computation/],
    [() => executable.module.indexing({ operand: 0 }), /indexing has no option "operand"/],
    [
      () => executable.run([row], { feed: [] }),
      /run has no option "feed": it has infeed and onOutfeed/,
    ],
    [
      () => hlo.compile('ENTRY e { ROOT t = token[] after-all() }').run()[0].toNested(),
      /token has no elements in memory/,
    ],
    [() => x.toTypedArray({ out: 1 }), /toTypedArray has no option "out"/],
    [() => executable.run(x, x), /run takes a list of arrays/],
    [() => np.sum(x, '0'), /an axis is an integer, got "0"/],
    [() => hlo.concatenate(x, x), /dimension is an integer/],
    [() => hlo.array([1], 'float31'), /no element type "float31": names are those of NumPy or XLA/],
    [
      () => np.mean(x, { keepDims: true }),
      /mean has no option "keepDims": it has axis, dtype, keepdims and where/,
    ],
    [() => np.take(x, 0, { dim: 1 }), /take has no option "dim": it has indices, axis/],
    [() => hlo.exp(x, 'best'), /^exp: resultAccuracy must be .*, not \{mode=best\}$/],
    [() => hlo.compare(x, x, 'E Q'), /^compare: direction cannot be "E Q": /],
    [() => hlo.fft(x, 'F T', [2]), /^fft: type cannot be "F T": /],
    [() => hlo.domain(x, 'none'), /^domain cannot be "none": /],
    [() => hlo.fusion('kBest', x, (y) => y), /^fusion: kind must be one of .*, not 'kBest'$/],
    [() => hlo.customCall('f', x, 'f32[2', {}), /^customCall: .*the text ends$/],
    [() => np.eye('a'), /^eye: rows is a whole number from 0, got "a"$/],
    [() => np.zeros([2, 1.5]), /^zeros: size 1 of the shape is a whole number from 0, got 1.5$/],
    [() => np.random.randint(np.random.key(0), 0, 10, [3]), /shape is a list of sizes.*got 0/],
    [() => hlo.nn.crossEntropy([[1, 2]], [2]), /index 2 is out of range for a dimension of 2/],
    [() => np.ix_([[1]]), /np has no ix_: it is np.ix$/],
  ])
    assert.throws(
      call,
      (error) => error instanceof HloError && what.test(error.message),
      `${what}`,
    );
  await assert.rejects(
    load({ wasmUrl: 'x' }),
    /load has no option "wasmUrl": it has parts, wasm, programs, extras, build/,
  );
  free([x, row, executable]);
});

test('an error about a call says what it was given, and keeps what went wrong', () => {
  assert.throws(
    () => hlo.conditional(undefined, []),
    /^ShapeError: conditional\(index, branches, operands\) or .*: index is missing$/,
  );
  const x = hlo.array([1, 2]);
  assert.throws(
    () => hlo.dynamicSlice(x, 7, [1]),
    (error) =>
      error.message ===
        'dynamicSlice cannot be called with (f32[2], 7, a list): it takes (x, starts, sizes)' &&
      error.cause instanceof TypeError,
  );
  for (const [call, message] of [
    [() => hlo.reshape(null, [2]), 'reshape: x is an array, got null'],
    [() => hlo.reshape(x, [-1, 2]), 'reshape: shape is a list of sizes from 0 on, got [-1, 2]'],
    [() => hlo.copyStart(x), /^copyStart: what was started is no array: it is awaited where/],
    [() => hlo.jit((a) => hlo.copyStart(a))(x), /^what was started is no array/],
    [() => hlo.allToAll(x, 0, 0, 3), 'allToAll: dimension 0 of size 2 has no 3 equal parts'],
    [
      () => hlo.iota('f32[<=2]', 0),
      /^iota: the result's shape is text with fixed sizes, .*"f32\[<=2\]"/,
    ],
    [() => hlo.neg(5), /^neg: x is an array, got 5: numbers stand only beside an array/],
    [() => hlo.not(x), 'not: x may not have elements of type f32: f32[2]'],
    [() => hlo.concatenate([x, null], 0), 'concatenate: operands[1] is an array, got null'],
    [() => hlo.add(x, hlo.array([[1]])), /without broadcastDimensions/],
    [() => hlo.transpose(x, [0, 0]), /^transpose: permutation must have 1 number/],
    [() => hlo.gather(x, x, { sliceSizes: [1] }), 'gather: startIndexMap is missing'],
    [() => hlo.fft(x, 'XFT', [2]), 'fft: type must be FFT, IFFT, RFFT or IRFFT, not XFT'],
    [() => hlo.sort(x, { isStable: 1 }), 'sort: isStable is true or false, got 1'],
    [() => hlo.reduce(x, 0, 'and'), /^and: operand 0 may not have elements of type f32/],
  ])
    assert.throws(call, { message });
  assert.throws(() => np.zerosLike(null), /^HloError: zerosLike: an array cannot hold null/);
  assert.throws(
    () => np.concatenate(5),
    /^HloError: concatenate: expected a list of arrays, got 5/,
  );
  assert.throws(
    () => np.broadcastTo(1, null),
    /^HloError: broadcastTo: sizes are a number or a list of them, got null/,
  );
  const misspelt = () => hlo.add(x, x, { broadcast_dimensions: [0] });
  assert.throws(misspelt, /add has no option "broadcast_dimensions": it has broadcastDimensions/);
  assert.throws(() => hlo.tidy(null), /tidy takes a function, got null/);
  assert.throws(() => hlo.shape(5), /a shape is text, got 5/);
  assert.throws(() => hlo.fromNpy([1, 2]), /a file is a Uint8Array or an ArrayBuffer, got a list/);
  assert.throws(() => hlo.toNpz(null), /expected arrays by their names, got null/);
});

test('errors about missing and wrong arguments are in words of the call', async () => {
  const x = hlo.array([1, 2]);
  const internal = /Cannot read|is not a function|not iterable|'undefined'/;
  const layers = { hlo, np, nn: hlo.nn, special: hlo.special, linalg: np.linalg, fft: np.fft };
  for (const [layer, functions] of Object.entries(layers))
    for (const name of Object.keys(functions)) {
      if (typeof functions[name] !== 'function') continue;
      const shown = layer === 'hlo' || layer === 'np' ? name : `${layer}.${name}`;
      for (const args of [
        [],
        ['a'],
        [7],
        [{ range: 'a' }],
        [x, 'a'],
        [x, 7],
        [x, { range: 'a' }],
      ]) {
        const call = (...all) => functions[name](...all);
        try {
          free(await call(...args), args);
        } catch (error) {
          assert.ok(error instanceof HloError, `${shown}: ${error.stack}`);
          assert.doesNotMatch(error.message, internal, shown);
          const isPart = name === 'add' && args.length === 1; // which loads a part
          if (layer !== 'hlo' || (operations.has(name) && !isPart))
            assert.ok(error.message.startsWith(shown), `${shown}: ${error.message}`);
        }
      }
    }
  for (const [call, message] of [
    [() => hlo.sort(), /^sort\(operands, options\) or .*: operands is missing$/],
    [() => hlo.concatenate(), /^concatenate\(operands, dimension\): operands is missing$/],
    [() => hlo.concatenate([x]), /^concatenate\(operands, dimension\): dimension is missing$/],
    [() => hlo.map(), /^map\(operands, body, dimensions\): operands is missing$/],
    [() => hlo.allReduce(), /^allReduce\(operands, .*: operands is missing$/],
    [
      () => np.histogram(x, { range: 'a' }),
      /^histogram cannot be called with \(f32\[2\], an object\): it takes \(x, bins, /,
    ],
  ])
    assert.throws(call, { message });
  free(x);
});

test('an error of a function given to an operation stays what it is', () => {
  const error = new TypeError('mine');
  const x = hlo.array([1, 2]);
  const fails = () => {
    throw error;
  };
  for (const call of [
    () => hlo.reduce(x, 0, fails),
    () => hlo.map([x], fails),
    () => hlo.tidy(fails),
    () => hlo.jit((a) => hlo.map([a], fails))(x),
  ])
    assert.throws(call, (thrown) => thrown === error);
  free(x);
});

test('steps of a slice are at least one', async () => {
  const executable = hlo.compile(text);
  const x = hlo.array([1, 2]);
  for (const steps of [0, -1, 0.5, NaN, '1', null])
    await assert.rejects(executable.runAsync([x], { steps }), /steps is a whole number above 0/);
  const [sum] = await executable.runAsync([x], { steps: 1 });
  assert.deepEqual(sum.toNested(), [2, 4]);
  free([x, sum, executable]);
});

test('functions of the NumPy layer free what they make on their way', () => {
  const x = np.array([
    [1, 2],
    [3, 4],
  ]);
  const calls = {
    mean: () => np.mean(x),
    std: () => np.std(x, { axis: 0 }),
    softmax: () => hlo.nn.softmax(x),
    linspace: () => np.linspace(0, 1),
    einsum: () => np.einsum('ij,jk->ik', x, x),
    split: () => np.split(x, 2),
    'of lists': () => np.add([1, 2], [3, 4]),
    'the same array': () => np.astype(x, 'f32'),
  };
  for (const [name, call] of Object.entries(calls)) {
    const give = () => free([call()].flat().filter((array) => array !== x));
    for (let i = 0; i < 2; i++) give(); // a call that comes again gets a program
    const before = hlo.memory.inUse;
    for (let i = 0; i < 3; i++) give();
    assert.equal(hlo.memory.inUse, before, name);
  }
  assert.ok(x instanceof HloArray && x.item(1, 1) === 4);
  free(x);
});
