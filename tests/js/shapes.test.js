// Shapes from JavaScript, as XLA's page "Shapes and layout" has them: ranks, numbers of dimensions, places in memory, padding.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, Shape, ShapeError } from '../../web/index.js';
import { loadWorker } from '../../web/worker/index.js';

const hlo = await load();

test('ranks, sizes and numbers of dimensions', () => {
  const shape = hlo.shape('f32[4,1,3]');
  assert.ok(shape instanceof Shape);
  assert.equal(shape.rank, 3);
  assert.equal(shape.trueRank, 2);
  assert.equal(shape.elementCount, 12);
  assert.deepEqual(
    [0, 1, 2, -1, -2, -3].map((d) => shape.getDimension(d)),
    [4, 1, 3, 3, 1, 4],
  );
  assert.deepEqual(
    [0, 2, -1, -3].map((d) => shape.getDimensionNumber(d)),
    [0, 2, 2, 0],
  );
  assert.throws(() => shape.getDimension(3), /dimension 3 is out of range for f32\[4,1,3\]/);
  assert.throws(() => shape.getDimension(-4), ShapeError);
  assert.throws(
    () => shape.getDimension(/** @type {any} */ ('x')),
    /dimension is an integer, got "x"/,
  );
  const scalar = hlo.shape('s32[]');
  assert.deepEqual([scalar.rank, scalar.trueRank, scalar.elementCount], [0, 0, 1]);
  assert.equal(String(hlo.shape('f32', [2, 3], [0, 1])), 'f32[2,3]{0,1}');
  assert.equal(String(hlo.shape('f32', [2, 3], [-2, -1])), 'f32[2,3]{0,1}');
  const tuple = hlo.shape('(f32[2], (s32[], pred[3]))');
  assert.equal(tuple.elements?.[1].elements?.[1].rank, 1);
  assert.throws(() => tuple.rank, /\(f32\[2\], \(s32\[\], pred\[3\]\)\) has no dimensions/);
  assert.ok(
    Object.isFrozen(shape) && Object.isFrozen(shape.dims) && Object.isFrozen(shape.strides),
  );
});

/** All indices into an array of these sizes. @param {number[]} dims @returns {number[][]} */
const indices = ([size, ...rest]) =>
  size === undefined
    ? [[]]
    : Array.from({ length: size }).flatMap((_, i) => indices(rest).map((index) => [i, ...index]));

test('indices and places in memory are what a relayout does', () => {
  for (const [
    dims,
    minorToMajor,
    paddedDimensions,
  ] of /** @type {[number[], number[], number[]?][]} */ ([
    [
      [2, 3],
      [1, 0],
    ],
    [
      [2, 3],
      [0, 1],
    ],
    [
      [2, 3],
      [0, 1],
      [3, 5],
    ],
    [
      [4, 1, 3],
      [1, 2, 0],
      [4, 2, 7],
    ],
    [
      [2, 3, 2, 2],
      [2, 0, 3, 1],
    ],
    [[5], [0], [8]],
    [[], []],
  ])) {
    const shape = hlo.shape('s32', dims, { minorToMajor, paddedDimensions });
    const count = dims.reduce((product, size) => product * size, 1);
    const array = hlo.reshape(hlo.iota('s32', [count]), dims);
    const memory = array.toTypedArray({
      layout: { minorToMajor, paddedDimensions, paddingValue: '-1' },
    });
    const seen = new Set();
    indices(dims).forEach((index, i) => {
      const linear = shape.linearIndex(index);
      assert.equal(memory[linear], i, `${shape} at ${index}`);
      assert.deepEqual(shape.multiIndex(linear), index);
      seen.add(linear);
    });
    for (let linear = 0; linear < memory.length; linear++)
      if (!seen.has(linear)) assert.equal(shape.multiIndex(linear), null, `${shape} at ${linear}`);
    assert.throws(() => shape.multiIndex(memory.length), /is no place in the memory of s32/);
  }
});

test("the page's example of padding", () => {
  const letters = hlo.array(
    [
      [1, 2, 3],
      [4, 5, 6],
    ],
    's32',
  );
  const layout = { minorToMajor: [0, 1], paddedDimensions: [3, 5], paddingValue: 'ZERO_PAD' };
  assert.deepEqual(
    [...letters.toTypedArray({ layout })],
    [1, 4, 0, 2, 5, 0, 3, 6, 0, 0, 0, 0, 0, 0, 0],
  );
  assert.equal(letters.withLayout(layout).xla.layout.paddingValue, 'ZERO_PAD');
});

test('named padding values of all types', () => {
  const paddingOf = (/** @type {string} */ type, /** @type {string} */ paddingValue) => {
    const padded = hlo.array(`${type}[0]{0:P(1;${paddingValue})} {}`);
    const bytes = padded.toTypedArray({ layout: padded.xla.layout });
    const plain = hlo.array(bytes, { type, shape: [1] });
    return plain.toNested()[0];
  };
  const integers = hlo.types.filter((type) => /signed/.test(type.class));
  for (const { name, bits, class: kind } of integers) {
    const isSigned = kind === 'signed';
    const highest = 2n ** BigInt(isSigned ? bits - 1 : bits) - 1n;
    const want = {
      ZERO_PAD: 0n,
      ONE_PAD: 1n,
      LOWEST_PAD: isSigned ? -highest - 1n : 0n,
      HIGHEST_PAD: highest,
    };
    // The one bit of s1 is its sign.
    for (const [value, is] of Object.entries(want))
      if (bits > 1 || value !== 'ONE_PAD')
        assert.equal(BigInt(paddingOf(name, value)), is, `${name} ${value}`);
  }
  for (const [name, highest, lowest = -highest] of /** @type {[string, number, number?][]} */ ([
    ...['f64', 'f32', 'bf16', 'f16', 'f8e5m2', 'f8e4m3', 'f8e3m4'].map((name) => [name, Infinity]),
    ['f8e4m3fn', 448],
    ['f8e4m3fnuz', 240],
    ['f8e4m3b11fnuz', 30],
    ['f8e5m2fnuz', 57344],
    ['f4e2m1fn', 6],
    ['f6e2m3fn', 7.5],
    ['f6e3m2fn', 28],
    ['f8e8m0fnu', 2 ** 127, 2 ** -127],
  ])) {
    assert.equal(paddingOf(name, 'HIGHEST_PAD'), highest, name);
    assert.equal(paddingOf(name, 'LOWEST_PAD'), lowest, name);
    assert.equal(paddingOf(name, 'ONE_PAD'), 1, name);
    if (name !== 'f8e8m0fnu') assert.equal(paddingOf(name, 'ZERO_PAD'), 0, name);
  }
  assert.deepEqual(
    ['ZERO_PAD', 'ONE_PAD', 'LOWEST_PAD', 'HIGHEST_PAD', 'UNKNOWN_PAD'].map((value) =>
      paddingOf('pred', value),
    ),
    [false, true, false, true, false],
  );
  assert.deepEqual(paddingOf('c64', 'ONE_PAD'), { re: 1, im: 0 });
  for (const value of ['LOWEST_PAD', 'HIGHEST_PAD'])
    assert.throws(() => paddingOf('c64', value), /is not of type c64/);
  assert.throws(
    () => paddingOf('f32', 'INVALID_PAD'),
    /the padding value 'INVALID_PAD' is not of type f32/,
  );
});

test('bad input', () => {
  const shape = hlo.shape('f32[2,3]');
  for (const [call, message] of /** @type {[() => any, RegExp][]} */ ([
    [
      () => shape.linearIndex([1]),
      /linearIndex: index is a list of 2 integers for f32\[2,3\], got one of 1/,
    ],
    [() => shape.linearIndex(/** @type {any} */ (3)), /got 3/],
    [() => shape.linearIndex([2, 0]), /linearIndex: 2 is no index into dimension 0 of f32\[2,3\]/],
    [() => shape.linearIndex([0, -1]), /-1 is no index into dimension 1/],
    [() => shape.linearIndex([0, 0.5]), /0.5 is no index/],
    [
      () => shape.multiIndex(6),
      /multiIndex: 6 is no place in the memory of f32\[2,3\], which has 6/,
    ],
    [() => shape.multiIndex(-1), /-1 is no place/],
    [() => shape.multiIndex(/** @type {any} */ ([0, 0])), /a list is no place/],
    [() => hlo.shape('f32[0]').multiIndex(0), /which has 0/],
    [() => /** @type {any} */ (shape).linearIndex([0, 0], 1), /takes 1 argument, got 2/],
  ]))
    assert.throws(call, message);
});

test('in a worker, too', async () => {
  const far = await loadWorker();
  const array = await far.array([
    [1, 2],
    [3, 4],
  ]);
  assert.ok(array.xla instanceof Shape);
  assert.equal((await array.withLayout([0, 1])).xla.linearIndex([1, 0]), 1);
  const shape = await far.shape('f32[2,3]{0,1}');
  assert.equal(shape.linearIndex([1, 1]), 3);
  const executable = await far.compile('ENTRY e { ROOT p = f32[2,1] parameter(0) }');
  assert.equal(executable.parameters[0].trueRank, 1);
  far.terminate();
});
