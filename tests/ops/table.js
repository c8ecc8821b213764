// `make operations`: docs/operations.md and the types on the playground's page of operations, made from the
// engine's op list and the op cases that pass in this run, by the oracle and compiled.
import { writeFileSync } from 'node:fs';
import { HloError, load } from '../../web/index.js';
import { caseFiles, readCases } from '../js/op_cases.js';
import { runCase } from '../js/op_comparison.js';
import { specificationTable } from '../js/specification_table.js';

const page = new URL('../../docs/operations.md', import.meta.url);

const hlo = await load();
const typesFile = new URL('../../demo/operations.json', import.meta.url);
/** For each op, the types of its results and operands in cases that passed. @returns {Map<string, Set<string>>} */
const typesByOp = () => new Map(hlo.ops.map(({ name }) => [name, new Set()]));
const passed = { oracle: typesByOp(), compiled: typesByOp() };
/** Ops whose results indexing maps describe, all of them or, where data decides, some. */
const mapped = new Set();

/** Remembers whether there are indexing maps of the op that makes the result. */
function noteMaps(module, text) {
  const root = /ENTRY [^]*?\n\s*ROOT \S+ = (?:\(.*?\)|\S+) ([a-z-]+[a-z0-9]*)\(/.exec(text)?.[1];
  try {
    if (/->/.test(module.indexing())) mapped.add(root);
  } catch (error) {
    if (!(error instanceof HloError)) throw error;
  }
}

for (const test of caseFiles().flatMap(readCases)) {
  if (test.error !== undefined) continue;
  const ways = [];
  if (!runCase(hlo, test, { reference: true })) ways.push(passed.oracle);
  if (!runCase(hlo, test, { reference: false })) ways.push(passed.compiled);
  if (ways.length === 0) continue;
  const module = hlo.parse(test.program);
  const types = new Map();
  const printed = module.print();
  noteMaps(module, printed);
  for (const [, name, shape, op, operands] of printed.matchAll(/^\s*(?:ROOT )?%?(\S+) = (\S+?|\(.*?\)) ([a-z-]+[a-z0-9]*)\(([^)]*)\)/gm)) {
    const type = /^\w+/.exec(shape)?.[0];
    types.set(name, type);
    const used = [type, ...operands.split(',').map((operand) => types.get(operand.trim().replace('%', '')))];
    for (const way of ways) for (const one of used) if (one) way.get(op)?.add(one);
  }
  module.dispose();
}

/** "s2…s64" for types that stand next to each other in the engine's list. */
function ranges(types) {
  const names = hlo.types.filter(({ class: kind }) => kind !== 'other').map(({ name }) => name);
  const classOf = new Map(hlo.types.map((type) => [type.name, type.class]));
  const parts = [];
  for (let i = 0; i < names.length; i++) {
    if (!types.has(names[i])) continue;
    let end = i;
    while (types.has(names[end + 1]) && classOf.get(names[end + 1]) === classOf.get(names[i])) end++;
    parts.push(end - i > 1 ? `${names[i]}…${names[end]}` : names.slice(i, end + 1).join(' '));
    i = end;
  }
  return parts.join(' ');
}

const rows = hlo.ops.map(({ name, stablehlo, runs }) => {
  const [oracle, compiled] = [passed.oracle, passed.compiled].map((way) => ranges(way.get(name)));
  const both = compiled === oracle ? (oracle === '' ? '' : 'the same') : compiled;
  return `| ${name} | ${stablehlo} | ${runs ? oracle : 'text only'} | ${both} | ${mapped.has(name) ? '✓' : ''} |`;
});
const running = hlo.ops.filter(({ runs }) => runs).length;
const lines = [
  '# Operations',
  '',
  "Written by `make operations` from the engine's list and the op cases that pass.",
  '',
  `${running} of ${hlo.ops.length} operations run. Element types are those of the cases that pass by the oracle and compiled.`,
  '',
  '| HLO | StableHLO | by the oracle | compiled | indexing maps |',
  '|---|---|---|---|---|',
  ...rows,
  '',
  ...specificationTable(hlo),
];
writeFileSync(page, `${lines.join('\n')}\n`);

const entries = hlo.ops.map(({ name }) => [name, ranges(passed.compiled.get(name))]);
writeFileSync(typesFile, `${JSON.stringify(Object.fromEntries(entries), null, 1)}\n`);
console.log(`${running} of ${hlo.ops.length} operations run`);
