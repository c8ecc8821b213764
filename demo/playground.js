// The playground: examples, editor, run, results. Everything it knows about programs it asks the engine.
import { HloError } from '../web/index.js';
import { randomArray } from '../web/cli/random.js';
import { createEditor } from './editor.bundle.js';
import { openPage, ready, tabs } from './frame.js';
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
  await run();
}

/** The example's own inputs where they fit the program's parameters, else random ones. */
function inputsFor(executable) {
  const given = inputsOfExample.map((bytes) => hlo.fromNpy(bytes));
  const fits =
    given.length === executable.parameters.length &&
    given.every(
      (array, i) =>
        array.type === executable.parameters[i].type &&
        String(array.dims) === String(executable.parameters[i].dims),
    );
  if (fits && given.length > 0) return given;
  for (const array of given) array.dispose();
  return executable.parameters.map((shape, i) => randomArray(hlo, shape, Number(seed.value) + i));
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
  for (const id of ['hlo', 'stablehlo']) byId(id).textContent = '';
  runButton.disabled = true;
  try {
    const started = performance.now();
    const module = own(hlo.parse(editor.text));
    const executable = own(module.compile());
    const compiled = performance.now();
    showTexts(module);
    const inputs = inputsFor(executable).map(own);
    const running = performance.now();
    const results = (await executable.runAsync(inputs)).map(own);
    const ended = performance.now();
    timing.textContent = `compiled in ${(compiled - started).toFixed(2)} ms, ran in ${(ended - running).toFixed(2)} ms`;
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
  for (const format of ['hlo', 'stablehlo']) {
    try {
      byId(format).textContent = module.print(format);
    } catch (error) {
      if (!(error instanceof HloError)) throw error;
      byId(format).textContent = error.message;
    }
  }
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
await openExample(examples[0]);
ready();
