// The way to a first 2x2 dot, for this package and its peers, in Node and, for some, in pages. Each is written out, without
// the adapters, so that nothing else is loaded.
const modules = '/tests/bench/node_modules/'; // as pages see them
const [a, b] = [
  [1, 2, 3, 4],
  [5, 6, 7, 8],
];

export const starts = {
  empty: () => [19, 22, 43, 50],

  async 'hlo-wasm'() {
    const { load } = await import('../../web/bundle-index.js');
    const hlo = await load();
    const [x, y] = [a, b].map((data) => hlo.array(Float32Array.from(data), { shape: [2, 2] }));
    return hlo.dot(x, y).toTypedArray();
  },

  async 'TF.js'() {
    const tf = await import('@tensorflow/tfjs-core');
    const { setWasmPaths } = await import('@tensorflow/tfjs-backend-wasm');
    if (typeof document !== 'undefined')
      setWasmPaths(`${modules}@tensorflow/tfjs-backend-wasm/dist/`);
    await tf.setBackend('wasm');
    return tf.matMul(tf.tensor(a, [2, 2]), tf.tensor(b, [2, 2])).dataSync();
  },

  async ORT() {
    const { InferenceSession, Tensor, env } = await import('onnxruntime-web');
    const { Graph } = await import('./onnx.js');
    env.wasm.numThreads = 1;
    const graph = new Graph();
    const [x, y] = ['a', 'b'].map((name) => graph.input(name, 'float32', [2, 2]));
    const product = graph.op('MatMul', [x, y]);
    graph.output(product, 'float32', [2, 2]);
    const session = await InferenceSession.create(graph.model(), { executionProviders: ['wasm'] });
    const feed = (data) => new Tensor('float32', Float32Array.from(data), [2, 2]);
    return (await session.run({ a: feed(a), b: feed(b) }))[product].data;
  },

  async 'jax-js'() {
    const { init, defaultDevice, numpy } = await import('@jax-js/jax');
    await init('wasm');
    defaultDevice('wasm');
    const [x, y] = [a, b].map((data) => numpy.array(Float32Array.from(data), { shape: [2, 2] }));
    return numpy.matmul(x, y).data();
  },

  async 'numpy-ts'() {
    const { array, matmul } = await import('numpy-ts');
    return matmul(array(a, 'float32').reshape(2, 2), array(b, 'float32').reshape(2, 2)).data;
  },
};

/** Throws unless it is the product. @param {ArrayLike<number>} product */
export function checkProduct(product) {
  if (String(Array.from(product)) !== '19,22,43,50') throw new Error(`wrong: ${product}`);
}
