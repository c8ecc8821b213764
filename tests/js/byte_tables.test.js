// Functions of bytes that are looked up instead of computed, against the oracle, bit for bit: random ones, of
// arrays of every type of 8 bits that is looked up, single numbers and other arrays.
import { load } from '../../web/index.js';
import { compareWays } from './program_comparison.js';
import { randomInput, RandomProgram } from './random_program.js';
import { testPrograms } from './random_seeds.js';

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
      const number = () => this.below(900) / 100 - 3;
      const byte = () => this.below(256) - (type === 's8' ? 128 : 0);
      return randomInput(type, i === 1 ? [] : this.dims, type === 'f32' ? number : byte);
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
  text() {
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

for (const build of ['simd', undefined]) {
  const hlo = await load({ build });
  testPrograms(`functions of bytes, ${build ?? 'the best build'}`, {
    seeds: 40,
    make: (seed) => new FunctionsOfBytes(seed).make(),
    check: async (program) => {
      const executable = hlo.compile(program.text);
      const isReady = /gather/.test(executable.print()); // it is looked up
      executable.dispose();
      return { isReady, wrong: (await compareWays(hlo, program, { optimize: true })).wrong };
    },
    ready: 0.2,
  });
}
