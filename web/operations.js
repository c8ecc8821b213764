// Operations as JavaScript calls them. Each works on traced values (and appends an instruction) or on arrays (and
// runs at once, through a cached one-operation program). Elementwise methods are made from the engine's op list;
// the ones below only translate arguments. Must not know the engine's exports.
import { createArray, HloArray, shapeText } from './array.js';
import { Builder, Computation, Value } from './builder.js';
import { HloError, ShapeError } from './errors.js';

/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {Value | HloArray} Operand */
/** @typedef {number | bigint | boolean} Scalar */

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
  rev: 'reverse',
};
const comparisons = { eq: 'EQ', ne: 'NE', ge: 'GE', gt: 'GT', le: 'LE', lt: 'LT' };

/** @param {string} name "dynamic-slice" @returns {string} "dynamicSlice" */
function camelCase(name) {
  return name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
}

/**
 * What the functions below append to.
 * @typedef {object} Context
 * @property {Computation} at
 * @property {Builder} builder
 */

/** @param {number[] | undefined} list @param {string} what */
function ints(list, what) {
  if (!Array.isArray(list) || !list.every(Number.isInteger))
    throw new ShapeError(`${what} must be a list of integers`);
  return list;
}

/** @param {number} dimension @param {number} rank negative numbers count from the end */
function dimension(dimension, rank) {
  if (!Number.isInteger(dimension) || dimension < -rank || dimension >= rank)
    throw new ShapeError(`dimension ${dimension} is out of range for rank ${rank}`);
  return dimension < 0 ? dimension + rank : dimension;
}

/** @param {number[] | undefined} list @param {number} rank @param {string} what */
function dimensions(list, rank, what) {
  return ints(list, what).map((d) => dimension(d, rank));
}

/**
 * A function on values, or an elementwise op's name, as a computation of scalar parameters.
 * @param {Context} context
 * @param {string | ((...values: any[]) => any)} body
 * @param {string[]} shapes of the parameters
 */
function subcomputation(context, body, shapes) {
  const computation = context.builder.computation();
  const parameters = shapes.map((shape) => computation.parameter(shape));
  const result =
    typeof body === 'string'
      ? elementwise({ ...context, at: computation }, body, parameters)
      : traced(body, parameters);
  return computation.finish(rootOf(computation, result));
}

/** @type {(body: (...values: any[]) => any, parameters: Value[]) => any} */
function traced(body, parameters) {
  if (typeof body !== 'function')
    throw new HloError('expected a function of traced values, or the name of an operation');
  return body(...parameters);
}

/** @param {Computation} computation @param {any} result a value, an array, or a list of them */
function rootOf(computation, result) {
  if (!Array.isArray(result)) return computation.own(result);
  return computation.add(
    'tuple',
    result.map((part) => computation.own(part)),
  );
}

/** @param {Value} value @returns {Value | Value[]} a tuple as a list of its elements */
function spread(value) {
  if (!value.shape.elements) return value;
  return value.shape.elements.map((_, index) =>
    value.computation.add('get-tuple-element', [value], { attributes: { index } }),
  );
}

/**
 * JavaScript's numbers among the operands become constants of the type of the first operand that has one.
 * @param {Computation} at
 * @param {any[]} operands
 */
function withConstants(at, operands) {
  const typed = operands.findLast(
    (operand) => operand instanceof Value || operand instanceof HloArray,
  );
  return operands.map((operand) => {
    if (!typed || !['number', 'bigint', 'boolean'].includes(typeof operand)) return operand;
    const array = createArray(at.builder.engine, operand, typed.type);
    const constant = at.constant(array);
    array.dispose();
    return constant;
  });
}

/** @type {(context: Context, name: string, operands: any[], options?: any) => Value} */
function elementwise({ at }, name, operands, { broadcastDimensions = [], ...attributes } = {}) {
  const known = /** @type {Record<string, string>} */ (builderNames)[name] ?? name;
  return at.add(known, withConstants(at, operands), {
    attributes: snakeCase(attributes),
    broadcastDimensions: ints(broadcastDimensions, 'broadcastDimensions'),
  });
}

/** @param {Record<string, any>} options @returns {Record<string, any>} */
function snakeCase(options) {
  return Object.fromEntries(
    Object.entries(options).map(([key, value]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}

/** @param {number} count @param {string} what @param {any[]} list */
function perDimension(count, what, list) {
  if (ints(list, what).length !== count)
    throw new ShapeError(`${what} needs one entry per dimension: ${count}, got ${list.length}`);
  return list;
}

/**
 * Operations whose arguments need translating. All take a context first; the rest is the public signature.
 * @type {Record<string, (context: Context, ...args: any[]) => any>}
 */
const structural = {
  compare: (c, lhs, rhs, direction, options = {}) =>
    elementwise(c, 'compare', [lhs, rhs], {
      direction: String(direction).toUpperCase(),
      ...options,
    }),
  convert: ({ at }, x, type) => at.add('convert', [x], { shape: shapeText(type, x.dims) }),
  bitcastConvert: ({ at, builder }, x, type) => {
    const [from, to] = [x.type, type].map((name) => builder.engine.types.get(name));
    if (!from || !to) throw new HloError(`there is no element type "${type}"`);
    const dims = [...x.dims];
    if (to.bits < from.bits) dims.push(from.bits / to.bits);
    if (to.bits > from.bits) dims.pop();
    return at.add('bitcast-convert', [x], { shape: shapeText(type, dims) });
  },
  reducePrecision: ({ at }, x, exponentBits, mantissaBits) =>
    at.add('reduce-precision', [x], {
      attributes: { exponent_bits: exponentBits, mantissa_bits: mantissaBits },
    }),
  select: (c, predicate, onTrue, onFalse, options) =>
    elementwise(c, 'select', [predicate, onTrue, onFalse], options),
  clamp: (c, low, x, high, options) => elementwise(c, 'clamp', [low, x, high], options),
  map: ({ at, builder }, operands, body, dims) => {
    const to_apply = subcomputation(
      { at, builder },
      body,
      operands.map((/** @type {Operand} */ x) => shapeText(x.type, [])),
    );
    return at.add('map', operands, {
      attributes: {
        dimensions:
          dims ?? operands[0].dims.map((/** @type {number} */ _, /** @type {number} */ d) => d),
        to_apply,
      },
    });
  },
  broadcast: ({ at }, x, sizes) =>
    at.add('broadcast', [x], {
      shape: shapeText(x.type, [...ints(sizes, 'sizes'), ...x.dims]),
      attributes: {
        dimensions: x.dims.map(
          (/** @type {number} */ _, /** @type {number} */ d) => d + sizes.length,
        ),
      },
    }),
  broadcastInDim: ({ at }, x, shape, broadcastDimensions) => {
    (ints(shape, 'the shape'), perDimension(x.rank, 'broadcastDimensions', broadcastDimensions));
    // Dimensions of size 1 are dropped first: the instruction itself takes equal sizes only.
    const kept = broadcastDimensions
      .map((/** @type {number} */ to, /** @type {number} */ d) => ({ to, size: x.dims[d] }))
      .filter((/** @type {any} */ { to, size }) => size === shape[to] || size !== 1);
    const narrow =
      kept.length === x.rank
        ? x
        : at.add('reshape', [x], {
            shape: shapeText(
              x.type,
              kept.map((/** @type {any} */ { size }) => size),
            ),
          });
    return at.add('broadcast', [narrow], {
      shape: shapeText(x.type, shape),
      attributes: { dimensions: kept.map((/** @type {any} */ { to }) => to) },
    });
  },
  reshape: ({ at }, x, dims) =>
    at.add('reshape', [x], { shape: shapeText(x.type, ints(dims, 'the shape')) }),
  collapse: ({ at }, x, list) => {
    const which = dimensions(list, x.rank, 'dimensions');
    if (which.some((d, i) => i > 0 && d !== which[i - 1] + 1))
      throw new ShapeError('collapse takes consecutive dimensions in order');
    const product = which.reduce((size, d) => size * x.dims[d], 1);
    const dims =
      which.length === 0
        ? x.dims
        : [...x.dims.slice(0, which[0]), product, ...x.dims.slice(which[which.length - 1] + 1)];
    return at.add('reshape', [x], { shape: shapeText(x.type, dims) });
  },
  transpose: ({ at }, x, permutation) =>
    at.add('transpose', [x], {
      attributes: {
        dimensions: dimensions(
          permutation ??
            x.dims.map((/** @type {number} */ _, /** @type {number} */ d) => x.rank - 1 - d),
          x.rank,
          'permutation',
        ),
      },
    }),
  slice: ({ at }, x, starts, limits, strides) => {
    (perDimension(x.rank, 'starts', starts), perDimension(x.rank, 'limits', limits));
    const steps =
      strides === undefined ? starts.map(() => 1) : perDimension(x.rank, 'strides', strides);
    return at.add('slice', [x], {
      attributes: {
        slice: starts.map(
          (/** @type {number} */ start, /** @type {number} */ d) =>
            `[${start}:${limits[d]}:${steps[d]}]`,
        ),
      },
    });
  },
  concatenate: ({ at }, operands, dim) => {
    if (!Array.isArray(operands) || operands.length === 0)
      throw new HloError('concatenate takes a list of arrays');
    return at.add('concatenate', operands, {
      attributes: { dimensions: [dimension(dim, operands[0].rank)] },
    });
  },
  pad: ({ at }, x, value, { low, high, interior } = {}) => {
    const zeros = x.dims.map(() => 0);
    const [l, h, i] = [low, high, interior].map((list) =>
      perDimension(x.rank, 'padding', list ?? zeros),
    );
    if (x.rank === 0) return at.own(x);
    return at.add('pad', [x, value], {
      attributes: { padding: l.map((n, d) => `${n}_${h[d]}_${i[d]}`).join('x') },
    });
  },
  reverse: ({ at }, x, list) =>
    at.add('reverse', [x], { attributes: { dimensions: dimensions(list, x.rank, 'dimensions') } }),
  iota: ({ at }, type, dims, dim = 0) =>
    at.add('iota', [], {
      shape: shapeText(type, ints(dims, 'the shape')),
      attributes: { iota_dimension: dimension(dim, dims.length) },
    }),
  dynamicSlice: ({ at }, x, starts, sizes) =>
    at.add('dynamic-slice', [x, ...starts], {
      attributes: { dynamic_slice_sizes: ints(sizes, 'sizes') },
    }),
  dynamicUpdateSlice: ({ at }, x, update, starts) =>
    at.add('dynamic-update-slice', [x, update, ...starts]),
  dot: ({ at }, lhs, rhs) => {
    if (lhs.rank < 1 || lhs.rank > 2 || rhs.rank < 1 || rhs.rank > 2)
      throw new ShapeError(
        `dot takes vectors and matrices, got ${lhs.shape.text} and ${rhs.shape.text}: use dotGeneral`,
      );
    return at.add('dot', [lhs, rhs], {
      attributes: { lhs_contracting_dims: [lhs.rank - 1], rhs_contracting_dims: [0] },
    });
  },
  dotGeneral: (
    { at },
    lhs,
    rhs,
    {
      lhsContracting = [],
      rhsContracting = [],
      lhsBatch = [],
      rhsBatch = [],
      type,
      precision,
      algorithm,
    } = {},
  ) => {
    const attributes = {
      lhs_batch_dims: some(dimensions(lhsBatch, lhs.rank, 'lhsBatch')),
      rhs_batch_dims: some(dimensions(rhsBatch, rhs.rank, 'rhsBatch')),
      lhs_contracting_dims: dimensions(lhsContracting, lhs.rank, 'lhsContracting'),
      rhs_contracting_dims: dimensions(rhsContracting, rhs.rank, 'rhsContracting'),
      operand_precision: precision,
      algorithm,
    };
    const free = (/** @type {Operand} */ x, /** @type {number[]} */ taken) =>
      x.dims.filter((_, d) => !taken.includes(d));
    const batch = attributes.lhs_batch_dims ?? [];
    const dims = [
      ...batch.map((d) => lhs.dims[d]),
      ...free(lhs, [...batch, ...attributes.lhs_contracting_dims]),
      ...free(rhs, [...(attributes.rhs_batch_dims ?? []), ...attributes.rhs_contracting_dims]),
    ];
    return at.add('dot', [lhs, rhs], { attributes, shape: type ? shapeText(type, dims) : '' });
  },
  reduce: ({ at, builder }, operands, inits, body, list) => {
    const [xs, init] = [operands, inits].map((x) => (Array.isArray(x) ? x : [x]));
    const scalars = xs.map((x) => shapeText(x.type, []));
    const to_apply = subcomputation({ at, builder }, body, [...scalars, ...scalars]);
    const which =
      list === undefined
        ? xs[0].dims.map((/** @type {number} */ _, /** @type {number} */ d) => d)
        : dimensions(list, xs[0].rank, 'dimensions');
    return spread(
      at.add('reduce', [...xs, ...init], { attributes: { dimensions: which, to_apply } }),
    );
  },
  while: ({ at, builder }, condition, body, initial) => {
    const list = Array.isArray(initial);
    const state = rootOf(at, initial);
    const apply = (/** @type {any} */ f) => {
      const computation = builder.computation();
      const carry = spread(computation.parameter(state.shape.text));
      return computation.finish(
        rootOf(computation, list ? f(...(Array.isArray(carry) ? carry : [carry])) : f(carry)),
      );
    };
    return spread(
      at.add('while', [state], { attributes: { condition: apply(condition), body: apply(body) } }),
    );
  },
  conditional: ({ at, builder }, index, branches, operands) => {
    const args = operands.map((/** @type {any} */ x) => rootOf(at, x));
    if (branches.length !== operands.length)
      throw new HloError('conditional takes one operand per branch');
    const computations = branches.map((/** @type {any} */ branch, /** @type {number} */ i) => {
      const computation = builder.computation();
      const parameter = spread(computation.parameter(args[i].shape.text));
      return computation.finish(
        rootOf(computation, Array.isArray(parameter) ? branch(...parameter) : branch(parameter)),
      );
    });
    const two = index.type === 'pred';
    const attributes = two
      ? { true_computation: computations[0], false_computation: computations[1] }
      : { branch_computations: computations };
    return spread(at.add('conditional', [index, ...args], { attributes }));
  },
  optimizationBarrier: ({ at }, x) => at.add('opt-barrier', [x]),
};

/** @template T @param {T[]} list @returns {T[] | undefined} */
function some(list) {
  return list.length > 0 ? list : undefined;
}

/**
 * All operations by their JavaScript names, each taking a context first.
 * @param {Engine} engine
 * @returns {Record<string, (context: Context, ...args: any[]) => any>}
 */
export function operationsOf(engine) {
  /** @type {Record<string, (context: Context, ...args: any[]) => any>} */
  const operations = { ...structural };
  for (const op of engine.ops) {
    const name = camelCase(op.name);
    if (!op.elementwise || operations[name]) continue;
    operations[name] = (context, ...args) =>
      elementwise(context, op.name, args.slice(0, op.minOperands), args[op.minOperands]);
  }
  for (const [short, name] of Object.entries(builderNames))
    operations[short] ??= operations[camelCase(name)];
  for (const [name, direction] of Object.entries(comparisons)) {
    operations[name] = (context, lhs, rhs, options) =>
      structural.compare(context, lhs, rhs, direction, options);
  }
  return operations;
}
