// Sums of 100,000 to 10 million products, by every way that products go: against sums in f64. Numbers have one sign, so that
// what a sum in order loses shows, and some are all the same, so that roundings do not cancel out. docs/numerics.md has the
// bound.
import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import { longProducts, randomProduct } from './long_products.js';
import { randomNumbers } from './random_program.js';
import { testPrograms } from './random_seeds.js';
import { onRelaxed } from './relaxed_process.js';

/** Relative errors: some 30 of the type's unit roundoffs, whatever the length. */
const bounds = { f32: 2e-6, f64: 6e-15 };
/** Of small products, which are summed in the order of XLA's CPU backend, and how many numbers at most. */
const boundsInOrder = { f32: 3e-5, f64: 6e-14 };
const longestInOrder = 4096;

const kinds = {
  'in [100, 101)': () => (random) => 100 + random(),
  'in [0, 1)': () => (random) => random(),
  'all 0.1': () => () => 0.1,
};

/** The values as numbers, and an array of them in the type. */
function operand(hlo, type, shape, next, random) {
  const isComplex = type.startsWith('c');
  const isWide = type === 'f64' || type === 'c128';
  const length = shape.reduce((a, b) => a * b, 1) * (isComplex ? 2 : 1);
  const data = new (isWide ? Float64Array : Float32Array)(length);
  for (let i = 0; i < length; i++) data[i] = next(random);
  if (isComplex || isWide || type === 'f32')
    return { data, array: hlo.array(data, { type, shape }) };
  const [from, there, back] = [
    hlo.array(data, { shape }),
    hlo.compile(
      `ENTRY e {\n x = f32[${shape}] parameter(0)\n ROOT r = ${type}[${shape}] convert(x)\n}`,
    ),
    hlo.compile(
      `ENTRY e {\n x = ${type}[${shape}] parameter(0)\n ROOT r = f32[${shape}] convert(x)\n}`,
    ),
  ];
  const [array] = there.run([from]);
  const [rounded] = back.run([array]);
  const values = rounded.toTypedArray();
  for (const object of [from, rounded, there, back]) object.dispose();
  return { data: values, array };
}

/** A number and what it leaves of a sum or a product (T. J. Dekker, 1971). */
class DoubleDouble {
  high = 0;
  low = 0;

  add(x) {
    const sum = this.high + x;
    const added = sum - this.high;
    this.low += this.high - (sum - added) + (x - added);
    this.high = sum;
  }
  addProduct(x, y) {
    const halves = (z) => {
      const large = 134217729 * z;
      const upper = large - (large - z);
      return [upper, z - upper];
    };
    const [[a, b], [c, d]] = [halves(x), halves(y)];
    const product = x * y;
    this.add(product);
    this.low += a * c - product + a * d + b * c + b * d;
  }
}

/** The sum of products of a result, its parts if it is complex, and the sum of their magnitudes. */
function sumOf(product, a, b, { left, right, count }) {
  const isComplex = product.type.startsWith('c');
  let size = 0;
  if (product.sums === 'f32' && !isComplex) {
    for (let p = 0; p < count; p++) size += a[left(p)] * b[right(p)];
    return { parts: [size], size };
  }
  const [re, im] = [new DoubleDouble(), new DoubleDouble()];
  for (let p = 0; p < count; p++) {
    const [i, j] = [left(p), right(p)];
    if (isComplex) {
      re.addProduct(a[2 * i], b[2 * j]);
      re.addProduct(-a[2 * i + 1], b[2 * j + 1]);
      im.addProduct(a[2 * i], b[2 * j + 1]);
      im.addProduct(a[2 * i + 1], b[2 * j]);
      size += Math.abs(a[2 * i] * b[2 * j]) + Math.abs(a[2 * i + 1] * b[2 * j + 1]);
    } else {
      re.addProduct(a[i], b[j]);
      size += a[i] * b[j];
    }
  }
  return { parts: (isComplex ? [re, im] : [re]).map(({ high, low }) => high + low), size };
}

/** The largest error of some results, in parts of what their products sum up to. */
function errorOf(
  hlo,
  product,
  k,
  kind,
  seed,
  isWanted = (at, results) => at % (results >> 1 || 1) === 0,
) {
  const random = randomNumbers(seed);
  const next = kinds[kind]();
  const isComplex = product.type.startsWith('c');
  const [a, b] = product.shapes(k).map((shape) => operand(hlo, product.type, shape, next, random));
  const executable = hlo.compile(product.text(k), product.options);
  const [result] = executable.run([a.array, b.array]);
  const got = result.toTypedArray();
  const results = product.results(k);
  let error = 0;
  for (let at = 0; at < results; at++) {
    if (!isWanted(at, results) && at !== results - 1) continue;
    const { parts, size } = sumOf(product, a.data, b.data, product.factors(k, at));
    parts.forEach((part, i) => {
      const difference = Math.abs(got[isComplex ? 2 * at + i : at] - part) / size;
      error = difference <= error ? error : difference; // of NaN, NaN
    });
  }
  for (const object of [a.array, b.array, result, executable]) object.dispose();
  return error;
}

const lengths = [1e5, 1e6, 1e7];

/** A product of some thousand numbers, in shapes and layouts at random. */
function randomCase(seed) {
  const random = randomNumbers(seed);
  const below = (limit) => Math.floor(random() * limit);
  const pick = (list) => list[below(list.length)];
  const k = 1 + below(pick([600, 3000, 20000, 20000]));
  const product = randomProduct(k, below, pick);
  return { text: product.text(k), product, k, kind: pick(Object.keys(kinds)) };
}

/** All its results. */
async function checkRandom(build, { product, k, kind }, seed) {
  const error = errorOf(await engines[build], product, k, kind, seed, () => true);
  const { count } = product.factors(k, 0);
  const bound = (count > longestInOrder ? bounds : boundsInOrder)[product.sums];
  return { wrong: error <= bound ? undefined : `${product.type} ${kind}: ${error}` };
}

function runAll(build) {
  testPrograms(`products at random, on ${build}`, {
    seeds: 150,
    make: randomCase,
    check: (program, seed) => checkRandom(build, program, seed),
  });
  longProducts.forEach((product, number) => {
    test(`${product.path}, ${product.type}, on ${build}`, async () => {
      const hlo = await engines[build];
      for (const k of lengths.filter((length) => length <= product.largest)) {
        const some = k === 1e5 ? Object.keys(kinds) : [Object.keys(kinds)[(number + k) % 3]];
        for (const kind of some) {
          const error = errorOf(hlo, product, k, kind, number + 1);
          assert.ok(error <= bounds[product.sums], `${k} products ${kind}: ${error}`);
        }
      }
    });
  });
}

const engines = {};
const which = process.env.HLO_TEST_BUILD ?? 'simd';
engines[which] = load({ build: which });

/** Weights in the program come to the kernels in their own form. */
test('tiles times weights', async () => {
  const hlo = await engines[which];
  const [m, n, k] = [9, 8, 50000];
  const row = `{${Array(n).fill('0.1')}}`;
  const program = hlo.compile(`HloModule weights
ENTRY e {
  a = f32[${m},${k}] parameter(0)
  b = f32[${k},${n}] constant({${Array(k).fill(row)}})
  ROOT c = f32[${m},${n}] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}`);
  const a = hlo.array(new Float32Array(m * k).fill(0.1), { shape: [m, k] });
  const [c] = program.run([a]);
  const want = k * Math.fround(0.1) ** 2;
  for (const got of c.toTypedArray())
    assert.ok(Math.abs(got - want) <= bounds.f32 * want, `${got} for ${want}`);
  for (const object of [a, c, program]) object.dispose();
});

test(
  'with two threads',
  { skip: availableParallelism() < 2 && 'there is one processor' },
  async () => {
    const hlo = await load({ build: which, threads: 2 });
    longProducts.forEach((product, number) => {
      const error = errorOf(hlo, product, 1e5, 'all 0.1', number + 1);
      assert.ok(error <= bounds[product.sums], `${product.path}, ${product.type}: ${error}`);
    });
    hlo.dispose();
  },
);

/** Rows that are zero but for long bands, as of a spectrum: what they leave out does not make their sums less exact. */
test('bands', async () => {
  const hlo = await engines[which];
  const [m, n] = [16, 40];
  for (const [k, width] of [
    [20000, 1000],
    [100000, 12000],
  ]) {
    const matrix = new Float32Array(m * k);
    for (let i = 0; i < m; i++) matrix.fill(0.1, i * k + 500 * i, i * k + 500 * i + width);
    const program = hlo.compile(`ENTRY e {
  a = f32[${m},${k}] parameter(0)
  b = f32[${k},${n}] parameter(1)
  ROOT c = f32[${m},${n}] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}`);
    const inputs = [
      hlo.array(matrix, { shape: [m, k] }),
      hlo.array(new Float32Array(k * n).fill(0.1), { shape: [k, n] }),
    ];
    const [c] = program.run(inputs);
    const want = width * Math.fround(0.1) ** 2;
    for (const got of c.toTypedArray())
      assert.ok(Math.abs(got - want) <= bounds.f32 * want, `${got} for ${want}`);
    for (const object of [...inputs, c, program]) object.dispose();
  }
});

if (process.env.HLO_TEST_BUILD) runAll(which);
else {
  runAll('simd');
  await onRelaxed(fileURLToPath(import.meta.url), (build) => {
    engines[build] = load({ build });
    runAll(build);
  });
}
