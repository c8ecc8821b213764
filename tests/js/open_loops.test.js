// Loops of which nobody can see how often they go round, inside of others: they are part of the outer loop's function, which
// gives up a round when such a loop goes on and on. What a round did before must then not count twice.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import { emittedModules } from './emitted_modules.js';

const hlo = await load();
const LONG = 150000; // rounds that are given up

/** The outer loop's rounds are as many as `counts` are, each of which has an inner loop of as many rounds as its count says. */
const state = '(s32[], s32[3], s32[], f32[2000], f32[4])';
const program = (before, inner, after) => `HloModule nested
more_inner { s = (s32[], s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] get-tuple-element(s), index=1
  ROOT r = pred[] compare(i, n), direction=LT }
inner { s = (s32[], s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] get-tuple-element(s), index=1
  sum = s32[] get-tuple-element(s), index=2
  one = s32[] constant(1)
  j = s32[] add(i, one)
  next = s32[] add(sum, i)
  ROOT r = (s32[], s32[], s32[]) tuple(j, n, next) }
${inner}
more { s = ${state} parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(3)
  ROOT r = pred[] compare(i, n), direction=LT }
round { s = ${state} parameter(0)
  i = s32[] get-tuple-element(s), index=0
  counts = s32[3] get-tuple-element(s), index=1
  sum = s32[] get-tuple-element(s), index=2
  large = f32[2000] get-tuple-element(s), index=3
  small = f32[4] get-tuple-element(s), index=4
  zero = s32[] constant(0)
  one = s32[] constant(1)
  j = s32[] add(i, one)
  count = s32[1] dynamic-slice(counts, i), dynamic_slice_sizes={1}
  n = s32[] reshape(count)
${before}
${after}
  ROOT r = ${state} tuple(j, counts, next, large_next, small_next) }
ENTRY main { counts = s32[3] parameter(0)
  large = f32[2000] parameter(1)
  small = f32[4] parameter(2)
  zero = s32[] constant(0)
  s = ${state} tuple(zero, counts, zero, large, small)
  w = ${state} while(s), condition=more, body=round
  sum = s32[] get-tuple-element(w), index=2
  l = f32[2000] get-tuple-element(w), index=3
  k = f32[4] get-tuple-element(w), index=4
  ROOT r = (s32[], f32[2000], f32[4]) tuple(sum, l, k) }`;
const goRound = `  t = (s32[], s32[], s32[]) tuple(zero, n, sum)
  w = (s32[], s32[], s32[]) while(t), condition=more_inner, body=inner
  next = s32[] get-tuple-element(w), index=2`;
const double = (name, type) => `  ${name}_next = ${type} add(${name}, ${name})`;
const doubleBoth = `${double('large', 'f32[2000]')}\n${double('small', 'f32[4]')}`;
/** In the large array, the element of the round and the first are taken together. */
const update = `  head = f32[1] slice(large), slice={[0:1]}
  here = f32[1] dynamic-slice(large, j), dynamic_slice_sizes={1}
  both = f32[1] add(head, here)
  large_next = f32[2000] dynamic-update-slice(large, both, zero)`;

const large = hlo.array(Float32Array.from({ length: 2000 }, (_, i) => i + 1));
const small = hlo.array([1, 2, 3, 4], 'f32');
const sumOf = (counts) => counts.reduce((sum, n) => (sum + (n * (n - 1)) / 2) | 0, 0);

/** What it gives, which is the same in slices; a run keeps no memory. */
async function check(text, counts, optimize, engine = hlo) {
  const executable = engine.compile(text, { optimize });
  assert.equal(await executable.ready, true);
  const args = [
    engine.array(Int32Array.from(counts)),
    ...[large, small].map((x) => engine.array(x.toTypedArray())),
  ];
  const results = executable.run(args);
  const got = results.map((x) => x.toTypedArray());
  for (const x of results) x.dispose();
  const before = engine.memory.inUse;
  for (const x of executable.run(args)) x.dispose();
  assert.equal(engine.memory.inUse, before);
  const sliced = await executable.runAsync(args, { steps: 1000 });
  assert.deepEqual(
    sliced.map((x) => x.toTypedArray()),
    got,
  );
  for (const owned of [...sliced, ...args, executable]) owned.dispose();
  return got;
}

const texts = {
  'arrays that change behind the loop': program('', '', `${goRound}\n${doubleBoth}`),
  'arrays that change before it': program(doubleBoth, '', goRound),
  'an update in place behind it': program(
    '',
    '',
    `${goRound}\n${update}\n${double('small', 'f32[4]')}`,
  ),
  'an update in place before it': program(`${update}\n${double('small', 'f32[4]')}`, '', goRound),
};
for (const [what, text] of Object.entries(texts)) {
  test(`rounds that are given up: ${what}`, async () => {
    for (const counts of [
      [3, 0, 5],
      [1, 900, 20],
      [LONG, 2, 3],
      [4, LONG, 6],
      [7, 8, LONG],
    ])
      for (const optimize of [false, true]) {
        const [sum, l, s] = await check(text, counts, optimize);
        assert.deepEqual([...sum], [sumOf(counts)]);
        assert.deepEqual([...s], [8, 16, 24, 32]);
        const first = what.startsWith('an update') ? 1 + 2 + 3 + 4 : 8;
        assert.deepEqual(
          [l[0], l[1], l[1999]],
          what.startsWith('an update') ? [first, 2, 2000] : [8, 16, 16000],
        );
      }
  });
}

test('what others see of a round happens once', async () => {
  const engine = await load();
  let asked = 0;
  engine.registerCustomCall('ask', ([x]) => {
    asked++;
    return engine.add(x, x);
  });
  const ask = (from, to) =>
    `  ${to} = f32[4] custom-call(${from}), custom_call_target="ask", custom_call_has_side_effect=true`;
  // Twice in each round: the loop of unknown length, then the call.
  const twice = `more_twice { s = (s32[], s32[], s32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  two = s32[] constant(2)
  ROOT r = pred[] compare(i, two), direction=LT }
twice { s = (s32[], s32[], s32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] get-tuple-element(s), index=1
  sum = s32[] get-tuple-element(s), index=2
  x = f32[4] get-tuple-element(s), index=3
  zero = s32[] constant(0)
  one = s32[] constant(1)
  j = s32[] add(i, one)
${goRound}
${ask('x', 'y')}
  ROOT r = (s32[], s32[], s32[], f32[4]) tuple(j, n, next, y) }`;
  const inTwice = `  t = (s32[], s32[], s32[], f32[4]) tuple(zero, n, sum, small)
  w = (s32[], s32[], s32[], f32[4]) while(t), condition=more_twice, body=twice
  next = s32[] get-tuple-element(w), index=2
  small_next = f32[4] get-tuple-element(w), index=3`;
  const large = double('large', 'f32[2000]');
  for (const [text, times] of [
    [program(ask('small', 'small_next'), '', `${goRound}\n${large}`), 1],
    [program('', '', `${goRound}\n${ask('small', 'small_next')}\n${large}`), 1],
    [program('', twice, `${inTwice}\n${large}`), 2],
  ])
    for (const counts of [
      [3, 4, 5],
      [5, LONG, 6],
      [2000, 2500, 3000],
      [3500, 6000, 13000],
      [20000, 30000, 45000],
    ]) {
      asked = 0;
      const [sum, , s] = await check(text, counts, false, engine);
      assert.equal(asked, 3 * 3 * times, 'in two runs at once, and one in slices');
      assert.deepEqual(
        [...s],
        [1, 2, 3, 4].map((x) => x * 2 ** (3 * times)),
      );
      assert.deepEqual([...sum], [sumOf(counts.flatMap((n) => Array(times).fill(n)))]);
    }
});

test('an inner loop without end can be aborted', async () => {
  const text = texts['arrays that change before it'].replace(
    'ROOT r = pred[] compare(i, n), direction=LT }\ninner',
    'ROOT r = pred[] constant(true) }\ninner',
  );
  const executable = hlo.compile(text);
  assert.equal(await executable.ready, true);
  const args = [hlo.array(new Int32Array(3)), large, small];
  const before = hlo.memory.inUse;
  await assert.rejects(executable.runAsync(args, { signal: AbortSignal.timeout(30) }), {
    name: 'TimeoutError',
  });
  assert.equal(hlo.memory.inUse, before);
});

test('they are part of the function of the loop around them, unless a large array is overwritten before', async () => {
  const [large, small] = [double('large', 'f32[2000]'), double('small', 'f32[4]')];
  for (const [text, functions] of [
    [program('', '', `${goRound}\n${large}\n${small}`), 2], // and, for itself, the inner one
    [program(small, '', `${goRound}\n${large}`), 2],
    [program(large, '', `${goRound}\n${small}`), 1],
  ]) {
    const modules = await emittedModules(async () => {
      const executable = hlo.compile(`// Not kept yet.\n${text}`, { optimize: false });
      assert.equal(await executable.ready, true);
    });
    assert.deepEqual(
      modules.map((module) => module.functions),
      [functions],
    );
  }
});
