// Programs that JAX exported, run in Node on their inputs; the outputs must agree with JAX's within the tolerances that
// tests/fixtures/README.md states.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { load } from '../../web/index.js';

const examples = new URL('../../demo/examples/', import.meta.url);

for (const build of ['simd', 'relaxed-simd'])
  for (const name of ['classifier', 'training']) {
    const folder = new URL(`${name}/`, examples);
    const read = (file) => readFileSync(new URL(file, folder));
    const { program, same_program, inputs, outputs } = JSON.parse(read('manifest.json'));
    const serialized = `../../../tests/fixtures/hlo_proto/examples/${name}.pb`;
    for (const file of [program, ...same_program, serialized])
      test(`${file} on ${build}`, async (context) => {
        const hlo = await load({ build }).catch((error) => error);
        if (hlo instanceof WebAssembly.CompileError)
          return context.skip('this Node has no relaxed SIMD');
        const before = hlo.memory.inUse;
        const executable = hlo.compile(file === serialized ? read(file) : String(read(file)));
        const arrays = inputs.map(({ file: input }) => hlo.fromNpy(read(input)));
        const results = executable.run(arrays);
        assert.equal(results.length, outputs.length);
        for (const [i, { name: output, file: expected, tolerance }] of outputs.entries()) {
          const want = hlo.fromNpy(read(expected));
          assert.equal(results[i].xla.text, want.xla.text);
          const [wants, gots] = [want.toTypedArray(), results[i].toTypedArray()];
          const { abs = 0, rel = 0 } = tolerance;
          wants.forEach((w, at) => {
            const off = Math.abs(gots[at] - w);
            assert.ok(
              off <= abs + rel * Math.abs(w),
              `${output}[${at}]: want ${w}, got ${gots[at]}`,
            );
          });
          want.dispose();
        }
        for (const object of [...results, ...arrays, executable, executable.module])
          object.dispose();
        hlo.dispose(); // forgets the plan
        // But for the last text, of up to 64 KiB, and small blocks, which the engine keeps for the next.
        assert.ok(hlo.memory.inUse <= before + 80000, 'everything is given back');
      });
  }

test('fixtures are there', () =>
  assert.ok(existsSync(new URL('classifier/manifest.json', examples))));
