// Programs that grow in one dimension: of each family a program of size n, for any n. What time a program takes may grow with its
// size, up to a logarithm, and with nothing else.

import { collisions } from './collisions.js';

/** @param {number} n @param {(i: number) => string} item @param {string} [between] */
const list = (n, item, between = ', ') =>
  Array.from({ length: n }, (_, i) => item(i)).join(between);
/** @param {number} n @param {(i: number) => string} item */
const lines = (n, item) => list(n, item, '\n');
/** A tuple type. @param {number} n @param {string} [type] */
const tuple = (n, type = 'f32[2]') => `(${list(n, () => type)})`;

/** A computation `name` that adds two scalars. @param {string} name @param {string} [type] */
const adder = (name, type = 'f32[]') =>
  `${name} { a = ${type} parameter(0) b = ${type} parameter(1) ROOT c = ${type} add(a, b) }\n`;
const x0 = 'x0 = f32[2] parameter(0)';
/** n instructions, each of the one before. @param {number} n @param {(i: number) => string} step */
const chain = (n, step, first = x0, type = 'f32[2]') =>
  `ENTRY e { ${first}\n${lines(n, (i) => `x${i + 1} = ${type} ${step(i)}`)}\nROOT q = ${type} negate(x${n}) }`;
/** n instructions side by side, in a tuple. @param {number} n @param {(i: number) => string} each */
const side = (n, each, first = x0, type = 'f32[2]') =>
  `ENTRY e { ${first}\n${lines(n, (i) => `y${i} = ${type} ${each(i)}`)}\nROOT q = ${tuple(n, type)} tuple(${list(n, (i) => `y${i}`)}) }`;

/** Programs as HLO text. @type {Record<string, (n: number) => string>} */
export const hlo = {
  // instructions
  chain: (n) => chain(n, (i) => `negate(x${i})`),
  'chain of many operations': (n) =>
    chain(n, (i) => `${['negate', 'exponential', 'tanh', 'abs', 'sine'][i % 5]}(x${i})`),
  side: (n) => side(n, (i) => `${['exponential', 'tanh', 'sine'][i % 3]}(x0)`),
  diamonds: (n) => chain(n, (i) => `add(x${i}, x${i})`),
  'wide diamonds': (n) =>
    `ENTRY e { ${x0}\n${lines(n, (i) => `a${i} = f32[2] sine(x${i}) b${i} = f32[2] cosine(x${i}) x${i + 1} = f32[2] add(a${i}, b${i})`)}\nROOT q = f32[2] negate(x${n}) }`,
  'each of the first and the last': (n) => chain(n, (i) => `add(x${i}, x0)`),
  'each of the last two': (n) => chain(n, (i) => `add(x${i}, x${Math.max(0, i - 1)})`),
  'sum of all': (n) =>
    `ENTRY e { ${x0}\n${lines(n, (i) => `y${i} = f32[2] ${['exponential', 'tanh', 'sine'][i % 3]}(x${i}) x${i + 1} = f32[2] multiply(x0, y${i})`)}\ns0 = f32[2] copy(x0)\n${lines(n, (i) => `s${i + 1} = f32[2] add(s${i}, y${i})`)}\nROOT q = f32[2] negate(s${n}) }`,
  tree: (n) =>
    `ENTRY e {\n${lines(n, (i) => `t${n + i} = f32[2] parameter(${i})`)}\n${lines(n - 1, (i) => `t${n - 1 - i} = f32[2] add(t${2 * (n - 1 - i)}, t${2 * (n - 1 - i) + 1})`)}\nROOT q = f32[2] negate(t1) }`,
  dead: (n) =>
    `ENTRY e { ${x0}\n${lines(n, (i) => `y${i} = f32[2] negate(x0)`)}\nROOT q = f32[2] negate(x0) }`,
  equal: (n) => side(n, () => 'exponential(x0)'),
  'chain of scalars': (n) => chain(n, (i) => `add(x${i}, x0)`, 'x0 = f32[] parameter(0)', 'f32[]'),
  'chain of integers': (n) =>
    chain(n, (i) => `${i % 2 ? 'add' : 'multiply'}(x${i}, x0)`, 'x0 = s32[] parameter(0)', 's32[]'),
  reshapes: (n) =>
    `ENTRY e { ${x0}\n${lines(n, (i) => `r${i} = f32[1,2] reshape(x${i}) x${i + 1} = f32[2] reshape(r${i})`)}\nROOT q = f32[2] negate(x${n}) }`,
  transposes: (n) =>
    chain(n, (i) => `transpose(x${i}), dimensions={1,0}`, 'x0 = f32[3,3] parameter(0)', 'f32[3,3]'),
  reverses: (n) => chain(n, (i) => `reverse(x${i}), dimensions={0}`),
  slices: (n) =>
    chain(n, (i) => `concatenate(l${i}, r${i}), dimensions={0}`).replace(
      /x(\d+) = f32\[2\] concatenate/g,
      (all, to) =>
        `l${to - 1} = f32[1] slice(x${to - 1}), slice={[1:2]} r${to - 1} = f32[1] slice(x${to - 1}), slice={[0:1]}\n${all}`,
    ),
  'pads and slices': (n) =>
    `ENTRY e { ${x0} z = f32[] constant(0)\n${lines(n, (i) => `p${i} = f32[3] pad(x${i}, z), padding=1_0 x${i + 1} = f32[2] slice(p${i}), slice={[0:2]}`)}\nROOT q = f32[2] negate(x${n}) }`,
  'growing concatenates': (n) =>
    `ENTRY e { x0 = f32[1] parameter(0)\n${lines(n, (i) => `x${i + 1} = f32[${i + 2}] concatenate(x${i}, x0), dimensions={0}`)}\nROOT q = f32[${n + 1}] negate(x${n}) }`,
  'ladder of slices': (n) => `ENTRY e { x0 = f32[${n + 1}] parameter(0)
${lines(n, (i) => `a${i} = f32[${n - i}] slice(x${i}), slice={[0:${n - i}]} b${i} = f32[${n - i}] slice(x${i}), slice={[1:${n - i + 1}]} x${i + 1} = f32[${n - i}] add(a${i}, b${i})`)}
ROOT q = f32[1] negate(x${n}) }`,
  stencils: (n) =>
    `ENTRY e { x0 = f32[16] parameter(0) z = f32[] constant(0)\n${lines(n, (i) => `p${i} = f32[18] pad(x${i}, z), padding=1_1 a${i} = f32[16] slice(p${i}), slice={[0:16]} b${i} = f32[16] slice(p${i}), slice={[2:18]} x${i + 1} = f32[16] add(a${i}, b${i})`)}\nROOT q = f32[16] negate(x${n}) }`,
  selects: (n) =>
    `ENTRY e { ${x0} c = pred[2] parameter(1)\n${lines(n, (i) => `x${i + 1} = f32[2] select(c, x${i}, x0)`)}\nROOT q = f32[2] negate(x${n}) }`,
  compares: (n) =>
    `ENTRY e { ${x0}\n${lines(n, (i) => `c${i} = pred[2] compare(x${i}, x0), direction=LT y${i} = f32[2] sine(x${i}) x${i + 1} = f32[2] select(c${i}, y${i}, x${i})`)}\nROOT q = f32[2] negate(x${n}) }`,
  converts: (n) =>
    `ENTRY e { ${x0}\n${lines(n, (i) => `h${i} = bf16[2] convert(x${i}) x${i + 1} = f32[2] convert(h${i})`)}\nROOT q = f32[2] negate(x${n}) }`,
  broadcasts: (n) =>
    `ENTRY e { ${x0}\n${lines(n, (i) => `w${i} = f32[2,3] broadcast(x${i}), dimensions={0} v${i} = f32[2,1] slice(w${i}), slice={[0:2],[1:2]} x${i + 1} = f32[2] reshape(v${i})`)}\nROOT q = f32[2] negate(x${n}) }`,
  dots: (n) =>
    chain(
      n,
      (i) => `dot(x${i}, x0), lhs_contracting_dims={1}, rhs_contracting_dims={0}`,
      'x0 = f32[3,3] parameter(0)',
      'f32[3,3]',
    ),
  'dots side by side': (n) =>
    side(
      n,
      (i) => `dot(x0, p${i}), lhs_contracting_dims={1}, rhs_contracting_dims={0}`,
      `x0 = f32[3,3] parameter(0)\n${lines(n, (i) => `p${i} = f32[3,3] parameter(${i + 1})`)}`,
      'f32[3,3]',
    ),
  layers: (n) =>
    `ENTRY e { x0 = f32[2,4] parameter(0) w = f32[4,4] parameter(1) b = f32[4] parameter(2) z = f32[] constant(0) zz = f32[2,4] broadcast(z), dimensions={}
${lines(n, (i) => `d${i} = f32[2,4] dot(x${i}, w), lhs_contracting_dims={1}, rhs_contracting_dims={0} c${i} = f32[2,4] broadcast(b), dimensions={1} s${i} = f32[2,4] add(d${i}, c${i}) x${i + 1} = f32[2,4] maximum(s${i}, zz)`)}
ROOT q = f32[2,4] negate(x${n}) }`,
  reduces: (n) =>
    `${adder('add')}ENTRY e { ${x0} z = f32[] constant(0)\n${lines(n, (i) => `r${i} = f32[] reduce(x${i}, z), dimensions={0}, to_apply=add w${i} = f32[2] broadcast(r${i}), dimensions={} x${i + 1} = f32[2] subtract(x${i}, w${i})`)}\nROOT q = f32[2] negate(x${n}) }`,
  'reduces side by side': (n) =>
    `${adder('add')}${side(n, (i) => `reduce(p${i}, z), dimensions={0}, to_apply=add`, `z = f32[] constant(0)\n${lines(n, (i) => `p${i} = f32[2] parameter(${i})`)}`, 'f32[]')}`,
  'reduces of one': (n) =>
    `${adder('add')}ENTRY e { ${x0} z = f32[] constant(0)\n${lines(n, (i) => `y${i} = f32[2] ${['exponential', 'tanh', 'sine'][i % 3]}(${i < 3 ? 'x0' : `y${i - 3}`}) r${i} = f32[] reduce(y${i}, z), dimensions={0}, to_apply=add`)}\nROOT q = ${tuple(n, 'f32[]')} tuple(${list(n, (i) => `r${i}`)}) }`,
  'reduces with computations of their own': (n) =>
    `${list(n, (i) => adder(`add${i}`), '')}ENTRY e { ${x0} z = f32[] constant(0)\n${lines(n, (i) => `r${i} = f32[] reduce(x${i}, z), dimensions={0}, to_apply=add${i} w${i} = f32[2] broadcast(r${i}), dimensions={} x${i + 1} = f32[2] subtract(x${i}, w${i})`)}\nROOT q = f32[2] negate(x${n}) }`,
  'dynamic slices': (n) =>
    `ENTRY e { x0 = f32[8] parameter(0) k = s32[] parameter(1) u = f32[1] constant({1})\n${lines(n, (i) => `d${i} = f32[1] dynamic-slice(x${i}, k), dynamic_slice_sizes={1} a${i} = f32[1] add(d${i}, u) x${i + 1} = f32[8] dynamic-update-slice(x${i}, a${i}, k)`)}\nROOT q = f32[8] negate(x${n}) }`,
  'updates of one array': (n) =>
    `ENTRY e { x0 = f32[${n}] parameter(0) u = f32[1] parameter(1)\n${lines(n, (i) => `k${i} = s32[] constant(${i}) x${i + 1} = f32[${n}] dynamic-update-slice(x${i}, u, k${i})`)}\nROOT q = f32[${n}] negate(x${n}) }`,
  gathers: (n) =>
    chain(
      n,
      (i) =>
        `gather(x${i}, k), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1}`,
      'x0 = f32[4] parameter(0) k = s32[4,1] parameter(1)',
      'f32[4]',
    ),
  scatters: (n) =>
    adder('add') +
    chain(
      n,
      (i) =>
        `scatter(x${i}, k, x0), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add`,
      'x0 = f32[4] parameter(0) k = s32[4,1] parameter(1)',
      'f32[4]',
    ),
  sorts: (n) =>
    `less { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = pred[] compare(a, b), direction=LT }\n${chain(n, (i) => `sort(x${i}), dimensions={0}, to_apply=less`)}`,
  windows: (n) =>
    adder('add') +
    chain(
      n,
      (i) => `reduce-window(x${i}, z), window={size=3 pad=1_1}, to_apply=add`,
      'x0 = f32[8] parameter(0) z = f32[] constant(0)',
      'f32[8]',
    ),
  convolutions: (n) =>
    chain(
      n,
      (i) => `convolution(x${i}, w), window={size=3 pad=1_1}, dim_labels=b0f_0io->b0f`,
      'x0 = f32[1,4,2] parameter(0) w = f32[3,2,2] parameter(1)',
      'f32[1,4,2]',
    ),
  'all-reduces': (n) => adder('add') + chain(n, (i) => `all-reduce(x${i}), to_apply=add`),
  'asynchronous copies': (n) =>
    `ENTRY e { ${x0}\n${lines(n, (i) => `s${i} = (f32[2], f32[2], u32[]) copy-start(x${i}) x${i + 1} = f32[2] copy-done(s${i})`)}\nROOT q = f32[2] negate(x${n}) }`,
  tokens: (n) =>
    `ENTRY e { t0 = token[] after-all()\n${lines(n, (i) => `t${i + 1} = token[] after-all(t${i})`)}\nROOT q = f32[] constant(1) }`,
  outfeeds: (n) =>
    `ENTRY e { ${x0} t0 = token[] after-all()\n${lines(n, (i) => `t${i + 1} = token[] outfeed(x0, t${i}), outfeed_shape=f32[2]{0}`)}\nROOT q = f32[2] negate(x0) }`,
  'control predecessors': (n) =>
    `ENTRY e { ${x0}\n${lines(n, (i) => `y${i} = f32[2] sine(x0)`)}\nROOT q = f32[2] negate(x0), control-predecessors={${list(n, (i) => `y${i}`)}} }`,
  'chain of control predecessors': (n) =>
    `ENTRY e { ${x0} y0 = f32[2] sine(x0)\n${lines(n, (i) => `y${i + 1} = f32[2] sine(x0), control-predecessors={y${i}}`)}\nROOT q = f32[2] negate(x0) }`,
  barriers: (n) => chain(n, (i) => `opt-barrier(x${i})`),
  'custom calls': (n) => chain(n, (i) => `custom-call(x${i}), custom_call_target="Sharding"`),
  'random numbers': (n) =>
    `ENTRY e { x0 = u64[2] parameter(0)\n${lines(n, (i) => `g${i} = (u64[2], u32[2]) rng-bit-generator(x${i}), algorithm=rng_philox x${i + 1} = u64[2] get-tuple-element(g${i}), index=0`)}\nROOT q = u64[2] not(x${n}) }`,
  // operands
  'concatenate of many': (n) =>
    `ENTRY e { ${lines(n, (i) => `p${i} = f32[1] parameter(${i})`)}\nROOT q = f32[${n}] concatenate(${list(n, (i) => `p${i}`)}), dimensions={0} }`,
  'concatenate of one many times': (n) =>
    `ENTRY e { p = f32[1] parameter(0)\nROOT q = f32[${n}] concatenate(${list(n, () => 'p')}), dimensions={0} }`,
  'concatenate of slices': (n) =>
    `ENTRY e { x = f32[${n}] parameter(0)\n${lines(n, (i) => `s${i} = f32[1] slice(x), slice={[${n - 1 - i}:${n - i}]}`)}\nROOT q = f32[${n}] concatenate(${list(n, (i) => `s${i}`)}), dimensions={0} }`,
  'concatenate of sines': (n) =>
    `ENTRY e { x = f32[${n}] parameter(0)\n${lines(n, (i) => `s${i} = f32[1] slice(x), slice={[${i}:${i + 1}]} t${i} = f32[1] sine(s${i})`)}\nc = f32[${n}] concatenate(${list(n, (i) => `t${i}`)}), dimensions={0}\nROOT q = f32[${n}] negate(c) }`,
  'reduce of many': (n) => `add {
${lines(2 * n, (i) => `a${i} = f32[] parameter(${i})`)}
${lines(n, (i) => `s${i} = f32[] add(a${i}, a${n + i})`)}
ROOT t = ${tuple(n, 'f32[]')} tuple(${list(n, (i) => `s${i}`)})
}
ENTRY e {
${lines(n, (i) => `p${i} = f32[8] parameter(${i})`)}
z = f32[] constant(0)
r = ${tuple(n, 'f32[]')} reduce(${list(n, (i) => `p${i}`)}, ${list(n, () => 'z')}), dimensions={0}, to_apply=add
ROOT q = f32[] get-tuple-element(r), index=${n - 1}
}`,
  'sort of many': (n) => `less {
${lines(2 * n, (i) => `a${i} = f32[] parameter(${i})`)}
ROOT t = pred[] compare(a0, a1), direction=LT
}
ENTRY e {
${lines(n, (i) => `p${i} = f32[8] parameter(${i})`)}
r = ${tuple(n, 'f32[8]')} sort(${list(n, (i) => `p${i}`)}), dimensions={0}, to_apply=less
ROOT q = f32[8] get-tuple-element(r), index=${n - 1}
}`,
  'map of many': (n) => `sum {
${lines(n, (i) => `a${i} = f32[] parameter(${i})`)}
s0 = f32[] negate(a0)
${lines(n, (i) => `s${i + 1} = f32[] add(s${i}, a${i})`)}
ROOT q = f32[] negate(s${n})
}
ENTRY e {
${lines(n, (i) => `p${i} = f32[2] parameter(${i})`)}
ROOT q = f32[2] map(${list(n, (i) => `p${i}`)}), dimensions={0}, to_apply=sum
}`,
  'all-reduce of many': (n) =>
    `${adder('add')}ENTRY e { ${lines(n, (i) => `p${i} = f32[2] parameter(${i})`)}\nr = ${tuple(n)} all-reduce(${list(n, (i) => `p${i}`)}), to_apply=add\nROOT q = f32[2] get-tuple-element(r), index=${n - 1} }`,
  'scatter of many': (n) => `add {
${lines(2 * n, (i) => `a${i} = f32[] parameter(${i})`)}
${lines(n, (i) => `s${i} = f32[] add(a${i}, a${n + i})`)}
ROOT t = ${tuple(n, 'f32[]')} tuple(${list(n, (i) => `s${i}`)})
}
ENTRY e {
k = s32[4,1] parameter(0)
${lines(n, (i) => `p${i} = f32[4] parameter(${i + 1})`)}
r = ${tuple(n, 'f32[4]')} scatter(${list(n, (i) => `p${i}`)}, k, ${list(n, (i) => `p${i}`)}), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add
ROOT q = f32[4] get-tuple-element(r), index=${n - 1}
}`,
  'custom call of many': (n) =>
    `ENTRY e { ${lines(n, (i) => `p${i} = f32[2] parameter(${i})`)}\nROOT q = f32[2] custom-call(${list(n, (i) => `p${i}`)}), custom_call_target="unknown" }`,
  'after-all of many': (n) =>
    `ENTRY e { t = token[] after-all()\n${lines(n, (i) => `t${i} = token[] after-all(t)`)}\nu = token[] after-all(${list(n, (i) => `t${i}`)})\nROOT q = f32[] constant(1) }`,
  'fusion of many': (n) => `f {
${lines(n, (i) => `a${i} = f32[2] parameter(${i})`)}
s0 = f32[2] negate(a0)
${lines(n, (i) => `s${i + 1} = f32[2] add(s${i}, a${i})`)}
ROOT q = f32[2] negate(s${n})
}
ENTRY e {
${lines(n, (i) => `p${i} = f32[2] parameter(${i})`)}
ROOT q = f32[2] fusion(${list(n, (i) => `p${i}`)}), kind=kLoop, calls=f
}`,
  parameters: (n) =>
    `ENTRY e { ${lines(n, (i) => `p${i} = f32[2] parameter(${i})`)}\ns0 = f32[2] negate(p0)\n${lines(n, (i) => `s${i + 1} = f32[2] add(s${i}, p${i})`)}\nROOT q = f32[2] negate(s${n}) }`,
  'unused parameters': (n) =>
    `ENTRY e { ${lines(n, (i) => `p${i} = f32[2] parameter(${i})`)}\nROOT q = f32[2] negate(p0) }`,
  // tuples
  'elements of a tuple': (n) =>
    `ENTRY e { p = ${tuple(n)} parameter(0)\n${lines(n, (i) => `x${i} = f32[2] get-tuple-element(p), index=${i}`)}\ns0 = f32[2] copy(x0)\n${lines(n, (i) => `s${i + 1} = f32[2] add(s${i}, x${i})`)}\nROOT q = f32[2] negate(s${n}) }`,
  'wide tuple': (n) =>
    `ENTRY e { ${x0}\nt = ${tuple(n)} tuple(${list(n, () => 'x0')})\nROOT q = f32[2] get-tuple-element(t), index=${n - 1} }`,
  'tuples of tuples': (n) =>
    `ENTRY e { ${x0} y0 = f32[2] negate(x0)\n${lines(n, (i) => `t${i} = (f32[2], f32[2]) tuple(y${i}, x0) y${i + 1} = f32[2] get-tuple-element(t${i}), index=0`)}\nROOT q = f32[2] negate(y${n}) }`,
  'deep tuple': (n) => `ENTRY e { ROOT p = ${'('.repeat(n)}f32[2]${')'.repeat(n)} parameter(0) }`,
  'wide tuple of wide tuples': (n) => {
    const m = Math.ceil(Math.sqrt(n));
    return `ENTRY e { p = ${tuple(m, tuple(m))} parameter(0)\n${lines(m, (i) => `t${i} = ${tuple(m)} get-tuple-element(p), index=${i}\n${lines(m, (j) => `x${i * m + j} = f32[2] get-tuple-element(t${i}), index=${j}`)}`)}\ns0 = f32[2] copy(x0)\n${lines(m * m, (i) => `s${i + 1} = f32[2] add(s${i}, x${i})`)}\nROOT q = f32[2] negate(s${m * m}) }`;
  },
  'barrier of a wide tuple': (n) =>
    `ENTRY e { p = ${tuple(n)} parameter(0)\nb = ${tuple(n)} opt-barrier(p)\n${lines(n, (i) => `y${i} = f32[2] get-tuple-element(b), index=${i}`)}\nROOT q = ${tuple(n)} tuple(${list(n, (i) => `y${i}`)}) }`,
  // computations
  calls: (n) =>
    `${lines(n, (i) => `f${i} { a = f32[2] parameter(0) ROOT b = f32[2] sine(a) }`)}\n${chain(n, (i) => `call(x${i}), to_apply=f${i}`)}`,
  'calls of one': (n) =>
    `f { a = f32[2] parameter(0) ROOT b = f32[2] sine(a) }\n${chain(n, (i) => `call(x${i}), to_apply=f`)}`,
  'nested calls': (n) =>
    `f0 { a = f32[2] parameter(0) ROOT b = f32[2] sine(a) }\n${lines(n, (i) => `f${i + 1} { a = f32[2] parameter(0) ROOT b = f32[2] call(a), to_apply=f${i} }`)}\nENTRY e { ${x0} ROOT q = f32[2] call(x0), to_apply=f${n} }`,
  'doubling calls': (n) =>
    `f0 { a = f32[2] parameter(0) ROOT b = f32[2] sine(a) }\n${lines(n, (i) => `f${i + 1} { a = f32[2] parameter(0) b = f32[2] call(a), to_apply=f${i} ROOT c = f32[2] call(b), to_apply=f${i} }`)}\nENTRY e { ${x0} ROOT q = f32[2] call(x0), to_apply=f${n} }`,
  fusions: (n) =>
    `${lines(n, (i) => `f${i} { a = f32[2] parameter(0) ROOT b = f32[2] negate(a) }`)}\n${chain(n, (i) => `fusion(x${i}), kind=kLoop, calls=f${i}`)}`,
  'fusions side by side': (n) =>
    `${lines(n, (i) => `f${i} { a = f32[2] parameter(0) ROOT b = f32[2] sine(a) }`)}\n${side(
      n,
      (i) => `fusion(p${i}), kind=kLoop, calls=f${i}`,
      lines(n, (i) => `p${i} = f32[2] parameter(${i})`),
    )}`,
  'nested fusions': (n) =>
    `f0 { a = f32[2] parameter(0) ROOT b = f32[2] sine(a) }\n${lines(n, (i) => `f${i + 1} { a = f32[2] parameter(0) ROOT b = f32[2] fusion(a), kind=kLoop, calls=f${i} }`)}\nENTRY e { ${x0} ROOT q = f32[2] fusion(x0), kind=kLoop, calls=f${n} }`,
  'unused computations': (n) =>
    `${lines(n, (i) => `f${i} { a = f32[2] parameter(0) ROOT b = f32[2] sine(a) }`)}\nENTRY e { ${x0} ROOT q = f32[2] negate(x0) }`,
  loops: (n) =>
    `${lines(n, (i) => `b${i} { a = s32[] parameter(0) o = s32[] constant(1) ROOT r = s32[] add(a, o) } c${i} { a = s32[] parameter(0) o = s32[] constant(2) ROOT r = pred[] compare(a, o), direction=LT }`)}\n${chain(n, (i) => `while(x${i}), condition=c${i}, body=b${i}`, 'x0 = s32[] parameter(0)', 's32[]')}`,
  'nested loops': (n) =>
    `b0 { a = s32[] parameter(0) o = s32[] constant(1) ROOT r = s32[] add(a, o) } c { a = s32[] parameter(0) o = s32[] constant(2) ROOT r = pred[] compare(a, o), direction=LT }\n${lines(n, (i) => `b${i + 1} { a = s32[] parameter(0) ROOT r = s32[] while(a), condition=c, body=b${i} }`)}\nENTRY e { x = s32[] parameter(0) ROOT q = s32[] while(x), condition=c, body=b${n} }`,
  'loop over scalars': (n) => loop(n, 'f32[]'),
  'loop over arrays': (n) => loop(n, 'f32[2]'),
  'loop over a wide tuple that stays': (n) =>
    `body { p = (s32[], ${list(n, () => 'f32[2]')}) parameter(0) i = s32[] get-tuple-element(p), index=0 o = s32[] constant(1) j = s32[] add(i, o)
${lines(n, (i) => `x${i} = f32[2] get-tuple-element(p), index=${i + 1}`)}
ROOT t = (s32[], ${list(n, () => 'f32[2]')}) tuple(j, ${list(n, (i) => `x${i}`)}) }
cond { p = (s32[], ${list(n, () => 'f32[2]')}) parameter(0) i = s32[] get-tuple-element(p), index=0 m = s32[] constant(3) ROOT c = pred[] compare(i, m), direction=LT }
ENTRY e { z = s32[] constant(0)\n${lines(n, (i) => `p${i} = f32[2] parameter(${i})`)}
t = (s32[], ${list(n, () => 'f32[2]')}) tuple(z, ${list(n, (i) => `p${i}`)})
w = (s32[], ${list(n, () => 'f32[2]')}) while(t), condition=cond, body=body
ROOT q = f32[2] get-tuple-element(w), index=${n} }`,
  'loop that rotates': (n) =>
    `body { p = (s32[], ${list(n, () => 'f32[2]')}) parameter(0) i = s32[] get-tuple-element(p), index=0 o = s32[] constant(1) j = s32[] add(i, o)
${lines(n, (i) => `x${i} = f32[2] get-tuple-element(p), index=${i + 1}`)}
ROOT t = (s32[], ${list(n, () => 'f32[2]')}) tuple(j, ${list(n, (i) => `x${(i + 1) % n}`)}) }
cond { p = (s32[], ${list(n, () => 'f32[2]')}) parameter(0) i = s32[] get-tuple-element(p), index=0 m = s32[] parameter_limit ROOT c = pred[] compare(i, m), direction=LT }
ENTRY e { z = s32[] constant(0)\n${lines(n, (i) => `p${i} = f32[2] parameter(${i})`)}
t = (s32[], ${list(n, () => 'f32[2]')}) tuple(z, ${list(n, (i) => `p${i}`)})
w = (s32[], ${list(n, () => 'f32[2]')}) while(t), condition=cond, body=body
ROOT q = f32[2] get-tuple-element(w), index=${n} }`.replace('parameter_limit', 'constant(3)'),
  'long loop body': (n) =>
    `body { p = (s32[], f32[2]) parameter(0) i = s32[] get-tuple-element(p), index=0 o = s32[] constant(1) j = s32[] add(i, o)
x0 = f32[2] get-tuple-element(p), index=1
${lines(n, (i) => `x${i + 1} = f32[2] ${['negate', 'sine', 'abs'][i % 3]}(x${i})`)}
ROOT t = (s32[], f32[2]) tuple(j, x${n}) }
cond { p = (s32[], f32[2]) parameter(0) i = s32[] get-tuple-element(p), index=0 m = s32[] constant(3) ROOT c = pred[] compare(i, m), direction=LT }
ENTRY e { z = s32[] constant(0) x = f32[2] parameter(0)
t = (s32[], f32[2]) tuple(z, x)
w = (s32[], f32[2]) while(t), condition=cond, body=body
ROOT q = f32[2] get-tuple-element(w), index=1 }`,
  'long loop condition': (n) =>
    `body { x = s32[] parameter(0) o = s32[] constant(1) ROOT j = s32[] add(x, o) }
cond { x0 = s32[] parameter(0)\n${lines(n, (i) => `x${i + 1} = s32[] ${i % 2 ? 'not' : 'negate'}(x${i})`)}\nm = s32[] constant(3) ROOT c = pred[] compare(x${n}, m), direction=GT }
ENTRY e { x = s32[] parameter(0) ROOT w = s32[] while(x), condition=cond, body=body }`,
  conditionals: (n) =>
    `t { a = f32[2] parameter(0) ROOT b = f32[2] sine(a) } f { a = f32[2] parameter(0) ROOT b = f32[2] cosine(a) }\n${chain(n, (i) => `conditional(c, x${i}, x${i}), true_computation=t, false_computation=f`, `${x0} c = pred[] parameter(1)`)}`,
  'nested conditionals': (n) =>
    `b0 { a = f32[2] parameter(0) ROOT b = f32[2] sine(a) }\n${lines(n, (i) => `b${i + 1} { a = f32[2] parameter(0) c = pred[] constant(true) ROOT b = f32[2] conditional(c, a, a), true_computation=b${i}, false_computation=b0 }`)}\nENTRY e { ${x0} c = pred[] parameter(1) ROOT q = f32[2] conditional(c, x0, x0), true_computation=b${n}, false_computation=b0 }`,
  branches: (n) =>
    `${lines(n, (i) => `b${i} { a = f32[2] parameter(0) ROOT b = f32[2] sine(a) }`)}\nENTRY e { ${x0} k = s32[] parameter(1) ROOT q = f32[2] conditional(k, ${list(n, () => 'x0')}), branch_computations={${list(n, (i) => `b${i}`)}} }`,
  // attributes
  'replica groups': (n) =>
    `${adder('add')}ENTRY e { ${x0} ROOT q = f32[2] all-reduce(x0), replica_groups={{${list(n, (i) => `${i}`)}}}, to_apply=add }`,
  'small replica groups': (n) =>
    `${adder('add')}ENTRY e { ${x0} ROOT q = f32[2] all-reduce(x0), replica_groups={${list(n, (i) => `{${i}}`)}}, to_apply=add }`,
  'source and target pairs': (n) =>
    `ENTRY e { ${x0} ROOT q = f32[2] collective-permute(x0), source_target_pairs={${list(n, (i) => `{${i},${(i + 1) % n}}`)}} }`,
  'frontend attributes': (n) =>
    `ENTRY e { ${x0} ROOT q = f32[2] negate(x0), frontend_attributes={${list(n, (i) => `a${i}="v"`)}} }`,
  metadata: (n) =>
    `ENTRY e { ${x0} ROOT q = f32[2] negate(x0), metadata={op_name="${'a/'.repeat(n)}" source_line=3} }`,
  'metadata of each': (n) =>
    chain(
      n,
      (i) =>
        `sine(x${i}), metadata={op_type="sin" op_name="jit(f)/sin${i}" source_file="f.py" source_line=${i}}`,
    ),
  sharding: (n) =>
    `ENTRY e { ${x0} ROOT q = f32[2] negate(x0), sharding={devices=[1,${n}]${list(n, (i) => `${i}`, ',')} last_tile_dim_replicate} }`.replace(
      '[1,',
      '[1,',
    ),
  'tuple sharding': (n) =>
    `ENTRY e { ${x0} ROOT t = ${tuple(n)} tuple(${list(n, () => 'x0')}), sharding={${list(n, () => '{replicated}')}} }`,
  'input and output aliases': (n) =>
    `HloModule m, input_output_alias={ ${list(n, (i) => `{${i}}: (${i}, {}, may-alias)`)} }\n${side(
      n,
      (i) => `negate(p${i})`,
      lines(n, (i) => `p${i} = f32[2] parameter(${i})`),
    )}`,
  'buffer donors': (n) =>
    `HloModule m, buffer_donor={ ${list(n, (i) => `(${i}, {})`)} }\n${side(
      n,
      (i) => `negate(p${i})`,
      lines(n, (i) => `p${i} = f32[2] parameter(${i})`),
    )}`,
  'entry layout': (n) =>
    `HloModule m, entry_computation_layout={(${list(n, () => 'f32[2]{0}')})->${tuple(n, 'f32[2]{0}')}}\n${side(
      n,
      (i) => `negate(p${i})`,
      lines(n, (i) => `p${i} = f32[2] parameter(${i})`),
    )}`,
  'backend configuration': (n) =>
    `ENTRY e { ${x0} ROOT q = f32[2] negate(x0), backend_config={"a":[${list(n, (i) => `${i}`)}]} }`,
  'deep backend configuration': (n) =>
    `ENTRY e { ${x0} ROOT q = f32[2] negate(x0), backend_config={"a":${'['.repeat(n)}${']'.repeat(n)}} }`,
  dimensions: (n) =>
    `ENTRY e { p = f32[${list(n, () => '1', ',')}] parameter(0) ROOT q = f32[${list(n, () => '1', ',')}] negate(p) }`,
  // names and blanks
  'a long name': (n) =>
    `ENTRY e { ${x0} ${'n'.repeat(n)} = f32[2] negate(x0) ROOT q = f32[2] negate(${'n'.repeat(n)}) }`,
  'names of one stem': (n) =>
    `ENTRY e { ${x0}\n${lines(n, (i) => `x.${i + 1} = f32[2] negate(${i ? `x.${i}` : 'x0'})`)}\nROOT q = f32[2] negate(x.${n}) }`,
  'equal names': (n) =>
    `${lines(n, (i) => `f${i} { x = f32[2] parameter(0) ROOT x.1 = f32[2] sine(x) }`)}\n${chain(n, (i) => `call(x${i}), to_apply=f${i}`)}`,
  comments: (n) =>
    `${lines(n, () => '// comment')}\n${'/* */'.repeat(n)}\nENTRY e { ${x0} ROOT q = f32[2] negate(x0) }`,
  'blank lines': (n) => `${'\n'.repeat(n)}ENTRY e { ${x0} ROOT q = f32[2] negate(x0) }`,
  // literals
  literal: (n) =>
    `ENTRY e { c = f32[${n}] constant({${list(n, (i) => `${i}.5`)}}) ROOT q = f32[${n}] negate(c) }`,
  'literal of rows': (n) =>
    `ENTRY e { c = s32[${n},1] constant({${list(n, (i) => `{${i}}`)}}) ROOT q = s32[${n},1] negate(c) }`,
  'literal of a long number': (n) =>
    `ENTRY e { c = f32[] constant(1.${'3'.repeat(n)}) ROOT q = f32[] negate(c) }`,
  constants: (n) =>
    `ENTRY e { x0 = f32[] parameter(0)\n${lines(n, (i) => `c${i} = f32[] constant(${i}.25) x${i + 1} = f32[] add(x${i}, c${i})`)}\nROOT q = f32[] negate(x${n}) }`,
  'equal constants': (n) =>
    `ENTRY e { x0 = f32[] parameter(0)\n${lines(n, (i) => `c${i} = f32[] constant(1.25) x${i + 1} = f32[] add(x${i}, c${i})`)}\nROOT q = f32[] negate(x${n}) }`,
  'constant arrays': (n) =>
    `ENTRY e { ${x0}\n${lines(n, (i) => `c${i} = f32[2] constant({${i}, 1}) x${i + 1} = f32[2] add(x${i}, c${i})`)}\nROOT q = f32[2] negate(x${n}) }`,
  'folded constants': (n) =>
    `ENTRY e { x0 = f32[2] constant({1, 2})\n${lines(n, (i) => `x${i + 1} = f32[2] negate(x${i})`)}\nROOT q = f32[2] negate(x${n}) }`,
  // what collides
  'names that collide': (n) => {
    const names = collisions(n);
    return `ENTRY e { ${x0}\n${lines(n, (i) => `${names[i].replaceAll('$', '-')} = f32[2] negate(x0)`)}\nROOT q = f32[2] negate(x0) }`;
  },
  'constants that collide': constantsThatCollide,
};

/** StableHLO text. @type {Record<string, (n: number) => string>} */
export const stablehlo = {
  'names that collide': (n) => {
    const names = collisions(n);
    return `func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n${lines(n, (i) => `%${names[i]} = stablehlo.negate %${i ? names[i - 1] : 'x'} : tensor<2xf32>`)}\nreturn %${names[n - 1]} : tensor<2xf32>\n}`;
  },
  functions: (n) =>
    `module {\nfunc.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n${lines(n, (i) => `%x${i + 1} = call @f${i}(%x${i || ''}) : (tensor<2xf32>) -> tensor<2xf32>`)}\nreturn %x${n} : tensor<2xf32>\n}\n${lines(n, (i) => `func.func private @f${i}(%a: tensor<2xf32>) -> tensor<2xf32> {\n%b = stablehlo.sine %a : tensor<2xf32>\nreturn %b : tensor<2xf32>\n}`)}\n}`,
  'nested regions': (n) =>
    `func.func @main(%c: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {\n${lines(n, (i) => `%r${i} = "stablehlo.if"(%c) ({`)}\n%y = stablehlo.sine %x : tensor<2xf32>\nstablehlo.return %y : tensor<2xf32>\n${lines(n, (i) => `}, { stablehlo.return %x : tensor<2xf32> }) : (tensor<i1>) -> tensor<2xf32>\n${i < n - 1 ? 'stablehlo.return' : 'return'} %r${n - 1 - i} : tensor<2xf32>`)}\n}`,
  arguments: (n) =>
    `func.func @main(${list(n, (i) => `%a${i}: tensor<2xf32>`)}) -> (${list(n, () => 'tensor<2xf32>')}) {\nreturn ${list(n, (i) => `%a${i}`)} : ${list(n, () => 'tensor<2xf32>')}\n}`,
  'loop over many': (n) =>
    `func.func @main(${list(n, (i) => `%a${i}: tensor<i32>`)}) -> tensor<i32> {\n%w:${n} = stablehlo.while(${list(n, (i) => `%b${i} = %a${i}`)}) : ${list(n, () => 'tensor<i32>')}\ncond {\n%m = stablehlo.constant dense<3> : tensor<i32>\n%c = stablehlo.compare LT, %b0, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>\nstablehlo.return %c : tensor<i1>\n} do {\n%o = stablehlo.constant dense<1> : tensor<i32>\n${lines(n, (i) => `%d${i} = stablehlo.add %b${i}, %o : tensor<i32>`)}\nstablehlo.return ${list(n, (i) => `%d${i}`)} : ${list(n, () => 'tensor<i32>')}\n}\nreturn %w#${n - 1} : tensor<i32>\n}`,
  literal: (n) =>
    `func.func @main() -> tensor<${n}xf32> {\n%c = stablehlo.constant dense<[${list(n, (i) => `${i}.5`)}]> : tensor<${n}xf32>\nreturn %c : tensor<${n}xf32>\n}`,
  'hexadecimal literal': (n) =>
    `func.func @main() -> tensor<${n}xf32> {\n%c = stablehlo.constant dense<"0x${'0000803F'.repeat(n)}"> : tensor<${n}xf32>\nreturn %c : tensor<${n}xf32>\n}`,
  'attributes of the module': (n) =>
    `module @m attributes {${list(n, (i) => `a${i} = ${i} : i32`)}} {\nfunc.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\nreturn %x : tensor<2xf32>\n}\n}`,
  'attribute aliases': (n) =>
    `${lines(n, (i) => `#loc${i} = loc("a.py":${i}:1)`)}\nmodule {\nfunc.func @main(%x0: tensor<2xf32>) -> tensor<2xf32> {\n${lines(n, (i) => `%x${i + 1} = stablehlo.sine %x${i} : tensor<2xf32> loc(#loc${i})`)}\nreturn %x${n} : tensor<2xf32>\n}\n}`,
  'nested attributes': (n) =>
    `module @m attributes {a = ${'['.repeat(n)}${']'.repeat(n)}} {\nfunc.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\nreturn %x : tensor<2xf32>\n}\n}`,
};

/** Indexing maps. @type {Record<string, (n: number) => string>} */
export const maps = {
  sum: (n) => `(d0) -> (${list(n, () => 'd0', ' + ')}), domain: d0 in [0, 9]`,
  'sum of dimensions': (n) =>
    `(${list(n, (i) => `d${i}`)}) -> (${list(n, (i) => `d${i}`, ' + ')}), domain: ${list(n, (i) => `d${i} in [0, 9]`)}`,
  'sum of remainders': (n) =>
    `(d0) -> (${list(n, (i) => `d0 mod ${i + 2}`, ' + ')}), domain: d0 in [0, 9999]`,
  'sum of quotients': (n) =>
    `(d0) -> (${list(n, (i) => `d0 floordiv ${i + 2}`, ' + ')}), domain: d0 in [0, 9999]`,
  results: (n) => `(d0) -> (${list(n, (i) => `d0 + ${i}`)}), domain: d0 in [0, 9]`,
  parentheses: (n) => `(d0) -> (${'('.repeat(n)}d0${')'.repeat(n)}), domain: d0 in [0, 9]`,
  'nested quotients': (n) =>
    `(d0) -> (${'('.repeat(n)}d0${') floordiv 2'.repeat(n)}), domain: d0 in [0, 9]`,
  'nested remainders': (n) =>
    `(d0) -> (${'('.repeat(n)}d0${list(n, (i) => ` * 3) mod ${i + 5}`, '')}), domain: d0 in [0, 999]`,
  constraints: (n) =>
    `(d0) -> (d0), domain: d0 in [0, 9999], ${list(n, (i) => `d0 mod ${i + 2} in [0, ${i}]`)}`,
  ranges: (n) =>
    `(d0)[${list(n, (i) => `s${i}`)}] -> (d0), domain: d0 in [0, 9], ${list(n, (i) => `s${i} in [0, 9]`)}`,
};

/** Arrays of u8 whose bytes collide. @param {number} n */
function constantsThatCollide(n) {
  const texts = collisions(n);
  const size = texts[0].length;
  const type = `u8[${size}]`;
  return `ENTRY e { x0 = ${type} parameter(0)\n${lines(n, (i) => `c${i} = ${type} constant({${[...texts[i]].map((letter) => letter.charCodeAt(0)).join(',')}}) x${i + 1} = ${type} add(x${i}, c${i})`)}\nROOT q = ${type} negate(x${n}) }`;
}

/** A loop over n values, each of which grows. @param {number} n @param {string} type */
function loop(n, type) {
  const state = `(s32[], ${list(n, () => type)})`;
  return `body { p = ${state} parameter(0) i = s32[] get-tuple-element(p), index=0 o = s32[] constant(1) j = s32[] add(i, o)
${lines(n, (i) => `x${i} = ${type} get-tuple-element(p), index=${i + 1} y${i} = ${type} sine(x${i})`)}
ROOT t = ${state} tuple(j, ${list(n, (i) => `y${i}`)}) }
cond { p = ${state} parameter(0) i = s32[] get-tuple-element(p), index=0 m = s32[] constant(3) ROOT c = pred[] compare(i, m), direction=LT }
ENTRY e { z = s32[] constant(0)\n${lines(n, (i) => `p${i} = ${type} parameter(${i})`)}
t = ${state} tuple(z, ${list(n, (i) => `p${i}`)})
w = ${state} while(t), condition=cond, body=body
ROOT q = ${type} get-tuple-element(w), index=${n} }`;
}
