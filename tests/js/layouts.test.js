// Layouts that the sides of a boundary state differently: every kind of boundary, rank 2 to 4, in every way of running, against
// what the program says. HLO_LAYOUT_SEEDS=100000 node --test tests/js/layouts.test.js looks for longer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import { boundaries, RandomLayouts } from './layout_generator.js';

const seeds = Number(process.env.HLO_LAYOUT_SEEDS ?? 20);

const hlo = await load();
hlo.registerCustomCall('negate_and_keep', ([x]) => ({
  results: [hlo.negate(x), hlo.copy(x)],
}));

const ways = {
  optimized: {},
  written: { optimize: false },
  fused: { fuseAll: true },
  reference: { reference: true },
};

/** Runs a program in all ways, with code and, where that comes later, before. */
async function check({ text, inputs, want }, label) {
  const arrays = inputs.map(({ dims, data }) => hlo.array(data, { type: 's32', shape: dims }));
  try {
    const module = hlo.parse(text);
    for (const [way, options] of Object.entries(ways)) {
      const executable = module.compile(options);
      try {
        for (const state of ['at first', 'with code']) {
          if (state === 'with code') await executable.ready;
          for (const [i, result] of executable.run(arrays).entries()) {
            const got = result.toTypedArray();
            result.dispose();
            const at = want.findIndex((v, k) => v !== got[k]);
            assert.equal(
              at,
              -1,
              `${label}, ${way} ${state}: element ${at} of result ${i} is ${got[at]}, not ${want[at]}\n${text}`,
            );
          }
        }
      } finally {
        executable.dispose();
      }
    }
    module.dispose();
  } finally {
    for (const array of arrays) array.dispose();
  }
}

for (const kind of boundaries) {
  test(`${kind}: layouts that differ from side to side`, async () => {
    for (let seed = 1; seed <= seeds; seed++)
      for (const rank of seed % 4 === 0 ? [2, 3, 4] : [2, 3])
        await check(
          new RandomLayouts(seed, rank, kind).make(),
          `${kind}, seed ${seed}, rank ${rank}`,
        );
  });
}

test('an element of a row-major tuple, stated column-major', async () => {
  const data = Int32Array.from({ length: 1200 }, (_, i) => i);
  const text = `HloModule m
ENTRY e {
  p = (s32[30,40]) parameter(0)
  ROOT g = s32[30,40]{0,1} get-tuple-element(p), index=0
}`;
  await check({ text, inputs: [{ dims: [30, 40], data }], want: data }, 'the named input');
});
