// Batch norms of many elements, which are compiled as elementwise operations and sums, against the oracle, which
// computes them in f64.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import { randomNumbers } from './random_program.js';

const hlo = await load();
const random = randomNumbers(5);
const tolerances = { f32: 4e-5, f64: 1e-12, bf16: 2e-2, f16: 2e-3 };
const size = (dims) => dims.reduce((product, n) => product * n, 1);

/** @returns {string} a program of one batch norm, or of one with something before and behind it */
function program(kind, type, dims, feature) {
  const array = `${type}[${dims}]`;
  const vector = `${type}[${dims[feature]}]`;
  const attributes = `epsilon=0.001, feature_index=${feature}`;
  const parameters = `x = ${array} parameter(0)
  scale = ${vector} parameter(1)
  offset = ${vector} parameter(2)
  mean = ${vector} parameter(3)
  v = ${vector} parameter(4)
  variance = ${vector} abs(v)
  g = ${array} parameter(5)`;
  const tuple = `(${array}, ${vector}, ${vector})`;
  const bodies = {
    inference: `ROOT y = ${array} batch-norm-inference(x, scale, offset, mean, variance), ${attributes}`,
    training: `ROOT y = ${tuple} batch-norm-training(x, scale, offset), ${attributes}`,
    grad: `ROOT y = ${tuple} batch-norm-grad(x, scale, mean, variance, g), ${attributes}`,
    between: `e = ${array} tanh(x)
  y = ${array} batch-norm-inference(e, scale, offset, mean, variance), ${attributes}
  ROOT z = ${array} maximum(y, g)`,
  };
  return `HloModule m\nENTRY e {\n  ${parameters}\n  ${bodies[kind]}\n}`;
}

test('batch norms of many elements', () => {
  const shapes = [
    [[8, 16, 16, 6], 3],
    [[4, 7, 20, 30], 1],
    [[5000, 3], 1],
    [[2, 4097], 0],
    [[6000], 0],
  ];
  for (const type of Object.keys(tolerances)) {
    for (const [dims, feature] of shapes) {
      for (const kind of ['inference', 'training', 'grad', 'between']) {
        hlo.tidy(() => {
          const numbers = (shape) => {
            const values = Float64Array.from({ length: size(shape) }, () => 3 * random() - 1);
            return hlo.convert(hlo.array(values, { shape }), type);
          };
          const vectors = Array.from({ length: 4 }, () => numbers([dims[feature]]));
          const inputs = [numbers(dims), ...vectors, numbers(dims)];
          const module = hlo.parse(program(kind, type, dims, feature));
          const executable = module.compile();
          assert.doesNotMatch(executable.print(), /batch-norm/);
          const wanted = module.compile({ reference: true }).run(inputs);
          for (const [k, got] of executable.run(inputs).entries()) {
            const [a, b] = [got, wanted[k]].map((r) => hlo.convert(r, 'f64').toTypedArray());
            const most = b.reduce((largest, n) => Math.max(largest, Math.abs(n)), 1);
            for (const [i, n] of a.entries()) {
              const off = Math.abs(n - b[i]) / most;
              assert.ok(off <= tolerances[type], `${kind} ${type}[${dims}]: ${n}, not ${b[i]}`);
            }
          }
        });
      }
    }
  }
});
