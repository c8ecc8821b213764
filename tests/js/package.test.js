// The package as a user gets it: packed, installed into an empty project without network, imported by its name,
// type-checked against its declarations, and its command found. Expects `make all` to have run.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const project = mkdtempSync(join(tmpdir(), 'hlo-wasm-package-'));
const installed = join(project, 'node_modules', 'hlo-wasm');

/** Runs a program in a directory and gives what it printed. */
function run(program, args, cwd = project) {
  return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

before(() => {
  run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', project], root);
  const [packed] = readdirSync(project).filter((name) => name.endsWith('.tgz'));
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--silent', `./${packed}`]);
});

after(() => rmSync(project, { recursive: true, force: true }));

test('contains what it needs, and no more', () => {
  const files = readdirSync(installed, { recursive: true });
  for (const needed of [
    'web/bundle-index.js',
    'web/index.js',
    'web/cli.js',
    'web/wasm/hlo-worker.js',
    'web/wasm/hlo.wasm',
    'web/wasm/hlo-programs.wasm',
    'web/wasm/hlo-extras.wasm',
    'web/wasm/hlo-relaxed.wasm',
    'web/wasm/hlo-relaxed-programs.wasm',
    'web/wasm/hlo-relaxed-extras.wasm',
    'types/index.d.ts',
    'LICENSE',
    'README.md',
  ])
    assert.ok(files.includes(needed), `${needed} is missing`);
  assert.deepEqual(
    files.filter((name) => /^(src|wasm|tests|build|demo|docs)\b|\.o$|\.c$/.test(name)),
    [],
  );
  assert.deepEqual(
    readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.')),
    ['hlo-wasm'],
  );
  assert.equal(
    JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')).dependencies,
    undefined,
  );
});

test('runs a program in Node', () => {
  writeFileSync(
    join(project, 'program.js'),
    `import { load } from 'hlo-wasm';
     const hlo = await load();
     const x = hlo.array([[1, 2, 3], [4, 5, 6]], 'f32');
     const y = hlo.add(x, hlo.array([7, 8, 9], 'f32'), { broadcastDimensions: [1] });
     console.log(JSON.stringify(hlo.parse('ENTRY e { ROOT p = f32[] parameter(0) }') && y.toNested()));`,
  );
  assert.deepEqual(JSON.parse(run(process.execPath, ['program.js'])), [
    [8, 10, 12],
    [11, 13, 15],
  ]);
});

test('an error that nobody catches is not buried under the line of the bundle that threw it', () => {
  const code = `import { load } from 'hlo-wasm'; (await load()).array([1]).item(1, 2);`;
  assert.throws(
    () => run(process.execPath, ['--input-type=module', '--eval', code]),
    ({ stderr }) => stderr.length < 4000 && /f32\[1\] takes 1 indices, got 2/.test(stderr),
  );
});

test('is one package by all its names', () => {
  writeFileSync(
    join(project, 'names.js'),
    `import { load, HloArray, HloError } from 'hlo-wasm';
     import { numpy } from 'hlo-wasm/numpy';
     import { loadWorker } from 'hlo-wasm/worker';
     const np = numpy(await load());
     const far = await loadWorker();
     const error = await far.parse('nonsense').catch((error) => error);
     far.terminate();
     console.log(np.ones([2]) instanceof HloArray, error instanceof HloError, HloArray.name, error.name);`,
  );
  assert.equal(run(process.execPath, ['names.js']), 'true true HloArray UnsupportedError\n');
});

test('has its wasm files as subpaths', () => {
  const print = `for (const build of ['hlo', 'hlo-relaxed']) for (const file of ['', '-programs', '-extras']) console.log(import.meta.resolve('hlo-wasm/' + build + file + '.wasm'))`;
  const paths = run(process.execPath, ['--input-type=module', '--eval', print]).trim().split('\n');
  for (const path of paths) {
    // Not validated: this Node may lack relaxed SIMD.
    assert.deepEqual(
      [...readFileSync(fileURLToPath(path)).subarray(0, 4)],
      [0, 0x61, 0x73, 0x6d],
      path,
    );
  }
});

const tsc = join(root, 'node_modules', '.bin', 'tsc');
const strict =
  '--noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --skipLibCheck false --target es2022'.split(
    ' ',
  );

/** Checks a TypeScript file as a user's project would; gives the complaints. */
function complaints(name, source, ...options) {
  writeFileSync(join(project, name), source);
  try {
    return run(tsc, [...strict, '--types', '', ...options, name]);
  } catch (error) {
    return error.stdout;
  }
}

const resolutions = [
  ['--module', 'nodenext'],
  ['--module', 'node16'],
  ['--module', 'esnext', '--moduleResolution', 'bundler'],
  ['--module', 'preserve', '--moduleResolution', 'bundler'],
];
const used = `
import { load, bestBuild, HloArray, HloError, Instruction, ParseError } from 'hlo-wasm';
import type { ArrayOptions, CostReport, ElementType, Graph, Hlo, JitOptions, LoadOptions, Operations } from 'hlo-wasm';
import { numpy } from 'hlo-wasm/numpy';
import { loadWorker, WorkerArray } from 'hlo-wasm/worker';
const options: LoadOptions = { build: bestBuild() };
const hlo: Hlo & Operations = await load(options);
const x: HloArray = hlo.array([[1, 2], [3, 4]], 'f32');
const how: ArrayOptions = { type: 's64', shape: [2] };
hlo.array(new BigInt64Array(2), how).dispose();
hlo.array(new ArrayBuffer(8), { type: 'f32' }).dispose();
const y: HloArray = hlo.add(x, 1);
const jitOptions: JitOptions = { static: [1, 'name'] };
const step = hlo.jit((a: HloArray, n: number) => ({ y: hlo.mul(a, n) }), jitOptions);
const { y: z }: { y: HloArray } = step(y, 2);
const size: number = step.cacheSize;
step.dispose();
const program = hlo.parse('…');
const list: readonly Instruction[] = program.instructions();
const graph: Graph = program.graph();
const cost: CostReport = program.compile().cost;
const [out] = await program.compile().runAsync([z], { onProgress: ({ steps }) => void steps, signal: AbortSignal.timeout(5) });
const first: HloArray | undefined = out;
for (const row of x) void row;
try { void list; } catch (error) { if (error instanceof ParseError) void error.line; if (error instanceof HloError) void error.code; }
const np = numpy(hlo);
const total: HloArray = np.sum(z, 0);
const [u, s, vh]: [HloArray, HloArray, HloArray] = np.linalg.svd(z, { fullMatrices: false });
const upper: HloArray = np.linalg.qr(x, 'r');
const spectrum: HloArray = np.fft.rfft(x, { norm: 'ortho' });
np.concatenate([np.zeros(3, np.int32), np.std(x, { axis: 0, ddof: 1 })], { axis: 0 });
const type: ElementType = x.type;
hlo.array([1], { type: program.compile().parameters[0]!.type });
const giveUp: AbortSignal | undefined = undefined;
await program.compile().runAsync([z], { signal: giveUp });
const memory: number = hlo.memory.peak;
const far = await loadWorker();
const w: WorkerArray = await far.array(new Float32Array(4), { transfer: true });
const sum: WorkerArray = await far.add(w, 1);
const sumOfAll: HloArray = hlo.reduce(x, 0, 'add');
const [least, where] = hlo.reduce([x, hlo.iota('s32', [2, 2], 0)], [0, 0], (a, i, b, j) => [hlo.min(a, b), hlo.min(i, j)]);
const pair: [HloArray, HloArray] = hlo.topK(x, 1);
const counted: HloArray = hlo.while((i) => hlo.lt(i, 3), (i) => hlo.add(i, 1), hlo.array(0));
const [kept, added] = hlo.scan((a, carry) => [a, hlo.add(a, carry)], x, hlo.array([0, 0]));
const floats: Float32Array = x.toTypedArray();
const element: number = x.at('1, None, ::-1').set([0], x.greater(1)).item(0, -1);
const doubled: HloArray = hlo.jit((a, b) => hlo.add(a, b))(x, y);
void [sumOfAll, least.shape, where, pair, counted, kept, added, floats, element, doubled];
const product: WorkerArray = await (await sum.reshape(2, -1)).matmul([[1, 2], [3, 4]]);
const mean: HloArray = x.add(y).T.reshape([-1]).mean(0, { keepdims: true }).astype('float32');
const parts: HloArray[] = x.split(2, 1);
const [biggest] = await far.topK(await far.concatenate([w, sum], 0), 1);
const [there] = await (await far.compile('…')).run([sum]);
const bytes: Uint8Array = await far.toNpy(sum);
await far.jit((a: HloArray) => hlo.neg(a), { hlo })(w);
hlo.tidy(() => hlo.neg(x)).dispose();
{ using kept = hlo.compile('…', { optimize: false, format: 'hlo' }); void kept.parameters; }
hlo.dynamicSlice(hlo.pad(x, 0, { low: [1, 1] }), [0, 1], [1, 1]);
hlo.reduceWindow(x, 0, 'add', { windowDimensions: [2, 2], windowReversal: [true, false] });
hlo.build satisfies LoadOptions['build'];
void [u, s, vh, upper, spectrum, product, mean, parts, size, graph, cost, first, total, type, memory, biggest, there, bytes];
`;

for (const options of resolutions)
  test(`is typed, strictly, with ${options.join(' ')}`, () => {
    assert.equal(complaints('typed.ts', used, ...options), '');
    const wrong = `import { load } from 'hlo-wasm'; const hlo = await load(); hlo.noSuchMember;`;
    assert.match(complaints('wrong.ts', wrong, ...options), /^wrong\.ts.*noSuchMember/);
    for (const [name, call] of Object.entries({
      far1: 'noSuchMember()',
      far2: 'add(far.array([1]), 1)',
    })) {
      const lines = `import { loadWorker } from 'hlo-wasm/worker'; const far = await loadWorker(); far.${call};`;
      assert.match(
        complaints(`${name}.ts`, lines, ...options),
        /noSuchMember|Promise<WorkerArray>/,
      );
    }
    const typo = `import { load } from 'hlo-wasm'; (await load()).array([1], { dtype: 'f32' });`;
    assert.match(complaints('typo.ts', typo, ...options), /^typo\.ts.*dtype/);
  });

test('is typed for CommonJS, and without the types of pages', () => {
  const common = `export async function start() { const { load } = await import('hlo-wasm'); return load(); }`;
  assert.equal(complaints('common.cts', common, '--module', 'node16'), '');
  const node = ['--module', 'nodenext', '--lib', 'es2023', '--skipLibCheck', 'true'];
  const plain = `import { load } from 'hlo-wasm'; (await load()).array([1], 'f32').dispose();`;
  assert.equal(complaints('plain.ts', plain, ...node), '');
});

test('every subpath leads to files that are there, types first', () => {
  const { exports, bin, sideEffects } = JSON.parse(
    readFileSync(join(installed, 'package.json'), 'utf8'),
  );
  assert.equal(sideEffects, false);
  for (const target of [...Object.values(exports), ...Object.values(bin)]) {
    if (typeof target === 'object') assert.equal(Object.keys(target)[0], 'types');
    for (const path of typeof target === 'string' ? [target] : Object.values(target))
      assert.ok(existsSync(join(installed, path)), path);
  }
  // What declarations import is there, too.
  for (const name of readdirSync(join(installed, 'types'), { recursive: true })) {
    if (!name.endsWith('.d.ts')) continue;
    const path = join(installed, 'types', name);
    for (const [, from] of readFileSync(path, 'utf8').matchAll(/(?:from |import\()'(\.[^']+)'/g))
      assert.ok(existsSync(join(path, '..', from.replace(/\.js$/, '.d.ts'))), `${name}: ${from}`);
  }
});

test('importing has no effect, offline and anywhere', () => {
  const code = `const before = Object.keys(globalThis).join();
    globalThis.fetch = () => { throw new Error('asked the network'); };
    const [main, numpy] = [await import('hlo-wasm'), await import('hlo-wasm/numpy')];
    await import('hlo-wasm/worker');
    const hlo = await main.load();
    console.log(numpy.numpy(hlo).sum(hlo.array([1, 2])).item(), Object.keys(globalThis).join() === before);`;
  assert.equal(run(process.execPath, ['--input-type=module', '--eval', code]).trim(), '3 true');
});

test('CommonJS: import() everywhere, require() where Node has it for modules', () => {
  writeFileSync(
    join(project, 'common.cjs'),
    `import('hlo-wasm').then(async ({ load }) => console.log((await load()).array([2]).item()));`,
  );
  assert.equal(run(process.execPath, ['common.cjs']).trim(), '2');
  if (!process.features.require_module) return;
  writeFileSync(
    join(project, 'required.cjs'),
    `require('hlo-wasm').load().then((hlo) => console.log(hlo.array([2]).item()));`,
  );
  assert.equal(run(process.execPath, ['required.cjs']).trim(), '2');
});

test('HTML instead of the engine is an error that says so', () => {
  const code = `import { createServer } from 'node:http';
    import { load } from 'hlo-wasm';
    const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>')).listen(0);
    const url = 'http://localhost:' + server.address().port + '/hlo.wasm';
    const missing = new URL('/none', 'http://localhost:' + server.address().port);
    for (const wasm of [url, fetch(url), new TextEncoder().encode('<!doctype html>')])
      await load({ wasm }).then(() => console.log('loaded'), (error) => console.log(error.name + ': ' + error.message));
    server.close();`;
  const lines = run(process.execPath, ['--input-type=module', '--eval', code]).trim().split('\n');
  assert.equal(lines.length, 3);
  for (const line of lines) assert.match(line, /^HloError: .* is not WebAssembly/);
  assert.match(
    lines[0],
    /hlo\.wasm is not WebAssembly \(content type "text\/html"\).*load\(\{ wasm: url, programs: url, extras: url \}\)/,
  );
});

test('brings the hlo command', () => {
  writeFileSync(
    join(project, 'one.hlo'),
    'HloModule one\nENTRY main {\n  ROOT c = f32[] constant(2.5)\n}\n',
  );
  assert.match(run(join(project, 'node_modules', '.bin', 'hlo'), ['run', 'one.hlo']), /2\.5/);
});
