// The time of one eager addition of 16 numbers whose result is given back at once: what a call costs over its kernel, which
// takes nanoseconds. For this package and its peers with eager operations.
//   fork('calls.js', [name]) sends the µs.
import { measure } from './measure.js';

const CALLS = 1000; // for clocks
const numbers = () => Float32Array.from({ length: 16 }, (_, i) => i);

export const calls = {
  async 'hlo-wasm'() {
    const hlo = await (await import('../../web/bundle-index.js')).load();
    const [x, y] = [numbers(), numbers()].map((data) => hlo.array(data));
    return () => hlo.add(x, y).dispose();
  },

  async 'TF.js'() {
    const tf = await import('@tensorflow/tfjs-core');
    await import('@tensorflow/tfjs-backend-wasm');
    await tf.setBackend('wasm');
    const [x, y] = [numbers(), numbers()].map((data) => tf.tensor(data));
    return () => tf.add(x, y).dispose();
  },

  async 'jax-js'() {
    const { init, defaultDevice, numpy } = await import('@jax-js/jax');
    await init('wasm');
    defaultDevice('wasm');
    const [x, y] = [numbers(), numbers()].map((data) => numpy.array(data));
    return () => {
      const sum = numpy.add(x.ref, y.ref); // an operation takes its operands
      sum.blockUntilReady?.();
      sum.dispose();
    };
  },

  async 'numpy-ts'() {
    const { array, add } = await import('numpy-ts');
    const [x, y] = [numbers(), numbers()].map((data) => array([...data], 'float32'));
    return () => add(x, y).dispose();
  },
};

const call = await calls[process.argv[2]]();
const [{ median }] = await measure([
  {
    run() {
      for (let i = 0; i < CALLS; i++) call();
    },
  },
]);
process.send((median / CALLS) * 1e3, () => process.exit());
