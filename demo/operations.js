// The page of operations: every operation of the engine's list with its signature, examples whose operands and attributes
// can be edited, the result as it is typed, and which element comes from where.
import { HloError } from '../web/index.js';
import { createEditor } from './editor.bundle.js';
import { element, openPage, readState, ready, writeState } from './frame.js';
import { attributesOf } from './operations/attributes.js';
import { madeExamples, readGallery } from './operations/gallery.js';
import { influences } from './operations/influence.js';
import { runExample } from './operations/run.js';
import { drawRelations, relationsOf } from './relations.js';
import { elementText, showArray } from './values.js';

const byId = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));
const MOST_RELATED = 400; // elements of an array whose origins are drawn
const MOST_TRIED = 128; // elements of all inputs that are changed one by one

/** @typedef {import('./operations/gallery.js').Example} Example */

const fetched = (/** @type {string} */ path) => fetch(new URL(path, import.meta.url));
const tables = Promise.all([
  fetched('./operations.json').then((response) => response.json()),
  fetched('./operations.hlo').then(async (response) => readGallery(await response.text())),
]);
const hlo = await openPage('./operations.html', tables);
const [typesOf, gallery] = await tables;
const editor = createEditor(byId('editor'), {
  run: () => draw(),
  changed: () => {
    if (!filling) drawAttributes();
    draw();
  },
});
/** @type {import('../web/index.js').OpInfo} */
let op = hlo.ops[0];
/** @type {Example[]} */
let examples = [];
/** Whether the text is being written by this page. */
let filling = false;
/** @type {string[]} */
let feeds = [];

/** @param {any} error */
function showError(error) {
  const box = byId('error');
  box.hidden = !error;
  box.textContent = error?.message ?? '';
  editor.mark(error?.line > 0 ? error : null);
}

function inputTexts() {
  return [...byId('inputs').querySelectorAll('input')].map((field) => field.value);
}

/** @param {string} label @param {string} value @param {(value: string) => void} changed */
function field(label, value, changed) {
  const input = element('input', {
    value,
    spellcheck: 'false',
    oninput: () => changed(input.value),
  });
  return element('label', { class: 'wide' }, `${label} `, input);
}

/** @param {string[]} texts */
function drawInputs(texts) {
  byId('inputs').replaceChildren(
    ...texts.map((text, i) => field(`operand ${i}`, text, () => draw())),
  );
}

/** A field for each attribute of the operation; what is typed goes into the text. */
function drawAttributes() {
  // Where each stands: read anew, half a value might seem to reach farther than it does.
  const places = attributesOf(editor.text, op.name);
  byId('attributes').replaceChildren(
    ...places.map((place, i) =>
      field(place.name, place.value, (typed) => {
        filling = true;
        editor.text = editor.text.slice(0, place.from) + typed + editor.text.slice(place.to);
        filling = false;
        const longer = typed.length - (place.to - place.from);
        place.to += longer;
        for (const later of places.slice(i + 1)) {
          later.from += longer;
          later.to += longer;
        }
        draw();
      }),
    ),
  );
}

/** Runs what is in the editor with the operands in the fields. */
function draw() {
  if (filling) return;
  showError(null);
  byId('told').textContent = '';
  for (const id of ['arrays', 'results']) byId(id).replaceChildren();
  writeState({ op: op.name, example: byId('examples').selectedIndex });
  if (!editor.text) return;
  try {
    hlo.tidy(() => run(inputTexts()));
  } catch (error) {
    if (!(error instanceof HloError)) throw error;
    showError(error);
  }
}

/** @param {string[]} texts of the inputs */
function run(texts) {
  const module = hlo.parse(editor.text);
  const executable = module.compile();
  try {
    const inputs = texts.map((text) => hlo.array(text));
    const ran = runExample(hlo, executable, inputs, feeds);
    byId('inputs')
      .querySelectorAll('label')
      .forEach((/** @type {HTMLElement} */ label, /** @type {number} */ i) => {
        if (label.firstChild) label.firstChild.textContent = `${ran.titles[i] ?? `operand ${i}`} `;
      });
    const relations = relate(module, executable, inputs, ran);
    if (relations) {
      byId('told').textContent =
        'Point at an element to see where it comes from, or where it goes; or move with Tab and arrow keys.';
      drawRelations(byId('arrays'), relations, (text) => (byId('told').textContent = text));
    } else {
      const given = inputs.map((array, i) => ({ array, title: ran.titles[i] }));
      for (const { array, title } of [...ran.results, ...given])
        byId('results').append(showArray(array, title));
    }
  } finally {
    executable.dispose();
    module.dispose();
  }
}

/**
 * What comes from where, if arrays are small: by indexing maps, else by trying.
 * @param {import('../web/index.js').Module} module
 * @param {import('../web/index.js').Executable} executable
 * @param {import('../web/index.js').HloArray[]} inputs
 * @param {ReturnType<typeof runExample>} ran
 * @returns {import('./relations.js').Relations | undefined}
 */
function relate(module, executable, inputs, { results, titles }) {
  const arrays = [...inputs, ...results.map(({ array }) => array)];
  if (inputs.length === 0 || arrays.some(({ size }) => size > MOST_RELATED)) return undefined;
  const isStatic = arrays.every(({ bound }) => !bound);
  if (results.length === 1 && isStatic) {
    const indexing = module.indexingMaps({ toParameters: true, output: 0 });
    try {
      const { entries } = indexing;
      if (entries.length > 0 && !entries.some(({ unknown }) => unknown)) {
        const parameters = module.computations.find(({ isEntry }) => isEntry)?.parameters ?? [];
        const texts = new Map(parameters.map(({ name }, i) => [name, textsOf(inputs[i])]));
        texts.set(entries[0].from.name, textsOf(results[0].array));
        return relationsOf(indexing, 0, (name) => texts.get(name));
      }
    } finally {
      indexing.dispose();
    }
  }
  if (inputs.reduce((sum, { size }) => sum + size, 0) > MOST_TRIED) return undefined;
  const drawn = (
    /** @type {import('../web/index.js').HloArray} */ array,
    /** @type {string} */ name,
  ) => ({ title: '', name, dims: array.dims, shape: array.xla.text, texts: textsOf(array) });
  const outcome = (/** @type {import('../web/index.js').HloArray[]} */ changed) => {
    try {
      return runExample(hlo, executable, changed, feeds).results.map(({ array }) => array);
    } catch (error) {
      if (error instanceof HloError) return []; // a changed size may be a wrong one
      throw error;
    }
  };
  const made = results.map(({ array }) => array);
  return {
    inputs: inputs.map((array, i) => drawn(array, titles[i])),
    results: results.map(({ array, title }) => drawn(array, title)),
    pairs: influences(hlo, inputs, made, outcome),
  };
}

/** @param {import('../web/index.js').HloArray} array */
function textsOf(array) {
  const flat =
    array.rank === 0 ? [array.toNested()] : [...hlo.reshape(array, [array.size]).toNested()];
  return flat.map(elementText);
}

/** @param {number} number */
function openExample(number) {
  const example = examples[number] ?? { title: '', program: '', inputs: [], feeds: [] };
  byId('examples').selectedIndex = number;
  filling = true; // one drawing for text and operands together
  editor.text = example.program;
  drawInputs(example.inputs);
  drawAttributes();
  feeds = example.feeds ?? [];
  filling = false;
  draw();
}

/** @param {string} name @param {number} [example] */
function openOperation(name, example = 0) {
  op = hlo.ops.find((other) => other.name === name) ?? hlo.ops[0];
  for (const button of byId('operations').querySelectorAll('button')) {
    if (button.textContent === op.name) button.setAttribute('aria-current', 'true');
    else button.removeAttribute('aria-current');
  }
  byId('name').textContent = op.name;
  byId('stablehlo').textContent = op.stablehlo ? `stablehlo.${op.stablehlo}` : '';
  const { minOperands: least, maxOperands: most } = op;
  const count = most < 0 ? `${least} or more` : least === most ? `${least}` : `${least} to ${most}`;
  const attributes = op.attributes
    .split(' ')
    .filter(Boolean)
    .map((word) => (word.endsWith('?') ? `${word.slice(0, -1)} (optional)` : word));
  const facts = {
    operands: count,
    attributes: attributes.join(', ') || 'none',
    'tested types': typesOf[op.name] || 'none',
    runs: op.runs ? 'yes' : 'no: it is read, checked and printed',
  };
  byId('signature').replaceChildren(
    ...Object.entries(facts).flatMap(([term, text]) => [
      element('dt', {}, term),
      element('dd', {}, text),
    ]),
  );
  examples = [...madeExamples(hlo, op), ...(gallery.get(op.name) ?? [])];
  byId('examples').replaceChildren(...examples.map(({ title }) => new Option(title)));
  byId('example-label').hidden = examples.length < 2;
  openExample(Math.min(example, examples.length - 1));
}

byId('operations').append(
  ...hlo.ops.map(({ name }) =>
    element(
      'li',
      {},
      element('button', { type: 'button', onclick: () => openOperation(name) }, name),
    ),
  ),
);
byId('filter').oninput = () => {
  for (const item of byId('operations').children)
    item.hidden = !item.textContent.includes(byId('filter').value.trim().toLowerCase());
};
byId('examples').onchange = () => openExample(byId('examples').selectedIndex);

const state = readState();
openOperation(state.op ?? 'add', Number(state.example) || 0);
byId('operations').querySelector('[aria-current]').scrollIntoView({ block: 'nearest' });
ready();
