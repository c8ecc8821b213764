// jit for a worker: a function is traced here, by an engine of this thread, and its program runs there.
import { HloError } from '../index.js';

/** @typedef {import('./objects.js').WorkerExecutable} WorkerExecutable */
/** @typedef {{ executable: WorkerExecutable, rebuild: (arrays: any[]) => any }} Program */

const CACHE_LIMIT = 1000;

/**
 * @typedef {object} WorkerJitMembers
 * @property {number} cacheSize number of programs cached
 * @property {() => void} dispose frees its programs; when it is called again, it makes new ones
 */

/**
 * @template {(...args: never[]) => unknown} F
 * @typedef {import('./index.js').FarSignature<Parameters<F>, ReturnType<F>> & WorkerJitMembers} WorkerJit takes as many
 *   arguments, with the worker's arrays
 */

/**
 * @template {(...args: never[]) => unknown} F
 * @param {(text: string) => Promise<WorkerExecutable>} compile
 * @param {F} body
 * @param {{ hlo?: import('../index.js').Hlo } & import('../jit.js').JitOptions} given
 * @returns {WorkerJit<F>}
 */
export function workerJit(compile, body, given) {
  const { hlo, ...options } = given ?? {};
  if (typeof hlo?.jit !== 'function')
    throw new HloError(
      'a function cannot be sent to a worker: jit traces it here, with the engine whose operations it calls: jit(f, { hlo: await load() })',
    );
  const local = hlo.jit(body, options);
  /** @type {Map<string, Promise<Program>>} */
  const programs = new Map();
  const drop = (/** @type {string} */ key) => {
    programs.get(key)?.then(
      ({ executable }) => executable.dispose(),
      () => {},
    );
    programs.delete(key);
  };
  const call = async (/** @type {any[]} */ ...args) => {
    const { key, arrays, record } = /** @type {any} */ (local).prepare(args);
    let program = programs.get(key);
    programs.delete(key);
    if (program === undefined) {
      const { module, rebuild } = record();
      const text = module.print();
      module.dispose();
      program = compile(text).then((executable) => ({ executable, rebuild }));
      program.catch(() => programs.delete(key));
    }
    programs.set(key, program); // the most recently used one is last
    if (programs.size > (options.cacheLimit ?? CACHE_LIMIT))
      drop(/** @type {string} */ (programs.keys().next().value));
    const { executable, rebuild } = await program;
    return rebuild(await executable.run(arrays));
  };
  return /** @type {any} */ (
    Object.defineProperties(call, {
      name: { value: body.name },
      cacheSize: { get: () => programs.size },
      dispose: { value: () => [...programs.keys()].forEach(drop) },
    })
  );
}
