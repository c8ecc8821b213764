// The page of operations: every operation of the engine's list with its signature, an example to edit with its operands,
// the result as it is typed, and which element comes from where. Examples of structural operations are op cases
// (operations.json, made by `make operations`); those of elementwise ones are made here from the list.
import { HloError } from '../web/index.js';
import { createEditor } from './editor.bundle.js';
import { element, openPage, readState, ready, writeState } from './frame.js';
import { drawRelations } from './relations.js';
import { elementText, showArray } from './values.js';

const byId = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));
const MOST_RELATED = 400; // elements of a result whose origins are drawn

/** @typedef {{ title: string, program: string, inputs: string[] }} Example */

const [hlo, cases] = await Promise.all([
  openPage('./operations.html'),
  fetch(new URL('./operations.json', import.meta.url)).then((response) => response.json()),
]);
const editor = createEditor(byId('editor'), { run: () => draw(), changed: () => draw() });
/** @type {import('../web/index.js').OpInfo} */
let op = hlo.ops[0];
/** @type {Example[]} */
let examples = [];
let filling = false;

/** Operands that show what an operation does, by class of element type. @type {Record<string, string[]>} */
const operands = {
  f32: [
    '{{-1.5, 0, 2.25}, {0.5, 3, -0.25}}',
    '{{2, -1, 0.5}, {4, 0.5, 3}}',
    '{{1, 1, 1}, {2, 2, 2}}',
  ],
  s32: ['{{-7, 0, 12}, {1, 255, -1}}', '{{2, 3, 5}, {1, 4, 31}}', '{{1, 1, 1}, {2, 2, 2}}'],
  u32: ['{{7, 0, 12}, {1, 255, 8}}', '{{2, 3, 5}, {1, 4, 31}}', '{{1, 1, 1}, {2, 2, 2}}'],
  c64: [
    '{{(1, 2), (0, -1), (-1, 0)}, {(3, 4), (0, 0), (1, 1)}}',
    '{{(1, 0), (0, 1), (2, 0)}, {(1, 1), (1, 0), (0, 2)}}',
  ],
  pred: [
    '{{true, false, true}, {false, false, true}}',
    '{{true, true, false}, {false, true, true}}',
  ],
};

/** Examples of an operation that needs no attributes, for each type that it takes. @returns {Example[]} */
function madeExamples() {
  if (!op.elementwise || op.attributes.split(' ').some((name) => name && !name.endsWith('?')))
    return [];
  return Object.entries(operands).flatMap(([type, texts]) => {
    const count = op.minOperands;
    if (count > texts.length) return [];
    const names = ['a', 'b', 'c'].slice(0, count);
    const body = names.map((name, i) => `  ${name} = ${type}[2,3] parameter(${i})\n`).join('');
    for (const result of [type, 'pred', 'f32', 'c64']) {
      const program = `ENTRY e {\n${body}  ROOT r = ${result}[2,3] ${op.name}(${names.join(', ')})\n}\n`;
      const inputs = texts.slice(0, count).map((text) => `${type}[2,3] ${text}`);
      try {
        hlo.parse(program).dispose();
        return [{ title: type, program, inputs }];
      } catch (error) {
        if (!(error instanceof HloError)) throw error;
      }
    }
    return [];
  });
}

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

/** @param {string[]} texts */
function drawInputs(texts) {
  byId('inputs').replaceChildren(
    ...texts.map((text, i) =>
      element(
        'label',
        { class: 'wide' },
        `operand ${i} `,
        element('input', { value: text, spellcheck: 'false', oninput: () => draw() }),
      ),
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
    const results = executable.run(inputs);
    const drawn = inputs.length > 0 && relate(module, inputs, results);
    results.forEach((result, i) => {
      if (!(drawn && i === 0)) byId('results').append(showArray(result, `result ${i}`));
    });
    if (!drawn) inputs.forEach((x, i) => byId('results').append(showArray(x, `operand ${i}`)));
  } finally {
    executable.dispose();
    module.dispose();
  }
}

/** Draws operands and result with what comes from where, if they are small and the engine can tell. */
function relate(module, inputs, results) {
  if (
    [...inputs, ...results].some(
      (array) => array.size > MOST_RELATED || array.shape.dynamic?.includes(true),
    )
  )
    return false;
  const indexing = module.indexingMaps({ toParameters: true, output: 0 });
  try {
    const { entries } = indexing;
    if (entries.length === 0 || entries.some(({ unknown }) => unknown)) return false;
    const parameters = module.computations.find(({ isEntry }) => isEntry)?.parameters ?? [];
    const texts = new Map(parameters.map(({ name }, i) => [name, textsOf(inputs[i])]));
    texts.set(entries[0].from.name, textsOf(results[0]));
    byId('told').textContent =
      'Point at an element to see where it comes from, or where it goes; or move with Tab and arrow keys.';
    drawRelations(
      byId('arrays'),
      indexing,
      (text) => (byId('told').textContent = text),
      (name) => texts.get(name),
    );
    return true;
  } finally {
    indexing.dispose();
  }
}

/** @param {import('../web/index.js').HloArray} array */
function textsOf(array) {
  const flat =
    array.rank === 0 ? [array.toNested()] : [...hlo.reshape(array, [array.size]).toNested()];
  return flat.map(elementText);
}

/** @param {number} number */
function openExample(number) {
  const example = examples[number] ?? { title: '', program: '', inputs: [] };
  byId('examples').selectedIndex = number;
  filling = true; // one drawing for text and operands together
  editor.text = example.program;
  drawInputs(example.inputs);
  filling = false;
  if (example.program) draw();
  else showError(null);
}

/** @param {string} name @param {number} [example] */
function openOperation(name, example = 0) {
  op = hlo.ops.find((other) => other.name === name) ?? hlo.ops[0];
  for (const button of byId('operations').querySelectorAll('button'))
    button.toggleAttribute('aria-current', button.textContent === op.name);
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
    'types in passing tests': cases[op.name]?.types || 'none',
    runs: op.runs ? 'yes' : 'no: it is read, checked and printed',
  };
  byId('signature').replaceChildren(
    ...Object.entries(facts).flatMap(([term, text]) => [
      element('dt', {}, term),
      element('dd', {}, text),
    ]),
  );
  examples = [...madeExamples(), ...(cases[op.name]?.examples ?? [])];
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
openOperation(state.op ?? 'add', Number(state.example ?? 0));
ready();
