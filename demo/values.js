// Arrays as a reader sees them: a shape, then a number, a table, or a heat map for large matrices. Must not know where
// arrays come from.

const MANY = 64; // rows or columns shown before an ellipsis
const IMAGE = 64; // matrices at least this large in both dimensions become a picture
const PLOT = 48; // vectors at least this long get a line beside their table

/** @param {any} element of an array @returns {string} */
export function elementText(element) {
  if (typeof element === 'object')
    return `${numberText(element.re)} ${element.im < 0 ? '−' : '+'} ${numberText(Math.abs(element.im))}i`;
  return typeof element === 'number' ? numberText(element) : String(element);
}

function numberText(x) {
  if (Number.isInteger(x) || !Number.isFinite(x)) return Object.is(x, -0) ? '-0' : String(x);
  const size = Math.abs(x);
  return size < 1e-4 || size >= 1e7 ? x.toExponential(4) : String(Number(x.toPrecision(6)));
}

function element(name, text, parent) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  parent?.append(made);
  return made;
}

/** A table of rows; long dimensions are cut. */
function table(rows, columns) {
  const made = element('table');
  const head = element('tr', undefined, element('thead', undefined, made));
  element('td', '', head);
  for (let c = 0; c < Math.min(columns, MANY); c++) element('th', c, head).scope = 'col';
  if (columns > MANY) element('th', '…', head);
  const body = element('tbody', undefined, made);
  rows.slice(0, MANY).forEach((row, r) => {
    const line = element('tr', undefined, body);
    element('th', r, line).scope = 'row';
    for (const value of row.slice(0, MANY)) element('td', elementText(value), line);
    if (columns > MANY) element('td', '…', line);
  });
  if (rows.length > MANY) element('td', '…', element('tr', undefined, body));
  const scroll = element('div');
  scroll.className = 'scroll';
  scroll.tabIndex = 0;
  scroll.append(made);
  return scroll;
}

/** A matrix of numbers as a picture, dark (low) to light (high). */
function heatMap(rows, label) {
  const canvas = element('canvas');
  canvas.height = rows.length;
  canvas.width = rows[0].length;
  canvas.setAttribute('role', 'img');
  const finite = rows.flat().map(Number).filter(Number.isFinite);
  const low = finite.reduce((a, b) => Math.min(a, b), Infinity);
  const high = finite.reduce((a, b) => Math.max(a, b), -Infinity);
  canvas.setAttribute(
    'aria-label',
    `${label}: from ${numberText(low)} (dark) to ${numberText(high)} (light)`,
  );
  const context = canvas.getContext('2d');
  const image = context.createImageData(canvas.width, canvas.height);
  rows.flat().forEach((value, i) => {
    const t = high > low ? (Number(value) - low) / (high - low) : 0;
    const color = Number.isNaN(t)
      ? [255, 0, 255]
      : [
          255 * Math.min(1, 1.6 * t ** 1.2),
          255 * t ** 2,
          255 * (0.15 + 0.7 * Math.sin(Math.PI * Math.min(1, t * 1.1))),
        ];
    image.data.set([...color, 255], 4 * i);
  });
  context.putImageData(image, 0, 0);
  return canvas;
}

/** A vector of numbers as a line. */
function plot(numbers, label) {
  const canvas = element('canvas');
  [canvas.width, canvas.height] = [640, 160];
  canvas.className = 'plot';
  canvas.setAttribute('role', 'img');
  const finite = numbers.filter(Number.isFinite);
  const low = finite.reduce((a, b) => Math.min(a, b), Infinity);
  const high = finite.reduce((a, b) => Math.max(a, b), -Infinity);
  canvas.setAttribute('aria-label', `${label}: from ${numberText(low)} to ${numberText(high)}`);
  const context = canvas.getContext('2d');
  context.strokeStyle = '#6a50e8';
  context.lineWidth = 2;
  numbers.forEach((value, i) => {
    const x = (i / (numbers.length - 1)) * canvas.width;
    const y = canvas.height - 4 - ((value - low) / (high - low || 1)) * (canvas.height - 8);
    if (Number.isFinite(y)) context.lineTo(x, y);
  });
  context.stroke();
  return canvas;
}

/** Matrices of a higher-rank array, with their leading indices. */
function* matrices(nested, rank, index = []) {
  if (rank <= 2) return yield { index, rows: rank === 2 ? nested : [nested] };
  for (const [i, part] of nested.entries()) yield* matrices(part, rank - 1, [...index, i]);
}

/**
 * @param {import('../web/index.js').HloArray} array
 * @param {string} title
 * @returns {HTMLElement}
 */
export function showArray(array, title) {
  const figure = element('figure');
  const caption = element('figcaption', undefined, figure);
  caption.append(`${title}: `);
  element('span', array.shape.text, caption).className = 'shape';
  const nested = array.toNested();
  if (array.rank === 0) {
    element('output', elementText(nested), figure);
    return figure;
  }
  const [rows, columns] = [array.dims.at(-2) ?? 1, array.dims.at(-1)];
  const numbers = !['c64', 'c128'].includes(array.type);
  if (array.rank === 1 && numbers && columns >= PLOT)
    figure.append(plot([...nested].map(Number), array.shape.text));
  let shown = 0;
  for (const { index, rows: matrix } of matrices(nested, array.rank)) {
    if (shown++ === 8) {
      element('p', '…', figure);
      break;
    }
    if (index.length > 0) element('p', `[${index.join(', ')}, …]`, figure).className = 'quiet';
    const picture = numbers && rows >= IMAGE && columns >= IMAGE;
    figure.append(picture ? heatMap(matrix, array.shape.text) : table(matrix, columns));
  }
  return figure;
}
