// The engine's later files, with what is not needed at once, or seldom: found and instantiated before anybody waits for them,
// or at the first call of one of their functions. Until then placeholders stand in the engine's table. Must not know what the
// functions do.
import { HloError } from './errors.js';

const NOT_LOADED = 'not loaded';

/** @typedef {'programs' | 'text' | 'rest'} LaterFile */

/** In the order in which they are installed. @type {LaterFile[]} */
export const laterFiles = ['programs', 'text', 'rest'];

/** What the engine's modules import beside each other: the memory, if other threads share it. @typedef {Record<string, any>} Shared */

/**
 * What an instance of the engine's first file imports. All files import under one name, which differs from build to build.
 * @param {(index: number, file: number) => number} load called instead of the function at that place in the table, which is
 *   in that one of the later files: when it gives the place back, the function is there
 * @param {Shared} shared
 * @returns {{ imports: any, id(): string }} id: that name, once the module has been instantiated
 */
export function placeholders(load, shared) {
  let id = '';
  const get = (/** @type {any} */ _, /** @type {string} */ name) => {
    if (name in shared) return shared[name];
    id = name;
    return Object.fromEntries(
      laterFiles.map((each, file) => [each, (/** @type {number} */ index) => load(index, file)]),
    );
  };
  return { imports: new Proxy({}, { get }), id: () => id };
}

/**
 * Puts a later file's functions where placeholders stand.
 * @param {WebAssembly.Module} module the file; those before it are installed
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
 * The ways to have a later file. At least one of them exists.
 * @typedef {object} RestSource
 * @property {string} name for messages
 * @property {() => WebAssembly.Module} [now] at once, while everything else stands still
 * @property {(signal?: AbortSignal) => Promise<WebAssembly.Module>} [later]
 */

export class Rest {
  /** @type {Record<string, any>} of the first file */
  #exports = {};
  /** In the order in which they are installed. @type {RestSource[]} */
  #sources = [];
  /** @type {AbortController | undefined} */
  #fetching;
  #placeholders;
  #outermost = 0;
  /** Whether one was needed and could not be had the last time. */
  isMissing = false;
  /** What has failed because a file was missing. @type {Set<unknown>} */
  #missed = new Set();
  /** The later files that are there. @type {WebAssembly.Module[]} */
  modules = [];

  /** @param {Shared} [shared] */
  constructor(shared = {}) {
    this.#placeholders = placeholders((index, file) => {
      while (this.modules.length <= file) this.#loadNow();
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
    if (!this.#exports.hlo_api_describe)
      throw new HloError('what load({ wasm }) was given is WebAssembly, but not this engine');
    this.#outermost = this.#exports.__stack_pointer.value;
  }

  /**
   * From now on the later files can be had. They are loaded in the background if that works, and waited for where nothing else
   * would.
   * @param {RestSource[]} sources
   * @param {boolean} [wait] in any case
   */
  async start(sources, wait = false) {
    this.#sources = sources;
    // Up to the last that cannot be had at once.
    const awaited = wait ? sources.length : sources.findLastIndex(({ now }) => !now) + 1;
    while (this.modules.length < awaited) {
      if (this.#next?.later === undefined) this.#loadNow();
      else await this.#loadLater().catch((error) => this.#fail(error));
    }
    // What the page does next comes first.
    if (sources.some(({ later }) => later)) setTimeout(() => this.#loadAll(), 0);
  }

  /** The file to be installed next. */
  get #next() {
    return this.#sources[this.modules.length];
  }

  async #loadAll() {
    for (let next; (next = this.#next);) {
      try {
        if (next.later) await this.#loadLater();
        else this.#loadNow();
      } catch {
        // It was needed before it came, and is there; or it fails again when it is needed, and is told then.
      }
      if (next === this.#next) return;
    }
  }

  /**
   * Calls a function that may need a later file: if it did in vain, it is not called again before the file is there. What
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
    // One that is under way might not end before this function does.
    this.#fetching?.abort();
    try {
      if (this.#next?.now === undefined) throw new HloError('it can only be loaded beforehand');
      this.#install(this.#next.now());
    } catch (error) {
      this.isMissing = true;
      this.#exports.__stack_pointer.value = this.#outermost; // the calls under way end here
      this.#fail(error);
    }
  }

  async #loadLater() {
    const source = this.#next;
    this.#fetching = new AbortController();
    const module = await source?.later?.(this.#fetching.signal);
    this.#fetching = undefined;
    if (module && source === this.#next) this.#install(module);
  }

  /** @param {WebAssembly.Module} module puts its functions where the placeholders stand */
  #install(module) {
    install(module, this.#exports, this.#placeholders.id());
    this.modules.push(module);
    this.isMissing = false;
    this.#missed.clear();
  }

  /** @param {any} error @returns {never} */
  #fail(error) {
    throw new HloError(
      `a later file of the engine is needed and cannot be loaded from ${this.#next?.name}: ${error?.message ?? error}`,
      NOT_LOADED,
    );
  }
}
