// The playground's examples: all of them run, compiled as by the oracle; those that JAX exported give JAX's
// results, by the weighted sums that tests/fixtures/gallery.py wrote.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { randomArray } from '../../web/cli/random.js';
import { HloError, load } from '../../web/index.js';

const folder = new URL('../../demo/examples/', import.meta.url);
const read = (path) => String(readFileSync(new URL(path, folder)));
const examples = JSON.parse(read('index.json'));
const sums = JSON.parse(read('../../tests/fixtures/gallery.json'));
const hlo = await load();

/** @returns {any[][]} results of every process, nested */
function results(executable, inputs) {
  const count = Number(/replica_count=(\d+)/.exec(executable.module.print())?.[1] ?? 1);
  const made = executable.runReplicas(Array.from({ length: count }, () => inputs));
  return made.map((list) => list.map((array) => [array.toNested()].flat(Infinity).map(Number)));
}

/** Infinities, which are all within a tolerance of themselves, are equal or not. */
const close = (a, b) =>
  Object.is(a, b) || (Number.isFinite(b) && Math.abs(a - b) <= 1e-3 * Math.max(1, Math.abs(b)));

for (const { title, program } of examples) {
  const text = read(program);
  if (title === 'A shape error')
    test(title, () => assert.throws(() => hlo.compile(text), HloError));
  else
    test(title, () =>
      hlo.tidy(() => {
        const module = hlo.parse(text);
        const executables = [module.compile(), module.compile({ reference: true })];
        const inputs = executables[0].parameters.map((shape, i) => randomArray(hlo, shape, i));
        const [ours, reference] = executables.map((executable) =>
          results(executable, inputs).flat(2),
        );
        const wrong = ours.findIndex((x, i) => !Number.isFinite(x) || !close(x, reference[i]));
        assert.equal(wrong, -1, `element ${wrong}: ${ours[wrong]}, not ${reference[wrong]}`);
        for (const object of [...executables, module]) object.dispose();
      }),
    );
}

for (const [name, wanted] of Object.entries(sums))
  test(`${name} gives JAX's results`, () =>
    hlo.tidy(() => {
      const executable = hlo.compile(read(`${name}.mlir`));
      const inputs = executable.parameters.map(({ type, dims }, number) => {
        const size = dims.reduce((product, n) => product * n, 1);
        const data = Float32Array.from({ length: size }, (_, i) => Math.sin(0.1 * i + number));
        return hlo.array(data, { type, shape: dims });
      });
      const [got] = results(executable, inputs);
      const gotSums = got.map((list) =>
        list.reduce((sum, x, i) => sum + x * Math.cos(0.01 * i), 0),
      );
      assert.equal(gotSums.length, wanted.length);
      gotSums.forEach((sum, i) =>
        assert.ok(
          Math.abs(sum - wanted[i]) <= 1e-4 * (1 + Math.abs(wanted[i])),
          `${sum}, not ${wanted[i]}`,
        ),
      );
      executable.dispose();
    }));
