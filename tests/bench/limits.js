// What one core can reach through wasm SIMD, measured in the same run as the workloads: the multiply-add rate without
// loads, and the time of the plainest loops over the same bytes. Modules are encoded by hand from the WebAssembly
// specification's binary format.

const ACCUMULATORS = 12; // enough to hide the latency, few enough to stay in registers
const CHUNK = 1 << 20; // bytes of each operand per call: one long call would never reach the optimising tier, short ones cost
const PAGE = 1 << 16;
const [V128, I32, F32] = [0x7b, 0x7f, 0x7d];

const leb = (n) => (n < 128 ? [n] : [(n & 127) | 128, ...leb(n >>> 7)]);
const signedLeb = (n) => (n >= -64 && n < 64 ? [n & 127] : [(n & 127) | 128, ...signedLeb(n >> 7)]);
const simd = (op) => [0xfd, ...leb(op)];
const i32Const = (n) => [0x41, ...signedLeb(n)];
const f32Const = (x) => [0x43, ...new Uint8Array(Float32Array.of(x).buffer)];
const localGet = (i) => [0x20, ...leb(i)];
const localSet = (i) => [0x21, ...leb(i)];
const localTee = (i) => [0x22, ...leb(i)];
const [LOAD, STORE, SPLAT, LANE_0, ADD, MUL, RELAXED_MADD] = [0, 11, 0x13, 0x1f, 0xe4, 0xe6, 0x105];
const load = (address, offset) => [...localGet(address), ...simd(LOAD), 4, ...leb(offset)];
const memoryCopy = [0xfc, 10, 0, 0];
const loop = (body, condition) => [0x03, 0x40, ...body, ...condition, 0x0d, 0, 0x0b];
const addTo = (local, bytes) => [...localGet(local), ...i32Const(bytes), 0x6a, ...localSet(local)];
const decrease = (local, by) => [...localGet(local), ...i32Const(by), 0x6b, ...localTee(local)];

/** The export f of a module with that one function; vectors are locals behind the i32 parameters. */
function functionOf({ params, vectors, result, body, pages = 0 }) {
  const section = (id, content) => [id, ...leb(content.length), ...content];
  const code = [1, ...leb(vectors), V128, ...body, 0x0b];
  const bytes = [
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, params, ...Array(params).fill(I32), ...(result ? [1, F32] : [0])]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, ...leb(pages)]),
    ...section(7, [2, 1, 0x66, 0, 0, 1, 0x6d, 2, 0]),
    ...section(10, [1, ...leb(code.length), ...code]),
  ];
  const { f, m } = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(bytes))).exports;
  return { f, memory: m };
}
const sumOf = (locals) => [
  ...localGet(locals[0]),
  ...locals.slice(1).flatMap((a) => [...localGet(a), ...simd(ADD)]),
  ...[...simd(LANE_0), 0],
];

/** f(n): n rounds of acc = acc * x + y on all accumulators. */
function multiplyAddLoop(fused) {
  const [x, y] = [1, 2];
  const accumulators = Array.from({ length: ACCUMULATORS }, (_, i) => 3 + i);
  const round = accumulators.flatMap((a) => {
    const product = [...localGet(a), ...localGet(x)];
    const sum = fused
      ? [...product, ...localGet(y), ...simd(RELAXED_MADD)]
      : [...product, ...simd(MUL), ...localGet(y), ...simd(ADD)];
    return [...sum, ...localSet(a)];
  });
  const set = (local, value) => [...f32Const(value), ...simd(SPLAT), ...localSet(local)];
  return functionOf({
    params: 1,
    vectors: ACCUMULATORS + 2,
    result: true,
    body: [
      ...set(x, 0.999),
      ...set(y, 0.001),
      ...loop(round, decrease(0, 1)),
      ...sumOf(accumulators),
    ],
  }).f;
}

/** A contestant of measure.js: one call is `operations` floating-point operations at the peak rate. */
export function multiplyAddPeak(fused) {
  const f = multiplyAddLoop(fused);
  const rounds = 50_000;
  return { run: () => f(rounds), operations: rounds * ACCUMULATORS * 8 };
}

const UNROLL = 8; // vectors per round
const vectors = Array.from({ length: UNROLL }, (_, i) => i);

const memoryLoops = {
  /** f(c, a, b, bytes): c = a + b */
  add: {
    operands: 3,
    params: 4,
    vectors: 0,
    body: loop(
      [
        ...vectors.flatMap((i) => [
          ...localGet(0),
          ...load(1, 16 * i),
          ...load(2, 16 * i),
          ...simd(ADD),
          ...[...simd(STORE), 4, ...leb(16 * i)],
        ]),
        ...[0, 1, 2].flatMap((local) => addTo(local, 16 * UNROLL)),
      ],
      decrease(3, 16 * UNROLL),
    ),
  },
  /** f(a, bytes): the sum of a */
  read: {
    operands: 1,
    params: 2,
    vectors: UNROLL,
    result: true,
    body: [
      ...loop(
        [
          ...vectors.flatMap((i) => [
            ...localGet(2 + i),
            ...load(0, 16 * i),
            ...simd(ADD),
            ...localSet(2 + i),
          ]),
          ...addTo(0, 16 * UNROLL),
        ],
        decrease(1, 16 * UNROLL),
      ),
      ...sumOf(vectors.map((i) => 2 + i)),
    ],
  },
  /** f(to, from, bytes) */
  copy: {
    operands: 2,
    params: 3,
    vectors: 0,
    body: [...localGet(0), ...localGet(1), ...localGet(2), ...memoryCopy],
  },
};

/**
 * A contestant that moves `bytes` in all, split over the operands of the loop `kind`: "add" of two arrays into a third,
 * "read" of one, "copy" of one.
 */
export function memoryLimit(kind, bytes) {
  const { operands, ...code } = memoryLoops[kind];
  const each = Math.ceil(bytes / operands / CHUNK) * CHUNK;
  const { f, memory } = functionOf({ ...code, pages: (each * operands) / PAGE });
  new Float32Array(memory.buffer).fill(1); // untouched pages would all be one page of zeros, in the cache
  const starts = Array.from({ length: operands }, (_, i) => i * each);
  return {
    run() {
      for (let at = 0; at < each; at += CHUNK) f(...starts.map((start) => start + at), CHUNK);
    },
    bytes: each * operands,
  };
}
