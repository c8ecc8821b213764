// The script of every worker: `make bundles` makes wasm/hlo-worker.js of it, which imports nothing and waits for nothing, so
// that it runs as a module, as a classic script, as a copy in a blob, and through any bundler. The first valid
// message determines its role: a thread of an engine elsewhere, or an engine that is called by messages.
import { isThreadStart, startThread } from '../thread.js';
import { isRecord, serve } from './server.js';

const inPage = typeof (/** @type {any} */ (globalThis).WorkerGlobalScope) !== 'undefined';
/** @type {any} */
const port = inPage ? globalThis : process.getBuiltinModule('node:worker_threads').parentPort;

/** @type {((data: any) => void) | undefined} */
let receive;

/** Messages that are no records (null, numbers, texts, lists …) are not for this script. @param {any} data */
function dispatch(data) {
  if (!isRecord(data)) return;
  receive ??= isThreadStart(data) ? startThread(port) : serve(port);
  receive(data);
}

if (inPage) port.onmessage = (/** @type {MessageEvent} */ event) => dispatch(event.data);
else port.on('message', dispatch);
