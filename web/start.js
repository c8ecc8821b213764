// An engine from load()'s options: the parts that are asked for, and its threads; and parts added later.
import { Engine } from './engine.js';
import { instantiate } from './loader.js';
import { partsOf } from './parts.js';
import { planThreads } from './threads.js';

/** @typedef {import('./loader.js').LoadOptions} LoadOptions */

/** @param {LoadOptions} options @returns {Promise<Engine>} */
export async function startEngine(options) {
  const threads = planThreads(options);
  const { instance, parts, get } = await instantiate(options, threads);
  const engine = new Engine(instance, parts, threads);
  parts.install(await get(partsOf(options.parts), engine.build));
  await threads.start(engine);
  let last = Promise.resolve();
  engine.add = (wanted) => {
    // One after the other, so that none is compiled twice.
    const added = last.then(async () => {
      const absent = partsOf(wanted).filter((part) => !parts.modules[part]);
      if (absent.length === 0) return;
      const modules = await get(absent, engine.build);
      parts.install(modules);
      threads.add(engine, modules);
      engine.caches.clear(); // programs that were compiled without them
    });
    last = added.catch(() => {});
    return added;
  };
  return engine;
}
