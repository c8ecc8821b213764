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

/** Whether an array or a tuple of arrays; tokens have no value to show. @param {{ shape: string }} instruction */
export function hasValue({ shape }) {
  return !/token|opaque/.test(shape);
}

/** What instructions run. @param {Computation[]} all @param {Instruction[]} instructions */
function reachable(all, instructions) {
  /** @type {Set<Computation>} */
  const found = new Set();
  const add = (/** @type {Instruction[]} */ list) => {
    for (const name of list.flatMap(({ mentions }) => mentions))
      for (const computation of all) if (computation.name === name) found.add(computation);
  };
  add(instructions);
  for (const computation of found) add(computation.instructions);
  return all.filter((computation) => found.has(computation));
}

/** Whether it may go on without end. @param {Computation[]} all @param {Instruction} instruction */
function mayLoop(all, instruction) {
  const inner = reachable(all, [instruction]).flatMap(({ instructions }) => instructions);
  return [instruction, ...inner].some(({ op }) => op === 'while');
}

/** Whether another program can take its value as an argument, or make it again. @param {Instruction} instruction */
function canBeHandedOn({ op, shape }) {
  return shape === 'token[]' || (hasValue({ shape }) && !/-(start|update)$/.test(op));
}

/** @typedef {{ from: number, to: number }} Part instructions of a computation; a first one has all parameters besides */

/**
 * The parts of a computation that are run one after the other: what may go on without end is one by itself, so that what
 * stands before it is known without it.
 * @param {Computation[]} all
 * @param {Computation} computation
 * @returns {Part[]}
 */
export function partsOf(all, computation) {
  const { instructions } = computation;
  const loops = instructions.map((instruction) => mayLoop(all, instruction));
  const canCut = (/** @type {number} */ at) =>
    at > 0 && takenFrom(computation, { from: at, to: instructions.length }).every(canBeHandedOn);
  const cuts = instructions.flatMap((_, at) =>
    (loops[at] || loops[at - 1]) && canCut(at) ? [at] : [],
  );
  return [0, ...cuts].map((from, i) => ({ from, to: cuts[i] ?? instructions.length }));
}

/** The instructions before a part, or parameters, that it uses. @param {Computation} computation @param {Part} part */
function takenFrom({ instructions }, { from, to }) {
  const used = new Set(
    instructions.slice(from, to).flatMap(({ operands, mentions }) => [...operands, ...mentions]),
  );
  return instructions.filter(
    ({ name, op }, at) => used.has(name) && (at < from || (from > 0 && op === 'parameter')),
  );
}

/**
 * The program of a part of a computation, whose result is every value that the part makes.
 * @param {Computation[]} all
 * @param {Computation} computation
 * @param {Part} part
 * @returns {{ text: string, takes: Instruction[] | undefined, makes: Instruction[] }} a first part takes the computation's
 *   own arguments, another one values from before it
 */
export function programOf(all, computation, part) {
  const isFirst = part.from === 0;
  const own = computation.instructions.filter(({ op }, at) =>
    op === 'parameter' ? isFirst : part.from <= at && at < part.to,
  );
  /** @type {Instruction[]} */
  const takes = [];
  const before = (isFirst ? [] : takenFrom(computation, part)).map((instruction) => {
    const { name, shape, op, line } = instruction;
    if (op === 'constant') return line;
    if (shape === 'token[]') return `%${name} = token[] after-all()`;
    return `%${name} = ${shape} parameter(${takes.push(instruction) - 1})`;
  });
  const makes = own.filter(hasValue);
  const shapes = makes.map(({ shape }) => shape).join(', ');
  const names = makes.map(({ name }) => `%${name}`).join(', ');
  const lines = [
    ...before,
    ...own.map(({ line }) => line),
    `ROOT %all.values = (${shapes}) tuple(${names})`,
  ];
  const blocks = reachable(all, own).map(({ name, instructions }) =>
    block(
      `%${name}`,
      instructions.map(({ line }) => line),
    ),
  );
  const entry = block(
    `ENTRY %${computation.name}`,
    lines.map((line, i) => (i < lines.length - 1 ? line.replace(/^ROOT /, '') : line)),
  );
  return {
    text: `HloModule steps\n\n${[...blocks, entry].join('\n')}`,
    takes: isFirst ? undefined : takes,
    makes,
  };
}

/** @param {string} head @param {string[]} lines */
function block(head, lines) {
  return `${head} {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`;
}
