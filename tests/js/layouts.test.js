// Layouts that the sides of a boundary state differently: every kind of boundary, rank 2 to 4, in every way of running, against
// what the program says.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import { boundaries, RandomLayouts, talking } from './layout_generator.js';
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

const arrayOf = ({ dims, data }) => hlo.array(data, { type: 's32', shape: dims });

/** What is wrong with a run's results and with what it told its host; undefined: nothing. */
function runOnce(executable, arrays, { kinds = [], infeeds = [], outfeeds = [], want }) {
  const fed = infeeds.map((values) => [arrayOf(values)]);
  const got = [];
  const onOutfeed = ([array]) => got.push(array.toTypedArray());
  const results = kinds.includes('sendRecv')
    ? executable.runReplicas([arrays], { infeed: [fed], onOutfeed }).flat()
    : executable.run(arrays, { infeed: fed, onOutfeed });
  if (got.length !== outfeeds.length) return `${got.length} outfeeds, not ${outfeeds.length}`;
  got.push(...results.map((result) => result.toTypedArray()));
  for (const array of [...results, ...fed.flat()]) array.dispose();
  for (const [i, values] of got.entries()) {
    const wanted = outfeeds[i]?.data ?? want;
    const at = wanted.findIndex((v, k) => v !== values[k]);
    const what = i < outfeeds.length ? `outfeed ${i}` : `result ${i - outfeeds.length}`;
    if (at >= 0) return `element ${at} of ${what} is ${values[at]}, not ${wanted[at]}`;
  }
  return undefined;
}

/** Runs a program in all ways, with code and, where that comes later, before. */
async function check(program) {
  const arrays = program.inputs.map(arrayOf);
  const module = hlo.parse(program.text);
  const talks = talking.some((kind) => program.kinds?.includes(kind));
  try {
    for (const [way, options] of Object.entries(ways)) {
      if (talks && way === 'reference') continue;
      const executable = module.compile(options);
      try {
        for (const state of ['at first', 'with code']) {
          if (state === 'with code') await executable.ready;
          const wrong = runOnce(executable, arrays, program);
          if (wrong) return { wrong: `${way} ${state}: ${wrong}` };
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

for (const kind of [...boundaries, ...talking])
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
