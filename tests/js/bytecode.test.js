// Programs in binary form: StableHLO artifacts and files of jax.export that jaxlib wrote give the results of their texts,
// bit by bit, however the bytes are handed over.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { randomArray } from '../../web/cli/random.js';
import { load, OpenExecutable, ParseError, UnsupportedError } from '../../web/index.js';
import { loadWorker } from '../../web/worker/index.js';
import { formsOf } from './byte_forms.js';
import { runCommand } from './command.js';

const folder = new URL('../fixtures/bytecode/', import.meta.url);
const hlo = await load();
const bytesOf = (name) => new Uint8Array(readFileSync(new URL(name, folder)));
const textOf = (name) => readFileSync(new URL(`${name}.mlir`, folder), 'utf8');

/** @returns {Uint8Array[]} the bytes of every result, given reproducible random arguments */
function resultsOf(executable) {
  const inputs = executable.parameters.map((shape, i) => randomArray(hlo, shape, i + 1));
  const results = executable.run(inputs);
  const bytes = results.map((result) =>
    result.xla.type === 'token' || result.xla.type === 'tuple'
      ? new Uint8Array()
      : new Uint8Array(result.toTypedArray().slice().buffer),
  );
  for (const array of [...inputs, ...results]) array.dispose();
  return bytes;
}

function assertSame(program, text) {
  const [got, wanted] = [program, text].map((source) => hlo.compile(source));
  assert.deepEqual(
    got.parameters.map(({ text }) => text),
    wanted.parameters.map(({ text }) => text),
  );
  assert.deepEqual(resultsOf(got), resultsOf(wanted));
  got.dispose();
  wanted.dispose();
}

const exportsWithShapes = ['network', 'sorted', 'platforms', 'devices'];
for (const name of [...exportsWithShapes, 'locations', 'old_operations', 'old_values'])
  test(`${name}: results are those of the text`, () => {
    const files = readdirSync(folder).filter(
      (file) => file.startsWith(name) && !file.endsWith('.mlir'),
    );
    assert.ok(files.length > 0);
    for (const file of files) assertSame(bytesOf(file), textOf(name));
  });

test('a program for any size', () => {
  const bytes = bytesOf('any_size.jax_export');
  const executable = hlo.compile(bytes);
  assert.ok(executable instanceof OpenExecutable);
  bytes.fill(0); // it has a copy
  const other = hlo.compile(textOf('any_size'));
  for (const rows of [1, 5]) {
    const x = hlo.array(
      Float32Array.from({ length: rows * 8 }, (_, i) => Math.sin(i)),
      { shape: [rows, 8] },
    );
    const [got, wanted] = [executable, other].map((some) => some.run([x])[0]);
    assert.equal(String(got), String(wanted));
  }
  const module = hlo.parse(bytesOf('any_size.jax_export'), { shapes: ['f32[3,8]'] });
  assert.match(module.print(), /f32\[3,3\]/);
});

test('every way to hand bytes over', async () => {
  const bytes = bytesOf('platforms.jax_export');
  const wanted = hlo.parse(bytes).print();
  for (const program of formsOf(bytes)) assert.equal(hlo.parse(program).print(), wanted);
  assert.equal(hlo.parse(bytes, 'stablehlo').print(), wanted);
  // Text may come as bytes, too.
  const text = textOf('platforms');
  assert.equal(hlo.parse(new TextEncoder().encode(text)).print(), hlo.parse(text).print());
  const worker = await loadWorker();
  const executable = await worker.compile(bytes);
  const x = await worker.array(new Float32Array(32).fill(0.5), { shape: [4, 8] });
  const [result] = await executable.run([x]);
  const [here] = hlo
    .compile(bytes)
    .run([hlo.array(new Float32Array(32).fill(0.5), { shape: [4, 8] })]);
  assert.deepEqual(await result.toNested(), here.toNested());
  worker.terminate();
});

test('what is no program', () => {
  const bytes = bytesOf('old_operations-0.19.0.mlirbc');
  assert.throws(() => hlo.parse(bytes, 'hlo'), ParseError);
  assert.throws(() => hlo.parse(bytes.subarray(0, 400)), {
    name: 'ParseError',
    message: /^byte \d+ of the file: /,
  });
  const { length } = hlo.parse(bytes).print();
  bytes[4] = 15; // a newer version of the format is tried
  assert.equal(hlo.parse(bytes).print().length, length);
  assert.throws(
    () => hlo.parse(bytes.subarray(0, 400)),
    (error) => error instanceof UnsupportedError && /version 7/.test(error.message),
  );
  for (const file of ['platforms.jax_export', 'old_operations-0.19.0.mlirbc']) {
    const decoded = new TextDecoder().decode(bytesOf(file));
    assert.throws(() => hlo.parse(decoded), /give the bytes themselves, as a Uint8Array/);
  }
  assert.throws(
    () => hlo.parse(new Uint8Array(100)),
    /binary data, neither text nor a StableHLO artifact/,
  );
  assert.equal(hlo.parse(bytesOf('platforms.jax_export')).name, 'jit__lambda'); // the engine goes on
});

// --- bytecode made by hand ---

/** A number as bytecode has it. */
const number = (n) =>
  n < 128 ? [n * 2 + 1] : [0, ...new Uint8Array(BigUint64Array.of(BigInt(n)).buffer)];
const counted = (lists) => [...number(lists.length), ...lists.flat()];
const section = (id, bytes) => [id, ...number(bytes.length), ...bytes];

/**
 * Bytecode of one operation, `count` times the same. The strings are the dialect builtin, the operation's dialect, its
 * name, and others; attributes are those of builtin, or text, types those of builtin.
 */
function bytecodeOf({ strings, attributes = [], types = [], properties = [], operation, count }) {
  const texts = strings.map((text) => [...Buffer.from(`${text}\0`)]);
  const lengths = texts.map(({ length }) => number(length)).reverse();
  const encoded = [attributes, types.map((bytes) => ({ bytes }))];
  const sizeOf = ({ bytes, isText }) => number(bytes.length * 2 + (isText ? 0 : 1));
  const groups = encoded
    .filter(({ length }) => length > 0)
    .map((list) => [...number(0), ...counted(list.map(sizeOf))]);
  const operations = Array.from({ length: count }, () => operation).flat();
  return new Uint8Array([
    ...[...Buffer.from('ML\xefR', 'latin1'), ...number(6), 0],
    ...section(0, [...counted(lengths), ...texts.flat()]),
    ...section(1, [...counted([number(0), number(2)]), ...[1, 1, 1, 5].flatMap(number)]),
    ...section(
      2,
      encoded.flat().flatMap(({ bytes }) => bytes),
    ),
    ...section(3, [...encoded.flatMap(({ length }) => number(length)), ...groups.flat()]),
    ...section(4, [...number(count * 2), ...operations]),
    ...section(8, counted(properties)),
  ]);
}

test('a small file that says a long text, or makes long work of none', () => {
  const [has, hasDictionary, hasProperties] = [0, 1, 64];
  const long = 'x'.repeat(15000);
  const entries = Array.from({ length: 400 }, () => [...number(0), ...number(0)]);
  for (const file of [
    { strings: ['builtin', 'a', long], operation: [...number(0), has, ...number(0)], count: 3000 },
    {
      strings: ['builtin', 'vhlo', 'func_v1', 'arg_attrs'], // which are left out
      attributes: [
        { bytes: [...number(2), ...number(3)] },
        { bytes: [...number(1), ...counted(entries)] },
      ],
      operation: [...number(0), hasDictionary, ...number(0), ...number(1)],
      count: 200,
    },
    {
      strings: ['builtin', 'vhlo', 'cosine_v2'], // of which the usual accuracy is left out
      attributes: [
        { bytes: [...Buffer.from(`"${long}" result_accuracy_mode<DEFAULT>>\0`)], isText: true },
      ],
      properties: [[...number(1), ...number(0)]],
      operation: [...number(0), hasProperties, ...number(0), ...number(0)],
      count: 3000,
    },
  ])
    assert.throws(() => hlo.parse(bytecodeOf(file)), {
      name: 'UnsupportedError',
      message: /^byte \d+ of the file: as text the program is over 1024 times as long/,
    });
});

test('bytes that are too few for all elements, of which there are more than memory has', () => {
  const [hasProperties, bits, dense, tensor] = [64, [...number(0), ...number(1 << 2)], 18, 13];
  for (const elements of [2 ** 32 + 9, 2 ** 32 + 16, 2 ** 40 + 16])
    assert.throws(
      () =>
        hlo.parse(
          bytecodeOf({
            strings: ['builtin', 'vhlo', 'constant_v1'],
            attributes: [{ bytes: [...[dense, 1, 2].flatMap(number), 1, 1] }],
            types: [bits, [...number(tensor), ...number(1), ...number(elements * 2), ...number(0)]],
            properties: [[...number(1), ...number(0)]],
            operation: [...number(0), hasProperties, ...number(0), ...number(0)],
            count: 1,
          }),
        ),
      {
        name: 'ParseError',
        message: new RegExp(`the data does not have the size of pred.${elements}`),
      },
    );
});

test('the command', () => {
  const path = (name) => fileURLToPath(new URL(name, folder));
  const printed = runCommand('print', path('sorted.jax_export'));
  assert.equal(printed.stdout, hlo.parse(bytesOf('sorted.jax_export')).print());
  const [got, wanted] = ['sorted.jax_export', 'sorted.mlir'].map((name) =>
    runCommand('run', path(name), '--seed', '1'),
  );
  assert.deepEqual([got.stdout, got.stderr, got.status], [wanted.stdout, wanted.stderr, 0]);
  const checked = runCommand('check', path('old_values-0.9.0.mlirbc'));
  assert.equal(checked.status, 0, checked.stderr);
});
