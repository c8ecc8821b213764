// What programs consist of and what they cost, as JavaScript reads it.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { DisposedError, HloError, load } from '../../web/index.js';

const hlo = await load();
const text = `HloModule m
sum { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = f32[] add(a, b) }
ENTRY e {
  x = f32[2,3] parameter(0)
  z = f32[] constant(4.5)
  t = f32[3,2] transpose(x), dimensions={1,0}
  d = f32[2,2] dot(x, t), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT r = f32[2] reduce(d, z), dimensions={1}, to_apply=sum, metadata={op_name="x"}
}`;

test('instructions know operands, users, attributes and where they stand', () => {
  const module = hlo.parse(text);
  const [x, z, t, d, r] = module.instructions();
  assert.deepEqual(
    [x, z, t, d, r].map(({ name, opcode }) => `${name} ${opcode}`),
    ['x parameter', 'z constant', 't transpose', 'd dot', 'r reduce'],
  );
  assert.deepEqual([d.operands, x.users, t.users, r.users], [[x, t], [t, d], [d], []]);
  assert.deepEqual(t.attributes, { dimensions: [1, 0] });
  assert.deepEqual(r.attributes, { dimensions: [1], to_apply: 'sum', metadata: '{op_name="x"}' });
  assert.deepEqual([r.calls, d.calls], [['sum'], []]);
  assert.deepEqual([x.parameter, d.parameter, r.isRoot, d.isRoot], [0, null, true, false]);
  assert.deepEqual([d.shape.text, d.computation, d.line, d.column], ['f32[2,2]', 'e', 7, 3]);
  assert.equal(String(t), 't = f32[3,2] transpose(x), dimensions={1,0}');
  assert.match(
    inspect(r),
    /^Instruction ROOT r = f32\[2\] reduce\(d, z\), dimensions=\{1\}, to_apply=%?sum/,
  );
  assert.deepEqual(JSON.parse(JSON.stringify(d)).operands, ['x', 't']);
  assert.equal(z.constant().item(), 4.5);
  assert.throws(() => x.constant(), /no constant array/);
  assert.throws(() => (x.name = 'y'), TypeError);
  assert.throws(() => x.users.push(x), TypeError);
  assert.equal(module.instructions('sum').length, 3);
  assert.throws(() => module.instructions('none'), /no computation "none"; there are sum, e/);
  module.dispose();
  assert.equal(d.users[0], r);
  assert.throws(() => z.constant(), DisposedError);
  assert.throws(() => module.instructions(), DisposedError);
});

test('lists of lists and of names among attributes', () => {
  const module = hlo.parse(`HloModule m
a { p = f32[] parameter(0)  ROOT n = f32[] negate(p) }
b { p = f32[] parameter(0)  ROOT n = f32[] tanh(p) }
ENTRY e { i = s32[] parameter(0)  x = f32[] parameter(1)  y = f32[4] parameter(2)
  p = f32[4] collective-permute(y), source_target_pairs={{0,1},{1,0}}
  g = f32[8] all-gather(p), dimensions={0}, replica_groups={{0,1}}
  ROOT c = f32[] conditional(i, x, x), branch_computations={a, b}, control-predecessors={g} }`);
  const [, , , p, g, c] = module.instructions();
  assert.deepEqual(p.attributes.source_target_pairs, [
    [0, 1],
    [1, 0],
  ]);
  assert.deepEqual(g.attributes.replica_groups, [[0, 1]]);
  assert.deepEqual(c.attributes, {
    branch_computations: ['a', 'b'],
    'control-predecessors': ['g'],
  });
  assert.deepEqual(c.calls, ['a', 'b']);
});

test('the graph, as data and for Graphviz', () => {
  const module = hlo.parse(text);
  const graph = module.graph();
  assert.deepEqual(JSON.parse(JSON.stringify(graph)), graph);
  assert.equal(graph.nodes.length, 8);
  assert.deepEqual(
    graph.edges.filter(({ to }) => to === 'e/d'),
    [
      { from: 'e/x', to: 'e/d', operand: 0 },
      { from: 'e/t', to: 'e/d', operand: 1 },
    ],
  );
  assert.deepEqual(graph.calls, [{ from: 'e/r', computation: 'sum' }]);
  assert.equal(module.graph({ computation: 'sum' }).nodes.length, 3);
  const dot = module.toDot();
  assert.match(dot, /^digraph "m" \{/);
  assert.match(dot, /"e\/x" -> "e\/d";/);
  assert.match(dot, /"e\/r" -> "sum\/s" \[style=dashed, .*lhead=cluster_0\]/);
  assert.match(dot, /tooltip="ROOT r = .*op_name=\\"x\\"/);
  assert.throws(() => module.toDot({ computation: 'none' }), HloError);
});

test('every fixture can be looked at', () => {
  const folder = new URL('../fixtures/', import.meta.url);
  const files = readdirSync(folder, { recursive: true }).filter((name) =>
    /\.(hlo|mlir)$/.test(name),
  );
  let seen = 0;
  for (const name of files) {
    const text = readFileSync(new URL(name, folder), 'utf8');
    let module;
    try {
      module = hlo.parse(text);
    } catch (error) {
      // Written to be refused, several modules, or sizes of arguments left open.
      const isRefused =
        name.startsWith('check/fail/') ||
        (/^\/\/ -----/m.test(text) && /a module must be all of the text/.test(error.message)) ||
        (/tensor<(\d+x)*\?x/.test(text) &&
          /shapes of the arguments must be given/.test(error.message));
      assert.ok(isRefused, `${name}: ${error.message}`);
      continue;
    }
    for (const { name: computation, instructions } of module.computations) {
      const list = module.instructions(computation);
      assert.equal(list.length, instructions);
      assert.equal(list.filter(({ isRoot }) => isRoot).length, 1);
      for (const x of list) assert.ok(x.operands.every((y) => y.users.includes(x)));
      assert.ok(module.cost({ computation }).flops >= 0);
      seen++;
    }
    module.toDot();
    module.dispose();
  }
  assert.ok(seen > 100, `${seen} computations`);
});

test('costs: as written, and of what runs', () => {
  const module = hlo.parse(text);
  const cost = module.cost();
  assert.deepEqual(
    cost.instructions.map(({ name, flops, bytesRead, bytesWritten }) => [
      name,
      flops,
      bytesRead,
      bytesWritten,
    ]),
    [
      ['x', 0, 0, 0],
      ['z', 0, 0, 0],
      ['t', 0, 24, 24],
      ['d', 24, 48, 16],
      ['r', 2, 20, 8],
    ],
  );
  const { flops, transcendentals, bytesRead, bytesWritten, complete } = cost;
  assert.deepEqual(
    [flops, transcendentals, bytesRead, bytesWritten, complete],
    [26, 0, 92, 48, true],
  );
  assert.equal(module.cost({ computation: 'sum' }).flops, 1);
  const executable = module.compile();
  assert.equal(executable.cost.flops, 26);
  assert.ok(executable.cost.bytesRead < bytesRead, 'no transpose is left');
  assert.match(executable.print(), new RegExp(executable.cost.instructions.at(-1).name));
  const other = module.compile({ computation: 'sum' });
  assert.equal(other.cost.flops, 1);
  executable.dispose();
  assert.throws(() => executable.cost, DisposedError);
  const loop = hlo
    .jit((a) =>
      hlo.while(
        (i) => hlo.lt(i, 100),
        (i) => hlo.add(i, 1),
        a,
      ),
    )
    .lower(hlo.array(0, 's32'));
  assert.equal(loop.cost().complete, false, 'where it starts is not known');
});
