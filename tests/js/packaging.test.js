// Packaging is by folder: a source file that is added is compiled, linked and put into the part of its folder, and no build file
// is edited for it. Done in a copy of the tree, whose build is begun anew: make compiles the added files, and says what it would
// do for the rest.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const copy = mkdtempSync(join(tmpdir(), 'hlo-packaging-'));
const added = { arrays: 'src/kernels/reduce', programs: 'src/text/hlo', extras: 'src/kernels/fft' };
const read = (path) => readFileSync(join(copy, path), 'utf8');
const buildFiles = [
  'Makefile',
  'tests/growth/growth.mk',
  'tests/tests.mk',
  'wasm/flags.mk',
  'wasm/toolchain/split.sh',
];
const make = (...args) =>
  execFileSync('make', ['-s', ...args], {
    cwd: copy,
    encoding: 'utf8',
    env: { ...process.env, MAKELEVEL: '0', MAKEFLAGS: '' },
  });

before(() => {
  for (const path of [
    'Makefile',
    'include',
    'src',
    'wasm',
    'web/exports.js',
    'tests/growth',
    'tests/tests.mk',
    'package.json',
    'package-lock.json',
  ])
    cpSync(join(root, path), join(copy, path), { recursive: true, preserveTimestamps: true });
  mkdirSync(join(copy, 'build'));
  symlinkSync(join(root, 'build/toolchain'), join(copy, 'build/toolchain'));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const [part, folder] of Object.entries(added))
    writeFileSync(
      join(copy, folder, 'added.c'),
      `// Added.\nint hlo_added_to_${part}(int x);\nint hlo_added_to_${part}(int x) { return x + 1; }\n`,
    );
});
after(() => rmSync(copy, { recursive: true }));

test('an added source is compiled', () => {
  const objects = Object.values(added).map((folder) => `build/wasm/hlo/${folder}/added.o`);
  make(...objects);
  for (const object of objects) assert.ok(existsSync(join(copy, object)), object);
});

test('an added source goes into the part of its folder', () => {
  const commands = make('-n', 'V=1', 'build/wasm/hlo.wasm').replaceAll('\\\n', ' ').split('\n');
  const link = commands.find((line) => line.includes('-o build/wasm/hlo.whole.wasm'));
  const split = commands.find((line) => /^\s*wasm\/toolchain\/split\.sh /.test(line));
  assert.ok(link && split);
  const listed = Object.fromEntries(
    [...split.matchAll(/ (\w+) "([^"]*)"/g)].map(([, part, sources]) => [part, sources.split(' ')]),
  );
  assert.deepEqual(Object.keys(listed), ['programs', 'extras']);
  for (const [part, folder] of Object.entries(added)) {
    const source = `${folder}/added`;
    assert.match(link, new RegExp(` \\S*/${source}\\.o `));
    const parts = Object.keys(listed).filter((name) => listed[name].includes(source));
    assert.deepEqual(parts, part === 'arrays' ? [] : [part], source);
  }
});

test('build files name folders, no source of the engine', () => {
  for (const path of buildFiles) {
    assert.equal(read(path), readFileSync(join(root, path), 'utf8'));
    assert.doesNotMatch(read(path), /src\/[\w/]+\.c\b/, path);
  }
  assert.ok(read('wasm/flags.mk').trimEnd().split('\n').length <= 60, 'flags.mk is short');
  const lists = 'WASM_programs WASM_extras WASM_UNROLLED WASM_FAST WASM_ATOMIC WASM_SHARED'.split(
    ' ',
  );
  for (const list of lists) {
    const folders = make(`--eval=list: ; @echo $(${list})`, 'list').trim().split(' ');
    assert.ok(folders.length > 0);
    for (const folder of folders)
      assert.ok(existsSync(join(copy, 'src', folder.replace('/%', ''))), `${list}: ${folder}`);
  }
});
