// Reductions of several arrays along short rows, which programs turn into loops over rows, against the reference
// evaluator: the same numbers, also of the same sign where they are zero.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';

const special = {
  f32: [NaN, Infinity, -Infinity, -0, 0, 1e-45, 1, -1],
  f64: [NaN, Infinity, -Infinity, -0, 0, 5e-324, 1, -1],
  bf16: [NaN, Infinity, -Infinity, -0, 0, 1, -1],
  s32: [2 ** 31 - 1, -(2 ** 31), 0, 1, -1],
  s64: [0n, 1n, -1n, 2n ** 62n],
  u8: [0, 1, 255],
};

/** What keeps the largest and where it is; a sum of differences and a count, whose order shows. */
const reducers = {
  argmax: (type) => `f { a = ${type}[] parameter(0)
  i = s32[] parameter(1)
  x = ${type}[] parameter(2)
  j = s32[] parameter(3)
  greater = pred[] compare(a, x), direction=GT
  nan = pred[] compare(a, a), direction=NE
  stays = pred[] or(greater, nan)
  equal = pred[] compare(a, x), direction=EQ
  first = pred[] compare(i, j), direction=LT
  tie = pred[] and(equal, first)
  same = pred[] or(stays, tie)
  m = ${type}[] select(stays, a, x)
  k = s32[] select(same, i, j)
  ROOT r = (${type}[], s32[]) tuple(m, k) }`,
  'in their order': (type) => `f { a = ${type}[] parameter(0)
  i = s32[] parameter(1)
  x = ${type}[] parameter(2)
  j = s32[] parameter(3)
  d = ${type}[] subtract(x, a)
  two = s32[] constant(2)
  t = s32[] multiply(i, two)
  k = s32[] add(t, j)
  ROOT r = (${type}[], s32[]) tuple(d, k) }`,
};

/** Rows' elements and numbers: given, computed, or counted. */
const operands = {
  counted: (type, dims) => `v = ${type}[${dims}] copy(x)
  k = s32[${dims}] iota(), iota_dimension=${dims.length - 1}`,
  computed: (type, dims) => `v = ${type}[${dims}] add(x, x)
  k = s32[${dims}] not(n)`,
  'laid out otherwise': (type, dims) => `v = ${type}[${dims}]{${dims.map((_, d) => d)}} copy(x)
  k = s32[${dims}] copy(n)`,
};

const dimsOf = (width) => [
  [Math.ceil(4096 / width) + 3, width],
  [37, Math.ceil(4096 / width / 37) + 1, width],
];

for (const build of ['simd', undefined])
  for (const [name, reducer] of Object.entries(reducers))
    test(`${name}, ${build ?? 'the best build'}`, async () => {
      const hlo = await load({ build });
      for (const type of Object.keys(special))
        for (const width of [1, 2, 3, 5, 8, 9])
          for (const dims of dimsOf(width))
            for (const operand of Object.values(operands)) {
              const rows = dims.slice(0, -1);
              const source = `HloModule rows
${reducer(type)}
ENTRY e {
  x = ${type}[${dims}] parameter(0)
  n = s32[${dims}] parameter(1)
  ${operand(type, dims)}
  z = ${type}[] constant(1)
  o = s32[] constant(0)
  both = (${type}[${rows}], s32[${rows}]) reduce(v, k, z, o), dimensions={${rows.length}}, to_apply=f
  m = ${type}[${rows}] get-tuple-element(both), index=0
  i = s32[${rows}] get-tuple-element(both), index=1
  ROOT r = (${type}[${rows}], s32[${rows}]) tuple(m, i)
}`;
              const length = dims.reduce((a, b) => a * b, 1);
              const numbers = special[type];
              const values = Array.from(
                { length },
                (_, i) => numbers[(i * 7919 + (i >> 4)) % numbers.length],
              );
              const inputs = [
                hlo.array(values, { type, shape: dims }),
                hlo.array(
                  Array.from({ length }, (_, i) => (i * 31) % 7),
                  { type: 's32', shape: dims },
                ),
              ];
              const program = hlo.parse(source);
              const [got, want] = [{}, { reference: true }].map((how) => {
                const results = program.compile(how).run(inputs);
                const found = results.map((y) => [...y.toTypedArray()]);
                for (const array of results) array.dispose();
                return found;
              });
              assert.deepEqual(got, want, source);
              for (const array of inputs) array.dispose();
            }
    });
