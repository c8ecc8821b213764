// Softmax in emitted code: its quotients, near and far from the greatest element, and what else may be done with the sum
// that it divides by.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';

const hlo = await load();

/** Softmax's parts over rows of x[rows,n]; the result is an expression of them. */
const program = (rows, n, result) => `HloModule softmax
max {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT r = f32[] maximum(a, b)\n}
add {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT r = f32[] add(a, b)\n}
fused {
 x = f32[${rows},${n}] parameter(0)
 low = f32[] constant(-inf)
 zero = f32[] constant(0)
 one = f32[] constant(1)
 top = f32[${rows}] reduce(x, low), dimensions={1}, to_apply=max
 tops = f32[${rows},${n}] broadcast(top), dimensions={0}
 d = f32[${rows},${n}] subtract(x, tops)
 e = f32[${rows},${n}] exponential(d)
 sum = f32[${rows}] reduce(e, zero), dimensions={1}, to_apply=add
 more = f32[${rows}] reduce(e, one), dimensions={1}, to_apply=add
 sums = f32[${rows},${n}] broadcast(sum), dimensions={0}
 mores = f32[${rows},${n}] broadcast(more), dimensions={0}
 q = f32[${rows},${n}] divide(e, sums)
 ROOT r = f32[${rows},${n}] ${result}
}
ENTRY main {
 x = f32[${rows},${n}] parameter(0)
 ROOT r = f32[${rows},${n}] fusion(x), kind=kInput, calls=fused
}
`;

async function run(text, x, shape, options) {
  const executable = hlo.compile(text, options);
  assert.equal(await executable.ready, !options.reference, text);
  return executable.run([hlo.array(x, { shape })])[0].toTypedArray();
}

test('quotients are near the exact ones down to the smallest numbers', async () => {
  const rows = 200,
    n = 203;
  // The sum of each row is about as large as its number; elements lie down to where exp is 0, some at -inf.
  const x = Float32Array.from({ length: rows * n }, (_, i) => {
    const row = Math.floor(i / n),
      at = i % n;
    return at < row ? row / 3 : at % 7 === 3 ? -Infinity : row / 3 - (at - row) * 0.61;
  });
  const got = await run(program(rows, n, 'copy(q)'), x, [rows, n], { optimize: false });
  let small = 0;
  for (let row = 0; row < rows; row++) {
    const own = x.subarray(row * n, row * n + n);
    const top = Math.max(...own);
    const exps = Array.from(own, (v) => Math.exp(Math.fround(v - top)));
    const sum = exps.reduce((a, b) => a + b);
    for (let i = 0; i < n; i++) {
      const want = exps[i] / sum;
      small += want > 0 && want < 2 ** -126;
      assert.ok(
        Math.abs(got[row * n + i] - want) <= want * 2 ** -20 + 2 ** -149,
        `${row}, ${i}: ${got[row * n + i]}, not ${want}`,
      );
    }
  }
  assert.ok(small > 100);
});

test('sums that are not only divided by are what they are', async () => {
  const sets = [[0], [0, -Infinity], [-Infinity], [0, NaN], [0, Infinity], [Infinity]];
  const results = [
    'copy(q)',
    'add(q, sums)',
    'subtract(q, e)',
    'divide(e, mores)',
    'add(q, mores)',
    'divide(sums, e)',
    'divide(d, sums)',
    'divide(mores, sums)',
  ];
  // Exponentials are 0 or 1, so that sums are exact.
  for (const n of [1, 5, 64, 67, 1030]) {
    const rows = 24;
    const x = Float32Array.from({ length: rows * n }, (_, i) => {
      const set = sets[Math.floor(i / n) % sets.length];
      return (i * 7) % n === 0 ? set[0] : set[i % set.length];
    });
    for (const result of results) {
      const text = program(rows, n, result);
      const got = await run(text, x, [rows, n], { optimize: false });
      assert.deepEqual(got, await run(text, x, [rows, n], { reference: true }), `${n}: ${result}`);
    }
  }
});

/** Over the middle dimension of x[rows,n,columns]: softmax, a variance, and the logarithm of a sum of exponentials. */
const columns = ([rows, n, width], result) => {
  const whole = `f32[${rows},${n},${width}]`,
    part = `f32[${rows},${width}]`,
    root = /^(sum|log)/.test(result) ? part : whole;
  return `HloModule columns
max {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT r = f32[] maximum(a, b)\n}
add {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT r = f32[] add(a, b)\n}
ENTRY main {
 x = ${whole} parameter(0)
 low = f32[] constant(-inf)
 zero = f32[] constant(0)
 top = ${part} reduce(x, low), dimensions={1}, to_apply=max
 tops = ${whole} broadcast(top), dimensions={0,2}
 d = ${whole} subtract(x, tops)
 e = ${whole} exponential(d)
 sum = ${part} reduce(e, zero), dimensions={1}, to_apply=add
 logarithm = ${part} log(sum)
 logarithms = ${whole} broadcast(logarithm), dimensions={0,2}
 sums = ${whole} broadcast(sum), dimensions={0,2}
 q = ${whole} divide(e, sums)
 l = ${whole} subtract(d, logarithms)
 ROOT r = ${root} ${result}
}
`;
};

test('reductions of columns feed what follows them, in one fusion', async () => {
  const shapes = [
    [90, 5, 7],
    [2, 17, 64],
    [1, 256, 300],
    [5, 9, 203],
    [2, 3, 9001],
    [1, 4096, 16],
    [1, 700, 91],
  ];
  for (const shape of shapes)
    for (const result of ['copy(q)', 'copy(l)', 'add(q, d)', 'log(sum)']) {
      const text = columns(shape, result).replace(/copy\((.)\)/, 'negate($1)');
      const x = Float32Array.from({ length: shape[0] * shape[1] * shape[2] }, (_, i) =>
        i % 1013 === 7 ? -Infinity : i % 5003 === 77 ? NaN : Math.sin(i * 1.3) * 6,
      );
      const fused = hlo.compile(text).print();
      assert.equal(fused.match(/ fusion\(/g).length, 1, fused);
      const options = { optimize: true };
      const got = await run(text, x, shape, options);
      const want = await run(text, x, shape, { reference: true });
      for (const [i, v] of want.entries()) {
        const near = Number.isFinite(v) && Math.abs(got[i] - v) <= 1e-5 * (1 + Math.abs(v));
        assert.ok(Object.is(got[i], v) || near, `${shape}: ${result}: ${i}: ${got[i]}, not ${v}`);
      }
    }
});

test('a greatest element that is none of the row', async () => {
  const rows = 3,
    n = 64;
  // Exponentials that vanish, that are subnormal, and that are numbers like others.
  for (const from of [-150, -100, -5]) {
    const x = Float32Array.from({ length: rows * n }, (_, i) => from - (i % 7));
    for (const start of ['0', '-1', '-3.4e38', '-inf']) {
      const text = program(rows, n, 'copy(q)').replace('constant(-inf)', `constant(${start})`);
      const got = await run(text, x, [rows, n], { optimize: false });
      const want = await run(text, x, [rows, n], { reference: true });
      for (const [i, value] of want.entries())
        assert.ok(
          Object.is(got[i], value) || Math.abs(got[i] - value) <= 1e-6 * value,
          `from ${start}, x = ${x[i]}: ${got[i]}, not ${value}`,
        );
    }
  }
});
