// Programs from all over JAX's API, run as exported: their outputs must agree with XLA's within the tolerances that
// tests/fixtures/jax/README.md states. Programs listed in unsupported.json must be refused for the operation named there,
// and for nothing else: whoever makes one run takes it off the list (node tests/fixtures/jax/update_unsupported.js).
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { load, UnsupportedError } from '../../web/index.js';
import { areaNames, readArea, runProgram, unsupported } from './jax_corpus.js';
import { onRelaxed } from './relaxed_process.js';

const areas = areaNames().map((area) => [area, readArea(area)]);

/** Gives undefined, or what is wrong with how the engine treats the program. */
function problem(hlo, program, options) {
  const stopped = unsupported[program.name];
  let wrong;
  try {
    wrong = runProgram(hlo, program, options);
  } catch (error) {
    if (stopped === undefined) return `${error.name}: ${error.message}`;
    if (error instanceof UnsupportedError && error.message.includes(stopped)) return undefined;
    return `must be refused for ${stopped}, not with ${error.name}: ${error.message}`;
  }
  return stopped === undefined ? wrong : 'runs: take it off unsupported.json';
}

async function runAll(build) {
  const hlo = await load({ build });
  for (const [area, programs] of areas)
    test(`${area}: ${programs.length} programs on ${hlo.build}`, () => {
      const problems = programs.flatMap((program) =>
        [{ reference: false }, { reference: true }].flatMap((options) => {
          const wrong = problem(hlo, program, options);
          return wrong
            ? [`${program.name}${options.reference ? ' (reference)' : ''}: ${wrong}`]
            : [];
        }),
      );
      assert.deepEqual(problems, []);
    });
  test(`everything is given back on ${hlo.build}`, () => {
    // The first runs may leave programs of eager operations and scratch memory, which others then have.
    for (const program of areas.flatMap(([, programs]) => programs)) {
      let before, wrong;
      for (let runs = 0; runs < 3 && hlo.memory.inUse !== before; runs++) {
        before = hlo.memory.inUse;
        wrong = problem(hlo, program, { reference: false });
      }
      assert.equal(hlo.memory.inUse - before, 0, `${program.name} keeps bytes in use`);
      assert.equal(wrong, undefined);
    }
  });
}

if (process.env.HLO_TEST_BUILD) {
  await runAll(process.env.HLO_TEST_BUILD);
} else {
  await runAll('simd');
  await onRelaxed(fileURLToPath(import.meta.url), runAll, /^not ok|^[+'].*\w\/\w+.*:/);
  test('the corpus has what it must have', () => {
    const names = areas.flatMap(([, programs]) => programs.map(({ name }) => name));
    assert.ok(names.length >= 400, `${names.length} programs`);
    assert.equal(new Set(names).size, names.length);
    assert.deepEqual(
      Object.keys(unsupported).filter((name) => !names.includes(name)),
      [],
      'unsupported.json lists programs that are not there',
    );
  });
}
