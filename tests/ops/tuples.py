"""Cases of tuples, parameters and the ops that hand values on unchanged: tuple, get-tuple-element, parameter, copy (layout
change), opt-barrier.
"""
import numpy as np

from cases import File
from element_types import array

F, S = 'f32', 's32'


def tuples():
    file = File('tuple', 'tuple, get-tuple-element: nested, empty, repeated elements, several types.')
    v, s = array(F, range(10)), array(S, 5)
    file.case('seed_tuple', '''HloModule seed_tuple

ENTRY main {
  v = f32[10] constant({0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
  s = s32[] constant(5)
  ROOT t = (f32[10], s32[]) tuple(v, s)
}''', [], [v, s])
    file.case('seed_get_tuple_element', '''HloModule seed_get_tuple_element

ENTRY main {
  v = f32[10] constant({0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
  s = s32[] constant(5)
  t = (f32[10], s32[]) tuple(v, s)
  ROOT element_1 = s32[] get-tuple-element(t), index=1
}''', [], [s])
    file.case('nested', '''HloModule nested

ENTRY main {
  a = f32[2] parameter(0)
  b = s8[] parameter(1)
  c = pred[3] parameter(2)
  inner = (s8[], pred[3]) tuple(b, c)
  ROOT t = (f32[2], (s8[], pred[3]), f32[2]) tuple(a, inner, a)
}''', [array(F, [1, 2]), array('s8', -7), array('pred', [1, 0, 1])],
              [array(F, [1, 2]), array('s8', -7), array('pred', [1, 0, 1]), array(F, [1, 2])])
    file.case('nested_get', '''HloModule nested_get

ENTRY %main (a: f32[2], b: s8[]) -> s8[] {
  %a = f32[2]{0} parameter(0)
  %b = s8[] parameter(1)
  %inner = (s8[], f32[2]{0}) tuple(s8[] %b, f32[2]{0} %a)
  %t = ((s8[], f32[2]{0}), f32[2]{0}) tuple((s8[], f32[2]{0}) %inner, f32[2]{0} %a)
  %i = (s8[], f32[2]{0}) get-tuple-element(((s8[], f32[2]{0}), f32[2]{0}) %t), index=0
  ROOT %r = s8[] get-tuple-element((s8[], f32[2]{0}) %i), index=0
}''', [array(F, [1, 2]), array('s8', 4)], [array('s8', 4)])
    file.case('inner_tuple_is_result', '''HloModule inner_tuple_is_result

ENTRY main {
  a = f32[2] parameter(0)
  b = s32[] parameter(1)
  inner = (s32[], f32[2]) tuple(b, a)
  t = (f32[2], (s32[], f32[2])) tuple(a, inner)
  ROOT r = (s32[], f32[2]) get-tuple-element(t), index=1
}''', [array(F, [1, 2]), array(S, 4)], [array(S, 4), array(F, [1, 2])])
    file.case('empty', '''HloModule empty

ENTRY main {
  ROOT t = () tuple()
}''', [], [])
    file.case('empty_inside', '''HloModule empty_inside

ENTRY main {
  a = f32[] parameter(0)
  e = () tuple()
  ROOT t = ((), f32[]) tuple(e, a)
}''', [array(F, 1)], [array(F, 1)])
    file.case('same_element_twice', '''HloModule same_element_twice

ENTRY main {
  a = f32[] parameter(0)
  b = f32[] negate(a)
  ROOT t = (f32[], f32[], f32[]) tuple(b, a, b)
}''', [array(F, 1)], [array(F, -1), array(F, 1), array(F, -1)])
    file.case('mixed_layouts', '''HloModule mixed_layouts, entry_computation_layout={(f32[2,3]{0,1})->(f32[2,3]{0,1}, f32[2,3]{1,0})}

ENTRY main {
  a = f32[2,3]{0,1} parameter(0)
  b = f32[2,3]{1,0} negate(a)
  ROOT t = (f32[2,3]{0,1}, f32[2,3]{1,0}) tuple(a, b)
}''', [array(F, [[1, 2, 3], [4, 5, 6]])], [array(F, [[1, 2, 3], [4, 5, 6]]), array(F, [[-1, -2, -3], [-4, -5, -6]])], layouts=[(0, 1)])
    return file


def small_ops():
    file = File('parameter', 'parameter, copy (layout change), opt-barrier: values pass unchanged.')
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    file.case('root_is_parameter', 'HloModule root_is_parameter\n\nENTRY main {\n  ROOT p = f32[2,3] parameter(0)\n}', [x], [x])
    file.case('unused_parameter', 'HloModule unused_parameter\n\nENTRY main {\n  a = f32[2,3] parameter(0)\n  ROOT b = s32[] parameter(1)\n}',
              [x, array(S, 9)], [array(S, 9)])
    file.case('parameters_out_of_order', '''HloModule parameters_out_of_order

ENTRY main {
  b = f32[] parameter(1)
  c = f32[] parameter(2)
  a = f32[] parameter(0)
  ab = f32[] subtract(a, b)
  ROOT r = f32[] divide(ab, c)
}''', [array(F, 10), array(F, 4), array(F, 3)], [array(F, 2)])
    file.case('entry_layouts', '''HloModule entry_layouts, entry_computation_layout={(f32[2,3]{0,1})->f32[2,3]{0,1}}

ENTRY main {
  ROOT p = f32[2,3]{0,1} parameter(0)
}''', [x], [x], layouts=[(0, 1)])
    for t in ('pred', 's4', 'u4', 's8', 'u64', 'bf16', 'f16', 'f8e4m3fn', 'f8e5m2', 'f8e8m0fnu', 'f4e2m1fn', 'c64', 'c128'):
        a = array(t, [1, 2, 4, 1] if t != 'pred' else [1, 0, 0, 1]).reshape(2, 2)
        file.case(f'through_{t}', f'HloModule through_{t}\n\nENTRY main {{\n  a = {t}[2,2] parameter(0)\n  ROOT r = {t}[2,2] copy(a)\n}}', [a], [a])
    for name, source, target in (('to_column_major', (1, 0), (0, 1)), ('to_row_major', (0, 1), (1, 0)), ('same', (1, 0), (1, 0))):
        layouts = ['{' + ','.join(map(str, o)) + '}' for o in (source, target)]
        text = (f'HloModule copy_{name}, entry_computation_layout={{(f32[2,3]{layouts[0]})->f32[2,3]{layouts[1]}}}\n\nENTRY %main (a: f32[2,3]) -> f32[2,3] {{\n'
                f'  %a = f32[2,3]{layouts[0]} parameter(0)\n  ROOT %copy.1 = f32[2,3]{layouts[1]} copy(f32[2,3]{layouts[0]} %a)\n}}')
        file.case(f'copy_{name}', text, [x], [x], layouts=[source])
    y = np.arange(24, dtype=np.int32).reshape(2, 3, 4)
    file.case('copy_three_dimensions', '''HloModule copy_three_dimensions

ENTRY main {
  a = s32[2,3,4]{1,2,0} parameter(0)
  b = s32[2,3,4]{0,1,2} copy(a)
  c = s32[2,3,4]{2,0,1} negate(b)
  ROOT d = s32[2,3,4]{2,1,0} copy(c)
}''', [y], [-y], layouts=[(1, 2, 0)])
    file.case('copy_scalar', 'HloModule copy_scalar\n\nENTRY main {\n  a = f32[] parameter(0)\n  ROOT b = f32[] copy(a)\n}', [array(F, 2)], [array(F, 2)])
    file.case('copy_empty', 'HloModule copy_empty\n\nENTRY main {\n  a = f32[0,3]{0,1} parameter(0)\n  ROOT b = f32[0,3]{1,0} copy(a)\n}',
              [np.zeros((0, 3), np.float32)], [np.zeros((0, 3), np.float32)])
    file.case('opt_barrier', '''HloModule opt_barrier

ENTRY main {
  a = f32[2,3] parameter(0)
  b = f32[2,3] opt-barrier(a)
  ROOT r = f32[2,3] add(a, b)
}''', [x], [x + x])
    file.case('opt_barrier_tuple', '''HloModule opt_barrier_tuple

ENTRY main {
  a = f32[2,3] parameter(0)
  b = s32[] parameter(1)
  t = (f32[2,3], s32[]) tuple(a, b)
  o = (f32[2,3], s32[]) opt-barrier(t)
  c = s32[] get-tuple-element(o), index=1
  d = f32[2,3] get-tuple-element(o), index=0
  ROOT r = (s32[], f32[2,3]) tuple(c, d)
}''', [x, array(S, 3)], [array(S, 3), x])
    return file


def make():
    tuples()
    small_ops()
