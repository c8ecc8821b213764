// numpy-ts: eager NumPy API over Zig-built wasm SIMD kernels, relaxed where the host has it.
// Transposed views are made contiguous before matmul (its wasm matmul only takes C-contiguous inputs).
import * as np from 'numpy-ts';
import { versionOf } from '../versions.js';
import { Unsupported } from '../workloads.js';

// Intermediates live in a fixed wasm heap and must be disposed: `keep` records them per call.
let tmp = [];
const k = (a) => {
  if (a && a.dispose) tmp.push(a);
  return a;
};
const contiguous = (a) => k(np.ascontiguousarray(a));
const lin = (x, w, b) => k(np.add(k(np.matmul(x, w)), b));
function softmax(x) {
  const e = k(np.exp(k(np.subtract(x, k(np.max(x, -1, true))))));
  return k(np.divide(e, k(np.sum(e, -1, true))));
}
function layernorm(x, g, b) {
  const d = k(np.subtract(x, k(np.mean(x, -1, true)))),
    is = k(np.sqrt(k(np.add(k(np.variance(x, -1, 0, true)), 1e-5))));
  return k(np.add(k(np.multiply(k(np.divide(d, is)), g)), b));
}
function gelu(x) {
  const u = k(
    np.multiply(
      k(np.add(x, k(np.multiply(k(np.multiply(k(np.square(x)), x)), 0.044715)))),
      Math.sqrt(2 / Math.PI),
    ),
  );
  return k(np.multiply(k(np.multiply(x, 0.5)), k(np.add(k(np.tanh(u)), 1))));
}
const noConv = () => {
  throw new Unsupported('no N-d convolution or ML operators in the NumPy API');
};

const kinds = {
  matmul:
    (p, { a, b }) =>
    () =>
      np.matmul(a, b),
  bmm:
    (p, { a, b }) =>
    () =>
      np.matmul(a, b),
  conv: noConv,
  dwconv: noConv,
  convnet: noConv,
  chain:
    (p, { a, b, c }) =>
    () =>
      np.add(
        k(np.multiply(k(np.tanh(k(np.add(k(np.multiply(a, b)), c)))), 0.5)),
        k(np.exp(k(np.negative(a)))),
      ),
  add:
    (p, { a, b }) =>
    () =>
      np.add(a, b),
  softmax:
    (p, { x }) =>
    () =>
      softmax(x),
  layernorm:
    (p, { x, g, b }) =>
    () =>
      layernorm(x, g, b),
  sum:
    (p, { x }) =>
    () =>
      np.sum(x),
  sumAxis:
    ({ axis }, { x }) =>
    () =>
      np.sum(x, axis),
  argmax:
    (p, { x }) =>
    () =>
      np.argmax(x, 1),
  transpose:
    (p, { x }) =>
    () =>
      np.ascontiguousarray(np.transpose(x)),
  gather:
    (p, { x, i }) =>
    () =>
      np.take(x, i, 0),
  sort:
    (p, { x }) =>
    () =>
      np.sort(x),
  cumsum:
    (p, { x }) =>
    () =>
      np.cumsum(x),
  fft: ({ n }, { re, im }) => {
    // not np.frombuffer(.., 'complex64'): it misreads complex dtypes in 1.7.0
    const r = re.data,
      m = im.data,
      c = np.array(
        Array.from({ length: n }, (_, j) => new np.Complex(r[j], m[j])),
        'complex64',
      );
    return Object.assign(() => np.fft.fft(c), {
      post: (d) => {
        const y = new Float32Array(2 * n);
        for (let j = 0; j < n; j++) {
          y[j] = d[2 * j];
          y[n + j] = d[2 * j + 1];
        }
        return y;
      },
    });
  },
  cholesky:
    (p, { x }) =>
    () =>
      np.linalg.cholesky(x),
  transformer: ({ S, D, H }, I) => {
    const dh = D / H,
      split = (t, perm = [1, 0, 2]) => contiguous(np.transpose(t.reshape(S, H, dh), perm));
    return () => {
      const x1 = layernorm(I.x, I.ln1_g, I.ln1_b);
      const q = split(lin(x1, I.wq, I.bq)),
        kk = split(lin(x1, I.wk, I.bk), [1, 2, 0]),
        v = split(lin(x1, I.wv, I.bv));
      const p = softmax(k(np.multiply(k(np.matmul(q, kk)), 1 / Math.sqrt(dh))));
      const ctx = contiguous(np.transpose(k(np.matmul(p, v)), [1, 0, 2])).reshape(S, D);
      const h = k(np.add(I.x, lin(ctx, I.wo, I.bo)));
      return np.add(h, lin(gelu(lin(layernorm(h, I.ln2_g, I.ln2_b), I.w1, I.b1)), I.w2, I.b2));
    };
  },
};

export function start() {
  np.configureWasm({ maxMemory: 1 << 30 });
  return versionOf('numpy-ts');
}

export function prepare(workload) {
  const make = kinds[workload.kind];
  if (!make) throw new Unsupported(`no ${workload.kind}`);
  if (make === noConv) noConv();
  // Copied into the library's wasm heap: a plain np.array or frombuffer may stay in JavaScript's.
  const inputs = Object.fromEntries(
    Object.entries(workload.inputs()).map(([name, { data, shape, dtype }]) => {
      const array = np.frombuffer(data.buffer, dtype).reshape(...shape);
      return [name, dtype === 'float32' ? np.add(array, 0).astype('float32') : array];
    }),
  );
  const op = make(workload.p, inputs);
  let last = null;
  return {
    run() {
      last?.dispose?.();
      last = op();
      for (const array of tmp) if (array !== last) array.dispose();
      tmp = [];
    },
    result() {
      if (typeof last === 'number') return [Float64Array.of(last)];
      return [op.post ? op.post(last.data) : last.data];
    },
  };
}
