// The highest multiply-add rate of one core through wasm SIMD, measured: independent f32x4 accumulators in registers, no
// loads. Encoded by hand from the WebAssembly specification's binary format. Must not know the engine.

const ACCUMULATORS = 12; // enough to hide the latency, few enough to stay in registers
const [V128, I32, F32] = [0x7b, 0x7f, 0x7d];

const leb = (n) => (n < 128 ? [n] : [(n & 127) | 128, ...leb(n >>> 7)]);
const section = (id, content) => [id, ...leb(content.length), ...content];
const simd = (op) => [0xfd, ...leb(op)];
const f32Const = (x) => [0x43, ...new Uint8Array(Float32Array.of(x).buffer)];
const localGet = (i) => [0x20, ...leb(i)];
const localSet = (i) => [0x21, ...leb(i)];
const [SPLAT, LANE_0, ADD, MUL, RELAXED_MADD] = [0x13, 0x1f, 0xe4, 0xe6, 0x105];

/** A module with f(n): n rounds of acc = acc * x + y on all accumulators. */
function moduleBytes(fused) {
  const [x, y] = [1, 2]; // locals behind the parameter; accumulators follow
  const accumulators = Array.from({ length: ACCUMULATORS }, (_, i) => 3 + i);
  const round = accumulators.flatMap((a) => {
    const operands = [...localGet(a), ...localGet(x)];
    const sum = fused
      ? [...operands, ...localGet(y), ...simd(RELAXED_MADD)]
      : [...operands, ...simd(MUL), ...localGet(y), ...simd(ADD)];
    return [...sum, ...localSet(a)];
  });
  const body = [
    1,
    ACCUMULATORS + 2,
    V128,
    ...f32Const(0.999),
    ...simd(SPLAT),
    ...localSet(x),
    ...f32Const(0.001),
    ...simd(SPLAT),
    ...localSet(y),
    0x03,
    0x40,
    ...round,
    ...localGet(0),
    0x41,
    1,
    0x6b,
    0x22,
    0,
    0x0d,
    0,
    0x0b,
    ...localGet(accumulators[0]),
    ...accumulators.slice(1).flatMap((a) => [...localGet(a), ...simd(ADD)]),
    ...simd(LANE_0),
    0,
    0x0b,
  ];
  return new Uint8Array([
    0,
    0x61,
    0x73,
    0x6d,
    1,
    0,
    0,
    0,
    ...section(1, [1, 0x60, 1, I32, 1, F32]),
    ...section(3, [1, 0]),
    ...section(7, [1, 1, 0x66, 0, 0]),
    ...section(10, [1, ...leb(body.length), ...body]),
  ]);
}

/** GFLOP/s of the instruction that this build's dots are made of. */
export function peakOf(build) {
  const fused = build === 'relaxed-simd';
  const { f } = new WebAssembly.Instance(new WebAssembly.Module(moduleBytes(fused))).exports;
  for (let i = 0; i < 20; i++) f(1e5); // into the optimising tier
  const rounds = 5e6;
  let best = 0;
  for (let i = 0; i < 5; i++) {
    const start = performance.now();
    f(rounds);
    best = Math.max(best, (rounds * ACCUMULATORS * 8) / (performance.now() - start) / 1e6);
  }
  return { multiplyAdd: best, name: fused ? 'relaxed_madd' : 'mul + add' };
}
