// Plans: compiled programs, shared by executables, also by separate compilations of the same text.
import { CompiledCode } from './compiled_code.js';
import { shapeFrom } from './shape.js';

/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./engine.js').ShapeInfo} ShapeInfo */

/** Programs with longer texts are not shared. */
const MAX_SHARED_TEXT = 1 << 20;

export class Plan {
  #engine;
  #handle;
  #users = 1;
  /** Called when the last user releases it. */
  onRelease = () => {};

  /**
   * @param {Engine} engine
   * @param {number} handle of an executable, owned by this object from now on, which never runs itself
   */
  constructor(engine, handle) {
    this.#engine = engine;
    this.#handle = handle;
    try {
      engine.call('hlo_api_executable_describe', handle);
      const { isDynamic, parameters, results, memory } = JSON.parse(engine.text());
      /** @type {boolean} the results' sizes may differ from run to run */
      this.isDynamic = isDynamic;
      /** @type {ShapeInfo[]} */
      this.parameters = parameters.map(shapeFrom);
      /** @type {ShapeInfo[]} */
      this.results = results.map(shapeFrom);
      /** @type {{ arguments: number, results: number, constants: number, temporaries: number, peak: number }} */
      this.memory = Object.freeze(memory);
      this.code = new CompiledCode(engine, handle);
    } catch (error) {
      engine.destroy('hlo_api_executable_destroy', handle);
      throw error;
    }
  }

  /** @returns {number} the handle of a new executable, owned by the caller */
  executable() {
    return this.#engine.handle('hlo_api_executable_share', this.#handle);
  }

  /** @returns {number} a handle of the module that was compiled, owned by the caller */
  module() {
    return this.#engine.call('hlo_api_executable_source', this.#handle);
  }

  /** Adds a user, who has to release it. */
  share() {
    this.#users++;
    return this;
  }

  /** Called once by each user. */
  release() {
    if (--this.#users > 0) return;
    this.onRelease();
    this.code.release();
    this.#engine.destroy('hlo_api_executable_destroy', this.#handle);
  }
}

/** The plans in use, by the texts they were compiled from. */
class SharedPlans {
  /** By how they were compiled, and text. @type {Map<string, Plan>} */
  #plans = new Map();

  /**
   * @param {string} text
   * @param {string} options how it is compiled
   * @returns {Plan | undefined} shared
   */
  get(text, options) {
    return this.#plans.get(`${options} ${text}`)?.share();
  }

  /**
   * @param {string} text
   * @param {string} options
   * @param {Plan} plan
   */
  add(text, options, plan) {
    const key = `${options} ${text}`;
    if (text.length > MAX_SHARED_TEXT) return;
    this.#plans.set(key, plan);
    plan.onRelease = () => this.#plans.get(key) === plan && this.#plans.delete(key);
  }

  /** Forgets all plans: later compilations do not share them. */
  clear() {
    this.#plans.clear();
  }
}

/** @type {WeakMap<Engine, SharedPlans>} */
const shared = new WeakMap();

/** @param {Engine} engine */
export function plansOf(engine) {
  let plans = shared.get(engine);
  if (plans === undefined) shared.set(engine, (plans = new SharedPlans()));
  return plans;
}
