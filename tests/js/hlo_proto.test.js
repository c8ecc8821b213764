// Serialized HLO modules: those that XLA wrote give the results that JAX has of them, however the bytes are handed over.
// Modules made by hand have what XLA does not write: other encodings of the same, other orders, and mistakes.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { HloError, load, ParseError } from '../../web/index.js';
import { holdsText } from '../../web/text_format.js';
import { loadWorker } from '../../web/worker/index.js';
import { formsOf } from './byte_forms.js';
import { runCommand } from './command.js';

const folder = new URL('../fixtures/hlo_proto/', import.meta.url);
const hlo = await load();
const bytesOf = (name) => new Uint8Array(readFileSync(new URL(name, folder)));

test('results are those of JAX', () => {
  const { arguments: inputs, results } = JSON.parse(
    String(readFileSync(new URL('jax.json', folder))),
  );
  for (const name of ['jax_lowered.pb', 'jax_compiled.pb']) {
    const executable = hlo.compile(bytesOf(name));
    const got = executable.run(inputs.map((values) => hlo.array(values, 'f32')));
    assert.equal(got.length, results.length);
    for (const [i, want] of results.entries()) {
      const wanted = want.flat();
      got[i].toTypedArray().forEach((value, k) => {
        const off = Math.abs(Number(value) - wanted[k]);
        assert.ok(off <= 2e-6 + 2e-6 * Math.abs(wanted[k]), `${name}: result ${i}[${k}]: ${value}`);
      });
    }
  }
});

test('every way to hand bytes over', async () => {
  const bytes = bytesOf('control.pb');
  const wanted = hlo.parse(bytes).print();
  const wrapped = bytesOf('wrapped.pb'); // in an HloProto
  for (const program of [...formsOf(bytes), wrapped])
    assert.equal(hlo.parse(program).print(), wanted);
  assert.equal(hlo.parse(bytes, 'hlo').print(), wanted);
  assert.throws(() => hlo.parse(bytes, 'stablehlo'), ParseError);
  const snapshot = Uint8Array.from(bytesField(1, bytesField(1, [...bytes]))); // HloSnapshot
  assert.equal(hlo.parse(snapshot).print(), wanted);
  const text = hlo.parse(bytesOf('jax_lowered.pb')).print();
  assert.equal(hlo.parse(text).print(), text);
  const worker = await loadWorker();
  const executable = await worker.compile(Uint8Array.from(moduleOf()));
  const [result] = await executable.run([await worker.array(3, 'f32')]);
  assert.equal(await result.toNested(), -3);
  worker.terminate();
});

test('all fixtures are told from text, and the command takes them', () => {
  for (const file of readdirSync(folder, { recursive: true }))
    if (String(file).endsWith('.pb')) assert.ok(!holdsText(bytesOf(String(file))), String(file));
  assert.ok(!holdsText(Uint8Array.from(moduleOf())));
  const path = (name) => fileURLToPath(new URL(name, folder));
  const printed = runCommand('print', path('control.pb'));
  assert.equal(printed.stdout, hlo.parse(bytesOf('control.pb')).print());
  const [got, wanted] = ['jax_lowered.pb', 'jax_lowered.hlo'].map((name) =>
    runCommand('run', path(name), '--seed', '1'),
  );
  assert.deepEqual([got.stdout, got.stderr, got.status], [wanted.stdout, wanted.stderr, 0]);
});

// --- modules made by hand ---

/** @returns {number[]} */
const varint = (n) =>
  n < 128 ? [Number(n)] : [Number(BigInt(n) & 127n) | 128, ...varint(BigInt(n) >> 7n)];
const bytesField = (number, bytes) => [
  ...varint(number * 8 + 2),
  ...varint(bytes.length),
  ...bytes,
];
const textField = (number, text) => bytesField(number, [...Buffer.from(text)]);
const intField = (number, n) => [...varint(number * 8), ...varint(BigInt.asUintN(64, BigInt(n)))];
const packed = (number, list) =>
  bytesField(
    number,
    list.flatMap((n) => varint(n)),
  );
const unpacked = (number, list) => list.flatMap((n) => intField(number, n));
const [S32, F32, TUPLE] = [4, 11, 13];
const shapeOf = (dims = [], type = F32) => [...intField(2, type), ...packed(3, dims)];

/** An instruction; `more` are fields of it. */
const instruction = (name, opcode, id, operands = [], more = [], shape = shapeOf()) =>
  bytesField(2, [
    ...textField(1, name),
    ...textField(2, opcode),
    ...bytesField(3, shape),
    ...intField(35, id),
    ...packed(36, operands),
    ...more,
  ]);
const parameter = (id = 1, shape = shapeOf()) => instruction('x', 'parameter', id, [], [], shape);
const computation = (name, id, root, instructions) =>
  bytesField(3, [
    ...textField(1, name),
    ...intField(5, id),
    ...intField(6, root),
    ...instructions.flat(),
  ]);
const moduleOf = (
  instructions = [parameter(), instruction('r', 'negate', 2, [1])],
  root = 2,
  others = [],
) => [
  ...textField(1, 'made'),
  ...textField(2, 'main'),
  ...others.flat(),
  ...computation('main', 7, root, instructions),
  ...intField(6, 7),
];
const parse = (...program) => hlo.parse(Uint8Array.from(moduleOf(...program)));
const refuses = (message, ...program) =>
  assert.throws(
    () => parse(...program),
    (error) => error instanceof HloError && message.test(error.message),
  );

test('other encodings and orders', () => {
  const shape = shapeOf([2, 3]);
  const concatenate = (dims, operands) =>
    bytesField(2, [
      ...textField(1, 'r'),
      ...textField(2, 'concatenate'),
      ...bytesField(3, shapeOf([2, 6])),
      ...intField(35, 2),
      ...operands,
      ...dims,
    ]);
  const forms = [
    [packed(14, [1]), packed(36, [1, 1])],
    [unpacked(14, [1]), unpacked(36, [1, 1])],
    [unpacked(14, [1]), [...packed(36, [1]), ...unpacked(36, [1])]],
  ].map(([dims, operands]) => parse([parameter(1, shape), concatenate(dims, operands)]).print());
  assert.match(forms[0], /concatenate\(%x, %x\), dimensions=\{1\}/);
  assert.deepEqual(forms, [forms[0], forms[0], forms[0]]);
  // The last of several wins; fields that nobody knows are passed over.
  const unknown = [
    ...intField(999, 3),
    ...bytesField(998, [1, 2]),
    ...varint(997 * 8 + 5),
    1,
    2,
    3,
    4,
  ];
  const twice = parse([
    parameter(),
    instruction('r', 'sine', 2, [1], [...textField(2, 'negate'), ...unknown]),
  ]);
  assert.match(twice.print(), /negate\(%x\)/);
  // Users before what they use, and ids with or without the computation's number in front of them.
  const swapped = parse([instruction('r', 'negate', 2, [2 ** 32 * 7 + 1]), parameter()]);
  assert.match(swapped.print(), /parameter\(0\)[^]*negate/);
  assert.match(
    parse([parameter(2 ** 32 + 1), instruction('r', 'negate', 2 ** 32 + 2, [1])]).print(),
    /negate/,
  );
  // Negative numbers, names that need quotes, and those that are taken.
  const constant = [
    ...bytesField(3, shapeOf([2], S32)),
    ...bytesField(8, [...bytesField(1, shapeOf([2], S32)), ...unpacked(4, [-5, 7])]),
  ];
  const odd = parse([
    parameter(),
    instruction('a "b"', 'constant', 3, [], constant),
    instruction('r', 'negate', 2, [1]),
  ]);
  assert.match(odd.print(), /constant\(\{-5, 7\}\)/);
  const names = hlo.parse(odd.print()).print();
  assert.equal(names, odd.print());
  assert.match(
    parse([parameter(), instruction('x', 'negate', 2, [1])]).print(),
    /%x\.1 = .* negate\(%x\)/,
  );
});

test('instructions stand in the order of their schedule, if it is one', () => {
  const both = [
    parameter(),
    instruction('a', 'sine', 2, [1]),
    instruction('b', 'cosine', 3, [1]),
    instruction('r', 'add', 4, [2, 3]),
  ];
  const scheduled = (ids) => [
    ...moduleOf(both, 4),
    ...bytesField(7, bytesField(1, [...intField(1, 7), ...bytesField(2, packed(1, ids))])),
  ];
  const orderOf = (ids) =>
    [
      ...hlo
        .parse(Uint8Array.from(scheduled(ids)))
        .print()
        .matchAll(/%(\w+) = /g),
    ].map(([, name]) => name);
  assert.deepEqual(orderOf([1, 3, 2, 4]), ['x', 'b', 'a', 'r']);
  for (const ids of [[], [1, 3, 2], [1, 1, 1, 1], [1, 3, 2, 9], [1, 2, 3, 4, 4]])
    assert.deepEqual(orderOf(ids), ['x', 'a', 'b', 'r'], String(ids));
  assert.deepEqual(orderOf([4, 3, 2, 1]), ['x', 'a', 'b', 'r']); // operands come first all the same
});

test('what is missing, double or circular', () => {
  const negate = instruction('r', 'negate', 2, [1]);
  refuses(/^byte \d+ of the file: instruction %r \(negate\): no instruction .* has the id 1$/, [
    negate,
  ]);
  refuses(/^byte \d+ of the file: a second instruction .* has the id 2/, [parameter(2), negate]);
  refuses(/^byte \d+ of the file: .* no instruction with the id of its root, 9/, undefined, 9);
  refuses(/^byte \d+ of the file: 'r' depends on itself/, [
    parameter(),
    instruction('r', 'add', 2, [2, 1]),
  ]);
  refuses(/'b' depends on itself|'a' depends on itself/, [
    instruction('a', 'negate', 1, [2]),
    instruction('b', 'negate', 2, [1]),
  ]);
  const call = (id) => instruction('r', 'call', 2, [1], packed(38, [id]));
  refuses(/^byte \d+ of the file: no computation has the id 5$/, [parameter(), call(5)]);
  refuses(/computation 'main' calls itself/, [parameter(), call(7)]);
  const callee = computation('main', 7, 1, [parameter()]);
  refuses(/^byte \d+ of the file: a second computation has the id 7/, undefined, 2, [callee]);
  refuses(/there is no operation 'frobnicate'/, [
    parameter(),
    instruction('r', 'frobnicate', 2, [1]),
  ]);
  refuses(/a shape is missing/, [
    bytesField(2, [...textField(1, 'x'), ...textField(2, 'parameter')]),
  ]);
  refuses(/there is no element type 99/, [parameter(1, shapeOf([], 99))]);
  refuses(
    /parameter number 3 is not below/,
    [instruction('x', 'parameter', 1, [], intField(9, 3))],
    1,
  );
  refuses(/takes exactly|takes 1 operand|operand/, [
    parameter(),
    instruction('r', 'negate', 2, [1, 1]),
  ]);
  refuses(/there is a zero byte in a name/, [parameter(), instruction('a\0b', 'negate', 2, [1])]);
  assert.throws(() => hlo.parse(Uint8Array.from([...textField(1, 'm'), ...bytesField(3, [])])), {
    message: /^byte \d+ of the file: this computation has no instruction/,
  });
  assert.match(parse().print(), /negate/); // the engine goes on
});

test('sizes beyond all bounds, and deep nesting', () => {
  const large = shapeOf([2 ** 30, 2 ** 30, 2 ** 30, 2 ** 30]);
  refuses(/byte \d+ of the file: f32\[1073741824,/, [parameter(1, large)], 1);
  const many = shapeOf([2 ** 32], S32);
  const constant = (fields) => instruction('r', 'constant', 2, [], bytesField(8, fields), many);
  refuses(/the values of this constant are not as many as those of s32\[4294967296\]/, [
    constant([...bytesField(1, many), ...packed(4, [1, 2])]),
  ]);
  let shape = shapeOf();
  for (let depth = 0; depth < 300; depth++)
    shape = [...intField(2, TUPLE), ...bytesField(4, shape)];
  refuses(/tuples nest deeper than 256/, [parameter(1, shape)], 1);
  // Few bytes that name much: a computation's name in each of many calls.
  const name = 'f'.repeat(60000);
  const f = computation(name, 5, 1, [parameter()]);
  const calls = Array.from({ length: 6000 }, (_, i) =>
    instruction('', 'call', i + 2, [1], packed(38, [5])),
  );
  refuses(/say more than a file of \d+ bytes should/, [parameter(), ...calls], 2, [f]);
});

test('one attribute cannot make another', () => {
  const fusion = (kind) =>
    instruction('r', 'fusion', 2, [1], [...textField(11, kind), ...packed(38, [5])]);
  const f = computation('f', 5, 1, [parameter()]);
  assert.match(parse([parameter(), fusion('kLoop')], 2, [f]).print(), /kind=kLoop, calls=%f/);
  refuses(
    /its attributes cannot be read/,
    [parameter(), fusion('kLoop, metadata={op_name="x"}')],
    2,
    [f],
  );
});

test('bytes and texts that are no modules', () => {
  const bytes = bytesOf('control.pb');
  for (const length of [300, bytes.length - 5])
    assert.throws(() => hlo.parse(bytes.subarray(0, length)), {
      name: 'ParseError',
      message: /^byte \d+ of the file: /,
    });
  for (const file of ['literals.pb', 'attributes.pb'])
    assert.throws(
      () => hlo.parse(new TextDecoder().decode(bytesOf(file))),
      /as a Uint8Array|binary data/,
    );
  // Text may start with a line end, which is how a module starts.
  const text = 'HloModule m\nENTRY e { ROOT p = f32[] parameter(0) }';
  for (const start of ['\n', '\n\n', '\n//' + ' '.repeat(40) + '\n'])
    for (const program of [start + text, new TextEncoder().encode(start + text)])
      assert.equal(hlo.parse(program).name, 'm');
  assert.throws(() => hlo.parse('\n\x05hello\x12\x03abc'), ParseError);
});
