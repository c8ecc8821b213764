// The worker client in Node: the same results as in this thread, errors of the right class, nothing left behind.
// tests/browser/worker.test.js does the same in a page.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { DisposedError, HloError, ParseError, ShapeError } from '../../web/index.js';
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

test('errors come back as what they are', async () => {
  const x = await hlo.array([1, 2], 'f32');
  await assert.rejects(hlo.add(x, await hlo.array([1, 2, 3], 'f32')), ShapeError);
  await assert.rejects(hlo.parse('HloModule m\nENTRY e { x = f32[2] paramater(0) }'), (error) => {
    assert.ok(error instanceof ParseError);
    assert.equal(error.line, 2);
    return true;
  });
  await assert.rejects(
    hlo.reduce(x, 0, () => x),
    HloError,
  );
  x.dispose();
  x.dispose();
  await assert.rejects(x.toNested(), DisposedError);
  await assert.rejects(hlo.neg(x), DisposedError);
  await assert.rejects(loadWorker({ wasm: new Uint8Array([1, 2, 3]) }), /WebAssembly|magic/);
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
