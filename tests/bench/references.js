// The results that every timed output is checked against: the plainest algorithms, in f64.

export function mm64(a, b, M, K, N, ao = 0, bo = 0, c = new Float64Array(M * N), co = 0) {
  for (let i = 0; i < M; i++)
    for (let k = 0; k < K; k++) {
      const x = a[ao + i * K + k];
      for (let j = 0, bi = bo + k * N, ci = co + i * N; j < N; j++) c[ci + j] += x * b[bi + j];
    }
  return c;
}

/** The padding that JAX calls SAME: [output size, before, after]. */
export function samePad(n, k, s) {
  const o = Math.ceil(n / s),
    p = Math.max(0, (o - 1) * s + k - n);
  return [o, p >> 1, p - (p >> 1)];
}

export function conv64(x, H, W, C, f, KH, KW, O, s, depthwise) {
  const [OH, pt] = samePad(H, KH, s),
    [OW, pl] = samePad(W, KW, s),
    OC = depthwise ? C : O;
  const y = new Float64Array(OH * OW * OC);
  for (let oy = 0; oy < OH; oy++)
    for (let ox = 0; ox < OW; ox++) {
      const yo = (oy * OW + ox) * OC;
      for (let ky = 0; ky < KH; ky++) {
        const iy = oy * s + ky - pt;
        if (iy < 0 || iy >= H) continue;
        for (let kx = 0; kx < KW; kx++) {
          const ix = ox * s + kx - pl;
          if (ix < 0 || ix >= W) continue;
          const xo = (iy * W + ix) * C,
            fo = (ky * KW + kx) * C;
          if (depthwise) for (let c = 0; c < C; c++) y[yo + c] += x[xo + c] * f[fo + c];
          else
            for (let c = 0; c < C; c++) {
              const v = x[xo + c],
                fi = (fo + c) * O;
              for (let o = 0; o < O; o++) y[yo + o] += v * f[fi + o];
            }
        }
      }
    }
  return { y, OH, OW, OC };
}

export function layernorm64(x, rows, n, g, b, eps = 1e-5) {
  const y = new Float64Array(rows * n);
  for (let r = 0; r < rows; r++) {
    let m = 0,
      v = 0;
    for (let i = 0; i < n; i++) m += x[r * n + i];
    m /= n;
    for (let i = 0; i < n; i++) v += (x[r * n + i] - m) ** 2;
    const is = 1 / Math.sqrt(v / n + eps);
    for (let i = 0; i < n; i++) y[r * n + i] = (x[r * n + i] - m) * is * g[i] + b[i];
  }
  return y;
}

export function softmax64(x, rows, n) {
  const y = new Float64Array(rows * n);
  for (let r = 0; r < rows; r++) {
    let m = -Infinity,
      s = 0;
    for (let i = 0; i < n; i++) m = Math.max(m, x[r * n + i]);
    for (let i = 0; i < n; i++) s += y[r * n + i] = Math.exp(x[r * n + i] - m);
    for (let i = 0; i < n; i++) y[r * n + i] /= s;
  }
  return y;
}

export const gelu64 = (x) =>
  0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x * x * x)));

/** Recursive radix-2; [re..., im...] */
export function fft64(re, im) {
  const rec = (r, i) => {
    const n = r.length;
    if (n === 1) return [r, i];
    const pick = (from, odd) => Float64Array.from({ length: n / 2 }, (_, k) => from[2 * k + odd]);
    const [Er, Ei] = rec(pick(r, 0), pick(i, 0));
    const [Or, Oi] = rec(pick(r, 1), pick(i, 1));
    const [R, I] = [new Float64Array(n), new Float64Array(n)];
    for (let k = 0, h = n / 2; k < h; k++) {
      const [c, s] = [Math.cos((-2 * Math.PI * k) / n), Math.sin((-2 * Math.PI * k) / n)];
      const [tr, ti] = [c * Or[k] - s * Oi[k], c * Oi[k] + s * Or[k]];
      [R[k], I[k], R[k + h], I[k + h]] = [Er[k] + tr, Ei[k] + ti, Er[k] - tr, Ei[k] - ti];
    }
    return [R, I];
  };
  const [R, I] = rec(Float64Array.from(re), Float64Array.from(im));
  const y = new Float64Array(2 * R.length);
  y.set(R);
  y.set(I, R.length);
  return y;
}
