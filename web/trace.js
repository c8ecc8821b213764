// Tracing: records what a function does to placeholder values as a program. Eager operations are traced, compiled and cached
// by shapes and values in the same way. Scopes that dispose of arrays.
import { HloArray } from './array.js';
import { Builder, Computation, Value } from './builder.js';
import { createArray } from './create.js';
import { HloError, ParseError, ShapeError } from './errors.js';
import { messageInJavaScript } from './operations/messages.js';
import { argumentsOf } from './operations/page_order.js';
import { checkFunction, nameOf } from './options.js';
import { DEFAULT_CACHE_LIMIT, disposeTraced, ProgramCache } from './program_cache.js';
import { follows, noting } from './steps.js';
import { eachLeaf, isShape, keyOf, mapTree } from './tree.js';

/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./executable.js').Executable} Executable */
/** @typedef {import('./program.js').Module} Module */

/**
 * A program, and the function that rebuilds the traced function's result from the program's results.
 * @typedef {{ module: Module, rebuild: (arrays: HloArray[]) => any }} Recorded
 */
/** @typedef {{ executable: Executable, rebuild: (arrays: HloArray[]) => any }} Traced */

/** @param {any} args @returns {{ arrays: HloArray[], value: Value | undefined }} what is in the arguments */
export function leavesOf(args) {
  /** @type {HloArray[]} */
  const arrays = [];
  /** @type {Value | undefined} */
  let value;
  eachLeaf(args, (leaf) => {
    if (leaf instanceof HloArray) arrays.push(leaf);
    else if (leaf instanceof Value) value ??= leaf;
  });
  return { arrays, value };
}

/** Stands for a leaf of a traced function's result: an index into the program's results. */
class ResultLeaf {
  /** @param {number} number */
  constructor(number) {
    this.number = number;
  }
}

/** @param {any} leaf @param {string} path @returns {HloError} */
function notTraceable(leaf, path) {
  const what =
    leaf instanceof Promise
      ? 'a promise: it must not be async'
      : leaf === undefined && path === ''
        ? 'nothing: is a return missing?'
        : nameOf(leaf);
  const where = path === '' ? '' : ` at result${path}`;
  return new HloError(
    `a traced function returns arrays, or lists, objects and Maps of arrays; this one returned ${what}${where}`,
  );
}

/**
 * Traces `record`, called with placeholders for the arrays among args.
 * @param {Engine} engine
 * @param {string} name
 * @param {any[]} args
 * @param {(context: { at: Computation, builder: Builder }, args: any[]) => any} record
 * @param {(leaf: any) => string | undefined} [shapeOf] the shape of a leaf that becomes a parameter, as text
 * @returns {Recorded}
 */
export function record(engine, name, args, record, shapeOf = shapeOfArray) {
  const builder = new Builder(engine, name || 'traced');
  try {
    const at = builder.computation('main');
    const placeholders = mapTree(args, (leaf) => {
      const shape = shapeOf(leaf);
      if (shape === undefined) return leaf;
      const isItsOwn = leaf instanceof HloArray && leaf.xla.text === shape;
      return at.parameter(isItsOwn ? leaf.xla : shape);
    });
    const result = at.trace(record, [{ at, builder }, placeholders]);
    /** @type {Value[]} */
    const leaves = [];
    const template = mapTree(result, (leaf, path) => {
      if (leaf instanceof Value && leaf.xla.elements)
        throw new HloError(
          'what was started is no array: it is awaited where it was started, in the same traced function or builder',
        );
      if (leaf instanceof Value || leaf instanceof HloArray)
        return new ResultLeaf(leaves.push(at.own(leaf)) - 1);
      if (leaf === null || (leaf === undefined && path !== '')) return leaf;
      throw notTraceable(leaf, path);
    });
    const root = at.add('tuple', leaves);
    return {
      module: builder.build(at, root),
      rebuild: (arrays) =>
        mapTree(template, (leaf) => (leaf instanceof ResultLeaf ? arrays[leaf.number] : leaf)),
    };
  } finally {
    builder.dispose();
  }
}

/** @param {any} leaf */
function shapeOfArray(leaf) {
  return leaf instanceof HloArray ? leaf.xla.text : undefined;
}

/** @param {Recorded} recorded @returns {Traced} */
export function compiled({ module, rebuild }) {
  try {
    return { executable: module.compileQuickly(), rebuild };
  } catch (error) {
    module.dispose();
    throw error;
  }
}

/** @param {Traced} traced @param {HloArray[]} arrays */
export function runTraced({ executable, rebuild }, arrays) {
  const results = executable.run(arrays);
  try {
    return rebuild(results);
  } catch (error) {
    for (const result of results) result.dispose();
    throw error;
  }
}

/** Operations that make many elements of few: what is made while a function is traced would be a constant as large. */
const expanding = ['broadcast', 'broadcastInDim'];

/**
 * Whether an operation on arrays alone becomes part of the program being traced, rather than running at once: its functions may
 * use traced values.
 * @param {string} name
 * @param {any[]} args
 */
function isStaged(name, args) {
  return expanding.includes(name) || args.flat().some((arg) => typeof arg === 'function');
}

/**
 * Wraps operations so that they run immediately on arrays, and append to the program being traced when an operand is a traced
 * value.
 * @param {Engine} engine
 * @param {Record<string, import('./options.js').Signature>} signatures what each takes
 * @returns {Record<string, (...args: any[]) => any>}
 */
export function eagerOperations(engine, signatures) {
  const { operations } = engine;
  /** @type {ProgramCache<Traced>} */
  const cache = new ProgramCache(engine);
  /** What functions among arguments did. @type {Map<string, { traces: import('./steps.js').Trace[], key: string }>} */
  const traces = new Map();
  /** @type {Record<string, (...args: any[]) => any>} */
  const eager = {};
  const call = (/** @type {string} */ name, /** @type {any[]} */ args) => {
    const { arrays, value } = leavesOf(args);
    const { tracing } = engine;
    // Values captured from outside the function being traced become its parameters.
    const isInside = value
      ? value.computation.builder === tracing?.builder
      : arrays.length === 0 || isStaged(name, args);
    const at = isInside ? tracing : value?.computation;
    if (at) {
      const append = () => operations[name]({ at, builder: at.builder }, ...args);
      return engine.steps ? engine.steps.step(name, args, append) : append();
    }
    // No program is worth keeping for it: it would hold the elements.
    if (operations[name] === operations.constant) return createArray(engine, args[0], args[1]);
    const build = (given = args) =>
      compiled(
        record(engine, name, given, (context, placeholders) =>
          operations[name](context, ...placeholders),
        ),
      );
    let isKnown = true;
    /** @type {((...values: any[]) => any)[]} */
    const functions = [];
    const key = keyOf(args, (leaf) => {
      if (leaf instanceof HloArray) return leaf.xla.text;
      if (isShape(leaf)) return `shape ${leaf.text}`;
      if (typeof leaf === 'function' && eager[leaf.name] === leaf) return `operation ${leaf.name}`;
      isKnown &&= typeof leaf === 'function';
      return `function ${functions.push(leaf)} ${leaf}`;
    });
    if (isKnown && functions.length === 0)
      return runTraced(
        cache.get(`${name} ${key}`, () => build()),
        arrays,
      );
    const known = traces.get(`${name} ${key}`);
    if (isKnown && known && functions.every((f, i) => follows(engine, f, known.traces[i]))) {
      return runTraced(
        cache.get(known.key, () => build()),
        arrays,
      );
    }
    /** @type {any[]} */
    const noted = [];
    let count = 0;
    const traced = build(
      mapTree(args, (leaf) => {
        if (!functions.includes(leaf)) return leaf;
        const place = functions.indexOf(leaf, count++);
        return noting(engine, leaf, (trace) => (noted[place] = place in noted ? undefined : trace));
      }),
    );
    if (isKnown && functions.every((_, i) => noted[i] !== undefined)) {
      if (traces.size >= DEFAULT_CACHE_LIMIT) traces.clear();
      const entry = { traces: noted, key: `${name} ${key} ${JSON.stringify(noted)}` };
      traces.set(`${name} ${key}`, entry);
      const cached = cache.get(entry.key, () => traced);
      if (cached !== traced) disposeTraced(traced); // other steps came in between
      return runTraced(cached, arrays);
    }
    try {
      return runTraced(traced, arrays);
    } finally {
      disposeTraced(traced);
    }
  };
  for (const name of Object.keys(operations)) {
    const signature = signatures[name];
    const inOrder = argumentsOf(name, signature);
    eager[name] = {
      [name]: (/** @type {any[]} */ ...args) => {
        try {
          args = inOrder(args);
          return call(name, args);
        } catch (error) {
          throw explained(engine, name, signature, args, error);
        }
      },
    }[name];
  }
  return eager;
}

/**
 * An error of a call in words of the call: the engine's with the names of operation and arguments, an internal one that arguments
 * of the wrong kind caused as an error of this package, with what the operation takes. Errors thrown by functions among the arguments stay as they are.
 * @param {Engine} engine
 * @param {string} name
 * @param {import('./options.js').Signature} signature
 * @param {any[]} args
 * @param {any} error
 */
function explained(engine, name, signature, args, error) {
  if (error === engine.bodyError) return error;
  if (error instanceof HloError) {
    const { message } = error;
    const said = messageInJavaScript(message, name, signature, args, engine.opcodes);
    // The text that cannot be read is an argument, or made of some: the call is no program with lines.
    if (error instanceof ParseError) return Object.assign(new ShapeError(said), { cause: error });
    error.message = said;
    error.stack = error.stack?.replace(message, () => said);
    return error;
  }
  if (!(error instanceof TypeError || error instanceof RangeError)) return error;
  const given = args.map((arg) => (arg instanceof HloArray ? arg.xla.text : nameOf(arg)));
  const message = `${name} cannot be called with (${given.join(', ')}): it takes ${signature.text}`;
  return Object.assign(new HloError(message), { cause: error });
}

/**
 * Calls a function and disposes of the arrays made meanwhile, and then of those that it uses up, except what it returns.
 * @template T
 * @param {Engine} engine
 * @param {() => T} body
 * @param {HloArray[]} consumed
 * @returns {T}
 */
export function tidy(engine, body, consumed = []) {
  checkFunction(body, 'tidy');
  for (const array of consumed)
    if (!(array instanceof HloArray))
      throw new HloError(`tidy: what is used up are arrays, got ${nameOf(array)}`);
  const outer = engine.tidyScope;
  /** @type {Set<HloArray>} */
  const made = (engine.tidyScope = new Set());
  /** @type {HloArray[]} */
  let kept = [];
  try {
    const result = body();
    if (result instanceof Promise)
      throw new HloError('tidy takes a function that is not async: its arrays would go too early');
    kept = leavesOf(result).arrays;
    for (const array of consumed) {
      outer?.delete(array);
      made.add(array);
    }
    return result;
  } finally {
    engine.tidyScope = outer;
    for (const array of kept) {
      // Arrays of an outer scope stay there.
      if (made.delete(array)) outer?.add(array);
    }
    for (const array of made) array.dispose();
  }
}
