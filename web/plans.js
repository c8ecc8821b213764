// Plans: compiled programs, shared by executables, also by separate compilations of the same text or bytes.
import { CompiledCode } from './compiled_code.js';
import { shapeFrom } from './shape.js';

/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./engine.js').ShapeInfo} ShapeInfo */

/** @typedef {import('./executable.js').About} About */

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

/** 16 bytes that others do not know. */
function secret() {
  const bytes = new Uint8Array(16);
  if (typeof crypto === 'object') return crypto.getRandomValues(bytes);
  return bytes.map(() => Math.random() * 256); // in worklets
}

/** The plans in use, and what executables know besides, by what they were compiled from. */
class SharedPlans {
  /** @type {Map<string, { plan: Plan, about: About }>} */
  #plans = new Map();
  #secret = secret();
  #engine;

  /** @param {Engine} engine */
  constructor(engine) {
    this.#engine = engine;
  }

  /**
   * A short key: the program itself, which may be large, is not kept.
   * @param {string | Uint8Array} source
   * @param {string} options how it is compiled
   */
  keyOf(source, options) {
    this.#engine.count('hlo_api_digest', source, this.#secret);
    return `${this.#engine.text()} ${source.length} ${options}`;
  }

  /**
   * @param {string} key
   * @returns {{ plan: Plan, about: About } | undefined} the plan shared
   */
  get(key) {
    const found = this.#plans.get(key);
    found?.plan.share();
    return found;
  }

  /**
   * @param {string} key
   * @param {Plan} plan
   * @param {About} about
   */
  add(key, plan, about) {
    this.#plans.set(key, { plan, about });
    plan.onRelease = () => this.#plans.get(key)?.plan === plan && this.#plans.delete(key);
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
  if (plans === undefined) shared.set(engine, (plans = new SharedPlans(engine)));
  return plans;
}
