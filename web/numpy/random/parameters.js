// What the parameters of NumPy's distributions may be, as numpy.random.Generator checks them: where they are plain numbers or lists of
// them. Those of arrays are not read, which would wait for them; the draws of impossible ones are NaN or meaningless.
import { HloError } from '../../errors.js';
import { nameOf } from '../../options.js';

/** @typedef {{ text: string, holds: (x: number) => boolean }} Rule */

/** @type {Rule} */
const notNegative = { text: 'is not negative', holds: (x) => !(x < 0 || Object.is(x, -0)) };
/** @type {Rule} */
const positive = { text: 'is greater than 0', holds: (x) => !(x <= 0) };
/** @type {Rule} */
const count = { text: 'is a number from 0', holds: (x) => x >= 0 };
/** @type {Rule} */
const probability = { text: 'is a probability, from 0 to 1', holds: (x) => x >= 0 && x <= 1 };
/** @type {Rule} */
const chance = { text: 'is greater than 0, and at most 1', holds: (x) => x > 0 && x <= 1 };

/** @type {Record<string, Record<string, Rule>>} the rules of each method's parameters */
const rules = {
  ...Object.fromEntries(
    ['normal', 'laplace', 'logistic', 'gumbel', 'exponential', 'rayleigh'].map((name) => [
      name,
      { scale: notNegative },
    ]),
  ),
  lognormal: { sigma: notNegative },
  weibull: { a: notNegative },
  pareto: { a: positive },
  wald: { mean: positive, scale: positive },
  gamma: { shape: notNegative, scale: notNegative },
  standardGamma: { shape: notNegative },
  beta: { a: positive, b: positive },
  chisquare: { df: positive },
  standardT: { df: positive },
  f: { dfnum: positive, dfden: positive },
  dirichlet: { alpha: notNegative },
  poisson: { lam: count },
  geometric: { p: chance },
  binomial: { n: count, p: probability },
  negativeBinomial: { n: positive, p: chance },
  multinomial: { n: count, pvals: probability },
  choice: { p: probability },
};

/** How far a sum of probabilities may be from 1, as in NumPy: the square root of the precision of f64. */
const SUM_TOLERANCE = Math.sqrt(Number.EPSILON);

/** The numbers of a plain number or a nested list, else none. @param {any} x @returns {number[]} */
const numbersOf = (x) =>
  [x].flat(Infinity).filter((/** @type {any} */ one) => typeof one === 'number');

/** @param {any} p @returns {number} the sum of a list of plain numbers, else NaN */
const sumOf = (p) =>
  Array.isArray(p) && p.every((one) => typeof one === 'number')
    ? p.reduce((sum, one) => sum + one, 0)
    : NaN;

/** What parameters must be together. @type {Record<string, (values: Record<string, any>) => string | undefined>} */
const relations = {
  uniform: ({ low = 0, high = 1 }) => (low > high ? 'low is at most high' : undefined),
  triangular: ({ left, mode, right }) =>
    left > mode || mode > right || left === right
      ? 'left is at most mode, that at most right, and left is less than right'
      : undefined,
  // The last one is what is left over.
  multinomial: ({ pvals }) =>
    Array.isArray(pvals) && sumOf(pvals.slice(0, -1)) > 1 + 1e-12
      ? 'the probabilities pvals have a sum of at most 1'
      : undefined,
  choice: ({ p }) =>
    Math.abs(sumOf(p) - 1) > SUM_TOLERANCE ? 'the probabilities p have the sum 1' : undefined,
};

/**
 * Fails where a distribution has no such parameters.
 * @param {string} name of the Generator's method
 * @param {Record<string, any>} values of the parameters by their names
 */
export function checkParameters(name, values) {
  for (const [key, { text, holds }] of Object.entries(rules[name] ?? {})) {
    const bad = numbersOf(values[key]).find((x) => !holds(x));
    if (bad !== undefined) throw new HloError(`${key} ${text}, got ${nameOf(bad)}`);
  }
  const isPlain = Object.values(values).every((x) => typeof x !== 'object' || Array.isArray(x));
  const broken = isPlain ? relations[name]?.(values) : undefined;
  if (broken !== undefined) throw new HloError(broken);
}
