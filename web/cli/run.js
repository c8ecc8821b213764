// `hlo run`: parse, compile, run, print.
import { parseArgs } from 'node:util';
import { load } from '../index.js';
import { readArrays, readProgram, usageError, withLocation, writeArrays } from './files.js';
import { bindInputs, describeInputs } from './inputs.js';
import { checkMemory } from './memory.js';
import { randomArray } from './random.js';
import { show } from '../show.js';
import { countSubnormals } from './subnormals.js';
import { paint, progressLine } from './terminal.js';

export const help = `hlo run FILE [--input x.npy]... [--output out.npy]... [--seed N] [--replicas N] [--partitions N]
        [--function NAME] [--reference] [--time] [--repeat N] [--progress]

Runs the program in FILE (HLO or StableHLO text, a StableHLO artifact or a file of jax.export; - reads standard input) and
prints its results. Where StableHLO leaves sizes open (tensor<?xf32>), they follow from the inputs.

  --input FILE     a .npy file for the next parameter, in order; or a .npz or .safetensors file, whose arrays go by their names:
                   those of the parameters, or their ends ("w" for "params['w']"), or arr_0, arr_1 … for the next ones
  --seed N         fill parameters that have no --input with reproducible random numbers
  --output FILE    write the next result to a .npy file, or all that are left to a .npz or .safetensors file, instead of
                   printing them
  --replicas N     run N processes that can talk to each other through collectives. They all get the same inputs, or, with
                   as many --input as they have parameters together, each its own; --seed gives each other numbers
  --partitions N   each replica is N processes
  --function NAME  run this computation instead of the entry (main)
  --reference      evaluate each operation by its definition, slowly, without kernels or optimisation
  --time           print how long parsing, compiling and running took, the rate of operations on elements (a multiply-add is
                   two) and of bytes, how much memory a run takes, and how many subnormal numbers, which are slow, go in and out
  --repeat N       run N times; --time tells the fastest and the median
  --progress       tell how far a long run is, which terminals are told anyway

  hlo run model.mlir --seed 1
  hlo run model.mlir --input weights.safetensors --input x.npy --output y.npy
  hlo run model.mlir --seed 1 --time --repeat 20
  cat model.hlo | hlo run - --seed 1 | head`;

/**
 * The program; where it leaves sizes open, for the inputs of the first process.
 * @param {import('../index.js').Hlo} hlo
 * @param {string | Uint8Array} source
 * @param {import('./inputs.js').Given[]} given
 */
function parseFor(hlo, source, given) {
  try {
    return hlo.parse(source);
  } catch (error) {
    if (/** @type {any} */ (error).code !== 'open program') throw error;
    const executable = hlo.compile(source);
    const [inputs] = bindInputs(executable, given, 1);
    const arrays = inputs.filter((array) => array !== undefined);
    if (arrays.length < inputs.length)
      throw usageError(
        `the program leaves sizes open, which follow from its ${inputs.length} inputs, got ${arrays.length}:\n${describeInputs(executable)}`,
      );
    return hlo.parse(source, { shapes: arrays });
  }
}

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
      repeat: { type: 'string', default: '1' },
      progress: { type: 'boolean', default: false },
    },
  });
  if (positionals.length !== 1) throw usageError('run takes one program');
  const [path] = positionals;
  const [replicas, partitions] = [
    countOf('replicas', values.replicas),
    countOf('partitions', values.partitions),
  ];
  const repeat = countOf('repeat', values.repeat);
  for (const output of values.output) {
    if (!/\.(npy|npz|safetensors)$/.test(output))
      throw usageError(`--output takes a .npy, .npz or .safetensors file, got ${output}`);
  }
  const hlo = await load();
  const source = await readProgram(path);
  const given = await Promise.all(values.input.map((file) => readArrays(hlo, file)));
  const times = [performance.now()];
  let executable;
  try {
    const module = parseFor(hlo, source, given);
    times.push(performance.now());
    executable = module.compile({ computation: values.function, reference: values.reference });
    times.push(performance.now());
  } catch (error) {
    throw withLocation(error, path);
  }
  const inputs = inputsOf(hlo, executable, replicas * partitions, given, values.seed);
  if (values.time) await executable.ready;
  /** @type {import('../index.js').HloArray[][]} */
  let results = [];
  const ran = [];
  const progress = progressLine(values.progress);
  try {
    for (let i = 0; i < repeat; i++) {
      for (const result of results.flat()) result.dispose();
      const start = performance.now();
      results = await executable.runReplicasAsync(inputs, {
        partitions,
        onProgress: (done) => progress.show(done),
      });
      ran.push(performance.now() - start);
    }
  } catch (error) {
    throw withLocation(error, path);
  } finally {
    progress.clear();
  }
  process.stdout.write(executable.output);
  const subnormals = values.time ? subnormalsText(inputs.flat(), results.flat()) : '';
  const left = new Set(await writeArrays(hlo, results.flat(), values.output));
  for (const [process, list] of results.entries()) {
    if (results.length > 1) console.log(nameOf(process, partitions));
    for (const result of list) if (left.has(result)) print(result);
  }
  if (values.time) {
    const [parsing, compiling] = [times[1] - times[0], times[2] - times[1]].map((ms) =>
      ms.toFixed(2),
    );
    console.error(
      `parse ${parsing} ms, compile ${compiling} ms, run ${timesText(ran)} (${hlo.build})\n${ratesText(executable, Math.min(...ran), results.length)}${subnormals}`,
    );
  }
  return 0;
}

/** @param {import('../index.js').HloArray} array the header in colour */
function print(array) {
  const text = array.type === 'token' ? array.xla.text : show(array);
  const end = array.xla.text.length;
  console.log(paint(process.stdout, 'shape', text.slice(0, end)) + text.slice(end));
}

/** @param {number[]} times in milliseconds */
function timesText(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const [fastest, median] = [sorted[0], sorted[sorted.length >> 1]].map((ms) => ms.toFixed(2));
  if (times.length === 1) return `${fastest} ms`;
  return `${fastest} ms at best, ${median} ms in the middle of ${times.length}`;
}

/**
 * @param {import('../index.js').Executable} executable
 * @param {number} milliseconds
 * @param {number} processes
 */
function ratesText(executable, milliseconds, processes) {
  const { flops, transcendentals, bytesRead, bytesWritten, complete } = executable.cost;
  const rate = (/** @type {number} */ count) =>
    ((count * processes) / (milliseconds * 1e6)).toFixed(2);
  const bytes = (/** @type {number} */ count) => `${(count / 1e6).toFixed(2)} MB`;
  const { memory } = executable;
  const more = complete ? '' : ' at least (there are loops or calls that cannot be counted)';
  return (
    `${flops.toLocaleString('en')} flops, ${transcendentals.toLocaleString('en')} transcendentals, ` +
    `${bytes(bytesRead)} read, ${bytes(bytesWritten)} written${more}: ` +
    `${rate(flops)} GFLOP/s, ${rate(bytesRead + bytesWritten)} GB/s\n` +
    `memory: arguments ${bytes(memory.arguments)}, results ${bytes(memory.results)}, constants ${bytes(memory.constants)}, at most ${bytes(memory.peak)}`
  );
}

/**
 * @param {import('../index.js').HloArray[]} inputs
 * @param {import('../index.js').HloArray[]} results
 * @returns {string} a line that counts subnormal numbers, or nothing if there are none
 */
function subnormalsText(inputs, results) {
  const [read, written] = [countSubnormals(inputs), countSubnormals(results)];
  if (read + written === 0) return '';
  const counts = [
    `${read.toLocaleString('en')} in the inputs`,
    `${written.toLocaleString('en')} in the results`,
  ];
  return `\nsubnormal numbers: ${counts.join(', ')}; each can cost as much as 50 others (docs/speed.md)`;
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
 * @param {import('./inputs.js').Given[]} given
 * @param {string | undefined} seed
 */
function inputsOf(hlo, executable, processes, given, seed) {
  const { parameters } = executable;
  const bound = bindInputs(executable, given, processes);
  const missing = bound.flat().filter((array) => array === undefined).length;
  if (missing > 0 && seed === undefined)
    throw usageError(
      `the program takes ${parameters.length} inputs, got ${parameters.length - bound[0].filter((array) => !array).length} (--seed N fills in the rest):\n${describeInputs(executable)}`,
    );
  if (seed !== undefined && !/^\d+$/.test(seed))
    throw usageError(`--seed takes a whole number, got "${seed}"`);
  // Inputs that were given are there already.
  if (given.length < parameters.length) checkMemory(hlo, processes * executable.memory.peak);
  return Array.from({ length: processes }, (_, process) =>
    parameters.map((shape, i) => {
      const number = process * parameters.length + i;
      return bound[process][i] ?? randomArray(hlo, shape, Number(seed) + number);
    }),
  );
}
