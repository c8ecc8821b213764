// Files that newer versions of StableHLO and JAX write: what is not known in them is an error of who reaches it, and names
// itself; everything else is read. The files are made of others, since nobody writes them yet.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { HloError, load, ParseError, UnsupportedError } from '../../web/index.js';
import {
  countNumbers,
  join,
  number,
  partsOf,
  propertiesOf,
  renamed,
  setProperties,
  valuesOf,
} from './bytecode_parts.js';

const folder = new URL('../fixtures/bytecode/', import.meta.url);
const hlo = await load();
const bytesOf = (/** @type {string} */ name) => new Uint8Array(readFileSync(new URL(name, folder)));
const unreached = bytesOf('unreached-1.17.0.mlirbc');
const printed = hlo.parse(unreached, 'stablehlo').print();
/** Without the function that nothing calls, and without the module's name. */
const reachedPart = (/** @type {string} */ text) =>
  text.replace(/^HloModule .*/, '').replace(/^%?other[^]*?^}\n\n?/m, '');

test('parts of bytecode, put together again', () => {
  assert.deepEqual(join(partsOf(unreached)), unreached);
});

test('the version of a file of jax.export says nothing', () => {
  const bytes = bytesOf('network.jax_export');
  const wanted = hlo.parse(bytes).print();
  const view = new DataView(bytes.buffer);
  const root = view.getUint32(0, true);
  const fields = root - view.getInt32(root, true);
  const place = (/** @type {number} */ field) =>
    root + view.getUint16(fields + 4 + 2 * field, true);
  for (const version of [1, 4, 12, 99, 65535]) {
    view.setUint16(place(0), version, true);
    assert.equal(hlo.parse(bytes).print(), wanted);
  }
  for (const convention of [8, 11]) {
    view.setUint16(place(14), convention, true);
    assert.throws(() => hlo.parse(bytes), /calling convention \d+; known are 9 to 10/);
  }
});

test('custom_call_v2, with and without tilings', () => {
  for (const file of ['unreached-1.17.0.mlirbc', 'forms/custom_calls-1.17.0.mlirbc']) {
    const bytes = bytesOf(file);
    const wanted = hlo.parse(bytes).print();
    for (const tilings of [0, 1]) {
      const parts = partsOf(
        renamed(renamed(bytes, 'custom_call_v1', 'custom_call_v2'), 'v1.17.0', 'v1.99.0'),
      );
      const encoded = tilings === 0 ? number(0) : number(2 * 0 + 1); // none, or attribute 0
      const properties = propertiesOf(parts).map((one) =>
        countNumbers(one) === 8 ? new Uint8Array([...one, ...encoded]) : one,
      );
      assert.notDeepEqual(properties, propertiesOf(parts));
      setProperties(parts, properties);
      assert.equal(hlo.parse(join(parts)).print(), wanted);
    }
  }
  const text = `func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = "stablehlo.custom_call"(%x) <{call_target_name = "Sharding", result_tilings = [[[8, 128]]]}> : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }`;
  assert.match(hlo.parse(text).print(), /custom-call/);
});

test('operations of bytecode that are not known', () => {
  for (const [from, to] of [
    ['cosine_v2', 'cosine_v9'],
    ['cosine_v2', 'qosine_v1'],
    ['cholesky_v1', 'cholesky_v2'],
    ['fft_v1', 'fft_v3'],
    ['constant_v1', 'konstant_v1'],
    ['triangular_solve_v1', 'triangular_solve_v4'],
  ])
    assert.equal(
      reachedPart(hlo.parse(renamed(unreached, from, to)).print()),
      reachedPart(printed),
    );
  for (const [from, to] of [
    ['sine_v2', 'sine_v8'],
    ['custom_call_v1', 'custom_call_v7'],
    ['sine_v2', 'zine_v1'],
  ])
    assert.throws(
      () => hlo.parse(renamed(unreached, `\0${from}`, `\0${to}`)),
      (error) => error instanceof UnsupportedError && error.message.includes(to.replace('_v1', '')),
    );
});

test('attributes and types of bytecode that are not known, each by itself', () => {
  const outcomes = { read: 0, named: 0, other: 0 };
  const { length } = valuesOf(partsOf(unreached));
  for (let i = 0; i < length; i++) {
    const parts = partsOf(unreached);
    const { at, isCustom } = valuesOf(parts)[i];
    if (!isCustom) continue;
    parts.sections.get(2).bytes[at] = 99 * 2 + 1;
    try {
      assert.equal(reachedPart(hlo.parse(join(parts)).print()), reachedPart(printed));
      outcomes.read++;
    } catch (error) {
      // Names and locations are no attributes of operations: files with wrong ones are no programs.
      assert.ok(error instanceof UnsupportedError || error instanceof ParseError, String(error));
      if (error instanceof UnsupportedError) {
        assert.match(error.message, /the code 99 of the dialect (vhlo|builtin)/);
        outcomes.named++;
      } else outcomes.other++;
    }
  }
  assert.ok(outcomes.read > 20 && outcomes.named > 5, JSON.stringify(outcomes));
});

/** @param {string} body of a function, @param {string} caller's body */
const program = (body, caller = 'return %x : tensor<4xf32>') => `module @m {
  func.func public @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    ${caller}
  }
  func.func private @other(%x: tensor<4xf32>) -> tensor<4xf32> {
    ${body}
    return %x : tensor<4xf32>
  }
}`;
const call = `%0 = func.call @other(%x) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>`;

test('what is not known in text', () => {
  for (const [body, name] of [
    ['%0 = new.thing %x, mode = fast {a} : tensor<4xf32>', 'new.thing'],
    ['%0 = stablehlo.new_thing %x, mode = fast : tensor<4xf32> to tensor<4xf32>', 'new_thing'],
    ['%0 = "stablehlo.new_thing"(%x) : (tensor<4xf32>) -> tensor<4xf32>', 'new_thing'],
    ['%0 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xf2E1M0>', 'f2E1M0'],
    ['%0 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4x!new.type<7>>', '!new.type<7>'],
    ['%0 = "stablehlo.new_thing"(%x) : (tensor<4xf32>) -> !new.type<7>', 'new_thing'],
    ['%0 = stablehlo.constant dense<1.0> : tensor<4xf32, #new.encoding<3>>', 'encoding'],
    ['cf.br ^bb1\n  ^bb1:', 'cf.br'],
  ]) {
    assert.doesNotMatch(hlo.parse(program(body)).print(), /other/);
    assert.throws(
      () => hlo.parse(program(body, call)),
      (/** @type {any} */ error) =>
        error instanceof UnsupportedError && error.message.includes(name) && error.line >= 6,
      body,
    );
  }
  // A function that calls such a one is none that can be read either.
  const both = program('%0 = new.thing %x : tensor<4xf32>').replace(
    /\n}$/,
    `\n  func.func private @more(%x: tensor<4xf32>) -> tensor<4xf32> {\n    ${call}\n  }\n}`,
  );
  assert.doesNotMatch(hlo.parse(both).print(), /other|more/);
  // Signatures, and what stands beside functions.
  const beside = program('').replace(
    'func.func private @other(%x: tensor<4xf32>)',
    '"new.symbol"() {sym_name = "s"} : () -> ()\n  func.func private @other(%x: tensor<4xf32>, %y: tensor<2xf2E1M0>)',
  );
  assert.doesNotMatch(hlo.parse(beside).print(), /other/);
  // What is wrong stays wrong wherever it stands.
  assert.throws(() => hlo.parse(program('%0 = stablehlo.sine %y : tensor<4xf32>')), ParseError);
});

/** Operations with regions, one of which holds the line. @type {Record<string, (line: string) => string>} */
const regions = {
  if: (line) => `%p = stablehlo.constant dense<true> : tensor<i1>
    %r = "stablehlo.if"(%p) ({
      stablehlo.return %x : tensor<4xf32>
    }, {
      ${line}
      stablehlo.return %x : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>`,
  case: (line) => `%p = stablehlo.constant dense<0> : tensor<i32>
    %r = "stablehlo.case"(%p) ({
      stablehlo.return %x : tensor<4xf32>
    }, {
      ${line}
      stablehlo.return %x : tensor<4xf32>
    }) : (tensor<i32>) -> tensor<4xf32>`,
  'body of a loop': (line) => `%r = stablehlo.while(%i = %x) : tensor<4xf32>
    cond {
      %p = stablehlo.constant dense<false> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      ${line}
      stablehlo.return %i : tensor<4xf32>
    }`,
  'condition of a loop': (line) => `%r = stablehlo.while(%i = %x) : tensor<4xf32>
    cond {
      ${line}
      %p = stablehlo.constant dense<false> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      stablehlo.return %i : tensor<4xf32>
    }`,
  'branch in a loop': (line) => `%t = stablehlo.constant dense<true> : tensor<i1>
    %r:2 = stablehlo.while(%i = %x, %g = %t) : tensor<4xf32>, tensor<i1>
    cond {
      stablehlo.return %g : tensor<i1>
    } do {
      %f = stablehlo.constant dense<false> : tensor<i1>
      ${regions.if(line).replaceAll('%r', '%s')}
      stablehlo.return %i, %f : tensor<4xf32>, tensor<i1>
    }`,
  'branch in a branch': (line) =>
    regions.case(regions.if(line).replaceAll('%r', '%s').replaceAll('%p', '%q')),
  'function that a branch calls': () =>
    regions.if('%u = func.call @far(%x) : (tensor<4xf32>) -> tensor<4xf32>'),
  'reducer in a branch': (line) =>
    regions.if(`%z = stablehlo.constant dense<0.0> : tensor<f32>
      %w = "stablehlo.reduce"(%x, %z) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        ${line.replaceAll('%x', '%a').replaceAll('<4x', '<')}
        stablehlo.return %a : tensor<f32>
      }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>`),
};
/** Lines of which something is not known, by what errors call it. */
const unknownLines = {
  'new.thing': '%u = new.thing %x, mode = fast {a} : tensor<4xf32>',
  new_thing: '%u = "stablehlo.new_thing"(%x) : (tensor<4xf32>) -> tensor<4xf32>',
  'new.several':
    '%u:2 = "new.several"(%x) {a = #new<b>} : (tensor<4xf32>) -> (tensor<4xf32>, !new.type)',
  'new.none': '"new.none"(%x) : (tensor<4xf32>) -> ()',
  'new.region': `%u = "new.region"(%x) ({
        ^bb0(%k: tensor<4xf32>):
          "new.yield"(%k) : (tensor<4xf32>) -> ()
        }, {
          "new.yield"() : () -> ()
        }) : (tensor<4xf32>) -> tensor<4xf32>`,
  f2E1M0: '%u = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xf2E1M0>',
  '!new.type': '%u = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4x!new.type<7>>',
};

for (const [place, region] of Object.entries(regions))
  test(`what is not known in the ${place}`, () => {
    const x = hlo.array([1, 2, 3, 4]);
    const taken = (/** @type {string} */ text) =>
      text.replaceAll('dense<true>', 'dense<false>').replaceAll('dense<0>', 'dense<1>');
    for (const [name, line] of Object.entries(unknownLines)) {
      const far = `
  func.func private @far(%x: tensor<4xf32>) -> tensor<4xf32> {
    ${line}
    return %x : tensor<4xf32>
  }
}`;
      const text = program(region(line), call).replace(/\n}$/, far);
      for (const format of /** @type {const} */ (['hlo', 'stablehlo'])) {
        const once = hlo.parse(text).print(format);
        assert.equal(hlo.parse(once).print(format), once, name);
      }
      const fails = (/** @type {string} */ program, /** @type {object} */ options) =>
        assert.throws(
          () => hlo.compile(program, options).run([x]),
          (/** @type {any} */ error) =>
            error instanceof UnsupportedError && error.message.includes(name) && error.line >= 6,
          name,
        );
      for (const options of [{}, { reference: true }]) {
        if (place === 'condition of a loop') fails(text, options);
        else assert.equal(String(hlo.compile(text, options).run([x])), String(x), name);
        if (!/loop/.test(place)) fails(taken(text), options);
      }
      // What the entry is sure to reach is refused before anything runs.
      assert.throws(() => hlo.parse(program(line, call)), UnsupportedError, name);
    }
  });

test('what is not known in branches of programs that leave sizes open', () => {
  const x = hlo.array([1, 2, 3, 4]);
  const open = (/** @type {string} */ line) => `module {
  func.func @main(%x: tensor<?xf32>, %p: tensor<i1>) -> tensor<?xf32> {
    %r = "stablehlo.if"(%p) ({
      ${line}
      stablehlo.return %x : tensor<?xf32>
    }, {
      %g = func.call @known(%x) : (tensor<?xf32>) -> tensor<?xf32>
      stablehlo.return %g : tensor<?xf32>
    }) : (tensor<i1>) -> tensor<?xf32>
    return %r : tensor<?xf32>
  }
  func.func private @known(%x: tensor<?xf32>) -> tensor<?xf32> {
    %u = stablehlo.negate %x : tensor<?xf32>
    return %u : tensor<?xf32>
  }
  func.func private @unknown(%x: tensor<?xf32>) -> tensor<?xf32> {
    %y = func.call @known(%x) : (tensor<?xf32>) -> tensor<?xf32>
    %u = new.thing %y : tensor<?xf32>
    return %u : tensor<?xf32>
  }
}`;
  for (const line of [
    '%u = new.thing %x : tensor<?xf32>',
    '%u = "new.thing"(%x) : (tensor<?xf32>) -> tensor<?x!new.type>',
    '%u = func.call @unknown(%x) : (tensor<?xf32>) -> tensor<?xf32>',
  ]) {
    const executable = hlo.compile(open(line));
    assert.equal(String(executable.run([x, hlo.array(false)])), 'f32[4] {-1, -2, -3, -4}');
    assert.throws(
      () => executable.run([x, hlo.array(true)]),
      (/** @type {any} */ error) =>
        error instanceof UnsupportedError && error.message.includes('new.thing'),
      line,
    );
  }
});

test('what is not known in branches of HLO text and of bytecode', () => {
  const text = `broken { p = f32[4] parameter(0)
    u = f32[4] frobnicate(p), depth={1,{2}}, to_apply=lost
    ROOT r = f32[4] call(u), to_apply=lost }
  lost { p = f99[4] parameter(0) ROOT r = f99[4] negate(p) }
  same { p = f32[4] parameter(0) ROOT n = f32[4] negate(p) }
  ENTRY e { p = f32[4] parameter(0) b = pred[] parameter(1)
    ROOT c = f32[4] conditional(b, p, p), true_computation=same, false_computation=broken }`;
  const x = hlo.array([1, 2, 3, 4]);
  const once = hlo.parse(text).print();
  assert.match(once, /u = f32\[4\] frobnicate\(p\), depth=\{1,\{2\}\}, to_apply=lost\n/);
  assert.equal(hlo.parse(once).print(), once);
  for (const options of [{}, { optimize: false }, { reference: true }]) {
    const executable = hlo.compile(text, options);
    assert.equal(String(executable.run([x, hlo.array(true)])), 'f32[4] {-1, -2, -3, -4}');
    assert.throws(
      () => executable.run([x, hlo.array(false)]),
      (/** @type {any} */ error) =>
        error instanceof UnsupportedError &&
        /%u: .*'frobnicate'/.test(error.message) &&
        error.line === 2,
    );
  }
  // The second round of this loop takes the other branch.
  for (const to of ['subtract_v9', 'sabtract_v1']) {
    const loop = hlo.compile(renamed(bytesOf('locations-1.17.0.mlirbc'), 'subtract_v1', to));
    assert.equal(String(loop.run([x, hlo.array(1, 's32')])), 'f32[4] {2, 4, 6, 8}');
    assert.throws(
      () => loop.run([x, hlo.array(2, 's32')]),
      (/** @type {any} */ error) =>
        error instanceof UnsupportedError && error.message.includes(to.replace('_v1', '')),
    );
  }
});

/**
 * The numbers of a protocol buffer, at any depth: where each stands.
 * @param {Uint8Array} bytes
 * @param {number} from
 * @param {number} to
 * @param {string} path
 * @returns {{ path: string, at: number, end: number }[] | undefined} undefined: it is no message
 */
function numbersOf(bytes, from, to, path = '') {
  const found = [];
  let at = from;
  const varint = () => {
    let value = 0;
    for (let shift = 0; at < to; shift += 7) {
      const byte = bytes[at++];
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
    return NaN;
  };
  while (at < to) {
    const tag = varint();
    const [field, kind] = [Math.floor(tag / 8), tag % 8];
    if (!(field > 0 && field < 200)) return undefined;
    const start = at;
    if (kind === 0) {
      if (Number.isNaN(varint())) return undefined;
      found.push({ path: `${path}.${field}`, at: start, end: at });
    } else if (kind === 1 || kind === 5) {
      at += kind === 1 ? 8 : 4;
    } else if (kind === 2) {
      const length = varint();
      if (!(at + length <= to)) return undefined;
      found.push(...(numbersOf(bytes, at, at + length, `${path}.${field}`) ?? []));
      at += length;
    } else return undefined;
  }
  return at === to ? found : undefined;
}

test('numbers of protocol buffers that stand for nothing known, each by itself', () => {
  const outcomes = { read: 0, named: 0 };
  for (const file of ['attributes', 'control', 'devices', 'shapes']) {
    const url = new URL(`../fixtures/hlo_proto/${file}.pb`, import.meta.url);
    const bytes = new Uint8Array(readFileSync(url));
    const numbers = numbersOf(bytes, 0, bytes.length) ?? [];
    assert.ok(numbers.length > 100, `${file}: ${numbers.length}`);
    // Of numbers of one kind a few: they are read by the same lines.
    const seen = new Map();
    for (const { path, at, end } of numbers) {
      const count = seen.get(path) ?? 0;
      seen.set(path, count + 1);
      if (end - at !== 1 || count >= 3) continue;
      const changed = bytes.slice();
      changed[at] = 125; // of one byte, as it was
      try {
        hlo.parse(changed).dispose();
        outcomes.read++;
      } catch (error) {
        assert.ok(
          error instanceof HloError && error.message.length > 10,
          `${file} ${path}: ${error}`,
        );
        outcomes.named++;
      }
    }
  }
  assert.ok(outcomes.read > 50 && outcomes.named > 50, JSON.stringify(outcomes));
});
