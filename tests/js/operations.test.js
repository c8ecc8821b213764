// Operations from JavaScript: eager, traced, with both forms of broadcasting; and the list of their types.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { HloError, load, ShapeError } from '../../web/index.js';
import { operationsOf } from '../../web/operations.js';

const hlo = await load();
const matrix = hlo.array(
  [
    [1, 2, 3],
    [4, 5, 6],
  ],
  'f32',
);
const f32 = (data) => hlo.array(data, 'f32');

test("the seed's broadcasting examples", () => {
  assert.deepEqual(hlo.add(matrix, 7).toNested(), [
    [8, 9, 10],
    [11, 12, 13],
  ]);
  assert.deepEqual(hlo.add(matrix, f32([7, 8, 9]), { broadcastDimensions: [1] }).toNested(), [
    [8, 10, 12],
    [11, 13, 15],
  ]);
  assert.throws(() => hlo.add(matrix, f32([7, 8, 9])), ShapeError);
  assert.throws(() => hlo.add(matrix, f32([7, 8, 9]), { broadcastDimensions: [0] }), ShapeError);
  assert.deepEqual(hlo.add(f32([[1], [2]]), f32([[10, 20, 30]])).toNested(), [
    [11, 21, 31],
    [12, 22, 32],
  ]);
  const composed = hlo.add(f32([1, 2, 3, 4]), f32([[5, 6]]), { broadcastDimensions: [0] });
  assert.deepEqual(composed.toNested(), [
    [6, 7],
    [7, 8],
    [8, 9],
    [9, 10],
  ]);
  const cube = hlo.reshape(hlo.iota('f32', [12]), [4, 3, 1]);
  assert.deepEqual(
    hlo.add(cube, f32([[100, 200]]), { broadcastDimensions: [1, 2] }).dims,
    [4, 3, 2],
  );
});

test('moving elements', () => {
  assert.deepEqual(hlo.transpose(matrix).toNested(), [
    [1, 4],
    [2, 5],
    [3, 6],
  ]);
  assert.deepEqual(hlo.reshape(matrix, [3, 2]).toNested(), [
    [1, 2],
    [3, 4],
    [5, 6],
  ]);
  assert.deepEqual(hlo.collapse(matrix, [0, 1]).dims, [6]);
  assert.deepEqual(hlo.slice(matrix, [0, 1], [2, 3]).toNested(), [
    [2, 3],
    [5, 6],
  ]);
  assert.deepEqual(hlo.slice(matrix, [0, 0], [2, 3], [1, 2]).toNested(), [
    [1, 3],
    [4, 6],
  ]);
  assert.deepEqual(hlo.concatenate([matrix, matrix], -1).dims, [2, 6]);
  assert.deepEqual(
    hlo.pad(f32([1, 2]), f32(0), { low: [1], high: [-1], interior: [1] }).toNested(),
    [0, 1, 0],
  );
  assert.deepEqual(hlo.rev(matrix, [1]).toNested(), [
    [3, 2, 1],
    [6, 5, 4],
  ]);
  assert.deepEqual(hlo.broadcast(f32([1, 2]), [2]).toNested(), [
    [1, 2],
    [1, 2],
  ]);
  assert.deepEqual(hlo.broadcastInDim(f32([[1], [2]]), [2, 3], [0, 1]).toNested(), [
    [1, 1, 1],
    [2, 2, 2],
  ]);
  assert.deepEqual(hlo.iota('s32', [2, 2], 1).toNested(), [
    [0, 1],
    [0, 1],
  ]);
});

test('arithmetic, comparing, choosing, converting', () => {
  assert.deepEqual(hlo.div(hlo.array([7, -7], 's32'), 0).toNested(), [-1, -1]);
  assert.deepEqual(hlo.max(f32([1, NaN, -0]), f32([2, 1, 0])).toNested(), [2, NaN, 0]);
  assert.deepEqual(hlo.gt(matrix, 3).toNested(), [
    [false, false, false],
    [true, true, true],
  ]);
  assert.deepEqual(hlo.compare(f32([NaN]), f32([NaN]), 'eq', { type: 'TOTALORDER' }).toNested(), [
    true,
  ]);
  assert.deepEqual(
    hlo.select(hlo.array([true, false]), f32([1, 2]), f32([3, 4])).toNested(),
    [1, 4],
  );
  assert.deepEqual(hlo.clamp(2, f32([1, 2, 3]), 2.5).toNested(), [2, 2, 2.5]);
  assert.deepEqual(hlo.convert(f32([1.5, 300, NaN]), 'u8').toNested(), [1, 255, 0]);
  assert.deepEqual(hlo.bitcastConvert(f32([1]), 'u8').dims, [1, 4]);
  assert.deepEqual(hlo.bitcastConvert(hlo.bitcastConvert(f32([1]), 'u8'), 'f32').toNested(), [1]);
});

test('programs of operations that get functions are kept unless the functions use arrays from outside', () => {
  const kept = (body) => {
    const before = hlo.memory.inUse;
    hlo.reduce(matrix, 0, body, [1]).dispose();
    const first = hlo.memory.inUse;
    hlo.reduce(matrix, 0, body, [1]).dispose();
    assert.equal(hlo.memory.inUse, first);
    return first > before;
  };
  assert.ok(kept(hlo.add));
  assert.ok(kept('add'));
  assert.ok(kept((a, b) => hlo.add(a, b)));
  const zero = hlo.array(0, 'f32');
  assert.ok(!kept((a, b) => hlo.add(hlo.add(a, b), zero)));
  const add = (a, b) => hlo.mul(a, b); // has the name of an operation
  assert.deepEqual(hlo.reduce(matrix, 1, add, [1]).toNested(), [6, 120]);
});

test('dots and reductions', () => {
  assert.deepEqual(hlo.dot(matrix, hlo.transpose(matrix)).toNested(), [
    [14, 32],
    [32, 77],
  ]);
  const batch = { lhsBatch: [0], rhsBatch: [0], lhsContracting: [1], rhsContracting: [1] };
  assert.deepEqual(hlo.dotGeneral(matrix, matrix, batch).toNested(), [14, 77]);
  assert.deepEqual(
    hlo
      .dotGeneral(hlo.array([100, 100], 's8'), hlo.array([100, 100], 's8'), {
        lhsContracting: [0],
        rhsContracting: [0],
        type: 's32',
      })
      .toNested(),
    20000,
  );
  assert.equal(hlo.reduce(matrix, f32(0), 'add').toNested(), 21);
  assert.deepEqual(hlo.reduce(matrix, f32(0), (a, b) => hlo.add(a, b), [0]).toNested(), [5, 7, 9]);
  const [best, where] = hlo.reduce(
    [matrix, hlo.iota('s32', [2, 3], 1)],
    [f32(-Infinity), hlo.array(0, 's32')],
    (a, i, b, j) => [hlo.max(a, b), hlo.select(hlo.ge(a, b), i, j)],
    [1],
  );
  assert.deepEqual(
    [best.toNested(), [...where.toTypedArray()]],
    [
      [3, 6],
      [2, 2],
    ],
  );
  assert.deepEqual(hlo.map([matrix, matrix], 'mul').toNested(), [
    [1, 4, 9],
    [16, 25, 36],
  ]);
});

test('loops and branches', () => {
  const [i, x] = hlo.while(
    (i) => hlo.lt(i, 5),
    (i, x) => [hlo.add(i, 1), hlo.mul(x, 2)],
    [hlo.array(0, 's32'), f32([1, 3])],
  );
  assert.deepEqual([i.toNested(), x.toNested()], [5, [32, 96]]);
  for (const [index, want] of [
    [0, 11],
    [1, 20],
    [7, 20],
    [-1, 20],
  ])
    assert.equal(
      hlo
        .conditional(
          hlo.array(index, 's32'),
          [(a) => hlo.add(a, 1), (b) => hlo.mul(b, 2)],
          [f32(10), f32(10)],
        )
        .toNested(),
      want,
    );
  assert.equal(
    hlo.conditional(hlo.array(true), [(a) => hlo.neg(a), (a) => a], [f32(1), f32(2)]).toNested(),
    -1,
  );
});

test('errors leave the engine usable', () => {
  const before = hlo.memory.inUse;
  const vector = f32([1, 2]);
  for (let i = 0; i < 100; i++) {
    assert.throws(() => hlo.add(matrix, vector, { broadcastDimensions: [1] }), ShapeError);
    assert.throws(() => hlo.slice(matrix, [0, 0], [9, 9]), ShapeError);
    assert.throws(() => hlo.transpose(matrix, [0, 0]), ShapeError);
    assert.throws(() => hlo.reshape(matrix, [5]), ShapeError);
    assert.throws(() => hlo.dot(matrix, matrix), ShapeError);
  }
  assert.ok(hlo.memory.inUse < before + 200000, 'memory of failed operations is freed');
  assert.deepEqual(hlo.add(matrix, matrix).item(0, 0), 2);
});

test('operands that are no arrays say what to do', () => {
  const integers = hlo.array([1], 's32');
  for (const [call, what] of [
    [() => hlo.add(integers, [1]), /a list: make it an array with hlo\.array\(\)/],
    [() => hlo.add(integers, new Int32Array(1)), /an Int32Array: make it an array/],
    [() => hlo.add(1, 2), /numbers stand only beside an array/],
    [() => hlo.add(integers, 1.5), /1\.5 beside an operand of shape s32\[1\]/],
    [() => hlo.add(hlo.array([1], 'u8'), 300), /300 is out of the range of u8/],
    [() => hlo.add(integers, 'x'), HloError],
    [() => hlo.add(integers, null), HloError],
    [() => hlo.add(integers), /rhs is missing/],
    [
      () => hlo.neg(integers, integers),
      /neg\(x\) takes 1 argument, got 2: an HloArray is too many/,
    ],
    [() => hlo.add(integers, 1, 1), /add takes options as an object, .*, got 1/],
  ])
    assert.throws(call, what);
  assert.equal(hlo.add(integers, 2n).item(0), 3);
  assert.deepEqual(hlo.and(hlo.array([true, false]), true).toNested(), [true, false]);
});

test('the types list the operations that there are', () => {
  const text = readFileSync(new URL('../../web/signatures.js', import.meta.url), 'utf8');
  const unions = [
    ...text.matchAll(/@typedef \{(['\s*|\w]+)\} (?:Unary|Inexact|Binary)Name/g),
  ].flatMap(([, union]) => [...union.matchAll(/'(\w+)'/g)].map(([, name]) => name));
  const structural = [...text.matchAll(/@property \{.*\} (\w+)/g)].map(([, name]) => name);
  const elementwise = hlo.ops.flatMap((op) => (op.elementwise ? [[op.name, op.minOperands]] : []));
  const made = Object.keys(operationsOf(/** @type {any} */ ({ elementwise })));
  const declared = new Set(
    [...unions, ...structural].filter((name) => name !== 'broadcastDimensions'),
  );
  assert.deepEqual(
    made.filter((name) => !declared.has(name)),
    [],
    'operations without types',
  );
  assert.deepEqual(
    [...declared].filter((name) => !made.includes(name)),
    [],
    'types without operations',
  );
});

test('elements of arrays that take small and large chunks', () => {
  const n = 3 * (1 << 18) + 16389;
  const numbers = Float32Array.from({ length: n }, (_, i) => i % 1021);
  const [a, b] = [hlo.array(numbers), hlo.array(numbers.toReversed())];
  const values = hlo.add(a, b).toTypedArray();
  const wrong = values.findIndex((x, i) => x !== (i % 1021) + ((n - 1 - i) % 1021));
  assert.equal(wrong, -1);
  for (const array of [a, b]) array.dispose();
});
