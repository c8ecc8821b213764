// Control flow, and tuples.
import { HloError } from '../errors.js';
import { nameOf } from '../options.js';
import {
  callerOf,
  capturedBy,
  closureOf,
  dimension as dimensionOf,
  dimensions,
  int,
  listOf,
  operandList,
  rootOf,
  scalarsOf,
  spread,
  subcomputation,
} from './arguments.js';

/** @typedef {import('../builder.js').Computation} Computation */
/** @typedef {import('../builder.js').Value} Value */
/** @typedef {import('./arguments.js').OperationTable} OperationTable */

/** @type {OperationTable} */
export const control = {
  map: (context, operands, body, dims) => {
    const xs = operandList(operands);
    const all = xs[0].dims.map((/** @type {number} */ _, /** @type {number} */ d) => d);
    const which = dims === undefined ? all : dimensions(dims, xs[0].rank, 'dimensions');
    const to_apply = subcomputation(context, body, scalarsOf(xs));
    return context.at.add('map', xs, { attributes: { dimensions: which, to_apply } });
  },
  while: (context, condition, body, initial) => {
    const state = rootOf(context.at, initial);
    const test = closureOf(context, condition, state);
    const step = closureOf(context, body, state);
    const captured = capturedBy(test, step);
    const loop = (/** @type {Value} */ from, /** @type {Computation[]} */ [condition, body]) =>
      spread(context.at.add('while', [from], { attributes: { condition, body } }));
    if (captured.length === 0) return loop(state, [test, step]);
    // Captured values become further elements of the state.
    const all = rootOf(context.at, [state, ...captured]);
    const parts = (/** @type {Computation} */ outer) => spread(outer.parameter(all.xla));
    const [result] = loop(all, [
      callerOf(context, test, captured, parts),
      callerOf(context, step, captured, parts, (next) => [next, ...captured]),
    ]);
    return spread(result);
  },
  scan: (context, body, inputs, initial = [], options = {}) => {
    const { reverse = false } = options;
    const [xs, carried] = [inputs, initial].map((list) =>
      listOf(list).map((x) => context.at.own(x)),
    );
    const dimension = dimensionOf(options.dimension ?? 0, xs[0]?.rank ?? carried[0]?.rank ?? 0);
    const shapes = xs.map(({ type, dims }) => `${type}[${dims.filter((_, d) => d !== dimension)}]`);
    shapes.push(...carried.map((x) => x.xla.text));
    let to_apply = subcomputation(context, body, shapes, true);
    const captured = capturedBy(to_apply);
    let isList = true;
    if (captured.length > 0) {
      // Captured values are carried along.
      carried.push(...captured.map((x) => context.at.own(x)));
      shapes.push(...captured.map((x) => x.xla.text));
      const parameters = (/** @type {Computation} */ outer) =>
        shapes.map((shape) => outer.parameter(shape));
      to_apply = callerOf(context, to_apply, captured, parameters, (result) => {
        isList = result.xla.elements !== undefined;
        return [...listOf(spread(result)), ...captured];
      });
    }
    const attributes = {
      dimensions: [dimension],
      num_carries: carried.length,
      is_reverse: reverse,
      to_apply,
    };
    const results = spread(context.at.add('scan', [...xs, ...carried], { attributes }));
    if (captured.length === 0) return results;
    return isList ? results.slice(0, -captured.length) : results[0];
  },
  conditional: (context, index, branches, operands = branches.map(() => [])) => {
    if (!Array.isArray(operands) || branches.length !== operands.length)
      throw new HloError('conditional takes one operand per branch');
    const args = operands.map((x) => rootOf(context.at, x));
    const computations = branches.map((/** @type {any} */ branch, /** @type {number} */ i) => {
      const closure = closureOf(context, branch, args[i]);
      const captured = capturedBy(closure);
      if (captured.length === 0) return closure;
      args[i] = rootOf(context.at, [args[i], ...captured]);
      return callerOf(context, closure, captured, (outer) => spread(outer.parameter(args[i].xla)));
    });
    const attributes =
      index.type === 'pred'
        ? { true_computation: computations[0], false_computation: computations[1] }
        : { branch_computations: computations };
    return spread(context.at.add('conditional', [index, ...args], { attributes }));
  },
  tuple: ({ at }, parts) => spread(at.add('tuple', listOf(parts))),
  getTupleElement: (_, parts, index) => {
    if (!Array.isArray(parts) || !(int(index, 'the index') in parts))
      throw new HloError(
        `a tuple is a list of its elements here; it has no element ${nameOf(index)}`,
      );
    return parts[index];
  },
  optimizationBarrier: ({ at }, x) => spread(at.add('opt-barrier', [rootOf(at, x)])),
  domain: ({ at }, x, domain) => at.add('domain', [x], { attributes: { domain } }),
};
