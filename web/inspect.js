// Read access to programs: instructions with their operands and users, the graph that they form, and that graph in Graphviz'
// language.
import { HloArray } from './array.js';
import { shapeFrom } from './shape.js';
import { HloError } from './errors.js';
import { nameOf } from './options.js';

/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./engine.js').ShapeInfo} ShapeInfo */
/** @typedef {{ readonly handle: number, computations: { name: string, isEntry: boolean }[] }} Program */
/** @typedef {number | boolean | string | number[] | number[][] | string[]} AttributeValue */

/** One instruction of a program. Immutable. */
export class Instruction {
  #engine;
  #program;
  #place;
  #attributesText;

  /**
   * @param {Engine} engine
   * @param {Program} program
   * @param {number} computation its place in the program
   * @param {number} place in the computation
   * @param {any} described
   * @param {boolean} isRoot
   * @param {ReadonlySet<string>} computations names of the program's
   */
  constructor(engine, program, computation, place, described, isRoot, computations) {
    this.#engine = engine;
    this.#program = program;
    this.#place = /** @type {const} */ ([computation, place]);
    /** @type {string} without "%" */
    this.name = described.name;
    /** @type {string} as in HLO text: "add" */
    this.opcode = described.opcode;
    /** @type {ShapeInfo} */
    this.shape = shapeFrom(described.shape);
    /** @type {readonly Instruction[]} */
    this.operands = [];
    /** Those that have it as an operand, each once. @type {readonly Instruction[]} */
    this.users = [];
    /**
     * By their names in HLO text. Integers, booleans, lists of integers and names of computations are values; everything else is
     * text as in HLO text.
     * @type {Readonly<Record<string, AttributeValue>>}
     */
    this.attributes = Object.freeze(
      Object.fromEntries(described.attributes.map((/** @type {any} */ a) => [a.name, a.value])),
    );
    /** Whether it is the result of its computation. */
    this.isRoot = isRoot;
    /** The number of a parameter, else null. @type {number | null} */
    this.parameter = described.parameter ?? null;
    /** The computation that it is in. */
    this.computation = program.computations[computation].name;
    /** Its line in the program's text, from 1; 0 when it was not read from text. @type {number} */
    this.line = described.line;
    /** @type {number} */
    this.column = described.column;
    this.#attributesText = described.attributes
      .map((/** @type {any} */ { name, text }) => `, ${name}=${text}`)
      .join('');
    /** Names of the computations that it calls or applies. @type {readonly string[]} */
    this.calls = Object.freeze(
      described.attributes
        .filter((/** @type {any} */ { name }) => name !== 'control-predecessors')
        .flatMap((/** @type {any} */ { text, value }) =>
          /^\{?%/.test(text) ? [value].flat().filter((one) => computations.has(one)) : [],
        ),
    );
  }

  /** The elements of a constant. @returns {HloArray} owned by the caller */
  constant() {
    return new HloArray(
      this.#engine,
      this.#engine.handle('hlo_api_instruction_constant', this.#program.handle, ...this.#place),
    );
  }

  /** As in HLO text: "sum = f32[2] add(x, y)". */
  toString() {
    const inside =
      this.opcode === 'constant'
        ? '…'
        : (this.parameter ?? this.operands.map(({ name }) => name).join(', '));
    return `${this.isRoot ? 'ROOT ' : ''}${this.name} = ${this.shape.text} ${this.opcode}(${inside})${this.#attributesText}`;
  }

  /** For JSON.stringify: operands and users by name. */
  toJSON() {
    const names = (/** @type {readonly Instruction[]} */ list) => list.map(({ name }) => name);
    return { ...this, operands: names(this.operands), users: names(this.users) };
  }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    return `Instruction ${this}`;
  }
}

/**
 * @param {Program} program
 * @param {string} [name] by default the entry's
 * @returns {number} the computation's place
 */
export function placeOf(program, name) {
  const place = program.computations.findIndex((computation) =>
    name === undefined ? computation.isEntry : computation.name === name,
  );
  if (place >= 0) return place;
  throw new HloError(
    name === undefined
      ? 'the program has no entry computation: name one'
      : `there is no computation ${nameOf(name)}; there are ${program.computations.map((c) => c.name).join(', ')}`,
  );
}

/**
 * @param {Engine} engine
 * @param {Program} program
 * @param {string} [computation]
 * @returns {readonly Instruction[]} operands before their users
 */
export function instructionsOf(engine, program, computation) {
  const place = placeOf(program, computation);
  const root = engine.count('hlo_api_computation_instructions', program.handle, place);
  /** @type {any[]} */
  const described = JSON.parse(engine.text());
  const names = new Set(program.computations.map(({ name }) => name));
  const list = described.map(
    (one, i) => new Instruction(engine, program, place, i, one, i === root, names),
  );
  /** @type {Set<Instruction>[]} */
  const users = list.map(() => new Set());
  for (const [i, { operands }] of described.entries()) {
    list[i].operands = Object.freeze(operands.map((/** @type {number} */ at) => list[at]));
    for (const at of operands) users[at].add(list[i]);
  }
  for (const [i, instruction] of list.entries()) {
    instruction.users = Object.freeze([...users[i]]);
    Object.freeze(instruction);
  }
  return Object.freeze(list);
}

/**
 * @typedef {object} GraphNode an instruction
 * @property {string} id unique in the graph: "computation/instruction"
 * @property {string} name
 * @property {string} computation
 * @property {string} opcode
 * @property {string} shape as text
 * @property {boolean} isRoot
 * @property {string} text the instruction as in HLO text
 */
/** @typedef {{ from: string, to: string, operand: number }} GraphEdge from an operand to its user, by their ids */
/** @typedef {{ from: string, computation: string }} GraphCall from an instruction to a computation that it calls or applies */
/** @typedef {{ nodes: GraphNode[], edges: GraphEdge[], calls: GraphCall[] }} Graph as plain data */

/**
 * @param {Engine} engine
 * @param {Program} program
 * @param {string} [computation] only this one; by default all
 * @returns {Graph}
 */
export function graphOf(engine, program, computation) {
  const names =
    computation === undefined ? program.computations.map(({ name }) => name) : [computation];
  const all = names.flatMap((name) => instructionsOf(engine, program, name));
  const idOf = (/** @type {Instruction} */ x) => `${x.computation}/${x.name}`;
  return {
    nodes: all.map((x) => ({
      id: idOf(x),
      name: x.name,
      computation: x.computation,
      opcode: x.opcode,
      shape: x.shape.text,
      isRoot: x.isRoot,
      text: String(x),
    })),
    edges: all.flatMap((x) =>
      x.operands.map((y, operand) => ({ from: idOf(y), to: idOf(x), operand })),
    ),
    calls: all.flatMap((x) => x.calls.map((called) => ({ from: idOf(x), computation: called }))),
  };
}

/** @param {string} text */
function quoted(text) {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/**
 * A graph in Graphviz' language: a box for each computation, dashed arrows to those that are called.
 * @param {string} name
 * @param {Graph} graph
 */
export function dotOf(name, { nodes, edges, calls }) {
  const lines = [
    `digraph ${quoted(name)} {`,
    '  compound=true; node [shape=box, style=rounded, fontname="monospace", fontsize=10];',
  ];
  /** @type {Map<string, GraphNode[]>} */
  const computations = new Map(nodes.map(({ computation }) => [computation, []]));
  for (const node of nodes) computations.get(node.computation)?.push(node);
  const places = new Map([...computations.keys()].map((computation, i) => [computation, i]));
  for (const [computation, members] of computations) {
    lines.push(
      `  subgraph cluster_${places.get(computation)} {`,
      `    label=${quoted(computation)};`,
    );
    for (const node of members) {
      const label = `${node.opcode}\\n${node.name}\\n${node.shape}`.replace(/"/g, '\\"');
      const look = node.isRoot ? ', penwidth=2' : '';
      lines.push(`    ${quoted(node.id)} [label="${label}", tooltip=${quoted(node.text)}${look}];`);
    }
    lines.push('  }');
  }
  for (const { from, to } of edges) lines.push(`  ${quoted(from)} -> ${quoted(to)};`);
  for (const { from, computation } of calls) {
    const root = computations.get(computation)?.find(({ isRoot }) => isRoot);
    if (root)
      lines.push(
        `  ${quoted(from)} -> ${quoted(root.id)} [style=dashed, constraint=false, lhead=cluster_${places.get(computation)}];`,
      );
  }
  return `${lines.join('\n')}\n}\n`;
}
