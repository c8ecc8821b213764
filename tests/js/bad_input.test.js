// Broken programs in the wasm builds: always an error with a position, never a trap, and the same engine runs the next
// program. The native fuzz targets go deeper; this is about wasm's own limits: its stack, its memory.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { HloError, load } from '../../web/index.js';

const hlo = await load();
const good =
  'HloModule good\nENTRY main {\n  a = s32[2] constant({1, 2})\n  ROOT b = s32[2] add(a, a)\n}\n';
const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

function runsOn() {
  const executable = hlo.compile(good);
  const [result] = executable.run();
  assert.deepEqual([...result.toTypedArray()], [2, 4]);
  for (const object of [result, executable, executable.module]) object.dispose();
}

/** The text is refused with a position in it; gives the error. */
function refused(text, options) {
  let error;
  try {
    const executable = hlo.compile(text, options);
    executable.run([]);
  } catch (thrown) {
    error = thrown;
  }
  assert.ok(
    error instanceof HloError,
    `${error ? `${error.name}: ${error.message}` : 'accepted'}: ${text.slice(0, 200)}`,
  );
  return error;
}
function refusedAtPlace(text) {
  const error = refused(text);
  assert.ok(
    error.line >= 1 && error.column >= 1,
    `${error.message} has no position: ${text.slice(0, 200)}`,
  );
  return error;
}

for (const path of [
  'tests/fixtures/hlo_text/classifier.hlo',
  'demo/examples/classifier/classifier.mlir',
])
  test(`${path}, truncated at every byte`, () => {
    const text = read(path);
    hlo.parse(text).dispose(); // makes the memory for arguments that is kept
    const before = hlo.memory.inUse;
    for (let length = 0; length < text.trimEnd().length; length++) {
      try {
        hlo.parse(text.slice(0, length)).dispose();
      } catch (error) {
        assert.ok(error instanceof HloError && error.line >= 1, `${length}: ${error}`);
      }
    }
    assert.equal(hlo.memory.inUse, before);
    runsOn();
  });

test('ten megabytes of nesting', () => {
  const many = 10e6;
  for (const text of [
    '('.repeat(many),
    '{'.repeat(many),
    `HloModule m\nENTRY main { p = ${'('.repeat(many)}`,
    `HloModule m\nENTRY main { c = f32[2] constant(${'{'.repeat(many)}`,
    `HloModule m\nENTRY main { c = f32[2] add(a, b), metadata=${'{'.repeat(many)}`,
    `HloModule m, x=${'{'.repeat(many)}`,
    `func.func @main() { %0 = stablehlo.constant dense<${'['.repeat(many)}`,
    `func.func @main() -> ${'tuple<'.repeat(many / 6)}`,
    `module { ${'module { '.repeat(many / 9)}`,
    `func.func @main() attributes {a = ${'{a = '.repeat(many / 5)}`,
    `"a"() ({ `.repeat(many / 10),
    `func.func @main() { return loc(${'callsite('.repeat(many / 9)}`,
    '/*'.repeat(many / 2),
  ])
    refusedAtPlace(text);
  runsOn();
});

test('sizes beyond 64 bits and beyond memory', () => {
  for (const dims of [
    '9223372036854775807',
    '99999999999999999999',
    '4294967296,4294967296',
    '-1',
    '1099511627776',
  ])
    for (const text of [
      `HloModule m\nENTRY main {\n  ROOT a = f32[${dims}] iota(), iota_dimension=0\n}`,
      `func.func @main() -> tensor<${dims.replaceAll(',', 'x')}xf32> {\n  %0 = stablehlo.iota dim = 0 : tensor<${dims.replaceAll(',', 'x')}xf32>\n  return %0 : tensor<${dims.replaceAll(',', 'x')}xf32>\n}`,
      `HloModule m\nENTRY main {\n  z = f32[] constant(0)\n  ROOT a = f32[${dims}] broadcast(z), dimensions={}\n}`,
    ])
      refusedAtPlace(text);
  runsOn();
});

test('names and calls that do not add up', () => {
  for (const text of [
    '',
    'HloModule',
    'HloModule m',
    'module {',
    'x',
    '\0',
    '\u{1F600}',
    'ENTRY main {}',
    'HloModule m\nENTRY main { ROOT a = f32[2] add(b, c) }',
    'HloModule m\nENTRY main { a = f32[2] parameter(0)\n a = f32[2] parameter(1) }',
    'HloModule m\nENTRY main { a = f32[2] parameter(1) }',
    'HloModule m\nENTRY main { ROOT a = f32[2] negate(a) }',
    'HloModule m\nf { p = f32[] parameter(0)\n ROOT c = f32[] call(p), to_apply=f }\nENTRY main { p = f32[] parameter(0)\n ROOT c = f32[] call(p), to_apply=f }',
    'HloModule m\nENTRY main { p = f32[2] parameter(0)\n ROOT c = f32[2] frobnicate(p) }',
    'HloModule m\nENTRY main { p = f32[2] parameter(0)\n ROOT c = f32[2] negate(p), dimensions={0} }',
    'HloModule m\nENTRY main { p = f99[2] parameter(0) }',
    'func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n  %0 = stablehlo.add %a, %b : tensor<2xf32>\n  return %0 : tensor<2xf32>\n}',
    'func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n  %0 = stablehlo.frobnicate %a : tensor<2xf32>\n  return %0 : tensor<2xf32>\n}',
    'func.func @main() {\n  func.call @main() : () -> ()\n  return\n}',
    'func.func @main() {\n  func.call @other() : () -> ()\n  return\n}',
    'func.func @f() { return }\nfunc.func @f() { return }',
  ])
    refusedAtPlace(text);
  runsOn();
});

test('mutated programs never trap', () => {
  let state = 1;
  const next = (limit) => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) % limit;
  for (const path of [
    'tests/fixtures/hlo_text/loops.hlo',
    'tests/fixtures/stablehlo_text/loops.mlir',
    'tests/fixtures/stablehlo_text/reductions.mlir',
  ]) {
    const text = read(path);
    for (let i = 0; i < 1500; i++) {
      const at = next(text.length);
      const length = next(8);
      const piece = text.substr(next(text.length), next(20));
      try {
        hlo.parse(text.slice(0, at) + piece + text.slice(at + length)).dispose();
      } catch (error) {
        assert.ok(error instanceof HloError, String(error));
      }
    }
  }
  runsOn();
});

test('a loop that uses up the memory ends with an error', () => {
  const limited = `HloModule m
c { s = (s32[], f32[8]) parameter(0)
  ROOT t = pred[] constant(true) }
b { s = (s32[], f32[8]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  big = f32[300000000] iota(), iota_dimension=0
  again = f32[300000000] negate(big)
  more = f32[600000000] concatenate(big, again), dimensions={0}
  x = f32[8] slice(more), slice={[0:8]}
  ROOT t = (s32[], f32[8]) tuple(i, x) }
ENTRY main { i = s32[] constant(0)
  x = f32[8] iota(), iota_dimension=0
  s = (s32[], f32[8]) tuple(i, x)
  ROOT w = (s32[], f32[8]) while(s), condition=c, body=b }`;
  // As it is written: optimised, it needs next to none.
  assert.equal(refused(limited, { optimize: false }).code, 'out of memory');
  runsOn();
});
