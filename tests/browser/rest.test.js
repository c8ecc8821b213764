// The engine's later files in pages and workers: they come in the background; at once when it is needed before, also while a
// slow server is sending it; beforehand where nothing can be had at once; and when it is missing, the engine says so.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname } from 'node:path';
import { after, before, test } from 'node:test';
import { openBrowser } from './chromium.js';

const root = new URL('../../', import.meta.url);
const contentTypes = { '.js': 'text/javascript', '.wasm': 'application/wasm' };
const waiting = [];
let server, browser, address;

/** Below /missing/ there is no last file, below /slow/ it stays half of itself the first time that it is asked for. */
async function answer({ url }, response) {
  const [, how, path] = /^\/(\w+)\/(.*)$/.exec(url) ?? [];
  if (path === '') {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!doctype html><title>page</title>');
    return;
  }
  const isRest = path?.endsWith('-rest.wasm');
  if (!path?.startsWith('web/') || (isRest && how === 'missing')) {
    response.writeHead(404).end();
    return;
  }
  const body = await readFile(new URL(path, root));
  response.writeHead(200, { 'content-type': contentTypes[extname(path)] ?? 'text/plain' });
  if (!isRest || how !== 'slow' || waiting.length > 0) response.end(body);
  else {
    waiting.push(response);
    response.write(body.subarray(0, body.length / 2));
  }
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

test('they come in the background', async () => {
  const result = await inPage('plain', async () => {
    const { load } = await import(new URL('web/index.js', location.href).href);
    const compile = WebAssembly.compileStreaming;
    const compiled = [];
    WebAssembly.compileStreaming = (response) => {
      compiled.push(compile(response));
      return compiled.at(-1);
    };
    const hlo = await load();
    const atLoad = compiled.length;
    const sum = hlo.add(hlo.array([1, 2], 'f32'), 1).toNested();
    const pause = () => new Promise((resolve) => setTimeout(resolve, 5));
    for (let i = 0; i < 1000 && compiled.length < 4; i++) await pause();
    await compiled[3]; // the last file
    await pause();
    delete globalThis.XMLHttpRequest; // nothing can be had at once any more
    return { atLoad, sum, simplified: hlo.simplifyMap('(d0) -> (d0)') };
  });
  assert.equal(result.atLoad, 1);
  assert.deepEqual(result.sum, [2, 3]);
  assert.match(result.simplified, /\(d0\) -> \(d0\)/);
});

test('what is needed before it came, comes at once', async () => {
  const text = await inPage('plain', async () => {
    const { load } = await import(new URL('web/index.js', location.href).href);
    return (await load()).simplifyMap('(d0) -> (d0)');
  });
  assert.match(text, /\(d0\) -> \(d0\)/);
});

test('the second file, too, which makes large programs fast', async () => {
  const sums = await inPage('plain', async () => {
    const { load } = await import(new URL('web/index.js', location.href).href);
    const hlo = await load();
    const double = hlo.jit((x) => hlo.reduce(hlo.add(x, x), 0, 'add', [0]));
    return double(hlo.array(new Float32Array(4096).fill(1))).toNested();
  });
  assert.equal(sums, 8192);
});

test('also while the server is sending it', async () => {
  const text = await inPage('slow', async () => {
    const { load } = await import(new URL('web/index.js', location.href).href);
    const hlo = await load();
    await new Promise((resolve) => setTimeout(resolve, 300)); // half of it is there
    return hlo.simplifyMap('(d0) -> (d0)');
  });
  assert.equal(waiting.length, 1);
  assert.match(text, /\(d0\) -> \(d0\)/);
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

test('beforehand where nothing is to be had at once', async () => {
  const text = await inPage('plain', async () => {
    delete globalThis.XMLHttpRequest;
    const { load } = await import(new URL('web/index.js', location.href).href);
    return (await load()).simplifyMap('(d0) -> (d0)');
  });
  assert.match(text, /\(d0\) -> \(d0\)/);
});

test('without it the engine says so, and goes on', async () => {
  for (const inWorker of [false, true]) {
    const { errors, sum } = await inPage(
      'missing',
      async (inWorker) => {
        const { load } = await import(new URL('web/index.js', location.href).href);
        const { loadWorker } = await import(new URL('web/worker/index.js', location.href).href);
        const hlo = inWorker ? await loadWorker() : await load();
        const errors = [];
        for (let i = 0; i < 3; i++) {
          try {
            await hlo.simplifyMap('(d0) -> (d0)');
          } catch ({ name, code, message }) {
            errors.push({ name, code, message });
          }
        }
        const x = await hlo.array([1, 2], 'f32');
        return { errors, sum: await (await hlo.add(x, x)).toNested() };
      },
      inWorker,
    );
    assert.equal(errors.length, 3);
    for (const { name, code, message } of errors) {
      assert.equal(name, 'HloError');
      assert.equal(code, 'not loaded');
      assert.match(
        message,
        /http:.*\/missing\/web\/wasm\/hlo.*-rest\.wasm: the server answered 404/,
      );
    }
    assert.deepEqual(sum, [2, 4]);
  }
});
