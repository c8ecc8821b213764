// The two names of an element type: XLA's ('f32') and NumPy's ('float32').
import { HloError } from './errors.js';
import { nameOf } from './options.js';

/** NumPy's names of XLA's element types. */
export const dtypes = /** @type {const} */ ({
  bool: 'pred',
  int8: 's8',
  int16: 's16',
  int32: 's32',
  int64: 's64',
  uint8: 'u8',
  uint16: 'u16',
  uint32: 'u32',
  uint64: 'u64',
  float16: 'f16',
  bfloat16: 'bf16',
  float32: 'f32',
  float64: 'f64',
  complex64: 'c64',
  complex128: 'c128',
});

/** Names in ml_dtypes, the package that adds these types to NumPy. */
export const smallDtypes = /** @type {const} */ ({
  int2: 's2',
  int4: 's4',
  uint2: 'u2',
  uint4: 'u4',
  float4_e2m1fn: 'f4e2m1fn',
  float6_e2m3fn: 'f6e2m3fn',
  float6_e3m2fn: 'f6e3m2fn',
  float8_e3m4: 'f8e3m4',
  float8_e4m3: 'f8e4m3',
  float8_e4m3fn: 'f8e4m3fn',
  float8_e4m3fnuz: 'f8e4m3fnuz',
  float8_e4m3b11fnuz: 'f8e4m3b11fnuz',
  float8_e5m2: 'f8e5m2',
  float8_e5m2fnuz: 'f8e5m2fnuz',
  float8_e8m0fnu: 'f8e8m0fnu',
});

const all = { ...dtypes, ...smallDtypes };

/** @typedef {keyof typeof all} Dtype NumPy's name of an element type */
/** XLA's types of what holds no elements. */
const others = /** @type {const} */ (['tuple', 'token', 'opaque']);
/** @typedef {(typeof all)[Dtype] | (typeof others)[number]} XlaType XLA's name of an element type */
/** @typedef {Dtype | XlaType} ElementType a name of an element type, wherever one is an argument */

/** @type {Map<string, Dtype>} */
const numpyNames = new Map();
/** @type {Map<string, XlaType>} */
const xlaNames = new Map(others.map((name) => [name, name]));
for (const [name, type] of Object.entries(all)) {
  numpyNames.set(type, /** @type {Dtype} */ (name));
  xlaNames.set(name, type).set(type, type);
}

/** @param {string} type XLA's name @returns {Dtype} NumPy's, XLA's where NumPy has none (token, tuple) */
export function dtypeOf(type) {
  return numpyNames.get(type) ?? /** @type {any} */ (type);
}

/** @param {any} type XLA's or NumPy's name @returns {XlaType} XLA's */
export function elementType(type) {
  const found = xlaNames.get(type);
  if (found !== undefined) return found;
  if (typeof type !== 'string')
    throw new HloError(`an element type is a name such as 'float32' or 'f32', not ${nameOf(type)}`);
  throw new HloError(
    `there is no element type "${type}": names are those of NumPy or XLA, as 'float32' or 'f32'`,
  );
}

/** @param {string} shape as text @returns {string} with XLA's names of element types: "float32[2]" as "f32[2]" */
export function inXlaNames(shape) {
  return shape.replaceAll(/[a-z]\w*(?=\[|$)/g, (name) => xlaNames.get(name) ?? name);
}
