// The hlo command as a user types it.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { splitModules } from '../../web/cli/check.js';
import { runCommand } from './command.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'hlo-cli-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const hlo = runCommand;
function file(name, text) {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const add = file(
  'add.hlo',
  'HloModule add\nENTRY main {\n  a = f32[2,2] parameter(0)\n  b = f32[2,2] parameter(1)\n  ROOT c = f32[2,2] add(a, b)\n}\n',
);

test('help and wrong use', () => {
  assert.equal(hlo('--help').status, 0);
  assert.match(hlo('--help').stdout, /run .*\n.*check/);
  for (const command of ['run', 'check', 'print', 'indexing', 'map', 'demo'])
    assert.match(hlo(command, '--help').stdout, new RegExp(`hlo ${command}`));
  assert.equal(hlo('help', 'run').stdout, hlo('run', '--help').stdout);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  assert.equal(hlo('--version').stdout, `${version}\n`);
  for (const args of [
    [],
    ['nonsense'],
    ['help', 'nonsense'],
    ['run'],
    ['run', add],
    ['run', add, '--frobnicate'],
    ['run', add, '--seed', 'x'],
    ['run', add, '--seed', '1', '--output', 'y.csv'],
    ['print', add, '--as', 'x'],
    ['print', add, '--as', 'dot', '--cost'],
    ['check'],
    ['demo', '--port', 'x'],
  ])
    assert.equal(hlo(...args).status, 2, args.join(' '));
});

test('run: random inputs, .npy in and out, timing', () => {
  const out = join(folder, 'out.npy');
  const first = hlo('run', add, '--seed', '1');
  assert.equal(first.status, 0, first.stderr);
  assert.match(first.stdout, /^f32\[2,2\]\n\[\[/);
  assert.equal(hlo('run', add, '--seed', '1').stdout, first.stdout);
  assert.equal(hlo('run', add, '--seed', '1', '--reference').stdout, first.stdout);
  assert.equal(hlo('run', add, '--seed', '1', '--output', out).stdout, '');
  const twice = hlo('run', add, '--input', out, '--input', out, '--time');
  assert.equal(twice.status, 0, twice.stderr);
  assert.match(twice.stderr, /parse .* ms, compile .* ms, run .* ms/);
  assert.match(hlo('run', add, '--input', add, '--seed', '1').stderr, /not a \.npy file/);
  assert.equal(hlo('run', join(folder, 'missing.hlo')).status, 1);
});

test('run: tokens are given and shown', () => {
  const same = file(
    'token.hlo',
    'HloModule m\nENTRY e {\n  t = token[] parameter(0)\n  x = s32[] constant(7)\n  ROOT r = (token[], s32[]) tuple(t, x)\n}\n',
  );
  assert.equal(hlo('run', same, '--seed', '1').stdout, 'token[]\ns32[] 7\n');
});

test('run: replicas and partitions', () => {
  const gather = file(
    'gather.hlo',
    'HloModule m\nENTRY e {\n  x = f32[1] parameter(0)\n  r = u32[] replica-id()\n  c = f32[] convert(r)\n' +
      '  b = f32[1] broadcast(c), dimensions={}\n  s = f32[1] subtract(b, x)\n' +
      '  z = f32[1] add(s, x)\n  ROOT y = f32[2] all-gather(z), dimensions={0}\n}\n',
  );
  const out = join(folder, 'gathered.npy');
  const two = hlo('run', gather, '--replicas', '2', '--seed', '1');
  assert.equal(two.status, 0, two.stderr);
  assert.match(two.stdout, /^replica 0:\nf32\[2\]\n.*\nreplica 1:\nf32\[2\]\n.*\n$/);
  const grid = hlo('run', gather, '--replicas', '2', '--partitions', '2', '--seed', '1');
  assert.match(grid.stdout, /replica 1, partition 1:/);
  assert.equal(hlo('run', gather, '--replicas', '2', '--seed', '1', '--output', out).status, 0);
  const sums = file(
    'sums.hlo',
    'HloModule m\nadd {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT s = f32[] add(a, b)\n}\n' +
      'ENTRY e {\n  x = f32[2] parameter(0)\n  ROOT y = f32[2] all-reduce(x), to_apply=add\n}\n',
  );
  const [shared, own] = [
    hlo('run', sums, '--replicas', '2', '--input', out),
    hlo('run', sums, '--replicas', '2', '--input', out, '--input', out),
  ];
  assert.equal(shared.status, 0, shared.stderr);
  assert.equal(own.stdout, shared.stdout);
  assert.match(shared.stdout, /replica 0:\nf32\[2\]\n\[0, 2\]/);
  for (const args of [
    ['--replicas', '0'],
    ['--partitions', 'x'],
    ['--replicas', '3', '--input', out, '--input', out],
  ])
    assert.equal(hlo('run', sums, ...args).status, 2, args.join(' '));
});

test('run: errors name file, line and column', () => {
  const bad = file(
    'bad.hlo',
    'HloModule bad\nENTRY main {\n  a = f32[2] parameter(0)\n  ROOT b = f32[3] negate(a)\n}\n',
  );
  const { status, stderr } = hlo('run', bad, '--seed', '0');
  assert.equal(status, 1);
  assert.match(stderr, /bad\.hlo:4:\d+: .*f32\[3\]/s);
});

test('run: a program that leaves sizes open says what it takes', () => {
  const open = file(
    'open.mlir',
    'func.func @main(%a: tensor<?x2xf32>, %b: tensor<?x2xf32>) -> tensor<?x2xf32> {\n' +
      '  %0 = stablehlo.add %a, %b : tensor<?x2xf32>\n  return %0 : tensor<?x2xf32>\n}\n',
  );
  const { status, stderr } = hlo('run', open, '--seed', '0');
  assert.equal(status, 2);
  assert.match(
    stderr,
    /sizes open, which follow from its 2 inputs, got 0:\n {2}0: f32\[\?,2\]\n {2}1: /,
  );
});

test('print converts between the two texts', () => {
  const stablehlo = hlo('print', add, '--as', 'stablehlo');
  assert.match(stablehlo.stdout, /stablehlo\.add %\S+, %\S+ : tensor<2x2xf32>/);
  const back = hlo('print', file('add.mlir', stablehlo.stdout));
  assert.match(back.stdout, /ROOT .* = f32\[2,2\]\S* add\(/);
});

test('check: the corpus that must pass, and the one that must fail', () => {
  for (const [kind, want] of [
    ['pass', 0],
    ['fail', 1],
  ]) {
    const corpus = join(root, 'tests/fixtures/check', kind);
    const files = readdirSync(corpus).filter((name) => /\.(mlir|hlo)$/.test(name));
    assert.ok(files.length > 5);
    for (const name of files) {
      const { status, stdout, stderr } = hlo('check', join(corpus, name));
      assert.equal(status, want, `${kind}/${name}: ${stdout}${stderr}`);
      if (want === 1) assert.notEqual(stderr, '', `${name} says why`);
    }
  }
});

test('check: splits files, keeps positions, tells index and values', () => {
  assert.deepEqual(splitModules('a\n// -----\nb\n// -----\n// only a comment\n'), [
    'a\n',
    '\n\nb\n',
  ]);
  assert.equal(splitModules('a\n// -----\nb\n')[1].split('\n').indexOf('b'), 2);
  const wrong = file(
    'wrong.mlir',
    [
      'func.func @right() {',
      '  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>',
      '  check.expect_eq_const %0, dense<[1, 2]> : tensor<2xi32>',
      '  func.return',
      '}',
      '// -----',
      'func.func @wrong() {',
      '  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>',
      '  check.expect_eq_const %0, dense<[1, 3]> : tensor<2xi32>',
      '  func.return',
      '}',
      '',
    ].join('\n'),
  );
  const { status, stdout, stderr } = hlo('check', wrong);
  assert.equal(status, 1);
  assert.match(stderr, /wrong\.mlir:9:\d+: .*\[1\]: 2 and 3/s);
  assert.match(stdout, /1 failed/);
});

test('indexing and map print maps', () => {
  const dot = file(
    'dot.hlo',
    'HloModule d\nENTRY main {\n  a = f32[8,16] parameter(0)\n  b = f32[16,4] parameter(1)\n  t = f32[4,16] transpose(b), dimensions={1,0}\n  ROOT c = f32[8,4] dot(a, t), lhs_contracting_dims={1}, rhs_contracting_dims={1}\n}\n',
  );
  const domain = 'domain:\nd0 in [0, 7],\nd1 in [0, 3],\ns0 in [0, 15]\n';
  const maps = (second) =>
    `operand id = 0\n(d0, d1)[s0] -> (d0, s0),\n${domain}operand id = 1\n(d0, d1)[s0] -> (${second}),\n${domain}`;
  assert.equal(hlo('indexing', dot).stdout, maps('d1, s0'));
  assert.equal(hlo('indexing', dot, '--to-parameters').stdout, maps('s0, d1'));
  assert.match(hlo('indexing', dot, '--to-all').stdout, /^a:\n[^]*\nb:\n[^]*\nt:\n/);
  assert.match(
    hlo('indexing', dot, '--input-to-output', '1').stdout,
    /^output id = 0\n\(d0, d1\)\[s0\] -> \(s0, d0\)/,
  );
  const iota = file('iota.hlo', 'ENTRY e { ROOT i = s32[3] iota(), iota_dimension=0 }\n');
  assert.match(
    hlo('indexing', iota, '--to-parameters').stdout,
    /^i = s32\[3\] iota\(\) has no operands/,
  );
  const report = hlo(
    'indexing',
    dot,
    '--utilisation',
    '--coalescing',
    '--loops',
    's0,d1',
    '--tile',
    '4,2',
    '--symbolic-tile',
    '--traffic',
  ).stdout;
  assert.match(report, /^  utilisation: 128 of 128 elements \(100 %\), 512 reads$/m);
  assert.match(report, /^  coalesced; steps in memory along s0: 1; d1: 0$/m);
  assert.match(report, /^  tile: offsets \[d1 \* 2, 0\], sizes \[2, 16\], strides \[1, 1\]$/m);
  assert.match(report, /^  tile: offsets \[d1, 0\], sizes \[s1, 16\], strides \[1, 1\]$/m);
  assert.match(report, /^  as one fusion: 768 bytes read, 128 written \(4,096 loaded\)$/m);
  const refused = hlo('indexing', dot, '--tile', '4');
  assert.equal(refused.status, 1);
  assert.equal(refused.stdout, '');
  assert.equal(hlo('indexing', dot, '--tile', 'x').status, 2);
  assert.equal(hlo('indexing', dot, '--loops', 'd7').status, 1);
  assert.equal(hlo('indexing', dot, '--instruction', 'none').status, 1);
  assert.equal(hlo('indexing', dot, '--input-to-output', 'x').status, 2);
  const map = file('map.txt', '(d0) -> ((d0 * 8 + 3) / 8),\ndomain:\nd0 in [0, 9]\n');
  assert.equal(hlo('map', map).stdout, '(d0) -> (d0),\ndomain:\nd0 in [0, 9]\n');
  assert.match(
    hlo('map', file('bad.txt', '(d0) ->\n  (d1 +')).stderr,
    /bad\.txt:2:4: .*\n {4}\(d1 \+\n {5}\^/,
  );
});

const cli = join(root, 'web/cli.js');
const wide = file('wide.hlo', 'ENTRY e { ROOT i = f32[900,900] iota(), iota_dimension=0 }\n');
const endless = file(
  'endless.hlo',
  `c { i = s64[] parameter(0)  n = s64[] constant(100000000000)  ROOT t = pred[] compare(i, n), direction=LT }
b { i = s64[] parameter(0)  one = s64[] constant(1)  ROOT j = s64[] add(i, one) }
ENTRY e { z = s64[] constant(0)  ROOT w = s64[] while(z), condition=c, body=b }`,
);

test('programs come from standard input, results go where their reader goes', async () => {
  const printed = spawnSync(process.execPath, [cli, 'run', '-', '--seed', '1'], {
    input: readFileSync(add),
    encoding: 'utf8',
  });
  assert.equal(printed.stdout, hlo('run', add, '--seed', '1').stdout);
  // A reader that has gone is no error, and nothing to talk about.
  const many = file(
    'many.hlo',
    `ENTRY e { ${Array.from({ length: 400 }, (_, i) => `i${i} = f32[9,9,9] iota(), iota_dimension=0`).join('\n')}
ROOT t = (${Array(400).fill('f32[9,9,9]').join(', ')}) tuple(${Array.from({ length: 400 }, (_, i) => `i${i}`).join(', ')}) }`,
  );
  const child = spawn(process.execPath, [cli, 'run', many], { stdio: ['ignore', 'pipe', 'pipe'] });
  let complaints = '';
  child.stderr.on('data', (text) => (complaints += text));
  await once(child.stdout, 'data');
  child.stdout.destroy();
  assert.deepEqual([await once(child, 'close'), complaints], [[0, null], '']);
});

test('colour only for terminals, or when asked for', () => {
  const run = (env, ...args) =>
    spawnSync(process.execPath, [cli, ...args], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, ...env },
    });
  const plain = run({}, 'run', wide);
  assert.doesNotMatch(plain.stdout, /\x1b/);
  assert.match(plain.stdout, /^f32\[900,900\]\n\[\[ {2}0, {3}0, {3}0, …, {3}0, {3}0, {3}0\],\n/);
  const coloured = run({ FORCE_COLOR: '1' }, 'run', wide).stdout;
  assert.match(coloured, /^\x1b\[36mf32\[900,900\]\x1b\[0m\n/);
  assert.equal(coloured.replace(/\x1b\[\d+m/g, ''), plain.stdout);
  assert.doesNotMatch(run({ FORCE_COLOR: '1', NO_COLOR: '1' }, 'run', wide).stdout, /\x1b/);
  assert.match(
    run({ FORCE_COLOR: '1' }, 'run', 'none').stderr,
    /^\x1b\[31;1mhlo run:\x1b\[0m ENOENT/,
  );
  assert.match(run({}, 'run', 'none').stderr, /^hlo run: ENOENT/);
});

test('long runs say how far they are', async () => {
  const child = spawn(process.execPath, [cli, 'run', endless, '--progress'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  try {
    const [text] = await once(child.stderr, 'data');
    assert.match(String(text), /^running for [\d.]+ s, [\d.]+[KMB] steps\n/);
  } finally {
    child.kill();
  }
});

test('costs, rates and graphs', () => {
  const dot = file(
    'cost.hlo',
    'ENTRY e {\n  a = f32[8,16] parameter(0)\n  b = f32[16,4] parameter(1)\n  d = f32[8,4] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n  ROOT t = f32[8,4] tanh(d)\n}\n',
  );
  const cost = hlo('print', dot, '--cost').stdout;
  assert.match(cost, /^d dot +1,024 +0 +768 +128$/m);
  assert.match(cost, /^total +1,024 +32 +896 +256$/m);
  assert.match(hlo('print', endless, '--cost').stdout, /^w while +200,000,000,001 /m);
  const timed = hlo('run', dot, '--seed', '1', '--time', '--repeat', '3');
  assert.match(timed.stderr, /run [\d.]+ ms at best, [\d.]+ ms in the middle of 3/);
  assert.match(
    timed.stderr,
    /1,024 flops, 32 transcendentals, .*: [\d.]+ GFLOP\/s, [\d.]+ GB\/s\nmemory: /,
  );
  assert.match(hlo('print', dot, '--as', 'dot').stdout, /^digraph[^]*"e\/d" -> "e\/t";/);
  assert.equal(JSON.parse(hlo('print', dot, '--as', 'json').stdout).nodes.length, 4);
  assert.equal(hlo('print', dot, '--as', 'x').status, 2);
  assert.equal(hlo('run', dot, '--seed', '1', '--repeat', '0').status, 2);
});

test('--time counts the subnormal numbers that go in and out', () => {
  const halves = (type, value) =>
    file(
      `subnormal-${type}.hlo`,
      `ENTRY e {\n  a = ${type}[3] constant({${value}, 0, -1})\n  ROOT r = ${type}[3] multiply(a, a)\n}\n`,
    );
  const counted = (type, value) => hlo('run', halves(type, value), '--time').stderr;
  assert.match(counted('f32', '1e-20'), /^subnormal numbers: 0 in the inputs, 1 in the results;/m);
  assert.match(counted('bf16', '1e-20'), /, 1 in the results;/);
  assert.match(counted('f64', '1e-158'), /, 1 in the results;/);
  assert.match(counted('c64', '(0, 1e-20)'), /, 1 in the results;/);
  for (const value of ['1e-30', '1e-18', 'inf', 'nan', '-0'])
    assert.doesNotMatch(counted('f32', value), /subnormal/);
  assert.doesNotMatch(counted('f16', '1e-3'), /subnormal/);
});

test('the npm package names the command', () => {
  assert.equal(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).bin.hlo, 'web/cli.js');
});
