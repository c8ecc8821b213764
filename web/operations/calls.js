// Calls: of functions, composites, fusions and custom calls.
import { HloError } from '../errors.js';
import { snakeCase } from '../options.js';
import { capturedBy, int, listOf, spread, subcomputation, textOfShape } from './arguments.js';
import { dimLabels } from './convolution.js';

/** @typedef {import('./arguments.js').Context} Context */
/** @typedef {import('./arguments.js').OperationTable} OperationTable */

/** @param {any} attributes */
function withTextQuoted(attributes) {
  const { customCallTarget, backendConfig, literal, ...rest } = attributes;
  return {
    custom_call_target: JSON.stringify(customCallTarget),
    ...snakeCase(rest),
    backend_config: backendConfig === undefined ? undefined : JSON.stringify(backendConfig),
    literal: literal && `(${literal})`,
  };
}

/**
 * @param {Context} context
 * @param {string} target
 * @param {any} operands
 * @param {any} shape of the result
 * @param {Record<string, any>} options
 */
function customCall({ at }, target, operands, shape, options) {
  const attributes = withTextQuoted({ customCallTarget: target, ...options });
  return spread(at.add('custom-call', listOf(operands), { shape: textOfShape(shape), attributes }));
}

/** @param {any} shapes of operands, with their layouts @returns {string | undefined} in braces */
function constraints(shapes) {
  return shapes === undefined ? undefined : `{${listOf(shapes).map(textOfShape).join(', ')}}`;
}

/** @type {OperationTable} */
export const calls = {
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
  fusion: (context, kind, operands, body) => {
    const xs = listOf(operands).map((x) => context.at.own(x));
    const fused = subcomputation(
      context,
      body,
      xs.map((x) => x.xla.text),
    );
    return spread(
      context.at.add('fusion', xs, {
        shape: fused.result?.xla.text,
        attributes: { kind: String(kind), calls: fused },
      }),
    );
  },
  customCall: (context, target, operands, shape, options = {}) =>
    customCall(context, target, operands, shape, options),
  customCallWithComputation: (context, target, operands, body, shape, options = {}) => {
    const xs = listOf(operands).map((x) => context.at.own(x));
    const toApply = subcomputation(
      context,
      body,
      xs.map((x) => x.xla.text),
    );
    return customCall(context, target, xs, shape, { ...options, toApply });
  },
  customCallWithLayout: (context, target, operands, shape, operandShapes, options = {}) =>
    customCall(context, target, operands, shape, {
      ...options,
      operandLayoutConstraints: constraints(operandShapes),
    }),
  customCallWithConvDnums: (
    context,
    target,
    operands,
    shape,
    operandShapes,
    backendConfig,
    customCallHasSideEffect,
    outputToOperandAliasing,
    literal,
    window,
    dimensionNumbers,
    schedule,
    apiVersion,
  ) =>
    customCall(context, target, operands, shape, {
      backendConfig,
      customCallHasSideEffect,
      outputToOperandAliasing,
      literal,
      window,
      dimLabels: dimensionNumbers && dimLabels(dimensionNumbers, listOf(operands)[0].rank),
      schedule,
      apiVersion,
      operandLayoutConstraints: constraints(operandShapes),
    }),
};
