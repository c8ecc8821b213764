// Programs of operations and of traced functions, kept by what they were traced for.

/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./trace.js').Traced} Traced */

export const DEFAULT_CACHE_LIMIT = 1000; // programs cached per engine or function

/** @param {Traced} traced */
export function disposeTraced({ executable }) {
  const { module } = executable;
  executable.dispose();
  module.dispose();
}

/** Compiled programs by key: least recently used, approximately. Below half the limit, hits do not update the order. */
export class ProgramCache {
  /** @type {Map<string, Traced>} */
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

  /** @param {string} key @param {() => Traced} build */
  get(key, build) {
    let entry = this.#entries.get(key);
    if (entry) {
      if (this.#entries.size <= this.#limit / 2) return entry; // moving it to the end would cost a tenth of a call
      this.#entries.delete(key);
    } else entry = this.#engine.parts.guard(`program ${this.#number} ${key}`, build);
    this.#entries.set(key, entry);
    if (this.#entries.size > this.#limit) {
      const [oldest, traced] = /** @type {[string, Traced]} */ (
        this.#entries.entries().next().value
      );
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
  /** @type {Set<WeakRef<ProgramCache>>} */
  #refs = new Set();
  /** @type {FinalizationRegistry<WeakRef<ProgramCache>>} */
  #collected = new FinalizationRegistry((ref) => this.#refs.delete(ref));

  /** @param {ProgramCache} cache */
  add(cache) {
    const ref = new WeakRef(cache);
    this.#refs.add(ref);
    this.#collected.register(cache, ref);
  }

  clear() {
    for (const ref of this.#refs) ref.deref()?.clear();
  }
}
