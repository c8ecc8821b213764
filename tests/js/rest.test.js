// The engine's three files: what they may weigh, what must be done without the later ones, and what happens when one is
// needed and is there in every form, is another build's, or is missing. tests/browser/rest.test.js does the same in pages.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { HloError, load } from '../../web/index.js';
import { numpy } from '../../web/numpy/index.js';
import { sizes } from '../bench/size.js';

const KB = 1024;
const files = new URL('../../web/wasm/', import.meta.url);
const missing = new URL('missing/hlo-rest.wasm', files);
const without = { programs: new URL('missing/hlo-programs.wasm', files), rest: missing };
const fileOf = (name) => new URL(name, files);
const program = 'ENTRY e { p = f32[4,8] parameter(0)  ROOT r = f32[32] reshape(p) }';

test('what usual programs need is at most 250 KB, compressed, and what starts 175 KB', async () => {
  const measured = (await sizes()).filter(([name]) => name.endsWith('+ JS'));
  assert.equal(measured.length, 4);
  for (const [name, bytes] of measured) {
    const most = name.includes('programs') ? 250 : 175;
    assert.ok(bytes <= most * KB, `${name}: ${bytes} bytes`);
  }
});

test('the first file imports a function for each later one, and exports what the API has', () => {
  const module = new WebAssembly.Module(readFileSync(fileOf('hlo.wasm')));
  assert.deepEqual(
    WebAssembly.Module.imports(module).map(({ name, kind }) => [name, kind]),
    [
      ['programs', 'function'],
      ['rest', 'function'],
    ],
  );
  const names = WebAssembly.Module.exports(module).map(({ name }) => name);
  const others = ['memory', '__stack_pointer', '__indirect_function_table', '_initialize'];
  assert.deepEqual(
    names.filter((name) => !name.startsWith('hlo_api_') && !others.includes(name)),
    [],
  );
});

test('what has no placeholder is not called before its file is there', async () => {
  const { types } = await load();
  const seldom = types.filter(({ bytes }) => bytes > 0 && bytes < 8);
  assert.ok(seldom.length > 20);
  for (const { name, bytes } of [...seldom, { name: 'u64', bytes: 8 }]) {
    const hlo = await load();
    const x = hlo.array(new Uint8Array(4 * bytes).buffer, name); // zeros
    assert.deepEqual(
      new Uint8Array(hlo.max(x, x).toTypedArray().buffer),
      new Uint8Array(4 * bytes),
      name,
    );
    hlo.jit((a) => hlo.max(hlo.min(a, a), a))(x);
  }
});

// What a page does at first.
const first = {
  arrays: (hlo) => hlo.array([[1, 2]], 'f32').toNested(),
  elements: (hlo, x) => {
    for (const name of 'abs neg sqrt rsqrt exp log tanh logistic sin cos erf floor'.split(' '))
      hlo[name](x);
    for (const name of 'add sub mul div max min pow rem eq lt'.split(' ')) hlo[name](x, x);
    const i = hlo.convert(x, 's32');
    for (const name of 'add sub mul and or'.split(' ')) hlo[name](i, i);
    hlo.select(hlo.lt(x, 2), x, hlo.mul(x, x));
  },
  movement: (hlo, x) => {
    hlo.transpose(x, [1, 0]);
    hlo.reshape(x, [4]);
    hlo.slice(x, [0, 1], [2, 2]);
    hlo.concatenate([x, x], 1);
    hlo.broadcast(x, [3]);
  },
  products: (hlo, x) => hlo.dot(x, x),
  reductions: (hlo, x) => hlo.reduce(x, 0, 'add', [1]),
  jit: (hlo, x) =>
    hlo.jit((a, w, b) => hlo.max(hlo.add(hlo.dot(a, w), b, { broadcastDimensions: [1] }), 0))(
      x,
      x,
      hlo.array([1, 2], 'f32'),
    ),
};

// Arrays, eager operations, jit and what they lead to.
const common = {
  ...first,
  elements: (hlo, x) => {
    first.elements(hlo, x);
    const i = hlo.convert(x, 's32');
    for (const name of 'div rem max min xor'.split(' ')) hlo[name](i, i);
    for (const type of ['f16', 'bf16', 'f64', 's64', 'u8', 'pred']) hlo.convert(x, type);
  },
  movement: (hlo, x) => {
    first.movement(hlo, x);
    hlo.reverse(x, [0]);
    hlo.iota('f32', [4]);
    hlo.dynamicSlice(x, [0, 1], [1, 1]);
  },
  products: (hlo, x) => {
    first.products(hlo, x);
    const whole = hlo.convert(x, 's32');
    hlo.dot(whole, whole);
    const image = hlo.reshape(hlo.iota('f32', [64]), [1, 1, 8, 8]);
    const window = hlo.reshape(hlo.iota('f32', [9]), [1, 1, 3, 3]);
    hlo.conv(image, window, [1, 1], 'SAME');
  },
  reductions: (hlo, x) => {
    first.reductions(hlo, x);
    hlo.reduce(x, -Infinity, 'max', [0]);
    hlo.reduceWindow(x, 0, 'add', { windowDimensions: [2, 2] });
  },
  jit: (hlo, x) => {
    first.jit(hlo, x);
    const big = hlo.convert(hlo.reshape(hlo.iota('s32', [4096]), [64, 64]), 'f32');
    const softmax = hlo.jit((a) => {
      const e = hlo.exp(
        hlo.sub(a, hlo.reduce(a, -Infinity, 'max', [1]), { broadcastDimensions: [0] }),
      );
      return hlo.div(e, hlo.reduce(e, 0, 'add', [1]), { broadcastDimensions: [0] });
    });
    softmax(hlo.mul(big, 0.001));
    hlo.jit((a) => hlo.dot(a, big))(big);
  },
  builder: (hlo, x) => {
    const builder = hlo.builder('double');
    const at = builder.computation('main');
    const p = at.parameter('f32[2,2]');
    const module = builder.build(at, at.add('add', [p, p]));
    assert.deepEqual(module.compile().run([x])[0].toNested(), [
      [2, 4],
      [6, 8],
    ]);
  },
  numpy: (hlo, x) => {
    const np = numpy(hlo);
    np.sum(np.add(x, 1));
    np.mean(x);
  },
};

for (const [title, bodies, options] of [
  ['the first file alone does', first, without],
  ['the first two files do', common, { rest: missing }],
])
  for (const [name, body] of Object.entries(bodies))
    test(`${title} ${name}`, async () => {
      const hlo = await load(options);
      body(
        hlo,
        hlo.array(
          [
            [1, 2],
            [3, 4],
          ],
          'f32',
        ),
      );
    });

const builds = { simd: 'hlo', 'relaxed-simd': 'hlo-relaxed' };
for (const [build, name] of Object.entries(builds)) {
  test(`${build}: the later files in all forms`, async () => {
    if (!WebAssembly.validate(readFileSync(fileOf(`${name}.wasm`)))) return; // this Node is too old
    const formsOf = (file) => {
      const url = fileOf(`${name}-${file}.wasm`);
      const bytes = readFileSync(url);
      return {
        'by itself': undefined,
        URL: url,
        text: url.href,
        bytes,
        buffer: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
        module: new WebAssembly.Module(bytes),
        response: new Response(bytes, { headers: { 'content-type': 'application/wasm' } }),
        promise: Promise.resolve(new Response(bytes)),
      };
    };
    for (const file of ['programs', 'rest'])
      for (const [form, source] of Object.entries(formsOf(file))) {
        const hlo = await load(source === undefined ? { build } : { build, [file]: source });
        assert.equal(hlo.compile(program).module.computations[0].name, 'e', `${file}, ${form}`);
      }
    // Beside the first file, and found by what the first file says.
    assert.ok((await load({ wasm: fileOf(`${name}.wasm`) })).parse(program));
    assert.ok((await load({ wasm: readFileSync(fileOf(`${name}.wasm`)) })).parse(program));
  });
}

test("another build's later file is refused", async () => {
  const hlo = await load({ build: 'simd', rest: fileOf('hlo.wasm') });
  assert.throws(
    () => hlo.parse(program),
    (error) => error instanceof HloError && error.code === 'not loaded',
  );
  await assert.rejects(
    load({ build: 'simd', rest: new Response('<p>') }),
    /later file .* is not WebAssembly/,
  );
  await assert.rejects(load({ rest: new Uint8Array(8) }), /is not WebAssembly/);
  const other = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
  await assert.rejects(load({ wasm: other }), /is WebAssembly, but not this engine/);
});

test('without its third file the engine says so, and goes on', async () => {
  const hlo = await load({ rest: missing });
  const x = hlo.array([1, 2, 3], 'f32');
  const traced = hlo.jit((a) => hlo.add(hlo.lgamma(a), 1));
  const attempts = {
    parse: () => hlo.parse(program),
    map: () => hlo.simplifyMap('(d0) -> (d0)'),
    text: () => x.toString(),
    literal: () => hlo.array('f32[2] {1, 2}'),
    function: () => hlo.lgamma(x),
    sort: () => hlo.sort(x),
    shape: () => hlo.cholesky(hlo.reshape(hlo.iota('f32', [4]), [2, 2])),
    jit: () => traced(x),
  };
  for (const [name, attempt] of Object.entries(attempts)) {
    let inUse;
    const often = name === 'shape' ? 20 : 2000; // enough to leave the stack of 1 MB if it were not put back
    for (let i = 0; i < often; i++) {
      assert.throws(
        () => hlo.tidy(attempt),
        (error) =>
          error instanceof HloError &&
          error.code === 'not loaded' &&
          error.message.includes(missing.href),
        name,
      );
      if (i === 1) inUse = hlo.memory.inUse;
    }
    assert.equal(hlo.memory.inUse, inUse, `${name} leaves nothing`);
  }
  assert.deepEqual(hlo.add(x, x).toNested(), [2, 4, 6]);
});

test('it can be missing inside a custom call, and come while others wait', async () => {
  const hlo = await load({ rest: missing });
  const x = hlo.array([1, 2, 3], 'f32');
  hlo.registerCustomCall('asks', ([a]) => {
    assert.throws(() => a.toString(), { code: 'not loaded' });
    return hlo.add(a, a);
  });
  for (let i = 0; i < 1000; i++)
    assert.deepEqual(hlo.customCall('asks', [x], 'f32[3]').toNested(), [2, 4, 6]);
  hlo.registerCustomCall('fails', ([a]) => a.toString());
  assert.throws(() => hlo.customCall('fails', [x], 'f32[3]'), /later file/);

  const whole = await load();
  whole.registerCustomCall('asks', ([a]) => {
    assert.match(a.toString(), /1, 2, 3/);
    return whole.add(a, a);
  });
  const y = whole.array([1, 2, 3], 'f32');
  assert.deepEqual(whole.customCall('asks', [y], 'f32[3]').toNested(), [2, 4, 6]);
});

test('without its second file, too', async () => {
  const hlo = await load(without);
  const x = hlo.array([1, 2, 3], 'f32');
  const large = hlo.array(new Float32Array(4096));
  const traced = hlo.jit((a) => hlo.exp(hlo.add(a, a)));
  const attempts = { text: () => x.toString(), jit: () => traced(large), sort: () => hlo.sort(x) };
  for (const [name, attempt] of Object.entries(attempts))
    for (let i = 0; i < 3; i++)
      assert.throws(
        () => hlo.tidy(attempt),
        (error) => error.code === 'not loaded' && error.message.includes(without.programs.href),
        name,
      );
  assert.deepEqual(hlo.add(x, x).toNested(), [2, 4, 6]);
});
