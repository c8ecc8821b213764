// A worker in Node. Must not know what it is for.

/**
 * The module's name is a variable, so that bundlers for pages leave it alone.
 * @param {URL} script
 * @returns {Promise<any>}
 */
export async function startNodeWorker(script) {
  const name = 'node:worker_threads';
  const { Worker: NodeWorker } = await import(/* @vite-ignore */ name);
  return new NodeWorker(script, { execArgv: [] }); // those of `node --eval` would stop it
}
