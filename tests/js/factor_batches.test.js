// Factors and triangular systems of many small matrices, which stand side by side in lanes, against
// those of each matrix alone, which go another way: values, pivots and what fails.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import { randomNumbers } from './random_program.js';

const orders = {
  rows: 'dense<[2, 1, 0]> : tensor<3xindex>',
  columns: 'dense<[1, 2, 0]> : tensor<3xindex>',
};

/** Runs a program for all matrices and for each of them: two lists of results' values. */
function bothWays(hlo, source, type, arrays) {
  const count = arrays[0].dims[0];
  const run = (from, to) => {
    const inputs = arrays.map(({ dims, data }) => {
      const size = data.length / count;
      return hlo.array([...data.slice(from * size, to * size)], {
        type,
        shape: [to - from, ...dims.slice(1)],
      });
    });
    const results = hlo.compile(source(to - from)).run(inputs);
    const values = results.map((y) => Array.from(y.toTypedArray()));
    for (const array of [...inputs, ...results]) array.dispose();
    return values;
  };
  const alone = Array.from({ length: count }, (_, i) => run(i, i + 1));
  return [run(0, count), alone[0].map((_, k) => alone.flatMap((values) => values[k]))];
}

function assertClose(got, want, tolerance, what) {
  assert.equal(got.length, want.length, what);
  const largest = Math.max(1, ...want.filter(Number.isFinite).map(Math.abs));
  got.forEach((value, i) => {
    const same = Object.is(value, want[i]) || Math.abs(value - want[i]) <= tolerance * largest;
    assert(same, `${what}, number ${i}: ${value}, not ${want[i]}`);
  });
}

const matrices = (random, dims, of = () => random() * 2 - 1) => ({
  dims,
  data: Float64Array.from({ length: dims.reduce((a, b) => a * b, 1) }, of),
});

const luSource = (type, m, n, order) => (count) => {
  const a = `tensor<${count}x${m}x${n}x${type}>`;
  const pivots = `tensor<${count}x${Math.min(m, n)}xi32>`;
  const all = `${a}, ${pivots}, tensor<${count}xi32>`;
  const layouts = `operand_layouts = [${orders[order]}], result_layouts = [${orders[order]}, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>]`;
  return `func.func @main(%a: ${a}) -> (${all}) {
  %0:3 = stablehlo.custom_call @lapack_${type === 'f32' ? 's' : 'd'}getrf_ffi(%a) {mhlo.backend_config = {}, ${layouts}} : (${a}) -> (${all})
  return %0#0, %0#1, %0#2 : ${all} }`;
};

const tolerance = { f32: 2e-4, f64: 1e-11 };

for (const type of ['f32', 'f64'])
  test(`LU factors of ${type}`, async () => {
    const hlo = await load();
    const random = randomNumbers(5);
    for (const [m, n] of [
      [1, 1],
      [2, 2],
      [3, 3],
      [4, 4],
      [5, 5],
      [8, 8],
      [13, 13],
      [16, 16],
      [32, 32],
      [5, 3],
      [3, 7],
      [1, 6],
      [6, 1],
    ])
      for (const order of ['rows', 'columns']) {
        const [got, want] = bothWays(hlo, luSource(type, m, n, order), type, [
          matrices(random, [11, m, n]),
        ]);
        const what = `${m}x${n} by ${order}`;
        assertClose(got[0], want[0], tolerance[type], what);
        assert.deepEqual(got.slice(1), want.slice(1), what);
      }
  });

test('LU factors of singular matrices beside others', async () => {
  const hlo = await load();
  const random = randomNumbers(6);
  let singular = 0;
  for (const n of [1, 2, 3])
    for (const few of [
      [-1, 0, 1],
      [0, 1],
      [0, 2, NaN],
      [0, 1, Infinity],
    ]) {
      const a = matrices(random, [101, n, n], () => few[Math.floor(random() * few.length)]);
      const [got, want] = bothWays(hlo, luSource('f32', n, n, 'columns'), 'f32', [a]);
      assert.deepEqual(got, want, `${n}x${n} of ${few}`);
      singular += got[2].filter((k) => k > 0).length;
    }
  assert(singular > 300);
});

test('triangular systems of all forms', async () => {
  const hlo = await load();
  const random = randomNumbers(7);
  for (const type of ['f32', 'f64'])
    for (const [n, m] of [
      [1, 1],
      [2, 1],
      [3, 3],
      [4, 1],
      [7, 5],
      [16, 16],
      [17, 2],
      [32, 8],
      [5, 0],
    ])
      for (const left of [true, false])
        for (const lower of [true, false])
          for (const unit of [true, false])
            for (const transpose of ['NO_TRANSPOSE', 'TRANSPOSE', 'ADJOINT']) {
              const a = matrices(random, [9, n, n]);
              for (let i = 0; i < 9 * n; i++) a.data[i * n + (i % n)] += 2 + n;
              const b = matrices(random, left ? [9, n, m] : [9, m, n]);
              const text = (count) => `HloModule solve
ENTRY main {
 a = ${type}[${count},${n},${n}] parameter(0)
 b = ${type}[${count},${b.dims.slice(1)}] parameter(1)
 ROOT x = ${type}[${count},${b.dims.slice(1)}] triangular-solve(a, b), left_side=${left}, lower=${lower}, unit_diagonal=${unit}, transpose_a=${transpose}
}`;
              const [[got], [want]] = bothWays(hlo, text, type, [a, b]);
              assertClose(got, want, unit ? 1e-3 : tolerance[type], text(9));
            }
});

test('Cholesky factors, some of which fail', async () => {
  const hlo = await load();
  const random = randomNumbers(8);
  let failed = 0;
  for (const type of ['f32', 'f64'])
    for (const n of [1, 2, 3, 4, 7, 16, 32])
      for (const letter of ['L', 'U']) {
        const a = matrices(random, [13, n, n]);
        for (let k = 0; k < 13; k++)
          for (let i = 0; i < n; i++)
            a.data[(k * n + i) * n + i] += k % 5 === 3 && i === n >> 1 ? -1 : 2 + n;
        const source = (count) => {
          const matrix = `tensor<${count}x${n}x${n}x${type}>`;
          return `func.func @main(%a: ${matrix}) -> (${matrix}, tensor<${count}xi32>) {
  %0:2 = stablehlo.custom_call @lapack_${type === 'f32' ? 's' : 'd'}potrf_ffi(%a) {mhlo.backend_config = {uplo = ${letter.charCodeAt(0)} : ui8}, operand_layouts = [${orders.columns}], result_layouts = [${orders.columns}, dense<0> : tensor<1xindex>]} : (${matrix}) -> (${matrix}, tensor<${count}xi32>)
  return %0#0, %0#1 : ${matrix}, tensor<${count}xi32> }`;
        };
        const [got, want] = bothWays(hlo, source, type, [a]);
        assertClose(got[0], want[0], tolerance[type], `${letter} ${n} of ${type}`);
        assert.deepEqual(got[1], want[1]);
        failed += got[1].filter((k) => k > 0).length;
      }
  assert(failed >= 28);
});
