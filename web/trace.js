// Running operations on arrays at once, and tracing functions into programs (jit). Both record what a function does
// to placeholder values, compile that, and keep the result by the shapes it was made for.
// Must not know which operations there are.
import { HloArray } from './array.js';
import { Builder, Computation, Value } from './builder.js';
import { HloError } from './errors.js';

/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./program.js').Executable} Executable */

/** @typedef {{ executable: Executable, rebuild: (arrays: HloArray[]) => any }} Traced */
const CACHE_LIMIT = 1000; // programs kept per engine or function before the oldest goes

/**
 * A copy of nested lists and objects with every leaf replaced.
 * @param {any} tree
 * @param {(leaf: any) => any} replace
 * @returns {any}
 */
function mapTree(tree, replace) {
  if (Array.isArray(tree)) return tree.map((part) => mapTree(part, replace));
  if (typeof tree === 'object' && tree !== null && Object.getPrototypeOf(tree) === Object.prototype)
    return Object.fromEntries(
      Object.entries(tree).map(([key, part]) => [key, mapTree(part, replace)]),
    );
  return replace(tree);
}

/**
 * What is the same for all arguments that one compiled program serves; undefined when functions make that unknowable.
 * @param {any} args
 */
function keyOf(args) {
  let known = true;
  const described = mapTree(args, (leaf) => {
    if (leaf instanceof HloArray) return { array: leaf.shape.text };
    if (typeof leaf === 'function') known = false;
    return typeof leaf === 'number' || typeof leaf === 'bigint'
      ? `${typeof leaf} ${Object.is(leaf, -0) ? '-0' : leaf}`
      : leaf;
  });
  return known ? JSON.stringify(described) : undefined;
}

/** @param {any} args @returns {HloArray[]} */
function arraysOf(args) {
  /** @type {HloArray[]} */
  const arrays = [];
  mapTree(args, (leaf) => leaf instanceof HloArray && arrays.push(leaf));
  return arrays;
}

/** @param {any} args */
function hasArrays(args) {
  return arraysOf(args).length > 0;
}

/** @param {any} args @returns {Value | undefined} */
function valueIn(args) {
  /** @type {Value | undefined} */
  let value;
  mapTree(args, (leaf) => leaf instanceof Value && (value ??= leaf));
  return value;
}

/**
 * Records what `record` does to placeholders for the arrays among args.
 * @param {Engine} engine
 * @param {string} name
 * @param {any[]} args
 * @param {(context: { at: Computation, builder: Builder }, args: any[]) => any} record
 * @returns {Traced}
 */
function trace(engine, name, args, record) {
  const builder = new Builder(engine, name || 'traced');
  try {
    const at = builder.computation('main');
    const placeholders = mapTree(args, (leaf) =>
      leaf instanceof HloArray ? at.parameter(leaf.shape.text) : leaf,
    );
    const result = at.trace(record, [{ at, builder }, placeholders]);
    /** @type {Value[]} */
    const leaves = [];
    const positions = mapTree(result, (leaf) => {
      if (leaf instanceof Value || leaf instanceof HloArray)
        return { leaf: leaves.push(at.own(leaf)) - 1 };
      throw new HloError(
        `a traced function returns arrays, lists or objects of arrays, got ${leaf === null ? 'null' : typeof leaf}`,
      );
    });
    const root = at.add('tuple', leaves);
    const executable = builder.build(at, root).compile();
    const rebuild = (/** @type {HloArray[]} */ arrays) => fill(positions, arrays);
    return { executable, rebuild };
  } finally {
    builder.dispose();
  }
}

/** @param {any} tree with { leaf: position } at its leaves @param {HloArray[]} arrays @returns {any} */
function fill(tree, arrays) {
  if (Array.isArray(tree)) return tree.map((part) => fill(part, arrays));
  const keys = Object.keys(tree);
  if (keys.length === 1 && typeof tree.leaf === 'number') return arrays[tree.leaf];
  return Object.fromEntries(keys.map((key) => [key, fill(tree[key], arrays)]));
}

/** @param {Traced} traced */
function release({ executable }) {
  const { module } = executable;
  executable.dispose();
  module.dispose();
}

/** Programs by key; the least recently used go first. */
class ProgramCache {
  /** @type {Map<string, Traced>} */
  #entries = new Map();

  /** @param {string} key @param {() => Traced} make */
  get(key, make) {
    let entry = this.#entries.get(key);
    if (entry) this.#entries.delete(key);
    else entry = make();
    this.#entries.set(key, entry);
    if (this.#entries.size > CACHE_LIMIT) {
      const [oldest, traced] = /** @type {[string, Traced]} */ (
        this.#entries.entries().next().value
      );
      this.#entries.delete(oldest);
      release(traced);
    }
    return entry;
  }

  clear() {
    for (const traced of this.#entries.values()) release(traced);
    this.#entries.clear();
  }
}

/**
 * Wraps operations so that they run at once on arrays, and append to the program being traced when an operand is a
 * traced value.
 * @param {Engine} engine
 * @returns {Record<string, (...args: any[]) => any>}
 */
export function eagerOperations(engine) {
  const { operations } = engine;
  const cache = new ProgramCache();
  const wrap =
    (/** @type {string} */ name) =>
    (/** @type {any[]} */ ...args) => {
      const at =
        valueIn(args)?.computation ??
        (engine.tracing && !hasArrays(args) ? engine.tracing : undefined);
      if (at) return operations[name]({ at, builder: at.builder }, ...args);
      const make = () =>
        trace(engine, name, args, (context, placeholders) =>
          operations[name](context, ...placeholders),
        );
      const key = keyOf(args);
      if (key !== undefined) return apply(cache.get(`${name} ${key}`, make), args);
      const traced = make();
      try {
        return apply(traced, args);
      } finally {
        release(traced);
      }
    };
  return Object.fromEntries(Object.keys(operations).map((name) => [name, wrap(name)]));
}

/** @param {Traced} traced @param {any[]} args */
function apply({ executable, rebuild }, args) {
  return rebuild(executable.run(arraysOf(args)));
}

/**
 * Calls a function and disposes of the arrays made meanwhile, except those that it returns.
 * @template T
 * @param {Engine} engine
 * @param {() => T} body
 * @returns {T}
 */
export function tidy(engine, body) {
  const outer = engine.made;
  /** @type {Set<HloArray>} */
  const made = (engine.made = new Set());
  /** @type {HloArray[]} */
  let kept = [];
  try {
    const result = body();
    if (result instanceof Promise)
      throw new HloError('tidy takes a function that is not async: its arrays would go too early');
    kept = arraysOf(result);
    return result;
  } finally {
    engine.made = outer;
    for (const array of kept) {
      made.delete(array);
      outer?.add(array); // an outer scope takes over
    }
    for (const array of made) array.dispose();
  }
}

/**
 * A function that runs as one compiled program. Traced once per combination of argument shapes; arguments and results
 * may be lists and objects of arrays, anything else among the arguments is taken as it is and traced anew when it changes.
 * @template {(...args: any[]) => any} F
 * @param {Engine} engine
 * @param {F} body
 * @returns {F & { dispose(): void }}
 */
export function jit(engine, body) {
  if (typeof body !== 'function') throw new HloError('jit takes a function');
  const cache = new ProgramCache();
  const call = (/** @type {any[]} */ ...args) => {
    if (valueIn(args)) return body(...args); // inside another traced function: part of that program
    const key = keyOf(args);
    const make = () => trace(engine, body.name, args, (_, placeholders) => body(...placeholders));
    if (key === undefined)
      throw new HloError(
        'arguments of a jit function are arrays, lists, objects and plain values, not functions',
      );
    return apply(cache.get(key, make), args);
  };
  return /** @type {any} */ (Object.assign(call, { dispose: () => cache.clear() }));
}
