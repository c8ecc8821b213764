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
/**
 * How exact a function's results must be. 'HIGHEST' takes the most exact way there is; docs/numerics.md says how exact others are.
 * @typedef {'DEFAULT' | 'HIGHEST' | 'default' | 'highest' | { mode: 'DEFAULT' | 'HIGHEST' } | { tolerance: { atol?: number, rtol?: number, ulps?: number } }} ResultAccuracy
 */
/** @typedef {(x: HloArray) => HloArray} Unary */
/** @typedef {(x: HloArray, options?: { resultAccuracy?: ResultAccuracy } | ResultAccuracy) => HloArray} Inexact */
/** @typedef {(lhs: HloArray | Scalar, rhs: HloArray | Scalar, options?: Broadcast | number[]) => HloArray} Binary a list is broadcastDimensions */
/** @typedef {HloArray | HloArray[]} Arrays */
/** @typedef {(...values: HloArray[]) => Arrays} Body a function of traced values, as given to reduce or while */
/** @typedef {BinaryName | Body} Combiner an operation of two values by its name, or a function */
/**
 * Results like the operands: one, or a list of as many.
 * @template {unknown[]} Rest
 * @typedef {((operands: HloArray, ...rest: Rest) => HloArray) & (<T extends HloArray[]>(operands: [...T], ...rest: Rest) => { [I in keyof T]: HloArray })} Alike
 */
/** @typedef {[initial: HloArray | Scalar | (HloArray | Scalar)[], body: Combiner]} Reducing */
/** @typedef {'EQ' | 'NE' | 'GE' | 'GT' | 'LE' | 'LT'} Direction */

/**
 * @typedef {'abs' | 'negate' | 'neg' | 'sign' | 'not' | 'popcnt' | 'populationCount' | 'countLeadingZeros' | 'clz' | 'ceil'
 *   | 'floor' | 'roundNearestAfz' | 'round' | 'roundNearestEven' | 'isFinite' | 'atan' | 'erfc' | 'erfInv' | 'lgamma' | 'digamma'
 *   | 'besselI1e' | 'real' | 'imag' | 'conj' | 'copy'} UnaryName
 */
/**
 * @typedef {'exponential' | 'exp' | 'exponentialMinusOne' | 'expm1' | 'log' | 'logPlusOne' | 'log1p' | 'logistic' | 'sqrt'
 *   | 'rsqrt' | 'cbrt' | 'sine' | 'sin' | 'cosine' | 'cos' | 'tan' | 'tanh' | 'erf' | 'acos' | 'acosh' | 'asin' | 'asinh' | 'atanh'
 *   | 'cosh' | 'sinh'} InexactName
 */
/**
 * @typedef {'add' | 'subtract' | 'sub' | 'multiply' | 'mul' | 'divide' | 'div' | 'remainder' | 'rem' | 'power' | 'pow'
 *   | 'mulhi' | 'mulHi' | 'polygamma' | 'zeta' | 'nextAfter' | 'maximum' | 'max' | 'minimum' | 'min' | 'and' | 'or' | 'xor' | 'shiftLeft'
 *   | 'shiftRightArithmetic' | 'shiftRightLogical' | 'atan2' | 'complex' | 'eq' | 'ne' | 'ge' | 'gt' | 'le' | 'lt'
 *   | 'eqTotalOrder' | 'neTotalOrder' | 'geTotalOrder' | 'gtTotalOrder' | 'leTotalOrder' | 'ltTotalOrder'} BinaryName
 */

/**
 * @typedef {object} Structural
 * @property {(lhs: HloArray | Scalar, rhs: HloArray | Scalar, direction: Direction, options?: Broadcast & { type?: 'FLOAT' | 'TOTALORDER' | 'SIGNED' | 'UNSIGNED' }) => HloArray} compare
 * @property {(data: ArrayData, type?: ElementType) => HloArray} constant what hlo.array() takes
 * @property {(data: ArrayData, type?: ElementType) => HloArray} constantLiteral
 * @property {(data: ArrayData, type?: ElementType) => HloArray} constantR0
 * @property {(data: ArrayData, type?: ElementType) => HloArray} constantR1
 * @property {(data: ArrayData, type?: ElementType) => HloArray} constantR2
 * @property {(x: HloArray, type: ElementType) => HloArray} convert
 * @property {(x: HloArray, type: ElementType) => HloArray} convertElementType
 * @property {(x: HloArray, type: ElementType) => HloArray} bitcastConvert
 * @property {(x: HloArray, type: ElementType) => HloArray} bitcastConvertType
 * @property {(x: HloArray, shape: ShapeText) => HloArray} bitcast the same memory as another shape
 * @property {(x: HloArray, random: HloArray, type: ElementType) => HloArray} stochasticConvert
 * @property {(x: HloArray, random: HloArray, type: ElementType) => HloArray} stochasticConvertType
 * @property {(x: HloArray, exponentBits: number, mantissaBits: number) => HloArray} reducePrecision
 * @property {(predicate: HloArray, onTrue: HloArray | Scalar, onFalse: HloArray | Scalar, options?: Broadcast) => HloArray} select
 * @property {(low: HloArray | Scalar, x: HloArray, high: HloArray | Scalar, options?: Broadcast) => HloArray} clamp
 * @property {(operands: HloArray[], body: Combiner, dimensions?: number[]) => HloArray} map
 * @property {(x: HloArray, sizes: number[]) => HloArray} broadcast new major dimensions in front
 * @property {(x: HloArray, shape: number[], broadcastDimensions: number[]) => HloArray} broadcastInDim
 * @property {(x: HloArray, outputDimensions: HloArray, broadcastDimensions: number[], shape: ShapeText) => HloArray} dynamicBroadcastInDim
 * @property {(x: HloArray, shape: number[]) => HloArray} reshape
 * @property {(x: HloArray, dimensions: number[]) => HloArray} collapse
 * @property {(x: HloArray, permutation?: number[]) => HloArray} transpose reverses the dimensions by default
 * @property {(x: HloArray, starts: number[], limits: number[], strides?: number[]) => HloArray} slice
 * @property {(operands: HloArray[], dimension: number) => HloArray} concatenate
 * @property {(operands: HloArray[], dimension: number) => HloArray} concatInDim
 * @property {(x: HloArray, value: HloArray | Scalar, padding: { low?: number[], high?: number[], interior?: number[] }) => HloArray} pad
 * @property {(x: HloArray, value: HloArray | Scalar, dimension: number, paddingLow: number, paddingHigh: number) => HloArray} padInDim
 * @property {(x: HloArray, dimensions: number[]) => HloArray} reverse
 * @property {(x: HloArray, dimensions: number[]) => HloArray} rev
 * @property {(type: ElementType, shape: number[] | number, dimension?: number) => HloArray} iota
 * @property {(x: HloArray, starts: (HloArray | number)[], sizes: number[]) => HloArray} dynamicSlice
 * @property {(x: HloArray, update: HloArray, starts: (HloArray | number)[]) => HloArray} dynamicUpdateSlice
 * @property {(lhs: HloArray, rhs: HloArray, options?: { precision?: string[], type?: ElementType }) => HloArray} dot of vectors and matrices
 * @property {(lhs: HloArray, rhs: HloArray, dimensions: DotDimensions & { algorithm?: string }) => HloArray} dotGeneral
 * @property {Alike<[initial: HloArray | Scalar | (HloArray | Scalar)[], body: Combiner, dimensions?: number[]]>} reduce over all dimensions by default; body is a function or an operation's name
 * @property {Alike<[initial: HloArray | Scalar | (HloArray | Scalar)[], body: Combiner]>} reduceAll
 * @property {((condition: (...state: HloArray[]) => HloArray, body: Body, initial: HloArray) => HloArray) & (<T extends HloArray[]>(condition: (...state: HloArray[]) => HloArray, body: Body, initial: [...T]) => { [I in keyof T]: HloArray })} while functions of the state; they, and those of scan, conditional and call, may use values from outside, too
 * @property {<R extends Arrays | []>(body: (...values: HloArray[]) => R, inputs: Arrays, initial?: Arrays, options?: { dimension?: number, reverse?: boolean }) => R} scan body takes a slice of each input, then the carried values; it gives slices of outputs, then the carried values
 * @property {<R extends Arrays | []>(index: HloArray, branches: (((...values: HloArray[]) => R))[], operands?: Arrays[]) => R} conditional operands: one of each branch, none by default
 * @property {<R extends Arrays | []>(body: (...values: HloArray[]) => R, operands: Arrays) => R} call
 * @property {<R extends Arrays | []>(body: (...values: HloArray[]) => R, operands: Arrays, name: string, attributes?: string, version?: number) => R} compositeCall a call that says what it stands for; attributes: text in braces
 * @property {<R extends Arrays = HloArray>(kind: 'kLoop' | 'kInput' | 'kOutput' | 'kCustom', operands: HloArray | HloArray[], body: Combiner) => R} fusion
 * @property {(parts: HloArray[]) => HloArray[]} tuple tuples are lists of their elements
 * @property {(parts: HloArray[], index: number) => HloArray} getTupleElement
 * @property {<R extends Arrays = HloArray>(target: string, operands: HloArray | HloArray[], shape: ShapeText, options?: CustomCallOptions) => R} customCall shape: of the result
 * @property {<R extends Arrays = HloArray>(target: string, operands: HloArray | HloArray[], body: Combiner, shape: ShapeText, options?: CustomCallOptions) => R} customCallWithComputation
 * @property {<R extends Arrays = HloArray>(target: string, operands: HloArray | HloArray[], shape: ShapeText, operandShapes?: ShapeText[], backendConfig?: string, customCallHasSideEffect?: boolean, outputToOperandAliasing?: string, literal?: string, window?: string, dimensionNumbers?: DimensionNumbers, schedule?: string, apiVersion?: string) => R} customCallWithConvDnums
 * @property {<R extends Arrays = HloArray>(target: string, operands: HloArray | HloArray[], shape: ShapeText, operandShapes: ShapeText[], options?: CustomCallOptions) => R} customCallWithLayout
 * @property {<T extends Arrays>(operands: T) => T} optimizationBarrier
 * @property {(x: HloArray, domain: string) => HloArray} domain domain: as in HLO text, '{kind="sharding", entry={…}, exit={…}}'
 */

/** @typedef {import('./create.js').ArrayData} ArrayData */
/** @typedef {string | import('./engine.js').ShapeInfo} ShapeText a shape as text, or as hlo.shape() gives it */
/**
 * @typedef {{ apiVersion?: string, backendConfig?: string, customCallHasSideEffect?: boolean, outputToOperandAliasing?: string,
 *   literal?: string, schedule?: string, operandLayoutConstraints?: string, window?: string, dimLabels?: string,
 *   featureGroupCount?: number, batchGroupCount?: number, paddingType?: string, operandPrecision?: string }} CustomCallOptions
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
/** @typedef {ConvolutionOptions & { strides?: number[], padding?: Padding, paddingType?: string }} DynamicConvolutionOptions */
/**
 * @typedef {{ dimensionNumbers?: DimensionNumbers, lhsDilation?: number[], rhsDilation?: number[], windowReversal?: boolean[],
 *   featureGroupCount?: number, batchGroupCount?: number, precision?: string[], type?: ElementType }} ConvolutionOptions
 */
/**
 * @typedef {{ lhsContracting?: number[], rhsContracting?: number[], lhsBatch?: number[], rhsBatch?: number[], type?: ElementType, precision?: string[],
 *   lhsContractingDimensions?: number[], rhsContractingDimensions?: number[], lhsBatchDimensions?: number[], rhsBatchDimensions?: number[] }} DotDimensions
 */
/**
 * Convolutions, windows, normalisation, further dots.
 * @typedef {object} Windowed
 * @property {(lhs: HloArray, rhs: HloArray, strides?: number[], padding?: Padding, options?: ConvolutionOptions) => HloArray} conv
 * @property {(lhs: HloArray, rhs: HloArray, strides: number[], padding: Padding, options?: ConvolutionOptions) => HloArray} convWithGeneralPadding
 * @property {(lhs: HloArray, rhs: HloArray, strides: number[], padding: Padding, dimensionNumbers: DimensionNumbers, options?: ConvolutionOptions) => HloArray} convWithGeneralDimensions
 * @property {(lhs: HloArray, rhs: HloArray, strides: number[], padding: Padding, dimensionNumbers: DimensionNumbers, options?: ConvolutionOptions) => HloArray} convGeneral
 * @property {(lhs: HloArray, rhs: HloArray, options?: ConvolutionOptions & { strides?: number[], padding?: Padding }) => HloArray} convGeneralDilated
 * @property {Alike<[initial: HloArray | Scalar | (HloArray | Scalar)[], body: Combiner, window: Window]>} reduceWindow
 * @property {Alike<[initial: HloArray | Scalar | (HloArray | Scalar)[], body: Combiner, window: Window]>} reduceWindowWithGeneralPadding
 * @property {(x: HloArray, source: HloArray, initial: HloArray | Scalar, select: Combiner, scatter: Combiner, window: Window) => HloArray} selectAndScatter select is a comparison such as 'ge'
 * @property {(x: HloArray, source: HloArray, initial: HloArray | Scalar, select: Combiner, scatter: Combiner, window: Window) => HloArray} selectAndScatterWithGeneralPadding
 * @property {(lhs: HloArray, rhs: HloArray, options?: DynamicConvolutionOptions) => HloArray} dynamicConvForward
 * @property {(inputSizes: HloArray, lhs: HloArray, rhs: HloArray, options?: DynamicConvolutionOptions) => HloArray} dynamicConvInputGrad
 * @property {(lhs: HloArray, rhs: HloArray, options?: DynamicConvolutionOptions) => HloArray} dynamicConvKernelGrad
 * @property {(x: HloArray, scale: HloArray, offset: HloArray, epsilon: number, featureIndex: number) => [HloArray, HloArray, HloArray]} batchNormTraining the result, batch mean, batch variance
 * @property {(x: HloArray, scale: HloArray, offset: HloArray, mean: HloArray, variance: HloArray, epsilon: number, featureIndex: number) => HloArray} batchNormInference
 * @property {(x: HloArray, scale: HloArray, mean: HloArray, variance: HloArray, gradOutput: HloArray, epsilon: number, featureIndex: number) => [HloArray, HloArray, HloArray]} batchNormGrad gradients of x, scale, offset
 * @property {(lhs: HloArray, lhsScale: HloArray, rhs: HloArray, rhsScale: HloArray, dimensions: DotDimensions) => HloArray} scaledDot
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
 * @property {Alike<[indices: HloArray, updates: HloArray | HloArray[], body: Combiner, options: ScatterOptions]>} scatter
 * @property {Alike<[options?: { dimension?: number, comparator?: Combiner, isStable?: boolean }]>} sort a list of operands is sorted by the first; by default ascending along the last dimension
 * @property {(x: HloArray, k: number, options?: { largest?: boolean }) => [HloArray, HloArray]} topK values and their indices along the last dimension
 * @property {(operands: HloArray[], initial: (HloArray | Scalar)[], k: number, dimension: number, comparator: Combiner, options?: { recallTarget?: number, aggregateToTopk?: boolean, reductionInputSizeOverride?: number }) => HloArray[]} approxTopK exact: it meets any recall
 * @property {(x: HloArray, dimension: number) => HloArray} getDimensionSize
 * @property {(x: HloArray, size: HloArray | number, dimension: number) => HloArray} setDimensionSize
 * @property {(x: HloArray, dimension: number) => HloArray} removeDynamicDimension
 * @property {(x: HloArray, sizes: (HloArray | number)[], bounds: number[], isDynamic?: boolean[]) => HloArray} dynamicReshape
 */

/**
 * @typedef {object} Numeric
 * @property {(x: HloArray, type: 'FFT' | 'IFFT' | 'RFFT' | 'IRFFT', length: number[]) => HloArray} fft
 * @property {(x: HloArray, options?: { lower?: boolean }) => HloArray} cholesky
 * @property {(a: HloArray, b: HloArray, options?: { leftSide?: boolean, lower?: boolean, unitDiagonal?: boolean, transposeA?: 'NO_TRANSPOSE' | 'TRANSPOSE' | 'ADJOINT' }) => HloArray} triangularSolve
 * @property {(low: HloArray | Scalar, high: HloArray | Scalar, type: ElementType, shape: number[]) => HloArray} rngUniform
 * @property {(mean: HloArray | Scalar, deviation: HloArray | Scalar, type: ElementType, shape: number[]) => HloArray} rngNormal
 * @property {(algorithm: 'rng_default' | 'rng_three_fry' | 'rng_philox', state: HloArray, type: ElementType, shape: number[]) => [HloArray, HloArray]} rngBitGenerator the next state, random bits
 * @property {(delta: number) => HloArray} rngGetAndUpdateState
 */

/** @typedef {{ replicaGroups?: number[][], channelId?: number, useGlobalDeviceIds?: boolean }} Groups */
/** @typedef {Groups & { layout?: import('./array.js').LayoutOption }} GroupsAndLayout layout: of the results */
/**
 * The root of a group is its first member, or has the position that `roots` (s32, one for each operand) says.
 * @typedef {{ replicaGroups?: number[][], channelId?: number, roots?: HloArray }} RootedGroups
 */
/**
 * Collectives among replicas (runReplicas), and communication with the host.
 * @typedef {object} Devices
 * @property {() => HloArray} replicaId
 * @property {(shape?: ShapeText) => HloArray} partitionId
 * @property {(shape?: ShapeText) => HloArray} buildPartitionId
 * @property {Alike<[body?: Combiner, options?: Groups & { shapeWithLayout?: ShapeText }]>} allReduce
 * @property {Alike<[body?: Combiner, options?: Groups & { shapeWithLayout?: ShapeText }]>} allReduceTuple
 * @property {(operands: HloArray | HloArray[], body?: Combiner, options?: Groups) => Arrays} allReduceStart
 * @property {(state: Arrays) => Arrays} allReduceDone
 * @property {Alike<[options?: Groups]>} crossReplicaSum
 * @property {Alike<[dimension: number, shardCount: number, options?: GroupsAndLayout]>} allGather
 * @property {Alike<[dimension: number, shardCount: number, options?: GroupsAndLayout]>} allGatherTuple
 * @property {(operands: HloArray | HloArray[], dimension: number, shardCount: number, options?: GroupsAndLayout) => Arrays} allGatherStart
 * @property {(state: Arrays) => Arrays} allGatherDone
 * @property {Alike<[body: Combiner, dimension: number, shardCount: number, options?: GroupsAndLayout]>} reduceScatter
 * @property {(x: HloArray, splitDimension: number, concatDimension: number, splitCount: number, options?: GroupsAndLayout) => HloArray} allToAll
 * @property {(operands: HloArray[], options?: GroupsAndLayout) => HloArray[]} allToAllTuple
 * @property {(x: HloArray, sourceTargetPairs: [number, number][], options?: PermuteOptions) => HloArray} collectivePermute
 * @property {Alike<[sourceTargetPairs: [number, number][], options?: PermuteOptions]>} multiCollectivePermute
 * @property {(x: HloArray, sourceTargetPairs: [number, number][], options?: { channelId?: number }) => Arrays} collectivePermuteStart
 * @property {(state: Arrays) => HloArray} collectivePermuteDone
 * @property {(x: HloArray, options?: RootedGroups) => HloArray} collectiveBroadcast
 * @property {Alike<[body: Combiner, options?: RootedGroups]>} collectiveReduce the root's, zeros elsewhere
 * @property {(input: HloArray, inputOffsets: HloArray, sendSizes: HloArray, output: HloArray, outputOffsets: HloArray, recvSizes: HloArray, options?: Groups) => HloArray} raggedAllToAll
 * @property {(tokens?: HloArray[]) => HloArray} afterAll
 * @property {() => HloArray} createToken
 * @property {(x: HloArray, token: HloArray) => HloArray} addDependency
 * @property {(x: HloArray) => Arrays} copyStart
 * @property {(state: Arrays) => HloArray} copyDone
 * @property {(body: Combiner, operands: HloArray | HloArray[], options?: { asyncExecutionThread?: string }) => Arrays} asyncStart
 * @property {(state: Arrays) => Arrays} asyncUpdate
 * @property {(state: Arrays) => Arrays} asyncDone
 * @property {(token: HloArray, shapes: ShapeText | ShapeText[], config?: string) => Arrays} infeed what came in, and a token
 * @property {(token: HloArray, shapes: ShapeText | ShapeText[], config?: string) => Arrays} infeedWithToken
 * @property {(operands: Arrays, token: HloArray, shapeWithLayout?: ShapeText, outfeedConfig?: string) => HloArray} outfeed
 * @property {(operands: Arrays, token: HloArray, shapeWithLayout?: ShapeText, outfeedConfig?: string) => HloArray} outfeedWithToken
 * @property {(x: HloArray, token: HloArray, channelId: number) => Arrays} send
 * @property {(x: HloArray, token: HloArray, channelId: number) => HloArray} sendWithToken sent: a token
 * @property {(x: HloArray, token: HloArray, shapeWithLayout: ShapeText, channelId: number) => HloArray} sendToHost sent: a token
 * @property {(state: Arrays, channelId: number) => HloArray} sendDone
 * @property {(token: HloArray, shape: ShapeText, channelId: number) => Arrays} recv
 * @property {(token: HloArray, shape: ShapeText, channelId: number) => HloArray[]} recvWithToken what was received, and a token
 * @property {(token: HloArray, shape: ShapeText, channelId: number) => HloArray[]} recvFromHost what was received, and a token
 * @property {(state: Arrays, channelId: number) => Arrays} recvDone what was received, and a token
 */
/** @typedef {{ channelId?: number, inplace?: boolean }} PermuteOptions */

/** @typedef {string[]} Precision */
/**
 * XLA's orders of arguments, where they differ from those above: options one by one, as the page of operation semantics lists them.
 * @typedef {object} PageOrders
 * @property {(lhs: HloArray | Scalar, rhs: HloArray | Scalar, broadcastDimensions: number[], direction: Direction, type?: 'FLOAT' | 'TOTALORDER' | 'SIGNED' | 'UNSIGNED') => HloArray} compare
 * @property {(resultShape: ShapeText | number[], x: HloArray) => HloArray} reshape a list: sizes
 * @property {(x: HloArray, value: HloArray | Scalar, paddingConfig: ([number, number, number] | { edgePaddingLow?: number, edgePaddingHigh?: number, interiorPadding?: number })[]) => HloArray} pad
 * @property {(resultShape: ShapeText, dimension?: number) => HloArray} iota
 * @property {(lhs: HloArray, rhs: HloArray, precision: Precision | undefined, type?: ElementType) => HloArray} dot
 * @property {(lhs: HloArray, rhs: HloArray, dimensions: DotDimensions, precision: Precision | undefined, type?: ElementType) => HloArray} dotGeneral
 * @property {(lhs: HloArray, lhsScale: HloArray, rhs: HloArray, rhsScale: HloArray, dimensions: DotDimensions, precision: Precision | undefined, type?: ElementType) => HloArray} scaledDot
 * @property {(lhs: HloArray, rhs: HloArray, groupSizes: HloArray, dimensions: DotDimensions & { lhsRagged: number[], rhsGroup?: number[] }, precision: Precision | undefined, type?: ElementType) => HloArray} raggedDot
 * @property {<R extends Arrays | []>(inputs: Arrays, initial: Arrays, body: (...values: HloArray[]) => R, dimension?: number, reverse?: boolean) => R} scan
 * @property {<R extends Arrays | []>(index: HloArray, trueOperand: Arrays, trueComputation: (...values: HloArray[]) => R, falseOperand: Arrays, falseComputation: (...values: HloArray[]) => R) => R} conditional
 * @property {<R extends Arrays = HloArray>(target: string, operands: HloArray | HloArray[], shape: ShapeText, backendConfig: string | undefined, customCallHasSideEffect?: boolean, outputToOperandAliasing?: string, literal?: string, schedule?: string, apiVersion?: string) => R} customCall
 * @property {<R extends Arrays = HloArray>(target: string, operands: HloArray | HloArray[], body: Combiner, shape: ShapeText, backendConfig: string | undefined, customCallHasSideEffect?: boolean, outputToOperandAliasing?: string, literal?: string, schedule?: string, apiVersion?: string) => R} customCallWithComputation
 * @property {<R extends Arrays = HloArray>(target: string, operands: HloArray | HloArray[], shape: ShapeText, operandShapes: ShapeText[], backendConfig: string | undefined, customCallHasSideEffect?: boolean, outputToOperandAliasing?: string, literal?: string, schedule?: string, apiVersion?: string) => R} customCallWithLayout
 * @property {(lhs: HloArray, rhs: HloArray, strides: number[], padding: Padding, featureGroupCount: number | undefined, batchGroupCount?: number, precision?: Precision, type?: ElementType) => HloArray} conv
 * @property {(lhs: HloArray, rhs: HloArray, strides: number[], padding: Padding, featureGroupCount: number | undefined, batchGroupCount?: number, precision?: Precision, type?: ElementType) => HloArray} convWithGeneralPadding
 * @property {(lhs: HloArray, rhs: HloArray, strides: number[], padding: Padding, dimensionNumbers: DimensionNumbers, featureGroupCount: number | undefined, batchGroupCount?: number, precision?: Precision, type?: ElementType) => HloArray} convWithGeneralDimensions
 * @property {(lhs: HloArray, rhs: HloArray, strides: number[], padding: Padding, dimensionNumbers: DimensionNumbers, featureGroupCount: number | undefined, batchGroupCount?: number, precision?: Precision, type?: ElementType) => HloArray} convGeneral
 * @property {(lhs: HloArray, rhs: HloArray, strides: number[], padding?: Padding, lhsDilation?: number[], rhsDilation?: number[], dimensionNumbers?: DimensionNumbers, featureGroupCount?: number, batchGroupCount?: number, precision?: Precision, type?: ElementType, windowReversal?: boolean[]) => HloArray} convGeneralDilated
 * @property {(lhs: HloArray, rhs: HloArray, strides: number[], padding?: Padding, lhsDilation?: number[], rhsDilation?: number[], dimensionNumbers?: DimensionNumbers, featureGroupCount?: number, batchGroupCount?: number, precision?: Precision, paddingType?: string, type?: ElementType) => HloArray} dynamicConvForward
 * @property {(inputSizes: HloArray, lhs: HloArray, rhs: HloArray, strides: number[], padding?: Padding, lhsDilation?: number[], rhsDilation?: number[], dimensionNumbers?: DimensionNumbers, featureGroupCount?: number, batchGroupCount?: number, precision?: Precision, paddingType?: string, type?: ElementType) => HloArray} dynamicConvInputGrad
 * @property {(lhs: HloArray, rhs: HloArray, strides: number[], padding?: Padding, lhsDilation?: number[], rhsDilation?: number[], dimensionNumbers?: DimensionNumbers, featureGroupCount?: number, batchGroupCount?: number, precision?: Precision, paddingType?: string, type?: ElementType) => HloArray} dynamicConvKernelGrad
 * @property {Alike<[initial: HloArray | Scalar | (HloArray | Scalar)[], body: Combiner, windowDimensions: number[], windowStrides?: number[], padding?: Padding]>} reduceWindow
 * @property {Alike<[initial: HloArray | Scalar | (HloArray | Scalar)[], body: Combiner, windowDimensions: number[], windowStrides?: number[], baseDilations?: number[], windowDilations?: number[], padding?: Padding]>} reduceWindowWithGeneralPadding
 * @property {(x: HloArray, select: Combiner, windowDimensions: number[], windowStrides: number[] | undefined, padding: Padding | undefined, source: HloArray, initial: HloArray | Scalar, scatter: Combiner) => HloArray} selectAndScatter
 * @property {(x: HloArray, select: Combiner, windowDimensions: number[], windowStrides: number[] | undefined, padding: Padding | undefined, source: HloArray, initial: HloArray | Scalar, scatter: Combiner) => HloArray} selectAndScatterWithGeneralPadding
 * @property {(x: HloArray, starts: HloArray, options: Omit<GatherOptions, 'sliceSizes'>, sliceSizes: number[], indicesAreSorted?: boolean) => HloArray} gather
 * @property {Alike<[indices: HloArray, updates: HloArray | HloArray[], body: Combiner, options: ScatterOptions, indicesAreSorted: boolean, uniqueIndices?: boolean]>} scatter
 * @property {Alike<[comparator: Combiner, dimension?: number, isStable?: boolean]>} sort
 * @property {(x: HloArray, k: number, largest: boolean) => [HloArray, HloArray]} topK
 * @property {(operands: HloArray[], initial: (HloArray | Scalar)[], k: number, dimension: number, comparator: Combiner, recallTarget: number, aggregateToTopk?: boolean, reductionInputSizeOverride?: number) => HloArray[]} approxTopK
 * @property {(x: HloArray, lower: boolean) => HloArray} cholesky
 * @property {(a: HloArray, b: HloArray, leftSide: boolean, lower?: boolean, unitDiagonal?: boolean, transposeA?: 'NO_TRANSPOSE' | 'TRANSPOSE' | 'ADJOINT') => HloArray} triangularSolve
 * @property {(low: HloArray | Scalar, high: HloArray | Scalar, resultShape: ShapeText) => HloArray} rngUniform
 * @property {(mean: HloArray | Scalar, deviation: HloArray | Scalar, resultShape: ShapeText) => HloArray} rngNormal
 * @property {(algorithm: 'rng_default' | 'rng_three_fry' | 'rng_philox', state: HloArray, resultShape: ShapeText) => [HloArray, HloArray]} rngBitGenerator
 * @property {Alike<[body: Combiner, replicaGroups: number[][], channelId?: number, shapeWithLayout?: ShapeText, useGlobalDeviceIds?: boolean]>} allReduce
 * @property {Alike<[body: Combiner, replicaGroups: number[][], channelId?: number, shapeWithLayout?: ShapeText, useGlobalDeviceIds?: boolean]>} allReduceTuple
 * @property {Alike<[replicaGroups: number[][]]>} crossReplicaSum
 * @property {Alike<[dimension: number, shardCount: number, replicaGroups: number[][], channelId?: number, layout?: import('./array.js').LayoutOption, useGlobalDeviceIds?: boolean]>} allGather
 * @property {Alike<[dimension: number, shardCount: number, replicaGroups: number[][], channelId?: number, layout?: import('./array.js').LayoutOption, useGlobalDeviceIds?: boolean]>} allGatherTuple
 * @property {Alike<[body: Combiner, dimension: number, shardCount: number, replicaGroups: number[][], channelId?: number, layout?: import('./array.js').LayoutOption, useGlobalDeviceIds?: boolean]>} reduceScatter
 * @property {(x: HloArray, splitDimension: number, concatDimension: number, splitCount: number, replicaGroups: number[][], layout?: import('./array.js').LayoutOption, channelId?: number) => HloArray} allToAll
 * @property {(operands: HloArray[], replicaGroups: number[][], layout?: import('./array.js').LayoutOption, channelId?: number) => HloArray[]} allToAllTuple
 * @property {(x: HloArray, sourceTargetPairs: [number, number][], channelId: number | undefined, inplace?: boolean) => HloArray} collectivePermute
 * @property {Alike<[sourceTargetPairs: [number, number][], channelId: number | undefined, inplace?: boolean]>} multiCollectivePermute
 * @property {(x: HloArray, replicaGroups: number[][], channelId?: number) => HloArray} collectiveBroadcast
 * @property {Alike<[body: Combiner, replicaGroups: number[][], channelId?: number]>} collectiveReduce
 * @property {(input: HloArray, inputOffsets: HloArray, sendSizes: HloArray, output: HloArray, outputOffsets: HloArray, recvSizes: HloArray, replicaGroups: number[][], channelId?: number) => HloArray} raggedAllToAll
 * @property {(shapes: ShapeText, config?: string) => Arrays} infeed what came in
 * @property {(operands: Arrays, shapeWithLayout: ShapeText, outfeedConfig?: string) => HloArray} outfeed
 * @property {(x: HloArray, channelId: number) => Arrays} send sent: a token
 * @property {(shape: ShapeText, channelId: number) => Arrays} recv what was received
 */

/**
 * @typedef {PageOrders & Record<UnaryName, Unary> & Record<InexactName, Inexact> & Record<BinaryName, Binary> & Structural & Windowed & Indexed & Numeric & Devices} Operations
 */

const BROADCAST = '{broadcastDimensions}';
const CONTRACTING =
  'lhsContracting rhsContracting lhsBatch rhsBatch lhsContractingDimensions rhsContractingDimensions lhsBatchDimensions rhsBatchDimensions precision type';
const CONVOLUTION =
  'lhsDilation rhsDilation windowReversal featureGroupCount batchGroupCount precision type';
const COUNTS = 'featureGroupCount batchGroupCount precision type';
const DILATED =
  'strides padding lhsDilation rhsDilation dimensionNumbers featureGroupCount batchGroupCount precision';
const WINDOW =
  'window{windowDimensions windowStrides baseDilations windowDilations padding windowReversal}';
const WINDOW_AND_SOURCE = 'windowDimensions windowStrides padding source initial scatter';
const GROUPS = 'options?{replicaGroups channelId layout useGlobalDeviceIds}';
const GROUPS_LISTED = 'replicaGroups channelId layout useGlobalDeviceIds';
const CUSTOM_CALL =
  'options?{apiVersion backendConfig customCallHasSideEffect window dimLabels featureGroupCount batchGroupCount paddingType operandLayoutConstraints outputToOperandAliasing operandPrecision schedule literal}';
const CUSTOM_CALL_LISTED =
  'backendConfig customCallHasSideEffect outputToOperandAliasing literal schedule apiVersion';

/**
 * Operations that are not generated from the engine's list: their arguments, in the form of signatureOf(). After " / " stands
 * XLA's order, where it differs; web/operations/page_order.js says how calls tell the two apart.
 */
export const structural = {
  compare:
    'lhs rhs direction options?{broadcastDimensions type} / lhs rhs broadcastDimensions direction type',
  select: `predicate onTrue onFalse options?${BROADCAST}`,
  clamp: `low x high options?${BROADCAST}`,
  atan: 'x',
  conj: 'x',
  constant: 'data type?',
  convert: 'x type',
  bitcast: 'x shape',
  bitcastConvert: 'x type',
  reducePrecision: 'x exponentBits mantissaBits',
  stochasticConvert: 'x random type',
  map: 'operands body dimensions?',
  broadcast: 'x sizes',
  broadcastInDim: 'x shape broadcastDimensions',
  dynamicBroadcastInDim: 'x outputDimensions broadcastDimensions shape',
  reshape: 'x shape / resultShape x',
  collapse: 'x dimensions',
  transpose: 'x permutation?',
  slice: 'x starts limits strides?',
  concatenate: 'operands dimension',
  pad: 'x value padding{low high interior} / x value paddingConfig',
  padInDim: 'x value dimension paddingLow paddingHigh',
  reverse: 'x dimensions',
  iota: 'type shape dimension? / resultShape dimension',
  dynamicSlice: 'x starts sizes',
  dynamicUpdateSlice: 'x update starts',
  dot: 'lhs rhs options?{precision type} / lhs rhs precision type',
  dotGeneral: `lhs rhs dimensions{${CONTRACTING} algorithm} / lhs rhs dimensions precision type`,
  reduce: 'operands initial body dimensions?',
  reduceAll: 'operands initial body',
  while: 'condition body initial',
  scan: 'body inputs initial? options?{dimension reverse} / inputs initial body dimension reverse',
  conditional:
    'index branches operands? / index trueOperand trueComputation falseOperand falseComputation',
  call: 'body operands',
  compositeCall: 'body operands name attributes? version?',
  fusion: 'kind operands body',
  tuple: 'parts',
  getTupleElement: 'parts index',
  customCall: `target operands shape ${CUSTOM_CALL} / target operands shape ${CUSTOM_CALL_LISTED}`,
  customCallWithComputation: `target operands body shape ${CUSTOM_CALL} / target operands body shape ${CUSTOM_CALL_LISTED}`,
  customCallWithConvDnums:
    'target operands shape operandShapes? backendConfig? customCallHasSideEffect? outputToOperandAliasing? literal? window? dimensionNumbers? schedule? apiVersion?',
  customCallWithLayout: `target operands shape operandShapes ${CUSTOM_CALL} / target operands shape operandShapes ${CUSTOM_CALL_LISTED}`,
  optimizationBarrier: 'operands',
  domain: 'x domain',
  conv: `lhs rhs strides? padding? options?{${CONVOLUTION} dimensionNumbers} / lhs rhs strides padding ${COUNTS}`,
  convWithGeneralPadding: `lhs rhs strides padding options?{${CONVOLUTION} dimensionNumbers} / lhs rhs strides padding ${COUNTS}`,
  convWithGeneralDimensions: `lhs rhs strides padding dimensionNumbers options?{${CONVOLUTION}} / lhs rhs strides padding dimensionNumbers ${COUNTS}`,
  convGeneral: `lhs rhs strides padding dimensionNumbers options?{${CONVOLUTION}} / lhs rhs strides padding dimensionNumbers ${COUNTS}`,
  convGeneralDilated: `lhs rhs options?{${CONVOLUTION} dimensionNumbers strides padding} / lhs rhs ${DILATED} type windowReversal`,
  dynamicConvForward: `lhs rhs options?{${CONVOLUTION} dimensionNumbers strides padding paddingType} / lhs rhs ${DILATED} paddingType type`,
  dynamicConvInputGrad: `inputSizes lhs rhs options?{${CONVOLUTION} dimensionNumbers strides padding paddingType} / inputSizes lhs rhs ${DILATED} paddingType type`,
  dynamicConvKernelGrad: `lhs rhs options?{${CONVOLUTION} dimensionNumbers strides padding paddingType} / lhs rhs ${DILATED} paddingType type`,
  reduceWindow: `operands initial body ${WINDOW} / operands initial body windowDimensions windowStrides padding`,
  reduceWindowWithGeneralPadding: `operands initial body ${WINDOW} / operands initial body windowDimensions windowStrides baseDilations windowDilations padding`,
  selectAndScatter: `x source initial select scatter ${WINDOW} / x select ${WINDOW_AND_SOURCE}`,
  batchNormTraining: 'x scale offset epsilon featureIndex',
  batchNormInference: 'x scale offset mean variance epsilon featureIndex',
  batchNormGrad: 'x scale mean variance gradOutput epsilon featureIndex',
  scaledDot: `lhs lhsScale rhs rhsScale dimensions{${CONTRACTING}} / lhs lhsScale rhs rhsScale dimensions precision type`,
  raggedDot: `lhs rhs groupSizes dimensions{${CONTRACTING} lhsRagged rhsGroup} / lhs rhs groupSizes dimensions precision type`,
  sliceInDim: 'x start limit stride dimension',
  gather:
    'x starts options{offsetDims collapsedSliceDims startIndexMap operandBatchingDims startIndicesBatchingDims indexVectorDim sliceSizes indicesAreSorted} / x starts options sliceSizes indicesAreSorted',
  scatter:
    'operands indices updates body options{updateWindowDims insertedWindowDims scatterDimsToOperandDims inputBatchingDims scatterIndicesBatchingDims indexVectorDim indicesAreSorted uniqueIndices} / operands indices updates body options indicesAreSorted uniqueIndices',
  sort: 'operands options?{dimension comparator isStable} / operands comparator dimension isStable',
  topK: 'x k options?{largest} / x k largest',
  approxTopK:
    'operands initial k dimension comparator options?{recallTarget aggregateToTopk reductionInputSizeOverride} / operands initial k dimension comparator recallTarget aggregateToTopk reductionInputSizeOverride',
  getDimensionSize: 'x dimension',
  setDimensionSize: 'x size dimension',
  removeDynamicDimension: 'x dimension',
  dynamicReshape: 'x sizes bounds isDynamic?',
  fft: 'x type length',
  cholesky: 'x options?{lower} / x lower',
  triangularSolve:
    'a b options?{leftSide lower unitDiagonal transposeA} / a b leftSide lower unitDiagonal transposeA',
  rngUniform: 'low high type shape / low high resultShape',
  rngNormal: 'mean deviation type shape / mean deviation resultShape',
  rngBitGenerator: 'algorithm state type shape / algorithm state resultShape',
  rngGetAndUpdateState: 'delta',
  replicaId: '',
  partitionId: 'shape?',
  allReduce: `operands body? options?{replicaGroups channelId shapeWithLayout useGlobalDeviceIds} / operands body replicaGroups channelId shapeWithLayout useGlobalDeviceIds`,
  allReduceStart: `operands body? options?{replicaGroups channelId useGlobalDeviceIds}`,
  allReduceDone: 'state',
  crossReplicaSum: `operands options?{replicaGroups channelId useGlobalDeviceIds} / operands replicaGroups`,
  allGather: `operands dimension shardCount ${GROUPS} / operands dimension shardCount ${GROUPS_LISTED}`,
  allGatherStart: `operands dimension shardCount ${GROUPS}`,
  allGatherDone: 'state',
  reduceScatter: `operands body dimension shardCount ${GROUPS} / operands body dimension shardCount ${GROUPS_LISTED}`,
  allToAll:
    'x splitDimension concatDimension splitCount options?{replicaGroups channelId layout} / x splitDimension concatDimension splitCount replicaGroups layout channelId',
  allToAllTuple:
    'operands options?{replicaGroups channelId layout} / operands replicaGroups layout channelId',
  collectivePermute:
    'x sourceTargetPairs options?{channelId inplace} / x sourceTargetPairs channelId inplace',
  multiCollectivePermute:
    'operands sourceTargetPairs options?{channelId inplace} / operands sourceTargetPairs channelId inplace',
  collectivePermuteStart: 'x sourceTargetPairs options?{channelId}',
  collectivePermuteDone: 'state',
  collectiveBroadcast: 'x options?{replicaGroups channelId roots} / x replicaGroups channelId',
  collectiveReduce:
    'operands body options?{replicaGroups channelId roots} / operands body replicaGroups channelId',
  raggedAllToAll:
    'input inputOffsets sendSizes output outputOffsets recvSizes options?{replicaGroups channelId} / input inputOffsets sendSizes output outputOffsets recvSizes replicaGroups channelId',
  afterAll: 'tokens?',
  createToken: '',
  addDependency: 'x token',
  copyStart: 'x',
  copyDone: 'state',
  asyncStart: 'body operands options?{asyncExecutionThread}',
  asyncUpdate: 'state',
  asyncDone: 'state',
  infeed: 'token shapes config? / shapes config',
  infeedWithToken: 'token shapes config?',
  outfeed:
    'operands token shapeWithLayout? outfeedConfig? / operands shapeWithLayout outfeedConfig',
  outfeedWithToken: 'operands token shapeWithLayout? outfeedConfig?',
  send: 'x token channelId / x channelId',
  sendWithToken: 'x token channelId',
  sendToHost: 'x token shapeWithLayout channelId',
  sendDone: 'state channelId',
  recv: 'token shape channelId / shape channelId',
  recvWithToken: 'token shape channelId',
  recvFromHost: 'token shape channelId',
  recvDone: 'state channelId',
};

/** Elementwise operations, by number of operands. */
export const elementwise = ['', 'x', `lhs rhs options?${BROADCAST} / lhs rhs broadcastDimensions`];

/** Elementwise functions whose results may be asked to be more exact, as HLO text names them. */
export const inexact =
  'exponential exponential-minus-one log log-plus-one logistic sqrt rsqrt cbrt sine cosine tan tanh erf acos acosh asin asinh atanh cosh sinh'.split(
    ' ',
  );
/** What they take. */
export const inexactArguments = 'x options?{resultAccuracy} / x resultAccuracy';

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
  Builder: {
    computation: 'name',
    setSharding: 'sharding',
    clearSharding: '',
    setOpMetadata: 'metadata{opType opName sourceFile sourceLine}',
    clearOpMetadata: '',
    setFrontendAttributes: 'attributes',
    build: 'entry root',
    dispose: '',
  },
  Computation: {
    parameter: 'number shape name',
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
    tidy: 'body ...consumed',
    indexingMap: 'text',
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
    item: '...index',
    toJSON: 'key',
    toString: '',
    withLayout: 'layout',
    dispose: '',
  },
  Indexing: {
    at: 'entry index options',
    utilization: 'entry',
    coalescing: 'entry loops',
    tiles: 'entry sizes options',
    symbolicTiles: 'entry',
    dispose: '',
  },
  IndexingMap: {
    evaluate: 'dimensions ranges runtime',
    points: 'options',
    compose: 'next',
    simplify: '',
    removeUnused: '',
    rescale: '',
    intersect: 'constraints',
    equals: 'other',
    toString: '',
    dispose: '',
  },
  Instruction: { constant: '', toString: '', toJSON: 'key' },
  Shape: {
    getDimensionNumber: 'dimension',
    getDimension: 'dimension',
    linearIndex: 'index',
    multiIndex: 'linear',
    toString: '',
  },
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
    traffic: 'options',
    dispose: '',
  },
};
