// The package as pages get it: packed, installed into scratch projects, as plain modules, under a strict policy, and
// through Vite (development and build), esbuild and webpack. The pages run it in themselves and in a worker.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isolation, openDemo } from './chromium.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const bundlers = join(root, 'tests/bundlers');
const require = createRequire(join(bundlers, 'package.json'));
const project = mkdtempSync(join(tmpdir(), 'hlo-wasm-bundlers-'));
const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'";
const contentTypes = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
};

let demo;
before(async () => {
  const run = (program, args, cwd) => execFileSync(program, args, { cwd, stdio: 'pipe' });
  run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', project], root);
  const [packed] = readdirSync(project).filter((name) => name.endsWith('.tgz'));
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  run(
    'npm',
    ['install', '--offline', '--no-audit', '--no-fund', '--silent', `./${packed}`],
    project,
  );
  cpSync(join(bundlers, 'app.js'), join(project, 'app.js'));
  demo = await openDemo();
});
after(async () => {
  await demo?.close();
  rmSync(project, { recursive: true, force: true });
});

/** Serves a folder; gives its address and a way to end. */
async function serve(folder, headers = {}) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const path = join(folder, pathname.endsWith('/') ? `${pathname}index.html` : pathname);
    if (!existsSync(path)) return void response.writeHead(404).end();
    const type = contentTypes[extname(path)] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': type, ...isolation, ...headers });
    createReadStream(path).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${server.address().port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A port that nobody listens on: Vite's page wants to know it beforehand. */
async function freePort() {
  const { address, close } = await serve(project);
  close();
  return Number(new URL(address).port);
}

/** Opens a page and waits until it shows the right numbers. */
async function check(address) {
  const page = await demo.browser.newPage();
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} ${message.location().url}`);
  });
  await page.goto(address);
  const output = await page
    .waitForSelector('output:not(:empty)', { timeout: 30000, state: 'attached' })
    .catch((error) => assert.fail(`${error.message}; ${complaints.join('; ')}`));
  const threads = availableParallelism() > 1 ? '2' : 'there is only one processor';
  assert.match(
    await output.textContent(),
    new RegExp(`^2,3 3,4 (simd|relaxed-simd), threads: ${threads}$`),
  );
  assert.deepEqual(
    complaints.filter((text) => !/favicon/.test(text)),
    [],
  );
  await page.close();
}

function folderWith(name, html) {
  const folder = join(project, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html><title>${name}</title><body>${html}</body>`,
  );
  return folder;
}

test('plain modules, under a strict policy, from a sub-path', async () => {
  const folder = folderWith('plain', '<script type="module" src="app.js"></script>');
  const web = '../node_modules/hlo-wasm/web';
  const plain = readFileSync(join(project, 'app.js'), 'utf8')
    .replace("'hlo-wasm'", `'${web}/index.js'`)
    .replace("'hlo-wasm/numpy'", `'${web}/numpy/index.js'`)
    .replace("'hlo-wasm/worker'", `'${web}/worker/index.js'`);
  writeFileSync(join(folder, 'app.js'), plain);
  const server = await serve(project, { 'content-security-policy': policy });
  try {
    await check(`${server.address}/plain/`);
  } finally {
    server.close();
  }
});

test('esbuild', async () => {
  const { build } = await import('esbuild');
  const folder = folderWith('esbuild', '<script type="module" src="app.js"></script>');
  // esbuild leaves new URL(…, import.meta.url) alone: the files go beside what it makes.
  const installed = join(project, 'node_modules/hlo-wasm/web');
  await build({
    entryPoints: {
      app: join(project, 'app.js'),
      worker: join(installed, 'worker/worker.js'),
      thread: join(installed, 'thread.js'),
    },
    bundle: true,
    format: 'esm',
    outdir: folder,
    logLevel: 'silent',
  });
  cpSync(join(installed, 'wasm'), join(folder, 'wasm'), { recursive: true });
  const server = await serve(folder);
  try {
    await check(`${server.address}/`);
  } finally {
    server.close();
  }
});

const missing = existsSync(join(bundlers, 'node_modules')) ? false : 'bundlers are not installed';

test('webpack', { skip: missing }, async () => {
  const webpack = require('webpack');
  const folder = folderWith('webpack', '<script type="module" src="app.js"></script>');
  const stats = await new Promise((resolve, reject) =>
    webpack(
      {
        mode: 'production',
        context: project,
        entry: { app: './app.js' },
        output: { path: folder, filename: '[name].js', publicPath: 'auto' },
        performance: false,
      },
      (error, result) => (error ? reject(error) : resolve(result)),
    ),
  );
  assert.deepEqual(stats.toJson({ all: false, errors: true, warnings: true }).errors, []);
  const server = await serve(folder);
  try {
    await check(`${server.address}/`);
  } finally {
    server.close();
  }
});

test('Vite, development and build', { skip: missing }, async () => {
  const vite = await import(pathToFileURL(require.resolve('vite')).href);
  const folder = folderWith('vite', '<script type="module" src="./app.js"></script>');
  cpSync(join(project, 'app.js'), join(folder, 'app.js'));
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
  const config = {
    root: folder,
    configFile: false,
    logLevel: 'silent',
    base: './',
    worker: { format: 'es' },
  };
  const port = await freePort();
  const server = await vite.createServer({
    ...config,
    server: {
      host: '127.0.0.1',
      port,
      strictPort: true,
      headers: isolation,
      fs: { strict: false },
      watch: null,
    },
    optimizeDeps: { exclude: ['hlo-wasm'] },
  });
  try {
    await server.listen();
    await check(`http://127.0.0.1:${port}/`);
  } finally {
    await server.close();
  }
  await vite.build({ ...config, build: { target: 'esnext' } });
  const built = await serve(join(folder, 'dist'));
  try {
    await check(`${built.address}/`);
  } finally {
    built.close();
  }
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
