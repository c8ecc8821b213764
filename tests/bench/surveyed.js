// The programs of survey_programs as JAX writes and runs them, in the Python that HLO_PYTHON names: their texts, XLA's times,
// inputs and results.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const TYPES = {
  bool: ['pred', Uint8Array],
  int8: ['s8', Int8Array],
  int16: ['s16', Int16Array],
  int32: ['s32', Int32Array],
  int64: ['s64', BigInt64Array],
  uint8: ['u8', Uint8Array],
  uint16: ['u16', Uint16Array],
  uint32: ['u32', Uint32Array],
  uint64: ['u64', BigUint64Array],
  float8_e4m3fn: ['f8e4m3fn', Uint8Array],
  float8_e5m2: ['f8e5m2', Uint8Array],
  bfloat16: ['bf16', Uint16Array],
  float16: ['f16', Uint16Array],
  float32: ['f32', Float32Array],
  float64: ['f64', Float64Array],
  complex64: ['c64', Float32Array],
  complex128: ['c128', Float64Array],
};

/** An input or a result. */
export function arrayOf(hlo, { type, shape, data }) {
  const bytes = Uint8Array.from(Buffer.from(data, 'base64'));
  const [name, Typed] = TYPES[type];
  return hlo.array(new Typed(bytes.buffer), { type: name, shape });
}

/** Numbers of an array of any type, the parts of complex ones after each other. */
export const numbersOf = (hlo, x) =>
  hlo.tidy(() => {
    const isSmall = /^(bf16|f16|f8.*)$/.test(x.type);
    const data = (isSmall ? hlo.convert(x, 'f32') : x).toTypedArray();
    return Float64Array.from(data, Number);
  });

/** The greatest difference beside the largest number that was wanted; Infinity where only one is a number. */
export function differenceOf(got, want) {
  let [difference, largest] = [0, 0];
  for (const [i, w] of want.entries()) {
    const same = got[i] === w || (Number.isNaN(got[i]) && Number.isNaN(w));
    if (Number.isFinite(w)) largest = Math.max(largest, Math.abs(w));
    if (same) continue;
    const apart = Math.abs(got[i] - w);
    difference = Math.max(difference, Number.isNaN(apart) ? Infinity : apart);
  }
  return got.length === want.length ? difference / (largest || 1) : Infinity;
}

/**
 * One after the other, each as survey.py describes it. Python waits until the next is wanted, so that it does not disturb.
 * @param {string[]} [names] parts of names; left out, all
 */
export async function* surveyed(names = []) {
  const python = process.env.HLO_PYTHON ?? 'python3';
  const script = fileURLToPath(new URL('survey.py', import.meta.url));
  const child = spawn(python, [script, ...names], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  for (;;) {
    child.stdin.write('\n');
    const line = await lines.next();
    if (line.done) throw new Error(`${python} has no JAX; set HLO_PYTHON`);
    const program = JSON.parse(line.value);
    if (program.name === undefined) break;
    yield program;
  }
  child.stdin.end();
}
