// The engine's four files: what they may weigh, what must be done without the later ones, and what happens when one is
// there in every form, is another build's, is missing, or was left out. tests/browser/rest.test.js does the same in pages.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { HloError, load } from '../../web/index.js';
import { laterFiles } from '../../web/rest.js';
import { sizes } from '../bench/size.js';
import { common, first, usual } from './first_steps.js';
import { readArea, runProgram } from './jax_corpus.js';

const KB = 1024;
const files = new URL('../../web/wasm/', import.meta.url);
const without = Object.fromEntries(laterFiles.map((name) => [name, null]));
const fileOf = (name) => new URL(name, files);
const program = 'ENTRY e { p = f32[4,8] parameter(0)  ROOT r = f32[32] reshape(p) }';

// A guard against accidents, with room for growth: what the files weigh is reported by `make bench`, and no code is bent for it.
test('what starts is at most 150 KB, compressed, what jit needs 280, and what programs of text need 350', async () => {
  const measured = (await sizes()).filter(([name]) => name.endsWith('+ JS'));
  assert.equal(measured.length, 6);
  for (const [name, bytes] of measured) {
    const most = name.includes('text') ? 350 : name.includes('programs') ? 280 : 150;
    assert.ok(bytes <= most * KB, `${name}: ${bytes} bytes`);
  }
});

test('the first file imports a function for each later one, and exports what the headers declare', () => {
  const module = new WebAssembly.Module(readFileSync(fileOf('hlo.wasm')));
  assert.deepEqual(
    WebAssembly.Module.imports(module).map(({ name, kind }) => [name, kind]),
    [
      ['programs', 'function'],
      ['text', 'function'],
      ['rest', 'function'],
    ],
  );
  const names = WebAssembly.Module.exports(module).map(({ name }) => name);
  const declared = ['include/hlo.h', 'wasm/threads.h'].flatMap((header) => [
    ...readFileSync(new URL(`../../${header}`, import.meta.url), 'utf8').matchAll(
      /^HLO_API [^;()]*?(\w+)\(/gm,
    ),
  ]);
  const others = ['memory', '__stack_pointer', '__indirect_function_table', '_initialize'];
  assert.deepEqual(
    names.filter((name) => !others.includes(name)).sort(),
    declared.map(([, name]) => name).sort(),
  );
});

test('what has no placeholder is not called before its file is there', async () => {
  const { types } = await load();
  const seldom = types.filter(({ bytes }) => bytes > 0 && bytes < 8);
  assert.ok(seldom.length > 20);
  for (const { name, bytes } of [...seldom, { name: 'u64', bytes: 8 }, { name: 's64', bytes: 8 }]) {
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

for (const [title, bodies, options] of [
  ['the first file alone does', first, without],
  ['the first two files do', common, { text: without.text, rest: without.rest }],
])
  for (const [name, body] of Object.entries(bodies))
    test(`${title} ${name}`, async () => {
      const hlo = await load(options);
      body(hlo, hlo.array([1, 2, 3, 4], { type: 'f32', shape: [2, 2] }));
    });

const examples = new URL('../../demo/examples/', import.meta.url);
for (const name of ['classifier', 'training']) {
  const read = (file) => readFileSync(new URL(`${name}/${file}`, examples));
  const { program: file, inputs } = JSON.parse(read('manifest.json'));
  test(`the first three files do ${name}/${file}, which JAX wrote`, async () => {
    const results = async (options) => {
      const hlo = await load(options);
      const executable = hlo.compile(String(read(file)));
      await executable.ready;
      return executable
        .run(inputs.map((input) => hlo.fromNpy(read(input.file))))
        .map((result) => result.toNested());
    };
    assert.deepEqual(await results({ rest: without.rest }), await results());
  });
}

for (const [area, names] of Object.entries(usual))
  test(`the first three files do ${names}`, async () => {
    const programs = new Map(readArea(area).map((program) => [program.name, program]));
    for (const name of names.split(' ')) {
      const hlo = await load({ rest: without.rest });
      assert.equal(runProgram(hlo, programs.get(`${area}/${name}`)), undefined, name);
    }
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
    for (const file of laterFiles)
      for (const [form, source] of Object.entries(formsOf(file))) {
        const hlo = await load(source === undefined ? { build } : { build, [file]: source });
        assert.equal(hlo.compile(program).module.computations[0].name, 'e', `${file}, ${form}`);
        assert.match(hlo.simplifyMap('(d0) -> (d0)'), /d0/, `${file}, ${form}`); // by the last file
      }
    // Beside the first file, and found by what the first file says.
    assert.ok((await load({ wasm: fileOf(`${name}.wasm`) })).parse(program));
    assert.ok((await load({ wasm: readFileSync(fileOf(`${name}.wasm`)) })).parse(program));
  });
}

test("another build's later file is refused", async () => {
  await assert.rejects(
    load({ build: 'simd', text: fileOf('hlo.wasm') }),
    (error) => error instanceof HloError && /different builds/.test(error.message),
  );
  await assert.rejects(
    load({ build: 'simd', rest: new Response('<p>') }),
    /what load\(\{ rest \}\) was given is not WebAssembly/,
  );
  await assert.rejects(load({ rest: new Uint8Array(8) }), /is not WebAssembly/);
  const other = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
  await assert.rejects(load({ wasm: other }), /is WebAssembly, but not this engine/);
});

for (const file of ['wasm', ...laterFiles])
  test(`a missing ${file} fails the load, and is named`, async () => {
    const url = new URL(`missing/hlo-${file}.wasm`, files);
    await assert.rejects(
      load({ [file]: url }),
      (error) =>
        error instanceof HloError &&
        error.code === 'not loaded' &&
        error.message.includes(url.href),
    );
  });

test('without its last file the engine says so, and goes on', async () => {
  const hlo = await load({ rest: null });
  const x = hlo.array([1, 2, 3], 'f32');
  const traced = hlo.jit((a) => hlo.add(hlo.lgamma(a), 1));
  const attempts = {
    bytes: () => hlo.parse(Uint8Array.from('ML\xefR', (c) => c.charCodeAt(0))),
    print: () => hlo.parse(program).toString(),
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
          error.message.includes('load({ rest: null })'),
        name,
      );
      if (i === 1) inUse = hlo.memory.inUse;
    }
    assert.equal(hlo.memory.inUse, inUse, `${name} leaves nothing`);
  }
  assert.deepEqual(hlo.add(x, x).toNested(), [2, 4, 6]);
});

test('it can be missing inside a custom call', async () => {
  const hlo = await load({ rest: null });
  const x = hlo.array([1, 2, 3], 'f32');
  hlo.registerCustomCall('asks', ([a]) => {
    assert.throws(() => a.toString(), { code: 'not loaded' });
    return hlo.add(a, a);
  });
  for (let i = 0; i < 1000; i++)
    assert.deepEqual(hlo.customCall('asks', [x], 'f32[3]').toNested(), [2, 4, 6]);
  hlo.registerCustomCall('fails', ([a]) => a.toString());
  assert.throws(() => hlo.customCall('fails', [x], 'f32[3]'), /left out/);

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
        (error) =>
          error.code === 'not loaded' && /load\(\{ (programs|rest): null \}\)/.test(error.message),
        name,
      );
  assert.deepEqual(hlo.add(x, x).toNested(), [2, 4, 6]);
});
