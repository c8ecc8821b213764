// Activation functions: of each element, but for glu, which halves an axis.
import { HloError, ShapeError } from '../errors.js';
import { nameOf } from '../options.js';
import { asArray, asFloat, axisOf, classOf, computeWider, convert } from '../numpy/promotion.js';

/** @typedef {any} Hlo */
/** @typedef {(...args: any[]) => any} AnyFunction */

const SELU_ALPHA = 1.6732632423543772;
const SELU_SCALE = 1.0507009873554805;

/** @param {Hlo} hlo @returns {Record<string, AnyFunction>} */
export function activationFunctions(hlo) {
  const fill = (/** @type {any} */ x, /** @type {number} */ number) =>
    hlo.broadcastInDim(hlo.array(number, x.type), x.dims, []);
  const clip = (/** @type {number} */ low, /** @type {any} */ x, /** @type {number} */ high) =>
    hlo.clamp(hlo.array(low, x.type), x, hlo.array(high, x.type));
  const softplus = (/** @type {any} */ x) =>
    hlo.add(hlo.max(x, 0), hlo.log1p(hlo.exp(hlo.neg(hlo.abs(x)))));
  const hardSigmoid = (/** @type {any} */ x) => hlo.div(clip(0, hlo.add(x, 3), 6), 6);
  const silu = (/** @type {any} */ x) => hlo.mul(x, hlo.logistic(x));
  const hardSilu = (/** @type {any} */ x) => hlo.mul(x, hardSigmoid(x));
  /** x where it is positive, else that of its expm1. @param {any} x @param {(powers: any) => any} below */
  const positiveOr = (x, below) =>
    hlo.select(hlo.gt(x, fill(x, 0)), x, below(hlo.expm1(hlo.min(x, 0))));

  /** Of one argument. @type {Record<string, (x: any) => any>} */
  const plain = {
    sigmoid: (x) => hlo.logistic(x),
    softplus,
    logSigmoid: (x) => hlo.neg(softplus(hlo.neg(x))),
    softSign: (x) => hlo.div(x, hlo.add(hlo.abs(x), 1)),
    silu,
    swish: silu,
    hardSigmoid,
    hardSilu,
    hardSwish: hardSilu,
    mish: (x) => hlo.mul(x, hlo.tanh(softplus(x))),
    selu: (x) =>
      hlo.mul(
        positiveOr(x, (powers) => hlo.mul(powers, SELU_ALPHA)),
        SELU_SCALE,
      ),
    sparsePlus: (x) => {
      const next = hlo.add(x, 1);
      const inside = hlo.mul(hlo.mul(next, next), 0.25);
      const [isLow, isHigh] = [hlo.le(x, fill(x, -1)), hlo.ge(x, fill(x, 1))];
      return hlo.select(isLow, fill(x, 0), hlo.select(isHigh, x, inside));
    },
    sparseSigmoid: (x) => hlo.mul(clip(0, hlo.add(x, 1), 2), 0.5),
    log1mexp: (x) => {
      const near = hlo.log(hlo.neg(hlo.expm1(hlo.neg(x))));
      return hlo.select(
        hlo.lt(x, fill(x, Math.LN2)),
        near,
        hlo.log1p(hlo.neg(hlo.exp(hlo.neg(x)))),
      );
    },
  };
  /** @type {Record<string, AnyFunction>} */
  const nn = {};
  /** A program of an array, in f32 where that is wider; other arguments are numbers that it is made for, or arrays. @param {AnyFunction} f */
  const floatProgram = (f) => {
    const program = hlo.jit((/** @type {any} */ x, /** @type {any[]} */ ...others) =>
      computeWider(hlo, [x], 'f32', (wide) =>
        f(wide, ...others.map((y) => (typeof y === 'object' ? convert(hlo, y, wide.type) : y))),
      ),
    );
    return (/** @type {any} */ value, /** @type {any[]} */ ...others) => {
      const x = asFloat(hlo, value);
      if (classOf(hlo, x) !== 'float') throw new HloError('no complex numbers are taken');
      return program(x, ...others);
    };
  };
  for (const [name, f] of Object.entries(plain)) {
    const program = floatProgram(f);
    nn[name] = (x) => program(x);
  }
  /** A parameter: a number, or a scalar. @param {string} name @param {any} value */
  const scalar = (name, value) => {
    if (typeof value === 'number') return value;
    const array = asArray(hlo, value);
    if (array.rank > 0)
      throw new ShapeError(`${name} is one number, got an array of [${array.dims}]`);
    return array;
  };
  const all = (/** @type {any} */ x, /** @type {any} */ y) =>
    typeof y === 'number' ? y : hlo.broadcastInDim(y, x.dims, []);

  nn.identity = (x) => asArray(hlo, x);
  const clipped = hlo.jit(
    (/** @type {any} */ x, /** @type {number} */ low, /** @type {number} */ high) =>
      clip(low, x, high),
  );
  nn.relu = (value) => {
    const x = asArray(hlo, value);
    return hlo.max(x, hlo.array(0, x.type));
  };
  nn.relu6 = (x) => clipped(asFloat(hlo, x), 0, 6);
  nn.hardTanh = (x) => clipped(asArray(hlo, x), -1, 1);
  const elu = floatProgram((x, alpha) => positiveOr(x, (powers) => hlo.mul(powers, all(x, alpha))));
  nn.elu = (x, { alpha = 1 }) => elu(x, scalar('alpha', alpha));
  const celu = floatProgram((x, alpha) => {
    const scale = all(x, alpha);
    return hlo.add(hlo.max(x, 0), hlo.mul(hlo.expm1(hlo.div(hlo.min(x, 0), scale)), scale));
  });
  nn.celu = (x, { alpha = 1 }) => celu(x, scalar('alpha', alpha));
  const leakyRelu = floatProgram((x, slope) =>
    hlo.select(hlo.ge(x, fill(x, 0)), x, hlo.mul(x, all(x, slope))),
  );
  nn.leakyRelu = (x, { negativeSlope = 0.01 }) =>
    leakyRelu(x, scalar('negativeSlope', negativeSlope));
  const squareplus = floatProgram((x, b) =>
    hlo.mul(hlo.add(x, hlo.sqrt(hlo.add(hlo.mul(x, x), all(x, b)))), 0.5),
  );
  nn.squareplus = (x, { b = 4 }) => squareplus(x, scalar('b', b));
  const gelu = floatProgram((x, isApproximate) => {
    if (!isApproximate) return hlo.mul(hlo.mul(x, 0.5), hlo.erfc(hlo.mul(x, -Math.SQRT1_2)));
    const cube = hlo.mul(hlo.mul(hlo.mul(x, x), x), 0.044715);
    const inner = hlo.mul(hlo.add(x, cube), Math.sqrt(2 / Math.PI));
    return hlo.mul(hlo.mul(x, 0.5), hlo.add(hlo.tanh(inner), 1));
  });
  nn.gelu = (x, { approximate = true }) => {
    if (typeof approximate !== 'boolean')
      throw new HloError(`approximate is true or false, got ${nameOf(approximate)}`);
    return gelu(x, approximate);
  };
  const glu = floatProgram((x, axis) => {
    const half = x.dims[axis] / 2;
    const [first, second] = [0, half].map((start) =>
      hlo.sliceInDim(x, start, start + half, 1, axis),
    );
    return hlo.mul(first, hlo.logistic(second));
  });
  nn.glu = (value, { axis = -1 }) => {
    const x = asFloat(hlo, value);
    const along = axisOf(axis, x.rank);
    if (x.dims[along] % 2 !== 0)
      throw new ShapeError(`the axis has an even size, to be halved, got ${x.dims[along]}`);
    return glu(x, along);
  };
  return nn;
}
