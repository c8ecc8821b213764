// Several replicas and partitions of one program, infeed and outfeed, as a user of the package has them.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { load } from '../../web/index.js';

/** @type {import('../../web/index.js').Hlo} */
let hlo;
before(async () => {
  hlo = await load({ build: 'simd' });
});

const sum = `HloModule sum
add { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b) }
ENTRY main { x = f32[2] parameter(0)
  ROOT y = f32[2] all-reduce(x), to_apply=add }`;

/** The numbers that each process gave; disposes of the arrays. */
function numbers(results) {
  return results.map((list) =>
    list.map((array) => {
      const values = Array.from(array.toTypedArray(), Number);
      array.dispose();
      return values;
    }),
  );
}

test('replicas talk through collectives', () => {
  const executable = hlo.compile(sum);
  const inputs = [0, 1, 2].map((i) => [hlo.array([i, 10 * i], 'f32')]);
  assert.deepEqual(numbers(executable.runReplicas(inputs)), [[[3, 30]], [[3, 30]], [[3, 30]]]);
  assert.deepEqual(numbers(executable.runReplicas([inputs[2]])), [[[2, 20]]]);
  // One run is a group of one.
  assert.deepEqual(numbers([executable.run(inputs[1])]), [[[1, 10]]]);
});

test('partitions', () => {
  const executable = hlo.compile(`HloModule numbers
ENTRY main { r = u32[] replica-id()
  p = u32[] partition-id()
  ROOT t = (u32[], u32[]) tuple(r, p) }`);
  assert.deepEqual(numbers(executable.runReplicas([[], [], [], [], [], []], { partitions: 3 })), [
    [[0], [0]],
    [[0], [1]],
    [[0], [2]],
    [[1], [0]],
    [[1], [1]],
    [[1], [2]],
  ]);
});

test('in slices, and given up', async () => {
  const executable = hlo.compile(`HloModule loop
add { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b) }
more { s = (s32[], f32[2]) parameter(0)
  n = s32[] get-tuple-element(s), index=0
  z = s32[] constant(0)
  ROOT m = pred[] compare(n, z), direction=GT }
body { s = (s32[], f32[2]) parameter(0)
  n = s32[] get-tuple-element(s), index=0
  x = f32[2] get-tuple-element(s), index=1
  one = s32[] constant(1)
  fewer = s32[] subtract(n, one)
  y = f32[2] all-reduce(x), to_apply=add
  ROOT t = (s32[], f32[2]) tuple(fewer, y) }
ENTRY main { x = f32[2] parameter(0)
  n = s32[] constant(20)
  s = (s32[], f32[2]) tuple(n, x)
  w = (s32[], f32[2]) while(s), condition=more, body=body
  ROOT y = f32[2] get-tuple-element(w), index=1 }`);
  const inputs = [[hlo.array([1, 0], 'f32')], [hlo.array([0, 3], 'f32')]];
  /** @type {any[]} */
  const progress = [];
  const results = await executable.runReplicasAsync(inputs, {
    steps: 7,
    onProgress: (done) => progress.push(done),
  });
  assert.ok(progress.length > 1);
  assert.deepEqual(
    progress.map(({ steps }) => steps),
    progress.map((_, i) => 7 * (i + 1)),
  );
  assert.ok(progress.every(({ milliseconds }) => milliseconds >= 0));
  assert.deepEqual(numbers(results), [[[2 ** 19, 3 * 2 ** 19]], [[2 ** 19, 3 * 2 ** 19]]]);
  const before = hlo.memory.inUse;
  const controller = new AbortController();
  const run = executable.runReplicasAsync(inputs, { steps: 5, signal: controller.signal });
  controller.abort();
  await assert.rejects(run, { name: 'AbortError' });
  assert.equal(hlo.memory.inUse, before);
});

test('infeed and outfeed', async () => {
  const executable = hlo.compile(`HloModule feeds
ENTRY main { t = token[] after-all()
  i = ((f32[2], s32[]), token[]) infeed(t)
  d = (f32[2], s32[]) get-tuple-element(i), index=0
  u = token[] get-tuple-element(i), index=1
  x = f32[2] get-tuple-element(d), index=0
  n = f32[2] negate(x)
  o = token[] outfeed(n, u), outfeed_shape=f32[2]
  j = (f32[2], token[]) infeed(o)
  v = token[] get-tuple-element(j), index=1
  p = token[] outfeed(d, v), outfeed_shape=(f32[2], s32[])
  ROOT r = f32[2] get-tuple-element(j), index=0 }`);
  const item = (k) => [hlo.array([k, k + 1], 'f32'), hlo.array(k, 's32')];
  const last = (k) => [hlo.array([0, k], 'f32')];
  const out = [];
  const keep = (arrays, process) => out.push([process, ...numbers([arrays])[0]]);
  const one = executable.run([], { infeed: [item(3), last(5)], onOutfeed: (a) => keep(a) });
  assert.deepEqual(numbers([one]), [[[0, 5]]]);
  assert.deepEqual(out.splice(0), [
    [undefined, [-3, -4]],
    [undefined, [3, 4], [3]],
  ]);
  const infeed = [
    [item(1), last(2)],
    [item(6), last(7)],
  ];
  const both = executable.runReplicas([[], []], { partitions: 2, infeed, onOutfeed: keep });
  assert.deepEqual(numbers(both), [[[0, 2]], [[0, 7]]]);
  assert.deepEqual(out.splice(0), [
    [{ replica: 0, partition: 0 }, [-1, -2]],
    [{ replica: 0, partition: 0 }, [1, 2], [1]],
    [{ replica: 0, partition: 1 }, [-6, -7]],
    [{ replica: 0, partition: 1 }, [6, 7], [6]],
  ]);
  const slices = await executable.runAsync([], {
    steps: 1,
    infeed: infeed[0],
    onOutfeed: (a) => keep(a),
  });
  assert.deepEqual(numbers([slices]), [[[0, 2]]]);
  assert.equal(out.length, 2);
  assert.throws(() => executable.run(), /nothing is left in the infeed/);
  assert.throws(() => executable.run([], { infeed: [last(1)] }), /takes 2 values, but .* has 1/);
});

test('errors', () => {
  const executable = hlo.compile(sum);
  const x = [hlo.array([1, 2], 'f32')];
  const deadlock = hlo.compile(`HloModule deadlock
add { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b) }
yes { x = f32[2] parameter(0)
  ROOT all = f32[2] all-reduce(x), channel_id=4, to_apply=add }
no { ROOT x = f32[2] parameter(0) }
ENTRY main { x = f32[2] parameter(0)
  r = u32[] replica-id()
  z = u32[] constant(1)
  p = pred[] compare(r, z), direction=EQ
  ROOT y = f32[2] conditional(p, x, x), true_computation=yes, false_computation=no }`);
  assert.throws(() => deadlock.runReplicas([x, x, x]), {
    name: 'RunError',
    code: 'runtime error',
    message:
      /deadlock.*replica 1 waits at %all \(all-reduce, channel 4\) for replica 0 \(which has ended\), replica 2/,
  });
  assert.throws(() => executable.runReplicas([x, []]), /takes 1 inputs, process 1 has 0/);
  assert.throws(() => executable.runReplicas(x), /list of lists/);
  assert.throws(() => executable.runReplicas([x, x, x], { partitions: 2 }), /2 partitions/);
  assert.throws(() => executable.runReplicas([x], { partitions: 0 }), /0 partitions/);
  assert.throws(() => executable.runReplicas([]), /0 replicas/);
  assert.throws(() => executable.runReplicas([[3]]), /not an array of this package/);
  assert.throws(() => executable.runReplicas([[hlo.array([1], 'f32')]]), /f32\[1\]/);
  executable.dispose();
  assert.throws(() => executable.runReplicas([x]), { name: 'DisposedError' });
});

test('nothing is left behind', () => {
  const executable = hlo.compile(sum);
  const inputs = [[hlo.array([1, 2], 'f32')], [hlo.array([3, 4], 'f32')]];
  const run = () => numbers(executable.runReplicas(inputs));
  run();
  const before = hlo.memory.inUse;
  for (let i = 0; i < 20; i++) run();
  assert.equal(hlo.memory.inUse, before);
});

test('what processes print comes one process after the other', () => {
  const executable = hlo.compile(`module {
  func.func @main() {
    %0 = stablehlo.replica_id : tensor<ui32>
    interpreter.print %0 : tensor<ui32>
    return
  }
}`);
  executable.runReplicas([[], []]);
  assert.match(executable.output, /^.*u32\[\] 0\n.*u32\[\] 1\n$/);
});

test('a reduction to a root that is known only when the program runs', () => {
  const executable = hlo.compile(`module {
  func.func @main(%x: tensor<2xf32>, %root: tensor<1xi32>) -> tensor<2xf32> {
    %0 = "stablehlo.collective_reduce"(%x, %root) <{
      replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>,
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
      has_dynamic_root = true
    }> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<2xf32>, tensor<1xi32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}`);
  const x = [1, 10, 100, 1000].map((n) => hlo.array([n, 2 * n], 'f32'));
  const run = (...roots) =>
    numbers(
      executable.runReplicas(
        roots.map((root, i) => [x[i], hlo.array([root], 's32')]),
        { partitions: 2 },
      ),
    ).map(([values]) => values);
  // Each replica has its root among its partitions; a root outside of the group is its last.
  assert.deepEqual(run(0, 0, 1, 1), [
    [0, 0],
    [11, 22],
    [1100, 2200],
    [0, 0],
  ]);
  assert.deepEqual(run(-1, -1, 2, 2), [
    [11, 22],
    [0, 0],
    [1100, 2200],
    [0, 0],
  ]);
  assert.throws(() => run(0, 1), { message: /participants disagree: the root of operand 0 is 1/ });
});

test('roots in HLO text, and back from StableHLO', () => {
  const text = `HloModule m
add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a, b) }
ENTRY e {
  x = f32[2] parameter(0)
  y = f32[2] parameter(1)
  roots = s32[2] parameter(2)
  told = (f32[2], f32[2]) collective-broadcast(x, y, roots), replica_groups={{0,1}}, has_dynamic_root=true
  sums = (f32[2], f32[2]) collective-reduce(x, y, roots), replica_groups={{0,1}}, has_dynamic_root=true, to_apply=add
  first = f32[2] collective-reduce(x), replica_groups={{0,1}}, has_dynamic_root=false, to_apply=add
  ROOT r = ((f32[2], f32[2]), (f32[2], f32[2])) tuple(told, sums)
}`;
  const arrays = [
    [1, 2],
    [30, 40],
    [5, 6],
    [70, 80],
  ].map((values) => hlo.array(values, 'f32'));
  const roots = hlo.array([1, 0], 's32');
  const [a, b, c, d] = arrays;
  const run = (/** @type {any} */ program) =>
    numbers(
      program.compile().runReplicas([
        [a, b, roots],
        [c, d, roots],
      ]),
    );
  const module = hlo.parse(text);
  assert.deepEqual(run(module), [
    [
      [5, 6],
      [30, 40],
      [0, 0],
      [100, 120],
    ],
    [
      [5, 6],
      [30, 40],
      [6, 8],
      [0, 0],
    ],
  ]);
  const stablehlo = module.print('stablehlo');
  assert.match(stablehlo, /collective_reduce[^]*has_dynamic_root = true/);
  const back = hlo.parse(stablehlo);
  assert.equal(back.print('stablehlo'), stablehlo);
  assert.deepEqual(run(back), run(module));
});

test('a ragged exchange between arrays with dynamic dimensions', () => {
  const executable = hlo.compile(`HloModule m
    ENTRY e {
      x = f32[<=4,<=2] parameter(0)
      y = f32[<=6,<=2] parameter(1)
      from = s32[2] parameter(2)
      sizes = s32[2] parameter(3)
      to = s32[2] parameter(4)
      received = s32[2] parameter(5)
      ROOT r = f32[<=6,<=2] ragged-all-to-all(x, y, from, sizes, to, received), replica_groups={{0,1}}
    }`);
  const rows = (...list) => hlo.array(list, 'f32');
  const list = (...numbers) => hlo.array(numbers, 's32');
  const empty = (n, width) => hlo.array(new Float32Array(n * width), { shape: [n, width] });
  // Process 0 keeps its first row and sends two, process 1 sends its only one and keeps nothing.
  const run = (width) => {
    const row = (v) => Array(width).fill(v);
    return executable
      .runReplicas([
        [
          rows(row(1), row(2), row(3)),
          empty(3, width),
          list(0, 1),
          list(1, 2),
          list(0, 1),
          list(1, 1),
        ],
        [rows(row(7)), empty(5, width), list(0, 1), list(1, 0), list(2, 0), list(2, 0)],
      ])
      .map(([r]) => r.toNested());
  };
  const zero = [0, 0];
  assert.deepEqual(run(2), [
    [[1, 1], zero, [7, 7]],
    [zero, [2, 2], [3, 3], zero, zero],
  ]);
  assert.deepEqual(run(1)[0], [[1], [0], [7]]);
  const inputs = (width, offset) => [
    rows(Array(width).fill(7)),
    empty(3, width),
    list(0, 0),
    list(1, 0),
    list(offset, 0),
    list(1, 0),
  ];
  assert.throws(() => executable.runReplicas([inputs(2, 0), inputs(1, 0)]), {
    name: 'RunError',
    message:
      /participants disagree: dimension 1 of operand 0 has 1 elements with one of them now, 2/,
  });
  assert.throws(() => executable.runReplicas([inputs(2, 3), inputs(2, 0)]), {
    name: 'RunError',
    message: /not all in the output of 3 rows/,
  });
});

test('collectives of arrays with dynamic dimensions', () => {
  const program = (operation, shape) =>
    hlo.compile(`HloModule m
      add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a, b) }
      ENTRY e { x = f32[<=4] parameter(0) ROOT y = ${shape} ${operation} }`);
  const lists = (executable, inputs) =>
    executable
      .runReplicas(inputs.map((list) => [hlo.array(list, 'f32')]))
      .map(([y]) => y.toNested());
  const sum = program('all-reduce(x), to_apply=add', 'f32[<=4]');
  assert.deepEqual(
    lists(sum, [
      [1, 2, 3],
      [4, 5, 6],
    ]),
    [
      [5, 7, 9],
      [5, 7, 9],
    ],
  );
  assert.deepEqual(lists(sum, [[], []]), [[], []]);
  assert.throws(
    () =>
      lists(sum, [
        [1, 2, 3],
        [4, 5],
      ]),
    {
      name: 'RunError',
      message:
        /%y \(all-reduce\): participants disagree: dimension 0 of operand 0 has 3 elements with one of them now, 2 with/,
    },
  );
  const gathered = program('all-gather(x), dimensions={0}', 'f32[<=8]');
  assert.deepEqual(lists(gathered, [[1], [2, 3, 4]]), [
    [1, 2, 3, 4],
    [1, 2, 3, 4],
  ]);
  const exchanged = program('all-to-all(x), dimensions={0}', 'f32[<=4]');
  assert.deepEqual(
    lists(exchanged, [
      [1, 2],
      [3, 4],
    ]),
    [
      [1, 3],
      [2, 4],
    ],
  );
  assert.throws(
    () =>
      lists(exchanged, [
        [1, 2, 3],
        [4, 5, 6],
      ]),
    /3 elements cannot be split among 2/,
  );
  const scattered = program('reduce-scatter(x), dimensions={0}, to_apply=add', 'f32[<=2]');
  assert.deepEqual(
    lists(scattered, [
      [1, 2],
      [3, 4],
    ]),
    [[4], [6]],
  );
  assert.throws(
    () =>
      lists(scattered, [
        [1, 2, 3],
        [4, 5, 6],
      ]),
    /3 is not 2 times 1/,
  );
  const sent = program('collective-permute(x), source_target_pairs={{0,1}}', 'f32[<=4]');
  assert.deepEqual(
    lists(sent, [
      [1, 2],
      [3, 4, 5],
    ]),
    [
      [0, 0],
      [1, 2],
    ],
  );
  const told = program('collective-broadcast(x), replica_groups={{0,1}}', 'f32[<=4]');
  assert.deepEqual(lists(told, [[1, 2], [3]]), [
    [1, 2],
    [1, 2],
  ]);
});
