// Multiply-adds in emitted code, which hosts of the relaxed build round once: taken where sums hide that, and nowhere else.
// What is seen itself has the evaluator's bits.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import { emittedModules } from './emitted_modules.js';
import { onRelaxed } from './relaxed_process.js';

const [ROWS, N] = [5, 203];
const whole = `f32[${ROWS},${N}]`,
  part = `f32[${ROWS}]`;

/** Lines over x and y, the exponential e of x and f of x less the row's greatest; results by their names and shapes. */
const program = (lines, results) => `HloModule seen
max {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT r = f32[] maximum(a, b)\n}
add {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT r = f32[] add(a, b)\n}
fused {
 x = ${whole} parameter(0)
 y = ${whole} parameter(1)
 zero = f32[] constant(0)
 low = f32[] constant(-inf)
 top = ${part} reduce(x, low), dimensions={1}, to_apply=max
 tops = ${whole} broadcast(top), dimensions={0}
 d = ${whole} subtract(x, tops)
 e = ${whole} exponential(x)
 f = ${whole} exponential(d)
${lines.map((line) => ` ${line}\n`).join('')} ROOT r = (${results.map(([, shape]) => shape)}) tuple(${results.map(([name]) => name)})
}
ENTRY main {
 x = ${whole} parameter(0)
 y = ${whole} parameter(1)
 ROOT r = (${results.map(([, shape]) => shape)}) fusion(x, y), kind=kInput, calls=fused
}
`;
const sum = (name, of) => `${name} = ${part} reduce(${of}, zero), dimensions={1}, to_apply=add`;
const across = (name, of) => `${name} = ${whole} broadcast(${of}), dimensions={0}`;

const spread = [across('t', 's'), 'v = W negate(t)'];

// Lines, results that have the same bits, results that are near, and how many multiply-adds a step has in the relaxed build: of
// an exponential one, which is exact, or seven where it is hidden, and one of a sum whose terms are products, as they are of
// most exponentials (times a power of two).
const cases = [
  { lines: ['p = W multiply(x, y)', sum('s', 'p')], same: [], near: ['s'], each: 1 },
  {
    lines: ['p = W multiply(x, y)', sum('s', 'p'), ...spread],
    same: ['p'],
    near: ['v'],
    each: 1,
  },
  {
    lines: ['p = W multiply(x, y)', 'q = W add(p, x)', sum('s', 'q'), ...spread],
    same: ['q'],
    near: ['v'],
    each: 0,
  },
  { lines: [sum('s', 'e')], same: [], near: ['s'], each: 8 },
  { lines: [sum('s', 'f')], same: [], near: ['s'], each: 8 },
  { lines: [sum('s', 'e'), ...spread], same: ['e'], near: ['v'], each: 2 },
  { lines: [sum('s', 'f'), ...spread, 'q = W divide(f, t)'], same: [], near: ['q'], each: 7 },
  { lines: [sum('s', 'f'), ...spread, 'q = W divide(f, t)'], same: ['f'], near: ['q'], each: 1 },
  { lines: [sum('s', 'f'), ...spread, 'q = W divide(f, y)'], same: ['q'], near: ['v'], each: 2 },
  {
    lines: [sum('s', 'e'), ...spread, 'q = W divide(t, e)', 'g = W negate(e)'],
    same: ['g'],
    near: ['q'],
    each: 2,
  },
  {
    lines: [sum('s', 'e'), ...spread, 'q = W divide(e, t)', 'g = W multiply(e, y)'],
    same: ['g'],
    near: ['q'],
    each: 2,
  },
  {
    lines: ['g = W multiply(e, e)', sum('s', 'g'), ...spread],
    same: ['g'],
    near: ['v'],
    each: 2,
  },
  {
    lines: ['g = P reduce(e, zero), dimensions={1}, to_apply=max', sum('s', 'e')],
    same: ['g'],
    near: ['s'],
    each: 2,
  },
];

/** How many instructions of relaxed SIMD the module has with this opcode: read as bytes, which are no others here. */
const countOf = (bytes, opcode) =>
  bytes.filter(
    (byte, i) => byte === 0x02 && bytes[i - 1] === (opcode & 0x7f) + 0x80 && bytes[i - 2] === 0xfd,
  ).length;
const [MADD, NMADD] = [0x105, 0x106];

const random = (seed) =>
  Float32Array.from({ length: ROWS * N }, (_, i) => Math.sin((i + seed) * 12.9898) * 4);

async function runAll(build) {
  const hlo = await load({ build });
  hlo.compile(program([], [['e', whole]]), { optimize: false }).dispose(); // all files are there
  const args = [random(1), random(2)].map((data) => hlo.array(data, { shape: [ROWS, N] }));
  for (const [number, { lines, same, near, each }] of cases.entries())
    test(`case ${number} on ${build}`, async () => {
      const names = [...same, ...near];
      const text = program(
        lines.map((line) => line.replace(/\bW\b/, whole).replace(/\bP\b/, part)),
        names.map((name) => {
          const isPart = lines.some((line) =>
            new RegExp(`^${name} = (P|f32\\[${ROWS}\\])`).test(line),
          );
          return [name, isPart ? part : whole];
        }),
      );
      let executable;
      const modules = await emittedModules(async () => {
        executable = hlo.compile(text, { optimize: false });
        assert.equal(await executable.ready, true);
      });
      const got = executable.run(args).map((x) => x.toTypedArray());
      const want = hlo
        .compile(text, { reference: true })
        .run(args)
        .map((x) => x.toTypedArray());
      for (const [i, name] of names.entries()) {
        if (i < same.length) assert.deepEqual(got[i], want[i], name);
        for (const [k, v] of want[i].entries())
          assert.ok(
            Math.abs(got[i][k] - v) <= 1e-6 * (Math.abs(v) + 4 * N ** 0.5),
            `${name}, ${k}: ${got[i][k]}, not ${v}`,
          );
      }
      assert.equal(modules.length, 1);
      const [adds, subtracts] = [MADD, NMADD].map((opcode) => countOf(modules[0].bytes, opcode));
      // An exponential has two that are exact wherever its step stands.
      if (build === 'simd') assert.deepEqual([adds, subtracts], [0, 0]);
      else if (subtracts > 0) assert.equal(adds / (subtracts / 2), each);
      else assert.equal(adds > 0, each > 0);
    });
}

if (process.env.HLO_TEST_BUILD) {
  await runAll(process.env.HLO_TEST_BUILD);
} else {
  await runAll('simd');
  await onRelaxed(fileURLToPath(import.meta.url), runAll);
}
