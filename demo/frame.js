// What all pages of the playground share: the header with the way to the other pages, the engine, and the state in the
// address. Must not know what a page shows.
import { load } from '../web/index.js';

/** The pages in order; paths are relative, so that the playground works under any address. */
export const pages = [
  { path: './', title: 'Programs' },
  { path: './operations.html', title: 'Operations' },
  { path: './shapes.html', title: 'Shapes' },
  { path: './indexing.html', title: 'Indexing maps' },
  { path: './stepper.html', title: 'Stepper' },
  { path: './live.html', title: 'Live' },
  { path: './reference.html', title: 'Reference' },
];

/**
 * An element with attributes and children.
 * @param {string} name
 * @param {Record<string, any>} [attributes] "class", "for" … as in HTML; on… are listeners
 * @param {...(Node | string)} children
 * @returns {any}
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (typeof value === 'boolean') made.toggleAttribute(key, value);
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** The header with the pages; `here` is the path of this one. */
export function header(here) {
  const links = pages.map(({ path, title }) =>
    element('a', path === here ? { href: path, 'aria-current': 'page' } : { href: path }, title),
  );
  return element(
    'header',
    {},
    element('a', { class: 'skip', href: '#main' }, 'Skip to the page'),
    element('h1', {}, element('a', { href: './' }, 'hlo-wasm')),
    element('nav', { 'aria-label': 'Pages' }, ...links),
    element('p', { id: 'build', class: 'quiet', 'aria-live': 'polite' }, 'loading the engine …'),
  );
}

/**
 * Puts the header in front of the page and loads the engine.
 * @param {string} here
 * @returns {Promise<import('../web/index.js').Hlo & import('../web/index.js').Operations>}
 */
export async function openPage(here) {
  document.body.prepend(header(here));
  const hlo = await load();
  const runs = hlo.ops.filter((op) => op.runs).length;
  document.getElementById('build').textContent =
    `${hlo.build} build, ${runs} of ${hlo.ops.length} operations`;
  return hlo;
}

/** Says that the page can be used: tests wait for it. */
export function ready() {
  document.body.dataset.ready = 'true';
}

/** @returns {Record<string, string>} what the address says */
export function readState() {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

/** @param {Record<string, any>} state goes into the address, without a new entry in the history */
export function writeState(state) {
  history.replaceState(null, '', `#${new URLSearchParams(state)}`);
}

/**
 * Tabs that arrow keys move between. Each controls the panel that its aria-controls names.
 * @param {HTMLElement} list with role tablist
 */
export function tabs(list) {
  const all = /** @type {HTMLElement[]} */ ([...list.querySelectorAll('[role=tab]')]);
  const select = (/** @type {HTMLElement} */ tab) => {
    for (const other of all) {
      const chosen = other === tab;
      other.setAttribute('aria-selected', String(chosen));
      other.tabIndex = chosen ? 0 : -1;
      document.getElementById(other.getAttribute('aria-controls')).hidden = !chosen;
    }
    tab.focus();
  };
  for (const [i, tab] of all.entries()) {
    tab.onclick = () => select(tab);
    tab.onkeydown = ({ key }) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
      if (step) select(all[(i + step + all.length) % all.length]);
    };
  }
}
