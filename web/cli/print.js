// `hlo print`: a program as text.
import { parseArgs } from 'node:util';
import { load } from '../index.js';
import { located, readText, usageError } from './files.js';

export const help = `hlo print FILE [--as hlo|stablehlo] [--optimized]

Parses and verifies the program in FILE (- reads standard input) and prints it, as HLO text unless told otherwise. With
--optimized it prints what runs in its place.`;

/** @param {string[]} args @returns {Promise<number>} */
export async function run(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { as: { type: 'string', default: 'hlo' }, optimized: { type: 'boolean' } },
  });
  if (positionals.length !== 1) throw usageError('print takes one program');
  if (values.as !== 'hlo' && values.as !== 'stablehlo')
    throw usageError(`--as takes hlo or stablehlo, got "${values.as}"`);
  const [path] = positionals;
  const hlo = await load();
  const text = await readText(path);
  try {
    const program = hlo.parse(text);
    process.stdout.write((values.optimized ? program.compile() : program).print(values.as));
  } catch (error) {
    throw located(error, path);
  }
  return 0;
}
