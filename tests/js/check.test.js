// What `make check` runs: the table names folders and tests that there are, and no folder of the engine is left out.
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { allTests, stem, table, targetsOf, testsOf } from '../check.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('the table names folders and tests that there are', () => {
  const names = new Set([...allTests.map(stem), 'embed']);
  for (const [folder, tests] of Object.entries(table)) {
    assert.ok(existsSync(root + folder), folder);
    for (const name of tests.split(' ')) assert.ok(names.has(name), `${folder}: ${name}`);
  }
  for (const entry of readdirSync(`${root}src`, { withFileTypes: true }))
    if (entry.isDirectory()) assert.ok(`src/${entry.name}` in table, entry.name);
});

test('tests are found by includes, imports, names and the table', () => {
  const testsOfOne = (path) => testsOf([path]).map(stem);
  const has = (path, ...tests) => {
    for (const one of tests) assert.ok(testsOfOne(path).includes(one), `${path}: ${one}`);
  };
  has('src/kernels/fft/f32.c', 'eval_fft', 'op_cases', 'ops', 'include_direction');
  has('src/base/arena.c', 'arena');
  has('tests/c/op_cases.h', 'op_cases', 'sized_ops');
  has('tests/js/random_program.js', 'loops', 'emit_narrow');
  has('tests/ops/add.hlo', 'op_cases', 'ops');
  has('web/npy.js', 'npy', 'array');
  assert.deepEqual(testsOfOne('tests/c/arena_test.c'), [
    'arena',
    'file_cycles',
    'include_direction',
  ]);
  assert.deepEqual(targetsOf(['tests/c/arena_test.c'], 'b').slice(0, 2), [
    'format-changed.run',
    'b/native/tests/arena_test.run',
  ]);
});
