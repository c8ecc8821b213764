// `hlo indexing`: the indexing maps of an instruction.
import { parseArgs } from 'node:util';
import { load } from '../index.js';
import { reportOfMaps, reportOfTraffic } from './indexing_report.js';
import { readProgram, usageError, withLocation } from './files.js';

export const help = `hlo indexing FILE [--instruction NAME] [--to NAME | --to-parameters | --to-all] [--input-to-output N] [--physical]
             [--utilisation] [--coalescing] [--loops d1,d0] [--tile 16,32] [--symbolic-tile] [--traffic]

Prints which elements of its operands each element of an instruction is computed from, as XLA's indexing maps. Without
options: the root of the entry computation.

  --computation NAME    look in this computation instead of the entry
  --instruction NAME    this instruction instead of the root
  --to NAME             maps to this instruction instead of the operands
  --to-parameters       maps to the computation's parameters, through everything in between
  --to-all              maps to every instruction that it is computed from, one after the other
  --input-to-output N   the other way: from operand N to the result
  --output N            only this leaf of a tuple
  --physical            between positions in memory, under layouts and padding
  --utilisation         how many elements of each operand are read, and how often
  --coalescing          the steps in memory along the loops over each map's variables
  --loops d1,d0,s0      the order of these loops, from the outside in; by default the dimensions, then the ranges
  --tile 16,32          which tile of each operand a tile of these sizes needs
  --symbolic-tile       the same for any tile, at d0,d1 of sizes s0,s1, with what its sizes have to keep to
  --traffic             bytes read and written by the computation, as one fusion and instruction by instruction`;

/** @param {string | undefined} text @param {string} option */
function number(text, option) {
  if (text !== undefined && !/^\d+$/.test(text))
    throw usageError(`--${option} takes a number, got "${text}"`);
  return text === undefined ? undefined : Number(text);
}

/** @param {string[]} args @returns {Promise<number>} */
export async function run(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      computation: { type: 'string' },
      instruction: { type: 'string' },
      to: { type: 'string' },
      'to-parameters': { type: 'boolean', default: false },
      'to-all': { type: 'boolean', default: false },
      'input-to-output': { type: 'string' },
      output: { type: 'string' },
      physical: { type: 'boolean', default: false },
      utilisation: { type: 'boolean', default: false },
      utilization: { type: 'boolean', default: false },
      coalescing: { type: 'boolean', default: false },
      loops: { type: 'string' },
      tile: { type: 'string' },
      'symbolic-tile': { type: 'boolean', default: false },
      traffic: { type: 'boolean', default: false },
    },
  });
  if (positionals.length !== 1) throw usageError('indexing takes one program');
  const [path] = positionals;
  const options = {
    computation: values.computation,
    instruction: values.instruction,
    target: values.to,
    toParameters: values['to-parameters'],
    toAll: values['to-all'],
    inputToOutput: number(values['input-to-output'], 'input-to-output'),
    output: number(values.output, 'output'),
    physical: values.physical,
  };
  const hlo = await load();
  const source = await readProgram(path);
  try {
    const module = hlo.parse(source);
    const texts = [module.indexing(options)]; // printed when nothing has failed
    const report = {
      utilisation: values.utilisation || values.utilization,
      coalescing: values.coalescing || values.loops !== undefined,
      loops: values.loops?.split(','),
      tile: values.tile?.split(',').map((size) => number(size, 'tile') ?? 0),
      symbolicTile: values['symbolic-tile'],
    };
    const asksMaps =
      report.utilisation || report.coalescing || report.tile !== undefined || report.symbolicTile;
    if (asksMaps) texts.push(reportOfMaps(module.indexingMaps(options), report));
    if (values.traffic)
      texts.push(reportOfTraffic(module.traffic({ computation: values.computation })));
    process.stdout.write(texts.join(''));
  } catch (error) {
    throw withLocation(error, path);
  }
  return 0;
}
