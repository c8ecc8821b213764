// How long one transformer block takes: attention and a network behind it as one program, as large as one likes, and whom
// its tokens look at.
import { element } from '../frame.js';
import { palette, picture, line, styleColor } from './canvas.js';

const TIMES = 240; // measurements that are drawn

/** @param {number} n */
const randoms = (n) => Float32Array.from({ length: n }, () => Math.random() - 0.5);

/**
 * A block with random weights.
 * @param {any} hlo
 * @param {{ tokens: number, width: number, heads: number }} sizes
 */
export function transformerBlock(hlo, { tokens: T, width: D, heads: H }) {
  const F = 4 * D;
  const weights = (/** @type {number[]} */ shape) =>
    hlo.array(
      randoms(shape[0] * shape[1]).map((x) => (2 * x) / Math.sqrt(shape[0])),
      { shape },
    );
  const parameters = {
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
  const split = (/** @type {any} */ y) => hlo.transpose(hlo.reshape(y, [T, H, D / H]), [1, 0, 2]);
  const batch = { lhsBatch: [0], rhsBatch: [0] };
  const block = hlo.jit((/** @type {any} */ w, /** @type {any} */ y) => {
    const n = normal(y);
    const [q, k, v] = [w.q, w.k, w.v].map((m) => split(hlo.dot(n, m)));
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
    const y2 = hlo.add(after, hlo.dot(hlo.mul(hidden, hlo.logistic(hidden)), w.down));
    return { y: y2, shares };
  });
  return {
    /** Multiplications and additions of the products. */
    operations: 2 * T * D * (4 * D + 2 * F) + 4 * T * T * D,
    run: () => block(parameters, x),
    dispose() {
      block.dispose();
      for (const array of [...Object.values(parameters), x]) array.dispose();
    },
  };
}

/** @param {any} hlo @param {HTMLElement} root */
export function transformer(hlo, root) {
  const told = element('p', { class: 'quiet' });
  const curve = picture(480, 160, 'milliseconds of each run');
  const map = element('div', { class: 'matrices' });
  const menu = (
    /** @type {string} */ text,
    /** @type {number[]} */ sizes,
    /** @type {number} */ chosen,
  ) => {
    const select = element('select', { class: 'kinds', onchange: () => open() });
    select.append(...sizes.map((n) => new Option(String(n), String(n), false, n === chosen)));
    return { select, label: element('label', {}, `${text} `, select) };
  };
  const tokens = menu('Tokens', [16, 64, 128, 256, 512], 128);
  const width = menu('Width', [64, 128, 256, 512], 256);
  const heads = menu('Heads', [1, 2, 4, 8], 4);
  root.append(
    element('h2', {}, 'Transformer block'),
    element(
      'p',
      {},
      'Attention, a network of four times the width, two normalisations and two residuals, as one program with random weights. The pictures show whom each token looks at.',
    ),
    element('p', { class: 'fields' }, tokens.label, width.label, heads.label),
    told,
    element('div', { class: 'panels' }, curve.canvas, map),
  );
  /** @type {ReturnType<typeof transformerBlock> | undefined} */
  let block;
  /** @type {number[]} */
  let times = [];
  const open = () => {
    block?.dispose();
    const [T, D, H] = [tokens, width, heads].map(({ select }) => Number(select.value));
    block = transformerBlock(hlo, { tokens: T, width: D, heads: H });
    times = [];
    const { y, shares } = block.run();
    const flat = shares.toTypedArray();
    map.replaceChildren(
      ...Array.from({ length: H }, (_, h) => {
        const { canvas, context, image } = picture(T, T, `head ${h}: rows look at columns`);
        const part = flat.subarray(h * T * T, (h + 1) * T * T);
        const high = part.reduce(
          (/** @type {number} */ a, /** @type {number} */ b) => Math.max(a, b),
          0,
        );
        new Uint32Array(image.data.buffer).set(
          Array.from(
            part,
            (/** @type {number} */ share) => palette[Math.round((255 * share) / high)],
          ),
        );
        context.putImageData(image, 0, 0);
        canvas.classList.add('square');
        return canvas;
      }),
    );
    y.dispose();
    shares.dispose();
  };
  open();
  return () => {
    if (!block) return;
    const start = performance.now();
    const { y, shares } = block.run();
    times.push(performance.now() - start);
    y.dispose();
    shares.dispose();
    if (times.length > TIMES) times.shift();
    const sorted = times.toSorted((a, b) => a - b);
    const median = sorted[sorted.length >> 1];
    told.textContent = `${median.toFixed(2)} ms (median of ${times.length}, fastest ${sorted[0].toFixed(2)}), ${(block.operations / median / 1e6).toFixed(1)} GFLOP/s`;
    root.dataset.runs = String(times.length);
    curve.context.clearRect(0, 0, 480, 160);
    line(curve.context, times, { low: 0, high: 2 * median, color: styleColor('--accent') });
  };
}
