// NumPy's second names of functions, among them those of the array API standard.

/** By the name of the function. */
export const aliases = {
  abs: ['absolute'],
  arccos: ['acos'],
  arccosh: ['acosh'],
  arcsin: ['asin'],
  arcsinh: ['asinh'],
  arctan: ['atan'],
  arctan2: ['atan2'],
  arctanh: ['atanh'],
  asarray: ['asanyarray'],
  concatenate: ['concat'],
  conjugate: ['conj'],
  deg2rad: ['radians'],
  divide: ['trueDivide'],
  invert: ['bitwiseInvert', 'bitwiseNot'],
  leftShift: ['bitwiseLeftShift'],
  max: ['amax'],
  min: ['amin'],
  mod: ['remainder'],
  power: ['pow'],
  rad2deg: ['degrees'],
  rightShift: ['bitwiseRightShift'],
  round: ['around'],
  transpose: ['permuteDims'],
  vstack: ['rowStack'],
};
