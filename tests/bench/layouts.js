// Between channels-last and channels-first images and filters; never inside a timed region.

export function nhwc2nchw({ shape: [n, h, w, c], data, dtype }) {
  const y = new data.constructor(data.length);
  for (let b = 0; b < n; b++)
    for (let i = 0; i < h * w; i++)
      for (let k = 0; k < c; k++) y[(b * c + k) * h * w + i] = data[(b * h * w + i) * c + k];
  return { shape: [n, c, h, w], dtype, data: y };
}

export function nchw2nhwc(data, n, c, hw) {
  const y = new data.constructor(data.length);
  for (let b = 0; b < n; b++)
    for (let k = 0; k < c; k++)
      for (let i = 0; i < hw; i++) y[(b * hw + i) * c + k] = data[(b * c + k) * hw + i];
  return y;
}

/** HWIO -> OIHW; depthwise [H,W,C,1] -> [C,1,H,W] */
export function hwio2oihw({ shape: [h, w, i, o], data, dtype }, depthwise = false) {
  const y = new data.constructor(data.length);
  if (depthwise) {
    for (let k = 0; k < h * w; k++) for (let c = 0; c < i; c++) y[c * h * w + k] = data[k * i + c];
    return { shape: [i, 1, h, w], dtype, data: y };
  }
  for (let k = 0; k < h * w; k++)
    for (let a = 0; a < i; a++)
      for (let b = 0; b < o; b++) y[(b * i + a) * h * w + k] = data[(k * i + a) * o + b];
  return { shape: [o, i, h, w], dtype, data: y };
}
