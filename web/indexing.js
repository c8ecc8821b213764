// Indexing maps of instructions, as text, as data, and evaluated at single elements.
import { DisposedError, HloError } from './errors.js';
import { IndexingFlag } from './exports.js';
import { checkOptions, nameOf } from './options.js';

/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./engine.js').ShapeInfo} ShapeInfo */

/**
 * @typedef {object} IndexingOptions
 * @property {string} [computation] by default the entry
 * @property {string} [instruction] by default the root
 * @property {string} [target] the maps to (or from) this instruction instead of the operands
 * @property {boolean} [toParameters] the maps to (or from) the computation's parameters
 * @property {boolean} [toAll] the maps to every instruction that the result depends on; with inputToOutput, to every
 *   instruction that depends on this one
 * @property {number} [inputToOutput] the inverse maps: from this operand (or parameter) to the results
 * @property {number} [output] one leaf of the result; by default each
 * @property {boolean} [physical] between positions in memory instead of indices
 */

/**
 * @typedef {object} IndexRange both ends included
 * @property {number} lower
 * @property {number} upper
 */
/**
 * @typedef {IndexRange & { producer: string, output: number, position: string[] }} RuntimeRange a value known only when
 *   the program runs: the element at `position` of that instruction's result (of leaf `output`, when it is a tuple)
 */
/**
 * @typedef {object} IndexingMap
 * @property {string} text as XLA prints it
 * @property {IndexRange[]} dimensions d0, d1, …: the index that is mapped
 * @property {IndexRange[]} ranges s0, s1, …: every value is taken
 * @property {RuntimeRange[]} runtime rt0, rt1, …
 * @property {string[]} results one expression for each dimension of the array mapped to
 * @property {(IndexRange & { expression: string })[]} constraints
 */
/** @typedef {{ name: string, leaf: number, shape: ShapeInfo }} IndexingEnd an array: a leaf of an instruction's result */
/**
 * @typedef {object} IndexingEntry the maps between two arrays
 * @property {IndexingEnd} from
 * @property {IndexingEnd} to
 * @property {boolean} unknown no map is known
 * @property {IndexingMap[]} maps none, and not unknown: no element is read
 */

const OPTIONS = 'computation instruction target toParameters toAll inputToOutput output physical';

/** The maps from one instruction to others. Freed by dispose(), or some time after it became garbage. */
export class Indexing {
  #engine;
  #handle;
  #module;

  /**
   * @param {Engine} engine
   * @param {{ handle: number }} module kept alive; its handle is checked before every use
   * @param {IndexingOptions} [options]
   */
  constructor(engine, module, options = {}) {
    this.#engine = engine;
    this.#module = module;
    this.#handle = open(engine, module.handle, options);
    engine.registry.register(
      this,
      { destroy: 'hlo_api_indexing_destroy', handle: this.#handle },
      this,
    );
    engine.count('hlo_api_indexing_describe', this.#handle);
    const described = JSON.parse(engine.text());
    /** @type {string} */
    this.computation = described.computation;
    /** @type {string} */
    this.instruction = described.instruction;
    /** @type {IndexingEntry[]} */
    this.entries = described.entries.map((/** @type {any} */ { from, to, unknown, maps }) => ({
      from: described.ends[from],
      to: described.ends[to],
      unknown,
      maps,
    }));
  }

  /** The text of all maps, for an instruction. @param {Engine} engine @param {number} module @param {IndexingOptions} options */
  static print(engine, module, options) {
    const handle = open(engine, module, options);
    try {
      engine.count('hlo_api_indexing_print', handle);
      return engine.text();
    } finally {
      engine.call('hlo_api_indexing_destroy', handle);
    }
  }

  /**
   * The elements that an entry's maps give for one index: those that this element of the result is computed from or, for inverse
   * maps, those that are computed from it. Fast enough to call at every mouse move.
   * @param {number} entry its place in `entries`
   * @param {number[]} index
   * @param {{ limit?: number }} [options] the most elements wanted; by default 4096
   * @returns {{ indices: number[][], complete: boolean }} complete: false when there are more, or nothing is known. Where
   *   values of the running program decide, all elements that could be meant.
   */
  at(entry, index, options = {}) {
    checkOptions('at', options, 'limit');
    const { limit = 4096 } = options;
    void this.#module.handle; // throws when it is disposed
    if (this.#handle === 0) throw new DisposedError('indexing');
    if (this.entries[entry] === undefined)
      throw new HloError(`there is no indexing entry ${nameOf(entry)}`);
    if (!Array.isArray(index))
      throw new HloError(`an index is a list of integers, got ${nameOf(index)}`);
    const complete = this.#engine.count(
      'hlo_api_indexing_elements',
      this.#handle,
      entry,
      Float64Array.from(index),
      index.length,
      limit,
    );
    /** @type {Set<number>} */
    const positions = new Set(JSON.parse(this.#engine.text()));
    const { dims } = this.entries[entry].to.shape;
    const indices = [...positions].map((position) => {
      const place = new Array(dims.length);
      for (let d = dims.length - 1; d >= 0; d--) {
        place[d] = position % dims[d];
        position = Math.floor(position / dims[d]);
      }
      return place;
    });
    return { indices, complete: complete === 1 };
  }

  /** Frees the memory. */
  dispose() {
    if (this.#handle === 0) return;
    this.#engine.registry.unregister(this);
    this.#engine.call('hlo_api_indexing_destroy', this.#handle);
    this.#handle = 0;
  }

  /** For `using`, where JavaScript has it: the same as dispose(). */
  [Symbol.dispose]() {
    this.dispose();
  }
}

/** @param {Engine} engine @param {number} module @param {IndexingOptions} options */
function open(engine, module, options) {
  checkOptions('indexing', options, OPTIONS);
  const { computation = '', instruction = '', target = '', inputToOutput, output = -1 } = options;
  const flags =
    (options.physical ? IndexingFlag.PHYSICAL : 0) |
    (inputToOutput !== undefined ? IndexingFlag.INPUT_TO_OUTPUT : 0) |
    (options.toParameters ? IndexingFlag.TO_PARAMETERS : 0) |
    (options.toAll ? IndexingFlag.TO_ALL : 0);
  return engine.handle(
    'hlo_api_indexing_create',
    module,
    computation,
    instruction,
    target,
    flags,
    inputToOutput ?? 0,
    output,
  );
}
