// `make operations`: the README's table of operations, made from the engine's op list and the op cases that pass in this
// run, by reference evaluator and compiled. Must not list operations or types itself.
import { readFileSync, writeFileSync } from 'node:fs';
import { load } from '../../web/index.js';
import { caseFiles, readCases, runCase } from '../js/op_cases.js';

const readme = new URL('../../README.md', import.meta.url);
const [START, END] = ['<!-- operations: made by `make operations` -->', '<!-- end of operations -->'];

const hlo = await load();
/** For each op, the types of its results and operands in cases that passed both ways. @type {Map<string, Set<string>>} */
const passed = new Map(hlo.ops.map(({ name }) => [name, new Set()]));

for (const test of caseFiles().flatMap(readCases)) {
  if (test.error !== undefined) continue;
  if ([true, false].some((reference) => runCase(hlo, test, { reference }))) continue;
  const module = hlo.parse(test.program);
  const types = new Map();
  for (const [, name, shape, op, operands] of module.print().matchAll(/^\s*(?:ROOT )?%?(\S+) = (\S+?|\(.*?\)) ([a-z-]+[a-z0-9]*)\(([^)]*)\)/gm)) {
    const type = /^\w+/.exec(shape)?.[0];
    types.set(name, type);
    const used = [type, ...operands.split(',').map((operand) => types.get(operand.trim().replace('%', '')))];
    for (const one of used) if (one) passed.get(op)?.add(one);
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
  const types = passed.get(name);
  return `| ${name} | ${stablehlo} | ${runs ? '✓' : 'text only'} | ${ranges(types)} |`;
});
const running = hlo.ops.filter(({ runs }) => runs).length;
const table = [
  START,
  `<details><summary>${running} of ${hlo.ops.length} operations run; the element types that tests cover</summary>`,
  '',
  '| HLO | StableHLO | runs | types in passing cases |',
  '|---|---|---|---|',
  ...rows,
  '',
  '</details>',
  END,
].join('\n');

const text = readFileSync(readme, 'utf8');
const [before, rest] = text.split(START);
writeFileSync(readme, before + table + rest.split(END)[1]);
console.log(`${running} of ${hlo.ops.length} operations run`);
