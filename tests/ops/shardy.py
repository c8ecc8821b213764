"""Cases of the sdy dialect: in the program's view every array is whole, so that all that says where it is keeps its value."""
import numpy as np

from cases import File
from element_types import array

MAIN = '''sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x4xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}, {{}}]>}}) -> tensor<8x4xf32> {{
  {0}
  return %r : tensor<8x4xf32>
}}'''
TYPE = ' : tensor<8x4xf32>'
KEEPING = {
    'all_gather': '[{"x"}, {}] %a out_sharding=<@mesh, [{}, {}]>',
    'all_slice': '[{"y"}, {}] %a out_sharding=<@mesh, [{"x", "y"}, {}]>',
    'all_to_all': '[{"x"}: 0->1] %a out_sharding=<@mesh, [{}, {"x"}]>',
    'collective_permute': '%a out_sharding=<@mesh, [{"y":(1)2}, {}]>',
    'all_reduce': '{"y"} %a out_sharding=<@mesh, [{"x"}, {}]>',
    'reduce_scatter': '[{"y"}, {}] %a out_sharding=<@mesh, [{"x", "y"}, {}]>',
    'replicated_to_unreduced': '{"y"} %a out_sharding=<@mesh, [{"x"}, {}], unreduced={"y"}>',
    'sharded_to_unreduced': '[{"x"}, {}] %a out_sharding=<@mesh, [{}, {}], replicated={"y"}, unreduced={"x"}>',
    'data_flow_edge': '%a sharding=<@mesh, [{"x"}, {}]>',
    'reshard': '%a <@mesh, [{?}, {"y", ?}p1]>',
    'sharding_constraint': '%a <mesh<["z"=4]>, [{"z"}, {}]>',
    'propagation_barrier': '%a allowed_direction=FORWARD',
}
GENERIC = {
    'all_gather': 'gathering_axes = #sdy<list_of_axis_ref_lists[{"x"}, {}]>, out_sharding = #sdy.sharding<@mesh, [{}, {}]>',
    'all_to_all': 'out_sharding = #sdy.sharding<@mesh, [{}, {"x"}]>, params = #sdy<all_to_all_param_list[{"x"}: 0->1]>',
    'all_reduce': 'out_sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, reduction_axes = #sdy<axis_ref_list{"y"}>',
    'replicated_to_unreduced': 'axes = #sdy<axis_ref_list{"y"}>, out_sharding = #sdy.sharding<@mesh, [{"x"}, {}], unreduced={"y"}>',
    'data_flow_edge': 'sharding = #sdy.sharding<@mesh, [{"x"}, {}]>',
    'propagation_barrier': 'allowed_direction = 1 : i32',
}
NAMED = '''%0 = sdy.named_computation<"double">(%a) SHARDINGS(%b: tensor<8x4xf32>) {
    %1 = stablehlo.add %b, %b : tensor<8x4xf32>
    sdy.return %1 : tensor<8x4xf32>
  } : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %c = sdy.constant dense<1.0> : tensor<8x4xf32>
  %r = stablehlo.add %0, %c : tensor<8x4xf32>'''
NAMED_GENERIC = '''%r = "sdy.named_computation"(%a) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>, name = "double", out_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}> ({
  ^bb0(%b: tensor<8x4xf32>):
    %1 = stablehlo.add %b, %b : tensor<8x4xf32>
    "sdy.return"(%1) : (tensor<8x4xf32>) -> ()
  }) : (tensor<8x4xf32>) -> tensor<8x4xf32>'''
UNREDUCED = '''sdy.mesh @mesh = <["x"=2, "y"=3]>
func.func @main(%a: tensor<4x3xf32>, %b: tensor<3x2xf32>) -> tensor<4x2xf32> {
  %0 = sdy.manual_computation(%a, %b) in_shardings=[<@mesh, [{"x"}, {"y"}]>, <@mesh, [{"y"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}], unreduced={"y"}>] manual_axes={"x", "y"} (%c: tensor<2x1xf32>, %d: tensor<1x2xf32>) {
    %1 = stablehlo.dot_general %c, %d, contracting_dims = [1] x [0] : (tensor<2x1xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
    sdy.return %1 : tensor<2x2xf32>
  } : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  %2 = sdy.all_reduce {"y"} %0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<4x2xf32>
  return %2 : tensor<4x2xf32>
}'''

# As JAX writes jax.reshard to an unreduced array, and jax.shard_map of it. XLA's CPU backend, on four devices, gives the body the
# array on the first device along the axis, and zeros on the other.
SHARES = '''sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<4xf32>) -> tensor<2x2x4xf32> {
  %0 = sdy.sharding_constraint %a <@mesh, [{}], unreduced={"y"}> : tensor<4xf32>
  %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{}], unreduced={"y"}>] out_shardings=[<@mesh, [{"x"}, {"y"}, {}]>] manual_axes={"x", "y"} (%b: tensor<4xf32>) {
    %2 = stablehlo.broadcast_in_dim %b, dims = [2] : (tensor<4xf32>) -> tensor<1x1x4xf32>
    sdy.return %2 : tensor<1x1x4xf32>
  } : (tensor<4xf32>) -> tensor<2x2x4xf32>
  return %1 : tensor<2x2x4xf32>
}'''
# Shares go on from body to body: XLA gives 2 (a + 1)^2 here. (JAX checks, unless told not to, that bodies are linear in them.)
CHAINED = '''sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %1 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{}]>] out_shardings=[<@mesh, [{}], unreduced={"y"}>] manual_axes={"x", "y"} (%b: tensor<4xf32>) {
    %one = stablehlo.constant dense<1.0> : tensor<4xf32>
    %2 = stablehlo.add %b, %one : tensor<4xf32>
    sdy.return %2 : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  %0 = sdy.sharding_constraint %1 <@mesh, [{}], unreduced={"y"}> : tensor<4xf32>
  %3 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{}], unreduced={"y"}>] out_shardings=[<@mesh, [{}], unreduced={"y"}>] manual_axes={"x", "y"} (%b: tensor<4xf32>) {
    %2 = stablehlo.multiply %b, %b : tensor<4xf32>
    sdy.return %2 : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  %4 = sdy.sharding_constraint %3 <@mesh, [{}]> : tensor<4xf32>
  return %4 : tensor<4xf32>
}'''
NESTED_SHARES = '''sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %1 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<2x2xf32>) {
    %2 = sdy.manual_computation(%b) in_shardings=[<@mesh, [{}, {}], unreduced={"y"}>] out_shardings=[<@mesh, [{}, {}], unreduced={"y"}>] manual_axes={"y"} (%c: tensor<2x2xf32>) {
      %one = stablehlo.constant dense<1.0> : tensor<2x2xf32>
      %3 = stablehlo.add %c, %one : tensor<2x2xf32>
      sdy.return %3 : tensor<2x2xf32>
    } : (tensor<2x2xf32>) -> tensor<2x2xf32>
    sdy.return %2 : tensor<2x2xf32>
  } : (tensor<4x2xf32>) -> tensor<4x2xf32>
  return %1 : tensor<4x2xf32>
}'''


def make():
    file = File('stablehlo_shardy', 'sdy: collectives, constraints, barriers and edges, which keep values; named computations; unreduced results.')
    x = array('f32', np.arange(32).reshape(8, 4))
    for name, text in KEEPING.items():
        file.case(name, MAIN.format(f'%r = sdy.{name} {text}{TYPE}'), [x], [x], trust=False)
    for name, text in GENERIC.items():
        file.case(f'{name}_generic', MAIN.format(f'%r = "sdy.{name}"(%a) <{{{text}}}> : (tensor<8x4xf32>) -> tensor<8x4xf32>'), [x], [x], trust=False)
    file.case('edge_without_sharding', MAIN.format(f'%r = sdy.data_flow_edge %a{TYPE}'), [x], [x], trust=False)
    for name, shardings in (('named_computation', ''), ('named_computation_sharded', 'in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] ')):
        file.case(name, MAIN.format(NAMED.replace('SHARDINGS', shardings)), [x], [2 * x + 1], trust=False)
    file.case('named_computation_generic', MAIN.format(NAMED_GENERIC), [x], [2 * x], trust=False)
    a, b = array('f32', np.arange(12).reshape(4, 3) - 5), array('f32', [[1, 2], [3, -4], [5, 6]])
    file.case('unreduced_result', UNREDUCED, [a, b], [a @ b], trust=False)
    v = array('f32', [1, 2, 3, 4])
    file.case('unreduced_operand', SHARES, [v], [array('f32', [[v, 0 * v], [v, 0 * v]])], trust=False)
    # Parts of an axis: devices 0 and 2 along y stand first in their halves.
    halves = SHARES.replace('"x"=2, "y"=2', '"x"=1, "y"=4').replace('unreduced={"y"}', 'unreduced={"y":(2)2}').replace('2x2x4', '1x4x4')
    file.case('unreduced_part_of_axis', halves, [v], [array('f32', [[v, 0 * v, v, 0 * v]])], trust=False)
    file.case('unreduced_slower_part', halves.replace('(2)2', '(1)2'), [v], [array('f32', [[v, v, 0 * v, 0 * v]])], trust=False)
    parts = halves.replace('(%0) in_shardings=[<@mesh, [{}], unreduced={"y":(2)2}>]', '(%0) in_shardings=[<@mesh, [{"y":(1)2}], unreduced={"y":(2)2}>]')
    parts = parts.replace('%b: tensor<4xf32>', '%b: tensor<2xf32>').replace('%b, dims = [2] : (tensor<4xf32>) -> tensor<1x1x4xf32>', '%b, dims = [2] : (tensor<2xf32>) -> tensor<1x1x2xf32>')
    parts = parts.replace('%2 : tensor<1x1x4xf32>', '%2 : tensor<1x1x2xf32>').replace('1x4x4', '1x4x2')
    file.case('unreduced_and_split_by_parts', parts, [v], [array('f32', [[v[:2], [0, 0], v[2:], [0, 0]]])], trust=False)
    file.case('unreduced_from_body_to_body', CHAINED, [v], [2 * (v + 1) ** 2], trust=False)
    w = array('f32', np.arange(8).reshape(4, 2))
    file.case('nested_unreduced', NESTED_SHARES, [w], [w + 2], trust=False)
    bad = File('error_shardy', 'Shardings that must be refused.')
    for name, text, message in (('no_mesh', 'all_gather [{"x"}, {}] %a out_sharding=<@other, [{}, {}]>', 'there is no mesh @other'),
                                ('no_axis', 'all_slice [{"z"}, {}] %a out_sharding=<@mesh, [{"z"}, {}]>', 'the mesh has no axis'),
                                ('rank', 'all_reduce {"y"} %a out_sharding=<@mesh, [{"x"}]>', 'the sharding has 1 dimensions, the array 2'),
                                ('axis_twice', 'reshard %a <@mesh, [{"x"}, {"x"}]>', 'the axis splits this array already'),
                                ('unreduced_twice', 'reshard %a <@mesh, [{}, {}], unreduced={"x", "x"}>', 'the axis splits this array already'),
                                ('unreduced_and_split', 'reshard %a <@mesh, [{"x"}, {}], unreduced={"x"}>', 'the axis splits this array already'),
                                ('no_sharding', 'all_reduce {"y"} %a', "out_sharding")):
        bad.error(name, MAIN.format(f'%r = sdy.{text}{TYPE}'), message, 3)
    bad.error('changes_type', MAIN.format('%0 = sdy.all_gather [{"x"}, {}] %a out_sharding=<@mesh, [{}, {}]> : (tensor<8x4xf32>) -> tensor<16x4xf32>\n'
                                          '  %r = stablehlo.add %a, %a : tensor<8x4xf32>'), 'f32[16,4]', 3)
