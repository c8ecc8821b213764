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

const isIdle = () => page.waitForSelector('#main:not([aria-busy])');
const press = async (name) => {
  await page.getByRole('button', { name, exact: true }).click();
  await isIdle();
};
const choose = async (title) => {
  await page.getByLabel('Example').selectOption(title);
  await isIdle();
};
const where = () => page.textContent('#where');
const current = () => page.locator('#instructions .current').getAttribute('data-name');
const value = async () => (await page.locator('#value tbody td').allTextContents()).map(Number);

test('steps show values one after the other', async () => {
  assert.equal(await current(), 'zero');
  await press('Step');
  await press('Step');
  assert.deepEqual(await value(), [1, 2, 5]);
  await page.keyboard.press('n');
  await isIdle();
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
  await choose('Newton’s method in a loop');
  assert.equal(await page.getByRole('button', { name: 'Back' }).isDisabled(), true);
  for (const name of ['Step', 'Step', 'Step', 'Into', 'Out', 'Step', 'Step']) await press(name);
  assert.match(await where(), /iteration 0/);
  assert.equal(await current(), 'x');
  await press('Back');
  assert.equal(await current(), 'i');
  await press('Back');
  await page.keyboard.press('b');
  await isIdle();
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
  await choose('A NaN in a loop');
  await press('Find where a NaN is born');
  assert.match(await page.textContent('#found'), /born in z\. \(main › loop, iteration 3\)/);
  assert.equal(Number.isNaN((await value())[2]), true);
});

test('branches and calls', async () => {
  await choose('Branches and calls');
  await press('Step');
  await press('Step');
  await press('Into');
  assert.match(await where(), /r, branch 1/);
});

test('finds where a NaN is born, and that evaluators agree', async () => {
  await choose('A NaN in a softmax');
  await press('Find where a NaN is born');
  assert.match(await page.textContent('#found'), /born in shares/);
  await choose('Branches and calls');
  await press('Compare with the reference');
  assert.match(await page.textContent('#found'), /Nothing differs/);
  await press('Compare with the next seed');
  assert.match(await page.textContent('#found'), /^x is the first to differ/);
});

test('wrong programs are told, and the address holds the program', async () => {
  await page.getByText('Program text').click();
  await page.getByLabel('Program text').click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText('ENTRY e { ROOT x = f32[2] paramater(0) }');
  await isIdle();
  assert.match(await page.textContent('#error'), /paramater/);
  assert.equal(await where(), '');
  for (const name of ['Back', 'Step', 'Run', 'Find where a NaN is born'])
    assert.equal(await page.getByRole('button', { name, exact: true }).isDisabled(), true, name);
  await press('Restart');
  assert.match(await page.textContent('#error'), /paramater/);
  await choose('A NaN in a softmax');
  assert.equal(await page.locator('#error').isVisible(), false);
  const { page: again } = await openPage(demo, `/demo/stepper.html${new URL(page.url()).hash}`);
  await again.waitForSelector('body[data-ready]');
  assert.equal(await again.locator('#instructions > li').count(), 6);
  assert.equal(await again.locator('#examples option:checked').textContent(), 'A NaN in a softmax');
  await again.close();
});

/** A loop that counts without end, unless its condition says otherwise; what stands behind it never comes. */
const counting = (direction) => `HloModule counting
go_on { s = (s32[], f32[2]) parameter(0)  i = s32[] get-tuple-element(s), index=0  ROOT more = pred[] compare(i, i), direction=${direction} }
count {
  s = (s32[], f32[2]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[2] get-tuple-element(s), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  ROOT next = (s32[], f32[2]) tuple(j, x)
}
ENTRY main {
  x = f32[2] parameter(0)
  token = token[] after-all()
  zero = s32[] constant(7)
  state = (s32[], f32[2]) tuple(zero, x)
  loop = (s32[], f32[2]) while(state), condition=go_on, body=count
  after = s32[] get-tuple-element(loop), index=0
  twice = f32[2] add(x, x)
  token2 = token[] after-all(token)
  ROOT sum = s32[] add(after, zero)
}
`;
const link = (program) => `/demo/stepper.html#${new URLSearchParams({ program, seed: '0' })}`;

test('a program without end: it opens, can be gone into, and stopped', async () => {
  const { page: own, complaints: its } = await openPage(demo, link(counting('EQ')));
  const button = (name) => own.getByRole('button', { name, exact: true });
  const text = (pattern) =>
    own.waitForFunction(
      (p) => new RegExp(p).test(document.querySelector('#where').textContent),
      pattern,
    );
  const numbers = async () =>
    (await own.locator('#value :is(tbody td, output)').allTextContents()).map(Number);
  await own.waitForSelector('body[data-ready]', { timeout: 5000 });
  for (let i = 0; i < 4; i++) await button('Step').click();
  assert.equal(await own.locator('#instructions .current').getAttribute('data-name'), 'loop');

  await button('Into').click();
  for (let i = 0; i < 5; i++) await button('Out').click();
  await text('loop, iteration 2$'); // condition, iteration, condition, …
  for (let i = 0; i < 5; i++) await button('Step').click();
  await own.locator('[data-name="j"] button').nth(1).click();
  assert.deepEqual(await numbers(), [10]);

  for (const name of ['Run', 'Find where a NaN is born', 'Compare with the reference']) {
    await button(name).click();
    await text('running …$');
    assert.equal(await button('Step').isDisabled(), true);
    await button('Stop').click();
    await text('stopped');
    assert.equal(await button('Run').isEnabled(), true);
  }
  await button('Restart').click();
  await text('^main$');
  for (let i = 0; i < 4; i++) await button('Step').click();
  await button('Step').click();
  await text('^main: running …$');
  await button('Stop').click();
  await text('^main: stopped before loop has ended; Into shows what it does$');

  // Another text drops the run that is under way.
  await button('Run').click();
  await text('running …$');
  await own.getByText('Program text').click();
  await own.getByLabel('Program text').click();
  await own.keyboard.press('Control+A');
  await own.keyboard.insertText(counting('NE'));
  await text('^main$');
  await button('Run').click();
  await text('^main: done$');
  assert.deepEqual(await numbers(), [14]);
  await own.locator('[data-name="twice"] button').nth(1).click();
  const twice = await numbers();
  await own.locator('[data-name="x"] button').nth(1).click();
  const once = await numbers();
  assert.equal(once.length, 2);
  for (const [i, x] of once.entries()) assert.ok(Math.abs(twice[i] / x - 2) < 1e-4);
  assert.deepEqual(its, []);
  await own.close();
});

test('looks right, and the console is clean', async () => {
  await page.getByText('Program text').click();
  await press('Find where a NaN is born');
  const folder = process.env.HLO_SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/stepper.png` });
  assert.deepEqual(complaints, []);
});
