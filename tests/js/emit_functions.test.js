// Elementary functions in emitted code against the reference evaluator, wherever their arguments are.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import { compareWays } from './fusion_comparison.js';
import { ops as operations } from './fusion_operations.js';
import { randomNumbers } from './random_program.js';

const hlo = await load();

test('functions of f64, wherever their arguments are', async () => {
  const { function: functions } = operations;
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
  const random = randomNumbers(64);
  const values = (index) =>
    Float64Array.from({ length: count }, (_, i) => {
      const sign = i & (index + 1) ? -1 : 1;
      if (i < 4 * special.length ** 2)
        return (
          sign * special[(index ? i >> 2 : Math.trunc(i / 4 / special.length)) % special.length]
        );
      return sign * Math.exp(30 * random() - 15);
    });
  for (const [arity, names] of Object.entries(functions))
    for (const name of names) {
      if (name === 'zeta') continue; // thousands of terms
      const inputs = [0, 1]
        .slice(0, Number(arity))
        .map((index) => ({ type: 'f64', dims: [count], data: values(index) }));
      const shape = `f64[${count}]`;
      const parameters = inputs.map((_, i) => ` p${i} = ${shape} parameter(${i})\n`).join('');
      const text = `HloModule functions\nfused {\n${parameters} ROOT r = ${shape} ${name}(${inputs.map((_, i) => `p${i}`)})\n}
ENTRY main {\n${parameters} ROOT r = ${shape} fusion(${inputs.map((_, i) => `p${i}`)}), kind=kLoop, calls=fused\n}\n`;
      const { isReady, wrong } = await compareWays(hlo, text, inputs, 0);
      assert.equal(isReady, true, text);
      assert.equal(wrong, undefined, `${name}: ${wrong}`);
    }
});
