// What runs in another thread of the engine: an instance of its module on the same memory, which takes parts of its work.
// Messages bring what the instance needs, in the order in which they were sent; between them it is in the engine's
// code. Must not know the engine's API beyond the calls for threads.
import { install as installRest, placeholders } from './rest.js';

/** @typedef {{ slots: number[], module: WebAssembly.Module }} EmittedFunctions the exports 0, 1 …, and where they go */
/**
 * @typedef {object} ThreadStart
 * @property {WebAssembly.Module} module the engine's first file
 * @property {WebAssembly.Module[]} later the others
 * @property {WebAssembly.Memory} memory
 * @property {number} thread
 * @property {number} stack
 */

const inPage = typeof (/** @type {any} */ (globalThis).WorkerGlobalScope) !== 'undefined';
const threads = 'node:worker_threads'; // a variable, so that bundlers for pages leave it alone
/** @type {any} */
const port = inPage ? globalThis : (await import(/* @vite-ignore */ threads)).parentPort;

/** @type {any} */
let engine;
/** @type {WebAssembly.Memory} */
let memory;
let thread = 0;

/** @param {ThreadStart} message */
function start(message) {
  ({ memory, thread } = message);
  const { imports, id } = placeholders((index) => index, { e: { m: memory } });
  engine = new WebAssembly.Instance(message.module, imports).exports;
  for (const file of message.later) installRest(file, engine, id());
  engine.hlo_api_thread_begin(message.stack);
}

/** @param {EmittedFunctions} message */
function install({ slots, module }) {
  const table = engine.__indirect_function_table;
  const functions = new Proxy({}, { get: (_, index) => table.get(Number(index)) });
  const { exports } = new WebAssembly.Instance(module, { e: { m: memory }, f: functions });
  const missing = Math.max(...slots) + 1 - table.length;
  if (missing > 0) table.grow(missing);
  for (const [i, slot] of slots.entries()) table.set(slot, exports[i]);
}

/** @param {ThreadStart | EmittedFunctions} message */
function receive(message) {
  if ('slots' in message) {
    install(message);
    engine.hlo_api_thread_message_read(thread);
  } else {
    start(message);
    port.postMessage('ready');
  }
  try {
    engine.hlo_api_thread_work(thread);
  } catch (error) {
    engine.hlo_api_thread_fail();
    throw error;
  }
}

if (inPage) port.onmessage = (/** @type {MessageEvent} */ event) => receive(event.data);
else port.on('message', receive);
