// Indexing maps in JavaScript: text, data, and single elements both ways.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DisposedError, HloError, load, ParseError } from '../../web/index.js';

const hlo = await load();

const fused = hlo.parse(`
f {
  p0 = f32[4,4] parameter(0)
  t = f32[4,4] transpose(p0), dimensions={1,0}
  ROOT a = f32[4,4] add(p0, t)
}
ENTRY e {
  p = f32[4,4] parameter(0)
  ROOT fusion = f32[4,4] fusion(p), kind=kLoop, calls=f
}`);

test('maps as data', () => {
  const maps = fused.indexingMaps();
  assert.equal(maps.computation, 'e');
  assert.equal(maps.instruction, 'fusion');
  assert.equal(maps.entries.length, 1);
  const [entry] = maps.entries;
  assert.deepEqual([entry.from.name, entry.to.name, entry.to.leaf], ['fusion', 'p', 0]);
  assert.deepEqual(entry.to.shape.dims, [4, 4]);
  assert.deepEqual(
    entry.maps.map((map) => map.results),
    [
      ['d0', 'd1'],
      ['d1', 'd0'],
    ],
  );
  assert.equal(
    fused.indexing(),
    `operand id = 0\n${entry.maps.map((map) => `${map.text}\n`).join('')}`,
  );
  maps.dispose();
  maps.dispose();
  assert.throws(() => maps.at(0, [0, 0]), DisposedError);
});

test('elements through a fusion, both ways', () => {
  const maps = fused.indexingMaps();
  assert.deepEqual(maps.at(0, [1, 2]), {
    indices: [
      [1, 2],
      [2, 1],
    ],
    complete: true,
  });
  assert.deepEqual(maps.at(0, [3, 3]).indices, [[3, 3]]);
  assert.deepEqual(maps.at(0, [4, 0]).indices, []);
  assert.deepEqual(fused.indexingMaps({ inputToOutput: 0 }).at(0, [0, 3]).indices, [
    [0, 3],
    [3, 0],
  ]);
  assert.throws(() => maps.at(1, [0, 0]), HloError);
  assert.throws(() => maps.at(0, [0]), HloError);
});

test('ranges, constraints, limits, unknown indexing', () => {
  const module = hlo.parse(`
less { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = pred[] compare(a, b), direction=LT }
ENTRY e {
  p = f32[300] parameter(0)
  s = f32[300] sort(p), dimensions={0}, to_apply=less
  z = f32[] constant(0)
  padded = f32[600] pad(s, z), padding=0_1_1
  ROOT b = f32[600,5] broadcast(padded), dimensions={0}
}`);
  const toAll = module.indexingMaps({ toAll: true });
  const entryOf = (name) => toAll.entries.findIndex((entry) => entry.to.name === name);
  assert.deepEqual(
    toAll.entries.map((entry) => [entry.to.name, entry.unknown]),
    [
      ['p', true],
      ['s', false],
      ['z', false],
      ['padded', false],
    ],
  );
  assert.deepEqual(toAll.entries[entryOf('s')].maps[0].constraints, [
    { expression: 'd0 mod 2', lower: 0, upper: 0 },
  ]);
  assert.deepEqual(toAll.at(entryOf('s'), [8, 0]), { indices: [[4]], complete: true });
  assert.deepEqual(toAll.at(entryOf('s'), [9, 0]), { indices: [], complete: true });
  assert.deepEqual(toAll.at(entryOf('p'), [8, 0]), { indices: [], complete: false });
  const forwards = module.indexingMaps({ inputToOutput: 0 });
  assert.deepEqual(forwards.entries[0].maps[0].ranges, [{ name: 's0', lower: 0, upper: 4 }]);
  assert.equal(forwards.at(0, [7]).indices.length, 5);
  assert.deepEqual(forwards.at(0, [7], { limit: 2 }), {
    indices: [
      [7, 0],
      [7, 1],
    ],
    complete: false,
  });
  module.dispose();
  assert.throws(() => forwards.at(0, [7]), DisposedError);
  assert.throws(() => module.indexingMaps(), DisposedError);
});

test('runtime values and where they come from', () => {
  const module = hlo.parse(`ENTRY e {
  p = f32[10] parameter(0)
  i = s32[] parameter(1)
  ROOT s = f32[3] dynamic-slice(p, i), dynamic_slice_sizes={3}
}`);
  const maps = module.indexingMaps();
  assert.deepEqual(maps.entries[0].maps[0].runtime, [
    { name: 'rt0', lower: 0, upper: 7, producer: 'i', output: 0, position: [] },
  ]);
  assert.deepEqual(
    maps.at(0, [2]).indices,
    [2, 3, 4, 5, 6, 7, 8, 9].map((i) => [i]),
  );
  assert.deepEqual(maps.at(1, [2]).indices, [[]]);
  assert.match(
    module.indexing(),
    /runtime variables:\nrt0: i = s32\[\] parameter\(1\), \(d0\) -> \(\)\n/,
  );
});

/** Elements' indices, in order. @param {readonly number[]} dims @returns {number[][]} */
const indicesOf = (dims) =>
  dims.reduce(
    (/** @type {number[][]} */ all, n) =>
      all.flatMap((index) => Array.from({ length: n }, (_, i) => [...index, i])),
    [[]],
  );

test('scaled-dot reads what changes it, with blocks of every size', () => {
  // Sizes of the scales along batch, free and contracting dimensions; null: a scalar.
  for (const [left, right] of [
    ['2,4,6', '2,6,3'],
    ['2,2,3', '1,2,3'],
    ['1,1,1', '2,3,1'],
    ['2,4,2', null],
    [null, '1,1,3'],
  ]) {
    const module = hlo.parse(`ENTRY e {
  a = f32[2,4,6] parameter(0)
  b = f32[2,6,3] parameter(1)
  sa = f32[${left ?? ''}] parameter(2)
  sb = f32[${right ?? ''}] parameter(3)
  ROOT r = f32[2,4,3] scaled-dot(a, b, sa, sb), lhs_batch_dims={0}, rhs_batch_dims={0},
    lhs_contracting_dims={2}, rhs_contracting_dims={1}
}`);
    const executable = module.compile();
    const sizes = executable.parameters.map(({ dims }) => [...dims]);
    const data = sizes.map((dims) =>
      Float32Array.from(indicesOf(dims), (_, i) => 1 + ((i * 7) % 5)),
    );
    const run = () =>
      hlo.tidy(() => {
        const inputs = data.map((x, k) => hlo.array(x, { shape: sizes[k] }));
        return { values: executable.run(inputs)[0].toTypedArray() };
      }).values;
    const before = run();
    const results = indicesOf([2, 4, 3]);
    const backwards = module.indexingMaps();
    for (const [k, dims] of sizes.entries()) {
      const forwards = module.indexingMaps({ inputToOutput: k });
      for (const [i, index] of indicesOf(dims).entries()) {
        data[k][i] += 1;
        const after = run();
        data[k][i] -= 1;
        const changed = results.filter((_, j) => after[j] !== before[j]);
        assert.deepEqual(forwards.at(0, index).indices.sort(), changed, `${left} ${k} ${index}`);
        const readers = results.filter((result) =>
          backwards.at(k, result).indices.some((one) => String(one) === String(index)),
        );
        assert.deepEqual(readers, changed, `${left} ${k} ${index}`);
      }
    }
    module.dispose();
  }
});

test('positions in memory', () => {
  const module = hlo.parse(`ENTRY e {
  p = f32[2,3]{0,1} parameter(0)
  ROOT n = f32[2,3]{1,0} negate(p)
}`);
  const maps = module.indexingMaps({ physical: true });
  assert.deepEqual(maps.entries[0].to.shape.dims, [6]);
  assert.deepEqual(maps.at(0, [1]).indices, [[2]]);
  assert.equal(
    module.indexing({ physical: true }),
    'operand id = 0\n(d0) -> (d0 floordiv 3 + (d0 mod 3) * 2),\ndomain:\nd0 in [0, 5]\n',
  );
});

test('instructions without operands say so', () => {
  const module = hlo.parse('ENTRY e { ROOT i = s32[2,3] iota(), iota_dimension=1 }');
  assert.match(module.indexing(), /^i = s32\[2,3\] iota\(\) has no operands/);
  assert.match(module.indexing({ toParameters: true }), /^i = /);
  assert.deepEqual(module.indexingMaps().entries, []);
});

test('of thousands of results one is asked for', () => {
  const names = Array.from({ length: 3000 }, (_, i) => `x${i}`);
  const lines = names.map((name, i) => `${name} = f32[2] get-tuple-element(p), index=${i}`);
  const tuple = `(${names.map(() => 'f32[2]').join()})`;
  const program = hlo.parse(`HloModule m
ENTRY e {
  p = ${tuple} parameter(0)
  ${lines.join('\n  ')}
  ROOT t = ${tuple} tuple(${names.join()})
}`);
  assert.throws(() => program.indexing(), /tuple.*more than 1048576 parts: ask for one output/);
  const { entries } = program.indexingMaps({ output: 2999, toParameters: true });
  assert.equal(entries.length, 3000);
  assert.equal(entries[2999].maps.length, 1);
  assert.equal(entries[2998].maps.length, 0);
  program.dispose();
});

test('one map, simplified; wrong ones with a position', () => {
  assert.equal(
    hlo.simplifyMap('(d0)[s0] -> (d0 / 8, s0), domain: d0 in [0, 7], s0 in [0, 3]'),
    '(d0)[s0] -> (0, s0),\ndomain:\nd0 in [0, 7],\ns0 in [0, 3]',
  );
  assert.throws(
    () => hlo.simplifyMap('(d0) -> (d0),\ndomain:\nd0 im [0, 1]'),
    (error) => error instanceof ParseError && error.line === 3 && error.column === 4,
  );
  assert.throws(() => hlo.simplifyMap('(d0) -> (d0 +\n  s1 * 2)'), {
    message: 'unknown variable s1\n    s1 * 2)\n    ^',
  });
});
