// What runs in another thread of the engine: an instance of its module on the same memory, which takes parts of its work.
// Messages bring what the instance needs, in the order in which they were sent; between them it is in the engine's
// code.
import { install as installParts, placeholders } from './parts.js';

/** @typedef {{ slots: number[], module: WebAssembly.Module }} EmittedFunctions the exports 0, 1 …, and where they go */
/** @typedef {import('./parts.js').PartModules} PartModules */
/**
 * @typedef {object} ThreadStart
 * @property {WebAssembly.Module} module the part that all need
 * @property {PartModules} parts those that are there
 * @property {WebAssembly.Memory} memory
 * @property {number} thread
 * @property {number} stack
 */

/** @type {any} */
let engine;
/** @type {WebAssembly.Memory} */
let memory;
let thread = 0;
/** What the engine's modules import under. */
let id = '';
/** @type {PartModules} */
const parts = {};

/** @param {ThreadStart} message */
function start(message) {
  ({ memory, thread } = message);
  const { imports, id: idOf } = placeholders(
    (index, part) => {
      if (parts[part]) return index;
      throw new Error(`the engine's part "${part}" is not there`);
    },
    { e: { m: memory } },
  );
  engine = new WebAssembly.Instance(message.module, imports).exports;
  id = idOf();
  add(message.parts);
  engine.hlo_api_thread_begin(message.stack);
}

/** @param {PartModules} added */
function add(added) {
  installParts(added, engine, id);
  Object.assign(parts, added);
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

/** @param {any} message @returns {message is ThreadStart} */
export function isThreadStart(message) {
  const { module, parts, memory, thread, stack } = message;
  const isMemory = memory instanceof WebAssembly.Memory && isParts(parts);
  return isMemory && module instanceof WebAssembly.Module && thread > 0 && stack > 0;
}

/** @param {any} parts @returns {parts is PartModules} */
function isParts(parts) {
  const modules = typeof parts === 'object' && parts !== null ? Object.values(parts) : [parts];
  return modules.every((module) => module instanceof WebAssembly.Module);
}

/** @param {any} message @returns {message is EmittedFunctions} */
function isEmittedFunctions(message) {
  return Array.isArray(message.slots) && message.module instanceof WebAssembly.Module;
}

/** @param {any} port to the engine's own thread @returns {(message: any) => void} takes what comes from there */
export function startThread(port) {
  return (message) => {
    if (isEmittedFunctions(message)) {
      install(message);
      engine.hlo_api_thread_message_read(thread);
    } else if (engine !== undefined && isParts(message.parts)) {
      add(message.parts);
      engine.hlo_api_thread_message_read(thread);
    } else if (engine === undefined && isThreadStart(message)) {
      start(message);
      port.postMessage('ready');
    } else return; // nothing that the engine sends
    try {
      engine.hlo_api_thread_work(thread);
    } catch (error) {
      engine.hlo_api_thread_fail();
      throw error;
    }
  };
}
