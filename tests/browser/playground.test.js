// The playground in real Chromium, by clicks and keys: loads, runs, shows the right numbers, shows a located error; the
// console stays clean. HLO_SCREENSHOTS=DIR keeps pictures.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { readNpy, writeNpy } from '../../web/npy.js';
import { openDemo, openPage } from './chromium.js';

let demo, page, complaints;

before(async () => {
  demo = await openDemo();
  ({ page, complaints } = await openPage(demo, '/'));
  await page.waitForSelector('body[data-ready]');
});
after(() => demo?.close());

async function screenshot(name) {
  const folder = process.env.HLO_SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` });
}

/** Chooses an example and waits until it has run. */
async function open(title) {
  const before = await page.evaluate(() => document.body.dataset.runs);
  await page.getByLabel('Example').selectOption(title);
  await page.waitForFunction((runs) => document.body.dataset.runs !== runs, before);
}

const tableOf = (figure) =>
  figure
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent))),
    );

/** A .npy file of f32 numbers. */
const hloNpy = (numbers) =>
  writeNpy('f32', [numbers.length], new Uint8Array(new Float32Array(numbers).buffer));

const endless = `c { x = s32[] parameter(0)  ROOT t = pred[] constant(true) }
b { x = s32[] parameter(0)  ROOT y = s32[] copy(x) }
ENTRY e { z = s32[] constant(0)  ROOT w = s32[] while(z), condition=c, body=b }`;

/** Replaces the whole program by keys. */
async function type(text) {
  await page.getByLabel('Program text').click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(text);
}

test('loads and runs the first example', async () => {
  assert.match(
    await page.textContent('#build'),
    /(simd|relaxed-simd) build, \d+ of \d+ operations/,
  );
  assert.equal(await page.textContent('figure .shape'), 'f32[2,3]');
  assert.deepEqual(await tableOf(page.locator('figure').first()), [
    [8, 10, 12],
    [11, 13, 15],
  ]);
  assert.match(await page.textContent('#told'), /compiled in .* ms, ran in .* ms/);
  await screenshot('broadcasting');
});

test("runs JAX's classifier on its own inputs", async () => {
  await open('Classifier (exported by JAX)');
  assert.deepEqual(await page.locator('figure .shape').allTextContents(), [
    'f32[16,10]',
    's32[16]',
  ]);
  assert.deepEqual(await tableOf(page.locator('figure').nth(1)), [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5],
  ]);
  await screenshot('classifier');
});

test('an edited program runs with Ctrl+Enter', async () => {
  await type(
    'HloModule m\nENTRY main {\n  a = s32[3] constant({1, 2, 3})\n  ROOT b = s32[3] multiply(a, a)\n}\n',
  );
  await page.keyboard.press('Control+Enter');
  await page.waitForFunction(
    () => document.querySelector('figure .shape')?.textContent === 's32[3]',
  );
  assert.deepEqual(await tableOf(page.locator('figure').first()), [[1, 4, 9]]);
});

test('inputs can be typed, and the address holds the program', async () => {
  await type('ENTRY main {\n  a = f32[2] parameter(0)\n  ROOT b = f32[2] add(a, a)\n}\n');
  await page.keyboard.press('Control+Enter');
  await page.waitForFunction(
    () => document.querySelector('figure .shape')?.textContent === 'f32[2]',
  );
  await page.locator('#inputs-box summary').click();
  await page.locator('#inputs input[type=text]').fill('{1.5, -4}');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('tbody td')?.textContent === '3');
  assert.deepEqual(await tableOf(page.locator('figure').first()), [[3, -8]]);
  await page.locator('#inputs-box summary').click();
  const { page: again } = await openPage(demo, `/demo/${new URL(page.url()).hash}`);
  await again.waitForSelector('body[data-ready]');
  assert.equal(await again.locator('figure .shape').first().textContent(), 'f32[2]');
  await again.close();
});

test('dropped files are programs and inputs', async () => {
  const npy = hloNpy([5, 6]);
  await page.evaluate(
    (bytes) => {
      const files = new DataTransfer();
      files.items.add(
        new File(['ENTRY e { a = f32[2] parameter(0) ROOT n = f32[2] negate(a) }'], 'negate.hlo'),
      );
      files.items.add(new File([new Uint8Array(bytes)], 'a.npy'));
      document.dispatchEvent(new DragEvent('drop', { dataTransfer: files, cancelable: true }));
    },
    [...npy],
  );
  await page.waitForFunction(() => document.querySelector('tbody td')?.textContent === '-5');
  await page.getByRole('tab', { name: 'Optimized' }).click();
  assert.match(await page.textContent('#optimized'), /negate/);
  await page.getByRole('tab', { name: 'Values' }).click();
});

test('a dropped file of jax.export, or a serialized module, is shown as text, and runs', async () => {
  const drop = (/** @type {Uint8Array} */ bytes) =>
    page.evaluate(
      (bytes) => {
        const files = new DataTransfer();
        files.items.add(new File([new Uint8Array(bytes)], 'program.jax_export'));
        document.dispatchEvent(new DragEvent('drop', { dataTransfer: files, cancelable: true }));
      },
      [...bytes],
    );
  const bytes = await readFile(
    new URL('../fixtures/bytecode/platforms.jax_export', import.meta.url),
  );
  await drop(bytes.subarray(0, 1000));
  assert.match((await page.getByRole('alert').textContent()) ?? '', /binary data|byte \d+/);
  await drop(bytes);
  await page.waitForFunction(() =>
    document.querySelector('.cm-content')?.textContent?.includes('module @jit__lambda'),
  );
  await page.waitForFunction(() => document.querySelectorAll('tbody td').length >= 16);
  // A serialized HLO module, too.
  await drop(await readFile(new URL('../fixtures/hlo_proto/jax_lowered.pb', import.meta.url)));
  await page.waitForFunction(() =>
    document.querySelector('.cm-content')?.textContent?.includes('HloModule jit_network'),
  );
});

test('a broken program shows its error at its line, and the next one runs', async () => {
  await type(
    'HloModule m\nENTRY main {\n  a = f32[2] parameter(0)\n  b = f32[3] parameter(1)\n  ROOT c = f32[2] add(a, b)\n}\n',
  );
  await page.getByRole('button', { name: 'Run' }).click();
  const alert = page.getByRole('alert');
  await alert.waitFor();
  assert.match(await alert.textContent(), /Line 5, column \d+.*f32\[2\].*f32\[3\]/s);
  assert.equal(await page.locator('.cm-lintRange-error').count(), 1);
  await alert.getByRole('button').click();
  assert.equal(
    await page.evaluate(() => document.activeElement.classList.contains('cm-content')),
    true,
  );
  await screenshot('error');
  await open('Softmax (StableHLO)');
  assert.equal(await alert.isHidden(), true);
  const rows = await tableOf(page.locator('figure').first());
  for (const row of rows) assert.ok(Math.abs(row.reduce((a, b) => a + b) - 1) < 1e-4);
});

test('text that is not a program is an error too', async () => {
  await type('hello\n');
  await page.getByRole('button', { name: 'Run' }).click();
  assert.match(await page.getByRole('alert').textContent(), /Line 1/);
});

test('the Mandelbrot set is a picture; the program shows in both text forms', async () => {
  await open('Mandelbrot set');
  const picture = page.getByRole('img');
  assert.match(await picture.getAttribute('aria-label'), /s32\[120,180\]: from 0 .* to 60/);
  await screenshot('mandelbrot');
  await page.getByRole('tab', { name: 'HLO', exact: true }).click();
  assert.match(await page.textContent('#hlo .cm-content'), /^HloModule mandelbrot/);
  await page.keyboard.press('ArrowRight');
  assert.match(await page.textContent('#stablehlo'), /stablehlo\.while/);
  await screenshot('stablehlo');
  await page.getByRole('tab', { name: 'Values' }).click();
});

test('results are shown as the reader chooses, and saved as files', async () => {
  await open('Mandelbrot set');
  const menu = page.getByLabel('show result 0 as');
  assert.deepEqual(await menu.locator('option').allTextContents(), ['heat map', 'image', 'table']);
  await menu.selectOption('table');
  assert.ok((await tableOf(page.locator('figure').first())).length >= 64);
  assert.match(page.url(), /example=Mandelbrot\+set.*table/);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'save result 0 as .npy' }).click(),
  ]);
  const { type: saved, dims } = readNpy(await readFile(await download.path()));
  assert.deepEqual([saved, dims], ['s32', [120, 180]]);
});

test('what the address holds comes back', async () => {
  await open('Spectrum of two tones');
  assert.equal(await page.getByRole('img').count(), 3); // both results and the input are lines
  await page.getByRole('tab', { name: 'Time' }).click();
  const { page: again } = await openPage(demo, `/demo/${new URL(page.url()).hash}`);
  await again.waitForSelector('body[data-ready]');
  assert.equal(await again.getByRole('tab', { selected: true }).textContent(), 'Time');
  assert.equal(
    await again.locator('#examples option:checked').textContent(),
    'Spectrum of two tones',
  );
  await again.close();
  await page.getByRole('tab', { name: 'Values' }).click();
});

test('time, memory, and what many runs take', async () => {
  await page.getByRole('tab', { name: 'Time' }).click();
  assert.match(
    await page.textContent('#timing'),
    /parse.*compile.*first run.*arguments.*peak.*flops/s,
  );
  assert.match(await page.textContent('#timing'), /What takes most.*\(fft\)/s);
  await page.getByRole('button', { name: 'Run it for half a second' }).click();
  assert.match(await page.textContent('#timing'), /runs\d.*fastest.*median.*slowest/s);
  await page.getByRole('tab', { name: 'Values' }).click();
});

test('replicas: as many as the program says, or as one asks for', async () => {
  await open('A ring of four');
  const rows = async () =>
    (await Promise.all((await page.locator('#values figure').all()).map(tableOf))).flat();
  assert.deepEqual(await rows(), [
    [0, 3, 2, 1],
    [1, 0, 3, 2],
    [2, 1, 0, 3],
    [3, 2, 1, 0],
  ]);
  await page.locator('#inputs-box summary').click();
  await page.getByLabel('Replicas', { exact: true }).fill('2');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  assert.match(await page.getByRole('alert').textContent(), /collective-permute/);
  await page.locator('#inputs-box summary').click();
});

test('errors are marked while one types, names are completed', async () => {
  await open('Broadcasting');
  await type('ENTRY e {\n  a = f32[2] parameter(0)\n  ROOT b = f32[3] negate(a)\n}\n');
  await page.waitForSelector('.cm-lintRange-error');
  assert.equal(await page.getByRole('alert').isVisible(), false);
  await type('ENTRY e {\n  a = f32[2] parameter(0)\n  ROOT b = f32[2] ');
  await page.keyboard.type('nega');
  await page.locator('.cm-tooltip-autocomplete').getByText('negate', { exact: true }).waitFor();
  await page.waitForTimeout(150); // the editor takes no key for a list that has just come up
  await page.keyboard.press('Enter');
  await page.keyboard.insertText('(a)\n}\n');
  await page.keyboard.press('Control+Enter');
  await page.waitForFunction(
    () => document.querySelector('figure .shape')?.textContent === 'f32[2]',
  );
  assert.equal(await page.locator('.cm-lintRange-error').count(), 0);
});

test('the other text form goes into the editor', async () => {
  await open('Softmax (StableHLO)');
  const wanted = await tableOf(page.locator('figure').first());
  await page.getByRole('tab', { name: 'HLO', exact: true }).click();
  await page.locator('#hlo').getByRole('button', { name: 'Edit this text' }).click();
  await page.waitForFunction(() =>
    /HloModule/.test(document.querySelector('.cm-content').textContent),
  );
  await page.getByRole('tab', { name: 'Values' }).click();
  assert.deepEqual(await tableOf(page.locator('figure').first()), wanted);
});

test('nothing of an earlier program stays beside an error, nor beside a run', async () => {
  await open('Broadcasting');
  await type('hello\n');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('alert').waitFor();
  for (const id of ['values', 'timing', 'hlo', 'stablehlo', 'optimized'])
    assert.equal(await page.textContent(`#${id}`), '', id);
  await open('Broadcasting');
  await type(endless);
  await page.keyboard.press('Control+Enter');
  await page.getByRole('button', { name: 'Stop' }).click();
  assert.equal(await page.locator('figure').count(), 0);
});

test('an example that was edited can be chosen again', async () => {
  await open('Broadcasting');
  await type('ENTRY e {\n  ROOT a = f32[] constant(7)\n}\n');
  await page.waitForFunction(() => document.querySelector('#examples').selectedIndex === -1);
  await open('Broadcasting');
  assert.equal(await page.textContent('figure .shape'), 'f32[2,3]');
});

test('of two examples on their way the later counts; one that does not come is an error', async () => {
  const slow = await openPage(demo, '/demo/');
  await slow.page.waitForSelector('body[data-ready]');
  let release;
  const held = new Promise((resolve) => (release = resolve));
  await slow.page.route('**/fourier.hlo', async (route) => {
    await held;
    await route.continue();
  });
  await slow.page.route('**/wave.hlo', (route) => route.fulfill({ status: 404, body: '' }));
  const choose = (title) => slow.page.getByLabel('Example').selectOption(title);
  const text = () => slow.page.textContent('.cm-content');
  await choose('Spectrum of two tones');
  await choose('Sort with positions');
  await slow.page.waitForFunction(() =>
    document.querySelector('.cm-content').textContent.includes('sort('),
  );
  const [response] = await Promise.all([slow.page.waitForResponse('**/fourier.hlo'), release()]);
  await response.finished();
  await choose('A drop in a pond');
  await slow.page.getByRole('alert').waitFor();
  assert.match(await slow.page.getByRole('alert').textContent(), /cannot load wave\.hlo: 404/);
  assert.match(await text(), /sort\(/);
  assert.equal(
    await slow.page.locator('#examples option:checked').textContent(),
    'Sort with positions',
  );
  assert.equal(slow.complaints.filter((complaint) => !/404|wave\.hlo/.test(complaint)).length, 0);
  await slow.page.close();
});

test('files and numbers that are wrong are errors about them', async () => {
  const drop = (target, name, bytes) =>
    page.evaluate(
      ([target, name, bytes]) => {
        const files = new DataTransfer();
        files.items.add(new File([new Uint8Array(bytes)], name));
        const options = { dataTransfer: files, bubbles: true, cancelable: true };
        return document.querySelector(target).dispatchEvent(new DragEvent('drop', options));
      },
      [target, name, bytes],
    );
  const alert = page.getByRole('alert');
  await type('ENTRY e {\n  a = s4[2] parameter(0)\n  ROOT b = s4[2] negate(a)\n}\n');
  await page.keyboard.press('Control+Enter');
  await drop('body', 'a.npz', [1, 2, 3]);
  await alert.waitFor();
  assert.match(await alert.textContent(), /not an \.npz file/);
  await page.locator('#inputs-box summary').click();
  const field = page.locator('#inputs input[type=text]');
  await field.fill('{1, 2');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /input 0/.test(document.querySelector('#error').textContent));
  assert.doesNotMatch(await alert.textContent(), /Line/); // of the program
  assert.equal(await page.locator('.cm-lintRange-error').count(), 0);
  await field.fill('{1, 2}');
  await page.getByLabel('Replicas', { exact: true }).fill('-1');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /replicas/.test(document.querySelector('#error').textContent));
  await page.getByLabel('Replicas', { exact: true }).fill('');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'save result 0 as .npy' }).click();
  assert.match(await alert.textContent(), /NumPy has no type for s4/);
  await page.locator('#inputs-box summary').click();
  // Files are the page's wherever they fall, not the editor's; other things are not the page's.
  const text = 'ENTRY e { ROOT a = f32[] constant(7) }';
  assert.equal(await drop('.cm-content', 'seven.hlo', [...new TextEncoder().encode(text)]), false);
  await page.waitForFunction(() => document.querySelector('output')?.textContent === '7');
  assert.equal(await page.textContent('.cm-content'), text);
  const runs = await page.evaluate(() => {
    const dragged = new DataTransfer();
    dragged.setData('text/plain', 'a');
    const options = { dataTransfer: dragged, bubbles: true, cancelable: true };
    document.querySelector('.cm-content').dispatchEvent(new DragEvent('drop', options));
    return document.body.dataset.runs;
  });
  await page.waitForSelector('.cm-lintRange-error'); // it is checked as anything typed
  assert.equal(await page.evaluate(() => document.body.dataset.runs), runs);
});

test('what has no numbers, or millions of them, is shown, too', async () => {
  const show = async (entry) => {
    await type(`ENTRY e {\n${entry}\n}\n`);
    const before = await page.evaluate(() => document.body.dataset.runs);
    await page.keyboard.press('Control+Enter');
    await page.waitForFunction((runs) => document.body.dataset.runs !== runs, before);
  };
  await show('ROOT t = token[] after-all()');
  assert.equal(await page.textContent('#values output'), 'token');
  await show('z = f32[] constant(nan)\nROOT a = f32[64,64] broadcast(z), dimensions={}');
  assert.match(await page.textContent('#values'), /f32\[64,64\]: no finite numbers/);
  await show('ROOT a = f32[9,70000] iota(), iota_dimension=1');
  assert.deepEqual(await page.locator('#values canvas').count(), 0); // none is so wide
  await show(
    'i = s32[1000000] iota(), iota_dimension=0\nk = s32[] constant(500001)\nn = s32[1000000] broadcast(k), dimensions={}\nROOT c = pred[1000000] compare(i, n), direction=EQ',
  );
  const path = await page.locator('#values svg .line').getAttribute('d');
  assert.ok(path.length < 50000, `${path.length} characters`);
  assert.equal(path.match(/,3\.0/g)?.length, 1); // and the only one that stands out is there
});

test('an address with nonsense opens the page', async () => {
  for (const hash of ['inputs=null&as=null', 'inputs=[5]&as=5&show=x&seed=x&replicas=x']) {
    const { page: odd, complaints: said } = await openPage(demo, `/demo/#${hash}`);
    await odd.waitForSelector('body[data-ready]');
    assert.equal(await odd.textContent('figure .shape'), 'f32[2,3]');
    assert.deepEqual(said, []);
    await odd.close();
  }
});

test('an endless loop can be stopped', async () => {
  await type(endless);
  await page.keyboard.press('Control+Enter');
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.waitForFunction(() => document.querySelector('#told').textContent === 'stopped');
  await open('Broadcasting');
  assert.equal(await page.textContent('figure .shape'), 'f32[2,3]');
});

test('every example runs, and the console stays clean', async () => {
  const titles = await page.locator('#examples option').allTextContents();
  assert.ok(titles.length >= 20);
  for (const title of titles) {
    await open(title);
    assert.equal(await page.getByRole('alert').isVisible(), title === 'A shape error', title);
    await screenshot(`example-${title.replaceAll(/\W+/g, '-')}`);
  }
});

test('on a wide screen the optimized program stands beside', async () => {
  const wide = await openPage(demo, '/demo/#example=Softmax+(StableHLO)', {
    viewport: { width: 1600, height: 900 },
  });
  await wide.page.waitForSelector('body[data-ready]');
  assert.match(
    await wide.page.getByRole('group', { name: 'Optimized' }).textContent(),
    /ROOT %result = f32/,
  );
  assert.equal(await wide.page.getByRole('tab', { name: 'Optimized' }).count(), 0);
  await wide.page.setViewportSize({ width: 1000, height: 900 });
  await wide.page.getByRole('tab', { name: 'Optimized' }).click();
  assert.match(await wide.page.getByRole('tabpanel').textContent(), /ROOT %result = f32/);
  assert.deepEqual(wide.complaints, []);
  await wide.page.close();
});

test('works in dark and on a narrow screen', async () => {
  const dark = await openPage(demo, '/demo/#example=Training+loop+(exported+by+JAX)', {
    colorScheme: 'dark',
    viewport: { width: 390, height: 844 },
  });
  await dark.page.waitForSelector('body[data-ready]');
  const width = await dark.page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 390, `the page is ${width} pixels wide`);
  await dark.page.locator('#inputs-box summary').click();
  const hidden = await dark.page.locator('#inputs-box').evaluate((box) => ({
    across: box.scrollWidth - box.clientWidth,
    down: box.scrollHeight - box.clientHeight,
  }));
  assert.deepEqual(hidden, { across: 0, down: 0 });
  if (process.env.HLO_SCREENSHOTS)
    await dark.page.screenshot({ path: `${process.env.HLO_SCREENSHOTS}/dark.png` });
  assert.deepEqual(dark.complaints, []);
});

test('the console is clean', () => assert.deepEqual(complaints, []));
