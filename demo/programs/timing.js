// What a program takes: milliseconds, bytes, instructions, and the engine's report of its cost.
import { element } from '../frame.js';

const BUDGET = 500; // milliseconds of measuring
const COSTS = ['flops', 'transcendentals', 'bytesRead', 'bytesWritten']; // of the engine's report
const MOST = 12; // instructions that are listed

/** @param {number} bytes */
export function bytesText(bytes) {
  const [unit, size] = /** @type {[string, number]} */ (
    [
      ['GB', 1e9],
      ['MB', 1e6],
      ['KB', 1e3],
      ['bytes', 1],
    ].find(([, least]) => bytes >= Number(least)) ?? ['bytes', 1]
  );
  return `${Number((bytes / size).toPrecision(3))} ${unit}`;
}

/** @param {string} text a program @returns {number} */
const instructionsIn = (text) => (text.match(/^\s+(ROOT )?%\S+ = /gm) ?? []).length;

/** @param {number} ms */
const timeText = (ms) => (ms < 0.1 ? `${(1000 * ms).toFixed(1)} µs` : `${ms.toFixed(2)} ms`);

/** @param {string} name camelCase @param {number} value @returns {string} */
function quantity(name, value) {
  if (/byte/i.test(name)) return bytesText(value);
  return Number.isInteger(value) ? value.toLocaleString('en') : value.toPrecision(4);
}

/** @param {string} name camelCase */
const wordsOf = (name) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** What orders instructions: roughly the time that they take. @param {any} one */
const weight = (one) => one.flops + 8 * one.transcendentals + one.bytesRead + one.bytesWritten;

/** A table of the instructions that take most. @param {any[]} instructions */
function shares(instructions) {
  const head = ['instruction', ...COSTS.map(wordsOf)].map((text) =>
    element('th', { scope: 'col' }, text),
  );
  const lines = instructions.map((one) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, `${one.name} (${one.opcode})`),
      ...COSTS.map((name) => element('td', {}, quantity(name, one[name]))),
    ),
  );
  const caption = element('caption', {}, 'What takes most');
  const made = element(
    'table',
    { class: 'facts' },
    caption,
    element('thead', {}, element('tr', {}, ...head)),
    element('tbody', {}, ...lines),
  );
  return element('div', { class: 'scroll', tabindex: '0' }, made);
}

/**
 * Draws the tables of a program that has run.
 * @param {HTMLElement} root
 * @param {{ executable: any, times: Record<string, number>, run: () => void }} ran times in milliseconds; run() runs
 *   it once more, to the end
 */
export function showTiming(root, { executable, times, run }) {
  const { cost } = executable;
  const memory = Object.entries(executable.memory).map(([name, bytes]) => [name, bytesText(bytes)]);
  const [written, runs] = [executable.module, executable].map((program) =>
    String(instructionsIn(program.print('hlo'))),
  );
  const measured = element('tbody', {});
  const rows = (/** @type {string[][]} */ list) =>
    list.map(([name, text]) =>
      element('tr', {}, element('th', { scope: 'row' }, name), element('td', {}, text)),
    );
  const block = (
    /** @type {string} */ caption,
    /** @type {string[][]} */ list,
    /** @type {any[]} */ ...more
  ) =>
    element(
      'table',
      { class: 'facts' },
      element('caption', {}, caption),
      element('tbody', {}, ...rows(list)),
      ...more,
    );
  const { flops } = cost;
  const again = element(
    'button',
    {
      type: 'button',
      onclick: () => {
        const took = [];
        for (
          const start = performance.now();
          took.length < 3 || performance.now() - start < BUDGET;
        ) {
          const from = performance.now();
          run();
          took.push(performance.now() - from);
        }
        took.sort((a, b) => a - b);
        const median = took[took.length >> 1];
        const list = [
          ['runs', took.length.toLocaleString('en')],
          ['fastest', timeText(took[0])],
          ['median', timeText(median)],
          ['slowest', timeText(/** @type {number} */ (took.at(-1)))],
        ];
        if (flops > 0) list.push(['speed', `${(flops / median / 1e6).toPrecision(3)} GFLOP/s`]);
        measured.replaceChildren(...rows(list));
      },
    },
    'Run it for half a second',
  );
  const costs = block(
    cost.complete ? 'Cost' : 'Cost, at least',
    COSTS.map((name) => [wordsOf(name), quantity(name, cost[name])]),
  );
  const heaviest = cost.instructions
    .filter((/** @type {any} */ one) => COSTS.some((name) => one[name] > 0))
    .sort((/** @type {any} */ a, /** @type {any} */ b) => weight(b) - weight(a))
    .slice(0, MOST);
  root.replaceChildren(
    element(
      'div',
      { class: 'panels' },
      block(
        'Time',
        Object.entries(times).map(([name, ms]) => [name, timeText(ms)]),
        measured,
      ),
      block('Memory', memory),
      block('Instructions', [
        ['as written', written],
        ['as it runs', runs],
      ]),
      costs,
    ),
    element('p', { class: 'fields' }, again),
    shares(heaviest),
  );
}
