// Rolled, padded, joined and masked arrays as emitted code, which does without masks where it knows them, against the
// oracle: random programs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import { compareWays } from './program_comparison.js';
import { randomInput, RandomProgram } from './random_program.js';
import { testPrograms } from './random_seeds.js';

const types = ['f32', 'f64', 's8', 'u8', 's16', 'u16', 's32', 's64'];

class Masked extends RandomProgram {
  constructor(seed) {
    super(seed);
    this.type = this.pick(types);
    const width = this.pick([5, 11, 12, 13, 16, 17, 31, 48, 64, 67, 130, 259]);
    this.dims = this.pick([[width], [3, width], [7, width], [2, 5, width]]);
    this.inputs = [0, 1].map(() =>
      randomInput(this.type, this.dims, () => this.element(this.type)),
    );
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
    if (sums) this.sums = { terms: this.dims[along], roundings: 1 };
    return `HloModule masked
sum { a = ${this.type}[] parameter(0) b = ${this.type}[] parameter(1) ROOT r = ${this.type}[] add(a, b) }
fused {\n  ${own}\n  ${this.lines.join('\n  ')}\n}
ENTRY main {\n  ${own}\n  ROOT r = ${this.type}[${dims}] fusion(p0, p1), kind=kLoop, calls=fused\n}\n`;
  }
}

for (const build of ['simd', undefined]) {
  const hlo = await load({ build });
  testPrograms(`rolled, padded, joined and masked arrays, ${build ?? 'the best build'}`, {
    seeds: 150,
    make: (seed) => new Masked(seed).make(),
    check: (program) => compareWays(hlo, program),
    ready: 0.9,
  });
}

/** What goes along rows of x and of y, which is x rolled, and what it gives: `row` or a number per row. */
const stages = {
  'sum of products': (all, rows, along) => `m = ${all} multiply(x, y)
  ROOT r = ${rows} reduce(m, zero), dimensions={${along}}, to_apply=add`,
  softmax: (all, rows, along, over) => `v = ${all} add(x, y)
  most = ${rows} reduce(v, least), dimensions={${along}}, to_apply=max
  shift = ${all} broadcast(most), dimensions={${over}}
  d = ${all} subtract(v, shift)
  e = ${all} exponential(d)
  t = ${rows} reduce(e, zero), dimensions={${along}}, to_apply=add
  total = ${all} broadcast(t), dimensions={${over}}
  ROOT r = ${all} divide(e, total)`,
  'two sums, one after the other': (
    all,
    rows,
    along,
    over,
  ) => `s = ${rows} reduce(y, zero), dimensions={${along}}, to_apply=add
  shift = ${all} broadcast(s), dimensions={${over}}
  d = ${all} subtract(x, shift)
  m = ${all} multiply(d, y)
  t = ${rows} reduce(m, zero), dimensions={${along}}, to_apply=add
  total = ${all} broadcast(t), dimensions={${over}}
  ROOT r = ${all} add(d, total)`,
};

for (const build of ['simd', undefined])
  test(`reductions of rolled rows, short and in parts, ${build ?? 'the best build'}`, async () => {
    const hlo = await load({ build });
    for (const dims of [[2 ** 18], [3, 100003], [2, 17], [300, 257], [4000, 64]])
      for (const [name, stage] of Object.entries(stages))
        for (const by of [1, 5, dims.at(-1) - 2]) {
          const rows = dims.slice(0, -1),
            length = dims.at(-1),
            size = dims.reduce((a, b) => a * b, 1);
          const of = (n) => `f32[${[...rows, n]}]`;
          const slice = (from, to) =>
            `${of(to - from)} slice(x), slice={${[...rows.map((n) => `[0:${n}]`), `[${from}:${to}]`]}}`;
          const x = `x = ${of(length)} parameter(0)`;
          const steps = stage(of(length), `f32[${rows}]`, rows.length, Object.keys(rows));
          const text = `HloModule rolled
add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }
max { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] maximum(a, b) }
fused {\n  ${x}\n  zero = f32[] constant(0)\n  least = f32[] constant(-inf)
  a = ${slice(by, length)}\n  b = ${slice(0, by)}
  y = ${of(length)} concatenate(a, b), dimensions={${rows.length}}\n  ${steps}\n}
ENTRY main {\n  ${x}\n  ROOT r = ${/ROOT r = (\S+)/.exec(steps)[1]} fusion(x), kind=kLoop, calls=fused\n}\n`;
          const data = Float32Array.from({ length: size }, (_, i) => ((i * 7919) % 1013) / 1013);
          const { isReady, wrong } = await compareWays(hlo, {
            text,
            inputs: [{ type: 'f32', dims, data }],
            sums: { terms: length, roundings: 4 },
          });
          assert.equal(wrong, undefined, `${name} of ${dims}, rolled by ${by}: ${wrong}`);
          assert.equal(isReady, true, text);
        }
  });
