// The package in other JavaScript runtimes, which run some of these test files themselves: Bun, whose compiler of WebAssembly
// is WebKit's, and Deno. tests/runtimes has them; what is not installed is left out.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';

const installed = fileURLToPath(new URL('../runtimes/node_modules/.bin/', import.meta.url));
const tests = fileURLToPath(new URL('.', import.meta.url));
const files = ['array', 'jit', 'loops', 'npy', 'numpy', 'ops', 'plans'];
const runtimes = {
  bun: { args: ['test', '--timeout=300000'], files: [...files, 'threads'] },
  deno: { args: ['test', '--allow-all', '--no-check', '--quiet'], files: [...files, 'worker'] },
};

for (const [name, runtime] of Object.entries(runtimes)) {
  const program = installed + name;
  test(name, { skip: existsSync(program) ? false : 'it is not installed' }, () => {
    const paths = runtime.files.map((file) => `${tests}${file}.test.js`);
    const env = { ...process.env, SEEDS: '30', NODE_TEST_CONTEXT: '', NO_COLOR: '1' };
    const { status, stdout, stderr } = spawnSync(program, [...runtime.args, ...paths], {
      cwd: tests,
      env,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    });
    assert.equal(status, 0, `${stdout}${stderr}`.slice(-5000));
    const [, passed] = /(\d+) pass/.exec(stdout + stderr) ?? [];
    assert.ok(Number(passed) > 300, `only ${passed} tests have passed`);
  });
}
