// The stepper by clicks and keys: steps, into loops and out, breakpoints, where a NaN is born, where two runs part.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openDemo, openPage } from './chromium.js';

let demo, page, complaints;

before(async () => {
  demo = await openDemo();
  ({ page, complaints } = await openPage(demo, '/demo/stepper.html'));
  await page.waitForSelector('body[data-ready]');
});
after(() => demo?.close());

const press = (name) => page.getByRole('button', { name, exact: true }).click();
const where = () => page.textContent('#where');
const current = () => page.locator('#instructions .current').getAttribute('data-name');
const value = async () => (await page.locator('#value tbody td').allTextContents()).map(Number);

test('steps show values one after the other', async () => {
  assert.equal(await current(), 'zero');
  await press('Step');
  await press('Step');
  assert.deepEqual(await value(), [1, 2, 5]);
  await page.keyboard.press('n');
  assert.equal(await current(), 'loop');
});

test('into the loop: condition, body, the next iteration', async () => {
  await press('Into');
  assert.match(await where(), /main › loop, condition 0/);
  await press('Out');
  assert.match(await where(), /main › loop, iteration 0/);
  await page.getByRole('button', { name: 'breakpoint at y', exact: true }).click();
  await press('Run');
  assert.equal(await current(), 'y');
  await press('Step');
  assert.deepEqual(await value(), [1.5, 1.5, 2.7]);
  await press('Run');
  assert.match(await where(), /iteration 1/);
  await page.getByRole('button', { name: 'breakpoint at y', exact: true }).click();
  await press('Run');
  assert.match(await where(), /^main: done/);
  const [root] = await value();
  assert.ok(Math.abs(root - Math.SQRT2) < 1e-5);
});

test('back: over steps, out of loops and into them again', async () => {
  await page.getByLabel('Example').selectOption('Newton’s method in a loop');
  assert.equal(await page.getByRole('button', { name: 'Back' }).isDisabled(), true);
  for (const name of ['Step', 'Step', 'Step', 'Into', 'Out', 'Step', 'Step']) await press(name);
  assert.match(await where(), /iteration 0/);
  assert.equal(await current(), 'x');
  await press('Back');
  assert.equal(await current(), 'i');
  await press('Back');
  await page.keyboard.press('b');
  assert.match(await where(), /condition 0/);
  await press('Back');
  assert.equal(await current(), 'loop');
  assert.equal(await where(), 'main');
  await press('Run');
  assert.match(await where(), /done/);
  await press('Back');
  assert.equal(await current(), 'root');
});

test('finds the iteration in which a NaN is born', async () => {
  await page.getByLabel('Example').selectOption('A NaN in a loop');
  await press('Find where a NaN is born');
  assert.match(await page.textContent('#found'), /born in z\. \(main › loop, iteration 3\)/);
  assert.equal(Number.isNaN((await value())[2]), true);
});

test('branches and calls', async () => {
  await page.getByLabel('Example').selectOption('Branches and calls');
  await press('Step');
  await press('Step');
  await press('Into');
  assert.match(await where(), /r, branch 1/);
});

test('finds where a NaN is born, and that evaluators agree', async () => {
  await page.getByLabel('Example').selectOption('A NaN in a softmax');
  await press('Find where a NaN is born');
  assert.match(await page.textContent('#found'), /born in shares/);
  await page.getByLabel('Example').selectOption('Branches and calls');
  await press('Compare with the reference evaluator');
  assert.match(await page.textContent('#found'), /Nothing differs/);
  await press('Compare with the next seed');
  assert.match(await page.textContent('#found'), /^x is the first to differ/);
});

test('wrong programs are told, and the address holds the program', async () => {
  await page.getByText('Program text').click();
  await page.getByLabel('Program text').click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText('ENTRY e { ROOT x = f32[2] paramater(0) }');
  assert.match(await page.textContent('#error'), /paramater/);
  assert.equal(await where(), '');
  for (const name of ['Back', 'Step', 'Run', 'Find where a NaN is born'])
    assert.equal(await page.getByRole('button', { name, exact: true }).isDisabled(), true, name);
  await press('Restart');
  assert.match(await page.textContent('#error'), /paramater/);
  await page.getByLabel('Example').selectOption('A NaN in a softmax');
  assert.equal(await page.locator('#error').isVisible(), false);
  const { page: again } = await openPage(demo, `/demo/stepper.html${new URL(page.url()).hash}`);
  await again.waitForSelector('body[data-ready]');
  assert.equal(await again.locator('#instructions > li').count(), 6);
  assert.equal(await again.locator('#examples option:checked').textContent(), 'A NaN in a softmax');
  await again.close();
});

test('looks right, and the console is clean', async () => {
  await page.getByText('Program text').click();
  await press('Find where a NaN is born');
  const folder = process.env.HLO_SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/stepper.png` });
  assert.deepEqual(complaints, []);
});
