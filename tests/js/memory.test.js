// Memory: what programs take is given back, constants are there once, large arrays fit again, forgotten ones are found, and
// errors of running out say what they are about.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { HloError, RunError } from '../../web/index.js';

/** The engine's memory, whose size its users do not see. */
let memory;
const { instantiate, Instance } = WebAssembly;
const seen = (exports) =>
  exports.memory && exports.hlo_api_describe ? (memory = exports.memory) : 0;
WebAssembly.instantiate = async (...args) => {
  const made = await instantiate(...args);
  seen((made.instance ?? made).exports);
  return made;
};
WebAssembly.Instance = class extends Instance {
  constructor(...args) {
    super(...args);
    seen(this.exports);
  }
};
const { load } = await import('../../web/index.js');
const hlo = await load();

const fixtures = fileURLToPath(new URL('../fixtures/', import.meta.url));
const programs = readdirSync(fixtures, { recursive: true })
  .filter((name) => /\.(hlo|txt|mlir|mlirbc|jax_export|pb|hlo_proto)$/.test(name))
  .map((name) => {
    const bytes = readFileSync(fixtures + name);
    return { name, program: /\.(hlo|txt|mlir)$/.test(name) ? String(bytes) : bytes };
  });

/** Compiles, and runs if zeros can be made of its parameters' shapes. */
function cycle(program, options) {
  const executable = hlo.compile(program, options);
  try {
    void executable.memory;
    executable.print();
    executable.module.print('stablehlo');
  } catch (error) {
    if (!(error instanceof HloError)) throw error; // open, or has no such form
  } finally {
    executable.dispose();
  }
}

function trying(body) {
  try {
    body();
  } catch (error) {
    if (!(error instanceof HloError)) throw error;
    return error;
  }
}

const around = (body) => {
  const before = hlo.memory.inUse;
  body();
  return hlo.memory.inUse - before;
};

test('programs of all forms give back what they took', () => {
  assert.ok(programs.length > 20, `${programs.length} programs`);
  let compiled = 0;
  for (const { name, program } of programs) {
    trying(() => cycle(program)); // tables that are made once
    for (const options of [{}, { optimize: false }, { reference: true }])
      assert.equal(
        around(() => (compiled += trying(() => cycle(program, options)) ? 0 : 1)),
        0,
        name,
      );
  }
  assert.ok(compiled > programs.length, `${compiled} of ${3 * programs.length} were compiled`);
});

test('so do programs that are refused', () => {
  let refused = 0;
  for (const { name, program } of programs.slice(0, 40))
    for (let part = 1; part < 8; part += 2) {
      const cut = program.slice(0, Math.floor((program.length * part) / 8));
      assert.equal(
        around(() => (refused += trying(() => cycle(cut)) ? 1 : 0)),
        0,
        `${name}, ${part}/8`,
      );
    }
  assert.ok(refused > 40, `${refused} were refused`);
});

test('programs that a missing part cuts off give back what they held', async () => {
  for (const parts of /** @type {any[]} */ (['arrays', 'programs'])) {
    const less = await load({ parts });
    const before = less.memory.inUse;
    let cutOff = 0;
    for (const { program } of programs)
      for (const act of ['parse', 'compile'])
        try {
          less[act](program).dispose();
        } catch (error) {
          if (!(error instanceof HloError)) throw error;
          cutOff += Number(error.code === 'not loaded');
        }
    assert.ok(cutOff > 0);
    assert.equal(less.memory.inUse, before, parts);
  }
});

test('functions of jit and operations give back what they took', () => {
  const x = hlo.array(new Float32Array(5000));
  const use = () => {
    const f = hlo.jit((a) => hlo.add(hlo.exp(a), hlo.multiply(a, 2)));
    hlo.tidy(() => void f(x));
    hlo.tidy(() => void hlo.dot(hlo.reshape(x, [50, 100]), hlo.reshape(x, [100, 50])));
    f.dispose();
    hlo.dispose();
  };
  use();
  assert.equal(around(use), 0);
  x.dispose();
});

test('a program that is open frees all that it was compiled to', () => {
  const text = `func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = stablehlo.exponential %x : tensor<?xf32>
  return %y : tensor<?xf32>
}`;
  const use = (count) => {
    const executable = hlo.compile(text);
    for (let n = 1; n <= count; n++)
      hlo.tidy(() => void executable.run([hlo.array(new Float32Array(n))]));
    executable.dispose();
  };
  use(2);
  assert.equal(
    around(() => use(80)),
    0,
  ); // more than are kept
});

test('an executable leaves a module that was there before it', () => {
  const module = hlo.parse('HloModule m\nENTRY e { ROOT x = f32[2] parameter(0) }');
  module.compile().dispose();
  hlo.compile(module).dispose();
  assert.match(module.print(), /parameter/);
  module.dispose();
});

test('a result that is a constant outlives the program, which is never written over', () => {
  const n = 1 << 16;
  const text = `HloModule m
ENTRY e { c = f32[${n}] constant({${Array.from({ length: n }, (_, i) => i)}})
  ROOT y = f32[${n}] copy(c) }`;
  const module = hlo.parse(text);
  const first = module.compile({ optimize: false });
  const [kept] = first.run();
  first.dispose();
  const second = module.compile({ optimize: false });
  const [sum] = [hlo.add(kept, kept)];
  kept.dispose();
  const [again] = second.run();
  second.dispose();
  module.dispose();
  assert.equal(again.item(n - 1), n - 1);
  assert.equal(sum.item(n - 1), 2 * n - 2);
  again.dispose();
  sum.dispose();
});

test('constants are held once, by the module and by what is compiled from it', () => {
  const n = 1 << 20;
  const data = hlo.array(Float32Array.from({ length: n }, (_, i) => i));
  const builder = hlo.builder('weights');
  const main = builder.computation('main');
  const sum = main.add('add', [main.parameter(`f32[${n}]`), main.constant(data)]);
  const module = builder.build(main, sum);
  const before = hlo.memory.inUse;
  const executables = [{}, {}, { optimize: false }].map((options) => module.compile(options));
  const [y] = executables[2].run([data]);
  assert.equal(y.item(n - 1), 2 * n - 2);
  y.dispose();
  assert.ok(hlo.memory.inUse - before < n, `${hlo.memory.inUse - before} bytes more`);
  for (const executable of executables) executable.dispose();
  module.dispose();
  assert.ok(before - hlo.memory.inUse >= 4 * n, 'they are freed');
  data.dispose();
});

test('a large array fits where small ones were', () => {
  const make = (mb) => hlo.array(new Uint8Array(mb * 1e6));
  const list = Array.from({ length: 6 }, () => make(50));
  const size = memory.buffer.byteLength;
  for (const array of list) array.dispose();
  make(250).dispose();
  assert.equal(memory.buffer.byteLength, size, 'the memory has grown');
});

test('small objects that stay between large arrays do not split the memory', async () => {
  const hlo = await load();
  const ours = memory; // the last that was made
  const stays = [];
  const large = [];
  for (let i = 0; i < 20; i++) {
    large.push(hlo.array(new Uint8Array(20e6)));
    for (const n of [1, 30, 5000, 60000]) stays.push(hlo.array(new Float32Array(n).fill(i)));
    stays.push(
      hlo.compile('ENTRY e { x = f32[500] parameter(0) ROOT r = f32[500] exponential(x) }'),
    );
  }
  const size = ours.buffer.byteLength;
  for (const array of large) array.dispose();
  // They stand in a few regions, each of which is as large as all before it.
  hlo.array(new Uint8Array(100e6)).dispose();
  assert.equal(ours.buffer.byteLength, size, 'the memory has grown');
  for (let i = 0; i < 20; i++) assert.equal(stays[5 * i + 3].item(59999), i);
  const before = hlo.memory.inUse;
  for (const object of stays) object.dispose();
  assert.ok(hlo.memory.inUse < before / 20);
});

test('arrays that nobody disposes of are found in turns of the event loop', async () => {
  for (const turn of [setImmediate, setTimeout]) {
    let y = hlo.array(new Float32Array(4e6));
    let most = 0;
    for (let i = 0; i < 120; i++) {
      y = hlo.add(y, 1);
      await new Promise((resolve) => turn(resolve));
      most = Math.max(most, hlo.memory.inUse);
    }
    assert.equal(y.item(0), 120);
    y.dispose();
    assert.ok(most < 900e6, `${most} bytes were in use, of which 32e6 were needed`);
  }
});

test('results of asynchronous runs that nobody disposes of are found, with and without turns between', async () => {
  const text = `HloModule forgotten
ENTRY e { x = f32[4000000] parameter(0) ROOT r = f32[4000000] negate(x) }`;
  const executable = hlo.compile(text);
  const x = hlo.array(new Float32Array(4e6));
  for (const turn of [setImmediate, setTimeout, queueMicrotask]) {
    let most = 0;
    for (let i = 0; i < 100; i++) {
      await executable.runAsync([x]);
      await new Promise((resolve) => turn(/** @type {any} */ (resolve)));
      most = Math.max(most, hlo.memory.inUse);
    }
    assert.ok(most < 400e6, `${most} bytes were in use, of which 32e6 were needed`);
  }
});

test('errors of running out say what was asked for, what is in use and what the limit is', () => {
  const broadcast = (n) =>
    hlo.tidy(() =>
      hlo
        .compile(
          `HloModule m\nENTRY e { c = f32[] constant(1)\n  ROOT b = f32[${n}] broadcast(c), dimensions={} }`,
        )
        .run(),
    );
  const large = trying(() => broadcast(600000000));
  assert.ok(large instanceof RunError);
  assert.equal(large.code, 'out of memory');
  assert.match(
    large.message,
    /2400000000 bytes was asked for.*at most 2147483647.*\d MB are in use.*dispose\(\)/,
  );
  hlo.setMemoryLimit(hlo.memory.inUse + 1e6);
  const limited = trying(() => broadcast(1000000));
  hlo.setMemoryLimit(Infinity);
  assert.match(
    limited.message,
    /4000000 bytes were asked for.*in use, the limit is \d+.*dispose\(\)/,
  );
});

test('custom calls that run programs of custom calls end with an error', () => {
  const x = hlo.array([1, 2]);
  const text =
    'HloModule m\nENTRY e { x = f32[2] parameter(0)\n  ROOT c = f32[2] custom-call(x), custom_call_target="deeper" }';
  let depth = 0;
  let most = Infinity;
  hlo.registerCustomCall('deeper', ([a]) =>
    ++depth < most ? executable.run([a])[0] : hlo.copy(a),
  );
  const executable = hlo.compile(text);
  const run = (levels) => {
    depth = 0;
    most = levels;
    const [y] = executable.run([x]);
    const value = y.item(1);
    y.dispose();
    return value;
  };
  assert.equal(run(20), 2);
  const before = hlo.memory.inUse;
  for (let i = 0; i < 30; i++) {
    const error = trying(() => run(120));
    assert.ok(error instanceof RunError);
    assert.match(error.message, /32 is the most/);
  }
  assert.equal(run(20), 2);
  assert.equal(hlo.memory.inUse, before);
  executable.dispose();
  hlo.registerCustomCall('deeper', null);
  x.dispose();
});

test('the engine works on after the call stack has ended in it', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const text = `HloModule m\nENTRY e { x = f32[300] parameter(0)
  ${Array.from({ length: 60 }, (_, i) => `a${i} = f32[300] ${i % 2 ? 'exponential' : 'negate'}(${i ? `a${i - 1}` : 'x'})`).join('\n  ')}
  ROOT r = f32[300] add(a59, x) }`;
  const x = hlo.array(new Float32Array(300));
  const large = hlo.array(new Float32Array(100000));
  const map = hlo.indexingMap('(d0) -> (d0 * 4), domain: d0 in [0, 9]');
  const module = hlo.parse(text);
  const executable = module.compile();
  const acts = {
    compile: () => hlo.compile(text).dispose(),
    parse: () => hlo.parse(text).dispose(),
    print: () => module.print('stablehlo'),
    run: () => executable.run([x])[0].dispose(),
    operation: () => hlo.exp(x).dispose(),
    array: () => hlo.array(new Float32Array(100)).dispose(),
    text: () => String(x),
    'a long text': () => String(large),
    evaluate: () => map.evaluate([3]),
    traffic: () => module.traffic(),
  };
  for (const act of Object.values(acts)) act();
  const before = hlo.memory.inUse;
  for (const [name, act] of Object.entries(acts)) {
    let ended = 0;
    for (let i = 0; i < 3; i++) {
      const deeper = (pad) => {
        let failed;
        try {
          deeper(pad + i);
        } catch (error) {
          failed = error;
        }
        // On the way back: at every depth, until there is room.
        if (failed === undefined) return;
        try {
          act();
        } catch (error) {
          ended++;
          throw error;
        }
      };
      try {
        deeper(i);
      } catch (error) {
        assert.ok(error instanceof RangeError || error instanceof HloError, `${name}: ${error}`);
      }
    }
    assert.ok(ended > 0, `${name}: the stack never ended`);
    act();
    collect(); // arrays whose dispose() had no stack left
    await new Promise((resolve) => setTimeout(resolve, 20));
    const left = hlo.memory.inUse - before;
    assert.ok(left < 2000, `${name}: ${left} bytes are left`);
  }
  const [y] = executable.run([x]);
  assert.equal(y.item(0), executable.run([x])[0].item(0));
  for (const each of [executable, module, map, large, x]) each.dispose();
});
