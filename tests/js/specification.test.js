// Every name of the specification is there, is called in each order of arguments that the specification has, and gives what the
// specification says.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { HloError, load } from '../../web/index.js';
import { callsOf } from './specification_calls.js';
import { programsOf } from './specification_programs.js';
import { rows, specificationTable } from './specification_table.js';

const hlo = /** @type {any} */ (await load());
const calls = callsOf(hlo);
const programs = programsOf(hlo);

/** @param {any} x arrays, or lists of them @returns {any} */
const nested = (x) => (Array.isArray(x) ? x.map(nested) : x.toNested());

/** Elements may differ by a few units in the last place of f32. @param {any} got @param {any} want @param {string} what */
function assertNear(got, want, what) {
  const error = `${what}: ${show(got)} instead of ${show(want)}`;
  if (Array.isArray(want)) {
    assert.ok(Array.isArray(got) && got.length === want.length, error);
    want.forEach((one, i) => assertNear(got[i], one, what));
  } else if (typeof want === 'object') {
    assertNear(got.re, want.re, what);
    assertNear(got.im, want.im, what);
  } else if (typeof want === 'number') {
    assert.ok(Math.abs(Number(got) - want) <= 1e-6 * Math.max(1, Math.abs(want)), error);
  } else assert.equal(got, want, error);
}

/** @param {any} value */
const show = (value) =>
  JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? Number(part) : part));

/** @param {import('./specification_programs.js').Program} program @returns {{ results: any, fed: any[] }} of the replicas */
function run({ build, inputs = [[]], feeds }) {
  const builder = hlo.builder('specification');
  const entry = builder.computation('entry');
  const parameters = inputs[0].map((x) => entry.parameter(x.xla.text));
  const result = entry.trace(build, parameters);
  const root = Array.isArray(result) ? entry.add('tuple', result) : result;
  const executable = builder.build(entry, root).compile();
  /** @type {any[]} */
  const fed = [];
  const results = executable.runReplicas(inputs, {
    infeed: feeds && [feeds],
    onOutfeed: (/** @type {any[]} */ arrays) => fed.push(nested(arrays)),
  });
  return {
    results: results.map((/** @type {any} */ one) =>
      Array.isArray(result) ? nested(one) : nested(one)[0],
    ),
    fed,
  };
}

const builders = rows.filter(({ here }) => here.includes('.')).map(({ name }) => name);

test('every row is called, in each of its orders', () => {
  const named = rows.map(({ name }) => name);
  assert.ok(named.length > 190, `${named.length}`);
  const called = [...Object.keys(calls), ...Object.keys(programs), ...builders];
  assert.deepEqual(called.sort(), named.sort());
  for (const { name, orders } of rows)
    for (const order of orders)
      if (calls[name])
        assert.ok(
          calls[name].some(([args]) => args.length === order.length),
          `${name}(${order.join(', ')}) is not called`,
        );
});

for (const { name, here } of rows)
  if (calls[name])
    test(`${name}: arrays, and a program`, () => {
      for (const [args, want] of calls[name]) {
        assertNear(nested(hlo[here](...args)), want, name);
        assertNear(nested(hlo.jit(() => hlo[here](...args))()), want, `${name} in jit`);
      }
      const { length } = hlo[here];
      assert.equal(length, 0, 'arguments are counted by the signature');
      assert.throws(() => hlo[here](...Array(20).fill(hlo)), HloError);
    });
  else if (programs[name])
    test(`${name}: a program of ${programs[name][0].inputs?.length ?? 1} replicas`, () => {
      for (const program of programs[name]) {
        const { results, fed } = run(program);
        assert.deepEqual(results, program.want);
        assert.deepEqual(fed, program.fed ?? []);
      }
    });

test('negative dimensions count from the end in every operation that names dimensions', () => {
  const f32 = (/** @type {any} */ data) => hlo.array(data, 'f32');
  const x = hlo.reshape(hlo.iota('f32', 24), [2, 3, 4]);
  const [row, index] = [f32([1, 2, 3, 4]), hlo.array([1], 's32')];
  const conv = [f32([[[1, 2, 3]]]), f32([[[1, 1]]]), [1], 'VALID'];
  const numbers = (/** @type {number} */ d) => ({
    ...{ inputBatchDimension: d, inputFeatureDimension: d + 1, inputSpatialDimensions: [d + 2] },
    ...{
      kernelOutputFeatureDimension: d,
      kernelInputFeatureDimension: d + 1,
      kernelSpatialDimensions: [d + 2],
    },
    ...{ outputBatchDimension: d, outputFeatureDimension: d + 1, outputSpatialDimensions: [d + 2] },
  });
  const gather = (/** @type {number} */ d) => ({
    ...{
      offsetDims: [0, d + 2],
      collapsedSliceDims: [d + 1],
      startIndexMap: [d + 1],
      indexVectorDim: 1,
    },
    sliceSizes: [2, 1, 4],
  });
  /** @type {Record<string, (rank: number) => any>} with what to take off: 0, or the rank */
  const calls = {
    add: (r) => hlo.add(x, row, [2 - r]),
    broadcastInDim: (r) => hlo.broadcastInDim(row, [2, 3, 4], [2 - r]),
    transpose: (r) => hlo.transpose(x, [2 - r, 0 - r, 1 - r]),
    collapse: (r) => hlo.collapse(x, [1 - r, 2 - r]),
    reverse: (r) => hlo.reverse(x, [1 - r]),
    concatenate: (r) => hlo.concatenate([x, x], 1 - r),
    sliceInDim: (r) => hlo.sliceInDim(x, 1, 3, 1, 1 - r),
    padInDim: (r) => hlo.padInDim(x, 0, 1 - r, 1, 0),
    iota: (r) => hlo.iota('s32', [2, 3, 4], 1 - r),
    gather: (r) => hlo.gather(x, index, gather(-r)),
    reduce: (r) => hlo.reduce(x, 0, 'add', [1 - r]),
    map: (r) => hlo.map([x], 'neg', [0 - r, 1 - r, 2 - r]),
    sort: (r) => hlo.sort(x, { dimension: 1 - r, comparator: 'gt' }),
    approxTopK: (r) => hlo.approxTopK([x], [0], 2, 1 - r, 'gt')[0],
    getDimensionSize: (r) => hlo.getDimensionSize(x, 1 - r),
    setDimensionSize: (r) => hlo.setDimensionSize(x, 2, 1 - r),
    scan: (r) =>
      hlo.scan((a, s) => [hlo.add(a, s), hlo.add(a, s)], x, f32(Array(2).fill(Array(4).fill(0))), {
        dimension: 1 - r,
      })[0],
    dotGeneral: (r) =>
      hlo.dotGeneral(x, x, {
        lhsBatch: [0 - r],
        rhsBatch: [0 - r],
        lhsContracting: [2 - r],
        rhsContracting: [2 - r],
      }),
    batchNormTraining: (r) => hlo.batchNormTraining(x, row, row, 0.1, 2 - r)[0],
    convGeneral: (r) => hlo.convGeneral(...conv, numbers(-r)),
    allGather: (r) => hlo.allGather(x, 1 - r, 1),
    reduceScatter: (r) => hlo.reduceScatter(x, 'add', 1 - r, 1),
    allToAll: (r) => hlo.allToAll(x, 1 - r, 2 - r, 1),
  };
  for (const [name, call] of Object.entries(calls)) {
    assert.deepEqual(call(3).toNested(), call(0).toNested(), name);
    assert.throws(
      () => call(30),
      new RegExp(`^ShapeError: ${name}: dimension -\\d+ .*is out of range`),
      name,
    );
  }
});

test('builders', () => {
  const builder = hlo.builder('b');
  const entry = builder.computation('entry');
  const x = entry.parameter('f32[2]');
  assert.equal(x.xla.text, 'f32[2]');
  const named = builder.computation('named');
  named.parameter(0, 'f32[2]', 'first');
  named.finish(named.parameter(1, x.xla, 'second'));
  assert.throws(() => named.parameter(1, 'f32[2]'), /parameter: the next number is 2/);
  assert.throws(() => named.parameter('f32[2]', 'a b'), /"a b" is no name of HLO text/);
  assert.throws(() => named.parameter(5), /the next number is 2/);
  assert.throws(() => named.parameter(2), /a shape is text, got undefined/);
  builder.setSharding('{replicated}');
  builder.setOpMetadata({ opName: 'of "x"', sourceFile: 'a.js', sourceLine: 3 });
  builder.setFrontendAttributes({ note: 'here' });
  const y = hlo.neg(x);
  builder.clearSharding();
  builder.clearOpMetadata();
  builder.setFrontendAttributes({});
  const module = builder.build(entry, hlo.abs(y));
  const lines = module.print().split('\n');
  assert.match(module.print(), /%first = f32\[2\]\{0\} parameter\(0\)[^]*%second = f32/);
  const lineOf = (/** @type {string} */ op) => lines.find((line) => line.includes(` ${op}(`));
  assert.match(
    lineOf('negate'),
    /sharding=\{replicated\}, metadata=\{op_name="of \\"x\\"" source_file="a.js" source_line=3\}, frontend_attributes=\{note="here"\}/,
  );
  assert.doesNotMatch(lineOf('abs'), /sharding|metadata|frontend/);
  assert.deepEqual(
    module
      .compile()
      .run([hlo.array([1, -2], 'f32')])[0]
      .toNested(),
    [1, 2],
  );
  assert.throws(() => hlo.builder().setSharding(1), /a sharding is text, got 1/);
  assert.throws(
    () => hlo.builder().setOpMetadata({ name: 'x' }),
    /setOpMetadata has no option "name"/,
  );
  assert.throws(() => hlo.builder().setFrontendAttributes('x'), /takes texts by name, got "x"/);
});

test('docs/operations.md has the table', () => {
  const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  assert.ok(page.includes(specificationTable(hlo).join('\n')), 'run `make operations`');
});
