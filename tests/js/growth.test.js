// Programs grow in one dimension at a time, and the work that every step takes with them: counted in basic blocks, so that it is
// the same on every machine (tests/growth). What is linear up to a logarithm stays below GROWS; what has a limit is refused
// beyond it with little work, and takes little within it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HloError } from '../../web/index.js';
import { collisions } from '../growth/collisions.js';
import * as families from '../growth/families.js';
import { exponent, measure } from '../growth/measure.js';
import { protos } from '../growth/protos.js';
import { loadChecked } from './checked_engine.js';

const [SMALL, LARGE] = [200, 800];
/** The exponent from which work grows faster than n log n, which is 1.13 to 1.2 at these sizes. */
const GROWS = 1.3;
/** Within every limit on nesting, calls and maps. */
const WITHIN_LIMITS = 150;
/** What a step may take of a program within its limits: some 50 ms. */
const FEW_BLOCKS = 20e6;
const LIMIT = /more than \d+|deeper than|too (many|large|long)/;

/** Steps that a family leaves out: to run n calls that double is to run 2^n instructions. */
const leftOut = { 'doubling calls': /^run/ };

const programs = { hlo: families.hlo, stablehlo: families.stablehlo };
const engine = await loadChecked();

/** Programs that came as bytes are those of texts once they are read. */
const stepsOfBytes = /^(read|print)$/;

for (const [form, all] of Object.entries({ ...programs, 'serialized HLO': protos }))
  for (const [family, program] of Object.entries(all))
    test(`${form}, ${family}: work grows no faster than n log n`, () => {
      const isWanted = (/** @type {string} */ step) =>
        !(/** @type {Record<string, RegExp>} */ (leftOut)[family]?.test(step)) &&
        (all !== protos || stepsOfBytes.test(step));
      const [small, large] = [SMALL, LARGE].map((n) => measure(engine, program(n), isWanted));
      for (const [step, { refusal }] of Object.entries(large))
        if (refusal && /^(read|compile)/.test(step)) assert.match(refusal, LIMIT, step);
      for (const step of Object.keys(large)) {
        if (!small[step]) continue;
        const grown = exponent(small[step], large[step], LARGE / SMALL);
        const blocks = `n^${grown.toFixed(2)}: ${small[step].work}, then ${large[step].work} blocks`;
        assert.ok(grown < GROWS, `${form}, ${family}, ${step}: ${blocks}`);
      }
      if (!large.read.refusal) return;
      const within = measure(engine, program(WITHIN_LIMITS), isWanted);
      for (const [step, { work }] of Object.entries(within))
        assert.ok(work < FEW_BLOCKS, `${form}, ${family}, ${step}: ${work} blocks within limits`);
    });

// With the plain FNV-1a in place of the keyed hash of src/hlo/name_hash.h, for which these names were made, this fails: reading takes
// 554 million blocks of HLO text and 1609 million of StableHLO, where other names take 8 and 15.
for (const [form, all] of Object.entries(programs))
  test(`${form}: names that collide take hardly more work than others`, () => {
    const n = 4000;
    const program = all['names that collide'](n);
    const names = new Set(collisions(n));
    const plain = program.replace(/[\w$-]+/g, (word) =>
      names.has(word.replaceAll('-', '$')) ? [...word].reverse().join('') : word,
    );
    assert.notEqual(program, plain);
    const [colliding, other] = [program, plain].map(
      (text) => measure(engine, text, (step) => step === 'read').read,
    );
    const found = `${colliding.work} blocks, ${other.work} of others`;
    assert.ok(colliding.work < 1.5 * other.work, found);
  });

for (const [family, map] of Object.entries(families.maps))
  test(`indexing maps, ${family}: simplified with little work, or refused`, () => {
    for (const n of [WITHIN_LIMITS, 1000, 4000]) {
      const before = engine.work();
      try {
        engine.hlo.simplifyMap(map(n));
      } catch (error) {
        assert.ok(error instanceof HloError && LIMIT.test(error.message), `${n}: ${error}`);
      }
      const work = engine.work() - before;
      assert.ok(work < FEW_BLOCKS, `${n}: ${work} blocks`);
    }
  });

test('the indexing of a ladder of slices is refused before it takes much memory', async () => {
  const { hlo } = await loadChecked();
  const ladder = hlo.parse(families.hlo['ladder of slices'](500));
  const before = hlo.memory.peak;
  assert.match(ladder.indexing({ toParameters: true }), /unknown indexing|operand/);
  assert.ok(hlo.memory.peak - before < 200e6, `${hlo.memory.peak - before} bytes`);
  ladder.dispose();
});
