// Mistakes of users are compile-time errors: mistakes.ts has one below each @ts-expect-error, which tsc reports where there is none.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const file = new URL('mistakes.ts', import.meta.url);

test('none of 60 mistakes and more compiles', () => {
  const count = readFileSync(file, 'utf8').split('// @ts-expect-error').length - 1;
  assert.ok(count >= 60, `${count} mistakes`);
  // By the package's own name, as users import it: the declarations that are published.
  const options = '--ignoreConfig --noEmit --strict --skipLibCheck --types node --target es2022';
  const how = [...options.split(' '), '--module', 'nodenext', fileURLToPath(file)];
  try {
    execFileSync(`${root}node_modules/.bin/tsc`, how, { cwd: root, encoding: 'utf8' });
  } catch (error) {
    assert.fail(`these compile, or are other errors:\n${error.stdout}`);
  }
});
