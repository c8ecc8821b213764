// Loops as one emitted function against the reference evaluator. HLO_LOOP_SECONDS=3600 node --test tests/js/loops.test.js
// looks for longer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import { difference } from './fusion_comparison.js';
import { RandomLoop } from './loop_generator.js';

const seconds = Number(process.env.HLO_LOOP_SECONDS ?? 4);
const firstSeed = Number(process.env.HLO_LOOP_SEED ?? 1);

const hlo = await load();

/** What is wrong, and whether code was made. */
async function compare(text, inputs, optimize, steps) {
  const kept = [];
  const keep = (object) => (kept.push(object), object);
  try {
    const module = keep(hlo.parse(text));
    const compiled = keep(module.compile({ optimize }));
    const isReady = await compiled.ready;
    const arrays = inputs.map(({ type, dims, data }) =>
      keep(hlo.array(data, { type, shape: dims })),
    );
    const before = arrays.map((x) => x.toTypedArray());
    const want = keep(module.compile({ reference: true }))
      .run(arrays)
      .map(keep);
    const got = (steps ? await compiled.runAsync(arrays, { steps }) : compiled.run(arrays)).map(
      keep,
    );
    const wrong = want.map((x, i) => {
      const found = difference(got[i], x, 0);
      return found && `result ${i}, ${found}`;
    });
    for (const [i, x] of arrays.entries())
      assert.deepEqual(x.toTypedArray(), before[i], `argument ${i} was written over\n${text}`);
    return { isReady, wrong: wrong.find((x) => x !== undefined) };
  } finally {
    for (const object of kept.reverse()) object.dispose();
  }
}

test('random loops give what the evaluator gives', async () => {
  let tried = 0,
    ready = 0;
  const end = performance.now() + 1000 * seconds;
  for (let seed = firstSeed; performance.now() < end || tried < 20; seed++, tried++) {
    const { text, inputs } = new RandomLoop(seed).make();
    // Without fusions there is code for the loop alone.
    const { isReady, wrong } = await compare(text, inputs, seed % 2 === 0, [0, 7, 1000][seed % 3]);
    assert.equal(wrong, undefined, `seed ${seed}: ${wrong}\n${text}`);
    ready += isReady ? 1 : 0;
    if (process.env.HLO_LOOP_SEED) break;
  }
  console.log(`${tried} random loops, ${ready} of them with code`);
  assert.ok(tried < 20 || ready > 0.8 * tried, `code was made for only ${ready} of ${tried}`);
});
