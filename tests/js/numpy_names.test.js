// Which of NumPy's public names (tests/fixtures/numpy/names.py) np has: of those that make sense on arrays, all but a few.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { load } from '../../web/index.js';

const { np } = await load();
/** Why a name makes no sense on arrays; '' where it does. @type {Record<string, string>} */
const names = JSON.parse(
  readFileSync(new URL('../fixtures/numpy/names.json', import.meta.url), 'utf8'),
);
const page = readFileSync(new URL('../../docs/numpy.md', import.meta.url), 'utf8');

/** @param {string} name @returns {string} in camelCase: 'expandDims' for 'expand_dims', 'ix' for 'ix_' */
function camel(name) {
  return name.replace(/_+$/, '').replace(/_+(\w)/g, (_, letter) => letter.toUpperCase());
}

/** @param {string} name with the module in front @returns {boolean} */
function isThere(name) {
  const path = name.split('.').map(camel);
  let place = /** @type {any} */ (np);
  for (const part of path) {
    if (place === undefined || !(part in place)) return false;
    place = place[part];
  }
  return true;
}

const sensible = Object.keys(names).filter((name) => names[name] === '');
const missing = sensible.filter((name) => !isThere(name));

test('np has the names of NumPy that make sense on arrays', () => {
  assert.ok(sensible.length > 400, `${sensible.length}`);
  assert.ok(missing.length < 0.02 * sensible.length, missing.join(' '));
});

test('the page about NumPy says why others are not there, and how many', () => {
  for (const why of new Set(Object.values(names)))
    if (why !== '') {
      const own = Object.keys(names).filter((name) => names[name] === why);
      assert.ok(page.includes(`| ${why} | ${own.length} |`), `| ${why} | ${own.length} |`);
    }
});

test('what makes no sense on arrays is not there', () => {
  const there = Object.keys(names).filter((name) => names[name] !== '' && isThere(name));
  assert.deepEqual(there, ['bool_', 'fft', 'linalg', 'random']); // bool_ is bool
});
