// Starts workers: all run one script, wasm/hlo-worker.js, which imports nothing.
import { HloError } from './errors.js';
import { addressOf } from './files.js';
import { nodeModule } from './node.js';
import { nameOf } from './options.js';

const SCRIPT = 'hlo-worker.js';

/** For pages that demand Trusted Types: made when it is needed, and once, since names of policies are unique. @type {any} */
let policy;

/** @param {string} address of this package's script @returns {any} what `new Worker` takes where the page demands Trusted Types */
function trusted(address) {
  const { trustedTypes } = /** @type {any} */ (globalThis);
  if (!trustedTypes) return address;
  policy ??= trustedTypes.createPolicy('hlo-wasm', {
    createScriptURL: (/** @type {string} */ url) => url,
  });
  return policy.createScriptURL(address);
}

/** @param {string} address on another origin, whose scripts a page may read but not start @returns {Promise<Worker>} */
async function startCopy(address) {
  const response = await fetch(address);
  if (!response.ok)
    throw new HloError(`cannot load ${address}: the server answered ${response.status}`);
  const script = new Blob([await response.arrayBuffer()], { type: 'text/javascript' });
  const copy = URL.createObjectURL(script);
  const worker = new Worker(trusted(copy), { type: 'module' });
  // Not before it has been fetched: a worker has sent something by then, or failed.
  for (const event of ['message', 'error'])
    worker.addEventListener(event, () => URL.revokeObjectURL(copy), { once: true });
  return worker;
}

/**
 * Starts a worker, whose role its first message determines.
 * @param {any} [given] instead: a Worker that runs wasm/hlo-worker.js, or a function that starts one
 * @returns {Promise<any>}
 */
export async function startWorker(given) {
  if (given !== undefined) return checkWorker(typeof given === 'function' ? await given() : given);
  const address = addressOf(SCRIPT);
  if (typeof Worker === 'undefined') {
    const { Worker: NodeWorker } = nodeModule('node:worker_threads');
    return new NodeWorker(new URL(address), { execArgv: [] }); // those of `node --eval` would stop it
  }
  const isElsewhere =
    typeof location !== 'undefined' && new URL(address).origin !== location.origin;
  return isElsewhere ? startCopy(address) : new Worker(trusted(address), { type: 'module' });
}

/** @param {any} worker @returns {any} */
function checkWorker(worker) {
  if (typeof worker?.postMessage === 'function') return worker;
  throw new HloError(
    `worker is a Worker that runs hlo-wasm/hlo-worker.js, or a function that starts one, got ${nameOf(worker)}`,
  );
}
