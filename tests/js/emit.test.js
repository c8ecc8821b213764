// Emitted code against the oracle: random fusions, the op cases as fusions, and what becomes of code when executables go.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import { compareWays } from './program_comparison.js';
import { randomFusion } from './fusion_generator.js';
import { randomNumbers } from './random_program.js';
import { testPrograms } from './random_seeds.js';
import { caseFiles, readCases } from './op_cases.js';
import { runCase } from './op_comparison.js';
import { asFusion } from './wrapped_programs.js';

const hlo = await load();

testPrograms('random fusions give what the oracle gives', {
  seeds: 400,
  make: randomFusion,
  check: (program) => compareWays(hlo, program),
  ready: 0.5,
});

test('the larger and the smaller of a value and a constant', async () => {
  const values = [0, -0, NaN, Infinity, -Infinity, 1, -1, 6, 7, 1e-45, -1e-45, 0.5, -0.5];
  const bounds = ['0', '-0', '6', '-0.5', 'nan', 'inf', '-inf'];
  for (const type of ['f32', 'f64']) {
    const data = (type === 'f32' ? Float32Array : Float64Array).from(values);
    const shape = `${type}[${values.length}]`;
    for (const bound of bounds) {
      const results = ['maximum(x, b)', 'maximum(b, x)', 'minimum(x, b)', 'minimum(b, x)'];
      const names = results.map((_, i) => `r${i}`);
      const lines = results.map((text, i) => `  r${i} = ${shape} ${text}`).join('\n');
      const tuple = `(${names.map(() => shape)})`;
      const text = `HloModule bounds\nfused {\n  x = ${shape} parameter(0)\n  c = ${type}[] constant(${bound})
  b = ${shape} broadcast(c), dimensions={}\n${lines}\n  ROOT r = ${tuple} tuple(${names})\n}
ENTRY main {\n  x = ${shape} parameter(0)\n  ROOT r = ${tuple} fusion(x), kind=kLoop, calls=fused\n}\n`;
      const { isReady, wrong } = await compareWays(hlo, {
        text,
        inputs: [{ type, dims: [values.length], data }],
      });
      assert.equal(isReady, true, text);
      assert.equal(wrong, undefined, `${wrong}\n${text}`);
    }
  }
});

/** Programs whose loops are longer than what one call of the code takes. */
function* longLoops() {
  const add =
    'add {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT r = f32[] add(a, b)\n}';
  const max = add.replace('add {', 'max {').replace(' add(', ' maximum(');
  const program = (dims, lines, result) => ({
    dims,
    text: `HloModule long\n${add}\n${max}\nfused {\n  x = f32[${dims}] parameter(0)\n  zero = f32[] constant(0)
  low = f32[] constant(-inf)\n  ${lines.join('\n  ')}\n}\nENTRY main {\n  x = f32[${dims}] parameter(0)
  ROOT r = f32[${result}] fusion(x), kind=kLoop, calls=fused\n}\n`,
  });
  for (const n of [16384, 16387, 50001])
    yield program([n], [`ROOT r = f32[${n}] multiply(x, x)`], [n]);
  for (const op of ['add', 'max'])
    for (const dims of [[100003], [3, 40001], [65536]])
      yield program(
        dims,
        [
          `ROOT r = f32[${dims.slice(0, -1)}] reduce(x, ${op === 'add' ? 'zero' : 'low'}), dimensions={${dims.length - 1}}, to_apply=${op}`,
        ],
        dims.slice(0, -1),
      );
  for (const dims of [
    [9, 5003],
    [21, 2500],
    [1000, 37],
    [1027, 2503],
  ])
    yield program(
      dims,
      [
        `s = f32[${dims[1]}] reduce(x, zero), dimensions={0}, to_apply=add`,
        `t = f32[${dims}] broadcast(s), dimensions={1}`,
        `ROOT r = f32[${dims}] subtract(x, t)`,
      ],
      dims,
    );
  // Of more elements than a cache has: rows are read whole, those far from each other together.
  for (const [op, dims, reduced] of [
    ['add', [259, 9001], [0]],
    ['max', [65539, 40], [0]],
    ['add', [2, 523, 2048], [1]],
    ['add', [3, 2, 261, 1500], [0, 2]],
    ['add', [40, 5, 20011], [1]],
    ['add', [11, 200003], [0]],
    // One after the other, since there are few, or they are short.
    ['add', [301, 7, 1027], [1]],
    ['max', [1031, 67, 33], [1]],
  ]) {
    const result = dims.filter((_, i) => !reduced.includes(i));
    const start = op === 'add' ? 'zero' : 'low';
    yield program(
      dims,
      [`ROOT r = f32[${result}] reduce(x, ${start}), dimensions={${reduced}}, to_apply=${op}`],
      result,
    );
  }
  yield program(
    [3, 40003],
    [
      'm = f32[3] reduce(x, low), dimensions={1}, to_apply=max',
      'mb = f32[3,40003] broadcast(m), dimensions={0}',
      'd = f32[3,40003] subtract(x, mb)',
      'e = f32[3,40003] exponential(d)',
      's = f32[3] reduce(e, zero), dimensions={1}, to_apply=add',
      'sb = f32[3,40003] broadcast(s), dimensions={0}',
      'ROOT r = f32[3,40003] divide(e, sb)',
    ],
    [3, 40003],
  );
}

test('loops longer than a call', async () => {
  for (const { text, dims } of longLoops()) {
    const random = randomNumbers(1);
    const n = dims.reduce((a, b) => a * b, 1);
    const data = Float32Array.from({ length: n }, () => random() * 2 - 1);
    const { isReady, wrong } = await compareWays(hlo, {
      text,
      inputs: [{ type: 'f32', dims, data }],
      sums: { terms: n, roundings: 4 },
    });
    assert.equal(isReady, true, text);
    assert.equal(wrong, undefined, text);
  }
});

test('sums of complex numbers along all dimensions', async () => {
  for (const [type, Storage] of [
    ['c64', Float32Array],
    ['c128', Float64Array],
  ])
    for (const dimensions of [[0], [1], [2], [0, 1], [1, 2], [0, 1, 2]]) {
      const dims = [5, 37, 43];
      const left = dims.filter((_, d) => !dimensions.includes(d));
      const data = Storage.from({ length: 2 * 5 * 37 * 43 }, (_, i) => (i * 7919) % 1009); // sums are exact
      const text = `HloModule sums
add {\n a = ${type}[] parameter(0)\n b = ${type}[] parameter(1)\n ROOT r = ${type}[] add(a, b)\n}
fused {\n x = ${type}[${dims}] parameter(0)\n start = ${type}[] constant((1, -2))\n n = ${type}[${dims}] negate(x)
 ROOT r = ${type}[${left}] reduce(n, start), dimensions={${dimensions}}, to_apply=add\n}
ENTRY main {\n x = ${type}[${dims}] parameter(0)\n ROOT r = ${type}[${left}] fusion(x), kind=kLoop, calls=fused\n}\n`;
      const { isReady, wrong } = await compareWays(hlo, { text, inputs: [{ type, dims, data }] });
      assert.equal(isReady, true, text);
      assert.equal(wrong, undefined, text);
    }
});

test('exponentials of what is never above 0 are those of anything', async () => {
  const specials = [
    0x7fc00000, 0xffc00000, 0x7f800001, 0xff812345, 0x7f800000, 0xff800000, 0, 0x80000000,
  ];
  const rows = 40;
  const bits = new Uint32Array(rows * 256);
  const x = new Float32Array(bits.buffer);
  // Differences down to where results are subnormal and vanish, in some rows beyond; special values in some of the rows.
  for (let i = 0; i < x.length; i++)
    x[i] = (i % 256) * (i >> 8 < 20 ? -0.43 : -0.83) - (i >> 8) / 7;
  for (const [i, pattern] of specials.entries())
    bits[(i + 2) * 256 + 17] = bits[37 * 256 + i] = pattern;
  const text = `HloModule below
max {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT r = f32[] maximum(a, b)\n}
fused {
 x = f32[${rows},256] parameter(0)
 low = f32[] constant(-inf)
 m = f32[${rows}] reduce(x, low), dimensions={1}, to_apply=max
 mb = f32[${rows},256] broadcast(m), dimensions={0}
 d = f32[${rows},256] subtract(x, mb)
 e = f32[${rows},256] exponential(d)
 s = f32[${rows},256] multiply(x, x)
 ns = f32[${rows},256] negate(s)
 es = f32[${rows},256] exponential(ns)
 a = f32[${rows},256] abs(x)
 minus = f32[] constant(-0.5)
 ms = f32[${rows},256] broadcast(minus), dimensions={}
 h = f32[${rows},256] multiply(ms, a)
 eh = f32[${rows},256] exponential(h)
 ROOT r = (f32[${rows},256], f32[${rows},256], f32[${rows},256]) tuple(e, es, eh)
}
ENTRY main {
 x = f32[${rows},256] parameter(0)
 ROOT r = (f32[${rows},256], f32[${rows},256], f32[${rows},256]) fusion(x), kind=kLoop, calls=fused
}
`;
  const inputs = [{ type: 'f32', dims: [rows, 256], data: x }];
  const { isReady, wrong } = await compareWays(hlo, { text, inputs });
  assert.equal(isReady, true);
  assert.equal(wrong, undefined);
});

test('NaNs and signs of zeros in rows, whether or not the largest element shows them', async () => {
  const rows = 40;
  const sets = [
    [0, -0],
    [-0],
    [-0, -Infinity],
    [0, -0, NaN],
    [NaN],
    [-Infinity],
    [Infinity, 0, -0],
    [-Infinity, NaN],
  ];
  // Exponentials are 0 or 1, so that sums are exact. What follows t is what makes its zeros or NaNs visible.
  const results = [
    'divide(e, sb)',
    'subtract(d, sb)',
    'multiply(d, sb)',
    'multiply(t, sb)',
    'add(e, t)',
    'multiply(e, e)',
  ];
  for (const n of [5, 64, 67, 256, 1030]) {
    const x = Float32Array.from({ length: rows * n }, (_, i) => {
      const set = sets[Math.floor(i / n) % sets.length];
      const at = i % n;
      return at === (i * 7) % n ? set.at(-1) : set[at % Math.max(1, set.length - 1)];
    });
    for (const result of results) {
      const all = `f32[${rows},${n}]`;
      const text = `HloModule rows
max {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT r = f32[] maximum(a, b)\n}
add {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT r = f32[] add(a, b)\n}
fused {
 x = ${all} parameter(0)
 low = f32[] constant(-inf)
 zero = f32[] constant(0)
 m = f32[${rows}] reduce(x, low), dimensions={1}, to_apply=max
 t = ${all} broadcast(m), dimensions={0}
 d = ${all} subtract(x, t)
 e = ${all} exponential(d)
 s = f32[${rows}] reduce(e, zero), dimensions={1}, to_apply=add
 sb = ${all} broadcast(s), dimensions={0}
 ROOT r = ${all} ${result}
}
ENTRY main {
 x = ${all} parameter(0)
 ROOT r = ${all} fusion(x), kind=kInput, calls=fused
}
`;
      const inputs = [{ type: 'f32', dims: [rows, n], data: x }];
      const { isReady, wrong } = await compareWays(hlo, { text, inputs });
      assert.equal(isReady, true, text);
      assert.equal(wrong, undefined, `${wrong}\n${text}`);
    }
  }
});

test('the first of the largest elements, wherever it is', async () => {
  const pick = `pick {
 a = f32[] parameter(0)
 i = s32[] parameter(1)
 b = f32[] parameter(2)
 j = s32[] parameter(3)
 above = pred[] compare(a, b), direction=GT
 nan = pred[] compare(a, a), direction=NE
 first = pred[] or(above, nan)
 equal = pred[] compare(a, b), direction=EQ
 lower = pred[] compare(i, j), direction=LT
 tie = pred[] and(equal, lower)
 takes = pred[] or(first, tie)
 v = f32[] select(first, a, b)
 n = s32[] select(takes, i, j)
 ROOT r = (f32[], s32[]) tuple(v, n)
}`;
  for (const n of [3, 16, 61, 1027]) {
    const rows = 3 * n;
    const data = Float32Array.from({ length: rows * n }, (_, i) => -(i % 7));
    for (let i = 0; i < n; i++) {
      data[3 * i * n + i] = 1; // once
      data.fill(2, (3 * i + 1) * n + i, (3 * i + 2) * n); // from there on
      data[(3 * i + 2) * n + i] = NaN;
      data[(3 * i + 2) * n + ((i * 5 + 2) % n)] = i % 2 ? 5 : NaN;
    }
    const text = `HloModule first
${pick}
fused {
 x = f32[${rows},${n}] parameter(0)
 numbers = s32[${rows},${n}] iota(), iota_dimension=1
 low = f32[] constant(-inf)
 zero = s32[] constant(0)
 ROOT r = (f32[${rows}], s32[${rows}]) reduce(x, numbers, low, zero), dimensions={1}, to_apply=pick
}
ENTRY main {
 x = f32[${rows},${n}] parameter(0)
 ROOT r = (f32[${rows}], s32[${rows}]) fusion(x), kind=kInput, calls=fused
}
`;
    const { isReady, wrong } = await compareWays(hlo, {
      text,
      inputs: [{ type: 'f32', dims: [rows, n], data }],
    });
    assert.equal(isReady, true);
    assert.equal(wrong, undefined, `rows of ${n}`);
  }
});

/** The beginning of a fusion over rows of x[a,b,n]: their largest elements, instead of sums: the same bits in any order. */
const rowsFused = (
  type,
  a,
  b,
  n,
) => `max { x = ${type}[] parameter(0) y = ${type}[] parameter(1) ROOT r = ${type}[] maximum(x, y) }
fused {
 x = ${type}[${a},${b},${n}] parameter(0)
 g = ${type}[${b},${n}] parameter(1)
 h = ${type}[${n}] parameter(2)
 low = ${type}[] constant(-inf)
 top = ${type}[${a},${b}] reduce(x, low), dimensions={2}, to_apply=max
 tops = ${type}[${a},${b},${n}] broadcast(top), dimensions={0,1}`;

/** Something for an array of a type, f32 or f64. */
function wave(type, ...dims) {
  const count = dims.reduce((x, y) => x * y);
  const data = Float32Array.from({ length: count }, (_, i) => 3 * Math.sin(i * i) + 3.5);
  return { type, dims, data: type === 'f64' ? Float64Array.from(data) : data };
}

test('outputs that are written while the next row is under way', async () => {
  const program = (type, narrow, a, b, n) => `HloModule late
${rowsFused(type, a, b, n)}
 shifted = ${type}[${a},${b},${n}] subtract(x, tops)
 e = ${type}[${a},${b},${n}] exponential(shifted)
 gs = ${type}[${a},${b},${n}] broadcast(g), dimensions={1,2}
 scaled = ${type}[${a},${b},${n}] multiply(e, gs)
 total = ${type}[${a},${b}] reduce(scaled, low), dimensions={2}, to_apply=max
 totals = ${type}[${a},${b},${n}] broadcast(total), dimensions={0,1}
 quotient = ${type}[${a},${b},${n}] divide(e, totals)
 hs = ${type}[${a},${b},${n}] broadcast(h), dimensions={2}
 y = ${type}[${a},${b},${n}] multiply(quotient, hs)
 z = ${type}[${a},${b},${n}] subtract(e, tops)
 half = ${narrow}[${a},${b},${n}] convert(quotient)
 ROOT r = (${type}[${a},${b},${n}], ${type}[${a},${b},${n}], ${narrow}[${a},${b},${n}], ${type}[${a},${b}]) tuple(y, z, half, total)
}
ENTRY main {
 x = ${type}[${a},${b},${n}] parameter(0)
 g = ${type}[${b},${n}] parameter(1)
 h = ${type}[${n}] parameter(2)
 ROOT r = (${type}[${a},${b},${n}], ${type}[${a},${b},${n}], ${narrow}[${a},${b},${n}], ${type}[${a},${b}]) fusion(x, g, h), kind=kInput, calls=fused
}
`;
  for (const [type, narrow] of [
    ['f32', 'f32'],
    ['f32', 'f16'],
    ['f32', 'bf16'],
    ['f64', 'f32'],
  ]) {
    for (const n of [1, 3, 5, 64, 127, 257, 515, 1027]) {
      for (const [a, b] of [
        [1, 1],
        [1, 2],
        [3, 11],
        [5, 1],
        [0, 3],
      ]) {
        const { isReady, wrong } = await compareWays(hlo, {
          text: program(type, narrow, a, b, n),
          inputs: [wave(type, a, b, n), wave(type, b, n), wave(type, n)],
        });
        assert.equal(isReady, a > 0, `${type}[${a},${b},${n}]`);
        assert.equal(wrong, undefined, `${type}[${a},${b},${n}]`);
      }
    }
  }
});

test('rows that are read again beside the next ones, and written where they were', async () => {
  // As in layer norm.
  const program = (type, a, b, n) => `HloModule again
${rowsFused(type, a, b, n)}
 d = ${type}[${a},${b},${n}] subtract(x, tops)
 dd = ${type}[${a},${b},${n}] multiply(d, d)
 far = ${type}[${a},${b}] reduce(dd, low), dimensions={2}, to_apply=max
 fars = ${type}[${a},${b},${n}] broadcast(far), dimensions={0,1}
 scaled = ${type}[${a},${b},${n}] multiply(d, fars)
 gs = ${type}[${a},${b},${n}] broadcast(g), dimensions={1,2}
 y = ${type}[${a},${b},${n}] multiply(scaled, gs)
 hs = ${type}[${a},${b},${n}] broadcast(h), dimensions={2}
 ROOT r = ${type}[${a},${b},${n}] add(y, hs)
}
ENTRY main {
 p = ${type}[${a},${b},${n}] parameter(0)
 g = ${type}[${b},${n}] parameter(1)
 h = ${type}[${n}] parameter(2)
 x = ${type}[${a},${b},${n}] negate(p)
 ROOT r = ${type}[${a},${b},${n}] fusion(x, g, h), kind=kInput, calls=fused
}
`;
  for (const type of ['f32', 'f64']) {
    for (const n of [1, 5, 64, 67, 256, 1027, 4099]) {
      for (const [a, b] of [
        [1, 1],
        [2, 1],
        [3, 11],
        [1, 40],
        [67, 1],
      ]) {
        const inputs = [wave(type, a, b, n), wave(type, b, n), wave(type, n)];
        const { isReady, wrong } = await compareWays(hlo, { text: program(type, a, b, n), inputs });
        assert.equal(isReady, true, `${type}[${a},${b},${n}]`);
        assert.equal(wrong, undefined, `${type}[${a},${b},${n}]: ${wrong}`);
      }
    }
  }
});

test('op cases as fusions', async () => {
  let ready = 0;
  const failures = [];
  for (const file of caseFiles()) {
    for (const one of readCases(file)) {
      if (one.error !== undefined) continue;
      const program = asFusion(hlo, one.program);
      if (program === undefined) continue;
      const module = hlo.parse(program);
      const executable = module.compile({ optimize: false });
      ready += (await executable.ready) ? 1 : 0;
      executable.dispose();
      module.dispose();
      const wrong = runCase(hlo, { ...one, program }, { optimize: false });
      if (wrong) failures.push(`${file} ${one.name}: ${wrong}`);
    }
  }
  console.log(`${ready} op cases as fusions with code`);
  assert.deepEqual(failures, []);
  assert.ok(ready > 300, `only ${ready} cases had code`);
});

test('small programs are fused when asked to', () => {
  const failures = [];
  for (const file of caseFiles()) {
    for (const one of readCases(file)) {
      const wrong = runCase(hlo, one, { fuseAll: true });
      if (wrong) failures.push(`${file} ${one.name}: ${wrong}`);
    }
  }
  assert.deepEqual(failures, []);
});

const chain = `HloModule chain
ENTRY main {
  x = f32[5000] parameter(0)
  y = f32[5000] multiply(x, x)
  z = f32[5000] tanh(y)
  ROOT r = f32[5000] add(z, x)
}
`;

test('code goes with its executable, and its places in the table are used again', async () => {
  const module = hlo.parse(chain);
  const x = hlo.array(Float32Array.from({ length: 5000 }, (_, i) => i / 1000));
  const want = module.compile({ reference: true }).run([x])[0].toTypedArray();
  for (let round = 0; round < 200; round++) {
    const executable = module.compile();
    assert.equal(await executable.ready, true);
    const [y] = executable.run([x]);
    assert.deepEqual(y.toTypedArray(), want);
    y.dispose();
    executable.dispose();
  }
  x.dispose();
  module.dispose();
});

test('code imports the functions that it calls, and no table that would keep it', async () => {
  const { Module } = WebAssembly;
  let imports = [];
  let executable;
  const module = hlo.parse(chain.replaceAll('f32', 'f64').replace('tanh', 'acos'));
  try {
    WebAssembly.Module = function (bytes) {
      const made = new Module(bytes);
      imports = Module.imports(made);
      return made;
    };
    executable = module.compile();
  } finally {
    WebAssembly.Module = Module;
  }
  assert.equal(await executable.ready, true);
  assert.deepEqual(
    imports.map(({ module: from, kind }) => `${from} ${kind}`),
    ['e memory', 'f function'],
  );
  executable.dispose();
  module.dispose();
});

test('programs run where code may not be compiled, and before it is ready', async () => {
  const { Module, compile } = WebAssembly;
  const refuse = () => {
    throw new WebAssembly.CompileError('refused');
  };
  const x = hlo.array(Float32Array.of(1, 2, 3));
  const module = hlo.parse(chain.replaceAll('5000', '3'));
  const want = module.compile({ reference: true }).run([x])[0].toTypedArray();
  let early, late;
  try {
    WebAssembly.Module = refuse;
    late = module.compile({ fuseAll: true });
    assert.deepEqual(late.run([x])[0].toTypedArray(), want);
    WebAssembly.compile = async () => refuse();
    early = module.compile({ fuseAll: true });
  } finally {
    Object.assign(WebAssembly, { Module, compile });
  }
  assert.equal(await early.ready, false);
  assert.equal(await late.ready, true);
  for (const executable of [early, late]) {
    assert.deepEqual(executable.run([x])[0].toTypedArray(), want);
    executable.dispose();
  }
  const gone = module.compile({ fuseAll: true });
  gone.dispose();
  assert.equal(await gone.ready, true);
});

test('code under way is compiled at once when runs without it have taken as long', async () => {
  const { Module } = WebAssembly;
  let made = 0;
  const x = hlo.array(Float32Array.from({ length: 5000 }, (_, i) => i / 1000));
  const module = hlo.parse(chain);
  try {
    WebAssembly.Module = function refuse() {
      throw new WebAssembly.CompileError('refused');
    };
    const executable = module.compile();
    // From before the first run on: on a slow machine that one may take as long as compiling does.
    WebAssembly.Module = function count(bytes) {
      made++;
      return new Module(bytes);
    };
    const [want] = executable.run([x]);
    for (const end = performance.now() + 5000; made === 0 && performance.now() < end;)
      executable.run([x])[0].dispose();
    assert.deepEqual(executable.run([x])[0].toTypedArray(), want.toTypedArray());
    assert.equal(made, 1);
    assert.equal(await executable.ready, true);
    executable.dispose();
  } finally {
    Object.assign(WebAssembly, { Module });
  }
});
