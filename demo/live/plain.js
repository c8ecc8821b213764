// What one would write in plain JavaScript, for comparison: simple and not slow. Must not use the engine.

/**
 * A convolution of 3x3 with padding, channels last, one image.
 * @param {Float32Array} image @param {Float32Array} kernel @param {Float32Array} out @param {number} side
 */
export function convolvePlainly(image, kernel, out, side) {
  const [inputs, outputs] = [image.length / side / side, out.length / side / side];
  out.fill(0);
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      const to = (y * side + x) * outputs;
      for (let ky = Math.max(0, 1 - y); ky < Math.min(3, side + 1 - y); ky++)
        for (let kx = Math.max(0, 1 - x); kx < Math.min(3, side + 1 - x); kx++) {
          const from = ((y + ky - 1) * side + x + kx - 1) * inputs;
          for (let i = 0; i < inputs; i++) {
            const value = image[from + i];
            const row = ((ky * 3 + kx) * inputs + i) * outputs;
            for (let o = 0; o < outputs; o++) out[to + o] += value * kernel[row + o];
          }
        }
    }
}

/** The Fourier transform of real numbers, as many as a power of two. @param {Float32Array} sound @returns {{ re: Float64Array, im: Float64Array }} */
export function transformPlainly(sound) {
  const n = sound.length;
  const [re, im] = [Float64Array.from(sound), new Float64Array(n)];
  for (let i = 1, j = 0; i < n; i++) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) [re[i], re[j]] = [re[j], re[i]];
  }
  for (let size = 2; size <= n; size *= 2) {
    const half = size / 2;
    const [cosines, sines] = [new Float64Array(half), new Float64Array(half)];
    for (let k = 0; k < half; k++) {
      cosines[k] = Math.cos((2 * Math.PI * k) / size);
      sines[k] = -Math.sin((2 * Math.PI * k) / size);
    }
    for (let start = 0; start < n; start += size)
      for (let k = 0; k < half; k++) {
        const [a, b] = [start + k, start + k + half];
        const r = re[b] * cosines[k] - im[b] * sines[k];
        const i = re[b] * sines[k] + im[b] * cosines[k];
        re[b] = re[a] - r;
        im[b] = im[a] - i;
        re[a] += r;
        im[a] += i;
      }
  }
  return { re, im };
}
