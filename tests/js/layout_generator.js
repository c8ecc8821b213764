// Random programs whose boundaries state layouts at random: each hands an array through tuples, calls, loops and so on, whose
// sides need not agree. What comes out is worked out here beside the text.
import { elementsOf, RandomProgram } from './random_program.js';

/** All orders of so many dimensions. */
function permutations(n) {
  if (n === 0) return [[]];
  return permutations(n - 1).flatMap((p) =>
    Array.from({ length: n }, (_, at) => p.toSpliced(at, 0, n - 1)),
  );
}

/** For each place in memory in the layout's order, the row-major place of its element. */
function placesInMemory(dims, minorToMajor) {
  const strides = dims.map((_, d) => elementsOf(dims.slice(d + 1)));
  return Array.from({ length: elementsOf(dims) }, (_, at) => {
    let place = 0;
    for (const d of minorToMajor) {
      place += (at % dims[d]) * strides[d];
      at = Math.floor(at / dims[d]);
    }
    return place;
  });
}

export const boundaries = [
  'tuple',
  'nested',
  'parameter',
  'call',
  'callOfTuples',
  'fusion',
  'fusionOfTuples',
  'fusionOfSums',
  'while',
  'longWhile',
  'conditional',
  'branches',
  'barrier',
  'barrierOfTuple',
  'async',
  'copyStart',
  'allReduce',
  'allGather',
  'permute',
  'sort',
  'sortPairs',
  'map',
  'reduce',
  'reduceTwo',
  'customCall',
  'dependency',
  'constant',
  'bitcast',
  'reshape',
  'transpose',
  'scan',
];
/** Those that need a host or another process, so that they do not run in the reference. */
export const talking = ['infeed', 'outfeed', 'sendRecv'];

export class RandomLayouts extends RandomProgram {
  parameters = []; // of the entry: { dims, data }
  // What the host feeds and what it is fed, in order: { dims, data }.
  infeeds = [];
  outfeeds = [];
  channels = 0;
  token; // the last: feeds come in order

  /** @param {number} rank 2 to 4 @param {string} [kind] the boundary that the program has at least */
  constructor(seed, rank, kind) {
    super(seed);
    this.kind = kind;
    this.dims = Array.from({ length: rank }, () => 2 + this.below(rank === 2 ? 40 : 6));
    this.orders = permutations(rank);
    this.data = Int32Array.from({ length: elementsOf(this.dims) }, () => this.below(1000) - 500);
  }

  /** The array's shape in a layout, any one unless given. */
  shape(layout = this.pick(this.orders)) {
    return `s32[${this.dims}]{${layout}}`;
  }
  /** Appends an instruction and returns its name. */
  line(shape, rest, list = this.lines) {
    const name = this.name();
    list.push(`  ${name} = ${shape} ${rest}`);
    return name;
  }
  /** A computation of those parameters; `write` appends its lines, the last of which is the root. */
  computation(shapes, write) {
    const name = this.name('f');
    const list = [];
    const names = shapes.map((shape, i) => this.line(shape, `parameter(${i})`, list));
    write(list, names);
    list.push(list.pop().replace('  ', '  ROOT '));
    this.computations.set(name, `${name} {\n${list.join('\n')}\n}`);
    return name;
  }
  /** The array plus one, everywhere. */
  plusOne(x, list) {
    const one = this.line('s32[]', 'constant(1)', list);
    const ones = this.line(this.shape(), `broadcast(${one}), dimensions={}`, list);
    return this.line(this.shape(), `add(${x}, ${ones})`, list);
  }
  addOne() {
    this.data = this.data.map((v) => v + 1);
  }

  tuple(x) {
    const t = this.line(`(${this.shape()}, ${this.shape()})`, `tuple(${x}, ${x})`);
    return this.line(this.shape(), `get-tuple-element(${t}), index=${this.below(2)}`);
  }
  nested(x) {
    const inner = this.line(
      `(${this.shape()}, s32[])`,
      `tuple(${x}, ${this.line('s32[]', 'constant(3)')})`,
    );
    const outer = this.line(`((${this.shape()}, s32[]), ${this.shape()})`, `tuple(${inner}, ${x})`);
    const taken = this.line(`(${this.shape()}, s32[])`, `get-tuple-element(${outer}), index=0`);
    return this.line(this.shape(), `get-tuple-element(${taken}), index=0`);
  }
  parameter(x) {
    const tuple = this.below(2) === 0;
    const other = this.data.map(() => this.below(100));
    this.parameters.push({ dims: this.dims, data: other });
    const shape = this.shape();
    let p = this.line(tuple ? `(${shape})` : shape, `parameter(${this.parameters.length - 1})`);
    if (tuple) p = this.line(this.shape(), `get-tuple-element(${p}), index=0`);
    this.data = this.data.map((v, i) => v - other[i]);
    return this.line(this.shape(), `subtract(${x}, ${p})`);
  }
  call(x) {
    const f = this.computation([this.shape()], (list, [p]) => this.plusOne(p, list));
    this.addOne();
    return this.line(this.shape(), `call(${x}), to_apply=${f}`);
  }
  callOfTuples(x) {
    const f = this.computation([`(${this.shape()}, ${this.shape()})`], (list, [p]) => {
      const g = this.line(this.shape(), `get-tuple-element(${p}), index=1`, list);
      this.line(
        `(${this.shape()}, ${this.shape()})`,
        `tuple(${this.plusOne(g, list)}, ${g})`,
        list,
      );
    });
    const t = this.line(`(${this.shape()}, ${this.shape()})`, `tuple(${x}, ${x})`);
    const c = this.line(`(${this.shape()}, ${this.shape()})`, `call(${t}), to_apply=${f}`);
    this.addOne();
    return this.line(this.shape(), `get-tuple-element(${c}), index=0`);
  }
  fusion(x) {
    const f = this.computation([this.shape(), this.shape()], (list, [p, q]) => {
      const sum = this.line(this.shape(), `add(${this.plusOne(p, list)}, ${q})`, list);
      this.line(this.shape(), `subtract(${sum}, ${p})`, list);
    });
    this.addOne();
    return this.line(this.shape(), `fusion(${x}, ${x}), kind=kLoop, calls=${f}`);
  }
  fusionOfTuples(x) {
    const f = this.computation([this.shape()], (list, [p]) => {
      const t = this.line(
        `(${this.shape()}, ${this.shape()})`,
        `tuple(${p}, ${this.plusOne(p, list)})`,
        list,
      );
      const g = this.line(this.shape(), `get-tuple-element(${t}), index=1`, list);
      this.line(`(${this.shape()}, ${this.shape()})`, `tuple(${g}, ${p})`, list);
    });
    const c = this.line(
      `(${this.shape()}, ${this.shape()})`,
      `fusion(${x}), kind=kLoop, calls=${f}`,
    );
    this.addOne();
    return this.line(this.shape(), `get-tuple-element(${c}), index=0`);
  }
  adder() {
    return this.computation(['s32[]', 's32[]'], (list, [p, q]) =>
      this.line('s32[]', `add(${p}, ${q})`, list),
    );
  }
  /** The array less its sums along a dimension. */
  lessSums(x, list, along, sum) {
    const kept = this.dims.filter((_, d) => d !== along);
    const order = this.pick(permutations(kept.length));
    const zero = this.line('s32[]', 'constant(0)', list);
    const sums = this.line(
      `s32[${kept}]{${order}}`,
      `reduce(${x}, ${zero}), dimensions={${along}}, to_apply=${sum}`,
      list,
    );
    const places = this.dims.map((_, d) => d).filter((d) => d !== along);
    const wide = this.line(this.shape(), `broadcast(${sums}), dimensions={${places}}`, list);
    return this.line(this.shape(), `subtract(${x}, ${wide})`, list);
  }
  /** Row-major places of elements in lines along a dimension. */
  linesAlong(along) {
    const step = elementsOf(this.dims.slice(along + 1)),
      n = this.dims[along];
    const starts = [];
    for (let i = 0; i < this.data.length; i++) if (Math.floor(i / step) % n === 0) starts.push(i);
    return starts.map((start) => Array.from({ length: n }, (_, k) => start + k * step));
  }
  subtractSums(along) {
    const result = this.data.slice();
    for (const places of this.linesAlong(along)) {
      const sum = places.reduce((a, i) => a + this.data[i], 0);
      for (const i of places) result[i] -= sum;
    }
    this.data = result;
  }
  fusionOfSums(x) {
    const along = this.below(this.dims.length),
      sum = this.adder();
    const f = this.computation([this.shape()], (list, [p]) => this.lessSums(p, list, along, sum));
    this.subtractSums(along);
    return this.line(this.shape(), `fusion(${x}), kind=kLoop, calls=${f}`);
  }
  reduce(x) {
    const along = this.below(this.dims.length);
    const result = this.lessSums(x, this.lines, along, this.adder());
    this.subtractSums(along);
    return result;
  }
  /** Two arrays reduced at once: the whole array is left, as it was plus one, since the dimension has one element. */
  reduceTwo(x) {
    const f = this.computation(['s32[]', 's32[]', 's32[]', 's32[]'], (list, [a, b, c, d]) => {
      const s = this.line('s32[]', `add(${a}, ${c})`, list),
        m = this.line('s32[]', `add(${b}, ${d})`, list);
      this.line('(s32[], s32[])', `tuple(${s}, ${m})`, list);
    });
    const wide = this.pick(permutations(this.dims.length + 1));
    const r = this.line(`s32[1,${this.dims}]{${wide}}`, `reshape(${x})`);
    const zero = this.line('s32[]', 'constant(0)'),
      one = this.line('s32[]', 'constant(1)');
    const t = this.line(
      `(${this.shape()}, ${this.shape()})`,
      `reduce(${r}, ${r}, ${one}, ${zero}), dimensions={0}, to_apply=${f}`,
    );
    this.addOne();
    return this.line(this.shape(), `get-tuple-element(${t}), index=0`);
  }
  loop(x, rounds) {
    const state = () => `(s32[], ${this.shape()})`;
    const condition = this.computation([state()], (list, [p]) => {
      const i = this.line('s32[]', `get-tuple-element(${p}), index=0`, list);
      const n = this.line('s32[]', `constant(${rounds})`, list);
      this.line('pred[]', `compare(${i}, ${n}), direction=LT`, list);
    });
    const body = this.computation([state()], (list, [p]) => {
      const i = this.line('s32[]', `get-tuple-element(${p}), index=0`, list);
      const a = this.line(this.shape(), `get-tuple-element(${p}), index=1`, list);
      const one = this.line('s32[]', 'constant(1)', list);
      const next = this.line('s32[]', `add(${i}, ${one})`, list);
      this.line(state(), `tuple(${next}, ${this.plusOne(a, list)})`, list);
    });
    const start = this.line(state(), `tuple(${this.line('s32[]', 'constant(0)')}, ${x})`);
    const w = this.line(state(), `while(${start}), condition=${condition}, body=${body}`);
    for (let i = 0; i < rounds; i++) this.addOne();
    return this.line(this.shape(), `get-tuple-element(${w}), index=1`);
  }
  while(x) {
    return this.loop(x, this.below(3));
  }
  longWhile(x) {
    return this.loop(x, 20);
  }
  /** Branches, the second of which adds one. */
  branch(adds) {
    return this.computation([this.shape()], (list, [p]) => {
      if (adds) this.plusOne(p, list);
      else this.line(this.shape(), `copy(${p})`, list);
    });
  }
  conditional(x) {
    const which = this.below(2) === 1;
    const chosen = this.line('pred[]', `constant(${which})`);
    if (which) this.addOne();
    return this.line(
      this.shape(),
      `conditional(${chosen}, ${x}, ${x}), true_computation=${this.branch(true)}, false_computation=${this.branch(false)}`,
    );
  }
  branches(x) {
    const which = this.below(3);
    // A number that no pass knows beforehand.
    this.parameters.push({ dims: [], data: Int32Array.of(which) });
    const chosen = this.line('s32[]', `parameter(${this.parameters.length - 1})`);
    const list = [false, true, true].map((adds) => this.branch(adds));
    if (which > 0) this.addOne();
    return this.line(
      this.shape(),
      `conditional(${chosen}, ${x}, ${x}, ${x}), branch_computations={${list}}`,
    );
  }
  barrier(x) {
    return this.line(this.shape(), `opt-barrier(${x})`);
  }
  barrierOfTuple(x) {
    const t = this.line(`(${this.shape()}, ${this.shape()})`, `tuple(${x}, ${x})`);
    const b = this.line(`(${this.shape()}, ${this.shape()})`, `opt-barrier(${t})`);
    return this.line(this.shape(), `get-tuple-element(${b}), index=1`);
  }
  async(x) {
    const f = this.computation([this.shape()], (list, [p]) => this.plusOne(p, list));
    const form = () => `((${this.shape()}), ${this.shape()}, s32[])`;
    let s = this.line(form(), `async-start(${x}), calls=${f}`);
    if (this.below(2)) s = this.line(form(), `async-update(${s}), calls=${f}`);
    this.addOne();
    return this.line(this.shape(), `async-done(${s}), calls=${f}`);
  }
  copyStart(x) {
    const s = this.line(`(${this.shape()}, ${this.shape()}, u32[])`, `copy-start(${x})`);
    if (this.below(2)) return this.line(this.shape(), `copy-done(${s})`);
    return this.line(this.shape(), `get-tuple-element(${s}), index=${this.below(2)}`);
  }
  allReduce(x) {
    const s = this.line(this.shape(), `all-reduce-start(${x}), to_apply=${this.adder()}`);
    return this.line(this.shape(), `all-reduce-done(${s})`);
  }
  allGather(x) {
    const s = this.line(
      `(${this.shape()}, ${this.shape()})`,
      `all-gather-start(${x}), dimensions={0}`,
    );
    return this.line(this.shape(), `all-gather-done(${s})`);
  }
  permute(x) {
    const s = this.line(
      `(${this.shape()}, ${this.shape()})`,
      `collective-permute-start(${x}), source_target_pairs={{0,0}}`,
    );
    return this.line(this.shape(), `collective-permute-done(${s})`);
  }
  sorted(along) {
    const result = this.data.slice();
    for (const places of this.linesAlong(along)) {
      const values = places.map((i) => this.data[i]).sort((a, b) => a - b);
      places.forEach((i, k) => (result[i] = values[k]));
    }
    this.data = result;
  }
  sort(x) {
    const along = this.below(this.dims.length);
    const less = this.computation(['s32[]', 's32[]'], (list, [p, q]) =>
      this.line('pred[]', `compare(${p}, ${q}), direction=LT`, list),
    );
    this.sorted(along);
    return this.line(this.shape(), `sort(${x}), dimensions={${along}}, to_apply=${less}`);
  }
  sortPairs(x) {
    const along = this.below(this.dims.length);
    const less = this.computation(['s32[]', 's32[]', 's32[]', 's32[]'], (list, [p, q]) =>
      this.line('pred[]', `compare(${p}, ${q}), direction=LT`, list),
    );
    const y = this.line(this.shape(), `copy(${x})`);
    const t = this.line(
      `(${this.shape()}, ${this.shape()})`,
      `sort(${x}, ${y}), dimensions={${along}}, to_apply=${less}`,
    );
    this.sorted(along);
    return this.line(this.shape(), `get-tuple-element(${t}), index=${this.below(2)}`);
  }
  map(x) {
    this.data = this.data.map((v) => v + v);
    const dimensions = this.dims.map((_, d) => d);
    return this.line(
      this.shape(),
      `map(${x}, ${this.line(this.shape(), `copy(${x})`)}), dimensions={${dimensions}}, to_apply=${this.adder()}`,
    );
  }
  /** Two results, whose second is what went in, as the test registers it. */
  customCall(x) {
    const t = this.line(
      `(${this.shape()}, ${this.shape()})`,
      `custom-call(${x}), custom_call_target="negate_and_keep", operand_layout_constraints={${this.shape()}}`,
    );
    const index = this.below(2);
    if (index === 0) this.data = this.data.map((v) => -v);
    return this.line(this.shape(), `get-tuple-element(${t}), index=${index}`);
  }
  dependency(x) {
    return this.line(this.shape(), `add-dependency(${x}, ${this.line('token[]', 'after-all()')})`);
  }
  constant(x) {
    const values = this.data.map(() => this.below(50));
    const nest = (d, from) =>
      d === this.dims.length
        ? values[from]
        : `{${Array.from({ length: this.dims[d] }, (_, i) => nest(d + 1, from + i * elementsOf(this.dims.slice(d + 1))))}}`;
    const c = this.line(this.shape(), `constant(${nest(0, 0)})`);
    this.data = this.data.map((v, i) => v + values[i]);
    return this.line(this.shape(), `add(${x}, ${c})`);
  }
  /** The elements in the order of memory. */
  bitcast(x) {
    const order = this.pick(this.orders);
    const y = this.line(this.shape(order), this.pick([`opt-barrier(${x})`, `copy(${x})`]));
    const values = placesInMemory(this.dims, order).map((i) => this.data[i]);
    this.dims = this.pick(permutations(this.dims.length)).map((d) => this.dims[d]);
    const as = this.pick(this.orders),
      data = new Int32Array(values.length);
    placesInMemory(this.dims, as).forEach((place, at) => (data[place] = values[at]));
    this.data = data;
    return this.line(this.shape(as), `bitcast(${y})`);
  }
  reshape(x) {
    this.dims = this.pick(permutations(this.dims.length)).map((d) => this.dims[d]);
    return this.line(this.shape(), `reshape(${x})`);
  }
  transpose(x) {
    const order = this.pick(this.orders),
      before = this.dims;
    this.dims = order.map((d) => before[d]);
    const strides = before.map((_, d) => elementsOf(before.slice(d + 1)));
    const own = this.dims.map((_, d) => elementsOf(this.dims.slice(d + 1)));
    this.data = Int32Array.from(
      this.data,
      (_, at) =>
        this.data[
          this.dims.reduce(
            (sum, n, d) => sum + (Math.floor(at / own[d]) % n) * strides[order[d]],
            0,
          )
        ],
    );
    return this.line(this.shape(), `transpose(${x}), dimensions={${order}}`);
  }

  /** Running sums along a dimension; the carry has layouts of its own. */
  scan(x) {
    const along = this.below(this.dims.length);
    const kept = this.dims.filter((_, d) => d !== along);
    const slice = () => `s32[${kept}]{${this.pick(permutations(kept.length))}}`;
    const f = this.computation([slice(), slice()], (list, [element, carry]) => {
      const sum = this.line(slice(), `add(${carry}, ${element})`, list);
      const copy = this.line(slice(), `copy(${sum})`, list);
      this.line(`(${slice()}, ${slice()})`, `tuple(${copy}, ${sum})`, list);
    });
    const zero = this.line('s32[]', 'constant(0)');
    const zeros = this.line(slice(), `broadcast(${zero}), dimensions={}`);
    const s = this.line(
      `(${this.shape()}, ${slice()})`,
      `scan(${x}, ${zeros}), dimensions={${along}}, num_carries=1, to_apply=${f}`,
    );
    const result = this.data.slice();
    for (const places of this.linesAlong(along))
      for (let k = 1; k < places.length; k++) result[places[k]] += result[places[k - 1]];
    this.data = result;
    return this.line(this.shape(), `get-tuple-element(${s}), index=0`);
  }
  afterLast() {
    return this.token ?? this.line('token[]', 'after-all()');
  }
  infeed(x) {
    const tuple = this.below(2) === 0;
    const fed = this.data.map(() => this.below(100));
    this.infeeds.push({ dims: this.dims, data: fed });
    const shape = () => (tuple ? `(${this.shape()})` : this.shape());
    const both = this.line(`(${shape()}, token[])`, `infeed(${this.afterLast()})`);
    this.token = this.line('token[]', `get-tuple-element(${both}), index=1`);
    let y = this.line(shape(), `get-tuple-element(${both}), index=0`);
    if (tuple) y = this.line(this.shape(), `get-tuple-element(${y}), index=0`);
    this.data = this.data.map((v, i) => v - fed[i]);
    return this.line(this.shape(), `subtract(${x}, ${y})`);
  }
  outfeed(x) {
    const tuple = this.below(2) === 0;
    const sent = tuple ? this.line(`(${this.shape()})`, `tuple(${x})`) : x;
    const shape = tuple ? `(${this.shape()})` : this.shape();
    this.token = this.line(
      'token[]',
      `outfeed(${sent}, ${this.afterLast()}), outfeed_shape=${shape}`,
    );
    this.outfeeds.push({ dims: this.dims, data: this.data });
    return this.line(this.shape(), `copy(${x})`);
  }
  /** A message to itself. */
  sendRecv(x) {
    const attributes = `channel_id=${++this.channels}, frontend_attributes={_xla_send_recv_source_target_pairs={{0,0}}}`;
    const form = () => `(${this.shape()}, u32[], token[])`;
    const token = this.line('token[]', 'after-all()');
    const s = this.line(form(), `send(${x}, ${token}), ${attributes}`);
    const r = this.line(form(), `recv(${token}), ${attributes}`);
    this.line('token[]', `send-done(${s}), ${attributes}`);
    const done = this.line(`(${this.shape()}, token[])`, `recv-done(${r}), ${attributes}`);
    return this.line(this.shape(), `get-tuple-element(${done}), index=0`);
  }

  /**
   * @typedef {{ dims: number[], data: Int32Array }} Values
   * @returns {{ text: string, kinds: string[], inputs: Values[], infeeds: Values[], outfeeds: Values[], want: Int32Array }}
   */
  make() {
    this.parameters.push({ dims: this.dims, data: this.data });
    let x = this.line(this.shape(), 'parameter(0)');
    const kinds = [this.kind ?? this.pick(boundaries)];
    for (let more = this.below(4); more > 0; more--)
      kinds.splice(
        this.below(kinds.length + 1),
        0,
        this.pick(talking.includes(kinds[0]) ? [...boundaries, ...talking] : boundaries),
      );
    for (const kind of kinds) x = this[kind](x);
    // The root may be the boundary itself, or a tuple.
    if (this.below(2)) this.line(`(${this.shape()}, ${this.shape()})`, `tuple(${x}, ${x})`);
    const root = this.lines.pop();
    const text = `HloModule layouts\n${[...this.computations.values()].join('\n')}\nENTRY main {\n${[...this.lines, root.replace('  ', '  ROOT ')].join('\n')}\n}\n`;
    const { infeeds, outfeeds } = this;
    return { text, kinds, inputs: this.parameters, infeeds, outfeeds, want: this.data };
  }
}
