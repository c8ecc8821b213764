// The worker's side of the worker client: holds an engine and executes the calls that messages describe. Each message that is a record with a
// number for its `id` is answered once, by { id, value } or { id, error }; one with `load` by { ready } or { failed }; one
// with `abort` never; any other is ignored.
import { useAddresses } from '../files.js';
import { HloArray, HloError, Instruction, load } from '../index.js';
import { nameOf } from '../options.js';
import { escaped, unescaped } from './escape.js';

/**
 * @typedef {{ id: number, on: number, method: string, args: any[], events: string[] }} Call on: 0 is the engine itself;
 *   events: the functions among the options in the last argument, which are called over there
 */

const EVENTS = ['onProgress', 'onOutfeed'];
/** Members of an engine that only its own thread can use, or that the client implements differently. */
const ONLY_HERE = [
  'constructor',
  'jit',
  'builder',
  'indexingMap',
  'np',
  'nn',
  'special',
  'tidy',
  'registerCustomCall',
];
const PROPERTIES = ['memory', 'ops', 'types', 'build', 'threads', 'parts', 'dispose'];

/** The objects of the client's proxies, by number. @type {Map<number, any>} */
const objects = new Map();
/** Runs that can be aborted. @type {Map<number, AbortController>} */
const runs = new Map();
let nextObject = 1;

/** @param {any} value @returns {boolean} whether it is a plain object */
export function isRecord(value) {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}

/** @param {any} value @returns {any} a description from which the client creates a proxy */
function describeValue(value) {
  if (Array.isArray(value)) return value.map(describeValue);
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return value;
  if (value instanceof Instruction) return value.toJSON();
  const object = nextObject++;
  if (value instanceof HloArray) {
    objects.set(object, value);
    return { object, xla: value.xla };
  }
  if (typeof value.print === 'function' && typeof value.dispose === 'function') {
    objects.set(object, value);
    const { parameters, parameterNames, results, memory, name, computations } = value;
    return { object, parameters, parameterNames, results, memory, name, computations };
  }
  return escaped(
    Object.fromEntries(Object.entries(value).map(([key, part]) => [key, describeValue(part)])),
  );
}

/** @param {number} object @returns {any} */
function objectOf(object) {
  if (objects.has(object)) return objects.get(object);
  throw new HloError(`the worker has no object ${object}`);
}

/**
 * @param {any} value with { object } in the place of a proxy
 * @param {Map<any, any>} seen resolved values by the originals; undefined: in progress
 * @returns {any}
 */
function resolve(value, seen = new Map()) {
  const [isList, isMap] = [Array.isArray(value), value instanceof Map];
  if (!isList && !isMap && !isRecord(value)) return value;
  if (typeof value.object === 'number') return objectOf(value.object);
  if (seen.has(value)) {
    const there = seen.get(value);
    if (there !== undefined) return there;
    throw new HloError('an argument contains itself');
  }
  seen.set(value, undefined);
  /** @returns {[any, any]} */
  const entry = (/** @type {[any, any]} */ [key, part]) => [key, resolve(part, seen)];
  const resolved = isList
    ? value.map((/** @type {any} */ part) => resolve(part, seen))
    : isMap
      ? new Map([...value].map(entry))
      : Object.fromEntries(Object.entries(unescaped(value)).map(entry));
  seen.set(value, resolved);
  return resolved;
}

/** @param {any} value @returns {Transferable[]} its buffers, to be transferred */
function buffersIn(value) {
  if (ArrayBuffer.isView(value)) return value.buffer instanceof ArrayBuffer ? [value.buffer] : []; // shared memory stays
  if (Array.isArray(value)) return value.flatMap(buffersIn);
  return [];
}

/** @param {any} error @param {string} what failed @returns {any} an error of this package, or of an aborted run, as data */
function describeError(error, what) {
  if (!(error instanceof HloError) && error?.name !== 'AbortError')
    return describeError(new HloError(`${what} failed: ${error?.message ?? error}`), what);
  const { name, message, code, line, column } = /** @type {any} */ (error);
  return { name, message, code, line, column };
}

/** @param {any} target @param {string} method @returns {boolean} whether its class, or the engine with its operations, has it */
function hasMember(target, method) {
  if (ONLY_HERE.includes(method)) return false;
  for (let at = target; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at))
    if (Object.hasOwn(at, method)) return true;
  return false;
}

/** @param {any} hlo @param {any} call @returns {{ target: any, values: any[] }} checked */
function checkCall(hlo, { on, method, args, events = [] }) {
  const target = on === 0 ? hlo : objectOf(on);
  if (typeof method !== 'string' || !hasMember(target, method))
    throw new HloError(`a worker cannot be asked for ${nameOf(method)}`);
  if (!Array.isArray(args)) throw new HloError(`args is a list, got ${nameOf(args)}`);
  const values = resolve(args);
  const areEvents = Array.isArray(events) && events.every((event) => EVENTS.includes(event));
  if (!areEvents || (events.length > 0 && !isRecord(values.at(-1))))
    throw new HloError(`events is a list of ${EVENTS.join(' and ')}, with options for them`);
  return { target, values };
}

/**
 * @param {any} hlo
 * @param {any} call
 * @param {(event: string, args: any[]) => void} emit
 */
async function executeCall(hlo, call, emit) {
  const { id, on, method, events = [] } = call;
  if (method === 'dispose' && on !== 0 && !objects.has(on)) return undefined;
  const { target, values } = checkCall(hlo, call);
  if (method === 'dispose') {
    target.dispose();
    objects.delete(on);
    return undefined;
  }
  if (typeof target[method] !== 'function') return target[method];
  for (const event of events)
    values.at(-1)[event] = (/** @type {any[]} */ ...given) => emit(event, given);
  if (!/^run.*Async$/.test(method)) return target[method](...values);
  const controller = new AbortController();
  runs.set(id, controller);
  try {
    return await target[method](values[0], { ...values[1], signal: controller.signal });
  } finally {
    runs.delete(id);
  }
}

/**
 * @param {{ postMessage: (message: any, transfer?: any[]) => void }} port
 * @param {{ load: any, addresses?: any }} message
 * @returns {Promise<any>} the engine; undefined if there is none
 */
async function start(port, { load: options, addresses }) {
  try {
    if (isRecord(addresses)) useAddresses(addresses);
    const hlo = await load(options);
    const own = Object.getOwnPropertyNames(Object.getPrototypeOf(hlo));
    const methods = [...new Set([...own, ...Object.keys(hlo)])].filter(
      (name) => !ONLY_HERE.includes(name) && !PROPERTIES.includes(name),
    );
    const { build, threads, ops, types } = hlo;
    port.postMessage({ ready: { methods, build, threads, ops, types } });
    return hlo;
  } catch (error) {
    port.postMessage({ failed: describeError(error, 'load') });
    return undefined;
  }
}

/**
 * @param {any} port to the client
 * @returns {(data: any) => void} takes its messages. Calls come one after the other; all but runAsync are done before the
 *   next is looked at
 */
export function serve(port) {
  /** The engine, once all loads have been tried. @type {Promise<any>} */
  let loaded = Promise.resolve();
  const loadOnce = (/** @type {any} */ data, /** @type {any} */ hlo) => {
    if (!hlo) return start(port, data);
    const again = new HloError('the worker has an engine already');
    port.postMessage({ failed: describeError(again, 'load') });
    return hlo;
  };
  const call = async (/** @type {any} */ data, /** @type {any} */ hlo) => {
    const { id } = data;
    try {
      if (!hlo) throw new HloError('there is no engine in this worker: load comes first');
      const emit = (/** @type {string} */ event, /** @type {any[]} */ args) =>
        port.postMessage({ id, event, args: describeValue(args) });
      const value = describeValue(await executeCall(hlo, data, emit));
      port.postMessage({ id, value }, buffersIn(value));
    } catch (error) {
      port.postMessage({ id, error: describeError(error, String(data.method)) });
    }
  };
  return (data) => {
    if (Object.hasOwn(data, 'load')) loaded = loaded.then((hlo) => loadOnce(data, hlo));
    else if (Object.hasOwn(data, 'abort')) runs.get(data.abort)?.abort();
    else if (typeof data.id === 'number') loaded.then((hlo) => call(data, hlo));
  };
}
