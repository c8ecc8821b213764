// The worker's side of the worker client: holds an engine and does what messages say. Must not know pages.
import { HloArray, Instruction, load } from '../index.js';

/**
 * @typedef {{ id: number, on: number, method: string, args: any[], events: string[] }} Call on: 0 is the engine itself;
 *   events: the functions among the options in the last argument, which are called over there
 */

/** What objects that stay here are called over there. @type {Map<number, any>} */
const objects = new Map();
/** Runs that can be given up. @type {Map<number, AbortController>} */
const runs = new Map();
let nextObject = 1;

/** @param {any} value @returns {any} a description that the client makes an object of */
function keep(value) {
  if (Array.isArray(value)) return value.map(keep);
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return value;
  if (value instanceof Instruction) return value.toJSON();
  const object = nextObject++;
  if (value instanceof HloArray) {
    objects.set(object, value);
    return { object, shape: value.shape };
  }
  if (typeof value.print === 'function' && typeof value.dispose === 'function') {
    objects.set(object, value);
    const { parameters, results, memory, name, computations } = value;
    return { object, parameters, results, memory, name, computations };
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
  if (ArrayBuffer.isView(value)) return value.buffer instanceof ArrayBuffer ? [value.buffer] : []; // shared memory stays
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
 * @param {(event: string, args: any[]) => void} tell
 */
async function answer(hlo, { id, on, method, args, events }, tell) {
  const target = on === 0 ? hlo : objects.get(on);
  if (method === 'dispose') {
    target?.dispose();
    objects.delete(on);
    return undefined;
  }
  if (typeof target[method] !== 'function') return target[method];
  const values = resolve(args);
  for (const event of events)
    values.at(-1)[event] = (/** @type {any[]} */ ...given) => tell(event, given);
  if (!/^run.*Async$/.test(method)) return target[method](...values);
  const controller = new AbortController();
  runs.set(id, controller);
  try {
    return await target[method](values[0], { ...values[1], signal: controller.signal });
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
      const tell = (/** @type {string} */ event, /** @type {any[]} */ args) =>
        port.postMessage({ id: call.id, event, args: keep(args) });
      const value = keep(await answer(hlo, call, tell));
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
