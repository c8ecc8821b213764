// Arrays as a reader sees them: a shape, then a number, a table, lines, a heat map or an image, as the reader chooses.
import { element } from './frame.js';
import { heatMap, numberText, picture, plot } from './pictures.js';

const MANY = 64; // rows or columns shown before an ellipsis
const MATRICES = 8; // of an array of many dimensions, before an ellipsis
const FULL = 400; // elements of a matrix that a table shows well
const LONG = 48; // elements of a row that lines show better
const LARGEST = 16384; // pixels of a picture's side that every browser can show

/** @param {any} value of an array @returns {string} */
export function elementText(value) {
  if (typeof value === 'object')
    return `${numberText(value.re)} ${value.im < 0 ? '−' : '+'} ${numberText(Math.abs(value.im))}i`;
  return typeof value === 'number' ? numberText(value) : String(value);
}

/** A table of rows; long dimensions are cut. @param {any[][]} rows @param {number} columns */
function table(rows, columns) {
  const shown = Array.from({ length: Math.min(columns, MANY) }, (_, c) => c);
  const more = columns > MANY ? ['…'] : [];
  const head = element(
    'tr',
    {},
    element('td'),
    ...shown.map((c) => element('th', { scope: 'col' }, String(c))),
    ...more.map((text) => element('td', {}, text)),
  );
  const lines = rows
    .slice(0, MANY)
    .map((row, r) =>
      element(
        'tr',
        {},
        element('th', { scope: 'row' }, String(r)),
        ...shown.map((c) => element('td', {}, elementText(row[c]))),
        ...more.map((text) => element('td', {}, text)),
      ),
    );
  if (rows.length > MANY) lines.push(element('tr', {}, element('td', {}, '…')));
  const made = element('table', {}, element('thead', {}, head), element('tbody', {}, ...lines));
  return element('div', { class: 'scroll', tabindex: '0' }, made);
}

/** Matrices of a higher-rank array, with their leading indices. */
function* matrices(nested, rank, index = []) {
  if (rank <= 2) return yield { index, rows: rank === 2 ? nested : [nested] };
  for (const [i, part] of nested.entries()) yield* matrices(part, rank - 1, [...index, i]);
}

/**
 * The ways to show an array, the best one first.
 * @param {import('../web/index.js').HloArray} array
 * @returns {string[]}
 */
function kindsOf({ rank, dims, size, type }) {
  if (rank === 0 || size === 0 || /^c\d/.test(type)) return ['table'];
  const [rows, columns] = [dims.at(-2) ?? 1, dims.at(-1) ?? 1];
  const isColored = rank === 3 && columns >= 3 && columns <= 4;
  const [height, width] = isColored ? dims : [rows, columns];
  const isShown = Math.max(height, width) <= LARGEST;
  const fits = {
    image:
      isShown && (isColored ? height >= 16 && width >= 16 : rank === 2 && rows > 1 && width > 1),
    'heat map': Math.max(rows, columns) <= LARGEST && rank >= 2 && rows > 1,
    lines: rank <= 2 && rows <= 8 && columns > 2,
    table: true,
  };
  const best =
    isColored && fits.image
      ? 'image'
      : fits.lines && columns >= LONG
        ? 'lines'
        : fits['heat map'] && rows * columns > FULL && rows >= 8
          ? 'heat map'
          : 'table';
  const kinds = Object.entries(fits).flatMap(([kind, fit]) => (fit && kind !== best ? [kind] : []));
  return [best, ...kinds];
}

/**
 * One drawing of an array.
 * @param {string} kind
 * @param {any} nested its elements
 * @param {number[]} dims
 * @param {string} title
 * @returns {Node[]}
 */
function draw(kind, nested, dims, title) {
  const rank = dims.length;
  if (rank === 0) return [element('output', {}, elementText(nested))];
  const numbersOf = (/** @type {any} */ list) => list.flat(Infinity).map(Number);
  if (kind === 'image') {
    const channels = rank === 3 ? dims[2] : 1;
    return picture(numbersOf(nested), [dims[0], dims[1]], channels, title);
  }
  const [rows, columns] = [dims.at(-2) ?? 1, dims.at(-1) ?? 1];
  if (kind === 'lines') return plot(numbersOf(nested), [rows, columns], title);
  /** @type {Node[]} */
  const parts = [];
  let count = 0;
  for (const { index, rows: matrix } of matrices(nested, rank)) {
    if (count++ === MATRICES) {
      parts.push(element('p', {}, '…'));
      break;
    }
    const part = element('div', { class: 'matrix' });
    if (index.length > 0) part.append(element('p', { class: 'quiet' }, `[${index.join(', ')}, …]`));
    part.append(
      ...(kind === 'heat map'
        ? heatMap(numbersOf(matrix), [rows, columns], title)
        : [table(matrix, columns)]),
    );
    parts.push(part);
  }
  return count > 1 ? [element('div', { class: 'matrices' }, ...parts)] : parts;
}

/**
 * A figure of the array; its elements are copied, so that it may be disposed.
 * @param {import('../web/index.js').HloArray} array
 * @param {string} title
 * @param {{ kind?: string, chosen?: (kind: string) => void, save?: () => void }} [options] how to show it, what to do
 *   when the reader chooses another way, what to do when the reader asks for a file
 * @returns {HTMLElement}
 */
export function showArray(array, title, { kind, chosen, save } = {}) {
  const isToken = array.type === 'token';
  const nested = isToken ? 'token' : array.toNested(); // which has no elements
  const [kinds, dims, text] = [kindsOf(array), array.dims, array.xla.text];
  const caption = element(
    'figcaption',
    {},
    `${title}: `,
    element('span', { class: 'shape' }, text),
  );
  const body = element('div');
  const show = (/** @type {string} */ wanted) =>
    body.replaceChildren(...draw(wanted, nested, dims, text));
  const first = kind && kinds.includes(kind) ? kind : kinds[0];
  if (kinds.length > 1) {
    const menu = element('select', { class: 'kinds', 'aria-label': `show ${title} as` });
    menu.append(...kinds.map((name) => new Option(name, name, false, name === first)));
    menu.onchange = () => {
      show(menu.value);
      chosen?.(menu.value);
    };
    caption.append(' ', menu);
  }
  if (save && !isToken)
    caption.append(
      ' ',
      element(
        'button',
        { type: 'button', class: 'small', 'aria-label': `save ${title} as .npy`, onclick: save },
        '.npy',
      ),
    );
  show(first);
  return element('figure', {}, caption, body);
}
