"""Programs that must be refused: each documented constraint of the listed ops, and malformed text.

The offending instruction is called `bad`; the message must contain its name (or the name of whatever is missing), and
point at its line. XLA refuses them too, except where noted.
"""
from cases import File

F23 = 'f32[2,3]'


def line_of(program, mark):
    return next(i + 1 for i, line in enumerate(program.split('\n')) if mark in line)


def entry(*lines, computations='', name='refused'):
    """An entry computation of the given lines, each `name = shape op(...)`; the last one is the root."""
    body = ['  ' + line for line in lines]
    body[-1] = '  ROOT ' + lines[-1]
    return f'HloModule {name}\n\n{computations}' + 'ENTRY main {\n' + '\n'.join(body) + '\n}'


def parameters(*shapes):
    return [f'{"abcdefgh"[i]} = {s} parameter({i})' for i, s in enumerate(shapes)]


def one(file, name, shapes, bad, computations='', substring='bad'):
    """A case of one bad instruction over parameters a, b, c, ..."""
    program = entry(*parameters(*shapes), 'bad = ' + bad, computations=computations)
    file.error(name, program, substring, line_of(program, 'bad = '))


ADD = 'sum {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  ROOT z = f32[] add(x, y)\n}\n\n'


def elementwise():
    file = File('error_elementwise', 'Elementwise ops that must be refused.')
    one(file, 'add_shapes_differ', (F23, 'f32[3,2]'), 'f32[2,3] add(a, b)')
    one(file, 'add_ranks_differ', (F23, 'f32[3]'), 'f32[2,3] add(a, b)')
    one(file, 'add_scalar_needs_broadcast', (F23, 'f32[]'), 'f32[2,3] add(a, b)')
    one(file, 'add_size_1_needs_broadcast', (F23, 'f32[1,3]'), 'f32[2,3] add(a, b)')
    one(file, 'add_types_differ', ('f32[3]', 'f64[3]'), 'f32[3] add(a, b)')
    one(file, 'add_signs_differ', ('s32[3]', 'u32[3]'), 's32[3] add(a, b)')
    one(file, 'add_result_shape', (F23, F23), 'f32[3,2] add(a, b)')
    one(file, 'add_result_type', (F23, F23), 's32[2,3] add(a, b)')
    one(file, 'add_one_operand', (F23,), 'f32[2,3] add(a)')
    one(file, 'add_three_operands', (F23, F23, F23), 'f32[2,3] add(a, b, c)')
    accuracy = 'result_accuracy={tolerance={'
    one(file, 'accuracy_of_nothing', (F23,), f'f32[2,3] exponential(a), {accuracy}atol=0,rtol=0,ulps=0}}}}', substring='no implementation meets')
    one(file, 'accuracy_beyond_f32', (F23,), f'f32[2,3] tanh(a), {accuracy}atol=0,rtol=1e-9,ulps=0}}}}', substring='no implementation meets')
    one(file, 'accuracy_beyond_c128', ('c128[3]',), f'c128[3] log(a), {accuracy}atol=0,rtol=1e-17,ulps=0}}}}', substring='no implementation meets')
    one(file, 'accuracy_negative', (F23,), f'f32[2,3] sine(a), {accuracy}atol=-1,rtol=0,ulps=1}}}}', substring='not negative')
    one(file, 'accuracy_no_number', (F23,), f'f32[2,3] sine(a), {accuracy}atol=0,rtol=little,ulps=1}}}}', substring='must be numbers')
    one(file, 'accuracy_mode', (F23,), 'f32[2,3] sine(a), result_accuracy={mode=lowest}', substring='must be')
    one(file, 'accuracy_of_add', (F23, F23), 'f32[2,3] add(a, b), result_accuracy={mode=highest}', substring='no attribute')
    one(file, 'add_of_tuple', (f'({F23})', F23), 'f32[2,3] add(a, b)')
    one(file, 'negate_two_operands', (F23, F23), 'f32[2,3] negate(a, b)')
    one(file, 'negate_result_shape', (F23,), 'f32[2,4] negate(a)')
    for op, t in (('and', 'f32'), ('or', 'f64'), ('xor', 'c64'), ('shift-left', 'f32'), ('shift-right-logical', 'f16'),
                  ('shift-right-arithmetic', 'bf16'), ('atan2', 's32'), ('subtract', 'pred'), ('divide', 'pred'), ('remainder', 'pred')):
        one(file, f'{op.replace("-", "_")}_of_{t}', (f'{t}[3]', f'{t}[3]'), f'{t}[3] {op}(a, b)')
    for op, t in (('not', 'f32'), ('exponential', 's32'), ('log', 'u8'), ('sine', 'pred'), ('tanh', 's64'), ('sqrt', 's32'), ('rsqrt', 'u32'), ('cbrt', 's32'),
                  ('floor', 's32'), ('ceil', 'c64'), ('round-nearest-even', 's8'), ('round-nearest-afz', 'u16'), ('popcnt', 'f32'),
                  ('count-leading-zeros', 'f32'), ('negate', 'pred'), ('abs', 'pred'), ('sign', 'pred'), ('logistic', 's32'), ('erf', 's32'), ('erf', 'c64'),
                  ('tan', 's32')):
        one(file, f'{op.replace("-", "_")}_of_{t}', (f'{t}[3]',), f'{t}[3] {op}(a)')
    one(file, 'is_finite_of_s32', ('s32[3]',), 'pred[3] is-finite(a)')
    one(file, 'is_finite_result', ('f32[3]',), 'f32[3] is-finite(a)')
    one(file, 'complex_of_s32', ('s32[3]', 's32[3]'), 'c64[3] complex(a, b)')
    one(file, 'complex_of_f16', ('f16[3]', 'f16[3]'), 'c64[3] complex(a, b)')
    one(file, 'complex_result', ('f64[3]', 'f64[3]'), 'c64[3] complex(a, b)')
    one(file, 'abs_of_complex_result', ('c64[3]',), 'c64[3] abs(a)')
    one(file, 'real_result', ('c128[3]',), 'f32[3] real(a)')
    one(file, 'imag_of_s32', ('s32[3]',), 's32[3] imag(a)')
    one(file, 'compare_types_differ', ('f32[3]', 's32[3]'), 'pred[3] compare(a, b), direction=LT')
    one(file, 'compare_result', ('f32[3]', 'f32[3]'), 'f32[3] compare(a, b), direction=LT')
    one(file, 'compare_without_direction', ('f32[3]', 'f32[3]'), 'pred[3] compare(a, b)')
    one(file, 'compare_unknown_direction', ('f32[3]', 'f32[3]'), 'pred[3] compare(a, b), direction=LESS', substring='LESS')
    one(file, 'select_predicate_type', ('s32[3]', 'f32[3]', 'f32[3]'), 'f32[3] select(a, b, c)')
    one(file, 'select_predicate_shape', ('pred[2]', 'f32[3]', 'f32[3]'), 'f32[3] select(a, b, c)')
    one(file, 'select_branches_differ', ('pred[3]', 'f32[3]', 's32[3]'), 'f32[3] select(a, b, c)')
    one(file, 'clamp_bound_shape', ('f32[2]', 'f32[3]', 'f32[3]'), 'f32[3] clamp(a, b, c)')
    one(file, 'clamp_bound_type', ('s32[]', 'f32[3]', 's32[]'), 'f32[3] clamp(a, b, c)')
    one(file, 'clamp_two_operands', ('f32[]', 'f32[3]'), 'f32[3] clamp(a, b)')
    one(file, 'convert_dimensions', (F23,), 's32[3,2] convert(a)')
    one(file, 'bitcast_convert_narrower_without_dimension', ('s32[3]',), 's8[3] bitcast-convert(a)')
    one(file, 'bitcast_convert_narrower_wrong_dimension', ('s32[3]',), 's8[3,2] bitcast-convert(a)')
    one(file, 'bitcast_convert_wider_wrong_dimension', ('s8[3,2]',), 's32[3] bitcast-convert(a)')
    one(file, 'bitcast_convert_wider_of_scalar', ('s8[]',), 's32[] bitcast-convert(a)')
    one(file, 'bitcast_convert_complex', ('c64[3]',), 'f64[3] bitcast-convert(a)')
    one(file, 'reduce_precision_no_exponent', ('f32[3]',), 'f32[3] reduce-precision(a), exponent_bits=0, mantissa_bits=5')
    one(file, 'reduce_precision_negative_mantissa', ('f32[3]',), 'f32[3] reduce-precision(a), exponent_bits=5, mantissa_bits=-1')
    one(file, 'reduce_precision_of_s32', ('s32[3]',), 's32[3] reduce-precision(a), exponent_bits=5, mantissa_bits=5')


def structural():
    file = File('error_structural', 'Ops that move elements, iota and constant: programs that must be refused.')
    one(file, 'broadcast_without_dimensions', ('f32[3]',), 'f32[2,3] broadcast(a)')
    one(file, 'broadcast_too_few_dimensions', (F23,), 'f32[2,3] broadcast(a), dimensions={1}')
    one(file, 'broadcast_dimension_out_of_range', ('f32[3]',), 'f32[2,3] broadcast(a), dimensions={2}')
    one(file, 'broadcast_dimension_negative', ('f32[3]',), 'f32[2,3] broadcast(a), dimensions={-1}')
    one(file, 'broadcast_size_differs', ('f32[2]',), 'f32[2,3] broadcast(a), dimensions={1}')
    one(file, 'broadcast_dimension_twice', ('f32[3,3]',), 'f32[3,3] broadcast(a), dimensions={0,0}')
    one(file, 'broadcast_type', ('f32[3]',), 's32[2,3] broadcast(a), dimensions={1}')
    one(file, 'reshape_count', (F23,), 'f32[7] reshape(a)')
    one(file, 'reshape_type', (F23,), 's32[6] reshape(a)')
    one(file, 'reshape_empty_to_one', ('f32[0]',), 'f32[1] reshape(a)')
    one(file, 'transpose_not_a_permutation', (F23,), 'f32[2,2] transpose(a), dimensions={0,0}')
    one(file, 'transpose_too_few', (F23,), 'f32[3,2] transpose(a), dimensions={1}')
    one(file, 'transpose_out_of_range', (F23,), 'f32[3,2] transpose(a), dimensions={2,0}')
    one(file, 'transpose_result', (F23,), 'f32[2,3] transpose(a), dimensions={1,0}')
    one(file, 'slice_limit_beyond_size', ('f32[5]',), 'f32[4] slice(a), slice={[2:6]}')
    one(file, 'slice_start_after_limit', ('f32[5]',), 'f32[0] slice(a), slice={[3:2]}')
    one(file, 'slice_negative_start', ('f32[5]',), 'f32[3] slice(a), slice={[-1:2]}')
    one(file, 'slice_stride_zero', ('f32[5]',), 'f32[5] slice(a), slice={[0:5:0]}')
    one(file, 'slice_stride_negative', ('f32[5]',), 'f32[5] slice(a), slice={[0:5:-1]}')
    one(file, 'slice_rank', (F23,), 'f32[2,3] slice(a), slice={[0:2]}')
    one(file, 'slice_result', ('f32[5]',), 'f32[3] slice(a), slice={[0:5:3]}')
    one(file, 'slice_without_bounds', ('f32[5]',), 'f32[5] slice(a)')
    one(file, 'concatenate_other_dimension_differs', (F23, 'f32[2,4]'), 'f32[4,3] concatenate(a, b), dimensions={0}')
    one(file, 'concatenate_rank_differs', (F23, 'f32[3]'), 'f32[3,3] concatenate(a, b), dimensions={0}')
    one(file, 'concatenate_type_differs', (F23, 's32[2,3]'), 'f32[4,3] concatenate(a, b), dimensions={0}')
    one(file, 'concatenate_dimension_out_of_range', (F23, F23), 'f32[4,3] concatenate(a, b), dimensions={2}')
    one(file, 'concatenate_scalars', ('f32[]', 'f32[]'), 'f32[2] concatenate(a, b), dimensions={0}')
    one(file, 'concatenate_no_operands', (), 'f32[0] concatenate(), dimensions={0}')
    one(file, 'concatenate_result', (F23, F23), 'f32[3,3] concatenate(a, b), dimensions={0}')
    one(file, 'concatenate_two_dimensions', (F23, F23), 'f32[4,3] concatenate(a, b), dimensions={0,1}')
    one(file, 'pad_rank', (F23, 'f32[]'), 'f32[3,3] pad(a, b), padding=1_0')
    one(file, 'pad_value_type', (F23, 's32[]'), 'f32[3,3] pad(a, b), padding=1_0x0_0')
    one(file, 'pad_value_not_scalar', (F23, 'f32[1]'), 'f32[3,3] pad(a, b), padding=1_0x0_0')
    one(file, 'pad_negative_interior', ('f32[3]', 'f32[]'), 'f32[1] pad(a, b), padding=0_0_-1')
    one(file, 'pad_result', (F23, 'f32[]'), 'f32[2,3] pad(a, b), padding=1_0x0_0')
    one(file, 'pad_removes_too_much', ('f32[3]', 'f32[]'), 'f32[0] pad(a, b), padding=-2_-2')
    one(file, 'reverse_out_of_range', (F23,), 'f32[2,3] reverse(a), dimensions={2}')
    one(file, 'reverse_twice', (F23,), 'f32[2,3] reverse(a), dimensions={1,1}')
    one(file, 'reverse_result', (F23,), 'f32[3,2] reverse(a), dimensions={0}')
    one(file, 'iota_out_of_range', (), 'f32[3] iota(), iota_dimension=1')
    one(file, 'iota_negative', (), 'f32[3] iota(), iota_dimension=-1')
    one(file, 'iota_scalar', (), 'f32[] iota(), iota_dimension=0')
    one(file, 'iota_pred', (), 'pred[3] iota(), iota_dimension=0')
    one(file, 'iota_without_dimension', (), 'f32[3] iota()')
    one(file, 'constant_too_few', (), 'f32[3] constant({1, 2})', substring='')
    one(file, 'constant_too_many', (), 'f32[3] constant({1, 2, 3, 4})', substring='')
    one(file, 'constant_nesting_too_shallow', (), 'f32[2,2] constant({1, 2, 3, 4})', substring='')
    one(file, 'constant_nesting_too_deep', (), 'f32[2] constant({{1, 2}})', substring='')
    one(file, 'constant_out_of_range', (), 's8[] constant(300)', substring='300')
    one(file, 'constant_negative_unsigned', (), 'u8[] constant(-1)', substring='-1')
    one(file, 'constant_fraction_for_integer', (), 's32[] constant(1.5)', substring='')
    one(file, 'constant_word', (), 'f32[] constant(one)', substring='')
    one(file, 'constant_missing', (), 'f32[] constant()', substring='')
    one(file, 'copy_shape', (F23,), 'f32[3,2] copy(a)')
    one(file, 'copy_type', (F23,), 's32[2,3] copy(a)')


def contractions():
    file = File('error_contractions', 'dot, reduce, map: programs that must be refused.')

    def dims(l=(1,), r=(0,), lb=None, rb=None):
        text = ', lhs_contracting_dims={' + ','.join(map(str, l)) + '}, rhs_contracting_dims={' + ','.join(map(str, r)) + '}'
        if lb is not None:
            text = ', lhs_batch_dims={' + ','.join(map(str, lb)) + '}, rhs_batch_dims={' + ','.join(map(str, rb)) + '}' + text
        return text
    one(file, 'dot_contracting_sizes', ('f32[2,3]', 'f32[4,5]'), 'f32[2,5] dot(a, b)' + dims())
    one(file, 'dot_contracting_out_of_range', ('f32[2,3]', 'f32[3,5]'), 'f32[2,5] dot(a, b)' + dims((2,), (0,)))
    one(file, 'dot_contracting_negative', ('f32[2,3]', 'f32[3,5]'), 'f32[2,5] dot(a, b)' + dims((-1,), (0,)))
    one(file, 'dot_contracting_counts', ('f32[2,3]', 'f32[3,5]'), 'f32[5] dot(a, b)' + dims((0, 1), (0,)))
    one(file, 'dot_contracting_twice', ('f32[3,3]', 'f32[3,3]'), 'f32[] dot(a, b)' + dims((1, 1), (0, 1)))
    one(file, 'dot_batch_sizes', ('f32[2,3,4]', 'f32[3,4,5]'), 'f32[2,3,5] dot(a, b)' + dims((2,), (1,), (0,), (0,)))
    one(file, 'dot_batch_counts', ('f32[2,3,4]', 'f32[2,4,5]'), 'f32[2,3,5] dot(a, b)' + dims((2,), (1,), (0,), ()))
    one(file, 'dot_batch_out_of_range', ('f32[2,3,4]', 'f32[2,4,5]'), 'f32[2,3,5] dot(a, b)' + dims((2,), (1,), (3,), (0,)))
    one(file, 'dot_batch_is_contracting', ('f32[2,3]', 'f32[2,3]'), 'f32[2] dot(a, b)' + dims((0,), (0,), (0,), (0,)))
    one(file, 'dot_result', ('f32[2,3]', 'f32[3,5]'), 'f32[5,2] dot(a, b)' + dims())
    one(file, 'dot_result_rank', ('f32[2,3]', 'f32[3,5]'), 'f32[10] dot(a, b)' + dims())
    one(file, 'dot_one_operand', ('f32[2,3]',), 'f32[2,3] dot(a)' + dims())

    reduce_attributes = ', dimensions={1}, to_apply=sum'
    one(file, 'reduce_dimension_out_of_range', (F23, 'f32[]'), 'f32[2] reduce(a, b), dimensions={2}, to_apply=sum', ADD)
    one(file, 'reduce_dimension_negative', (F23, 'f32[]'), 'f32[2] reduce(a, b), dimensions={-1}, to_apply=sum', ADD)
    one(file, 'reduce_dimension_twice', (F23, 'f32[]'), 'f32[2] reduce(a, b), dimensions={1,1}, to_apply=sum', ADD)
    one(file, 'reduce_init_type', (F23, 's32[]'), 'f32[2] reduce(a, b)' + reduce_attributes, ADD)
    one(file, 'reduce_init_not_scalar', (F23, 'f32[2]'), 'f32[2] reduce(a, b)' + reduce_attributes, ADD)
    one(file, 'reduce_no_init', (F23,), 'f32[2] reduce(a)' + reduce_attributes, ADD)
    one(file, 'reduce_result', (F23, 'f32[]'), 'f32[3] reduce(a, b)' + reduce_attributes, ADD)
    one(file, 'reduce_no_computation', (F23, 'f32[]'), 'f32[2] reduce(a, b), dimensions={1}')
    one(file, 'reduce_computation_type', (F23, 'f32[]'), 'f32[2] reduce(a, b)' + reduce_attributes, ADD.replace('f32', 's32'))
    one(file, 'reduce_computation_arity', (F23, 'f32[]'), 'f32[2] reduce(a, b)' + reduce_attributes,
        'sum {\n  x = f32[] parameter(0)\n  ROOT z = f32[] add(x, x)\n}\n\n')
    one(file, 'reduce_computation_result', (F23, 'f32[]'), 'f32[2] reduce(a, b)' + reduce_attributes,
        'sum {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  ROOT z = pred[] compare(x, y), direction=LT\n}\n\n')
    one(file, 'reduce_variadic_shapes_differ', (F23, 'f32[2,4]', 'f32[]', 'f32[]'),
        '(f32[2], f32[2]) reduce(a, b, c, d), dimensions={1}, to_apply=two',
        'two {\n  p = f32[] parameter(0)\n  q = f32[] parameter(1)\n  r = f32[] parameter(2)\n  s = f32[] parameter(3)\n'
        '  ROOT z = (f32[], f32[]) tuple(p, q)\n}\n\n')
    one(file, 'map_computation_arity', (F23,), f'{F23} map(a), dimensions={{0,1}}, to_apply=sum', ADD)
    one(file, 'map_computation_type', ('s32[3]', 's32[3]'), 's32[3] map(a, b), dimensions={0}, to_apply=sum', ADD)
    one(file, 'map_shapes_differ', (F23, 'f32[3,2]'), f'{F23} map(a, b), dimensions={{0,1}}, to_apply=sum', ADD)


UNARY = 'f {\n  x = f32[] parameter(0)\n  ROOT y = f32[] negate(x)\n}\n\n'
COND = 'cond {\n  x = f32[] parameter(0)\n  one = f32[] constant(1)\n  ROOT c = pred[] compare(x, one), direction=LT\n}\n\n'


def control():
    file = File('error_control', 'Tuples, calls, loops and branches that must be refused.')
    one(file, 'get_tuple_element_out_of_range', ('(f32[], s32[])',), 'f32[] get-tuple-element(a), index=2')
    one(file, 'get_tuple_element_negative', ('(f32[], s32[])',), 'f32[] get-tuple-element(a), index=-1')
    one(file, 'get_tuple_element_type', ('(f32[], s32[])',), 'f32[] get-tuple-element(a), index=1')
    one(file, 'get_tuple_element_of_array', ('f32[2]',), 'f32[] get-tuple-element(a), index=0')
    one(file, 'get_tuple_element_without_index', ('(f32[], s32[])',), 'f32[] get-tuple-element(a)')
    one(file, 'tuple_shape', ('f32[]', 's32[]'), '(s32[], f32[]) tuple(a, b)')
    one(file, 'tuple_count', ('f32[]', 's32[]'), '(f32[]) tuple(a, b)')
    one(file, 'call_arity', ('f32[]', 'f32[]'), 'f32[] call(a, b), to_apply=f', UNARY)
    one(file, 'call_type', ('s32[]',), 'f32[] call(a), to_apply=f', UNARY)
    one(file, 'call_result', ('f32[]',), 's32[] call(a), to_apply=f', UNARY)
    one(file, 'call_of_nothing', ('f32[]',), 'f32[] call(a)')
    one(file, 'while_condition_not_pred', ('f32[]',), 'f32[] while(a), condition=f, body=f', UNARY)
    one(file, 'while_condition_parameter', ('s32[]',), 's32[] while(a), condition=cond, body=g',
        COND + 'g {\n  x = s32[] parameter(0)\n  ROOT y = s32[] negate(x)\n}\n\n')
    one(file, 'while_body_result', ('f32[]',), 'f32[] while(a), condition=cond, body=g',
        COND + 'g {\n  x = f32[] parameter(0)\n  ROOT y = s32[] convert(x)\n}\n\n')
    one(file, 'while_body_parameter', ('f32[]',), 'f32[] while(a), condition=cond, body=g',
        COND + 'g {\n  x = s32[] parameter(0)\n  ROOT y = f32[] convert(x)\n}\n\n')
    one(file, 'while_result', ('f32[]',), 's32[] while(a), condition=cond, body=f', COND + UNARY)
    one(file, 'while_without_body', ('f32[]',), 'f32[] while(a), condition=cond', COND)
    one(file, 'conditional_predicate_type', ('f32[]', 'f32[]'), 'f32[] conditional(a, b, b), true_computation=f, false_computation=f', UNARY)
    one(file, 'conditional_predicate_not_scalar', ('pred[2]', 'f32[]'), 'f32[] conditional(a, b, b), true_computation=f, false_computation=f', UNARY)
    one(file, 'conditional_index_type', ('s64[]', 'f32[]'), 'f32[] conditional(a, b, b), branch_computations={f, f}', UNARY)
    one(file, 'conditional_operand_count', ('s32[]', 'f32[]'), 'f32[] conditional(a, b, b), branch_computations={f, f, f}', UNARY)
    one(file, 'conditional_operand_type', ('pred[]', 's32[]'), 'f32[] conditional(a, b, b), true_computation=f, false_computation=f', UNARY)
    one(file, 'conditional_branch_results', ('pred[]', 'f32[]'), 'f32[] conditional(a, b, b), true_computation=f, false_computation=g',
        UNARY + 'g {\n  x = f32[] parameter(0)\n  ROOT y = s32[] convert(x)\n}\n\n')
    one(file, 'conditional_no_branches', ('s32[]',), 'f32[] conditional(a), branch_computations={}')
    one(file, 'opt_barrier_shape', ('f32[2]',), 'f32[3] opt-barrier(a)')


def text():
    file = File('error_text', 'Malformed HLO text.')

    def bad(name, program, substring='', mark=None):
        file.error(name, program, substring, line_of(program, mark) if mark else None)
    bad('undefined_operand', entry('a = f32[] parameter(0)', 'b = f32[] negate(nosuch)'), 'nosuch', 'nosuch')
    bad('undefined_computation', entry('a = f32[] parameter(0)', 'b = f32[] call(a), to_apply=nosuch'), 'nosuch', 'nosuch')
    bad('uses_itself', entry('a = f32[] parameter(0)', 'b = f32[] add(a, b)'), 'b', 'add(a, b)')
    bad('duplicate_instruction', entry('a = f32[] parameter(0)', 'twice = f32[] negate(a)', 'twice = f32[] abs(a)'), 'twice', 'abs(a)')
    bad('duplicate_computation', entry('a = f32[] parameter(0)', 'b = f32[] call(a), to_apply=f', computations=UNARY + UNARY), 'f')
    bad('two_roots', entry('a = f32[] parameter(0)', 'ROOT b = f32[] negate(a)', 'c = f32[] abs(a)'), 'ROOT')
    bad('two_entries', entry('a = f32[] parameter(0)') + '\n\n' + entry('b = f32[] parameter(0)').split('\n\n', 1)[1].replace('main', 'second'), '')
    bad('no_computation', 'HloModule empty\n', '')
    bad('unknown_opcode', entry('a = f32[] parameter(0)', 'b = f32[] frobnicate(a)'), 'frobnicate', 'frobnicate')
    bad('unknown_attribute', entry('a = f32[] parameter(0)', 'b = f32[] negate(a), frobnication={1}'), 'frobnication', 'frobnication')
    bad('duplicate_attribute', entry('a = f32[3] parameter(0)', 'b = f32[3] reverse(a), dimensions={0}, dimensions={0}'), 'dimensions', 'dimensions')
    bad('unknown_type', entry('a = f33[] parameter(0)'), 'f33', 'f33')
    bad('negative_size', entry('a = f32[-3] parameter(0)'), '', 'f32[-3]')
    bad('layout_not_a_permutation', entry('a = f32[2,3]{0,0} parameter(0)'), '', '{0,0}')
    bad('layout_rank', entry('a = f32[2,3]{0} parameter(0)'), '', '{0}')
    bad('size_overflows', entry('a = f32[9223372036854775807,9223372036854775807] parameter(0)'), '', '9223372036854775807')
    bad('number_overflows', entry('a = f32[99999999999999999999] parameter(0)'), '', '99999999999999999999')
    bad('parameter_twice', entry('a = f32[] parameter(0)', 'b = f32[] parameter(0)'), 'parameter')
    bad('parameter_missing', entry('a = f32[] parameter(0)', 'b = f32[] parameter(2)'), 'parameter')
    bad('parameter_negative', entry('a = f32[] parameter(-1)'), 'parameter', 'parameter')
    bad('calls_itself', entry('a = f32[] parameter(0)', 'b = f32[] call(a), to_apply=loop',
                              computations='loop {\n  x = f32[] parameter(0)\n  ROOT y = f32[] call(x), to_apply=loop\n}\n\n'), 'loop')
    bad('no_closing_brace', 'HloModule m\n\nENTRY main {\n  a = f32[] parameter(0)\n', '')
    bad('no_closing_parenthesis', entry('a = f32[] parameter(0)', 'b = f32[] negate(a'))
    bad('no_shape', entry('a = parameter(0)'), '', 'parameter')
    bad('no_equals', entry('a f32[] parameter(0)'), '', 'parameter')
    bad('unterminated_string', entry('a = f32[] parameter(0), metadata={op_name="open}'), '', 'open')
    bad('unterminated_comment', 'HloModule m\n\n/* open\nENTRY main {\n  ROOT a = f32[] parameter(0)\n}\n', '')
    bad('garbage_after', entry('a = f32[] parameter(0)') + '\n)', '')
    bad('operand_shape_disagrees', 'HloModule m\n\nENTRY %main (a: f32[2]) -> f32[2] {\n  %a = f32[2]{0} parameter(0)\n  ROOT %b = f32[2]{0} negate(f32[3]{0} %a)\n}',
        'a', 'negate')
    bad('signature_disagrees', 'HloModule m\n\nENTRY %main (a: f32[2]) -> s32[2] {\n  ROOT %a = f32[2]{0} parameter(0)\n}', '')


def make():
    elementwise()
    structural()
    contractions()
    control()
    text()
