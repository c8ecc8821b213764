// Bytes and 16-bit numbers that come from memory, become wider, are worked on and go back, as emitted code, which has lanes as
// narrow as what is known of the numbers allows, against the oracle: random programs, as they are and optimised.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import { compareWays } from './program_comparison.js';
import { bitsOf, randomInput, RandomProgram } from './random_program.js';
import { testPrograms } from './random_seeds.js';

const WIDE = ['s32', 's32', 'u32', 's16', 'u16', 'f32'];
const isSigned = (type) => type[0] === 's' || type === 'f32';

class Narrow extends RandomProgram {
  constructor(seed) {
    super(seed);
    const width = this.pick([8, 15, 16, 17, 24, 33, 64, 100, 256, 259]);
    // All are so many as narrow lanes are for, some so many that integers are looked at before code is made.
    const rows = Math.ceil(1024 / width);
    this.dims = this.pick([
      [1024 + width],
      [rows, width],
      [width, 5, rows],
      [rows, 2, width],
      [rows, width, 4],
      [40, 112],
      [9, 16, 32],
    ]);
    this.last = this.dims.length - 1;
    this.result = this.pick(['u8', 'u8', 's8', 'u16', 's16', 'pred']);
    const types = ['u8', 'u8', 's8', 'u16', 's16', 'pred'];
    this.inputs = Array.from({ length: 1 + this.below(3) }, () => {
      const type = this.below(2) ? 'u8' : this.pick(types);
      const dims = this.pick([this.dims, this.dims, this.dims, this.dims.slice(-1), []]);
      const bits = bitsOf(type);
      const whole = () =>
        this.below(4) ? this.below(2 ** bits) : this.pick([0, 1, 2 ** bits - 1, 2 ** (bits - 1)]);
      return randomInput(type, dims, whole);
    });
  }

  add(type, operation, dims = this.dims) {
    const name = `v${this.count++}`;
    this.lines.push(`${name} = ${type}[${dims}] ${operation}`);
    return { name, type };
  }
  number(type, value) {
    const { name } = this.add(type, `constant(${value})`, []);
    return this.add(type, `broadcast(${name}), dimensions={}`);
  }

  /** An input, as all of it, along rows, everywhere, or moved. */
  read() {
    const i = this.below(this.inputs.length);
    const { type, dims } = this.inputs[i];
    const all = { name: `p${i}`, type };
    if (dims.length === 0) return this.add(type, `broadcast(p${i}), dimensions={}`);
    if (dims !== this.dims) return this.add(type, `broadcast(p${i}), dimensions={${this.last}}`);
    const kind = this.below(9),
      d = this.below(this.dims.length),
      n = this.dims[d];
    const slice = (from, to, at = d) =>
      `slice={${this.dims.map((size, k) => (k === at ? `[${from}:${to}]` : `[0:${size}]`))}}`;
    const sized = (size, at = d) => this.dims.map((own, k) => (k === at ? size : own));
    if (kind === 0 && n > 1) {
      const at = 1 + this.below(n - 1);
      const [a, b] = [
        this.add(type, `slice(p${i}), ${slice(at, n)}`, sized(n - at)),
        this.add(type, `slice(p${i}), ${slice(0, at)}`, sized(at)),
      ];
      return this.add(type, `concatenate(${a.name}, ${b.name}), dimensions={${d}}`);
    }
    if (kind === 1) {
      const filling = this.add(type, `constant(${type === 'pred' ? 'true' : this.below(100)})`, []);
      const low = this.dims.map(() => this.below(5) - 2);
      return this.add(
        type,
        `pad(p${i}, ${filling.name}), padding=${low.map((k) => `${k}_${-k}`).join('x')}`,
      );
    }
    if (kind === 2) return this.add(type, `reverse(p${i}), dimensions={${d}}`);
    if (kind === 3 && this.last > 0) {
      // One of the channels for all of them.
      const channel = this.below(this.dims[this.last]);
      const one = this.add(
        type,
        `slice(p${i}), ${slice(channel, channel + 1, this.last)}`,
        sized(1, this.last),
      );
      const flat = this.add(type, `reshape(${one.name})`, this.dims.slice(0, -1));
      const kept = this.dims.slice(0, -1).map((_, k) => k);
      return this.add(type, `broadcast(${flat.name}), dimensions={${kept}}`);
    }
    return all;
  }

  convert(value, type) {
    return value.type === type ? value : this.add(type, `convert(${value.name})`);
  }

  counter(type) {
    return this.add(type, `iota(), iota_dimension=${this.below(this.dims.length)}`);
  }

  constant(type) {
    if (type === 'pred') return this.number(type, this.pick(['true', 'false']));
    const numbers = [0, 1, 2, 3, 7, 15, 100, 127, 128, 255, 256, 1000, 30000, 65535];
    const value = this.pick(numbers);
    const most = { u8: 255, s8: 127, s16: 32767, u16: 65535 }[type] ?? 65535;
    const kept = Math.min(value, most);
    return this.number(type, isSigned(type) && this.below(4) === 0 ? -kept : kept);
  }

  unary(x) {
    const sign = isSigned(x.type) ? ['negate', 'abs', 'sign'] : [];
    if (x.type === 'pred') return this.add('pred', `not(${x.name})`);
    if (x.type === 'f32')
      return this.add('f32', `${this.pick(['floor', 'abs', 'negate'])}(${x.name})`);
    return this.add(x.type, `${this.pick([...sign, 'not', 'popcnt'])}(${x.name})`);
  }

  binary(x, y) {
    if (x.type === 'pred')
      return this.add('pred', `${this.pick(['and', 'or', 'xor'])}(${x.name}, ${y.name})`);
    const usual = ['add', 'add', 'subtract', 'multiply', 'maximum', 'minimum'];
    const bits = x.type === 'f32' ? [] : ['and', 'or', 'xor'];
    return this.add(x.type, `${this.pick([...usual, ...bits])}(${x.name}, ${y.name})`);
  }

  /** By a number that is known: shifted, divided, or what is left of that. */
  byNumber(x) {
    if (x.type === 'pred' || x.type === 'f32') return this.unary(x);
    const bits = Number(x.type.slice(1));
    const most = 2 ** (bits - 1) - 1;
    if (this.below(2)) {
      const by = this.number(x.type, this.below(Math.min(bits, 12)));
      const shift = this.pick(['left', 'right-logical', 'right-arithmetic']);
      return this.add(x.type, `shift-${shift}(${x.name}, ${by.name})`);
    }
    const divisor = Math.min(most, this.pick([1, 2, 3, 9, 10, 16, 255, 257, 1000, 60000]));
    const isNegative = isSigned(x.type) && this.below(4) === 0;
    const by = this.number(x.type, isNegative ? -divisor : divisor);
    const quotient = this.add(x.type, `divide(${x.name}, ${by.name})`);
    if (this.below(2)) return quotient;
    const rest = this.add(x.type, `remainder(${x.name}, ${by.name})`);
    if (!isSigned(x.type) || this.below(2)) return rest;
    // Rounded down, as JAX writes it.
    const [one, zero] = [this.number(x.type, 1), this.number(x.type, 0)];
    const sign = this.add(x.type, `sign(${x.name})`);
    const differs = this.add('pred', `compare(${sign.name}, ${one.name}), direction=NE`);
    const leaves = this.add('pred', `compare(${rest.name}, ${zero.name}), direction=NE`);
    const both = this.add('pred', `and(${differs.name}, ${leaves.name})`);
    const less = this.add(x.type, `subtract(${quotient.name}, ${one.name})`);
    return this.add(x.type, `select(${both.name}, ${less.name}, ${quotient.name})`);
  }

  /** A mean with weights, as of two pixels. */
  blended(values) {
    const type = this.pick(['s32', 's32', 'u32', 's16']);
    const [x, y, weight] = [0, 1, 2].map(() => this.convert(this.pick(values), type));
    const all = this.number(type, this.pick([15, 127, 255, 255, 256]));
    const rest = this.add(type, `subtract(${all.name}, ${weight.name})`);
    const pair = (a, b) => (this.below(2) ? `${a.name}, ${b.name}` : `${b.name}, ${a.name}`);
    const products = [
      this.add(type, `multiply(${pair(x, weight)})`),
      this.add(type, `multiply(${pair(y, rest)})`),
    ];
    return this.add(type, `add(${pair(...products)})`);
  }

  compared(x, y) {
    const direction = this.pick(['EQ', 'NE', 'LT', 'LE', 'GT', 'GE']);
    return this.add('pred', `compare(${x.name}, ${y.name}), direction=${direction}`);
  }

  grow(values) {
    const x = this.pick(values);
    const other = () => {
      const same = values.filter(({ type }) => type === x.type);
      return this.below(3)
        ? this.convert(this.pick(this.below(2) ? same : values), x.type)
        : this.constant(x.type);
    };
    switch (this.below(10)) {
      case 0:
        return this.unary(x);
      case 9:
        return this.blended(values);
      case 1:
      case 2:
      case 3:
        return this.binary(x, other());
      case 4:
        return this.byNumber(x);
      case 5:
        return this.compared(x, other());
      case 6: {
        const test = values.find(({ type }) => type === 'pred') ?? this.compared(x, other());
        return this.add(x.type, `select(${test.name}, ${x.name}, ${other().name})`);
      }
      case 7:
        if (x.type === 'pred' || x.type === 'f32') return this.convert(x, this.pick(WIDE));
        return this.add(
          x.type,
          `clamp(${this.constant(x.type).name}, ${x.name}, ${this.constant(x.type).name})`,
        );
      default:
        return this.convert(x, this.pick(WIDE));
    }
  }

  text() {
    const values = [];
    for (let i = 1 + this.below(4); i-- > 0;) {
      const read = this.read();
      values.push(read, this.below(3) ? this.convert(read, this.pick(WIDE)) : read);
    }
    if (this.below(5) === 0) values.push(this.counter(this.pick(['s32', 'u16', 'u8'])));
    for (let i = 1 + this.below(9); i-- > 0;) values.push(this.grow(values.slice(-5)));
    const last = values.at(-1);
    const result = this.convert(last, this.result);
    this.lines.push(`ROOT r = ${this.result}[${this.dims}] copy(${result.name})`);
    const shapes = this.inputs.map(
      ({ type, dims }, i) => `p${i} = ${type}[${dims}] parameter(${i})`,
    );
    const names = this.inputs.map((_, i) => `p${i}`);
    return `HloModule narrow
fused {\n  ${[...shapes, ...this.lines].join('\n  ')}\n}
ENTRY main {\n  ${shapes.join('\n  ')}\n  ROOT r = ${this.result}[${this.dims}] fusion(${names}), kind=kLoop, calls=fused\n}\n`;
  }
}

for (const build of ['simd', undefined]) {
  const hlo = await load({ build });
  testPrograms(`random programs of bytes and 16-bit numbers, ${build ?? 'the best build'}`, {
    seeds: 120,
    make: (seed) => new Narrow(seed).make(),
    check: async (program) => {
      const written = await compareWays(hlo, program);
      return written.wrong ? written : compareWays(hlo, program, { optimize: true });
    },
  });
}
