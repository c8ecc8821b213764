// Broken programs through the build whose arenas have guards between allocations (src/base/guard.h): where something is written
// outside of its memory, that build traps. What fuzzing has found, and literals that do not fit their types.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { HloError } from '../../web/index.js';
import { loadChecked } from './checked_engine.js';

const { hlo } = await loadChecked();

/** @param {string} folder @param {RegExp} [pattern] */
const filesOf = (folder, pattern = /./) => {
  const url = new URL(`../fuzz/corpus/${folder}/`, import.meta.url);
  return readdirSync(url)
    .filter((name) => pattern.test(name))
    .map((name) => ({ name, bytes: readFileSync(new URL(name, url)) }));
};

test('what writes outside of its memory is noticed', async () => {
  const { writeBehind } = await loadChecked();
  for (const place of [0, 4]) writeBehind(place);
  for (const place of [5, 15, 31])
    assert.throws(() => writeBehind(place), WebAssembly.RuntimeError, `${place}`);
});

for (const folder of ['hlo_text', 'stablehlo']) {
  const literals = filesOf(folder, /^literal_/);
  test(`${folder}: literals of a wrong size or depth are refused where they stand`, () => {
    assert.ok(literals.length >= 5);
    for (const { name, bytes } of literals)
      assert.throws(
        () => hlo.parse(String(bytes)),
        (error) => error instanceof HloError && Number(error.line) > 0,
        name,
      );
  });
}

for (const folder of readdirSync(new URL('../fuzz/corpus/', import.meta.url)))
  test(`${folder}: what the fuzzers start from leaves the guards alone`, () => {
    for (const { name, bytes } of filesOf(folder))
      for (const program of [String(bytes), new Uint8Array(bytes)])
        try {
          hlo.parse(program).dispose();
        } catch (error) {
          assert.ok(error instanceof HloError, `${name}: ${error}`);
        }
    assert.equal(String(hlo.array([1, 2], 'f32')), 'f32[2] {1, 2}');
  });
