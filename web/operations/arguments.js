// Checks and converts the arguments of operations into operands and attributes of instructions.
import { HloArray, shapeText } from '../array.js';
import { Builder, Computation, Value } from '../builder.js';
import { createArray } from '../create.js';
import { HloError, ParseError, ShapeError } from '../errors.js';
import { checkOptions, checkText, nameOf, snakeCase } from '../options.js';
import { isShape } from '../tree.js';

/** @typedef {Value | HloArray} Operand */

/**
 * Where operations append instructions.
 * @typedef {object} Context
 * @property {Computation} at
 * @property {Builder} builder
 */
/** @typedef {Record<string, (context: Context, ...args: any[]) => any>} OperationTable */

/** @param {number[] | undefined} list @param {string} what the argument's name */
export function ints(list, what) {
  if (!Array.isArray(list) || !list.every(Number.isSafeInteger))
    throw new ShapeError(`${what} is a list of integers, got ${nameOf(list)}`);
  return list;
}

/** @param {number[]} list @param {string} [what] the argument's name @returns {number[]} of dimensions */
export function checkSizes(list, what = 'shape') {
  if (ints(list, what).some((size) => size < 0))
    throw new ShapeError(`${what} is a list of sizes from 0 on, got [${list.join(', ')}]`);
  return list;
}

/** @param {number} number @param {string} what the argument's name */
export function int(number, what) {
  if (!Number.isSafeInteger(number))
    throw new ShapeError(`${what} is an integer, got ${nameOf(number)}`);
  return number;
}

/** @param {number} dimension @param {number} rank @param {string} [what] the argument's name @returns {number} negative numbers count from the end */
export function dimension(dimension, rank, what = 'dimension') {
  if (int(dimension, what) < -rank || dimension >= rank)
    throw new ShapeError(
      `dimension ${dimension}${what === 'dimension' ? '' : ` in ${what}`} is out of range for rank ${rank}`,
    );
  return dimension < 0 ? dimension + rank : dimension;
}

/** @param {number[] | undefined} list @param {number} rank @param {string} what the argument's name */
export function dimensions(list, rank, what) {
  return ints(list, what).map((d) => dimension(d, rank, what));
}

/** @param {number} count @param {string} what the argument's name @param {any[]} list */
export function perDimension(count, what, list) {
  if (ints(list, what).length !== count)
    throw new ShapeError(`${what} needs one entry per dimension: ${count}, got ${list.length}`);
  return list;
}

/** @template T @param {T[] | undefined} list @returns {T[] | undefined} undefined instead of an empty list */
export function some(list) {
  return list !== undefined && list.length > 0 ? list : undefined;
}

/** @param {any} one a single thing, or a list of them @returns {any[]} */
export function listOf(one) {
  return Array.isArray(one) ? one : [one];
}

/** @param {Operand[]} operands at least one */
export function operandList(operands) {
  const list = listOf(operands);
  if (list.length === 0) throw new HloError('expected at least one array');
  return list;
}

/** @param {Operand[]} operands @returns {string[]} the scalar shapes of their elements */
export function scalarsOf(operands) {
  return operands.map((x) => shapeText(x.type, []));
}

/** @param {any} shape as text, or as hlo.shape() gives it @returns {string} */
export function textOfShape(shape) {
  return shape?.text ?? String(shape);
}

/** @param {Context} context @param {any} shape as text, or as hlo.shape() gives it @returns {import('../engine.js').ShapeInfo} */
export function parsedShape({ builder: { engine } }, shape) {
  if (isShape(shape)) return shape;
  engine.count('hlo_api_shape_parse', checkText(shape, 'a shape'));
  return JSON.parse(engine.text());
}

/** @param {string[] | undefined} precision of each operand: 'HIGHEST' @returns {string[] | undefined} as in HLO text */
export function precisionText(precision) {
  return precision?.map((one) => String(one).toLowerCase());
}

/** @param {Computation} computation @param {any} result a value, an array, or a list of them */
export function rootOf(computation, result) {
  if (!Array.isArray(result)) return computation.own(result);
  return computation.add(
    'tuple',
    result.map((part) => computation.own(part)),
  );
}

/** @param {Value} value @returns {any} a tuple as a list of its elements */
export function spread(value) {
  if (!value.xla.elements) return value;
  return value.xla.elements.map((_, index) =>
    value.computation.add('get-tuple-element', [value], { attributes: { index } }),
  );
}

/**
 * Turns numbers among the operands into constants of the type of the last operand that has one.
 * @param {Computation} at
 * @param {any[]} operands
 */
export function withConstants(at, operands) {
  const typed = operands.findLast(
    (operand) => operand instanceof Value || operand instanceof HloArray,
  );
  return operands.map((operand) => {
    if (!typed || !['number', 'bigint', 'boolean'].includes(typeof operand)) return operand;
    try {
      return constant(at, operand, typed.type);
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
      throw new ShapeError(
        `${operand} beside an operand of shape ${typed.xla.text}: ${error.message}`,
      );
    }
  });
}

/** @param {Computation} at @param {any} value @param {string} type @returns {any} an operand as it is, a number as a constant */
export function constant(at, value, type) {
  if (value instanceof Value || value instanceof HloArray) return value;
  const array = createArray(at.builder.engine, value, type);
  const made = at.constant(array);
  array.dispose();
  return made;
}

/**
 * An elementwise operation by its name, with broadcasting.
 * @param {Context} context
 * @param {string} name as in HLO text
 * @param {any[]} operands
 * @param {any} [options] broadcastDimensions; the rest are attributes
 * @returns {Value}
 */
export function elementwise({ at }, name, operands, options = {}) {
  const { broadcastDimensions = [], resultAccuracy, ...attributes } = options;
  const xs = withConstants(at, operands);
  const rank = Math.max(...xs.map((x) => x?.rank ?? 0));
  return at.add(name, xs, {
    attributes: { ...snakeCase(attributes), result_accuracy: accuracyText(resultAccuracy) },
    broadcastDimensions: dimensions(broadcastDimensions, rank, 'broadcastDimensions'),
  });
}

/** @param {any} accuracy XLA's ResultAccuracy: an object, a mode, or HLO text @returns {string | undefined} */
function accuracyText(accuracy) {
  if (accuracy === undefined) return undefined;
  if (typeof accuracy === 'string')
    return accuracy.startsWith('{') ? accuracy : `{mode=${accuracy.toLowerCase()}}`;
  checkOptions('resultAccuracy', accuracy, 'mode tolerance');
  const { mode, tolerance } = accuracy;
  if (tolerance === undefined) return `{mode=${String(mode).toLowerCase()}}`;
  checkOptions('tolerance', tolerance, 'atol rtol ulps');
  const { atol = 0, rtol = 0, ulps = 0 } = tolerance;
  return `{tolerance={atol=${atol},rtol=${rtol},ulps=${ulps}}}`;
}

/**
 * Traces a function as a computation. An operation's name stands for that operation.
 * @param {Context} context
 * @param {string | ((...values: any[]) => any)} body
 * @param {string[]} shapes of the parameters
 * @param {boolean} [isClosure] it may capture values, which become its last parameters
 */
export function subcomputation(context, body, shapes, isClosure = false) {
  const computation = context.builder.computation();
  computation.isClosure = isClosure;
  const parameters = shapes.map((shape) => computation.parameter(shape));
  if (typeof body === 'string') {
    const operation = context.builder.engine.operations[body];
    if (!operation) throw new HloError(`there is no operation "${body}"`);
    const call = (/** @type {Value[]} */ ...values) =>
      operation({ ...context, at: computation }, ...values);
    return traced(computation, call, parameters);
  }
  return traced(computation, body, parameters);
}

/** @param {Computation} computation @param {(...values: any[]) => any} body the caller's @param {Value[]} values */
function traced(computation, body, values) {
  if (typeof body !== 'function')
    throw new HloError('expected a function of traced values, or the name of an operation');
  let result;
  try {
    result = computation.trace(body, values);
  } catch (error) {
    computation.builder.engine.bodyError = error;
    throw error;
  }
  return computation.finish(rootOf(computation, result));
}

/**
 * Traces a function of the elements of one value as a computation of that value and of what it captures.
 * @param {Context} context
 * @param {(...values: any[]) => any} body
 * @param {Value} state a tuple is spread
 */
export function closureOf(context, body, state) {
  const computation = context.builder.computation();
  computation.isClosure = true;
  const parts = spread(computation.parameter(state.xla));
  return traced(computation, body, listOf(parts));
}

/** @param {Computation[]} closures @returns {Value[]} the values that they capture */
export function capturedBy(...closures) {
  return [...new Set(closures.flatMap(({ captured }) => [...captured.keys()]))];
}

/**
 * A computation that calls a closure and receives the captured values as parameters of its own.
 * @param {Context} context
 * @param {Computation} closure
 * @param {Value[]} captured all captured values
 * @param {(outer: Computation) => Value[]} parametersOf the closure's own arguments, then the captured values
 * @param {(result: Value) => any} [resultOf]
 */
export function callerOf(
  { builder },
  closure,
  captured,
  parametersOf,
  resultOf = (result) => result,
) {
  const outer = builder.computation();
  const parameters = parametersOf(outer);
  const own = parameters.splice(0, parameters.length - captured.length);
  captured.forEach((value, i) => outer.captured.set(value, parameters[i]));
  const operands = [...own, ...closure.captured.keys()];
  const result = outer.add('call', operands, { attributes: { to_apply: closure } });
  return outer.finish(rootOf(outer, resultOf(result)));
}
