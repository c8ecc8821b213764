// Functions that run as one compiled program.
import { HloArray } from './array.js';
import { Value } from './builder.js';
import { HloError } from './errors.js';
import { checkArguments, checkFunction, checkOptions, nameOf, NOTHING } from './options.js';
import { ProgramCache } from './program_cache.js';
import { compiled, leavesOf, record, runTraced } from './trace.js';
import { eachLeaf, isPlain, keyOf, xlaShapeOf } from './tree.js';

/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./program.js').Module} Module */

/**
 * @typedef {object} JitOptions
 * @property {(number | string)[]} [static] arguments that the program is made for, rather than parameters of it: by
 *   position, or, in a last argument with options, by name. They may be anything, also functions and instances of classes,
 *   and are handed to the function as they are. Plain values, lists, objects, Maps, Sets, dates and typed arrays are
 *   compared by what they hold, anything else by identity.
 * @property {number} [cacheLimit] how many programs are kept before the least recently used goes; 1000 by default
 */
/**
 * @typedef {object} JitProperties
 * @property {number} cacheSize number of programs cached
 * @property {(...args: unknown[]) => Module} lower the program for such arguments, not compiled; owned by the caller. For arrays,
 *   shapes as hlo.shape() gives them do as well
 * @property {() => void} dispose frees its programs; when it is called again, it makes new ones
 */

/** @typedef {string | number | bigint | boolean | symbol | void | PromiseLike<unknown> | ((...args: never[]) => unknown)} NoResult */
/** What no traced function returns. @typedef {NoResult | NoResult[]} Untraceable */
/** @typedef {JitProperties & Disposable} JitMembers what a function made by jit can do besides being called */

/** @type {WeakMap<object, number>} numbers of objects that only identity tells apart */
const identities = new WeakMap();
let nextIdentity = 1;

/** @param {any} value @returns {string} */
function identityOf(value) {
  let number = identities.get(value);
  if (number === undefined) identities.set(value, (number = nextIdentity++));
  return `#${number}`;
}

/** @param {any} value @param {string} path @returns {string} */
function staticText(value, path) {
  if (value instanceof HloArray || value instanceof Value)
    throw new HloError(
      `the static argument ${path.slice(1)} holds an array: leave it out of \`static\``,
    );
  const inner = (/** @type {any} */ parts) => keyOf(parts, staticText, path);
  if (value instanceof Set) return `Set${inner([...value])}`;
  if (value instanceof Date) return `Date ${value.getTime()}`;
  if (value instanceof RegExp) return `RegExp ${value}`;
  if (ArrayBuffer.isView(value) && !(value instanceof DataView))
    return `${value.constructor.name}${inner([.../** @type {any} */ (value)])}`;
  if (typeof value === 'symbol') {
    // Registered symbols cannot be keys of a WeakMap; their name identifies them.
    const key = Symbol.keyFor(value);
    if (key !== undefined) return `Symbol ${JSON.stringify(key)}`;
    throw new HloError(`the static argument ${path.slice(1)} is a symbol: use a string`);
  }
  return identityOf(value);
}

/** @param {any} leaf @param {string} path @returns {string} */
function traceableText(leaf, path) {
  if (leaf instanceof HloArray) return leaf.xla.text;
  const advice =
    ArrayBuffer.isView(leaf) || leaf instanceof ArrayBuffer
      ? 'make it an array with hlo.array(), or name it in `static`'
      : 'name it in `static` if the program may be made for it';
  throw new HloError(
    `argument ${path.replace(/^\[(\d+)\]/, '$1')} of a jit function is ${nameOf(leaf)}: arguments are arrays, lists, objects, Maps and plain values; ${advice}`,
  );
}

/** @param {any[]} args @param {JitOptions} options */
function separateStatics(args, { static: statics = [] }) {
  /** @type {Record<string, any>} */
  const staticArgs = {};
  const tracedArgs = [...args];
  for (const which of statics) {
    if (typeof which === 'number') {
      if (which in tracedArgs) staticArgs[which] = tracedArgs[which];
      delete tracedArgs[which];
    } else if (isPlain(args.at(-1))) {
      const { [which]: value, ...rest } = tracedArgs[args.length - 1] ?? {};
      if (!(which in args.at(-1))) continue;
      staticArgs[which] = value;
      tracedArgs[args.length - 1] = rest;
    }
  }
  return { staticArgs, tracedArgs };
}

/** @param {any[]} tracedArgs with placeholders @param {Record<string, any>} staticArgs @returns {any[]} the function's arguments */
function mergeStatics(tracedArgs, staticArgs) {
  const args = [...tracedArgs];
  for (const [which, value] of Object.entries(staticArgs)) {
    if (/^\d+$/.test(which)) args[Number(which)] = value;
    else args[args.length - 1] = { ...args[args.length - 1], [which]: value };
  }
  return args;
}

/** @param {any} leaf @returns {string | undefined} of arrays, of shapes, and of anything that has a shape */
function shapeOfAny(leaf) {
  if (leaf instanceof Value || typeof leaf !== 'object' || leaf === null) return undefined;
  return xlaShapeOf(leaf)?.text;
}

/** @param {JitOptions} options */
function checkJitOptions(options) {
  checkOptions('jit', options, 'static cacheLimit');
  const { static: statics = [], cacheLimit = 1 } = options;
  const isPosition = (/** @type {any} */ which) =>
    typeof which === 'string' || (Number.isInteger(which) && which >= 0);
  if (!Array.isArray(statics) || !statics.every(isPosition))
    throw new HloError('`static` is a list of positions of arguments, and names of options');
  if (!Number.isInteger(cacheLimit) || cacheLimit < 1)
    throw new HloError('`cacheLimit` is a number of programs, at least 1');
}

/**
 * A function that runs as one compiled program, traced once per combination of argument structures and shapes. Arguments
 * and results may be arrays, and lists, objects and Maps of them. Other plain values among the arguments are compiled into the
 * program, as static ones are: a new value means a new trace.
 *
 * The function runs once for each trace, on values that have a shape but no elements. Its side effects (printing, counting)
 * happen then, and arrays that it captures become constants of the program.
 * @template {(...args: never[]) => unknown} F
 * @param {Engine} engine
 * @param {F} body
 * @param {JitOptions} [options]
 * @returns {F & JitMembers}
 */
export function jit(engine, body, options = {}) {
  checkFunction(body, 'jit');
  const run = /** @type {(...args: any[]) => any} */ (/** @type {unknown} */ (body));
  checkJitOptions(options);
  /** @type {ProgramCache<import('./trace.js').Traced>} */
  const cache = new ProgramCache(engine, options.cacheLimit);
  const recordFor = (
    /** @type {any[]} */ tracedArgs,
    /** @type {Record<string, any>} */ staticArgs,
    /** @type {((leaf: any) => string | undefined) | undefined} */ shapeOf = undefined,
  ) => {
    const traced = (/** @type {any} */ _, /** @type {any[]} */ args) =>
      run(...mergeStatics(args, staticArgs));
    return record(engine, body.name, tracedArgs, traced, shapeOf);
  };
  const call = (/** @type {any[]} */ ...args) => {
    // Inside another traced function: inlined.
    if (engine.tracing) return run(...args);
    const { staticArgs, tracedArgs } = separateStatics(args, options);
    const { arrays, value } = leavesOf(tracedArgs);
    if (value) return run(...args);
    const key = `${keyOf(tracedArgs, traceableText)} ${keyOf(staticArgs, staticText)}`;
    return runTraced(
      cache.get(key, () => compiled(recordFor(tracedArgs, staticArgs))),
      arrays,
    );
  };
  const lower = (/** @type {any[]} */ ...args) => {
    const { staticArgs, tracedArgs } = separateStatics(args, options);
    return recordFor(tracedArgs, staticArgs, shapeOfAny).module;
  };
  // For the worker client: arrays may be anything that has a shape.
  const prepare = (/** @type {any[]} */ args) => {
    const { staticArgs, tracedArgs } = separateStatics(args, options);
    /** @type {any[]} */
    const arrays = [];
    eachLeaf(tracedArgs, (leaf) => shapeOfAny(leaf) !== undefined && arrays.push(leaf));
    const leafText = (/** @type {any} */ leaf, /** @type {string} */ path) =>
      shapeOfAny(leaf) ?? traceableText(leaf, path);
    const key = `${keyOf(tracedArgs, leafText)} ${keyOf(staticArgs, staticText)}`;
    return { key, arrays, record: () => recordFor(tracedArgs, staticArgs, shapeOfAny) };
  };
  const dispose = (/** @type {any[]} */ ...args) => {
    checkArguments('dispose', NOTHING, args);
    cache.clear();
  };
  Object.defineProperties(call, {
    name: { value: body.name },
    cacheSize: { get: () => cache.size },
    lower: { value: lower },
    prepare: { value: prepare },
    dispose: { value: dispose },
  });
  if (Symbol.dispose) Object.defineProperty(call, Symbol.dispose, { value: dispose });
  return /** @type {any} */ (call);
}
