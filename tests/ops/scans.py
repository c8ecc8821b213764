"""Cases of scan: a computation goes through arrays along a dimension. Expectations are the definition's, step by step."""
import numpy as np

from cases import File
from element_types import array

BODY = '''body {
  x = f32[2] parameter(0)
  n = s32[] parameter(1)
  c = f32[2] parameter(2)
  k = s32[] parameter(3)
  sum = f32[2] add(c, x)
  m = s32[] add(k, n)
  all = s32[3,2] broadcast(m), dimensions={}
  ROOT t = (f32[2], s32[3,2], f32[2], s32[]) tuple(c, all, sum, m)
}
'''
MHLO = '''func.func @main(%a: tensor<2x4xf32>, %i: tensor<2xf32>) -> (tensor<2x4xf32>, tensor<2xf32>) {
  %0:2 = FORM
  return %0#0, %0#1 : tensor<2x4xf32>, tensor<2xf32>
}'''
REGION = '''^bb0(%x: tensor<2xf32>, %c: tensor<2xf32>):
    %s = stablehlo.add %x, %c : tensor<2xf32>
    %p = stablehlo.multiply %s, %s : tensor<2xf32>
    stablehlo.return %p, %s : tensor<2xf32>, tensor<2xf32>
  '''
TYPES = ' : (tensor<2x4xf32>, tensor<2xf32>) -> (tensor<2x4xf32>, tensor<2xf32>)'
PRETTY = 'chlo.scan(%a) inits (%i) dimension=1  ATTRIBUTES{\n  ' + REGION + '}' + TYPES
GENERIC = '"chlo.scan"(%a, %i) <{dimension = 1 : i64, is_reverse = true, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({\n  ' + REGION + '})' + TYPES


def stepped(arrays, inits, dimension, step, reverse=False):
    """Outputs, then carried values, of step(slices, carries) -> (outputs, carries)."""
    size = arrays[0].shape[dimension]
    carries, rows = list(inits), {}
    for place in reversed(range(size)) if reverse else range(size):
        rows[place], carries = step([a.take(place, dimension) for a in arrays], carries)
    outputs = [np.stack([rows[p][i] for p in range(size)], dimension) for i in range(len(rows[0]))]
    return outputs + [np.asarray(c) for c in carries]


def hlo():
    file = File('scan', 'scan: dimensions, directions, several inputs and carried values, layouts, one result, none, nested ones.')
    x = array('f32', np.arange(8).reshape(2, 4) - 3)
    n = array('s32', [5, -2, 7, 1])
    carry, count = array('f32', [10, 20]), array('s32', 3)

    def step(slices, carries):
        m = carries[1] + slices[1]
        return [carries[0], np.full((3, 2), m, np.int32)], [carries[0] + slices[0], m]

    # Dimensions of 4 at the same place: the second input is a matrix whose other dimension is 1.
    def program(name, dimension, a, b, attributes='', layouts=('', '')):
        out = [3, 2]
        out.insert(dimension, 4)
        shapes = [','.join(map(str, v.shape)) for v in (a, b)]
        body = BODY.replace('n = s32[] parameter(1)', 'n = s32[] parameter(1)' if b.ndim == 1 else 'n1 = s32[1] parameter(1)\n  n = s32[] reshape(n1)')
        return f'''HloModule {name}

{body}
ENTRY main {{
  a = f32[{shapes[0]}]{layouts[0]} parameter(0)
  b = s32[{shapes[1]}] parameter(1)
  c = f32[2] parameter(2)
  k = s32[] parameter(3)
  ROOT r = (f32[{shapes[0]}]{layouts[1]}, s32[{','.join(map(str, out))}], f32[2], s32[]) scan(a, b, c, k), dimensions={{{dimension}}}, num_carries=2, {attributes}to_apply=body
}}'''
    rows = x.T.copy()
    file.case('rows', program('rows', 0, rows, n), [rows, n, carry, count], stepped([rows, n], [carry, count], 0, step))
    file.case('rows_reverse', program('rows_reverse', 0, rows, n, 'is_reverse=true, '), [rows, n, carry, count], stepped([rows, n], [carry, count], 0, step, True))
    file.case('rows_forward', program('rows_forward', 0, rows, n, 'is_reverse=false, is_associative=false, '), [rows, n, carry, count],
              stepped([rows, n], [carry, count], 0, step))
    wide = n.reshape(1, 4)

    def wide_step(slices, carries):
        return step([slices[0], slices[1][0]], carries)
    file.case('columns', program('columns', 1, x, wide), [x, wide, carry, count], stepped([x, wide], [carry, count], 1, wide_step))
    file.case('columns_reverse', program('columns_reverse', 1, x, wide, 'is_reverse=true, is_associative=true, '), [x, wide, carry, count],
              stepped([x, wide], [carry, count], 1, wide_step, True))
    file.case('layouts', program('layouts', 1, x, wide, layouts=('{0,1}', '{0,1}')), [x, wide, carry, count],
              stepped([x, wide], [carry, count], 1, wide_step), layouts=[(0, 1), None, None, None])
    v = array('f32', [1, 2, 4, 8])
    single = 'HloModule {0}\n\nbody {{\n{1}\n}}\n\nENTRY main {{\n{2}\n}}'
    file.case('one_output', single.format('one_output', '  x = f32[] parameter(0)\n  ROOT y = f32[] multiply(x, x)',
              '  a = f32[4] parameter(0)\n  ROOT r = f32[4] scan(a), dimensions={0}, num_carries=0, to_apply=body'), [v], [v * v])
    file.case('one_output_in_a_tuple', single.format('one_output_in_a_tuple', '  x = f32[] parameter(0)\n  y = f32[] multiply(x, x)\n  ROOT t = (f32[]) tuple(y)',
              '  a = f32[4] parameter(0)\n  ROOT r = (f32[4]) scan(a), dimensions={0}, num_carries=0, to_apply=body'), [v], [v * v])
    file.case('one_carry', single.format('one_carry', '  x = f32[] parameter(0)\n  c = f32[] parameter(1)\n  ROOT y = f32[] add(x, c)',
              '  a = f32[4] parameter(0)\n  i = f32[] parameter(1)\n  ROOT r = f32[] scan(a, i), dimensions={0}, num_carries=1, to_apply=body'),
              [v, array('f32', 100)], [array('f32', 115)])
    file.case('no_inputs', single.format('no_inputs', '  c = f32[] parameter(0)\n  d = f32[] add(c, c)\n  ROOT t = (f32[], f32[]) tuple(c, d)',
              '  i = f32[] parameter(0)\n  ROOT r = (f32[4], f32[]) scan(i), dimensions={0}, num_carries=1, to_apply=body'),
              [array('f32', 3)], [array('f32', [3, 6, 12, 24]), array('f32', 48)])
    # XLA's own expansion slices one of none.
    file.case('no_steps', single.format('no_steps', '  x = f32[2] parameter(0)\n  c = f32[2] parameter(1)\n  s = f32[2] add(x, c)\n  ROOT t = (f32[2], f32[2]) tuple(s, s)',
              '  a = f32[0,2] parameter(0)\n  i = f32[2] parameter(1)\n  ROOT r = (f32[0,2], f32[2]) scan(a, i), dimensions={0}, num_carries=1, to_apply=body'),
              [array('f32', np.zeros((0, 2))), carry], [array('f32', np.zeros((0, 2))), carry], trust=False)
    inner = '''inner {
  x = f32[] parameter(0)
  c = f32[] parameter(1)
  s = f32[] add(x, c)
  ROOT t = (f32[], f32[]) tuple(s, s)
}

'''
    file.case('nested', single.format('nested', '  x = f32[4] parameter(0)\n  c = f32[] parameter(1)\n'
              '  ROOT y = (f32[4], f32[]) scan(x, c), dimensions={0}, num_carries=1, to_apply=inner',
              '  a = f32[2,4] parameter(0)\n  i = f32[] parameter(1)\n  ROOT r = (f32[2,4], f32[]) scan(a, i), dimensions={0}, num_carries=1, to_apply=body')
              .replace('body {', inner + 'body {', 1), [x, array('f32', 1)], [np.cumsum(x.reshape(-1), dtype=np.float32).reshape(2, 4) + 1, array('f32', 5)])
    twice = single.format('in_a_loop', '  x = s32[] parameter(0)\n  c = s32[] parameter(1)\n  s = s32[] add(x, c)\n  ROOT t = (s32[], s32[]) tuple(s, c)',
                          '''  a = s32[3] parameter(0)
  zero = s32[] constant(0)
  start = (s32[], s32[3]) tuple(zero, a)
  w = (s32[], s32[3]) while(start), condition=few, body=twice
  ROOT r = s32[3] get-tuple-element(w), index=1''').replace('ENTRY', '''few {
  s = (s32[], s32[3]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  two = s32[] constant(2)
  ROOT l = pred[] compare(i, two), direction=LT
}

twice {
  s = (s32[], s32[3]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  a = s32[3] get-tuple-element(s), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  r = (s32[3], s32[]) scan(a, j), dimensions={0}, num_carries=1, to_apply=body
  b = s32[3] get-tuple-element(r), index=0
  ROOT t = (s32[], s32[3]) tuple(j, b)
}

ENTRY''')
    file.case('in_a_loop', twice, [array('s32', [1, 2, 3])], [array('s32', [4, 5, 6])])


DYNAMIC = '''HloModule dynamic

body {
  x = f32[COLUMNS] parameter(0)
  k = f32[] parameter(1)
  c = f32[COLUMNS] parameter(2)
  s = f32[COLUMNS] add(x, c)
  b = f32[COLUMNS] broadcast(k), dimensions={}
  m = f32[COLUMNS] multiply(s, b)
  ROOT t = (f32[COLUMNS], f32[], f32[COLUMNS]) tuple(m, k, s)
}

ENTRY main {
  a = f32[5,3] parameter(0)
  w = f32[5] parameter(1)
  i = f32[3] parameter(2)
  n = s32[] parameter(3)
  m = s32[] parameter(4)
  LINES
  ROOT r = (f32[ROWS,COLUMNS], f32[ROWS], f32[COLUMNS]) scan(v, y, j), dimensions={0}, num_carries=1, ATTRIBUTESto_apply=body
}'''
SET_ROWS = ['v = f32[<=5,3] set-dimension-size(a, n), dimensions={0}', 'y = f32[<=5] set-dimension-size(w, n), dimensions={0}', 'j = f32[3] copy(i)']
SET_COLUMNS = ['v = f32[5,<=3] set-dimension-size(a, m), dimensions={1}', 'y = f32[5] copy(w)', 'j = f32[<=3] set-dimension-size(i, m), dimensions={0}']
SET_BOTH = ['u = f32[<=5,3] set-dimension-size(a, n), dimensions={0}', 'v = f32[<=5,<=3] set-dimension-size(u, m), dimensions={1}', SET_ROWS[1], SET_COLUMNS[2]]


def dynamic():
    """XLA refuses them ("Mismatching scan dimension sizes"): as many steps as there are elements now."""
    file = File('scan_dynamic', 'scan of arrays whose sizes only the running program knows: the dimension gone through, others, carried values.')
    bad = File('error_scan_dynamic', 'Scans whose sizes do not fit, known only when they run.')
    a, w, i = array('f32', np.arange(15).reshape(5, 3) - 4), array('f32', [1, -2, 3, 2, -1]), array('f32', [10, 20, 30])

    def program(lines, rows, columns, attributes=''):
        return DYNAMIC.replace('LINES', '\n  '.join(lines)).replace('ROWS', rows).replace('COLUMNS', columns).replace('ATTRIBUTES', attributes)

    def one(name, lines, rows, columns, n, m, reverse=False):
        def step(slices, carries):
            s = slices[0] + carries[0]
            return [s * slices[1], slices[1]], [s]
        inputs = [a, w, i, array('s32', n), array('s32', m)]
        n, m = n if '<' in rows else 5, m if '<' in columns else 3
        want = stepped([a[:n, :m], w[:n]], [i[:m]], 0, step, reverse) if n else [np.zeros((0, m if '<' not in columns else 0), np.float32), np.zeros(0, np.float32), i[:m]]
        file.case(name, program(lines, rows, columns, 'is_reverse=true, ' if reverse else ''), inputs, want, trust=False)
    for n in (0, 1, 3, 5):
        one(f'rows_{n}', SET_ROWS, '<=5', '3', n, 0)
        one(f'rows_{n}_reverse', SET_ROWS, '<=5', '3', n, 0, True)
    one('one_input', SET_ROWS[:1] + ['y = f32[5] copy(w)', SET_ROWS[2]], '<=5', '3', 3, 0)
    one('other_input', ['v = f32[5,3] copy(a)'] + SET_ROWS[1:], '<=5', '3', 3, 0, True)
    for m in (0, 2, 3):
        one(f'columns_{m}', SET_COLUMNS, '5', '<=3', 0, m)
    for n, m in ((0, 2), (3, 2), (4, 0), (5, 3)):
        one(f'both_{n}_{m}', SET_BOTH, '<=5', '<=3', n, m, n == 3)
    given = [a, w, i, array('s32', 3), array('s32', 4)]
    differ = [SET_ROWS[0], SET_ROWS[1].replace('w, n', 'w, m'), SET_ROWS[2]]
    bad.error('inputs_differ', program(differ, '<=5', '3'), 'have 3 and 4 elements now', 22, inputs=given)
    shrinking = '''HloModule shrinking

body {
  x = s32[] parameter(0)
  c = f32[4] parameter(1)
  y = f32[<=4] set-dimension-size(c, x), dimensions={0}
  ROOT t = (f32[<=4], f32[4]) tuple(y, c)
}

ENTRY main {
  a = s32[3] parameter(0)
  i = f32[4] parameter(1)
  ROOT r = (f32[3,<=4], f32[4]) scan(a, i), dimensions={0}, num_carries=1, to_apply=body
}'''
    i4 = array('f32', [1, 2, 3, 4])
    file.case('slices_alike', shrinking, [array('s32', [2, 2, 2]), i4], [np.tile(i4[:2], (3, 1)), i4], trust=False)
    bad.error('slices_differ', shrinking, 'has 3 elements along dimension 1, in earlier steps 2', 13, inputs=[array('s32', [2, 2, 3]), i4])


def stablehlo():
    file = File('stablehlo_scan', 'chlo.scan in both forms.')
    x, i = array('f32', np.arange(8).reshape(2, 4) - 3), array('f32', [10, 20])

    def step(slices, carries):
        s = slices[0] + carries[0]
        return [s * s], [s]
    # XLA takes the operation from HLO alone: scan.hlo asks it.
    for name, form, reverse in (('pretty', PRETTY.replace('ATTRIBUTES', ''), False),
                                ('pretty_attributes', PRETTY.replace('ATTRIBUTES', 'attributes {is_associative = false, is_reverse = true} '), True),
                                ('generic', GENERIC, True)):
        file.case(name, MHLO.replace('FORM', form), [x, i], stepped([x], [i], 1, step, reverse), trust=False)
    file.case('sizes_follow', '''func.func @main(%a: tensor<3x2xi32>) -> tensor<3x2xi32> {
  %n = stablehlo.constant dense<3> : tensor<i32>
  %m = stablehlo.constant dense<2> : tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %m1 = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
  %s = stablehlo.concatenate %n1, %m1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %b = stablehlo.dynamic_reshape %a, %s : (tensor<3x2xi32>, tensor<2xi32>) -> tensor<?x2xi32>
  %0 = chlo.scan(%b) inits () dimension=0  {
  ^bb0(%x: tensor<2xi32>):
    %y = stablehlo.add %x, %x : tensor<2xi32>
    stablehlo.return %y : tensor<2xi32>
  } : (tensor<?x2xi32>) -> tensor<?x2xi32>
  %1 = stablehlo.dynamic_reshape %0, %s : (tensor<?x2xi32>, tensor<2xi32>) -> tensor<3x2xi32>
  return %1 : tensor<3x2xi32>
}''', [array('s32', [[1, 2], [3, 4], [5, 6]])], [array('s32', [[2, 4], [6, 8], [10, 12]])], trust=False)
    # The dialect's verifier: all sizes that are stated agree, and one of inputs or outputs is there.
    counted = '''func.func @main(%i: tensor<f32>) -> (tensor<3xf32>, tensor<f32>) {
  %0:2 = "chlo.scan"(%i) <{dimension = 0 : i64, ATTRIBUTEoperandSegmentSizes = array<i32: 0, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%c: tensor<f32>):
    %d = stablehlo.add %c, %c : tensor<f32>
    stablehlo.return %c, %d : tensor<f32>, tensor<f32>
  }) : (tensor<f32>) -> (tensor<SIZExf32>, tensor<f32>)
  %1 = stablehlo.convert %0#0 : (tensor<SIZExf32>) -> tensor<3xf32>
  return %1, %0#1 : tensor<3xf32>, tensor<f32>
}'''
    given, doubled = [array('f32', 3)], [array('f32', [3, 6, 12]), array('f32', 24)]
    size = 'scan_dim_size = 3 : i64, '
    file.case('no_inputs', counted.replace('ATTRIBUTE', '').replace('SIZE', '3'), given, doubled, trust=False)
    file.case('no_inputs_counted', counted.replace('ATTRIBUTE', size).replace('SIZE', '3'), given, doubled, trust=False)
    file.case('no_inputs_size_from_attribute', counted.replace('ATTRIBUTE', size).replace('SIZE', '?'), given, doubled, trust=False)
    sized = MHLO.replace('FORM', PRETTY.replace('ATTRIBUTES', 'attributes {scan_dim_size = 4 : i64} '))
    file.case('size_stated', sized, [x, i], stepped([x], [i], 1, step), trust=False)
    bounded = '''func.func @main(%a: tensor<5xf32>, %n: tensor<i32>, %i: tensor<f32>) -> tensor<f32> {
  %v = stablehlo.set_dimension_size %a, %n, dim = 0 : (tensor<5xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<5>>
  %0:2 = chlo.scan(%v) inits (%i) dimension=0 ATTRIBUTES {
  ^bb0(%x: tensor<f32>, %c: tensor<f32>):
    %s = stablehlo.add %x, %c : tensor<f32>
    stablehlo.return %s, %s : tensor<f32>, tensor<f32>
  } : (tensor<?xf32, #stablehlo.bounds<5>>, tensor<f32>) -> (tensor<?xf32, #stablehlo.bounds<5>>, tensor<f32>)
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%0#0 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<?xf32, #stablehlo.bounds<5>>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}'''
    v = array('f32', [1, 2, 4, 8, 16])
    file.case('bounded', bounded.replace('ATTRIBUTES', ''), [v, array('s32', 3), array('f32', 1)], [array('f32', 2 + 4 + 8)], trust=False)
    file.case('bounded_size_stated', bounded.replace('ATTRIBUTES', 'attributes {scan_dim_size = 3 : i64}'), [v, array('s32', 3), array('f32', 1)], [array('f32', 14)], trust=False)
    bad = File('error_scan', 'Scans that must be refused.')
    bad.error('size_of_input', sized.replace('= 4 :', '= 3 :'), 'scan_dim_size is 3', 2)
    bad.error('size_of_output', counted.replace('ATTRIBUTE', size).replace('SIZE', '4'), 'scan_dim_size is 3', 2)
    bad.error('size_nowhere', counted.replace('ATTRIBUTE', '').replace('SIZE', '?'), 'how many steps', 2)
    bad.error('size_now', bounded.replace('ATTRIBUTES', 'attributes {scan_dim_size = 3 : i64}'), 'has 4 elements now', 3, inputs=[v, array('s32', 4), array('f32', 1)])
    bad.error('segments', MHLO.replace('FORM', GENERIC.replace('array<i32: 1, 1>, result', 'array<i32: 1, 0>, result')), 'operandSegmentSizes', 2)
    bad.error('no_steps_known', '''func.func @main(%i: tensor<f32>) -> tensor<f32> {
  %0 = chlo.scan() inits (%i) dimension=0  attributes {scan_dim_size = 3 : i64} {
  ^bb0(%c: tensor<f32>):
    stablehlo.return %c : tensor<f32>
  } : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}''', 'how many steps', 2)


def make():
    hlo()
    dynamic()
    stablehlo()
