// The package in projects as the tools' own generators make them, with their defaults: installed, imported, built and served, without an
// option set. `node --test` runs one of them by itself; HLO_BUNDLERS=all, as `make bundlers` sets it, all. Generators and what their
// projects depend on come from npm.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import {
  bundlers,
  checkFolder,
  checkServer,
  freePort,
  pack,
  project,
  root,
  run,
} from './packed.js';

const skip = process.env.HLO_BUNDLERS === 'all' ? false : 'make bundlers runs it';
const app = readFileSync(join(bundlers, 'app.js'), 'utf8');
const quiet = ['--no-audit', '--no-fund', '--silent'];
let packed = '';
before(() => {
  packed = pack();
});

/** Generates a project and installs it with the package. @returns {string} its folder */
function generate(name, generator, args) {
  run('npx', ['-y', generator, name, ...args], project);
  const folder = join(project, name);
  run('npm', ['install', ...quiet], folder);
  run('npm', ['install', ...quiet, packed], folder);
  return folder;
}

/** Puts a line in front of a file. */
function prepend(path, line) {
  writeFileSync(path, `${line}\n${readFileSync(path, 'utf8')}`);
}

/** The builds of the engine in a folder of output: each file once. */
function assertEachOnce(folder) {
  const files = readdirSync(folder, { recursive: true }).map(String);
  const parts = files.filter((name) => name.endsWith('.wasm'));
  assert.equal(parts.length, 6, parts.join());
}

for (const [generator, version] of [
  ['create-vite@9.3.0', 8],
  ['create-vite@7.1.2', 7],
  ['create-vite@6.5.0', 6],
])
  for (const [template, main] of [
    ['vanilla', 'src/main.js'],
    ['react', 'src/main.jsx'],
    ['svelte', 'src/main.js'],
  ])
    test(
      `Vite ${version}, ${template}`,
      { skip: version === 8 && template === 'vanilla' ? false : skip },
      async () => {
        const folder = generate(`vite${version}-${template}`, generator, ['--template', template]);
        writeFileSync(join(folder, 'src/hlo.js'), app);
        prepend(join(folder, main), "import './hlo.js';");
        run('npm', ['run', 'build'], folder);
        assertEachOnce(join(folder, 'dist'));
        await checkFolder(join(folder, 'dist'));
        const port = await freePort();
        const command = ['npm', 'run', 'dev', '--', '--port', String(port), '--strictPort'];
        await checkServer(command, folder, port, /ready in/);
      },
    );

test('Next.js, a client component of the app router', { skip }, async () => {
  // --empty: the other template fetches fonts from Google.
  const folder = generate('next-app', 'create-next-app@16.4.3', [
    ...[
      '--yes',
      '--js',
      '--no-linter',
      '--app',
      '--no-tailwind',
      '--no-src-dir',
      '--use-npm',
      '--skip-install',
      '--empty',
    ],
  ]);
  cpSync(join(bundlers, 'page.jsx'), join(folder, 'app/page.js'));
  for (const script of ['build', 'dev']) {
    const port = await freePort();
    if (script === 'build') run('npm', ['run', 'build'], folder, { NEXT_TELEMETRY_DISABLED: '1' });
    const command = ['npm', 'run', script === 'build' ? 'start' : 'dev', '--', '-p', String(port)];
    await checkServer(command, folder, port, /Ready in/);
  }
});

/** A folder with the package beside a page. */
function plainProject(name, page) {
  const folder = join(project, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  writeFileSync(join(folder, 'index.html'), page);
  writeFileSync(join(folder, 'app.js'), app);
  run('npm', ['install', ...quiet, packed], folder);
  return folder;
}

test('a plain page with an import map', async () => {
  const web = './node_modules/hlo-wasm/web';
  const imports = {
    'hlo-wasm': `${web}/bundle-index.js`,
    'hlo-wasm/numpy': `${web}/numpy/bundle-index.js`,
    'hlo-wasm/worker': `${web}/worker/bundle-index.js`,
  };
  const map = `<script type="importmap">${JSON.stringify({ imports })}</script>`;
  const page = `<!doctype html>${map}<body><script type="module" src="./app.js"></script></body>`;
  await checkFolder(plainProject('import-map', page));
});

const page = '<!doctype html><body><script type="module" src="./app.js"></script></body>';

test('Bun, a page built', { skip }, async () => {
  const folder = plainProject('bun-page', page);
  const bun = join(root, 'tests/runtimes/node_modules/.bin/bun');
  run(bun, ['build', './index.html', '--outdir', 'dist'], folder);
  // Bun leaves new URL(…, import.meta.url) alone, as esbuild does: the files go beside what it makes.
  cpSync(join(folder, 'node_modules/hlo-wasm/web/wasm'), join(folder, 'dist/wasm'), {
    recursive: true,
  });
  await checkFolder(join(folder, 'dist'));
});
