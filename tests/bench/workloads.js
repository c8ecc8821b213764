// The workloads: deterministic inputs, an f64 reference, a tolerance and the nominal work.
//
// A workload: { id, title, kind, p, inputs() -> { name: { shape, dtype, data } }, ref(inputs) -> [{ shape, data }], tol,
//               flops?, bytes?, limit? }
// `tol` is the allowed max|x - ref| / max|ref| (0 = exact match). `limit` names the loop of limits.js over the same bytes.
// Layouts: images are NHWC, convolution filters HWIO (depthwise: H,W,C,1), dots row-major. An adapter may keep its own
// layout inside, but result() gives the layout of ref().
import { conv64, fft64, gelu64, layernorm64, mm64, softmax64 } from './references.js';

function mulberry32(seed) {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
const prod = (s) => s.reduce((a, b) => a * b, 1);
function uni(shape, seed, lo = -1, hi = 1) {
  const n = prod(shape),
    r = mulberry32(seed),
    d = new Float32Array(n),
    w = hi - lo;
  for (let i = 0; i < n; i++) d[i] = lo + w * r();
  return { shape, dtype: 'float32', data: d };
}
const ints = (shape, seed, n) => {
  const r = mulberry32(seed),
    d = new Int32Array(prod(shape));
  for (let i = 0; i < d.length; i++) d[i] = Math.floor(r() * n);
  return { shape, dtype: 'int32', data: d };
};
const he = (shape, seed, fanIn) => {
  const s = Math.sqrt(3 / fanIn);
  return uni(shape, seed, -s * 1.2, s * 1.2);
};
const out = (shape, data) => [{ shape, data }];

const list = [];
const def = (w) => list.push(w);

// ---- dots
function matmul(id, M, K, N) {
  def({
    id,
    kind: 'matmul',
    p: { M, K, N },
    flops: 2 * M * N * K,
    bytes: 4 * (M * K + K * N + M * N),
    tol: 1e-5,
    inputs: () => ({ a: uni([M, K], 1), b: uni([K, N], 2) }),
    ref: ({ a, b }) => out([M, N], mm64(a.data, b.data, M, K, N)),
  });
}
// Of other types: what an element stands for, and how it is written. The result's tolerance is that of one rounding.
const toF32 = new Float32Array(1),
  toBits = new Uint32Array(toF32.buffer);
const bf16 = (x) => {
  toF32[0] = x;
  return (toBits[0] + 0x7fff + ((toBits[0] >> 16) & 1)) >>> 16;
};
// Of numbers n / 256 with |n| <= 256, which f16 holds exactly.
const f16 = (x) => {
  const size = Math.abs(x);
  if (size === 0) return 0;
  const exponent = Math.floor(Math.log2(size));
  return (x < 0 ? 0x8000 : 0) | ((exponent + 15) << 10) | ((size / 2 ** exponent - 1) * 1024);
};
const others = {
  s8: { sum: 's32', step: 1, array: Int8Array, tol: 0 },
  bf16: { step: 1 / 128, array: Uint16Array, encode: bf16, tol: 4e-3 },
  f16: { step: 1 / 256, array: Uint16Array, encode: f16, tol: 1e-3 },
  f64: { step: 1 / 256, array: Float64Array, tol: 1e-14 },
};
for (const [type, { sum = type, step, array, encode = (x) => x, tol }] of Object.entries(others)) {
  const n = 512;
  const numbers = (seed) => ints([n, n], seed, 255).data.map((x) => x - 127);
  const input = (seed) => ({
    shape: [n, n],
    dtype: type,
    data: array.from(numbers(seed), (x) => encode(x * step)),
  });
  def({
    id: `matmul_512_${type}`,
    kind: 'typed_matmul',
    p: { M: n, K: n, N: n, type, sum },
    flops: 2 * n ** 3,
    tol,
    inputs: () => ({ a: input(1), b: input(2) }),
    ref() {
      const [a, b] = [1, 2].map((seed) => Float64Array.from(numbers(seed), (x) => x * step));
      return out([n, n], mm64(a, b, n, n, n));
    },
  });
}
matmul('matmul_2', 2, 2, 2);
for (const n of [64, 256, 512, 1024]) matmul(`matmul_${n}`, n, n, n);
matmul('matvec_4096', 1, 4096, 4096);
def({
  id: 'bmm_12x128x64',
  kind: 'bmm',
  p: { B: 12, M: 128, K: 64, N: 128 },
  flops: 2 * 12 * 128 * 64 * 128,
  tol: 1e-5,
  inputs: () => ({ a: uni([12, 128, 64], 1), b: uni([12, 64, 128], 2) }),
  ref: ({ a, b }) => {
    const c = new Float64Array(12 * 128 * 128);
    for (let i = 0; i < 12; i++)
      mm64(a.data, b.data, 128, 64, 128, i * 128 * 64, i * 64 * 128, c, i * 128 * 128);
    return out([12, 128, 128], c);
  },
});

// ---- convolutions
function conv(id, H, W, C, K, O, s, depthwise = false) {
  const OH = Math.ceil(H / s),
    OW = Math.ceil(W / s);
  def({
    id,
    kind: depthwise ? 'dwconv' : 'conv',
    p: { H, W, C, K, O, s, depthwise },
    tol: 1e-5,
    flops: 2 * OH * OW * O * K * K * (depthwise ? 1 : C),
    inputs: () => ({ x: uni([1, H, W, C], 1), f: uni(depthwise ? [K, K, C, 1] : [K, K, C, O], 2) }),
    ref: ({ x, f }) =>
      out([1, OH, OW, O], conv64(x.data, H, W, C, f.data, K, K, O, s, depthwise).y),
  });
}
conv('conv3x3', 56, 56, 64, 3, 64, 1);
conv('dwconv3x3', 112, 112, 32, 3, 32, 1, true);
conv('conv1x1', 56, 56, 64, 1, 256, 1);
conv('conv7x7s2', 224, 224, 3, 7, 64, 2);

// ---- elementwise
for (const [tag, n] of [
  ['1M', 1 << 20],
  ['16M', 1 << 24],
]) {
  def({
    id: `chain_${tag}`,
    kind: 'chain',
    p: { n },
    bytes: 16 * n,
    tol: 2e-6,
    inputs: () => ({ a: uni([n], 1), b: uni([n], 2), c: uni([n], 3) }),
    ref: ({ a, b, c }) => {
      const y = new Float64Array(n),
        A = a.data,
        B = b.data,
        C = c.data;
      for (let i = 0; i < n; i++) y[i] = Math.tanh(A[i] * B[i] + C[i]) * 0.5 + Math.exp(-A[i]);
      return out([n], y);
    },
  });
}
for (const [tag, n] of [
  ['1M', 1 << 20],
  ['16M', 1 << 24],
]) {
  def({
    id: `add_${tag}`,
    kind: 'add',
    p: { n },
    bytes: 12 * n,
    tol: 1e-7,
    inputs: () => ({ a: uni([n], 1), b: uni([n], 2) }),
    ref: ({ a, b }) => {
      const y = new Float64Array(n);
      for (let i = 0; i < n; i++) y[i] = a.data[i] + b.data[i];
      return out([n], y);
    },
  });
}

// ---- reductions
def({
  id: 'softmax_1024',
  kind: 'softmax',
  p: { R: 1024, N: 1024 },
  bytes: 8 << 20,
  tol: 1e-5,
  inputs: () => ({ x: uni([1024, 1024], 1, -4, 4) }),
  ref: ({ x }) => out([1024, 1024], softmax64(x.data, 1024, 1024)),
});
def({
  id: 'layernorm_1024',
  kind: 'layernorm',
  p: { R: 1024, N: 1024 },
  bytes: 8 << 20,
  tol: 1e-5,
  inputs: () => ({
    x: uni([1024, 1024], 1, -2, 3),
    g: uni([1024], 2, 0.5, 1.5),
    b: uni([1024], 3),
  }),
  ref: ({ x, g, b }) => out([1024, 1024], layernorm64(x.data, 1024, 1024, g.data, b.data)),
});
// wide tolerance: a plain 4-lane f32 accumulation over 16M elements cannot do better; `err` is recorded
def({
  id: 'sum_16M',
  kind: 'sum',
  p: { n: 1 << 24 },
  bytes: 4 << 24,
  tol: 1e-3,
  inputs: () => ({ x: uni([1 << 24], 1, 0, 1) }),
  ref: ({ x }) => {
    let s = 0;
    for (const v of x.data) s += v;
    return out([], Float64Array.of(s));
  },
});
/** The sum over one axis of 16M elements. */
function sumAxis(id, shape, axis) {
  const kept = shape.filter((_, i) => i !== axis);
  const inner = prod(shape.slice(axis + 1));
  def({
    id,
    kind: 'sumAxis',
    p: { shape, axis, kept },
    bytes: 4 * prod(shape),
    tol: 1e-4,
    inputs: () => ({ x: uni(shape, 1, 0, 1) }),
    ref: ({ x }) => {
      const y = new Float64Array(prod(kept));
      for (let at = 0; at < x.data.length; at++)
        y[Math.floor(at / (inner * shape[axis])) * inner + (at % inner)] += x.data[at];
      return out(kept, y);
    },
  });
}
sumAxis('sum_axis0_4096', [4096, 4096], 0);
sumAxis('sum_axis1_4096', [4096, 4096], 1);
sumAxis('sum_axis1_256', [256, 256, 256], 1);
def({
  id: 'argmax_1024',
  kind: 'argmax',
  p: { R: 1024, N: 1024 },
  bytes: 4 << 20,
  tol: 0,
  inputs: () => ({ x: uni([1024, 1024], 1) }),
  ref: ({ x }) => {
    const y = new Float64Array(1024);
    for (let r = 0; r < 1024; r++) {
      let m = -Infinity;
      for (let i = 0; i < 1024; i++)
        if (x.data[r * 1024 + i] > m) {
          m = x.data[r * 1024 + i];
          y[r] = i;
        }
    }
    return out([1024], y);
  },
});

// ---- data movement, sort, scan, fft, linalg
def({
  id: 'transpose_2048',
  kind: 'transpose',
  p: { R: 2048, N: 2048 },
  bytes: 8 << 22,
  tol: 0,
  inputs: () => ({ x: uni([2048, 2048], 1) }),
  ref: ({ x }) => {
    const y = new Float64Array(1 << 22);
    for (let i = 0; i < 2048; i++)
      for (let j = 0; j < 2048; j++) y[j * 2048 + i] = x.data[i * 2048 + j];
    return out([2048, 2048], y);
  },
});
def({
  id: 'gather_50k',
  kind: 'gather',
  p: { R: 50000, N: 128, n: 50000 },
  bytes: 2 * 50000 * 128 * 4,
  tol: 0,
  inputs: () => ({ x: uni([50000, 128], 1), i: ints([50000], 2, 50000) }),
  ref: ({ x, i }) => {
    const y = new Float64Array(50000 * 128);
    for (let r = 0; r < 50000; r++)
      for (let j = 0; j < 128; j++) y[r * 128 + j] = x.data[i.data[r] * 128 + j];
    return out([50000, 128], y);
  },
});
def({
  id: 'sort_1M',
  kind: 'sort',
  p: { n: 1 << 20 },
  tol: 0,
  inputs: () => ({ x: uni([1 << 20], 1) }),
  ref: ({ x }) => out([1 << 20], Float64Array.from(x.data).sort()),
});
def({
  id: 'cumsum_1M',
  kind: 'cumsum',
  p: { n: 1 << 20 },
  bytes: 8 << 20,
  tol: 1e-4,
  inputs: () => ({ x: uni([1 << 20], 1) }),
  ref: ({ x }) => {
    const y = new Float64Array(1 << 20);
    let s = 0;
    for (let i = 0; i < y.length; i++) y[i] = s += x.data[i];
    return out([1 << 20], y);
  },
});
def({
  id: 'fft_64k',
  kind: 'fft',
  p: { n: 65536 },
  flops: 5 * 65536 * 16,
  tol: 1e-5,
  inputs: () => ({ re: uni([65536], 1), im: uni([65536], 2) }),
  ref: ({ re, im }) => out([2, 65536], fft64(re.data, im.data)),
});
def({
  id: 'cholesky_256',
  kind: 'cholesky',
  p: { n: 256 },
  flops: 256 ** 3 / 3,
  tol: 1e-4,
  inputs: () => {
    const n = 256,
      r = uni([n, n], 1).data,
      a = new Float32Array(n * n);
    for (let i = 0; i < n; i++)
      for (let j = 0; j <= i; j++) {
        let s = i === j ? n / 4 : 0;
        for (let k = 0; k < n; k++) s += r[i * n + k] * r[j * n + k];
        a[i * n + j] = a[j * n + i] = s;
      }
    return { x: { shape: [n, n], dtype: 'float32', data: a } };
  },
  ref: ({ x }) => {
    const n = 256,
      L = new Float64Array(n * n);
    for (let i = 0; i < n; i++)
      for (let j = 0; j <= i; j++) {
        let s = x.data[i * n + j];
        for (let k = 0; k < j; k++) s -= L[i * n + k] * L[j * n + k];
        L[i * n + j] = i === j ? Math.sqrt(s) : s / L[j * n + j];
      }
    return out([n, n], L);
  },
});

// ---- models
// Pre-LN transformer encoder block, tanh-GELU. x:[S,D]
//   h = x + Wo·MHA(LN1(x)) ;  y = h + W2·gelu(W1·LN2(h))
const T = { S: 128, D: 256, H: 4, F: 1024 };
def({
  id: 'transformer',
  kind: 'transformer',
  p: T,
  tol: 1e-4,
  flops: 2 * (4 * T.S * T.D * T.D + 2 * T.S * T.S * T.D + 2 * T.S * T.D * T.F),
  inputs: () => {
    const { S, D, F } = T,
      o = { x: uni([S, D], 1) };
    let s = 10;
    for (const n of ['q', 'k', 'v', 'o']) {
      o['w' + n] = he([D, D], s++, D);
      o['b' + n] = uni([D], s++, -0.1, 0.1);
    }
    o.w1 = he([D, F], s++, D);
    o.b1 = uni([F], s++, -0.1, 0.1);
    o.w2 = he([F, D], s++, F);
    o.b2 = uni([D], s++, -0.1, 0.1);
    for (const n of [1, 2]) {
      o[`ln${n}_g`] = uni([D], s++, 0.5, 1.5);
      o[`ln${n}_b`] = uni([D], s++, -0.2, 0.2);
    }
    return o;
  },
  ref: (I) => {
    const { S, D, H, F } = T,
      dh = D / H,
      d = (n) => I[n].data;
    const lin = (x, w, b, M, K, N) => {
      const y = mm64(x, w, M, K, N);
      for (let i = 0; i < M; i++) for (let j = 0; j < N; j++) y[i * N + j] += b[j];
      return y;
    };
    const x1 = layernorm64(d('x'), S, D, d('ln1_g'), d('ln1_b'));
    const q = lin(x1, d('wq'), d('bq'), S, D, D),
      k = lin(x1, d('wk'), d('bk'), S, D, D),
      v = lin(x1, d('wv'), d('bv'), S, D, D);
    const ctx = new Float64Array(S * D);
    for (let h = 0; h < H; h++) {
      const sc = new Float64Array(S * S);
      for (let i = 0; i < S; i++)
        for (let j = 0; j < S; j++) {
          let s = 0;
          for (let c = 0; c < dh; c++) s += q[i * D + h * dh + c] * k[j * D + h * dh + c];
          sc[i * S + j] = s / Math.sqrt(dh);
        }
      const p = softmax64(sc, S, S);
      for (let i = 0; i < S; i++)
        for (let j = 0; j < S; j++)
          for (let c = 0; c < dh; c++)
            ctx[i * D + h * dh + c] += p[i * S + j] * v[j * D + h * dh + c];
    }
    const h1 = lin(ctx, d('wo'), d('bo'), S, D, D);
    for (let i = 0; i < S * D; i++) h1[i] += d('x')[i];
    const f = lin(layernorm64(h1, S, D, d('ln2_g'), d('ln2_b')), d('w1'), d('b1'), S, D, F).map(
      gelu64,
    );
    const y = lin(f, d('w2'), d('b2'), S, F, D);
    for (let i = 0; i < S * D; i++) y[i] += h1[i];
    return out([S, D], y);
  },
});

// MobileNet-v1-like: conv3x3/2 -> 10 x (dw3x3 + relu6, pw1x1 + relu6) -> global mean -> dense 1000
export const CONVNET = [
  [1, 64],
  [2, 128],
  [1, 128],
  [2, 256],
  [1, 256],
  [2, 512],
  [1, 512],
  [1, 512],
  [2, 1024],
  [1, 1024],
]; // [stride, cout]
{
  let H = 112,
    C = 32,
    fl = 2 * 112 * 112 * 32 * 27;
  for (const [s, o] of CONVNET) {
    H = Math.ceil(H / s);
    fl += 2 * H * H * C * 9 + 2 * H * H * C * o;
    C = o;
  }
  fl += 2 * 1024 * 1000;
  def({
    id: 'convnet',
    kind: 'convnet',
    p: { blocks: CONVNET },
    tol: 1e-4,
    flops: fl,
    inputs: () => {
      const o = {
        x: uni([1, 224, 224, 3], 1),
        f0: he([3, 3, 3, 32], 2, 13),
        b0: uni([32], 3, -0.1, 0.1),
      };
      let C = 32,
        s = 4;
      CONVNET.forEach(([, co], i) => {
        o[`d${i}`] = he([3, 3, C, 1], s++, 4);
        o[`e${i}`] = uni([C], s++, -0.1, 0.1);
        o[`f${i + 1}`] = he([1, 1, C, co], s++, C / 2);
        o[`b${i + 1}`] = uni([co], s++, -0.1, 0.1);
        C = co;
      });
      o.w = he([1024, 1000], s++, 1024);
      o.bw = uni([1000], s++, -0.1, 0.1);
      return o;
    },
    ref: (I) => {
      const d = (n) => I[n].data;
      const act = (r, b) => {
        for (let i = 0; i < r.y.length; i++)
          r.y[i] = Math.min(6, Math.max(0, r.y[i] + b[i % r.OC]));
        return r;
      };
      let r = act(conv64(d('x'), 224, 224, 3, d('f0'), 3, 3, 32, 2, false), d('b0'));
      CONVNET.forEach(([s, co], i) => {
        r = act(conv64(r.y, r.OH, r.OW, r.OC, d(`d${i}`), 3, 3, r.OC, s, true), d(`e${i}`));
        r = act(conv64(r.y, r.OH, r.OW, r.OC, d(`f${i + 1}`), 1, 1, co, 1, false), d(`b${i + 1}`));
      });
      const m = new Float64Array(1024),
        n = r.OH * r.OW;
      for (let i = 0; i < r.y.length; i++) m[i % 1024] += r.y[i] / n;
      const y = mm64(m, d('w'), 1, 1024, 1000);
      for (let i = 0; i < 1000; i++) y[i] += d('bw')[i];
      return out([1, 1000], y);
    },
  });
}

/**
 * How the table calls a workload, the loop of limits.js that its memory traffic is compared with, and the workload whose
 * time of ours it is compared with in place of peers.
 */
const rows = {
  matmul_2: ['dot 2'],
  matmul_64: ['dot 64'],
  matmul_256: ['dot 256'],
  matmul_512: ['dot 512'],
  matmul_1024: ['dot 1024'],
  matmul_512_s8: ['dot 512, s8 to s32', 'peak', 'matmul_512'],
  matmul_512_bf16: ['dot 512, bf16', 'peak', 'matmul_512'],
  matmul_512_f16: ['dot 512, f16', 'peak', 'matmul_512'],
  matmul_512_f64: ['dot 512, f64', 'peak', 'matmul_512'],
  bmm_12x128x64: ['12 x dot (128x64)(64x128)'],
  matvec_4096: ['dot, vector and 4096x4096', 'read'],
  conv3x3: ['conv 3x3, 56x56x64 to 64'],
  dwconv3x3: ['depthwise 3x3, 112x112x32'],
  conv1x1: ['conv 1x1, 56x56x64 to 256'],
  conv7x7s2: ['conv 7x7 stride 2, 224x224x3 to 64'],
  add_1M: ['add 1M', 'add'],
  add_16M: ['add 16M', 'add'],
  chain_1M: ['tanh(a*b+c)*0.5+exp(-a) 1M'],
  chain_16M: ['tanh(a*b+c)*0.5+exp(-a) 16M'],
  softmax_1024: ['softmax 1024x1024'],
  layernorm_1024: ['layer norm 1024x1024'],
  sum_16M: ['sum 16M', 'read'],
  sum_axis0_4096: ['sum over axis 0, 4096x4096', 'read'],
  sum_axis1_4096: ['sum over axis 1, 4096x4096', 'read'],
  sum_axis1_256: ['sum over axis 1, 256x256x256', 'read'],
  argmax_1024: ['argmax over rows, 1024x1024', 'read'],
  transpose_2048: ['transpose 2048x2048', 'copy'],
  gather_50k: ['gather 50k rows of 128', 'copy'],
  sort_1M: ['sort 1M'],
  cumsum_1M: ['cumsum 1M', 'copy'],
  fft_64k: ['FFT 65536'],
  cholesky_256: ['Cholesky 256'],
  transformer: ['transformer block'],
  convnet: ['conv net'],
};

export const workloads = new Map(
  Object.entries(rows).map(([id, [title, limit, against]]) => {
    const workload = list.find((w) => w.id === id);
    return [id, { ...workload, title, against, limit: limit ?? (workload.flops && 'peak') }];
  }),
);

/** Thrown by adapters for a workload that the library cannot express. */
export class Unsupported extends Error {}

/** The error of an output, max|x - ref| / max|ref|; throws where it is beyond the workload's tolerance. */
export function check({ tol }, outputs, reference) {
  let worst = 0;
  for (const [k, { data }] of reference.entries()) {
    const got = outputs[k];
    if (got?.length !== data.length)
      throw new Error(`wrong: ${got?.length} elements, not ${data.length}`);
    let [error, magnitude] = [0, 0];
    for (let i = 0; i < data.length; i++) {
      const difference = Math.abs(Number(got[i]) - data[i]);
      if (Number.isNaN(difference)) throw new Error(`wrong: NaN at ${i}`);
      if (difference > error) error = difference;
      const size = Math.abs(data[i]);
      if (size > magnitude) magnitude = size;
    }
    worst = Math.max(worst, error / (magnitude || 1));
  }
  if (worst > tol) throw new Error(`wrong by ${worst.toExponential(1)}`);
  return worst;
}
