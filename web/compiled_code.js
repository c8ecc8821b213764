// Code that the engine made for an executable's fusions: compiled here, put into the engine's table, and taken out of
// it again. Until it is ready, and where a page may not compile code, programs run without. Must not know programs.

/** @typedef {import('./engine.js').Engine} Engine */

/** Up to this size compiling takes at most a few milliseconds (33 to 78 µs per KB in V8), and the first run is fast. */
const COMPILED_AT_ONCE = 65536;

export class CompiledCode {
  #engine;
  /** @type {number[]} */
  #slots = [];
  #released = false;

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
   * Not an async function, so that small code is in place when this returns.
   * @param {number} executable
   * @param {number} count
   * @param {Uint8Array<ArrayBuffer>} bytes
   * @returns {Promise<boolean>}
   */
  #compile(executable, count, bytes) {
    if (bytes.length <= COMPILED_AT_ONCE) {
      try {
        return Promise.resolve(this.#install(executable, count, new WebAssembly.Module(bytes)));
      } catch {
        // Some browsers compile only very small modules this way on a page's main thread.
      }
    }
    return WebAssembly.compile(bytes).then(
      (module) => this.#install(executable, count, module),
      () => false,
    );
  }

  /**
   * @param {number} executable
   * @param {number} count
   * @param {WebAssembly.Module} module
   */
  #install(executable, count, module) {
    if (this.#released) return false;
    const { exports } = new WebAssembly.Instance(module, this.#engine.codeImports);
    const functions = Array.from({ length: count }, (_, i) => exports[i]);
    this.#slots = this.#engine.addFunctions(functions);
    if (this.#engine.call('hlo_api_executable_has_parts', executable))
      this.#engine.threads.install(this.#engine, module, this.#slots);
    this.#engine.call('hlo_api_executable_install', executable, count, this.#slots);
    return true;
  }

  /** Gives the places in the table back: before the executable is destroyed, and once. */
  release() {
    this.#released = true;
    this.#engine.removeFunctions(this.#slots);
    this.#slots = [];
  }
}
