// Programs that are large in a page: a link to one that wants more memory than there is, one whose fast code is larger than
// what Chromium compiles at once on a page's main thread, and ones of so many instructions, inputs and results that a page shows
// a part of them.
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
    const run = () => executable.run([hlo.array(new Float32Array(4096).fill(0.5))])[0].item(0);
    const before = run();
    return { largest, isReady: await executable.ready, before, after: run() };
  });
  assert.ok(result.largest > 8 << 20, `${result.largest} bytes`);
  assert.equal(result.before, result.after);
  assert.deepEqual(complaints, []);
});

const MOST_NODES = 4000; // of a page, whatever program it shows

/** Replaces the program by one that is pasted. @param {import('playwright-core').Page} page @param {string} text */
async function paste(page, text) {
  await page.getByLabel('Program text').click();
  await page.keyboard.press('Control+A');
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  }, text);
}

/** Sums one behind the other. @param {number} count */
function chain(count) {
  const lines = Array.from(
    { length: count },
    (_, i) => `v${i} = f32[2] add(${i === 0 ? 'p' : `v${i - 1}`}, p)`,
  );
  lines[count - 1] = `ROOT ${lines[count - 1]}`;
  return `ENTRY e {\n  p = f32[2] parameter(0)\n  ${lines.join('\n  ')}\n}`;
}

/** A tuple of all parameters. @param {number} count */
function bundle(count) {
  const names = Array.from({ length: count }, (_, i) => `p${i}`);
  const lines = names.map((name, i) => `${name} = f32[] parameter(${i})`);
  const shapes = names.map(() => 'f32[]').join(', ');
  return `ENTRY e {\n  ${lines.join('\n  ')}\n  ROOT t = (${shapes}) tuple(${names.join(', ')})\n}`;
}

/** @param {import('playwright-core').Page} page */
const nodesOf = (page) => page.evaluate(() => document.querySelectorAll('*').length);

/** The stepper with a program. @param {string} program */
async function openStepper(program) {
  const { page, complaints } = await openPage(demo, '/demo/stepper.html');
  await page.waitForSelector('body[data-ready]');
  const isIdle = () => page.waitForSelector('#main:not([aria-busy])', { timeout: 120000 });
  const press = async (/** @type {string} */ name) => {
    await page.getByRole('button', { name, exact: true }).click();
    await isIdle();
  };
  await page.getByText('Program text').click();
  await paste(page, program);
  await isIdle();
  await page.getByText('Program text').click();
  const list = page.locator('.list');
  const scrollTo = (/** @type {number} */ share) =>
    list.evaluate((view, share) => {
      view.scrollTop = share * view.scrollHeight;
    }, share);
  const current = () => page.locator('#instructions .current').getAttribute('data-name');
  return { page, complaints, press, scrollTo, current };
}

test('the stepper goes through 20,000 instructions, of which few are in the page', async () => {
  const { page, complaints, press, scrollTo, current } = await openStepper(chain(20000));
  assert.ok((await nodesOf(page)) < MOST_NODES);
  assert.equal(await current(), 'p');
  await scrollTo(0.5);
  const breakpoint = page.getByRole('button', { name: 'breakpoint at v10000', exact: true });
  await breakpoint.click();
  await scrollTo(0);
  await page.getByRole('button', { name: 'breakpoint at p', exact: true }).focus();
  await breakpoint.waitFor({ state: 'detached' });
  await press('Step');
  await press('Run');
  const row = page.locator('#instructions .current');
  assert.equal(await current(), 'v10000');
  assert.equal(await breakpoint.getAttribute('aria-pressed'), 'true');
  for (const [name, value] of [
    ['aria-posinset', '10002'],
    ['aria-setsize', '20001'],
    ['aria-current', 'step'],
  ])
    assert.equal(await row.getAttribute(name), value, name);
  const [box, view] = [await row.boundingBox(), await page.locator('.list').boundingBox()];
  const isSeen = box && view && box.y >= view.y && box.y + box.height <= view.y + view.height + 1;
  assert.ok(isSeen, `${JSON.stringify(box)} in ${JSON.stringify(view)}`);

  assert.equal(await page.locator('#graph .current').getAttribute('data-name'), 'v10000');
  assert.match(
    (await page.getByRole('img').getAttribute('aria-label')) ?? '',
    /around v10000: \d+ of 20001/,
  );
  assert.ok((await page.locator('#graph .cut').allTextContents()).includes('… 1 more'));
  await page.locator('#graph [data-name=p]').click(); // in which nothing but the graph's middle changes
  assert.match((await page.textContent('#value')) ?? '', /^p: f32\[2\]/);
  assert.equal(await current(), 'v10000');

  await press('Back');
  assert.equal(await current(), 'v9999');
  assert.equal(await page.locator('#graph .current').getAttribute('data-name'), 'v9999');
  await press('Step');
  await press('Run');
  assert.match((await page.textContent('#where')) ?? '', /done/);
  await press('Back');
  assert.equal(await current(), 'v19999');
  assert.ok((await nodesOf(page)) < MOST_NODES);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('keys go through a long list, which keeps the focus when it is scrolled', async () => {
  const { page, complaints, press, scrollTo } = await openStepper(chain(5000));
  const focused = () =>
    page.evaluate(() => {
      const { activeElement: button } = document;
      return `${button?.closest('li')?.dataset.name} ${button?.getAttribute('aria-label') ?? ''}`;
    });
  await page.getByRole('button', { name: 'Restart' }).focus();
  await page.keyboard.press('Tab');
  assert.equal(await focused(), 'p breakpoint at p');
  for (const [key, name] of [
    ['ArrowDown', 'v0'],
    ['End', 'v4999'],
    ['ArrowUp', 'v4998'],
    ['ArrowUp', 'v4997'],
  ]) {
    await page.keyboard.press(key);
    assert.equal(await focused(), `${name} breakpoint at ${name}`);
  }
  await page.keyboard.press('Space');
  await scrollTo(0);
  await page.locator('#instructions [data-name=v2]').waitFor();
  assert.equal(await focused(), 'v4997 breakpoint at v4997');
  await page.keyboard.press('Tab');
  assert.equal(await focused(), 'v4997 '); // its second button
  await page.keyboard.press('Home');
  assert.equal(await focused(), 'p ');
  await page.keyboard.press('PageDown');
  assert.match(await focused(), /^v\d+ $/);
  await page.keyboard.press('r');
  await page.waitForSelector('#instructions [data-name=v4997].current');
  await press('Step');
  assert.equal(await page.locator('#instructions .current').getAttribute('data-name'), 'v4998');
  assert.deepEqual(complaints, []);
  await page.close();
});

/** How many changes of the page a step in the middle makes, on average. @param {number} count instructions */
async function changesOfSteps(count) {
  const { page, press } = await openStepper(chain(count));
  for (let i = 0; i < 5; i++) await press('Step');
  await page.evaluate(() => {
    const all = Object.assign(window, { changes: 0 });
    new MutationObserver((records) => (all.changes += records.length)).observe(document.body, {
      subtree: true,
      childList: true,
      attributes: true,
      characterData: true,
    });
  });
  for (let i = 0; i < 20; i++) await press('Step');
  const changes = await page.evaluate(() => Reflect.get(window, 'changes'));
  await page.close();
  return changes;
}

test('a step changes as much of the page in a large program as in a small one', async () => {
  const [small, large] = [await changesOfSteps(400), await changesOfSteps(8000)];
  assert.ok(large < 1.2 * small, `${small} and ${large} changes`);
});

test('of 20,000 arrays of a value some are shown, and more when one asks', async () => {
  const { page, complaints, press } = await openStepper(bundle(20000));
  await press('Run');
  const figures = page.locator('#value figure');
  assert.equal(await figures.count(), 100);
  const more = page.getByRole('button', { name: /more$/ });
  assert.equal(await more.textContent(), '… 19,900 more');
  await more.click();
  assert.equal(await figures.count(), 200);
  assert.match((await figures.nth(150).textContent()) ?? '', /^t, part 150: f32\[\]/);
  assert.equal(
    await page.evaluate(() => document.activeElement?.querySelector('figcaption')?.textContent),
    't, part 100: f32[]',
  );
  assert.deepEqual(complaints, []);
  await page.close();
});

test('the playground shows parts of long texts, and of 20,000 inputs and results', async () => {
  const { page, complaints } = await openPage(demo, '/demo/');
  await page.waitForSelector('body[data-ready]');
  const run = async (/** @type {string} */ program) => {
    await paste(page, program);
    const runs = await page.evaluate(() => document.body.dataset.runs);
    await page.keyboard.press('Control+Enter');
    await page.waitForFunction((runs) => document.body.dataset.runs !== runs, runs);
  };
  await run(chain(20000));
  for (const name of ['HLO', 'StableHLO', 'Optimized']) {
    await page.getByRole('tab', { name, exact: true }).click();
    const text = page.locator('[role=tabpanel]:not([hidden]) .cm-content');
    await text.click();
    await page.keyboard.press('Control+End');
    await page.waitForFunction(() => /}$/.test(document.activeElement?.textContent ?? ''));
    assert.ok((await nodesOf(page)) < MOST_NODES, name);
  }
  assert.equal(new URL(page.url()).hash.includes('program='), false); // links stay short
  await run(bundle(20000));
  await page.getByRole('tab', { name: 'Values' }).click();
  assert.equal(await page.locator('#values figure').count(), 200); // of 20,000 results and of as many inputs
  assert.deepEqual(await page.locator('#values > button').allTextContents(), [
    '… 19,900 more',
    '… 19,900 more',
  ]);
  assert.equal(await page.locator('#inputs .input').count(), 100);
  assert.equal(await page.textContent('#inputs > button'), '… 19,900 more');
  assert.ok((await nodesOf(page)) < MOST_NODES);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('the indexing page draws some of 20,000 arrays, and others when one asks', async () => {
  const { page, complaints } = await openPage(demo, '/demo/indexing.html#reach=all');
  await page.waitForSelector('body[data-ready]');
  await paste(page, chain(20000));
  await page.waitForFunction(() =>
    /v19999/.test(document.querySelector('#arrays')?.textContent ?? ''),
  );
  const figures = page.locator('#arrays figure');
  const count = await figures.count();
  assert.ok(count > 2 && count < 100, `${count} figures`);
  assert.match((await page.textContent('#part')) ?? '', /^Arrays 1 to \d+ of 20000$/);
  assert.ok((await nodesOf(page)) < MOST_NODES);
  const first = await figures.first().textContent();
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  assert.notEqual(await figures.first().textContent(), first);
  await figures.first().locator('.cell').first().hover();
  assert.match(
    (await page.textContent('#told')) ?? '',
    /goes into 1 element of the result: v19999/,
  );
  assert.equal(await figures.count(), count);
  assert.deepEqual(complaints, []);
  await page.close();
});
