// onnxruntime-web, wasm EP. One ONNX graph per workload, built in memory. Weights are initializers
// (ORT pre-packs them); activations are graph inputs. NCHW inside, its native layout.
// session.run() copies inputs into the wasm heap and outputs out of it: that is part of its API, and of its time.
import * as ort from 'onnxruntime-web';
import { Unsupported } from '../workloads.js';
import { samePad } from '../references.js';
import { Graph, float } from '../onnx.js';
import { nhwc2nchw, nchw2nhwc, hwio2oihw } from '../layouts.js';

const pads = (n, k, s) => {
  const [, a, b] = samePad(n, k, s);
  return [a, a, b, b];
};
const conv = (g, x, w, H, K, s, group = 1, bias) =>
  g.op('Conv', bias ? [x, w, bias] : [x, w], {
    kernel_shape: [K, K],
    strides: [s, s],
    pads: pads(H, K, s),
    group,
  });
const feed = (g, I, ...names) => names.map((n) => g.input(n, I[n].dtype, I[n].shape));
const as = (t, shape) => ({ ...t, shape });

// kind -> (graph, p, inputs) => { out, shape, dtype?, feeds, post? }
const kinds = {
  matmul: (g, { M, N }, I) => ({
    out: g.op('MatMul', feed(g, I, 'a', 'b')),
    shape: [M, N],
    feeds: ['a', 'b'],
  }),
  bmm: (g, { B, M, N }, I) => ({
    out: g.op('MatMul', feed(g, I, 'a', 'b')),
    shape: [B, M, N],
    feeds: ['a', 'b'],
  }),
  conv: (g, { H, K, O: C, s }, I) => {
    I.x = nhwc2nchw(I.x);
    const h = samePad(H, K, s)[0];
    return {
      out: conv(g, feed(g, I, 'x')[0], g.const(hwio2oihw(I.f)), H, K, s),
      shape: [1, C, h, h],
      feeds: ['x'],
      post: (d) => nchw2nhwc(d, 1, C, h * h),
    };
  },
  dwconv: (g, { H, C, K, s }, I) => {
    I.x = nhwc2nchw(I.x);
    const h = samePad(H, K, s)[0];
    return {
      out: conv(g, feed(g, I, 'x')[0], g.const(hwio2oihw(I.f, true)), H, K, s, C),
      shape: [1, C, h, h],
      feeds: ['x'],
      post: (d) => nchw2nhwc(d, 1, C, h * h),
    };
  },
  chain: (g, { n }, I) => {
    const [a, b, c] = feed(g, I, 'a', 'b', 'c');
    const t = g.op('Mul', [g.op('Tanh', [g.op('Add', [g.op('Mul', [a, b]), c])]), g.scalar(0.5)]);
    return {
      out: g.op('Add', [t, g.op('Exp', [g.op('Neg', [a])])]),
      shape: [n],
      feeds: ['a', 'b', 'c'],
    };
  },
  add: (g, { n }, I) => ({ out: g.op('Add', feed(g, I, 'a', 'b')), shape: [n], feeds: ['a', 'b'] }),
  softmax: (g, { R, N }, I) => ({
    out: g.op('Softmax', feed(g, I, 'x'), { axis: -1 }),
    shape: [R, N],
    feeds: ['x'],
  }),
  layernorm: (g, { R, N }, I) => ({
    out: g.op('LayerNormalization', [feed(g, I, 'x')[0], g.const(I.g), g.const(I.b)], {
      axis: -1,
      epsilon: float(1e-5),
    }),
    shape: [R, N],
    feeds: ['x'],
  }),
  sum: (g, p, I) => ({
    out: g.op('ReduceSum', feed(g, I, 'x'), { keepdims: 0 }),
    shape: [],
    feeds: ['x'],
  }),
  sumAxis: (g, { axis, kept }, I) => ({
    out: g.op('ReduceSum', [...feed(g, I, 'x'), g.i64([axis])], { keepdims: 0 }),
    shape: kept,
    feeds: ['x'],
  }),
  argmax: (g, { R }, I) => ({
    out: g.op('ArgMax', feed(g, I, 'x'), { axis: 1, keepdims: 0 }),
    shape: [R],
    dtype: 'int64',
    feeds: ['x'],
  }),
  transpose: (g, { R, N }, I) => ({
    out: g.op('Transpose', feed(g, I, 'x'), { perm: [1, 0] }),
    shape: [N, R],
    feeds: ['x'],
  }),
  gather: (g, { n, N }, I) => ({
    out: g.op('Gather', feed(g, I, 'x', 'i'), { axis: 0 }),
    shape: [n, N],
    feeds: ['x', 'i'],
  }),
  sort: (g, { n }, I) => {
    const [v, i] = g.op(
      'TopK',
      [...feed(g, I, 'x'), g.i64([n])],
      { axis: 0, largest: 0, sorted: 1 },
      2,
    );
    return { out: v, shape: [n], feeds: ['x'] }; // ONNX has no sort
  },
  cumsum: (g, { n }, I) => ({
    out: g.op('CumSum', [...feed(g, I, 'x'), g.i64([0], [])]),
    shape: [n],
    feeds: ['x'],
  }),
  fft: (g, { n }, I) => {
    const z = new Float32Array(2 * n);
    for (let k = 0; k < n; k++) {
      z[2 * k] = I.re.data[k];
      z[2 * k + 1] = I.im.data[k];
    }
    I.z = { shape: [1, n, 2], dtype: 'float32', data: z };
    return {
      out: g.op('DFT', [...feed(g, I, 'z'), '', g.i64([1], [])]),
      shape: [1, n, 2],
      feeds: ['z'],
      post: (d) => {
        const y = new Float32Array(2 * n);
        for (let k = 0; k < n; k++) {
          y[k] = d[2 * k];
          y[n + k] = d[2 * k + 1];
        }
        return y;
      },
    };
  },
  cholesky: () => {
    throw new Unsupported('ONNX has no Cholesky operator');
  },
  transformer: (g, { S, D, H }, I) => {
    const dh = D / H,
      C = (n) => g.const(I[n], n),
      x = feed(g, I, 'x')[0];
    const lin = (t, w, b) => g.op('Add', [g.op('MatMul', [t, C(w)]), C(b)]);
    const ln = (t, k) =>
      g.op('LayerNormalization', [t, C(`ln${k}_g`), C(`ln${k}_b`)], {
        axis: -1,
        epsilon: float(1e-5),
      });
    const shp = g.i64([S, H, dh]),
      split = (t, perm = [1, 0, 2]) => g.op('Transpose', [g.op('Reshape', [t, shp])], { perm });
    const x1 = ln(x, 1),
      q = split(lin(x1, 'wq', 'bq')),
      k = split(lin(x1, 'wk', 'bk'), [1, 2, 0]),
      v = split(lin(x1, 'wv', 'bv'));
    const pr = g.op(
      'Softmax',
      [g.op('Mul', [g.op('MatMul', [q, k]), g.scalar(1 / Math.sqrt(dh))])],
      { axis: -1 },
    );
    const ctx = g.op('Reshape', [
      g.op('Transpose', [g.op('MatMul', [pr, v])], { perm: [1, 0, 2] }),
      g.i64([S, D]),
    ]);
    const h = g.op('Add', [x, lin(ctx, 'wo', 'bo')]);
    const f = g.op('Gelu', [lin(ln(h, 2), 'w1', 'b1')], { approximate: 'tanh' });
    return { out: g.op('Add', [h, lin(f, 'w2', 'b2')]), shape: [S, D], feeds: ['x'] };
  },
  convnet: (g, { blocks }, I) => {
    I.x = nhwc2nchw(I.x);
    const lo = g.scalar(0),
      hi = g.scalar(6),
      act = (t) => g.op('Clip', [t, lo, hi]);
    let t = act(conv(g, feed(g, I, 'x')[0], g.const(hwio2oihw(I.f0)), 224, 3, 2, 1, g.const(I.b0))),
      H = 112,
      C = 32;
    blocks.forEach(([s, o], i) => {
      t = act(conv(g, t, g.const(hwio2oihw(I['d' + i], true)), H, 3, s, C, g.const(I['e' + i])));
      H = Math.ceil(H / s);
      t = act(
        conv(g, t, g.const(hwio2oihw(I['f' + (i + 1)])), H, 1, 1, 1, g.const(I['b' + (i + 1)])),
      );
      C = o;
    });
    t = g.op('Flatten', [g.op('GlobalAveragePool', [t])], { axis: 1 });
    return { out: g.op('Gemm', [t, g.const(I.w), g.const(I.bw)]), shape: [1, 1000], feeds: ['x'] };
  },
};

export function start() {
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = 'error';
  return ort.env.versions.web;
}

export async function prepare(workload) {
  const make = kinds[workload.kind];
  if (!make) throw new Unsupported(`no ${workload.kind}`);
  const graph = new Graph();
  const inputs = workload.inputs();
  const made = make(graph, workload.p, inputs);
  graph.output(made.out, made.dtype || 'float32', made.shape);
  const session = await ort.InferenceSession.create(graph.model(), {
    executionProviders: ['wasm'],
    graphOptimizationLevel: 'all',
  });
  delete globalThis.Worker; // which this library defines in Node; jax-js would take it for a browser's
  const feeds = Object.fromEntries(
    made.feeds.map((n) => [n, new ort.Tensor(inputs[n].dtype, inputs[n].data, inputs[n].shape)]),
  );
  let last;
  return {
    async run() {
      last = await session.run(feeds);
    },
    result() {
      const { data } = last[made.out];
      return [made.post ? made.post(data) : data];
    },
  };
}
