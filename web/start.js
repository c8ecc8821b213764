// An engine from load()'s options: all of its files, and its threads.
import { Engine } from './engine.js';
import { instantiate } from './loader.js';
import { planThreads } from './threads.js';

/** @typedef {import('./loader.js').LoadOptions} LoadOptions */

/** @param {LoadOptions} options @returns {Promise<Engine>} */
export async function startEngine(options) {
  const threads = planThreads(options);
  const { instance, rest, later } = await instantiate(options, threads);
  const engine = new Engine(instance, rest, threads);
  rest.install(await later(engine.build));
  await threads.start(engine);
  return engine;
}
