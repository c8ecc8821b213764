// Short rows, which loops join: vectors along them, which programs repeat, rows that are rolled and padded as wholes, and what
// all numbers of a row share; against the oracle, bit by bit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import { emittedModules } from './emitted_modules.js';

const hlo = await load();
const storages = {
  pred: Uint8Array,
  u8: Uint8Array,
  s16: Int16Array,
  bf16: Uint16Array,
  s32: Int32Array,
  f32: Float32Array,
  s64: BigInt64Array,
  f64: Float64Array,
  c64: Float32Array,
};
const step = { pred: 'xor', u8: 'add', bf16: 'add' };

/** A slice of x without some of the rows at either end, `name`. */
function rowsOf(type, dims, name, start, end) {
  const along = dims.length - 2;
  const slices = dims.map((size, d) => (d === along ? `[${start}:${end}]` : `[0:${size}]`));
  const sizes = dims.map((size, d) => (d === along ? end - start : size));
  return `${name} = ${type}[${sizes}] slice(x), slice={${slices}}`;
}

/** Lines that make z of x: rows in turn, `by` further on. */
function rolled(type, dims, by) {
  const length = dims.at(-2);
  return [
    rowsOf(type, dims, 'last', length - by, length),
    rowsOf(type, dims, 'first', 0, length - by),
    `z = ${type}[${dims}] concatenate(last, first), dimensions={${dims.length - 2}}`,
  ];
}

/**
 * What is done with rows of `dims`: lines that make y of x, of a vector b, of one number s to all rows of an element of the first
 * dimension, of a plane p, and of one number m to a row.
 */
const bodies = {
  'rolled rows': (type, dims) => [
    ...rolled(type, dims, 1),
    `y = ${type}[${dims}] ${step[type] ?? 'subtract'}(x, z)`,
  ],
  'padded rows': (type, dims) => [
    rowsOf(type, dims, 'middle', 2, dims.at(-2) - 1),
    `e = ${type}[] constant(${type === 'pred' ? 'true' : type === 'c64' ? '(1, -2)' : '3'})`,
    `z = ${type}[${dims}] pad(middle, e), padding=${dims.map((_, d) => (d === dims.length - 2 ? '1_2' : '0_0')).join('x')}`,
    `y = ${type}[${dims}] ${step[type] ?? 'subtract'}(x, z)`,
  ],
  'rolled rows beside numbers of each': (type, dims, minor) => [
    ...rolled(type, dims, 3),
    `ms = ${type}[${dims}] broadcast(m), dimensions={${dims.slice(0, minor).map((_, d) => d)}}`,
    `w = ${type}[${dims}] ${step[type] ?? 'multiply'}(z, ms)`,
    `y = ${type}[${dims}] ${step[type] ?? 'subtract'}(w, x)`,
  ],
  'a vector that is given': (type, dims, minor) => [
    `bs = ${type}[${dims}] broadcast(b), dimensions={${minor}}`,
    `y = ${type}[${dims}] ${step[type] ?? 'multiply'}(x, bs)`,
  ],
  'a vector that is computed, twice': (type, dims, minor) => [
    `bb = ${type}[${dims.at(-1)}] ${step[type] ?? 'multiply'}(b, b)`,
    `bs = ${type}[${dims}] broadcast(b), dimensions={${minor}}`,
    `cs = ${type}[${dims}] broadcast(bb), dimensions={${minor}}`,
    `z = ${type}[${dims}] ${step[type] ?? 'subtract'}(x, bs)`,
    `y = ${type}[${dims}] ${step[type] ?? 'multiply'}(z, cs)`,
  ],
  'beside numbers of rows': (type, dims, minor) => [
    `bs = ${type}[${dims}] broadcast(b), dimensions={${minor}}`,
    `ss = ${type}[${dims}] broadcast(s), dimensions={0}`,
    `z = ${type}[${dims}] ${step[type] ?? 'multiply'}(x, ss)`,
    `y = ${type}[${dims}] ${step[type] ?? 'subtract'}(z, bs)`,
  ],
  'beside planes': (type, dims, minor) => [
    `bs = ${type}[${dims}] broadcast(b), dimensions={${minor}}`,
    `ps = ${type}[${dims}] broadcast(p), dimensions={${dims.slice(1).map((_, d) => d + 1)}}`,
    `z = ${type}[${dims}] ${step[type] ?? 'subtract'}(x, bs)`,
    `y = ${type}[${dims}] ${step[type] ?? 'multiply'}(z, ps)`,
  ],
};

function inputOf(type, dims, seed) {
  const length = dims.reduce((a, b) => a * b, 1) * (type === 'c64' ? 2 : 1);
  const small = (i) => ((i * 7919 + seed) % 13) - 6;
  const number = {
    pred: (i) => small(i) & 1,
    u8: (i) => small(i) + 6,
    bf16: (i) => 0x3f80 + 8 * small(i) + seed,
    s64: (i) => BigInt(small(i)),
  };
  const data = storages[type].from({ length }, (_, i) => (number[type] ?? small)(i));
  return hlo.array(data, { type, shape: dims });
}

for (const [type, dims] of [
  ['f32', [4096, 2]],
  ['f32', [64, 37, 3]], // 37 rows: nothing divides them
  ['f32', [70, 24, 5]],
  ['f32', [2, 3, 720, 7]],
  ['f32', [640, 31]],
  ['f64', [1500, 3]],
  ['s32', [520, 9]],
  ['s64', [1028, 4]],
  ['s16', [3000, 6]],
  ['u8', [40, 80, 3]],
  ['bf16', [1044, 10]],
  ['pred', [2048, 5]],
  ['c64', [1400, 3]],
])
  test(`rows of ${type}[${dims}]`, async () => {
    const minor = dims.length - 1;
    for (const [what, body] of Object.entries(bodies)) {
      const shapes = [dims, [dims[minor]], [dims[0]], dims.slice(1), dims.slice(0, minor)];
      const names = ['x', 'b', 's', 'p', 'm'];
      const program = hlo.parse(`HloModule short_rows
ENTRY main {
 ${names.map((name, i) => `${name} = ${type}[${shapes[i]}] parameter(${i})`).join('\n ')}
 ${body(type, dims, minor).join('\n ')}
 n = ${type}[${dims}] ${type === 'pred' ? 'not' : 'negate'}(y)
 ROOT r = (${type}[${dims}], ${type}[${dims}]) tuple(y, n)
}`);
      const inputs = shapes.map((shape, i) => inputOf(type, shape, i));
      let executable;
      const modules = await emittedModules(async () => {
        executable = program.compile();
        await executable.ready;
      });
      assert.ok(modules.length > 0, `${what}: no code`);
      const got = executable.run(inputs);
      const want = program.compile({ reference: true }).run(inputs);
      for (const [i, y] of got.entries())
        assert.deepEqual(y.toTypedArray(), want[i].toTypedArray(), what);
    }
  });

test('a vector along short rows in a loop', async () => {
  const program = hlo.parse(`HloModule steps
body {
 t = (s32[], f32[1024,3], f32[3]) parameter(0)
 i = s32[] get-tuple-element(t), index=0
 x = f32[1024,3] get-tuple-element(t), index=1
 b = f32[3] get-tuple-element(t), index=2
 one = s32[] constant(1)
 j = s32[] add(i, one)
 f = f32[] convert(i)
 fs = f32[3] broadcast(f), dimensions={}
 v = f32[3] multiply(b, fs)
 vs = f32[1024,3] broadcast(v), dimensions={1}
 y = f32[1024,3] subtract(vs, x)
 ROOT r = (s32[], f32[1024,3], f32[3]) tuple(j, y, b)
}
condition {
 t = (s32[], f32[1024,3], f32[3]) parameter(0)
 i = s32[] get-tuple-element(t), index=0
 n = s32[] constant(7)
 ROOT r = pred[] compare(i, n), direction=LT
}
ENTRY main {
 x = f32[1024,3] parameter(0)
 b = f32[3] parameter(1)
 i = s32[] constant(0)
 t = (s32[], f32[1024,3], f32[3]) tuple(i, x, b)
 w = (s32[], f32[1024,3], f32[3]) while(t), condition=condition, body=body
 ROOT r = f32[1024,3] get-tuple-element(w), index=1
}`);
  const inputs = [inputOf('f32', [1024, 3], 1), inputOf('f32', [3], 2)];
  const executable = program.compile();
  await executable.ready;
  const want = program.compile({ reference: true }).run(inputs);
  assert.deepEqual(executable.run(inputs)[0].toTypedArray(), want[0].toTypedArray());
});
