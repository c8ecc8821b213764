// Random inputs of programs: of every type, reproducible, made by the engine without lists of numbers, and not at all where the
// run would not fit.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkMemory } from '../../web/cli/memory.js';
import { randomArray } from '../../web/cli/random.js';
import { load } from '../../web/index.js';

const hlo = await load();
const folder = mkdtempSync(join(tmpdir(), 'hlo-wasm-random-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const numbersOf = (array) =>
  [array.toNested()].flat(Infinity).flatMap((x) => (Object(x) === x ? [x.re, x.im] : [Number(x)]));

for (const { name, class: kind, bits, bytes } of hlo.types.filter(({ bytes }) => bytes > 0))
  test(`${name}: in its range, by its seed`, () => {
    const [a, again, b] = [7, 7, 8].map((seed) =>
      randomArray(hlo, hlo.shape(`${name}[3,500]`), seed),
    );
    assert.equal(a.xla.text, `${name}[3,500]`);
    const values = numbersOf(a);
    assert.deepEqual(values, numbersOf(again));
    assert.notDeepEqual(values, numbersOf(b));
    const half = 2 ** Math.min(bits - 1, 3);
    const [least, most] = {
      pred: [0, 1],
      signed: [-half, half - 1],
      unsigned: [0, 2 * half - 1],
      float: [name === 'f8e8m0fnu' ? 0 : -1, 1], // which has no negative numbers
      complex: [-1, 1],
    }[kind];
    assert.ok(values.every((x) => x >= least && x <= most));
    const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
    assert.ok(Math.abs(mean - (least + most) / 2) < 0.1 * (most - least), `mean ${mean}`);
    assert.ok(new Set(values).size > Math.min(2 ** bits, 8) / 4);
    assert.deepEqual(randomArray(hlo, hlo.shape(`${name}[2,0]`), 1).dims, [2, 0]);
    assert.ok(bytes > 0);
  });

test('takes no more memory than twice its own and a word for each element', async () => {
  for (const type of ['u8', 'f16', 'f32', 'c64']) {
    const fresh = await load();
    const shape = fresh.shape(`${type}[5000000]`);
    randomArray(fresh, shape, 1);
    // Philox makes words of 32 bits.
    assert.ok(
      fresh.memory.peak < 2.1 * shape.bytes + 4 * 5e6 + 1e6,
      `${type}: ${fresh.memory.peak}`,
    );
  }
});

test('what does not fit is said before anything is made', () => {
  assert.throws(() => checkMemory(hlo, 2 ** 33), { code: 'out of memory', message: /8\.59 GB/ });
  checkMemory(hlo, 2 ** 20);
  assert.throws(() => checkMemory(hlo, 2 ** 20, 2 ** 19), /nothing was run/);
  const command = fileURLToPath(new URL('../../web/cli.js', import.meta.url));
  for (const [shape, seed] of [
    ['f32[1024,1024,1024]', '1'],
    ['f32[300000,300000]', '2'],
    ['u8[3000000000]', '3'],
    ['s32[<=2000000000]', '4'],
  ]) {
    const file = join(folder, 'large.hlo');
    writeFileSync(file, `ENTRY e { p = ${shape} parameter(0) ROOT r = ${shape} add(p, p) }`);
    const { status, stderr } = spawnSync(process.execPath, [command, 'run', file, '--seed', seed], {
      encoding: 'utf8',
    });
    assert.equal(status, 1);
    assert.match(stderr, /needs \S+ GB of memory.*at most 4\.29 GB/);
  }
});
