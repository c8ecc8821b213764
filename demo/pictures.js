// Pictures of numbers: a heat map of a matrix, an image, lines.
import { element } from './frame.js';
import { palette } from './live/canvas.js';

/** @param {number} x @returns {string} six digits at most */
export function numberText(x) {
  if (Number.isInteger(x) || !Number.isFinite(x)) return Object.is(x, -0) ? '-0' : String(x);
  const size = Math.abs(x);
  return size < 1e-4 || size >= 1e7 ? x.toExponential(4) : String(Number(x.toPrecision(6)));
}

/** @param {number[]} numbers @returns {{ low: number, high: number }} of those that are finite */
function rangeOf(numbers) {
  let [low, high] = [Infinity, -Infinity];
  for (const x of numbers)
    if (Number.isFinite(x)) {
      if (x < low) low = x;
      if (x > high) high = x;
    }
  return { low, high };
}

/** @param {string} title @param {{ low: number, high: number }} range @param {string[]} [looks] of the ends */
function rangeText(title, { low, high }, looks = ['', '']) {
  if (low > high) return `${title}: no finite numbers`;
  return `${title}: from ${numberText(low)}${looks[0]} to ${numberText(high)}${looks[1]}`;
}

/**
 * A canvas of one pixel per element, which tells the element that is pointed at.
 * @param {number[]} numbers row by row
 * @param {[number, number]} size rows and columns
 * @param {string} label
 * @param {(i: number) => ArrayLike<number>} colorOf red, green, blue of the pixel
 * @param {(i: number) => string} textOf
 */
function pixels(numbers, [rows, columns], label, colorOf, textOf) {
  const canvas = element('canvas', {
    width: columns,
    height: rows,
    role: 'img',
    'aria-label': label,
  });
  if (rows === columns) canvas.classList.add('square');
  const context = canvas.getContext('2d');
  const image = context.createImageData(columns, rows);
  for (let i = 0; i < rows * columns; i++) {
    image.data.set(colorOf(i), 4 * i);
    image.data[4 * i + 3] = 255;
  }
  context.putImageData(image, 0, 0);
  const told = element('p', { class: 'quiet' }, label);
  canvas.onpointermove = (/** @type {PointerEvent} */ { offsetX, offsetY }) => {
    const at = (/** @type {number} */ x, /** @type {number} */ all, /** @type {number} */ count) =>
      Math.max(0, Math.min(count - 1, Math.floor((x / all) * count)));
    const row = at(offsetY, canvas.clientHeight, rows);
    const column = at(offsetX, canvas.clientWidth, columns);
    told.textContent = `[${row}, ${column}] is ${textOf(row * columns + column)}`;
  };
  canvas.onpointerleave = () => (told.textContent = label);
  return [canvas, told];
}

/** @param {number[]} numbers @param {[number, number]} size @param {string} title */
export function heatMap(numbers, size, title) {
  const { low, high } = rangeOf(numbers);
  const scale = high > low ? 255 / (high - low) : 0;
  const bytes = new Uint8Array(palette.buffer);
  const label = rangeText(title, { low, high }, [' (dark)', ' (light)']);
  const color = (/** @type {number} */ i) => {
    if (Number.isNaN(numbers[i])) return [255, 0, 255];
    const level = Math.round(Math.min(255, Math.max(0, (numbers[i] - low) * scale)));
    return bytes.subarray(4 * level, 4 * level + 3);
  };
  return pixels(numbers, size, label, color, (i) => numberText(numbers[i]));
}

/**
 * @param {number[]} numbers grey or with 3 or 4 channels; bytes, or 0 to 1 if nothing is larger
 * @param {[number, number]} size
 * @param {number} channels
 * @param {string} title
 */
export function picture(numbers, size, channels, title) {
  const scale = rangeOf(numbers).high <= 1 ? 255 : 1;
  const color = (/** @type {number} */ i) =>
    [0, 1, 2].map((c) => numbers[channels * i + (channels > 1 ? c : 0)] * scale);
  const text = (/** @type {number} */ i) =>
    numbers
      .slice(channels * i, channels * (i + 1))
      .map(numberText)
      .join(', ');
  return pixels(numbers, size, `${title} as an image`, color, text);
}

/**
 * The numbers of a row that a line goes through: all, or the lowest and the highest of each of so many parts.
 * @param {number[]} numbers
 * @param {number} parts
 * @returns {number[]} their places, in order; without those that are not finite
 */
function corners(numbers, parts) {
  const size = Math.ceil(numbers.length / parts);
  const places = [];
  for (let from = 0; from < numbers.length; from += size) {
    let [least, most] = [-1, -1];
    for (let i = from; i < Math.min(from + size, numbers.length); i++)
      if (Number.isFinite(numbers[i])) {
        if (least < 0 || numbers[i] < numbers[least]) least = i;
        if (most < 0 || numbers[i] > numbers[most]) most = i;
      }
    if (least >= 0) places.push(...new Set([Math.min(least, most), Math.max(least, most)]));
  }
  return places;
}

/**
 * A line for every row.
 * @param {number[]} numbers
 * @param {[number, number]} size
 * @param {string} title
 */
export function plot(numbers, [rows, columns], title) {
  const { low, high } = rangeOf(numbers);
  const [width, height] = [640, 160];
  const x = (/** @type {number} */ c) => ((c / Math.max(1, columns - 1)) * width).toFixed(1);
  const y = (/** @type {number} */ value) =>
    (height - 3 - ((value - low) / (high - low || 1)) * (height - 6)).toFixed(1);
  const svg = (/** @type {string} */ name, /** @type {Record<string, any>} */ attributes) => {
    const made = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const label = rangeText(title, { low, high });
  const drawing = svg('svg', {
    class: 'plot',
    viewBox: `0 0 ${width} ${height}`,
    preserveAspectRatio: 'none',
    role: 'img',
    'aria-label': label,
  });
  if (low < 0 && high > 0)
    drawing.append(svg('path', { class: 'zero', d: `M0,${y(0)} H${width}` }));
  for (let r = 0; r < rows; r++) {
    const row = numbers.slice(r * columns, (r + 1) * columns);
    const path = corners(row, width)
      .map((c, i) => `${i ? 'L' : 'M'}${x(c)},${y(row[c])} `)
      .join('');
    drawing.append(svg('path', { class: `line line-${r % 4}`, d: path }));
  }
  return [drawing, element('p', { class: 'quiet' }, label)];
}
