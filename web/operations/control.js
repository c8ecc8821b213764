// Control flow, calls, and communication with the host.
import { shapeText } from '../array.js';
import { HloError } from '../errors.js';
import { nameOf } from '../options.js';
import {
  callerOf,
  capturedBy,
  closureOf,
  int,
  listOf,
  operandList,
  rootOf,
  scalarsOf,
  snakeCase,
  spread,
  subcomputation,
} from './arguments.js';

/** @typedef {import('../builder.js').Computation} Computation */
/** @typedef {import('../builder.js').Value} Value */
/** @typedef {import('./arguments.js').OperationTable} OperationTable */

/** @param {any} attributes */
function withTextQuoted(attributes) {
  const { customCallTarget, backendConfig, ...rest } = attributes;
  return {
    custom_call_target: JSON.stringify(customCallTarget),
    ...snakeCase(rest),
    backend_config: backendConfig === undefined ? undefined : JSON.stringify(backendConfig),
  };
}

/** @type {OperationTable} */
export const control = {
  map: (context, operands, body, dims) => {
    const xs = operandList(operands);
    const all = xs[0].dims.map((/** @type {number} */ _, /** @type {number} */ d) => d);
    const to_apply = subcomputation(context, body, scalarsOf(xs));
    return context.at.add('map', xs, { attributes: { dimensions: dims ?? all, to_apply } });
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
    const parts = (/** @type {Computation} */ outer) => spread(outer.parameter(all.xla.text));
    const [result] = loop(all, [
      callerOf(context, test, captured, parts),
      callerOf(context, step, captured, parts, (next) => [next, ...captured]),
    ]);
    return spread(result);
  },
  scan: (context, body, inputs, initial = [], options = {}) => {
    const { dimension = 0, reverse = false } = options;
    const [xs, carried] = [inputs, initial].map((list) =>
      listOf(list).map((x) => context.at.own(x)),
    );
    const shapes = xs.map(
      ({ type, dims }) => `${type}[${dims.filter((_, d) => d !== int(dimension, 'dimension'))}]`,
    );
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
      return callerOf(context, closure, captured, (outer) =>
        spread(outer.parameter(args[i].xla.text)),
      );
    });
    const attributes =
      index.type === 'pred'
        ? { true_computation: computations[0], false_computation: computations[1] }
        : { branch_computations: computations };
    return spread(context.at.add('conditional', [index, ...args], { attributes }));
  },
  call: (context, body, given) => {
    const xs = listOf(given).map((x) => context.at.own(x));
    const to_apply = subcomputation(
      context,
      body,
      xs.map((x) => x.xla.text),
      true,
    );
    const operands = [...xs, ...capturedBy(to_apply)];
    return spread(context.at.add('call', operands, { attributes: { to_apply } }));
  },
  compositeCall: (context, body, operands, name, attributes = '', version = 0) => {
    const xs = listOf(operands).map((x) => context.at.own(x));
    const shapes = xs.map((x) => x.xla.text);
    if (!/^\{.*\}$|^$/s.test(attributes))
      throw new HloError('attributes of a composite are text in braces: "{n = 1 : i32}"');
    const described = [
      `composite.attributes=${attributes || '{}'}`,
      `composite.name=${JSON.stringify(String(name))}`,
      `composite.version="${int(version, 'the version')}"`,
    ];
    return spread(
      context.at.add('call', xs, {
        attributes: {
          to_apply: subcomputation(context, body, shapes),
          is_composite: true,
          frontend_attributes: `{${described.join(',')}}`,
        },
      }),
    );
  },
  tuple: ({ at }, parts) => spread(at.add('tuple', listOf(parts))),
  getTupleElement: (_, parts, index) => {
    if (!Array.isArray(parts) || !(int(index, 'the index') in parts))
      throw new HloError(
        `a tuple is a list of its elements here; it has no element ${nameOf(index)}`,
      );
    return parts[index];
  },
  customCall: ({ at }, target, operands, shape, options = {}) => {
    const attributes = withTextQuoted({ customCallTarget: target, ...options });
    return spread(at.add('custom-call', listOf(operands), { shape: String(shape), attributes }));
  },
  optimizationBarrier: ({ at }, x) => spread(at.add('opt-barrier', [rootOf(at, x)])),
  afterAll: ({ at }, tokens = []) => at.add('after-all', tokens),
  infeed: ({ at }, token, shapes) => {
    const shape = Array.isArray(shapes) ? `(${shapes.join(', ')})` : String(shapes);
    const [data, next] = spread(at.add('infeed', [token], { shape: `(${shape}, token[])` }));
    return [spread(data), next];
  },
  outfeed: ({ at }, operands, token) => {
    const data = rootOf(at, operands);
    return at.add('outfeed', [data, token], { attributes: { outfeed_shape: data.xla.text } });
  },
  send: ({ at }, x, token, channelId) => at.add('send', [x, token], channel(channelId)),
  sendDone: ({ at }, state, channelId) => at.add('send-done', [state], channel(channelId)),
  recv: ({ at }, token, shape, channelId) =>
    at.add('recv', [token], { shape: `(${shape}, u32[], token[])`, ...channel(channelId) }),
  recvDone: ({ at }, state, channelId) => spread(at.add('recv-done', [state], channel(channelId))),
  replicaId: ({ at }) => at.add('replica-id', [], { shape: shapeText('u32', []) }),
  partitionId: ({ at }) => at.add('partition-id', [], { shape: shapeText('u32', []) }),
};

/** @param {number} channelId */
function channel(channelId) {
  return { attributes: { channel_id: channelId && int(channelId, 'channelId') } };
}
