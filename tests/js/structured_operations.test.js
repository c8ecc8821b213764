// Operations with windows, indices, groups and state from JavaScript: each against a small result worked out by hand.
// What the operations mean is tested in tests/ops; here it is how arguments arrive.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HloError, load, ShapeError } from '../../web/index.js';

const hlo = await load();
const f32 = (/** @type {any} */ data) => hlo.array(data, 'f32');
const s32 = (/** @type {any} */ data) => hlo.array(data, 's32');
const nested = (/** @type {any[]} */ arrays) => arrays.map((x) => x.toNested());
const matrix = f32([
  [1, 2, 3],
  [4, 5, 6],
]);

test('convolutions', () => {
  const image = f32([[[[1, 2, 3], [4, 5, 6], [7, 8, 9]]]]); // prettier-ignore
  const kernel = f32([[[[1, 0], [0, 1]]]]); // prettier-ignore
  assert.deepEqual(hlo.conv(image, kernel).toNested(), [[[[6, 8], [12, 14]]]]); // prettier-ignore
  assert.deepEqual(hlo.conv(image, kernel, [1, 1], 'SAME').dims, [1, 1, 3, 3]);
  assert.deepEqual(hlo.conv(image, kernel, [2, 2], 'SAME').toNested(), [[[[6, 3], [7, 9]]]]); // prettier-ignore
  const padded = hlo.conv(image, kernel, [3, 3], [[1, 0], [0, 2]]); // prettier-ignore
  assert.deepEqual(padded.toNested(), [[[[2, 0]]]]); // prettier-ignore
  const flat = hlo.conv(f32([[[1], [2], [3]]]), f32([[[1]], [[10]]]), [1], 'VALID', {
    dimensionNumbers: 'b0f_0io->b0f',
    rhsDilation: [2],
    windowReversal: [true],
  });
  assert.deepEqual(flat.toNested(), [[[13]]]);
  const numbers = {
    inputBatchDimension: 0,
    inputSpatialDimensions: [1],
    inputFeatureDimension: 2,
    kernelSpatialDimensions: [0],
    kernelInputFeatureDimension: 1,
    kernelOutputFeatureDimension: 2,
    outputBatchDimension: 0,
    outputSpatialDimensions: [1],
    outputFeatureDimension: 2,
  };
  const grouped = hlo.convGeneralDilated(f32([[[1, 2], [3, 4]]]), f32([[[10, 100]]]), {
    dimensionNumbers: numbers,
    featureGroupCount: 2,
    lhsDilation: [2],
    strides: [1],
    type: 'f64',
  }); // prettier-ignore
  assert.equal(grouped.type, 'f64');
  assert.deepEqual(grouped.toNested(), [[[10, 200], [0, 0], [30, 400]]]); // prettier-ignore
  assert.throws(() => hlo.conv(image, kernel, [1, 1], 'FULL'), ShapeError);
  assert.throws(() => hlo.conv(image, kernel, [1]), ShapeError);
  assert.throws(() => hlo.conv(image, f32([1])), HloError);
});

test('windows', () => {
  const options = { windowDimensions: [1, 2], windowStrides: [1, 1] };
  assert.deepEqual(hlo.reduceWindow(matrix, 0, 'add', options).toNested(), [
    [3, 5],
    [9, 11],
  ]);
  const same = hlo.reduceWindow(matrix, -Infinity, 'max', { ...options, padding: 'SAME' });
  assert.deepEqual(same.toNested(), [
    [2, 3, 3],
    [5, 6, 6],
  ]);
  const [sums, counts] = hlo.reduceWindow(
    [matrix, s32([[1, 1, 1], [1, 1, 1]])],
    [0, 0],
    (/** @type {any} */ a, /** @type {any} */ n, /** @type {any} */ b, /** @type {any} */ m) => [
      hlo.add(a, b),
      hlo.add(n, m),
    ],
    { windowDimensions: [2, 1], windowDilations: [1, 1], padding: [[1, 0], [0, 0]] },
  ); // prettier-ignore
  assert.deepEqual(nested([sums, counts]).map(String), ['1,2,3,5,7,9', '1,1,1,2,2,2']);
  const pooled = hlo.selectAndScatter(matrix, f32([[10, 20]]), 0, 'ge', 'add', {
    windowDimensions: [2, 2],
    windowStrides: [1, 1],
  });
  assert.deepEqual(pooled.toNested(), [
    [0, 0, 0],
    [0, 10, 20],
  ]);
  assert.throws(() => hlo.reduceWindow(matrix, 0, 'add', { windowDimensions: [2] }), ShapeError);
});

test('batch normalisation', () => {
  const x = f32([[1, 10], [3, 30]]); // prettier-ignore
  const [y, mean, variance] = hlo.batchNormTraining(x, f32([1, 2]), f32([0, 1]), 0, 1);
  assert.deepEqual(nested([mean, variance]), [
    [2, 20],
    [1, 100],
  ]);
  assert.deepEqual(y.toNested(), [
    [-1, -1],
    [1, 3],
  ]);
  const same = hlo.batchNormInference(x, f32([1, 2]), f32([0, 1]), mean, variance, 0, 1);
  assert.deepEqual(same.toNested(), y.toNested());
  const gradients = hlo.batchNormGrad(x, f32([1, 1]), mean, variance, x, 0, -1 + 2);
  assert.deepEqual(gradients.map((/** @type {any} */ g) => g.dims), [[2, 2], [2], [2]]); // prettier-ignore
  assert.deepEqual(gradients[2].toNested(), [4, 40]);
});

test('scatter of many single elements, of which some are outside', () => {
  const rows = 7;
  const columns = 90;
  const count = 700;
  const numbers = Array.from({ length: count }, (_, i) => [(i * 5) % 9, ((i * i) % 97) - 3]);
  const options = {
    insertedWindowDims: [0, 1],
    scatterDimsToOperandDims: [0, 1],
    indexVectorDim: 1,
  };
  for (const type of ['s8', 's16', 's32', 'u32', 's64', 'f16', 'f32', 'f64']) {
    const operand = hlo.convert(hlo.iota('s32', [rows, columns]), type);
    const updates = hlo.convert(hlo.iota('s32', [count]), type);
    for (const kind of ['s32', 's64', 'u32']) {
      const indices = hlo.convert(s32(numbers), kind);
      for (const combine of ['add', (/** @type {any} */ _, /** @type {any} */ update) => update]) {
        const expected = operand.toNested();
        const put = updates.toNested();
        for (const [i, [row, column]] of numbers.entries()) {
          if (row >= rows || column < 0 || column >= columns) continue;
          let sum = expected[row][column] + put[i];
          if (type === 's8') sum = (sum << 24) >> 24;
          expected[row][column] = combine === 'add' ? sum : put[i];
        }
        const result = hlo.scatter(operand, indices, updates, combine, options);
        assert.deepEqual(result.toNested(), expected, `${type} ${kind}`);
      }
    }
  }
});

test('scatter of rows, short and long ones, into arrays that caches hold and that they do not', () => {
  // 1300 index vectors, of which some are outside and many the same, in more than one go.
  const starts = Array.from({ length: 1300 }, (_, i) => ((i * 7919) % 1009) - 3);
  for (const rows of [1000, 70_000]) {
    for (const [type, row] of /** @type {[string, number][]} */ ([
      ['s8', 2],
      ['s16', 8],
      ['s32', 3],
      ['u32', 4],
      ['s64', 2],
      ['u64', 5],
      ['f32', 2],
      ['f32', 17],
      ['f32', 40],
      ['f64', 2],
      ['f64', 9],
      ['c64', 3],
    ])) {
      const small = (/** @type {number} */ length) =>
        hlo.convert(hlo.array(Int8Array.from({ length }, (_, i) => (i % 11) - 5)), type);
      const operand = hlo.reshape(small(rows * row), [rows, row]);
      const updates = hlo.reshape(small(starts.length * row), [starts.length, row]);
      const assign = (/** @type {any} */ _, /** @type {any} */ update) => update;
      for (const combine of ['add', 'maximum', 'minimum', assign]) {
        if (type === 'c64' && combine !== 'add' && combine !== assign) continue;
        const got = hlo.scatter(operand, s32(starts), updates, combine, {
          updateWindowDims: [1],
          insertedWindowDims: [0],
          scatterDimsToOperandDims: [0],
          indexVectorDim: 1,
        });
        const [expected, put] = [operand, updates].map((x) => x.toTypedArray());
        const width = expected.length / rows; // two numbers to a complex one
        for (const [i, start] of starts.entries()) {
          if (start < 0 || start >= rows) continue;
          for (let j = 0; j < width; j++) {
            const to = start * width + j;
            const from = put[i * width + j];
            const there = expected[to];
            if (combine === 'add') expected[to] = there + from;
            else if (combine === assign || there < from === (combine === 'maximum'))
              expected[to] = from;
          }
        }
        assert.deepEqual(got.toTypedArray(), expected, `${type}[${rows},${row}]`);
        got.dispose();
      }
      operand.dispose();
      updates.dispose();
    }
  }
});

test('scatter of largest and smallest numbers, NaNs, and zeros of both signs', () => {
  const special = [NaN, -0, 0, 1, -Infinity];
  const [left, right] = [0, 1].map((side) => {
    const pairs = special.flatMap((a) => special.map((b) => (side === 0 ? a : b)));
    return hlo.array(Float32Array.from([...pairs, ...pairs.slice(0, 5)]), { shape: [10, 3] });
  });
  for (const combine of ['maximum', 'minimum']) {
    const got = hlo.scatter(left, s32(Array.from({ length: 10 }, (_, i) => i)), right, combine, {
      updateWindowDims: [1],
      insertedWindowDims: [0],
      scatterDimsToOperandDims: [0],
      indexVectorDim: 1,
    });
    assert.deepEqual(got.toTypedArray(), hlo[combine](left, right).toTypedArray(), combine);
  }
});

test('rows of an operand that no cache holds', () => {
  const values = Float32Array.from({ length: 6_600_000 }, (_, i) => i);
  for (const row of [33, 128, 1030]) {
    const count = Math.floor(values.length / row);
    const operand = hlo.array(values.subarray(0, count * row), {
      type: 'f32',
      shape: [count, row],
    });
    const starts = Array.from({ length: 1003 }, (_, i) => ((i * 7919 * 13) % (count + 99)) - 50);
    const got = hlo.gather(operand, s32(starts), {
      offsetDims: [1],
      collapsedSliceDims: [0],
      startIndexMap: [0],
      indexVectorDim: 1,
      sliceSizes: [1, row],
    });
    const expected = new Float32Array(starts.length * row);
    for (const [i, start] of starts.entries()) {
      const at = Math.max(0, Math.min(start, count - 1)) * row;
      expected.set(values.subarray(at, at + row), i * row);
    }
    assert.ok(
      Buffer.from(expected.buffer).equals(Buffer.from(got.toTypedArray().buffer)),
      `rows of ${row}`,
    );
    operand.dispose();
    got.dispose();
  }
});

test('gather, scatter, slices in one dimension', () => {
  const rows = hlo.gather(matrix, s32([[1], [0], [1]]), {
    offsetDims: [1],
    collapsedSliceDims: [0],
    startIndexMap: [0],
    indexVectorDim: 1,
    sliceSizes: [1, 3],
  });
  assert.deepEqual(rows.toNested(), [
    [4, 5, 6],
    [1, 2, 3],
    [4, 5, 6],
  ]);
  const options = {
    updateWindowDims: [1],
    insertedWindowDims: [0],
    scatterDimsToOperandDims: [0],
    indexVectorDim: 1,
  };
  const added = hlo.scatter(matrix, s32([[1], [1], [7]]), rows, 'add', options);
  assert.deepEqual(added.toNested(), [
    [1, 2, 3],
    [9, 12, 15],
  ]);
  const [first, second] = hlo.scatter(
    [matrix, matrix],
    s32([[0]]),
    [f32([[9, 9, 9]]), f32([[8, 8, 8]])],
    (/** @type {any} */ _a, /** @type {any} */ _b, /** @type {any} */ u, /** @type {any} */ v) => [
      u,
      v,
    ],
    options,
  );
  assert.deepEqual([first.item(0, 0), second.item(0, 2), second.item(1, 0)], [9, 8, 4]);
  assert.deepEqual(hlo.sliceInDim(matrix, 0, 3, 2, -1).toNested(), [
    [1, 3],
    [4, 6],
  ]);
  assert.deepEqual(hlo.dynamicSlice(matrix, [1, 9], [1, 2]).toNested(), [[5, 6]]);
  assert.deepEqual(hlo.dynamicUpdateSlice(matrix, f32([[0]]), [0, s32(1)]).toNested(), [
    [1, 0, 3],
    [4, 5, 6],
  ]);
});

test('sorting and the largest', () => {
  const x = f32([3, NaN, 1, -0, 0]);
  assert.deepEqual([...hlo.sort(x).toTypedArray()], [-0, 0, 1, 3, NaN]);
  assert.deepEqual([...hlo.sort(x, { comparator: 'gt' }).toTypedArray()], [NaN, 3, 1, 0, -0]);
  const [keys, order] = hlo.sort([s32([2, 1, 2, 1]), s32([0, 1, 2, 3])], { isStable: true });
  assert.deepEqual(nested([keys, order]).map(String), ['1,1,2,2', '1,3,0,2']);
  const descending = hlo.sort(matrix, {
    dimension: 0,
    comparator: (/** @type {any} */ a, /** @type {any} */ b) => hlo.gt(a, b),
  });
  assert.deepEqual(descending.toNested(), [
    [4, 5, 6],
    [1, 2, 3],
  ]);
  assert.deepEqual(nested(hlo.topK(f32([5, 1, 9]), 2)).map(String), ['9,5', '2,0']);
  assert.throws(() => hlo.sort(matrix, { comparator: 'upwards' }), HloError);
});

test('random numbers', () => {
  const state = hlo.array(new BigUint64Array([1n, 2n]));
  const [next, bits] = hlo.rngBitGenerator('rng_philox', state, 'u32', [4]);
  assert.deepEqual([next.type, bits.dims], ['u64', [4]]);
  assert.notDeepEqual(next.toNested(), state.toNested());
  const uniform = hlo.rngUniform(2, 3, 'f32', [1000]).toTypedArray();
  assert.ok(uniform.every((/** @type {number} */ u) => u >= 2 && u < 3));
  assert.ok(new Set(uniform).size > 900);
  const normal = hlo.rngNormal(0, 1, 'f32', [1000]).toTypedArray();
  const mean = normal.reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b) / 1000;
  assert.ok(Math.abs(mean) < 0.2, `the mean is ${mean}`);
  assert.throws(() => hlo.rngBitGenerator('dice', state, 'u32', [4]), HloError);
});

test('calls, and what the program asks the host for', () => {
  assert.equal(hlo.call((/** @type {any} */ x) => hlo.add(x, x), f32(2)).toNested(), 4);
  assert.deepEqual(nested(hlo.optimizationBarrier([f32(1), f32(2)])), [1, 2]);
  assert.equal(hlo.customCall('Sharding', f32(3), 'f32[]').toNested(), 3);
  assert.throws(() => hlo.customCall('nobody', f32(3), 'f32[]'), /nobody/);
  assert.equal(hlo.getDimensionSize(matrix, -1).toNested(), 3);
});

test('replicas: built here, run together', () => {
  const builder = hlo.builder('replicas');
  const main = builder.computation('main');
  const x = /** @type {any} */ (main.parameter('f32[2]'));
  const groups = { replicaGroups: [[0, 1]] };
  const roots = main.trace(() => hlo.array([1], 's32'), []);
  const root = main.add('tuple', [
    hlo.allReduce(x, 'add', groups),
    hlo.crossReplicaSum(x),
    hlo.allGather(x, 0, 2, groups),
    hlo.reduceScatter(x, 'max', 0, 2, groups),
    hlo.allToAll(x, 0, 0, 2, groups),
    hlo.collectivePermute(x, [
      [0, 1],
      [1, 0],
    ]),
    hlo.collectiveBroadcast(x, { replicaGroups: [[1, 0]] }),
    hlo.collectiveBroadcast(x, { ...groups, roots }),
    hlo.collectiveReduce(x, 'add', groups),
    hlo.collectiveReduce(x, 'max', { ...groups, roots }),
    ...main.trace(() => [hlo.replicaId(), hlo.partitionId()], []),
  ]);
  const executable = builder.build(main, root).compile();
  const results = executable.runReplicas([[f32([1, 20])], [f32([3, 4])]]).map(nested);
  assert.deepEqual(results.map(String), [
    '4,24,4,24,1,20,3,4,3,1,3,3,4,3,4,3,4,4,24,0,0,0,0',
    '4,24,4,24,1,20,3,4,20,20,4,1,20,3,4,3,4,0,0,3,20,1,0',
  ]);
});

test('infeed and outfeed, built here', () => {
  const builder = hlo.builder('feeds');
  const main = builder.computation('main');
  const data = main.trace(() => {
    const [x, next] = hlo.infeed(hlo.afterAll(), 'f32[2]');
    hlo.outfeed([hlo.neg(x)], next);
    return x;
  }, []);
  const executable = builder.build(main, data).compile();
  /** @type {any[]} */
  const out = [];
  const [result] = executable.run([], {
    infeed: [[f32([1, 2])]],
    onOutfeed: (arrays) => out.push(...nested(arrays)),
  });
  assert.deepEqual([result.toNested(), out], [[1, 2], [[-1, -2]]]);
});

test("XlaBuilder's further names", () => {
  const x = hlo.array([0, 1, -2], 'f32');
  assert.deepEqual(
    hlo
      .atan(x)
      .toNested()
      .map((y) => y.toFixed(6)),
    [0, 1, -2].map((y) => Math.atan(y).toFixed(6)),
  );
  assert.equal(hlo.convertElementType(x, 's8').type, 's8');
  assert.equal(hlo.bitcastConvertType(x, 'u32').item(1), 0x3f800000);
  assert.deepEqual(hlo.concatInDim([x, x], 0).dims, [6]);
  const image = hlo.iota('f32', [1, 1, 3, 3], 2);
  const kernel = hlo.array(
    [
      [
        [
          [1, 1],
          [1, 1],
        ],
      ],
    ],
    'f32',
  );
  const padding = [
    [0, 1],
    [1, 0],
  ];
  const labels = 'bf01_oi01->bf01';
  const want = hlo.conv(image, kernel, [1, 1], padding).toNested();
  assert.deepEqual(hlo.convWithGeneralPadding(image, kernel, [1, 1], padding).toNested(), want);
  assert.deepEqual(
    hlo.convWithGeneralDimensions(image, kernel, [1, 1], padding, labels).toNested(),
    want,
  );
  assert.deepEqual(hlo.convGeneral(image, kernel, [1, 1], padding, labels).toNested(), want);
  const composite = hlo.jit((a) =>
    hlo.compositeCall((b) => hlo.neg(b), a, 'my.op', '{n = 1 : i32}', 2),
  );
  assert.deepEqual(composite(x).toNested(), [-0, -1, 2]);
  assert.match(
    composite.lower(x).print(),
    /is_composite=true, frontend_attributes=\{composite\.attributes=\{n = 1 : i32\},composite\.name="my\.op",composite\.version="2"\}/,
  );
  assert.throws(() => hlo.compositeCall((b) => b, x, 'f', 'n'), /braces/);
  const [a, b] = hlo.tuple([x, image]);
  assert.deepEqual(
    [a.dims, b.dims, hlo.getTupleElement([b, a], 1).item(2) === -2],
    [[3], [1, 1, 3, 3], true],
  );
  assert.throws(() => hlo.getTupleElement([a], 1), /no element 1/);
});

test('operations that exist as instructions can be called from JavaScript', () => {
  // Made by the engine itself, by parsers, or by passes; not what a person writes.
  const internal =
    /^(parameter|constant|tuple|get-tuple-element|bitcast|fusion|domain|add-dependency|(copy|async)-(start|done|update)|.*-(start|done)|collective-permute-start)$/;
  const names = new Set(Object.keys(hlo).map((name) => name.toLowerCase()));
  const spelled = /** @type {Record<string, string>} */ ({
    convolution: 'conv',
    'opt-barrier': 'optimizationBarrier',
    rng: 'rngUniform',
  });
  const missing = hlo.ops
    .map((op) => op.name)
    .filter((name) => !internal.test(name))
    .filter((name) => !names.has((spelled[name] ?? name).replaceAll('-', '').toLowerCase()));
  assert.deepEqual(missing, []);
});

test('scan', () => {
  const rows = hlo.array(
    [
      [1, 10],
      [2, 20],
      [3, 30],
    ],
    'f32',
  );
  const start = hlo.array([0, 100], 'f32');
  const sum = (x, carried) => [hlo.mul(x, x), hlo.add(x, carried)];
  const nested = (list) => list.map((x) => x.toNested());
  const squares = [
    [1, 100],
    [4, 400],
    [9, 900],
  ];
  assert.deepEqual(nested(hlo.scan(sum, rows, start)), [squares, [6, 160]]);
  const running = (x, carried) => [carried, hlo.add(x, carried)];
  assert.deepEqual(nested(hlo.scan(running, rows, start, { reverse: true })), [
    [
      [5, 150],
      [3, 130],
      [0, 100],
    ],
    [6, 160],
  ]);
  assert.deepEqual(hlo.scan((x) => hlo.neg(x), rows, [], { dimension: 1 }).toNested(), [
    [-1, -10],
    [-2, -20],
    [-3, -30],
  ]);
  const traced = hlo.jit((x, c) => hlo.scan(sum, x, c)[1]);
  assert.deepEqual(traced(rows, start).toNested(), [6, 160]);
  assert.throws(() => hlo.scan(sum, rows, start, { dimension: 2 }), { name: 'ShapeError' });
});
