// Programs that leave sizes of their arguments open, given them by parse(), compile() and `hlo run`.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { load } from '../../web/index.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const path = join(root, 'tests/fixtures/stablehlo_text/unbounded/polymorphic_exported.mlir');
const text = readFileSync(path, 'utf8'); // softmax(2 * x) of each row, summed over the rows
const hlo = await load();

const close = (got, want) =>
  [...got].forEach((value, i) => assert.ok(Math.abs(value - want[i]) < 1e-5, `${got}`));

test('shapes as text, as shapes, as arrays', () => {
  const x = hlo.array([
    [1, 2, 3],
    [4, 5, 6],
  ]);
  for (const shape of ['f32[2,3]', hlo.shape('f32[2,3]'), x]) {
    const executable = hlo.compile(text, { shapes: [shape] });
    assert.deepEqual(
      executable.parameters.map((parameter) => parameter.text),
      ['f32[2,3]'],
    );
    const [result] = executable.run([x]);
    assert.equal(result.shape.text, 'f32[3]');
    close(result.toTypedArray(), [0.0317525, 0.2346208, 1.7336267]);
  }
  assert.equal(hlo.parse(text, { shapes: ['f32[5,7]'] }).computations.at(-1).result.text, 'f32[7]');
});

test('what is wrong with the shapes is said', () => {
  assert.throws(() => hlo.compile(text), /argument 0, %arg0, has the type f32\[\?,\?\]/);
  assert.throws(() => hlo.compile(text, { shapes: ['f32[2]'] }), /but the shape f32\[2\] is given/);
  assert.throws(() => hlo.compile(text, { shapes: ['nothing'] }), { name: 'ParseError' });
  assert.throws(
    () => hlo.compile(text, { shapes: ['f32[1,3]'] }),
    /do not match the symbolic shape constraint b >= 2/,
  );
});

test('hlo run takes the shapes of its inputs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hlo-dynamic-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const input = join(folder, 'x.npy');
  writeFileSync(input, hlo.toNpy(hlo.array(new Float32Array(12), { shape: [3, 4] })));
  const run = (...args) =>
    spawnSync(process.execPath, [join(root, 'web/cli.js'), 'run', path, ...args], {
      encoding: 'utf8',
    });
  const { stdout, stderr, status } = run('--input', input);
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^f32\[4\]\n\[0.75, 0.75, 0.75, 0.75\]/);
  assert.equal(run('--seed', '1').status, 1);
});
