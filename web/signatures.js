// The types of the operations, for editors and tsc. The operations themselves are made from the engine's list when it
// loads; tests/js/operations.test.js holds this page to that list.

/** @typedef {import('./array.js').HloArray} HloArray */
/** @typedef {number | bigint | boolean} Scalar */
/**
 * Broadcasting of elementwise operations, explicit as in XLA: broadcastDimensions says which dimension of the result each
 * dimension of the operands of lower rank is. Scalars and dimensions of size 1 always broadcast.
 * @typedef {{ broadcastDimensions?: number[] }} Broadcast
 */
/** @typedef {(x: HloArray) => HloArray} Unary */
/** @typedef {(lhs: HloArray | Scalar, rhs: HloArray | Scalar, options?: Broadcast) => HloArray} Binary */
/** @typedef {(...scalars: any[]) => any} Body a function of traced values, as given to reduce or while */
/** @typedef {'EQ' | 'NE' | 'GE' | 'GT' | 'LE' | 'LT'} Direction */

/**
 * @typedef {'abs' | 'negate' | 'neg' | 'sign' | 'not' | 'popcnt' | 'populationCount' | 'countLeadingZeros' | 'clz' | 'ceil'
 *   | 'floor' | 'roundNearestAfz' | 'round' | 'roundNearestEven' | 'isFinite' | 'exponential' | 'exp' | 'exponentialMinusOne'
 *   | 'expm1' | 'log' | 'logPlusOne' | 'log1p' | 'logistic' | 'sqrt' | 'rsqrt' | 'cbrt' | 'sine' | 'sin' | 'cosine' | 'cos'
 *   | 'tan' | 'tanh' | 'erf' | 'erfc' | 'erfInv' | 'lgamma' | 'digamma' | 'besselI1e' | 'acos' | 'acosh' | 'asin' | 'asinh'
 *   | 'atanh' | 'cosh' | 'sinh' | 'real' | 'imag' | 'copy'} UnaryName
 */
/**
 * @typedef {'add' | 'subtract' | 'sub' | 'multiply' | 'mul' | 'divide' | 'div' | 'remainder' | 'rem' | 'power' | 'pow'
 *   | 'mulhi' | 'polygamma' | 'zeta' | 'nextAfter' | 'maximum' | 'max' | 'minimum' | 'min' | 'and' | 'or' | 'xor' | 'shiftLeft'
 *   | 'shiftRightArithmetic' | 'shiftRightLogical' | 'atan2' | 'complex' | 'stochasticConvert' | 'eq' | 'ne' | 'ge' | 'gt' | 'le' | 'lt'} BinaryName
 */

/**
 * @typedef {object} Structural
 * @property {(lhs: HloArray | Scalar, rhs: HloArray | Scalar, direction: Direction, options?: Broadcast & { type?: 'FLOAT' | 'TOTALORDER' | 'SIGNED' | 'UNSIGNED' }) => HloArray} compare
 * @property {(x: HloArray, type: string) => HloArray} convert
 * @property {(x: HloArray, type: string) => HloArray} bitcastConvert
 * @property {(x: HloArray, exponentBits: number, mantissaBits: number) => HloArray} reducePrecision
 * @property {(predicate: HloArray, onTrue: HloArray | Scalar, onFalse: HloArray | Scalar, options?: Broadcast) => HloArray} select
 * @property {(low: HloArray | Scalar, x: HloArray, high: HloArray | Scalar, options?: Broadcast) => HloArray} clamp
 * @property {(operands: HloArray[], body: Body | string, dimensions?: number[]) => HloArray} map
 * @property {(x: HloArray, sizes: number[]) => HloArray} broadcast new major dimensions in front
 * @property {(x: HloArray, shape: number[], broadcastDimensions: number[]) => HloArray} broadcastInDim
 * @property {(x: HloArray, shape: number[]) => HloArray} reshape
 * @property {(x: HloArray, dimensions: number[]) => HloArray} collapse
 * @property {(x: HloArray, permutation?: number[]) => HloArray} transpose reverses the dimensions by default
 * @property {(x: HloArray, starts: number[], limits: number[], strides?: number[]) => HloArray} slice
 * @property {(operands: HloArray[], dimension: number) => HloArray} concatenate
 * @property {(x: HloArray, value: HloArray, padding: { low?: number[], high?: number[], interior?: number[] }) => HloArray} pad
 * @property {(x: HloArray, dimensions: number[]) => HloArray} reverse
 * @property {(x: HloArray, dimensions: number[]) => HloArray} rev
 * @property {(type: string, shape: number[], dimension?: number) => HloArray} iota
 * @property {(x: HloArray, starts: HloArray[], sizes: number[]) => HloArray} dynamicSlice
 * @property {(x: HloArray, update: HloArray, starts: HloArray[]) => HloArray} dynamicUpdateSlice
 * @property {(lhs: HloArray, rhs: HloArray) => HloArray} dot of vectors and matrices
 * @property {(lhs: HloArray, rhs: HloArray, dimensions: { lhsContracting?: number[], rhsContracting?: number[], lhsBatch?: number[], rhsBatch?: number[], type?: string, precision?: string[], algorithm?: string }) => HloArray} dotGeneral
 * @property {(operands: HloArray | HloArray[], initial: HloArray | HloArray[], body: Body | string, dimensions?: number[]) => any} reduce over all dimensions by default; body is a function or an operation's name
 * @property {(condition: Body, body: Body, initial: HloArray | HloArray[]) => any} while
 * @property {(index: HloArray, branches: Body[], operands: (HloArray | HloArray[])[]) => any} conditional
 * @property {(x: HloArray) => HloArray} optimizationBarrier
 */

/** @typedef {Record<UnaryName, Unary> & Record<BinaryName, Binary> & Structural} Operations */

export {};
