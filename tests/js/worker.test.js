// The worker client in Node: the same results as in this thread, errors of the right class, nothing left behind.
// tests/browser/worker.test.js does the same in a page.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import {
  DisposedError,
  HloError,
  load,
  ParseError,
  RunError,
  ShapeError,
  UnsupportedError,
} from '../../web/index.js';
import { loadWorker, WorkerArray } from '../../web/worker/index.js';

const hlo = await loadWorker();
after(() => hlo.terminate());
const loop = `HloModule loop
cond { s = (s32[]) parameter(0)  i = s32[] get-tuple-element(s), index=0  n = s32[] constant(100000000)
  ROOT c = pred[] compare(i, n), direction=LT }
body { s = (s32[]) parameter(0)  i = s32[] get-tuple-element(s), index=0  one = s32[] constant(1)
  j = s32[] add(i, one)  ROOT t = (s32[]) tuple(j) }
ENTRY e { z = s32[] constant(0)  t = (s32[]) tuple(z)  ROOT w = (s32[]) while(t), condition=cond, body=body }`;

test('arrays and operations', async () => {
  const x = await hlo.array([1, 2, 3], 'f32');
  assert.ok(x instanceof WorkerArray);
  assert.deepEqual([x.type, x.dims, x.rank], ['f32', [3], 1]);
  const y = await hlo.add(x, 1);
  assert.deepEqual(await y.toTypedArray(), new Float32Array([2, 3, 4]));
  const [values, order] = await hlo.sort([y, await hlo.iota('s32', [3])], { comparator: 'gt' });
  assert.deepEqual([await values.toNested(), await order.toNested()].map(String), [
    '4,3,2',
    '2,1,0',
  ]);
  assert.match(await x.toText(), /^f32\[3\] \{1, 2, 3\}$/);
  assert.ok(hlo.ops.length > 100 && hlo.types.length > 20 && hlo.build.length > 0);
});

test('buffers are moved when told so, and copied when not', async () => {
  const kept = new Float32Array([1, 2]);
  assert.deepEqual(await (await hlo.array(kept)).toNested(), [1, 2]);
  assert.equal(kept.length, 2);
  const moved = new Float32Array([3, 4]);
  assert.deepEqual(await (await hlo.array(moved, { transfer: true })).toNested(), [3, 4]);
  assert.equal(moved.length, 0);
  const shared = new Float32Array(new SharedArrayBuffer(8)).fill(5);
  assert.deepEqual(await (await hlo.array(shared)).toNested(), [5, 5]);
});

test('programs', async () => {
  const module = await hlo.parse(
    'HloModule m\nENTRY e { x = f32[2] parameter(0) ROOT y = f32[2] negate(x) }',
  );
  assert.match(await module.print('stablehlo'), /stablehlo\.negate/);
  assert.match(await module.indexing(), /d0/);
  const executable = await module.compile();
  assert.deepEqual(
    [executable.parameters[0].text, executable.results[0].text],
    ['f32[2]', 'f32[2]'],
  );
  const [y] = await executable.run([await hlo.array([1, -2], 'f32')]);
  assert.deepEqual(await y.toNested(), [-1, 2]);
});

test('a run can be given up, and the worker goes on', async () => {
  const executable = await hlo.compile(loop);
  const controller = new AbortController();
  const run = executable.run([], { signal: controller.signal, steps: 100 });
  setTimeout(() => controller.abort(), 20);
  await assert.rejects(run, { name: 'AbortError' });
  await assert.rejects(executable.run([], { signal: AbortSignal.abort() }), { name: 'AbortError' });
  assert.equal(await (await hlo.add(await hlo.array(1, 's32'), 1)).toNested(), 2);
});

test('disposing frees memory over there', async () => {
  const before = (await hlo.memory()).inUse;
  for (let i = 0; i < 20; i++) (await hlo.array(new Float32Array(100000))).dispose();
  const { inUse } = await hlo.memory();
  assert.ok(inUse - before < 100000, `${inUse - before} bytes are kept`);
});

test('terminating rejects what is open', async () => {
  const other = await loadWorker();
  const open = other.array(new Float32Array(10));
  other.terminate();
  await assert.rejects(open, { code: 'cancelled' });
});

test('shared memory: read from there, and written to from the worker', async () => {
  const shared = new SharedArrayBuffer(16);
  const view = new Float32Array(shared).fill(3);
  const x = await hlo.array(shared, { type: 'f32', shape: [2, 2] });
  const y = await hlo.mul(x, 2);
  assert.equal(await y.toTypedArray({ into: view }), view);
  assert.deepEqual([...view], [6, 6, 6, 6]);
  const own = new Float32Array(4);
  assert.equal(await y.toTypedArray({ into: own }), own);
  assert.deepEqual([...own], [6, 6, 6, 6]);
  await assert.rejects(y.toTypedArray({ into: new Float32Array(3) }), /length 4/);
  const bytes = await hlo.array([1, 255], 'u8');
  for (const into of [new Uint8ClampedArray(2), Buffer.alloc(2)])
    assert.deepEqual([...(await bytes.toTypedArray({ into }))], [1, 255]);
  await assert.rejects(bytes.toTypedArray({ into: new Int8Array(2) }), /into a Uint8Array of/);
  await assert.rejects(
    y.toTypedArray({ into: new Int32Array(shared) }),
    /Float32Array of length 4/,
  );
});

test('a promise among the arguments is an error that says so', async () => {
  await assert.rejects(hlo.add(hlo.array([1], 'f32'), 1), /an argument is a promise: await it/);
});

test('the members of arrays, programs and executables', async () => {
  const x = await hlo.array(
    [
      [1, 2],
      [3, 4],
    ],
    'f32',
  );
  assert.deepEqual([x.size, await x.item(-1, 0), await (await hlo.array(5n)).item()], [4, 3, 5n]);
  assert.deepEqual((await x.withLayout([0, 1])).xla.layout.minorToMajor, [0, 1]);
  assert.match(String(x), /^f32\[2,2\] \(in a worker/);
  assert.deepEqual([x.shape, x.ndim, x.dtype], [[2, 2], 2, 'float32']);
  const scaled = await (await x.matmul(x)).add(await x.sum(0, { keepdims: true }));
  assert.deepEqual(await scaled.toNested(), [[11, 16], [19, 28]]); // prettier-ignore
  assert.deepEqual((await x.reshape(-1)).shape, [4]);
  await assert.rejects(x.sum(2), /axis 2 is out of range for rank 2/);
  const module = await hlo.parse(
    'HloModule m\nENTRY e { x = f32[2] parameter(0)  y = f32[2] negate(x)  ROOT z = f32[2] negate(y) }',
  );
  const instructions = await module.instructions();
  assert.deepEqual(
    instructions.map(({ name, operands }) => [name, operands]),
    [
      ['x', []],
      ['y', ['x']],
      ['z', ['y']],
    ],
  );
  assert.equal((await module.cost()).flops, 4);
  assert.equal((await module.graph()).nodes.length, 3);
  assert.match(await module.toDot(), /digraph/);
  assert.doesNotMatch(await (await module.optimize()).print(), /negate/);
  const executable = await module.compile({ optimize: false });
  assert.equal((await executable.cost()).flops, 4);
  assert.match(await executable.print(), /negate/);
  assert.equal(executable.memory.results, 8);
  assert.equal(await executable.output(), '');
  assert.equal(typeof (await executable.ready()), 'boolean');
});

test('progress, replicas, infeed and outfeed', async () => {
  const loopTo = await hlo.compile(loop.replace('100000000', '300'));
  let steps = 0;
  const [i] = await loopTo.run([], { steps: 50, onProgress: (done) => (steps = done.steps) });
  assert.equal(await i.toNested(), 300);
  assert.ok(steps >= 300);
  const sum = await hlo.compile(`HloModule m
add { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = f32[] add(a, b) }
ENTRY e { x = f32[2] parameter(0)  ROOT y = f32[2] all-reduce(x), to_apply=add }`);
  const inputs = await Promise.all(
    [
      [1, 2],
      [3, 4],
    ].map((list) => hlo.array(list, 'f32')),
  );
  const results = await sum.runReplicas(inputs.map((x) => [x]));
  assert.deepEqual(await Promise.all(results.map(([y]) => y.toNested())), [
    [4, 6],
    [4, 6],
  ]);
  const feeds =
    await hlo.compile(`ENTRY e { t = token[] after-all()  f = (f32[2], token[]) infeed(t)
  x = f32[2] get-tuple-element(f), index=0  y = f32[2] negate(x)  o = token[] outfeed(y, t), outfeed_shape=f32[2]
  ROOT r = () tuple() }`);
  const items = [];
  await feeds.run([], { infeed: [[inputs[0]]], onOutfeed: (item) => items.push(item) });
  assert.deepEqual(await items[0][0].toNested(), [-1, -2]);
});

test('jit: traced here, run there', async () => {
  const here = await load();
  let traces = 0;
  const table = here.array([10, 20], 'f32');
  const step = hlo.jit(
    ({ w }, x, activate) => {
      traces++;
      const y = activate(here.add(here.mul(x, w), table));
      return { y, parts: [here.reduce(y, 0, 'add'), null] };
    },
    { hlo: here, static: [2], cacheLimit: 2 },
  );
  const [w, x] = [await hlo.array([1, 2], 'f32'), await hlo.array([3, 4], 'f32')];
  const { y, parts } = await step({ w }, x, here.neg);
  assert.ok(y instanceof WorkerArray);
  assert.deepEqual(await y.toNested(), [-13, -28]);
  assert.deepEqual([await parts[0].item(), parts[1]], [-41, null]);
  await step({ w: x }, w, here.neg);
  assert.deepEqual([traces, step.cacheSize], [1, 1]);
  await step({ w }, x, here.abs);
  await step({ w }, x, here.exp);
  assert.deepEqual([traces, step.cacheSize], [3, 2]);
  await assert.rejects(step({ w }, table, here.neg), /not in the worker/);
  await assert.rejects(step({ w }, await hlo.array([1, 2, 3], 'f32'), here.neg), ShapeError);
  assert.throws(() => hlo.jit((a) => a), /hlo: await load\(\)/);
  step.dispose();
  assert.equal(step.cacheSize, 0);
});

test('errors keep class, code and place', async () => {
  const [two, three] = [await hlo.array([1, 2], 'f32'), await hlo.array([1, 2, 3], 'f32')];
  const cases = [
    [hlo.add(two, three), ShapeError, 'shape error', 0],
    [hlo.parse('HloModule m\nENTRY e { x = f32[2] parameter(0 }'), ParseError, 'parse error', 2],
    [
      hlo.parse('ENTRY e {\n x = f32[2] parameter(0)\n ROOT y = f32[3] negate(x) }'),
      ShapeError,
      'shape error',
      3,
    ],
    [
      hlo
        .compile('ENTRY e { ROOT x = f32[2] custom-call(), custom_call_target="nobody" }')
        .then((/** @type {any} */ executable) => executable.run()),
      UnsupportedError,
      'unsupported',
      1,
    ],
    [hlo.array(new Float32Array(2), { dtype: 's32' }), HloError, 'invalid argument', undefined],
  ];
  for (const [promise] of cases) promise.catch(() => {}); // each is looked at in its turn
  for (const [promise, Class, code, line] of cases)
    await assert.rejects(
      promise,
      (error) => error.constructor === Class && error.code === code && error.line === line,
    );
  const deadlock = await hlo.compile(
    'ENTRY e { x = f32[2] parameter(0)  t = token[] after-all()  f = (f32[2], token[]) infeed(t)  ROOT g = f32[2] get-tuple-element(f), index=0 }',
  );
  await assert.rejects(deadlock.run([two]), RunError);
  const reason = new Error('mine');
  await assert.rejects(deadlock.run([], { signal: AbortSignal.abort(reason) }), reason);
  for (const gone of [deadlock, two, two]) gone.dispose();
  for (const use of [() => deadlock.run([]), () => two.toNested(), () => hlo.neg(two)])
    await assert.rejects(use, DisposedError);
});

test('a worker that dies or ends rejects what is open and whatever comes after', async () => {
  const { Worker } = await import('node:worker_threads');
  const script = new URL('../../web/wasm/hlo-worker.js', import.meta.url);
  for (const [how, what] of [
    ["throw new Error('crashed')", /the worker failed: crashed/],
    ['process.exit(3)', /the worker failed: it ended with code 3/],
  ]) {
    const code = `import { parentPort } from 'node:worker_threads';
      await import(${JSON.stringify(script.href)});
      parentPort.on('message', (data) => { if (data.method === 'toNested') setTimeout(() => { ${how} }); });`;
    const thread = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`));
    const far = await loadWorker({ worker: thread });
    const x = await far.array([1, 2], 'f32');
    const executable = await far.compile(loop);
    const open = executable.run([], { signal: new AbortController().signal });
    x.toNested().catch(() => {});
    await assert.rejects(open, what);
    await assert.rejects(far.array([1]), what);
    await assert.rejects(x.toNested(), { code: 'worker failed' });
    x.dispose();
  }
  const ended = await loadWorker();
  const x = await ended.array([1]);
  ended.terminate();
  await assert.rejects(x.toNested(), { code: 'cancelled' });
});

test('wrong arguments are errors of this package, and the worker goes on', async () => {
  const hlo = await loadWorker();
  const x = await hlo.array([1, 2]);
  const executable = await hlo.compile(
    'ENTRY e { p = f32[2] parameter(0) ROOT r = f32[2] add(p, p) }',
  );
  for (const call of [
    () => hlo.array(Symbol('x')),
    () => hlo.compile(Promise.resolve('')),
    () => hlo.add(x, null),
    () => hlo.add(x, () => 1),
    () => hlo.reduce(x, 0, () => x),
    () => hlo.pad(x, 0, { lo: [1] }),
    () => hlo.jit((a) => a, null),
    () => x.toTypedArray({ out: 1 }),
    () => x.item('0'),
    () => executable.run(x, null),
    () => executable.run([x], { feeds: [] }),
    () => executable.runReplicas(null, null),
    () => loadWorker({ worker: 5 }),
    () => loadWorker({ builds: 'simd' }),
    () => loadWorker({ wasm: new Uint8Array([1, 2, 3]) }),
  ])
    await assert.rejects(
      async () => call(),
      (error) => error instanceof HloError,
      String(call),
    );
  assert.deepEqual(await (await executable.run([x], null))[0].toNested(), [2, 4]);
  hlo.terminate();
});

test('files of jax.export: nested arguments, names, and the stored vector-Jacobian product', async () => {
  const file = (/** @type {string} */ name) =>
    readFileSync(new URL(`../fixtures/exports/${name}`, import.meta.url));
  const { args, kwargs, result } = JSON.parse(file('cases.json').toString()).nested;
  const bytes = new Uint8Array(file('nested.jax_export'));
  const [here, there] = [await load(), await loadWorker()];
  const local = here.compile(bytes);
  const remote = await there.compile(bytes);
  assert.deepEqual(remote.parameterNames, local.parameterNames);
  /** Leaves of results as numbers. @returns {Promise<any>} */
  const plain = async (/** @type {any} */ tree) => {
    if (tree === null) return null;
    if (typeof tree.toNested === 'function') return tree.toNested();
    if (Array.isArray(tree)) return Promise.all(tree.map(plain));
    const parts = Object.entries(tree).map(async ([key, part]) => [key, await plain(part)]);
    return Object.fromEntries(await Promise.all(parts));
  };
  const want = await plain(local.call(...args, kwargs));
  assert.deepEqual(Object.keys(want).sort(), Object.keys(result).sort());
  assert.deepEqual(await plain(await remote.call(...args, kwargs)), want);
  // Dictionaries as Maps, leaves that are arrays of the worker's.
  const x = await there.array(args[1].x, 'f32');
  const called = await remote.call(args[0], new Map([['x', x]]), kwargs);
  assert.deepEqual(await plain(called), want);
  assert.deepEqual(await x.toNested(), args[1].x); // was borrowed
  await assert.rejects(remote.call(...args), /takes 2 arguments and an object .*, got 2/);
  await assert.rejects(remote.call(args[0], { y: x }, kwargs), /has no "x"/);
  // By name.
  const inputs = Object.fromEntries(
    local.parameters.map(({ dims, type }, i) => {
      const size = dims.reduce((a, b) => a * b, 1);
      const values = Float32Array.from({ length: size }, (_, k) => (k % 5) - 2);
      return [local.parameterNames[i], here.array(values, { shape: [...dims], type })];
    }),
  );
  const sent = await Promise.all(
    Object.entries(inputs).map(
      async ([name, array]) =>
        /** @type {const} */ ([
          name,
          await there.array(array.toTypedArray(), { shape: [...array.dims] }),
        ]),
    ),
  );
  const byName = await Promise.all(local.run(inputs).map(plain));
  for (const given of [Object.fromEntries(sent), new Map(sent)])
    assert.deepEqual(await Promise.all((await remote.run(given)).map(plain)), byName);
  // The product.
  const product = await remote.vjp();
  const sizes = local.vjp().parameters.map(({ dims }) => dims);
  assert.deepEqual(
    product.parameters.map(({ dims }) => dims),
    sizes,
  );
  const ones = sizes.map((dims) => ({
    shape: [...dims],
    data: new Float32Array(dims.reduce((a, b) => a * b, 1)).fill(1),
  }));
  const cotangents = await product.run(
    await Promise.all(ones.map(({ data, shape }) => there.array(data, { shape }))),
  );
  const wanted = local.vjp().run(ones.map(({ data, shape }) => here.array(data, { shape })));
  assert.deepEqual(await plain(cotangents), await plain(wanted));
  await assert.rejects(product.vjp(), /has no vector-Jacobian product/);
  there.terminate();
});

test('a dictionary whose keys are those of messages', async () => {
  const module = await hlo.parse(`HloModule m
ENTRY e {
  object = s32[] parameter(0)
  record = s32[] parameter(1)
  ROOT t = (s32[], s32[]) tuple(object, record)
}`);
  const executable = await module.compile();
  const [x, y] = [await hlo.array(7, 's32'), await hlo.array(8, 's32')];
  const results = await executable.run({ object: x, record: y });
  assert.deepEqual(await Promise.all(results.map((/** @type {any} */ r) => r.toNested())), [7, 8]);
  // A number is no array, and no name of one.
  await assert.rejects(executable.run({ object: x.object, record: y }), /is not an array/);
});
