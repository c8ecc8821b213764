// Programs that are large in a page: a link to one that wants more memory than there is, and one whose fast code is larger than
// what Chromium compiles at once on a page's main thread.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openDemo, openPage } from './chromium.js';

/** @type {Awaited<ReturnType<typeof openDemo>>} */
let demo;
before(async () => {
  demo = await openDemo();
});
after(() => demo.close());

for (const [path, shape] of [
  ['/demo/', 'f32[1024,1024,1024]'],
  ['/demo/', 'u8[1500000000]'],
  ['/demo/stepper.html', 'f32[1024,1024,1024]'],
])
  test(`${path} says that ${shape} is too much`, async () => {
    const program = `ENTRY e { p = ${shape} parameter(0) ROOT r = ${shape} add(p, p) }`;
    const { page, complaints } = await openPage(
      demo,
      `${path}#${new URLSearchParams({ program }).toString()}`,
    );
    await page.waitForSelector('#error:not([hidden])', { timeout: 20000 });
    assert.match(await page.textContent('#error'), /needs \S+ GB of memory.*nothing was run/);
    assert.deepEqual(complaints, []);
    await page.close();
  });

test('fast code of more than 8 MB comes later, and nothing is thrown', async () => {
  const { page, complaints } = await openPage(demo, '/demo/shapes.html');
  const result = await page.evaluate(async () => {
    const { load } = await import(new URL('../web/index.js', location.href).href);
    const hlo = await load();
    const compile = WebAssembly.compile;
    let largest = 0;
    WebAssembly.compile = (bytes) => {
      largest = Math.max(largest, bytes.byteLength);
      return compile(bytes);
    };
    const lines = ['%p = f32[4096] parameter(0)'];
    for (let i = 0; i < 36000; i++) {
      const last = i === 0 ? '%p' : `%v${i - 1}`;
      lines.push(`%v${i} = f32[4096] ${['sine', 'tanh', 'logistic'][i % 3]}(${last})`);
    }
    lines[lines.length - 1] = `ROOT ${lines.at(-1)}`;
    const executable = hlo.compile(`ENTRY e {\n${lines.join('\n')}\n}`);
    const run = () => executable.run([hlo.array(new Float32Array(4096).fill(0.5))])[0].at(0);
    const before = run();
    return { largest, isReady: await executable.ready, before, after: run() };
  });
  assert.ok(result.largest > 8 << 20, `${result.largest} bytes`);
  assert.equal(result.before, result.after);
  assert.deepEqual(complaints, []);
});
