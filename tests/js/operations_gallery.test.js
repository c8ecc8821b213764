// The examples of the page of operations: each is about the operation that it stands under, runs, and gives the same by the
// oracle, but for the roundings of sums. What operations compute is tested by the op cases.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { madeExamples, readGallery } from '../../demo/operations/gallery.js';
import { runExample } from '../../demo/operations/run.js';
import { load } from '../../web/index.js';
import { difference } from './program_comparison.js';

const sums = { terms: 100, roundings: 4 }; // of an example, at most

const hlo = await load();
const text = readFileSync(new URL('../../demo/operations.hlo', import.meta.url), 'utf8');
const gallery = readGallery(text);

for (const [name, examples] of gallery)
  for (const { title, program, inputs, feeds } of examples)
    test(`${name}: ${title}`, () =>
      hlo.tidy(() => {
        const module = hlo.parse(program);
        assert.match(program, new RegExp(` ${name}\\(`), 'the operation is in the program');
        const [ours, reference] = [{}, { reference: true }].map((options) => {
          const executable = module.compile(options);
          const { results } = runExample(
            hlo,
            executable,
            inputs.map((x) => hlo.array(x)),
            feeds,
          );
          executable.dispose();
          return results.map(({ array }) => array);
        });
        const isSum = /dot|convolution|fft|reduce|batch-norm|cholesky|triangular/.test(name);
        assert.deepEqual(
          ours.map((x) => x.xla.text),
          reference.map((x) => x.xla.text),
        );
        for (const [i, x] of ours.entries())
          if (isSum) assert.equal(difference(x, reference[i], sums), undefined);
          else assert.equal(String(x), String(reference[i]));
        module.dispose();
      }));

test('every operation has an example', () => {
  const missing = hlo.ops.filter(
    (op) => op.runs && !gallery.has(op.name) && madeExamples(hlo, op).length === 0,
  );
  assert.deepEqual(
    missing.map(({ name }) => name),
    [],
  );
});
