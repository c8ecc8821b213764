// How fast this browser runs programs, beside plain JavaScript that computes the same. Must not claim anything that it
// has not measured just now.
import { element } from '../frame.js';

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
  const block = transformer(hlo);
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
    { title: 'transformer block (128 tokens, width 256, 4 heads)', ours: block },
  ];
}

/** One block with random weights: attention and a network behind it, as one program. @param {any} hlo */
function transformer(hlo) {
  const [T, D, H, F] = [128, 256, 4, 1024];
  const weights = (/** @type {number[]} */ shape) =>
    hlo.mul(hlo.array(randoms(shape[0] * shape[1]), { shape }), 2 / Math.sqrt(shape[0]));
  const p = {
    q: weights([D, D]),
    k: weights([D, D]),
    v: weights([D, D]),
    o: weights([D, D]),
    up: weights([D, F]),
    down: weights([F, D]),
  };
  const x = hlo.array(randoms(T * D), { shape: [T, D] });
  const rowsOf = (/** @type {any} */ y, /** @type {number[]} */ dims) =>
    hlo.broadcastInDim(
      y,
      dims,
      dims.slice(0, -1).map((/** @type {number} */ _, /** @type {number} */ d) => d),
    );
  const normal = (/** @type {any} */ y) => {
    const mean = (/** @type {any} */ z) =>
      rowsOf(hlo.mul(hlo.reduce(z, 0, 'add', [1]), 1 / D), [T, D]);
    const centred = hlo.sub(y, mean(y));
    return hlo.mul(centred, hlo.rsqrt(hlo.add(mean(hlo.mul(centred, centred)), 1e-5)));
  };
  const heads = (/** @type {any} */ y) => hlo.transpose(hlo.reshape(y, [T, H, D / H]), [1, 0, 2]);
  const batch = { lhsBatch: [0], rhsBatch: [0] };
  const run = hlo.jit((/** @type {any} */ w, /** @type {any} */ y) => {
    const n = normal(y);
    const [q, k, v] = [w.q, w.k, w.v].map((m) => heads(hlo.dot(n, m)));
    const scores = hlo.mul(
      hlo.dotGeneral(q, k, { ...batch, lhsContracting: [2], rhsContracting: [2] }),
      1 / Math.sqrt(D / H),
    );
    const top = rowsOf(hlo.reduce(scores, -Infinity, 'max', [2]), [H, T, T]);
    const e = hlo.exp(hlo.sub(scores, top));
    const shares = hlo.div(e, rowsOf(hlo.reduce(e, 0, 'add', [2]), [H, T, T]));
    const mixed = hlo.dotGeneral(shares, v, { ...batch, lhsContracting: [2], rhsContracting: [1] });
    const after = hlo.add(y, hlo.dot(hlo.reshape(hlo.transpose(mixed, [1, 0, 2]), [T, D]), w.o));
    const hidden = hlo.dot(normal(after), w.up);
    return hlo.add(after, hlo.dot(hlo.mul(hidden, hlo.logistic(hidden)), w.down));
  });
  return () => run(p, x).dispose();
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
