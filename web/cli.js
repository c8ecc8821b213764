#!/usr/bin/env node
// The `hlo` command. Each command is a file in cli/ with `help` and `run`.
import { readFile } from 'node:fs/promises';
import { endWithReader, paint } from './cli/terminal.js';
import { HloError } from './errors.js';

/** @type {Record<string, { summary: string, load: () => Promise<{ help: string, run: (args: string[]) => Promise<number> }> }>} */
const commands = {
  run: { summary: 'run a program and print its results', load: () => import('./cli/run.js') },
  check: {
    summary: 'run modules that carry their own expectations',
    load: () => import('./cli/check.js'),
  },
  print: {
    summary: 'print a program as HLO or StableHLO text',
    load: () => import('./cli/print.js'),
  },
  indexing: {
    summary: 'print the indexing maps of an instruction',
    load: () => import('./cli/indexing.js'),
  },
  map: { summary: 'simplify and print one indexing map', load: () => import('./cli/map.js') },
  demo: { summary: 'serve the playground', load: () => import('./cli/demo.js') },
};

function help() {
  const lines = Object.entries(commands).map(
    ([name, { summary }]) => `  ${name.padEnd(10)}${summary}`,
  );
  return `Runs XLA programs (HLO and StableHLO text, StableHLO artifacts, files of jax.export) on WebAssembly.

  hlo COMMAND [ARGUMENTS]

${lines.join('\n')}

hlo COMMAND --help tells more. Exit codes: 0 fine, 1 the program or a check failed, 2 wrong use.

  hlo run model.mlir --seed 1                        try a program on random inputs
  hlo run model.mlir --input x.npy --output y.npy    run it on arrays that NumPy wrote
  hlo print model.mlir --optimized --cost            see where the work is`;
}

/** @param {string[]} args @returns {Promise<number>} the exit code */
async function main([name, ...args]) {
  if (name === '--version' || name === '-v') {
    const path = new URL('../package.json', import.meta.url);
    console.log(JSON.parse(await readFile(path, 'utf8')).version);
    return 0;
  }
  if (name === 'help' && args.length > 0) return main([args[0], '--help']);
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    console.log(help());
    return name === undefined ? 2 : 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    console.error(
      `${paint(process.stderr, 'error', 'hlo:')} there is no command "${name}"\n\n${help()}`,
    );
    return 2;
  }
  const { help: text, run } = await command.load();
  if (args.includes('--help') || args.includes('-h')) {
    console.log(text);
    return 0;
  }
  try {
    return await run(args);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code.startsWith('ERR_PARSE_ARGS')) {
      say(name, `${/** @type {Error} */ (error).message}\n\n${text}`);
      return 2;
    }
    if (error instanceof HloError || /^E[A-Z]+$/.test(code)) {
      say(name, /** @type {Error} */ (error).message);
      return code === 'usage' ? 2 : 1;
    }
    throw error;
  }
}

/** @param {string} name @param {string} message */
function say(name, message) {
  console.error(`${paint(process.stderr, 'error', `hlo ${name}:`)} ${message}`);
}

endWithReader();
process.exitCode = await main(process.argv.slice(2));
