// `hlo-wasm/numpy`, for those who like to import what they use. `hlo.np` is the same.
import { checkArguments, Hlo, HloError, signatureOf } from '../index.js';

const NUMPY = signatureOf('hlo');

/**
 * NumPy's functions on the arrays of an engine: what `hlo.np` is.
 * @param {Hlo} hlo what load() gave
 * @returns {import('./types.js').NumPy}
 */
export function numpy(hlo) {
  checkArguments('numpy', NUMPY, arguments);
  if (!(hlo instanceof Hlo))
    throw new HloError('numpy takes what load() gave: await it; one in a worker, by far.jit()');
  return hlo.np;
}
