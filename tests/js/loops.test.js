// Loops as one emitted function against the oracle.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import { emittedModules } from './emitted_modules.js';
import { RandomLoop } from './loop_generator.js';
import { compareWays } from './program_comparison.js';
import { testPrograms } from './random_seeds.js';

const hlo = await load();

testPrograms('random loops give what the oracle gives', {
  seeds: 120,
  make: (seed) => new RandomLoop(seed).make(),
  // Without fusions there is code for the loop alone.
  check: (program, seed) =>
    compareWays(hlo, program, { optimize: seed % 2 === 0, steps: [0, 7, 1000][seed % 3] }),
  ready: 0.8,
});

/** A loop of n rounds that asks a function of JavaScript's in each, in one inside of it if `isInner`. */
function asking(isInner) {
  const loop = (name, state, rounds, next, body) => `more_${name} { s = ${state} parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] ${rounds}
  ROOT r = pred[] compare(i, n), direction=LT }
${name} { s = ${state} parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[4] get-tuple-element(s), index=1
  n = s32[] get-tuple-element(s), index=2
  one = s32[] constant(1)
  j = s32[] add(i, one)
  ${body}
  ROOT r = ${state} tuple(j, ${next}, n) }
`;
  const state = '(s32[], f32[4], s32[])';
  const ask = 'y = f32[4] custom-call(x, i), custom_call_target="ask"';
  const inner = `zero = s32[] constant(0)
  t = ${state} tuple(zero, x, i)
  w = ${state} while(t), condition=more_inner, body=inner
  y = f32[4] get-tuple-element(w), index=1`;
  return `HloModule asking
${isInner ? loop('inner', state, 'constant(3)', 'y', ask) : ''}${loop('outer', state, 'get-tuple-element(s), index=2', 'y', isInner ? inner : ask)}ENTRY main { x = f32[4] parameter(0)
  zero = s32[] constant(0)
  n = s32[] parameter(1)
  s = ${state} tuple(zero, x, n)
  w = ${state} while(s), condition=more_outer, body=outer
  ROOT r = f32[4] get-tuple-element(w), index=1 }`;
}

test('a step that fails ends the loop, one that runs programs does not disturb it', async () => {
  const engine = await load();
  let calls = 0;
  engine.registerCustomCall('ask', ([x]) => {
    if (++calls === 40) throw new Error('enough');
    return engine.add(x, x);
  });
  for (const isInner of [false, true]) {
    const executable = engine.compile(asking(isInner), { optimize: false });
    assert.equal(await executable.ready, true);
    const x = engine.array([1, 2, 3, 4], 'f32'),
      [few, many] = [engine.array(3, 's32'), engine.array(1000, 's32')];
    calls = 0;
    const [y] = executable.run([x, few]);
    const times = isInner ? 9 : 3;
    assert.deepEqual([calls, y.toNested()], [times, [1, 2, 3, 4].map((v) => v * 2 ** times)]);
    y.dispose();
    const before = engine.memory.inUse;
    calls = 0;
    assert.throws(() => executable.run([x, many]), /instruction %y \(custom-call\).*enough/s);
    assert.equal(calls, 40);
    assert.equal(engine.memory.inUse, before);
    assert.deepEqual(x.toNested(), [1, 2, 3, 4]);
  }
});

test('a loop without end can be aborted', async () => {
  const executable = hlo.compile(`HloModule endless
more { s = (s32[], f32[9]) parameter(0)
  ROOT r = pred[] constant(true) }
round { s = (s32[], f32[9]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[9] get-tuple-element(s), index=1
  y = f32[9] add(x, x)
  j = s32[] add(i, i)
  ROOT r = (s32[], f32[9]) tuple(j, y) }
ENTRY main { i = s32[] constant(1)
  x = f32[9] parameter(0)
  s = (s32[], f32[9]) tuple(i, x)
  ROOT w = (s32[], f32[9]) while(s), condition=more, body=round }`);
  assert.equal(await executable.ready, true);
  const x = hlo.array(new Float32Array(9), { type: 'f32', shape: [9] });
  const before = hlo.memory.inUse;
  await assert.rejects(executable.runAsync([x], { signal: AbortSignal.timeout(30) }), {
    name: 'TimeoutError',
  });
  assert.equal(hlo.memory.inUse, before);
});

test('what is disposed of while it runs is freed when the run has ended', async () => {
  const engine = await load();
  const loop = (/** @type {number} */ rounds) => `go { s = (s32[], f32[64]) parameter(0)
  i = s32[] get-tuple-element(s), index=0  n = s32[] constant(${rounds})
  ROOT more = pred[] compare(i, n), direction=LT }
step { s = (s32[], f32[64]) parameter(0)  i = s32[] get-tuple-element(s), index=0  one = s32[] constant(1)
  j = s32[] add(i, one)  x = f32[64] get-tuple-element(s), index=1  y = f32[64] reverse(x), dimensions={0}
  ROOT r = (s32[], f32[64]) tuple(j, y) }
ENTRY e { x = f32[64] parameter(0)  z = s32[] constant(0)  s = (s32[], f32[64]) tuple(z, x)
  w = (s32[], f32[64]) while(s), condition=go, body=step  ROOT o = f32[64] get-tuple-element(w), index=1 }`;
  const data = Float32Array.from({ length: 64 }, (_, i) => i);
  const x = engine.array(data);
  const started = (/** @type {number} */ rounds) => {
    const module = engine.parse(loop(rounds));
    const executable = module.compile({ optimize: false });
    return { executable, all: [executable, module] };
  };
  for (const one of started(1).all) one.dispose(); // what stays of the first
  const { inUse } = engine.memory;
  for (let i = 0; i < 20; i++) {
    const { executable, all } = started(1e9);
    const controller = new AbortController();
    const aborted = i % 2 > 0;
    const run = executable.runAsync([x], { signal: controller.signal, steps: 10 });
    if (aborted) controller.abort();
    for (const one of all) one.dispose();
    // What others write into freed memory, the run must not take for its own.
    const others = Array.from({ length: 50 }, (_, n) =>
      engine.array(new Uint8Array(8 * n).fill(n)),
    );
    await assert.rejects(run, aborted ? { name: 'AbortError' } : { code: 'disposed' });
    for (const [n, other] of others.entries()) {
      assert.ok(other.toTypedArray().every((/** @type {number} */ byte) => byte === n));
      other.dispose();
    }
    assert.equal(engine.memory.inUse, inUse);
  }
  const { executable, all } = started(3);
  const [y] = await executable.runAsync([x], {
    onProgress: () => all.forEach((one) => one.dispose()),
  });
  assert.deepEqual(y.toTypedArray(), data.toReversed());
  y.dispose();
  assert.equal(engine.memory.inUse, inUse);
});

test('there is a function for the outer loop, too', async () => {
  hlo.registerCustomCall('ask', ([x]) => hlo.negate(x));
  const modules = await emittedModules(async () => {
    const executable = hlo.compile(asking(true), { optimize: false });
    assert.equal(await executable.ready, true);
  });
  // The outer loop and, for itself, the inner one.
  assert.deepEqual(
    modules.map(({ functions }) => functions),
    [2],
  );
});

test('numbers that are made of thousands of others', async () => {
  const chain = Array.from(
    { length: 5000 },
    (_, i) => `  y${i + 1} = f32[] ${i % 2 ? 'add' : 'multiply'}(y${i}, h)`,
  );
  const text = `HloModule chain
more { s = (s32[], f32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(3)
  ROOT r = pred[] compare(i, n), direction=LT }
round { s = (s32[], f32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  y0 = f32[] get-tuple-element(s), index=1
  one = s32[] constant(1)
  h = f32[] constant(0.5)
  j = s32[] add(i, one)
${chain.join('\n')}
  ROOT r = (s32[], f32[]) tuple(j, y${chain.length}) }
ENTRY main { i = s32[] constant(0)
  x = f32[] parameter(0)
  s = (s32[], f32[]) tuple(i, x)
  ROOT w = (s32[], f32[]) while(s), condition=more, body=round }`;
  const inputs = [{ type: 'f32', dims: [], data: Float32Array.of(7) }];
  assert.deepEqual(await compareWays(hlo, { text, inputs }), { isReady: true, wrong: undefined });
});

test('an update whose result is laid out in another way', () => {
  const text = `HloModule m
more { s = (s32[], s8[5,3]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(4)
  ROOT c = pred[] compare(i, n), direction=LT }
update { s = (s32[], s8[5,3]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = s8[5,3] get-tuple-element(s), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  y = s8[1,1] constant({{7}})
  z = s8[5,3]{0,1} dynamic-update-slice(x, y, i, one)
  w = s8[5,3] copy(z)
  ROOT t = (s32[], s8[5,3]) tuple(j, w) }
ENTRY e { x = s8[5,3] parameter(0)
  zero = s32[] constant(0)
  t = (s32[], s8[5,3]) tuple(zero, x)
  l = (s32[], s8[5,3]) while(t), condition=more, body=update
  ROOT y = s8[5,3] get-tuple-element(l), index=1 }`;
  const x = hlo.array(
    Int8Array.from({ length: 15 }, (_, i) => i + 20),
    { shape: [5, 3] },
  );
  for (const optimize of [false, true])
    assert.deepEqual(
      [...hlo.compile(text, { optimize }).run([x])[0].toTypedArray()],
      [20, 7, 22, 23, 7, 25, 26, 7, 28, 29, 7, 31, 32, 33, 34],
    );
});
