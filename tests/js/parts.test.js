// The engine's three parts: what they weigh, what is done without which, and what happens when one is there in every form, is
// another build's, is missing, was left out, or is added. tests/browser/parts.test.js does the same in pages.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { HloError, load } from '../../web/index.js';
import { addedParts } from '../../web/parts.js';
import { sizes } from '../bench/size.js';
import { arrays, programs, usual } from './first_steps.js';
import { readArea, runProgram } from './jax_corpus.js';

const KB = 1024;
const files = new URL('../../web/wasm/', import.meta.url);
const fileOf = (name) => new URL(name, files);
const program = 'ENTRY e { p = f32[4,8] parameter(0)  ROOT r = f32[32] reshape(p) }';
const square = (hlo) => hlo.array([1, 2, 3, 4], { type: 'f32', shape: [2, 2] });

// A guard against accidents: the aims are 130 and 720 KB. What the files weigh is reported, and no code is bent for it. JavaScript is a
// third of it: NumPy, linear algebra, random numbers and neural networks come with what load() gives.
test('sizes', async (t) => {
  for (const [name, bytes] of await sizes()) {
    t.diagnostic(`${name}: ${(bytes / KB).toFixed(0)} KB`);
    if (name.endsWith('arrays + JS')) assert.ok(bytes < 300 * KB, name);
    if (name.endsWith('all parts + JS')) assert.ok(bytes < 1000 * KB, name);
  }
});

test('arrays import a function for each other part, and export what the headers declare', () => {
  const module = new WebAssembly.Module(readFileSync(fileOf('hlo.wasm')));
  assert.deepEqual(
    WebAssembly.Module.imports(module).map(({ name, kind }) => [name, kind]),
    addedParts.map((part) => [part, 'function']),
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

test('what has no placeholder is not called before its part is there', async () => {
  const { types } = await load();
  const rare = types.filter(({ bytes }) => bytes > 0 && bytes < 8);
  assert.ok(rare.length > 20);
  for (const { name, bytes } of [...rare, { name: 'u64', bytes: 8 }, { name: 's64', bytes: 8 }]) {
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

for (const [title, bodies, parts] of [
  ['arrays alone do', arrays, 'arrays'],
  ['programs do', programs, ['arrays', 'programs']],
])
  for (const [name, body] of Object.entries(bodies))
    test(`${title} ${name}`, async () => {
      const hlo = await load({ parts });
      body(hlo, square(hlo));
    });

const examples = new URL('../../demo/examples/', import.meta.url);
for (const name of ['classifier', 'training']) {
  const read = (file) => readFileSync(new URL(`${name}/${file}`, examples));
  const { program: file, inputs } = JSON.parse(read('manifest.json'));
  test(`programs do ${name}/${file}, which JAX wrote`, async () => {
    const results = async (options) => {
      const hlo = await load(options);
      const executable = hlo.compile(String(read(file)));
      await executable.ready;
      return executable
        .run(inputs.map((input) => hlo.fromNpy(read(input.file))))
        .map((result) => result.toNested());
    };
    assert.deepEqual(await results({ parts: 'programs' }), await results());
  });
}

for (const [area, names] of Object.entries(usual))
  test(`programs do ${names}`, async () => {
    const programs = new Map(readArea(area).map((program) => [program.name, program]));
    for (const name of names.split(' ')) {
      const hlo = await load({ parts: 'programs' });
      assert.equal(runProgram(hlo, programs.get(`${area}/${name}`)), undefined, name);
    }
  });

const builds = { simd: 'hlo', 'relaxed-simd': 'hlo-relaxed' };
for (const [build, name] of Object.entries(builds)) {
  test(`${build}: parts in all forms`, async () => {
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
    for (const file of addedParts)
      for (const [form, source] of Object.entries(formsOf(file))) {
        const hlo = await load(source === undefined ? { build } : { build, [file]: source });
        assert.equal(hlo.compile(program).module.computations[0].name, 'e', `${file}, ${form}`);
        assert.match(hlo.simplifyMap('(d0) -> (d0)'), /d0/, `${file}, ${form}`); // by extras
      }
    // Beside the first file, and found by what the first file says.
    assert.ok((await load({ wasm: fileOf(`${name}.wasm`) })).parse(program));
    assert.ok((await load({ wasm: readFileSync(fileOf(`${name}.wasm`)) })).parse(program));
  });
}

test("another build's part is refused", async () => {
  await assert.rejects(
    load({ build: 'simd', programs: fileOf('hlo.wasm') }),
    (error) => error instanceof HloError && /different builds/.test(error.message),
  );
  await assert.rejects(
    load({ build: 'simd', extras: new Response('<p>') }),
    /what load\(\{ extras \}\) was given is not WebAssembly/,
  );
  await assert.rejects(load({ extras: new Uint8Array(8) }), /is not WebAssembly/);
  const other = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
  await assert.rejects(load({ wasm: other }), /is WebAssembly, but not this engine/);
});

for (const file of ['wasm', ...addedParts])
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

/** Things that need extras. */
const needExtras = (hlo, x) => {
  const traced = hlo.jit((a) => hlo.add(hlo.lgamma(a), 1));
  return {
    bytes: () => hlo.parse(Uint8Array.from('ML\xefR', (c) => c.charCodeAt(0))),
    map: () => hlo.simplifyMap('(d0) -> (d0)'),
    function: () => hlo.lgamma(x),
    sort: () => hlo.sort(x),
    shape: () => hlo.cholesky(hlo.reshape(hlo.iota('f32', [4]), [2, 2])),
    jit: () => traced(x),
  };
};
const isAbsent = (part) => (error) =>
  error instanceof HloError &&
  error.code === 'not loaded' &&
  error.message.includes(`"${part}"`) &&
  error.message.includes(`hlo.add('${part}')`);

test('what is absent is an error that says how to add it, and what failed works when it is added', async () => {
  const hlo = await load({ parts: ['arrays', 'programs'] });
  assert.deepEqual(hlo.parts, ['arrays', 'programs']);
  const x = hlo.array([1, 2, 3], 'f32');
  const attempts = needExtras(hlo, x);
  for (const [name, attempt] of Object.entries(attempts)) {
    let inUse;
    const often = name === 'shape' ? 20 : 2000; // enough to leave the stack of 1 MB if it were not put back
    for (let i = 0; i < often; i++) {
      assert.throws(() => hlo.tidy(attempt), isAbsent('extras'), name);
      if (i === 1) inUse = hlo.memory.inUse;
    }
    assert.equal(hlo.memory.inUse, inUse, `${name} leaves nothing`);
  }
  assert.deepEqual(hlo.add(x, x).toNested(), [2, 4, 6]);
  await hlo.add('extras');
  assert.deepEqual(hlo.parts, ['arrays', 'programs', 'extras']);
  for (const [name, attempt] of Object.entries(attempts))
    if (name === 'bytes') assert.throws(attempt, { code: 'parse error' });
    else attempt();
  assert.deepEqual(hlo.add(x, x).toNested(), [2, 4, 6]);
});

test('parts are added once, in any order, from where load was told they are', async () => {
  for (const order of [addedParts, [...addedParts].reverse()]) {
    const hlo = await load({ parts: 'arrays', build: 'simd', extras: fileOf('hlo-extras.wasm') });
    const x = hlo.array(new Float32Array(4096).fill(2));
    const traced = hlo.jit((a) => hlo.exp(hlo.add(a, a)));
    const before = traced(x).toTypedArray();
    assert.throws(() => hlo.parse(program), isAbsent('programs'));
    for (const part of order) await hlo.add(part);
    await Promise.all([hlo.add('programs'), hlo.add(['extras', 'programs']), hlo.add('arrays')]);
    assert.deepEqual(traced(x).toTypedArray(), before);
    assert.ok(hlo.parse(program).toString());
    for (const body of Object.values(programs)) body(hlo, square(hlo));
    assert.deepEqual(hlo.sort(hlo.array([3, 1, 2], 'f32')).toNested(), [1, 2, 3]);
    assert.match(hlo.simplifyMap('(d0) -> (d0)'), /d0/);
  }
});

test('an unknown part is refused, and one that could not be had may be had later', async (t) => {
  for (const parts of ['rest', ['arrays', 'text'], 3, null, [null]])
    await assert.rejects(
      load({ parts }),
      (error) =>
        error instanceof HloError && /the parts are arrays, programs, extras/.test(error.message),
    );
  const folder = mkdtempSync(join(tmpdir(), 'hlo-parts-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const extras = pathToFileURL(join(folder, 'extras.wasm'));
  const hlo = await load({ parts: 'arrays', build: 'simd', extras });
  await assert.rejects(
    hlo.add('rest'),
    /there is no part "rest": the parts are arrays, programs, extras/,
  );
  await assert.rejects(hlo.add('extras'), /cannot load file:/);
  writeFileSync(extras, '<p>');
  await assert.rejects(hlo.add('extras'), /is not WebAssembly/);
  assert.deepEqual(hlo.parts, ['arrays']);
  writeFileSync(extras, readFileSync(fileOf('hlo-extras.wasm')));
  await hlo.add('extras');
  assert.deepEqual(hlo.parts, ['arrays', 'extras']);
});

test('threads get what is added', async () => {
  const hlo = await load({ parts: 'arrays', threads: 2 });
  await hlo.add(['programs', 'extras']);
  const n = 1 << 20;
  const x = hlo.array(Float32Array.from({ length: n }, (_, i) => (i % 1000) / 500));
  const f = hlo.jit((a) => hlo.reduce(hlo.lgamma(hlo.add(a, 1)), 0, 'add', [0]));
  const whole = await load();
  const g = whole.jit((a) => whole.reduce(whole.lgamma(whole.add(a, 1)), 0, 'add', [0]));
  const expected = g(whole.array(x.toTypedArray())).toNested();
  assert.ok(Math.abs(f(x).toNested() - expected) <= 1e-4 * Math.abs(expected));
  hlo.dispose();
});

test('it can be absent inside a custom call', async () => {
  const hlo = await load({ parts: 'programs' });
  const x = hlo.array([1, 2, 3], 'f32');
  hlo.registerCustomCall('asks', ([a]) => {
    assert.throws(() => hlo.lgamma(a), isAbsent('extras'));
    return hlo.add(a, a);
  });
  for (let i = 0; i < 1000; i++)
    assert.deepEqual(hlo.customCall('asks', [x], 'f32[3]').toNested(), [2, 4, 6]);
  hlo.registerCustomCall('fails', ([a]) => hlo.lgamma(a));
  assert.throws(() => hlo.customCall('fails', [x], 'f32[3]'), /not loaded/);
});

test('with extras and without programs nothing traps, whatever the type', async () => {
  const hlo = await load({ parts: 'extras' });
  const calls = {
    sort: 1,
    lgamma: 1,
    cbrt: 1,
    sin: 1,
    sign: 1,
    popcnt: 1,
    add: 2,
    mul: 2,
    max: 2,
    pow: 2,
    eq: 2,
  };
  const counts = { done: 0, refused: 0 };
  for (const { name: type, bytes } of hlo.types)
    for (const [name, count] of Object.entries(calls))
      try {
        const x = hlo.array(new Uint8Array(4 * Math.max(bytes, 1)).buffer, type);
        hlo[name](...Array(count).fill(x));
        counts.done++;
      } catch (error) {
        assert.ok(error instanceof HloError, `${name} of ${type}: ${error}`);
        counts.refused++;
      }
  assert.ok(counts.done > 100 && counts.refused > 0, JSON.stringify(counts));
});
