// `make survey`: programs as people write them in JAX, beside XLA's CPU backend on one core, native, in the Python that
// HLO_PYTHON names. Prints a line a program, the slowest beside XLA first: both times, XLA's over ours, how long compiling
// took, and the greatest difference of a result as a part of its largest number.
//   node survey.js [part of a name]...
import { load } from '../../web/index.js';
import { measure } from './measure.js';
import { arrayOf, differenceOf, numbersOf, surveyed } from './surveyed.js';

const BUDGET = 300; // ms

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
