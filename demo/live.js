// The page of live examples: each is a panel that computes only while it is shown.
import { openPage, ready, readState, tabs, writeState } from './frame.js';
import { fluid } from './live/fluid.js';
import { life } from './live/life.js';
import { mandelbrot } from './live/mandelbrot.js';
import { spectrum } from './live/spectrum.js';
import { speed } from './live/speed.js';
import { training } from './live/training.js';
import { transformer } from './live/transformer.js';

/**
 * A panel: builds itself in the element, and gives a function that draws the next picture; it is called for every frame
 * while the panel is shown.
 * @typedef {(hlo: any, root: HTMLElement) => () => void} Panel
 */
/** @type {Record<string, Panel>} */
const panels = { training, mandelbrot, life, fluid, spectrum, transformer, speed };

const hlo = await openPage('./live.html');
/** @type {Map<string, () => void>} */
const frames = new Map();
/** Panels that draw only when something is asked of them. */
const still = new Set(['mandelbrot', 'speed']);
let shownLast = '';
/** Whether a control of the panel was used: that is to be seen also when nothing moves. */
let isAsked = false;
let moves = !matchMedia('(prefers-reduced-motion: reduce)').matches;

/** @type {HTMLButtonElement} */
const motion = document.querySelector('#motion');
function tellMotion() {
  motion.textContent = moves ? 'Pause' : 'Go on';
}
motion.onclick = () => {
  moves = !moves;
  tellMotion();
};

function frame() {
  const shown = document.querySelector('[role=tabpanel]:not([hidden])');
  const name = shown?.id ?? '';
  const isNew = name !== shownLast;
  if (shown && !frames.has(name)) frames.set(name, panels[name](hlo, /** @type {any} */ (shown)));
  if (isNew) writeState({ show: name });
  shownLast = name;
  motion.hidden = still.has(name);
  const draws = moves || isNew || isAsked || still.has(name);
  isAsked = false;
  if (draws) frames.get(name)?.();
  requestAnimationFrame(frame);
}

for (const panel of document.querySelectorAll('[role=tabpanel]'))
  for (const type of ['click', 'input']) panel.addEventListener(type, () => (isAsked = true));
tabs(document.querySelector('[role=tablist]'))(readState().show);
tellMotion();
frame();
ready();
