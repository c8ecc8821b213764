// Functions of np at a million elements beside NumPy's on one core, by time_numpy.py in the Python that HLO_PYTHON names or else python3, and
// beside the peers of numpy_peers.js.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { load } from '../../web/index.js';
import { measure } from './measure.js';
import { callOf, openPeers } from './numpy_peers.js';

const N = 1_000_000;

/** In JavaScript, and in Python where that is not the same. Inputs are those of inputsOf(). @type {[string, string?][]} */
const calls = [
  ['np.add(x, y)'],
  ['np.exp(x)'],
  ['np.power(b4, x)'],
  ['np.power(b4, 2.5)'],
  ['np.cbrt(x)'],
  ['np.arctan2(x, y)'],
  ['np.clip(x, -1, 1)'],
  ['np.nanmax(x)'],
  ['np.leftShift(i, k)', 'np.left_shift(i, k)'],
  ['np.exp2(x)'],
  ['np.copysign(x, y)'],
  ['np.sinc(x)'],
  ['np.frexp(x)'],
  ['np.heaviside(x, y)'],
  ['np.gcd(i, j)'],
  ['np.sum(x)'],
  ['np.std(x)'],
  ['np.argmax(x)'],
  ['np.cumsum(x)'],
  ['np.nancumsum(x)'],
  ['np.nanmedian(x)'],
  ['np.median(x)'],
  ['np.quantile(x, 0.3)'],
  ['np.sort(x)'],
  ['np.argsort(x)'],
  ['np.unique(i)'],
  ['np.unique(x)'],
  ['np.isin(i, j)'],
  ['np.union1d(i, j)'],
  ['np.intersect1d(i, j)'],
  ['np.bincount(i)'],
  ['np.digitize(x, edges)'],
  ['np.histogram(x)'],
  ['np.histogram(x, { bins: 100 })', 'np.histogram(x, bins=100)'],
  ['np.histogram(x, edges)'],
  ['np.histogram2d(x, y)'],
  ['np.searchsorted(edges, x)'],
  ['np.interp(x, edges, values)'],
  ['np.nonzero(b)'],
  ['np.extract(b, x)'],
  ['np.where(b, x, y)'],
  ['np.select([b], [x], 0)', 'np.select([b], [x], 0)'],
  ['np.place(x, b, values)', '(lambda z: np.place(z, b, values))(x.copy())'],
  ['np.take(x, i)'],
  ['np.diff(x)'],
  ['np.gradient(x)'],
  ['np.trapezoid(x)'],
  ['np.convolve(x, values)'],
  ['np.polyval(values, x)'],
  ['np.polyfit(x, y, 3)'],
  ['np.unwrap(x)'],
  ['np.cross(rows, columns)'],
  ['np.kron(edges, y1000)'],
  ['np.rot90(m)'],
  ['np.roll(x, 5)'],
  ['np.flip(x)'],
  ['np.delete(x, 5)'],
  ['np.insert(x, 5, 1)'],
  ['np.tril(m)'],
  ['np.diagonal(m)', 'np.diagonal(m).copy()'],
  ['np.packbits(b)'],
  ['np.unpackbits(u)'],
  ['np.corrcoef(m)'],
  ['np.linspace(0, 1, 1000000)'],
  ['np.geomspace(1, 1000, 1000000)'],
];

/** @returns {Record<string, { type: string, dtype: string, dims: number[], data: ArrayBufferView }>} */
function inputsOf() {
  let seed = 1;
  const next = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  const floats = (size, f = normal) => Float32Array.from({ length: size }, f);
  const of = (data, type, dtype, dims = [data.length]) => ({ data, type, dtype, dims });
  const f32 = (data, dims) => of(data, 'f32', 'float32', dims);
  const whole = () =>
    of(
      Int32Array.from({ length: N }, () => next() * 1000),
      's32',
      'int32',
    );
  return {
    ...{ x: f32(floats(N)), y: f32(floats(N)), m: f32(floats(N), [1000, 1000]) },
    ...{ i: whole(), j: whole(), y1000: f32(floats(1000)), values: f32(floats(50)) },
    b4: f32(floats(N, () => 4 * next())),
    k: of(
      Int32Array.from({ length: N }, () => next() * 8),
      's32',
      'int32',
    ),
    edges: f32(floats(50, (_, i) => i / 8 - 3)),
    rows: f32(floats(999_999), [333_333, 3]),
    columns: f32(floats(999_999), [333_333, 3]),
    b: of(
      Uint8Array.from({ length: N }, () => next() * 2),
      'pred',
      'bool',
    ),
    u: of(
      Uint8Array.from({ length: N / 8 }, () => next() * 256),
      'u8',
      'uint8',
    ),
  };
}

/** NumPy's process: its version, undefined without one, and how long an expression takes. @param {ReturnType<typeof inputsOf>} inputs */
async function openNumpy(inputs) {
  const script = fileURLToPath(new URL('time_numpy.py', import.meta.url));
  const child = spawn(process.env.HLO_PYTHON ?? 'python3', [script], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = new Promise((resolve) => child.on('error', () => resolve({ done: true })));
  const next = async () => JSON.parse((await Promise.race([lines.next(), ended])).value ?? '{}');
  const { version } = await next();
  const bytes = Object.entries(inputs).map(([name, { dtype, dims, data }]) => {
    const text = Buffer.from(data.buffer).toString('base64');
    return [name, [dtype, dims, text]];
  });
  if (version) child.stdin.write(`${JSON.stringify({ inputs: Object.fromEntries(bytes) })}\n`);
  return {
    version,
    async time(expression) {
      child.stdin.write(`${JSON.stringify({ expression })}\n`);
      return (await next()).ms;
    },
    close: () => child.kill(),
  };
}

/**
 * Yields the names of the others, NumPy first, and then of each call the least ms, ours and theirs: what else the machine does comes
 * on top.
 * @returns {AsyncGenerator<{ names: string[] } | { call: string, ours: number, theirs: (number | undefined)[] }>}
 */
export async function* numpyTimes() {
  const hlo = await load();
  const inputs = inputsOf();
  const arrays = Object.entries(inputs).map(([name, { type, dims, data }]) => [
    name,
    hlo.array(data.buffer, { type, shape: dims }),
  ]);
  const numpy = await openNumpy(inputs);
  const peers = await openPeers(inputs);
  yield {
    names: [`NumPy ${numpy.version ?? '(there is none)'}`, ...peers.map(({ name }) => name)],
  };
  for (const [call, python = call] of calls) {
    const run = new Function('np', ...arrays.map(([name]) => name), `return ${call}`);
    const args = [hlo.np, ...arrays.map(([, array]) => array)];
    const once = () => void hlo.tidy(() => void run(...args));
    const numbers = hlo.tidy(() => [run(...args)].flat()[0].toTypedArray());
    const theirs = [];
    for (const peer of peers) theirs.push(await callOf(peer, call, numbers));
    const contestants = [once, ...theirs].filter(Boolean).map((run) => ({ run }));
    const times = (await measure(contestants, 300)).map(({ least }) => least);
    yield {
      call,
      ours: times.shift(),
      theirs: [
        numpy.version && (await numpy.time(python)),
        ...theirs.map((one) => one && times.shift()),
      ],
    };
  }
  numpy.close();
}
