// Products with a constant matrix that is zero but for a band in each row, whose zeros are left out, against the oracle;
// sums are exact. Where the other factor or a sum is not finite, zeros count.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';

const count = (dims) => dims.reduce((a, b) => a * b, 1);
/** Whole numbers that do not repeat soon. */
const numbers = (length) => Float32Array.from({ length }, (_, i) => ((i * 7919) % 13) - 6);

/** A matrix of rows whose bands begin where `first` says, of its `widths` in turn. */
function bands(rows, columns, widths, first) {
  const matrix = new Float32Array(rows * columns);
  for (let i = 0; i < rows; i++) {
    const [at, width] = [first(i), widths[i % widths.length]];
    for (let j = at; j < Math.min(columns, at + width); j++)
      matrix[i * columns + j] = ((i + j) % 5) - 1.5;
  }
  return matrix;
}
/** [rows, columns] as [columns, rows] in memory. */
const turned = (rows, columns, matrix) =>
  matrix.map((_, i) => matrix[(i % rows) * columns + Math.floor(i / rows)]);

/** Along the diagonal; in any order, as rows of a table are picked; in few of the columns. */
const places = (m, k) => [
  (i) => Math.floor((i * k) / m),
  (i) => (i * 7919) % k,
  (i) => Math.floor(k / 2) + (i % 3),
];

/** matrix times b, whose k rows may have another dimension around them; in the order of the result. */
function product([m, n, k], matrix, b, { left, split }) {
  const columns = split ? n / split : n;
  const out = new Float32Array(m * n);
  for (let f = 0; f < n; f++) {
    const first = Math.floor(f / columns) * k * columns + (f % columns);
    for (let i = 0; i < m; i++) {
      let sum = 0;
      for (let j = 0; j < k; j++) sum += matrix[i * k + j] * b[first + j * columns];
      out[left ? i * n + f : f * m + i] = sum;
    }
  }
  return out;
}

/** A matrix as HLO text. */
const literal = (matrix, [rows, columns]) =>
  `{${Array.from({ length: rows }, (_, i) => `{${matrix.subarray(i * columns, (i + 1) * columns)}}`)}}`;

/**
 * Compares dot(a, b) with what sums one after the other give, which are exact. The factor with bands is `left` or not; either may lie transposed, and the other may have
 * another dimension around the sum's.
 */
function compare(hlo, [m, n, k], widths, first, { left, turn, split }, spoil = () => {}) {
  const matrix = bands(m, k, widths, first);
  const aDims = turn ? [k, m] : [m, k];
  const bDims = split ? [split, k, n / split] : [k, n];
  const b = numbers(count(bDims));
  spoil(b, matrix);
  const a = turn ? turned(m, k, matrix) : matrix;
  const free = split ? [split, n / split] : [n];
  const [along, down] = [turn ? 0 : 1, split ? 1 : 0];
  const [x, y] = left ? [aDims, bDims] : [bDims, aDims];
  const parameter = left ? 'b' : 'a';
  const line = (name, dims) =>
    `${name} = f32[${dims}] ${name === parameter ? 'parameter(0)' : `constant(${literal(a, aDims)})`}`;
  const program = hlo.parse(`HloModule bands
ENTRY main {
 ${line('a', x)}
 ${line('b', y)}
 ROOT c = f32[${left ? [m, ...free] : [...free, m]}] dot(a, b), lhs_contracting_dims={${left ? along : down}}, rhs_contracting_dims={${left ? down : along}}
}`);
  const inputs = [hlo.array(b, { shape: bDims })];
  const [got] = program.compile().run(inputs);
  assert.deepEqual(
    got.toTypedArray(),
    product([m, n, k], matrix, b, { left, split }),
    `${m} ${n} ${k} ${widths} ${first} ${left} ${turn} ${split}`,
  );
  for (const array of [...inputs, got]) array.dispose();
}

const ways = [true, false].flatMap((left) =>
  [true, false].flatMap((turn) => [0, 3].map((split) => ({ left, turn, split }))),
);
const sizes = [
  [67, 129, 301],
  [200, 36, 160],
  [9, 2100, 64],
];

for (const options of [{ build: 'simd' }, {}, { threads: 2 }])
  test(`of any place and order, ${JSON.stringify(options)}`, async () => {
    const hlo = await load(options);
    for (const [m, n, k] of sizes)
      for (const first of places(m, k))
        for (const way of ways)
          for (const widths of [[1], [5, 0, 3], [k], [0]])
            compare(hlo, [m, n, k], widths, first, way);
    await hlo.dispose?.();
  });

test('zero times what is not finite is not left out', async () => {
  const hlo = await load();
  for (const [m, n, k] of sizes)
    for (const first of places(m, k))
      for (const way of ways)
        for (const number of [NaN, Infinity, -Infinity])
          for (const place of [0.1, 0.5, 0.99])
            compare(hlo, [m, n, k], [3, 1], first, way, (b) => {
              b[Math.floor(b.length * place)] = number;
            });
});

test('of a constant, and with what follows in the same pass', async () => {
  const hlo = await load();
  const [m, n, k] = [200, 96, 64];
  const rows = [
    ...turned(
      n,
      k,
      bands(n, k, [5], (i) => Math.floor((i * k) / n)),
    ),
  ];
  const constant = Array.from({ length: k }, (_, i) => `{${rows.slice(i * n, (i + 1) * n)}}`);
  const program = hlo.parse(`HloModule constant
ENTRY main {
 a = f32[${m},${k}] parameter(0)
 b = f32[${k},${n}] constant({${constant}})
 c = f32[${m},${n}] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
 bias = f32[${n}] parameter(1)
 biases = f32[${m},${n}] broadcast(bias), dimensions={1}
 sum = f32[${m},${n}] add(c, biases)
 zero = f32[] constant(0)
 zeros = f32[${m},${n}] broadcast(zero), dimensions={}
 ROOT r = f32[${m},${n}] maximum(sum, zeros)
}`);
  const inputs = [[m, k], [n]].map((shape) => hlo.array(numbers(count(shape)), { shape }));
  const [got, want] = [{}, { reference: true }].map((how) => program.compile(how).run(inputs)[0]);
  assert.deepEqual(got.toTypedArray(), want.toTypedArray());
});

test('nor where a sum is too large for f32, all of which are computed again', async () => {
  const hlo = await load();
  for (const way of ways)
    compare(
      hlo,
      [64, 96, 128],
      [3],
      (i) => i,
      way,
      (b, matrix) => {
        b.fill(3e38);
        matrix.forEach((x, i) => (matrix[i] = Math.abs(x)));
      },
    );
});
