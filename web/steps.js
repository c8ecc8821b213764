// What the functions given to an operation do, as the steps that they took when they were traced. A later call with functions of
// the same text runs them again, without the engine: as long as they take the same steps, the program made then is theirs, too.
// (Their text alone does not tell: they may use numbers from outside.)
import { Value } from './builder.js';
import { HloError } from './errors.js';
import { keyOf, mapTree } from './tree.js';

/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {{ parameters: any[], steps: { text: string, shapes: any }[], result: string }} Trace of a function: shapes of values, and texts */

/** Where values of a function stand that is run again: nothing can be appended. */
class Nowhere {
  /** @param {Engine} engine */
  constructor(engine) {
    this.builder = { engine };
  }

  get handle() {
    throw new HloError('this value belongs to a function that has ended: it must not be kept');
  }
}

/** The steps of a function in progress. */
class Steps {
  /** @type {Map<Value, number>} */
  #numbers = new Map();
  /** Whether texts say all that was done: no arrays, no functions. */
  isComplete = true;

  /** @param {any} values @returns {any} the same */
  number(values) {
    mapTree(values, (leaf) => this.#numbers.set(leaf, this.#numbers.size));
    return values;
  }

  /** @param {any} tree @returns {string} */
  text(tree) {
    return keyOf(tree, (leaf) => {
      const number = this.#numbers.get(leaf);
      this.isComplete &&= number !== undefined;
      return `%${number}`;
    });
  }
}

/** Notes the steps of a function that is traced. */
class Noted extends Steps {
  /** @type {Trace['steps']} */
  steps = [];

  /** @param {string} name @param {any[]} args @param {() => any} run */
  step(name, args, run) {
    const text = `${name} ${this.text(args)}`;
    const result = this.number(run());
    this.steps.push({ text, shapes: mapTree(result, (value) => value.xla) });
    return result;
  }
}

/** Compares the steps of a function that is run again. */
class Compared extends Steps {
  #steps;
  #at;
  count = 0;

  /** @param {Trace} trace @param {any} at */
  constructor({ steps }, at) {
    super();
    this.#steps = steps;
    this.#at = at;
  }

  /** @param {any} shapes @returns {any} values of these shapes */
  values(shapes) {
    return this.number(mapTree(shapes, (shape) => new Value(this.#at, 0, shape)));
  }

  /** @param {string} name @param {any[]} args */
  step(name, args) {
    const known = this.#steps[this.count++];
    this.isComplete &&= known?.text === `${name} ${this.text(args)}`;
    if (!this.isComplete) throw new HloError('another step than before');
    return this.values(known.shapes);
  }
}

/** @template T @param {Engine} engine @param {Steps} steps @param {() => T} body @returns {T} */
function during(engine, steps, body) {
  const outer = engine.steps;
  engine.steps = /** @type {any} */ (steps);
  try {
    return body();
  } finally {
    engine.steps = outer;
  }
}

/**
 * @param {Engine} engine
 * @param {(...values: any[]) => any} body
 * @param {(trace: Trace | undefined) => void} receive its trace, if it can be compared
 * @returns {(...values: any[]) => any}
 */
export function noting(engine, body, receive) {
  return (...values) => {
    const noted = new Noted();
    noted.number(values);
    const result = during(engine, noted, () => body(...values));
    const text = noted.text(result);
    const parameters = values.map((value) => value.xla);
    receive(noted.isComplete ? { parameters, steps: noted.steps, result: text } : undefined);
    return result;
  };
}

/** Whether a function does what it did. @param {Engine} engine @param {(...values: any[]) => any} body @param {Trace} trace @returns {boolean} */
export function follows(engine, body, trace) {
  const at = /** @type {any} */ (new Nowhere(engine));
  const compared = new Compared(trace, at);
  const values = compared.values(trace.parameters);
  const outer = engine.tracing;
  engine.tracing = at;
  try {
    const result = during(engine, compared, () => body(...values));
    const isSame = compared.text(result) === trace.result;
    return isSame && compared.isComplete && compared.count === trace.steps.length;
  } catch {
    return false; // Traced again, it says what is wrong.
  } finally {
    engine.tracing = outer;
  }
}
