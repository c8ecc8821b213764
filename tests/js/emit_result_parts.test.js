// Fusions whose results are arrays of equal parts behind each other, which loops make together, against the
// oracle: random programs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import { compareWays } from './program_comparison.js';
import { randomInput, RandomProgram } from './random_program.js';
import { testPrograms } from './random_seeds.js';

const types = ['f32', 'f64', 'u8', 's16', 's32'];

class Joined extends RandomProgram {
  constructor(seed) {
    super(seed);
    this.type = this.pick(types);
    this.parts = 2 + this.below(3);
    const other = this.pick([[], [1], [3], [5], [2, 3], [19], [40], [131]]);
    this.along = this.below(other.length + 1);
    this.size = this.pick([1, 1, 2, 3, 8, 13, 33, 200]);
    this.part = other.toSpliced(this.along, 0, this.size);
    this.whole = other.toSpliced(this.along, 0, this.size * this.parts);
    this.inputs = [this.whole, this.whole, this.part].map((dims) =>
      randomInput(this.type, dims, () => this.element(this.type)),
    );
  }

  add(dims, operation) {
    const name = `v${this.count++}`;
    this.lines.push(`${name} = ${this.type}[${dims}] ${operation}`);
    return name;
  }
  of(d, size) {
    return this.whole.map((n, i) => (i === d ? size : n));
  }
  /** So much of an array along the dimension. */
  slice(x, from, size) {
    const ranges = this.whole.map((n, d) =>
      d === this.along ? `[${from}:${from + size}]` : `[0:${n}]`,
    );
    return this.add(this.of(this.along, size), `slice(${x}), slice={${ranges}}`);
  }
  binary(dims, x, y) {
    const operations = ['add', 'subtract', 'multiply', 'maximum', 'minimum'];
    return this.add(dims, `${this.pick(operations)}(${x}, ${y})`);
  }

  partValue(depth) {
    const whole = this.size * this.parts;
    switch (depth === 0 ? this.below(3) : this.below(6)) {
      case 0:
        return 'p2';
      case 1:
        return this.slice(this.pick(['p0', 'p1']), this.below(this.parts) * this.size, this.size);
      case 2:
        return this.slice(
          this.pick(['p0', 'p1']),
          this.below(whole - this.size + 1), // of several parts
          this.size,
        );
      case 3:
        return this.add(
          this.part,
          `reverse(${this.partValue(depth - 1)}), dimensions={${this.along}}`,
        );
      default:
        return this.binary(this.part, this.partValue(depth - 1), this.partValue(depth - 1));
    }
  }
  wholeValue(depth) {
    switch (depth === 0 ? this.below(3) : this.below(6)) {
      case 0:
        return this.pick(['p0', 'p1']);
      case 1:
      case 2: {
        const parts = Array.from({ length: this.parts }, () => this.partValue(2));
        return this.add(this.whole, `concatenate(${parts}), dimensions={${this.along}}`);
      }
      case 3: {
        // Of parts that are not equal.
        const at = 1 + this.below(this.size * this.parts - 1);
        const x = this.wholeValue(depth - 1);
        const parts = [this.slice(x, at, this.size * this.parts - at), this.slice(x, 0, at)];
        return this.add(this.whole, `concatenate(${parts}), dimensions={${this.along}}`);
      }
      default:
        return this.binary(this.whole, this.wholeValue(depth - 1), this.wholeValue(depth - 1));
    }
  }

  text() {
    const whole = `${this.type}[${this.whole}]`,
      results = Array.from({ length: 1 + this.below(3) }, () => this.wholeValue(2));
    const type = results.length > 1 ? `(${results.map(() => whole).join(', ')})` : whole;
    this.lines.push(
      results.length > 1
        ? `ROOT r = ${type} tuple(${results})`
        : `ROOT r = ${type} add(${results[0]}, ${results[0]})`,
    );
    const own = `p0 = ${whole} parameter(0)\n  p1 = ${whole} parameter(1)
  p2 = ${this.type}[${this.part}] parameter(2)`;
    // What the fusion alone reads may be where it puts its results.
    return `HloModule joined
fused {\n  ${own}\n  ${this.lines.join('\n  ')}\n}
ENTRY main {\n  ${own}\n  q0 = ${whole} multiply(p0, p1)\n  q1 = ${whole} subtract(p1, p0)
  ROOT r = ${type} fusion(q0, ${this.pick(['q1', 'p1'])}, p2), kind=kLoop, calls=fused\n}\n`;
  }
}

for (const build of ['simd', undefined]) {
  const hlo = await load({ build });
  testPrograms(`results of equal parts, ${build ?? 'the best build'}`, {
    seeds: 150,
    make: (seed) => new Joined(seed).make(),
    check: (program) => compareWays(hlo, program),
    ready: 0.9,
  });
}
