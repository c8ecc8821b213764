// What runs in place of a program: as text, with the same results, in a known amount of memory that does not grow.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { load } from '../../web/index.js';

const hlo = await load();
const cli = fileURLToPath(new URL('../../web/cli.js', import.meta.url));

const program = `HloModule m
double { a = f32[4] parameter(0)
  one = f32[] constant(1)
  ones = f32[4] broadcast(one), dimensions={}
  b = f32[4] multiply(a, ones)
  ROOT c = f32[4] add(b, b) }
ENTRY e { x = f32[4] parameter(0)
  ROOT y = f32[4] call(x), to_apply=double }`;

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
    const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'print', path, ...args], {
      encoding: 'utf8',
    });
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
