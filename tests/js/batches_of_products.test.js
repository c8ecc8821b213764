// Products of many small matrices, which go together, against the oracle; sums are exact.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';

const sizes = [1, 2, 3, 4, 5, 7, 8, 9, 16, 17];
/** Enough products for the backend's kernels. */
const batches = (m, n, k) => 3 + Math.ceil(70_000 / (m * n * k));

function compare(hlo, lhs, rhs, result, options) {
  const inputs = [lhs, rhs].map((dims, seed) => {
    const length = dims.reduce((a, b) => a * b, 1);
    const data = Float32Array.from({ length }, (_, i) => (((i + seed) * 7919) % 13) - 6);
    return hlo.array(data, { shape: dims });
  });
  const program = hlo.parse(`HloModule small
ENTRY main {
 a = f32[${lhs}] parameter(0)
 b = f32[${rhs}] parameter(1)
 ROOT c = f32[${result}] dot(a, b), ${options}
}`);
  const [got, want] = [{}, { reference: true }].map((how) => program.compile(how).run(inputs)[0]);
  assert.deepEqual(got.toTypedArray(), want.toTypedArray(), `[${lhs}] [${rhs}] ${options}`);
  for (const array of [...inputs, got, want]) array.dispose();
}

for (const build of ['simd', undefined])
  test(`of all small sizes, ${build ?? 'the best build'}`, async () => {
    const hlo = await load({ build });
    const ways = 'lhs_batch_dims={0}, rhs_batch_dims={0}';
    for (const m of sizes)
      for (const n of sizes)
        for (const k of sizes) {
          const count = batches(m, n, k);
          compare(
            hlo,
            [count, m, k],
            [count, k, n],
            [count, m, n],
            `${ways}, lhs_contracting_dims={2}, rhs_contracting_dims={1}`,
          );
        }
  });

test('of other orders of dimensions', async () => {
  const hlo = await load();
  for (const [m, n, k] of [
    [2, 2, 2],
    [3, 4, 3],
    [4, 3, 4],
    [4, 1, 4],
    [1, 4, 3],
    [5, 7, 6],
    [9, 5, 16],
  ]) {
    const c = Math.ceil(batches(m, n, k) / 20);
    const three = 'lhs_batch_dims={0,1}, rhs_batch_dims={0,1}';
    const matrices = 'lhs_contracting_dims={3}, rhs_contracting_dims={2}';
    compare(hlo, [20, c, m, k], [20, c, k, n], [20, c, m, n], `${three}, ${matrices}`);
    // Batches in another order on one side, between rows, and transposed matrices.
    compare(
      hlo,
      [20, c, m, k],
      [c, 20, k, n],
      [20, c, m, n],
      `lhs_batch_dims={0,1}, rhs_batch_dims={1,0}, ${matrices}`,
    );
    compare(
      hlo,
      [20, m, c, k],
      [20, k, c, n],
      [20, c, m, n],
      'lhs_batch_dims={0,2}, rhs_batch_dims={0,2}, lhs_contracting_dims={3}, rhs_contracting_dims={1}',
    );
    compare(
      hlo,
      [20 * c, k, m],
      [20 * c, n, k],
      [20 * c, m, n],
      'lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_contracting_dims={2}',
    );
    compare(
      hlo,
      [20 * c, m, k],
      [20 * c, k],
      [20 * c, m],
      'lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}',
    );
  }
});

test('on two threads', async () => {
  const hlo = await load({ threads: 2 });
  for (const [m, n, k] of [
    [3, 3, 3],
    [4, 4, 4],
    [7, 5, 9],
  ]) {
    const count = 20 * batches(m, n, k) + 1;
    compare(
      hlo,
      [count, m, k],
      [count, k, n],
      [count, m, n],
      'lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}',
    );
  }
  await hlo.dispose?.();
});
