// An engine from load()'s options: all of its files, and its threads. Must not know arrays and programs.
import { Engine } from './engine.js';
import { instantiate, restSources } from './loader.js';
import { instantiateForThreads } from './threads.js';

/** @typedef {import('./loader.js').LoadOptions} LoadOptions */
/**
 * @typedef {object} Started
 * @property {WebAssembly.Instance} instance
 * @property {import('./rest.js').Rest} rest to be started
 * @property {import('./engine.js').OneThread} [threads]
 */

/** @param {LoadOptions} options @returns {Promise<Engine>} */
export async function startEngine(options) {
  const wantsThreads = (options.threads ?? false) !== false;
  const start = wantsThreads ? instantiateForThreads : instantiate;
  /** @type {Started} */
  const { instance, rest, threads } = await start(options);
  const engine = new Engine(instance, rest, threads);
  const { rewrite, sharesMemory } = engine.threads;
  // Other threads get the later files when they start.
  await rest.start(await restSources(options, engine.build, rewrite), sharesMemory);
  await engine.threads.start(engine);
  return engine;
}
