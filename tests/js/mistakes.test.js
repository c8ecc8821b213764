// Types as users meet them. Mistakes are compile-time errors: mistakes.ts has one below each @ts-expect-error, which tsc reports where there is none;
// and results have the types that follow from arguments: typed_results.ts compiles as it stands.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Compiles a file that imports the package by its own name: the declarations that are published. @param {URL} file */
function compile(file) {
  const options = '--ignoreConfig --noEmit --strict --skipLibCheck --types node --target es2022';
  const how = [...options.split(' '), '--module', 'nodenext', fileURLToPath(file)];
  try {
    execFileSync(`${root}node_modules/.bin/tsc`, how, { cwd: root, encoding: 'utf8' });
  } catch (error) {
    assert.fail(`tsc says:\n${error.stdout}`);
  }
}

test('none of 60 mistakes and more compiles', () => {
  const file = new URL('mistakes.ts', import.meta.url);
  const count = readFileSync(file, 'utf8').split('// @ts-expect-error').length - 1;
  assert.ok(count >= 60, `${count} mistakes`);
  compile(file);
});

test('results have the types that follow from arguments', () => {
  compile(new URL('typed_results.ts', import.meta.url));
});
