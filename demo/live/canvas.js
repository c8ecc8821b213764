// Canvases that show arrays: pictures of pixels, and lines.
import { element } from '../frame.js';

/**
 * @param {number} width
 * @param {number} height
 * @param {string} label for those who do not see it
 * @returns {{ canvas: HTMLCanvasElement, context: CanvasRenderingContext2D, image: ImageData }}
 */
export function picture(width, height, label) {
  const canvas = element('canvas', { width, height, role: 'img', 'aria-label': label });
  const context = canvas.getContext('2d');
  return { canvas, context, image: context.createImageData(width, height) };
}

/** A colour for every step from 0 to 255: dark blue over orange to white. */
export const palette = Uint32Array.from({ length: 256 }, (_, i) => {
  const t = i / 255;
  const [r, g, b] = [
    255 * Math.min(1, 1.8 * t),
    255 * t ** 1.7,
    255 * (0.18 + 0.5 * Math.sin(Math.PI * t) + 0.32 * t ** 4),
  ].map((x) => Math.min(255, Math.round(x)));
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
});

/** A colour for every step from one extreme over nothing in the middle (128) to the other: blue, near white, red. */
export const diverging = Uint32Array.from({ length: 256 }, (_, i) => {
  const t = Math.min(1, Math.abs(i - 128) / 127);
  const [strong, weak] = [245 - 30 * t, 245 * (1 - t) ** 1.3];
  const [r, g, b] = i < 128 ? [weak, 245 - 150 * t, strong] : [strong, weak, 245 - 200 * t];
  return ((255 << 24) | (Math.round(b) << 16) | (Math.round(g) << 8) | Math.round(r)) >>> 0;
});

/**
 * A line through values, scaled to the canvas.
 * @param {CanvasRenderingContext2D} context
 * @param {ArrayLike<number>} values
 * @param {{ low: number, high: number, color: string }} options
 */
export function line(context, values, { low, high, color }) {
  const { width, height } = context.canvas;
  context.strokeStyle = color;
  context.lineWidth = 2;
  context.beginPath();
  for (let i = 0; i < values.length; i++) {
    const x = (i / Math.max(1, values.length - 1)) * width;
    const y = height - 4 - ((values[i] - low) / (high - low || 1)) * (height - 8);
    if (i === 0) context.moveTo(x, y);
    else context.lineTo(x, y);
  }
  context.stroke();
}

/** The colour that the page's style gives a name. @param {string} name @returns {string} */
export function styleColor(name) {
  const probe = element('span', { style: `color: var(${name})` });
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** Milliseconds that an action takes, smoothed over calls. */
export function stopwatch() {
  let smooth = 0;
  return (/** @type {() => void} */ action) => {
    const start = performance.now();
    action();
    const took = performance.now() - start;
    smooth = smooth === 0 ? took : 0.9 * smooth + 0.1 * took;
    return smooth;
  };
}
