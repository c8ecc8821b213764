// TensorFlow.js core + wasm backend (XNNPACK, SIMD). NHWC, eager kernels, results stay in the wasm heap.
// No graph compiler: element-wise chains run op by op; conv/matmul use the fused bias+activation kernels.
import * as tf from '@tensorflow/tfjs-core';
import * as wasm from '@tensorflow/tfjs-backend-wasm';
import { Unsupported } from '../workloads.js';

const kinds = {
  matmul:
    (p, { a, b }) =>
    () =>
      tf.matMul(a, b),
  bmm:
    (p, { a, b }) =>
    () =>
      tf.matMul(a, b),
  conv:
    ({ s }, { x, f }) =>
    () =>
      tf.conv2d(x, f, s, 'same'),
  dwconv:
    ({ s }, { x, f }) =>
    () =>
      tf.depthwiseConv2d(x, f, s, 'same'),
  chain:
    (p, { a, b, c }) =>
    () =>
      tf.add(tf.mul(tf.tanh(tf.add(tf.mul(a, b), c)), 0.5), tf.exp(tf.neg(a))),
  add:
    (p, { a, b }) =>
    () =>
      tf.add(a, b),
  softmax:
    (p, { x }) =>
    () =>
      tf.softmax(x),
  layernorm:
    (p, { x, g, b }) =>
    () =>
      layernorm(x, g, b),
  sum:
    (p, { x }) =>
    () =>
      tf.sum(x),
  sumAxis:
    ({ axis }, { x }) =>
    () =>
      tf.sum(x, axis),
  argmax:
    (p, { x }) =>
    () =>
      tf.argMax(x, 1),
  transpose:
    (p, { x }) =>
    () =>
      tf.transpose(x),
  gather:
    (p, { x, i }) =>
    () =>
      tf.gather(x, i),
  sort: ({ n }, { x }) =>
    Object.assign(() => tf.topk(x, n, true).values, {
      post: (d) => d.slice().reverse(),
    }),
  cumsum:
    (p, { x }) =>
    () =>
      tf.cumsum(x),
  fft: (p, { re, im }) => {
    const f = () => {
      const z = tf.fft(tf.complex(re, im));
      return [tf.real(z), tf.imag(z)];
    };
    try {
      tf.tidy(f);
    } catch (e) {
      throw new Unsupported(`tf.fft: ${e.message.split('\n')[0]}`);
    }
    return f;
  },
  cholesky: () => {
    throw new Unsupported('no Cholesky in tf.linalg (only bandPart, gramSchmidt, qr)');
  },
  transformer: ({ S, D, H }, I) => {
    const dh = D / H,
      split = (t) => tf.transpose(tf.reshape(t, [S, H, dh]), [1, 0, 2]);
    const lin = (x, w, b) => tf.fused.matMul({ a: x, b: w, bias: b });
    return () => {
      const x1 = layernorm(I.x, I.ln1_g, I.ln1_b);
      const q = split(lin(x1, I.wq, I.bq)),
        k = split(lin(x1, I.wk, I.bk)),
        v = split(lin(x1, I.wv, I.bv));
      const p = tf.softmax(tf.mul(tf.matMul(q, k, false, true), 1 / Math.sqrt(dh)));
      const ctx = tf.reshape(tf.transpose(tf.matMul(p, v), [1, 0, 2]), [S, D]);
      const h = tf.add(I.x, lin(ctx, I.wo, I.bo));
      return tf.add(h, lin(gelu(lin(layernorm(h, I.ln2_g, I.ln2_b), I.w1, I.b1)), I.w2, I.b2));
    };
  },
  convnet:
    ({ blocks }, I) =>
    () => {
      let t = tf.fused.conv2d({
        x: I.x,
        filter: I.f0,
        strides: 2,
        pad: 'same',
        bias: I.b0,
        activation: 'relu6',
      });
      blocks.forEach(([s], i) => {
        t = tf.fused.depthwiseConv2d({
          x: t,
          filter: I['d' + i],
          strides: s,
          pad: 'same',
          bias: I['e' + i],
          activation: 'relu6',
        });
        t = tf.fused.conv2d({
          x: t,
          filter: I['f' + (i + 1)],
          strides: 1,
          pad: 'same',
          bias: I['b' + (i + 1)],
          activation: 'relu6',
        });
      });
      return tf.fused.matMul({ a: tf.mean(t, [1, 2]), b: I.w, bias: I.bw });
    },
};
function layernorm(x, g, b) {
  const { mean, variance } = tf.moments(x, -1, true);
  return tf.add(tf.mul(tf.mul(tf.sub(x, mean), tf.rsqrt(tf.add(variance, 1e-5))), g), b);
}
const gelu = (x) =>
  tf.mul(
    tf.mul(x, 0.5),
    tf.add(
      tf.tanh(tf.mul(tf.add(x, tf.mul(tf.mul(tf.mul(x, x), x), 0.044715)), Math.sqrt(2 / Math.PI))),
      1,
    ),
  );

export async function start(threads) {
  if (typeof document !== 'undefined')
    wasm.setWasmPaths('/tests/bench/node_modules/@tensorflow/tfjs-backend-wasm/dist/');
  wasm.setThreadsCount(threads);
  if (!(await tf.setBackend('wasm'))) throw new Error('the wasm backend did not start');
  await tf.ready();
  if (threads > 1 && wasm.getThreadsCount() !== threads)
    throw new Unsupported(`${wasm.getThreadsCount()} threads`);
  return wasm.version_wasm;
}

export function prepare(workload) {
  const make = kinds[workload.kind];
  if (!make) throw new Unsupported(`no ${workload.kind}`);
  const inputs = Object.fromEntries(
    Object.entries(workload.inputs()).map(([k, t]) => [k, tf.tensor(t.data, t.shape, t.dtype)]),
  );
  const op = make(workload.p, inputs);
  let last = null;
  return {
    run() {
      if (last) tf.dispose(last);
      last = tf.tidy(op);
    },
    result() {
      if (Array.isArray(last)) return [Float32Array.from(last.flatMap((t) => [...t.dataSync()]))];
      const data = last.dataSync();
      return [op.post ? op.post(data) : data];
    },
  };
}
