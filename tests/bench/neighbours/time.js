// One program under both: the same text, the same inputs, the results compared, samples in turn.
import { arrayOf, differenceOf, numbersOf } from '../surveyed.js';

const WARM_UP = 60; // ms: V8 optimises wasm after some calls
const SAMPLE = 10; // ms of calls that a sample lasts at least
const ROUNDS = 5;
const SLOW = 200; // ms of a call from which fewer rounds do

/** How far results may be from XLA's, as a part of the largest number: some roundings of a result's type, more after long sums. */
const TOLERANCES = {
  f64: 1e-9,
  c128: 1e-9,
  f32: 1e-3,
  c64: 1e-3,
  f16: 0.02,
  bf16: 0.1,
  f8e4m3fn: 0.15,
  f8e5m2: 0.3,
};
/** Of functions of small floats, which go through their argument's rounding. */
const FROM_SMALL = 0.1;

/** ms of a call, the mean of as many as take so long. */
function sampleOf(run, ms) {
  let calls = 0;
  const start = performance.now();
  do {
    run();
    calls++;
  } while (performance.now() - start < ms);
  return (performance.now() - start) / calls;
}

/** The greatest difference as a part of what is allowed, over all results. */
function excessOf(hlo, results, { inputs, outputs }) {
  if (results.length !== outputs.length) return Infinity;
  const small = inputs.some(({ type }) => /float16|float8/.test(type));
  const excesses = outputs.map((output, i) =>
    hlo.tidy(() => {
      const want = arrayOf(hlo, output);
      const difference = differenceOf(numbersOf(hlo, results[i]), numbersOf(hlo, want));
      const tolerance = TOLERANCES[results[i].type] ?? 0;
      return difference === 0
        ? 0
        : difference / (tolerance && small ? Math.max(tolerance, FROM_SMALL) : tolerance);
    }),
  );
  return Math.max(0, ...excesses);
}

/**
 * @param {import('../../../web/index.js').Hlo} hlo
 * @param {import('./native.js').Native} native
 * @returns {Promise<{ ours: number, xla: number, compiling: number, excess: number }>} ms, the least of a few
 *   rounds; excess: the greatest difference as a part of what is allowed
 */
export async function timed(hlo, native, family, name) {
  const program = await native.prepare(family, name);
  const start = performance.now();
  const executable = hlo.compile(program.text);
  const compiling = performance.now() - start;
  const x = program.inputs.map((input) => arrayOf(hlo, input));
  try {
    const results = executable.run(x);
    let excess = excessOf(hlo, results, program);
    if (excess > 1) {
      const { outputs } = await native.exact(); // XLA's sums of small floats may be those that are off
      excess = Math.min(excess, excessOf(hlo, results, { ...program, outputs }));
    }
    for (const result of results) result.dispose();
    const run = () => executable.run(x).forEach((y) => y.dispose());
    let ours = sampleOf(run, WARM_UP);
    let xla = await native.sample(SAMPLE);
    const rounds = Math.max(ours, xla) > SLOW ? 1 : ROUNDS;
    for (let round = 0; round < rounds; round++) {
      xla = Math.min(xla, await native.sample(SAMPLE));
      ours = Math.min(ours, sampleOf(run, SAMPLE));
    }
    return { ours, xla, compiling, excess };
  } finally {
    for (const array of [...x, executable]) array.dispose();
  }
}
