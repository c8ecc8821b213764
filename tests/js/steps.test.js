// Every operation as a step of a loop, where other passes are at work than outside, against what the op cases expect.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import { caseFiles, readCases } from './op_cases.js';
import { runCase } from './op_comparison.js';
import { asStep } from './wrapped_programs.js';

const hlo = await load();

/** Outside of loops small convolutions have XLA's bits. */
const anyOrder = ({ program }) => ({
  ulp: 0,
  rel: 0,
  abs: program.includes('f64[') ? 1e-14 : 5e-6,
});

test('op cases as steps of loops', async () => {
  let count = 0,
    ready = 0;
  const failures = [];
  for (const file of caseFiles()) {
    for (const one of readCases(file)) {
      if (one.error !== undefined) continue;
      const program = asStep(hlo, one.program);
      if (program === undefined) continue;
      count++;
      const executable = hlo.compile(program);
      ready += (await executable.ready) ? 1 : 0;
      executable.dispose();
      const inputs = [...one.inputs, 's32[] 2'];
      const tolerance = file === 'small_convolutions.hlo' ? anyOrder(one) : one.tolerance;
      const wrong = runCase(hlo, { ...one, program, inputs, tolerance }, {});
      if (wrong) failures.push(`${file} ${one.name}: ${wrong}`);
    }
  }
  console.log(`${count} op cases as steps of loops, ${ready} of them with code`);
  assert.deepEqual(failures, []);
  assert.ok(ready > 1000, `only ${ready} cases had code`);
});
