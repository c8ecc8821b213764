// The package as npm packs it, folders that are served, and pages that show what it computes there (tests/bundlers/app.js): for the tests of
// bundlers and of generated projects.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createReadStream, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { availableParallelism, tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isolation, openDemo } from './chromium.js';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const bundlers = join(root, 'tests/bundlers');
/** A folder for this process, which holds the packed package. */
export const project = mkdtempSync(join(tmpdir(), 'hlo-wasm-bundlers-'));
const contentTypes = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** Runs a program; what it prints is shown only if it fails. @returns {string} */
export function run(program, args, cwd, env = {}) {
  try {
    return execFileSync(program, args, {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
      env: { ...process.env, ...env },
    });
  } catch (error) {
    throw new Error(`${program} ${args.join(' ')}: ${error.stdout}\n${error.stderr}`);
  }
}

/**
 * Starts a development server and checks its page, which has not the headers for threads.
 * @param {string[]} command
 * @param {string} cwd
 * @param {number} port
 * @param {RegExp} ready what it prints when it answers
 */
export async function checkServer([program, ...args], cwd, port, ready) {
  const server = spawn(program, args, { cwd, stdio: 'pipe', detached: true });
  let printed = '';
  try {
    await new Promise((resolve, reject) => {
      const read = (text) => {
        printed += text;
        if (ready.test(printed)) resolve(undefined);
      };
      server.stdout.on('data', read);
      server.stderr.on('data', read);
      server.on('exit', () => reject(new Error(`${program} ended: ${printed}`)));
    });
    await check(`http://localhost:${port}/`, { isolated: false });
  } finally {
    process.kill(-server.pid); // with what it started
  }
}

/** Packs the package. @returns {string} the path of the file */
export function pack() {
  run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', project], root);
  return join(
    project,
    readdirSync(project).find((name) => name.endsWith('.tgz')),
  );
}

let demo;
before(async () => {
  demo = await openDemo();
});
after(async () => {
  await demo?.close();
  rmSync(project, { recursive: true, force: true });
});

/** Serves a folder; gives its address and a way to end. */
export async function serve(folder, headers = {}) {
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
export async function freePort() {
  const { address, close } = await serve(project);
  close();
  return Number(new URL(address).port);
}

/** Opens a page and gives what it shows, and what stands in its console. */
export async function shown(address) {
  const page = await demo.browser.newPage();
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} ${message.location().url}`);
  });
  await page.goto(address);
  const output = await page
    .waitForSelector('output:not(:empty)', { timeout: 60000, state: 'attached' })
    .catch((error) => assert.fail(`${error.message}; ${complaints.join('; ')}`));
  const text = await output.textContent();
  await page.close();
  return { text, complaints: complaints.filter((text) => !/favicon/.test(text)) };
}

/**
 * Opens a page and waits until it shows the right numbers.
 * @param {string} address
 * @param {{ isolated?: boolean }} [how] isolated: the server sends the headers that threads need
 */
export async function check(address, { isolated = true } = {}) {
  const { text, complaints } = await shown(address);
  const threads = isolated
    ? availableParallelism() > 1
      ? '2'
      : 'there is only one processor'
    : 'the page is not cross-origin isolated.*';
  assert.match(
    text,
    new RegExp(`^2,3 3,4 (simd|relaxed-simd), threads: ${threads}, ${threads}$`),
    complaints.join('; '),
  );
  assert.deepEqual(complaints, []);
}

/** The same of a folder, served. */
export async function checkFolder(folder, path = '/', headers = {}) {
  const server = await serve(folder, headers);
  try {
    await check(`${server.address}${path}`);
  } finally {
    server.close();
  }
}
