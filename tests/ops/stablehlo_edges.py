"""StableHLO programs at the edges of what is allowed: no elements, rank 0, windows that fit nowhere, nothing to reduce,
contract, sort or look up, operands of different kinds. One operation each, in the generic form; XLA says the values.
"""
import math
import re

import numpy as np

import element_types as et
from cases import File
from element_types import array

TYPES = {'i1': 'pred', 'i8': 's8', 'i32': 's32', 'i64': 's64', 'ui8': 'u8', 'ui32': 'u32', 'f32': 'f32', 'f64': 'f64', 'bf16': 'bf16',
         'complex<f32>': 'c64'}
ADD = ('({^bb0(%a: tensor<f32>, %b: tensor<f32>): %s = stablehlo.add %a, %b : tensor<f32> stablehlo.return %s : tensor<f32>})')
LESS = ('({^bb0(%a: tensor<f32>, %b: tensor<f32>): %s = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1> '
        'stablehlo.return %s : tensor<i1>})')
SELECT_AND_ADD = LESS[:-1].replace('LT', 'GE') + ', ' + ADD[1:]


def tensors(text):
    """(dimensions, element type, the whole type) of each tensor type."""
    return [([int(d) for d in m[1].split('x') if d], m[2], m[0]) for m in re.finditer(r'tensor<((?:\d+x)*)((?:complex<f\d+>|\w+))>', text)]


def values(dims, element):
    """Small numbers of both signs where the type has them, out of order."""
    t = TYPES[element]
    if t == 'pred':
        return array(t, np.arange(math.prod(dims)).reshape(dims) % 3 == 0)
    low = 0 if t.startswith('u') else -3
    numbers = (np.arange(math.prod(dims)) * 5 % 11 + low).reshape(dims)
    return array(t, numbers - 1j * numbers[::-1] if t in et.COMPLEX and dims else numbers)


def program(operation):
    """A function whose arguments are the operation's operands; also the types of those."""
    types = operation[operation.rindex(' : (') + 4:]
    operands, results = types.split(') -> ')
    operands, results = tensors(operands), [t for _, _, t in tensors(results)]
    arguments = ', '.join(f'%{i}: {t}' for i, (_, _, t) in enumerate(operands))
    names = ', '.join(f'%r#{i}' for i in range(len(results)))
    text = f'func.func @main({arguments}) -> ({", ".join(results)}) {{\n  %r:{len(results)} = {operation}\n  return {names} : {", ".join(results)}\n}}'
    return text, [(d, e) for d, e, _ in operands]


def make():
    file = File('stablehlo_edges', 'StableHLO at the edges of what is allowed: nothing, one, different kinds.')

    def case(name, operation, *inputs, want=None):
        text, operands = program(operation)
        given = [array(TYPES[e], v) for (_, e), v in zip(operands, inputs)] or [values(d, e) for d, e in operands]
        file.case(name, text, given, want)

    # nothing, and single values
    case('add_nothing', '"stablehlo.add"(%0, %1) : (tensor<2x0xf32>, tensor<2x0xf32>) -> tensor<2x0xf32>')
    case('broadcast_to_nothing', '"stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64: 1>}> : (tensor<1xi32>) -> tensor<2x0xi32>')
    case('reshape_nothing', '"stablehlo.reshape"(%0) : (tensor<0x3xf32>) -> tensor<5x0x2xf32>')
    case('complex_truth', '"stablehlo.convert"(%0) : (tensor<4xcomplex<f32>>) -> tensor<4xi1>', array('c64', [0, 1j, 1, -2j]))
    case('transpose_scalar', '"stablehlo.transpose"(%0) <{permutation = array<i64>}> : (tensor<i32>) -> tensor<i32>')
    case('reverse_no_dimension', '"stablehlo.reverse"(%0) <{dimensions = array<i64>}> : (tensor<3xi32>) -> tensor<3xi32>')
    case('iota_nothing', '"stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<0x3xi32>')
    for element in ('f8E4M3FN', 'f8E5M2', 'bf16', 'f16', 'f32', 'f64'):  # MLIR rounds numbers out of range
        tensor = f'tensor<2x{element}>'
        case(f'constant_out_of_range_{element.lower()}', f'"stablehlo.constant"() <{{value = dense<[1.0e309, -65520.0e305]> : {tensor}}}> : () -> {tensor}')
    case('concatenate_one', '"stablehlo.concatenate"(%0) <{dimension = 0 : i64}> : (tensor<3xi32>) -> tensor<3xi32>')
    case('concatenate_nothing_between', '"stablehlo.concatenate"(%0, %1, %2) <{dimension = 1 : i64}> : (tensor<2x1xi32>, tensor<2x0xi32>, tensor<2x2xi32>) -> tensor<2x3xi32>')
    case('slice_nothing_at_the_end', '"stablehlo.slice"(%0) <{start_indices = array<i64: 3>, limit_indices = array<i64: 3>, strides = array<i64: 4>}> : (tensor<3xi32>) -> tensor<0xi32>')
    case('slice_stride_beyond', '"stablehlo.slice"(%0) <{start_indices = array<i64: 1>, limit_indices = array<i64: 3>, strides = array<i64: 1000>}> : (tensor<3xi32>) -> tensor<1xi32>')
    case('pad_cuts_all', '"stablehlo.pad"(%0, %1) <{edge_padding_low = array<i64: -2>, edge_padding_high = array<i64: -1>, interior_padding = array<i64: 0>}> : (tensor<3xi32>, tensor<i32>) -> tensor<0xi32>')
    case('pad_cuts_and_adds', '"stablehlo.pad"(%0, %1) <{edge_padding_low = array<i64: -4>, edge_padding_high = array<i64: 3>, interior_padding = array<i64: 1>}> : (tensor<3xi32>, tensor<i32>) -> tensor<4xi32>')
    case('pad_cuts_more_than_all', '"stablehlo.pad"(%0, %1) <{edge_padding_low = array<i64: -5>, edge_padding_high = array<i64: 4>, interior_padding = array<i64: 0>}> : (tensor<3xi32>, tensor<i32>) -> tensor<2xi32>')
    case('pad_nothing_with_interior', '"stablehlo.pad"(%0, %1) <{edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 1>, interior_padding = array<i64: 5>}> : (tensor<0xi32>, tensor<i32>) -> tensor<2xi32>')
    case('pad_scalar', '"stablehlo.pad"(%0, %1) <{edge_padding_low = array<i64>, edge_padding_high = array<i64>, interior_padding = array<i64>}> : (tensor<i32>, tensor<i32>) -> tensor<i32>')
    case('select_scalar_predicate_of_nothing', '"stablehlo.select"(%0, %1, %2) : (tensor<i1>, tensor<0xi32>, tensor<0xi32>) -> tensor<0xi32>')
    case('clamp_scalar_bounds', '"stablehlo.clamp"(%0, %1, %2) : (tensor<i32>, tensor<4xi32>, tensor<i32>) -> tensor<4xi32>', -1, [-9, 0, 3, 9], 3)
    case('clamp_one_scalar_bound', '"stablehlo.clamp"(%0, %1, %2) : (tensor<4xi32>, tensor<4xi32>, tensor<i32>) -> tensor<4xi32>', [0, 1, 2, 9], [-9, 0, 3, 9], 3)
    case('bitcast_nothing', '"stablehlo.bitcast_convert"(%0) : (tensor<0xf32>) -> tensor<0x4xi8>')
    # reductions, windows
    case('reduce_no_dimension', f'"stablehlo.reduce"(%0, %1) <{{dimensions = array<i64>}}> {ADD} : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>', [[1, 2], [3, 4]], 0)  # XLA leaves any other start out
    case('reduce_scalar', f'"stablehlo.reduce"(%0, %1) <{{dimensions = array<i64>}}> {ADD} : (tensor<f32>, tensor<f32>) -> tensor<f32>', 5, 0)
    case('reduce_nothing', f'"stablehlo.reduce"(%0, %1) <{{dimensions = array<i64: 1>}}> {ADD} : (tensor<2x0xf32>, tensor<f32>) -> tensor<2xf32>', np.zeros((2, 0)), 7)
    case('reduce_to_nothing', f'"stablehlo.reduce"(%0, %1) <{{dimensions = array<i64: 0>}}> {ADD} : (tensor<2x0xf32>, tensor<f32>) -> tensor<0xf32>')
    case('window_larger_than_array', f'"stablehlo.reduce_window"(%0, %1) <{{window_dimensions = array<i64: 5>}}> {ADD} : (tensor<4xf32>, tensor<f32>) -> tensor<0xf32>')
    case('window_over_padding_only', f'"stablehlo.reduce_window"(%0, %1) <{{window_dimensions = array<i64: 2>, padding = dense<[[2, 1]]> : tensor<1x2xi64>}}> {ADD} : (tensor<0xf32>, tensor<f32>) -> tensor<2xf32>', [], 3)
    case('window_negative_padding', f'"stablehlo.reduce_window"(%0, %1) <{{window_dimensions = array<i64: 2>, padding = dense<[[-1, -2]]> : tensor<1x2xi64>}}> {ADD} : (tensor<6xf32>, tensor<f32>) -> tensor<2xf32>')
    case('window_negative_padding_of_dilated', f'"stablehlo.reduce_window"(%0, %1) <{{window_dimensions = array<i64: 2>, base_dilations = array<i64: 3>, padding = dense<[[-2, -1]]> : tensor<1x2xi64>}}> {ADD} : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>')
    case('window_dilated_nothing', f'"stablehlo.reduce_window"(%0, %1) <{{window_dimensions = array<i64: 1>, base_dilations = array<i64: 3>}}> {ADD} : (tensor<0xf32>, tensor<f32>) -> tensor<0xf32>')
    case('window_stride_beyond', f'"stablehlo.reduce_window"(%0, %1) <{{window_dimensions = array<i64: 2>, window_strides = array<i64: 100>}}> {ADD} : (tensor<4xf32>, tensor<f32>) -> tensor<1xf32>')
    case('select_and_scatter_nothing', f'"stablehlo.select_and_scatter"(%0, %1, %2) <{{window_dimensions = array<i64: 5>, window_strides = array<i64: 1>}}> {SELECT_AND_ADD} : (tensor<4xf32>, tensor<0xf32>, tensor<f32>) -> tensor<4xf32>')
    # contractions
    dot = '"stablehlo.dot_general"(%0, %1) <{dot_dimension_numbers = #stablehlo.dot<'
    vectors = dot + 'lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>}> : '
    case('dot_outer', dot + '>}> : (tensor<2xf32>, tensor<3xf32>) -> tensor<2x3xf32>')
    case('dot_scalars', dot + '>}> : (tensor<f32>, tensor<f32>) -> tensor<f32>')
    case('dot_all_batch', dot + 'lhs_batching_dimensions = [0], rhs_batching_dimensions = [0]>}> : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>')
    case('dot_contracts_nothing', vectors + '(tensor<0x2xf32>, tensor<0x3xf32>) -> tensor<2x3xf32>')
    case('dot_batch_of_nothing', dot + 'lhs_batching_dimensions = [0], rhs_batching_dimensions = [0]>}> : (tensor<0x2xf32>, tensor<0x3xf32>) -> tensor<0x2x3xf32>')
    case('dot_batch_last', dot + 'lhs_batching_dimensions = [1], rhs_batching_dimensions = [2], lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<2x2x3xf32>) -> tensor<3x2xf32>')
    for name, lhs, rhs, out in (('f32_i8', 'f32', 'i8', 'f32'), ('f32_i32', 'f32', 'i32', 'f32'), ('f32_i8_to_i32', 'f32', 'i8', 'i32'), ('i8_f32_to_i8', 'i8', 'f32', 'i8'),
                                ('bf16_f32', 'bf16', 'f32', 'f32'), ('i1_f32', 'i1', 'f32', 'f32'), ('i8_ui8', 'i8', 'ui8', 'i32'), ('i64_i8_to_i8', 'i64', 'i8', 'i8'),
                                ('f32_c64', 'f32', 'complex<f32>', 'complex<f32>'), ('c64_to_f32', 'complex<f32>', 'complex<f32>', 'f32'), ('f32_to_i32', 'f32', 'f32', 'i32'),
                                ('f64_f32_to_f32', 'f64', 'f32', 'f32')):
        case(f'dot_of_kinds_{name}', vectors + f'(tensor<5x{lhs}>, tensor<5x3x{rhs}>) -> tensor<3x{out}>')
    conv = '"stablehlo.convolution"(%0, %1) <{dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = %f : i64, batch_group_count = %b : i64'
    plain = conv.replace('%f', '1').replace('%b', '1')
    case('convolution_kernel_too_large', plain + '}> : (tensor<1x2x1xf32>, tensor<3x1x2xf32>) -> tensor<1x0x2xf32>')
    case('convolution_cut_input', plain + ', padding = dense<[[-2, -1]]> : tensor<1x2xi64>}> : (tensor<1x6x1xf32>, tensor<2x1x2xf32>) -> tensor<1x2x2xf32>')
    case('convolution_dilated_nothing', plain + ', lhs_dilation = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>}> : (tensor<1x0x1xf32>, tensor<2x1x2xf32>) -> tensor<1x1x2xf32>')
    case('convolution_groups_of_batches', conv.replace('%f', '1').replace('%b', '2') + '}> : (tensor<4x3x2xf32>, tensor<2x2x4xf32>) -> tensor<2x2x4xf32>')
    case('convolution_no_batches_in_groups', conv.replace('%f', '1').replace('%b', '2') + '}> : (tensor<0x3x2xf32>, tensor<2x2x4xf32>) -> tensor<0x2x4xf32>')
    case('convolution_each_feature', conv.replace('%f', '4').replace('%b', '1') + '}> : (tensor<1x3x4xf32>, tensor<2x1x8xf32>) -> tensor<1x2x8xf32>')
    # looking up
    gather = '"stablehlo.gather"(%0, %1) <{dimension_numbers = #stablehlo.gather<'
    case('gather_no_index', gather + 'offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xf32>, tensor<0x1xi32>) -> tensor<0x2xf32>')
    case('gather_empty_index', gather + 'offset_dims = [1, 2], index_vector_dim = 1>, slice_sizes = array<i64: 2, 1>}> : (tensor<3x2xf32>, tensor<2x0xi32>) -> tensor<2x2x1xf32>')
    case('gather_of_scalar', gather + 'index_vector_dim = 0>, slice_sizes = array<i64>}> : (tensor<f32>, tensor<0xi32>) -> tensor<f32>')
    case('gather_slices_of_nothing', gather + 'offset_dims = [1, 2], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 0>}> : (tensor<3x2xf32>, tensor<2x1xi32>) -> tensor<2x1x0xf32>')
    scatter = '"stablehlo.scatter"(%0, %1, %2) <{indices_are_sorted = %s, unique_indices = %u, scatter_dimension_numbers = #stablehlo.scatter<'
    rows = 'update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> '
    plain = scatter.replace('%s', 'false').replace('%u', 'false')
    case('scatter_no_index', plain + rows + ADD + ' : (tensor<3x2xf32>, tensor<0x1xi32>, tensor<0x2xf32>) -> tensor<3x2xf32>')
    case('scatter_empty_windows', plain + rows + ADD + ' : (tensor<3x2xf32>, tensor<2x1xi32>, tensor<2x0xf32>) -> tensor<3x2xf32>')
    case('scatter_into_nothing', plain + rows + ADD + ' : (tensor<0x2xf32>, tensor<2x1xi32>, tensor<2x2xf32>) -> tensor<0x2xf32>')
    case('scatter_sorted_and_unique', scatter.replace('%s', 'true').replace('%u', 'true') + rows + ADD + ' : (tensor<3x2xf32>, tensor<2x1xi32>, tensor<2x2xf32>) -> tensor<3x2xf32>',
         np.zeros((3, 2)), [[0], [2]], [[1, 2], [3, 4]])
    case('scatter_empty_index', plain + 'update_window_dims = [0, 1], index_vector_dim = 0>}> ' + ADD + ' : (tensor<3x2xf32>, tensor<0xi32>, tensor<2x1xf32>) -> tensor<3x2xf32>')
    # order
    sort = '"stablehlo.sort"(%0) <{dimension = %d : i64, is_stable = true}> ' + LESS
    case('sort_last', sort.replace('%d', '-1') + ' : (tensor<2x3xf32>) -> tensor<2x3xf32>')
    case('sort_first_from_behind', sort.replace('%d', '-2') + ' : (tensor<3x2xf32>) -> tensor<3x2xf32>')
    case('sort_nothing', sort.replace('%d', '0') + ' : (tensor<0x2xf32>) -> tensor<0x2xf32>')
    case('sort_rows_of_nothing', sort.replace('%d', '1') + ' : (tensor<2x0xf32>) -> tensor<2x0xf32>')
    case('top_none', '"chlo.top_k"(%0) <{k = 0 : i64}> : (tensor<2x3xf32>) -> (tensor<2x0xf32>, tensor<2x0xi32>)')
    case('top_of_nothing', '"chlo.top_k"(%0) <{k = 0 : i64}> : (tensor<2x0xf32>) -> (tensor<2x0xf32>, tensor<2x0xi32>)')
    a = np.array([1 + 2j, 1 + 2j, 1 + 3j, 2 + 1j, 5j, complex('nan+1j'), complex('1+nanj')])
    b = np.array([1 + 2j, 1 + 3j, 1 + 2j, 1 + 5j, 1, 1 + 1j, 1 + 2j])
    # XLA compares with LE and GE as if equal real parts were enough; the specification has the order by parts.
    ordered = {'LT': [0, 1, 0, 0, 1, 0, 0], 'LE': [1, 1, 0, 0, 1, 0, 0], 'GT': [0, 0, 1, 1, 0, 0, 0], 'GE': [1, 0, 1, 1, 0, 0, 0]}
    for direction, want in ordered.items():
        case(f'compare_complex_{direction}', f'"stablehlo.compare"(%0, %1) <{{comparison_direction = #stablehlo<comparison_direction {direction}>}}> : (tensor<7xcomplex<f32>>, tensor<7xcomplex<f32>>) -> tensor<7xi1>',
             a, b, want=[array('pred', [bool(w) for w in want])])
    # linear algebra, transforms, normalisation
    case('cholesky_nothing', '"stablehlo.cholesky"(%0) <{lower = true}> : (tensor<2x0x0xf32>) -> tensor<2x0x0xf32>')
    case('triangular_solve_nothing', '"stablehlo.triangular_solve"(%0, %1) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<0x0xf32>, tensor<0x3xf32>) -> tensor<0x3xf32>')
    case('fft_of_one', '"stablehlo.fft"(%0) <{fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 1>}> : (tensor<2x1xcomplex<f32>>) -> tensor<2x1xcomplex<f32>>')
    case('rfft_of_one', '"stablehlo.fft"(%0) <{fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 1>}> : (tensor<2x1xf32>) -> tensor<2x1xcomplex<f32>>')
    case('irfft_to_one', '"stablehlo.fft"(%0) <{fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 1>}> : (tensor<2x1xcomplex<f32>>) -> tensor<2x1xf32>')
    case('map_scalars', f'"stablehlo.map"(%0, %1) <{{dimensions = array<i64>}}> {ADD} : (tensor<f32>, tensor<f32>) -> tensor<f32>')
    case('map_nothing', f'"stablehlo.map"(%0, %1) <{{dimensions = array<i64: 0>}}> {ADD} : (tensor<0xf32>, tensor<0xf32>) -> tensor<0xf32>')
