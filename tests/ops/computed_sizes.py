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

    def error(name, line, message):
        file.error(name, function(f'  %c7 = arith.constant 7 : index\n  %bad = {line}\n  %r = tensor.from_elements %c7, %c7 : tensor<2xindex>', [('x', f)], 'tensor<2xindex>'), message, 3)

    error('no_dimension', 'tensor.dim %x, %c7 : ' + f, 'there is no dimension 7')
    error('no_scalars', 'tensor.from_elements %x, %x : tensor<2xindex>', "takes scalars of the result's type")
    error('other_type', 'tensor.from_elements %c7, %c7 : tensor<2xi32>', "takes scalars of the result's type")
    error('rank', f'shape.shape_of %x : {f} -> tensor<3xindex>', 'result 0 has shape s64[2], but s64[3] is stated')
    error('predicate', 'arith.cmpi abc, %c7, %c7 : index', 'has no known predicate')
    error('operands', 'arith.addi %c7 : index', 'takes 2 operands, not 1')
    error('unknown', 'arith.mulf %c7, %c7 : index', 'this operation is not supported')
    error('lists', f'shape.broadcast %x, %c7 : {f}, index -> tensor<2xindex>', 'takes an array of sizes')


def make():
    binary()
