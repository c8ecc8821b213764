// Random programs of one while loop, as HLO text with inputs: numbers and arrays of many types that are carried, swapped,
// handed on, updated, read after they were updated, reduced.
import {
  elementsOf,
  isFloat,
  isInteger,
  randomInput,
  RandomProgram,
  shapeText,
} from './random_program.js';

const types = ['f32', 'f64', 's32', 'u32', 's8', 'u16', 's64', 'pred', 'bf16', 'f16', 'c64'];
const shapes = [[], [], [], [1], [5], [64], [4, 8], [3, 1, 20], [7, 130]];
// Every third loop has nothing else.
const fewNumbers = [[], [2], [3], [4], [2, 2], [1, 3]];
const wideTypes = ['f32', 'f32', 'f32', 'f64', 'f64', 's32', 'u32', 's64', 'pred'];
const isFew = ({ dims, layout }) =>
  layout === '' && dims.length > 0 && [2, 3, 4].includes(elementsOf(dims));
const TERMS = 32; // of a sum in one round, at most
const ROUNDS = [0, 1, 2, 3, 7, 12, 300, 600];

export class RandomLoop extends RandomProgram {
  hasFew = false;

  literal(type) {
    if (type === 'pred') return this.pick(['true', 'false']);
    if (type === 'c64') return '(0.5, -1)';
    if (isFloat(type)) return this.pick(['0', '1', '-0.5', '0.999', '3', 'inf']);
    return this.pick(['0', '1', '2', '5']);
  }
  /** A number or an array of it. */
  constant(type, dims) {
    const number = this.add(type, [], `constant(${this.literal(type)})`);
    return dims.length === 0
      ? number
      : this.add(type, dims, `broadcast(${number.name}), dimensions={}`);
  }
  /** A known value of that type and shape, or one made for it. */
  find(known, type, dims, layout = '') {
    const fitting = known.filter(
      (x) => x.type === type && String(x.dims) === String(dims) && x.layout === layout,
    );
    if (fitting.length > 0 && this.below(8) > 0) return this.pick(fitting);
    if (layout !== '')
      return this.add(type, dims, `copy(${this.find(known, type, dims).name})`, layout);
    const numbers = known.filter((x) => x.type === type && x.dims.length === 0);
    if (dims.length > 0 && numbers.length > 0 && this.below(2) === 0)
      return this.add(type, dims, `broadcast(${this.pick(numbers).name}), dimensions={}`);
    return this.constant(type, dims);
  }
  /** Where a part of an array starts: numbers of one type. */
  starts(known, dims) {
    const indices = known.filter(({ type, dims }) => isInteger(type) && dims.length === 0);
    const type = indices.length > 0 ? this.pick(indices).type : 's32';
    const fitting = indices.filter((x) => x.type === type);
    return dims.map(() =>
      fitting.length > 0 && this.below(6) > 0
        ? this.pick(fitting)
        : this.add(type, [], `constant(${this.below(6) - (type[0] === 's' ? 2 : 0)})`),
    );
  }
  elementwise(known, { type, dims, layout }) {
    const a = this.find(known, type, dims, layout),
      b = this.find(known, type, dims, layout);
    const choice = this.below(6);
    if (choice === 0 && type !== 'c64' && type !== 'pred') {
      const mask = this.add('pred', dims, `compare(${a.name}, ${b.name}), direction=LT`, layout);
      return this.add(type, dims, `select(${mask.name}, ${b.name}, ${a.name})`, layout);
    }
    if (choice === 1 && type !== 'c64') {
      const other = this.pick(['f32', 's32', 's64', 'bf16', 'u16'].filter((x) => x !== type));
      const x = this.find(known, other, dims, layout);
      return this.add(type, dims, `convert(${x.name})`, layout);
    }
    const ops =
      type === 'pred'
        ? ['and', 'or', 'xor']
        : type === 'c64'
          ? ['add', 'subtract', 'multiply']
          : isFloat(type)
            ? ['add', 'subtract', 'multiply', 'maximum', 'minimum']
            : ['add', 'subtract', 'multiply', 'maximum', 'and', 'xor', 'shift-left', 'divide'];
    if (choice === 2 && type === 'f32')
      return this.add(
        type,
        dims,
        `${this.pick(['tanh', 'exponential', 'sine', 'log'])}(${a.name})`,
        layout,
      );
    return this.add(type, dims, `${this.pick(ops)}(${a.name}, ${b.name})`, layout);
  }
  slice(known) {
    const from = this.pick(known.filter(({ dims, layout }) => dims.length > 0 && layout === ''));
    if (from === undefined) return undefined;
    const sizes = from.dims.map((size) => this.pick([1, 1, size, 1 + this.below(size)]));
    const starts = this.starts(known, sizes);
    const slice = this.add(
      from.type,
      sizes,
      `dynamic-slice(${[from, ...starts].map(({ name }) => name)}), dynamic_slice_sizes={${sizes}}`,
    );
    if (sizes.every((size) => size === 1))
      known.push(slice, this.add(from.type, [], `reshape(${slice.name})`));
    else known.push(slice);
    return this.pick([undefined, this.update(known, from, sizes)]);
  }
  /** A part of an array that stands fast, and it or its parts one after the other. */
  parts(known) {
    const from = this.pick(known.filter(({ dims, layout }) => dims.length > 0 && layout === ''));
    if (from === undefined) return undefined;
    const starts = from.dims.map((size) => this.pick([0, this.below(size)]));
    const steps = from.dims.map(() => this.pick([1, 1, 2]));
    const dims = from.dims.map((size, d) => Math.ceil((size - starts[d]) / steps[d]));
    const slices = starts.map((start, d) => `[${start}:${from.dims[d]}:${steps[d]}]`);
    const slice = this.add(from.type, dims, `slice(${from.name}), slice={${slices}}`);
    known.push(slice);
    const along = this.below(dims.length);
    const fits = (x) =>
      x.type === from.type &&
      x.layout === '' &&
      x.dims.length === dims.length &&
      x.dims.every((size, d) => d === along || size === dims[d]);
    const more = Array.from({ length: this.below(3) }, () => this.pick(known.filter(fits)));
    const all = this.shuffled([slice, ...more]);
    const size = all.reduce((sum, x) => sum + x.dims[along], 0);
    if (size > 200) return undefined;
    const names = all.map((x) => x.name);
    return this.add(
      from.type,
      dims.map((n, d) => (d === along ? size : n)),
      `concatenate(${names}), dimensions={${along}}`,
    );
  }
  /** An array of a few numbers put together of those of others, one at a time. */
  numbers(known, like = this.pick(known.filter(isFew))) {
    if (like === undefined) return undefined;
    const { type, dims } = like;
    const read = () => {
      const from = this.pick(known.filter((x) => isFew(x) && x.type === type));
      const at = from.dims.map((size) => this.below(size));
      const slices = at.map((i) => `[${i}:${i + 1}]`);
      const ones = from.dims.map(() => 1);
      const slice = this.add(type, ones, `slice(${from.name}), slice={${slices}}`);
      return this.add(type, [], `reshape(${slice.name})`);
    };
    const count = dims.reduce((a, b) => a * b, 1);
    const parts = Array.from({ length: count }, () => {
      const number = this.below(2) ? read() : this.elementwise([read(), read()], read());
      return this.add(type, [1], `reshape(${number.name})`);
    });
    const names = parts.map((x) => x.name);
    const joined = this.add(type, [count], `concatenate(${names}), dimensions={0}`);
    const whole = this.add(type, dims, `reshape(${joined.name})`);
    return this.below(2) ? whole : this.elementwise([whole, like, whole], like);
  }
  /** The array with a part of it changed. */
  update(known, array, sizes = array.dims.map((size) => this.pick([1, 1, size]))) {
    const part = this.find(known, array.type, sizes);
    const starts = this.starts(known, sizes);
    return this.add(
      array.type,
      array.dims,
      `dynamic-update-slice(${[array, part, ...starts].map(({ name }) => name)})`,
    );
  }
  reduce(known) {
    const from = this.pick(
      known.filter(({ dims, type }) => dims.length > 0 && !['c64', 'pred'].includes(type)),
    );
    if (from === undefined) return undefined;
    const op = isInteger(from.type) ? this.pick(['add', 'maximum']) : 'maximum';
    const start = this.add(from.type, [], 'constant(0)');
    return this.add(
      from.type,
      [],
      `reduce(${from.name}, ${start.name}), dimensions={${from.dims.map((_, d) => d)}}, to_apply=${this.combiner(op, from.type)}`,
    );
  }
  /** Each element with all before it along a dimension, or behind it. */
  cumulate(known) {
    const from = this.pick(
      known.filter(
        ({ dims, type, layout }) =>
          layout === '' && dims.length > 0 && !['c64', 'pred'].includes(type),
      ),
    );
    if (from === undefined) return undefined;
    const along = this.below(from.dims.length);
    const n = from.dims[along];
    const sizes = from.dims.map((_, d) => (d === along ? n : 1)).join('x');
    const edge = this.below(2) ? `${n - 1}_0` : `0_${n - 1}`;
    const pads = from.dims.map((_, d) => (d === along ? edge : '0_0')).join('x');
    // Long sums of floats have other orders where there are several rows.
    const sums = isFloat(from.type) && n > 16 ? [] : ['add', 'multiply'];
    const op = this.pick([...sums, 'maximum', 'minimum']);
    const start = this.add(from.type, [], `constant(${this.pick(['0', '1', '2'])})`);
    return this.add(
      from.type,
      from.dims,
      `reduce-window(${from.name}, ${start.name}), window={size=${sizes} pad=${pads}}, to_apply=${this.combiner(op, from.type)}`,
    );
  }
  /** A triangular system, of which one of the arrays has the solution's size. */
  solve(known) {
    const sides = this.pick(
      known.filter(
        ({ dims, type, layout }) =>
          layout === '' && dims.length === 2 && ['f32', 'f64'].includes(type),
      ),
    );
    if (sides === undefined) return undefined;
    const { type, dims } = sides;
    const left = this.below(2);
    const n = left ? dims[0] : dims[1];
    if (n > 8) return undefined;
    const matrix = this.find(known, type, [n, n]);
    const flag = (name) => `${name}=${this.pick(['true', 'false'])}`;
    return this.add(
      type,
      dims,
      `triangular-solve(${matrix.name}, ${sides.name}), left_side=${left === 1}, ${flag('lower')}, ` +
        `${flag('unit_diagonal')}, transpose_a=${this.pick(['NO_TRANSPOSE', 'TRANSPOSE'])}`,
    );
  }
  /** Places that an array mostly has: some, or all shifted by a number that is known. */
  places(known, count, sizes) {
    const list = Array.from({ length: count }, () => sizes.map((n) => this.below(n + 3) - 1));
    const text =
      sizes.length === 1
        ? `{${list.flat()}}`
        : `{${list.map((vector) => `{${vector}}`).join(', ')}}`;
    const dims = sizes.length === 1 ? [count] : [count, sizes.length];
    const fixed = this.add('s32', dims, `constant(${text})`);
    const numbers = known.filter(({ type, dims }) => type === 's32' && dims.length === 0);
    if (numbers.length === 0 || this.below(3) === 0) return fixed;
    const by = this.add('s32', dims, `broadcast(${this.pick(numbers).name}), dimensions={}`);
    return this.add('s32', dims, `add(${fixed.name}, ${by.name})`);
  }
  /** Parts of an array without some of its dimensions, put where other numbers say. */
  scatter(known) {
    const array = this.pick(known.filter(({ dims, layout }) => dims.length > 0 && layout === ''));
    if (array === undefined) return undefined;
    const { type, dims } = array;
    const chosen = this.shuffled(dims.map((_, d) => d)).slice(0, 1 + this.below(dims.length));
    const window = dims.filter((_, d) => !chosen.includes(d));
    const count = 1 + this.below(18);
    const places = this.places(
      known,
      count,
      chosen.map((d) => dims[d]),
    );
    const updates = this.find(known, type, [count, ...window]);
    const op = type === 'pred' ? 'or' : type === 'c64' ? 'add' : this.pick(['add', 'maximum']);
    const combine = this.pick([this.combiner(op, type), this.assignment(type)]);
    return this.add(
      type,
      dims,
      `scatter(${array.name}, ${places.name}, ${updates.name}), update_window_dims={${window.map((_, i) => i + 1)}}, ` +
        `inserted_window_dims={${[...chosen].sort()}}, scatter_dims_to_operand_dims={${chosen}}, ` +
        `index_vector_dim=1, to_apply=${combine}`,
    );
  }
  assignment(type) {
    const name = `assign_${type}`;
    const text = `  a = ${type}[] parameter(0)\n  ROOT b = ${type}[] parameter(1)`;
    this.computations.set(name, `${name} {\n${text}\n}\n`);
    return name;
  }
  /** Without NaNs, the signs of which, when they were computed, are nobody's promise. */
  numbersOf({ name, type, dims }) {
    const is = this.add('pred', dims, `compare(${name}, ${name}), direction=EQ`);
    const zeros = this.constant(type, dims);
    return this.add(type, dims, `select(${is.name}, ${name}, ${zeros.name})`);
  }
  /** Up or down by one array, alone or together with others. */
  sort(known) {
    const isKey = ({ type, dims, layout }) =>
      dims.length > 0 && layout === '' && !['c64', 'pred'].includes(type);
    const found = this.pick(known.filter(isKey));
    if (found === undefined) return;
    const { dims } = found;
    const key = isFloat(found.type) ? this.numbersOf(found) : found;
    const fits = (x) => x.layout === '' && String(x.dims) === String(dims);
    const all = this.shuffled([
      key,
      ...Array.from({ length: this.below(3) }, () => this.pick(known.filter(fits))),
    ]);
    const comparator = this.name('by');
    const lines = all.flatMap(({ type }, k) =>
      ['a', 'b'].map((side, i) => `  ${side}${k} = ${type}[] parameter(${2 * k + i})`),
    );
    const k = all.indexOf(key);
    const order = isFloat(key.type) ? ', type=TOTALORDER' : '';
    lines.push(
      `  ROOT less = pred[] compare(a${k}, b${k}), direction=${this.pick(['LT', 'GT'])}${order}`,
    );
    this.computations.set(comparator, `${comparator} {\n${lines.join('\n')}\n}\n`);
    const attributes = `dimensions={${this.below(dims.length)}}, is_stable=true, to_apply=${comparator}`;
    const names = all.map(({ name }) => name);
    if (all.length === 1)
      return known.push(this.add(key.type, dims, `sort(${names}), ${attributes}`));
    const name = this.name();
    this.lines.push(`  ${name} = ${this.tuple(all)} sort(${names}), ${attributes}`);
    known.push(...this.results(name, all));
  }
  /** Elements of the tuple parameter `s`. */
  elements(state) {
    return state.map((x, i) =>
      this.add(x.type, x.dims, `get-tuple-element(s), index=${i}`, x.layout),
    );
  }
  tuple(values) {
    return `(${values.map((x) => shapeText(x))})`;
  }
  /** Adds a computation of a tuple; `result` names its root. */
  computation(state, result) {
    const outer = this.lines,
      name = this.name('c');
    this.lines = [];
    const root = result(this.elements(state));
    const lines = this.lines.map((line) =>
      line.startsWith(`  ${root} =`) ? line.replace('  ', '  ROOT ') : line,
    );
    this.computations.set(
      name,
      `${name} {\n  s = ${this.tuple(state)} parameter(0)\n${lines.join('\n')}\n}\n`,
    );
    this.lines = outer;
    return name;
  }
  /** A tuple of known values, or of new ones, of these types and shapes. */
  some(known, likes) {
    const values = likes.map((x) => this.find(known, x.type, x.dims, x.layout));
    const name = this.name();
    this.lines.push(`  ${name} = ${this.tuple(likes)} tuple(${values.map((x) => x.name)})`);
    return name;
  }
  likes(known) {
    return Array.from({ length: 1 + this.below(3) }, () => this.pick(known));
  }
  results(name, likes) {
    return likes.map((x, i) =>
      this.add(x.type, x.dims, `get-tuple-element(${name}), index=${i}`, x.layout),
    );
  }
  /** A loop inside of the body, of a number of rounds that can be seen, or cannot. */
  inner(known, depth) {
    const counter = { type: 's32', dims: [], layout: '' };
    const isOpen = this.below(2) === 0;
    const state = [counter, ...(isOpen ? [counter] : []), ...this.likes(known)];
    const limit = this.below(isOpen ? 12 : 5);
    const condition = this.computation(state, ([i, most]) => {
      const below = (end) => this.add('pred', [], `compare(${i.name}, ${end.name}), direction=LT`);
      const more = below(this.add('s32', [], `constant(${limit})`));
      if (!isOpen) return more.name;
      return this.add('pred', [], `and(${more.name}, ${below(most).name})`).name;
    });
    const body = this.computation(state, (elements) => this.next(elements, state, 0, depth + 1));
    const from = this.add('s32', [], `constant(${this.below(3)})`);
    const start = this.some([...known, from], state.slice(1));
    const parts = this.results(start, state.slice(1));
    const [name, tuple] = [this.name(), this.name()];
    const shape = this.tuple(state);
    this.lines.push(`  ${tuple} = ${shape} tuple(${[from, ...parts].map((x) => x.name)})`);
    this.lines.push(`  ${name} = ${shape} while(${tuple}), condition=${condition}, body=${body}`);
    return this.results(name, state);
  }
  conditional(known, depth) {
    const likes = this.likes(known);
    const branch = () => {
      const from = this.likes(known);
      const name = this.computation(from, (elements) => {
        this.work(elements, depth + 1, 3);
        return this.some(elements, likes);
      });
      return { name, from: this.some(known, from) };
    };
    const number = this.find(known, this.pick(['s32', 'pred']), []);
    const branches = Array.from({ length: number.type === 'pred' ? 2 : 1 + this.below(3) }, branch);
    const name = this.name(),
      names = branches.map((x) => x.name);
    const how =
      number.type === 'pred'
        ? `true_computation=${names[0]}, false_computation=${names[1]}`
        : `branch_computations={${names}}`;
    const operands = [number.name, ...branches.map((x) => x.from)];
    this.lines.push(`  ${name} = ${this.tuple(likes)} conditional(${operands}), ${how}`);
    return this.results(name, likes);
  }
  condition(counter) {
    return (known) => {
      const i = known[counter],
        limit = known[counter + 1];
      const more = this.add('pred', [], `compare(${i.name}, ${limit.name}), direction=LT`);
      const numbers = known.filter(({ type, dims }) => type === 'f32' && dims.length === 0);
      if (this.below(4) === 0) {
        const x = this.reduce(known);
        if (x !== undefined) numbers.push(this.add('f32', [], `convert(${x.name})`));
      }
      if (numbers.length === 0) return more.name;
      const most = this.add('f32', [], 'constant(1e30)');
      const small = this.add(
        'pred',
        [],
        `compare(${this.pick(numbers).name}, ${most.name}), direction=LE`,
      );
      return this.pick([more, this.add('pred', [], `and(${more.name}, ${small.name})`)]).name;
    };
  }
  /** Adds so many values, more or less. */
  work(known, depth, most) {
    const likes = [...known];
    for (let n = this.below(most); n >= 0; n--) {
      const like = this.pick(likes);
      const value = this.pick([
        () => this.elementwise(known, like),
        () => this.elementwise(known, like),
        () => this.slice(known),
        () => (like.layout === '' && like.dims.length > 0 ? this.update(known, like) : undefined),
        () => this.reduce(known),
        () => this.cumulate(known),
        () => this.solve(known),
        () => this.parts(known),
        () => this.numbers(known),
        () => this.scatter(known),
        () => void this.sort(known),
        () =>
          like.dims.length === 2 && like.layout === ''
            ? this.add(like.type, like.dims, `reverse(${like.name}), dimensions={0}`)
            : undefined,
        () => void (depth < 2 && this.below(3) === 0 && known.push(...this.inner(known, depth))),
        () =>
          void (depth < 2 && this.below(2) === 0 && known.push(...this.conditional(known, depth))),
      ])();
      if (value) known.push(value);
    }
  }
  /** The state after a round. */
  next(known, state, counter, depth) {
    const carried = [...known];
    const one = this.add(carried[counter].type, [], 'constant(1)');
    const next = this.add(one.type, [], `add(${carried[counter].name}, ${one.name})`);
    this.work(known, depth, depth > 0 ? 4 : 12);
    const results = state.map((x, i) => {
      if (i === counter) return next;
      if (x.isKept) return carried[i];
      if (this.hasFew && isFew(x) && this.below(2) === 0) return this.numbers(known, carried[i]);
      return this.find(known, x.type, x.dims, x.layout); // swapped, handed on, made twice, or new
    });
    const name = this.name();
    this.lines.push(`  ${name} = ${this.tuple(state)} tuple(${results.map((x) => x.name)})`);
    return name;
  }
  input({ type, dims }) {
    return randomInput(type, dims, () => {
      const x = this.below(7) - 2;
      if (type === 's64') return BigInt(x);
      if (type === 'pred') return x & 1;
      if (type === 'bf16') return this.pick([0, 0x3f80, 0xbf00, 0x4040]);
      if (type === 'f16') return this.pick([0, 0x3c00, 0xb800, 0x4200]);
      return isInteger(type) ? Math.abs(x) : x * 0.375;
    });
  }
  /** The loop as the program's result, or, as most programs have it, what some of its state is. */
  end(state, loop) {
    const tuple = this.tuple(state);
    if (this.below(2) === 0) return `  ROOT end = ${tuple} ${loop}\n`;
    const kept = state.map((x, i) => ({ ...x, i })).filter((x) => !x.isKept);
    const parts = kept.map(
      (x) => `  e${x.i} = ${shapeText(x)} get-tuple-element(end), index=${x.i}\n`,
    );
    const names = kept.map(({ i }) => `e${i}`);
    return `  end = ${tuple} ${loop}\n${parts.join('')}  ROOT some = ${this.tuple(kept)} tuple(${names})\n`;
  }
  /** @returns {import('./program_comparison.js').Program} */
  make() {
    this.hasFew = this.below(3) === 0;
    const leaves = 1 + this.below(6),
      counter = this.below(leaves + 1);
    const likes = [];
    const state = Array.from({ length: leaves }, () => {
      // Often of a kind with another one.
      const like = likes.length > 0 && this.below(2) === 0 ? this.pick(likes) : undefined;
      const dims = like?.dims ?? this.pick(this.hasFew ? fewNumbers : shapes);
      const layout = like?.layout ?? (dims.length === 2 && this.below(5) === 0 ? '{0,1}' : '');
      likes.push({ type: like?.type ?? this.pick(this.hasFew ? wideTypes : types), dims, layout });
      return likes.at(-1);
    });
    const type = this.pick(['s32', 's32', 's64', 'u32']);
    state.splice(counter, 0, { type, dims: [] }, { type, dims: [], isKept: true });
    for (const x of state) x.layout ??= '';
    const inputs = state.map((x) => this.input(x));
    const number = type === 's64' ? BigInt : Number;
    inputs[counter].data[0] = number(0);
    const rounds = this.pick(ROUNDS);
    inputs[counter + 1].data[0] = number(rounds);
    const tuple = this.tuple(state);
    const condition = this.computation(state, this.condition(counter));
    const body = this.computation(state, (known) => this.next(known, state, counter, 0));
    const parameters = state.map((x, i) => `  p${i} = ${shapeText(x)} parameter(${i})\n`).join('');
    const text = `HloModule loop\n${[...this.computations.values()].join('')}ENTRY main {\n${parameters}
  start = ${tuple} tuple(${state.map((_, i) => `p${i}`)})
${this.end(state, `while(start), condition=${condition}, body=${body}`)}}\n`;
    // Sums and what is solved by them are rounded once by the oracle.
    const sums = text.match(/to_apply=add_(b?f|c)|triangular-solve/g)?.length;
    // What rounds leave adds up like steps at random.
    if (sums) this.sums = { terms: TERMS, roundings: 2 * sums * Math.sqrt(rounds + 1) };
    return { text, inputs, sums: this.sums };
  }
}
