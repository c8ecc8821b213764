// The k largest or smallest elements of rows of many lengths, with equal ones among them, against sorting in JavaScript.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import { randomNumbers } from './random_program.js';

const special = [NaN, Infinity, -Infinity, 0, -0, 2 ** -149];
/** Floats in total order: the sign of a zero counts, and NaNs stand outside of infinities. */
const compare = (a, b) => {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) - Number.isNaN(b);
  if (a === b) return a === 0 ? Object.is(b, -0) - Object.is(a, -0) : 0;
  return a < b ? -1 : 1;
};

const types = {
  f32: (random) => {
    const [x, whole] = [random() * 8 - 4, random() < 0.5];
    return random() < 0.05
      ? special[Math.floor(random() * 6)]
      : whole
        ? Math.round(x)
        : Math.fround(x);
  },
  f64: (random) => Math.round(random() * 50) / 3,
  s32: (random) => Math.floor(random() * 200 - 100),
  u32: (random) => Math.floor(random() * 4e9),
  u8: (random) => Math.floor(random() * 256),
  s16: (random) => Math.floor(random() * 60000 - 30000),
};

test('of rows of every length', async () => {
  const hlo = await load();
  const random = randomNumbers(7);
  for (const [type, number] of Object.entries(types))
    for (const length of [1, 2, 5, 15, 16, 17, 31, 32, 33, 48, 100, 1000, 5000])
      for (const k of [1, 2, 5, 16, 17, 40].filter((n) => n <= length).concat(length))
        for (const largest of [true, false]) {
          const rows = length > 999 ? 2 : 5;
          // Some rows rise, so that every element is better than those before.
          const numbers = Array.from({ length: rows }, (_, i) => {
            const row = Array.from({ length }, () => number(random));
            return i === 0 ? row.sort(compare) : i === 1 ? row.sort((a, b) => compare(b, a)) : row;
          });
          const program = hlo.compile(`HloModule topk
ENTRY main {
 x = ${type}[${rows},${length}] parameter(0)
 ROOT t = (${type}[${rows},${k}], s32[${rows},${k}]) topk(x), k=${k}, largest=${largest}
}`);
          const [values, indices] = program
            .run([hlo.array(numbers, type)])
            .map((array) => array.toNested());
          numbers.forEach((row, i) => {
            const sign = largest ? -1 : 1;
            const order = Array.from(row.keys()).sort(
              (a, b) => sign * compare(row[a], row[b]) || a - b,
            );
            const where = `${type} ${length} ${k} ${largest} row ${i}`;
            assert.deepEqual(indices[i], order.slice(0, k), where);
            assert.deepEqual(
              values[i],
              order.slice(0, k).map((at) => row[at]),
              where,
            );
          });
          program.dispose();
        }
});
