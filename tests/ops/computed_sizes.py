"""Sizes computed with MLIR's arith, tensor and shape dialects, as torch-mlir and MHLO write them.

Expectations: Python's integers.
"""
import numpy as np

from cases import File
from element_types import array


def function(body, arguments, result):
    given = ', '.join(f'%{name}: {t}' for name, t in arguments)
    return f'func.func @main({given}) -> {result} {{\n{body}\n  return %r : {result}\n}}'


def binary():
    """Every operation on two integers, of known and of unknown ones."""
    file = File('stablehlo_computed_sizes', 'Sizes computed with the dialects arith, tensor and shape.')
    a, b = np.int64([7, 3, 12, 5]), np.int64([2, 3, 5, 8])
    operations = dict(addi=a + b, subi=a - b, muli=a * b, divsi=a // b, divui=a // b, remsi=a % b, remui=a % b, maxsi=np.maximum(a, b),
                      maxui=np.maximum(a, b), minsi=np.minimum(a, b), minui=np.minimum(a, b), andi=a & b, ori=a | b, xori=a ^ b)
    t = 'tensor<4xi64>'
    for name, want in operations.items():
        file.case(name, function(f'  %r = arith.{name} %x, %y : {t}', [('x', t), ('y', t)], t), [array('s64', a), array('s64', b)], [array('s64', want)], trust=False)
    n, d = np.int64([7, -7, 7, -7, 6, -6, 0, 1]), np.int64([2, 2, -2, -2, 3, 3, -5, 9])
    for name, x, y, want in (('floordivsi', n, d, n // d), ('ceildivsi', n, d, -(-n // d)), ('ceildivui', a, b, -(-a // b)), ('shli', a, b, a << b),
                             ('shrsi', n, abs(d), n >> abs(d)), ('shrui', a, b, a >> b)):
        s = f'tensor<{len(x)}xi64>'
        file.case(name, function(f'  %r = arith.{name} %x, %y : {s}', [('x', s), ('y', s)], s), [array('s64', x), array('s64', y)], [array('s64', want)], trust=False)
    for k, (name, want) in enumerate(dict(eq=a == b, ne=a != b, slt=a < b, sle=a <= b, sgt=a > b, sge=a >= b, ult=a < b, ule=a <= b, ugt=a > b, uge=a >= b).items()):
        body = f'  %r = arith.cmpi {name}, %x, %y : {t}' if k % 2 else f'  %r = "arith.cmpi"(%x, %y) <{{predicate = {k} : i64}}> : ({t}, {t}) -> tensor<4xi1>'
        if k % 2:
            body = f'  %c1 = arith.constant 1 : index\n  %p = tensor.extract %x[%c1] : {t}\n  %q = tensor.extract %y[%c1] : {t}\n' \
                   f'  %c = arith.cmpi {name}, %p, %q : i64\n  %r = tensor.from_elements %c, %c : tensor<2xi1>'
            file.case('cmpi_' + name, function(body, [('x', t), ('y', t)], 'tensor<2xi1>'), [array('s64', a), array('s64', b)], [array('pred', [want[1]] * 2)], trust=False)
        else:
            file.case('cmpi_' + name, function(body, [('x', t), ('y', t)], 'tensor<4xi1>'), [array('s64', a), array('s64', b)], [array('pred', want)], trust=False)
    sizes(file)


def sizes(file):
    x, f = np.arange(6, dtype=np.float32).reshape(2, 3), 'tensor<2x3xf32>'

    def case(name, body, result, want, arguments=(('x', f),), inputs=(x,), tag=None):
        file.case(name, function(body, arguments, result), [array(tag or 'f32', i) if i.dtype == np.float32 else array('s32', i) for i in inputs], [want], trust=False)

    case('dim', '  %c1 = arith.constant 1 : index\n  %d = tensor.dim %x, %c1 : ' + f + '\n  %i = arith.index_cast %d : index to i32\n'
         '  %r = tensor.from_elements %i : tensor<1xi32>', 'tensor<1xi32>', array('s32', [3]))
    case('shape_of', '  %r = shape.shape_of %x : ' + f + ' -> tensor<2xindex>', 'tensor<2xindex>', array('s64', [2, 3]))
    case('num_elements', '  %s = shape.shape_of %x : ' + f + ' -> tensor<2xindex>\n  %n = shape.num_elements %s : tensor<2xindex> -> index\n'
         '  %c0 = arith.constant 0 : index\n  %e = shape.get_extent %s, %c0 : tensor<2xindex>, index -> index\n  %r = tensor.from_elements %n, %e : tensor<2xindex>',
         'tensor<2xindex>', array('s64', [6, 2]))
    case('select', '  %t = arith.constant true\n  %a = arith.constant 5 : i64\n  %b = arith.constant -6 : i64\n  %s = arith.select %t, %a, %b : i64\n'
         '  %w = arith.trunci %b : i64 to i8\n  %v = arith.extsi %w : i8 to i64\n  %r = tensor.from_elements %s, %v, %a, %b : tensor<2x2xi64>', 'tensor<2x2xi64>', array('s64', [[5, -6], [5, -6]]))
    case('dense', '  %a = arith.constant dense<[3, 2]> : tensor<2xi64>\n  %r = stablehlo.dynamic_reshape %x, %a : (' + f + ', tensor<2xi64>) -> tensor<3x2xf32>',
         'tensor<3x2xf32>', array('f32', x.reshape(3, 2)))
    case('cast', '  %r = tensor.cast %x : ' + f + ' to ' + f, f, array('f32', x))
    case('broadcast', '  %a = arith.constant dense<[4, 1, 3]> : tensor<3xindex>\n  %s = shape.shape_of %x : ' + f + ' -> tensor<2xindex>\n'
         '  %r = shape.broadcast %s, %a : tensor<2xindex>, tensor<3xindex> -> tensor<3xindex>', 'tensor<3xindex>', array('s64', [4, 2, 3]))
    # A size that only the running program knows.
    bounded = 'tensor<?x3xf32, #stablehlo.bounds<2, ?>>'
    case('late', f'  %v = stablehlo.set_dimension_size %x, %n, dim = 0 : ({f}, tensor<i32>) -> {bounded}\n'
         f'  %c0 = arith.constant 0 : index\n  %d = tensor.dim %v, %c0 : {bounded}\n  %c10 = arith.constant 10 : index\n  %m = arith.muli %d, %c10 : index\n'
         '  %r = tensor.from_elements %m, %d : tensor<2xindex>', 'tensor<2xindex>', array('s64', [10, 1]), (('x', f), ('n', 'tensor<i32>')), (x, np.int32(1)))

    # What sizes must be: known when the program is read, and only when it runs.
    s2, both = 'tensor<2xindex>', '  %s = shape.shape_of %x : ' + f + ' -> tensor<2xindex>\n'
    case('assuming', both + f'  %t = arith.constant dense<[1, 3]> : {s2}\n  %p = arith.constant true\n'
         f'  %a = shape.cstr_broadcastable %s, %t : {s2}, {s2}\n  %b = shape.cstr_eq %s, %s : {s2}, {s2}\n  %c = shape.cstr_require %p, "never"\n'
         '  %d = shape.const_witness true\n  %w = shape.assuming_all %a, %b, %c, %d\n'
         f'  %r:2 = shape.assuming %w -> ({f}, {s2}) {{\n    %y = stablehlo.add %x, %x : {f}\n    shape.assuming_yield %y, %s : {f}, {s2}\n  }}'.replace('%r:2', '%q:2') +
         f'\n  %r = stablehlo.negate %q#0 : {f}', f, array('f32', -2 * x))
    case('assuming_generic', both + f'  %w = "shape.cstr_eq"(%s, %s) : ({s2}, {s2}) -> !shape.witness\n  %v = "shape.assuming_all"(%w) : (!shape.witness) -> !shape.witness\n'
         f'  %r = "shape.assuming"(%v) ({{\n    %y = stablehlo.add %x, %x : {f}\n    "shape.assuming_yield"(%y) : ({f}) -> ()\n  }}) : (!shape.witness) -> {f}', f, array('f32', 2 * x))
    case('is_broadcastable', both + f'  %t = arith.constant dense<[5, 2, 1]> : tensor<3xindex>\n  %u = arith.constant dense<[3, 1]> : {s2}\n'
         f'  %a = shape.is_broadcastable %s, %t : {s2}, tensor<3xindex>\n  %b = shape.is_broadcastable %s, %t, %u : {s2}, tensor<3xindex>, {s2}\n'
         '  %r = tensor.from_elements %a, %b : tensor<2xi1>', 'tensor<2xi1>', array('pred', [True, False]))
    late = (f'  %v = stablehlo.set_dimension_size %x, %n, dim = 0 : ({f}, tensor<i32>) -> {bounded}\n  %t = shape.shape_of %v : {bounded} -> {s2}\n' + both +
            f'  %w = shape.cstr_eq %s, %t : {s2}, {s2}\n  %r = shape.assuming %w -> ({f}) {{\n    shape.assuming_yield %x : {f}\n  }}')
    given = (('x', f), ('n', 'tensor<i32>'))
    case('assuming_late', late, f, array('f32', x), given, (x, np.int32(2)))
    file.error('assumed_wrongly', function(late, given, f), 'shape.cstr_eq', 5, [array('f32', x), array('s32', np.int32(1))])

    def error(name, line, message):
        file.error(name, function(f'  %c7 = arith.constant 7 : index\n  %bad = {line}\n  %r = tensor.from_elements %c7, %c7 : tensor<2xindex>', [('x', f)], 'tensor<2xindex>'), message, 3)

    error('no_dimension', 'tensor.dim %x, %c7 : ' + f, 'there is no dimension 7')
    error('no_scalars', 'tensor.from_elements %x, %x : tensor<2xindex>', "takes scalars of the result's type")
    error('other_type', 'tensor.from_elements %c7, %c7 : tensor<2xi32>', "takes scalars of the result's type")
    error('rank', f'shape.shape_of %x : {f} -> tensor<3xindex>', 'result 0 has shape s64[2], but s64[3] is stated')
    error('predicate', 'arith.cmpi abc, %c7, %c7 : index', 'has no known predicate')
    error('operands', 'arith.addi %c7 : index', 'takes 2 operands, not 1')
    error('unknown', 'arith.mulf %c7, %c7 : index', 'this operation is not supported')
    error('not_equal', f'shape.is_broadcastable %x, %c7 : {f}, index', 'takes lists of sizes')
    error('required', 'shape.const_witness false', 'shape.const_witness: does not hold')
    error('assumed', 'shape.assuming %c7 -> (index) { shape.assuming_yield }', 'needs a region whose shape.assuming_yield has its 1 results')
    error('lists', f'shape.broadcast %x, %c7 : {f}, index -> tensor<2xindex>', 'takes an array of sizes')


def make():
    binary()
