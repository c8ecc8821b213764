// The engine's files in pages and workers: load() asks for all of them at once, compiles them while they come, and resolves
// when they are there, so that nothing ever waits in a call; it fails when one is missing, unless it was to be left out.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname } from 'node:path';
import { after, before, test } from 'node:test';
import { openBrowser } from './chromium.js';

const root = new URL('../../', import.meta.url);
const contentTypes = { '.js': 'text/javascript', '.wasm': 'application/wasm' };
/** What has been asked for below /slow/. */
const asked = [];
/** Sends the second half of the last file. @type {(() => void) | undefined} */
let sendHalf;
let server, browser, address;

/** Below /missing/ there is no last file, below /slow/ it comes in two halves, the second when all have been asked for. */
async function answer({ url }, response) {
  const [, how, path] = /^\/(\w+)\/(.*)$/.exec(url) ?? [];
  if (path === '') {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!doctype html><title>page</title>');
    return;
  }
  const isExtras = path?.endsWith('-extras.wasm');
  if (!path?.startsWith('web/') || (isExtras && how === 'missing')) {
    response.writeHead(404).end();
    return;
  }
  const body = await readFile(new URL(path, root));
  response.writeHead(200, { 'content-type': contentTypes[extname(path)] ?? 'text/plain' });
  if (how !== 'slow' || !path.endsWith('.wasm')) return void response.end(body);
  asked.push(path);
  if (isExtras) {
    response.write(body.subarray(0, body.length / 2));
    sendHalf = () => response.end(body.subarray(body.length / 2));
  } else response.end(body);
  if (asked.length === 3) setTimeout(() => sendHalf?.(), 300);
}

before(async () => {
  server = createServer(answer);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${server.address().port}`;
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  server.closeAllConnections();
  server.close();
});

/** Runs a function with its argument in a page of that kind of server; gives what it returns. */
async function inPage(how, body, argument) {
  const page = await browser.newPage();
  const errors = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(`${address}/${how}/`);
  const result = await page.evaluate(body, argument);
  await page.close();
  assert.deepEqual(errors, []);
  return result;
}

test('all are asked for at once, and are there when load() resolves', async () => {
  const result = await inPage('slow', async () => {
    const { load } = await import(new URL('web/index.js', location.href).href);
    const compile = WebAssembly.compileStreaming;
    let compiled = 0;
    WebAssembly.compileStreaming = (response) => compile(response).finally(() => compiled++);
    // Nothing can be had at once, nor asked for later.
    globalThis.XMLHttpRequest = undefined;
    let turns = 0;
    const timer = setInterval(() => turns++, 10);
    const hlo = await load();
    clearInterval(timer);
    globalThis.fetch = undefined;
    const x = hlo.array([1, 2], 'f32');
    const double = hlo.jit((x) => hlo.reduce(hlo.add(x, x), 0, 'add', [0]));
    return {
      compiled,
      turns,
      text: String(x),
      simplified: hlo.simplifyMap('(d0) -> (d0)'),
      sum: double(hlo.array(new Float32Array(4096).fill(1))).toNested(),
      program: hlo.parse('ENTRY e { ROOT p = f32[] parameter(0) }').print('stablehlo'),
    };
  });
  assert.equal(asked.length, 3);
  assert.equal(result.compiled, 3);
  assert.ok(result.turns > 5, 'the page went on meanwhile');
  assert.equal(result.text, 'f32[2] {1, 2}');
  assert.match(result.simplified, /\(d0\) -> \(d0\)/);
  assert.equal(result.sum, 8192);
  assert.match(result.program, /stablehlo|func.func/);
});

test('no source has a request that waits', async () => {
  for (const name of await readdir(new URL('web/', root), { recursive: true }))
    if (name.endsWith('.js'))
      assert.doesNotMatch(String(await readFile(new URL(`web/${name}`, root))), /XMLHttpRequest/);
});

test('parts are added later', async () => {
  const result = await inPage('plain', async () => {
    const { load } = await import(new URL('web/index.js', location.href).href);
    const { loadWorker } = await import(new URL('web/worker/index.js', location.href).href);
    const texts = [];
    for (const hlo of [await load({ parts: 'arrays' }), await loadWorker({ parts: 'arrays' })]) {
      await hlo.add(['programs', 'extras']);
      texts.push(await hlo.simplifyMap('(d0) -> (d0)'));
      hlo.terminate?.();
    }
    return texts;
  });
  assert.equal(result.length, 2);
  for (const text of result) assert.match(text, /\(d0\) -> \(d0\)/);
});

test('in a worker', async () => {
  const texts = await inPage('plain', async () => {
    const { loadWorker } = await import(new URL('web/worker/index.js', location.href).href);
    const far = await loadWorker();
    const text = await far.simplifyMap('(d0) -> (d0)');
    far.terminate();
    return text;
  });
  assert.match(texts, /\(d0\) -> \(d0\)/);
});

for (const inWorker of [false, true]) {
  const where = inWorker ? 'in a worker' : 'in a page';
  test(`${where}, a missing file fails the load`, async () => {
    const { name, code, message } = await inPage('missing', attempt, { inWorker });
    assert.deepEqual([name, code], ['HloError', 'not loaded']);
    assert.match(
      message,
      /http:.*\/missing\/web\/wasm\/hlo.*-extras\.wasm: the server answered 404/,
    );
  });

  test(`${where}, it can be left out`, async () => {
    const options = { parts: ['arrays', 'programs'] };
    const { errors, sum } = await inPage('missing', attempt, { inWorker, options });
    assert.equal(errors.length, 3);
    for (const { name, code, message } of errors) {
      assert.deepEqual([name, code], ['HloError', 'not loaded']);
      assert.match(message, /"extras".*hlo\.add\('extras'\)/);
    }
    assert.deepEqual(sum, [2, 4]);
  });
}

/** Loads the engine, and asks for something that is in extras, again and again. */
async function attempt({ inWorker, options }) {
  const { load } = await import(new URL('web/index.js', location.href).href);
  const { loadWorker } = await import(new URL('web/worker/index.js', location.href).href);
  const described = ({ name, code, message }) => ({ name, code, message });
  let hlo;
  try {
    hlo = inWorker ? await loadWorker(options) : await load(options);
  } catch (error) {
    return described(error);
  }
  const errors = [];
  for (let i = 0; i < 3; i++) {
    try {
      await hlo.simplifyMap('(d0) -> (d0)');
    } catch (error) {
      errors.push(described(error));
    }
  }
  const x = await hlo.array([1, 2], 'f32');
  return { errors, sum: await (await hlo.add(x, x)).toNested() };
}
