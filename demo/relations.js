// Arrays whose elements light up together: those that an element is computed from, or goes into, by the engine's indexing
// maps. Must not know where the maps come from.
import { element } from './frame.js';
import { grid, indexOf } from './grid.js';

const MOST = 400; // elements of an array that are drawn
const NAMED = 8; // elements that are named one by one

/** @param {number[]} dims */
function sizeOf(dims) {
  return dims.reduce((product, size) => product * size, 1);
}

/**
 * Which elements belong together: element number of the result → numbers of the elements of each entry's array.
 * @param {import('../web/index.js').Indexing} indexing
 * @returns {number[][][]}
 */
function relationOf(indexing) {
  const { dims } = indexing.entries[0].from.shape;
  return Array.from({ length: Math.min(sizeOf(dims), MOST) }, (_, number) =>
    indexing.entries.map((entry, e) => {
      if (entry.unknown) return [];
      const { indices } = indexing.at(e, indexOf(number, dims));
      const sizes = entry.to.shape.dims;
      return indices.map((index) => index.reduce((all, i, d) => all * sizes[d] + i, 0));
    }),
  );
}

/**
 * @param {import('../web/indexing.js').IndexingEnd} end
 * @param {string} title
 * @param {string} prefix of the cells' ids
 * @param {string[] | undefined} texts of the elements; their indices by default
 */
function drawArray(end, title, prefix, texts) {
  const { dims } = end.shape;
  const drawn =
    sizeOf(dims) <= MOST
      ? grid(dims, (index) => {
          const number = index.reduce((all, i, d) => all * dims[d] + i, 0);
          return {
            text: texts?.[number] ?? index.join(','),
            title: `${end.name}[${index}]`,
            id: `${prefix}:${number}`,
          };
        })
      : element('p', { class: 'quiet' }, `${sizeOf(dims)} elements are too many to draw`);
  const shape = element('span', { class: 'shape' }, end.shape.text);
  const caption = element('figcaption', {}, `${title} `, element('b', {}, end.name), ' ', shape);
  return element('figure', {}, caption, drawn);
}

/**
 * Draws the result and the arrays that its maps go to.
 * @param {HTMLElement} root
 * @param {import('../web/index.js').Indexing} indexing with entries
 * @param {(text: string) => void} tell says what is pointed at
 * @param {(name: string) => string[] | undefined} [textsOf] elements of an array as texts
 */
export function drawRelations(root, indexing, tell, textsOf = () => undefined) {
  const { entries } = indexing;
  const { from } = entries[0];
  const pairs = relationOf(indexing);
  const box = element(
    'div',
    { class: 'arrays' },
    ...entries.map((entry, e) =>
      drawArray(
        entry.to,
        entry.unknown ? 'Unknown indexing:' : 'From',
        String(e),
        textsOf(entry.to.name),
      ),
    ),
    drawArray(from, 'Result', 'from', textsOf(from.name)),
  );
  root.replaceChildren(box); // a new one each time: its listeners go with it
  watch(box, pairs, tell);
}

/** @param {HTMLElement} box @param {number[][][]} pairs @param {(text: string) => void} tell */
function watch(box, pairs, tell) {
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
    const [which, number] = id.split(':');
    const related = new Set(
      which === 'from'
        ? (pairs[number] ?? []).flatMap((list, e) => list.map((n) => `${e}:${n}`))
        : pairs.flatMap((lists, from) =>
            lists[which].includes(Number(number)) ? [`from:${from}`] : [],
          ),
    );
    const cell = cells.get(id);
    cell.classList.add('marked');
    for (const other of related) cells.get(other)?.classList.add('related');
    const elements = `${related.size} element${related.size === 1 ? '' : 's'}`;
    const titles = [...related].map((other) => cells.get(other)?.title ?? '');
    const list = related.size > 0 && related.size <= NAMED ? `: ${titles.join(', ')}` : '';
    tell(
      which === 'from'
        ? `${cell.title} is computed from ${elements}${list}.`
        : `${cell.title} goes into ${elements} of the result${list}.`,
    );
  };
  for (const name of ['pointerover', 'focusin'])
    box.addEventListener(name, (event) => mark(event.target));
  box.addEventListener('pointerleave', () => mark(null));
}
