// `hlo run`: parse, compile, run, print.
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { load } from '../index.js';
import { located, readArray, readText, usageError } from './files.js';
import { randomArray } from './random.js';
import { show } from './show.js';

export const help = `hlo run FILE [--input x.npy]... [--output out.npy]... [--seed N] [--replicas N] [--partitions N]
        [--function NAME] [--reference] [--time]

Runs the program in FILE (HLO or StableHLO text; - reads standard input) and prints its results. Where StableHLO leaves sizes
of arguments open (tensor<?xf32>), they are those of the inputs.

  --input FILE     a .npy file for the next parameter, in order
  --seed N         fill parameters that have no --input with reproducible random numbers
  --output FILE    write the next result to a .npy file instead of printing it
  --replicas N     run N processes that can talk to each other through collectives. They all get the same inputs, or, with
                   as many --input as they have parameters together, each its own; --seed gives each other numbers
  --partitions N   each replica is N processes
  --function NAME  run this computation instead of the entry (main)
  --reference      use the reference evaluator only, no fast kernels
  --time           print how long parsing, compiling and running took`;

/** @param {import('../index.js').Executable} executable */
function signature(executable) {
  return executable.parameters.map((shape, i) => `  ${i}: ${shape.text}`).join('\n');
}

/** A StableHLO type with a size that is neither stated nor bounded. */
const openType = /tensor<[^>,]*\?[^>,]*>/;

/** @param {string[]} args @returns {Promise<number>} */
export async function run(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      input: { type: 'string', multiple: true, default: [] },
      output: { type: 'string', multiple: true, default: [] },
      seed: { type: 'string' },
      replicas: { type: 'string', default: '1' },
      partitions: { type: 'string', default: '1' },
      function: { type: 'string' },
      reference: { type: 'boolean', default: false },
      time: { type: 'boolean', default: false },
    },
  });
  if (positionals.length !== 1) throw usageError('run takes one program');
  const [path] = positionals;
  const [replicas, partitions] = [
    countOf('replicas', values.replicas),
    countOf('partitions', values.partitions),
  ];
  const hlo = await load();
  const text = await readText(path);
  const leavesOpen = replicas * partitions === 1 && openType.test(text);
  const shapes = leavesOpen ? await shapesOf(hlo, values.input) : [];
  const times = [performance.now()];
  let executable;
  try {
    const module = hlo.parse(text, { shapes });
    times.push(performance.now());
    executable = module.compile({ computation: values.function, reference: values.reference });
    times.push(performance.now());
  } catch (error) {
    throw located(error, path);
  }
  const inputs = await inputsOf(hlo, executable, replicas * partitions, values.input, values.seed);
  const start = performance.now();
  let results;
  try {
    results = executable.runReplicas(inputs, { partitions });
  } catch (error) {
    throw located(error, path);
  }
  const ran = performance.now() - start;
  process.stdout.write(executable.output);
  let written = 0;
  for (const [process, list] of results.entries()) {
    if (results.length > 1) console.log(nameOf(process, partitions));
    for (const result of list) {
      const output = values.output[written++];
      if (output !== undefined) await writeFile(output, hlo.toNpy(result));
      else console.log(show(result));
    }
  }
  if (values.time) {
    const [parsing, compiling] = [times[1] - times[0], times[2] - times[1]].map((ms) =>
      ms.toFixed(2),
    );
    console.error(
      `parse ${parsing} ms, compile ${compiling} ms, run ${ran.toFixed(2)} ms (${hlo.build})`,
    );
  }
  return 0;
}

/**
 * @param {import('../index.js').Hlo} hlo
 * @param {string[]} paths
 */
function shapesOf(hlo, paths) {
  return Promise.all(
    paths.map(async (path) => {
      const array = await readArray(hlo, path);
      const { text } = array.shape;
      array.dispose();
      return text;
    }),
  );
}

/**
 * @param {string} name
 * @param {string} text
 */
function countOf(name, text) {
  if (!/^[1-9]\d{0,4}$/.test(text))
    throw usageError(`--${name} takes a positive number, got "${text}"`);
  return Number(text);
}

/**
 * @param {number} process
 * @param {number} partitions
 */
function nameOf(process, partitions) {
  const replica = `replica ${Math.floor(process / partitions)}`;
  return partitions === 1 ? `${replica}:` : `${replica}, partition ${process % partitions}:`;
}

/**
 * The inputs of each process.
 * @param {import('../index.js').Hlo} hlo
 * @param {import('../index.js').Executable} executable
 * @param {number} processes
 * @param {string[]} paths
 * @param {string | undefined} seed
 */
async function inputsOf(hlo, executable, processes, paths, seed) {
  const { parameters } = executable;
  const all = parameters.length * processes;
  const isShared = paths.length <= parameters.length;
  if (!isShared && paths.length !== all)
    throw usageError(
      processes === 1
        ? `the program takes ${parameters.length} inputs, got ${paths.length}`
        : `the program takes ${parameters.length} inputs, ${processes} processes together ${all}; got ${paths.length}`,
    );
  if (paths.length < parameters.length && seed === undefined)
    throw usageError(
      `the program takes ${parameters.length} inputs, got ${paths.length} (--seed N fills in the rest):\n${signature(executable)}`,
    );
  if (seed !== undefined && !/^\d+$/.test(seed))
    throw usageError(`--seed takes a whole number, got "${seed}"`);
  const given = await Promise.all(paths.map((path) => readArray(hlo, path)));
  return Array.from({ length: processes }, (_, process) =>
    parameters.map((shape, i) => {
      const number = process * parameters.length + i;
      return given[isShared ? i : number] ?? randomArray(hlo, shape, Number(seed) + number);
    }),
  );
}
