// The operations of the JavaScript API. Each takes traced values (and appends an instruction) or arrays (and runs immediately,
// through a cached program of one operation). Elementwise ones are generated from the engine's op list; those of operations/
// translate arguments.
import { elementwise } from './operations/arguments.js';
import { calls } from './operations/calls.js';
import { collectives } from './operations/collectives.js';
import { communication } from './operations/communication.js';
import { contraction } from './operations/contraction.js';
import { control } from './operations/control.js';
import { convolution } from './operations/convolution.js';
import { indexed } from './operations/indexed.js';
import { movement } from './operations/movement.js';
import { numeric } from './operations/numeric.js';
import { signatureOf } from './options.js';
import {
  elementwise as elementwiseArguments,
  inexact,
  inexactArguments,
  structural,
} from './signatures.js';

/** @typedef {import('./operations/arguments.js').OperationTable} OperationTable */

/** Further names of operations, most of them XlaBuilder's: as HLO text or this package has the operation. */
const builderNames = {
  exp: 'exponential',
  expm1: 'exponential-minus-one',
  log1p: 'log-plus-one',
  sin: 'sine',
  cos: 'cosine',
  neg: 'negate',
  sub: 'subtract',
  mul: 'multiply',
  div: 'divide',
  rem: 'remainder',
  pow: 'power',
  max: 'maximum',
  min: 'minimum',
  clz: 'count-leading-zeros',
  populationCount: 'popcnt',
  mulHi: 'mulhi',
  round: 'round-nearest-afz',
  convertElementType: 'convert',
  bitcastConvertType: 'bitcast-convert',
  concatInDim: 'concatenate',
  rev: 'reverse',
  stochasticConvertType: 'stochastic-convert',
  constantLiteral: 'constant',
  constantR0: 'constant',
  constantR1: 'constant',
  constantR2: 'constant',
  buildPartitionId: 'partition-id',
  allGatherTuple: 'all-gather',
  allReduceTuple: 'all-reduce',
  selectAndScatterWithGeneralPadding: 'select-and-scatter',
};
const comparisons = { eq: 'EQ', ne: 'NE', ge: 'GE', gt: 'GT', le: 'LE', lt: 'LT' };

/** @param {any} lhs @param {any} rhs @returns {string | undefined} the comparison that orders floats totally; other types are already */
function totalOrder(lhs, rhs) {
  const type = lhs?.type ?? rhs?.type;
  return /^b?f\d/.test(type) ? 'TOTALORDER' : undefined;
}

/** @param {string} name "dynamic-slice" @returns {string} "dynamicSlice" */
function camelCase(name) {
  return name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
}

/** @type {OperationTable} */
const choosing = {
  compare: (c, lhs, rhs, direction, options = {}) =>
    elementwise(c, 'compare', [lhs, rhs], {
      direction: String(direction).toUpperCase(),
      ...options,
    }),
  select: (c, predicate, onTrue, onFalse, options) =>
    elementwise(c, 'select', [predicate, onTrue, onFalse], options),
  atan: (c, x) => elementwise(c, 'atan2', [x, 1]),
  conj: (c, x) => {
    const [real, imag] = ['real', 'imag'].map((part) => elementwise(c, part, [x]));
    return elementwise(c, 'complex', [real, elementwise(c, 'negate', [imag])]);
  },
  clamp: (c, low, x, high, options) => elementwise(c, 'clamp', [low, x, high], options),
};

/**
 * All operations by their JavaScript names, each taking a context first.
 * @param {import('./engine.js').Engine} engine
 * @returns {OperationTable}
 */
export function operationsOf(engine) {
  /** @type {OperationTable} */
  const operations = {
    ...choosing,
    ...movement,
    ...contraction,
    ...convolution,
    ...control,
    ...calls,
    ...indexed,
    ...numeric,
    ...collectives,
    ...communication,
  };
  for (const [op, count] of engine.elementwise) {
    operations[camelCase(op)] ??= (context, ...args) =>
      elementwise(context, op, args.slice(0, count), args[count]);
  }
  for (const [short, name] of Object.entries(builderNames))
    operations[short] ??= operations[camelCase(name)];
  for (const [name, direction] of Object.entries(comparisons)) {
    operations[name] = (context, lhs, rhs, options) =>
      choosing.compare(context, lhs, rhs, direction, options);
    operations[`${name}TotalOrder`] = (context, lhs, rhs, options) =>
      choosing.compare(context, lhs, rhs, direction, { ...options, type: totalOrder(lhs, rhs) });
  }
  return operations;
}

/**
 * The signatures of the operations.
 * @param {import('./engine.js').Engine} engine
 * @returns {Record<string, import('./options.js').Signature>}
 */
export function signaturesOf(engine) {
  /** @type {Record<string, string>} */
  const texts = { ...structural };
  for (const [op, count] of engine.elementwise)
    texts[camelCase(op)] ??= inexact.includes(op) ? inexactArguments : elementwiseArguments[count];
  for (const [short, name] of Object.entries(builderNames)) texts[short] ??= texts[camelCase(name)];
  for (const name of Object.keys(comparisons))
    texts[name] = texts[`${name}TotalOrder`] = elementwiseArguments[2];
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, signatureOf(text)]));
}
