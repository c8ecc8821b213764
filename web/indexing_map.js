// Single indexing maps as values.
import { DisposedError, HloError } from './errors.js';
import { MapStep } from './exports.js';
import { checkOptions, checkText, nameOf } from './options.js';

/** @typedef {import('./engine.js').Engine} Engine */

/** @typedef {{ name: string, lower: number, upper: number }} MapVariable both ends included; without a bound ±Infinity */
/** @typedef {{ expression: string, lower: number, upper: number }} MapConstraint */
/**
 * @typedef {object} MapPoint an assignment in the domain, and where it leads
 * @property {number[]} dimensions
 * @property {number[]} ranges
 * @property {number[]} runtime
 * @property {number[]} results
 */

const LAST = 2 ** 63; // numbers of 64 bits at their ends mean "no bound"

/**
 * A map `(d0, …)[s0, …]{rt0, …} -> (results)` with the domain of its variables: from an index to the elements of another array, one
 * for each value of the ranges s. Immutable. Values are numbers of up to 53 bits. Freed by dispose(), or some time after it became
 * garbage. Source: "Indexing analysis" of XLA's documentation.
 */
export class IndexingMap {
  #engine;
  #handle;

  /**
   * @param {Engine} engine
   * @param {number} handle owned by this object from now on
   */
  constructor(engine, handle) {
    this.#engine = engine;
    this.#handle = handle;
    engine.registry.register(this, { destroy: 'hlo_api_map_destroy', handle }, this);
    engine.count('hlo_api_map_describe', handle);
    const described = JSON.parse(engine.text());
    const bounded = (/** @type {any[]} */ list) =>
      list.map((it) => ({
        ...it,
        lower: it.lower <= -LAST ? -Infinity : it.lower,
        upper: it.upper >= LAST ? Infinity : it.upper,
      }));
    /** As XLA prints it. @type {string} */
    this.text = described.text;
    /** d0, d1, …: the index that is mapped. @type {MapVariable[]} */
    this.dimensions = bounded(described.dimensions);
    /** s0, s1, …: every value is taken. @type {MapVariable[]} */
    this.ranges = bounded(described.ranges);
    /** rt0, rt1, …: one value, known when the program runs. @type {MapVariable[]} */
    this.runtime = bounded(described.runtime);
    /** One expression for each dimension of the array mapped to. @type {string[]} */
    this.results = described.results;
    /** @type {MapConstraint[]} */
    this.constraints = bounded(described.constraints);
    /** Known to map no index at all. @type {boolean} */
    this.isEmpty = described.empty;
  }

  /** @param {Engine} engine @param {string} text */
  static parse(engine, text) {
    return new IndexingMap(engine, engine.handle('hlo_api_map_create', checkText(text, 'a map')));
  }

  /** The engine's handle, for this package. */
  get handle() {
    if (this.#handle === 0) throw new DisposedError('map');
    return this.#handle;
  }

  /** @param {string} name @param {unknown} other @returns {number} the handle of a map of the same engine */
  #handleOf(name, other) {
    if (!(other instanceof IndexingMap))
      throw new HloError(`${name} takes a map of hlo.indexingMap(), got ${nameOf(other)}`);
    if (other.#engine !== this.#engine)
      throw new HloError(`${name} takes a map of the same engine`);
    return other.handle;
  }

  /**
   * The results for one value of each variable.
   * @param {number[]} dimensions
   * @param {number[]} [ranges]
   * @param {number[]} [runtime]
   * @returns {number[] | null} null outside of the domain
   */
  evaluate(dimensions, ranges = [], runtime = []) {
    const values = [
      ...this.#checkValues('dimensions', dimensions, this.dimensions),
      ...this.#checkValues('ranges', ranges, this.ranges),
      ...this.#checkValues('runtime', runtime, this.runtime),
    ];
    const given = Float64Array.from(values);
    this.#engine.count('hlo_api_map_evaluate', this.handle, given, given.length);
    return JSON.parse(this.#engine.text()).results ?? null;
  }

  /**
   * All points, or those of one index: for each value of the ranges and of the runtime variables, where the map leads.
   * @param {{ dimensions?: number[], limit?: number }} [options] limit: the most points wanted; by default 4096
   * @returns {{ points: MapPoint[], complete: boolean }} complete: false when there are more, or variables without bounds
   */
  points(options = {}) {
    checkOptions('points', options, 'dimensions limit');
    const { dimensions, limit = 4096 } = options;
    if (!Number.isInteger(limit) || limit < 0 || limit > 2 ** 24)
      throw new HloError(`limit is a number of points up to ${2 ** 24}, got ${nameOf(limit)}`);
    const given = Float64Array.from(
      dimensions === undefined ? [] : this.#checkValues('dimensions', dimensions, this.dimensions),
    );
    const complete = this.#engine.count(
      'hlo_api_map_points',
      this.handle,
      given,
      given.length,
      limit,
    );
    return { points: JSON.parse(this.#engine.text()), complete: complete === 1 };
  }

  /** @param {string} what @param {number[]} values @param {MapVariable[]} variables @returns {number[]} */
  #checkValues(what, values, variables) {
    const isList = Array.isArray(values) && values.every((value) => Number.isSafeInteger(value));
    if (!isList || values.length !== variables.length)
      throw new HloError(
        `${what} of this map are ${variables.length} integers, got ${isList ? values.length : nameOf(values)}`,
      );
    return values;
  }

  /** This map, then the next one, whose dimensions are this one's results. Not simplified. @param {IndexingMap} next @returns {IndexingMap} */
  compose(next) {
    return this.#derive('hlo_api_map_compose', this.#handleOf('compose', next));
  }

  /** The same relation, written as simply as the ranges allow; variables that nothing depends on go. @returns {IndexingMap} */
  simplify() {
    return this.#derive('hlo_api_map_rewrite', MapStep.SIMPLIFY);
  }

  /** Without ranges and runtime variables that nothing depends on. @returns {IndexingMap} */
  removeUnused() {
    return this.#derive('hlo_api_map_rewrite', MapStep.REMOVE_UNUSED);
  }

  /** A range s under a constraint s mod n in [r, r] becomes s * n + r. @returns {IndexingMap} */
  rescale() {
    return this.#derive('hlo_api_map_rewrite', MapStep.RESCALE);
  }

  /**
   * The map where these constraints hold as well.
   * @param {string} constraints as the lines of a domain are written: "d0 in [0, 3], (d0 + s0) mod 2 in [0, 0]"
   * @returns {IndexingMap}
   */
  intersect(constraints) {
    return this.#derive('hlo_api_map_restrict', checkText(constraints, 'constraints'));
  }

  /**
   * Whether both maps relate the same indices to the same results, however they are written: simplified forms are compared, then
   * points, up to 262,144 of them.
   * @param {IndexingMap} other
   * @returns {boolean | undefined} undefined: the domains have no bounds or too many points to decide it
   */
  equals(other) {
    const relation = this.#engine.count(
      'hlo_api_map_compare',
      this.handle,
      this.#handleOf('equals', other),
    );
    return relation === 2 ? undefined : relation === 1;
  }

  /**
   * @param {'hlo_api_map_compose' | 'hlo_api_map_rewrite' | 'hlo_api_map_restrict'} name
   * @param {any} argument
   */
  #derive(name, argument) {
    return new IndexingMap(this.#engine, this.#engine.handle(name, this.handle, argument));
  }

  toString() {
    return this.text;
  }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    return `IndexingMap ${this.text}`;
  }

  /** Frees the memory. */
  dispose() {
    if (this.#handle === 0) return;
    this.#engine.registry.unregister(this);
    this.#engine.call('hlo_api_map_destroy', this.#handle);
    this.#handle = 0;
  }

  /** For `using`, where JavaScript has it: the same as dispose(). */
  [Symbol.dispose]() {
    this.dispose();
  }
}
