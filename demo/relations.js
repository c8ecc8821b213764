// Arrays whose elements light up together: those that an element is computed from, or goes into.
import { element } from './frame.js';
import { grid, indexOf } from './grid.js';
import { MOST_ARRAYS } from './limits.js';

const MOST = 400; // elements of an array that are drawn
const NAMED = 8; // elements that are named one by one

/** @typedef {{ title: string, name: string, dims: number[], shape: string, texts?: string[] }} Drawn an array; its elements as texts, their indices by default */
/**
 * @typedef {object} Relations
 * @property {Drawn[]} inputs
 * @property {Drawn[]} results
 * @property {number[][][][]} pairs for each result, element and input: numbers of the elements that it is computed from
 */

/** @param {number[]} dims */
function sizeOf(dims) {
  return dims.reduce((product, size) => product * size, 1);
}

/** @param {number[]} index @param {number[]} dims @returns {number} in row-major order */
function numberOf(index, dims) {
  return index.reduce((all, i, d) => all * dims[d] + i, 0);
}

/**
 * What the engine's indexing maps say about a part of the arrays that the result is computed from.
 * @param {import('../web/index.js').Indexing} indexing with entries
 * @param {number} first of these entries
 * @param {(name: string) => string[] | undefined} [textsOf] elements of an array as texts
 * @returns {Relations}
 */
export function relationsOf(indexing, first = 0, textsOf = () => undefined) {
  const entries = indexing.entries.slice(first, first + MOST_ARRAYS);
  const { from } = indexing.entries[0];
  const drawn = (
    /** @type {string} */ title,
    /** @type {import('../web/indexing.js').IndexingEnd} */ end,
  ) => ({
    title,
    name: end.name,
    dims: end.shape.dims,
    shape: end.shape.text,
    texts: textsOf(end.name),
  });
  const pairs = Array.from({ length: Math.min(sizeOf(from.shape.dims), MOST) }, (_, number) =>
    entries.map((entry, e) =>
      entry.unknown
        ? []
        : indexing
            .at(first + e, indexOf(number, from.shape.dims))
            .indices.map((index) => numberOf(index, entry.to.shape.dims)),
    ),
  );
  return {
    inputs: entries.map((entry) => drawn(entry.unknown ? 'Unknown indexing:' : 'From', entry.to)),
    results: [drawn('Result', from)],
    pairs: [pairs],
  };
}

/** @param {Drawn} array @param {string} prefix of the cells' ids */
function drawArray({ title, name, dims, shape, texts }, prefix) {
  const drawn =
    sizeOf(dims) <= MOST
      ? grid(dims, (index) => {
          const number = numberOf(index, dims);
          return {
            text: texts?.[number] ?? index.join(','),
            title: `${name}[${index}]`,
            id: `${prefix}:${number}`,
          };
        })
      : element('p', { class: 'quiet' }, `${sizeOf(dims)} elements are too many to draw`);
  const head = [
    `${title} `,
    element('b', {}, name),
    ' ',
    element('span', { class: 'shape' }, shape),
  ];
  return element('figure', {}, element('figcaption', {}, ...head), drawn);
}

/**
 * Draws the results and the arrays that they are computed from.
 * @param {HTMLElement} root
 * @param {Relations} relations
 * @param {(text: string) => void} tell says what is pointed at
 */
export function drawRelations(root, { inputs, results, pairs }, tell) {
  const box = element(
    'div',
    { class: 'arrays' },
    ...inputs.map((array, i) => drawArray(array, `i${i}`)),
    ...results.map((array, r) => drawArray(array, `r${r}`)),
  );
  root.replaceChildren(box); // a new one each time: its listeners go with it
  const titleOf = (/** @type {string} */ id) => {
    const [, side, place, digits] = partsOf(id);
    const { name, dims } = (side === 'i' ? inputs : results)[Number(place)];
    return `${name}[${indexOf(Number(digits), dims)}]`;
  };
  watch(box, pairs, titleOf, tell);
}

/** @param {string} id of a cell @returns {string[]} all, side, array and number of the element */
function partsOf(id) {
  return /** @type {string[]} */ (/^([ir])(\d+):(\d+)$/.exec(id));
}

/** The ids of the cells that belong to one. @param {string} id @param {number[][][][]} pairs @returns {string[]} */
function relatedTo(id, pairs) {
  const [, side, place, digits] = partsOf(id);
  const [array, number] = [Number(place), Number(digits)];
  if (side === 'r')
    return (pairs[array][number] ?? []).flatMap((list, i) => list.map((n) => `i${i}:${n}`));
  return pairs.flatMap((elements, r) =>
    elements.flatMap((lists, n) => (lists[array].includes(number) ? [`r${r}:${n}`] : [])),
  );
}

/**
 * @param {HTMLElement} box
 * @param {number[][][][]} pairs
 * @param {(id: string) => string} titleOf an element, also of an array that is not drawn
 * @param {(text: string) => void} tell
 */
function watch(box, pairs, titleOf, tell) {
  const cells = new Map(
    [...box.querySelectorAll('[data-id]')].map((cell) => [
      /** @type {HTMLElement} */ (cell).dataset.id,
      /** @type {HTMLElement} */ (cell),
    ]),
  );
  const mark = (/** @type {any} */ target) => {
    for (const cell of box.querySelectorAll('.marked, .related'))
      cell.classList.remove('marked', 'related');
    const id = target?.closest?.('[data-id]')?.dataset.id;
    if (id === undefined) return;
    const related = new Set(relatedTo(id, pairs));
    const cell = cells.get(id);
    cell.classList.add('marked');
    for (const other of related) cells.get(other)?.classList.add('related');
    const elements = `${related.size} element${related.size === 1 ? '' : 's'}`;
    const isShort = related.size > 0 && related.size <= NAMED;
    const list = isShort ? `: ${[...related].map(titleOf).join(', ')}` : '';
    tell(
      id.startsWith('r')
        ? `${cell.title} is computed from ${elements}${list}.`
        : `${cell.title} goes into ${elements} of the result${list}.`,
    );
  };
  for (const name of ['pointerover', 'focusin'])
    box.addEventListener(name, (event) => mark(event.target));
  box.addEventListener('pointerleave', () => mark(null));
}
