// Threads in pages: in one that may share memory, in its worker, in one that may not, and where they cannot start.
import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { after, before, test } from 'node:test';
import { isolation, openDemo, openPage } from './chromium.js';

const skip = availableParallelism() < 2 && 'there is one processor';
const policy = { 'content-security-policy': "worker-src 'none'" };
const servers = {};
before(async () => {
  servers.isolated = await openDemo(isolation);
  servers.plain = await openDemo();
  servers.withoutWorkers = await openDemo({ ...isolation, ...policy });
});
after(() => Promise.all(Object.values(servers).map((server) => server.close())));

/** Loads the engine twice in a page, computes with each, and compares. */
async function compute(server) {
  const { page, complaints } = await openPage(server, '/demo/shapes.html');
  const result = await page.evaluate(async () => {
    const { load } = await import(new URL('../web/index.js', location.href).href);
    const engines = [await load(), await load({ threads: 2 })];
    const outcomes = [];
    for (const hlo of engines) {
      const data = Float32Array.from({ length: 400 * 400 }, (_, i) => Math.sin(i));
      const x = hlo.array(data, { shape: [400, 400] });
      const chain = hlo.jit((a) => hlo.add(hlo.tanh(hlo.dot(a, a)), hlo.exp(hlo.mul(a, a))));
      let y = x;
      for (let i = 0; i < 10; i++) {
        y = chain(x);
        // Threads hear of the code meanwhile.
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      outcomes.push(String(y.toTypedArray()));
    }
    const { threads } = engines[1];
    engines[1].dispose();
    return { threads, ended: engines[1].threads, same: outcomes[0] === outcomes[1] };
  });
  return { ...result, complaints, page };
}

test('a page that is cross-origin isolated has threads', { skip }, async () => {
  const { threads, ended, same, complaints } = await compute(servers.isolated);
  assert.deepEqual(threads, { count: 2 });
  assert.match(ended.reason, /ended/);
  assert.ok(same);
  assert.deepEqual(complaints, []);
});

test('its worker has them, too', { skip }, async () => {
  const { page, complaints } = await openPage(servers.isolated, '/demo/shapes.html');
  const result = await page.evaluate(async () => {
    const { loadWorker } = await import(new URL('../web/worker/index.js', location.href).href);
    const hlo = await loadWorker({ threads: 2 });
    const x = await hlo.array(new Float32Array(300 * 300).fill(1), { shape: [300, 300] });
    const [first] = await (await hlo.dot(x, x)).toTypedArray();
    hlo.terminate();
    return { threads: hlo.threads, first };
  });
  assert.deepEqual(result, { threads: { count: 2 }, first: 300 });
  assert.deepEqual(complaints, []);
});

test('a page that is not says so, and computes', async () => {
  const { threads, same, complaints } = await compute(servers.plain);
  assert.equal(threads.count, 1);
  assert.match(threads.reason, /not cross-origin isolated.*Cross-Origin-Opener-Policy/);
  assert.ok(same);
  assert.deepEqual(complaints, []);
});

test('where no worker may start that is said', { skip }, async () => {
  const { threads, same } = await compute(servers.withoutWorkers);
  assert.equal(threads.count, 1);
  assert.match(threads.reason, /^the threads could not be started/);
  assert.ok(same);
});
