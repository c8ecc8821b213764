// The engine's parts, each a file of WebAssembly: arrays, which all need, and two that load() can leave out and hlo.add() can add.
// Where a function of another part is called that is not there, a placeholder fails with an error that names the part.
import { HloError, RunError } from './errors.js';

const NOT_LOADED = 'not loaded';
/** So many functions of custom calls may be under way at a time, each in a program that the one before it runs. */
const MOST_REENTRIES = 32;
/** Bytes of the engine's stack, of 1 MB, that have to be left for another one: a level of those takes some 9 KB. */
const FEWEST_STACK = 1 << 18;

/** @typedef {'programs' | 'extras'} AddedPart */
/** @typedef {'arrays' | AddedPart} Part */

/** What may be left out, in the order in which it is installed at first. @type {AddedPart[]} */
export const addedParts = ['programs', 'extras'];
/** @type {Part[]} */
const allParts = ['arrays', ...addedParts];

/**
 * @param {unknown} parts one name or a list of them, as users write them; undefined: all
 * @returns {AddedPart[]} those beside arrays, each once, in order
 */
export function partsOf(parts = allParts) {
  const list = Array.isArray(parts) ? parts : [parts];
  for (const part of list)
    if (!allParts.includes(part))
      throw new HloError(
        `there is no part ${typeof part === 'string' ? `"${part}"` : String(part)}: the parts are ${allParts.join(', ')}`,
      );
  return addedParts.filter((part) => list.includes(part));
}

/** Modules of parts by their names. @typedef {{ [part in AddedPart]?: WebAssembly.Module }} PartModules */

/** What the engine's modules import beside each other: the memory, if other threads share it. @typedef {Record<string, any>} Shared */

/**
 * What an instance of the part that all need imports. All parts of a build import under one name, which differs from build to
 * build.
 * @param {(index: number, part: AddedPart) => number} reach called instead of the function at that place in the table, which
 *   is in that part: when it gives the place back, the function is there
 * @param {Shared} shared
 * @returns {{ imports: any, id(): string }} id: that name, once the module has been instantiated
 */
export function placeholders(reach, shared) {
  let id = '';
  const get = (/** @type {any} */ _, /** @type {string} */ name) => {
    if (name in shared) return shared[name];
    id = name;
    return Object.fromEntries(
      addedParts.map((part) => [part, (/** @type {number} */ index) => reach(index, part)]),
    );
  };
  return { imports: new Proxy({}, { get }), id: () => id };
}

/** @param {AddedPart} part @returns {HloError} */
function isAbsent(part) {
  return new HloError(
    `this needs the engine's part "${part}", which is not loaded: await hlo.add('${part}') adds it, and load() has all parts unless it is told which`,
    NOT_LOADED,
  );
}

/**
 * Puts the functions of parts where placeholders stand.
 * @param {PartModules} modules
 * @param {Record<string, any>} exports of the part that all need
 * @param {string} id
 */
export function install(modules, exports, id) {
  const { __indirect_function_table: table } = exports;
  // Functions have their places in the table for names.
  const get = (/** @type {any} */ _, /** @type {string} */ name) =>
    exports[name] ?? table.get(Number(name));
  for (const part of addedParts) {
    const module = modules[part];
    if (module) new WebAssembly.Instance(module, { [id]: new Proxy({}, { get }) });
  }
}

export class Parts {
  /** @type {Record<string, any>} of the part that all need */
  #exports = {};
  #placeholders;
  /** The engine's stack pointer where the innermost call from outside began. */
  #outermost = 0;
  #depth = 0;
  /** Whether something has needed a part that is not there. */
  isMissing = false;
  /** What has failed because a part is not there. @type {Map<unknown, unknown>} */
  #missed = new Map();
  /** Those that are there. @type {PartModules} */
  modules = {};

  /** @param {Shared} [shared] */
  constructor(shared = {}) {
    this.#placeholders = placeholders((index, part) => {
      if (this.modules[part]) return index; // a part that was installed before this one has the placeholder
      this.isMissing = true;
      this.leave();
      throw isAbsent(part);
    }, shared);
  }

  /** What the part that all need imports. */
  get imports() {
    return this.#placeholders.imports;
  }

  /** @param {WebAssembly.Instance} instance of the part that all need */
  attach(instance) {
    this.#exports = instance.exports;
    if (!this.#exports.hlo_api_describe)
      throw new HloError('what load({ wasm }) was given is WebAssembly, but not this engine');
    this.#outermost = this.#exports.__stack_pointer.value;
  }

  /** @param {PartModules} modules of parts that are not there yet. What failed without them may be tried again. */
  install(modules) {
    try {
      install(modules, this.#exports, this.#placeholders.id());
    } catch (error) {
      throw new HloError(
        `the engine's files are of different builds: ${/** @type {any} */ (error)?.message ?? error}`,
      );
    }
    Object.assign(this.modules, modules);
    this.isMissing = false;
    this.#missed.clear();
  }

  /**
   * Calls a function that may need a part that is not there: if it did, it is not called again. What the engine was about
   * then stays in its memory, so it must not happen again and again.
   * @template T
   * @param {unknown} what the same for the same work
   * @param {() => T} body
   * @returns {T}
   */
  guard(what, body) {
    if (this.#missed.has(what)) throw this.#missed.get(what);
    try {
      return body();
    } catch (error) {
      if (/** @type {any} */ (error)?.code === NOT_LOADED) this.#missed.set(what, error);
      throw error;
    }
  }

  /**
   * Calls a function that may enter the engine again, while the engine waits for it.
   * @template T
   * @param {() => T} body
   * @returns {T}
   */
  outside(body) {
    const outer = this.#outermost;
    const here = this.#exports.__stack_pointer.value;
    if (this.#depth === MOST_REENTRIES || here < FEWEST_STACK)
      throw new RunError(
        `the engine waits for ${this.#depth} functions of custom calls, each of which was called by a program that the one before it runs: ${MOST_REENTRIES} is the most, or what its stack holds`,
        'too deep',
      );
    this.#outermost = here;
    this.#depth++;
    try {
      return body();
    } finally {
      this.#depth--;
      this.#outermost = outer;
    }
  }

  /**
   * An exception has left the engine: the calls under way, back to the innermost from outside, have ended, and the engine's own
   * stack is what it was before them. The one place where JavaScript sets the stack pointer.
   */
  leave() {
    this.#exports.__stack_pointer.value = this.#outermost;
  }
}
