// This package: HLO text, or StableHLO for the models, compiled once; inputs and outputs are HloArrays. One parameter per
// input, in their order; but weights, which programs of pages have as constants, are constants here as for peers whose models
// have them so (LiteRT.js, onnxruntime-web): filters of convolutions, scale and bias of a layer norm, all of a model's but x.
import { load } from '../../../web/index.js';
import { samePad } from '../references.js';
import { Unsupported } from '../workloads.js';

const program = (...lines) => `HloModule benchmark\n${lines.join('\n')}\n`;
const entry = (...lines) => `ENTRY main {\n${lines.join('\n')}\n}`;
const reducer = (name, operation) =>
  `${name} {\n x = f32[] parameter(0)\n y = f32[] parameter(1)\n ROOT r = f32[] ${operation}(x, y)\n}`;
const parameters = (...list) => list.map((p, i) => ` ${p} parameter(${i})`);

function convolution({ H, C, K, O, s, depthwise }) {
  const [size, before, after] = samePad(H, K, s);
  const filter = depthwise ? [K, K, 1, C] : [K, K, C, O];
  const window = `size=${K}x${K} stride=${s}x${s} pad=${before}_${after}x${before}_${after}`;
  return program(
    entry(
      ` x = f32[1,${H},${H},${C}] parameter(0)`,
      ` f = f32[${filter}] parameter(1)`,
      ` ROOT y = f32[1,${size},${size},${filter[3]}] convolution(x, f), window={${window}}, ` +
        `dim_labels=b01f_01io->b01f${depthwise ? `, feature_group_count=${C}` : ''}`,
    ),
  );
}

/** Lines for f32[R,N]: the values of a [R] broadcast along the rows. */
const alongRows = (to, from, { R, N }) =>
  ` ${to} = f32[${R},${N}] broadcast(${from}), dimensions={0}`;

const programs = {
  matmul: ({ M, K, N, type = 'f32', sum = type }) =>
    program(
      entry(
        ...parameters(`a = ${type}[${M},${K}]`, `b = ${type}[${K},${N}]`),
        ` ROOT c = ${sum}[${M},${N}] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}`,
      ),
    ),
  bmm: ({ B, M, K, N }) =>
    program(
      entry(
        ...parameters(`a = f32[${B},${M},${K}]`, `b = f32[${B},${K},${N}]`),
        ` ROOT c = f32[${B},${M},${N}] dot(a, b), lhs_batch_dims={0}, rhs_batch_dims={0}, ` +
          'lhs_contracting_dims={2}, rhs_contracting_dims={1}',
      ),
    ),
  conv: convolution,
  dwconv: convolution,
  chain: ({ n }) =>
    program(
      entry(
        ...parameters(`a = f32[${n}]`, `b = f32[${n}]`, `c = f32[${n}]`),
        ` product = f32[${n}] multiply(a, b)`,
        ` sum = f32[${n}] add(product, c)`,
        ` tanh = f32[${n}] tanh(sum)`,
        ' half = f32[] constant(0.5)',
        ` halves = f32[${n}] broadcast(half), dimensions={}`,
        ` scaled = f32[${n}] multiply(tanh, halves)`,
        ` negated = f32[${n}] negate(a)`,
        ` exp = f32[${n}] exponential(negated)`,
        ` ROOT y = f32[${n}] add(scaled, exp)`,
      ),
    ),
  add: ({ n }) =>
    program(
      entry(...parameters(`a = f32[${n}]`, `b = f32[${n}]`), ` ROOT c = f32[${n}] add(a, b)`),
    ),
  softmax: ({ R, N }) =>
    program(
      reducer('sum', 'add'),
      reducer('max', 'maximum'),
      entry(
        ` x = f32[${R},${N}] parameter(0)`,
        ' lowest = f32[] constant(-inf)',
        ' zero = f32[] constant(0)',
        ` largest = f32[${R}] reduce(x, lowest), dimensions={1}, to_apply=max`,
        alongRows('largests', 'largest', { R, N }),
        ` shifted = f32[${R},${N}] subtract(x, largests)`,
        ` e = f32[${R},${N}] exponential(shifted)`,
        ` total = f32[${R}] reduce(e, zero), dimensions={1}, to_apply=sum`,
        alongRows('totals', 'total', { R, N }),
        ` ROOT y = f32[${R},${N}] divide(e, totals)`,
      ),
    ),
  layernorm: ({ R, N }) =>
    program(
      reducer('sum', 'add'),
      entry(
        ...parameters(`x = f32[${R},${N}]`, `g = f32[${N}]`, `b = f32[${N}]`),
        ' zero = f32[] constant(0)',
        ` inverse = f32[] constant(${1 / N})`,
        ` inverses = f32[${R}] broadcast(inverse), dimensions={}`,
        ' epsilon = f32[] constant(1e-5)',
        ` epsilons = f32[${R}] broadcast(epsilon), dimensions={}`,
        ` total = f32[${R}] reduce(x, zero), dimensions={1}, to_apply=sum`,
        ` mean = f32[${R}] multiply(total, inverses)`,
        alongRows('means', 'mean', { R, N }),
        ` centered = f32[${R},${N}] subtract(x, means)`,
        ` squares = f32[${R},${N}] multiply(centered, centered)`,
        ` squared = f32[${R}] reduce(squares, zero), dimensions={1}, to_apply=sum`,
        ` variance = f32[${R}] multiply(squared, inverses)`,
        ` guarded = f32[${R}] add(variance, epsilons)`,
        ` scale = f32[${R}] rsqrt(guarded)`,
        alongRows('scales', 'scale', { R, N }),
        ` normal = f32[${R},${N}] multiply(centered, scales)`,
        ` gs = f32[${R},${N}] broadcast(g), dimensions={1}`,
        ` bs = f32[${R},${N}] broadcast(b), dimensions={1}`,
        ` scaled = f32[${R},${N}] multiply(normal, gs)`,
        ` ROOT y = f32[${R},${N}] add(scaled, bs)`,
      ),
    ),
  sum: ({ n }) =>
    program(
      reducer('sum', 'add'),
      entry(
        ` x = f32[${n}] parameter(0)`,
        ' zero = f32[] constant(0)',
        ' ROOT y = f32[] reduce(x, zero), dimensions={0}, to_apply=sum',
      ),
    ),
  sumAxis: ({ shape, axis, kept }) =>
    program(
      reducer('sum', 'add'),
      entry(
        ` x = f32[${shape}] parameter(0)`,
        ' zero = f32[] constant(0)',
        ` ROOT y = f32[${kept}] reduce(x, zero), dimensions={${axis}}, to_apply=sum`,
      ),
    ),
  // The comparator of JAX's argmax: NaN counts as the largest, the lower index wins among equals.
  argmax: ({ R, N }) =>
    program(
      [
        'larger {',
        ...parameters('x = f32[]', 'i = s32[]', 'y = f32[]', 'j = s32[]'),
        ' gt = pred[] compare(x, y), direction=GT',
        ' is_nan = pred[] compare(x, x), direction=NE',
        ' first = pred[] or(gt, is_nan)',
        ' eq = pred[] compare(x, y), direction=EQ',
        ' lower = pred[] compare(i, j), direction=LT',
        ' tie = pred[] and(eq, lower)',
        ' keep = pred[] or(first, tie)',
        ' value = f32[] select(first, x, y)',
        ' index = s32[] select(keep, i, j)',
        ' ROOT r = (f32[], s32[]) tuple(value, index)',
        '}',
      ].join('\n'),
      entry(
        ` x = f32[${R},${N}] parameter(0)`,
        ` i = s32[${R},${N}] iota(), iota_dimension=1`,
        ' lowest = f32[] constant(-inf)',
        ' zero = s32[] constant(0)',
        ` best = (f32[${R}], s32[${R}]) reduce(x, i, lowest, zero), dimensions={1}, to_apply=larger`,
        ` ROOT y = s32[${R}] get-tuple-element(best), index=1`,
      ),
    ),
  transpose: ({ R, N }) =>
    program(
      entry(
        ` x = f32[${R},${N}] parameter(0)`,
        ` ROOT y = f32[${N},${R}] transpose(x), dimensions={1,0}`,
      ),
    ),
  gather: ({ R, N, n }) =>
    program(
      entry(
        ...parameters(`x = f32[${R},${N}]`, `i = s32[${n}]`),
        ` ROOT y = f32[${n},${N}] gather(x, i), offset_dims={1}, collapsed_slice_dims={0}, ` +
          `start_index_map={0}, index_vector_dim=1, slice_sizes={1,${N}}`,
      ),
    ),
  sort: ({ n }) =>
    program(
      'less {\n x = f32[] parameter(0)\n y = f32[] parameter(1)\n ROOT r = pred[] compare(x, y), direction=LT\n}',
      entry(
        ` x = f32[${n}] parameter(0)`,
        ` ROOT y = f32[${n}] sort(x), dimensions={0}, to_apply=less`,
      ),
    ),
  cumsum: ({ n }) =>
    program(
      reducer('sum', 'add'),
      entry(
        ` x = f32[${n}] parameter(0)`,
        ' zero = f32[] constant(0)',
        ` ROOT y = f32[${n}] reduce-window(x, zero), window={size=${n} pad=${n - 1}_0}, to_apply=sum`,
      ),
    ),
  fft: ({ n }) =>
    program(
      entry(
        ...parameters(`re = f32[${n}]`, `im = f32[${n}]`),
        ` z = c64[${n}] complex(re, im)`,
        ` f = c64[${n}] fft(z), fft_type=FFT, fft_length={${n}}`,
        ` fr = f32[${n}] real(f)`,
        ` fi = f32[${n}] imag(f)`,
        ` ROOT y = f32[${2 * n}] concatenate(fr, fi), dimensions={0}`,
      ),
    ),
  cholesky: ({ n }) =>
    program(
      entry(
        ` x = f32[${n},${n}] parameter(0)`,
        ` l = f32[${n},${n}] cholesky(x), lower=true`,
        ` row = s32[${n},${n}] iota(), iota_dimension=0`,
        ` column = s32[${n},${n}] iota(), iota_dimension=1`,
        ` keep = pred[${n},${n}] compare(row, column), direction=GE`,
        ' zero = f32[] constant(0)',
        ` zeros = f32[${n},${n}] broadcast(zero), dimensions={}`,
        ` ROOT y = f32[${n},${n}] select(keep, l, zeros)`,
      ),
    ),
};
programs.typed_matmul = programs.matmul;
/** Exported from JAX by programs.py. */
const exported = (name) => async () => {
  const url = new URL(`../programs/${name}.mlir`, import.meta.url);
  if (url.protocol !== 'file:') return (await fetch(url)).text();
  return (await import('node:fs/promises')).readFile(url, 'utf8');
};
Object.assign(programs, { transformer: exported('transformer'), convnet: exported('convnet') });

/** The text of a workload's program; throws Unsupported where there is none. */
export async function programOf({ kind, p }) {
  if (!programs[kind]) throw new Unsupported(`no program for ${kind}`);
  return programs[kind](p);
}

const haveWeights = new Set(['conv', 'dwconv', 'layernorm', 'transformer', 'convnet']);

function hexadecimal({ buffer, byteOffset, byteLength }) {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  const digits = new Uint8Array(2 * byteLength);
  const digit = (value) => value + (value < 10 ? 48 : 87);
  for (let i = 0; i < byteLength; i++) {
    digits[2 * i] = digit(bytes[i] >> 4);
    digits[2 * i + 1] = digit(bytes[i] & 15);
  }
  return new TextDecoder().decode(digits);
}

/** StableHLO text whose parameters but the first are constants, as JAX exports weights that a function has closed over. */
function withWeights(text, inputs) {
  const [list] = text.match(/(?<=@main\()[^)]*(?=\))/);
  const [first, ...weights] = list.split(', ');
  const at = text.indexOf('{\n', text.indexOf('@main')) + 2;
  const constants = weights.map((weight, i) => {
    const [name, type] = weight.split(': ');
    return `${name} = stablehlo.constant dense<"0x${hexadecimal(inputs[i + 1].data)}"> : ${type}\n`;
  });
  return (text.slice(0, at) + constants.join('') + text.slice(at)).replace(list, first);
}

const typeOf = { float32: 'f32', int32: 's32' };

/** An adapter for one build of the engine: "relaxed-simd" or "simd"; loadEngine: of another checkout, if not of this one. */
export function adapterOf(build, loadEngine = load) {
  let hlo;
  return {
    async start(threads) {
      hlo = await loadEngine({ build, threads });
      if (hlo.threads.count < threads) throw new Unsupported(hlo.threads.reason);
      return '';
    },
    async prepare(workload) {
      const all = Object.values(workload.inputs());
      let text = await programOf(workload);
      if (haveWeights.has(workload.kind))
        text = withWeights(hlo.parse(text).print('stablehlo'), all);
      const executable = hlo.compile(text);
      const given = all.slice(0, executable.parameters.length);
      const inputs = given.map(({ data, shape, dtype }, i) => {
        const { dims } = executable.parameters[i]; // a depthwise filter's dimensions are named differently
        return hlo.array(data, { type: typeOf[dtype] ?? dtype, shape: dims ?? shape });
      });
      let last;
      return {
        run() {
          last?.dispose();
          [last] = executable.run(inputs);
        },
        result: () => [
          /^b?f16$/.test(last.type) ? last.toNested().flat(Infinity) : last.toTypedArray(),
        ],
      };
    },
  };
}

/** The build that load() takes where the host has relaxed SIMD. */
export const { start, prepare } = adapterOf('relaxed-simd');
