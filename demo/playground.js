// The page of programs: examples, editor, inputs, run, results. Everything it knows about programs it asks the engine.
import { checkMemory } from '../web/cli/memory.js';
import { HloError } from '../web/index.js';
import { holdsText } from '../web/text_format.js';
import { createEditor, createReader } from './editor.bundle.js';
import {
  element,
  fillMenu,
  openPage,
  portion,
  readState,
  ready,
  tabs,
  wholeNumber,
  writeState,
} from './frame.js';
import { MOST_MEMORY } from './limits.js';
import { holdsArrays, Inputs } from './programs/inputs.js';
import { bytesText, showTiming } from './programs/timing.js';
import { showArray } from './values.js';

const byId = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));
const examplesUrl = new URL('./examples/', import.meta.url);
const LIVE = 100000; // characters of a program that is checked while one types
const WIDE = matchMedia('(min-width: 1440px)'); // the optimized program has a column of its own
const PAUSE = 250; // milliseconds without typing before the text is checked

/** @typedef {{ title: string, program: string, about: string, manifest?: string }} Example */

const list = fetched('index.json').then((response) => response.json());
const hlo = await openPage('./', list);
const examples = await list;

/** The example that is in the editor as it came. @type {{ example: Example, text: string } | undefined} */
let opened;
/** Names of results, of an example that tells them. @type {string[]} */
let resultNames = [];
/** How the reader wants results shown, by title. @type {Record<string, string>} */
let kinds = {};
let shownTab = 'values';
/** What the results on the page need: disposed when they are taken away. @type {{ dispose(): void }[]} */
let held = [];
/** How often a program was put into the editor: of two that are fetched at a time, the later one counts. */
let openings = 0;
/** @type {AbortController | undefined} */
let running;
let checking = 0;

const words = [
  ...hlo.ops.flatMap(({ name, stablehlo }) => [
    { label: name, detail: 'HLO' },
    ...(stablehlo ? [{ label: `stablehlo.${stablehlo}`, detail: 'StableHLO' }] : []),
  ]),
  ...new Set(hlo.ops.flatMap(({ attributes }) => attributes.replaceAll('?', '').split(' '))),
].map((word) => (typeof word === 'string' ? { label: word, detail: 'attribute' } : word));
const editor = createEditor(byId('editor'), {
  run: () => run(),
  words,
  changed: () => {
    clearTimeout(checking);
    checking = window.setTimeout(check, PAUSE);
  },
});
const inputs = new Inputs(hlo, byId('inputs'), {
  changed: () => run(),
  dropped: (files, input) => take(files, input),
});

/** @param {string} path @param {URL} [base] */
async function fetched(path, base = examplesUrl) {
  const response = await fetch(new URL(path, base));
  if (!response.ok) throw new Error(`cannot load ${path}: ${response.status}`);
  return response;
}

/** Runs; errors of the engine are shown. @param {() => void} action */
function attempt(action) {
  try {
    action();
  } catch (error) {
    if (!(error instanceof HloError)) throw error;
    showError(error);
  }
}

/** Whether the example is in the editor as it came; the menu says so, and offers it again when it is not. */
function isAsItCame() {
  const isExample = opened?.text === editor.text;
  byId('examples').selectedIndex = isExample ? examples.indexOf(opened?.example) : -1;
  return isExample;
}

/** Marks what is wrong with the text while it is typed. */
function check() {
  isAsItCame();
  if (editor.text.length > LIVE) return;
  try {
    hlo.parse(editor.text).dispose();
    editor.mark(null);
  } catch (error) {
    if (!(error instanceof HloError)) throw error;
    const { line = 1, column = 1, message } = /** @type {any} */ (error);
    editor.mark({ line: line || 1, column: column || 1, message });
  }
}

/** @param {string} text @param {import('./programs/inputs.js').NamedFile[]} [files] */
function setProgram(text, files = []) {
  openings++;
  editor.text = text;
  inputs.reset(files);
  kinds = {};
  resultNames = [];
  opened = undefined;
  byId('replicas').value = '';
  byId('about').textContent = '';
  byId('examples').selectedIndex = -1;
}

/**
 * What an example consists of.
 * @param {Example} example
 * @returns {Promise<{ text: string, files: import('./programs/inputs.js').NamedFile[], names: string[] }>}
 */
async function fetchExample(example) {
  const text = await (await fetched(example.program)).text();
  const manifest = example.manifest && (await (await fetched(example.manifest)).json());
  const base = new URL(example.manifest ?? '', examplesUrl);
  const files = await Promise.all(
    (manifest?.inputs ?? []).map(async (/** @type {any} */ { file }) => ({
      name: file,
      bytes: new Uint8Array(await (await fetched(file, base)).arrayBuffer()),
    })),
  );
  const names = manifest?.outputs.map((/** @type {any} */ { name }) => name) ?? [];
  return { text, files, names };
}

/** @param {Example} example without running it @returns {Promise<boolean>} whether it is in the editor now */
async function openExample(example) {
  const mine = ++openings;
  let fetched;
  try {
    fetched = await fetchExample(example);
  } catch (error) {
    if (mine !== openings) return false;
    showError(error);
    isAsItCame();
    return false;
  }
  if (mine !== openings) return false;
  const { text, files, names } = fetched;
  setProgram(text, files);
  opened = { example, text };
  resultNames = names;
  byId('examples').selectedIndex = examples.indexOf(example);
  byId('about').textContent = example.about;
  return true;
}

/**
 * What the editor shows of a program's file: a StableHLO artifact, a file of jax.export and a serialized HLO module as text.
 * @param {File} file
 */
async function textOf(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (holdsText(bytes)) return new TextDecoder().decode(bytes);
  const module = hlo.parse(bytes);
  try {
    return module.print(bytes[0] === 10 ? 'hlo' : 'stablehlo'); // a serialized module starts with its name
  } finally {
    module.dispose();
  }
}

/** Programs and arrays that are dropped on the page. @param {File[]} files @param {number} input the row they fell on */
async function take(files, input) {
  const arrays = files.filter(({ name }) => holdsArrays(name));
  const program = files.find((file) => !arrays.includes(file));
  try {
    const text = program && (await textOf(program));
    const read = await inputs.read(arrays);
    if (text !== undefined) setProgram(text);
    inputs.put(read, input);
  } catch (error) {
    if (error instanceof HloError) return showError(error);
    throw error;
  }
  await run();
}

/** @param {any} error or nothing */
function showError(error) {
  const box = byId('error');
  box.hidden = !error;
  box.replaceChildren();
  editor.mark(null);
  if (!error) return;
  const { line = 0, column = 0, message } = error;
  if (line > 0) {
    box.append(
      element(
        'button',
        { type: 'button', onclick: () => editor.show(line, column) },
        `Line ${line}, column ${column}`,
      ),
    );
    editor.mark({ line, column, message });
  }
  box.append(message);
}

/** What the address should say. */
function remember() {
  const isExample = isAsItCame();
  const typed = inputs.typed.some((text) => text?.trim());
  writeState({
    ...(isExample && { example: opened?.example.title }),
    ...(!isExample && { program: editor.text }),
    ...(byId('seed').value !== '0' && { seed: byId('seed').value }),
    ...(byId('replicas').value && { replicas: byId('replicas').value }),
    ...(typed && { inputs: JSON.stringify(inputs.typed) }),
    ...(Object.keys(kinds).length > 0 && { as: JSON.stringify(kinds) }),
    ...(shownTab !== 'values' && { show: shownTab }),
  });
}

/** @param {string | undefined} text JSON of a list or an object of texts @returns {[string, string][]} anything else is left out */
function parsed(text) {
  try {
    return Object.entries(JSON.parse(text ?? '')).filter(([, part]) => typeof part === 'string');
  } catch {
    return [];
  }
}

/** How many processes the program asks for. @param {string} text as the engine prints it */
function countsIn(text) {
  const count = (/** @type {string} */ name) =>
    Number(new RegExp(`^HloModule[^\\n]*\\b${name}=(\\d+)`).exec(text)?.[1] ?? 1);
  return { replicas: count('replica_count'), partitions: count('num_partitions') };
}

/** Takes away what a run has shown, and frees what that needed. */
function clear() {
  for (const id of ['values', 'timing', 'hlo', 'stablehlo', 'optimized'])
    byId(id).replaceChildren();
  byId('told').textContent = '';
  for (const object of held.reverse()) object.dispose();
  held = [];
}

/** Parses, compiles and runs what is in the editor, and shows all of it. */
async function run() {
  clearTimeout(checking);
  running?.abort();
  const mine = (running = new AbortController());
  clear();
  const own = (/** @type {any} */ object) => (held.push(object), object);
  showError(null);
  remember();
  const stop = setTimeout(() => (byId('run').textContent = 'Stop'), 200);
  try {
    const times = { parse: performance.now(), compile: 0, 'first run': 0 };
    const lap = (/** @type {keyof times} */ name, /** @type {keyof times} */ next) => {
      const now = performance.now();
      times[name] = now - times[name];
      times[next] = now;
    };
    const module = own(hlo.parse(editor.text));
    lap('parse', 'compile');
    const executable = own(module.compile());
    lap('compile', 'first run');
    showTexts(module, executable);
    const { processes, partitions, arrays } = inputsOf(module, executable, own);
    times['first run'] = performance.now();
    const isGroup = processes > 1;
    const results = isGroup
      ? await executable.runReplicasAsync(arrays, { partitions, signal: mine.signal })
      : [await executable.runAsync(arrays[0], { signal: mine.signal })];
    if (mine.signal.aborted) return;
    results.flat().forEach(own);
    times['first run'] = performance.now() - times['first run'];
    byId('told').textContent =
      `compiled in ${times.compile.toFixed(2)} ms, ran in ${times['first run'].toFixed(2)} ms, at most ${bytesText(executable.memory.peak)}`;
    showResults(executable, arrays, results);
    showTiming(byId('timing'), {
      executable,
      times,
      run: () => {
        const made = isGroup
          ? executable.runReplicas(arrays, { partitions }).flat()
          : executable.run(arrays[0]);
        for (const array of made) array.dispose();
      },
    });
  } catch (error) {
    const isAbort = /** @type {any} */ (error).name === 'AbortError';
    if (mine !== running || (!isAbort && !(error instanceof HloError))) {
      if (!isAbort) throw error;
      return;
    }
    if (isAbort) byId('told').textContent = 'stopped';
    else showError(error);
  } finally {
    clearTimeout(stop);
    if (mine === running) {
      running = undefined;
      byId('run').textContent = 'Run';
      document.body.dataset.runs = String(Number(document.body.dataset.runs ?? 0) + 1);
    }
  }
}

/** The inputs of every process. @param {any} module @param {any} executable @param {(object: any) => any} own */
function inputsOf(module, executable, own) {
  const counts = countsIn(module.print('hlo'));
  byId('replicas').placeholder = String(counts.replicas);
  const replicas = byId('replicas').value === '' ? counts.replicas : byId('replicas').valueAsNumber;
  if (!Number.isInteger(replicas) || replicas < 1)
    throw new HloError('the number of replicas is a whole number, 1 at least');
  const processes = replicas * counts.partitions;
  checkMemory(hlo, processes * executable.memory.peak, MOST_MEMORY);
  const seed = Number(byId('seed').value);
  const arrays = Array.from({ length: processes }, (_, process) =>
    inputs.arraysFor(executable.parameters, seed + 1000 * process).map(own),
  );
  const { length } = executable.parameters;
  const says = [length === 0 ? 'none' : `${length}`];
  if (processes > 1) says.push(`of each of ${processes} processes`);
  byId('inputs-told').textContent = says.join(' ');
  return { processes, partitions: counts.partitions, arrays };
}

/** @param {any} executable @param {any[][]} arrays inputs of each process @param {any[][]} results of each process */
function showResults(executable, arrays, results) {
  const show = (/** @type {any} */ array, /** @type {string} */ title) =>
    showArray(array, title, {
      kind: kinds[title],
      chosen: (kind) => {
        kinds[title] = kind;
        remember();
      },
      save: () => attempt(() => save(`${title.replaceAll(/[^\w]+/g, '_')}.npy`, hlo.toNpy(array))),
    });
  const [given, made] = [arrays, results].map((lists, isResult) => {
    const titled = lists.flatMap((list, process) =>
      list.map((array, i) => {
        const name = isResult ? (resultNames[i] ?? `result ${i}`) : `input ${i}`;
        return { array, title: lists.length > 1 ? `process ${process}, ${name}` : name };
      }),
    );
    return portion(titled.length, (i) => show(titled[i].array, titled[i].title));
  });
  byId('values').replaceChildren(executable.output, ...made);
  if (inputs.files.every((file) => !file)) byId('values').append(...given);
}

/** @param {string} name @param {Uint8Array} bytes */
function save(name, bytes) {
  const href = URL.createObjectURL(new Blob([/** @type {any} */ (bytes)]));
  element('a', { href, download: name }).click();
  URL.revokeObjectURL(href);
}

/** The program in both text forms and as it runs. @param {any} module @param {any} executable */
function showTexts(module, executable) {
  for (const [id, program, format, label] of [
    ['hlo', module, 'hlo', 'Program as HLO'],
    ['stablehlo', module, 'stablehlo', 'Program as StableHLO'],
    ['optimized', executable, 'hlo', 'Optimized program'],
  ])
    showText(id, program, format, label);
}

/** @param {string} id @param {any} program @param {string} format @param {string} label */
function showText(id, program, format, label) {
  try {
    const text = program.print(format);
    const take = element(
      'button',
      {
        type: 'button',
        onclick: () => {
          setProgram(text);
          run();
        },
      },
      'Edit this text',
    );
    const box = element('div', { class: 'reader' });
    byId(id).replaceChildren(take, box);
    held.push(createReader(box, text, label));
  } catch (error) {
    if (!(error instanceof HloError)) throw error;
    byId(id).replaceChildren(element('p', {}, error.message)); // not everything has a form in the other text
  }
}

const selectTab = tabs(document.querySelector('[role=tablist]'), (panel) => {
  shownTab = panel;
  remember();
});

/** Puts the optimized program where the width of the page says. */
function place() {
  const panel = byId('optimized');
  byId('beside').hidden = !WIDE.matches;
  byId('tab-optimized').hidden = WIDE.matches;
  (WIDE.matches ? byId('beside') : byId('result')).append(panel);
  panel.setAttribute('role', WIDE.matches ? 'group' : 'tabpanel');
  panel.setAttribute('aria-labelledby', WIDE.matches ? 'beside-title' : 'tab-optimized');
  panel.hidden = !WIDE.matches;
  selectTab(shownTab);
}

fillMenu(byId('examples'), examples);
byId('examples').onchange = async () => {
  if (await openExample(examples[byId('examples').selectedIndex])) await run();
};
byId('run').onclick = () => (byId('run').textContent === 'Stop' ? running?.abort() : run());
for (const id of ['seed', 'replicas']) byId(id).onchange = () => run();
// Before the editor sees them: it would put the text of files where they fall. Text that is dragged is the editor's.
document.addEventListener(
  'dragover',
  (event) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  },
  true,
);
document.addEventListener(
  'drop',
  (event) => {
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const row = /** @type {HTMLElement} */ (event.target).closest?.('[data-input]');
    take(files, Number(row?.dataset.input ?? 0));
  },
  true,
);

const state = readState();
const wanted = examples.find((/** @type {Example} */ { title }) => title === state.example);
if (state.program) setProgram(state.program);
const isOpen = Boolean(state.program) || (await openExample(wanted ?? examples[0]));
byId('seed').value = wholeNumber(state.seed) ?? '0';
byId('replicas').value = wholeNumber(state.replicas) ?? '';
for (const [i, text] of parsed(state.inputs)) inputs.typed[Number(i)] = text;
kinds = Object.fromEntries(parsed(state.as));
shownTab = state.show ?? 'values';
byId('run').disabled = false;
WIDE.onchange = place;
place();
if (isOpen) await run();
ready();
