// Elementary functions in emitted code against the oracle, wherever their arguments are.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import { compareWays } from './program_comparison.js';
import { ops as operations } from './fusion_operations.js';
import { randomNumbers } from './random_program.js';

const hlo = await load();

const special = [
  0,
  1,
  3,
  0.5,
  710.2,
  745.2,
  2 ** 20,
  2 ** 53,
  2 ** -27,
  2 ** -54,
  2 ** -1022,
  2 ** -1074,
  1e300,
  Math.SQRT2,
  Math.PI,
  Infinity,
  NaN,
];
const count = 6 * special.length ** 2 + 3; // all pairs; then odd, so that a vector is not full

/** All pairs of special numbers with all signs, first (0) or second ones (1); then others. */
function numbers(index) {
  const random = randomNumbers(64 + index);
  return Float64Array.from({ length: count }, (_, i) => {
    const sign = i & (index + 1) ? -1 : 1;
    const place = index ? i >> 2 : Math.trunc(i / 4 / special.length);
    if (i < 4 * special.length ** 2) return sign * special[place % special.length];
    return sign * Math.exp(60 * random() - 20);
  });
}

/** Runs r = name(p0, …) as a fusion both ways. */
async function check(name, inputs, result = inputs[0].type) {
  const shapes = inputs.map(({ type }) => `${type}[${count}]`);
  const names = shapes.map((_, i) => `p${i}`);
  const parameters = names.map((p, i) => ` ${p} = ${shapes[i]} parameter(${i})\n`).join('');
  const text = `HloModule functions\nfused {\n${parameters} ROOT r = ${result}[${count}] ${name}(${names})\n}
ENTRY main {\n${parameters} ROOT r = ${result}[${count}] fusion(${names}), kind=kLoop, calls=fused\n}\n`;
  const { isReady, wrong } = await compareWays(hlo, { text, inputs });
  assert.equal(isReady, true, text);
  assert.equal(wrong, undefined, `${name}: ${wrong}`);
}

test('functions of f64, wherever their arguments are', async () => {
  for (const [arity, names] of Object.entries(operations.function))
    for (const name of names) {
      if (name === 'zeta') continue; // thousands of terms
      const inputs = [0, 1].map((i) => ({ type: 'f64', dims: [count], data: numbers(i) }));
      await check(name, inputs.slice(0, Number(arity)));
    }
});

test('functions of c128, wherever their arguments are', async () => {
  const [re, im] = [numbers(0), numbers(1)];
  const pairs = (shift) =>
    Float64Array.from({ length: 2 * count }, (_, i) => {
      const at = ((i >> 1) + shift) % count;
      return i & 1 ? im[at] : re[at];
    });
  const inputs = [0, 401].map((shift) => ({ type: 'c128', dims: [count], data: pairs(shift) }));
  for (const name of ['exponential', 'log', 'sqrt', 'tanh']) await check(name, inputs.slice(0, 1));
  await check('abs', inputs.slice(0, 1), 'f64');
  for (const name of ['multiply', 'divide']) await check(name, inputs);
});
