// Scatters of short slices of every type that has a loop of its own, against the same by a computation that has none,
// bit by bit: what a NaN is aside.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';

const hlo = await load();
const ROWS = 20;
const UPDATES = 400;
const integers = ['s8', 'u8', 's16', 'u16', 's32', 'u32', 's64', 'u64'];
const types = ['f32', 'f64', 'f16', 'bf16', ...integers, 'c64', 'c128'];
const specials = [NaN, Infinity, -Infinity, -0, 0, 1e-40, 65504, -65504];

/** By one operation, or by one whose result is selected either way. */
const scatter = (type, width, name, alone) => `HloModule m
f {
  a = ${type}[] parameter(0)
  b = ${type}[] parameter(1)
  ${alone ? 'ROOT' : ''} s = ${type}[] ${name}(a, b)
  ${alone ? '' : `c = pred[] compare(a, b), direction=EQ\n  t = ${type}[] ${name}(b, a)\n  ROOT r = ${type}[] select(c, t, s)`}
}
ENTRY e {
  x = ${type}[${ROWS},${width}] parameter(0)
  i = s32[${UPDATES},1] parameter(1)
  u = ${type}[${UPDATES},${width}] parameter(2)
  ROOT y = ${type}[${ROWS},${width}] scatter(x, i, u), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=f
}`;

test('folds of each type where slices are short', () => {
  const places = hlo.array(
    Int32Array.from({ length: UPDATES }, (_, i) => ((i * 7919) % (ROWS + 2)) - 1),
    { shape: [UPDATES, 1] },
  );
  for (const type of types) {
    const number = (i) =>
      /f/.test(type) && i % 37 === 5
        ? specials[Math.floor(i / 37) % specials.length]
        : Math.sin(7 * i) * 30 + 31;
    for (const width of [1, 3]) {
      const numbers = (rows) =>
        hlo.convert(
          hlo.array(
            Float64Array.from({ length: rows * width }, (_, i) => number(i)),
            { shape: [rows, width] },
          ),
          type,
        );
      const inputs = [numbers(ROWS), places, numbers(UPDATES)];
      const isComplex = type[0] === 'c';
      for (const name of isComplex
        ? ['add', 'multiply']
        : ['add', 'multiply', 'maximum', 'minimum']) {
        const [got, want] = [true, false].map((alone) => {
          const [result] = hlo.compile(scatter(type, width, name, alone)).run(inputs);
          return hlo.convert(result, isComplex ? 'c128' : 'f64').toTypedArray();
        });
        assert.deepEqual(got, want, `${name} ${type}, ${width}`);
      }
    }
  }
});
