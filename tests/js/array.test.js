// Arrays from JavaScript's side: every element type and typed array in, layouts in and out, values, errors, memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { DisposedError, HloError, load, ParseError, ShapeError } from '../../web/index.js';

const hlo = await load();

test('nested lists, printed and read back', () => {
  const x = hlo.array(
    [
      [1, 2, 3],
      [4, 5, 6],
    ],
    'f32',
  );
  assert.equal(x.type, 'f32');
  assert.deepEqual(x.dims, [2, 3]);
  assert.equal(x.size, 6);
  assert.deepEqual(x.toNested(), [
    [1, 2, 3],
    [4, 5, 6],
  ]);
  assert.deepEqual(x.toTypedArray(), new Float32Array([1, 2, 3, 4, 5, 6]));
  assert.equal(x.item(1, -1), 6);
  assert.deepEqual(hlo.array(String(x)).toNested(), x.toNested());
});

test('several elements in a byte come out one by one', () => {
  for (const [type, bits] of [
    ['s4', 4],
    ['u2', 2],
    ['f4e2m1fn', 4],
    ['pred', 1],
  ]) {
    const values = type === 'pred' ? [true, false, true] : [1, 0, type === 's4' ? -3 : 1];
    const packed = hlo
      .compile(`ENTRY e { p = ${type}[3] parameter(0) ROOT r = ${type}[3]{0:E(${bits})} copy(p) }`)
      .run([hlo.array(values, type)])[0];
    assert.equal(packed.xla.text, `${type}[3]{0:E(${bits})}`);
    assert.deepEqual(packed.toNested(), values);
    assert.deepEqual(packed.toTypedArray(), hlo.array(values, type).toTypedArray());
    assert.equal(packed.item(2), values[2]);
    assert.deepEqual(hlo.convert(packed, 's32').toNested(), values.map(Number));
  }
});

test('every element type goes in and comes out', () => {
  const values = {
    pred: [true, false],
    signed: [-2, 1],
    unsigned: [3, 0],
    float: [0.5, -2],
    complex: [
      { re: 0.5, im: -2 },
      { re: 0, im: 1 },
    ],
  };
  for (const { name, class: kind, bytes, bits } of hlo.types) {
    if (kind === 'other' || name === 'f8e8m0fnu') continue;
    let list = values[kind];
    if (bits === 2) list = kind === 'signed' ? [-2, 1] : [3, 0];
    if (bytes === 8 && (kind === 'signed' || kind === 'unsigned')) list = list.map(BigInt);
    const x = hlo.array(list, name);
    assert.deepEqual(Array.from(x.toNested()), list, name);
    const again = hlo.array(x.toTypedArray(), { type: name, shape: [2] });
    assert.deepEqual(Array.from(again.toNested()), list, name);
    assert.deepEqual(Array.from(hlo.array(String(x)).toNested()), list, name);
  }
  assert.deepEqual(hlo.array([1, 2], 'f8e8m0fnu').toNested(), [1, 2]);
});

test('a typed array names its element type', () => {
  for (const [data, type] of [
    [new Int8Array(2), 's8'],
    [new Uint8Array(2), 'u8'],
    [new Uint8ClampedArray(2), 'u8'],
    [new Int16Array(2), 's16'],
    [new Uint16Array(2), 'u16'],
    [new Int32Array(2), 's32'],
    [new Uint32Array(2), 'u32'],
    [new BigInt64Array(2), 's64'],
    [new BigUint64Array(2), 'u64'],
    [new Float32Array(2), 'f32'],
    [new Float64Array(2), 'f64'],
    [Buffer.from([1, 2]), 'u8'], // what Node's files are
    [new (class Mine extends Float32Array {})(2), 'f32'],
  ])
    assert.equal(hlo.array(data).xla.text, `${type}[2]`);
  const part = new Float32Array([9, 1, 2, 9]).subarray(1, 3);
  assert.deepEqual(hlo.array(part).toNested(), [1, 2]);
});

test('buffers, shared memory, data views, and lists of typed arrays', () => {
  const values = new Float32Array([1, 2, 3, 4]);
  const shared = new SharedArrayBuffer(16);
  new Float32Array(shared).set(values);
  const unaligned = new Uint8Array(17);
  unaligned.set(new Uint8Array(values.buffer), 1);
  for (const data of [values.buffer, shared, new DataView(unaligned.buffer, 1)]) {
    assert.deepEqual(hlo.array(data, 'f32').toNested(), [1, 2, 3, 4]);
    const columns = hlo.array(data, { type: 'f32', shape: [2, 2], layout: [0, 1] });
    assert.deepEqual(columns.toNested(), [
      [1, 3],
      [2, 4],
    ]);
    assert.throws(() => hlo.array(data), /say what an? \w+ holds/);
    assert.throws(
      () => hlo.array(data, 'c128').toNested() && hlo.array(data, { type: 'f32', shape: [3] }),
      ShapeError,
    );
  }
  assert.throws(() => hlo.array(new ArrayBuffer(7), 'f32'), /7 bytes are no whole number/);
  const rows = hlo.array([values.subarray(0, 2), values.subarray(2)]);
  assert.equal(String(rows), 'f32[2,2] { { 1, 2 }, { 3, 4 } }');
  assert.equal(hlo.array([new Int16Array([1]), new Int16Array([2])]).type, 's16');
  assert.throws(() => hlo.array([values.subarray(0, 2), values.subarray(3)]), /ragged at \[1\]/);
});

test('reads into the pixels of an image', () => {
  const pixels = new Uint8ClampedArray(2);
  assert.equal(hlo.array([1, 255], 'u8').toTypedArray({ into: pixels }), pixels);
  assert.deepEqual([...pixels], [1, 255]);
  const signed = hlo.array([1, -1], 's8');
  assert.throws(() => signed.toTypedArray({ into: pixels }), /not into a Uint8ClampedArray/);
});

test('reads into memory that is there, shared or not', () => {
  const x = hlo.array(
    [
      [1, 2],
      [3, 4],
    ],
    'f32',
  );
  const into = new Float32Array(new SharedArrayBuffer(24), 4, 4);
  assert.equal(x.toTypedArray({ into, layout: [0, 1] }), into);
  assert.deepEqual([...into], [1, 3, 2, 4]);
  for (const wrong of [new Float32Array(3), new Int32Array(4), new Float64Array(2), {}])
    assert.throws(() => x.toTypedArray({ into: wrong }), /fits into a Float32Array of length 4/);
});

test('every pattern of the small floats is read exactly', () => {
  for (const { name, class: kind, bits } of hlo.types) {
    if (kind !== 'float' || bits > 16) continue;
    const patterns = Array.from({ length: 2 ** bits }, (_, i) => i);
    const x = hlo.array(bits > 8 ? Uint16Array.from(patterns) : Uint8Array.from(patterns), name);
    const wide = [...hlo.convert(x, 'f64').toTypedArray()];
    assert.deepEqual([...x.toNested()], wide, name);
    assert.deepEqual([x.item(1), x.item(-1)], [wide[1], wide.at(-1)], name);
  }
  assert.equal(hlo.array(new Uint8Array([1]), 'f8e4m3fn').item(0), 2 ** -9);
});

test('of a type that does not fill its byte the low bits count', () => {
  const same = hlo.jit((x) => hlo.eq(x, hlo.reverse(hlo.reverse(x, [0]), [0])));
  for (const [type, given, held] of /** @type {[string, any, number[]][]} */ ([
    ['s4', new Int8Array([15, -8, 100]), [-1, -8, 4]],
    ['u4', new Uint8Array([16, 255, 3]), [0, 15, 3]],
    ['s2', new Int8Array([3, -2, 5]), [-1, -2, 1]],
    ['u2', new Uint8Array([4, 255, 2]), [0, 3, 2]],
    ['f4e2m1fn', new Uint8Array([0xff, 0x17]), [-6, 6]],
    ['f6e3m2fn', new Uint8Array([0xff, 0x4c]), [-28, 1]],
  ])) {
    const x = hlo.array(given, { type });
    assert.deepEqual(x.toNested(), held);
    assert.deepEqual(hlo.array(String(x)).toTypedArray(), x.toTypedArray());
    assert.ok(same(x).toNested().every(Boolean), type);
  }
});

test('as number, text, JSON, single element, in the console', () => {
  const scalar = hlo.array(2.5);
  assert.deepEqual([+scalar, scalar > 2, scalar + 1, `${scalar}`], [2.5, true, 3.5, 'f32[] 2.5']);
  assert.deepEqual([scalar.item(), hlo.array([[7]], 's32').item()], [2.5, 7]);
  assert.equal(hlo.array(7n) + 1n, 8n);
  const x = hlo.array(
    [
      [1, -0],
      [Infinity, NaN],
    ],
    'f32',
  );
  assert.throws(() => x * 2, /hlo\.add/);
  assert.throws(() => +hlo.array({ re: 1, im: 2 }), ShapeError);
  assert.throws(() => x.item(), /one element; f32\[2,2\] has 4/);
  assert.equal('' + hlo.array([1, 2], 's32'), 's32[2] {1, 2}');
  assert.equal(
    JSON.stringify({ x, n: hlo.array([1n, 2n ** 60n]), z: hlo.array({ re: 1, im: 2 }) }),
    '{"x":[[1,0],[null,null]],"n":[1,"1152921504606846976"],"z":{"re":1,"im":2}}',
  );
  assert.equal(Object.prototype.toString.call(x), '[object HloArray]');
  assert.match(inspect(x), /^HloArray f32\[2,2\]\n\[\[ {7}1, {7}-0\],\n \[Infinity, {6}NaN\]\]$/);
  const large = inspect(hlo.iota('f32', [1000, 1000], 1));
  assert.match(large, /\[ {2}0, {3}1, {3}2, …, 997, 998, 999\],\n …,/);
  assert.ok(large.length < 500);
  assert.ok(
    inspect(hlo.array(new Float32Array(900)))
      .split('\n')
      .every((line) => line.length < 110),
  );
  assert.match(inspect(hlo), /^Hlo \{ build/);
  x.dispose();
  assert.equal(inspect(x), 'HloArray (disposed)');
});

test('shapes cannot be changed', () => {
  const x = hlo.neg(hlo.array([1, 2, 3], 'f32'));
  for (const change of [
    () => x.dims.push(1),
    () => (x.xla.layout.minorToMajor[0] = 5),
    () => (x.xla.type = 'f64'),
  ])
    assert.throws(change, TypeError);
});

test('of many shapes each array has its own, also the second time', () => {
  for (let round = 0; round < 2; round++)
    for (let n = 0; n < 400; n++) {
      const [first, again] = [0, 1].map(() => hlo.array(new Int16Array(2 * n), { shape: [n, 2] }));
      assert.deepEqual(
        [first.type, first.dims, again.type, again.dims],
        ['s16', [n, 2], 's16', [n, 2]],
      );
      first.dispose();
      assert.equal(again.toTypedArray().length, 2 * n);
      again.dispose();
      assert.throws(
        () => hlo.array(new Int16Array(2 * n + 1), { shape: [n, 2] }),
        /takes .* entries/,
      );
    }
  const column = hlo.array(Int8Array.of(1, 2, 3, 4), { shape: [2, 2], layout: [0, 1] });
  const row = hlo.array(Int8Array.of(1, 2, 3, 4), { shape: [2, 2] });
  assert.deepEqual([column.toNested(), row.toNested()], [[[1, 3], [2, 4]], [[1, 2], [3, 4]]]); // prettier-ignore
});

test('a flat list takes a shape; 64-bit integers keep their digits', () => {
  assert.deepEqual(hlo.array([1, 2, 3, 4], { shape: [2, 2] }).toNested(), [
    [1, 2],
    [3, 4],
  ]);
  assert.deepEqual(hlo.array([1n, 2n], { shape: [2, 1] }).toNested(), [[1n], [2n]]);
  assert.throws(
    () =>
      hlo.array(
        [
          [1, 2],
          [3, 4],
        ],
        { shape: [4] },
      ),
    ShapeError,
  );
  assert.equal(hlo.array([2 ** 60], 's64').item(0), 2n ** 60n);
  assert.throws(() => hlo.array([2 ** 63], 's64'), HloError);
  assert.equal(hlo.array(2 ** 63, 'u64').item(), 2n ** 63n);
});

test("the seed's layouts: a d b e c f, and padded a d 0 b e 0 c f 0 0 0 0 0 0 0", () => {
  const x = hlo.array(
    [
      [1, 2, 3],
      [4, 5, 6],
    ],
    'f32',
  );
  assert.deepEqual([...x.toTypedArray({ layout: [1, 0] })], [1, 2, 3, 4, 5, 6]);
  assert.deepEqual([...x.toTypedArray({ layout: [0, 1] })], [1, 4, 2, 5, 3, 6]);
  const padded = { minorToMajor: [0, 1], paddedDimensions: [3, 5], paddingValue: '0' };
  const memory = [1, 4, 0, 2, 5, 0, 3, 6, 0, 0, 0, 0, 0, 0, 0];
  assert.deepEqual([...x.toTypedArray({ layout: padded })], memory);
  const back = hlo.array(new Float32Array(memory), { shape: [2, 3], layout: padded });
  assert.deepEqual(back.toNested(), x.toNested());
  assert.deepEqual(back.xla.layout.paddedDimensions, [3, 5]);
  assert.deepEqual(
    [
      ...x
        .withLayout({ ...padded, paddingValue: '-inf' })
        .toTypedArray({ layout: { ...padded, paddingValue: '-inf' } }),
    ].slice(0, 4),
    [1, 4, -Infinity, 2],
  );
  assert.deepEqual(hlo.add(back, x).toNested(), [
    [2, 4, 6],
    [8, 10, 12],
  ]);
});

test('shapes are checked and described', () => {
  assert.equal(hlo.shape('f32', [2, 3], [0, 1]).text, 'f32[2,3]{0,1}');
  assert.equal(hlo.shape('f32[2,3]{1,0}').bytes, 24);
  assert.deepEqual(
    hlo.shape('(s32[], f32[<=4])').elements.map(({ text }) => text),
    ['s32[]', 'f32[<=4]'],
  );
  assert.throws(() => hlo.shape('f32[2,3'), ParseError);
  assert.throws(() => hlo.shape('f32', [2, 3], [0, 0]), ShapeError);
  assert.throws(() => hlo.shape('f32[4294967296,4294967296,4294967296]'), ShapeError);
});

test('empty arrays and scalars', () => {
  assert.deepEqual(hlo.array([], 'f32').toNested(), []);
  assert.deepEqual(hlo.array([[], []], 's32').dims, [2, 0]);
  assert.deepEqual(hlo.array(new Float32Array(0), { shape: [3, 0, 2] }).toNested(), [[], [], []]);
  assert.equal(hlo.array(7, 's32').toNested(), 7);
  assert.equal(hlo.array(7n, 's64').item(), 7n);
});

test('bad data is refused with a reason', () => {
  assert.throws(() => hlo.array([[1, 2], [3]]), /ragged at \[1\]/);
  assert.throws(() => hlo.array([1, [2]]), /ragged/);
  assert.throws(() => hlo.array([[1, 2], 3]), /ragged at \[1\]: an element, expected 2 entries/);
  // eslint-disable-next-line no-sparse-arrays
  assert.throws(
    () =>
      hlo.array(
        [
          [1, 2],
          [3, ,],
        ].map((row) => ((row.length = 2), row)),
      ),
    /cannot hold undefined, at \[1\]\[1\]/,
  );
  assert.throws(() => hlo.array([[1], [null]]), /cannot hold null, at \[1\]\[0\]/);
  assert.throws(() => hlo.array([hlo.array([1])]), /hlo\.concatenate/);
  assert.throws(() => hlo.array(hlo.array([1])), /an array already/);
  for (const shape of [[2.5], [-1], '2', 2])
    assert.throws(() => hlo.array(new Float32Array(2), { shape }), /list of sizes/);
  assert.throws(() => hlo.array(new Float32Array(2), 'bf16'), /hlo\.convert/);
  assert.throws(() => hlo.array(['a']), HloError);
  assert.throws(() => hlo.array([1], 'f33'), /no element type "f33"/);
  assert.throws(() => hlo.array([300], 'u8'), HloError);
  assert.throws(() => hlo.array([1.5], 's32'), HloError);
  assert.throws(() => hlo.array(new Float32Array(3), { shape: [2, 2] }), ShapeError);
  assert.throws(() => hlo.array(new Float32Array(2), { type: 's32' }), HloError);
  assert.throws(() => hlo.array([1, 2]).item(2), ShapeError);
  assert.throws(() => hlo.array([1, 2]).item(), ShapeError);
  assert.throws(() => hlo.array('f32[2] {1}'), ParseError);
});

test('memory that does not exist is an error, and the engine goes on', () => {
  assert.throws(() => hlo.array('f32[1000000000000]'), HloError);
  assert.throws(
    () => hlo.iota('f32', [1 << 30, 1 << 10]),
    (error) =>
      error.code === 'out of memory' && /\d MB are in use.*dispose\(\)/.test(error.message),
  );
  assert.deepEqual(hlo.add(hlo.array([1]), hlo.array([2])).toNested(), [3]);
});

test('disposing', () => {
  const before = hlo.memory.inUse;
  const x = hlo.array(new Float32Array(100000));
  assert.ok(hlo.memory.inUse > before + 400000 - 4096);
  x.dispose();
  x.dispose();
  assert.ok(hlo.memory.inUse < before + 65536);
  assert.throws(() => x.toNested(), DisposedError);
  assert.throws(() => hlo.add(x, x), DisposedError);
});

test('walks along the first dimension', () => {
  assert.deepEqual([...hlo.array([1, 2, 3], 's32')], [1, 2, 3]);
  assert.deepEqual([...hlo.array([[1], [2]], 'f32')], [[1], [2]]);
  assert.throws(() => [...hlo.array(1, 'f32')], ShapeError);
});

test('f16 is a Float16Array where that exists', () => {
  const x = hlo.array([0.5, -2], 'f16');
  const Float16Array = /** @type {any} */ (globalThis).Float16Array;
  const flat = x.toTypedArray();
  assert.equal(flat.constructor, Float16Array ?? Uint16Array);
  assert.deepEqual([...hlo.array(flat, { type: 'f16' }).toNested()], [0.5, -2]);
  assert.deepEqual([...hlo.array(new Uint16Array([0x3800]), 'f16').toNested()], [0.5]);
});

test('tidy frees what is not returned', () => {
  const before = hlo.memory.inUse;
  /** @type {any} */
  let inner;
  const { sum, parts } = hlo.tidy(() => {
    const x = hlo.array(new Float32Array(1000));
    inner = hlo.add(x, 1);
    const kept = hlo.tidy(() => [hlo.mul(inner, 2), hlo.neg(inner)]);
    return { sum: hlo.reduce(kept[0], 0, 'add'), parts: [kept[1]] };
  });
  assert.throws(() => inner.toNested(), DisposedError);
  assert.equal(sum.toNested(), 2000);
  assert.equal(parts[0].item(0), -1);
  sum.dispose();
  parts[0].dispose();
  assert.throws(
    () =>
      hlo.tidy(() => {
        inner = hlo.array([1], 'f32');
        throw new Error('out of here');
      }),
    /out of here/,
  );
  assert.throws(() => inner.dims && inner.toNested(), DisposedError);
  assert.throws(() => hlo.tidy(async () => 1), HloError);
  const old = hlo.array([1], 'f32');
  const [same, next] = hlo.tidy(() => [old, hlo.add(old, 1)], old);
  assert.equal(same.item(0), 1);
  assert.deepEqual(
    hlo.tidy(() => [hlo.add(same, 1)], same, next).map((x) => x.item(0)),
    [2],
  );
  assert.throws(() => same.item(0), DisposedError);
  assert.throws(() => next.item(0), DisposedError);
  assert.throws(() => hlo.tidy(() => null, /** @type {any} */ (1)), /used up are arrays, got 1/);
  assert.ok(hlo.memory.inUse - before < 200000, 'only programs are kept');
});

test('an array that a loop replaces is freed by tidy', () => {
  const add = hlo.jit((/** @type {any} */ x) => hlo.add(x, 1));
  let y = hlo.tidy(() => add(hlo.array(new Float32Array(1000))));
  const before = hlo.memory.inUse;
  for (let i = 0; i < 100; i++) y = hlo.tidy(() => add(y), y);
  assert.equal(y.item(0), 101);
  assert.ok(hlo.memory.inUse - before < 4000, 'one array is there');
});

test('a token is shown by its type', () => {
  const [token] = hlo.compile('ENTRY e { ROOT t = token[] after-all() }').run();
  assert.equal(String(token), 'token[]');
  assert.equal(inspect(token), 'HloArray token[]');
  token.dispose();
});

test('types have the names of NumPy and those of XLA, wherever one is an argument', () => {
  const names = { bool: 'pred', int4: 's4', uint8: 'u8', bfloat16: 'bf16', float32: 'f32' };
  Object.assign(names, { float8_e4m3fn: 'f8e4m3fn', complex128: 'c128' });
  const x = hlo.array([1, 0, 1], 'pred');
  for (const [dtype, type] of Object.entries(names)) {
    const made = hlo.array([1, 0, 1], dtype);
    assert.deepEqual([made.type, made.dtype], [type, dtype]);
    assert.equal(hlo.shape(dtype, [2]).text, `${type}[2]`);
    for (const name of [dtype, type])
      assert.deepEqual(
        [hlo.convert(x, name), hlo.np.astype(x, name), hlo.np.zeros([2], name)].map((y) => y.type),
        [type, type, type],
      );
  }
  assert.equal(hlo.iota('int32', [3]).type, 's32');
  assert.equal(hlo.bitcastConvert(hlo.array([1]), 'uint32').type, 'u32');
  assert.equal(hlo.rngUniform(0, 1, 'float64', [2]).type, 'f64');
  assert.equal(hlo.jit((y) => hlo.convert(y, 'float16'))(x).dtype, 'float16');
  const dims = { lhsContracting: [0], rhsContracting: [0], type: 'float64' };
  assert.equal(hlo.dotGeneral(hlo.array([1]), hlo.array([2]), dims).dtype, 'float64');
  assert.deepEqual([hlo.afterAll().type, hlo.afterAll().dtype], ['token', 'token']);
});

test('an array knows its shape as NumPy says it', () => {
  const x = hlo.array([
    [1, 2, 3],
    [4, 5, 6],
  ]);
  assert.deepEqual([x.shape, x.ndim, x.size, x.dtype], [[2, 3], 2, 6, 'float32']);
  assert.ok(Object.isFrozen(x.shape));
  hlo.jit((y) => {
    assert.deepEqual([y.shape, y.ndim, y.size, y.dtype], [[2, 3], 2, 6, 'float32']);
    return y;
  })(x);
});
