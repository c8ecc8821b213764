// Arrays as grids of cells that can be pointed at: matrices side by side, leading indices above them.
import { element } from './frame.js';

/** @typedef {{ text: string, title?: string, kind?: string, id?: string | number }} Cell kind is a CSS class; cells of one id belong together */

/**
 * @param {number[]} dims
 * @param {(index: number[]) => Cell} cellOf
 * @returns {HTMLElement}
 */
export function grid(dims, cellOf) {
  const [rows, columns] = [dims.at(-2) ?? 1, dims.at(-1) ?? 1];
  const leading = dims.slice(0, -2);
  const box = element('div', { class: 'grids' });
  const count = leading.reduce((product, size) => product * size, 1);
  for (let number = 0; number < count; number++) {
    const first = indexOf(number, leading);
    const table = element('table', { class: 'grid' });
    if (leading.length > 0) table.append(element('caption', {}, `[${first.join(',')},·,·]`));
    for (let r = 0; r < rows; r++) {
      const line = element('tr');
      for (let c = 0; c < columns; c++) {
        const index = [...first, ...(dims.length > 1 ? [r] : []), ...(dims.length > 0 ? [c] : [])];
        line.append(cell(cellOf(index), r === 0 && c === 0));
      }
      table.append(line);
    }
    box.append(table);
  }
  moveByArrows(box);
  if (dims.includes(0)) box.replaceChildren(element('p', { class: 'quiet' }, 'no elements'));
  return box;
}

/** @param {number} number @param {number[]} dims @returns {number[]} the index of that row-major number */
export function indexOf(number, dims) {
  const index = [];
  for (const size of dims.toReversed()) {
    index.unshift(number % size);
    number = Math.floor(number / size);
  }
  return index;
}

/** @param {Cell} cell @param {boolean} isFirst the Tab key stops at the first cell of each matrix */
function cell({ text, title = '', kind = '', id }, isFirst) {
  const attributes = { class: `cell ${kind}`, title, tabindex: isFirst ? '0' : '-1' };
  const made = element('td', attributes, text);
  if (id !== undefined) made.dataset.id = String(id);
  return made;
}

/** Lets arrow keys move between cells: of tables, and of strips in which they follow each other. @param {HTMLElement} root */
export function moveByArrows(root) {
  root.addEventListener('keydown', (event) => {
    const from = /** @type {any} */ (event.target).closest?.('.cell');
    if (!from) return;
    const line = from.parentElement;
    const at = [...line.children].indexOf(from);
    const to = {
      ArrowLeft: line.children[at - 1],
      ArrowRight: line.children[at + 1],
      ArrowUp: line.previousElementSibling?.children[at],
      ArrowDown: line.nextElementSibling?.children[at],
      Home: line.firstElementChild,
      End: line.lastElementChild,
    }[event.key];
    if (!to?.classList.contains('cell')) return;
    event.preventDefault();
    from.tabIndex = -1;
    to.tabIndex = 0;
    to.focus();
  });
}

/**
 * Marks all cells of the id that is pointed at or has the focus.
 * @param {HTMLElement} root
 * @param {(id: string | undefined) => void} [changed]
 */
export function highlight(root, changed = () => {}) {
  const mark = (/** @type {EventTarget | null} */ target) => {
    const id = /** @type {any} */ (target)?.closest?.('[data-id]')?.dataset.id;
    for (const old of root.querySelectorAll('.marked')) old.classList.remove('marked');
    if (id !== undefined)
      for (const same of root.querySelectorAll(`[data-id="${CSS.escape(id)}"]`))
        same.classList.add('marked');
    changed(id);
  };
  root.addEventListener('pointerover', (event) => mark(event.target));
  root.addEventListener('focusin', (event) => mark(event.target));
  root.addEventListener('pointerleave', () => mark(null));
}
