// The page on indexing maps, by keys and pointer: elements light up both ways, through fusions, with the engine's maps.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openDemo, openPage } from './chromium.js';

let demo, page, complaints;

before(async () => {
  demo = await openDemo();
  ({ page, complaints } = await openPage(demo, '/demo/indexing.html'));
  await page.waitForSelector('body[data-ready]');
});
after(() => demo?.close());

const related = () =>
  page.locator('#arrays .related').evaluateAll((cells) => cells.map((cell) => cell.title));
const point = (title) => page.locator(`#arrays .cell[title="${title}"]`).hover();

test('a result of a fusion shows both elements that it needs, and back', async () => {
  await point('fusion[1,2]');
  assert.deepEqual(await related(), ['p[1,2]', 'p[2,1]']);
  assert.match(await page.textContent('#told'), /computed from 2 elements/);
  await page.locator('#arrays .cell[title="p[3,0]"]').focus();
  assert.deepEqual(await related(), ['fusion[0,3]', 'fusion[3,0]']);
  assert.match(await page.textContent('#maps'), /operand id = 0/);
});

test('arrow keys move over the elements, Tab over the arrays', async () => {
  await page.locator('#arrays .cell[title="p[0,0]"]').focus();
  for (const key of ['ArrowRight', 'ArrowDown', 'ArrowRight', 'End', 'ArrowLeft'])
    await page.keyboard.press(key);
  assert.equal(
    await page.textContent('#told'),
    'p[1,2] goes into 2 elements of the result: fusion[1,2], fusion[2,1].',
  );
  await page.keyboard.press('Tab');
  assert.match(await page.textContent('#told'), /^fusion\[0,0\] is computed from 1 element/);
});

test('a dot needs a row and a column', async () => {
  await page.getByLabel('Example').selectOption('Dot');
  await point('c[2,1]');
  assert.deepEqual(await related(), [
    ...[0, 1, 2, 3, 4].map((k) => `a[2,${k}]`),
    ...[0, 1, 2, 3, 4].map((k) => `b[${k},1]`),
  ]);
});

test('through a whole program to its parameters', async () => {
  await page.getByLabel('Example').selectOption('Softmax');
  await page.locator('#reach').selectOption('the parameters');
  await point('y[1,3]');
  assert.deepEqual(
    await related(),
    [0, 1, 2, 3, 4].map((c) => `x[1,${c}]`),
  );
  await page.locator('#instruction').selectOption('top');
  await point('top[2]');
  assert.equal((await related()).length, 5);
});

test('elements of arrays that are too large to draw have names', async () => {
  await page.locator('#reach').selectOption('its operands');
  await page.getByLabel('Program text').click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(
    'ENTRY e { x = f32[30,30] parameter(0)  ROOT y = f32[2,1] slice(x), slice={[2:4], [7:8]} }',
  );
  await point('y[1,0]');
  assert.equal(await page.textContent('#told'), 'y[1,0] is computed from 1 element: x[3,7].');
});

test('in memory, wrong programs, and the address', async () => {
  await page.locator('#reach').selectOption('its operands');
  await page.getByLabel('Example').selectOption('Column-major');
  await page.getByLabel('in memory').check();
  assert.match(await page.textContent('#maps'), /mod|floordiv/);
  const { page: again } = await openPage(demo, `/demo/indexing.html${new URL(page.url()).hash}`);
  await again.waitForSelector('body[data-ready]');
  assert.equal(await again.textContent('#maps'), await page.textContent('#maps'));
  assert.equal(await again.locator('#examples option:checked').textContent(), 'Column-major');
  await again.close();
  await page.getByLabel('Program text').click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText('ENTRY e { ROOT x = f32[2] paramater(0) }');
  await page.locator('#error:not([hidden])').waitFor(); // typing has paused
  assert.match(await page.textContent('#error'), /paramater/);
  assert.equal(await page.locator('#examples').inputValue(), ''); // so that one can be chosen anew
  await page.locator('#reach').selectOption('everything');
  assert.match(await page.textContent('#error'), /paramater/);
  await page.locator('#reach').selectOption('its operands');
  await page.getByLabel('Example').selectOption('Dot');
  assert.equal(await page.locator('#error').isVisible(), false);
});

test('looks right, and the console is clean', async () => {
  await point('c[1,1]');
  const folder = process.env.HLO_SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/indexing.png` });
  assert.deepEqual(complaints, []);
});
