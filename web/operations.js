// The operations of the JavaScript API. Each takes traced values (and appends an instruction) or arrays (and runs immediately,
// through a cached program of one operation). Elementwise ones are generated from the engine's op list; those of operations/
// translate arguments.
import { elementwise } from './operations/arguments.js';
import { collectives } from './operations/collectives.js';
import { contraction } from './operations/contraction.js';
import { control } from './operations/control.js';
import { movement } from './operations/movement.js';
import { numeric } from './operations/numeric.js';
import { signatureOf } from './options.js';
import { elementwise as elementwiseSignatures, structural } from './signatures.js';

/** @typedef {import('./operations/arguments.js').OperationTable} OperationTable */

/** XlaBuilder's short names for ops whose HLO name is longer. */
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
  round: 'round-nearest-afz',
  convertElementType: 'convert',
  bitcastConvertType: 'bitcast-convert',
  concatInDim: 'concatenate',
  rev: 'reverse',
};
const comparisons = { eq: 'EQ', ne: 'NE', ge: 'GE', gt: 'GT', le: 'LE', lt: 'LT' };

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
    ...control,
    ...numeric,
    ...collectives,
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
    texts[camelCase(op)] ??= elementwiseSignatures[count];
  for (const [short, name] of Object.entries(builderNames)) texts[short] ??= texts[camelCase(name)];
  for (const name of Object.keys(comparisons)) texts[name] = elementwiseSignatures[2];
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, signatureOf(text)]));
}
