// Threads: the same bits as with one, over all op cases and over work large enough to be cut; what hinders them is said;
// they start and end without anything hanging. tests/browser/threads.test.js does the same in pages.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { availableParallelism } from 'node:os';
import { Hlo, load } from '../../web/index.js';
import { startEngine } from '../../web/start.js';
import { loadWorker } from '../../web/worker/index.js';
import { randomFusion } from './fusion_generator.js';
import { caseFiles, readCases } from './op_cases.js';

const build = 'simd';
const wasm = new URL('../../web/wasm/hlo.wasm', import.meta.url);
const skip = availableParallelism() < 2 && 'there is one processor';

/** An engine on two threads, if it is to, one that cuts all work, however little. */
async function loadTwo(which, cutsAll) {
  const engine = await startEngine({ build: which, threads: 2 });
  if (cutsAll) engine.call('hlo_api_threads_cut_all');
  const hlo = new Hlo(engine);
  hlo.settle = async () => {
    for (let i = 0; i < 2000 && !engine.call('hlo_api_threads_know_all'); i++)
      await new Promise((resolve) => setTimeout(resolve, 1));
    assert.ok(engine.call('hlo_api_threads_know_all'), 'the threads hear of functions');
  };
  return hlo;
}

/** Numbers that look random, the same each time. */
function numbers(count, Storage, seed = 1) {
  const out = new Storage(count);
  for (let i = 0; i < count; i++) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    out[i] = Storage.name.startsWith('Float') ? seed / 2 ** 31 - 1 : seed >>> 24;
  }
  return out;
}

/** The bits of the results, or what went wrong. */
async function outcome(hlo, program, inputs, options) {
  const kept = [];
  const keep = (object) => (kept.push(object), object);
  try {
    const arrays = inputs.map((input) => keep(hlo.array(...input)));
    const executable = keep(keep(hlo.parse(program)).compile(options));
    await executable.ready;
    await hlo.settle?.(); // its threads know the code then
    return executable.run(arrays).map((result) => {
      keep(result);
      const bits = createHash('sha1').update(new Uint8Array(result.toTypedArray().buffer));
      return `${result.xla.text} ${bits.digest('hex')}`;
    });
  } catch (error) {
    return error.message;
  } finally {
    for (const object of kept.reverse()) object.dispose();
  }
}

test('op cases give the same bits', { skip }, async () => {
  const one = await load({ build });
  const two = await loadTwo(build, true);
  assert.deepEqual(two.threads, { count: 2 });
  for (const file of caseFiles())
    for (const { name, program, inputs, error } of readCases(file)) {
      const arrays = inputs.map((text) => [text]);
      const want = await outcome(one, program, arrays);
      assert.equal(Array.isArray(want), error === undefined, `${name}: ${want}`);
      assert.deepEqual(await outcome(two, program, arrays), want, name);
    }
  two.dispose();
});

const add = 'add { x = TYPE[] parameter(0) y = TYPE[] parameter(1) ROOT r = TYPE[] add(x, y) }\n';

/** Programs whose work is cut, with their parameters' shapes. */
const programs = {};
for (const type of ['f32', 'f64', 's8', 'c64', 'bf16']) {
  for (const [m, n, k] of [
    [201, 103, 317],
    [1, 1030, 215],
    [3, 1030, 130],
    [1, 517, 1102],
    [2, 130, 2331],
    [1030, 1, 215],
    [7, 1050, 200],
  ])
    programs[`dot of ${type}, ${m}x${k}x${n}`] = [
      `ENTRY e { a = ${type}[${m},${k}] parameter(0) b = ${type}[${k},${n}] parameter(1)
        ROOT d = ${type}[${m},${n}] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0} }`,
      [type, m, k],
      [type, k, n],
    ];
  programs[`batched dot of ${type}`] = [
    `ENTRY e { a = ${type}[3,4,65,33] parameter(0) b = ${type}[3,4,33,40] parameter(1)
      ROOT d = ${type}[3,4,65,40] dot(a, b), lhs_batch_dims={0,1}, rhs_batch_dims={0,1},
        lhs_contracting_dims={3}, rhs_contracting_dims={2} }`,
    [type, 3, 4, 65, 33],
    [type, 3, 4, 33, 40],
  ];
}
for (const [name, features, filters, groups] of [
  ['convolution', 5, 7, 1],
  ['grouped convolution', 8, 12, 4],
  ['depthwise convolution', 24, 24, 24],
])
  programs[name] = [
    `ENTRY e { a = f32[2,57,61,${features}] parameter(0) b = f32[3,3,${features / groups},${filters}] parameter(1)
      ROOT d = f32[2,57,61,${filters}] convolution(a, b), window={size=3x3 pad=1_1x1_1},
        dim_labels=b01f_01io->b01f, feature_group_count=${groups} }`,
    ['f32', 2, 57, 61, features],
    ['f32', 3, 3, features / groups, filters],
  ];
// Cut by features, the second one with kernels that add products exactly.
for (const [size, features, filters] of [
  [9, 70, 101],
  [5, 10, 36],
])
  programs[`convolution of ${size}x${size} positions`] = [
    `ENTRY e { a = f32[1,${size},${size},${features}] parameter(0) b = f32[3,3,${features},${filters}] parameter(1)
      ROOT d = f32[1,${size},${size},${filters}] convolution(a, b), window={size=3x3 pad=1_1x1_1},
        dim_labels=b01f_01io->b01f }`,
    ['f32', 1, size, size, features],
    ['f32', 3, 3, features, filters],
  ];
programs.chain = [
  `ENTRY e { a = f32[300,1000] parameter(0) b = f32[300,1000] parameter(1) m = f32[300,1000] multiply(a, b)
    t = f32[300,1000] tanh(m) x = f32[300,1000] exponential(a) ROOT s = f32[300,1000] add(t, x) }`,
  ['f32', 300, 1000],
  ['f32', 300, 1000],
];
for (const type of ['f32', 'f64', 's8', 'bf16', 'c64'])
  programs[`add of ${type}`] = [
    `ENTRY e { a = ${type}[300001] parameter(0) b = ${type}[300001] parameter(1)
      ROOT s = ${type}[300001] add(a, b) }`,
    [type, 300001],
    [type, 300001],
  ];
programs.softmax = [
  `max { x = f32[] parameter(0) y = f32[] parameter(1) ROOT r = f32[] maximum(x, y) }
  ${add.replaceAll('TYPE', 'f32')}
  ENTRY e { a = f32[700,300] parameter(0) low = f32[] constant(-inf) zero = f32[] constant(0)
    m = f32[700] reduce(a, low), dimensions={1}, to_apply=max  mb = f32[700,300] broadcast(m), dimensions={0}
    s = f32[700,300] subtract(a, mb)  x = f32[700,300] exponential(s)
    t = f32[700] reduce(x, zero), dimensions={1}, to_apply=add  tb = f32[700,300] broadcast(t), dimensions={0}
    ROOT d = f32[700,300] divide(x, tb) }`,
  ['f32', 700, 300],
];
for (const type of ['f32', 's32', 'f64'])
  for (const [dimensions, result] of [
    ['0', '613'],
    ['1', '701'],
    ['0,1', ''],
  ])
    programs[`sum of ${type} over ${dimensions}`] = [
      `${add.replaceAll('TYPE', type)}
      ENTRY e { a = ${type}[701,613] parameter(0) zero = ${type}[] constant(0)
        ROOT s = ${type}[${result}] reduce(a, zero), dimensions={${dimensions}}, to_apply=add }`,
      [type, 701, 613],
    ];
for (const type of ['f32', 's8', 'bf16', 'f64', 'c128'])
  programs[`transpose of ${type}`] = [
    `ENTRY e { a = ${type}[5,301,257] parameter(0) ROOT t = ${type}[257,5,301] transpose(a), dimensions={2,0,1} }`,
    [type, 5, 301, 257],
  ];
programs['sort, gather, cumulative sum, pooling'] = [
  `${add.replaceAll('TYPE', 'f32')}
  less { x = f32[] parameter(0) y = f32[] parameter(1) ROOT r = pred[] compare(x, y), direction=LT }
  ENTRY e { a = f32[50,2000] parameter(0) zero = f32[] constant(0)
    s = f32[50,2000] sort(a), dimensions={1}, to_apply=less
    c = f32[50,2000] reduce-window(a, zero), window={size=1x2000 pad=0_0x1999_0}, to_apply=add
    p = f32[48,1998] reduce-window(a, zero), window={size=3x3}, to_apply=add
    i = s32[300,1] iota(), iota_dimension=0  f = s32[] constant(7)  fb = s32[300,1] broadcast(f), dimensions={}
    m = s32[300,1] multiply(i, fb)
    g = f32[300,2000] gather(a, m), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0},
      index_vector_dim=1, slice_sizes={1,2000}
    ROOT t = (f32[50,2000], f32[50,2000], f32[48,1998], f32[300,2000]) tuple(s, c, p, g) }`,
  ['f32', 50, 2000],
];
programs['sorts of long rows'] = [
  `less { x = f32[] parameter(0) y = f32[] parameter(1) ROOT r = pred[] compare(x, y), direction=LT }
  pairs { x = f32[] parameter(0) y = f32[] parameter(1) i = s32[] parameter(2) j = s32[] parameter(3)
    ROOT r = pred[] compare(x, y), direction=GT }
  ENTRY e { a = f32[270001] parameter(0) b = s32[2,265000] parameter(1) i = s32[270001] iota(), iota_dimension=0
    s = f32[270001] sort(a), dimensions={0}, to_apply=less
    p = (f32[270001], s32[270001]) sort(a, i), dimensions={0}, to_apply=pairs
    c = f32[2,265000] convert(b)  t = f32[2,265000] sort(c), dimensions={1}, to_apply=less
    ROOT r = (f32[270001], (f32[270001], s32[270001]), f32[2,265000]) tuple(s, p, t) }`,
  ['f32', 270001],
  ['s32', 2, 265000],
];

programs.transforms = [
  `ENTRY e { a = f32[37,5,96] parameter(0)
    f = c64[37,5,49] fft(a), fft_type=RFFT, fft_length={96}  g = c64[37,5,49] fft(f), fft_type=FFT, fft_length={5,49}
    ROOT t = f32[37,5,96] fft(g), fft_type=IRFFT, fft_length={96} }`,
  ['f32', 37, 5, 96],
];
// Passes of radix 4 and 2, of odd ones, and a prime length by convolution.
programs['long transforms'] = [
  `ENTRY e { a = c64[524288] parameter(0) b = c64[3,177147] parameter(1) c = c64[100003] parameter(2)
    f = c64[524288] fft(a), fft_type=FFT, fft_length={524288}
    g = c64[3,177147] fft(b), fft_type=IFFT, fft_length={177147}
    h = c64[100003] fft(c), fft_type=FFT, fft_length={100003}
    ROOT t = (c64[524288], c64[3,177147], c64[100003]) tuple(f, g, h) }`,
  ['c64', 524288],
  ['c64', 3, 177147],
  ['c64', 100003],
];

function inputOf([type, ...shape], index) {
  const Storage = { f32: Float32Array, c64: Float32Array, f64: Float64Array, c128: Float64Array };
  const Whole = { s8: Int8Array, s32: Int32Array }[type];
  const count = shape.reduce((product, n) => product * n, 1) * (type.startsWith('c') ? 2 : 1);
  if (type !== 'bf16') return [numbers(count, Whole ?? Storage[type], index + 1), { type, shape }];
  // Numbers below 4 with all bits of a mantissa.
  const bits = numbers(count, Uint16Array, index + 1).map((x) => 0x3f00 + (x & 0xff));
  return [bits, { type, shape }];
}

for (const which of ['simd', 'relaxed-simd'])
  test(`large work gives the same bits: ${which}`, { skip }, async (context) => {
    const one = await load({ build: which }).catch((error) => error);
    if (one instanceof WebAssembly.CompileError)
      return context.skip('this Node has no relaxed SIMD');
    const two = await loadTwo(which, false);
    const all = await loadTwo(which, true);
    for (const [name, [program, ...shapes]] of Object.entries(programs))
      for (const options of [{}, { optimize: false }]) {
        const inputs = shapes.map(inputOf);
        const text = `HloModule m\n${program}`;
        const want = await outcome(one, text, inputs, options);
        assert.ok(Array.isArray(want), `${name}: ${want}`);
        assert.deepEqual(await outcome(two, text, inputs, options), want, name);
        assert.deepEqual(await outcome(all, text, inputs, options), want, `${name}, all cut`);
      }
    two.dispose();
    all.dispose();
  });

test('random fusions give the same bits', { skip }, async () => {
  const one = await load({ build });
  const two = await loadTwo(build, true);
  for (let seed = 1; seed <= 60; seed++) {
    const fusion = randomFusion(seed);
    const inputs = fusion.inputs.map(({ type, dims, data }) => [data, { type, shape: dims }]);
    const options = { optimize: false };
    const want = await outcome(one, fusion.text, inputs, options);
    assert.ok(Array.isArray(want), `${want}\n${fusion.text}`);
    assert.deepEqual(await outcome(two, fusion.text, inputs, options), want, fusion.text);
  }
  two.dispose();
});

test('why there is one thread is said', async () => {
  assert.deepEqual((await load({ build })).threads, {
    count: 1,
    reason: 'threads were not asked for',
  });
  assert.match((await load({ build, threads: 1 })).threads.reason, /one thread was asked for/);
  const module = await WebAssembly.compile(readFileSync(wasm));
  const hlo = await load({ wasm: module, threads: 2 });
  assert.match(hlo.threads.reason, /processor|compiled module/);
  assert.equal(hlo.array([1, 2], 'f32').toNested()[1], 2);
  for (const threads of [0, -1, 1.5, NaN, 'two'])
    await assert.rejects(load({ build, threads }), /threads is true, false or a whole number/);
});

test('no more threads than asked for, or than processors', async () => {
  for (const threads of [true, 2, 3, 1000]) {
    const hlo = await load({ build, threads });
    const asked = threads === true ? 4 : threads;
    assert.ok(hlo.threads.count <= Math.min(asked, availableParallelism(), 16), `${threads}`);
    assert.equal(hlo.threads.count === 1, availableParallelism() === 1);
    hlo.dispose();
  }
});

test('the engine may be given in any form but a module', { skip }, async () => {
  const bytes = readFileSync(wasm);
  const padded = new Uint8Array(bytes.length + 16);
  padded.set(bytes, 8);
  const headers = { 'content-type': 'application/wasm' };
  for (const given of [
    wasm,
    String(wasm),
    bytes,
    padded.subarray(8, 8 + bytes.length),
    padded.slice(8, 8 + bytes.length).buffer,
    new Response(bytes, { headers }),
    Promise.resolve(new Response(bytes)),
  ]) {
    const hlo = await load({ wasm: given, threads: 2 });
    assert.deepEqual(hlo.threads, { count: 2 });
    hlo.dispose();
  }
  await assert.rejects(load({ wasm: new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]), threads: 2 }));
  await assert.rejects(load({ wasm: new Response('<html>'), threads: 2 }), /is not WebAssembly/);
});

test('threads start and end again and again, at any time', { skip }, async () => {
  const text = `HloModule m\nENTRY e { a = f32[256,256] parameter(0)
    ROOT d = f32[256,256] dot(a, a), lhs_contracting_dims={1}, rhs_contracting_dims={0} }`;
  const [data, options] = inputOf(['f32', 256, 256], 0);
  let want;
  for (let round = 0; round < 15; round++) {
    const hlo = await load({ build, threads: 2 });
    const x = hlo.array(data, options);
    const executable = hlo.compile(text);
    const results = [];
    for (let i = 0; i < 4; i++) {
      if (i === round % 4) hlo.dispose();
      results.push(...executable.run([x]).map((y) => y.toTypedArray()));
    }
    assert.match(hlo.threads.reason, /ended/);
    want ??= results[0];
    for (const result of results) assert.deepEqual(result, want);
    hlo.dispose();
  }
});

test(
  'small work among large, programs made and gone: nothing hangs or piles up',
  { skip },
  async () => {
    const hlo = await load({ build, threads: 2 });
    const [data, options] = inputOf(['f32', 200, 1000], 0);
    const x = hlo.array(data, options);
    const small = hlo.array([1, 2, 3], 'f32');
    const step = hlo.jit((a) => hlo.add(hlo.tanh(hlo.mul(a, a)), a));
    const round = (i) =>
      hlo.tidy(() => {
        hlo.add(small, small);
        step(x);
        if (i % 50 === 0) {
          const executable = hlo.compile(`HloModule m\nENTRY e { a = f32[200,1000] parameter(0)
          b = f32[200,1000] exponential(a) c = f32[200,1000] multiply(a, b) ROOT d = f32[200,1000] add(c, b) }`);
          executable.run([x])[0].dispose();
          executable.dispose();
          executable.module.dispose();
        }
      });
    for (let i = 0; i < 100; i++) round(i);
    const { inUse } = hlo.memory;
    for (let i = 100; i < 1000; i++) {
      round(i);
      // Time for threads to fall asleep, and to hear of functions.
      if (i % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    assert.ok(hlo.memory.inUse <= inUse + 65536, `${hlo.memory.inUse} bytes, at first ${inUse}`);
    const want = await load({ build });
    const [again] = [want.array(data, options)];
    const reference = want.jit((a) => want.add(want.tanh(want.mul(a, a)), a))(again);
    assert.deepEqual(step(x).toTypedArray(), reference.toTypedArray());
    hlo.dispose();
  },
);

test('a process ends by itself while threads wait, or look for work', { skip }, () => {
  const index = new URL('../../web/index.js', import.meta.url).href;
  for (const pause of [0, 100]) {
    const program = `
      const hlo = await (await import('${index}')).load({ build: 'simd', threads: 2 });
      const x = hlo.array(new Float32Array(90000).fill(1), { shape: [300, 300] });
      console.log(hlo.dot(x, x).toTypedArray()[5], hlo.threads.count);
      await new Promise((resolve) => setTimeout(resolve, ${pause}));`;
    const { status, signal, stdout, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', program],
      { encoding: 'utf8', timeout: 60_000 },
    );
    assert.deepEqual([status, signal, stdout], [0, null, '300 2\n'], stderr);
  }
});

test('memory grows while threads look at it', { skip }, async () => {
  const hlo = await load({ build, threads: 2 });
  const kept = [];
  for (let size = 1000; size < 2e7; size *= 3) {
    const x = hlo.array(new Float32Array(size).fill(size), { shape: [size] });
    const y = hlo.add(x, x);
    kept.push(x, y);
    assert.deepEqual(y.toTypedArray(), new Float32Array(size).fill(2 * size));
  }
  hlo.dispose();
});

test('in a worker', { skip }, async () => {
  const hlo = await loadWorker({ build, threads: 2 });
  assert.deepEqual(hlo.threads, { count: 2 });
  const x = await hlo.array(new Float32Array(300 * 300).fill(1), { shape: [300, 300] });
  assert.equal((await (await hlo.dot(x, x)).toTypedArray())[7], 300);
  hlo.terminate();
});
