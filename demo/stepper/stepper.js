// Goes through a program instruction by instruction, into calls, branches and loops. A computation's values are computed when
// it is entered, then shown one after the other; but what may go on without end is run when one goes past it. All work pauses
// now and then, so that a page stays alive, and ends when `signal` says so: the stepper then stays where it was, or where the
// last step brought it. One action at a time.
import { HloError } from '../../web/index.js';
import { checkMemory } from '../../web/cli/memory.js';
import { pause } from '../../web/host.js';
import { MOST_MEMORY } from '../limits.js';
import { partsOf, programFrom, programOf } from './program.js';

const SLICE = 10; // milliseconds without a pause

/** @typedef {import('./program.js').Computation} Computation */
/** @typedef {import('./program.js').Instruction} Instruction */
/** @typedef {import('./program.js').Part} Part */
/** @typedef {import('../../web/index.js').HloArray} HloArray */

/** @typedef {(instructions: Instruction[], frame: Frame, other: Frame) => string | undefined} Look for the first one that … */

/**
 * @typedef {object} Frame
 * @property {Computation} computation
 * @property {string} title
 * @property {Part[]} parts
 * @property {number} known how many of them have values
 * @property {Map<string, HloArray[]>} values leaves by instruction
 * @property {number} at the instruction that is next
 * @property {HloArray[]} [kept] what `follow` needs, freed with the values
 * @property {(result: HloArray[]) => Promise<Frame | undefined>} [follow] what comes when it has ended, of the same caller
 */

export class Stepper {
  /** @type {Map<string, any>} by computation and part */
  #executables = new Map();
  /** @type {Map<Computation, Part[]>} */
  #parts = new Map();
  /** Numbers of arrays, by shape. @type {Map<string, number>} */
  #leaves = new Map();
  /** @type {Frame[]} the innermost last */
  frames = [];
  /** What was done since the start, to be undone; "next" moved within a frame. @type {('next' | 'step' | 'enter' | 'leave')[]} */
  #trace = [];
  #paused = performance.now();
  /** Ends what is under way; whoever asks for work sets it. @type {AbortSignal | undefined} */
  signal;

  /**
   * @param {any} hlo
   * @param {import('../../web/index.js').Module} module
   * @param {{ reference?: boolean }} [options]
   */
  constructor(hlo, module, options = {}) {
    this.hlo = hlo;
    this.options = options;
    this.program = programFrom(module.print('hlo'));
  }

  /** Goes to the start; before anything else. @param {HloArray[]} inputs borrowed until the promise settles */
  async open(inputs) {
    const entry = this.program.computations.find(({ isEntry }) => isEntry);
    if (!entry) throw new HloError('the program has no entry computation');
    this.frames.push(await this.#frame(entry, inputs, entry.name));
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
    return /** @type {Computation} */ (this.program.byName.get(name));
  }

  /** Lets the page do something, when it is time. */
  async #breathe() {
    this.signal?.throwIfAborted();
    if (performance.now() - this.#paused < SLICE) return;
    await pause();
    this.#paused = performance.now();
    this.signal?.throwIfAborted();
  }

  /** @param {Computation} computation @param {HloArray[]} inputs @param {string} title @returns {Promise<Frame>} */
  async #frame(computation, inputs, title) {
    let parts = this.#parts.get(computation);
    if (!parts) this.#parts.set(computation, (parts = partsOf(this.program, computation)));
    const frame = { computation, title, parts, known: 0, values: new Map(), at: 0 };
    await this.#runPart(frame, inputs);
    return frame;
  }

  /** Values of a frame's next part. @param {Frame} frame @param {HloArray[]} [inputs] of the computation, for its first part */
  async #runPart(frame, inputs = []) {
    const { computation, known, parts, values } = frame;
    const key = `${computation.name} ${known}`;
    let entry = this.#executables.get(key);
    if (!entry) {
      const { text, takes, makes } = programOf(this.program, computation, parts[known]);
      const module = this.hlo.parse(text);
      entry = { module, executable: module.compile(this.options), takes, makes };
      this.#executables.set(key, entry);
    }
    const { executable, takes, makes } = entry;
    const { peak, arguments: given } = executable.memory;
    checkMemory(this.hlo, peak - given, MOST_MEMORY);
    await this.#breathe();
    const taken = takes?.flatMap((/** @type {Instruction} */ { name }) => values.get(name));
    const leaves = await executable.runAsync(taken ?? inputs, { signal: this.signal });
    let at = 0;
    for (const { name, shape } of makes) {
      values.set(name, leaves.slice(at, (at += this.#leavesOf(shape))));
    }
    frame.known++;
  }

  /** How many arrays a value consists of. @param {string} shape */
  #leavesOf(shape) {
    let count = this.#leaves.get(shape);
    if (count === undefined) this.#leaves.set(shape, (count = leavesOf(this.hlo.shape(shape))));
    return count;
  }

  /** Makes sure that the values of a frame's first so many instructions are known. @param {Frame} frame @param {number} count */
  async #reach(frame, count) {
    while ((frame.parts[frame.known]?.from ?? count) < count) await this.#runPart(frame);
  }

  /** Goes on to the next instruction, out of computations that have ended. */
  async step() {
    if (this.isDone) return;
    const { frame } = this;
    await this.#goTo(frame.at + 1);
    this.#trace.push(frame === this.frame ? 'next' : 'step');
  }

  /**
   * Goes to an instruction of the innermost frame, or, behind its last one, to what comes then: the next computation of the
   * same caller, or the caller's next instruction. Nothing changes before all that is known.
   * @param {number} at
   */
  async #goTo(at) {
    let depth = this.frames.length - 1;
    /** @type {Frame | undefined} */
    let after;
    for (;;) {
      const frame = this.frames[depth];
      const { length } = frame.computation.instructions;
      await this.#reach(frame, Math.min(at, length));
      if (at < length || depth === 0) break;
      after = await frame.follow?.(frame.values.get(frame.computation.root) ?? []);
      depth--;
      if (after) break;
      at = this.frames[depth].at + 1; // the caller's instruction has been gone through
    }
    for (const ended of this.frames.splice(depth + 1)) dispose(ended);
    if (after) this.frames.push(after);
    else this.frame.at = Math.min(at, this.frame.computation.instructions.length);
  }

  get canGoBack() {
    return this.#trace.length > 0;
  }

  /** Undoes the last step; one that went into or out of a computation by going there again from the start. */
  async back() {
    const last = this.#trace.pop();
    if (last === 'next') {
      this.frame.at--;
    } else if (last) {
      const trace = this.#trace;
      this.reset();
      for (const action of trace) {
        await this[action === 'next' ? 'step' : action]();
        await this.#breathe();
      }
    }
  }

  /** Back to the start. */
  reset() {
    for (const frame of this.frames.splice(1)) dispose(frame);
    this.frame.at = 0;
    this.#trace = [];
  }

  /** Whether the next instruction is made of a computation that can be entered. */
  get canEnter() {
    const { next } = this;
    return next !== undefined && /^(while|call|fusion|conditional)$/.test(next.op);
  }

  /** Goes into the next instruction's computation. */
  async enter() {
    const { next, frame } = this;
    if (!next || !this.canEnter) return this.step();
    const leaves = (/** @type {string} */ name) => frame.values.get(name) ?? [];
    if (next.op === 'while') {
      this.frames.push(await this.#loop(next, leaves(next.operands[0]), 0));
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
      const title = `${next.name}, branch ${number}`;
      this.frames.push(await this.#frame(this.#computation(branches[number]), inputs, title));
    } else {
      const [callee] = next.calls.to_apply ?? next.calls.calls;
      const inputs = next.operands.flatMap(leaves);
      this.frames.push(await this.#frame(this.#computation(callee), inputs, next.name));
    }
    this.#trace.push('enter');
    return undefined;
  }

  /** The condition of a loop's iteration, then perhaps its body, and so on. @param {Instruction} loop @param {HloArray[]} carry @param {number} iteration @returns {Promise<Frame>} */
  async #loop(loop, carry, iteration) {
    const kept = carry.map((array) => this.#copy(array));
    const enter = (/** @type {string} */ name, /** @type {string} */ title) =>
      this.#frame(this.#computation(name), kept, `${loop.name}, ${title} ${iteration}`);
    let condition;
    try {
      condition = await enter(loop.calls.condition[0], 'condition');
    } catch (error) {
      for (const array of kept) array.dispose();
      throw error;
    }
    condition.kept = kept;
    condition.follow = async ([goesOn]) => {
      if (!goesOn.toNested()) return undefined;
      const body = await enter(loop.calls.body[0], 'iteration');
      body.follow = (result) => this.#loop(loop, result, iteration + 1);
      return body;
    };
    return condition;
  }

  /** @param {HloArray} array */
  #copy(array) {
    return this.hlo.array(array.toTypedArray(), { type: array.type, shape: array.dims });
  }

  /** Runs to the end of the innermost computation (and, in a loop, of that iteration). */
  async leave() {
    if (this.frames.length === 1) return;
    await this.#goTo(this.frame.computation.instructions.length);
    this.#trace.push('leave');
  }

  /**
   * Goes to the instruction behind which something is so for the first time, into calls and iterations as deep as it is
   * so there. Stays where it is when nothing is found.
   * @param {Look} look
   * @param {Stepper} [other] of the same program, which goes along
   * @returns {Promise<string | undefined>} the instruction's name
   */
  async seek(look, other = this) {
    const all = new Set([this, other]);
    let name = await this.#lookIn(0, look, other);
    if (!name) return undefined;
    for (const stepper of all) stepper.reset();
    for (;;) {
      for (const stepper of all)
        while (stepper.next && stepper.next.name !== name) await stepper.step();
      if (!this.canEnter) break;
      const depth = this.frames.length;
      for (const stepper of all) await stepper.enter();
      let inner = await this.#lookIn(depth, look, other);
      while (!inner && this.frames.length > depth) {
        for (const stepper of all) await stepper.leave();
        inner = await this.#lookIn(depth, look, other);
      }
      if (!inner) return name; // it has been gone through
      name = inner;
    }
    const { frame } = this;
    await this.step();
    if (this.frame !== frame) await this.back(); // it was the last one, whose value is shown where it is made
    return name;
  }

  /**
   * Looks in the frames at some depth, part by part: what is found in one needs none behind it.
   * @param {number} depth
   * @param {Look} look
   * @param {Stepper} other
   */
  async #lookIn(depth, look, other) {
    const [mine, its] = [this.frames[depth], other.frames[depth]];
    if (!mine || !its) return undefined;
    for (const { from, to } of mine.parts) {
      await this.#reach(mine, to);
      await other.#reach(its, to);
      await this.#breathe();
      const name = look(mine.computation.instructions.slice(from, to), mine, its);
      if (name) return name;
    }
    return undefined;
  }

  /** Goes on until an instruction with a breakpoint is next. @param {Set<string>} breakpoints "computation name" */
  async run(breakpoints) {
    const enters = this.#reaching(new Set([...breakpoints].map((key) => key.split(' ')[0])));
    while (!this.isDone) {
      const inside = this.canEnter && reaches(/** @type {Instruction} */ (this.next), enters);
      await (inside ? this.enter() : this.step());
      if (this.next && breakpoints.has(`${this.frame.computation.name} ${this.next.name}`)) return;
      await this.#breathe();
    }
  }

  /** The computations in which some run, themselves included. @param {Set<string>} names @returns {Set<string>} */
  #reaching(names) {
    const found = new Set(names);
    if (names.size > 0)
      for (const { name, instructions } of this.program.computations)
        if (instructions.some((instruction) => reaches(instruction, found))) found.add(name);
    return found;
  }

  /** The values of the innermost computation that have been gone through. @param {string} name @returns {HloArray[] | undefined} */
  valueOf(name) {
    const { computation, at, values } = this.frame;
    return (computation.positions.get(name) ?? at) < at ? values.get(name) : undefined;
  }

  /** Only when no action is under way. */
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

/** Whether computations run inside. @param {Instruction} instruction @param {Set<string>} names */
function reaches({ calls }, names) {
  return Object.values(calls).some((list) => list.some((name) => names.has(name)));
}

/** The first instruction whose value has a NaN; none has one before it. @type {Look} */
export function firstNaN(instructions, { values }) {
  const hasNaN = (/** @type {HloArray} */ array) => numbersOf(array).some(Number.isNaN);
  return instructions.find(({ name }) => values.get(name)?.some(hasNaN))?.name;
}

/**
 * The first instruction whose values differ in two frames of the same computation.
 * @param {Instruction[]} instructions
 * @param {Frame} a
 * @param {Frame} b
 * @param {number} tolerance relative
 * @returns {{ name: string, difference: number } | undefined}
 */
export function firstDifference(instructions, a, b, tolerance) {
  for (const { name } of instructions) {
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
