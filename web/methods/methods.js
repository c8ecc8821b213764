// What the methods of arrays and traced values do. Each takes the array first.
import { methodOf } from '../numpy/namespace.js';
import { checkArguments, NOTHING } from '../options.js';
import { accessMethods } from './access.js';
import { functionNames } from './names.js';

/**
 * @param {import('../index.js').Hlo} hlo
 * @returns {Record<string, (x: any, ...args: any[]) => any>}
 */
export function methodsOf(hlo) {
  /** @type {Record<string, any>} */
  const np = hlo.np;
  const [reshape, transpose] = [np.reshape, np.transpose].map(methodOf);
  return {
    ...Object.fromEntries(functionNames.map((name) => [name, methodOf(np[name])])),
    // As NumPy's methods, and unlike its functions, these take a list, or its entries as arguments.
    reshape: (x, ...args) => reshape(x, ...(areNumbers(args) ? [args] : args)),
    transpose: (x, ...args) => transpose(x, ...(areNumbers(args) ? [args] : args)),
    ...accessMethods(hlo),
    flatten: (x, ...args) => {
      checkArguments('flatten', NOTHING, args);
      return np.ravel(x);
    },
  };
}

/** @param {any[]} args */
function areNumbers(args) {
  return args.length > 0 && args.every((arg) => typeof arg === 'number');
}
