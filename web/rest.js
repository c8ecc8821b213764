// The engine's later files, with what not all pages need: load() installs them before it gives the engine, except those that
// it is told to leave out. What stands in one that is left out is an error that names it.
import { HloError, RunError } from './errors.js';

const NOT_LOADED = 'not loaded';
/** So many functions of custom calls may be under way at a time, each in a program that the one before it runs. */
const MOST_REENTRIES = 32;
/** Bytes of the engine's stack, of 1 MB, that have to be left for another one: a level of those takes some 9 KB. */
const FEWEST_STACK = 1 << 18;

/** @typedef {'programs' | 'text' | 'rest'} LaterFile */

/** In the order in which they are installed. @type {LaterFile[]} */
export const laterFiles = ['programs', 'text', 'rest'];

/** What the engine's modules import beside each other: the memory, if other threads share it. @typedef {Record<string, any>} Shared */

/**
 * What an instance of the engine's first file imports. All files import under one name, which differs from build to build.
 * @param {(index: number, file: number) => number} reach called instead of the function at that place in the table, which is
 *   in that one of the later files: when it gives the place back, the function is there
 * @param {Shared} shared
 * @returns {{ imports: any, id(): string }} id: that name, once the module has been instantiated
 */
export function placeholders(reach, shared) {
  let id = '';
  const get = (/** @type {any} */ _, /** @type {string} */ name) => {
    if (name in shared) return shared[name];
    id = name;
    return Object.fromEntries(
      laterFiles.map((each, file) => [each, (/** @type {number} */ index) => reach(index, file)]),
    );
  };
  return { imports: new Proxy({}, { get }), id: () => id };
}

/** @param {number} file one of the later files, by its place @returns {HloError} */
function leftOut(file) {
  const name = laterFiles[file];
  return new HloError(
    `this needs the engine's file "${name}", which load({ ${name}: null }) left out`,
    NOT_LOADED,
  );
}

/**
 * Puts the later files' functions where placeholders stand.
 * @param {(WebAssembly.Module | null)[]} modules in the order of laterFiles; null: left out
 * @param {Record<string, any>} exports of the first file
 * @param {string} id
 */
export function install(modules, exports, id) {
  const { __indirect_function_table: table } = exports;
  // Functions have their places in the table for names.
  const get = (/** @type {any} */ _, /** @type {string} */ name) =>
    exports[name] ?? table.get(Number(name));
  for (const module of modules)
    if (module) new WebAssembly.Instance(module, { [id]: new Proxy({}, { get }) });
}

export class Rest {
  /** @type {Record<string, any>} of the first file */
  #exports = {};
  #placeholders;
  /** The engine's stack pointer where the innermost call from outside began. */
  #outermost = 0;
  #depth = 0;
  /** Whether something has needed a file that was left out. */
  isMissing = false;
  /** What has failed because a file was left out. @type {Map<unknown, unknown>} */
  #missed = new Map();
  /** In the order of laterFiles; null: left out. @type {(WebAssembly.Module | null)[]} */
  modules = [];

  /** @param {Shared} [shared] */
  constructor(shared = {}) {
    this.#placeholders = placeholders((index, file) => {
      if (this.modules[file]) return index; // a file that was installed before this one has the placeholder
      this.isMissing = true;
      this.leave();
      throw leftOut(file);
    }, shared);
  }

  /** What the first file imports. */
  get imports() {
    return this.#placeholders.imports;
  }

  /** @param {WebAssembly.Instance} instance of the first file */
  attach(instance) {
    this.#exports = instance.exports;
    if (!this.#exports.hlo_api_describe)
      throw new HloError('what load({ wasm }) was given is WebAssembly, but not this engine');
    this.#outermost = this.#exports.__stack_pointer.value;
  }

  /** @param {(WebAssembly.Module | null)[]} modules in the order of laterFiles; null: left out */
  install(modules) {
    try {
      install(modules, this.#exports, this.#placeholders.id());
    } catch (error) {
      throw new HloError(
        `the engine's files are of different builds: ${/** @type {any} */ (error)?.message ?? error}`,
      );
    }
    this.modules = modules;
  }

  /**
   * Calls a function that may need a file that was left out: if it did, it is not called again. What the engine was about
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

  /** An exception has left the engine: the calls under way, back to the innermost from outside, have ended. */
  leave() {
    this.#exports.__stack_pointer.value = this.#outermost;
  }
}
