// Programs as lists of instructions, read from the engine's own HLO text, and variants of them that give all their values.
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
/**
 * @typedef {object} Computation
 * @property {string} name
 * @property {number} number in the program
 * @property {boolean} isEntry
 * @property {Instruction[]} instructions
 * @property {Map<string, number>} positions of instructions, by name
 * @property {string} root the instruction's name
 */
/**
 * @typedef {object} Program
 * @property {Computation[]} computations each behind those that it calls
 * @property {Map<string, Computation>} byName
 * @property {Set<string>} endless names of the computations that may go on without end
 */

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

/** @param {string} text as Module.print() gives it @returns {Program} */
export function programFrom(text) {
  /** @type {Program} */
  const program = { computations: [], byName: new Map(), endless: new Set() };
  /** @type {Computation | undefined} */
  let computation;
  for (const line of text.split('\n')) {
    const [, entry, name] = /^(ENTRY )?%(\S+) \(.*\{$/.exec(line) ?? [];
    if (name !== undefined) {
      const number = program.computations.length;
      computation = {
        name,
        number,
        isEntry: entry !== undefined,
        instructions: [],
        positions: new Map(),
        root: '',
      };
    } else if (computation && line.startsWith('}')) {
      add(program, computation);
      computation = undefined;
    } else if (computation && line.startsWith('  ')) {
      const instruction = instructionOf(line);
      computation.positions.set(instruction.name, computation.instructions.length);
      computation.instructions.push(instruction);
      if (instruction.isRoot) computation.root = instruction.name;
    }
  }
  return program;
}

/** @param {Program} program @param {Computation} computation */
function add(program, computation) {
  program.computations.push(computation);
  program.byName.set(computation.name, computation);
  if (computation.instructions.some((instruction) => mayLoop(program, instruction)))
    program.endless.add(computation.name);
}

/** Whether an array or a tuple of arrays; tokens have no value to show. @param {{ shape: string }} instruction */
export function hasValue({ shape }) {
  return !/token|opaque/.test(shape);
}

/** What instructions run, in the program's order. @param {Program} program @param {Instruction[]} instructions */
function reachable({ byName }, instructions) {
  /** @type {Set<Computation>} */
  const found = new Set();
  const add = (/** @type {Instruction[]} */ list) => {
    for (const { mentions } of list)
      for (const name of mentions) {
        const computation = byName.get(name);
        if (computation) found.add(computation);
      }
  };
  add(instructions);
  for (const computation of found) add(computation.instructions);
  return [...found].sort((a, b) => a.number - b.number);
}

/** Whether it may go on without end. @param {Program} program @param {Instruction} instruction */
function mayLoop({ endless }, { op, mentions }) {
  return op === 'while' || mentions.some((name) => endless.has(name));
}

/** Whether another program can take its value as an argument, or make it again. @param {Instruction} instruction */
function canBeHandedOn({ op, shape }) {
  return shape === 'token[]' || (hasValue({ shape }) && !/-(start|update)$/.test(op));
}

/** @typedef {{ from: number, to: number }} Part instructions of a computation; a first one has all parameters besides */

/**
 * The parts of a computation that are run one after the other: what may go on without end is one by itself, so that what
 * stands before it is known without it. Nothing is cut between what cannot be handed on and its last use.
 * @param {Program} program
 * @param {Computation} computation
 * @returns {Part[]}
 */
export function partsOf(program, { instructions, positions }) {
  const lastUses = instructions.map(() => -1);
  for (const [at, instruction] of instructions.entries())
    for (const used of positionsUsed(instruction, positions)) lastUses[used] = at;
  /** Up to where something that cannot be handed on is used; parameters are known before all else. */
  let held = -1;
  const hold = (/** @type {number} */ at) => {
    if (!canBeHandedOn(instructions[at])) held = Math.max(held, lastUses[at]);
  };
  for (const [at, { op }] of instructions.entries()) if (op === 'parameter') hold(at);
  /** @type {Part[]} */
  const parts = [];
  let from = 0;
  let wasLoop = false;
  for (const [at, instruction] of instructions.entries()) {
    const isLoop = mayLoop(program, instruction);
    if (at > 0 && (isLoop || wasLoop) && held < at) {
      parts.push({ from, to: at });
      from = at;
    }
    hold(at);
    wasLoop = isLoop;
  }
  return [...parts, { from, to: instructions.length }];
}

/** @param {Instruction} instruction @param {Map<string, number>} positions @returns {number[]} of instructions that it uses */
function positionsUsed({ operands, mentions }, positions) {
  return [...operands, ...mentions].flatMap((name) => positions.get(name) ?? []);
}

/** The instructions before a part, or parameters, that it uses. @param {Computation} computation @param {Part} part */
function takenFrom({ instructions, positions }, { from, to }) {
  const used = instructions
    .slice(from, to)
    .flatMap((instruction) => positionsUsed(instruction, positions));
  return [...new Set(used)]
    .filter((at) => at < from || (from > 0 && instructions[at].op === 'parameter'))
    .sort((a, b) => a - b)
    .map((at) => instructions[at]);
}

/**
 * The program of a part of a computation, whose result is every value that the part makes.
 * @param {Program} program
 * @param {Computation} computation
 * @param {Part} part
 * @returns {{ text: string, takes: Instruction[] | undefined, makes: Instruction[] }} a first part takes the computation's
 *   own arguments, another one values from before it
 */
export function programOf(program, computation, part) {
  const isFirst = part.from === 0;
  const { instructions } = computation;
  const isParameter = (/** @type {Instruction} */ { op }) => op === 'parameter';
  const inside = instructions.slice(part.from, part.to);
  const own = isFirst
    ? [...inside, ...instructions.slice(part.to).filter(isParameter)]
    : inside.filter((instruction) => !isParameter(instruction));
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
  const blocks = reachable(program, own).map(({ name, instructions }) =>
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
