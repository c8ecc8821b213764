// Programs with everything of the specification that needs devices, a host, or a builder: the rest is in specification_calls.js.

/**
 * What a program takes and gives. `build` gets the parameters; `inputs` are of each replica, as `want` is.
 * @typedef {{ build: (...values: any[]) => any, inputs?: any[][], feeds?: any[][], fed?: any[], want: any }} Program
 */

/** @param {any} hlo @returns {Record<string, Program[]>} by XLA's names */
export function programsOf(hlo) {
  const f32 = (/** @type {any} */ data) => hlo.array(data, 'f32');
  const s32 = (/** @type {any} */ data) => hlo.array(data, 's32');
  const two = [[f32([1, 2])], [f32([3, 5])]];
  const groups = [[0, 1]];
  const each = (/** @type {any} */ want) => [want, want];
  const layout = [0];
  /** @type {Record<string, Program[]>} */
  const programs = {};
  /** @param {string[]} names @param {(...values: any[]) => any} build @param {any} want @param {any[][]} [inputs] */
  const put = (names, build, want, inputs = two) => {
    for (const name of names) programs[name] = [{ build, inputs, want }];
  };

  // --- collectives ---
  for (const name of ['allReduce', 'allReduceTuple'])
    put(
      [name[0].toUpperCase() + name.slice(1)],
      (x) => hlo[name](name === 'allReduce' ? x : [x], 'add', groups, 1, 'f32[2]{0}', false),
      each([4, 7]),
    );
  put(['CrossReplicaSum'], (x) => hlo.crossReplicaSum(x, groups), each([4, 7]));
  put(['AllGather'], (x) => hlo.allGather(x, -1, 2, groups, 1, layout, false), each([1, 2, 3, 5]));
  put(
    ['AllGatherTuple'],
    (x) => hlo.allGatherTuple([x, hlo.neg(x)], 0, 2, groups, 1, layout, false),
    each([
      [1, 2, 3, 5],
      [-1, -2, -3, -5],
    ]),
  );
  put(['ReduceScatter'], (x) => hlo.reduceScatter(x, 'add', 0, 2, groups, 1, layout, false), [
    [4],
    [7],
  ]);
  put(['AllToAll'], (x) => hlo.allToAll(x, 0, -1, 2, groups, layout, undefined), [
    [1, 3],
    [2, 5],
  ]);
  put(['AllToAllTuple'], (x) => hlo.allToAllTuple([x, hlo.neg(x)], groups, layout, undefined), [
    [
      [1, 2],
      [3, 5],
    ],
    [
      [-1, -2],
      [-3, -5],
    ],
  ]);
  const swap = [
    [0, 1],
    [1, 0],
  ];
  put(['CollectivePermute'], (x) => hlo.collectivePermute(x, swap, undefined, false), [
    [3, 5],
    [1, 2],
  ]);
  put(
    ['MultiCollectivePermute'],
    (x) => hlo.multiCollectivePermute([x, hlo.neg(x)], swap, undefined, false),
    [
      [
        [3, 5],
        [-3, -5],
      ],
      [
        [1, 2],
        [-1, -2],
      ],
    ],
  );
  put(
    ['CollectiveBroadcast'],
    (x) => hlo.collectiveBroadcast(x, [[1, 0]], undefined),
    each([3, 5]),
  );
  put(['CollectiveReduce'], (x) => hlo.collectiveReduce(x, 'add', [[1, 0]], undefined), [
    [0, 0],
    [4, 7],
  ]);
  // The example of the page.
  const ragged = [
    [
      [1, 2, 2],
      [0, 1],
      [1, 2],
      [0, 0, 0, 0],
      [0, 0],
      [1, 1],
    ],
    [
      [3, 4, 0],
      [0, 1],
      [1, 1],
      [0, 0, 0, 0],
      [1, 2],
      [2, 1],
    ],
  ].map((lists) => lists.map((list, i) => (i === 0 || i === 3 ? f32 : s32)(list)));
  put(
    ['RaggedAllToAll'],
    (...xs) => hlo.raggedAllToAll(...xs, groups, undefined),
    [
      [1, 3, 0, 0],
      [2, 2, 4, 0],
    ],
    ragged,
  );
  put(['ReplicaId'], () => hlo.replicaId(), [0, 1], [[], []]);
  put(['PartitionID'], () => hlo.partitionId('u32[]'), each(0), [[], []]);
  put(['BuildPartitionId'], () => hlo.buildPartitionId('u32[]'), each(0), [[], []]);

  // --- in two parts ---
  put(
    ['AllGatherStart', 'AllGatherDone'],
    (x) => hlo.allGatherDone(hlo.allGatherStart(x, 0, 2)),
    each([1, 2, 3, 5]),
  );
  put(
    ['AllReduceStart', 'AllReduceDone'],
    (x) => hlo.allReduceDone(hlo.allReduceStart(x, 'add')),
    each([4, 7]),
  );
  put(
    ['CollectivePermuteStart', 'CollectivePermuteDone'],
    (x) => hlo.collectivePermuteDone(hlo.collectivePermuteStart(x, swap)),
    [
      [3, 5],
      [1, 2],
    ],
  );
  put(['CopyStart', 'CopyDone'], (x) => hlo.copyDone(hlo.copyStart(x)), [
    [1, 2],
    [3, 5],
  ]);
  put(
    ['AsyncStart', 'AsyncUpdate', 'AsyncDone'],
    (x) => hlo.asyncDone(hlo.asyncUpdate(hlo.asyncStart((a) => hlo.neg(a), [x]))),
    [
      [-1, -2],
      [-3, -5],
    ],
  );

  // --- tokens and channels ---
  put(
    ['AfterAll', 'CreateToken', 'AddDependency'],
    (x) => hlo.addDependency(x, hlo.afterAll([hlo.createToken(), hlo.createToken()])),
    [
      [1, 2],
      [3, 5],
    ],
  );
  const received =
    (/** @type {(x: any) => any} */ send, /** @type {(token: any) => any} */ recv) => (x) =>
      recv(send(x));
  put(
    ['Send', 'Recv'],
    (x) => {
      hlo.send(x, 1);
      return hlo.recv('f32[2]', 1);
    },
    [[1, 2]],
    [two[0]],
  );
  put(
    ['SendWithToken', 'RecvWithToken'],
    received(
      (x) => hlo.sendWithToken(x, hlo.createToken(), 1),
      (token) => hlo.recvWithToken(token, 'f32[2]', 1)[0],
    ),
    [[1, 2]],
    [two[0]],
  );
  put(
    ['SendToHost', 'RecvFromHost'],
    received(
      (x) => hlo.sendToHost(x, hlo.createToken(), 'f32[2]', 1),
      (token) => hlo.recvFromHost(token, 'f32[2]', 1)[0],
    ),
    [[1, 2]],
    [two[0]],
  );
  put(
    ['SendDone', 'RecvDone'],
    (x) => {
      const token = hlo.sendDone(hlo.send(x, hlo.createToken(), 1), 1);
      return hlo.recvDone(hlo.recv(token, 'f32[2]', 1), 1)[0];
    },
    [[1, 2]],
    [two[0]],
  );
  programs.Infeed = [
    { build: () => hlo.infeed('f32[2]', ''), feeds: [[f32([1, 2])]], want: [[1, 2]] },
    { build: () => hlo.infeed('f32[2]'), feeds: [[f32([1, 2])]], want: [[1, 2]] },
  ];
  programs.InfeedWithToken = [
    {
      build: () => hlo.infeedWithToken(hlo.createToken(), 'f32[2]', '')[0],
      feeds: [[f32([1, 2])]],
      want: [[1, 2]],
    },
  ];
  programs.Outfeed = [
    {
      build: (x) => (hlo.outfeed(x, 'f32[2]', ''), x),
      inputs: [two[0]],
      fed: [[[1, 2]]],
      want: [[1, 2]],
    },
  ];
  programs.OutfeedWithToken = [
    {
      build: (x) => (hlo.outfeedWithToken(x, hlo.createToken(), 'f32[2]', ''), x),
      inputs: [two[0]],
      fed: [[[1, 2]]],
      want: [[1, 2]],
    },
  ];
  put(
    ['RngGetAndUpdateState'],
    () => {
      const before = hlo.rngGetAndUpdateState(2);
      return hlo.convert(hlo.sub(hlo.rngGetAndUpdateState(2), before), 's32');
    },
    [[2, 0]],
    [[]],
  );
  return programs;
}
