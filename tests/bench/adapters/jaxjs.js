// jax-js, wasm device. Every workload is one jit()-ed function over device-resident arrays.
// One thread, as long as there is no global Worker.
import * as jax from '@jax-js/jax';
import { versionOf } from '../versions.js';
import { Unsupported } from '../workloads.js';
import { nhwc2nchw, nchw2nhwc, hwio2oihw } from '../layouts.js';

const { numpy: np, lax, nn, jit } = jax;
const conv = (x, f, s, groups = 1) =>
  lax.convGeneralDilated(x, f, [s, s], 'SAME', { featureGroupCount: groups });
const nchw = (I, depthwise) => {
  I.x = nhwc2nchw(I.x);
  I.f = hwio2oihw(I.f, depthwise);
};

// kind -> { f(args) consuming its array arguments, prep?(I), post? }
const kinds = {
  matmul: () => ({ f: ({ a, b }) => np.matmul(a, b) }),
  bmm: () => ({ f: ({ a, b }) => np.matmul(a, b) }),
  conv: ({ s, O, H }) => ({
    prep: (I) => nchw(I),
    f: ({ x, f }) => conv(x, f, s),
    post: (d) => nchw2nhwc(d, 1, O, d.length / O),
  }),
  dwconv: ({ s, C }) => ({
    prep: (I) => nchw(I, true),
    f: ({ x, f }) => conv(x, f, s, C),
    post: (d) => nchw2nhwc(d, 1, C, d.length / C),
  }),
  chain: () => ({ f: ({ a, b, c }) => np.tanh(a.ref.mul(b).add(c)).mul(0.5).add(np.exp(a.neg())) }),
  add: () => ({ f: ({ a, b }) => a.add(b) }),
  softmax: () => ({ f: ({ x }) => nn.softmax(x, -1) }),
  layernorm: () => ({ f: ({ x, g, b }) => nn.standardize(x, -1).mul(g).add(b) }),
  sum: () => ({ f: ({ x }) => np.sum(x) }),
  sumAxis: ({ axis }) => ({ f: ({ x }) => np.sum(x, axis) }),
  argmax: () => ({ f: ({ x }) => np.argmax(x, 1) }),
  transpose: () => ({ f: ({ x }) => np.transpose(x) }),
  gather: () => ({ f: ({ x, i }) => np.take(x, i, 0) }),
  sort: () => ({ f: ({ x }) => np.sort(x) }),
  cumsum: () => ({ f: ({ x }) => np.cumsum(x) }),
  fft: () => ({
    f: ({ re, im }) => {
      const z = np.fft.fft({ real: re, imag: im });
      return [z.real, z.imag];
    },
  }),
  cholesky: () => ({ f: ({ x }) => np.linalg.cholesky(x) }),
  transformer: ({ S, D, H }) => {
    const dh = D / H,
      ln = (x, g, b) => nn.standardize(x, -1).mul(g).add(b),
      lin = (x, w, b) => np.matmul(x, w).add(b);
    const split = (t) => t.reshape([S, H, dh]).transpose([1, 0, 2]);
    return {
      f: (P) => {
        const x1 = ln(P.x.ref, P.ln1_g, P.ln1_b);
        const q = split(lin(x1.ref, P.wq, P.bq)),
          k = split(lin(x1.ref, P.wk, P.bk)),
          v = split(lin(x1, P.wv, P.bv));
        const p = nn.softmax(np.matmul(q, k.transpose([0, 2, 1])).mul(1 / Math.sqrt(dh)), -1);
        const ctx = np.matmul(p, v).transpose([1, 0, 2]).reshape([S, D]);
        const h = P.x.add(lin(ctx, P.wo, P.bo));
        return h.ref.add(
          lin(nn.gelu(lin(ln(h, P.ln2_g, P.ln2_b), P.w1, P.b1), { approximate: true }), P.w2, P.b2),
        );
      },
    };
  },
  convnet: ({ blocks }) => {
    const bias = (b) => b.reshape([1, -1, 1, 1]);
    return {
      prep: (I) => {
        I.x = nhwc2nchw(I.x);
        I.f0 = hwio2oihw(I.f0);
        blocks.forEach((_, i) => {
          I['d' + i] = hwio2oihw(I['d' + i], true);
          I['f' + (i + 1)] = hwio2oihw(I['f' + (i + 1)]);
        });
      },
      f: (P) => {
        let t = nn.relu6(conv(P.x, P.f0, 2).add(bias(P.b0))),
          C = 32;
        blocks.forEach(([s, o], i) => {
          t = nn.relu6(conv(t, P['d' + i], s, C).add(bias(P['e' + i])));
          t = nn.relu6(conv(t, P['f' + (i + 1)], 1).add(bias(P['b' + (i + 1)])));
          C = o;
        });
        return np.matmul(np.mean(t, [2, 3]), P.w).add(P.bw);
      },
    };
  },
};

export async function start() {
  await jax.init('wasm');
  jax.defaultDevice('wasm');
  return versionOf('@jax-js/jax');
}

export function prepare(workload) {
  const make = kinds[workload.kind];
  if (!make) throw new Unsupported(`no ${workload.kind}`);
  const inputs = workload.inputs();
  const { f, prep, post } = make(workload.p);
  if (prep) prep(inputs);
  const args = Object.entries(inputs).map(([k, { data, shape, dtype }]) => [
    k,
    np.array(data, { shape, dtype: dtype === 'int32' ? np.int32 : np.float32 }),
  ]);
  const g = jit(f);
  let last = null;
  return {
    async run() {
      if (last) jax.tree.dispose(last);
      last = g(Object.fromEntries(args.map(([k, array]) => [k, array.ref])));
      await jax.blockUntilReady(last);
    },
    async result() {
      if (!Array.isArray(last)) {
        const data = await last.ref.data();
        return [post ? post(data) : data];
      }
      const parts = [];
      for (const array of last) parts.push(...(await array.ref.data()));
      return [Float32Array.from(parts)];
    },
  };
}
