// `special` against SciPy (tests/fixtures/functions/special_table.py), eager and traced.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import { readTable, testTable } from './tables.js';

const hlo = await load();
const { special } = hlo;
const cases = readTable('special.json.gz');

testTable(hlo, special, cases);

test('every function is in the table', () => {
  const there = new Set(cases.map(([name]) => name));
  assert.deepEqual(
    Object.keys(special).filter((name) => !there.has(name)),
    [],
  );
});

test('numbers, lists, integers and empty arrays are taken', () => {
  assert.equal(special.factorial(5).item(), 120);
  assert.equal(special.erf(0).item(), 0);
  assert.deepEqual(special.comb([4, 5], 2).toNested(), [6, 10]);
  assert.equal(special.gammainc(hlo.array([1, 2], 's32'), 1).type, 'f32');
  assert.deepEqual(special.exp1(hlo.array([], 'f32')).dims, [0]);
});
