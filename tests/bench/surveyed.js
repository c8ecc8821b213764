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
  uint8: ['u8', Uint8Array],
  uint16: ['u16', Uint16Array],
  uint32: ['u32', Uint32Array],
  bfloat16: ['bf16', Uint16Array],
  float16: ['f16', Uint16Array],
  float32: ['f32', Float32Array],
  complex64: ['c64', Float32Array],
};

/** An input or a result. */
export function arrayOf(hlo, { type, shape, data }) {
  const bytes = Uint8Array.from(Buffer.from(data, 'base64'));
  const [name, Typed] = TYPES[type];
  return hlo.array(new Typed(bytes.buffer), { type: name, shape });
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
