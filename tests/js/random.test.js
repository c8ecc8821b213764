// `np.random` against jax.random (tests/fixtures/functions/random_table.py), eager and traced.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import { readTable, testTable } from './tables.js';

const hlo = await load();
const { random } = hlo.np;

const cases = readTable('random.json.gz');

testTable(hlo, random, cases, { untraced: ['key'] });

test('every function of keys is in the table', () => {
  const there = new Set(cases.map(([name]) => name));
  const missing = Object.keys(random).filter((name) => !there.has(name));
  assert.deepEqual(missing, ['defaultRng']);
});

test('what is no key is an error that says what one is', () => {
  const call = /** @type {any} */ (random).normal;
  assert.throws(
    () => call(0, [2]),
    /random.normal: key is one that np.random.key.*got 0; np.random.defaultRng/,
  );
  assert.throws(() => call([1, 2], [2]), /normal: key is .*got a list/);
  assert.throws(() => call(hlo.array([1, 2]), [2]), /normal: key is .*got f32\[2\]/);
});

test('shapes and types are checked', () => {
  const key = random.key(0);
  const { normal, bits, split, foldIn, uniform } = /** @type {any} */ (random);
  assert.throws(() => normal(key, [-1]), /normal: shape is a list of sizes/);
  assert.throws(() => normal(key, [1.5]), /normal: shape/);
  assert.throws(() => normal(key, [2], 'int32'), /normal: dtype is a type of floats.*"s32"/);
  assert.throws(() => bits(key, [2], 's32'), /bits: dtype is a type of unsigned integers/);
  assert.throws(() => bits(key, [2], 'f32'), /bits: dtype is a type of integers/);
  assert.throws(() => split(key, 1.5), /split: shape/);
  assert.throws(() => foldIn(key, 1.5), /foldIn: data is an integer/);
  assert.throws(() => uniform(key, [2], { lowest: 1 }), /uniform has no option "lowest"/);
  assert.throws(() => uniform(key, [2], { minval: [1, 2, 3] }), /do not broadcast/);
});

test('split gives nested lists of keys for a list of numbers', () => {
  const key = random.key(3);
  const [[first], [second]] = /** @type {any} */ (random.split(key, [2, 1]));
  const [a, b] = random.split(key);
  assert.deepEqual([first.toNested(), second.toNested()], [a.toNested(), b.toNested()]);
});

test('a Generator gives other numbers at each call, and the same for the same seed', () => {
  const [a, b] = [random.defaultRng(7), random.defaultRng(7)];
  const first = a.normal(0, 1, [3]).toNested();
  assert.deepEqual(first, random.normal(random.foldIn(random.key(7), 0), [3]).toNested());
  assert.deepEqual(b.normal({ size: [3] }).toNested(), first);
  assert.notDeepEqual(a.normal(0, 1, [3]).toNested(), first);
  assert.notDeepEqual(
    random.defaultRng().random(4).toNested(),
    random.defaultRng().random(4).toNested(),
  );
  const [child, other] = a.spawn(2);
  assert.notDeepEqual(child.random(4).toNested(), other.random(4).toNested());
});

test('a Generator’s numbers have the means and deviations of their distributions', () => {
  const rng = random.defaultRng(11);
  const size = 20000;
  /** Of each method: its arguments, the mean and the standard deviation. @type {[string, any[], number, number][]} */
  const methods = [
    ['random', [], 0.5, Math.sqrt(1 / 12)],
    ['uniform', [-1, 3], 1, Math.sqrt(16 / 12)],
    ['integers', [10], 4.5, Math.sqrt(99 / 12)],
    ['integers', [-2, 3], 0, Math.sqrt(2)],
    ['standardNormal', [], 0, 1],
    ['standardExponential', [], 1, 1],
    ['normal', [5, 2], 5, 2],
    ['laplace', [1, 2], 1, 2 * Math.SQRT2],
    ['logistic', [1, 2], 1, (2 * Math.PI) / Math.sqrt(3)],
    ['gumbel', [0, 1], 0.5772156649, Math.PI / Math.sqrt(6)],
    ['exponential', [3], 3, 3],
    ['rayleigh', [2], 2 * Math.sqrt(Math.PI / 2), 2 * Math.sqrt(2 - Math.PI / 2)],
    ['lognormal', [0, 0.25], Math.exp(0.03125), Math.exp(0.03125) * Math.sqrt(Math.expm1(0.0625))],
    ['weibull', [2], Math.sqrt(Math.PI) / 2, Math.sqrt(1 - Math.PI / 4)],
    ['pareto', [5], 0.25, Math.sqrt(5 / 48)],
    ['triangular', [0, 1, 2], 1, Math.sqrt(1 / 6)],
    ['wald', [2, 5], 2, Math.sqrt(8 / 5)],
    ['gamma', [2, 3], 6, Math.sqrt(18)],
    ['standardGamma', [0.5], 0.5, Math.sqrt(0.5)],
    ['beta', [2, 3], 0.4, 0.2],
    ['chisquare', [4], 4, Math.sqrt(8)],
    ['standardT', [9], 0, Math.sqrt(9 / 7)],
    ['f', [6, 20], 20 / 18, Math.sqrt((2 * 400 * 24) / (6 * 324 * 16))],
    ['poisson', [3], 3, Math.sqrt(3)],
    ['poisson', [40], 40, Math.sqrt(40)],
    ['geometric', [0.25], 4, Math.sqrt(12)],
    ['binomial', [10, 0.3], 3, Math.sqrt(2.1)],
    ['binomial', [100, 0.4], 40, Math.sqrt(24)],
    ['negativeBinomial', [4, 0.5], 4, Math.sqrt(8)],
    ['choice', [5], 2, Math.SQRT2],
  ];
  for (const [name, args, mean, deviation] of methods) {
    const x = hlo.convert(/** @type {any} */ (rng)[name](...args, { size }), 'f64');
    const [m, d] = [hlo.np.mean(x).item(), hlo.np.std(x).item()].map(Number);
    // Seven standard errors, and somewhat more for deviations of long tails.
    assert.ok(
      Math.abs(m - mean) < (7 * deviation) / Math.sqrt(size),
      `${name}(${args}): mean ${m} for ${mean}`,
    );
    assert.ok(
      Math.abs(d / deviation - 1) < 0.12,
      `${name}(${args}): deviation ${d} for ${deviation}`,
    );
  }
  assert.ok(
    rng
      .integers(3, { size: 50, endpoint: true })
      .toTypedArray()
      .includes(/** @type {never} */ (3)),
  );
  assert.deepEqual([...rng.permutation(6).toTypedArray()].sort(), [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(
    rng.permuted([
      [1, 2],
      [3, 4],
    ]).dims,
    [2, 2],
  );
  assert.deepEqual(
    hlo.np.sum(rng.multinomial(20, [0.2, 0.3, 0.5], [4]), 1).toNested(),
    [20, 20, 20, 20],
  );
  assert.deepEqual(rng.dirichlet([1, 2, 3], 4).dims, [4, 3]);
  assert.deepEqual(
    rng.multivariateNormal(
      [0, 0],
      [
        [1, 0],
        [0, 1],
      ],
      4,
    ).dims,
    [4, 2],
  );
  assert.deepEqual(rng.standardCauchy([2, 0]).dims, [2, 0]);
});

test('a Generator checks its calls, and is not for jit', () => {
  const rng = /** @type {any} */ (random.defaultRng(1));
  assert.throws(() => rng.normal(0, 1, [2], 3), /Generator.normal/);
  assert.throws(() => rng.normal({ mean: 1 }), /Generator.normal has no option "mean"/);
  assert.throws(() => rng.shuffle([1, 2]), /arrays do not change: permutation/);
  assert.throws(() => random.defaultRng(-1), /seed is an integer from 0, got -1/);
  assert.throws(() => random.defaultRng(/** @type {any} */ ('x')), /seed is an integer/);
  const draw = hlo.jit((/** @type {any} */ x) => hlo.add(x, rng.normal()));
  assert.throws(() => draw(hlo.array(1)), /a Generator would give it the same numbers/);
});

test('integers of an empty range are an error, as in NumPy', () => {
  const rng = hlo.np.random.defaultRng(1);
  assert.throws(() => rng.integers(5, 2), /integers: there is none from 5 to below 2/);
  assert.throws(() => rng.integers(0), /integers: there is none from 0 to below 0/);
  assert.equal(rng.integers(5, 5, { endpoint: true }).item(), 5);
});

test('a Generator refuses the parameters that NumPy refuses', () => {
  const rng = /** @type {any} */ (random.defaultRng(1));
  /** @type {[string, any[], RegExp][]} */
  const refused = [
    ['uniform', [2, 1], /low is at most high/],
    ['normal', [0, -1], /scale is not negative, got -1/],
    ['normal', [0, [1, -1]], /scale is not negative, got -1/],
    ['laplace', [{ scale: -2 }], /scale is not negative, got -2/],
    ['exponential', [-1], /scale is not negative/],
    ['lognormal', [0, -1], /sigma is not negative/],
    ['weibull', [-1], /a is not negative/],
    ['pareto', [0], /a is greater than 0, got 0/],
    ['triangular', [0, 3, 2], /left is at most mode/],
    ['triangular', [1, 1, 1], /left is less than right/],
    ['wald', [1, 0], /scale is greater than 0/],
    ['gamma', [-1], /shape is not negative/],
    ['beta', [0, 1], /a is greater than 0/],
    ['chisquare', [0], /df is greater than 0/],
    ['standardT', [0], /df is greater than 0/],
    ['f', [1, 0], /dfden is greater than 0/],
    ['dirichlet', [[-1, 1]], /alpha is not negative/],
    ['poisson', [-1], /lam is a number from 0, got -1/],
    ['poisson', [NaN], /lam is a number from 0, got NaN/],
    ['geometric', [0], /p is greater than 0, and at most 1/],
    ['binomial', [-1, 0.5], /n is a number from 0/],
    ['binomial', [1, 1.5], /p is a probability, from 0 to 1, got 1.5/],
    ['negativeBinomial', [1, 0], /p is greater than 0/],
    ['multinomial', [3, [0.7, 0.7, 0]], /pvals have a sum of at most 1/],
    ['multinomial', [3, [-0.1, 0.1]], /pvals is a probability/],
    ['choice', [3, { p: [0.5, 0.5, 0.5] }], /the probabilities p have the sum 1/],
    ['choice', [3, { p: [-0.5, 1, 0.5] }], /p is a probability/],
  ];
  for (const [name, args, error] of refused) assert.throws(() => rng[name](...args), error, name);
  // What is at the end of a range is taken, and arrays are not read.
  assert.equal(rng.poisson(0).item(), 0);
  assert.equal(rng.binomial(3, 1).item(), 3);
  assert.equal(rng.normal(2, 0).item(), 2);
  assert.deepEqual(rng.multinomial(3, [0.7, 0.7]).dims, [2]);
  assert.deepEqual(rng.normal(0, hlo.array([-1, 1])).dims, [2]);
});
