// Functions of bytes that are looked up instead of computed, against the reference evaluator, bit for bit: random ones, of
// arrays of every type of 8 bits that is looked up, single numbers and other arrays.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import { difference } from './fusion_comparison.js';
import { RandomProgram } from './random_program.js';

const sources = ['u8', 'u8', 's8', 'f8e4m3fn', 'f8e5m2', 'f8e3m4', 'f8e4m3b11fnuz', 'f8e4m3fnuz'];
const results = ['f32', 'f32', 'u8', 's8', 's32', 'bf16', 'f16', 'pred'];
const unary =
  'exponential log tanh sqrt rsqrt cosine logistic negate abs floor cbrt round-nearest-even log-plus-one'.split(
    ' ',
  );
const binary = 'add multiply subtract divide maximum minimum power atan2'.split(' ');

class FunctionsOfBytes extends RandomProgram {
  constructor(seed) {
    super(seed);
    this.dims = this.pick([[4096], [64, 65], [3, 50, 31], [2049, 2], [5, 4, 3, 70]]);
    this.inputs = [this.pick(sources), 'f32', 'f32'].map((type, i) => {
      const dims = i === 1 ? [] : this.dims;
      const length = dims.reduce((a, b) => a * b, 1);
      const data =
        type === 'f32'
          ? Float32Array.from({ length }, () => this.below(900) / 100 - 3)
          : Uint8Array.from({ length }, () => this.below(256));
      return { type, dims, data };
    });
  }
  add(type, operation, dims = this.dims) {
    const name = `v${this.count++}`;
    this.lines.push(`${name} = ${type}[${dims}] ${operation}`);
    return name;
  }
  number() {
    const number = this.below(4)
      ? this.add('f32', `constant(${this.below(800) / 100 - 2})`, [])
      : 'p1';
    return this.add('f32', `broadcast(${number}), dimensions={}`);
  }
  make() {
    this.inputs.forEach(({ type, dims }, i) =>
      this.lines.push(`p${i} = ${type}[${dims}] parameter(${i})`),
    );
    const values = [this.add('f32', 'convert(p0)')];
    for (let i = 0; i < 2 + this.below(8); i++) {
      const [x, y] = [this.pick(values), this.below(3) ? this.number() : this.pick(values)];
      if (this.below(2)) values.push(this.add('f32', `${this.pick(unary)}(${x})`));
      else if (this.below(5)) values.push(this.add('f32', `${this.pick(binary)}(${x}, ${y})`));
      else {
        const which = this.add('pred', `compare(${x}, ${y}), direction=LT`);
        values.push(this.add('f32', `select(${which}, ${this.pick(values)}, ${y})`));
      }
    }
    const roots = [values.at(-1), this.pick(values)].map((x) => {
      const type = this.pick(results);
      const y = this.below(3) ? x : this.add('f32', `add(${x}, p2)`);
      return { type, name: type === 'f32' ? y : this.add(type, `convert(${y})`) };
    });
    const types = roots.map(({ type }) => `${type}[${this.dims}]`);
    this.lines.push(`ROOT r = (${types}) tuple(${roots.map(({ name }) => name)})`);
    return `HloModule bytes\nENTRY main {\n ${this.lines.join('\n ')}\n}`;
  }
}

const seconds = Number(process.env.HLO_FUSION_SECONDS ?? 4);
const first = Number(process.env.HLO_FUSION_SEED ?? 1);

for (const build of ['simd', undefined])
  test(`functions of bytes, ${build ?? 'the best build'}`, async () => {
    const hlo = await load({ build });
    const end = performance.now() + (seconds * 1000) / 2;
    let looked = 0;
    for (let seed = first; performance.now() < end || looked < 10; seed++) {
      const program = new FunctionsOfBytes(seed);
      const text = program.make();
      const inputs = program.inputs.map(({ type, dims, data }) =>
        hlo.array(data.buffer, { type, shape: dims }),
      );
      const fast = hlo.compile(text);
      const [got, want] = [fast, hlo.parse(text).compile({ reference: true })].map((x) =>
        x.run(inputs),
      );
      looked += /gather/.test(fast.print()) ? 1 : 0;
      got.forEach((x, i) =>
        assert.equal(difference(x, want[i], 0), undefined, `seed ${seed}\n${text}`),
      );
      for (const array of [...inputs, ...got, ...want]) array.dispose();
      fast.dispose();
    }
  });
