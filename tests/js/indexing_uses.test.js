// What a compiler asks of indexing maps: utilisation, coalescing, tiles and traffic, judged by walking over every element.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';

const hlo = await load();

/** Programs with one array read in a way of its own: the parameter p. */
const programs = {
  identity: 'ROOT r = f32[6,8] negate(p)',
  transpose: 'ROOT r = f32[8,6] transpose(p), dimensions={1,0}',
  slice: 'ROOT r = f32[2,3] slice(p), slice={[1:5:2], [0:8:3]}',
  reverse: 'ROOT r = f32[6,8] reverse(p), dimensions={1}',
  broadcast: 'ROOT r = f32[6,3,8] broadcast(p), dimensions={0,2}',
  pad: 'z = f32[] constant(0) ROOT r = f32[9,17] pad(p, z), padding=1_2x0_2_1',
  reduce: 'z = f32[] constant(0) ROOT r = f32[6] reduce(p, z), dimensions={1}, to_apply=sum',
  window:
    'z = f32[] constant(0) ROOT r = f32[5,3] reduce-window(p, z), window={size=2x4 stride=1x2}, to_apply=sum',
  reshape: 'ROOT r = f32[48] reshape(p)',
  split: 'ROOT r = f32[3,2,8] reshape(p)',
  merge: 'ROOT r = f32[12,4] reshape(p)',
  concatenate:
    'q = f32[6,2] slice(p), slice={[0:6], [0:2]} ROOT r = f32[6,10] concatenate(p, q), dimensions={1}',
  column_major: 'c = f32[6,8]{0,1} copy(p) ROOT r = f32[6,8] negate(c)',
  diagonal:
    't = f32[8,6] transpose(p), dimensions={1,0} s = f32[6,6] slice(t), slice={[0:6], [0:6]} u = f32[6,6] slice(p), slice={[0:6], [0:6]} ROOT r = f32[6,6] add(s, u)',
};

/** @param {string} body */
const parse = (body) =>
  hlo.parse(`sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a, b) }
ENTRY e { p = f32[6,8] parameter(0) ${body} }`);

/** @param {number[]} dims @returns {number[][]} */
const indicesOf = (dims) =>
  dims.reduce(
    (/** @type {number[][]} */ all, size) =>
      all.flatMap((index) => Array.from({ length: size }, (_, i) => [...index, i])),
    [[]],
  );

/** The maps from the root to p. @param {ReturnType<typeof parse>} module */
function mapsToP(module) {
  const indexing = module.indexingMaps({ toParameters: true });
  const entry = indexing.entries.findIndex(({ to }) => to.name === 'p');
  return { indexing, entry, it: indexing.entries[entry] };
}

for (const [name, body] of Object.entries(programs)) {
  const module = parse(body);
  const { indexing, entry, it } = mapsToP(module);
  const from = it.from.shape.dims;
  const maps = it.maps.map((map) => hlo.indexingMap(map.text));

  test(`${name}: utilisation counts what is read`, () => {
    const points = maps.flatMap((map) => map.points({ limit: 1e5 }).points);
    const use = indexing.utilization(entry);
    assert.equal(use.elements, 48);
    assert.equal(use.exact, true);
    assert.equal(use.distinct, new Set(points.map(({ results }) => String(results))).size);
    assert.equal(use.reads, points.length);
  });

  test(`${name}: strides are the steps that the memory shows`, () => {
    const all = indexing.coalescing(entry);
    assert.equal(all.length, maps.length);
    maps.forEach((map, k) => {
      const names = [...map.dimensions, ...map.ranges].map((variable) => variable.name);
      const places = new Map(
        map
          .points({ limit: 1e5 })
          .points.map(({ dimensions, ranges, results }) => [
            String([...dimensions, ...ranges]),
            results[0] * 8 + results[1],
          ]),
      );
      for (const { loop, stride, run } of all[k].loops) {
        const d = names.indexOf(loop);
        for (const [key, place] of places) {
          const values = key.split(',').map(Number);
          values[d] += 1;
          const next = places.get(String(values));
          if (next === undefined || stride === null || values[d] % run === 0) continue;
          assert.equal(next - place, stride, `${loop} at ${key}`);
        }
      }
    });
  });

  test(`${name}: a tile has all that its part of the result needs`, () => {
    for (const sizes of [
      from.map(() => 1),
      from.map(() => 2),
      from.map((size) => size),
      from.map((size, d) => Math.max(1, size >> d)),
    ]) {
      const count = from.map((size, d) => Math.ceil(size / sizes[d]));
      for (const at of indicesOf(count)) {
        const tiles = indexing.tiles(entry, sizes, { at });
        assert.equal(tiles.length, maps.length);
        tiles.forEach((tile, k) => {
          if (tile === null) return;
          const needed = new Set();
          for (const within of indicesOf(sizes)) {
            const dimensions = within.map((i, d) => i + at[d] * sizes[d]);
            for (const { results } of maps[k].points({ dimensions }).points)
              needed.add(String(results));
          }
          const covered = new Set(
            indicesOf(tile.dims.map(({ size }) => size)).map((index) =>
              String(index.map((i, d) => Number(tile.dims[d].offset) + i * tile.dims[d].stride)),
            ),
          );
          for (const index of needed) assert.ok(covered.has(index), `${index} of tile ${at}`);
          if (tile.exact && !tile.guarded) assert.deepEqual(covered, needed);
        });
      }
    }
  });

  test(`${name}: tiles of any size that keep to the constraints have all that is needed`, () => {
    const cases = indexing.symbolicTiles(entry);
    assert.equal(cases.length, maps.length);
    const places = from.map((_, d) => `d${d}`);
    const variables = [...places, ...from.map((_, d) => `s${d}`)];
    const text = (/** @type {string[]} */ results) => `(${variables}) -> (${results.join(', ')})`;
    let found = 0;
    cases.forEach((list, k) => {
      const points = maps[k].points({ limit: 1e5 }).points;
      for (const tile of list) {
        const of = (/** @type {'offset' | 'size'} */ key) => tile.dims.map((dim) => dim[key]);
        const results = hlo.indexingMap(text([...of('offset'), ...of('size')]));
        const conditions = hlo.indexingMap(text(tile.constraints.map((it) => it.expression)));
        for (const at of indicesOf(from)) {
          for (const sizes of indicesOf(from.map((size, d) => size - at[d]))) {
            const numbers = [...at, ...sizes.map((size) => size + 1)];
            const keeps = conditions
              .evaluate(numbers)
              .every((x, i) => x >= tile.constraints[i].lower && x <= tile.constraints[i].upper);
            if (!keeps || sizes.some((_, d) => (at[d] + sizes[d]) % 2 !== 0)) continue; // a part of all
            found++;
            const inTile = points.filter(({ dimensions }) =>
              dimensions.every((x, d) => x >= at[d] && x <= at[d] + sizes[d]),
            );
            const needed = new Set(inTile.map((point) => String(point.results)));
            const numbersOf = results.evaluate(numbers);
            const rank = tile.dims.length;
            const covered = new Set(
              indicesOf(numbersOf.slice(rank)).map((index) =>
                String(index.map((i, d) => numbersOf[d] + i * tile.dims[d].stride)),
              ),
            );
            for (const index of needed)
              assert.ok(covered.has(index), `${index} of ${numbers} by ${of('size')}`);
            if (tile.exact && !tile.guarded) assert.deepEqual(covered, needed, String(numbers));
          }
        }
      }
    });
    assert.ok(found > 0);
  });
}

test('the cases of a reshape are whole rows, and a part of one', () => {
  const { indexing, entry } = mapsToP(parse(programs.reshape));
  const [cases] = indexing.symbolicTiles(entry);
  assert.deepEqual(
    cases.map(({ dims, constraints }) => [
      ...dims.map(({ offset, size }) => `${offset}: ${size}`),
      ...constraints.map((it) => `${it.expression} in [${it.lower}, ${it.upper}]`),
    ]),
    [
      ['d0 floordiv 8: s0 floordiv 8', '0: 8', 'd0 mod 8 in [0, 0]', 's0 mod 8 in [0, 0]'],
      ['d0 floordiv 8: 1', 'd0 mod 8: s0', 's0 + d0 mod 8 in [1, 8]'],
    ],
  );
});

test('coalescing follows the order of the loops', () => {
  const { indexing, entry } = mapsToP(parse(programs.transpose));
  assert.equal(indexing.coalescing(entry)[0].coalesced, false);
  assert.equal(indexing.coalescing(entry, ['d1', 'd0'])[0].coalesced, true);
  const { indexing: reduced, entry: row } = mapsToP(parse(programs.reduce));
  assert.equal(reduced.coalescing(row, ['d0', 's0'])[0].coalesced, true);
  assert.equal(reduced.coalescing(row, ['s0', 'd0'])[0].coalesced, false);
});

test('symbolic tiles have offsets over their numbers', () => {
  const { indexing, entry } = mapsToP(parse(programs.transpose));
  const [tile] = indexing.tiles(entry, [4, 3]);
  assert.deepEqual(tile?.dims, [
    { offset: 'd1 * 3', size: 3, stride: 1 },
    { offset: 'd0 * 4', size: 4, stride: 1 },
  ]);
  assert.deepEqual([tile?.exact, tile?.guarded, tile?.constraints], [true, false, []]);
  const { indexing: merged, entry: rows } = mapsToP(parse(programs.reshape));
  assert.equal(merged.tiles(rows, [12])[0], null);
  assert.deepEqual(merged.tiles(rows, [16])[0]?.dims[0], { offset: 'd0 * 2', size: 2, stride: 1 });
});

test('offsets that the running program decides keep their variables', () => {
  const module =
    hlo.parse(`ENTRY e { p = f32[8,8] parameter(0) i = s32[] parameter(1) z = s32[] constant(0)
    ROOT r = f32[4,8] dynamic-slice(p, i, z), dynamic_slice_sizes={4,8} }`);
  const indexing = module.indexingMaps();
  const [tile] = indexing.tiles(0, [2, 8], { at: [1, 0] });
  assert.equal(tile?.dims[0].offset, 'rt0 + 2');
  assert.deepEqual(tile?.runtime[0], 'i');
});

test('fusion saves the traffic of what lies between', () => {
  const chain = parse(
    'x = f32[6,8] exponential(p) y = f32[6,8] add(x, p) ROOT r = f32[8,6] transpose(y), dimensions={1,0}',
  );
  const bytes = 48 * 4;
  assert.deepEqual(chain.traffic(), {
    computation: 'e',
    fused: { read: bytes, loaded: bytes, written: bytes },
    unfused: { read: 4 * bytes, written: 3 * bytes },
    exact: true,
  });
  const window = parse(programs.window).traffic();
  assert.equal(window.fused.loaded, 5 * 3 * 8 * 4 + 5 * 3 * 4);
  assert.equal(
    parse(
      'ROOT r = f32[2] slice(q), slice={[0:2]}'
        .replace('q', 'c')
        .replace('ROOT', 'c = f32[48] reshape(p) ROOT'),
    ).traffic().fused.read,
    8,
  );
  assert.equal(chain.traffic({ computation: 'sum' }).fused.read, 8);
});

test('what cannot be is an error that says so', () => {
  const module = parse(programs.reduce);
  const { indexing, entry } = mapsToP(module);
  assert.throws(() => indexing.utilization(7), /there is no indexing entry 7/);
  assert.throws(
    () => indexing.tiles(entry, [1, 2]),
    /sizes are 1 integers of at least 1, got 2 of them/,
  );
  assert.throws(() => indexing.tiles(entry, [0]), /sizes are 1 integers/);
  assert.throws(() => indexing.tiles(entry, [4], { at: [2] }), /no tile 2 of 4/);
  assert.throws(() => indexing.coalescing(entry, ['d0', 'd0']), /each at most once/);
  assert.throws(() => indexing.coalescing(entry, ['s1']), /1 dimensions and 1 ranges, got "s1"/);
  assert.throws(() => module.traffic({ computation: 'none' }), /there is no computation none/);
  assert.throws(() => module.traffic(/** @type {any} */ ({ instruction: 'r' })), /instruction/);
  indexing.dispose();
  assert.throws(() => indexing.utilization(0), /disposed/);
});
