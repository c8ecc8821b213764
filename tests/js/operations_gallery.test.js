// The examples of the page of operations: each is about the operation that it stands under, runs, and gives the same by the
// reference evaluator. What operations compute is tested by the op cases.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { madeExamples, readGallery } from '../../demo/operations/gallery.js';
import { runExample } from '../../demo/operations/run.js';
import { load } from '../../web/index.js';

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
          return results.map(({ array }) => String(array));
        });
        assert.deepEqual(ours, reference);
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
