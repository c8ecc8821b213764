// Texts that are compiled again: executables share a plan, and nothing else.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
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

test('long texts, bytes and files of jax.export hold their constants once', () => {
  const digits = Array.from({ length: 500_000 }, (_, i) => i % 97).join(',');
  const text = `HloModule long\nENTRY e { x = s32[500000] parameter(0)
    c = s32[500000] constant({${digits}})\n ROOT r = s32[500000] add(x, c) }`;
  const folder = new URL('../fixtures/bytecode/', import.meta.url);
  const sources = [
    text,
    new TextEncoder().encode(text),
    new TextEncoder().encode(text).buffer,
    new Uint8Array(readFileSync(new URL('network.jax_export', folder))),
  ];
  for (const source of sources) {
    const before = hlo.memory.inUse;
    const first = hlo.compile(source);
    const one = hlo.memory.inUse - before;
    const more = Array.from({ length: 20 }, () => hlo.compile(source));
    assert.ok(hlo.memory.inUse - before < one + 20_000, `${hlo.memory.inUse - before} of ${one}`);
    for (const executable of [first, ...more]) executable.dispose();
    assert.equal(hlo.memory.inUse, before);
  }
  // One byte makes another program, and what was compiled stays as it is when its bytes change.
  const bytes = new TextEncoder().encode(text);
  const x = hlo.array(new Int32Array(500_000), { shape: [500_000] });
  const one = hlo.compile(bytes);
  bytes[text.indexOf('({0,1,') + 2] = '7'.charCodeAt(0);
  const other = hlo.compile(bytes);
  assert.equal(valuesOf(one.run([x]))[0], 0);
  assert.equal(valuesOf(other.run([x]))[0], 7);
  assert.equal(valuesOf(hlo.compile(text).run([x]))[0], 0);
  for (const used of [one, other, x]) used.dispose();
});

test('signatures of files and given shapes come with shared plans', () => {
  const folder = new URL('../fixtures/bytecode/', import.meta.url);
  const file = new Uint8Array(readFileSync(new URL('network.jax_export', folder)));
  const [first, second] = [hlo.compile(file), hlo.compile(file)];
  assert.deepEqual(second.parameters, first.parameters);
  assert.deepEqual(second.module.file, first.module.file);
  const open = 'func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> { return %x : tensor<?xf32> }';
  for (const shape of ['f32[3]', 'f32[4]', 'f32[3]', ones(4)])
    assert.equal(
      hlo.compile(open, { shapes: [shape] }).parameters[0].text,
      typeof shape === 'string' ? shape : 'f32[4]',
    );
});

test('what is wrong with options is said also of a program that is known', () => {
  const text = fused(16, 'options');
  hlo.compile(text);
  for (const shapes of ['f32[16]', null, 3, [3]])
    assert.throws(() => hlo.compile(text, { shapes }), /shapes is a list|a shape is text/);
  assert.throws(() => hlo.compile(text, { optimise: false }), /no option "optimise"/);
  assert.throws(() => hlo.compile(text, { format: 'x' }), /no text format/);
  assert.throws(() => hlo.compile(text, { target: 1n }), /target is/);
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
