// What runs in place of a program: as text, with the same results, in a known amount of memory that does not grow.
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import { runCommand } from './command.js';

const hlo = await load();

const program = `HloModule m
double { a = f32[4] parameter(0)
  one = f32[] constant(1)
  ones = f32[4] broadcast(one), dimensions={}
  b = f32[4] multiply(a, ones)
  ROOT c = f32[4] add(b, b) }
ENTRY e { x = f32[4] parameter(0)
  ROOT y = f32[4] call(x), to_apply=double }`;

test('what each device of a sharded program runs is fused, too', () => {
  const module = hlo.parse(`HloModule m
ENTRY e { x = f32[1000,100] parameter(0), sharding={devices=[2,1]0,1}
  part = f32[500,100] custom-call(x), custom_call_target="SPMDFullToShardShape", sharding={manual}
  a = f32[500,100] sine(part)
  b = f32[500,100] add(a, part)
  c = f32[500,100] multiply(b, a)
  ROOT y = f32[1000,100] custom-call(c), custom_call_target="SPMDShardToFullShape", sharding={devices=[2,1]0,1} }`);
  assert.match(module.optimize().print(), /fusion\(/);
  const x = Float32Array.from({ length: 100000 }, (_, i) => i / 1000);
  const input = hlo.array(x, { type: 'f32', shape: [1000, 100] });
  const [fast] = module.compile().run([input]);
  const [plain] = module.compile({ optimize: false }).run([input]);
  assert.deepEqual(fast.toTypedArray(), plain.toTypedArray());
  assert.equal(
    fast.item(999, 99),
    Math.fround(
      Math.fround(Math.fround(Math.sin(x[99999])) + x[99999]) * Math.fround(Math.sin(x[99999])),
    ),
  );
});

test('an optimised program is another program with the same results', () => {
  const module = hlo.parse(program);
  const written = module.print();
  const optimized = module.optimize();
  assert.match(optimized.print(), /add\(%x, %x\)/);
  assert.doesNotMatch(optimized.print(), /call|multiply/);
  assert.equal(module.print(), written);
  const x = hlo.array([1, -2, 3, 0.5], 'f32');
  for (const executable of [
    optimized.compile(),
    module.compile(),
    module.compile({ optimize: false }),
    module.compile({ reference: true }),
  ])
    assert.deepEqual(executable.run([x])[0].toNested(), [2, -4, 6, 1]);
  assert.match(module.compile({ optimize: false }).print(), /call/);
  assert.match(module.compile().print('stablehlo'), /stablehlo\.add/);
  assert.doesNotMatch(module.compile().print('stablehlo'), /call/);
});

test('hlo print --optimized prints what runs', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'hlo-')), 'program.hlo');
  writeFileSync(path, program);
  const print = (...args) => {
    const { status, stdout, stderr } = runCommand('print', path, ...args);
    assert.equal(status, 0, stderr);
    return stdout;
  };
  assert.match(print(), /multiply/);
  assert.doesNotMatch(print('--optimized'), /multiply/);
  assert.match(print('--optimized', '--as', 'stablehlo'), /stablehlo\.add/);
});

test('the memory of a run is known beforehand', () => {
  const executable = hlo.compile(`HloModule m
ENTRY e { x = f32[1000] parameter(0)
  t = f32[10,100] reshape(x)
  r = f32[100,10] transpose(t), dimensions={1,0}
  s = f32[1000] reshape(r)
  ROOT y = f32[1000] sort(s), dimensions={0}, to_apply=less }
less { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = pred[] compare(a, b), direction=LT }`);
  assert.deepEqual(executable.memory, {
    arguments: 4000,
    results: 4000,
    constants: 0,
    temporaries: 4000,
    peak: 12000,
  });
});

test('ten thousand runs take no more memory than ten', () => {
  const step = hlo.jit((x) => hlo.tanh(hlo.add(hlo.multiply(x, x), x)));
  const x = hlo.array([0.5, 0.25, -1], 'f32');
  const runs = (count) => {
    for (let i = 0; i < count; i++) {
      step(x).dispose();
      hlo.add(x, x).dispose();
    }
    return hlo.memory.inUse;
  };
  const before = runs(10);
  assert.equal(runs(10000), before);
});

test('rows times rows, of several types, with infinities and NaNs', () => {
  const parts = (shape) => shape.reduce((a, b) => a * b, 1);
  const cases = [
    ['f32', [4099], [3]],
    ['f32', [700], [33]],
    ['f32', [5, 40], [7, 9]],
    ['f64', [300], [37]],
    ['bf16', [513], [19]],
  ];
  for (const [type, batch, summed] of cases) {
    const left = [...batch, ...summed],
      right = [...summed, ...batch];
    const list = (from, count) => Array.from({ length: count }, (_, i) => from + i);
    const b = batch.length,
      s = summed.length;
    const text = `ENTRY e { x = ${type}[${left}] parameter(0)
  y = ${type}[${right}] parameter(1)
  ROOT z = ${type}[${batch}] dot(x, y), lhs_batch_dims={${list(0, b)}}, rhs_batch_dims={${list(s, b)}}, lhs_contracting_dims={${list(b, s)}}, rhs_contracting_dims={${list(0, s)}} }`;
    const values = (shape, seed) => {
      const odd = new Map([[700 + seed, NaN], [900 + seed, Infinity], [1100 + seed, -0]]); // prettier-ignore
      const x = Float32Array.from({ length: parts(shape) }, (_, i) => odd.get(i) ?? Math.sin(i * 1.7 + seed)); // prettier-ignore
      return hlo.convert(hlo.array(x, { shape }), type);
    };
    const inputs = [values(left, 0), values(right, 1)];
    const executable = hlo.compile(text);
    assert.doesNotMatch(executable.print(), / dot\(/);
    const [got] = executable.run(inputs),
      [want] = hlo.compile(text, { reference: true }).run(inputs);
    const near = { f32: 2e-6, f64: 1e-14, bf16: 0.01 }[type];
    const x = [got.toNested()].flat(Infinity);
    for (const [i, v] of [want.toNested()].flat(Infinity).entries())
      assert.ok(Object.is(x[i], v) || Math.abs(x[i] - v) <= near * summed.reduce((p, q) => p * q) ** 0.5, `${type} ${i}: ${x[i]}, not ${v}`); // prettier-ignore
  }
});

test('equal loops within equal loops, and many constants that begin alike, are told apart in no time', () => {
  const loop = (name, depth) => `more${name}${depth} { s = (s32[], f32[2]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(1)
  ROOT c = pred[] compare(i, n), direction=LT }
body${name}${depth} { s = (s32[], f32[2]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[2] get-tuple-element(s), index=1
  n = s32[] constant(1)
  j = s32[] add(i, n)
  ${
    depth === 0
      ? 'y = f32[2] negate(x)'
      : `zero = s32[] constant(0)
  t = (s32[], f32[2]) tuple(zero, x)
  l = (s32[], f32[2]) while(t), condition=more${name}${depth - 1}, body=body${name}${depth - 1}
  y = f32[2] get-tuple-element(l), index=1`
  }
  ROOT r = (s32[], f32[2]) tuple(j, y) }`;
  const depth = 60,
    constants = 20000;
  const nest = (name) => Array.from({ length: depth }, (_, i) => loop(name, i)).join('\n');
  const nested = hlo.compile(`HloModule m
${nest('a')}
${nest('b')}
ENTRY e { x = f32[2] parameter(0)
  zero = s32[] constant(0)
  t = (s32[], f32[2]) tuple(zero, x)
  a = (s32[], f32[2]) while(t), condition=morea59, body=bodya59
  b = (s32[], f32[2]) while(t), condition=moreb59, body=bodyb59
  y = f32[2] get-tuple-element(a), index=1
  z = f32[2] get-tuple-element(b), index=1
  ROOT s = f32[2] add(y, z) }`);
  assert.deepEqual(nested.run([hlo.array([1, 2], 'f32')])[0].toNested(), [-2, -4]);
  const sums = Array.from(
    { length: constants },
    (_, i) => `  c${i} = s32[2] constant({0, ${i}})\n  x${i + 1} = s32[2] subtract(c${i}, x${i})`,
  );
  const many = hlo.compile(`HloModule m
ENTRY e { x0 = s32[2] parameter(0)
${sums.join('\n')}
  ROOT y = s32[2] negate(x${constants}) }`);
  assert.deepEqual(many.run([hlo.array([0, 0], 's32')])[0].toNested(), [0, -constants / 2]);
});
