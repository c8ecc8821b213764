// What only Node has. Must not know what it is for.

/**
 * One of Node's own modules. Importing it takes 3 ms, this none; Node 20.15 cannot do it. The name is an argument, so that
 * bundlers for pages leave it alone.
 * @param {string} name
 * @returns {Promise<any>}
 */
export async function nodeModule(name) {
  return process.getBuiltinModule?.(name) ?? import(/* @vite-ignore */ name);
}

/** @param {URL} script @returns {Promise<any>} a worker that runs it */
export async function startNodeWorker(script) {
  const { Worker: NodeWorker } = await nodeModule('node:worker_threads');
  return new NodeWorker(script, { execArgv: [] }); // those of `node --eval` would stop it
}
