"""Cases of calls and control flow: call, while, conditional (both forms)."""
import bisect

from cases import File
from element_types import array

F, S = 'f32', 's32'


def call():
    file = File('call', 'call: nested calls, several callers, tuples in and out, composite calls.')
    file.case('simple', '''HloModule simple

double {
  x = f32[3] parameter(0)
  ROOT y = f32[3] add(x, x)
}

ENTRY main {
  a = f32[3] parameter(0)
  ROOT r = f32[3] call(a), to_apply=double
}''', [array(F, [1, 2, -3])], [array(F, [2, 4, -6])])
    file.case('nested_and_shared', '''HloModule nested_and_shared

%square (x: s32[2]) -> s32[2] {
  %x = s32[2]{0} parameter(0)
  ROOT %xx = s32[2]{0} multiply(s32[2]{0} %x, s32[2]{0} %x)
}

%fourth (x.1: s32[2]) -> s32[2] {
  %x.1 = s32[2]{0} parameter(0)
  %s = s32[2]{0} call(s32[2]{0} %x.1), to_apply=%square
  ROOT %ss = s32[2]{0} call(s32[2]{0} %s), to_apply=%square
}

ENTRY %main (a: s32[2]) -> s32[2] {
  %a = s32[2]{0} parameter(0)
  %f = s32[2]{0} call(s32[2]{0} %a), to_apply=%fourth
  %g = s32[2]{0} call(s32[2]{0} %a), to_apply=%square
  ROOT %r = s32[2]{0} subtract(s32[2]{0} %f, s32[2]{0} %g)
}''', [array(S, [2, -3])], [array(S, [12, 72])])
    file.case('tuple_result', '''HloModule tuple_result

minmax {
  x = f32[2] parameter(0)
  y = f32[2] parameter(1)
  lo = f32[2] minimum(x, y)
  hi = f32[2] maximum(x, y)
  ROOT t = (f32[2], f32[2]) tuple(lo, hi)
}

ENTRY main {
  a = f32[2] parameter(0)
  b = f32[2] parameter(1)
  ROOT t = (f32[2], f32[2]) call(a, b), to_apply=minmax
}''', [array(F, [1, 5]), array(F, [3, 2])], [array(F, [1, 2]), array(F, [3, 5])])
    file.case('tuple_parameter', '''HloModule tuple_parameter

sum {
  t = (f32[2], (s32[], f32[])) parameter(0)
  v = f32[2] get-tuple-element(t), index=0
  inner = (s32[], f32[]) get-tuple-element(t), index=1
  n = s32[] get-tuple-element(inner), index=0
  s = f32[] get-tuple-element(inner), index=1
  nf = f32[] convert(n)
  ns = f32[] add(nf, s)
  b = f32[2] broadcast(ns), dimensions={}
  ROOT r = f32[2] multiply(v, b)
}

ENTRY main {
  v = f32[2] parameter(0)
  n = s32[] parameter(1)
  s = f32[] parameter(2)
  i = (s32[], f32[]) tuple(n, s)
  t = (f32[2], (s32[], f32[])) tuple(v, i)
  ROOT r = f32[2] call(t), to_apply=sum
}''', [array(F, [1, 2]), array(S, 3), array(F, 0.5)], [array(F, [3.5, 7])])
    file.case('no_arguments', '''HloModule no_arguments

answer {
  ROOT c = s32[] constant(42)
}

ENTRY main {
  ROOT r = s32[] call(), to_apply=answer
}''', [], [array(S, 42)])
    file.case('composite', '''HloModule composite

foo.bar {
  x = f32[] parameter(0)
  one = f32[] constant(1)
  ROOT y = f32[] add(x, one)
}

ENTRY main {
  x = f32[] parameter(0)
  ROOT r = f32[] call(x), to_apply=foo.bar, is_composite=true, frontend_attributes={composite.attributes={n = 1 : i32, tensor = dense<1> : tensor<i32>},composite.name="foo.bar",composite.version="1"}
}''', [array(F, 2)], [array(F, 3)])
    return file


def while_():
    file = File('while', 'while: counters, tuples, arrays, zero iterations, nesting.')
    counter = '''HloModule {name}

cond {{
  i = s32[] parameter(0)
  n = s32[] constant({n})
  ROOT lt = pred[] compare(i, n), direction=LT
}}

body {{
  i = s32[] parameter(0)
  step = s32[] constant({step})
  ROOT next = s32[] add(i, step)
}}

ENTRY main {{
  start = s32[] parameter(0)
  ROOT r = s32[] while(start), condition=cond, body=body
}}'''
    for name, start, n, step, want in (('counter', 0, 10, 1, 10), ('counter_steps_of_three', 0, 10, 3, 12), ('never_entered', 20, 10, 1, 20),
                                       ('many_iterations', 0, 20000, 1, 20000)):
        file.case(name, counter.format(name=name, n=n, step=step), [array(S, start)], [array(S, want)])
    vector = '''HloModule {name}

cond {{
  t = (s32[], f32[10]) parameter(0)
  i = s32[] get-tuple-element(t), index=0
  n = s32[] constant({n})
  ROOT lt = pred[] compare(i, n), direction=LT
}}

body {{
  t = (s32[], f32[10]) parameter(0)
  i = s32[] get-tuple-element(t), index=0
  v = f32[10] get-tuple-element(t), index=1
  one = s32[] constant(1)
  next = s32[] add(i, one)
  c = f32[10] constant({{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}})
  sum = f32[10] add(v, c)
  ROOT r = (s32[], f32[10]) tuple(next, sum)
}}

ENTRY main {{
  zero = s32[] constant(0)
  zero_vector = f32[10] parameter(0)
  init = (s32[], f32[10]) tuple(zero, zero_vector)
  ROOT result = (s32[], f32[10]) while(init), condition=cond, body=body
}}'''
    file.case('seed_while_1000', vector.format(name='seed_while_1000', n=1000), [array(F, [0] * 10)],
              [array(S, 1000), array(F, [1000 * i for i in range(10)])])
    file.case('tuple_zero_iterations', vector.format(name='tuple_zero_iterations', n=0), [array(F, [3] * 10)], [array(S, 0), array(F, [3] * 10)])
    file.case('swap', '''HloModule swap

cond {
  t = (s32[], f32[2], f32[2]) parameter(0)
  i = s32[] get-tuple-element(t), index=0
  n = s32[] constant(5)
  ROOT lt = pred[] compare(i, n), direction=LT
}

body {
  t = (s32[], f32[2], f32[2]) parameter(0)
  i = s32[] get-tuple-element(t), index=0
  a = f32[2] get-tuple-element(t), index=1
  b = f32[2] get-tuple-element(t), index=2
  one = s32[] constant(1)
  next = s32[] add(i, one)
  ROOT r = (s32[], f32[2], f32[2]) tuple(next, b, a)
}

ENTRY main {
  zero = s32[] constant(0)
  a = f32[2] parameter(0)
  b = f32[2] parameter(1)
  init = (s32[], f32[2], f32[2]) tuple(zero, a, b)
  ROOT result = (s32[], f32[2], f32[2]) while(init), condition=cond, body=body
}''', [array(F, [1, 2]), array(F, [3, 4])], [array(S, 5), array(F, [3, 4]), array(F, [1, 2])])
    file.case('fibonacci', '''HloModule fibonacci

cond.1 {
  t = (u32[], u64[], u64[]) parameter(0)
  i = u32[] get-tuple-element(t), index=0
  zero = u32[] constant(0)
  ROOT gt = pred[] compare(i, zero), direction=GT
}

body.1 {
  t = (u32[], u64[], u64[]) parameter(0)
  i = u32[] get-tuple-element(t), index=0
  a = u64[] get-tuple-element(t), index=1
  b = u64[] get-tuple-element(t), index=2
  one = u32[] constant(1)
  next = u32[] subtract(i, one)
  sum = u64[] add(a, b)
  ROOT r = (u32[], u64[], u64[]) tuple(next, b, sum)
}

ENTRY main {
  n = u32[] parameter(0)
  f0 = u64[] constant(0)
  f1 = u64[] constant(1)
  init = (u32[], u64[], u64[]) tuple(n, f0, f1)
  w = (u32[], u64[], u64[]) while(init), condition=cond.1, body=body.1
  ROOT r = u64[] get-tuple-element(w), index=1
}''', [array('u32', 90)], [array('u64', 2880067194370816120)])
    file.case('nested', '''HloModule nested

inner_cond {
  t = (s32[], s32[]) parameter(0)
  j = s32[] get-tuple-element(t), index=0
  n = s32[] constant(4)
  ROOT lt = pred[] compare(j, n), direction=LT
}

inner_body {
  t = (s32[], s32[]) parameter(0)
  j = s32[] get-tuple-element(t), index=0
  acc = s32[] get-tuple-element(t), index=1
  one = s32[] constant(1)
  next = s32[] add(j, one)
  sum = s32[] add(acc, next)
  ROOT r = (s32[], s32[]) tuple(next, sum)
}

outer_cond {
  t = (s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(t), index=0
  n = s32[] constant(3)
  ROOT lt = pred[] compare(i, n), direction=LT
}

outer_body {
  t = (s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(t), index=0
  acc = s32[] get-tuple-element(t), index=1
  one = s32[] constant(1)
  next = s32[] add(i, one)
  init = (s32[], s32[]) tuple(i, acc)
  w = (s32[], s32[]) while(init), condition=inner_cond, body=inner_body
  sum = s32[] get-tuple-element(w), index=1
  ROOT r = (s32[], s32[]) tuple(next, sum)
}

ENTRY main {
  zero = s32[] constant(0)
  x = s32[] parameter(0)
  init = (s32[], s32[]) tuple(zero, x)
  w = (s32[], s32[]) while(init), condition=outer_cond, body=outer_body
  ROOT r = s32[] get-tuple-element(w), index=1
}''', [array(S, 100)], [array(S, 100 + 10 + 9 + 7)])
    file.case('calls_inside', '''HloModule calls_inside

halve {
  x = f32[] parameter(0)
  half = f32[] constant(0.5)
  ROOT h = f32[] multiply(x, half)
}

cond {
  x = f32[] parameter(0)
  one = f32[] constant(1)
  ROOT gt = pred[] compare(x, one), direction=GT
}

body {
  x = f32[] parameter(0)
  ROOT h = f32[] call(x), to_apply=halve
}

ENTRY main {
  x = f32[] parameter(0)
  ROOT r = f32[] while(x), condition=cond, body=body
}''', [array(F, 100)], [array(F, 0.78125)])

    # A few rounds over arrays, each of whose elements goes its own way.
    keys = [-3, -1, -1, 0, 2, 2, 5, 9, 11, 11, 11, 30]
    queries = [-4, -3, -1, 0, 1, 2, 11, 29, 30, 31, 12, 5]
    file.case('halvings', '''HloModule halvings

cond {
  t = (s32[], s32[12], s32[12]) parameter(0)
  i = s32[] get-tuple-element(t), index=0
  zero = s32[] constant(0)
  ROOT gt = pred[] compare(i, zero), direction=GT
}

body {
  t = (s32[], s32[12], s32[12]) parameter(0)
  i = s32[] get-tuple-element(t), index=0
  low = s32[12] get-tuple-element(t), index=1
  high = s32[12] get-tuple-element(t), index=2
  one = s32[] constant(1)
  next = s32[] subtract(i, one)
  two = s32[] constant(2)
  twos = s32[12] broadcast(two), dimensions={}
  sum = s32[12] add(low, high)
  middle = s32[12] divide(sum, twos)
  vectors = s32[12,1] reshape(middle)
  keys = f32[12] constant({KEYS})
  queries = f32[12] constant({QUERIES})
  key = f32[12] gather(keys, vectors), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1}
  less = pred[12] compare(queries, key), direction=LT
  l = s32[12] select(less, low, middle)
  h = s32[12] select(less, middle, high)
  ROOT r = (s32[], s32[12], s32[12]) tuple(next, l, h)
}

ENTRY main {
  low = s32[12] parameter(0)
  high = s32[12] parameter(1)
  rounds = s32[] constant(4)
  init = (s32[], s32[12], s32[12]) tuple(rounds, low, high)
  w = (s32[], s32[12], s32[12]) while(init), condition=cond, body=body
  ROOT r = s32[12] get-tuple-element(w), index=2
}'''.replace('KEYS', ', '.join(map(str, keys))).replace('QUERIES', ', '.join(map(str, queries))),
              [array(S, [-1] * 12), array(S, [12] * 12)],
              [array(S, [bisect.bisect_right(keys, q) for q in queries])])
    file.case('takes_turns', '''HloModule takes_turns

cond {
  t = (s32[], f32[4], f32[4], f32[4]) parameter(0)
  i = s32[] get-tuple-element(t), index=0
  n = s32[] constant(5)
  ROOT lt = pred[] compare(i, n), direction=LT
}

body {
  t = (s32[], f32[4], f32[4], f32[4]) parameter(0)
  i = s32[] get-tuple-element(t), index=0
  a = f32[4] get-tuple-element(t), index=1
  b = f32[4] get-tuple-element(t), index=2
  c = f32[4] get-tuple-element(t), index=3
  one = s32[] constant(1)
  next = s32[] add(i, one)
  number = f32[] convert(i)
  numbers = f32[4] broadcast(number), dimensions={}
  d = f32[4] add(a, numbers)
  ROOT r = (s32[], f32[4], f32[4], f32[4]) tuple(next, b, c, d)
}

ENTRY main {
  a = f32[4] parameter(0)
  b = f32[4] parameter(1)
  c = f32[4] parameter(2)
  zero = s32[] constant(0)
  init = (s32[], f32[4], f32[4], f32[4]) tuple(zero, a, b, c)
  w = (s32[], f32[4], f32[4], f32[4]) while(init), condition=cond, body=body
  x = f32[4] get-tuple-element(w), index=1
  y = f32[4] get-tuple-element(w), index=2
  z = f32[4] get-tuple-element(w), index=3
  ROOT r = (f32[4], f32[4], f32[4]) tuple(x, y, z)
}''', [array(F, [1, 2, 3, 4]), array(F, [10, 20, 30, 40]), array(F, [100, 200, 300, 400])],
              [array(F, [102, 202, 302, 402]), array(F, [4, 5, 6, 7]), array(F, [15, 25, 35, 45])])
    file.case('power_of_matrix', '''HloModule power_of_matrix

cond {
  t = (s32[], s64[2,2]) parameter(0)
  i = s32[] get-tuple-element(t), index=0
  n = s32[] constant(30)
  ROOT lt = pred[] compare(i, n), direction=LT
}

body {
  t = (s32[], s64[2,2]) parameter(0)
  i = s32[] get-tuple-element(t), index=0
  m = s64[2,2] get-tuple-element(t), index=1
  one = s32[] constant(1)
  next = s32[] add(i, one)
  f = s64[2,2] constant({{1, 1}, {1, 0}})
  p = s64[2,2] dot(m, f), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT r = (s32[], s64[2,2]) tuple(next, p)
}

ENTRY main {
  zero = s32[] constant(0)
  identity = s64[2,2] constant({{1, 0}, {0, 1}})
  init = (s32[], s64[2,2]) tuple(zero, identity)
  w = (s32[], s64[2,2]) while(init), condition=cond, body=body
  ROOT r = s64[2,2] get-tuple-element(w), index=1
}''', [], [array('s64', [[1346269, 832040], [832040, 514229]])])
    return file


CONDITIONAL = '''HloModule {name}

on_true {{
  x = f32[2] parameter(0)
  two = f32[] constant(2)
  b = f32[2] broadcast(two), dimensions={{}}
  ROOT r = f32[2] multiply(x, b)
}}

on_false {{
  y = f32[] parameter(0)
  ROOT r = f32[2] broadcast(y), dimensions={{}}
}}

ENTRY main {{
  p = pred[] parameter(0)
  x = f32[2] parameter(1)
  y = f32[] parameter(2)
  ROOT r = f32[2] conditional(p, x, y), true_computation=on_true, false_computation=on_false
}}'''

SWITCH = '''HloModule {name}

%plus (x: s32[]) -> s32[] {{
  %x = s32[] parameter(0)
  %c = s32[] constant(10)
  ROOT %r = s32[] add(s32[] %x, s32[] %c)
}}

%times (x.1: s32[]) -> s32[] {{
  %x.1 = s32[] parameter(0)
  %c.1 = s32[] constant(10)
  ROOT %r.1 = s32[] multiply(s32[] %x.1, s32[] %c.1)
}}

%minus (x.2: s32[]) -> s32[] {{
  %x.2 = s32[] parameter(0)
  ROOT %r.2 = s32[] negate(s32[] %x.2)
}}

ENTRY %main (i: s32[], a: s32[], b: s32[], c.2: s32[]) -> s32[] {{
  %i = s32[] parameter(0)
  %a = s32[] parameter(1)
  %b = s32[] parameter(2)
  %c.2 = s32[] parameter(3)
  ROOT %r.3 = s32[] conditional(s32[] %i, s32[] %a, s32[] %b, s32[] %c.2), branch_computations={{%plus, %times, %minus}}
}}'''

def conditional():
    file = File('conditional', 'conditional: by predicate and by index; an index out of range takes the last branch.')
    for p, want in ((True, [2, 4]), (False, [7, 7])):
        name = f'predicate_{str(p).lower()}'
        file.case(name, CONDITIONAL.format(name=name), [array('pred', p), array(F, [1, 2]), array(F, 7)], [array(F, want)])
    for i, want in ((0, 11), (1, 20), (2, -3), (3, -3), (-1, -3), (2147483647, -3), (-2147483648, -3)):
        name = f'index_{i}'.replace('-', 'minus_')
        file.case(name, SWITCH.format(name=name), [array(S, i), array(S, 1), array(S, 2), array(S, 3)], [array(S, want)])
    nested = '''HloModule {name}

inner_true {{
  x = s32[] parameter(0)
  one = s32[] constant(1)
  ROOT r = s32[] add(x, one)
}}

inner_false {{
  x = s32[] parameter(0)
  ROOT r = s32[] negate(x)
}}

outer_true {{
  x = s32[] parameter(0)
  zero = s32[] constant(0)
  positive = pred[] compare(x, zero), direction=GT
  ROOT r = s32[] conditional(positive, x, x), true_computation=inner_true, false_computation=inner_false
}}

outer_false {{
  x = s32[] parameter(0)
  ROOT hundred = s32[] constant(100)
}}

ENTRY main {{
  p = pred[] parameter(0)
  x = s32[] parameter(1)
  ROOT r = s32[] conditional(p, x, x), true_computation=outer_true, false_computation=outer_false
}}'''
    for p, x, want in ((True, 5, 6), (True, -5, 5), (False, 5, 100)):
        name = f'nested_{str(p).lower()}_{x}'.replace('-', 'minus_')
        file.case(name, nested.format(name=name), [array('pred', p), array(S, x)], [array(S, want)])
    tuples = '''HloModule {name}

first {{
  t = (f32[2], s32[]) parameter(0)
  ROOT r = (f32[2], s32[]) copy(t)
}}

second {{
  t = (f32[2], s32[]) parameter(0)
  v = f32[2] get-tuple-element(t), index=0
  n = s32[] get-tuple-element(t), index=1
  w = f32[2] negate(v)
  m = s32[] add(n, n)
  ROOT r = (f32[2], s32[]) tuple(w, m)
}}

ENTRY main {{
  i = s32[] parameter(0)
  v = f32[2] parameter(1)
  n = s32[] parameter(2)
  t = (f32[2], s32[]) tuple(v, n)
  ROOT r = (f32[2], s32[]) conditional(i, t, t), branch_computations={{first, second}}
}}'''
    for i, want in ((0, [array(F, [1, 2]), array(S, 3)]), (1, [array(F, [-1, -2]), array(S, 6)])):
        file.case(f'tuple_{i}', tuples.format(name=f'tuple_{i}').replace('ROOT r = (f32[2], s32[]) copy(t)',
                  'v = f32[2] get-tuple-element(t), index=0\n  n = s32[] get-tuple-element(t), index=1\n  ROOT r = (f32[2], s32[]) tuple(v, n)'),
                  [array(S, i), array(F, [1, 2]), array(S, 3)], want)
    file.case('single_branch', '''HloModule single_branch

only {
  x = f32[] parameter(0)
  ROOT r = f32[] sqrt(x)
}

ENTRY main {
  i = s32[] parameter(0)
  x = f32[] parameter(1)
  ROOT r = f32[] conditional(i, x), branch_computations={only}
}''', [array(S, 5), array(F, 16)], [array(F, 4)])
    file.case('inside_while', '''HloModule inside_while

even {
  x = s32[] parameter(0)
  two = s32[] constant(2)
  ROOT r = s32[] divide(x, two)
}

odd {
  x = s32[] parameter(0)
  three = s32[] constant(3)
  one = s32[] constant(1)
  y = s32[] multiply(x, three)
  ROOT r = s32[] add(y, one)
}

cond {
  t = (s32[], s32[]) parameter(0)
  x = s32[] get-tuple-element(t), index=0
  one = s32[] constant(1)
  ROOT r = pred[] compare(x, one), direction=NE
}

body {
  t = (s32[], s32[]) parameter(0)
  x = s32[] get-tuple-element(t), index=0
  n = s32[] get-tuple-element(t), index=1
  one = s32[] constant(1)
  m = s32[] add(n, one)
  bit = s32[] and(x, one)
  is_odd = pred[] compare(bit, one), direction=EQ
  y = s32[] conditional(is_odd, x, x), true_computation=odd, false_computation=even
  ROOT r = (s32[], s32[]) tuple(y, m)
}

ENTRY main {
  x = s32[] parameter(0)
  zero = s32[] constant(0)
  init = (s32[], s32[]) tuple(x, zero)
  ROOT r = (s32[], s32[]) while(init), condition=cond, body=body
}''', [array(S, 27)], [array(S, 1), array(S, 111)])
    return file


def make():
    call()
    while_()
    conditional()
