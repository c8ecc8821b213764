// Plans: what programs were compiled to, shared by executables, and those of texts kept for when a text is compiled again.
// Must not know how programs run.
import { CompiledCode } from './compiled_code.js';
import { frozenShape } from './engine.js';

/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./engine.js').ShapeInfo} ShapeInfo */

/** So many plans of texts are kept, in use or not, none of which has more than this of text, or of constants in bytes. */
const KEPT = 16;
const MOST_TEXT = 1 << 20;

export class Plan {
  #engine;
  #handle;
  #users = 1;

  /**
   * @param {Engine} engine
   * @param {number} handle of an executable, owned by this object from now on, which never runs itself
   */
  constructor(engine, handle) {
    this.#engine = engine;
    this.#handle = handle;
    engine.call('hlo_api_executable_describe', handle);
    const { isDynamic, parameters, results, memory } = JSON.parse(engine.text());
    /** @type {boolean} the results' sizes may differ from run to run */
    this.isDynamic = isDynamic;
    /** @type {ShapeInfo[]} */
    this.parameters = parameters.map(frozenShape);
    /** @type {ShapeInfo[]} */
    this.results = results.map(frozenShape);
    /** @type {{ arguments: number, results: number, constants: number, temporaries: number, peak: number }} */
    this.memory = Object.freeze(memory);
    this.code = new CompiledCode(engine, handle);
  }

  /** @returns {number} the handle of a new executable, owned by the caller */
  executable() {
    return this.#engine.handle('hlo_api_executable_share', this.#handle);
  }

  /** @returns {number} a handle of the module that was compiled, owned by the caller */
  module() {
    return this.#engine.call('hlo_api_executable_source', this.#handle);
  }

  /** Another user, who has to release it too. */
  share() {
    this.#users++;
    return this;
  }

  /** Each user calls it once. */
  release() {
    if (--this.#users > 0) return;
    this.code.release();
    this.#engine.call('hlo_api_executable_destroy', this.#handle);
  }
}

/** The plans of the texts that were compiled last. */
class KeptPlans {
  /** @type {{ text: string, options: string, plan: Plan }[]} the one used longest ago first */
  #plans = [];

  /**
   * @param {string} text
   * @param {string} options how it is compiled
   * @returns {Plan | undefined} shared
   */
  get(text, options) {
    const at = this.#plans.findIndex((known) => known.text === text && known.options === options);
    if (at < 0) return undefined;
    const [known] = this.#plans.splice(at, 1);
    this.#plans.push(known);
    return known.plan.share();
  }

  /**
   * @param {string} text
   * @param {string} options
   * @param {Plan} plan kept besides what its users have of it
   */
  keep(text, options, plan) {
    if (text.length > MOST_TEXT || plan.memory.constants > MOST_TEXT) return;
    this.#plans.push({ text, options, plan: plan.share() });
    if (this.#plans.length > KEPT) this.#plans.shift()?.plan.release();
  }

  clear() {
    for (const { plan } of this.#plans.splice(0)) plan.release();
  }
}

/** @type {WeakMap<Engine, KeptPlans>} */
const kept = new WeakMap();

/** @param {Engine} engine */
export function plansOf(engine) {
  let plans = kept.get(engine);
  if (plans === undefined) kept.set(engine, (plans = new KeptPlans()));
  return plans;
}
