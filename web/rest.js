// The engine's second file, with what is needed seldom: found and instantiated before anybody waits for it, or at the first
// call of one of its functions. Until then placeholders stand in the engine's table. Must not know what the functions do.
import { HloError } from './errors.js';

const NOT_LOADED = 'not loaded';

/** What the engine's modules import beside each other: the memory, if other threads share it. @typedef {Record<string, any>} Shared */

/**
 * What an instance of the engine's first file imports. Both files import under one name, which differs from build to build.
 * @param {(index: number) => number} load called instead of the function at that place in the table: when it gives the
 *   place back, the function is there
 * @param {Shared} shared
 * @returns {{ imports: any, id(): string }} id: that name, once the module has been instantiated
 */
export function placeholders(load, shared) {
  let id = '';
  const get = (/** @type {any} */ _, /** @type {string} */ name) => {
    if (name in shared) return shared[name];
    id = name;
    return { rest: load };
  };
  return { imports: new Proxy({}, { get }), id: () => id };
}

/**
 * Puts the second file's functions where placeholders stand.
 * @param {WebAssembly.Module} module the second file
 * @param {Record<string, any>} exports of the first
 * @param {string} id
 */
export function install(module, exports, id) {
  const { __indirect_function_table: table } = exports;
  // Functions have their places in the table for names.
  const get = (/** @type {any} */ _, /** @type {string} */ name) =>
    exports[name] ?? table.get(Number(name));
  new WebAssembly.Instance(module, { [id]: new Proxy({}, { get }) });
}

/**
 * The ways to have the second file. At least one of them exists.
 * @typedef {object} RestSource
 * @property {string} name for messages
 * @property {() => WebAssembly.Module} [now] at once, while everything else stands still
 * @property {(signal?: AbortSignal) => Promise<WebAssembly.Module>} [later]
 */

export class Rest {
  /** @type {Record<string, any>} of the first file */
  #exports = {};
  /** @type {RestSource | undefined} */
  #source;
  /** @type {AbortController | undefined} */
  #fetching;
  #placeholders;
  #outermost = 0;
  /** Whether it was needed and could not be had the last time. */
  isMissing = false;
  /** What has failed because the second file was missing. @type {Set<unknown>} */
  #missed = new Set();
  /** Set when the second file is there. @type {WebAssembly.Module | undefined} */
  module;

  /** @param {Shared} [shared] */
  constructor(shared = {}) {
    this.#placeholders = placeholders((index) => {
      this.#loadNow();
      return index;
    }, shared);
  }

  /** What the first file imports. */
  get imports() {
    return this.#placeholders.imports;
  }

  /** @param {WebAssembly.Instance} instance of the first file */
  attach(instance) {
    this.#exports = instance.exports;
    this.#outermost = this.#exports.__stack_pointer.value;
  }

  /**
   * From now on the second file can be had. It is loaded in the background if that works, and waited for where nothing else
   * would.
   * @param {RestSource} source
   * @param {boolean} [wait] in any case
   */
  async start(source, wait = false) {
    this.#source = source;
    if (source.later === undefined) {
      if (wait) this.#loadNow();
    } else if (wait || source.now === undefined) {
      await this.#loadLater(source.later).catch((error) => this.#fail(error));
    } else {
      // What the page does next comes first. Whatever goes wrong does so again when a function is called, and is told then.
      setTimeout(() => this.#loadLater(source.later).catch(() => {}), 0);
    }
  }

  /**
   * Calls a function that may need the second file: if it did in vain, it is not called again before the file is there. What
   * the engine was about then stays in its memory, so it must not happen again and again.
   * @template T
   * @param {unknown} what the same for the same work
   * @param {() => T} body
   * @returns {T}
   */
  guard(what, body) {
    if (this.#missed.has(what)) this.#loadNow();
    try {
      return body();
    } catch (error) {
      if (/** @type {any} */ (error)?.code === NOT_LOADED) this.#missed.add(what);
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
    this.#outermost = this.#exports.__stack_pointer.value;
    try {
      return body();
    } finally {
      this.#outermost = outer;
    }
  }

  #loadNow() {
    if (this.module) return;
    // One that is under way might not end before this function does.
    this.#fetching?.abort();
    try {
      if (this.#source?.now === undefined) throw new HloError('it can only be loaded beforehand');
      this.#install(this.#source.now());
    } catch (error) {
      this.isMissing = true;
      this.#exports.__stack_pointer.value = this.#outermost; // the calls under way end here
      this.#fail(error);
    }
  }

  /** @param {RestSource['later']} later */
  async #loadLater(later) {
    if (this.module) return;
    this.#fetching = new AbortController();
    const module = await later?.(this.#fetching.signal);
    this.#fetching = undefined;
    if (module && !this.module) this.#install(module);
  }

  /** @param {WebAssembly.Module} module puts its functions where the placeholders stand */
  #install(module) {
    install(module, this.#exports, this.#placeholders.id());
    this.module = module;
    this.isMissing = false;
    this.#missed.clear();
  }

  /** @param {any} error @returns {never} */
  #fail(error) {
    throw new HloError(
      `the engine's second file is needed and cannot be loaded from ${this.#source?.name}: ${error?.message ?? error}`,
      NOT_LOADED,
    );
  }
}
