// Signatures of the operations: their types for editors and tsc and, below, the names of their arguments and options, which calls
// are checked against. The operations themselves are generated from the engine's list when it loads; tests/js/operations.test.js
// compares this file with that list, and the names with the types.

/** @typedef {import('./array.js').HloArray} HloArray */
/** @typedef {import('./dtypes.js').ElementType} ElementType */
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
 *   | 'tan' | 'atan' | 'tanh' | 'erf' | 'erfc' | 'erfInv' | 'lgamma' | 'digamma' | 'besselI1e' | 'acos' | 'acosh' | 'asin' | 'asinh'
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
 * @property {(x: HloArray, type: ElementType) => HloArray} convert
 * @property {(x: HloArray, type: ElementType) => HloArray} convertElementType
 * @property {(x: HloArray, type: ElementType) => HloArray} bitcastConvert
 * @property {(x: HloArray, type: ElementType) => HloArray} bitcastConvertType
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
 * @property {(operands: HloArray[], dimension: number) => HloArray} concatInDim
 * @property {(x: HloArray, value: HloArray | Scalar, padding: { low?: number[], high?: number[], interior?: number[] }) => HloArray} pad
 * @property {(x: HloArray, dimensions: number[]) => HloArray} reverse
 * @property {(x: HloArray, dimensions: number[]) => HloArray} rev
 * @property {(type: ElementType, shape: number[], dimension?: number) => HloArray} iota
 * @property {(x: HloArray, starts: (HloArray | number)[], sizes: number[]) => HloArray} dynamicSlice
 * @property {(x: HloArray, update: HloArray, starts: (HloArray | number)[]) => HloArray} dynamicUpdateSlice
 * @property {(lhs: HloArray, rhs: HloArray) => HloArray} dot of vectors and matrices
 * @property {(lhs: HloArray, rhs: HloArray, dimensions: DotDimensions & { algorithm?: string }) => HloArray} dotGeneral
 * @property {(operands: HloArray | HloArray[], initial: HloArray | Scalar | (HloArray | Scalar)[], body: Body | string, dimensions?: number[]) => any} reduce over all dimensions by default; body is a function or an operation's name
 * @property {(condition: Body, body: Body, initial: HloArray | HloArray[]) => any} while functions of the state; they, and those of scan, conditional and call, may use values from outside, too
 * @property {(body: Body, inputs: HloArray | HloArray[], initial?: HloArray | HloArray[], options?: { dimension?: number, reverse?: boolean }) => any} scan body takes a slice of each input, then the carried values; it gives slices of outputs, then the carried values
 * @property {(index: HloArray, branches: Body[], operands?: (HloArray | HloArray[])[]) => any} conditional operands: one of each branch, none by default
 * @property {(body: Body, operands: HloArray | HloArray[]) => any} call
 * @property {(body: Body, operands: HloArray | HloArray[], name: string, attributes?: string, version?: number) => any} compositeCall a call that says what it stands for; attributes: text in braces
 * @property {(parts: HloArray[]) => HloArray[]} tuple tuples are lists of their elements
 * @property {(parts: HloArray[], index: number) => HloArray} getTupleElement
 * @property {(target: string, operands: HloArray | HloArray[], shape: string, options?: { apiVersion?: string, backendConfig?: string, customCallHasSideEffect?: boolean }) => any} customCall shape: of the result, as text
 * @property {(x: any) => any} optimizationBarrier
 */

/**
 * Low and high padding of each dimension; 'SAME' keeps ceil(size / stride) positions, 'VALID' pads nothing.
 * @typedef {'SAME' | 'VALID' | [number, number][]} Padding
 */
/** @typedef {{ windowDimensions: number[], windowStrides?: number[], baseDilations?: number[], windowDilations?: number[], windowReversal?: boolean[], padding?: Padding }} Window */
/**
 * Which dimension of each array is what: HLO text's "b01f_01io->b01f", or numbers; by default batch, feature, spatial and
 * output feature, input feature, spatial.
 * @typedef {string | { inputBatchDimension?: number, inputFeatureDimension?: number, inputSpatialDimensions?: number[],
 *   kernelOutputFeatureDimension?: number, kernelInputFeatureDimension?: number, kernelSpatialDimensions?: number[],
 *   outputBatchDimension?: number, outputFeatureDimension?: number, outputSpatialDimensions?: number[] }} DimensionNumbers
 */
/**
 * @typedef {{ dimensionNumbers?: DimensionNumbers, lhsDilation?: number[], rhsDilation?: number[], windowReversal?: boolean[],
 *   featureGroupCount?: number, batchGroupCount?: number, precision?: string[], type?: ElementType }} ConvolutionOptions
 */
/** @typedef {{ lhsContracting?: number[], rhsContracting?: number[], lhsBatch?: number[], rhsBatch?: number[], type?: ElementType, precision?: string[] }} DotDimensions */
/**
 * Convolutions, windows, normalisation, further dots.
 * @typedef {object} Windowed
 * @property {(lhs: HloArray, rhs: HloArray, strides?: number[], padding?: Padding, options?: ConvolutionOptions) => HloArray} conv
 * @property {(lhs: HloArray, rhs: HloArray, strides: number[], padding: Padding, options?: ConvolutionOptions) => HloArray} convWithGeneralPadding
 * @property {(lhs: HloArray, rhs: HloArray, strides: number[], padding: Padding, dimensionNumbers: DimensionNumbers, options?: ConvolutionOptions) => HloArray} convWithGeneralDimensions
 * @property {(lhs: HloArray, rhs: HloArray, strides: number[], padding: Padding, dimensionNumbers: DimensionNumbers, options?: ConvolutionOptions) => HloArray} convGeneral
 * @property {(lhs: HloArray, rhs: HloArray, options?: ConvolutionOptions & { strides?: number[], padding?: Padding }) => HloArray} convGeneralDilated
 * @property {(operands: HloArray | HloArray[], initial: HloArray | Scalar | (HloArray | Scalar)[], body: Body | string, window: Window) => any} reduceWindow
 * @property {(x: HloArray, source: HloArray, initial: HloArray | Scalar, select: Body | string, scatter: Body | string, window: Window) => HloArray} selectAndScatter select is a comparison such as 'ge'
 * @property {(x: HloArray, scale: HloArray, offset: HloArray, epsilon: number, featureIndex: number) => HloArray[]} batchNormTraining the result, batch mean, batch variance
 * @property {(x: HloArray, scale: HloArray, offset: HloArray, mean: HloArray, variance: HloArray, epsilon: number, featureIndex: number) => HloArray} batchNormInference
 * @property {(x: HloArray, scale: HloArray, mean: HloArray, variance: HloArray, gradOutput: HloArray, epsilon: number, featureIndex: number) => HloArray[]} batchNormGrad gradients of x, scale, offset
 * @property {(lhs: HloArray, rhs: HloArray, lhsScale: HloArray, rhsScale: HloArray, dimensions: DotDimensions) => HloArray} scaledDot
 * @property {(lhs: HloArray, rhs: HloArray, groupSizes: HloArray, dimensions: DotDimensions & { lhsRagged: number[], rhsGroup?: number[] }) => HloArray} raggedDot
 */

/**
 * @typedef {{ offsetDims?: number[], collapsedSliceDims?: number[], startIndexMap: number[], operandBatchingDims?: number[],
 *   startIndicesBatchingDims?: number[], indexVectorDim: number, sliceSizes: number[], indicesAreSorted?: boolean }} GatherOptions
 */
/**
 * @typedef {{ updateWindowDims?: number[], insertedWindowDims?: number[], scatterDimsToOperandDims: number[], inputBatchingDims?: number[],
 *   scatterIndicesBatchingDims?: number[], indexVectorDim: number, indicesAreSorted?: boolean, uniqueIndices?: boolean }} ScatterOptions
 */
/**
 * @typedef {object} Indexed
 * @property {(x: HloArray, start: number, limit: number, stride: number, dimension: number) => HloArray} sliceInDim
 * @property {(x: HloArray, starts: HloArray, options: GatherOptions) => HloArray} gather
 * @property {(operands: HloArray | HloArray[], indices: HloArray, updates: HloArray | HloArray[], body: Body | string, options: ScatterOptions) => any} scatter
 * @property {(operands: any, options?: { dimension?: number, comparator?: string | Body, isStable?: boolean }) => any} sort a list of operands is sorted by the first; by default ascending along the last dimension
 * @property {(x: HloArray, k: number, options?: { largest?: boolean }) => HloArray[]} topK values and their indices along the last dimension
 * @property {(x: HloArray, dimension: number) => HloArray} getDimensionSize
 * @property {(x: HloArray, size: HloArray | number, dimension: number) => HloArray} setDimensionSize
 * @property {(x: HloArray, sizes: (HloArray | number)[], bounds: number[], isDynamic?: boolean[]) => HloArray} dynamicReshape
 */

/**
 * @typedef {object} Numeric
 * @property {(x: HloArray, type: 'FFT' | 'IFFT' | 'RFFT' | 'IRFFT', length: number[]) => HloArray} fft
 * @property {(x: HloArray, options?: { lower?: boolean }) => HloArray} cholesky
 * @property {(a: HloArray, b: HloArray, options?: { leftSide?: boolean, lower?: boolean, unitDiagonal?: boolean, transposeA?: 'NO_TRANSPOSE' | 'TRANSPOSE' | 'ADJOINT' }) => HloArray} triangularSolve
 * @property {(low: HloArray | Scalar, high: HloArray | Scalar, type: ElementType, shape: number[]) => HloArray} rngUniform
 * @property {(mean: HloArray | Scalar, deviation: HloArray | Scalar, type: ElementType, shape: number[]) => HloArray} rngNormal
 * @property {(algorithm: 'rng_default' | 'rng_three_fry' | 'rng_philox', state: HloArray, type: ElementType, shape: number[]) => HloArray[]} rngBitGenerator the next state, random bits
 * @property {(delta: number) => HloArray} rngGetAndUpdateState
 */

/** @typedef {{ replicaGroups?: number[][], channelId?: number, useGlobalDeviceIds?: boolean }} Groups */
/**
 * The root of a group is its first member, or has the position that `roots` (s32, one for each operand) says.
 * @typedef {{ replicaGroups?: number[][], channelId?: number, roots?: HloArray }} RootedGroups
 */
/**
 * Collectives among replicas (runReplicas), and communication with the host.
 * @typedef {object} Devices
 * @property {() => HloArray} replicaId
 * @property {() => HloArray} partitionId
 * @property {(operands: HloArray | HloArray[], body?: Body | string, options?: Groups) => any} allReduce
 * @property {(operands: HloArray | HloArray[], options?: Groups) => any} crossReplicaSum
 * @property {(operands: HloArray | HloArray[], dimension: number, shardCount: number, options?: Groups) => any} allGather
 * @property {(operands: HloArray | HloArray[], body: Body | string, dimension: number, shardCount: number, options?: Groups) => any} reduceScatter
 * @property {(x: HloArray, splitDimension: number, concatDimension: number, splitCount: number, options?: Groups) => HloArray} allToAll
 * @property {(x: HloArray, sourceTargetPairs: [number, number][], options?: { channelId?: number }) => HloArray} collectivePermute
 * @property {(x: HloArray, options?: RootedGroups) => HloArray} collectiveBroadcast
 * @property {(operands: HloArray | HloArray[], body: Body | string, options?: RootedGroups) => any} collectiveReduce the root's, zeros elsewhere
 * @property {(input: HloArray, output: HloArray, inputOffsets: HloArray, sendSizes: HloArray, outputOffsets: HloArray, recvSizes: HloArray, options?: Groups) => HloArray} raggedAllToAll
 * @property {(tokens?: any[]) => any} afterAll
 * @property {(token: any, shapes: string | string[]) => any} infeed what came in, and a token
 * @property {(operands: any, token: any) => any} outfeed
 * @property {(x: HloArray, token: any, channelId: number) => any} send
 * @property {(state: any, channelId: number) => any} sendDone
 * @property {(token: any, shape: string, channelId: number) => any} recv
 * @property {(state: any, channelId: number) => any} recvDone what was received, and a token
 */

/** @typedef {Record<UnaryName, Unary> & Record<BinaryName, Binary> & Structural & Windowed & Indexed & Numeric & Devices} Operations */

const ELEMENTWISE = '{broadcastDimensions resultAccuracy}';
const CONTRACTING = 'lhsContracting rhsContracting lhsBatch rhsBatch precision type';
const CONVOLUTION =
  'lhsDilation rhsDilation windowReversal featureGroupCount batchGroupCount precision type';
const WINDOW =
  'window{windowDimensions windowStrides baseDilations windowDilations padding windowReversal}';
const GROUPS = 'options{replicaGroups channelId useGlobalDeviceIds}';

/** Operations that are not generated from the engine's list: their arguments, in the form of signatureOf(). */
export const structural = {
  compare: 'lhs rhs direction options{broadcastDimensions type}',
  select: `predicate onTrue onFalse options${ELEMENTWISE}`,
  clamp: `low x high options${ELEMENTWISE}`,
  atan: 'x',
  convert: 'x type',
  bitcastConvert: 'x type',
  reducePrecision: 'x exponentBits mantissaBits',
  map: 'operands body dimensions',
  broadcast: 'x sizes',
  broadcastInDim: 'x shape broadcastDimensions',
  reshape: 'x shape',
  collapse: 'x dimensions',
  transpose: 'x permutation',
  slice: 'x starts limits strides',
  concatenate: 'operands dimension',
  pad: 'x value padding{low high interior}',
  reverse: 'x dimensions',
  iota: 'type shape dimension',
  dynamicSlice: 'x starts sizes',
  dynamicUpdateSlice: 'x update starts',
  dot: 'lhs rhs',
  dotGeneral: `lhs rhs dimensions{${CONTRACTING} algorithm}`,
  reduce: 'operands initial body dimensions',
  while: 'condition body initial',
  scan: 'body inputs initial options{dimension reverse}',
  conditional: 'index branches operands',
  call: 'body operands',
  compositeCall: 'body operands name attributes version',
  tuple: 'parts',
  getTupleElement: 'parts index',
  customCall:
    'target operands shape options{apiVersion backendConfig customCallHasSideEffect window dimLabels featureGroupCount batchGroupCount paddingType operandLayoutConstraints outputToOperandAliasing operandPrecision schedule}',
  optimizationBarrier: 'x',
  conv: `lhs rhs strides padding options{${CONVOLUTION} dimensionNumbers}`,
  convWithGeneralPadding: `lhs rhs strides padding options{${CONVOLUTION} dimensionNumbers}`,
  convWithGeneralDimensions: `lhs rhs strides padding dimensionNumbers options{${CONVOLUTION}}`,
  convGeneral: `lhs rhs strides padding dimensionNumbers options{${CONVOLUTION}}`,
  convGeneralDilated: `lhs rhs options{${CONVOLUTION} dimensionNumbers strides padding}`,
  reduceWindow: `operands initial body ${WINDOW}`,
  selectAndScatter: `x source initial select scatter ${WINDOW}`,
  batchNormTraining: 'x scale offset epsilon featureIndex',
  batchNormInference: 'x scale offset mean variance epsilon featureIndex',
  batchNormGrad: 'x scale mean variance gradOutput epsilon featureIndex',
  scaledDot: `lhs rhs lhsScale rhsScale dimensions{${CONTRACTING}}`,
  raggedDot: `lhs rhs groupSizes dimensions{${CONTRACTING} lhsRagged rhsGroup}`,
  sliceInDim: 'x start limit stride dimension',
  gather:
    'x starts options{offsetDims collapsedSliceDims startIndexMap operandBatchingDims startIndicesBatchingDims indexVectorDim sliceSizes indicesAreSorted}',
  scatter:
    'operands indices updates body options{updateWindowDims insertedWindowDims scatterDimsToOperandDims inputBatchingDims scatterIndicesBatchingDims indexVectorDim indicesAreSorted uniqueIndices}',
  sort: 'operands options{dimension comparator isStable}',
  topK: 'x k options{largest}',
  getDimensionSize: 'x dimension',
  setDimensionSize: 'x size dimension',
  dynamicReshape: 'x sizes bounds isDynamic',
  fft: 'x type length',
  cholesky: 'x options{lower}',
  triangularSolve: 'a b options{leftSide lower unitDiagonal transposeA}',
  rngUniform: 'low high type shape',
  rngNormal: 'mean deviation type shape',
  rngBitGenerator: 'algorithm state type shape',
  rngGetAndUpdateState: 'delta',
  replicaId: '',
  partitionId: '',
  allReduce: `operands body ${GROUPS}`,
  crossReplicaSum: `operands ${GROUPS}`,
  allGather: `operands dimension shardCount ${GROUPS}`,
  reduceScatter: `operands body dimension shardCount ${GROUPS}`,
  allToAll: 'x splitDimension concatDimension splitCount options{replicaGroups channelId}',
  collectivePermute: 'x sourceTargetPairs options{channelId}',
  collectiveBroadcast: 'x options{replicaGroups channelId roots}',
  collectiveReduce: 'operands body options{replicaGroups channelId roots}',
  raggedAllToAll:
    'input output inputOffsets sendSizes outputOffsets recvSizes options{replicaGroups channelId}',
  afterAll: 'tokens',
  infeed: 'token shapes',
  outfeed: 'operands token',
  send: 'x token channelId',
  sendDone: 'state channelId',
  recv: 'token shape channelId',
  recvDone: 'state channelId',
};

/** Elementwise operations, by number of operands. */
export const elementwise = [
  '',
  `x options${ELEMENTWISE}`,
  `lhs rhs options${ELEMENTWISE}`,
  `a b c options${ELEMENTWISE}`,
];

/** Methods of compiled programs, with known or open sizes. */
const executable = {
  print: 'format',
  bind: 'inputs',
  call: '...args',
  vjp: '',
  run: 'inputs feeds',
  runAsync: 'inputs options',
  runReplicas: 'inputs options',
  runReplicasAsync: 'inputs options',
  dispose: '',
};

/** Public methods of the package's classes; their options are checked where they are used. */
export const methods = {
  Builder: { computation: 'name', build: 'entry root', dispose: '' },
  Computation: {
    parameter: 'shape info',
    constant: 'array',
    add: 'name operands options{attributes shape broadcastDimensions}',
  },
  Executable: executable,
  OpenExecutable: { ...executable, specialize: 'inputs' },
  Hlo: {
    array: 'data options',
    shape: 'text dims layout',
    parse: 'program options',
    compile: 'program options',
    registerCustomCall: 'target body',
    jit: 'body options',
    tidy: 'body',
    simplifyMap: 'text',
    builder: 'name',
    setMemoryLimit: 'bytes',
    fromNpy: 'bytes',
    toNpy: 'array',
    fromNpz: 'bytes',
    toNpz: 'arrays',
    fromSafetensors: 'bytes',
    toSafetensors: 'arrays',
    dispose: '',
  },
  HloArray: {
    toTypedArray: 'options',
    toNested: '',
    at: '...index',
    item: '',
    toJSON: 'key',
    toString: '',
    withLayout: 'layout',
    dispose: '',
  },
  Indexing: { at: 'entry index options', dispose: '' },
  Instruction: { constant: '', toString: '', toJSON: 'key' },
  Module: {
    print: 'format',
    toString: '',
    compile: 'options',
    optimize: 'options',
    instructions: 'computation',
    graph: 'options',
    toDot: 'options{computation}',
    cost: 'options',
    indexing: 'options',
    indexingMaps: 'options',
    dispose: '',
  },
};
