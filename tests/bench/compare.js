// `make compare BASE=…`: this checkout beside another one, both built: the workloads of the benchmark, then, where HLO_PYTHON has
// JAX, the programs of the survey. Both are timed in turn in one process, so that whatever else the machine does slows both.
// Prints the other's time over this one's for each, the lowest ratio first, and their geometric means.
//   node compare.js DIRECTORY [part of a name]...
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { adapterOf } from './adapters/hlo.js';
import { measure } from './measure.js';
import { arrayOf, surveyed } from './surveyed.js';
import { Unsupported, workloads } from './workloads.js';

const BUDGET = 800; // ms for the samples of both

const [directory, ...only] = process.argv.slice(2);
if (!directory) throw new Error('which checkout is to be compared with? make compare BASE=…');
const base = await import(pathToFileURL(resolve(directory, 'web/index.js')).href);
const here = await import('../../web/index.js');
const loads = [here.load, base.load];

/** @returns {Promise<number>} the base's time over ours */
async function ratioOf(contestants) {
  const [ours, theirs] = await measure(contestants, BUDGET);
  return theirs.least / ours.least;
}

async function ratioOfWorkload(workload, adapters) {
  const contestants = [];
  for (const adapter of adapters) contestants.push(await adapter.prepare(workload));
  return ratioOf(contestants);
}

async function ratioOfProgram({ text, inputs }, engines) {
  const contestants = engines.map((hlo) => {
    const executable = hlo.compile(text);
    const x = inputs.map((input) => arrayOf(hlo, input));
    return {
      run: () => executable.run(x).forEach((y) => y.dispose()),
      dispose: () => [...x, executable].forEach((each) => each.dispose()),
    };
  });
  const ratio = await ratioOf(contestants);
  for (const { dispose } of contestants) dispose();
  return ratio;
}

/** @param {string} title @param {{ name: string, ratio: number }[]} rows */
function print(title, rows) {
  if (!rows.length) return;
  rows.sort((a, b) => a.ratio - b.ratio);
  for (const { name, ratio } of rows) console.log(`${name.padEnd(28)} ${ratio.toFixed(3)}`);
  const mean = Math.exp(rows.reduce((sum, { ratio }) => sum + Math.log(ratio), 0) / rows.length);
  console.log(`${title}: ${rows.length}, geometric mean ${mean.toFixed(3)}\n`);
}

const build = here.bestBuild();
const adapters = loads.map((load) => adapterOf(build, load));
for (const adapter of adapters) await adapter.start(1);
let rows = [];
for (const [id, workload] of workloads) {
  if (only.length && !only.some((part) => id.includes(part))) continue;
  try {
    rows.push({ name: id, ratio: await ratioOfWorkload(workload, adapters) });
  } catch (error) {
    if (!(error instanceof Unsupported)) throw error;
  }
}
print('workloads', rows);

const engines = await Promise.all(loads.map((load) => load({ build })));
rows = [];
for await (const { name, problem, ...program } of surveyed(only))
  if (!problem) rows.push({ name, ratio: await ratioOfProgram(program, engines) });
print('programs of the survey', rows);
