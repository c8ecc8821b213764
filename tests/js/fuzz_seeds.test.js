// The literals among the texts that fuzzers start from: of a wrong size or depth.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { HloError, load } from '../../web/index.js';

const hlo = await load();

for (const folder of ['hlo_text', 'stablehlo'])
  test(`${folder}: literals of a wrong size or depth are refused where they stand`, () => {
    const url = new URL(`../fuzz/corpus/${folder}/`, import.meta.url);
    const names = readdirSync(url).filter((name) => name.startsWith('literal_'));
    assert.ok(names.length >= 5);
    for (const name of names)
      assert.throws(
        () => hlo.parse(readFileSync(new URL(name, url), 'utf8')),
        (error) => error instanceof HloError && Number(error.line) > 0,
        name,
      );
  });
