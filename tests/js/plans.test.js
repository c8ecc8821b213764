// Texts that are compiled again: executables share a plan, and nothing else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DisposedError, load } from '../../web/index.js';

const hlo = await load();
const fused = (n, name = 'm') => `HloModule ${name}
ENTRY e {
  x = f32[${n}] parameter(0)
  c = f32[] constant(3)
  b = f32[${n}] broadcast(c), dimensions={}
  p = f32[${n}] multiply(x, b)
  e = f32[${n}] exponential(p)
  ROOT r = f32[${n}] add(e, x)
}`;
const ones = (n) => hlo.array(new Float32Array(n).fill(1), { shape: [n] });
const valuesOf = ([array]) => {
  const values = [...array.toTypedArray()];
  array.dispose();
  return values;
};

test('executables of one text go their own ways', async () => {
  const text = fused(2048);
  const x = ones(2048);
  const first = hlo.compile(text);
  const second = hlo.compile(text);
  assert.notEqual(first.module, second.module);
  assert.equal(await first.ready, true);
  assert.equal(await second.ready, true);
  const wanted = valuesOf(first.run([x]));
  first.dispose();
  assert.throws(() => first.run([x]), DisposedError);
  assert.throws(() => first.module.print(), DisposedError);
  assert.deepEqual(valuesOf(second.run([x])), wanted);
  second.module.dispose();
  assert.throws(() => second.run([x]), DisposedError);
  second.dispose();
  const third = hlo.compile(text);
  assert.deepEqual(valuesOf(third.run([x])), wanted);
  assert.equal(third.module.name, 'm');
  assert.equal(third.parameters[0].text, 'f32[2048]');
  third.dispose();
  third.module.dispose();
  x.dispose();
});

test('what is written over in one is not in the other', () => {
  const text = fused(7);
  const first = hlo.compile(text);
  first.results.length = 0;
  first.parameters.length = 0;
  assert.equal(hlo.compile(text).results.length, 1);
  assert.equal(hlo.compile(text).parameters.length, 1);
});

test('each starts its random numbers anew', () => {
  const text = 'HloModule m\nENTRY e { ROOT r = u64[2] rng-get-and-update-state(), delta=7 }';
  const first = hlo.compile(text);
  const numbers = [first.run(), first.run()].map(([x]) => String(x));
  assert.notEqual(numbers[0], numbers[1]);
  const second = hlo.compile(text);
  assert.deepEqual(
    [second.run(), second.run()].map(([x]) => String(x)),
    numbers,
  );
});

test('options make other plans', () => {
  const text = fused(4096);
  assert.match(hlo.compile(text).print(), /fusion/);
  assert.doesNotMatch(hlo.compile(text, { optimize: false }).print(), /fusion/);
  assert.doesNotMatch(hlo.compile(text, { reference: true }).print(), /fusion/);
  assert.match(hlo.compile(text).print(), /fusion/);
});

test('what a custom call does is what was registered last', () => {
  const text =
    'HloModule m\nENTRY e { x = f32[2] parameter(0)\n  ROOT c = f32[2] custom-call(x), custom_call_target="grow" }';
  const x = ones(2);
  const grow =
    (by) =>
    ([array]) =>
      array.toTypedArray().map((value) => value + by);
  hlo.registerCustomCall('grow', grow(1));
  assert.deepEqual(valuesOf(hlo.compile(text).run([x])), [2, 2]);
  hlo.registerCustomCall('grow', grow(5));
  assert.deepEqual(valuesOf(hlo.compile(text).run([x])), [6, 6]);
  hlo.registerCustomCall('grow', null);
  assert.throws(() => hlo.compile(text).run([x]), /no custom call target|registered no more/);
});

test('plans go with the last that uses them', () => {
  const cycle = (text) => {
    const executable = hlo.compile(text);
    executable.dispose();
    executable.module.dispose();
  };
  cycle(fused(2048));
  const { inUse } = hlo.memory;
  for (let i = 0; i < 100; i++) cycle(fused(2048, `n${i % 10}${i % 40}`));
  assert.equal(hlo.memory.inUse, inUse);
  const text = fused(2048, 'again');
  const first = hlo.compile(text);
  const one = hlo.memory.inUse;
  const second = hlo.compile(text);
  assert.ok(hlo.memory.inUse - one < 200, 'the second has no plan of its own');
  first.dispose();
  const x = ones(2048);
  assert.equal(second.run([x])[0].dispose(), undefined);
  x.dispose();
  second.dispose();
  assert.equal(hlo.memory.inUse, inUse);
});
