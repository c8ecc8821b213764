// The page on indexing maps: point at an element of a result to see what it is computed from, or at an element of an input
// to see what it goes into. Which elements those are the engine tells, from its symbolic maps.
import { HloError } from '../web/index.js';
import { createEditor } from './editor.bundle.js';
import { element, openPage, readState, ready, writeState } from './frame.js';
import { MOST_ARRAYS } from './limits.js';
import { drawRelations, relationsOf } from './relations.js';

const byId = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));

const MOST_NAMED = 500; // instructions in the menu
const PAUSE = 250; // milliseconds without typing before the program is opened

const examples = [
  {
    title: 'Transposed sum',
    text: `// p0 + transpose(p0): two maps to one operand
f {
  p0 = f32[4,4] parameter(0)
  t = f32[4,4] transpose(p0), dimensions={1,0}
  ROOT a = f32[4,4] add(p0, t)
}
ENTRY e {
  p = f32[4,4] parameter(0)
  ROOT fusion = f32[4,4] fusion(p), kind=kLoop, calls=f
}`,
  },
  {
    title: 'Dot',
    text: `ENTRY e {
  a = f32[4,5] parameter(0)
  b = f32[5,3] parameter(1)
  ROOT c = f32[4,3] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}`,
  },
  {
    title: 'Reshape and transpose',
    text: `ENTRY e {
  x = f32[6,4] parameter(0)
  y = f32[2,3,4] reshape(x)
  z = f32[4,2,3] transpose(y), dimensions={2,0,1}
  ROOT w = f32[8,3] reshape(z)
}`,
  },
  {
    title: 'Softmax',
    text: `max { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT m = f32[] maximum(a, b) }
sum { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = f32[] add(a, b) }
ENTRY e {
  x = f32[3,5] parameter(0)
  low = f32[] constant(-inf)
  zero = f32[] constant(0)
  top = f32[3] reduce(x, low), dimensions={1}, to_apply=max
  tops = f32[3,5] broadcast(top), dimensions={0}
  d = f32[3,5] subtract(x, tops)
  p = f32[3,5] exponential(d)
  total = f32[3] reduce(p, zero), dimensions={1}, to_apply=sum
  totals = f32[3,5] broadcast(total), dimensions={0}
  ROOT y = f32[3,5] divide(p, totals)
}`,
  },
  {
    title: 'Convolution',
    text: `ENTRY e {
  image = f32[1,6,6,1] parameter(0)
  kernel = f32[3,3,1,1] parameter(1)
  ROOT y = f32[1,3,3,1] convolution(image, kernel),
    window={size=3x3 stride=2x2 pad=1_0x1_0}, dim_labels=b01f_01io->b01f
}`,
  },
  {
    title: 'Pad, slice, reverse',
    text: `ENTRY e {
  x = f32[4,4] parameter(0)
  zero = f32[] constant(0)
  p = f32[6,9] pad(x, zero), padding=1_1_0x1_1_1
  s = f32[5,5] slice(p), slice={[1:6], [0:9:2]}
  ROOT r = f32[5,5] reverse(s), dimensions={1}
}`,
  },
  {
    title: 'Cumulative sum',
    text: `sum { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = f32[] add(a, b) }
ENTRY e {
  x = f32[8] parameter(0)
  zero = f32[] constant(0)
  ROOT y = f32[8] reduce-window(x, zero), window={size=8 pad=7_0}, to_apply=sum
}`,
  },
  {
    title: 'Column-major',
    text: `// "in memory" maps positions instead of indices
ENTRY e {
  x = f32[3,4]{0,1} parameter(0)
  ROOT y = f32[3,4]{1,0} copy(x)
}`,
  },
];

const state = readState();
const hlo = await openPage('./indexing.html');
const editor = createEditor(byId('editor'), {
  run: () => open(),
  changed: () => {
    clearTimeout(typing);
    typing = window.setTimeout(open, PAUSE);
  },
});
/** What opens the program when typing pauses. @type {number | undefined} */
let typing;
/** @type {any} */
let module;
/** @type {any} */
let indexing;

/** @param {any} error */
function showError(error) {
  const box = byId('error');
  box.hidden = !error;
  box.textContent = error?.message ?? '';
  editor.mark(error?.line > 0 ? error : null);
}

/**
 * The root, what is before it, and the one that is chosen.
 * @param {any} module
 * @param {string} [chosen]
 */
function namesOf(module, chosen) {
  /** @type {any[]} */
  const all = module.instructions();
  const root = all.filter(({ isRoot }) => isRoot);
  const others = all.filter(({ isRoot, opcode }) => !isRoot && opcode !== 'constant').reverse();
  const named = others.filter(({ name }, i) => i < MOST_NAMED || name === chosen);
  return [...root, ...named].map(({ name }) => name);
}

/** Reads the program and draws it, or says what is wrong; keeps the chosen instruction when it is still there. */
function open() {
  clearTimeout(typing);
  byId('examples').selectedIndex = examples.findIndex(({ text }) => text === editor.text);
  showError(null);
  try {
    indexing?.dispose();
    module?.dispose();
    indexing = module = undefined;
    module = hlo.parse(editor.text);
    const menu = byId('instruction');
    const chosen = menu.value || state.of;
    const names = namesOf(module, chosen);
    menu.replaceChildren(...names.map((name) => new Option(name)));
    if (names.includes(chosen)) menu.value = chosen;
    draw();
  } catch (error) {
    if (!(error instanceof HloError)) throw error;
    for (const id of ['arrays', 'texts']) byId(id).replaceChildren();
    byId('parts').hidden = true;
    byId('told').textContent = '';
    showError(error);
  }
}

/** Arrays whose cells light up together. */
function draw() {
  const reach = byId('reach').value;
  const options = {
    instruction: byId('instruction').value,
    toParameters: reach === 'parameters',
    toAll: reach === 'all',
  };
  writeState({
    program: editor.text,
    of: options.instruction,
    reach,
    physical: byId('physical').checked,
  });
  indexing = module.indexingMaps(options);
  const { entries } = indexing;
  byId('parts').hidden = true;
  const text = module.indexing({ ...options, physical: byId('physical').checked });
  byId('texts').replaceChildren(
    element('h3', {}, 'Maps'),
    element('pre', { tabindex: '0', id: 'maps' }, text || 'It reads nothing.\n'),
  );
  if (entries.length === 0) {
    byId('arrays').replaceChildren();
    byId('told').textContent = `${options.instruction} is computed from nothing.`;
    return;
  }
  drawPart(0);
}

/** Draws some of the arrays that the result is computed from. @param {number} first */
function drawPart(first) {
  const { length } = indexing.entries;
  byId('told').textContent = 'Point at an element of any array, or move with Tab and arrow keys.';
  drawRelations(byId('arrays'), relationsOf(indexing, first), (text) => {
    byId('told').textContent = text;
  });
  byId('parts').hidden = length <= MOST_ARRAYS;
  byId('part').textContent =
    `Arrays ${first + 1} to ${Math.min(first + MOST_ARRAYS, length)} of ${length}`;
  const step = (/** @type {string} */ id, /** @type {number} */ to) => {
    byId(id).disabled = to < 0 || to >= length;
    byId(id).onclick = () => drawPart(to);
  };
  step('previous', first - MOST_ARRAYS);
  step('next', first + MOST_ARRAYS);
}

for (const { title } of examples) byId('examples').append(new Option(title));
byId('examples').onchange = () => {
  editor.text = examples[byId('examples').selectedIndex].text;
  open();
};
for (const id of ['instruction', 'reach', 'physical']) byId(id).onchange = () => open();

if (state.reach) byId('reach').value = state.reach;
byId('physical').checked = state.physical === 'true';
editor.text = state.program ?? examples[0].text;
open();
ready();
