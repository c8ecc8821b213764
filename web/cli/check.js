// `hlo check`: runs modules that carry check.expect_* calls.
import { parseArgs } from 'node:util';
import { load } from '../index.js';
import { readProgram, usageError, withLocation } from './files.js';
import { paint } from './terminal.js';

export const help = `hlo check FILE...

Runs modules that carry their own expectations (check.expect_eq, check.expect_almost_eq, check.expect_close and their
_const forms, as operations or as stablehlo.custom_call @check.…). Of each module main runs, or, where there is none, every
function without arguments. A line "// -----" splits a file into several modules. Exit code 0 only if all held.`;

/**
 * Splits a file into modules. Each is preceded by blank lines, so that positions are those of the file.
 * @param {string} text
 * @returns {string[]}
 */
export function splitModules(text) {
  let line = 0;
  return text
    .split(/^\/\/ -----.*$/m)
    .map((part) => {
      const padded = '\n'.repeat(line) + part;
      line += part.split('\n').length - 1;
      return padded;
    })
    .filter((part) => part.replace(/^\s*\/\/.*$/gm, '').trim() !== '');
}

/**
 * @param {import('../index.js').Module} module
 * @returns {string[]} the computations to run
 */
function computationsToRun(module) {
  const main = module.computations.find(({ name, isFunction }) => isFunction && name === 'main');
  if (main) return ['main'];
  const functions = module.computations.filter(({ isFunction }) => isFunction);
  if (functions.length === 0)
    return module.computations.filter(({ isEntry }) => isEntry).map(({ name }) => name);
  return functions.filter(({ parameters }) => parameters.length === 0).map(({ name }) => name);
}

/**
 * @param {import('../index.js').Hlo} hlo
 * @param {string | Uint8Array} source one module
 * @param {(line: string) => void} print what the program prints
 * @returns {number} how many computations ran; throws what went wrong
 */
function checkModule(hlo, source, print) {
  const module = hlo.parse(source);
  try {
    const names = computationsToRun(module);
    for (const computation of names) {
      const executable = module.compile({ computation });
      try {
        for (const result of executable.run([])) result.dispose();
      } finally {
        print(executable.output);
        executable.dispose();
      }
    }
    return names.length;
  } finally {
    module.dispose();
  }
}

/** @param {string[]} args @returns {Promise<number>} */
export async function run(args) {
  const { positionals } = parseArgs({ args, allowPositionals: true, options: {} });
  if (positionals.length === 0) throw usageError('check takes at least one file');
  const hlo = await load();
  let ran = 0;
  let failed = 0;
  for (const path of positionals) {
    const source = await readProgram(path);
    const modules = typeof source === 'string' ? splitModules(source) : [source];
    if (modules.length === 0) {
      failed++;
      console.error(`${path}: there is no module in this file`);
    }
    for (const part of modules) {
      try {
        const count = checkModule(hlo, part, (output) => process.stdout.write(output));
        ran += count;
        if (count > 0) continue;
        failed++;
        console.error(
          `${path}: a module without main and without functions that take no arguments: nothing to run`,
        );
      } catch (error) {
        failed++;
        const { message } = withLocation(error, path);
        if (message === undefined) throw error;
        console.error(message);
      }
    }
  }
  const failures = `${failed} failed`;
  console.log(
    `${ran} functions ran, ${failed > 0 ? paint(process.stdout, 'error', failures) : failures}`,
  );
  return failed === 0 ? 0 : 1;
}
