// LiteRT.js (TFLite over XNNPACK), in browsers only: it loads its wasm with a script tag. One model per workload, built in
// memory; weights are constants (packed once), activations are inputs.
import { loadLiteRt, loadAndCompile, Tensor } from '@litertjs/core';
import { TfLite } from '../tflite.js';
import { Unsupported } from '../workloads.js';

const ohwi = ({ shape: [h, w, i, o], data }) => {
  // HWIO -> OHWI
  const y = new Float32Array(data.length),
    K = h * w * i;
  for (let k = 0; k < K; k++) for (let c = 0; c < o; c++) y[c * K + k] = data[k * o + c];
  return { shape: [o, h, w, i], dtype: 'float32', data: y };
};
const nk = ({ shape: [k, n], data }) => {
  const y = new Float32Array(data.length);
  for (let i = 0; i < k; i++) for (let j = 0; j < n; j++) y[j * k + i] = data[i * n + j];
  return { shape: [n, k], dtype: 'float32', data: y };
};
const conv = (g, x, f, s, b, act = 0) => {
  const [, H, W] = g.shape(x),
    o = f.shape[3];
  return g.op(
    'CONV_2D',
    [x, g.const(ohwi(f)), b ?? g.f32(Array(o).fill(0), [o])],
    [1, Math.ceil(H / s), Math.ceil(W / s), o],
    { sw: s, sh: s, act },
  );
};
const dwconv = (g, x, f, s, b, act = 0) => {
  const [, H, W, C] = g.shape(x),
    [kh, kw] = f.shape;
  return g.op(
    'DEPTHWISE_CONV_2D',
    [x, g.const({ ...f, shape: [1, kh, kw, C] }), b ?? g.f32(Array(C).fill(0), [C])],
    [1, Math.ceil(H / s), Math.ceil(W / s), C],
    { sw: s, sh: s, mult: 1, act },
  );
};
const fc = (g, x, w, b) =>
  g.op('FULLY_CONNECTED', [x, g.const(nk(w)), b ?? -1], [g.shape(x)[0], w.shape[1]]);
const bin = (g, op, a, b, shape = g.shape(a)) => g.op(op, [a, b], shape);
function layernorm(g, x, gm, bt) {
  const [R, N] = g.shape(x),
    ax = g.i32([1]),
    m = g.op('MEAN', [x, ax], [R, 1], { keep: 1 });
  const v = g.op('MEAN', [bin(g, 'SQUARED_DIFFERENCE', x, m), ax], [R, 1], { keep: 1 });
  const n = bin(
    g,
    'MUL',
    bin(g, 'SUB', x, m),
    g.op('RSQRT', [bin(g, 'ADD', v, g.f32(1e-5))], [R, 1]),
  );
  return bin(g, 'ADD', bin(g, 'MUL', n, gm), bt);
}
const kinds = {
  matmul: (g, { M, N }, I) => [
    g.op('BATCH_MATMUL', [g.input(I.a), g.input(I.b)], [M, N]),
    'a',
    'b',
  ],
  bmm: (g, { B, M, N }, I) => [
    g.op('BATCH_MATMUL', [g.input(I.a), g.input(I.b)], [B, M, N]),
    'a',
    'b',
  ],
  conv: (g, { s }, I) => [conv(g, g.input(I.x), I.f, s), 'x'],
  dwconv: (g, { s }, I) => [dwconv(g, g.input(I.x), I.f, s), 'x'],
  chain: (g, p, I) => {
    const [a, b, c] = [I.a, I.b, I.c].map((t) => g.input(t)),
      sh = g.shape(a);
    const t = bin(g, 'MUL', g.op('TANH', [bin(g, 'ADD', bin(g, 'MUL', a, b), c)], sh), g.f32(0.5));
    return [bin(g, 'ADD', t, g.op('EXP', [g.op('NEG', [a], sh)], sh)), 'a', 'b', 'c'];
  },
  add: (g, p, I) => [bin(g, 'ADD', g.input(I.a), g.input(I.b)), 'a', 'b'],
  softmax: (g, { R, N }, I) => [g.op('SOFTMAX', [g.input(I.x)], [R, N], { beta: 1 }), 'x'],
  layernorm: (g, p, I) => [layernorm(g, g.input(I.x), g.const(I.g), g.const(I.b)), 'x'],
  sum: (g, p, I) => [g.op('SUM', [g.input(I.x), g.i32([0])], []), 'x'],
  sumAxis: (g, { axis, kept }, I) => [g.op('SUM', [g.input(I.x), g.i32([axis])], kept), 'x'],
  argmax: (g, { R }, I) => [
    g.op('ARG_MAX', [g.input(I.x), g.i32([1])], [R], { type: 2 }, 'int32'),
    'x',
  ],
  transpose: (g, { R, N }, I) => [g.op('TRANSPOSE', [g.input(I.x), g.i32([1, 0])], [N, R]), 'x'],
  gather: (g, { n, N }, I) => [g.op('GATHER', [g.input(I.x), g.input(I.i)], [n, N]), 'x', 'i'],
  cumsum: (g, { n }, I) => [
    g.op(
      'CUMSUM',
      [g.input(I.x), g.const({ shape: [], dtype: 'int32', data: Int32Array.of(0) })],
      [n],
    ),
    'x',
  ],
  sort: (g, { n }, I) => {
    const [v, i] = g.op(
      'TOPK_V2',
      [g.input(I.x), g.const({ shape: [], dtype: 'int32', data: Int32Array.of(n) })],
      [[n], [n]],
      {},
      ['float32', 'int32'],
    );
    g.output(v);
    return [i, 'x'];
  },
  fft: () => {
    throw new Unsupported('only real RFFT2D in TFLite');
  },
  cholesky: () => {
    throw new Unsupported('no Cholesky in TFLite');
  },
  transformer: (g, { S, D, H }, I) => {
    const dh = D / H,
      C = (n) => g.const(I[n]),
      x = g.input(I.x),
      lin = (t, w, b) => fc(g, t, I[w], C(b));
    const shp = g.i32([S, H, dh]),
      split = (t) =>
        g.op('TRANSPOSE', [g.op('RESHAPE', [t, shp], [S, H, dh]), g.i32([1, 0, 2])], [H, S, dh]);
    const x1 = layernorm(g, x, C('ln1_g'), C('ln1_b'));
    const q = split(lin(x1, 'wq', 'bq')),
      k = split(lin(x1, 'wk', 'bk')),
      v = split(lin(x1, 'wv', 'bv'));
    const p = g.op(
      'SOFTMAX',
      [
        bin(
          g,
          'MUL',
          g.op('BATCH_MATMUL', [q, k], [H, S, S], { adjY: 1 }),
          g.f32(1 / Math.sqrt(dh)),
        ),
      ],
      [H, S, S],
      { beta: 1 },
    );
    const ctx = g.op(
      'RESHAPE',
      [
        g.op('TRANSPOSE', [g.op('BATCH_MATMUL', [p, v], [H, S, dh]), g.i32([1, 0, 2])], [S, H, dh]),
        g.i32([S, D]),
      ],
      [S, D],
    );
    const h = bin(g, 'ADD', x, lin(ctx, 'wo', 'bo')),
      f = lin(layernorm(g, h, C('ln2_g'), C('ln2_b')), 'w1', 'b1');
    return [bin(g, 'ADD', h, lin(g.op('GELU', [f], g.shape(f), { approx: 1 }), 'w2', 'b2')), 'x'];
  },
  convnet: (g, { blocks }, I) => {
    const C = (n) => g.const(I[n]);
    let t = conv(g, g.input(I.x), I.f0, 2, C('b0'), 3);
    blocks.forEach(([s], i) => {
      t = dwconv(g, t, I['d' + i], s, C('e' + i), 3);
      t = conv(g, t, I['f' + (i + 1)], 1, C('b' + (i + 1)), 3);
    });
    return [fc(g, g.op('MEAN', [t, g.i32([1, 2])], [1, 1024]), I.w, C('bw')), 'x'];
  },
};

const WASM = new URL('../node_modules/@litertjs/core/wasm/', import.meta.url);
let numThreads = 1;
let loading; // it can be loaded once
export async function start(threads) {
  numThreads = threads;
  await (loading ??= loadLiteRt(WASM.pathname, { threads: threads > 1 }));
  const text = await fetch(new URL('../node_modules/@litertjs/core/package.json', import.meta.url));
  return (await text.json()).version;
}

export async function prepare({ kind, p, inputs }) {
  const make = kinds[kind];
  if (!make) throw new Unsupported(`no ${kind}`);
  const graph = new TfLite(),
    I = inputs(),
    [output, ...names] = make(graph, p, I);
  graph.output(output);
  const model = await loadAndCompile(graph.bytes(), {
    accelerator: 'wasm',
    cpuOptions: { numThreads },
  });
  const arrays = names.map((name) => new Tensor(I[name].data, I[name].shape));
  let last = [];
  return {
    async run() {
      for (const tensor of last) tensor.delete();
      last = await model.run(arrays);
    },
    result() {
      const data = last[0].toTypedArray();
      return [kind === 'sort' ? data.reverse() : data]; // by TOPK_V2 of all: the largest first
    },
  };
}
