// The live examples: each panel computes, and computes the right thing; the console stays clean.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openDemo, openPage } from './chromium.js';

let demo, page, complaints;

before(async () => {
  demo = await openDemo();
  ({ page, complaints } = await openPage(demo, '/demo/live.html'));
  await page.waitForSelector('body[data-ready]');
});
after(() => demo?.close());

const show = (title) => page.getByRole('tab', { name: title }).click();
async function screenshot(name) {
  const folder = process.env.HLO_SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/live-${name}.png` });
}

test('the network learns', async () => {
  await page.waitForFunction(
    () => Number(document.getElementById('training').dataset.loss) < 0.4,
    null,
    {
      timeout: 30000,
    },
  );
  await screenshot('training');
});

test('the Mandelbrot set: inside and outside, zoomed in', async () => {
  await show('Mandelbrot set');
  await page.waitForFunction(() =>
    /ms/.test(document.querySelector('#mandelbrot .quiet')?.textContent),
  );
  const colors = () =>
    page.evaluate(() => {
      const canvas = document.querySelector('#mandelbrot canvas');
      const { width, height } = canvas;
      const copy = new OffscreenCanvas(width, height).getContext('2d', {
        willReadFrequently: true,
      });
      copy.drawImage(canvas, 0, 0);
      const { data } = copy.getImageData(0, 0, width, height);
      return [...new Uint32Array(data.buffer)];
    });
  const before = await colors();
  assert.ok(new Set(before).size > 20);
  await screenshot('mandelbrot');
  const size = await page.locator('#mandelbrot canvas').boundingBox();
  await page.locator('#mandelbrot canvas').click({ position: { x: 100, y: 160 } });
  const drawn = (wanted) =>
    page.waitForFunction(
      ([old, isOld]) => {
        const canvas = document.querySelector('#mandelbrot canvas');
        const context = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', {
          willReadFrequently: true,
        });
        context.drawImage(canvas, 0, 0);
        const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
        return new Uint32Array(data.buffer).every((x, i) => x === old[i]) === isOld;
      },
      [before, wanted],
    );
  await drawn(false);
  // The click is the middle now, at twice the size: half as far from it was what is at a place now.
  const [width, height] = [480, 320];
  const zoomed = await colors();
  const [x, y] = [(100 * width) / size.width, (160 * height) / size.height];
  let [same, count] = [0, 0];
  for (let row = 100; row < 220; row++)
    for (let column = 180; column < 300; column++) {
      const from = [x + (column - width / 2) / 2, y + (row - height / 2) / 2].map(Math.round);
      same += zoomed[row * width + column] === before[from[1] * width + from[0]];
      count++;
    }
  assert.ok(
    same > 0.75 * count,
    `${same} of ${count} points have the color that they had farther off`,
  );
  await page.getByRole('button', { name: 'Zoom out' }).click();
  await page.getByRole('button', { name: 'Fit' }).click();
  await drawn(true);
});

test('what moves stands still for those who want it so', async () => {
  const { page: calm } = await openPage(demo, '/demo/live.html#show=life', {
    reducedMotion: 'reduce',
  });
  await calm.waitForSelector('#life[data-generation]');
  await calm.waitForTimeout(100);
  assert.equal(await calm.getAttribute('#life', 'data-generation'), '1');
  await calm.getByRole('button', { name: 'Go on' }).click();
  await calm.waitForFunction(() => Number(document.getElementById('life').dataset.generation) > 3);
  await calm.close();
});

test('life goes on, and pauses', async () => {
  await show('Game of life');
  await page.waitForFunction(() => Number(document.getElementById('life').dataset.generation) > 5);
  await page.getByRole('button', { name: 'Pause' }).click();
  const generation = await page.getAttribute('#life', 'data-generation');
  await page.waitForTimeout(100);
  assert.equal(await page.getAttribute('#life', 'data-generation'), generation);
  await page.getByRole('button', { name: 'Start again' }).click();
  await page.waitForFunction(() => document.getElementById('life').dataset.generation === '1');
  await page.getByRole('button', { name: 'Go on' }).click();
  await screenshot('life');
});

test('the wind turns behind the obstacle, and walls can be drawn', async () => {
  await show('Wind');
  await page.waitForFunction(() => Number(document.getElementById('fluid').dataset.step) >= 400);
  const colors = () =>
    page.evaluate(() => {
      const canvas = document.querySelector('#fluid canvas');
      const { width, height } = canvas;
      const copy = new OffscreenCanvas(width, height).getContext('2d', {
        willReadFrequently: true,
      });
      copy.drawImage(canvas, 0, 0);
      const { data } = copy.getImageData(0, 0, width, height);
      const all = new Uint32Array(data.buffer);
      return { kinds: new Set(all).size, walls: all.filter((x) => x === 0xff605a58).length };
    });
  const before = await colors();
  assert.ok(before.kinds > 30, `${before.kinds} colours`);
  await screenshot('fluid');
  const canvas = page.locator('#fluid canvas');
  const { x, y } = await canvas.boundingBox();
  await page.mouse.move(x + 400, y + 20);
  await page.mouse.down();
  await page.mouse.move(x + 400, y + 150, { steps: 20 });
  await page.mouse.up();
  await page.waitForFunction(
    (step) => Number(document.getElementById('fluid').dataset.step) > step + 16,
    Number(await page.getAttribute('#fluid', 'data-step')),
  );
  assert.ok((await colors()).walls > before.walls + 100);
});

test('the transformer block runs again and again, in any size', async () => {
  await show('Transformer');
  const runs = () =>
    page.waitForFunction(() => Number(document.getElementById('transformer').dataset.runs) > 5);
  await runs();
  await page.getByLabel('Tokens').selectOption('16');
  await page.getByLabel('Heads').selectOption('2');
  assert.equal(await page.locator('#transformer .matrices canvas').count(), 2);
  await runs();
  assert.match(await page.textContent('#transformer .quiet'), /ms \(median .* GFLOP\/s/);
  await screenshot('transformer');
});

test('the spectrum finds the pitch', async () => {
  await show('Spectrum');
  await page.getByLabel('Pitch').fill('1000');
  await page.waitForFunction(
    () => Math.abs(Number(document.getElementById('spectrum').dataset.strongest) - 1000) < 15,
  );
  await screenshot('spectrum');
});

test("the microphone's pitch is right at its own rate; a refusal stays to be read", async () => {
  const { page: heard, complaints: said } = await openPage(demo, '/demo/live.html#show=spectrum');
  await heard.waitForSelector('#spectrum[data-strongest]');
  await heard.evaluate(() => {
    navigator.mediaDevices.getUserMedia = async () => {
      throw new Error('not now');
    };
  });
  const press = () => heard.getByRole('button', { name: 'Use the microphone' }).click();
  await press();
  await heard.waitForTimeout(200);
  assert.equal(
    await heard.getByRole('alert').textContent(),
    'The microphone cannot be used: not now',
  );
  await heard.evaluate(() => {
    const Context = AudioContext;
    window.AudioContext = class extends Context {
      constructor() {
        super({ sampleRate: 96000 });
      }
    };
    navigator.mediaDevices.getUserMedia = async () => {
      const audio = new AudioContext();
      const tone = new OscillatorNode(audio, { frequency: 3000 });
      const end = audio.createMediaStreamDestination();
      tone.connect(end);
      tone.start();
      return end.stream;
    };
  });
  await press();
  await heard.waitForFunction(
    () => Math.abs(Number(document.getElementById('spectrum').dataset.strongest) - 3000) < 30,
  );
  assert.equal(await heard.getByRole('alert').isVisible(), false);
  assert.equal(await heard.getByLabel('Pitch').isDisabled(), true);
  assert.deepEqual(said, []);
  await heard.close();
});

test('speed is measured when asked for', async () => {
  await show('Speed');
  await page.getByRole('button', { name: 'Measure' }).click();
  await page.waitForSelector('#speed[data-measured]', { timeout: 60000 });
  assert.equal(await page.locator('#speed tbody tr').count(), 8);
  await screenshot('speed');
});

test('the console is clean', () => assert.deepEqual(complaints, []));
