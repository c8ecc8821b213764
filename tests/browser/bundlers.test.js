// The package as pages get it: packed, installed into default projects of the bundlers, without an option set, and as plain
// modules, under strict policies and from another origin. The pages run it in themselves with threads and in a worker.
// By itself `node --test` runs what stands for the others; HLO_BUNDLERS=all, as `make bundlers` sets it, all of them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { isolation } from './chromium.js';
import {
  bundlers,
  check,
  checkFolder,
  checkServer,
  freePort,
  pack,
  project,
  run,
  serve,
  shown,
} from './packed.js';

const require = createRequire(join(bundlers, 'package.json'));
const installed = join(project, 'node_modules/hlo-wasm/web');
const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'";

before(() => {
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const args = ['install', '--offline', '--no-audit', '--no-fund', '--silent', pack()];
  run('npm', args, project);
});

function folderWith(name, script) {
  const folder = join(project, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html><title>${name}</title><body><script type="module" src="${script}"></script></body>`,
  );
  return folder;
}

/** A project as it is before any option is set: a page, a script, the package. */
function defaultProject(name) {
  const folder = folderWith(name, './app.js');
  cpSync(join(bundlers, 'app.js'), join(folder, 'app.js'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  cpSync(join(project, 'node_modules'), join(folder, 'node_modules'), { recursive: true });
  return folder;
}

/** Writes the app with the package's addresses for its names. */
function plainApp(folder, web) {
  const plain = readFileSync(join(bundlers, 'app.js'), 'utf8')
    .replace("'hlo-wasm'", `'${web}/bundle-index.js'`)
    .replace("'hlo-wasm/numpy'", `'${web}/numpy/bundle-index.js'`)
    .replace("'hlo-wasm/worker'", `'${web}/worker/bundle-index.js'`);
  writeFileSync(join(folder, 'app.js'), plain);
}

for (const [title, more] of [
  ['a strict policy', ''],
  [
    'one that demands Trusted Types of a policy of ours',
    "; require-trusted-types-for 'script'; trusted-types hlo-wasm",
  ],
])
  test(`plain modules, under ${title}, from a sub-path`, async () => {
    const folder = folderWith('plain', 'app.js');
    plainApp(folder, '../node_modules/hlo-wasm/web');
    await checkFolder(project, '/plain/', { 'content-security-policy': policy + more });
  });

test('from another origin', async () => {
  const elsewhere = await serve(project, {
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
  });
  try {
    const folder = folderWith('origin', 'app.js');
    plainApp(folder, `${elsewhere.address}/node_modules/hlo-wasm/web`);
    await checkFolder(folder);
    const trusted = "require-trusted-types-for 'script'; trusted-types hlo-wasm";
    await checkFolder(folder, '/', { 'content-security-policy': trusted });
  } finally {
    elsewhere.close();
  }
});

test('with workers of the page', async () => {
  const folder = folderWith('given', 'app.js');
  plainApp(folder, '../node_modules/hlo-wasm/web');
  const script = "'/node_modules/hlo-wasm/web/wasm/hlo-worker.js'";
  const app = readFileSync(join(folder, 'app.js'), 'utf8')
    .replace('load({ threads: 2 })', `load({ threads: 2, worker: () => new Worker(${script}) })`)
    .replace('loadWorker({', `loadWorker({ worker: new Worker(${script}),`);
  assert.equal(app.split('new Worker').length, 3);
  writeFileSync(join(folder, 'app.js'), app);
  await checkFolder(project, '/given/');
});

test('in an AudioWorklet, from modules', async () => {
  const folder = folderWith('audio', 'app.js');
  cpSync(join(bundlers, 'audio.js'), join(folder, 'audio.js'));
  cpSync(join(bundlers, 'audio_page.js'), join(folder, 'app.js'));
  const server = await serve(project);
  try {
    const { text, complaints } = await shown(`${server.address}/audio/`);
    assert.equal(text, 'f32[2] {2, 3} 8192 stablehlo.negate é😀 fetched: HloError');
    assert.deepEqual(complaints, []);
  } finally {
    server.close();
  }
});

test('esbuild', async () => {
  const { build } = await import('esbuild');
  const folder = folderWith('esbuild', 'bundle.js');
  await build({
    entryPoints: [join(bundlers, 'app.js')],
    bundle: true,
    format: 'esm',
    outfile: join(folder, 'bundle.js'),
    nodePaths: [join(project, 'node_modules')],
    logLevel: 'silent',
  });
  // esbuild leaves new URL(…, import.meta.url) alone: the files go beside what it makes.
  cpSync(join(installed, 'wasm'), join(folder, 'wasm'), { recursive: true });
  await checkFolder(folder);
});

const missing = existsSync(join(bundlers, 'node_modules')) ? false : 'bundlers are not installed';
const seldom = missing || (process.env.HLO_BUNDLERS === 'all' ? false : 'make bundlers runs it');

test('Rollup, with node-resolve', { skip: seldom }, async () => {
  const { rollup } = require('rollup');
  const resolve = require('@rollup/plugin-node-resolve');
  const folder = defaultProject('rollup');
  const bundle = await rollup({ input: join(folder, 'app.js'), plugins: [resolve()] });
  await bundle.write({ dir: join(folder, 'dist'), format: 'es' });
  // As esbuild does.
  cpSync(join(installed, 'wasm'), join(folder, 'dist/wasm'), { recursive: true });
  cpSync(join(folder, 'index.html'), join(folder, 'dist/index.html'));
  await checkFolder(join(folder, 'dist'));
});

test('webpack', { skip: missing }, async () => {
  const webpack = require('webpack');
  const folder = defaultProject('webpack');
  const output = folderWith('webpack/dist', 'main.js');
  const stats = await new Promise((resolve, reject) =>
    webpack(
      { mode: 'production', context: folder, entry: './app.js', output: { path: output } },
      (error, result) => (error ? reject(error) : resolve(result)),
    ),
  );
  assert.deepEqual(stats.toJson({ all: false, errors: true }).errors, []);
  await checkFolder(output);
});

/** Where a package of a bundler is that may not be asked for its package.json. */
const packageOf = (name) => join(bundlers, 'node_modules', name);

for (const [name, version] of [
  ['vite', 8],
  ['vite7', 7],
  ['vite6', 6],
])
  test(
    `Vite ${version}, development and build`,
    { skip: version === 8 ? missing : seldom },
    async () => {
      const vite = await import(pathToFileURL(join(packageOf(name), 'dist/node/index.js')).href);
      assert.equal(Number.parseInt(vite.version), version);
      const folder = defaultProject(name);
      // Only what a test needs: where it is, that it is silent, and headers for threads.
      const config = { root: folder, configFile: false, logLevel: 'silent' };
      const port = await freePort();
      const server = await vite.createServer({
        ...config,
        server: { host: '127.0.0.1', port, strictPort: true, headers: isolation, watch: null },
      });
      try {
        await server.listen();
        await check(`http://127.0.0.1:${port}/`);
      } finally {
        await server.close();
      }
      await vite.build(config);
      await checkFolder(join(folder, 'dist'));
    },
  );

test('Parcel 2, development and build', { skip: seldom }, async () => {
  const folder = defaultProject('parcel');
  symlinkSync(packageOf('@parcel'), join(folder, 'node_modules/@parcel')); // its configuration is looked for there
  const program = join(packageOf('parcel'), 'lib/bin.js');
  const env = { ...process.env, PARCEL_WORKERS: '0' };
  execFileSync(process.execPath, [program, 'build', 'index.html'], {
    cwd: folder,
    env,
    stdio: 'pipe',
  });
  await checkFolder(join(folder, 'dist'));
  const port = await freePort();
  const command = [process.execPath, program, 'index.html', '--port', String(port)];
  await checkServer(command, folder, port, /Built in/);
});

test('CommonJS in Node', () => {
  const code = `import('hlo-wasm').then(async ({ load }) => {
    const hlo = await load();
    console.log(hlo.add(hlo.array([1], 'f32'), 1).toNested()[0]);
  })`;
  writeFileSync(join(project, 'common.cjs'), code);
  const printed = execFileSync(process.execPath, ['common.cjs'], {
    cwd: project,
    encoding: 'utf8',
  });
  assert.equal(printed.trim(), '2');
});
