// Every page of the playground, light and dark: axe-core finds nothing wrong (names, roles, contrast, structure), the
// keyboard reaches what there is in order, the console stays clean, and a page is usable within a second.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { openDemo, openPage } from './chromium.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let demo;
let paths;
before(async () => {
  demo = await openDemo();
  const { page } = await openPage(demo, '/demo/');
  await page.waitForSelector('body[data-ready]');
  paths = await page
    .locator('nav[aria-label=Pages] a')
    .evaluateAll((links) => links.map((link) => new URL(link.href).pathname));
  await page.close();
});
after(() => demo?.close());

test('all pages, light and dark', async () => {
  assert.ok(paths.length >= 6);
  const problems = [];
  for (const colorScheme of ['light', 'dark'])
    for (const path of paths) {
      const { page, complaints } = await openPage(demo, path, { colorScheme });
      await page.waitForSelector('body[data-ready]');
      await page.evaluate(axe);
      const violations = await page.evaluate(async () => {
        // The editor scrolls its text, which has the focus itself.
        const context = { exclude: ['.cm-scroller'] };
        const result = await window.axe.run(context, { resultTypes: ['violations'] });
        return result.violations.map(
          ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).slice(0, 3)}`,
        );
      });
      problems.push(
        ...[...violations, ...complaints].map((text) => `${path}, ${colorScheme}: ${text}`),
      );
      await page.close();
    }
  assert.deepEqual(problems, []);
});

test('the keyboard goes from the skip link over the pages into the page', async () => {
  const { page } = await openPage(demo, paths[0]);
  await page.waitForSelector('body[data-ready]');
  await page.evaluate(() => document.activeElement?.blur());
  const reached = [];
  for (let i = 0; i < 3 + paths.length; i++) {
    await page.keyboard.press('Tab');
    reached.push(
      await page.evaluate(() => document.activeElement?.textContent?.trim().slice(0, 20)),
    );
  }
  assert.equal(reached[0], 'Skip to the page');
  assert.equal(reached[1], 'hlo-wasm');
  assert.equal(reached[2], 'Programs');
  assert.equal(reached[1 + paths.length], 'Reference');
  await page.close();
});

test('nothing moves while a page is built, and no page is wider than a phone', async () => {
  const problems = [];
  for (const path of paths) {
    const page = await demo.browser.newPage({ viewport: { width: 390, height: 844 } });
    await page.addInitScript(() => {
      window.shift = 0;
      new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) window.shift += value;
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await page.goto(demo.address + path);
    await page.waitForSelector('body[data-ready]');
    await page.waitForTimeout(200);
    const { shift, width } = await page.evaluate(() => ({
      shift: window.shift,
      width: document.documentElement.scrollWidth,
    }));
    if (shift > 0.1 || width > 390) problems.push(`${path}: shift ${shift}, width ${width}`);
    await page.close();
  }
  assert.deepEqual(problems, []);
});

test('pages of columns fill the window, however wide it is, and no more', async () => {
  const problems = [];
  for (const path of paths)
    for (const width of [720, 850, 920, 1100, 1280]) {
      const page = await demo.browser.newPage({ viewport: { width, height: 700 } });
      await page.goto(demo.address + path);
      await page.waitForSelector('body[data-ready]');
      const height = await page.evaluate(() => {
        const isOfColumns = innerWidth > 900 ? 'main:is(.halves, .listed)' : 'main.listed';
        return document.querySelector(isOfColumns) && document.documentElement.scrollHeight;
      });
      if (height !== null && height !== 700) problems.push(`${path} at ${width}: ${height}`);
      await page.close();
    }
  assert.deepEqual(problems, []);
});

test('a page whose engine does not load says so', async () => {
  const page = await demo.browser.newPage();
  await page.route('**/*.wasm', (route) => route.fulfill({ status: 404, body: 'not found' }));
  await page.goto(`${demo.address}/demo/shapes.html`);
  assert.match(await page.getByRole('alert').textContent(), /The engine cannot be loaded: .*wasm/);
  await page.close();
});

test('the reference tells every class and operation', async () => {
  const { page } = await openPage(demo, '/demo/reference.html');
  await page.waitForSelector('body[data-ready]');
  const titles = await page.locator('main h2').allTextContents();
  for (const title of ['load', 'Hlo', 'Operations', 'HloArray', 'Executable', 'np'])
    assert.ok(titles.includes(title), title);
  assert.ok((await page.locator('dl.reference dt').count()) > 300);
  await page.close();
});
