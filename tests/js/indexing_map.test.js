// Indexing maps as values: parsed, evaluated, composed, rewritten, compared and enumerated. Random maps are judged by a walk over all
// of their points in JavaScript.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DisposedError, HloError, IndexingMap, load, ParseError } from '../../web/index.js';
import { testPrograms } from './random_seeds.js';

const hlo = await load();
const other = await load();

/** @param {number} seed @returns {(count: number) => number} integers below count: xorshift */
function randomIntegers(seed) {
  let state = (seed * 2654435761) >>> 0 || 1;
  return (count) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % count;
  };
}

/** An expression over the variables, as text and as a function of their values. @typedef {{ text: string, of: (values: Record<string, number>) => number }} Expression */

const floor = Math.floor;
/** @param {(count: number) => number} pick @param {string[]} names @param {number} depth @returns {Expression} */
function randomExpression(pick, names, depth) {
  const name = names[pick(names.length)];
  if (depth === 0 || pick(3) === 0) return { text: name, of: (values) => values[name] };
  const a = randomExpression(pick, names, depth - 1);
  const n = 1 + pick(6);
  if (pick(4) === 0)
    return { text: `(${a.text}) floordiv ${n}`, of: (values) => floor(a.of(values) / n) };
  if (pick(3) === 0)
    return {
      text: `(${a.text}) mod ${n}`,
      of: (values) => a.of(values) - n * floor(a.of(values) / n),
    };
  const b = randomExpression(pick, names, depth - 1);
  const c = pick(7) - 3;
  return {
    text: `(${a.text}) * ${n} + (${b.text}) * ${c}`,
    of: (values) => a.of(values) * n + b.of(values) * c,
  };
}

/**
 * @param {(count: number) => number} pick
 * @param {{ dims: number, results: number, bound: number }} form
 */
function randomMap(pick, { dims, results, bound }) {
  const ranges = pick(3);
  const names = [
    ...Array.from({ length: dims }, (_, d) => `d${d}`),
    ...Array.from({ length: ranges }, (_, s) => `s${s}`),
  ];
  const lists = names.map((name) => {
    const lower = name.startsWith('d') ? 0 : pick(3);
    return { name, lower, upper: lower + pick(bound) };
  });
  const outputs = Array.from({ length: results }, () => randomExpression(pick, names, 2));
  const guards = Array.from({ length: pick(3) }, () => {
    const expression = randomExpression(pick, names, 1);
    const lower = pick(3) - 1;
    return { expression, lower, upper: lower + pick(8) };
  });
  const domain = [
    ...lists.map(({ name, lower, upper }) => `${name} in [${lower}, ${upper}]`),
    ...guards.map(({ expression, lower, upper }) => `${expression.text} in [${lower}, ${upper}]`),
  ];
  const head = `(${names.slice(0, dims).join(', ')})[${names.slice(dims).join(', ')}]`;
  const text = `${head} -> (${outputs.map(({ text }) => text).join(', ')}), domain: ${domain.join(', ')}`;
  /** @type {{ dimensions: number[], ranges: number[], results: number[] }[]} */
  const points = [];
  const walk = (/** @type {number[]} */ values) => {
    if (values.length < names.length) {
      const { lower, upper } = lists[values.length];
      for (let value = lower; value <= upper; value++) walk([...values, value]);
      return;
    }
    const named = Object.fromEntries(names.map((name, i) => [name, values[i]]));
    const holds = guards.every(({ expression, lower, upper }) => {
      const value = expression.of(named);
      return lower <= value && value <= upper;
    });
    if (holds)
      points.push({
        dimensions: values.slice(0, dims),
        ranges: values.slice(dims),
        results: outputs.map((output) => output.of(named) + 0),
      });
  };
  walk([]);
  return { text, points, names };
}

/** What a map relates: pairs of an index and results, each once. @param {{ dimensions: number[], results: number[] }[]} points */
const relation = (points) =>
  [...new Set(points.map(({ dimensions, results }) => `${dimensions} → ${results}`))].sort();

/** @param {IndexingMap} map */
const pointsOf = (map) => {
  const { points, complete } = map.points({ limit: 2 ** 16 });
  assert.ok(complete, map.text);
  return points;
};

testPrograms('random maps lead where a walk over their domain leads', {
  seeds: 300,
  make: (seed) => {
    const pick = randomIntegers(seed);
    const results = 1 + pick(2);
    const first = randomMap(pick, { dims: 1 + pick(2), results, bound: 6 });
    const second = randomMap(pick, { dims: results, results: 1 + pick(2), bound: 12 });
    const limit = pick(4);
    return { text: `${first.text}\n${second.text}`, first, second, limit };
  },
  check: async ({ first, second, limit }) => {
    const [a, b] = [hlo.indexingMap(first.text), hlo.indexingMap(second.text)];
    assert.deepEqual(
      pointsOf(a).map(({ dimensions, ranges, results }) => ({ dimensions, ranges, results })),
      first.points,
    );
    for (const { dimensions, ranges, results } of first.points.slice(0, 20)) {
      assert.deepEqual(a.evaluate(dimensions, ranges), results);
      assert.deepEqual(
        a.points({ dimensions }).points.map((point) => point.results),
        first.points
          .filter((point) => String(point.dimensions) === String(dimensions))
          .map((point) => point.results),
      );
    }
    for (const derived of [a.simplify(), a.removeUnused(), a.rescale()]) {
      assert.deepEqual(relation(pointsOf(derived)), relation(first.points), derived.text);
      assert.equal(a.equals(derived), true, derived.text);
    }
    const intersected = a.intersect(`d0 in [${limit}, 99], d0 mod 2 in [1, 1]`);
    assert.deepEqual(
      relation(pointsOf(intersected)),
      relation(first.points.filter(({ dimensions: [d] }) => d >= limit && d % 2 === 1)),
    );
    assert.equal(
      a.equals(intersected),
      relation(pointsOf(intersected)).length === relation(first.points).length,
    );
    const composed = a.compose(b);
    const wanted = first.points.flatMap(({ dimensions, results }) =>
      second.points
        .filter((point) => String(point.dimensions) === String(results))
        .map((point) => ({ dimensions, results: point.results })),
    );
    assert.deepEqual(relation(pointsOf(composed)), relation(wanted));
    assert.deepEqual(relation(pointsOf(composed.simplify())), relation(wanted));
    return {};
  },
});

test('a map has its variables with their bounds', () => {
  const map = hlo.indexingMap(
    '(d0, row)[s0]{rt0} -> (d0 + rt0, row), domain: d0 in [0, 3], s0 in [1, 2]',
  );
  assert.deepEqual(map.dimensions, [
    { name: 'd0', lower: 0, upper: 3 },
    { name: 'row', lower: -Infinity, upper: Infinity },
  ]);
  assert.deepEqual(map.ranges, [{ name: 's0', lower: 1, upper: 2 }]);
  assert.deepEqual(map.runtime, [{ name: 'rt0', lower: -Infinity, upper: Infinity }]);
  assert.deepEqual(map.results, ['d0 + rt0', 'row']);
  assert.equal(map.isEmpty, false);
  assert.deepEqual(map.evaluate([1, 7], [1], [10]), [11, 7]);
  assert.equal(map.evaluate([4, 7], [1], [10]), null);
  assert.deepEqual(map.points(), { points: [], complete: false });
  assert.equal(map.equals(hlo.indexingMap('(d0, d1){rt0} -> (0, d1)')), undefined);
  assert.equal(map.equals(hlo.indexingMap('(d0) -> (d0)')), false);
  assert.ok(hlo.indexingMap('(d0) -> (d0), domain: d0 in [3, 2]').isEmpty);
});

test('maps that depend on different runtime variables are different', () => {
  const [a, b] = ['rt0', 'rt1'].map((rt) =>
    hlo.indexingMap(
      `(d0){rt0, rt1} -> (d0 + ${rt}), domain: d0 in [0, 3], rt0 in [0, 2], rt1 in [0, 2]`,
    ),
  );
  assert.equal(a.equals(b), false);
  assert.equal(a.equals(a.intersect('d0 in [0, 9]')), true);
  // Simplified, both have one runtime variable, which is the same by its order.
  for (const map of [a, b]) assert.equal(map.equals(map.simplify()), true);
  const empty = hlo.indexingMap('(d0){rt0} -> (d0 + rt0), domain: d0 in [5, 3], rt0 in [0, 5]');
  assert.equal(empty.equals(empty.simplify()), true);
});

test('derived maps keep the names of their variables', () => {
  const map = hlo.indexingMap(
    '(block)[lane] -> (block * 32 + lane), domain: block in [0, 3], lane in [0, 31]',
  );
  assert.match(map.intersect('lane in [0, 7]').text, /lane in \[0, 7\]$/);
  assert.match(map.compose(hlo.indexingMap('(d0) -> (d0 floordiv 4)')).text, /\(block\)\[lane\]/);
});

test('what cannot be is an error that says so', () => {
  const map = hlo.indexingMap('(d0)[s0] -> (d0 + s0), domain: d0 in [0, 3], s0 in [0, 1]');
  assert.throws(() => hlo.indexingMap('(d0) -> d0'), ParseError);
  assert.throws(() => hlo.indexingMap(/** @type {any} */ (3)), /a map is a text|text/);
  assert.throws(() => map.intersect('q in [0, 1]'), /unknown variable q\n[^]*\^/);
  assert.throws(() => map.intersect('d0 in 3'), ParseError);
  assert.throws(() => map.evaluate([1]), /ranges of this map are 1 integers, got 0/);
  assert.throws(() => map.evaluate([0.5], [0]), /dimensions of this map are 1 integers/);
  assert.throws(() => map.points({ limit: -1 }), /limit is a number of points/);
  assert.throws(
    () => map.points({ dimensions: [1, 2] }),
    /dimensions of this map are 1 integers, got 2/,
  );
  assert.throws(() => map.compose(hlo.indexingMap('(d0, d1) -> (d0)')), HloError);
  assert.throws(() => map.compose(/** @type {any} */ ('(d0) -> (d0)')), /compose takes a map/);
  assert.throws(() => map.equals(other.indexingMap('(d0) -> (d0)')), /of the same engine/);
  map.dispose();
  map.dispose();
  assert.throws(() => map.simplify(), DisposedError);
  assert.throws(() => map.evaluate([0], [0]), DisposedError);
  assert.equal(hlo.indexingMap('(d0) -> (d0)').results[0], 'd0');
});

test('what grows beyond a limit names it', () => {
  const ofTerms = (/** @type {number} */ n) =>
    `(d0) -> (${Array.from({ length: n }, (_, i) => `d0 floordiv ${i + 2}`).join(' + ')}), domain: d0 in [0, 9000]`;
  const ofFactors = (/** @type {number} */ n) =>
    `(d0) -> (${Array.from({ length: n }, () => 'd0').join(' * ')}), domain: d0 in [0, 1]`;
  const ofResults = (/** @type {number} */ n) =>
    `(d0) -> (${Array.from({ length: n }, () => 'd0').join()}), domain: d0 in [0, 1]`;
  for (const [of, most, limit] of /** @type {const} */ ([
    [ofResults, 256, /a list of a map has more than 256 entries/],
    [ofTerms, 256, /a sum of an index expression has more than 256 terms/],
    [ofFactors, 16, /a product of an index expression has more than 16 factors/],
  ])) {
    assert.match(hlo.simplifyMap(of(most)), /^\(d0\) -> /);
    assert.throws(() => hlo.simplifyMap(of(most + 1)), limit);
  }
});

test('everything that maps take is given back', () => {
  const cycle = () => {
    const map = hlo.indexingMap('(d0)[s0] -> (d0 * 4 + s0), domain: d0 in [0, 63], s0 in [0, 3]');
    const all = [map, map.simplify(), map.rescale(), map.intersect('d0 in [1, 2]')];
    map.equals(all[1]);
    map.points({ limit: 10 });
    for (const it of all) it.dispose();
  };
  cycle();
  const { inUse } = hlo.memory;
  for (let i = 0; i < 50; i++) cycle();
  assert.equal(hlo.memory.inUse, inUse);
});
