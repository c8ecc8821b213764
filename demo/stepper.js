// The page that goes through a program step by step: instructions with breakpoints, their values, the graph, where a NaN is
// born, where two runs part.
import { HloError } from '../web/index.js';
import { checkMemory } from '../web/cli/memory.js';
import { randomArray } from '../web/cli/random.js';
import { createEditor } from './editor.bundle.js';
import { element, openPage, portion, readState, ready, wholeNumber, writeState } from './frame.js';
import { MOST_MEMORY } from './limits.js';
import { Graph } from './stepper/graph.js';
import { Rows } from './stepper/rows.js';
import { firstDifference, firstNaN, Stepper } from './stepper/stepper.js';
import { showArray } from './values.js';

const byId = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));
const LONGEST_LINE = 500; // characters of an instruction that are shown
const PAUSE = 250; // milliseconds without typing before the program is opened
const TOLERANCE = 1e-5; // relative: what orders of summation may differ by

const examples = [
  {
    title: 'Newton’s method in a loop',
    text: `HloModule newton

// x ← x − (x² − 2) / 2x, four times
go_on {
  s = (s32[], f32[3]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  four = s32[] constant(4)
  ROOT more = pred[] compare(i, four), direction=LT
}

improve {
  s = (s32[], f32[3]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[3] get-tuple-element(s), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  two = f32[3] constant({2, 2, 2})
  square = f32[3] multiply(x, x)
  error = f32[3] subtract(square, two)
  slope = f32[3] multiply(two, x)
  step = f32[3] divide(error, slope)
  y = f32[3] subtract(x, step)
  ROOT next = (s32[], f32[3]) tuple(j, y)
}

ENTRY main {
  zero = s32[] constant(0)
  start = f32[3] constant({1, 2, 5})
  state = (s32[], f32[3]) tuple(zero, start)
  loop = (s32[], f32[3]) while(state), condition=go_on, body=improve
  ROOT root = f32[3] get-tuple-element(loop), index=1
}
`,
  },
  {
    title: 'A NaN in a softmax',
    text: `HloModule softmax

sum { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = f32[] add(a, b) }

// Without subtracting the maximum first, large numbers overflow.
ENTRY main {
  x = f32[2,3] constant({{1, 2, 3}, {90, 1, 2}})
  powers = f32[2,3] exponential(x)
  zero = f32[] constant(0)
  totals = f32[2] reduce(powers, zero), dimensions={1}, to_apply=sum
  spread = f32[2,3] broadcast(totals), dimensions={0}
  ROOT shares = f32[2,3] divide(powers, spread)
}
`,
  },
  {
    title: 'A NaN in a loop',
    text: `HloModule loop

// x ← log(x + 1), ten times, on numbers that start at 2, 0.5 and -0.4: one of them does not survive. Which iteration?
go_on {
  s = (s32[], f32[3]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  ten = s32[] constant(10)
  ROOT more = pred[] compare(i, ten), direction=LT
}

shrink {
  s = (s32[], f32[3]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[3] get-tuple-element(s), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  ones = f32[3] constant({1, 1, 1})
  y = f32[3] add(x, ones)
  z = f32[3] log(y)
  ROOT next = (s32[], f32[3]) tuple(j, z)
}

ENTRY main {
  zero = s32[] constant(0)
  start = f32[3] constant({2, 0.5, -0.4})
  state = (s32[], f32[3]) tuple(zero, start)
  loop = (s32[], f32[3]) while(state), condition=go_on, body=shrink
  ROOT end = f32[3] get-tuple-element(loop), index=1
}
`,
  },
  {
    title: 'Branches and calls',
    text: `HloModule branches

double { x = f32[2] parameter(0)  ROOT y = f32[2] add(x, x) }
halve { x = f32[2] parameter(0)  h = f32[2] constant({0.5, 0.5})  ROOT y = f32[2] multiply(x, h) }
twice { x = f32[2] parameter(0)  a = f32[2] call(x), to_apply=double  ROOT b = f32[2] call(a), to_apply=double }

ENTRY main {
  which = s32[] constant(1)
  x = f32[2] parameter(0)
  ROOT r = f32[2] conditional(which, x, x), branch_computations={twice, halve}
}
`,
  },
];

const hlo = await openPage('./stepper.html');
const editor = createEditor(byId('editor'), { run: () => restart(), changed: () => restartSoon() });
/** @type {Stepper | undefined} */
let stepper;
/** Of the program in the editor: what is under way for another one is given up. */
let current = new AbortController();
/** Of the action under way. @type {AbortController | undefined} */
let working;
/** Whether that takes its time: nothing but Stop can be asked for. */
let isLong = false;
/** A restart when typing pauses. @type {number | undefined} */
let typing;
/** The last action that was asked for: each waits for the one before it. @type {Promise<void>} */
let last = Promise.resolve();
/** @type {Set<string>} */
const breakpoints = new Set();
let shown = '';
/** Buttons that need a program that can be run. */
const actions = ['back', 'step', 'enter', 'leave', 'run', 'find-nan', 'compare', 'compare-seed'];

/** @param {any} error */
function showError(error) {
  byId('error').hidden = !error;
  byId('error').textContent = error?.message ?? '';
  editor.mark(error?.line > 0 ? error : null);
}

/**
 * A stepper for the program, with inputs by the seed.
 * @param {number} seed
 * @param {AbortSignal} signal
 * @param {{ reference?: boolean }} [options]
 */
async function open(seed, signal, options) {
  const module = hlo.parse(editor.text);
  /** @type {any[]} */
  const inputs = [];
  /** @type {Stepper | undefined} */
  let made;
  try {
    const parameters = module.computations.find(({ isEntry }) => isEntry)?.parameters ?? [];
    const leaves = (/** @type {any} */ shape) =>
      shape.elements ? shape.elements.flatMap(leaves) : [shape];
    const shapes = parameters.flatMap(({ shape }) => leaves(shape));
    const bytes = shapes.reduce((sum, shape) => sum + shape.bytes, 0);
    checkMemory(hlo, bytes, MOST_MEMORY);
    for (const shape of shapes) inputs.push(randomArray(hlo, shape, seed + inputs.length));
    made = new Stepper(hlo, module, options);
    made.signal = signal;
    await made.open(inputs);
    return made;
  } catch (error) {
    made?.dispose();
    throw error;
  } finally {
    for (const input of inputs) input.dispose();
    module.dispose();
  }
}

/** Says that an action takes its time, with a means to stop it. */
function showRunning() {
  isLong = true;
  for (const id of actions) byId(id).disabled = id !== 'run';
  byId('run').textContent = 'Stop';
  byId('where').textContent = [path(), 'running …'].filter(Boolean).join(': ');
}

function showEnded() {
  isLong = false;
  byId('run').textContent = 'Run';
}

/** Where the stepper is. */
function path() {
  return stepper?.frames.map(({ title }) => title).join(' › ') ?? '';
}

/**
 * Carries an action out behind those before it, if it is for the program that is in the editor then. Errors of the engine
 * are shown.
 * @param {(signal: AbortSignal) => Promise<void>} action
 */
function attempt(action) {
  if (isLong) return; // what is under way leaves no room for another one
  const { signal } = current;
  last = last.then(async () => {
    if (signal.aborted) return;
    const mine = (working = new AbortController());
    const long = setTimeout(showRunning, 200);
    signal.onabort = () => mine.abort();
    showBusy();
    showError(null);
    try {
      await action(mine.signal);
    } catch (error) {
      if (signal.aborted) return; // another program is there
      if (mine.signal.aborted) showStopped();
      else if (error instanceof HloError) showError(error);
      else reportError(error); // thrown, it would end the actions that wait
    } finally {
      clearTimeout(long);
      signal.onabort = null;
      working = undefined;
      showBusy();
      if (isLong) {
        showEnded();
        if (!signal.aborted) enableActions();
      }
    }
  });
}

function showBusy() {
  if (working || typing) byId('main').setAttribute('aria-busy', 'true');
  else byId('main').removeAttribute('aria-busy');
}

/** After Stop: where that was, and how to go on. */
function showStopped() {
  if (!stepper) {
    byId('where').textContent = 'stopped; Restart begins again';
    return;
  }
  draw();
  const { next, canEnter } = stepper;
  byId('where').textContent +=
    `: stopped${next ? ` before ${next.name} has ended` : ''}${canEnter ? '; Into shows what it does' : ''}`;
}

/** The text is another one: gives up what is under way at once, opens the new program when typing pauses. */
function restartSoon() {
  current.abort();
  clearTimeout(typing);
  typing = window.setTimeout(restart, PAUSE);
  showBusy();
}

function restart() {
  clearTimeout(typing);
  typing = undefined;
  current.abort();
  current = new AbortController();
  showEnded();
  shown = '';
  drawn = undefined;
  rows.show(0);
  graph.clear();
  for (const id of ['where', 'found', 'value']) byId(id).replaceChildren();
  for (const id of actions) byId(id).disabled = true; // until there is something to act on
  byId('examples').selectedIndex = examples.findIndex(({ text }) => text === editor.text);
  writeState({ program: editor.text, seed: byId('seed').value });
  last = last.then(() => {
    stepper?.dispose();
    stepper = undefined;
  });
  attempt(async (signal) => {
    stepper = await open(Number(byId('seed').value), signal);
    draw();
  });
}

/** @param {(stepper: Stepper) => Promise<void>} action */
function act(action) {
  attempt(async (signal) => {
    if (!stepper) return;
    stepper.signal = signal;
    await action(stepper);
    const { frame } = stepper;
    shown = frame.computation.instructions[frame.at - 1]?.name ?? '';
    draw();
  });
}

/**
 * The computation that the list and the graph show.
 * @type {import('./stepper/program.js').Computation | undefined}
 */
let drawn;
const rows = new Rows(byId('instructions'), { make: rowOf, update: updateRow });
const graph = new Graph(byId('graph'), byId('graph-told'), (name) => show(name));

/** @param {number} [about] the instruction that the graph is to show, by default the next one */
function draw(about) {
  if (!stepper) return;
  const { computation, at } = stepper.frame;
  byId('where').textContent = `${path()}${stepper.isDone ? ': done' : ''}`;
  const { length } = computation.instructions;
  if (drawn !== computation) {
    drawn = computation;
    rows.show(length);
  } else rows.refresh();
  if (about === undefined) rows.reveal(at);
  graph.show(computation, about ?? Math.min(at, length - 1));
  graph.mark(stateOf);
  drawValue();
  enableActions();
}

/** Shows the value of an instruction of the innermost computation. @param {string} name */
function show(name) {
  shown = name;
  draw(drawn?.positions.get(name));
}

/** The classes of what stands for an instruction of the innermost computation. @param {number} position */
function stateOf(position) {
  const at = stepper?.frame.at ?? 0;
  const state = position < at ? 'done' : position === at ? 'current' : 'pending';
  return drawn?.instructions[position].name === shown ? `${state} shown` : state;
}

/** @param {number} position */
const breakpointAt = (position) => `${drawn?.name} ${drawn?.instructions[position].name}`;

/** @param {number} position @returns {HTMLElement} */
function rowOf(position) {
  const { name, line } = /** @type {any} */ (drawn).instructions[position];
  const mark = element('button', {
    type: 'button',
    class: 'breakpoint',
    'aria-label': `breakpoint at ${name}`,
    onclick: () => {
      const key = breakpointAt(position);
      if (!breakpoints.delete(key)) breakpoints.add(key);
      rows.refresh();
    },
  });
  const text = line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line;
  const choose = element('button', { type: 'button', onclick: () => show(name) }, text);
  return element('li', { 'data-name': name }, mark, choose);
}

/** @param {HTMLElement} row @param {number} position */
function updateRow(row, position) {
  row.className = stateOf(position);
  row.setAttribute('aria-current', position === stepper?.frame.at ? 'step' : 'false');
  row.firstElementChild?.setAttribute(
    'aria-pressed',
    String(breakpoints.has(breakpointAt(position))),
  );
}

function enableActions() {
  for (const [id, enabled] of /** @type {[string, any][]} */ ([
    ['step', stepper && !stepper.isDone],
    ['back', stepper?.canGoBack],
    ['enter', stepper?.canEnter],
    ['leave', stepper && stepper.frames.length > 1],
    ['run', stepper && !stepper.isDone],
    ['find-nan', stepper],
    ['compare', stepper],
    ['compare-seed', stepper],
  ]))
    byId(id).disabled = !enabled;
}

function drawValue() {
  const arrays = stepper?.valueOf(shown);
  const title = shown;
  byId('value').replaceChildren(
    ...portion(arrays?.length ?? 0, (i) =>
      showArray(arrays[i], arrays.length > 1 ? `${title}, part ${i}` : title),
    ),
  );
  if (shown && !arrays) byId('value').replaceChildren(`${shown} has no value yet.`);
}

/**
 * Goes to where something is so for the first time.
 * @param {import('./stepper/stepper.js').Look} look
 * @param {(name: string) => string} says
 * @param {string} otherwise
 * @param {AbortSignal} signal
 * @param {Stepper} [other]
 */
async function seek(look, says, otherwise, signal, other) {
  if (!stepper) return;
  stepper.signal = signal;
  const name = await stepper.seek(look, other);
  if (name) shown = name;
  draw();
  byId('found').textContent = name
    ? `${says(name)}${stepper.frames.length > 1 ? ` (${path()})` : ''}`
    : otherwise;
}

/** @param {number} seed @param {{ reference?: boolean }} options @param {string} name of the other run */
function compareWith(seed, options, name) {
  attempt(async (signal) => {
    const other = await open(seed, signal, options);
    let difference = 0;
    try {
      await seek(
        (instructions, a, b) => {
          const first = firstDifference(instructions, a, b, TOLERANCE);
          difference = first?.difference ?? difference;
          return first?.name;
        },
        (first) =>
          `${first} is the first to differ from ${name}: by ${difference.toPrecision(2)} of its size`,
        `Nothing differs from ${name}.`,
        signal,
        other,
      );
    } finally {
      other.dispose();
    }
  });
}

byId('step').onclick = () => act((s) => s.step());
byId('enter').onclick = () => act((s) => s.enter());
byId('leave').onclick = () => act((s) => s.leave());
byId('run').onclick = () => (isLong ? working?.abort() : act((s) => s.run(breakpoints)));
byId('restart').onclick = () => restart();
byId('back').onclick = () => act((s) => s.back());
byId('find-nan').onclick = () =>
  attempt((signal) =>
    seek(firstNaN, (name) => `The first NaN is born in ${name}.`, 'No value has a NaN.', signal),
  );
byId('compare').onclick = () =>
  compareWith(Number(byId('seed').value), { reference: true }, 'the reference');
byId('compare-seed').onclick = () =>
  compareWith(Number(byId('seed').value) + 1, {}, 'the next seed');
byId('seed').onchange = () => restart();
for (const { title } of examples) byId('examples').append(new Option(title));
byId('examples').onchange = () => {
  editor.text = examples[byId('examples').selectedIndex].text;
  restart();
};
document.addEventListener('keydown', ({ key, target, ctrlKey, metaKey }) => {
  if (
    ctrlKey ||
    metaKey ||
    /** @type {any} */ (target).closest?.('input, select, [contenteditable]')
  )
    return;
  const id = { n: 'step', b: 'back', i: 'enter', o: 'leave', r: 'run' }[key];
  if (id && !byId(id).disabled) byId(id).click();
});

const state = readState();
byId('seed').value = wholeNumber(state.seed) ?? '0';
editor.text = state.program ?? examples[0].text;
restart();
last.then(ready);
