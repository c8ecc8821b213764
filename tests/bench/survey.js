// `make survey`: programs as people write them in JAX, beside XLA's CPU backend on one core, native, in the Python that
// HLO_PYTHON names. Prints a line a program, the slowest beside XLA first: both times, XLA's over ours, how long compiling
// took, and the greatest difference of a result as a part of its largest number.
//   node survey.js [part of a name]...
import { load } from '../../web/index.js';
import { measure } from './measure.js';
import { arrayOf, surveyed } from './surveyed.js';

const BUDGET = 300; // ms
/** Numbers of an array of any type, the parts of complex ones after each other. */
const numbersOf = (hlo, x) =>
  hlo.tidy(() => {
    const is8 = ['bf16', 'f16'].includes(x.type);
    const data = (is8 ? hlo.convert(x, 'f32') : x).toTypedArray();
    return Float64Array.from(data, Number);
  });

/** The greatest difference beside the largest number that was wanted; Infinity where only one is a number. */
function differenceOf(got, want) {
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

async function survey(hlo, { text, ms, inputs, outputs }) {
  const start = performance.now();
  const executable = hlo.compile(text);
  const compiling = performance.now() - start;
  const x = inputs.map((input) => arrayOf(hlo, input));
  const results = executable.run(x);
  const differences = outputs.map((output, i) => {
    const want = arrayOf(hlo, output);
    const difference = differenceOf(numbersOf(hlo, results[i]), numbersOf(hlo, want));
    want.dispose();
    return difference;
  });
  const run = () => executable.run(x).forEach((y) => y.dispose());
  const [{ median }] = await measure([{ run }], BUDGET);
  for (const array of [...x, ...results]) array.dispose();
  executable.dispose();
  return { ours: median, ms, compiling, difference: Math.max(0, ...differences) };
}

const hlo = await load();
const rows = [];
const problems = [];
for await (const { name, problem, ...program } of surveyed(process.argv.slice(2))) {
  try {
    if (problem) throw new Error(`under XLA: ${problem}`);
    rows.push({ name, ...(await survey(hlo, program)) });
  } catch (error) {
    problems.push(`${name}: ${error.message.split('\n')[0]}`);
  }
}
rows.sort((a, b) => a.ms / a.ours - b.ms / b.ours);
console.log(`${'program'.padEnd(20)}  ours, ms   XLA, ms  XLA / ours  compiling, ms  difference`);
for (const { name, ours, ms, compiling, difference } of rows)
  console.log(
    `${name.padEnd(20)} ${ours.toFixed(4).padStart(9)} ${ms.toFixed(4).padStart(9)} ${(ms / ours).toFixed(2).padStart(11)} ` +
      `${compiling.toFixed(1).padStart(14)} ${difference.toExponential(1).padStart(11)}`,
  );
const middle = rows[rows.length >> 1];
if (middle)
  console.log(
    `${rows.length} programs; the one in the middle ${(middle.ms / middle.ours).toFixed(2)}`,
  );
for (const problem of problems) console.log(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
