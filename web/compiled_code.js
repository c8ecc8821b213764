// WebAssembly that the engine generated for an executable's fusions: compiles it and installs it in the engine's table. Until
// then, and where a page may not compile code, programs run instruction by instruction.

/** @typedef {import('./engine.js').Engine} Engine */

/**
 * Code up to this size is compiled synchronously, so that the first run is fast (33 to 78 µs per KB in V8). On a page that is a
 * few milliseconds; elsewhere there is no display to block.
 */
const MAX_SYNCHRONOUS_BYTES = 'document' in globalThis ? 65536 : 1 << 20;
const BYTES_PER_MS = 13000;

export class CompiledCode {
  #engine;
  /** @type {number[]} */
  #slots = [];
  #released = false;
  /**
   * While code is compiled asynchronously: how many ms runs may take without it, in total, before it is compiled synchronously
   * after all. A caller that never yields to the event loop would never get it.
   */
  patience = 0;
  /** Compiles and installs the code synchronously. */
  #compileNow = () => false;

  /**
   * @param {Engine} engine
   * @param {number} executable its handle; it must not be destroyed before release()
   */
  constructor(engine, executable) {
    this.#engine = engine;
    const shared = engine.threads.sharesMemory ? 1 : 0;
    const count = engine.count('hlo_api_executable_code', executable, shared);
    /** @type {Promise<boolean>} resolves when the code is in place: true, or will not be: false */
    this.ready = Promise.resolve(false);
    if (count > 0) this.ready = this.#compile(executable, count, engine.bytes());
  }

  /**
   * Not an async function, so that small code is installed when this returns.
   * @param {number} executable
   * @param {number} count
   * @param {Uint8Array<ArrayBuffer>} bytes
   * @returns {Promise<boolean>}
   */
  #compile(executable, count, bytes) {
    this.#compileNow = () => {
      const module = new WebAssembly.Module(bytes);
      const instance = new WebAssembly.Instance(module, this.#engine.table.imports);
      return this.#install(executable, count, module, instance);
    };
    if (bytes.length <= MAX_SYNCHRONOUS_BYTES) {
      try {
        return Promise.resolve(this.#compileNow());
      } catch {
        // Some browsers compile only very small modules synchronously on a page's main thread.
      }
    }
    this.patience = bytes.length / BYTES_PER_MS;
    return this.#compileLater(executable, count, bytes).catch(() => false);
  }

  /**
   * Compiles and instantiates asynchronously: on a page's main thread Chromium refuses both for a module of more than 8 MB.
   * @param {number} executable
   * @param {number} count
   * @param {Uint8Array<ArrayBuffer>} bytes
   */
  async #compileLater(executable, count, bytes) {
    const module = await WebAssembly.compile(bytes);
    if (this.#released) return false;
    const instance = await WebAssembly.instantiate(module, this.#engine.table.imports);
    return this.#install(executable, count, module, instance);
  }

  /** @param {number} ms that a run took without code */
  spendPatience(ms) {
    this.patience -= ms;
    if (this.patience > 0) return;
    try {
      this.#compileNow();
    } catch {
      this.patience = 0; // as above: it is ready when the promise resolves
    }
  }

  /**
   * @param {number} executable
   * @param {number} count
   * @param {WebAssembly.Module} module
   * @param {WebAssembly.Instance} instance of it
   */
  #install(executable, count, module, { exports }) {
    if (this.#released) return false;
    this.patience = 0;
    if (this.#slots.length > 0) return true;
    const functions = Array.from({ length: count }, (_, i) => exports[i]);
    this.#slots = this.#engine.table.add(functions);
    if (this.#engine.call('hlo_api_executable_has_parts', executable))
      this.#engine.threads.install(this.#engine, module, this.#slots);
    this.#engine.call('hlo_api_executable_install', executable, count, this.#slots);
    return true;
  }

  /** Frees the table slots. Called once, before the executable is destroyed. */
  release() {
    this.#released = true;
    this.#engine.table.remove(this.#slots);
    this.#slots = [];
  }
}
