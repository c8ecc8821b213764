// Programs that JAX exported, run in Chromium from a page that knows nothing but the package's address.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openDemo, openPage } from './chromium.js';

let demo;
before(async () => (demo = await openDemo()));
after(() => demo?.close());

/** Runs in the page: gives the largest excess over the tolerance for each output. */
async function runExample(name) {
  const { load } = await import('/web/index.js');
  const folder = new URL(`/demo/examples/${name}/`, location.href);
  const read = (file) => fetch(new URL(file, folder));
  const bytes = async (file) => new Uint8Array(await (await read(file)).arrayBuffer());
  const { program, inputs, outputs } = await (await read('manifest.json')).json();
  const hlo = await load();
  const executable = hlo.compile(await (await read(program)).text());
  const arrays = await Promise.all(inputs.map(async ({ file }) => hlo.fromNpy(await bytes(file))));
  const results = executable.run(arrays);
  const excess = [];
  for (const [i, { file, tolerance }] of outputs.entries()) {
    const want = hlo.fromNpy(await bytes(file)).toTypedArray();
    const got = results[i].toTypedArray();
    const { abs = 0, rel = 0 } = tolerance;
    excess.push(
      Math.max(...Array.from(want, (w, at) => Math.abs(got[at] - w) - abs - rel * Math.abs(w))),
    );
  }
  return { build: hlo.build, excess };
}

for (const name of ['classifier', 'training'])
  test(`${name} agrees with JAX`, async () => {
    const { page, complaints } = await openPage(demo, '/demo/');
    await page.waitForSelector('body[data-ready]');
    const { build, excess } = await page.evaluate(runExample, name);
    assert.equal(build, 'relaxed-simd', 'this Chromium has relaxed SIMD');
    assert.ok(
      excess.length > 1 && excess.every((amount) => amount <= 0),
      `beyond the tolerance: ${excess}`,
    );
    assert.deepEqual(complaints, []);
    await page.close();
  });
