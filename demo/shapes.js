// The page on shapes, layouts and broadcasting: the engine lays arrays out, this draws where their elements went.
import { HloError } from '../web/index.js';
import { element, openPage, readState, ready, writeState } from './frame.js';
import { grid, highlight, indexOf, moveByArrows } from './grid.js';

const byId = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));
const MOST = 600; // elements that are drawn
const PADDING = -1; // in place of an element's number
const fields = ['dims', 'order', 'padded', 'padding', 'left', 'right', 'map'];

const layouts = [
  { title: 'row-major', dims: '2,3', order: '1,0', padded: '', padding: '0' },
  { title: 'column-major', dims: '2,3', order: '0,1', padded: '', padding: '0' },
  { title: 'padded', dims: '2,3', order: '0,1', padded: '3,5', padding: '0' },
  { title: 'three dimensions', dims: '2,3,4', order: '1,2,0', padded: '', padding: '0' },
];
const broadcasts = [
  { title: 'matrix + row', left: '2,3', right: '3', map: '1' },
  { title: 'matrix + column', left: '2,3', right: '2', map: '0' },
  { title: 'degenerate', left: '2,1', right: '1,3', map: '' },
  { title: 'both', left: '4', right: '1,2', map: '0' },
  { title: 'cube + matrix', left: '2,3,4', right: '2,4', map: '0,2' },
  { title: 'scalar', left: '2,3', right: '', map: '' },
  { title: 'ambiguous', left: '3,3', right: '3', map: '' },
];

/** @param {string} id @returns {number[]} */
function numbers(id) {
  const text = byId(id).value.trim();
  if (text === '') return [];
  return text.split(/[\s,]+/).map((/** @type {string} */ word) => {
    if (!/^-?\d+$/.test(word)) throw new HloError(`"${word}" is not a whole number`);
    return Number(word);
  });
}

/** @param {number} number 0, 1 … @returns {string} a, b … z, aa … */
function letter(number) {
  const rest = Math.floor(number / 26);
  return (rest > 0 ? letter(rest - 1) : '') + String.fromCharCode(97 + (number % 26));
}

/** @param {number[]} dims */
function checkSize(dims) {
  const size = dims.reduce((product, n) => product * n, 1);
  if (size > MOST) throw new HloError(`${size} elements are too many to draw`);
  return size;
}

const hlo = await openPage('./shapes.html');

/**
 * Runs a drawing; what it complains about is shown in place of it.
 * @param {string} errorId
 * @param {() => void} draw
 * @param {string[]} drawn what it fills
 */
function attempt(errorId, draw, drawn) {
  const box = byId(errorId);
  box.hidden = true;
  try {
    hlo.tidy(draw);
  } catch (error) {
    if (!(error instanceof HloError)) throw error;
    for (const id of drawn) byId(id).replaceChildren();
    box.textContent = error.message;
    box.hidden = false;
  }
}

function drawLayout() {
  const dims = numbers('dims');
  const size = checkSize(dims);
  const padded = numbers('padded');
  checkSize(padded);
  const paddingText = byId('padding').value.trim() || '0';
  const layoutWith = (/** @type {string} */ paddingValue) => ({
    minorToMajor: numbers('order'),
    ...(padded.length > 0 && { paddedDimensions: padded, paddingValue }),
  });
  const shape = hlo.shape('f32', dims, layoutWith(paddingText));
  const layout = layoutWith(String(PADDING));
  const where = hlo.reshape(hlo.iota('s32', [size]), dims).withLayout(layout);
  const memory = [...where.toTypedArray({ layout })];
  byId('shape-text').textContent = shape.text;
  const rank = dims.length;
  const trueRank = dims.filter((n) => n > 1).length;
  byId('shape-facts').textContent =
    `rank ${rank}, true rank ${trueRank}, ${size} elements, ${memory.length} places in memory`;
  byId('elements').replaceChildren(
    grid(dims, (index) => {
      const number = index.reduce((all, i, d) => all * dims[d] + i, 0);
      return { text: letter(number), title: `index (${index})`, id: number };
    }),
  );
  byId('memory').replaceChildren(
    element(
      'div',
      { class: 'strip' },
      ...memory.map((number, place) => {
        const isPadding = number === PADDING;
        return element(
          'span',
          {
            class: isPadding ? 'cell padding' : 'cell',
            title: `place ${place}`,
            tabindex: place === 0 ? '0' : '-1',
            'data-id': isPadding ? `padding ${place}` : number,
          },
          element('b', {}, isPadding ? paddingText : letter(number)),
          element('small', {}, String(place)),
        );
      }),
    ),
  );
  place = (/** @type {string | undefined} */ id) => {
    if (id === undefined) return 'Point at an element, or move with Tab and arrow keys.';
    if (id.startsWith('padding')) return `Place ${id.slice(8)} is padding.`;
    return `Element ${letter(Number(id))} at index (${indexOf(Number(id), dims)}) lies at place ${memory.indexOf(Number(id))}.`;
  };
  byId('position').textContent = place(undefined);
}
let place = (/** @type {string | undefined} */ _id) => '';

/** @param {any} array @param {string} title @param {string} text */
function step(title, text, array) {
  const nested = array.rank === 0 ? array.toNested() : null;
  const flat = nested === null ? [...hlo.reshape(array, [array.size]).toNested()] : [nested];
  const drawing = grid(array.dims, (index) => ({
    text: String(
      flat[index.reduce((/** @type {number} */ all, i, d) => all * array.dims[d] + i, 0)],
    ),
    title: `(${index})`,
  }));
  return element(
    'li',
    {},
    element('strong', {}, title),
    ' ',
    element('span', { class: 'shape' }, array.xla.text),
    element('p', {}, text),
    drawing,
  );
}

function drawBroadcast() {
  const [left, right, map] = ['left', 'right', 'map'].map(numbers);
  checkSize([...left, ...right]);
  const counted = (/** @type {number[]} */ dims, /** @type {number} */ factor) => {
    const size = checkSize(dims);
    const flat = hlo.mul(hlo.add(hlo.iota('s32', [size]), 1), factor);
    return hlo.reshape(flat, dims);
  };
  const [a, b] = [counted(left, 1), counted(right, 100)];
  const sum = hlo.add(a, b, { broadcastDimensions: map });
  const steps = [step('Left operand', '', a), step('Right operand', '', b)];
  for (const [name, x] of /** @type {[string, any][]} */ ([
    ['left', a],
    ['right', b],
  ])) {
    if (String(x.dims) === String(sum.dims) && x.rank === sum.rank) continue;
    let current = x;
    if (x.rank < sum.rank) {
      const places = x.rank === 0 ? [] : map;
      const dims = sum.dims.map(() => 1);
      places.forEach((to, d) => (dims[to] = x.dims[d]));
      current = hlo.reshape(x, dims);
      const says = places.map((to, d) => `dimension ${d} becomes dimension ${to}`).join(', ');
      steps.push(
        step(
          `The ${name} operand gets the rank of the result`,
          x.rank === 0
            ? 'A scalar has no dimensions to place.'
            : `${says}; the others have size 1.`,
          current,
        ),
      );
    }
    if (String(current.dims) !== String(sum.dims)) {
      const all = sum.dims.map((_, d) => d);
      const stretched = all.filter((d) => current.dims[d] !== sum.dims[d]);
      const says = stretched.map((d) => `dimension ${d} from 1 to ${sum.dims[d]}`).join(', ');
      current = hlo.broadcastInDim(current, sum.dims, all);
      steps.push(step(`The ${name} operand stretches`, says, current));
    }
  }
  steps.push(step('Sum, element by element', '', sum));
  byId('steps').replaceChildren(...steps);
}

function draw() {
  const layoutParts = ['shape-text', 'shape-facts', 'elements', 'memory', 'position'];
  attempt('layout-error', drawLayout, layoutParts);
  attempt('broadcast-error', drawBroadcast, ['steps']);
  writeState(Object.fromEntries(fields.map((id) => [id, byId(id).value])));
}

/** @param {string} id @param {Record<string, string>[]} examples */
function offer(id, examples) {
  byId(id).append(
    ...examples.map(({ title, ...values }) =>
      element(
        'button',
        {
          type: 'button',
          onclick: () => {
            for (const [field, value] of Object.entries(values)) byId(field).value = value;
            draw();
          },
        },
        title,
      ),
    ),
  );
}

offer('layout-examples', layouts);
offer('broadcast-examples', broadcasts);
for (const [id, value] of Object.entries(readState()))
  if (fields.includes(id)) byId(id).value = value;
for (const form of ['layout-form', 'broadcast-form']) {
  byId(form).addEventListener('input', draw);
  byId(form).addEventListener('submit', (/** @type {Event} */ event) => event.preventDefault());
}
moveByArrows(byId('memory'));
highlight(byId('elements').closest('section'), (id) => {
  if (byId('layout-error').hidden) byId('position').textContent = place(id);
});
draw();
ready();
