// The worker client in a page: the page's thread stays free, buffers move, the console stays clean.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openDemo, openPage } from './chromium.js';

/** @type {Awaited<ReturnType<typeof openDemo>>} */
let demo;
before(async () => {
  demo = await openDemo();
});
after(() => demo.close());

test('computes off the main thread', async () => {
  const { page, complaints } = await openPage(demo, '/demo/');
  const result = await page.evaluate(async () => {
    const { loadWorker } = await import(new URL('../web/worker/index.js', location.href).href);
    const hlo = await loadWorker();
    const data = new Float32Array(512 * 512).fill(1);
    const x = await hlo.array(data, { shape: [512, 512], transfer: true });
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    let y = x;
    for (let i = 0; i < 10; i++) y = await hlo.mul(await hlo.dot(x, y), 1 / 512);
    clearInterval(timer);
    const sum = await (await hlo.reduce(y, 0, 'add')).toNested();
    hlo.terminate();
    return { sum, turns, left: data.length };
  });
  assert.equal(result.sum, 512 * 512);
  assert.equal(result.left, 0);
  assert.ok(result.turns > 0, 'the page went on meanwhile');
  assert.deepEqual(complaints, []);
});
