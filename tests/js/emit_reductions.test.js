// Reductions in emitted code that do not go over the same elements as others of their fusion: all share the loops over what
// is reduced.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import { compareWays } from './program_comparison.js';

const hlo = await load();

test('a reduction over single elements, of one over several', async () => {
  const data = Uint16Array.from({ length: 33 * 5 }, (_, i) => 1 + (i % 9));
  for (const [outer, dims, reduced] of [
    ['multiply', '1,33,5', '0'],
    ['add', '33,1,5', '1'],
    ['add', '33,5', ''],
  ]) {
    const shape = dims.split(',').slice(0, -1);
    const text = `HloModule singles
add { a = u16[] parameter(0) b = u16[] parameter(1) ROOT r = u16[] add(a, b) }
multiply { a = u16[] parameter(0) b = u16[] parameter(1) ROOT r = u16[] multiply(a, b) }
fused {
  x = u16[${dims}] parameter(0)
  y = u16[33] parameter(1)
  zero = u16[] constant(0)
  five = u16[] constant(5)
  inner = u16[${shape}] reduce(x, zero), dimensions={${shape.length}}, to_apply=add
  outer = u16[33] reduce(inner, five), dimensions={${reduced}}, to_apply=${outer}
  ROOT r = u16[33] subtract(outer, y)
}
ENTRY main {
  x = u16[${dims}] parameter(0)
  y = u16[33] parameter(1)
  ROOT r = u16[33] fusion(x, y), kind=kInput, calls=fused
}`;
    const inputs = [
      { type: 'u16', dims: dims.split(',').map(Number), data },
      { type: 'u16', dims: [33], data: data.slice(0, 33) },
    ];
    assert.equal((await compareWays(hlo, { text, inputs })).wrong, undefined, text);
  }
});
