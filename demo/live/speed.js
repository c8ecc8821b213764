// How fast this browser runs programs, beside plain JavaScript that computes the same. Must not claim anything that it
// has not measured just now.
import { element } from '../frame.js';
import { convolvePlainly, transformPlainly } from './plain.js';
import { transformerBlock } from './transformer.js';

/** Median milliseconds of several runs. @param {() => void} action @param {number} budget milliseconds */
function measure(action, budget) {
  action();
  /** @type {number[]} */
  const times = [];
  for (const start = performance.now(); times.length < 3 || performance.now() - start < budget;) {
    const from = performance.now();
    action();
    times.push(performance.now() - from);
  }
  return times.sort((a, b) => a - b)[times.length >> 1];
}

const randoms = (/** @type {number} */ n) =>
  Float32Array.from({ length: n }, () => Math.random() - 0.5);

/** @param {any} hlo */
function workloads(hlo) {
  const matrix = (/** @type {number} */ n) => hlo.array(randoms(n * n), { shape: [n, n] });
  const [N, M] = [256, 1 << 20];
  const [a, b] = [matrix(N), matrix(N)];
  const [ja, jb, jc] = [a.toTypedArray(), b.toTypedArray(), new Float32Array(N * N)];
  const [x, y, z] = [randoms(M), randoms(M), randoms(M)];
  const [hx, hy, hz] = [x, y, z].map((data) => hlo.array(data));
  const out = new Float32Array(M);
  const chain = hlo.jit((/** @type {any} */ p, /** @type {any} */ q, /** @type {any} */ r) =>
    hlo.add(hlo.mul(hlo.tanh(hlo.add(hlo.mul(p, q), r)), 0.5), hlo.exp(hlo.neg(p))),
  );
  const rows = hlo.reshape(hx, [1024, 1024]);
  const softmax = hlo.jit((/** @type {any} */ v) => {
    const spread = (/** @type {any} */ s) => hlo.broadcastInDim(s, [1024, 1024], [0]);
    const e = hlo.exp(hlo.sub(v, spread(hlo.reduce(v, -Infinity, 'max', [1]))));
    return hlo.div(e, spread(hlo.reduce(e, 0, 'add', [1])));
  });
  const [POWERS, IMAGE] = [1 << 16, 128];
  const sound = randoms(POWERS);
  const wave = hlo.array(sound);
  const transform = hlo.jit((/** @type {any} */ s) => hlo.fft(s, 'RFFT', [POWERS]));
  const image = hlo.array(randoms(IMAGE * IMAGE * 16), { shape: [1, IMAGE, IMAGE, 16] });
  const kernel = hlo.array(randoms(9 * 16 * 16), { shape: [3, 3, 16, 16] });
  const [jImage, jKernel] = [image, kernel].map((array) => array.toTypedArray());
  const convolve = hlo.jit((/** @type {any} */ i, /** @type {any} */ k) =>
    hlo.conv(i, k, [1, 1], 'SAME', { dimensionNumbers: 'b01f_01io->b01f' }),
  );
  const runningSum = hlo.jit((/** @type {any} */ v) =>
    hlo.reduceWindow(v, 0, 'add', { windowDimensions: [M], padding: [[M - 1, 0]] }),
  );
  const jOut = new Float32Array(IMAGE * IMAGE * 16);
  const block = transformerBlock(hlo, { tokens: 128, width: 256, heads: 4 });
  return [
    {
      title: 'matrix product, 256×256',
      ours: () => hlo.dot(a, b).dispose(),
      plain: () => {
        for (let i = 0; i < N; i++)
          for (let j = 0; j < N; j++) {
            let sum = 0;
            for (let k = 0; k < N; k++) sum += ja[i * N + k] * jb[k * N + j];
            jc[i * N + j] = sum;
          }
      },
    },
    {
      title: 'tanh(a·b + c)/2 + exp(−a), a million elements',
      ours: () => chain(hx, hy, hz).dispose(),
      plain: () => {
        for (let i = 0; i < M; i++) out[i] = Math.tanh(x[i] * y[i] + z[i]) * 0.5 + Math.exp(-x[i]);
      },
    },
    {
      title: 'softmax over rows, 1024×1024',
      ours: () => softmax(rows).dispose(),
      plain: () => {
        for (let r = 0; r < M; r += 1024) {
          let [top, sum] = [-Infinity, 0];
          for (let c = r; c < r + 1024; c++) top = Math.max(top, x[c]);
          for (let c = r; c < r + 1024; c++) sum += out[c] = Math.exp(x[c] - top);
          for (let c = r; c < r + 1024; c++) out[c] /= sum;
        }
      },
    },
    {
      title: 'sort, a million elements',
      ours: () => hlo.sort(hx).dispose(),
      plain: () => void x.slice().sort(),
    },
    {
      title: 'running sum, a million elements',
      ours: () => runningSum(hx).dispose(),
      plain: () => {
        let sum = 0;
        for (let i = 0; i < M; i++) out[i] = sum += x[i];
      },
    },
    {
      title: 'convolution 3×3, 128×128, 16 to 16 channels',
      ours: () => convolve(image, kernel).dispose(),
      plain: () => convolvePlainly(jImage, jKernel, jOut, IMAGE),
    },
    {
      title: 'Fourier transform of 65536 real numbers',
      ours: () => transform(wave).dispose(),
      plain: () => transformPlainly(sound),
    },
    {
      title: 'transformer block (128 tokens, width 256, 4 heads)',
      ours: () => {
        const { y, shares } = block.run();
        y.dispose();
        shares.dispose();
      },
    },
  ];
}

/** @param {any} hlo @param {HTMLElement} root */
export function speed(hlo, root) {
  const body = element('tbody');
  const told = element('p', { class: 'quiet', 'aria-live': 'polite' });
  const head = element(
    'tr',
    {},
    ...['', 'hlo-wasm', 'plain JavaScript', 'ratio'].map((text) =>
      element('th', { scope: 'col' }, text),
    ),
  );
  const start = element('button', { type: 'button', onclick: () => run() }, 'Measure');
  root.append(
    element('h2', {}, 'Speed'),
    element(
      'p',
      {},
      'Measured in this page when you say so, one thread, median of runs; plain JavaScript is the loop one would write.',
    ),
    element('p', { class: 'fields' }, start),
    told,
    element('table', { class: 'speed' }, element('thead', {}, head), body),
  );
  /** @type {any[] | undefined} */
  let all;
  const pause = () => new Promise((resolve) => setTimeout(resolve, 30));
  const run = async () => {
    start.disabled = true;
    all ??= workloads(hlo);
    body.replaceChildren();
    for (const { title, ours, plain } of all) {
      told.textContent = `measuring: ${title}`;
      await pause();
      // Programs move to compiled code between calls.
      ours();
      await pause();
      const own = measure(ours, 300);
      await pause();
      const other = plain && measure(plain, 300);
      const cells = [
        title,
        `${own.toFixed(2)} ms`,
        other ? `${other.toFixed(2)} ms` : '',
        other ? `${(other / own).toFixed(1)}×` : '',
      ];
      body.append(
        element('tr', {}, ...cells.map((text, i) => element(i === 0 ? 'th' : 'td', {}, text))),
      );
    }
    told.textContent = `${hlo.build} build`;
    start.disabled = false;
    root.dataset.measured = 'true';
  };
  return () => {};
}
