// The page on shapes and broadcasting, by keys and pointer: the seed's layouts, steps of broadcasting, errors, state.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openDemo, openPage } from './chromium.js';

let demo, page, complaints;

before(async () => {
  demo = await openDemo();
  ({ page, complaints } = await openPage(demo, '/demo/shapes.html'));
  await page.waitForSelector('body[data-ready]');
});
after(() => demo?.close());

const memory = () => page.locator('#memory .cell b').allTextContents();
const steps = () => page.locator('#steps > li .shape').allTextContents();

test("the seed's layouts", async () => {
  assert.equal((await memory()).join(' '), 'a d b e c f');
  assert.equal(await page.textContent('#shape-text'), 'f32[2,3]{0,1}');
  await page.getByRole('button', { name: 'padded' }).click();
  assert.equal((await memory()).join(' '), 'a d 0 b e 0 c f 0 0 0 0 0 0 0');
  assert.match(
    await page.textContent('#shape-facts'),
    /rank 2, true rank 2, 6 elements, 15 places/,
  );
});

test('the padding value is part of the shape', async () => {
  await page.getByLabel('Padding value').fill('7');
  assert.match(await page.textContent('#shape-text'), /P\(3,5;7\)/);
  assert.equal((await memory()).join(' '), 'a d 7 b e 7 c f 7 7 7 7 7 7 7');
  await page.getByLabel('Padding value').fill('x');
  assert.match(await page.textContent('#layout-error'), /'x' is not of type f32/);
  await page.getByLabel('Padding value').fill('0');
  await page.getByLabel('Padded dimensions').fill('20000,20000');
  assert.match(await page.textContent('#layout-error'), /too many/);
  await page.getByLabel('Padded dimensions').fill('3,5');
});

test('pointing at an element shows its place, and back', async () => {
  await page.locator('#elements .cell', { hasText: 'c' }).hover();
  assert.equal(await page.locator('#memory .marked b').textContent(), 'c');
  assert.match(await page.textContent('#position'), /Element c at index \(0,2\) lies at place 6/);
  await page.locator('#memory .cell').nth(4).focus();
  assert.equal(await page.locator('#elements .marked').textContent(), 'e');
});

test('broadcasting, step by step', async () => {
  assert.deepEqual(await steps(), ['s32[2,3]', 's32[3]', 's32[1,3]', 's32[2,3]', 's32[2,3]']);
  await page.getByRole('button', { name: 'both' }).click();
  assert.deepEqual(await steps(), [
    's32[4]',
    's32[1,2]',
    's32[4,1]',
    's32[4,2]',
    's32[4,2]',
    's32[4,2]',
  ]);
  const sum = await page.locator('#steps > li').last().locator('.cell').allTextContents();
  assert.deepEqual(sum.map(Number), [101, 201, 102, 202, 103, 203, 104, 204]);
});

test('wrong input is told where it is, and the next one works', async () => {
  await page.getByRole('button', { name: 'ambiguous' }).click();
  assert.match(await page.textContent('#broadcast-error'), /broadcast_dimensions|rank/);
  await page.getByLabel('Dimensions', { exact: true }).fill('2,x');
  assert.match(await page.textContent('#layout-error'), /"x" is not a whole number/);
  for (const id of ['#shape-text', '#elements', '#memory'])
    // nothing of another layout beside it
    assert.equal(await page.textContent(id), '', id);
  assert.deepEqual(await steps(), []);
  await page.getByLabel('Dimensions', { exact: true }).fill('2,3');
  assert.equal(await page.locator('#layout-error').isVisible(), false);
  await page.getByRole('button', { name: 'scalar' }).click();
  assert.equal(await page.locator('#broadcast-error').isVisible(), false);
});

test('the address holds the state', async () => {
  const { page: again } = await openPage(demo, `/demo/shapes.html${new URL(page.url()).hash}`);
  await again.waitForSelector('body[data-ready]');
  assert.equal(await again.inputValue('#padded'), await page.inputValue('#padded'));
  assert.equal(await again.inputValue('#right'), '');
  await again.close();
});

test('looks right, and the console is clean', async () => {
  const folder = process.env.HLO_SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/shapes.png`, fullPage: true });
  assert.deepEqual(complaints, []);
});
