// Code for either host from either build: both give the same bits where results are exact, near ones in sums, and the code for
// plain SIMD runs everywhere.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import { emittedModules } from './emitted_modules.js';
import { onRelaxed } from './relaxed_process.js';

const ROWS = 37,
  N = 203;
const whole = `f32[${ROWS},${N}]`,
  part = `f32[${ROWS}]`;

// What relaxed SIMD has instructions for: multiply-adds and lookups (exponential), lane selections of 32 and of 8 bits,
// conversions of f32 and of f64 (quotients) to integers.
const fused = `
 x = ${whole} parameter(0)
 n = s32[${ROWS},${N}] parameter(1)
 b = u8[${ROWS},${N}] parameter(2)
 zero = f32[] constant(0)
 e = ${whole} exponential(x)
 s = ${part} reduce(e, zero), dimensions={1}, to_apply=add
 seven = s32[] constant(7)
 sevens = s32[${ROWS},${N}] broadcast(seven), dimensions={}
 q = s32[${ROWS},${N}] divide(n, sevens)
 above = pred[${ROWS},${N}] compare(n, sevens), direction=GT
 p = s32[${ROWS},${N}] select(above, q, n)
 w = s8[${ROWS},${N}] convert(x)
 c = u8[] constant(100)
 cs = u8[${ROWS},${N}] broadcast(c), dimensions={}
 bright = pred[${ROWS},${N}] compare(b, cs), direction=GT
 inverse = u8[${ROWS},${N}] subtract(cs, b)
 m = u8[${ROWS},${N}] select(bright, inverse, b)`;

/** A fusion of its own for each result, so that bytes may have narrow lanes. */
const program = (result, shape) => `HloModule targets
add {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT r = f32[] add(a, b)\n}
fused {${fused.replace(` ${result} =`, ` ROOT ${result} =`)}\n}
ENTRY main {
 x = ${whole} parameter(0)
 n = s32[${ROWS},${N}] parameter(1)
 b = u8[${ROWS},${N}] parameter(2)
 ROOT r = ${shape} fusion(x, n, b), kind=kInput, calls=fused
}
`;
const results = [
  { name: 'e', shape: whole, exact: true },
  { name: 's', shape: part, exact: false },
  { name: 'p', shape: `s32[${ROWS},${N}]`, exact: true },
  { name: 'w', shape: `s8[${ROWS},${N}]`, exact: true },
  { name: 'm', shape: `u8[${ROWS},${N}]`, exact: true },
];

const count = ROWS * N,
  shape = [ROWS, N];
const inputs = (hlo) => [
  hlo.array(
    Float32Array.from({ length: count }, (_, i) => 5 * Math.sin(i)),
    { shape },
  ),
  hlo.array(
    Int32Array.from({ length: count }, (_, i) => (i - count / 2) * 12345),
    { shape },
  ),
  hlo.array(
    Uint8Array.from({ length: count }, (_, i) => i * 31),
    { shape },
  ),
];

/** What the program gives in code for that host, and the code's module. */
async function runFor(hlo, target, text) {
  let executable;
  const modules = await emittedModules(async () => {
    executable = hlo.compile(text, { optimize: false, target });
    await executable.ready;
  });
  const isReady = await executable.ready;
  const [result] = executable.run(inputs(hlo));
  return { isReady, bytes: modules.map(({ bytes }) => bytes), values: result.toTypedArray() };
}

async function runAll(build) {
  const hlo = await load({ build });
  for (const { name, shape, exact } of results)
    test(`${name} on ${build}`, async () => {
      const text = program(name, shape);
      const plain = await runFor(hlo, 'simd', text);
      const relaxed = await runFor(hlo, 'relaxed-simd', text);
      const own = await runFor(hlo, undefined, text);
      assert.equal(plain.isReady, true);
      assert.deepEqual(own.bytes, (build === 'simd' ? plain : relaxed).bytes);
      assert.notDeepEqual(relaxed.bytes, plain.bytes, 'relaxed SIMD is of use here');
      const want = hlo.compile(text, { reference: true }).run(inputs(hlo))[0].toTypedArray();
      for (const { values } of [plain, relaxed]) {
        if (exact) assert.deepEqual(values, want);
        else
          for (const [i, value] of values.entries())
            assert.ok(
              Math.abs(value - want[i]) <= 1e-5 * Math.abs(want[i]),
              `${value}, ${want[i]}`,
            );
      }
    });
  test(`what is no target on ${build}`, () => {
    const text = program('e', whole);
    assert.throws(
      () => hlo.compile(text, { target: 'avx' }),
      /target is "simd" or "relaxed-simd", got/,
    );
  });
}

if (process.env.HLO_TEST_BUILD) {
  await runAll(process.env.HLO_TEST_BUILD);
} else {
  await runAll('simd');
  await onRelaxed(fileURLToPath(import.meta.url), runAll);
}
