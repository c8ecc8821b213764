// What arguments and options of operations must be, by their names: the same name means the same in all operations. Sizes are
// checked against shapes by the engine.
import { ShapeError } from '../errors.js';
import { nameOf, notAnOperand } from '../options.js';
import { Shaped } from '../shaped.js';
import { isPlain, isShape } from '../tree.js';

/** @typedef {{ is: (value: any) => boolean, what: string }} Kind */

const isIntegers = (/** @type {any} */ value) =>
  Array.isArray(value) && value.every(Number.isSafeInteger);
const isBoolean = (/** @type {any} */ value) => typeof value === 'boolean';
const isText = (/** @type {any} */ value) => typeof value === 'string';

/** @type {Record<string, Kind>} */
const kinds = {
  integer: { is: Number.isSafeInteger, what: 'an integer' },
  integers: { is: isIntegers, what: 'a list of integers' },
  groups: {
    is: (value) => Array.isArray(value) && value.every(isIntegers),
    what: 'a list of lists of integers',
  },
  number: { is: (value) => typeof value === 'number', what: 'a number' },
  boolean: { is: isBoolean, what: 'true or false' },
  booleans: {
    is: (value) => Array.isArray(value) && value.every(isBoolean),
    what: 'a list of true and false',
  },
  text: { is: isText, what: 'text' },
  words: {
    is: (value) => Array.isArray(value) && value.every(isText),
    what: 'a list of texts',
  },
  body: {
    is: (value) => typeof value === 'function' || isText(value),
    what: "a function of traced values, or an operation's name",
  },
  shape: { is: (value) => isText(value) || isShape(value), what: 'a shape: text, or of shape()' },
  padding: {
    is: (value) => isText(value) || Array.isArray(value),
    what: "'SAME', 'VALID', or a [low, high] for each dimension",
  },
  dimensionNumbers: {
    is: (value) => isText(value) || isPlain(value),
    what: 'text such as "b01f_01io->b01f", or an object',
  },
  accuracy: {
    is: (value) =>
      isText(value) || (isPlain(value) && Object.keys(value).some((key) => /mode|tol/.test(key))),
    what: "{ mode: 'DEFAULT' or 'HIGHEST' } or { tolerance: { atol, rtol, ulps } }",
  },
  layout: {
    is: (value) => value === null || isIntegers(value) || isPlain(value),
    what: 'a list of dimensions, minor to major, or an object with minorToMajor',
  },
};

/** Names of arguments, by kind. */
const named = {
  integer:
    'dimension splitDimension concatDimension shardCount splitCount channelId featureIndex featureGroupCount batchGroupCount indexVectorDim k delta exponentBits mantissaBits version start limit stride paddingLow paddingHigh reductionInputSizeOverride',
  integers:
    'broadcastDimensions permutation limits strides windowDimensions windowStrides baseDilations windowDilations lhsDilation rhsDilation lhsContracting rhsContracting lhsBatch rhsBatch lhsRagged rhsGroup offsetDims collapsedSliceDims startIndexMap operandBatchingDims startIndicesBatchingDims sliceSizes updateWindowDims insertedWindowDims scatterDimsToOperandDims inputBatchingDims scatterIndicesBatchingDims bounds length interior dimensions',
  groups: 'replicaGroups sourceTargetPairs',
  number: 'epsilon recallTarget',
  boolean:
    'lower leftSide unitDiagonal largest isStable reverse indicesAreSorted uniqueIndices useGlobalDeviceIds inplace aggregateToTopk customCallHasSideEffect',
  booleans: 'isDynamic windowReversal',
  text: 'type target transposeA backendConfig apiVersion algorithm config outfeedConfig direction paddingType kind domain asyncExecutionThread outputToOperandAliasing literal window schedule dimLabels',
  words: 'precision',
  body: 'body comparator condition select scatter',
  shape: 'shapeWithLayout resultShape',
  padding: 'padding',
  dimensionNumbers: 'dimensionNumbers',
  accuracy: 'resultAccuracy',
  layout: 'layout',
};

/** Arguments that are arrays; of some a number will do, beside an array of the same call. */
const operands = new Set(
  'x lhs rhs a b c predicate onTrue onFalse low high value source update indices scale offset mean variance gradOutput input inputOffsets sendSizes output outputOffsets recvSizes groupSizes lhsScale rhsScale random inputSizes outputDimensions'.split(
    ' ',
  ),
);
/** Arguments that are arrays or lists of them. */
const lists = new Set(['operands', 'updates', 'inputs', 'initial', 'parts', 'tokens']);

/** @type {Map<string, Kind>} */
const kindOf = new Map(
  Object.entries(named).flatMap(([kind, names]) =>
    names.split(' ').map((name) => /** @type {const} */ ([name, kinds[kind]])),
  ),
);

/** @param {string} name of an argument @param {any} value @returns {boolean} whether it may be that argument, as far as is known */
export function takes(name, value) {
  return kindOf.get(name)?.is(value) ?? true;
}

/** @param {string} name of an argument @returns {boolean} whether it may be an operand */
export function mayBeOperand(name) {
  return !kindOf.has(name);
}

/** @param {any} value @returns {boolean} */
const isNumber = (value) => ['number', 'bigint', 'boolean'].includes(typeof value);

/**
 * @param {string} operation
 * @param {string} argument its name
 * @param {any} value
 * @param {boolean} takesNumbers
 */
function checkOperand(operation, argument, value, takesNumbers) {
  if (value instanceof Shaped || (takesNumbers && isNumber(value))) return;
  throw new ShapeError(`${operation}: ${argument} is an array, got ${notAnOperand(value)}`);
}

/** @param {string} operation @param {string} argument its name @param {any} value a list of operands, or one */
function checkList(operation, argument, value) {
  if (value === undefined) return;
  if (!Array.isArray(value)) checkOperand(operation, argument, value, true);
  else
    value.forEach((one, k) => {
      if (!Array.isArray(one)) checkOperand(operation, `${argument}[${k}]`, one, true);
    });
}

/** @param {string} operation @param {string} argument its name @param {any} value */
function checkKind(operation, argument, value) {
  const kind = kindOf.get(argument);
  if (value === undefined || kind === undefined || kind.is(value)) return;
  throw new ShapeError(`${operation}: ${argument} is ${kind.what}, got ${nameOf(value)}`);
}

/** @param {string} operation @param {any} options an object */
function checkOptionKinds(operation, options) {
  for (const option in options) checkKind(operation, option, options[option]);
}

/**
 * What an operation's arguments are checked by, place by place: functions that throw.
 * @param {string} operation
 * @param {import('../options.js').Signature} signature
 * @returns {((value: any) => void)[]}
 */
export function checksOf(operation, { names, options, place }) {
  // Elementwise operations take numbers beside arrays.
  const arrays = options.includes('broadcastDimensions') ? ['x'] : ['x', 'lhs', 'rhs'];
  return names.map((name, i) => {
    if (i === place) return (value) => checkOptionKinds(operation, value);
    if (lists.has(name)) return (value) => checkList(operation, name, value);
    if (!operands.has(name)) return (value) => checkKind(operation, name, value);
    const takesNumbers = !arrays.includes(name);
    return (value) => checkOperand(operation, name, value, takesNumbers);
  });
}
