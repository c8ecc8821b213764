// Goes through a program instruction by instruction, into calls, branches and loops. A computation's values are all computed
// when it is entered, then shown one after the other. Must not know how they are drawn.
import { HloError } from '../../web/index.js';
import { computationsOf, hasValue, withAllValues } from './program.js';

/** @typedef {import('./program.js').Computation} Computation */
/** @typedef {import('./program.js').Instruction} Instruction */
/** @typedef {import('../../web/index.js').HloArray} HloArray */

/**
 * @typedef {object} Frame
 * @property {Computation} computation
 * @property {string} title
 * @property {Map<string, HloArray[]>} values leaves by instruction
 * @property {number} at the instruction that is next
 * @property {HloArray[]} [kept] what `then` needs, freed with the values
 * @property {(result: HloArray[]) => Frame | undefined} [then] what follows when it has ended, of the same caller
 */

export class Stepper {
  /** @type {Map<string, any>} */
  #executables = new Map();
  /** @type {Frame[]} the innermost last */
  frames = [];
  /** What was done since the start, to be undone; "next" moved within a frame. @type {('next' | 'step' | 'enter' | 'leave')[]} */
  #trace = [];

  /**
   * @param {any} hlo
   * @param {import('../../web/index.js').Module} module
   * @param {HloArray[]} inputs borrowed
   * @param {{ reference?: boolean }} [options]
   */
  constructor(hlo, module, inputs, options = {}) {
    this.hlo = hlo;
    this.options = options;
    this.computations = computationsOf(module.print('hlo'));
    const entry = this.computations.find(({ isEntry }) => isEntry);
    if (!entry) throw new HloError('the program has no entry computation');
    this.frames.push(this.#frame(entry, inputs, entry.name));
  }

  get frame() {
    return /** @type {Frame} */ (this.frames.at(-1));
  }

  /** @returns {Instruction | undefined} the one that is next */
  get next() {
    return this.frame.computation.instructions[this.frame.at];
  }

  get isDone() {
    return this.frames.length === 1 && this.next === undefined;
  }

  /** @param {string} name */
  #computation(name) {
    return /** @type {Computation} */ (this.computations.find((other) => other.name === name));
  }

  /** @param {Computation} computation @param {HloArray[]} inputs @param {string} title @returns {Frame} */
  #frame(computation, inputs, title) {
    let entry = this.#executables.get(computation.name);
    if (!entry) {
      const module = this.hlo.parse(withAllValues(this.computations, computation));
      entry = { module, executable: module.compile(this.options) };
      this.#executables.set(computation.name, entry);
    }
    const leaves = entry.executable.run(inputs);
    const values = new Map();
    let taken = 0;
    for (const instruction of computation.instructions.filter(hasValue)) {
      const count = leavesOf(this.hlo.shape(instruction.shape));
      values.set(instruction.name, leaves.slice(taken, (taken += count)));
    }
    return { computation, title, values, at: 0 };
  }

  /** Goes on to the next instruction, out of computations that have ended. */
  step() {
    if (this.isDone) return;
    const { frame } = this;
    if (this.next) frame.at++;
    this.#leaveEnded();
    this.#trace.push(frame === this.frame ? 'next' : 'step');
  }

  get canGoBack() {
    return this.#trace.length > 0;
  }

  /** Undoes the last step; one that went into or out of a computation by going there again from the start. */
  back() {
    const last = this.#trace.pop();
    if (last === 'next') {
      this.frame.at--;
    } else if (last) {
      const trace = this.#trace;
      this.reset();
      for (const action of trace) this[action === 'next' ? 'step' : action]();
    }
  }

  /** Back to the start. */
  reset() {
    for (const frame of this.frames.splice(1)) dispose(frame);
    this.frame.at = 0;
    this.#trace = [];
  }

  #leaveEnded() {
    while (this.next === undefined && this.frames.length > 1) {
      const ended = /** @type {Frame} */ (this.frames.pop());
      const root = ended.computation.instructions.find(({ isRoot }) => isRoot);
      const result = ended.values.get(root?.name ?? '') ?? [];
      const after = ended.then?.(result);
      dispose(ended);
      if (after) this.frames.push(after);
      else this.frame.at++; // the caller's instruction has been gone through
    }
  }

  /** Whether the next instruction is made of a computation that can be entered. */
  get canEnter() {
    const { next } = this;
    return next !== undefined && /^(while|call|fusion|conditional)$/.test(next.op);
  }

  /** Goes into the next instruction's computation. */
  enter() {
    const { next, frame } = this;
    if (!next || !this.canEnter) return this.step();
    this.#trace.push('enter');
    const leaves = (/** @type {string} */ name) => frame.values.get(name) ?? [];
    if (next.op === 'while') {
      this.frames.push(this.#loop(next, leaves(next.operands[0]), 0));
    } else if (next.op === 'conditional') {
      const [selector] = leaves(next.operands[0]);
      const chosen = selector.toNested();
      const branches = next.calls.branch_computations ?? [
        ...next.calls.true_computation,
        ...next.calls.false_computation,
      ];
      const last = branches.length - 1;
      const number =
        typeof chosen === 'boolean' ? Number(!chosen) : chosen < 0 || chosen > last ? last : chosen;
      const inputs = leaves(next.operands[number + 1]);
      this.frames.push(
        this.#frame(this.#computation(branches[number]), inputs, `${next.name}, branch ${number}`),
      );
    } else {
      const [callee] = next.calls.to_apply ?? next.calls.calls;
      const inputs = next.operands.flatMap(leaves);
      this.frames.push(this.#frame(this.#computation(callee), inputs, next.name));
    }
    return undefined;
  }

  /** The condition of a loop's iteration, then perhaps its body, and so on. @param {Instruction} loop @param {HloArray[]} carry @param {number} iteration @returns {Frame} */
  #loop(loop, carry, iteration) {
    const kept = carry.map((array) => this.#copy(array));
    const condition = this.#frame(
      this.#computation(loop.calls.condition[0]),
      kept,
      `${loop.name}, condition ${iteration}`,
    );
    condition.kept = kept;
    condition.then = ([goesOn]) => {
      if (!goesOn.toNested()) return undefined;
      const body = this.#frame(
        this.#computation(loop.calls.body[0]),
        kept,
        `${loop.name}, iteration ${iteration}`,
      );
      body.then = (result) => this.#loop(loop, result, iteration + 1);
      return body;
    };
    return condition;
  }

  /** @param {HloArray} array */
  #copy(array) {
    return this.hlo.array(array.toTypedArray(), { type: array.type, shape: array.dims });
  }

  /** Runs to the end of the innermost computation (and, in a loop, of that iteration). */
  leave() {
    if (this.frames.length === 1) return;
    this.frame.at = this.frame.computation.instructions.length;
    this.#leaveEnded();
    this.#trace.push('leave');
  }

  /**
   * Goes to the instruction behind which something is so for the first time, into calls and iterations as deep as it is
   * so there. Stays where it is when nothing is found.
   * @param {(frame: Frame, other: Frame) => string | undefined} look for the first such instruction of a frame
   * @param {Stepper} [other] of the same program, which goes along
   * @returns {string | undefined} the instruction's name
   */
  seek(look, other = this) {
    const all = new Set([this, other]);
    const here = (/** @type {number} */ depth) =>
      this.frames.length > depth && other.frames.length > depth
        ? look(this.frame, other.frame)
        : undefined;
    let name = look(this.frames[0], other.frames[0]);
    if (!name) return undefined;
    for (const stepper of all) stepper.reset();
    for (;;) {
      for (const stepper of all) while (stepper.next && stepper.next.name !== name) stepper.step();
      if (!this.canEnter) break;
      const depth = this.frames.length;
      for (const stepper of all) stepper.enter();
      let inner = here(depth);
      while (!inner && this.frames.length > depth) {
        for (const stepper of all) stepper.leave();
        inner = here(depth);
      }
      if (!inner) return name; // it has been gone through
      name = inner;
    }
    const { frame } = this;
    this.step();
    if (this.frame !== frame) this.back(); // it was the last one, whose value is shown where it is made
    return name;
  }

  /** Goes on until an instruction with a breakpoint is next, at most `limit` steps. @param {Set<string>} breakpoints "computation name" */
  run(breakpoints, limit = 100000) {
    const enters = new Set([...breakpoints].map((key) => key.split(' ')[0]));
    for (let steps = 0; steps < limit && !this.isDone; steps++) {
      const inside = this.canEnter && this.#reaches(/** @type {Instruction} */ (this.next), enters);
      if (inside) this.enter();
      else this.step();
      if (this.next && breakpoints.has(`${this.frame.computation.name} ${this.next.name}`)) return;
    }
  }

  /** Whether computations with breakpoints run inside. @param {Instruction} instruction @param {Set<string>} names @returns {boolean} */
  #reaches({ calls }, names) {
    return Object.values(calls)
      .flat()
      .some(
        (name) =>
          names.has(name) ||
          this.#computation(name)?.instructions.some((inner) => this.#reaches(inner, names)),
      );
  }

  /** The values of the innermost computation that have been gone through. @param {string} name @returns {HloArray[] | undefined} */
  valueOf(name) {
    const position = this.frame.computation.instructions.findIndex((other) => other.name === name);
    return position < this.frame.at ? this.frame.values.get(name) : undefined;
  }

  dispose() {
    for (const frame of this.frames) dispose(frame);
    this.frames = [];
    for (const { executable, module } of this.#executables.values()) {
      executable.dispose();
      module.dispose();
    }
    this.#executables.clear();
  }
}

/** @param {any} shape @returns {number} */
function leavesOf(shape) {
  return shape.elements
    ? shape.elements.reduce(
        (/** @type {number} */ sum, /** @type {any} */ part) => sum + leavesOf(part),
        0,
      )
    : 1;
}

/** @param {Frame} frame */
function dispose({ values, kept = [] }) {
  for (const leaf of [...kept, ...[...values.values()].flat()]) leaf.dispose();
}

/** @param {HloArray} array @returns {number[]} its elements as numbers; complex ones as pairs */
function numbersOf(array) {
  return [array.toNested()]
    .flat(Infinity)
    .flatMap((/** @type {any} */ x) => (typeof x === 'object' ? [x.re, x.im] : [Number(x)]));
}

/**
 * The first instruction of a frame whose value has a NaN though none of its operands has.
 * @param {Frame} frame
 * @returns {string | undefined}
 */
export function firstNaN({ computation, values }) {
  const bad = new Set();
  for (const { name, operands } of computation.instructions) {
    const hasNaN = (values.get(name) ?? []).some((array) => numbersOf(array).some(Number.isNaN));
    if (!hasNaN) continue;
    if (!operands.some((operand) => bad.has(operand))) return name;
    bad.add(name);
  }
  return undefined;
}

/**
 * The first instruction whose values differ in two frames of the same computation.
 * @param {Frame} a
 * @param {Frame} b
 * @param {number} tolerance relative
 * @returns {{ name: string, difference: number } | undefined}
 */
export function firstDifference(a, b, tolerance) {
  for (const { name } of a.computation.instructions) {
    const [left, right] = [a, b].map(({ values }) => (values.get(name) ?? []).flatMap(numbersOf));
    const difference = left.reduce((most, x, i) => {
      const y = right[i];
      if (Object.is(x, y) || x === y) return most;
      const relative = Math.abs(x - y) / Math.max(1e-30, Math.abs(x), Math.abs(y));
      return Math.max(most, Number.isNaN(relative) ? Infinity : relative);
    }, 0);
    if (difference > tolerance) return { name, difference };
  }
  return undefined;
}
