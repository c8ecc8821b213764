// The engine's table of functions: places for those that hosts and generated code add.

const GROWTH = 16; // places added at a time

export class FunctionTable {
  /** @type {WebAssembly.Exports} */
  #exports;
  /** @type {number[]} */
  #free = [];

  /** @param {WebAssembly.Exports} exports of the engine */
  constructor(exports) {
    this.#exports = exports;
  }

  /** @returns {WebAssembly.Table} */
  get #table() {
    return /** @type {WebAssembly.Table} */ (this.#exports.__indirect_function_table);
  }

  /** The imports of modules that the engine generated: its memory, and its functions by their places. */
  get imports() {
    const table = this.#table;
    const functions = new Proxy({}, { get: (_, index) => table.get(Number(index)) });
    return { e: { m: this.#exports.memory }, f: functions };
  }

  /** @param {unknown[]} functions of WebAssembly @returns {number[]} their places */
  add(functions) {
    const table = this.#table;
    const missing = functions.length - this.#free.length;
    if (missing > 0) {
      const added = Math.max(missing, GROWTH);
      const first = table.grow(added);
      for (let i = added; i-- > 0;) this.#free.push(first + i);
    }
    return functions.map((f) => {
      const place = /** @type {number} */ (this.#free.pop());
      table.set(place, f);
      return place;
    });
  }

  /** @param {number[]} places that add gave */
  remove(places) {
    for (const place of places) this.#table.set(place, null);
    this.#free.push(...places);
  }
}
