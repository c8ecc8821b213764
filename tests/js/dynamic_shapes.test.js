// Programs that leave sizes of their arguments open, given them by parse(), compile() and `hlo run`; and bounded sizes.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { load } from '../../web/index.js';
import { runCommand } from './command.js';

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
    assert.equal(result.xla.text, 'f32[3]');
    close(result.toTypedArray(), [0.0317525, 0.2346208, 1.7336267]);
  }
  assert.equal(hlo.parse(text, { shapes: ['f32[5,7]'] }).computations.at(-1).result.text, 'f32[7]');
});

test('what is wrong with the shapes is said', () => {
  assert.throws(() => hlo.parse(text), /argument 0, %arg0, has the type f32\[\?,\?\]/);
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
  const run = (...args) => runCommand('run', path, ...args);
  const { stdout, stderr, status } = run('--input', input);
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^f32\[4\]\n\[0.75, 0.75, 0.75, 0.75\]/);
  const open = run('--seed', '1');
  assert.equal(open.status, 2);
  assert.match(open.stderr, /sizes open, which follow from its 1 inputs, got 0/);
});

test('results have the sizes that came out', () => {
  const executable = hlo.compile(`HloModule m
    ENTRY main {
      a = f32[<=5] parameter(0)
      n = s32[] parameter(1)
      b = f32[<=5] set-dimension-size(a, n), dimensions={0}
      c = f32[<=10] concatenate(a, b), dimensions={0}
      ROOT t = (f32[<=5], f32[<=10], s32[]) tuple(b, c, n)
    }`);
  assert.equal(executable.parameters[0].text, 'f32[<=5]');
  const a = hlo.array([1, 2, 3], 'f32');
  for (const n of [0, 2, 3]) {
    const [b, c, size] = executable.run([a, hlo.array(n, 's32')]);
    assert.deepEqual([...b.toTypedArray()], [1, 2, 3].slice(0, n));
    assert.equal(b.xla.text, `f32[${n}]`);
    assert.equal(c.xla.text, `f32[${3 + n}]`);
    assert.equal(c.bound?.text, 'f32[<=10]');
    assert.equal(size.bound, null);
    const again = hlo.add(c, c); // an array like any other
    assert.equal(again.xla.text, c.xla.text);
  }
  assert.throws(() => executable.run([hlo.array(new Float32Array(6)), hlo.array(1, 's32')]), {
    message: /argument 0 is f32\[6\], but the program takes f32\[<=5\]/,
  });
  assert.throws(() => executable.run([a, hlo.array(6, 's32')]), {
    name: 'RunError',
    message: /%b \(set-dimension-size\): the size 6 of dimension 0 is not between 0 and its bound/,
  });
});

test('sizes stay with values of which the program states none', () => {
  const body = (x) => `y = s32[4] add(${x}, ${x})
      z = s32[4] multiply(y, ${x})
      w = s32[4] multiply(y, y)
      v = s32[4] subtract(z, w)
      ROOT t = (s32[4], s32[4], s32[4], s32[4]) tuple(y, z, w, v)`;
  const text = (called) => `HloModule m
    ${called ? `f {\n x = s32[4] parameter(0)\n ${body('x')} }` : ''}
    ENTRY main {
      a = s32[4] parameter(0)
      n = s32[] parameter(1)
      b = s32[<=4] set-dimension-size(a, n), dimensions={0}
      ${called ? 'ROOT r = (s32[4], s32[4], s32[4], s32[4]) call(b), to_apply=f' : body('b')}
    }`;
  for (const called of [false, true])
    for (const options of [{ optimize: false }, {}, { reference: true }]) {
      const results = hlo
        .compile(text(called), options)
        .run([hlo.array([1, 2, 3, 4], 's32'), hlo.array(2, 's32')]);
      const want = [
        [2, 4],
        [2, 8],
        [4, 16],
        [-2, -8],
      ];
      assert.deepEqual(
        results.map((x) => [...x.toTypedArray()]),
        want,
      );
    }
});

test('infeed and outfeed carry sizes', () => {
  const executable = hlo.compile(`HloModule m
    ENTRY main {
      t = token[] after-all()
      i = ((f32[<=5]), token[]) infeed(t)
      u = (f32[<=5]) get-tuple-element(i), index=0
      x = f32[<=5] get-tuple-element(u), index=0
      y = f32[<=5] negate(x)
      v = (f32[<=5]) tuple(y)
      o = token[] outfeed(v, t), outfeed_shape=(f32[<=5])
      ROOT n = s32[] get-dimension-size(y), dimensions={0}
    }`);
  const seen = [];
  const [n] = executable.run([], {
    infeed: [[hlo.array([1, 2], 'f32')]],
    onOutfeed: (arrays) => seen.push(...arrays.map(String)),
  });
  assert.equal(n.toNested(), 2);
  assert.deepEqual(seen, ['f32[2] {-1, -2}']);
});

test('hlo run takes arrays smaller than a bound, and writes what came out', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hlo-bounds-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const [program, input, output] = ['p.hlo', 'x.npy', 'y.npy'].map((name) => join(folder, name));
  writeFileSync(
    program,
    'HloModule m\nENTRY main {\n  a = f32[<=5] parameter(0)\n  ROOT r = f32[<=5] reverse(a), dimensions={0}\n}\n',
  );
  writeFileSync(input, hlo.toNpy(hlo.array([1, 2, 3], 'f32')));
  const { stderr, status } = runCommand('run', program, '--input', input, '--output', output);
  assert.equal(status, 0, stderr);
  assert.equal(String(hlo.fromNpy(new Uint8Array(readFileSync(output)))), 'f32[3] {3, 2, 1}');
});

test('sizes set by eager operations and inside of jit', () => {
  const x = hlo.array([1, 2, 3, 4, 5, 6], 'f32');
  const y = hlo.setDimensionSize(x, 4, 0);
  assert.equal(String(y), 'f32[4] {1, 2, 3, 4}');
  assert.equal(y.bound?.text, 'f32[<=6]');
  const z = hlo.dynamicReshape(y, [2, 2], [3, 2], [true, false]);
  assert.equal(String(z), 'f32[2,2] { { 1, 2 }, { 3, 4 } }');
  const total = hlo.jit((a, n) => hlo.reduce(hlo.setDimensionSize(a, n, 0), 0, 'add'));
  for (const n of [0, 3, 6])
    assert.equal(total(x, hlo.array(n, 's32')).toNested(), (n * (n + 1)) / 2);
});
