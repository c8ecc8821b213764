// The worker's side of the worker client: holds an engine and does what messages say. Must not know pages.
import { HloArray, load } from '../index.js';

/** @typedef {{ id: number, on: number, method: string, args: any[] }} Call on: 0 is the engine itself */

/** What objects that stay here are called over there. @type {Map<number, any>} */
const objects = new Map();
/** Runs that can be given up. @type {Map<number, AbortController>} */
const runs = new Map();
let nextObject = 1;

/** @param {any} value @returns {any} a description that the client makes an object of */
function keep(value) {
  if (Array.isArray(value)) return value.map(keep);
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return value;
  const object = nextObject++;
  if (value instanceof HloArray) {
    objects.set(object, value);
    return { object, shape: value.shape };
  }
  if (typeof value.print === 'function' && typeof value.dispose === 'function') {
    objects.set(object, value);
    const { parameters, results, name, computations } = value;
    return { object, parameters, results, name, computations };
  }
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, keep(part)]));
}

/** @param {any} value with { object } where the client has one of its objects @returns {any} */
function resolve(value) {
  if (Array.isArray(value)) return value.map(resolve);
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  if (typeof value.object === 'number') return objects.get(value.object);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, resolve(part)]));
}

/** @param {any} value @returns {Transferable[]} the buffers in it: nobody here needs them any more */
function buffersIn(value) {
  if (ArrayBuffer.isView(value)) return [/** @type {any} */ (value.buffer)];
  if (Array.isArray(value)) return value.flatMap(buffersIn);
  return [];
}

/** @param {any} error */
function described(error) {
  const { name, message, code, line, column } = error;
  return { name, message, code, line, column };
}

/**
 * @param {any} hlo
 * @param {Call} call
 */
async function answer(hlo, { id, on, method, args }) {
  const target = on === 0 ? hlo : objects.get(on);
  if (method === 'dispose') {
    target?.dispose();
    objects.delete(on);
    return undefined;
  }
  if (method === 'memory') return target.memory;
  const values = resolve(args);
  if (method !== 'runAsync') return target[method](...values);
  const controller = new AbortController();
  runs.set(id, controller);
  try {
    return await target.runAsync(values[0], { ...values[1], signal: controller.signal });
  } finally {
    runs.delete(id);
  }
}

/** @param {{ postMessage: (message: any, transfer?: any[]) => void }} port @param {any} options */
async function start(port, options) {
  /** @type {any} */
  let hlo;
  try {
    hlo = await load(options);
  } catch (error) {
    port.postMessage({ failed: described(error) });
    return undefined;
  }
  const own = Object.getOwnPropertyNames(Object.getPrototypeOf(hlo));
  const methods = [...new Set([...own, ...Object.keys(hlo)])].filter(
    (name) =>
      ![
        'constructor',
        'jit',
        'builder',
        'tidy',
        'memory',
        'ops',
        'types',
        'build',
        'threads',
        'dispose',
        'registerCustomCall',
      ].includes(name),
  );
  const { build, threads, ops, types } = hlo;
  port.postMessage({ ready: { methods, build, threads, ops, types } });
  return async (/** @type {any} */ call) => {
    if ('abort' in call) {
      runs.get(call.abort)?.abort();
      return;
    }
    try {
      const value = keep(await answer(hlo, call));
      port.postMessage({ id: call.id, value }, buffersIn(value));
    } catch (error) {
      port.postMessage({ id: call.id, error: described(error) });
    }
  };
}

const inPage = typeof (/** @type {any} */ (globalThis).WorkerGlobalScope) !== 'undefined';
const threads = 'node:worker_threads'; // a variable, so that bundlers for pages leave it alone
const port = inPage
  ? /** @type {any} */ (globalThis)
  : (await import(/* @vite-ignore */ threads)).parentPort;

/** Calls come one after the other; all but runAsync are done before the next is looked at. @type {Promise<any> | undefined} */
let handler;
const receive = (/** @type {any} */ data) => {
  if ('load' in data) handler = start(port, data.load);
  else handler?.then((handle) => handle?.(data));
};
if (inPage) port.onmessage = (/** @type {MessageEvent} */ event) => receive(event.data);
else port.on('message', receive);
