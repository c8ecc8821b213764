// Work behind products, which runs on parts of their results: random dots and convolutions with random work on them,
// against the oracle. Operands are small integers, so that sums are exact and all bits must be the same.
// And that it does run on parts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomArray } from '../../web/cli/random.js';
import { load } from '../../web/index.js';
import { emittedCalls } from './emitted_calls.js';
import { compareWays } from './program_comparison.js';
import { randomInput, RandomProgram } from './random_program.js';
import { testPrograms } from './random_seeds.js';

const hlo = await load();

const helpers = `
largest { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] maximum(a, b) }
`;

class Program extends RandomProgram {
  add(dims, text, layout = '') {
    const name = `v${this.count++}`;
    this.lines.push(`  ${name} = f32[${dims}]${layout} ${text}`);
    return { name, dims };
  }
  parameter(dims) {
    this.inputs.push(randomInput('f32', dims, () => this.below(7) - 3));
    return this.add(dims, `parameter(${this.inputs.length - 1})`);
  }
  /** A dot with up to two batch dimensions; above and below the size from which kernels serve. */
  dot() {
    const batch = Array.from({ length: this.pick([0, 0, 1, 2]) }, () => 1 + this.below(4));
    const [m, n, k] = [
      1 + this.below(300),
      this.pick([1, 3, 7, 8, 12, 16, 40, 64, 128, 130, 300]),
      1 + this.below(40),
    ];
    const x = this.parameter([...batch, m, k]),
      w = this.parameter([...batch, k, n]);
    const dims = batch.map((_, d) => d);
    return this.add(
      [...batch, m, n],
      `dot(${x.name}, ${w.name}), lhs_batch_dims={${dims}}, rhs_batch_dims={${dims}}, ` +
        `lhs_contracting_dims={${batch.length + 1}}, rhs_contracting_dims={${batch.length}}`,
    );
  }
  convolution() {
    const [b, h, w] = [1 + this.below(3), 6 + this.below(20), 6 + this.below(20)];
    const [size, stride] = [this.pick([1, 3, 5]), this.pick([1, 1, 2])];
    const depthwise = this.below(4) === 0;
    const features = this.pick([8, 16, 24]),
      outputs = depthwise ? features : this.pick([1, 8, 20, 64]);
    const pad = this.below(size);
    const at = (n) => Math.floor((n + 2 * pad - size) / stride) + 1;
    const x = this.parameter([b, h, w, features]);
    const kernel = this.parameter([size, size, depthwise ? 1 : features, outputs]);
    const layout = this.pick(['', '', '{3,1,2,0}', '{1,2,3,0}']);
    return this.add(
      [b, at(h), at(w), outputs],
      `convolution(${x.name}, ${kernel.name}), window={size=${size}x${size} stride=${stride}x${stride} ` +
        `pad=${pad}_${pad}x${pad}_${pad}}, dim_labels=b01f_01io->b01f, feature_group_count=${depthwise ? features : 1}`,
      layout,
    );
  }
  broadcast(value, dims, dimensions) {
    return this.add(dims, `broadcast(${value.name}), dimensions={${dimensions}}`);
  }
  /** Elementwise work of one kind or another. */
  elementwise(value) {
    const { dims } = value,
      last = dims.length - 1;
    const second = [
      () => this.broadcast(this.parameter([dims[last]]), dims, [last]),
      () => this.broadcast(this.parameter([dims[0]]), dims, [0]),
      () => this.broadcast(this.add([], `constant(${this.pick(['0', '2', '-1.5'])})`), dims, []),
      () => this.parameter(dims),
      () => value,
    ];
    if (this.below(4) === 0)
      return this.add(dims, `${this.pick(['tanh', 'negate', 'logistic'])}(${value.name})`);
    const op = this.pick(['add', 'multiply', 'maximum', 'subtract']);
    return this.add(dims, `${op}(${value.name}, ${this.pick(second)().name})`);
  }
  reshape(value) {
    const { dims } = value;
    const count = dims.reduce((a, b) => a * b, 1),
      last = dims.at(-1);
    const to = this.pick([
      [count / last, last],
      [count],
      [...dims.slice(0, -1), 1, last],
      [dims[0], count / dims[0]],
    ]);
    return this.add(to, `reshape(${value.name})`);
  }
  /** Less the largest of each row, as softmax does. */
  lessLargest(value) {
    const { dims } = value,
      rows = dims.slice(0, -1);
    const low = this.add([], 'constant(-inf)');
    const largest = this.add(
      rows,
      `reduce(${value.name}, ${low.name}), dimensions={${dims.length - 1}}, to_apply=largest`,
    );
    return this.add(
      dims,
      `subtract(${value.name}, ${
        this.broadcast(
          largest,
          dims,
          rows.map((_, d) => d),
        ).name
      })`,
    );
  }
  text() {
    let value = this.below(2) ? this.dot() : this.convolution();
    if (this.below(3) === 0) value = this.reshape(value);
    const steps = 2 + this.below(4);
    for (let i = 0; i < steps; i++)
      value = this.below(5) === 0 ? this.lessLargest(value) : this.elementwise(value);
    if (this.below(4) === 0) value = this.reshape(value);
    this.lines.push(this.lines.pop().replace(/^ {2}/, '  ROOT '));
    return `HloModule epilogue\n${helpers}ENTRY main {\n${this.lines.join('\n')}\n}\n`;
  }
}

testPrograms('work behind products gives what the oracle gives', {
  seeds: 150,
  make: (seed) => new Program(seed).make(),
  check: (program) => compareWays(hlo, program, { optimize: true, runs: 2 }),
});

// --- that it runs on parts ---

const dot = [
  'x = f32[1000,64] parameter(0)',
  'w = f32[64,32] parameter(1)',
  'y = f32[1000,32] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}',
];
const batches = [
  'x = f32[8,64,40] parameter(0)',
  'w = f32[8,40,32] parameter(1)',
  'y = f32[8,64,32] dot(x, w), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}',
];
const convolution = [
  'x = f32[2,24,24,16] parameter(0)',
  'w = f32[3,3,16,32] parameter(1)',
  'y = f32[2,24,24,32] convolution(x, w), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f',
];
const relu = (dims) => [
  'zero = f32[] constant(0)',
  `zeros = f32[${dims}] broadcast(zero), dimensions={}`,
  `r = f32[${dims}] maximum(y, zeros)`,
];
const lessLargest = [
  'low = f32[] constant(-inf)',
  'm = f32[1000] reduce(y, low), dimensions={1}, to_apply=largest',
  'ms = f32[1000,32] broadcast(m), dimensions={0}',
  'r = f32[1000,32] subtract(y, ms)',
];
const shapeOf = (lines, name) => lines.find((line) => line.startsWith(`${name} =`)).split(' ')[2];

for (const [name, lines] of Object.entries({
  'a dot': [...dot, ...relu('1000,32')],
  'a dot in batches': [...batches, ...relu('8,64,32')],
  'a convolution': [...convolution, ...relu('2,24,24,32')],
  'a dot, with reductions of its rows': [...dot, ...lessLargest],
}))
  test(`work behind ${name} runs on the rows that are finished`, async () => {
    const waves = ({ dims }) => {
      const length = dims.reduce((product, size) => product * size, 1);
      return hlo.array(
        Float32Array.from({ length }, (_, i) => Math.sin(i)),
        { shape: dims },
      );
    };
    const callsOf = (results) =>
      emittedCalls(async () => {
        const shapes = results.map((result) => shapeOf(lines, result));
        const root = `ROOT all = (${shapes}) tuple(${results})`;
        const executable = hlo.compile(`${helpers}ENTRY main {\n${lines.join('\n')}\n${root} }`);
        await executable.ready;
        executable.run(executable.parameters.map(waves)); // making random ones would call functions, too
        executable.dispose();
      });
    // It waits for a product that is a result, too, and then goes by pieces of its own.
    const [onParts, afterwards] = [await callsOf(['r']), await callsOf(['r', 'y'])];
    const sizes = ([row, rowEnd, inner, end]) => (rowEnd - row) * (end - inner);
    const total = (calls) => calls.map(sizes).reduce((a, b) => a + b);
    assert.equal(total(onParts), total(afterwards));
    assert.notDeepEqual(onParts, afterwards);
  });
