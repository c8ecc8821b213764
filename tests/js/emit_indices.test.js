// Index arithmetic in emitted code: index vectors of gathers that are put together.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import { compareWays } from './fusion_comparison.js';

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
  const { isReady, wrong } = await compareWays(hlo, text, inputs, 0);
  assert.equal(isReady, true);
  assert.equal(wrong, undefined);
});
