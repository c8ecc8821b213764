// Products that sum many numbers, one row for each way that they can go: what tests/js/long_products.test.js measures. A case
// says its program for K products, and where the factors of a result's product p stand.

/**
 * @typedef {object} LongProduct
 * @property {string} path which kernels it goes by
 * @property {(k: number) => string} text of the program; helpers may follow the entry
 * @property {string} type of the operands
 * @property {(k: number) => number[][]} shapes of the two operands, row-major
 * @property {(k: number) => number} results how many
 * @property {(k: number, result: number) => { left: (p: number) => number, right: (p: number) => number, count: number }} factors
 * @property {number} largest K: beyond, operands are large
 * @property {'f32' | 'f64'} sums the type that sums are made in
 * @property {object} [options] for compile
 */

const count = (dims) => dims.reduce((a, b) => a * b, 1);
const entry = (lines) => `HloModule long\nENTRY e {\n  ${lines.join('\n  ')}\n}\n`;
const parameters = (type, a, b, layouts = ['', '']) => [
  `a = ${type}[${a}]${layouts[0]} parameter(0)`,
  `b = ${type}[${b}]${layouts[1]} parameter(1)`,
];

/** A row: what its path sums in, and its options, where these are not the usual ones, are among others. */
const longProduct = (path, type, largest, { sums = 'f32', options }, measured) => ({
  path,
  type,
  largest,
  sums,
  options,
  ...measured,
});

/**
 * m rows times n columns. `left` and `right` are the orders of their dimensions: 'mk' or 'km', 'kn' or 'nk'; a matrix of one
 * row or column may be a vector, 'k'. `batches` come first in all.
 */
function dot(path, type, m, n, largest, more = {}) {
  const { left = 'mk', right = 'kn', batches = 0, result = 'f32', behind, layouts } = more;
  const sizes = (order, k) => [
    ...(batches ? [batches] : []),
    ...[...order].map((letter) => ({ m, n, k })[letter]),
  ];
  const out = [
    ...(batches ? [batches] : []),
    ...(left.includes('m') ? [m] : []),
    ...(right.includes('n') ? [n] : []),
  ];
  const first = batches ? 1 : 0;
  const batch = batches ? 'lhs_batch_dims={0}, rhs_batch_dims={0}, ' : '';
  const along = `lhs_contracting_dims={${first + left.indexOf('k')}}, rhs_contracting_dims={${first + right.indexOf('k')}}`;
  const step = (order, letter, k) => {
    const at = order.indexOf(letter);
    return at < 0 ? 0 : count([...order.slice(at + 1)].map((other) => ({ m, n, k })[other]));
  };
  return longProduct(path, type, largest, more, {
    shapes: (k) => [sizes(left, k), sizes(right, k)],
    results: () => count(out),
    text: (k) =>
      entry([
        ...parameters(type, sizes(left, k), sizes(right, k), layouts),
        `${behind ? '' : 'ROOT '}c = ${result}[${out}] dot(a, b), ${batch}${along}`,
        ...(behind?.(out) ?? []),
      ]),
    factors: (k, at) => {
      const g = Math.floor(at / (m * n));
      const [i, j] = [Math.floor((at % (m * n)) / n), at % n];
      const a = g * m * k + i * step(left, 'm', k);
      const b = g * n * k + j * step(right, 'n', k);
      const [down, across] = [step(left, 'k', k), step(right, 'k', k)];
      return { count: k, left: (p) => a + p * down, right: (p) => b + p * across };
    },
  });
}

/** An image of one batch along one dimension, or a window as long as its sum: see `how`. */
function convolution(path, type, largest, how) {
  const { window, labels, image, kernel, out, groups = '', at, result = 'f32' } = how;
  return longProduct(path, type, largest, how, {
    shapes: (k) => [image(k), kernel(k)],
    results: (k) => count(out(k)),
    text: (k) =>
      entry([
        ...parameters(type, image(k), kernel(k)),
        `ROOT c = ${result}[${out(k)}] convolution(a, b), window={${window(k)}}, dim_labels=${labels}${groups}`,
      ]),
    factors: (k, result) => at(k, result),
  });
}

const positions = 20; // of a window along a long image
const relu = (out) => [
  'zero = f32[] constant(0)',
  `zeros = f32[${out}] broadcast(zero), dimensions={}`,
  `ROOT r = f32[${out}] maximum(c, zeros)`,
];

const f64 = { sums: 'f64', result: 'f64' };
const asWritten = { options: { optimize: false } };
const reference = { options: { reference: true } };

/** Rows of each group times its matrix; and groups of what is summed. */
const ragged = [
  {
    ...dot('groups of rows', 'f32', 5, 6, 1e5),
    shapes: (k) => [
      [5, k],
      [2, k, 6],
    ],
    text: (k) =>
      entry([
        ...parameters('f32', [5, k], [2, k, 6]),
        'g = s32[2] constant({2, 3})',
        'ROOT r = f32[5,6] ragged-dot(a, b, g), lhs_contracting_dims={1}, rhs_contracting_dims={1}, ' +
          'lhs_ragged_dims={0}, rhs_group_dims={0}',
      ]),
    factors: (k, at) => {
      const [i, j] = [Math.floor(at / 6), at % 6];
      return { count: k, left: (p) => i * k + p, right: (p) => ((i < 2 ? 0 : k) + p) * 6 + j };
    },
  },
  {
    ...dot('groups of a sum', 'f32', 5, 6, 1e6),
    results: () => 60,
    text: (k) =>
      entry([
        ...parameters('f32', [5, k], [k, 6]),
        `g = s32[2] constant({10, ${k - 10}})`,
        'ROOT r = f32[2,5,6] ragged-dot(a, b, g), lhs_contracting_dims={1}, rhs_contracting_dims={0}, lhs_ragged_dims={1}',
      ]),
    factors: (k, at) => {
      const [first, i, j] = [at < 30 ? 0 : 10, Math.floor((at % 30) / 6), at % 6];
      const count = at < 30 ? 10 : k - 10;
      return { count, left: (p) => i * k + first + p, right: (p) => (first + p) * 6 + j };
    },
  },
];

/** @type {LongProduct[]} */
export const longProducts = [
  dot('two vectors', 'f32', 1, 1, 1e7, { left: 'k', right: 'k' }),
  dot('two vectors, as written', 'f32', 1, 1, 1e7, { left: 'k', right: 'k', ...asWritten }),
  dot('two vectors, by the reference', 'f32', 1, 1, 1e7, { left: 'k', right: 'k', ...reference }),
  dot('a matrix times a vector: rows', 'f32', 6, 1, 1e6, { right: 'k' }),
  dot('a turned matrix times a vector', 'f32', 3, 1, 1e6, { left: 'km', right: 'k' }),
  dot('a turned matrix of more rows times a vector', 'f32', 12, 1, 1e6, { left: 'km', right: 'k' }),
  dot('a vector times a matrix: rows of it are added', 'f32', 1, 9, 1e6, { left: 'k' }),
  dot('a vector times few columns', 'f32', 1, 3, 1e6, { left: 'k' }),
  dot('a vector times columns that lie side by side', 'f32', 1, 5, 1e6, { left: 'k', right: 'nk' }),
  dot('few rows, added', 'f32', 4, 40, 1e5),
  dot('few rows, a wide matrix', 'f32', 2, 300, 1e5),
  dot('few rows times rows', 'f32', 3, 17, 1e6, { right: 'nk' }),
  dot('two columns', 'f32', 9, 2, 1e6),
  dot('three columns of many rows', 'f32', 70, 3, 1e5),
  dot('seven columns', 'f32', 5, 7, 1e6),
  dot('tiles', 'f32', 8, 16, 1e6),
  dot('tiles and their edges', 'f32', 13, 11, 1e5),
  dot('tiles of many rows', 'f32', 70, 64, 1e5),
  dot('tiles, turned on the left', 'f32', 13, 17, 1e5, { left: 'km' }),
  dot('tiles, turned on the right', 'f32', 13, 17, 1e5, { right: 'nk' }),
  dot('tiles, both turned', 'f32', 13, 17, 1e5, { left: 'km', right: 'nk' }),
  dot('tiles, of other layouts', 'f32', 9, 10, 1e5, { layouts: ['{0,1}', '{0,1}'] }),
  dot('tiles with work behind', 'f32', 30, 32, 1e5, { behind: relu }),
  dot('tiles, by the reference', 'f32', 3, 5, 1e5, reference),
  dot('batches of tiles', 'f32', 7, 9, 1e5, { batches: 3 }),
  dot('batches of rows times columns', 'f32', 1, 5, 1e5, { batches: 4, left: 'k' }),
  dot('batches of two vectors, as written', 'f32', 1, 1, 1e6, {
    batches: 3,
    left: 'k',
    right: 'k',
    ...asWritten,
  }),
  dot('two vectors', 'f64', 1, 1, 1e7, { left: 'k', right: 'k', ...f64 }),
  dot('a matrix times a vector', 'f64', 6, 1, 1e6, { right: 'k', ...f64 }),
  dot('a vector times a matrix', 'f64', 1, 9, 1e6, { left: 'k', ...f64 }),
  dot('three columns', 'f64', 9, 3, 1e5, f64),
  dot('tiles', 'f64', 8, 16, 1e5, f64),
  dot('tiles, by the reference', 'f64', 2, 3, 1e5, { ...f64, ...reference }),
  ...['bf16', 'f16', 'f8e4m3fn'].flatMap((type) => [
    dot('two vectors', type, 1, 1, 1e6, { left: 'k', right: 'k' }),
    dot('a large matrix times a vector', type, 20, 1, 1e6, { right: 'k' }),
    dot('a vector times a large matrix', type, 1, 20, 1e6, { left: 'k' }),
    dot('a vector times columns side by side', type, 1, 20, 1e6, { left: 'k', right: 'nk' }),
    dot('a large matrix times few columns', type, 20, 3, 1e5),
    dot('few rows times a large matrix', type, 3, 24, 1e5),
    dot('tiles', type, 12, 17, 1e5),
  ]),
  dot('two vectors', 'c64', 1, 1, 1e6, { left: 'k', right: 'k', result: 'c64' }),
  dot('a matrix times a vector', 'c64', 5, 1, 1e5, { right: 'k', result: 'c64' }),
  dot('a vector times a matrix', 'c64', 1, 5, 1e5, { left: 'k', result: 'c64' }),
  dot('tiles', 'c64', 9, 10, 1e5, { result: 'c64' }),
  dot('tiles, by the reference', 'c64', 2, 3, 1e5, { result: 'c64', ...reference }),
  dot('tiles', 'c128', 9, 10, 1e5, { result: 'c128', sums: 'f64' }),
  ...ragged,
  convolution('1x1, as written', 'f32', 1e6, {
    window: () => 'size=1x1',
    labels: 'b01f_01io->b01f',
    image: (k) => [1, 3, 3, k],
    kernel: (k) => [1, 1, k, 3],
    out: () => [1, 3, 3, 3],
    at: (k, r) => ({
      count: k,
      left: (p) => Math.floor(r / 3) * k + p,
      right: (p) => p * 3 + (r % 3),
    }),
    ...asWritten,
  }),
  convolution('1x1 of one position, features first', 'f32', 1e6, {
    window: () => 'size=1x1',
    labels: 'bf01_oi01->bf01',
    image: (k) => [1, k, 1, 2],
    kernel: (k) => [2, k, 1, 1],
    out: () => [1, 2, 1, 2],
    at: (k, r) => ({
      count: k,
      left: (p) => p * 2 + (r % 2),
      right: (p) => Math.floor(r / 2) * k + p,
    }),
  }),
  convolution('1x1 of one number', 'f32', 1e6, {
    window: () => 'size=1x1',
    labels: 'b01f_01io->b01f',
    image: (k) => [1, 1, 1, k],
    kernel: (k) => [1, 1, k, 1],
    out: () => [1, 1, 1, 1],
    at: (k) => ({ count: k, left: (p) => p, right: (p) => p }),
    ...asWritten,
  }),
  ...['f32', 'f64', 'bf16', 'f16'].map((type) =>
    convolution('a long window over one feature', type, type === 'f64' ? 1e5 : 1e6, {
      window: (k) => `size=${k}`,
      labels: 'b0f_0io->b0f',
      image: (k) => [1, k + positions - 1, 1],
      kernel: (k) => [k, 1, 1],
      out: () => [1, positions, 1],
      at: (k, r) => ({ count: k, left: (p) => r + p, right: (p) => p }),
      ...(type === 'f64' ? f64 : {}),
    }),
  ),
  convolution('a long window over one feature, by the reference', 'f32', 1e5, {
    window: (k) => `size=${k}`,
    labels: 'b0f_0io->b0f',
    image: (k) => [1, k + 1, 1],
    kernel: (k) => [k, 1, 1],
    out: () => [1, 2, 1],
    at: (k, r) => ({ count: k, left: (p) => r + p, right: (p) => p }),
    ...reference,
  }),
  convolution('a long window, complex', 'c64', 1e5, {
    window: (k) => `size=${k}`,
    labels: 'b0f_0io->b0f',
    image: (k) => [1, k + 1, 1],
    kernel: (k) => [k, 1, 2],
    out: () => [1, 2, 2],
    at: (k, r) => ({ count: k, left: (p) => Math.floor(r / 2) + p, right: (p) => 2 * p + (r % 2) }),
    result: 'c64',
  }),
  convolution('a long window over some features', 'f32', 1e6, {
    window: (k) => `size=${k / 10}`,
    labels: 'b0f_0io->b0f',
    image: (k) => [1, k / 10 + positions - 1, 10],
    kernel: (k) => [k / 10, 10, 12],
    out: () => [1, positions, 12],
    at: (k, r) => ({
      count: k,
      left: (p) => Math.floor(r / 12) * 10 + p,
      right: (p) => p * 12 + (r % 12),
    }),
  }),
  convolution('a long window, dilated', 'f32', 1e5, {
    window: (k) => `size=${k / 10} rhs_dilate=3`,
    labels: 'b0f_0io->b0f',
    image: (k) => [1, (k / 10 - 1) * 3 + positions, 10],
    kernel: (k) => [k / 10, 10, 9],
    out: () => [1, positions, 9],
    at: (k, r) => ({
      count: k,
      left: (p) => (Math.floor(r / 9) + Math.floor(p / 10) * 3) * 10 + (p % 10),
      right: (p) => p * 9 + (r % 9),
    }),
  }),
  convolution('phases of an image with holes', 'f32', 1e6, {
    window: (k) => `size=${2 * k} lhs_dilate=2`,
    labels: 'b0f_0io->b0f',
    image: (k) => [1, k + positions, 1],
    kernel: (k) => [2 * k, 1, 1],
    out: () => [1, 2 * positions, 1],
    at: (k, r) => ({ count: k, left: (p) => Math.ceil(r / 2) + p, right: (p) => (r % 2) + 2 * p }),
  }),
  convolution('windows of a transposed convolution, added up', 'f32', 1e5, {
    window: () => 'size=40 lhs_dilate=5',
    labels: 'b0f_0io->b0f',
    image: (k) => [1, 10, k / 8],
    kernel: (k) => [40, k / 8, 1],
    out: () => [1, 7, 1],
    at: (k, r) => {
      const features = k / 8;
      const tap = (p) => 5 * Math.floor(p / features) + ((5 - (r % 5)) % 5);
      return {
        count: k,
        left: (p) => ((r + tap(p)) / 5) * features + (p % features),
        right: (p) => tap(p) * features + (p % features),
      };
    },
  }),
  convolution('depthwise', 'f32', 1e6, {
    window: (k) => `size=${k}`,
    labels: 'b0f_0io->b0f',
    image: (k) => [1, k + 10, 13],
    kernel: (k) => [k, 1, 13],
    out: () => [1, 11, 13],
    groups: ', feature_group_count=13',
    at: (k, r) => ({ count: k, left: (p) => r + p * 13, right: (p) => p * 13 + (r % 13) }),
  }),
  convolution('groups', 'f32', 1e5, {
    window: (k) => `size=${k / 5}`,
    labels: 'b0f_0io->b0f',
    image: (k) => [1, k / 5 + positions - 1, 10],
    kernel: (k) => [k / 5, 5, 6],
    out: () => [1, positions, 6],
    groups: ', feature_group_count=2',
    at: (k, r) => ({
      count: k,
      left: (p) => (Math.floor(r / 6) + Math.floor(p / 5)) * 10 + (p % 5) + (r % 6 < 3 ? 0 : 5),
      right: (p) => p * 6 + (r % 6),
    }),
  }),
  // Of a filter: the contraction runs over images and positions.
  convolution('a gradient of filters', 'f32', 1e6, {
    window: (k) => `size=10x${k / 100}`,
    labels: 'f01b_i01o->01bf',
    image: (k) => [10, 12, k / 100 + 2, 5],
    kernel: (k) => [10, 10, k / 100, 6],
    out: () => [3, 3, 5, 6],
    at: (k, r) => {
      const [y, x, f, o] = [
        Math.floor(r / 90),
        Math.floor(r / 30) % 3,
        Math.floor(r / 6) % 5,
        r % 6,
      ];
      const width = k / 100;
      return {
        count: k,
        left: (p) => {
          const [image, row, column] = [
            Math.floor(p / (10 * width)),
            Math.floor(p / width) % 10,
            p % width,
          ];
          return ((image * 12 + row + y) * (width + 2) + column + x) * 5 + f;
        },
        right: (p) => p * 6 + o,
      };
    },
  }),
  convolution('Winograd', 'f32', 1e5, {
    window: () => 'size=3x3',
    labels: 'b01f_01io->b01f',
    image: (k) => [1, 10, 10, Math.round(k / 36) * 4],
    kernel: (k) => [3, 3, Math.round(k / 36) * 4, 8],
    out: () => [1, 8, 8, 8],
    at: (k, r) => {
      const features = Math.round(k / 36) * 4;
      const [y, x, o] = [Math.floor(r / 64), Math.floor(r / 8) % 8, r % 8];
      return {
        count: 9 * features,
        left: (p) => {
          const [row, column] = [Math.floor(p / (3 * features)), Math.floor(p / features) % 3];
          return ((y + row) * 10 + x + column) * features + (p % features);
        },
        right: (p) => p * 8 + o,
      };
    },
  }),
];

/** A window over one dimension with `features` of the image for each of `outputs`: `groups` of them side by side. */
function window1d(type, taps, features, outputs, groups, how) {
  const { out = 5, stride = 1, dilation = 1, options, path = 'a window at random' } = how;
  const all = groups * features;
  const reach = (out - 1) * stride + (taps - 1) * dilation + 1;
  return convolution(path, type, 1e5, {
    window: () => `size=${taps} stride=${stride} rhs_dilate=${dilation}`,
    labels: 'b0f_0io->b0f',
    image: () => [1, reach, all],
    kernel: () => [taps, features, groups * outputs],
    out: () => [1, out, groups * outputs],
    groups: `, feature_group_count=${groups}`,
    at: (_, r) => {
      const [position, o] = [Math.floor(r / (groups * outputs)), r % (groups * outputs)];
      return {
        count: taps * features,
        left: (p) =>
          (position * stride + Math.floor(p / features) * dilation) * all +
          Math.floor(o / outputs) * features +
          (p % features),
        right: (p) => p * groups * outputs + o,
      };
    },
    ...(type === 'f64' ? f64 : {}),
    options,
  });
}

/**
 * A dot or a convolution of about k products to a result.
 * @param {number} k
 * @param {(limit: number) => number} below
 * @param {<T>(list: T[]) => T} pick
 * @returns {LongProduct}
 */
export function randomProduct(k, below, pick) {
  const type = pick(['f32', 'f32', 'f32', 'f64', 'bf16', 'f16', 'c64']);
  const options = pick([undefined, undefined, { optimize: false }, { reference: true }]);
  const some = () => pick([1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 16, 17, 24, 40]);
  if (below(3) === 0 && type !== 'c64') {
    const depthwise = below(3) === 0;
    const features = depthwise ? 1 : Math.min(k, pick([1, 2, 3, 8, 12, 300, 1000]));
    const groups = depthwise ? 2 + below(20) : pick([1, 1, 1, 2]);
    const how = { out: 1 + below(40), stride: 1 + below(2), dilation: 1 + below(2), options };
    return window1d(
      type,
      Math.max(1, Math.floor(k / features)),
      features,
      depthwise ? 1 : some(),
      groups,
      how,
    );
  }
  const [m, n] = [some(), some()];
  const result = { f64: 'f64', c64: 'c64' }[type] ?? 'f32';
  return dot('a product at random', type, m, n, 1e5, {
    left: pick(m === 1 ? ['k', 'mk', 'km'] : ['mk', 'km']),
    right: pick(n === 1 ? ['k', 'nk', 'kn'] : ['nk', 'kn']),
    batches: pick([0, 0, 0, 2]),
    result,
    sums: type === 'f64' ? 'f64' : 'f32',
    options,
  });
}
