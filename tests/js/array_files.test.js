// .npz and .safetensors files: what NumPy and the safetensors library wrote, round trips, broken files.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { load, ParseError } from '../../web/index.js';

const hlo = await load();
const root = fileURLToPath(new URL('../..', import.meta.url));
const fixture = (/** @type {string} */ name) =>
  readFileSync(join(root, 'tests/fixtures/array_files', name));
const folder = mkdtempSync(join(tmpdir(), 'hlo-wasm-files-'));
after(() => rmSync(folder, { recursive: true }));

const expected = {
  weights: 'f32[2,3] {{0, 1.5, -2}, {3, 4, 5}}',
  counts: 's64[4] {1, 2, 3, 4}',
  flag: 'pred[] true',
};
const texts = (/** @type {Record<string, any>} */ arrays) =>
  Object.fromEntries(
    Object.entries(arrays).map(([name, array]) => [
      name,
      String(array).replace(/\s+/g, ' ').replaceAll('{ ', '{').replaceAll(' }', '}'),
    ]),
  );

test('reads what NumPy wrote, stored and compressed', async () => {
  for (const name of ['stored.npz', 'compressed.npz'])
    assert.deepEqual(texts(await hlo.fromNpz(fixture(name))), expected, name);
});

test('reads what the safetensors library wrote', () => {
  const arrays = hlo.fromSafetensors(fixture('tensors.safetensors'));
  const { half, ...rest } = arrays;
  assert.deepEqual(texts(rest), texts(hlo.fromSafetensors(hlo.toSafetensors(rest))));
  assert.equal(half.xla.text, 'bf16[3]');
  assert.deepEqual([...half.toNested()], [1, -0.5, 3]);
  assert.deepEqual(texts(rest), expected);
});

test('round trips', async () => {
  const arrays = {
    a: hlo.iota('f32', [2, 0]),
    'b/ü': hlo.array([1, 2], 'f8e4m3fn'),
    c: hlo.array(7, 's32'),
  };
  assert.deepEqual(texts(hlo.fromSafetensors(hlo.toSafetensors(arrays))), texts(arrays));
  const { a, c } = arrays;
  const npz = hlo.toNpz({ a, 'b/ü': c });
  assert.deepEqual(texts(await hlo.fromNpz(npz)), texts({ a, 'b/ü': c }));
  assert.throws(() => hlo.toNpz(arrays), ParseError);
});

test('broken files', async () => {
  const npz = fixture('compressed.npz');
  const tensors = fixture('tensors.safetensors');
  const cuts = Array.from({ length: 40 }, (_, i) => i / 40);
  for (const cut of cuts) {
    const part = npz.subarray(0, Math.floor(npz.length * cut));
    await assert.rejects(hlo.fromNpz(part), ParseError);
    const short = tensors.subarray(0, Math.floor(tensors.length * cut));
    assert.throws(() => hlo.fromSafetensors(short), ParseError);
  }
  for (let i = 0; i < npz.length; i += 7) {
    const changed = Uint8Array.from(npz);
    changed[i] ^= 0x55;
    await hlo
      .fromNpz(changed)
      .catch((error) => assert.ok(error instanceof ParseError, `${i}: ${error}`));
  }
  for (let i = 0; i < tensors.length; i++) {
    const changed = Uint8Array.from(tensors);
    changed[i] ^= 0x55;
    try {
      hlo.fromSafetensors(changed);
    } catch (error) {
      assert.ok(error instanceof ParseError, `${i}: ${error}`);
    }
  }
});

test('hlo run takes and gives them', async () => {
  const program = join(folder, 'two.hlo');
  writeFileSync(
    program,
    'HloModule two\nENTRY main {\n a = f32[2] parameter(0)\n b = f32[2] parameter(1)\n' +
      ' s = f32[2] add(a, b)\n d = f32[2] subtract(a, b)\n ROOT t = (f32[2], f32[2]) tuple(s, d)\n}\n',
  );
  const arrays = { a: hlo.array([3, 4], 'f32'), b: hlo.array([1, 2], 'f32') };
  const want = { result_0: 'f32[2] {4, 6}', result_1: 'f32[2] {2, 2}' };
  for (const [kind, write, read] of [
    ['npz', hlo.toNpz(arrays), (/** @type {any} */ bytes) => hlo.fromNpz(bytes)],
    [
      'safetensors',
      hlo.toSafetensors(arrays),
      (/** @type {any} */ bytes) => hlo.fromSafetensors(bytes),
    ],
  ]) {
    const [from, to] = [join(folder, `in.${kind}`), join(folder, `out.${kind}`)];
    writeFileSync(from, /** @type {any} */ (write));
    const args = ['web/cli.js', 'run', program, '--input', from, '--output', to];
    execFileSync(process.execPath, args, { cwd: root });
    assert.deepEqual(texts(await /** @type {any} */ (read)(readFileSync(to))), want);
  }
});
