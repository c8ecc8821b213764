// Index arithmetic in emitted code: index vectors of gathers that are put together.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import { compareWays } from './program_comparison.js';

const hlo = await load();

test('gathers by index vectors that are put together', async () => {
  const text = `HloModule pairs
fused {
  x = f32[5,7] parameter(0)
  i = s32[9] parameter(1)
  j = s32[9,2] parameter(2)
  ic = s32[9,1] reshape(i)
  first = s32[9,1] slice(j), slice={[0:9], [1:2]}
  v = s32[9,2] concatenate(ic, first), dimensions={1}
  w = s32[9,2] concatenate(j), dimensions={1}
  g = f32[9] gather(x, v), offset_dims={}, collapsed_slice_dims={0,1}, start_index_map={0,1}, index_vector_dim=1, slice_sizes={1,1}
  h = f32[9] gather(x, w), offset_dims={}, collapsed_slice_dims={0,1}, start_index_map={1,0}, index_vector_dim=1, slice_sizes={1,1}
  ROOT r = f32[9] subtract(g, h)
}
ENTRY main {
  x = f32[5,7] parameter(0)
  i = s32[9] parameter(1)
  j = s32[9,2] parameter(2)
  ROOT r = f32[9] fusion(x, i, j), kind=kLoop, calls=fused
}
`;
  const x = Float32Array.from({ length: 35 }, (_, k) => k * k);
  const inputs = [
    { type: 'f32', dims: [5, 7], data: x },
    { type: 's32', dims: [9], data: Int32Array.from([0, 4, -1, 9, 2, 3, 1, -2147483648, 4]) },
    { type: 's32', dims: [9, 2], data: Int32Array.from({ length: 18 }, (_, k) => (k * 5) % 11) },
  ];
  const { isReady, wrong } = await compareWays(hlo, { text, inputs });
  assert.equal(isReady, true);
  assert.equal(wrong, undefined);
});

/** Text of a concatenation of x's parts [from, to) along a dimension. */
const parts = (name, x, type, dims, d, ranges) => {
  const shape = (size) => `${type}[${dims.map((n, i) => (i === d ? size : n))}]`;
  const bounds = (from, to) => dims.map((n, i) => (i === d ? `[${from}:${to}]` : `[0:${n}]`));
  const lines = ranges.map(
    ([from, to], k) => `${name}${k} = ${shape(to - from)} slice(${x}), slice={${bounds(from, to)}}`,
  );
  const total = ranges.reduce((sum, [from, to]) => sum + to - from, 0);
  const names = ranges.map((_, k) => `${name}${k}`);
  return {
    text: `${lines.join('\n')}\n${name} = ${shape(total)} concatenate(${names}), dimensions={${d}}`,
    total,
  };
};

test('arrays rolled along any dimension, and with edges repeated', async () => {
  const all = [
    ['f32', [7, 5, 13]],
    ['f32', [4, 9, 1]],
    ['u8', [6, 3, 70]],
    ['s16', [5, 37]],
    ['f64', [3, 5, 11]],
    ['c64', [5, 4, 3]],
    ['f32', [20000]],
    ['s32', [2, 1, 4099]],
  ];
  for (const [type, dims] of all)
    for (let d = 0; d < dims.length; d++)
      for (const by of [1, 2, dims[d] - 1]) {
        const n = dims[d];
        if (by <= 0 || by >= n) continue;
        const there = parts('a', 'x', type, dims, d, [
          [n - by, n],
          [0, n - by],
        ]).text;
        const back = parts('b', 'x', type, dims, d, [
          [by, n],
          [0, by],
        ]).text;
        const e = (d + 1) % dims.length;
        const twice = parts(
          'c',
          'a',
          type,
          dims,
          e,
          [
            [dims[e] >> 1, dims[e]],
            [0, dims[e] >> 1],
          ].filter(([f, t]) => t > f),
        ).text;
        const edges = parts('w', 'x', type, dims, d, [
          [by, by + 1],
          [0, n],
          [n - 1, n],
        ]);
        const wide = dims.map((m, i) => (i === d ? edges.total : m));
        const shape = `${type}[${dims}]`;
        const text = `HloModule rolled
fused {
x = ${shape} parameter(0)
${there}\n${back}\n${twice}\n${edges.text}
s = ${shape} add(a, b)\nt = ${shape} subtract(s, c)\nu = ${shape} add(t, x)
v = ${type}[${wide}] add(w, w)
ROOT r = (${shape}, ${type}[${wide}]) tuple(u, v)
}
ENTRY main {
x = ${shape} parameter(0)
ROOT r = (${shape}, ${type}[${wide}]) fusion(x), kind=kLoop, calls=fused
}
`;
        const count = dims.reduce((a, b) => a * b) * (type === 'c64' ? 2 : 1);
        const Kind = {
          f32: Float32Array,
          u8: Uint8Array,
          s16: Int16Array,
          f64: Float64Array,
          c64: Float32Array,
          s32: Int32Array,
        };
        const data = Kind[type].from({ length: count }, (_, i) => (i * 37) % 101);
        const first = text
          .replace(/ROOT r = .* tuple\(u, v\)/, 'ROOT r = u')
          .replace('ROOT r = u', `ROOT r = ${shape} negate(u)`)
          .replace(/ROOT r = .* fusion/, `ROOT r = ${shape} fusion`);
        const second = text
          .replace(/ROOT r = .* tuple\(u, v\)/, `ROOT r = ${type}[${wide}] add(v, w)`)
          .replace(/ROOT r = .* fusion/, `ROOT r = ${type}[${wide}] fusion`);
        const kept = dims.filter((_, i) => i !== e);
        const sums = first
          .replace(
            /HloModule rolled/,
            `HloModule rolled\nadd {\n p = ${type}[] parameter(0)\n q = ${type}[] parameter(1)\n ROOT r = ${type}[] add(p, q)\n}`,
          )
          .replace(
            /ROOT r = .* negate\(u\)/,
            `z = ${type}[] constant(0)\nROOT r = ${type}[${kept}] reduce(u, z), dimensions={${e}}, to_apply=add`,
          )
          .replace(/ROOT r = .* fusion/, `ROOT r = ${type}[${kept}] fusion`);
        for (const one of [first, second, ...(/c64|u8|s16/.test(type) ? [] : [sums])]) {
          const { isReady, wrong } = await compareWays(hlo, {
            text: one,
            inputs: [{ type, dims, data }],
          });
          assert.equal(isReady, true, one);
          assert.equal(wrong, undefined, one);
        }
      }
});
