// Layouts that the sides of a boundary state differently: every kind of boundary, rank 2 to 4, in every way of running, against
// what the program says.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import { boundaries, RandomLayouts } from './layout_generator.js';
import { testPrograms } from './random_seeds.js';

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
async function check({ text, inputs, want }) {
  const arrays = inputs.map(({ dims, data }) => hlo.array(data, { type: 's32', shape: dims }));
  const module = hlo.parse(text);
  try {
    for (const [way, options] of Object.entries(ways)) {
      const executable = module.compile(options);
      try {
        for (const state of ['at first', 'with code']) {
          if (state === 'with code') await executable.ready;
          for (const [i, result] of executable.run(arrays).entries()) {
            const got = result.toTypedArray();
            result.dispose();
            const at = want.findIndex((v, k) => v !== got[k]);
            if (at < 0) continue;
            const wrong = `${way} ${state}: element ${at} of result ${i} is ${got[at]}, not ${want[at]}`;
            return { wrong };
          }
        }
      } finally {
        executable.dispose();
      }
    }
  } finally {
    for (const object of [module, ...arrays]) object.dispose();
  }
  return {};
}

for (const kind of boundaries)
  for (const rank of [2, 3, 4])
    testPrograms(`${kind}: layouts of rank ${rank} that differ from side to side`, {
      seeds: rank === 4 ? 5 : 20,
      make: (seed) => new RandomLayouts(seed, rank, kind).make(),
      check,
    });

test('an element of a row-major tuple, stated column-major', async () => {
  const data = Int32Array.from({ length: 1200 }, (_, i) => i);
  const text = `HloModule m
ENTRY e {
  p = (s32[30,40]) parameter(0)
  ROOT g = s32[30,40]{0,1} get-tuple-element(p), index=0
}`;
  assert.deepEqual(await check({ text, inputs: [{ dims: [30, 40], data }], want: data }), {});
});
