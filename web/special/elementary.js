// Functions made of logarithms and exponentials: logistic ones, entropies, transformations.
import { choose, elementwise, floatsOf } from './programs.js';

/** @typedef {any} Hlo */

/** @param {Hlo} hlo @returns {Record<string, (...args: any[]) => any>} */
export function elementaryFunctions(hlo) {
  const fill = (/** @type {any} */ x, /** @type {number} */ number) =>
    hlo.broadcastInDim(hlo.array(number, x.type), x.dims, []);
  /** x times a logarithm; 0 where x is 0, whatever the logarithm, unless y is NaN. @param {any} x @param {any} y @param {any} log */
  const timesLog = (x, y, log) =>
    hlo.select(hlo.and(hlo.eq(x, 0), hlo.eq(y, y)), fill(x, 0), hlo.mul(x, log));
  const relEntr = (/** @type {any} */ p, /** @type {any} */ q) => {
    const arePositive = hlo.and(hlo.gt(p, 0), hlo.gt(q, 0));
    const isNaN = hlo.or(hlo.ne(p, p), hlo.ne(q, q));
    const isZero = hlo.and(hlo.eq(p, 0), hlo.ge(q, 0));
    return choose(
      hlo,
      ...[isNaN, hlo.add(p, q), arePositive, hlo.mul(p, hlo.log(hlo.div(p, q)))],
      ...[isZero, fill(p, 0)],
      fill(p, Infinity),
    );
  };
  /** (exp(lambda x) - 1) / lambda inverted: a logarithm for lambda 0. @param {any} log of x @param {any} lambda */
  const powerOf = (log, lambda) =>
    hlo.select(hlo.eq(lambda, 0), log, hlo.div(hlo.expm1(hlo.mul(lambda, log)), lambda));
  return {
    expit: (...args) => hlo.logistic(...floatsOf(hlo, args)),
    logit: elementwise(hlo, (x) => hlo.sub(hlo.log(x), hlo.log1p(hlo.neg(x)))),
    xlogy: elementwise(hlo, (x, y) => timesLog(x, y, hlo.log(y))),
    xlog1py: elementwise(hlo, (x, y) => timesLog(x, y, hlo.log1p(y))),
    entr: elementwise(hlo, (x) =>
      choose(
        hlo,
        ...[hlo.gt(x, 0), hlo.neg(hlo.mul(x, hlo.log(x))), hlo.eq(x, 0), fill(x, 0)],
        ...[hlo.lt(x, 0), fill(x, -Infinity)],
        x,
      ),
    ),
    relEntr: elementwise(hlo, relEntr),
    klDiv: elementwise(hlo, (p, q) => hlo.add(hlo.sub(relEntr(p, q), p), q)),
    boxcox: elementwise(hlo, (x, lambda) => powerOf(hlo.log(x), lambda)),
    boxcox1p: elementwise(hlo, (x, lambda) => powerOf(hlo.log1p(x), lambda)),
  };
}
