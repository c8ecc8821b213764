// The package as a user gets it: packed, installed into an empty project without network, imported by its name,
// type-checked against its declarations, and its command found. Expects `make all` to have run.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const project = mkdtempSync(join(tmpdir(), 'hlo-wasm-package-'));
const installed = join(project, 'node_modules', 'hlo-wasm');

/** Runs a program in a directory and gives what it printed. */
function run(program, args, cwd = project) {
  return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

before(() => {
  run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', project], root);
  const [packed] = readdirSync(project).filter((name) => name.endsWith('.tgz'));
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--silent', `./${packed}`]);
});

after(() => rmSync(project, { recursive: true, force: true }));

test('contains what it needs, and no more', () => {
  const files = readdirSync(installed, { recursive: true });
  for (const needed of [
    'web/bundle-index.js',
    'web/index.js',
    'web/cli.js',
    'web/thread.js',
    'web/wasm/hlo.wasm',
    'web/wasm/hlo-relaxed.wasm',
    'types/index.d.ts',
    'LICENSE',
    'README.md',
  ])
    assert.ok(files.includes(needed), `${needed} is missing`);
  assert.deepEqual(
    files.filter((name) => /^(src|wasm|tests|build)\b|\.o$|\.c$/.test(name)),
    [],
  );
  assert.deepEqual(
    readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.')),
    ['hlo-wasm'],
  );
  assert.equal(
    JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')).dependencies,
    undefined,
  );
});

test('runs a program in Node', () => {
  writeFileSync(
    join(project, 'program.js'),
    `import { load } from 'hlo-wasm';
     const hlo = await load();
     const x = hlo.array([[1, 2, 3], [4, 5, 6]], 'f32');
     const y = hlo.add(x, hlo.array([7, 8, 9], 'f32'), { broadcastDimensions: [1] });
     console.log(JSON.stringify(y.toNested()));`,
  );
  assert.deepEqual(JSON.parse(run(process.execPath, ['program.js'])), [
    [8, 10, 12],
    [11, 13, 15],
  ]);
});

test('is one package by all its names', () => {
  writeFileSync(
    join(project, 'names.js'),
    `import { load, HloArray, HloError } from 'hlo-wasm';
     import { numpy } from 'hlo-wasm/numpy';
     import { loadWorker } from 'hlo-wasm/worker';
     const np = numpy(await load());
     const far = await loadWorker();
     const error = await far.parse('nonsense').catch((error) => error);
     far.terminate();
     console.log(np.ones([2]) instanceof HloArray, error instanceof HloError);`,
  );
  assert.equal(run(process.execPath, ['names.js']), 'true true\n');
});

test('has its wasm files as subpaths', () => {
  const print = `for (const name of ['hlo', 'hlo-relaxed']) console.log(import.meta.resolve('hlo-wasm/' + name + '.wasm'))`;
  const paths = run(process.execPath, ['--input-type=module', '--eval', print]).trim().split('\n');
  for (const path of paths) {
    // Not validated: this Node may lack relaxed SIMD.
    assert.deepEqual(
      [...readFileSync(fileURLToPath(path)).subarray(0, 4)],
      [0, 0x61, 0x73, 0x6d],
      path,
    );
  }
});

test('is typed', () => {
  const check = (source) => {
    writeFileSync(join(project, 'typed.ts'), source);
    const tsc = join(root, 'node_modules', '.bin', 'tsc');
    const options = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--types',
      '',
    ];
    return run(tsc, [...options, 'typed.ts']);
  };
  check(
    `import { load } from 'hlo-wasm'; const hlo = await load(); hlo.array([1, 2], 'f32').dispose();`,
  );
  assert.throws(() =>
    check(`import { load } from 'hlo-wasm'; const hlo = await load(); hlo.noSuchMember;`),
  );
});

test('brings the hlo command', () => {
  writeFileSync(
    join(project, 'one.hlo'),
    'HloModule one\nENTRY main {\n  ROOT c = f32[] constant(2.5)\n}\n',
  );
  assert.match(run(join(project, 'node_modules', '.bin', 'hlo'), ['run', 'one.hlo']), /2\.5/);
});
