// Rolled, padded, joined and masked arrays as emitted code, which does without masks where it knows them, against the reference
// evaluator: random programs. HLO_FUSION_SECONDS=3600 node --test tests/js/emit_interior.test.js looks for longer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import { compareWays } from './fusion_comparison.js';
import { RandomProgram } from './random_program.js';

const seconds = Number(process.env.HLO_FUSION_SECONDS ?? 4) / 2;

const kinds = {
  f32: (n, next) => Float32Array.from({ length: n }, () => next() * 8 - 4),
  f64: (n, next) => Float64Array.from({ length: n }, () => next() * 8 - 4),
  s8: (n, next) => Int8Array.from({ length: n }, () => next() * 256),
  u8: (n, next) => Uint8Array.from({ length: n }, () => next() * 256),
  s16: (n, next) => Int16Array.from({ length: n }, () => next() * 65536),
  u16: (n, next) => Uint16Array.from({ length: n }, () => next() * 65536),
  s32: (n, next) => Int32Array.from({ length: n }, () => next() * 2 ** 32),
  s64: (n, next) => BigInt64Array.from({ length: n }, () => BigInt(Math.floor(next() * 2 ** 40))),
};

class Masked extends RandomProgram {
  constructor(seed) {
    super(seed);
    this.type = this.pick(Object.keys(kinds));
    const width = this.pick([5, 11, 12, 13, 16, 17, 31, 48, 64, 67, 130, 259]);
    this.dims = this.pick([[width], [3, width], [7, width], [2, 5, width]]);
    this.inputs = ['p0', 'p1'].map(() => ({
      type: this.type,
      dims: this.dims,
      data: kinds[this.type](
        this.dims.reduce((a, b) => a * b, 1),
        this.random,
      ),
    }));
  }

  add(type, dims, operation) {
    const name = `v${this.count++}`;
    this.lines.push(`${name} = ${type}[${dims}] ${operation}`);
    return name;
  }
  with(d, size) {
    return this.dims.map((n, i) => (i === d ? size : n));
  }
  slice(x, d, from, to) {
    const ranges = this.dims.map((n, i) => (i === d ? `[${from}:${to}]` : `[0:${n}]`));
    return this.add(this.type, this.with(d, to - from), `slice(${x}), slice={${ranges}}`);
  }
  join(d, parts) {
    return this.add(this.type, this.dims, `concatenate(${parts}), dimensions={${d}}`);
  }

  rolled(x, d) {
    const at = 1 + this.below(this.dims[d] - 1);
    return this.join(d, [this.slice(x, d, at, this.dims[d]), this.slice(x, d, 0, at)]);
  }
  joined(x, d, y) {
    const n = this.dims[d];
    const [a, b] = [this.below(n + 1), this.below(n + 1)].sort((p, q) => p - q);
    const parts = [
      [y, n - a, n],
      [x, 0, b - a],
      [y, 0, n - b],
    ].filter(([, from, to]) => from < to);
    return this.join(
      d,
      parts.map(([of, from, to]) => this.slice(of, d, from, to)),
    );
  }
  padded(x) {
    const filling = this.add(this.type, [], `constant(${this.below(9)})`);
    const low = this.dims.map(() => this.below(7) - 3);
    const edges = low.map((n) => `${n}_${-n}`).join('x');
    return this.add(this.type, this.dims, `pad(${x}, ${filling}), padding=${edges}`);
  }
  masked(x, d, y) {
    const direction = this.pick(['LT', 'LE', 'GT', 'GE', 'EQ', 'NE']);
    const index = this.add('s32', this.dims, `iota(), iota_dimension=${d}`);
    const limit = this.add('s32', [], `constant(${this.below(this.dims[d] + 2) - 1})`);
    const limits = this.add('s32', this.dims, `broadcast(${limit}), dimensions={}`);
    const compared = this.pick([`${index}, ${limits}`, `${limits}, ${index}`]);
    const mask = this.add('pred', this.dims, `compare(${compared}), direction=${direction}`);
    return this.add(this.type, this.dims, `select(${mask}, ${x}, ${y})`);
  }

  /** A value of the whole shape. */
  value(depth) {
    if (depth === 0) return this.pick(['p0', 'p1']);
    const d = this.pick([this.dims.length - 1, this.below(this.dims.length)]);
    const x = this.value(depth - 1);
    switch (this.below(7)) {
      case 0:
        return this.padded(x);
      case 1:
        return this.joined(x, d, this.value(depth - 1));
      case 2:
        return this.masked(x, d, this.value(depth - 1));
      case 3:
        return this.rolled(x, d);
      case 4:
        return this.rolled(this.rolled(x, d), 0);
      default: {
        const y = this.value(depth - 1);
        const operation = this.pick(['add', 'subtract', 'multiply', 'maximum', 'minimum']);
        return this.add(this.type, this.dims, `${operation}(${x}, ${y})`);
      }
    }
  }

  /** A fusion of values, or of what reductions along a dimension make of one. */
  text() {
    const value = this.value(2 + this.below(2));
    const sums = this.below(3) === 0;
    const along = this.below(this.dims.length);
    const rest = this.dims.filter((_, i) => i !== along);
    const dims = sums ? rest : this.dims;
    if (sums) this.add(this.type, [], 'constant(0)');
    this.add(
      this.type,
      dims,
      sums
        ? `reduce(${value}, v${this.count - 1}), dimensions={${along}}, to_apply=sum`
        : `add(${value}, p1)`,
    );
    this.lines.push(`ROOT ${this.lines.pop()}`);
    const whole = `${this.type}[${this.dims}]`,
      own = `p0 = ${whole} parameter(0)\n  p1 = ${whole} parameter(1)`;
    this.tolerance = sums ? 1 : 0;
    return `HloModule masked
sum { a = ${this.type}[] parameter(0) b = ${this.type}[] parameter(1) ROOT r = ${this.type}[] add(a, b) }
fused {\n  ${own}\n  ${this.lines.join('\n  ')}\n}
ENTRY main {\n  ${own}\n  ROOT r = ${this.type}[${dims}] fusion(p0, p1), kind=kLoop, calls=fused\n}\n`;
  }
}

for (const build of ['simd', undefined])
  test(`rolled, padded, joined and masked arrays, ${build ?? 'the best build'}`, async () => {
    const hlo = await load({ build });
    const end = performance.now() + 1000 * seconds;
    let tried = 0,
      ready = 0;
    for (let seed = 1; tried < 40 || performance.now() < end; seed++, tried++) {
      const program = new Masked(seed);
      const text = program.text();
      const { isReady, wrong } = await compareWays(hlo, text, program.inputs, program.tolerance);
      assert.equal(wrong, undefined, `seed ${seed}: ${wrong}\n${text}`);
      ready += isReady ? 1 : 0;
    }
    console.log(`${tried} programs, ${ready} of them with code`);
    assert.ok(ready > tried * 0.9, `code was made for only ${ready} of ${tried}`);
  });
