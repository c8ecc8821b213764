// The page of operations, by keys and pointer: every operation opens and its examples run; operands can be edited.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openDemo, openPage } from './chromium.js';

let demo, page, complaints;

before(async () => {
  demo = await openDemo();
  ({ page, complaints } = await openPage(demo, '/demo/operations.html'));
  await page.waitForSelector('body[data-ready]');
});
after(() => demo?.close());

const open = (name) => page.getByRole('button', { name, exact: true }).click();
const texts = (selector) => page.locator(selector).allTextContents();

test('add: operands, result, and what comes from where', async () => {
  assert.equal(await page.textContent('#name'), 'add');
  const figures = page.locator('#arrays figure');
  assert.deepEqual(
    (await figures.last().locator('.cell').allTextContents()).map(Number),
    [0.5, -1, 2.75, 4.5, 3.5, 2.75],
  );
  await figures.last().locator('.cell').nth(4).hover();
  assert.deepEqual(await texts('#arrays .related'), ['3', '0.5']);
});

test('operands can be edited, and wrong ones are told', async () => {
  await page.getByLabel('operand 0').fill('f32[2,3] {{1, 1, 1}, {1, 1, 1}}');
  const last = page.locator('#arrays figure').last();
  assert.deepEqual(
    (await last.locator('.cell').allTextContents()).map(Number),
    [3, 0, 1.5, 5, 1.5, 4],
  );
  await page.getByLabel('operand 0').fill('f32[2,3] {{1, 1');
  assert.equal(await page.locator('#error').isVisible(), true);
});

test('every operation with examples runs all of them', async () => {
  const counts = await page.evaluate(async () => {
    const problems = [];
    let ran = 0;
    const examples = document.getElementById('examples');
    for (const button of document.querySelectorAll('#operations button')) {
      button.click();
      for (let i = 0; i < examples.options.length; i++) {
        examples.selectedIndex = i;
        examples.dispatchEvent(new Event('change'));
        const error = document.getElementById('error');
        if (!error.hidden) problems.push(`${button.textContent} ${i}: ${error.textContent}`);
        else ran++;
      }
    }
    return { problems, ran };
  });
  assert.deepEqual(counts.problems, []);
  assert.ok(counts.ran > 200, `${counts.ran} examples`);
});

test('every operation with operands has a picture of what comes from where', async () => {
  const without = await page.evaluate(() => {
    const names = [];
    for (const button of document.querySelectorAll('#operations button')) {
      button.click();
      const hasOperands = document.querySelectorAll('#inputs input').length > 0;
      if (hasOperands && document.querySelectorAll('#arrays .cell').length === 0)
        names.push(button.textContent);
    }
    return names;
  });
  assert.deepEqual(without, []);
});

test('where data decides, elements are followed by trying', async () => {
  await open('sort');
  await page.locator('#arrays figure').first().locator('.cell').nth(5).hover();
  assert.deepEqual(
    await page.locator('#arrays .related').evaluateAll((all) => all.map((cell) => cell.title)),
    ['result[0,5]'],
  );
  await open('all-to-all');
  await page.getByTitle('replica 1, operand 0[2]', { exact: true }).hover();
  assert.match(
    await page.textContent('#told'),
    /replica 1, operand 0\[2\] goes into 1 element .*replica 2, result\[1\]/,
  );
  assert.equal(await page.getByLabel('replica 2, operand 0').inputValue(), 'f32[3] {7, 8, 9}');
});

test('attributes can be edited one by one', async () => {
  await open('transpose');
  await page.locator('#examples').selectOption('three dimensions');
  await page.getByRole('textbox', { name: 'dimensions' }).fill('{0,2,1}');
  assert.match(await page.textContent('#error'), /f32\[2,3,2\]|transpose/);
  await page.getByRole('textbox', { name: 'dimensions' }).fill('{2,1,0}');
  assert.equal(await page.locator('#error').isVisible(), false);
  assert.match(await page.locator('.cm-content').textContent(), /dimensions=\{2,1,0\}/);
  const cells = page.locator('#arrays figure').last().locator('.cell');
  assert.deepEqual(
    (await cells.allTextContents()).map(Number),
    [1, 7, 4, 10, 2, 8, 5, 11, 3, 9, 6, 12],
  );
});

test('a bracket that is typed anew takes nothing else along', async () => {
  await open('reverse');
  const text = await page.textContent('.cm-content');
  const field = page.getByRole('textbox', { name: 'dimensions' });
  await field.focus();
  await page.keyboard.press('End');
  for (const key of ['Backspace', 'Backspace']) await page.keyboard.press(key);
  assert.equal(await page.locator('#error').isVisible(), true);
  await page.keyboard.type('1}');
  assert.equal(await page.textContent('.cm-content'), text);
  assert.equal(await page.locator('#error').isVisible(), false);
  await open('convolution'); // two attributes: what is typed into one moves the other
  const before = await page.textContent('.cm-content');
  const [first, second] = await page.locator('#attributes input').all();
  const values = [await first.inputValue(), await second.inputValue()];
  await first.fill('');
  await second.fill('');
  await second.fill(values[1]);
  await first.fill(values[0]);
  assert.equal(await page.textContent('.cm-content'), before);
});

test('the operation that is shown is the current one of the list, and in sight', async () => {
  const { page: again } = await openPage(demo, '/demo/operations.html#op=while&example=x');
  await again.waitForSelector('body[data-ready]');
  const current = again.locator('#operations [aria-current=true]');
  assert.deepEqual(await current.allTextContents(), ['while']);
  const [item, list] = [
    await current.boundingBox(),
    await again.locator('#operations').boundingBox(),
  ];
  assert.ok(item.y > list.y - 1 && item.y + item.height < list.y + list.height + 1);
  assert.match(await again.textContent('.cm-content'), /while\(/);
  await again.close();
});

test('filter, gather, and the address', async () => {
  await page.getByLabel('Filter operations').fill('gath');
  assert.deepEqual(await page.locator('#operations li:visible').allTextContents(), [
    'gather',
    'all-gather',
    'all-gather-start',
    'all-gather-done',
  ]);
  await open('gather');
  assert.match(await page.textContent('#signature'), /offset_dims, collapsed_slice_dims/);
  const { page: again } = await openPage(demo, `/demo/operations.html${new URL(page.url()).hash}`);
  await again.waitForSelector('body[data-ready]');
  assert.equal(await again.textContent('#name'), 'gather');
  await again.close();
  const folder = process.env.HLO_SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/operations.png` });
});

test('the console is clean', () => assert.deepEqual(complaints, []));
