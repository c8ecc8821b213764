// Random programs of one fusion, as HLO text with inputs: elementwise ops of all types that code is emitted for, moves
// and reductions over random shapes and layouts.

import { isSmall, ops, types } from './fusion_operations.js';
import {
  bitsOf,
  elementsOf,
  isComplex,
  isFloat,
  isInteger,
  randomInput,
  RandomProgram,
  shapeText,
} from './random_program.js';

const sizes = [1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 33];
const longSizes = [129, 256, 300, 1027]; // steps of long loops are taken apart, and done in blocks
class Program extends RandomProgram {
  constructor(seed, smooth) {
    super(seed);
    this.smooth = smooth;
    this.parameters = []; // { type, dims, layout }
  }
  type() {
    return this.smooth ? this.pick(['f32', 'f32', 'f64', 'bf16', 'f16']) : this.pick(types);
  }
  dims(rank = this.below(6)) {
    for (;;) {
      const dims = Array.from({ length: rank }, () => this.pick(sizes));
      if (rank > 0 && this.below(5) === 0) dims[this.below(rank)] = this.pick(longSizes);
      if (elementsOf(dims) <= 4000) return dims;
    }
  }
  parameter(type, dims) {
    const order = this.shuffled(dims.map((_, d) => d));
    const layout = dims.length > 1 && this.below(3) === 0 ? `{${order}}` : '';
    this.parameters.push({ type, dims, layout });
    const text = `parameter(${this.parameters.length - 1})`;
    return { ...this.add(type, dims, text, layout), isParameter: true };
  }
  literal(type) {
    if (type === 'pred') return this.pick(['true', 'false']);
    if (isComplex(type)) return '(1.5, -2)';
    if (isSmall(type) && isInteger(type)) return this.pick(['0', '1']);
    if (type === 'f8e8m0fnu') return this.pick(['1', '0.5', '4', 'nan']);
    if (isSmall(type)) return this.pick(['0', '1', '-0.5', '2', '-3']);
    if (isInteger(type))
      return String(this.pick(type[0] === 's' ? [0, 1, -1, 3, 7, 100] : [0, 1, 3, 7, 100]));
    return this.smooth ? '0.5' : this.pick(['0', '1', '-0.5', '2.25', 'inf', 'nan', '-3']);
  }
  constant(type) {
    return this.add(type, [], `constant(${this.literal(type)})`);
  }
  broadcast(value, dims, dimensions) {
    return this.add(value.type, dims, `broadcast(${value.name}), dimensions={${dimensions}}`);
  }

  /** A value of that shape out of nothing: a parameter, seen as it is or through a move. */
  leaf(type, dims) {
    const kind = this.below(16);
    if (kind === 0) return this.broadcast(this.constant(type), dims, []);
    if (kind === 1 && type !== 'pred' && dims.length > 0 && (!this.smooth || dims.length === 1))
      return this.smooth
        ? this.parameter(type, dims)
        : this.add(type, dims, `iota(), iota_dimension=${this.below(dims.length)}`);
    if (kind === 2) {
      const kept = dims.map((_, d) => d).filter(() => this.below(2));
      return this.broadcast(
        this.parameter(
          type,
          kept.map((d) => dims[d]),
        ),
        dims,
        kept,
      );
    }
    if (kind === 3 && dims.length > 1) {
      const order = this.shuffled(dims.map((_, d) => d)),
        from = [];
      order.forEach((d, i) => (from[d] = dims[i]));
      return this.add(
        type,
        dims,
        `transpose(${this.parameter(type, from).name}), dimensions={${order}}`,
      );
    }
    if (kind === 4 && dims.length > 0) {
      const cuts = dims.map((n) => ({ start: this.below(3), stride: 1 + this.below(4), n }));
      const from = this.parameter(
        type,
        cuts.map(({ start, stride, n }) => start + stride * (n - 1) + 1 + this.below(2)),
      );
      const slice = cuts.map(
        ({ start, stride, n }) => `[${start}:${start + stride * (n - 1) + 1}:${stride}]`,
      );
      return this.add(type, dims, `slice(${from.name}), slice={${slice}}`);
    }
    if (kind === 5 && dims.length > 0) {
      const dimensions = dims.map((_, d) => d).filter(() => this.below(2));
      return this.add(
        type,
        dims,
        `reverse(${this.leaf(type, dims).name}), dimensions={${dimensions}}`,
      );
    }
    if (kind === 6) {
      const merged = dims.length > 1 ? [dims[0] * dims[1], ...dims.slice(2)] : [...dims, 1];
      return this.add(type, dims, `reshape(${this.parameter(type, merged).name})`);
    }
    if (kind === 7 && dims.length > 0) {
      const d = this.below(dims.length),
        parts = [];
      for (let left = dims[d]; left > 0;) {
        const size = parts.length === 2 ? left : 1 + this.below(left);
        parts.push(
          this.parameter(
            type,
            dims.with ? dims.with(d, size) : dims.map((n, i) => (i === d ? size : n)),
          ),
        );
        left -= size;
      }
      return this.add(
        type,
        dims,
        `concatenate(${parts.map((x) => x.name).join(', ')}), dimensions={${d}}`,
      );
    }
    if (kind === 8 && dims.length > 0) {
      const cut = dims.map((n) => [this.below(Math.min(3, n)), n]);
      const sides = cut.map(([low, n]) => [low, this.below(n - low)]);
      const from = this.parameter(
        type,
        dims.map((n, d) => n - sides[d][0] - sides[d][1]),
      );
      const filling = this.constant(type);
      return this.add(
        type,
        dims,
        `pad(${from.name}, ${filling.name}), padding=${sides.map(([l, h]) => `${l}_${h}`).join('x')}`,
      );
    }
    if (kind === 9 && dims.length > 0) return this.dynamicSlice(type, dims);
    if (kind === 10) return this.gather(type, dims);
    return this.parameter(type, dims);
  }

  indexType() {
    return this.pick(['s32', 's32', 's64', 'u32', 's8', 'u8', 'u64']);
  }

  /** What is read from at places that data says. */
  source(type, dims) {
    return this.below(3) ? this.parameter(type, dims) : this.leaf(type, dims);
  }

  dynamicSlice(type, dims) {
    const from = this.source(
      type,
      dims.map((n) => n + this.below(4)),
    );
    const starts = dims.map(() => this.parameter(this.indexType(), []).name);
    if (new Set(starts.map((name) => this.typeOf(name))).size > 1)
      starts.fill(this.parameter('s32', []).name);
    return this.add(
      type,
      dims,
      `dynamic-slice(${[from.name, ...starts].join(', ')}), dynamic_slice_sizes={${dims}}`,
    );
  }

  typeOf(name) {
    return /= (\w+)\[/.exec(this.lines.find((line) => line.startsWith(`  ${name} = `)))[1];
  }

  gather(type, dims) {
    const offsetDims = dims.map((_, d) => d).filter(() => this.below(2));
    const batchDims = dims.map((_, d) => d).filter((d) => !offsetDims.includes(d));
    const paired = batchDims.length > 0 && this.below(4) === 0 ? this.below(batchDims.length) : -1;
    // Dimensions of what is read: those of a slice in order, among them others that are left out.
    const operand = offsetDims.map((d) => ({ size: dims[d] + this.below(4), slice: dims[d] }));
    const insert = (dim) => operand.splice(this.below(operand.length + 1), 0, dim);
    for (let i = 1 + this.below(2); i-- > 0;)
      insert({ size: 1 + this.below(9), slice: 1, collapsed: true });
    if (paired >= 0) insert({ size: dims[batchDims[paired]], slice: 1, batching: true });
    const numbers = operand.map((_, d) => d);
    const which = (key) => numbers.filter((d) => operand[d][key]);
    const indexed = this.shuffled(numbers.filter((d) => !operand[d].batching)).slice(
      0,
      1 + this.below(2),
    );
    const indexDims = batchDims.map((d) => dims[d]);
    const vector = indexed.length === 1 && this.below(2) ? -1 : this.below(indexDims.length + 1);
    const batchOf = (d) => d + (vector >= 0 && d >= vector ? 1 : 0);
    if (vector >= 0) indexDims.splice(vector, 0, indexed.length);
    const from = this.source(
      type,
      operand.map(({ size }) => size),
    );
    const indices = this.parameter(this.indexType(), indexDims);
    const batching =
      paired >= 0
        ? `, operand_batching_dims={${which('batching')}}, start_indices_batching_dims={${batchOf(paired)}}`
        : '';
    return this.add(
      type,
      dims,
      `gather(${from.name}, ${indices.name}), offset_dims={${offsetDims}}, collapsed_slice_dims={${which('collapsed')}}, ` +
        `start_index_map={${indexed}}${batching}, index_vector_dim=${vector >= 0 ? vector : indexDims.length}, ` +
        `slice_sizes={${operand.map(({ slice }) => slice)}}`,
    );
  }

  /** Where the first of the largest or smallest elements stands along a dimension, as JAX's argmax finds it. */
  argmax(value, d) {
    const { type, dims } = value;
    const direction = this.pick(['GT', 'LT']);
    const key = `first_${direction}_${type}`;
    this.computations.set(
      key,
      `${key} {
  a = ${type}[] parameter(0)
  i = s32[] parameter(1)
  b = ${type}[] parameter(2)
  j = s32[] parameter(3)
  beyond = pred[] compare(a, b), direction=${direction}
  nan = pred[] compare(a, a), direction=NE
  pick = pred[] or(beyond, nan)
  equal = pred[] compare(a, b), direction=EQ
  before = pred[] compare(i, j), direction=LT
  both = pred[] and(equal, before)
  pick_index = pred[] or(pick, both)
  v = ${type}[] select(pick, a, b)
  w = s32[] select(pick_index, i, j)
  ROOT t = (${type}[], s32[]) tuple(v, w)
}`,
    );
    const left = dims.filter((_, i) => i !== d);
    const indices = this.add('s32', dims, `iota(), iota_dimension=${d}`);
    const start = this.constant(type);
    const zero = this.add('s32', [], 'constant(0)');
    const name = this.name();
    this.lines.push(
      `  ${name} = (${type}[${left}], s32[${left}]) reduce(${value.name}, ${indices.name}, ${start.name}, ${zero.name}), dimensions={${d}}, to_apply=${key}`,
    );
    return this.add('s32', left, `get-tuple-element(${name}), index=1`);
  }

  /** The value reduced over the dimensions: exact unless the program is smooth. */
  reduce(value, dimensions) {
    const { type, dims } = value;
    let op, start;
    if (isComplex(type) || isSmall(type)) return value;
    if (type === 'pred')
      [op, start] = this.pick([
        ['or', 'false'],
        ['and', 'true'],
      ]);
    else if (isInteger(type))
      [op, start] = this.pick([
        ['add', '3'],
        ['multiply', '1'],
        ['maximum', '1'],
        ['minimum', '5'],
        ['xor', '1'],
        ['or', '0'],
        ['and', '7'],
      ]);
    else if (this.smooth)
      [op, start] = this.pick([
        ['add', '0'],
        ['add', '0.5'],
        ['maximum', '-inf'],
      ]);
    else
      [op, start] = this.pick([
        ['maximum', '-inf'],
        ['minimum', 'inf'],
        ['maximum', '0.25'],
      ]);
    const left = dims.filter((_, d) => !dimensions.includes(d));
    const initial = this.add(type, [], `constant(${start})`);
    return this.add(
      type,
      left,
      `reduce(${value.name}, ${initial.name}), dimensions={${dimensions}}, to_apply=${this.combiner(op, type)}`,
    );
  }

  family(type) {
    if (this.smooth) return ops.smooth;
    if (type === 'pred') return ops.pred;
    if (isComplex(type)) return ops.complex;
    if (isInteger(type)) return ops.integer;
    return type !== 'f64' && this.below(3) === 0 ? ops.function : ops.float;
  }

  unary(value) {
    const hasSign = value.type[0] !== 'u';
    const names = this.family(value.type)[1].filter(
      (name) => hasSign || !['abs', 'sign'].includes(name),
    );
    const name = this.pick(names);
    let type = value.type;
    if (name === 'is-finite') type = 'pred';
    if (isComplex(type) && ['real', 'imag', 'abs'].includes(name))
      type = type === 'c64' ? 'f32' : 'f64';
    return this.add(type, value.dims, `${name}(${value.name})`);
  }

  binary(a, b) {
    const name = this.pick(this.family(a.type)[2]);
    // Mostly all elements are shifted alike, by a number that is known only then.
    const by =
      name.startsWith('shift') && this.below(3)
        ? this.broadcast(this.parameter(a.type, []), a.dims, [])
        : b;
    return this.add(a.type, a.dims, `${name}(${a.name}, ${by.name})`);
  }

  /** The bits as another type, where NaNs that were computed have no say in them. */
  bits(a) {
    const to = this.pick(types.filter((type) => bitsOf(type) === bitsOf(a.type)));
    if (a.type === 'pred' || isComplex(a.type) || isComplex(to)) return this.unary(a);
    if (isFloat(a.type) && isInteger(to) && !a.isParameter) return this.unary(a);
    return this.add(to, a.dims, `bitcast-convert(${a.name})`);
  }

  /** Rounded to fewer bits, to the nearest number or, for an integer, as random bits say. */
  reducedOrStochastic(a) {
    if (!isFloat(a.type)) return this.unary(a);
    if (this.below(3)) {
      const [exponent, mantissa] = [1 + this.below(12), this.below(54)].map((n) =>
        this.below(2) ? n : 1 + (n % 8),
      );
      const bits = `exponent_bits=${exponent}, mantissa_bits=${mantissa}`;
      return this.add(a.type, a.dims, `reduce-precision(${a.name}), ${bits}`);
    }
    const random = this.leaf(`u${bitsOf(a.type)}`, a.dims);
    const to = this.pick(types.filter(isInteger));
    return this.add(to, a.dims, `stochastic-convert(${a.name}, ${random.name})`);
  }

  compare(a, b) {
    const complex = isComplex(a.type);
    const direction = this.pick(complex ? ['EQ', 'NE'] : ['EQ', 'NE', 'LT', 'LE', 'GT', 'GE']);
    // The bits of NaNs that were computed are nobody's promise.
    const plain = isFloat(a.type) && a.isParameter && b.isParameter;
    const total = plain && this.below(2) ? ', type=TOTALORDER' : '';
    return this.add(
      'pred',
      a.dims,
      `compare(${a.name}, ${b.name}), direction=${direction}${total}`,
    );
  }

  /** Another value of the shape from those there are. */
  grow(values, dims) {
    const a = this.pick(values);
    const same = values.filter((x) => x.type === a.type);
    const other = () => (this.below(3) ? this.pick(same) : this.leaf(a.type, dims));
    const kind = this.below(11);
    if (kind === 10 && !this.smooth) return this.reducedOrStochastic(a);
    if (kind < 3) return this.unary(a);
    if (kind < 6 || this.smooth) return this.binary(a, other());
    if (kind === 6) return this.compare(a, other());
    if (kind === 7) {
      const predicate = values.find((x) => x.type === 'pred') ?? this.leaf('pred', dims);
      return this.add(a.type, dims, `select(${predicate.name}, ${a.name}, ${other().name})`);
    }
    if (kind === 8 && a.type !== 'pred' && !isComplex(a.type))
      return this.add(
        a.type,
        dims,
        `clamp(${this.constant(a.type).name}, ${a.name}, ${this.constant(a.type).name})`,
      );
    if (kind === 8) return this.bits(a);
    const to = this.type();
    return this.add(to, dims, `convert(${a.name})`);
  }

  /** Reduces a value over some dimensions and spreads the result again. */
  reduceAndSpread(value, dimensions) {
    const kept = value.dims.map((_, d) => d).filter((d) => !dimensions.includes(d));
    const reduced = this.reduce(value, dimensions);
    return reduced === value ? value : this.broadcast(reduced, value.dims, kept);
  }
}

function build(seed, smooth) {
  const p = new Program(seed, smooth);
  const dims = p.dims();
  const dimensions = dims.map((_, d) => d).filter(() => p.below(2));
  const values = [];
  for (let i = 1 + p.below(3); i-- > 0;) values.push(p.leaf(p.type(), dims));
  const reduces = p.below(3) === 0 || smooth;
  for (let i = 1 + p.below(9); i-- > 0;) {
    values.push(p.grow(values.slice(-4), dims));
    if (reduces && p.below(3) === 0) values.push(p.reduceAndSpread(values.at(-1), dimensions));
  }
  const results = [values.at(-1)];
  if (p.below(3) === 0) results.push(p.pick(values));
  const last = values.at(-1);
  const ordered = !smooth && (isInteger(last.type) || ['f32', 'f64'].includes(last.type));
  if (!reduces && ordered && dims.length > 0 && p.below(4) === 0)
    results[p.below(results.length)] = p.argmax(last, p.below(dims.length));
  if (reduces && p.below(2)) results[p.below(results.length)] = p.reduce(last, dimensions);
  if (smooth)
    p.sums = {
      terms: elementsOf(dimensions.map((d) => dims[d])),
      roundings: p.lines.filter((line) => /(reduce|add|subtract|tanh|logistic)\(/.test(line))
        .length,
    };
  return { p, results };
}

function inputOf(p, { type, dims }) {
  const special = [
    0,
    -0,
    1,
    -1,
    0.5,
    Infinity,
    -Infinity,
    NaN,
    1e-40,
    3e38,
    1e5,
    -7.5,
    2147483648,
    -1e10,
  ];
  const value = () => (p.smooth || p.below(3) ? p.random() * 4 - 2 : p.pick(special));
  const word = () => p.below(2 ** 16) * 65536 + p.below(2 ** 16);
  const whole = () =>
    p.below(2) ? p.below(9) - 4 : p.pick([word(), 2 ** 31 - 1, -(2 ** 31), 255, 65535, 127]);
  const bits = bitsOf(type);
  const low = type[0] === 's' ? 2 ** (bits - 1) : 0;
  const elements = {
    pred: () => p.below(2),
    f32: value,
    f64: value,
    c64: value,
    c128: value,
    bf16: () => new Uint32Array(Float32Array.of(value()).buffer)[0] >>> 16,
    f16: () => (p.smooth ? 0x3000 + p.below(0xc00) + 0x8000 * p.below(2) : p.below(65536)),
    s64: () => BigInt(whole()) * (p.below(3) ? 1n : 4294967297n),
    u64: () => BigInt(whole()) * (p.below(3) ? 1n : 4294967297n),
  };
  const small = () => p.below(2 ** bits) - low;
  return randomInput(type, dims, elements[type] ?? (isSmall(type) ? small : whole));
}

/**
 * @param {number} seed
 * @returns {import('./program_comparison.js').Program}
 */
export function randomFusion(seed) {
  const smooth = seed % 4 === 0;
  const { p, results } = build(seed, smooth);
  let shape = shapeText(results[0]);
  if (results.length > 1) {
    shape = `(${results.map(shapeText).join(', ')})`;
    p.lines.push(`  ROOT tuple = ${shape} tuple(${results.map((x) => x.name).join(', ')})`);
  } else {
    const at = p.lines.findIndex((line) => line.startsWith(`  ${results[0].name} = `));
    p.lines[at] = `  ROOT ${p.lines[at].trim()}`;
  }
  // Some operands are values that end with the fusion: it may overwrite them.
  const names = p.parameters.map((parameter, i) => {
    const ends = !['pred', 'u8', 'u16', 'u32', 'u64'].includes(parameter.type) && p.below(3) === 0;
    return { ...parameter, name: ends ? `n${i}` : `p${i}`, ends };
  });
  const entry = names.flatMap((x, i) => [
    `  p${i} = ${shapeText(x)} parameter(${i})`,
    ...(x.ends ? [`  n${i} = ${shapeText(x)} negate(p${i})`] : []),
  ]);
  const text = `HloModule random_${seed}

${[...p.computations.values()].join('\n\n')}

fused {
${p.lines.join('\n')}
}

ENTRY main {
${entry.join('\n')}
  ROOT r = ${shape} fusion(${names.map((x) => x.name).join(', ')}), kind=kLoop, calls=fused
}
`;
  const inputs = p.parameters.map((x) => inputOf(p, x));
  return { text, inputs, sums: p.sums };
}
