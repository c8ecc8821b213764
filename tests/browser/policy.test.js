// A page whose Content-Security-Policy allows no WebAssembly: the engine cannot run there, and says why.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openDemo } from './chromium.js';

/** @type {Awaited<ReturnType<typeof openDemo>>} */
let demo;
before(async () => {
  demo = await openDemo({ 'content-security-policy': "default-src 'self'" });
});
after(() => demo.close());

for (const options of [{}, { threads: true }])
  test(`load(${JSON.stringify(options)}) names what the policy lacks`, async () => {
    const page = await demo.browser.newPage();
    await page.goto(`${demo.address}/web/index.js`);
    const error = await page.evaluate(async (options) => {
      const { load } = await import(new URL('/web/index.js', location.href).href);
      return load(options).then(
        () => 'loaded',
        (error) => ({ name: error.name, code: error.code, message: error.message }),
      );
    }, options);
    assert.equal(error.name, 'HloError');
    assert.equal(error.code, 'unsupported');
    assert.match(
      error.message,
      /Content-Security-Policy allows no WebAssembly: add 'wasm-unsafe-eval'/,
    );
    await page.close();
  });
