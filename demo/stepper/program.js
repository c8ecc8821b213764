// Programs as lists of instructions, read from the engine's own HLO text, and variants of them that give all their values.
// Must not know how programs are stepped through or drawn.
import { closing } from '../brackets.js';

/**
 * @typedef {object} Instruction
 * @property {string} name
 * @property {string} shape
 * @property {string} op
 * @property {string[]} operands
 * @property {string} line as printed
 * @property {boolean} isRoot
 * @property {Record<string, string[]>} calls computations by the attribute that names them, where one can go into them
 * @property {string[]} mentions all names in the attributes
 */
/** @typedef {{ name: string, isEntry: boolean, instructions: Instruction[] }} Computation */

/** @param {string} line @returns {Instruction} */
function instructionOf(line) {
  const [, root, name, rest] = /** @type {string[]} */ (/^\s*(ROOT )?%?(\S+) = (.*)$/.exec(line));
  const shapeEnd = rest.startsWith('(') ? closing(rest, 0) : rest.indexOf(' ');
  const body = rest.slice(shapeEnd).trimStart();
  const open = body.indexOf('(');
  const close = closing(body, open);
  const op = body.slice(0, open);
  const isLiteral = op === 'constant' || op === 'parameter' || op === 'iota';
  const operands = isLiteral ? [] : (body.slice(open, close).match(/%[\w.-]+/g) ?? []);
  /** @type {Record<string, string[]>} */
  const calls = {};
  const attributes = body.slice(close);
  for (const [, key, value] of attributes.matchAll(
    /(condition|body|to_apply|calls|true_computation|false_computation|branch_computations)=(\{[^}]*\}|%[\w.-]+)/g,
  ))
    calls[key] = (value.match(/%[\w.-]+/g) ?? []).map((word) => word.slice(1));
  return {
    name,
    shape: rest.slice(0, shapeEnd),
    op,
    operands: operands.map((word) => word.slice(1)),
    line: line.trim(),
    isRoot: root !== undefined,
    calls,
    mentions: (attributes.match(/%[\w.-]+/g) ?? []).map((word) => word.slice(1)),
  };
}

/** @param {string} text as Module.print() gives it @returns {Computation[]} */
export function computationsOf(text) {
  /** @type {Computation[]} */
  const computations = [];
  for (const [, entry, name, body] of text.matchAll(
    /^(ENTRY )?%(\S+) \(.*\{\n((?: {2}.*\n)*)\}/gm,
  )) {
    const lines = body.split('\n').filter((line) => line.trim());
    computations.push({
      name,
      isEntry: entry !== undefined,
      instructions: lines.map(instructionOf),
    });
  }
  return computations;
}

/** Whether an array or a tuple of arrays; tokens have no value to show. @param {Instruction} instruction */
export function hasValue({ shape }) {
  return !/token|opaque/.test(shape);
}

/** What a computation runs, itself included: its callers would not fit a changed result. @param {Computation[]} all @param {Computation} entry */
function reachable(all, entry) {
  const found = new Set([entry.name]);
  for (const name of found)
    for (const { mentions } of all.find((other) => other.name === name)?.instructions ?? [])
      for (const other of mentions) if (all.some((made) => made.name === other)) found.add(other);
  return all.filter(({ name }) => found.has(name));
}

/**
 * The program with one computation as its entry, whose result is every value in it.
 * @param {Computation[]} all
 * @param {Computation} entry
 */
export function withAllValues(all, entry) {
  const blocks = reachable(all, entry)
    .filter((computation) => computation !== entry)
    .map(({ name, instructions }) =>
      block(
        `%${name}`,
        instructions.map(({ line }) => line),
      ),
    );
  const shown = entry.instructions.filter(hasValue);
  const shapes = shown.map(({ shape }) => shape).join(', ');
  const names = shown.map(({ name }) => `%${name}`).join(', ');
  const lines = entry.instructions.map(({ line }) => line.replace(/^ROOT /, ''));
  const root = `ROOT %all.values = (${shapes}) tuple(${names})`;
  return `HloModule steps\n\n${[...blocks, block(`ENTRY %${entry.name}`, [...lines, root])].join('\n')}`;
}

/** @param {string} head @param {string[]} lines */
function block(head, lines) {
  return `${head} {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`;
}
