// Elements that do not exist, which emitted code reads beside those that do where a pad or a concatenation chooses between
// them: no address may leave the memory there is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';

/** What a fusion of parameters gives, on an engine with little memory behind its arrays. */
async function run(parameters, lines, inputs) {
  const hlo = await load();
  const names = parameters.map((_, i) => `p${i}`);
  const own = parameters.map((shape, i) => `p${i} = ${shape} parameter(${i})`).join('\n');
  const result = /ROOT \w+ = (\S+)/.exec(lines)[1];
  const executable = hlo.compile(
    `HloModule guards
add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }
fused { ${own} ${lines} }
ENTRY e { ${own} ROOT r = ${result} fusion(${names}), kind=kLoop, calls=fused }`,
    { optimize: false },
  );
  const isReady = await executable.ready;
  const [got] = executable.run(inputs.map(([data, shape]) => hlo.array(data, { shape })));
  return { isReady, got: Array.from(got.toTypedArray()) };
}

test('padding that pushes an array further away than addresses reach', async () => {
  const x = Float64Array.of(1, 2, 3, 4);
  for (const far of [300000000, 402653184, 536870912, 2147483647]) {
    for (const [low, high] of [
      [far, -far],
      [-far, far],
    ]) {
      const lines = `z = f64[] constant(7) q = f64[4] pad(p0, z), padding=${low}_${high}
        ROOT r = f64[4] add(q, p0)`;
      assert.deepEqual((await run(['f64[4]'], lines, [[x, [4]]])).got, [8, 9, 10, 11]);
    }
  }
});

test('padding of what lies far apart', async () => {
  // Two numbers per dimension that are harmless alone are far away together.
  const lines = `z = f32[] constant(7) q = f32[2000,2] pad(p0, z), padding=1998_0x0_-999998
    ROOT r = f32[2000,2] negate(q)`;
  const x = Float32Array.from({ length: 2e6 }, (_, i) => i % 1e6);
  const { got } = await run(['f32[2,1000000]'], lines, [[x, [2, 1e6]]]);
  assert.deepEqual(got.slice(-6), [-7, -7, -0, -1, -0, -1]);
  assert.ok(got.slice(0, 3996).every((v) => v === -7));
});

test('slices with steps that no number of elements has', async () => {
  const step = '4611686018427387904';
  const lines = `z = f32[] constant(7) s = f32[1] slice(p0), slice={[2:3:${step}]}
    q = f32[9] pad(s, z), padding=5_3 ROOT r = f32[9] negate(q)`;
  const { got } = await run(['f32[4]'], lines, [[Float32Array.of(1, 2, 3, 4), [4]]]);
  assert.deepEqual(got, [-7, -7, -7, -7, -7, -3, -7, -7, -7]);
});

test('a concatenation along one element that is cut off as a whole', async () => {
  for (const parts of ['p0', 'p0, p0']) {
    const n = parts.split(',').length;
    const lines = `z = f32[] constant(7) c = f32[9,${n}] concatenate(${parts}), dimensions={1}
      q = f32[9,1] pad(c, z), padding=0_0x-${n + 3}_4 r = f32[9] reshape(q) ROOT s = f32[9] negate(r)`;
    const x = Float32Array.from({ length: 9 }, (_, i) => i);
    const { isReady, got } = await run(['f32[9,1]'], lines, [[x, [9, 1]]]);
    assert.equal(isReady, true);
    assert.deepEqual(got, Array(9).fill(-7));
  }
});

// Sums over rows in pieces far apart are taken in turns: the loop over pieces is outside of the function.
for (const [before, behind] of [
  [0, 576],
  [300, 276],
  [576, 0],
])
  test(`sums over padded rows in turns, ${before} pieces before`, async () => {
    const lines = `z = f32[] constant(0)
      q = f32[640,64,1024] pad(p0, z), padding=${before}_${behind}x0_0x0_0
      ROOT r = f32[64] reduce(q, z), dimensions={0,2}, to_apply=add`;
    const x = new Float32Array(64 * 64 * 1024).fill(1);
    const { isReady, got } = await run(['f32[64,64,1024]'], lines, [[x, [64, 64, 1024]]]);
    assert.equal(isReady, true);
    assert.ok(got.every((v) => v === 65536));
  });
