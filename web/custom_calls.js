// Custom calls implemented by JavaScript functions.
import { HloArray } from './array.js';
import { createArray } from './create.js';
import { HloError } from './errors.js';
import { checkFunction, checkText } from './options.js';
import { plansOf } from './plans.js';

/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./engine.js').ShapeInfo} ShapeInfo */
/** @typedef {import('./elements.js').NestedList} NestedList */
/** @typedef {import('./elements.js').TypedArray} TypedArray */
/** @typedef {HloArray | NestedList | TypedArray} CustomCallResult an array, or what array() makes one of */
/**
 * @typedef {object} CustomCallInfo
 * @property {string} target
 * @property {string} backendConfig as written in the program
 * @property {ShapeInfo[]} results the shapes that the results must have; tuples flattened
 */
/**
 * @callback CustomCall
 * @param {HloArray[]} inputs the operands, tuples flattened; freed afterwards
 * @param {CustomCallInfo} info
 * @returns {CustomCallResult | { results: CustomCallResult[] } | void} the result; of a call that does not have just one
 *   result, an object with a list of them. Arrays among them are the engine's from then on
 */

const WITHIN = /^(instruction %\S+ \(custom-call\): )+(?=instruction )/;

/** (module (import "h" "f" (func (param i32) (result i32))) (export "f" (func 0))): makes functions fit for the table. */
const wrapper = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 6, 1, 96, 1, 127, 1, 127, 2, 7, 1, 1, 104, 1, 102, 0, 0, 7, 5, 1,
  1, 102, 0, 0,
]);

/**
 * @param {Engine} engine
 * @param {number} call the engine's
 * @param {CustomCall} body
 */
function executeCustomCall(engine, call, body) {
  engine.count('hlo_api_custom_call_describe', call);
  const { operands, ...info } = JSON.parse(engine.text());
  /** @type {HloArray[]} */
  const inputs = [];
  /** @type {HloArray[]} */
  const outputs = [];
  try {
    for (let i = 0; i < operands; i++)
      inputs.push(new HloArray(engine, engine.handle('hlo_api_custom_call_operand', call, i)));
    const given = /** @type {any} */ (body(inputs, info));
    if (typeof given?.then === 'function')
      throw new HloError('the function must not be asynchronous: the program waits for it');
    const results = given?.results ?? (given === undefined ? [] : [given]);
    if (results.length !== info.results.length)
      throw new HloError(`${results.length} results instead of ${info.results.length}`);
    for (const [i, { type, dims }] of info.results.entries()) {
      const result =
        results[i] instanceof HloArray
          ? results[i]
          : createArray(engine, results[i], { type, shape: dims });
      outputs.push(result);
      engine.count('hlo_api_custom_call_result', call, i, result.handleIn(engine));
    }
  } finally {
    for (const array of [...inputs, ...outputs]) array.dispose();
  }
}

/**
 * Registers a function that executes custom calls of that target.
 * @param {Engine} engine
 * @param {string} target
 * @param {CustomCall | null} body null removes the function
 */
export function registerCustomCall(engine, target, body) {
  checkText(target, 'the target of a custom call');
  if (body !== null) checkFunction(body, `the custom call ${target}`);
  let slot = 0;
  if (body !== null) {
    const callback = (/** @type {number} */ call) =>
      engine.nested(() => {
        try {
          engine.parts.outside(() => executeCustomCall(engine, call >>> 0, body));
          return 1;
        } catch (error) {
          // Of programs within programs, the innermost says where it was.
          const message = String(/** @type {any} */ (error)?.message ?? error);
          engine.call('hlo_api_custom_call_fail', message.replace(WITHIN, ''));
          return 0;
        }
      });
    const instance = new WebAssembly.Instance(new WebAssembly.Module(wrapper), {
      h: { f: callback },
    });
    [slot] = engine.table.add([instance.exports.f]);
  }
  try {
    engine.count('hlo_api_custom_call_register', target, slot);
  } catch (error) {
    if (slot !== 0) engine.table.remove([slot]);
    throw error;
  }
  plansOf(engine).clear(); // they call what was registered before
  const replaced = engine.customCalls.get(target);
  if (replaced !== undefined) engine.table.remove([replaced]);
  if (slot === 0) engine.customCalls.delete(target);
  else engine.customCalls.set(target, slot);
}
