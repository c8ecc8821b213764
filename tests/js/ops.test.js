// Every op case on every build: reference evaluator and compiled program, plain and relaxed SIMD. The relaxed build runs
// in a process of its own where this Node needs a flag for it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { bestBuild, load } from '../../web/index.js';
import { caseFiles, readCases } from './op_cases.js';
import { runCase } from './op_comparison.js';

const self = fileURLToPath(import.meta.url);

async function runAll(build) {
  const hlo = await load({ build });
  for (const file of caseFiles()) {
    const cases = readCases(file);
    test(`${file} on ${hlo.build}`, () => {
      assert.ok(cases.length > 0, 'the file has no cases');
      const failures = cases.flatMap((one) =>
        [{ reference: true }, { reference: false }].flatMap((options) => {
          const wrong = runCase(hlo, one, options);
          return wrong ? [`${one.name}${options.reference ? ' (reference)' : ''}: ${wrong}`] : [];
        }),
      );
      assert.deepEqual(failures, []);
    });
  }
  return hlo;
}

if (process.env.HLO_TEST_BUILD) {
  await runAll(process.env.HLO_TEST_BUILD);
} else {
  const hlo = await runAll('simd');
  test('the engine is empty after all cases', () => {
    globalThis.gc?.();
    assert.ok(hlo.memory.inUse < 64e6, `${hlo.memory.inUse} bytes in use`);
  });
  if (bestBuild() === 'relaxed-simd') await runAll('relaxed-simd');
  else
    test('all cases on relaxed-simd', () => {
      const flag = '--experimental-wasm-relaxed-simd';
      const env = { ...process.env, HLO_TEST_BUILD: 'relaxed-simd', NODE_TEST_CONTEXT: '' };
      const { status, stdout, stderr } = spawnSync(process.execPath, [flag, self], {
        env,
        encoding: 'utf8',
      });
      const failures = stdout.split('\n').filter((line) => /^not ok|want .* got/.test(line.trim()));
      assert.equal(status, 0, `${failures.slice(0, 20).join('\n')}\n${stderr}`);
    });
}
