// What all pages of the playground share: the header with the way to the other pages, the engine, and the state in the
// address.
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

const LONGEST = 20000; // characters of a program that goes into the address
const PORTION = 100; // of what may be many, shown at a time

/**
 * The first of so many elements, and, where these are not all, a button that puts more of them before itself.
 * @param {number} count
 * @param {(at: number) => HTMLElement} make
 * @returns {HTMLElement[]}
 */
export function portion(count, make) {
  let made = 0;
  const next = () => {
    const from = made;
    made = Math.min(from + PORTION, count);
    return Array.from({ length: made - from }, (_, i) => make(from + i));
  };
  const first = next();
  if (made === count) return first;
  const says = () => `… ${(count - made).toLocaleString('en')} more`;
  const more = element(
    'button',
    {
      type: 'button',
      onclick: () => {
        const elements = next();
        more.before(...elements);
        more.textContent = says();
        elements[0].tabIndex = -1; // the focus goes to what is new: the button moves on, or goes
        elements[0].focus();
        if (made === count) more.remove();
      },
    },
    says(),
  );
  return [...first, more];
}

/** Moves the focus behind the header; the address keeps the page's state. @param {Event} event */
function skip(event) {
  event.preventDefault();
  const main = document.getElementById('main');
  main.tabIndex = -1;
  main.focus();
}

/** The header with the pages; `here` is the path of this one. */
export function header(here) {
  const links = pages.map(({ path, title }) =>
    element('a', path === here ? { href: path, 'aria-current': 'page' } : { href: path }, title),
  );
  return element(
    'header',
    {},
    element('a', { class: 'skip', href: '#main', onclick: skip }, 'Skip to the page'),
    element('h1', {}, element('a', { href: './' }, 'hlo-wasm')),
    element('nav', { 'aria-label': 'Pages' }, ...links),
    element('p', { id: 'build', class: 'quiet', 'aria-live': 'polite' }, 'loading the engine …'),
  );
}

/**
 * Puts the header in front of the page and loads the engine.
 * @param {string} here
 * @param {Promise<any>} [more] what the page needs besides
 * @returns {Promise<import('../web/index.js').Hlo & import('../web/index.js').Operations>}
 */
export async function openPage(here, more) {
  document.body.prepend(header(here));
  try {
    const [hlo] = await Promise.all([load(), more]);
    const runs = hlo.ops.filter((op) => op.runs).length;
    document.getElementById('build').textContent =
      `${hlo.build} build, ${runs} of ${hlo.ops.length} operations`;
    return hlo;
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    document.getElementById('build').textContent = '';
    document
      .getElementById('main')
      .replaceChildren(
        element('p', { class: 'wrong', role: 'alert' }, `The engine cannot be loaded: ${message}`),
      );
    throw error;
  } finally {
    document.body.dataset.open = 'true'; // only now is the page shown: nothing moves while it is built
  }
}

/** Says that the page can be used: tests wait for it. */
export function ready() {
  document.body.dataset.ready = 'true';
}

/** @returns {Record<string, string>} what the address says; another address typed in its place opens the page anew */
export function readState() {
  addEventListener('hashchange', () => location.reload());
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

/**
 * What an address says of a field for whole numbers; browsers complain of anything else.
 * @param {string | undefined} text
 */
export const wholeNumber = (text) => (/^\d+$/.test(text ?? '') ? text : undefined);

/** @param {Record<string, any>} state goes into the address, without a new entry in the history; a long program does not */
export function writeState({ program, ...rest }) {
  const isShort = program !== undefined && program.length < LONGEST;
  history.replaceState(null, '', `#${new URLSearchParams(isShort ? { program, ...rest } : rest)}`);
}

/**
 * Tabs that arrow keys move between. Each controls the panel that its aria-controls names.
 * @param {HTMLElement} list with role tablist
 * @param {(tab: string) => void} [selected] told the id of the panel
 * @returns {(panel: string) => void} selects the tab of that panel
 */
export function tabs(list, selected = () => {}) {
  const all = () =>
    /** @type {HTMLElement[]} */ ([...list.querySelectorAll('[role=tab]:not([hidden])')]);
  const select = (/** @type {HTMLElement} */ tab) => {
    for (const other of all()) {
      const chosen = other === tab;
      other.setAttribute('aria-selected', String(chosen));
      other.tabIndex = chosen ? 0 : -1;
      document.getElementById(other.getAttribute('aria-controls')).hidden = !chosen;
    }
    selected(tab.getAttribute('aria-controls'));
  };
  list.onclick = ({ target }) => {
    const tab = /** @type {HTMLElement} */ (target).closest('[role=tab]');
    if (tab) select(/** @type {HTMLElement} */ (tab));
  };
  list.onkeydown = ({ key }) => {
    const shown = all();
    const at = shown.findIndex((tab) => tab === document.activeElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: shown.length - 1 }[key];
    if (to === undefined || at < 0) return;
    const tab = shown[(to + shown.length) % shown.length];
    select(tab);
    tab.focus();
  };
  return (panel) => {
    const tab = all().find((other) => other.getAttribute('aria-controls') === panel) ?? all()[0];
    select(tab);
  };
}

/** What one may choose from, in groups. @param {HTMLSelectElement} menu @param {{ title: string, group?: string }[]} entries */
export function fillMenu(menu, entries) {
  for (const [i, { title, group }] of entries.entries()) {
    const option = new Option(title, String(i));
    if (group && /** @type {any} */ (menu.lastElementChild)?.label !== group)
      menu.append(element('optgroup', { label: group }));
    (group ? menu.lastElementChild : menu)?.append(option);
  }
}
