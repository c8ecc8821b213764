// Test files on the relaxed build where this Node needs a flag for it: in a process of their own, which HLO_TEST_BUILD tells.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { bestBuild } from '../../web/loader.js';

/**
 * @param {string} file runs on the build that HLO_TEST_BUILD names
 * @param {(build: string) => any} runAll adds its tests for a build
 * @param {RegExp} [isFailure] of its lines, those that say what is wrong
 */
export async function onRelaxed(file, runAll, isFailure = /^not ok/) {
  if (bestBuild() === 'relaxed-simd') {
    await runAll('relaxed-simd');
    return;
  }
  test('all on relaxed-simd', () => {
    const flag = '--experimental-wasm-relaxed-simd';
    const env = { ...process.env, HLO_TEST_BUILD: 'relaxed-simd', NODE_TEST_CONTEXT: '' };
    const options = { env, encoding: /** @type {const} */ ('utf8'), maxBuffer: 1e8 };
    const { status, stdout, stderr } = spawnSync(process.execPath, [flag, file], options);
    const failures = stdout.split('\n').filter((line) => isFailure.test(line.trim()));
    assert.equal(status, 0, `${failures.slice(0, 20).join('\n')}\n${stderr}`);
  });
}
