// `hlo map`: one indexing map, simplified.
import { parseArgs } from 'node:util';
import { load } from '../index.js';
import { readText, usageError, withLocation } from './files.js';

export const help = `hlo map FILE

Parses one indexing map in FILE (- reads standard input), simplifies it and prints it. Both floordiv and / are accepted:

  (d0, d1)[s0] -> (d0 floordiv 4, d1 + s0),
  domain:
  d0 in [0, 3],
  d1 in [0, 7],
  s0 in [0, 1]`;

/** @param {string[]} args @returns {Promise<number>} */
export async function run(args) {
  const { positionals } = parseArgs({ args, allowPositionals: true, options: {} });
  if (positionals.length !== 1) throw usageError('map takes one file');
  const [path] = positionals;
  const hlo = await load();
  const text = await readText(path);
  try {
    console.log(hlo.simplifyMap(text).trimEnd());
  } catch (error) {
    throw withLocation(error, path);
  }
  return 0;
}
