// Programs that leave sizes of their arguments open, run with arguments of several shapes without being told beforehand:
// what jax.export wrote, beside JAX's results, and sizes that depend on elements of arguments.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { load, OpenExecutable, UnsupportedError } from '../../web/index.js';
import { loadWorker } from '../../web/worker/index.js';

const folder = new URL('../fixtures/open/', import.meta.url);
const runs = JSON.parse(readFileSync(new URL('runs.json', folder), 'utf8'));
const hlo = await load();
const types = { float32: 'f32', int32: 's32', uint32: 'u32' };
const arrayOf = ([type, shape, data]) =>
  hlo.array(type === 'float32' ? Float32Array.from(data) : Int32Array.from(data), { shape });

function assertIs(array, [type, dims, wanted], about) {
  assert.deepEqual([array.type, [...array.dims]], [types[type], dims], about);
  const got = [array.toNested()].flat(Infinity);
  wanted.forEach((value, i) =>
    assert.ok(
      Math.abs(got[i] - value) <= 1e-4 * (1 + Math.abs(value)),
      `${about}: ${got[i]}, ${value}`,
    ),
  );
}

for (const file of readdirSync(folder).filter((name) => name.endsWith('.mlir'))) {
  const name = file.replace('.mlir', '');
  test(`${name}, for each of its sizes`, () => {
    const executable = hlo.compile(readFileSync(new URL(file, folder), 'utf8'));
    assert.ok(executable instanceof OpenExecutable);
    for (const { inputs, results } of [...runs[name], runs[name][0]]) {
      const got = executable.run(inputs.map(arrayOf));
      assert.equal(got.length, results.length);
      results.forEach((wanted, i) => assertIs(got[i], wanted, `${name}, result ${i}`));
    }
    executable.dispose();
  });
}

const doubled = `func.func @main(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = stablehlo.add %x, %x : tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}`;
const reshaped = `func.func @main(%x: tensor<6xf32>, %sizes: tensor<2xi64>, %k: tensor<i32>) -> tensor<?x?xf32> {
  %0 = stablehlo.dynamic_reshape %x, %sizes : (tensor<6xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}`;
const rows = (n) => hlo.array(new Float32Array(3 * n).fill(1), { shape: [n, 3] });

test('what an open executable tells', async () => {
  const executable = hlo.compile(doubled);
  const [{ text, dims, dynamic }] = executable.parameters;
  assert.deepEqual([text, dims, dynamic], ['f32[?,3]', [-1, 3], [true, false]]);
  assert.throws(() => executable.print(), {
    code: 'open program',
    message: /run it, or specialize/,
  });
  assert.equal(String(executable.run([rows(1)])), 'f32[1,3] { { 2, 2, 2 } }');
  assert.match(executable.print(), /f32\[1,3\]/);
  const wide = executable.specialize(['f32[5,3]']);
  assert.equal(executable.specialize([rows(5)]), wide);
  assert.equal(executable.specialize([hlo.shape('f32[5,3]')]), wide);
  assert.deepEqual([wide.results[0].text, executable.results[0].text], ['f32[5,3]', 'f32[5,3]']);
  assert.ok(executable.cost.flops > 0 && executable.memory.results === 60);
  const [sliced] = await executable.runAsync([rows(2)]);
  assert.deepEqual([...sliced.dims], [2, 3]);
  const both = executable.runReplicas([[rows(4)], [rows(4)]]);
  assert.deepEqual(
    both.map(([one]) => [...one.dims]),
    [
      [4, 3],
      [4, 3],
    ],
  );
  executable.dispose();
  assert.throws(() => executable.run([rows(1)]), { code: 'disposed' });
});

test('arguments that do not fit', () => {
  const executable = hlo.compile(doubled);
  assert.throws(() => executable.run([]), /takes 1 inputs, got 0/);
  assert.throws(
    () => executable.run([hlo.array([1, 2], 'f32')]),
    /has the type f32\[\?,3\], but the shape f32\[2\]/,
  );
  assert.throws(() => executable.run([hlo.array([[1, 2, 3]], 's32')]), { name: 'ShapeError' });
  assert.equal(String(executable.run([rows(1)])[0].dims), '1,3');
  assert.throws(
    () => hlo.parse(doubled),
    (error) => error instanceof UnsupportedError && error.code === 'open program',
  );
  assert.throws(() => hlo.compile(doubled, { shapes: ['f32[2]'] }), { name: 'ShapeError' });
});

test('sizes that elements of arguments say', () => {
  const executable = hlo.compile(reshaped);
  const x = hlo.array([1, 2, 3, 4, 5, 6], 'f32');
  const sizes = (...list) => hlo.array(list.map(BigInt), 's64');
  const run = (list, k) => executable.run([x, sizes(...list), hlo.array(k, 's32')])[0].xla.text;
  assert.equal(run([2, 3], 0), 'f32[2,3]');
  const first = executable.module;
  assert.deepEqual(first.askedArguments, [1]);
  assert.equal(run([3, 2], 0), 'f32[3,2]');
  assert.equal(run([2, 3], 7), 'f32[2,3]'); // no size depends on k
  assert.equal(executable.module, first);
  assert.throws(() => run([4, 2], 0), { name: 'ShapeError', message: /same number of elements/ });
  assert.throws(() => executable.run([x, 's64[2]', 's32[]']), { code: 'open program' });
  assert.equal(
    hlo.parse(reshaped, { shapes: [x, sizes(6, 1), 's32[]'] }).computations[0].result.text,
    'f32[6,1]',
  );
});

test('sizes that are computed from data', () => {
  const executable =
    hlo.compile(`func.func @main(%x: tensor<2x3xf32>, %y: tensor<4xf32>) -> tensor<?xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<2x3xf32>
    %none = stablehlo.constant dense<0> : tensor<i32>
    %more = stablehlo.compare GT, %x, %zero : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %ones = stablehlo.convert %more : (tensor<2x3xi1>) -> tensor<2x3xi32>
    %count = stablehlo.reduce(%ones init: %none) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<i32>
    %list = stablehlo.reshape %count : (tensor<i32>) -> tensor<1xi32>
    %nothing = stablehlo.constant dense<0> : tensor<1xi32>
    %value = stablehlo.constant dense<9.0> : tensor<f32>
    %0 = stablehlo.dynamic_pad %y, %value, %list, %nothing, %nothing : (tensor<4xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
    return %0 : tensor<?xf32>
  }`);
  const y = hlo.array([1, 2, 3, 4], 'f32');
  const run = (rows) => executable.run([hlo.array(rows, 'f32'), y])[0].toNested();
  const rows = [
    [1, 0, 2],
    [-1, -2, 3],
  ];
  assert.deepEqual(run(rows), [9, 9, 9, 1, 2, 3, 4]);
  assert.deepEqual(executable.module.askedArguments, [0]);
  const zeros = rows.map((row) => row.map(() => 0));
  assert.deepEqual(run(zeros), [1, 2, 3, 4]);
  assert.deepEqual(run(rows), [9, 9, 9, 1, 2, 3, 4]);
  executable.dispose();
});

test('what shape.cstr_* asks of the sizes of arguments', () => {
  const executable =
    hlo.compile(`func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
    %0 = shape.shape_of %a : tensor<?xf32> -> tensor<1xindex>
    %1 = shape.shape_of %b : tensor<?xf32> -> tensor<1xindex>
    %2 = shape.cstr_broadcastable %0, %1 : tensor<1xindex>, tensor<1xindex>
    %3 = shape.assuming %2 -> (tensor<?xf32>) {
      %4 = shape.broadcast %0, %1 : tensor<1xindex>, tensor<1xindex> -> tensor<1xindex>
      %5 = stablehlo.dynamic_broadcast_in_dim %a, %4, dims = [0] : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
      %6 = stablehlo.dynamic_broadcast_in_dim %b, %4, dims = [0] : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
      %7 = stablehlo.add %5, %6 : tensor<?xf32>
      shape.assuming_yield %7 : tensor<?xf32>
    }
    return %3 : tensor<?xf32>
  }`);
  const run = (...lists) =>
    executable.run(lists.map((list) => hlo.array(list, 'f32')))[0].toNested();
  assert.deepEqual(run([1, 2, 3], [10]), [11, 12, 13]);
  assert.deepEqual(run([1, 2, 3], [10, 20, 30]), [11, 22, 33]);
  assert.throws(() => run([1, 2, 3], [10, 20]), /cstr_broadcastable: does not hold[^]*%2 = shape/);
  executable.dispose();
});

test('assertions about what only the run knows', () => {
  const executable = hlo.compile(`func.func @main(%n: tensor<i32>) -> tensor<i32> {
    %five = stablehlo.constant dense<5> : tensor<i32>
    %fits = stablehlo.compare LT, %n, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%fits, %n) {error_message = "\\"n\\" is {0}, not below {1}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    return %n : tensor<i32>
  }`);
  assert.equal(executable.run([hlo.array(4, 's32')])[0].item(), 4);
  const fails = { name: 'RunError', message: /"n" is 7, not below \{1\}/ };
  assert.throws(() => executable.run([hlo.array(7, 's32')]), fails);
  const printed = hlo.compile(executable.module.print('stablehlo'));
  assert.throws(() => printed.run([hlo.array(7, 's32')]), fails);
});

test('in a worker', async () => {
  const far = await loadWorker();
  const executable = await far.compile(doubled);
  for (const n of [2, 5]) {
    const x = await far.array(new Float32Array(3 * n), { shape: [n, 3] });
    const [y] = await executable.run([x]);
    assert.deepEqual([...y.dims], [n, 3]);
  }
  const two = await executable.specialize(['f32[2,3]']);
  assert.match(await two.print(), /f32\[2,3\]/);
  await assert.rejects(far.parse(doubled), { code: 'open program' });
  await far.terminate();
});

test('sizes computed with arith, tensor and shape, as torch-mlir and MHLO write them', () => {
  const scale = hlo.compile(`func.func @main(%arg0: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %c0 = arith.constant 0 : index
  %c3_i64 = arith.constant 3 : i64
  %cst = stablehlo.constant dense<2.0> : tensor<f32>
  %dim = tensor.dim %arg0, %c0 : tensor<?x3xf32>
  %0 = arith.index_cast %dim : index to i64
  %sizes = tensor.from_elements %0, %c3_i64 : tensor<2xi64>
  %1 = stablehlo.dynamic_broadcast_in_dim %cst, %sizes, dims = [] : (tensor<f32>, tensor<2xi64>) -> tensor<?x3xf32>
  %2 = stablehlo.multiply %arg0, %1 : tensor<?x3xf32>
  return %2 : tensor<?x3xf32>
}`);
  const sum =
    hlo.compile(`func.func @main(%a: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = shape.shape_of %a : tensor<?x?xf32> -> tensor<2xindex>
  %1 = shape.shape_of %b : tensor<?xf32> -> tensor<1xindex>
  %2 = shape.broadcast %0, %1 : tensor<2xindex>, tensor<1xindex> -> tensor<2xindex>
  %3 = stablehlo.dynamic_broadcast_in_dim %a, %2, dims = [0, 1] : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %4 = stablehlo.dynamic_broadcast_in_dim %b, %2, dims = [1] : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %5 = stablehlo.add %3, %4 : tensor<?x?xf32>
  %n = shape.num_elements %2 : tensor<2xindex> -> index
  %s = tensor.from_elements %n : tensor<1xindex>
  %6 = stablehlo.dynamic_reshape %5, %s : (tensor<?x?xf32>, tensor<1xindex>) -> tensor<?xf32>
  return %6 : tensor<?xf32>
}`);
  for (const rows of [1, 2, 4]) {
    const x = Array.from({ length: rows }, (_, i) => [i, 1, -i]);
    assert.deepEqual(
      scale.run([hlo.array(x, 'f32')])[0].toNested(),
      x.map((row) => row.map((v) => 2 * v)),
    );
    assert.deepEqual(
      sum.run([hlo.array(x, 'f32'), hlo.array([10, 20, 30], 'f32')])[0].toNested(),
      x.flatMap((row) => row.map((v, i) => v + 10 * (i + 1))),
    );
  }
  scale.dispose();
  sum.dispose();
});
