// The stepper's programs: where they are cut into parts, and that going through large ones takes work that grows as they do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partsOf, programFrom, programOf } from '../../demo/stepper/program.js';
import { firstNaN, Stepper } from '../../demo/stepper/stepper.js';
import { load } from '../../web/index.js';

const hlo = await load();

/** Loops one behind the other, each of three instructions, from x. @param {number} count */
const loops = (count) => {
  const lines = Array.from({ length: count }, (_, i) => [
    `s${i} = (s32[], f32[]) tuple(zero, ${i === 0 ? 'x' : `x${i - 1}`})`,
    `w${i} = (s32[], f32[]) while(s${i}), condition=less, body=next`,
    `${i === count - 1 ? 'ROOT ' : ''}x${i} = f32[] get-tuple-element(w${i}), index=1`,
  ]);
  return `less {
  s = (s32[], f32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  two = s32[] constant(2)
  ROOT more = pred[] compare(i, two), direction=LT
}
next {
  s = (s32[], f32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[] get-tuple-element(s), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  y = f32[] add(x, x)
  ROOT r = (s32[], f32[]) tuple(j, y)
}
ENTRY main {
  zero = s32[] constant(0)
  x = f32[] parameter(0)
  ${lines.flat().join('\n  ')}
}`;
};

/** @param {string} text */
function read(text) {
  const module = hlo.parse(text);
  const program = programFrom(module.print('hlo'));
  module.dispose();
  const entry = program.computations.find(({ isEntry }) => isEntry);
  assert.ok(entry);
  return { program, entry };
}

/** @param {string} text @returns {string[]} the parts by the names of their first instructions */
function cutsOf(text) {
  const { program, entry } = read(text);
  return partsOf(program, entry).map(({ from }) => entry.instructions[from].name);
}

test('loops are parts by themselves, also those inside of calls', () => {
  assert.deepEqual(cutsOf(loops(2)), ['zero', 'w0', 'x0', 'w1', 'x1']);
  const called = `${loops(1).replace('ENTRY main', 'inner')}
outer { a = f32[] parameter(0)  ROOT b = f32[] call(a), to_apply=inner }
plain { a = f32[] parameter(0)  ROOT b = f32[] negate(a) }
ENTRY main {
  x = f32[] parameter(0)
  y = f32[] call(x), to_apply=plain
  z = f32[] call(y), to_apply=outer
  ROOT w = f32[] call(z), to_apply=plain
}`;
  assert.deepEqual(cutsOf(called), ['x', 'z', 'w']);
});

test('nothing is cut between what no other program can take and its last use', () => {
  const spanning = `${loops(1).replace('ENTRY main', 'unused')}
ENTRY main {
  zero = s32[] constant(0)
  x = f32[] parameter(0)
  started = (f32[], f32[]) copy-start(x)
  s = (s32[], f32[]) tuple(zero, x)
  w = (s32[], f32[]) while(s), condition=less, body=next
  ended = f32[] copy-done(started)
  v = (s32[], f32[]) while(w), condition=less, body=next
  y = f32[] get-tuple-element(v), index=1
  ROOT z = f32[] add(y, ended)
}`;
  assert.deepEqual(cutsOf(spanning), ['zero', 'v', 'y']);
});

/** How often the parts of so many loops, and their programs, look at an instruction. @param {number} count */
function visits(count) {
  const { program, entry } = read(loops(count));
  let seen = 0;
  entry.instructions = entry.instructions.map(
    (instruction) =>
      new Proxy(instruction, {
        get: (target, key) => {
          seen++;
          return Reflect.get(target, key);
        },
      }),
  );
  const parts = partsOf(program, entry);
  assert.equal(parts.length, 2 * count + 1);
  for (const part of parts) programOf(program, entry, part);
  return seen;
}

test('cutting into parts looks at each instruction a bounded number of times', () => {
  const [few, many] = [visits(50), visits(500)];
  assert.ok(many < 10.5 * few, `${few} looks at 50 loops, ${many} at 500`);
});

test('seeking looks at each value once, however many parts there are', async () => {
  const module = hlo.parse(loops(100));
  const stepper = new Stepper(hlo, module);
  const input = hlo.array(1);
  await stepper.open([input]);
  let looks = 0;
  const name = await stepper.seek((instructions, frame, other) => {
    looks += instructions.length;
    return firstNaN(instructions, frame, other);
  });
  assert.equal(name, undefined);
  assert.equal(looks, stepper.frame.computation.instructions.length);
  stepper.dispose();
  input.dispose();
  module.dispose();
});

test('breakpoints are found in computations that are shared by many calls', async () => {
  const doubling = Array.from(
    { length: 12 },
    (_, i) =>
      `f${i + 1} { x = f32[] parameter(0)  y = f32[] call(x), to_apply=f${i}  ROOT z = f32[] call(y), to_apply=f${i} }`,
  );
  const module = hlo.parse(`f0 { x = f32[] parameter(0)  ROOT y = f32[] add(x, x) }
${doubling.join('\n')}
ENTRY main { x = f32[] parameter(0)  ROOT y = f32[] call(x), to_apply=f12 }`);
  const stepper = new Stepper(hlo, module);
  const input = hlo.array(1);
  await stepper.open([input]);
  await stepper.run(new Set(['f0 y']));
  assert.deepEqual([stepper.frames.length, stepper.next?.name], [14, 'y']);
  await stepper.run(new Set(['f12 z']));
  assert.deepEqual([stepper.frames.length, stepper.next?.name], [2, 'z']);
  stepper.dispose();
  input.dispose();
  module.dispose();
});
