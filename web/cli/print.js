// `hlo print`: a program as text.
import { parseArgs } from 'node:util';
import { load } from '../index.js';
import { readProgram, usageError, withLocation } from './files.js';

export const help = `hlo print FILE [--as hlo|stablehlo|dot|json] [--optimized] [--cost]

Parses and verifies the program in FILE (- reads standard input) and prints it, as HLO text unless told otherwise.

  --as FORMAT    hlo or stablehlo: text; dot: the graph for Graphviz; json: the graph as data
  --optimized    what runs in its place
  --cost         instead of the program, what each instruction takes: operations on elements (a multiply-add is two), calls
                 of elementary functions, bytes read and written

  hlo print model.mlir                          StableHLO to HLO
  hlo print model.hlo --as stablehlo            and back
  hlo print model.mlir --as dot | dot -Tsvg >model.svg
  hlo print model.mlir --optimized --cost       where the work is`;

/** @type {Record<string, (program: import('../index.js').Module) => string>} */
const formats = {
  hlo: (program) => program.print('hlo'),
  stablehlo: (program) => program.print('stablehlo'),
  dot: (program) => program.toDot(),
  json: (program) => `${JSON.stringify(program.graph(), null, 1)}\n`,
};

/** @param {import('../index.js').CostReport} report */
function costTable({ instructions, complete, ...total }) {
  const columns = /** @type {const} */ (['flops', 'transcendentals', 'bytesRead', 'bytesWritten']);
  const cells = [...instructions, { ...total, opcode: '', name: 'total' }].map((row) => [
    row.opcode === '' ? row.name : `${row.name} ${row.opcode}`,
    ...columns.map((column) => row[column].toLocaleString('en')),
  ]);
  const rows = [['', 'flops', 'transcendentals', 'bytes read', 'bytes written'], ...cells];
  const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => row[i].length)));
  const text = rows.map((row) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  '),
  );
  const note = complete
    ? ''
    : 'and more: loops whose rounds cannot be seen count as one, custom calls as nothing\n';
  return `${text.map((line) => line.trimEnd()).join('\n')}\n${note}`;
}

/** @param {string[]} args @returns {Promise<number>} */
export async function run(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      as: { type: 'string' },
      optimized: { type: 'boolean' },
      cost: { type: 'boolean' },
    },
  });
  if (positionals.length !== 1) throw usageError('print takes one program');
  const { as = 'hlo' } = values;
  if (!Object.hasOwn(formats, as))
    throw usageError(`--as takes ${Object.keys(formats).join(', ')}; got "${as}"`);
  if (values.cost && values.as) throw usageError('--cost is a table: it goes without --as');
  const [path] = positionals;
  const hlo = await load();
  const source = await readProgram(path);
  try {
    const program = hlo.parse(source);
    const shown = values.optimized ? program.optimize() : program;
    process.stdout.write(values.cost ? costTable(shown.cost()) : formats[as](shown));
  } catch (error) {
    throw withLocation(error, path);
  }
  return 0;
}
