// The page that goes through a program step by step: instructions with breakpoints, their values, the graph, where a NaN is
// born, where two runs part.
import { HloError } from '../web/index.js';
import { randomArray } from '../web/cli/random.js';
import { createEditor } from './editor.bundle.js';
import { element, openPage, readState, ready, writeState } from './frame.js';
import { graph } from './stepper/graph.js';
import { firstDifference, firstNaN, Stepper } from './stepper/stepper.js';
import { showArray } from './values.js';

const byId = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));
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
const editor = createEditor(byId('editor'), { run: () => restart(), changed: () => restart() });
/** @type {Stepper | undefined} */
let stepper;
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

/** A stepper for the program, with inputs by the seed. @param {number} seed @param {{ reference?: boolean }} [options] */
function open(seed, options) {
  const module = hlo.parse(editor.text);
  try {
    const parameters = module.computations.find(({ isEntry }) => isEntry)?.parameters ?? [];
    const leaves = (/** @type {any} */ shape) =>
      shape.elements ? shape.elements.flatMap(leaves) : [shape];
    const inputs = parameters
      .flatMap(({ shape }) => leaves(shape))
      .map((shape, i) => randomArray(hlo, shape, seed + i));
    try {
      return new Stepper(hlo, module, inputs, options);
    } finally {
      for (const input of inputs) input.dispose();
    }
  } finally {
    module.dispose();
  }
}

/** @param {() => void} action */
function attempt(action) {
  showError(null);
  try {
    action();
  } catch (error) {
    if (!(error instanceof HloError)) throw error;
    showError(error);
  }
}

function restart() {
  stepper?.dispose();
  stepper = undefined;
  shown = '';
  for (const id of ['where', 'found', 'instructions', 'value', 'graph']) byId(id).replaceChildren();
  for (const id of actions) byId(id).disabled = true; // until there is something to act on
  byId('examples').selectedIndex = examples.findIndex(({ text }) => text === editor.text);
  writeState(editor.text.length < 20000 ? { program: editor.text, seed: byId('seed').value } : {});
  attempt(() => {
    stepper = open(Number(byId('seed').value));
    draw();
  });
}

/** @param {(stepper: Stepper) => void} action */
function act(action) {
  attempt(() => {
    if (!stepper) return;
    action(stepper);
    const { frame } = stepper;
    shown = frame.computation.instructions[frame.at - 1]?.name ?? '';
    draw();
  });
}

/** The frame that the lists and the graph were made for. @type {any} */
let drawn;

function draw() {
  if (!stepper) return;
  const { frame, next } = stepper;
  byId('where').textContent =
    `${stepper.frames.map(({ title }) => title).join(' › ')}${stepper.isDone ? ': done' : ''}`;
  if (drawn !== frame.computation || byId('instructions').childElementCount === 0) drawFrame();
  drawn = frame.computation;
  frame.computation.instructions.forEach(({ name }, i) => {
    const state = i < frame.at ? 'done' : name === next?.name ? 'current' : 'pending';
    for (const part of document.querySelectorAll(`[data-name="${CSS.escape(name)}"]`)) {
      part.classList.remove('done', 'current', 'pending', 'shown');
      part.classList.add(state, ...(name === shown ? ['shown'] : []));
    }
  });
  document.querySelector('#instructions .current')?.scrollIntoView({ block: 'nearest' });
  drawValue();
  for (const [id, enabled] of /** @type {[string, boolean][]} */ ([
    ['step', !stepper.isDone],
    ['back', stepper.canGoBack],
    ['enter', stepper.canEnter],
    ['leave', stepper.frames.length > 1],
    ['run', !stepper.isDone],
    ['find-nan', true],
    ['compare', true],
    ['compare-seed', true],
  ]))
    byId(id).disabled = !enabled;
}

/** The list and the graph of the innermost computation. */
function drawFrame() {
  const { computation } = /** @type {Stepper} */ (stepper).frame;
  const show = (/** @type {string} */ name) => {
    shown = name;
    draw();
  };
  byId('instructions').replaceChildren(
    ...computation.instructions.map(({ name, line }) => {
      const key = `${computation.name} ${name}`;
      const mark = element('button', {
        type: 'button',
        class: 'breakpoint',
        'aria-pressed': String(breakpoints.has(key)),
        'aria-label': `breakpoint at ${name}`,
        onclick: () => {
          if (!breakpoints.delete(key)) breakpoints.add(key);
          mark.setAttribute('aria-pressed', String(breakpoints.has(key)));
        },
      });
      const text = element('button', { type: 'button', onclick: () => show(name) }, line);
      return element('li', { 'data-name': name }, mark, text);
    }),
  );
  byId('graph').replaceChildren(graph(computation.instructions, show));
}

function drawValue() {
  const arrays = shown && stepper?.valueOf(shown);
  byId('value').replaceChildren(
    ...(arrays || []).map((array, i) =>
      showArray(array, arrays.length > 1 ? `${shown}, part ${i}` : shown),
    ),
  );
  if (shown && !arrays) byId('value').replaceChildren(`${shown} has no value yet.`);
}

/**
 * Goes to where something is so for the first time.
 * @param {(frame: any, other: any) => string | undefined} look
 * @param {(name: string) => string} says
 * @param {string} otherwise
 * @param {Stepper} [other]
 */
function seek(look, says, otherwise, other) {
  attempt(() => {
    if (!stepper) return;
    const name = stepper.seek(look, other);
    if (name) shown = name;
    draw();
    const path = stepper.frames.map(({ title }) => title).join(' › ');
    byId('found').textContent = name
      ? `${says(name)}${stepper.frames.length > 1 ? ` (${path})` : ''}`
      : otherwise;
  });
}

/** @param {number} seed @param {{ reference?: boolean }} options @param {string} name of the other run */
function compareWith(seed, options, name) {
  attempt(() => {
    const other = open(seed, options);
    let difference = 0;
    seek(
      (a, b) => {
        const first = firstDifference(a, b, TOLERANCE);
        difference = first?.difference ?? difference;
        return first?.name;
      },
      (first) =>
        `${first} is the first to differ from ${name}: by ${difference.toPrecision(2)} of its size`,
      `Nothing differs from ${name}.`,
      other,
    );
    other.dispose();
  });
}

byId('step').onclick = () => act((s) => s.step());
byId('enter').onclick = () => act((s) => s.enter());
byId('leave').onclick = () => act((s) => s.leave());
byId('run').onclick = () => act((s) => s.run(breakpoints));
byId('restart').onclick = () => restart();
byId('back').onclick = () => act((s) => s.back());
byId('find-nan').onclick = () =>
  seek(firstNaN, (name) => `The first NaN is born in ${name}.`, 'No value has a NaN.');
byId('compare').onclick = () =>
  compareWith(Number(byId('seed').value), { reference: true }, 'the reference evaluator');
byId('compare-seed').onclick = () =>
  compareWith(Number(byId('seed').value) + 1, {}, 'the next seed');
byId('seed').onchange = () => restart();
for (const { title } of examples) byId('examples').append(new Option(title));
byId('examples').onchange = () => {
  editor.text = examples[byId('examples').selectedIndex].text;
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
byId('seed').value = state.seed ?? '0';
editor.text = state.program ?? examples[0].text; // which opens it
ready();
