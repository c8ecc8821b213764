// Gathers and scatters of batches: with 16-bit indices, whose vectors are walked one by one, and with
// those that have a quick way, longer than what it finds at a time. Both give the same elements.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import { randomNumbers } from './random_program.js';

const below = (random, n) => Math.floor(random() * n);

function shuffled(random, list) {
  const left = [...list];
  return list.map(() => left.splice(below(random, left.length), 1)[0]);
}

/** Dimensions of an operand, what happens to each, and the indices' and slices' dimensions that fit. */
function randomCase(random) {
  const operand = Array.from({ length: 1 + below(random, 5) }, () => 1 + below(random, 7));
  const fate = operand.map(() => ['batch', 'drop', 'window'][below(random, 3)]);
  const of = (what) => operand.flatMap((_, d) => (fate[d] === what ? [d] : []));
  const batching = of('batch');
  const more = Array.from({ length: below(random, 3) }, () => ({ size: 1 + below(random, 40) }));
  const walk = shuffled(random, [...batching.map((d) => ({ size: operand[d], d })), ...more]);
  const map = shuffled(random, [...of('drop'), ...of('window')]).slice(0, 1 + below(random, 3));
  const vectorDim = below(random, walk.length + 1);
  const indices = walk.map(({ size }) => size);
  indices.splice(vectorDim, 0, map.length);
  const sizes = operand.map((n, d) => (fate[d] === 'window' ? 1 + below(random, n) : 1));
  const inIndices = batching.map((d) => {
    const at = walk.findIndex((x) => x.d === d);
    return at < vectorDim ? at : at + 1;
  });
  // A slice's dimensions stand anywhere among the walk's.
  const kinds = shuffled(random, [...walk.map(() => 'walk'), ...of('window').map(() => 'window')]);
  const queues = { walk: walk.map(({ size }) => size), window: of('window').map((d) => sizes[d]) };
  const windowDims = kinds.flatMap((kind, i) => (kind === 'window' ? [i] : []));
  const slices = kinds.map((kind) => queues[kind].shift());
  return {
    operand,
    indices,
    slices,
    sizes,
    map,
    batching,
    inIndices,
    windowDims,
    vectorDim,
    dropped: of('drop'),
  };
}

const gather = (c) =>
  `gather(x, i), offset_dims={${c.windowDims}}, collapsed_slice_dims={${c.dropped}}, ` +
  `start_index_map={${c.map}}, operand_batching_dims={${c.batching}}, ` +
  `start_indices_batching_dims={${c.inIndices}}, index_vector_dim=${c.vectorDim}, slice_sizes={${c.sizes}}`;
const scatter = (c, f) =>
  `scatter(x, i, u), update_window_dims={${c.windowDims}}, inserted_window_dims={${c.dropped}}, ` +
  `scatter_dims_to_operand_dims={${c.map}}, input_batching_dims={${c.batching}}, ` +
  `scatter_indices_batching_dims={${c.inIndices}}, index_vector_dim=${c.vectorDim}, to_apply=${f}`;

const program = (c, type) => `HloModule batches
add { p = f32[] parameter(0)
 q = f32[] parameter(1)
 ROOT r = f32[] add(p, q) }
second { p = f32[] parameter(0)
 ROOT q = f32[] parameter(1) }
ENTRY main {
 x = f32[${c.operand}] parameter(0)
 i = ${type}[${c.indices}] parameter(1)
 u = f32[${c.slices}] parameter(2)
 g = f32[${c.slices}] ${gather(c)}
 a = f32[${c.operand}] ${scatter(c, 'add')}
 s = f32[${c.operand}] ${scatter(c, 'second')}
 ROOT t = (f32[${c.slices}], f32[${c.operand}], f32[${c.operand}]) tuple(g, a, s)
}`;

const count = (dims) => dims.reduce((a, b) => a * b, 1);

for (const build of ['simd', undefined])
  test(`batches of all kinds, ${build ?? 'the best build'}`, async () => {
    const hlo = await load({ build });
    const random = randomNumbers(16);
    let several = 0;
    for (let k = 0; k < 300; k++) {
      const c = randomCase(random);
      several += c.batching.length > 1 ? 1 : 0;
      const x = hlo.array(
        Float32Array.from({ length: count(c.operand) }, (_, i) => i),
        { shape: c.operand },
      );
      const u = hlo.array(
        Float32Array.from({ length: count(c.slices) }, (_, i) => 3 * (i % 97)), // all sums are exact
        { shape: c.slices },
      );
      const places = Int32Array.from({ length: count(c.indices) }, () => below(random, 9) - 1);
      const run = (type, how) => {
        const i = hlo.array([...places], { type, shape: c.indices });
        const results = hlo.parse(program(c, type)).compile(how).run([x, i, u]);
        const values = results.map((y) => y.toTypedArray());
        for (const array of [i, ...results]) array.dispose();
        return values;
      };
      const want = run('s16', { reference: true });
      assert.deepEqual(run('s32', { reference: true }), want, program(c, 's32'));
      assert.deepEqual(run('s32', {}), want, program(c, 's32'));
      x.dispose();
      u.dispose();
    }
    assert(several > 50);
  });
