// The playground: examples, editor, run, results. Everything it knows about programs it asks the engine.
import { HloError } from '../web/index.js';
import { randomArray } from '../web/cli/random.js';
import { createEditor } from './editor.bundle.js';
import { element, openPage, readState, ready, tabs, writeState } from './frame.js';
import { showArray } from './values.js';

const byId = (id) => document.getElementById(id);
const [examplesMenu, seed, runButton, values, timing, errorBox] = [
  'examples',
  'seed',
  'run',
  'values',
  'timing',
  'error',
].map(byId);
const examplesUrl = new URL('./examples/', import.meta.url);

let hlo;
/** The inputs that the example in the editor brings, until its text is another one. */
let manifest = null;
let inputsOfExample = [];

const editor = createEditor(byId('editor'), {
  run: () => run(),
  changed: () => editor?.mark(null),
});

/** What the fields of inputs hold, by parameter: text in the engine's form. @type {string[]} */
let typed = [];

async function fetched(path, base = examplesUrl) {
  const response = await fetch(new URL(path, base));
  if (!response.ok) throw new Error(`cannot load ${path}: ${response.status}`);
  return response;
}

async function openExample({ program, manifest: path }) {
  editor.text = await (await fetched(program)).text();
  manifest = path ? await (await fetched(path)).json() : null;
  const base = path && new URL(path, examplesUrl);
  inputsOfExample = manifest
    ? await Promise.all(
        manifest.inputs.map(
          async ({ file }) => new Uint8Array(await (await fetched(file, base)).arrayBuffer()),
        ),
      )
    : [];
  typed = [];
  await run();
}

/** The example's own inputs where they fit the program's parameters, else random ones. */
function inputsFor(executable) {
  drawFields(executable.parameters);
  const given = inputsOfExample.map((bytes) => hlo.fromNpy(bytes));
  const fits =
    given.length === executable.parameters.length &&
    given.every(
      (array, i) =>
        array.type === executable.parameters[i].type &&
        String(array.dims) === String(executable.parameters[i].dims),
    );
  const own = fits && given.length > 0;
  if (!own) for (const array of given) array.dispose();
  return executable.parameters.map((shape, i) => {
    if (!typed[i]?.trim()) return own ? given[i] : randomArray(hlo, shape, Number(seed.value) + i);
    if (own) given[i].dispose();
    const text = typed[i].trim();
    return hlo.array(/^[a-z]+\d*\w*\[/.test(text) ? text : `${shape.text} ${text}`);
  });
}

/** A field for each parameter. */
function drawFields(parameters) {
  const fields = byId('inputs');
  byId('inputs-box').hidden = parameters.length === 0;
  byId('inputs-told').textContent = `${parameters.length}`;
  const key = parameters.map(({ text }) => text).join();
  if (fields.dataset.key === key) return;
  fields.dataset.key = key;
  fields.replaceChildren(
    ...parameters.map(({ text }, i) =>
      element(
        'label',
        { class: 'wide' },
        `${i} `,
        element('span', { class: 'shape' }, text),
        element('input', {
          value: typed[i] ?? '',
          spellcheck: 'false',
          placeholder: inputsOfExample.length > 0 ? "the example's own" : 'random',
          onchange: ({ target }) => {
            typed[i] = target.value;
            run();
          },
        }),
      ),
    ),
  );
}

/** Programs and arrays that are dropped on the page. */
async function take(files) {
  const arrays = files.filter(({ name }) => name.endsWith('.npy'));
  const program = files.find((file) => !arrays.includes(file));
  if (program) {
    editor.text = await program.text();
    typed = [];
    manifest = null;
    inputsOfExample = [];
  }
  if (arrays.length > 0) {
    inputsOfExample = await Promise.all(
      arrays.map(async (file) => new Uint8Array(await file.arrayBuffer())),
    );
    manifest = null;
  }
  byId('inputs').dataset.key = '';
  await run();
}

function showError(error) {
  errorBox.hidden = !error;
  errorBox.replaceChildren();
  if (!error) return editor.mark(null);
  const { line = 0, column = 0, message } = error;
  if (line > 0) {
    const jump = document.createElement('button');
    jump.type = 'button';
    jump.textContent = `Line ${line}, column ${column}`;
    jump.onclick = () => editor.show(line, column);
    errorBox.append(jump);
    editor.mark({ line, column, message });
  }
  errorBox.append(message);
}

async function run() {
  const owned = [];
  const own = (object) => (owned.push(object), object);
  showError(null);
  values.replaceChildren();
  timing.textContent = '';
  for (const id of ['hlo', 'stablehlo', 'optimized']) byId(id).textContent = '';
  // Large programs would make addresses that browsers cut.
  writeState(editor.text.length < 20000 ? { program: editor.text, seed: seed.value } : {});
  runButton.disabled = true;
  try {
    const started = performance.now();
    const module = own(hlo.parse(editor.text));
    const executable = own(module.compile());
    const compiled = performance.now();
    showTexts(module);
    byId('optimized').textContent = textOf(executable, 'hlo');
    const inputs = inputsFor(executable).map(own);
    const running = performance.now();
    const results = (await executable.runAsync(inputs)).map(own);
    const ended = performance.now();
    timing.textContent = `compiled in ${(compiled - started).toFixed(2)} ms, ran in ${(ended - running).toFixed(2)} ms, at most ${bytesText(executable.memory.peak)}`;
    results.forEach((result, i) =>
      values.append(showArray(result, manifest?.outputs[i]?.name ?? `result ${i}`)),
    );
    if (inputsOfExample.length === 0)
      inputs.forEach((input, i) => values.append(showArray(input, `input ${i}`)));
    if (executable.output) values.prepend(executable.output);
  } catch (error) {
    if (!(error instanceof HloError)) throw error;
    showError(error);
  } finally {
    for (const object of owned.reverse()) object.dispose();
    runButton.disabled = false;
    document.body.dataset.runs = String(Number(document.body.dataset.runs ?? 0) + 1);
  }
}

function showTexts(module) {
  for (const format of ['hlo', 'stablehlo']) byId(format).textContent = textOf(module, format);
}

/** A program as text, or why there is none in that form. */
function textOf(program, format) {
  try {
    return program.print(format);
  } catch (error) {
    if (!(error instanceof HloError)) throw error;
    return error.message;
  }
}

function bytesText(bytes) {
  const [unit, size] = [
    ['GB', 1e9],
    ['MB', 1e6],
    ['KB', 1e3],
    ['bytes', 1],
  ].find(([, least]) => bytes >= least) ?? ['bytes', 1];
  return `${Number((bytes / size).toPrecision(3))} ${unit}`;
}

tabs(document.querySelector('[role=tablist]'));

const [examples, engine] = await Promise.all([
  fetched('index.json').then((response) => response.json()),
  openPage('./'),
]);
hlo = engine;
for (const { title } of examples) examplesMenu.append(new Option(title));
examplesMenu.onchange = () => openExample(examples[examplesMenu.selectedIndex]);
runButton.onclick = () => run();
document.ondragover = (event) => event.preventDefault();
document.ondrop = (event) => {
  event.preventDefault();
  take([...event.dataTransfer.files]);
};
const state = readState();
if (state.program) {
  seed.value = state.seed ?? '0';
  editor.text = state.program;
  examplesMenu.selectedIndex = -1;
  await run();
} else await openExample(examples[0]);
ready();
