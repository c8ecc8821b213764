// Programs of operations and of traced functions, kept by what they were traced for.

/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {{ executable: import('./executable.js').Executable }} Compiled a program, which owns its module */

export const DEFAULT_CACHE_LIMIT = 1000; // programs cached per engine or function

/** @param {Compiled} compiled */
export function disposeTraced({ executable }) {
  const { module } = executable;
  executable.dispose();
  module.dispose();
}

/**
 * Compiled programs by key: least recently used, approximately. Below half the limit, hits do not update the order.
 * @template {Compiled} T
 */
export class ProgramCache {
  /** @type {Map<string, T>} */
  #entries = new Map();
  static #caches = 0;
  #number = ProgramCache.#caches++;
  #engine;
  #limit;

  /** @param {Engine} engine @param {number} [limit] */
  constructor(engine, limit = DEFAULT_CACHE_LIMIT) {
    this.#engine = engine;
    this.#limit = limit;
    engine.caches.add(this);
  }

  get size() {
    return this.#entries.size;
  }

  /** @param {string} key @param {() => T} build */
  get(key, build) {
    let entry = this.#entries.get(key);
    if (entry) {
      if (this.#entries.size <= this.#limit / 2) return entry; // moving it to the end would cost a tenth of a call
      this.#entries.delete(key);
    } else entry = this.#engine.parts.guard(`program ${this.#number} ${key}`, build);
    this.#entries.set(key, entry);
    if (this.#entries.size > this.#limit) {
      const [oldest, traced] = /** @type {[string, T]} */ (this.#entries.entries().next().value);
      this.#entries.delete(oldest);
      disposeTraced(traced);
    }
    return entry;
  }

  clear() {
    for (const traced of this.#entries.values()) disposeTraced(traced);
    this.#entries.clear();
  }
}

/** An engine's caches. One whose function is forgotten goes with it. */
export class CacheSet {
  /** @type {Set<WeakRef<{ clear(): void }>>} */
  #refs = new Set();
  /** @type {FinalizationRegistry<WeakRef<{ clear(): void }>>} */
  #collected = new FinalizationRegistry((ref) => this.#refs.delete(ref));

  /** @param {{ clear(): void }} cache */
  add(cache) {
    const ref = new WeakRef(cache);
    this.#refs.add(ref);
    this.#collected.register(cache, ref);
  }

  clear() {
    for (const ref of this.#refs) ref.deref()?.clear();
  }
}
