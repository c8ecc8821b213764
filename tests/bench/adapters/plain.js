// Floor: what one would write by hand with typed arrays. f32 storage, no library, no wasm.
import { Unsupported } from '../workloads.js';
import { samePad } from '../references.js';

const F = (n) => new Float32Array(n);

function matmul(a, b, c, M, K, N, ao = 0, bo = 0, co = 0) {
  // i-k-j, 4 k's at a time
  for (let i = 0; i < M; i++) {
    const ci = co + i * N;
    c.fill(0, ci, ci + N);
    let k = 0;
    for (; k + 4 <= K; k += 4) {
      const p = ao + i * K + k,
        x0 = a[p],
        x1 = a[p + 1],
        x2 = a[p + 2],
        x3 = a[p + 3];
      const b0 = bo + k * N,
        b1 = b0 + N,
        b2 = b1 + N,
        b3 = b2 + N;
      for (let j = 0; j < N; j++)
        c[ci + j] += x0 * b[b0 + j] + x1 * b[b1 + j] + x2 * b[b2 + j] + x3 * b[b3 + j];
    }
    for (; k < K; k++) {
      const x = a[ao + i * K + k],
        bi = bo + k * N;
      for (let j = 0; j < N; j++) c[ci + j] += x * b[bi + j];
    }
  }
}
function conv(x, f, y, H, W, C, K, O, s, col) {
  // im2col + matmul
  const [OH, pt] = samePad(H, K, s),
    [OW, pl] = samePad(W, K, s),
    KC = K * K * C;
  if (K === 1 && s === 1) return matmul(x, f, y, H * W, C, O);
  for (let oy = 0, p = 0; oy < OH; oy++)
    for (let ox = 0; ox < OW; ox++)
      for (let ky = 0; ky < K; ky++)
        for (let kx = 0; kx < K; kx++, p += C) {
          const iy = oy * s + ky - pt,
            ix = ox * s + kx - pl;
          if (iy < 0 || iy >= H || ix < 0 || ix >= W) {
            for (let c = 0; c < C; c++) col[p + c] = 0;
            continue;
          }
          const q = (iy * W + ix) * C;
          for (let c = 0; c < C; c++) col[p + c] = x[q + c];
        }
  matmul(col, f, y, OH * OW, KC, O);
}
function dwconv(x, f, y, H, W, C, K, s) {
  const [OH, pt] = samePad(H, K, s),
    [OW, pl] = samePad(W, K, s);
  for (let oy = 0; oy < OH; oy++)
    for (let ox = 0; ox < OW; ox++) {
      const yo = (oy * OW + ox) * C;
      for (let c = 0; c < C; c++) y[yo + c] = 0;
      for (let ky = 0; ky < K; ky++) {
        const iy = oy * s + ky - pt;
        if (iy < 0 || iy >= H) continue;
        for (let kx = 0; kx < K; kx++) {
          const ix = ox * s + kx - pl;
          if (ix < 0 || ix >= W) continue;
          const xo = (iy * W + ix) * C,
            fo = (ky * K + kx) * C;
          for (let c = 0; c < C; c++) y[yo + c] += x[xo + c] * f[fo + c];
        }
      }
    }
}
const biasAct = (y, b, n) => {
  for (let i = 0; i < y.length; i += n)
    for (let j = 0; j < n; j++) {
      const v = y[i + j] + b[j];
      y[i + j] = v < 0 ? 0 : v > 6 ? 6 : v;
    }
};
const addBias = (y, b, n) => {
  for (let i = 0; i < y.length; i += n) for (let j = 0; j < n; j++) y[i + j] += b[j];
};
function softmax(x, y, R, N) {
  for (let r = 0; r < R; r++) {
    const o = r * N;
    let m = -Infinity,
      s = 0;
    for (let i = 0; i < N; i++) if (x[o + i] > m) m = x[o + i];
    for (let i = 0; i < N; i++) s += y[o + i] = Math.exp(x[o + i] - m);
    s = 1 / s;
    for (let i = 0; i < N; i++) y[o + i] *= s;
  }
}
function layernorm(x, g, b, y, R, N) {
  for (let r = 0; r < R; r++) {
    const o = r * N;
    let m = 0,
      v = 0;
    for (let i = 0; i < N; i++) m += x[o + i];
    m /= N;
    for (let i = 0; i < N; i++) {
      const d = x[o + i] - m;
      v += d * d;
    }
    const is = 1 / Math.sqrt(v / N + 1e-5);
    for (let i = 0; i < N; i++) y[o + i] = (x[o + i] - m) * is * g[i] + b[i];
  }
}

const kinds = {
  matmul: ({ M, K, N }, { a, b }) => {
    const c = F(M * N);
    return [() => matmul(a, b, c, M, K, N), c];
  },
  bmm: ({ B, M, K, N }, { a, b }) => {
    const c = F(B * M * N);
    return [
      () => {
        for (let i = 0; i < B; i++) matmul(a, b, c, M, K, N, i * M * K, i * K * N, i * M * N);
      },
      c,
    ];
  },
  conv: ({ H, W, C, K, O, s }, { x, f }) => {
    const [OH] = samePad(H, K, s),
      y = F(OH * OH * O),
      col = F(K === 1 ? 0 : OH * OH * K * K * C);
    return [() => conv(x, f, y, H, W, C, K, O, s, col), y];
  },
  dwconv: ({ H, W, C, K, s }, { x, f }) => {
    const y = F((H * W * C) / s / s);
    return [() => dwconv(x, f, y, H, W, C, K, s), y];
  },
  chain: ({ n }, { a, b, c }) => {
    const y = F(n);
    return [
      () => {
        for (let i = 0; i < n; i++) y[i] = Math.tanh(a[i] * b[i] + c[i]) * 0.5 + Math.exp(-a[i]);
      },
      y,
    ];
  },
  add: ({ n }, { a, b }) => {
    const y = F(n);
    return [
      () => {
        for (let i = 0; i < n; i++) y[i] = a[i] + b[i];
      },
      y,
    ];
  },
  softmax: ({ R, N }, { x }) => {
    const y = F(R * N);
    return [() => softmax(x, y, R, N), y];
  },
  layernorm: ({ R, N }, { x, g, b }) => {
    const y = F(R * N);
    return [() => layernorm(x, g, b, y, R, N), y];
  },
  sum: ({ n }, { x }) => {
    const y = F(1);
    return [
      () => {
        let s = 0;
        for (let i = 0; i < n; i++) s += x[i];
        y[0] = s;
      },
      y,
    ];
  },
  sumAxis: ({ shape, axis }, { x }) => {
    const [outer, inner] = [shape.slice(0, axis), shape.slice(axis + 1)].map((sizes) =>
      sizes.reduce((a, b) => a * b, 1),
    );
    const y = F(outer * inner);
    return [
      () => {
        y.fill(0);
        for (let r = 0, at = 0; r < outer; r++)
          for (let k = 0; k < shape[axis]; k++)
            for (let i = 0, o = r * inner; i < inner; i++) y[o + i] += x[at++];
      },
      y,
    ];
  },
  argmax: ({ R, N }, { x }) => {
    const y = new Int32Array(R);
    return [
      () => {
        for (let r = 0; r < R; r++) {
          let m = -Infinity,
            k = 0;
          for (let i = 0, o = r * N; i < N; i++)
            if (x[o + i] > m) {
              m = x[o + i];
              k = i;
            }
          y[r] = k;
        }
      },
      y,
    ];
  },
  transpose: ({ R, N }, { x }) => {
    const y = F(R * N),
      B = 32;
    return [
      () => {
        for (let i0 = 0; i0 < R; i0 += B)
          for (let j0 = 0; j0 < N; j0 += B)
            for (let j = j0; j < j0 + B; j++)
              for (let i = i0; i < i0 + B; i++) y[j * R + i] = x[i * N + j];
      },
      y,
    ];
  },
  gather: ({ N, n }, { x, i }) => {
    const y = F(n * N);
    return [
      () => {
        for (let r = 0; r < n; r++) {
          const s = i[r] * N;
          y.set(x.subarray(s, s + N), r * N);
        }
      },
      y,
    ];
  },
  sort: ({ n }, { x }) => {
    const y = F(n);
    return [
      () => {
        y.set(x);
        y.sort();
      },
      y,
    ];
  },
  cumsum: ({ n }, { x }) => {
    const y = F(n);
    return [
      () => {
        let s = 0;
        for (let i = 0; i < n; i++) y[i] = s += x[i];
      },
      y,
    ];
  },
  fft: ({ n }, { re, im }) => {
    // iterative radix-2, precomputed twiddles
    const y = F(2 * n),
      R = y.subarray(0, n),
      I = y.subarray(n),
      L = Math.log2(n),
      rev = new Uint32Array(n),
      C = F(n / 2),
      S = F(n / 2);
    for (let i = 0; i < n; i++) {
      let r = 0;
      for (let b = 0; b < L; b++) r |= ((i >> b) & 1) << (L - 1 - b);
      rev[i] = r;
    }
    for (let k = 0; k < n / 2; k++) {
      C[k] = Math.cos((2 * Math.PI * k) / n);
      S[k] = -Math.sin((2 * Math.PI * k) / n);
    }
    return [
      () => {
        for (let i = 0; i < n; i++) {
          R[i] = re[rev[i]];
          I[i] = im[rev[i]];
        }
        for (let h = 1, st = n / 2; h < n; h *= 2, st /= 2)
          for (let b = 0; b < n; b += 2 * h)
            for (let k = 0; k < h; k++) {
              const c = C[k * st],
                s = S[k * st],
                p = b + k,
                q = p + h,
                tr = c * R[q] - s * I[q],
                ti = c * I[q] + s * R[q];
              R[q] = R[p] - tr;
              I[q] = I[p] - ti;
              R[p] += tr;
              I[p] += ti;
            }
      },
      y,
    ];
  },
  cholesky: ({ n }, { x }) => {
    const L = F(n * n);
    return [
      () => {
        for (let i = 0; i < n; i++)
          for (let j = 0; j <= i; j++) {
            let s = x[i * n + j];
            for (let k = 0, p = i * n, q = j * n; k < j; k++) s -= L[p + k] * L[q + k];
            L[i * n + j] = i === j ? Math.sqrt(s) : s / L[j * n + j];
          }
      },
      L,
    ];
  },
  transformer: ({ S, D, H, F: FF }, I) => {
    const dh = D / H,
      x1 = F(S * D),
      q = F(S * D),
      k = F(S * D),
      v = F(S * D),
      sc = F(S * S),
      pr = F(S * S),
      ctx = F(S * D),
      h1 = F(S * D),
      f = F(S * FF),
      y = F(S * D);
    const qh = F(S * dh),
      kt = F(S * dh),
      vh = F(S * dh),
      ch = F(S * dh),
      scale = 1 / Math.sqrt(dh),
      c0 = Math.sqrt(2 / Math.PI);
    const lin = (x, w, b, y, K, N) => {
      matmul(x, w, y, S, K, N);
      addBias(y, b, N);
    };
    return [
      () => {
        layernorm(I.x, I.ln1_g, I.ln1_b, x1, S, D);
        lin(x1, I.wq, I.bq, q, D, D);
        lin(x1, I.wk, I.bk, k, D, D);
        lin(x1, I.wv, I.bv, v, D, D);
        for (let h = 0; h < H; h++) {
          for (let i = 0; i < S; i++)
            for (let c = 0; c < dh; c++) {
              const p = i * D + h * dh + c;
              qh[i * dh + c] = q[p] * scale;
              kt[c * S + i] = k[p];
              vh[i * dh + c] = v[p];
            }
          matmul(qh, kt, sc, S, dh, S);
          softmax(sc, pr, S, S);
          matmul(pr, vh, ch, S, S, dh);
          for (let i = 0; i < S; i++)
            for (let c = 0; c < dh; c++) ctx[i * D + h * dh + c] = ch[i * dh + c];
        }
        lin(ctx, I.wo, I.bo, h1, D, D);
        for (let i = 0; i < S * D; i++) h1[i] += I.x[i];
        layernorm(h1, I.ln2_g, I.ln2_b, x1, S, D);
        lin(x1, I.w1, I.b1, f, D, FF);
        for (let i = 0; i < S * FF; i++) {
          const t = f[i];
          f[i] = 0.5 * t * (1 + Math.tanh(c0 * (t + 0.044715 * t * t * t)));
        }
        lin(f, I.w2, I.b2, y, FF, D);
        for (let i = 0; i < S * D; i++) y[i] += h1[i];
      },
      y,
    ];
  },
  convnet: ({ blocks }, I) => {
    const col = F(112 * 112 * 27),
      t0 = F(112 * 112 * 32),
      out = F(1000),
      m = F(1024);
    let H = 112,
      C = 32;
    const L = blocks.map(([s, o], i) => {
      const h = Math.ceil(H / s),
        l = { s, o, H, C, d: F(h * h * C), p: F(h * h * o), i };
      H = h;
      C = o;
      return l;
    });
    return [
      () => {
        conv(I.x, I.f0, t0, 224, 224, 3, 3, 32, 2, col);
        biasAct(t0, I.b0, 32);
        let t = t0;
        for (const l of L) {
          dwconv(t, I['d' + l.i], l.d, l.H, l.H, l.C, 3, l.s);
          biasAct(l.d, I['e' + l.i], l.C);
          matmul(l.d, I['f' + (l.i + 1)], l.p, l.d.length / l.C, l.C, l.o);
          biasAct(l.p, I['b' + (l.i + 1)], l.o);
          t = l.p;
        }
        m.fill(0);
        const n = t.length / 1024;
        for (let i = 0; i < t.length; i += 1024)
          for (let c = 0; c < 1024; c++) m[c] += t[i + c] / n;
        matmul(m, I.w, out, 1, 1024, 1000);
        addBias(out, I.bw, 1000);
      },
      out,
    ];
  },
};

export const start = () => '';

export function prepare(workload) {
  const make = kinds[workload.kind];
  if (!make) throw new Unsupported(`no ${workload.kind}`);
  const inputs = Object.entries(workload.inputs()).map(([k, { data }]) => [k, data]);
  const [run, output] = make(workload.p, Object.fromEntries(inputs));
  return { run, result: () => [output] };
}
