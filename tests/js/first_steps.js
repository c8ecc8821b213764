// What pages do with the engine, each a function of an engine and f32[2,2] { { 1, 2 }, { 3, 4 } }: for parts.test.js, by the
// part that must do it.
import assert from 'node:assert/strict';
import { HloError } from '../../web/index.js';
import { numpy } from '../../web/numpy/index.js';

/** Whether a mistake is told, and not that a part is absent. */
const isSaid = (error) => error instanceof HloError && error.code !== 'not loaded';

// What arrays alone do. More of each in common, below.
const first = {
  arrays: (hlo) => hlo.array([[1, 2]], 'f32').toNested(),
  elements: (hlo, x) => {
    for (const name of 'abs neg sqrt rsqrt exp log tanh logistic sin cos erf floor'.split(' '))
      hlo[name](x);
    for (const name of 'add sub mul div max min pow rem eq lt'.split(' ')) hlo[name](x, x);
    const i = hlo.convert(x, 's32');
    for (const name of 'add sub mul and or'.split(' ')) hlo[name](i, i);
    hlo.select(hlo.lt(x, 2), x, hlo.mul(x, x));
  },
  movement: (hlo, x) => {
    hlo.transpose(x, [1, 0]);
    hlo.reshape(x, [4]);
    hlo.slice(x, [0, 1], [2, 2]);
    hlo.concatenate([x, x], 1);
    hlo.broadcast(x, [3]);
  },
  products: (hlo, x) => hlo.dot(x, x),
  reductions: (hlo, x) => hlo.reduce(x, 0, 'add', [1]),
};

// Arrays and eager operations, of any size.
export const arrays = {
  ...first,
  printing: (hlo, x) => {
    assert.match(String(x), /3, 4/);
    assert.deepEqual(hlo.array('f32[2] {1, 2}').toNested(), [1, 2]);
  },
  large: (hlo, x) => {
    const big = hlo.broadcast(x, [300, 300]);
    hlo.exp(hlo.add(hlo.mul(big, 2), 1));
    assert.equal(hlo.reduce(big, 0, 'add', [0, 1, 2, 3]).toNested(), 900000);
    const square = hlo.convert(hlo.iota('s32', [512, 512], 0), 'f32');
    assert.equal(hlo.dot(square, square).item(1, 1), (512 * 511) / 2);
    hlo.transpose(square, [1, 0]);
    hlo.sin(hlo.mul(square, 1e6));
  },
  elements: (hlo, x) => {
    first.elements(hlo, x);
    const i = hlo.convert(x, 's32');
    for (const name of 'div rem max min xor'.split(' ')) hlo[name](i, i);
    for (const type of ['f32', 'f64', 's32', 'u8']) {
      const y = hlo.convert(x, type);
      for (const name of 'add sub mul div max min eq ne lt le gt ge'.split(' ')) hlo[name](y, y);
      hlo.select(hlo.lt(y, y), y, y);
    }
    for (const type of 'f16 bf16 f64 s8 s16 s32 s64 u8 u16 u32 pred'.split(' '))
      hlo.convert(hlo.convert(x, type), 'f32');
    const p = hlo.lt(x, 2);
    for (const name of 'and or xor eq'.split(' ')) hlo[name](p, p);
    hlo.not(p);
  },
  movement: (hlo, x) => {
    first.movement(hlo, x);
    hlo.reverse(x, [0]);
    hlo.iota('f32', [4]);
    hlo.dynamicSlice(x, [0, 1], [1, 1]);
  },
  products: (hlo, x) => {
    first.products(hlo, x);
    const whole = hlo.convert(x, 's32');
    hlo.dot(whole, whole);
  },
  reductions: (hlo, x) => {
    first.reductions(hlo, x);
    hlo.reduce(x, -Infinity, 'max', [0]);
    for (const type of ['f64', 's32'])
      for (const [name, start] of [
        ['add', 0],
        ['mul', 1],
        ['max', 0],
        ['min', 9],
      ])
        for (const dimensions of [[0], [1], [0, 1]])
          hlo.reduce(hlo.convert(x, type), start, name, dimensions);
  },
  builder: (hlo, x) => {
    const builder = hlo.builder('double');
    const at = builder.computation('main');
    const p = at.parameter('f32[2,2]');
    const module = builder.build(at, at.add('add', [p, p]));
    assert.deepEqual(module.compile().run([x])[0].toNested(), [
      [2, 4],
      [6, 8],
    ]);
  },
  numpy: (hlo, x) => {
    const np = numpy(hlo);
    np.sum(np.add(x, 1));
    np.mean(x);
  },
  customCalls: (hlo, x) => {
    hlo.registerCustomCall('twice', ([a]) => hlo.add(a, a));
    assert.deepEqual(hlo.customCall('twice', [x], 'f32[2,2]').toNested()[1], [6, 8]);
    assert.ok(hlo.memory.peak >= hlo.memory.inUse);
  },
  mistakes: (hlo, x) => {
    const refused = (attempt) => assert.throws(attempt, isSaid);
    refused(() => hlo.add(x, hlo.array([1, 2, 3])));
    refused(() => hlo.dot(x, hlo.array([1, 2, 3])));
    refused(() => hlo.reshape(x, [3]));
    refused(() => hlo.array(new Float32Array(3), { shape: [2, 2] }));
    refused(() => hlo.slice(x, [0, 0], [3, 3]));
    refused(() => hlo.array([1], { type: 'f32', shape: [2 ** 31, 2 ** 31, 2] }));
    const y = hlo.neg(x);
    y.dispose();
    refused(() => hlo.add(x, y));
  },
};

// What needs programs too.
export const programs = {
  jit: (hlo, x) => {
    const big = hlo.convert(hlo.reshape(hlo.iota('s32', [4096]), [64, 64]), 'f32');
    const softmax = hlo.jit((a) => {
      const e = hlo.exp(
        hlo.sub(a, hlo.reduce(a, -Infinity, 'max', [1]), { broadcastDimensions: [0] }),
      );
      return hlo.div(e, hlo.reduce(e, 0, 'add', [1]), { broadcastDimensions: [0] });
    });
    softmax(hlo.mul(big, 0.001));
    hlo.jit((a) => hlo.dot(a, big))(big);
  },
  windows: (hlo, x) => {
    const image = hlo.reshape(hlo.iota('f32', [64]), [1, 1, 8, 8]);
    const window = hlo.reshape(hlo.iota('f32', [9]), [1, 1, 3, 3]);
    hlo.conv(image, window, [1, 1], 'SAME');
    hlo.reduceWindow(x, 0, 'add', { windowDimensions: [2, 2] });
  },
  indices: (hlo, x) =>
    hlo.gather(x, hlo.array([1], 's32'), {
      offsetDims: [0],
      collapsedSliceDims: [0],
      startIndexMap: [0],
      indexVectorDim: 0,
      sliceSizes: [1, 2],
    }),
  text: (hlo, x) => {
    const program = hlo.compile(
      'ENTRY e { p = f32[2,2] parameter(0)  ROOT r = f32[4] reshape(p) }',
    );
    assert.deepEqual(program.run([x])[0].toNested(), [1, 2, 3, 4]);
  },
};

// What training, language models and images are made of, as JAX exports it: programs of jax_corpus.js, by area.
export const usual = {
  nn: 'relu softmax layer_norm gelu_exact cross_entropy embedding mlp_gradient mlp_bf16 adam cnn transformer_block_gradient lstm_gradient',
  gradients: 'move_gather move_at_add move_segment_sum power asin cbrt erf_inv convolution hessian',
  random: 'uniform normal randint dropout',
};
