// Indexing maps of instructions, as text, as data, and evaluated at single elements.
import { DisposedError, HloError } from './errors.js';
import { IndexingFlag } from './exports.js';
import { IndexingMap } from './indexing_map.js';
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
 * @typedef {IndexRange & { name: string, producer: string, output: number, position: string[] }} RuntimeRange a value known only when
 *   the program runs: the element at `position` of that instruction's result (of leaf `output`, when it is a tuple)
 */
/**
 * @typedef {object} IndexingMapInfo a map as data: hlo.indexingMap(map.text) makes a value of it
 * @property {string} text as XLA prints it
 * @property {(IndexRange & { name: string })[]} dimensions d0, d1, …: the index that is mapped
 * @property {(IndexRange & { name: string })[]} ranges s0, s1, …: every value is taken
 * @property {RuntimeRange[]} runtime rt0, rt1, …
 * @property {string[]} results one expression for each dimension of the array mapped to
 * @property {(IndexRange & { expression: string })[]} constraints
 */
/**
 * @typedef {object} Utilization how much of an array is read, and how often
 * @property {number} elements in the array
 * @property {number} distinct of them are read when everything is computed; Infinity: no bound is known
 * @property {number} reads in all, when each element is computed on its own; Infinity: no bound is known
 * @property {boolean} exact otherwise the last two are upper bounds
 */
/**
 * @typedef {object} LoopStride what one loop does in the memory of the array that is read
 * @property {string} loop d0, s1, …
 * @property {number} iterations
 * @property {number | null} stride elements from one iteration to the next; null: neighbours lie anywhere
 * @property {number} run the stride does not hold onto multiples of this; Infinity: it always holds
 * @property {boolean} guarded some iterations may be outside of the domain
 */
/**
 * @typedef {object} Coalescing
 * @property {LoopStride[]} loops those of the order given that the map has, from the outside in
 * @property {boolean} coalesced neighbouring iterations of the innermost loop that has more than one read neighbouring elements, or
 *   the same one
 */
/**
 * @typedef {object} Tile the elements offset + i * stride, i below size, along each dimension
 * @property {{ offset: string, size: number, stride: number }[]} dims offsets are expressions over the tile's numbers d0, d1, …
 * @property {boolean} exact every element is needed; otherwise some only lie between those that are
 * @property {boolean} guarded some tile numbers need less of it: at an array's end, say
 * @property {(IndexRange & { expression: string })[]} constraints where elements of it are needed: over the numbers d0, … of the result's
 *   tile, and s0, …, which are that tile's elements and after them the map's own ranges
 * @property {string[]} runtime the instructions that rt0, rt1, … are read from
 */
/**
 * @typedef {object} SymbolicTile a tile whose sizes are left open: for those that keep to the constraints
 * @property {{ offset: string, size: string, stride: number }[]} dims expressions over the offsets d0, d1, … of the result's tile, in elements,
 *   and its sizes s0, s1, …
 * @property {boolean} exact as of a Tile
 * @property {boolean} guarded parts of the tile may lie outside of the map's domain
 * @property {(IndexRange & { expression: string })[]} constraints
 * @property {string[]} runtime the instructions that rt0, rt1, … are read from
 */
/** @typedef {{ name: string, leaf: number, shape: ShapeInfo }} IndexingEnd an array: a leaf of an instruction's result */
/**
 * @typedef {object} IndexingEntry the maps between two arrays
 * @property {IndexingEnd} from
 * @property {IndexingEnd} to
 * @property {boolean} unknown no map is known
 * @property {IndexingMapInfo[]} maps none, and not unknown: no element is read
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
    const handle = this.#handleFor(entry);
    if (!Array.isArray(index))
      throw new HloError(`an index is a list of integers, got ${nameOf(index)}`);
    const complete = this.#engine.count(
      'hlo_api_indexing_elements',
      handle,
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

  /**
   * Operand utilisation: how much of the array that an entry leads to is read, and how often, when all of the array that it leads
   * from is computed.
   * @param {number} entry its place in `entries`
   * @returns {Utilization}
   */
  utilization(entry) {
    this.#engine.count('hlo_api_indexing_utilization', this.#handleFor(entry), entry);
    const { distinct, reads, ...others } = JSON.parse(this.#engine.text());
    return { ...others, distinct: distinct ?? Infinity, reads: reads ?? Infinity };
  }

  /**
   * Coalescing: the steps in memory of each of an entry's maps, in an order of loops over its variables.
   * @param {number} entry its place in `entries`
   * @param {string[]} [loops] from the outside in; by default the dimensions, then the ranges
   * @returns {Coalescing[]} one for each map
   */
  coalescing(entry, loops) {
    const handle = this.#handleFor(entry);
    const { maps } = this.entries[entry];
    const most = (/** @type {'dimensions' | 'ranges'} */ kind) =>
      Math.max(0, ...maps.map((map) => map[kind].length));
    const names = loops ?? [
      ...Array.from({ length: most('dimensions') }, (_, d) => `d${d}`),
      ...Array.from({ length: most('ranges') }, (_, s) => `s${s}`),
    ];
    const codes = loopCodes(names, most('dimensions'), most('ranges'));
    this.#engine.count(
      'hlo_api_indexing_strides',
      handle,
      entry,
      Float64Array.from(codes),
      codes.length,
    );
    return JSON.parse(this.#engine.text()).map((/** @type {any[]} */ list) => {
      const strides = list.map(({ kind, index, known, stride, run, ...others }) => ({
        loop: `${kind === 'dimension' ? 'd' : 's'}${index}`,
        ...others,
        stride: known ? stride : null,
        run: run ?? Infinity,
      }));
      const innermost = strides.findLast(({ iterations }) => iterations > 1);
      return {
        loops: strides,
        coalesced:
          innermost === undefined || (innermost.stride !== null && Math.abs(innermost.stride) <= 1),
      };
    });
  }

  /**
   * Tile propagation: the array that an entry leads from is cut into tiles of these sizes, numbered along each dimension; which tile
   * of the other array does each need? With `at`, for the tile of these numbers: offsets are then numbers where no runtime value
   * decides.
   * @param {number} entry its place in `entries`
   * @param {number[]} sizes one for each dimension
   * @param {{ at?: number[] }} [options]
   * @returns {(Tile | null)[]} one for each map; null: no offset, size and stride describe it
   */
  tiles(entry, sizes, options = {}) {
    checkOptions('tiles', options, 'at');
    const handle = this.#handleFor(entry);
    const { dims } = this.entries[entry].from.shape;
    checkIntegers('sizes', sizes, dims.length, 1);
    this.#engine.count(
      'hlo_api_indexing_tiles',
      handle,
      entry,
      Float64Array.from(sizes),
      sizes.length,
    );
    /** @type {(Tile | null)[]} */
    const tiles = JSON.parse(this.#engine.text());
    const { at } = options;
    if (at === undefined) return tiles;
    checkIntegers('at', at, dims.length, 0);
    at.forEach((number, d) => {
      if (number * sizes[d] >= dims[d])
        throw new HloError(
          `dimension ${d} of ${dims[d]} elements has no tile ${number} of ${sizes[d]}`,
        );
    });
    return tiles.map((tile) => tile && this.#placed(tile, at));
  }

  /**
   * Tile propagation with sizes left open: which tile of the other array does a tile at d0, d1, … of sizes s0, s1, … need? Where that
   * depends on the sizes, there are several cases, each with its constraints.
   * @param {number} entry its place in `entries`
   * @returns {SymbolicTile[][]} the cases for each map; none: no offset, size and stride describe it
   */
  symbolicTiles(entry) {
    this.#engine.count('hlo_api_indexing_symbolic_tiles', this.#handleFor(entry), entry);
    return JSON.parse(this.#engine.text());
  }

  /** A tile's offsets for one tile number. @param {Tile} tile @param {number[]} at @returns {Tile} */
  #placed(tile, at) {
    const dimensions = at.map((_, d) => `d${d}`).join(', ');
    const runtime = tile.runtime.map((_, i) => `rt${i}`).join(', ');
    const text = `(${dimensions}){${runtime}} -> (${tile.dims.map(({ offset }) => offset).join(', ')})`;
    const map = IndexingMap.parse(this.#engine, text);
    const placed = map.intersect(
      at.map((number, d) => `d${d} in [${number}, ${number}]`).join(', '),
    );
    const simple = placed.simplify();
    const dims = tile.dims.map((dim, d) => ({ ...dim, offset: simple.results[d] }));
    for (const it of [map, placed, simple]) it.dispose();
    return { ...tile, dims };
  }

  /** The handle, checked with the number of an entry. @param {number} entry */
  #handleFor(entry) {
    void this.#module.handle; // throws when it is disposed
    if (this.#handle === 0) throw new DisposedError('indexing');
    if (this.entries[entry] === undefined)
      throw new HloError(`there is no indexing entry ${nameOf(entry)}`);
    return this.#handle;
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

/**
 * @param {string} what
 * @param {number[]} list
 * @param {number} length
 * @param {number} least
 */
function checkIntegers(what, list, length, least) {
  const isList = Array.isArray(list) && list.every((x) => Number.isSafeInteger(x) && x >= least);
  if (!isList || list.length !== length)
    throw new HloError(
      `${what} are ${length} integers of at least ${least}, got ${isList ? `${list.length} of them` : nameOf(list)}`,
    );
}

/**
 * Loops as the engine takes them: a dimension's number, or -1 - a range's.
 * @param {string[]} names
 * @param {number} dimensions
 * @param {number} ranges
 * @returns {number[]}
 */
function loopCodes(names, dimensions, ranges) {
  if (!Array.isArray(names))
    throw new HloError(`loops are a list such as ['d0', 's0'], got ${nameOf(names)}`);
  return names.map((name, i) => {
    const [, kind, number] = /^(d|s)(\d+)$/.exec(String(name)) ?? [];
    const isThere = kind !== undefined && Number(number) < (kind === 'd' ? dimensions : ranges);
    if (!isThere || names.indexOf(name) < i)
      throw new HloError(
        `a loop is d0 … or s0 …, each at most once, for ${dimensions} dimensions and ${ranges} ranges, got ${nameOf(name)}`,
      );
    return kind === 'd' ? Number(number) : -1 - Number(number);
  });
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
