// Mistakes that must not compile: each line after a @ts-expect-error. tests/js/mistakes.test.js compiles this file.
import { load } from 'hlo-wasm';
const { np, nn, special, ...rest } = await load();
const hlo = await load();
const x = hlo.array([
  [1, 2],
  [3, 4],
]);
const executable = hlo.compile('');
const module = hlo.parse('');
void rest;
const less = (i: typeof x) => hlo.lt(i, 3);
const one = (_: typeof x) => 1;
const asynchronous = async (i: typeof x) => hlo.add(i, 1);
// @ts-expect-error
hlo.array([1], 'float31');
// @ts-expect-error
hlo.array([1], { dtype: 'float32' });
// @ts-expect-error
hlo.array([1], { type: 'int' });
// @ts-expect-error
hlo.array([1], { shape: 4 });
// @ts-expect-error
hlo.array(new Date());
// @ts-expect-error
hlo.convert(x, 'float');
// @ts-expect-error
hlo.convert(x);
// @ts-expect-error
hlo.iota('f33', [3]);
// @ts-expect-error
hlo.iota([3], 'f32');
// @ts-expect-error
hlo.bitcastConvert(x, 'word');
// @ts-expect-error
hlo.add(x);
// @ts-expect-error
hlo.add(x, 'one');
// @ts-expect-error
hlo.add([1, 2], x);
// @ts-expect-error
hlo.add(x, 1, { broadcast: [0] });
// @ts-expect-error
hlo.linspace(0, 1);
// @ts-expect-error
hlo.dot_general(x, x, {});
// @ts-expect-error
np.dotGeneral(x, x);
// @ts-expect-error
np.relu(x);
// @ts-expect-error
np.expand_dims(x, 0);
// @ts-expect-error
nn.sum(x);
// @ts-expect-error
special.relu(x);
// @ts-expect-error
hlo.reduce(x, 0, 'plus');
// @ts-expect-error
hlo.reduce(x, 0, async (a, b) => hlo.add(a, b));
// @ts-expect-error
hlo.reduce(x, 0, (a, b) => 'sum');
// @ts-expect-error
hlo.reduce(x, 0, 'add', 0);
// @ts-expect-error
hlo.reduce(x, 'add', 0);
// @ts-expect-error
hlo.reduce([x, x], [0, 0], (a, b, c, d) => [a, b])[2];
// @ts-expect-error
hlo.reduce(x, 0, 'add').nothing;
// @ts-expect-error
hlo.sort(x, { comparator: 'less' });
// @ts-expect-error
hlo.sort(x, { dim: 0 });
// @ts-expect-error
hlo.sort([x, x])[2];
// @ts-expect-error
hlo.topK(x, 1)[2];
// @ts-expect-error
hlo.topK(x, '1');
// @ts-expect-error
hlo.while(one, less, x);
// @ts-expect-error
hlo.while(less, asynchronous, x);
// @ts-expect-error
hlo.while(less, one, x);
// @ts-expect-error
hlo.scan((a) => 'a', x);
// @ts-expect-error
hlo.scan(async (a) => a, x);
// @ts-expect-error
hlo.conditional(true, [() => x]);
// @ts-expect-error
hlo.conditional(x, [async () => x]);
// @ts-expect-error
hlo.conditional(x, () => x);
// @ts-expect-error
hlo.call((a) => 5, x);
// @ts-expect-error
hlo.transpose(x, '0, 1');
// @ts-expect-error
hlo.slice(x, 0, 1);
// @ts-expect-error
hlo.concatenate(x, x);
// @ts-expect-error
hlo.compare(x, x, 'GEQ');
// @ts-expect-error
hlo.fft(x, 'FORWARD', [2]);
// @ts-expect-error
hlo.jit(async (a) => hlo.neg(a));
// @ts-expect-error
hlo.jit(async (a: typeof x, n: number) => hlo.mul(a, n));
// @ts-expect-error
hlo.jit((a) => hlo.neg(a))('text');
// @ts-expect-error
hlo.jit((a) => hlo.neg(a))();
// @ts-expect-error
hlo.jit((a) => a.nothing);
// @ts-expect-error
hlo.jit((a) => a, { statics: [0] });
// @ts-expect-error
x.shape.text;
// @ts-expect-error
x.shape = [4];
// @ts-expect-error
x.xla.texts;
// @ts-expect-error
x.mul(2);
// @ts-expect-error
x.add('2');
// @ts-expect-error
x.sum('0');
// @ts-expect-error
x.mean({ keepDims: true });
// @ts-expect-error
x.reshape('2, 2');
// @ts-expect-error
x.astype('int');
// @ts-expect-error
x.at({ start: 1 });
// @ts-expect-error
x.at(undefined);
// @ts-expect-error
x.set();
// @ts-expect-error
x.set(0, 'one');
// @ts-expect-error
x.item('0');
// @ts-expect-error
x.toTypedArray(new Float32Array(4));
// @ts-expect-error
x.toTypedArray({ out: new Float32Array(4) });
// @ts-expect-error
x.toTypedArray({ into: [0] });
// @ts-expect-error
x.T();
// @ts-expect-error
np.sum(x, { axes: 0 });
// @ts-expect-error
np.zeros([2], 'f31');
// @ts-expect-error
np.take(x, 0, { mode: 'error' });
// @ts-expect-error
executable.run(x);
// @ts-expect-error
executable.run([x], { onProgress: () => {} }).then();
// @ts-expect-error
module.compile({ optimise: true });
// @ts-expect-error
x.set(0);
// @ts-expect-error
x.addAt([1]);
// @ts-expect-error
hlo.jit((a: typeof x) => 'text');
// @ts-expect-error
hlo.jit((a: typeof x) => void hlo.add(a, 1));
// @ts-expect-error
hlo.jit((a: typeof x, n: number) => a.size + n);
// @ts-expect-error
hlo.exp(x, 'best');
// @ts-expect-error
np.random.randint(np.random.key(0), 0, 10, [3]);
// @ts-expect-error
hlo.tidy(() => x, 1);
