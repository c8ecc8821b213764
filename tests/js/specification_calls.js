// Calls of everything that the specification has, in its orders of arguments, with results that follow from its words. A row of
// the table: the arguments, and what comes out, as nested lists. What needs devices or a program stands in
// specification_programs.js.
import { elementwiseCallsOf } from './specification_elementwise.js';

/** @param {any} hlo @returns {Record<string, [any[], any][]>} by XLA's names */
export function callsOf(hlo) {
  const f32 = (/** @type {any} */ data) => hlo.array(data, 'f32');
  const s32 = (/** @type {any} */ data) => hlo.array(data, 's32');
  const u32 = (/** @type {any} */ data) => hlo.array(data, 'u32');
  const u64 = (/** @type {any} */ data) => hlo.array(data, 'u64');
  const pred = (/** @type {any} */ data) => hlo.array(data, 'pred');
  const m = f32([
    [1, 2, 3],
    [4, 5, 6],
  ]);
  const v = f32([10, 20, 30]);
  const [t, f] = [true, false];
  /** @type {Record<string, [any[], any][]>} */
  const calls = elementwiseCallsOf(hlo);

  // --- choosing and converting ---
  calls.Clamp = [
    [
      [0, s32([-1, 5, 9]), 6],
      [0, 5, 6],
    ],
  ];
  calls.Select = [
    [
      [pred([t, f]), f32([1, 2]), f32([3, 4])],
      [1, 4],
    ],
  ];
  calls.ConvertElementType = [
    [
      [f32([1.5, -2]), 's32'],
      [1, -2],
    ],
  ];
  calls.BitcastConvertType = [[[f32([1]), 'u8'], [[0, 0, 128, 63]]]];
  calls.Bitcast = [
    [
      [m, 'f32[3,2]'],
      [
        [1, 2],
        [3, 4],
        [5, 6],
      ],
    ],
  ];
  calls.ReducePrecision = [[[f32([1.1]), 5, 2], [1]]];
  calls.StochasticConvertType = [
    [
      [f32([1.5, 1.5]), u32([0, 2 ** 32 - 1]), 's32'],
      [2, 1],
    ],
  ];
  for (const name of ['Constant', 'ConstantLiteral', 'ConstantR1'])
    calls[name] = [[[[1, 2]], [1, 2]]];
  calls.ConstantR0 = [[[5], 5]];
  calls.ConstantR2 = [[[[[1], [2]]], [[1], [2]]]];

  // --- moving ---
  calls.Broadcast = [
    [
      [f32([1, 2]), [2]],
      [
        [1, 2],
        [1, 2],
      ],
    ],
  ];
  calls.BroadcastInDim = [
    [
      [f32([1, 2]), [2, 2], [-2]],
      [
        [1, 1],
        [2, 2],
      ],
    ],
  ];
  calls.DynamicBroadcastInDim = [
    [
      [f32([1, 2]), s32([2, 2]), [0], 'f32[2,2]'],
      [
        [1, 1],
        [2, 2],
      ],
    ],
    [
      [f32([1, 2]), s32([2, 1]), [0], 'f32[2,<=2]'],
      [[1], [2]],
    ],
  ];
  calls.Reshape = [
    [
      [m, [3, 2]],
      [
        [1, 2],
        [3, 4],
        [5, 6],
      ],
    ],
    [
      ['f32[6]', m],
      [1, 2, 3, 4, 5, 6],
    ],
  ];
  calls.Collapse = [
    [
      [m, [0, 1]],
      [1, 2, 3, 4, 5, 6],
    ],
  ];
  calls.Transpose = [
    [
      [m, [1, -2]],
      [
        [1, 4],
        [2, 5],
        [3, 6],
      ],
    ],
  ];
  calls.Rev = [
    [
      [m, [-1]],
      [
        [3, 2, 1],
        [6, 5, 4],
      ],
    ],
  ];
  calls.Slice = [
    [
      [m, [0, 0], [2, 3], [1, 2]],
      [
        [1, 3],
        [4, 6],
      ],
    ],
  ];
  calls.SliceInDim = [
    [
      [m, 0, 3, 2, -1],
      [
        [1, 3],
        [4, 6],
      ],
    ],
  ];
  calls.Concatenate = [
    [
      [[f32([1]), f32([2])], 0],
      [1, 2],
    ],
  ];
  calls.ConcatInDim = [
    [
      [[f32([1]), f32([2])], -1],
      [1, 2],
    ],
  ];
  const config = [{ edgePaddingLow: 1, interiorPadding: 1 }];
  calls.Pad = [
    [
      [f32([1, 2]), 0, config],
      [0, 1, 0, 2],
    ],
    [
      [f32([1, 2]), 0, [[0, -1, 1]]],
      [1, 0],
    ],
  ];
  calls.PadInDim = [
    [
      [f32([[1], [2]]), 0, -1, 1, 2],
      [
        [0, 1, 0, 0],
        [0, 2, 0, 0],
      ],
    ],
  ];
  calls.Iota = [
    [
      ['s32[2,3]', 1],
      [
        [0, 1, 2],
        [0, 1, 2],
      ],
    ],
    [
      ['s32', 2],
      [0, 1],
    ],
  ];
  calls.DynamicSlice = [[[m, [1, 5], [1, 2]], [[5, 6]]]];
  calls.DynamicUpdateSlice = [
    [
      [m, f32([[0, 0]]), [1, 5]],
      [
        [1, 2, 3],
        [4, 0, 0],
      ],
    ],
  ];
  const rows = {
    offsetDims: [-1],
    collapsedSliceDims: [-2],
    startIndexMap: [0],
    indexVectorDim: 1,
  };
  calls.Gather = [
    [
      [m, s32([1, 0]), rows, [1, 3], f],
      [
        [4, 5, 6],
        [1, 2, 3],
      ],
    ],
  ];
  const into = {
    updateWindowDims: [-1],
    insertedWindowDims: [0],
    scatterDimsToOperandDims: [-2],
    indexVectorDim: 1,
  };
  calls.Scatter = [
    [
      [m, s32([1]), f32([[1, 1, 1]]), 'add', into, f, t],
      [
        [1, 2, 3],
        [5, 6, 7],
      ],
    ],
  ];
  calls.Sort = [
    [
      [[s32([3, 1, 2]), s32([0, 1, 2])], (a, b) => hlo.gt(a, b), -1, t],
      [
        [3, 2, 1],
        [0, 2, 1],
      ],
    ],
  ];
  calls.TopK = [
    [
      [s32([3, 1, 2]), 2, f],
      [
        [1, 2],
        [1, 2],
      ],
    ],
  ];
  calls.ApproxTopK = [
    [
      [
        [f32([3, 1, 2]), s32([0, 1, 2])],
        [-Infinity, -1],
        2,
        -1,
        (a, b) => hlo.gt(a, b),
        0.9,
        t,
        -1,
      ],
      [
        [3, 2],
        [0, 2],
      ],
    ],
  ];
  calls.GetDimensionSize = [[[m, -1], 3]];
  calls.SetDimensionSize = [
    [
      [v, 2, 0],
      [10, 20],
    ],
  ];
  calls.RemoveDynamicDimension = [
    [
      [v, 0],
      [10, 20, 30],
    ],
  ];
  calls.DynamicReshape = [
    [
      [m, [3, 2], [6, 6], [t, t]],
      [
        [1, 2],
        [3, 4],
        [5, 6],
      ],
    ],
  ];

  // --- products, convolutions, windows ---
  const precision = ['HIGHEST', 'HIGHEST'];
  const numbers = { lhsContractingDimensions: [-1], rhsContractingDimensions: [0] };
  calls.Dot = [
    [
      [m, v, precision, 'f64'],
      [140, 320],
    ],
  ];
  calls.DotGeneral = [
    [
      [m, v, numbers, precision, 'f32'],
      [140, 320],
    ],
  ];
  const e4 = (/** @type {any} */ data) => hlo.convert(f32(data), 'f8e4m3fn');
  const scales = (/** @type {any} */ data) => hlo.convert(f32(data), 'f8e8m0fnu');
  calls.ScaledDot = [
    [
      [e4([[1, 2]]), scales([[2]]), e4([[3], [4]]), scales([[4]]), numbers, precision, 'f32'],
      [[88]],
    ],
  ];
  calls.RaggedDot = [
    [
      [
        f32([
          [1, 2],
          [3, 4],
        ]),
        f32([
          [[1], [1]],
          [[10], [10]],
        ]),
        s32([1, 1]),
        { lhsContracting: [-1], rhsContracting: [1], lhsRagged: [0], rhsGroup: [0] },
        precision,
        'f32',
      ],
      [[3], [70]],
    ],
  ];
  const [image, kernel] = [f32([[[1, 2, 3, 4]]]), f32([[[1, 10]]])];
  const labels = 'bf0_oi0->bf0';
  const [valid, strided, same] = [[[[21, 32, 43]]], [[[21, 43]]], [[[21, 32, 43, 4]]]];
  for (const name of ['Conv', 'ConvWithGeneralPadding'])
    calls[name] = [
      [[image, kernel, [1], 'SAME', 1, 1, precision, 'f32'], same],
      [[image, kernel, [2], [[0, 0]], 1, 1, precision, 'f32'], strided],
    ];
  for (const name of ['ConvWithGeneralDimensions', 'ConvGeneral'])
    calls[name] = [[[image, kernel, [1], 'VALID', labels, 1, 1, precision, 'f32'], valid]];
  calls.ConvGeneralDilated = [
    [[image, kernel, [1], [[0, 0]], [1], [2], labels, 1, 1, precision, 'f32', [f]], [[[31, 42]]]],
    [
      [image, kernel, [1], [[0, 0]], [1], [1], labels, 1, 1, precision, 'f32', [t]],
      [[[12, 23, 34]]],
    ],
  ];
  const dynamic = [
    image,
    kernel,
    [1],
    [[0, 0]],
    [1],
    [1],
    labels,
    1,
    1,
    precision,
    'PADDING_VALID',
    'f32',
  ];
  calls.DynamicConvForward = [[dynamic, valid]];
  calls.DynamicConvInputGrad = [[[s32([1, 1, 4]), ...dynamic], valid]];
  calls.DynamicConvKernelGrad = [[dynamic, valid]];
  calls.Reduce = [
    [
      [m, 0, 'add', [-1]],
      [6, 15],
    ],
  ];
  calls.ReduceAll = [[[m, 0, 'add'], 21]];
  calls.ReduceWindow = [
    [
      [v, 0, 'add', [2], [1], 'SAME'],
      [30, 50, 30],
    ],
  ];
  calls.ReduceWindowWithGeneralPadding = [
    [
      [v, 0, 'add', [2], [1], [1], [2], [[1, 0]]],
      [20, 40],
    ],
  ];
  for (const name of ['SelectAndScatter', 'SelectAndScatterWithGeneralPadding'])
    calls[name] = [
      [
        [f32([1, 4, 2, 3]), 'ge', [2], [2], [[0, 0]], f32([5, 6]), 0, 'add'],
        [0, 5, 0, 6],
      ],
    ];
  const [ones, zeros] = [f32([1, 1]), f32([0, 0])];
  const x = f32([
    [1, 2],
    [3, 6],
  ]);
  calls.BatchNormInference = [
    [
      [x, ones, zeros, f32([2, 4]), f32([1, 4]), 0, -1],
      [
        [-1, -1],
        [1, 1],
      ],
    ],
  ];
  calls.BatchNormTraining = [
    [
      [x, ones, zeros, 0, 1],
      [
        [
          [-1, -1],
          [1, 1],
        ],
        [2, 4],
        [1, 4],
      ],
    ],
  ];
  calls.BatchNormGrad = [
    [
      [
        x,
        ones,
        f32([2, 4]),
        f32([1, 4]),
        f32([
          [1, 1],
          [1, 1],
        ]),
        0,
        -1,
      ],
      [
        [
          [0, 0],
          [0, 0],
        ],
        [0, 0],
        [2, 2],
      ],
    ],
  ];

  // --- transforms, linear algebra, random numbers ---
  calls.Fft = [
    [
      [f32([1, 2, 3, 4]), 'RFFT', [4]],
      [
        { re: 10, im: 0 },
        { re: -2, im: 2 },
        { re: -2, im: 0 },
      ],
    ],
  ];
  calls.Cholesky = [
    [
      [
        f32([
          [4, 2],
          [2, 5],
        ]),
        f,
      ],
      [
        [2, 1],
        [0, 2],
      ],
    ],
  ];
  calls.TriangularSolve = [
    [
      [
        f32([
          [2, 0],
          [1, 4],
        ]),
        f32([[2], [9]]),
        t,
        t,
        f,
        'NO_TRANSPOSE',
      ],
      [[1], [2]],
    ],
  ];
  calls.RngUniform = [
    [
      [f32(1), f32(1.0000001192092896), 'f32[2]'],
      [1, 1],
    ],
  ];
  calls.RngNormal = [
    [
      [f32(3), f32(0), 'f32[2]'],
      [3, 3],
    ],
  ];
  // Threefry of key 0 and counter 0.
  calls.RngBitGenerator = [
    [
      ['rng_three_fry', u64([0, 0]), 'u32[2]'],
      [
        [0, 1],
        [1797259609, 2579123966],
      ],
    ],
  ];

  // --- functions ---
  calls.Map = [
    [
      [[m, m], 'add', [0, -1]],
      [
        [2, 4, 6],
        [8, 10, 12],
      ],
    ],
  ];
  calls.Call = [[[(a, b) => hlo.add(a, b), [f32(1), f32(2)]], 3]];
  calls.CompositeCall = [[[(a) => hlo.neg(a), [f32(1)], 'my.negate', '{}', 1], -1]];
  calls.Fusion = [[['kLoop', [f32(1)], (a) => hlo.neg(a)], -1]];
  calls.While = [[[(i) => hlo.lt(i, 5), (i) => hlo.add(i, 1), s32(0)], 5]];
  calls.Scan = [
    [
      [s32([1, 2, 3]), s32(0), (x, sum) => [hlo.add(x, sum), hlo.add(x, sum)], 0, f],
      [[1, 3, 6], 6],
    ],
  ];
  calls.Conditional = [
    [[pred(t), f32(1), (a) => hlo.neg(a), f32(2), (a) => a], -1],
    [[s32(1), [(a) => hlo.neg(a), (a) => a], [f32(1), f32(2)]], 2],
  ];
  calls.Tuple = [[[[f32(1), f32(2)]], [1, 2]]];
  calls.GetTupleElement = [[[[f32(1), f32(2)], 1], 2]];
  calls.OptimizationBarrier = [[[f32(1)], 1]];
  calls.Domain = [[[f32(1), '{kind="sharding", entry={maximal device=0}, exit={}}'], 1]];

  // --- custom calls: a target that negates ---
  hlo.registerCustomCall('negate', ([a]) => hlo.neg(a));
  const rest = ['', f, undefined, undefined, 'SCHEDULE_NONE', 'API_VERSION_STATUS_RETURNING'];
  calls.CustomCall = [[['negate', [f32(1)], 'f32[]', ...rest], -1]];
  calls.CustomCallWithComputation = [[['negate', [f32(1)], (a) => a, 'f32[]', ...rest], -1]];
  calls.CustomCallWithLayout = [
    [
      ['negate', [v], 'f32[3]{0}', ['f32[3]{0}'], ...rest],
      [-10, -20, -30],
    ],
  ];
  calls.CustomCallWithConvDnums = [
    [
      [
        'negate',
        [image],
        'f32[1,1,4]',
        ['f32[1,1,4]{2,1,0}'],
        '',
        f,
        undefined,
        undefined,
        '{size=2}',
        labels,
        'SCHEDULE_NONE',
        'API_VERSION_STATUS_RETURNING',
      ],
      [[[-1, -2, -3, -4]]],
    ],
  ];
  return calls;
}
