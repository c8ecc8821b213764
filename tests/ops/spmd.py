"""Cases of programs that are partly written for one device of many: JAX's shard_map as its HLO and its StableHLO, with
XLA's shardings and with Shardy's. The reference cuts the arrays and computes as each device does.
"""
import numpy as np

import xla
from cases import File
from element_types import array

# Devices stand in a grid x = 2, y = 2. Each adds its rows of a over x, and the sum of its part of b.
BODY = '''sum {
  p = f32[] parameter(0)
  q = f32[] parameter(1)
  ROOT r = f32[] add(p, q)
}

body {
  a = f32[2,2] parameter(0)
  b = f32[4,1] parameter(1)
  s = f32[2,2] all-reduce(a), channel_id=1, replica_groups={{0,2},{1,3}}, use_global_device_ids=true, to_apply=sum
  zero = f32[] constant(0)
  t = f32[] reduce(b, zero), dimensions={0,1}, to_apply=sum
  u = f32[2,2] broadcast(t), dimensions={}
  v = f32[2,2] add(s, u)
  w = f32[1,4,1] reshape(b)
  g = f32[2,4,1] all-gather(w), channel_id=1, replica_groups={{0,1},{2,3}}, dimensions={0}, use_global_device_ids=true
  ROOT r = (f32[2,2], f32[2,4,1]) tuple(v, g)
}
'''
GSPMD = '''HloModule gspmd

%s
ENTRY main {
  a = f32[4,4] parameter(0), sharding={devices=[2,2]<=[4]}
  b = f32[8,1] parameter(1)
  c = f32[8,1] custom-call(b), custom_call_target="Sharding", sharding={devices=[2,1,2]<=[2,2]T(1,0) last_tile_dim_replicate}
  d = f32[2,2] custom-call(a), custom_call_target="SPMDFullToShardShape", sharding={manual}
  e = f32[4,1] custom-call(c), custom_call_target="SPMDFullToShardShape", sharding={manual}
  f = (f32[2,2], f32[2,4,1]) call(d, e), to_apply=body
  g = f32[2,2] get-tuple-element(f), index=0
  h = f32[2,4,1] get-tuple-element(f), index=1
  i = f32[2,4] custom-call(g), custom_call_target="SPMDShardToFullShape", sharding={devices=[1,2,2]0,2,1,3 last_tile_dim_replicate}
  j = f32[4,4,1] custom-call(h), custom_call_target="SPMDShardToFullShape", sharding={devices=[2,1,1,2]<=[4] last_tile_dim_replicate}
  ROOT r = (f32[2,4], f32[4,4,1]) tuple(i, j)
}''' % BODY
SDY = '''HloModule shardy, frontend_attributes={xla.sdy.meshes={mesh = #sdy.mesh<["x"=2, "y"=2]>}}

%s
ENTRY main {
  a = f32[4,4]{0,1} parameter(0)
  b = f32[8,1] parameter(1)
  c = (f32[2,2], f32[4,1]) custom-call(a, b), custom_call_target="xla.sdy.GlobalToLocalShape", custom_call_has_side_effect=true, frontend_attributes={xla.sdy.in_shardings="#sdy.sharding_per_value<[<@mesh, [{\\"x\\"}, {\\"y\\"}]>, <@mesh, [{\\"y\\"}, {}]>]>",xla.sdy.manual_axes="#sdy<manual_axes{\\"x\\", \\"y\\"}>"}
  d = f32[2,2] get-tuple-element(c), index=0
  e = f32[4,1] get-tuple-element(c), index=1
  f = (f32[2,2], f32[2,4,1]) call(d, e), to_apply=body
  g = f32[2,2] get-tuple-element(f), index=0
  h = f32[2,4,1] get-tuple-element(f), index=1
  ROOT i = (f32[2,4], f32[4,4,1]) custom-call(g, h), custom_call_target="xla.sdy.LocalToGlobalShape", custom_call_has_side_effect=true, frontend_attributes={xla.sdy.manual_axes="#sdy<manual_axes{\\"x\\", \\"y\\"}>",xla.sdy.out_shardings="#sdy.sharding_per_value<[<@mesh, [{}, {\\"y\\"}]>, <@mesh, [{\\"x\\"}, {}, {}]>]>"}
}''' % BODY
STABLEHLO = '''module @spmd attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x4xf32>, %arg1: tensor<8x1xf32>) -> (tensor<2x4xf32>, tensor<4x4x1xf32>) {
    %0 = stablehlo.custom_call @Sharding(%arg0) {backend_config = "", mhlo.sharding = "{devices=[2,2]<=[4]}"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<4x4xf32>) -> tensor<2x2xf32>
    %2 = stablehlo.custom_call @Sharding(%arg1) {mhlo.sharding = "{devices=[2,1,2]<=[2,2]T(1,0) last_tile_dim_replicate}"} : (tensor<8x1xf32>) -> tensor<8x1xf32>
    %3 = stablehlo.custom_call @SPMDFullToShardShape(%2) {mhlo.sharding = "{manual}"} : (tensor<8x1xf32>) -> tensor<4x1xf32>
    %4:2 = call @body(%1, %3) : (tensor<2x2xf32>, tensor<4x1xf32>) -> (tensor<2x2xf32>, tensor<2x4x1xf32>)
    %5 = stablehlo.custom_call @Sharding(%4#0) {mhlo.sharding = "{manual}"} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %6 = stablehlo.custom_call @SPMDShardToFullShape(%5) {mhlo.sharding = "{devices=[1,2,2]<=[2,2]T(1,0) last_tile_dim_replicate}"} : (tensor<2x2xf32>) -> tensor<2x4xf32>
    %7 = stablehlo.custom_call @SPMDShardToFullShape(%4#1) {mhlo.sharding = "{devices=[2,1,1,2]<=[4] last_tile_dim_replicate}"} : (tensor<2x4x1xf32>) -> tensor<4x4x1xf32>
    return %6, %7 : tensor<2x4xf32>, tensor<4x4x1xf32>
  }
  func.func private @body(%arg0: tensor<2x2xf32>, %arg1: tensor<4x1xf32>) -> (tensor<2x2xf32>, tensor<2x4x1xf32>) {
    %0 = "stablehlo.all_reduce"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %6 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %6 : tensor<f32>
    }) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %cst = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%arg1 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x1xf32>, tensor<f32>) -> tensor<f32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
    %3 = stablehlo.add %0, %2 : tensor<2x2xf32>
    %4 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x1xf32>) -> tensor<1x4x1xf32>
    %5 = "stablehlo.all_gather"(%4) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<1x4x1xf32>) -> tensor<2x4x1xf32>
    return %3, %5 : tensor<2x2xf32>, tensor<2x4x1xf32>
  }
}'''
SMALL = '''HloModule small

ENTRY main {
  a = f32[4] parameter(0)SHARDING
  b = f32[PART] custom-call(a), custom_call_target="SPMDFullToShardShape", sharding={manual}
  ROOT c = f32[4] custom-call(b), custom_call_target="SPMDShardToFullShape", sharding={devices=[2]<=[2]}
}'''

# As JAX wrote shard_map of unreduced arrays: what XLA's CPU backend gives on four devices is kept below.
UNREDUCED = r'''HloModule jit_h, entry_computation_layout={(f32[4]{0})->f32[2,2,4]{2,1,0}}, frontend_attributes={xla.sdy.meshes={mesh = #sdy.mesh<["x"=2, "y"=2]>}}

xla.sdy.manual_computation_body.1 {
  shard_map.2 = f32[4]{0} parameter(0)
  ROOT broadcast_in_dim.1 = f32[1,1,4]{2,1,0} reshape(shard_map.2)
}

ENTRY main.2 {
  x.1 = f32[4]{0} parameter(0), sharding={replicated}, frontend_attributes={xla.sdy.sharding="#sdy.sharding<@mesh, [{}]>"}
  reshard.1 = f32[4]{0} custom-call(x.1), custom_call_target="Sharding", custom_call_has_side_effect=true, sharding={devices=[1,2,2]<=[2,2]T(1,0) last_tile_dims={unreduced, replicated}}, frontend_attributes={xla.sdy.sharding="#sdy.sharding_per_value<[<@mesh, [{}], unreduced={\"y\"}>]>"}
  shard_map.6 = f32[4]{0} custom-call(reshard.1), custom_call_target="xla.sdy.GlobalToLocalShape", custom_call_has_side_effect=true, frontend_attributes={xla.sdy.in_shardings="#sdy.sharding_per_value<[<@mesh, [{}], unreduced={\"y\"}>]>",xla.sdy.manual_axes="#sdy<manual_axes{\"x\", \"y\"}>"}
  shard_map.7 = f32[1,1,4]{2,1,0} call(shard_map.6), to_apply=xla.sdy.manual_computation_body.1, frontend_attributes={inlineable="false"}
  shard_map.8 = f32[2,2,4]{2,1,0} custom-call(shard_map.7), custom_call_target="xla.sdy.LocalToGlobalShape", custom_call_has_side_effect=true, frontend_attributes={xla.sdy.manual_axes="#sdy<manual_axes{\"x\", \"y\"}>",xla.sdy.out_shardings="#sdy.sharding_per_value<[<@mesh, [{\"x\"}, {\"y\"}, {}]>]>"}
  shard_map.9 = f32[2,2,4]{2,1,0} custom-call(shard_map.8), custom_call_target="xla.sdy.FuncResultSharding", custom_call_has_side_effect=true, frontend_attributes={xla.sdy.sharding="#sdy.sharding_per_value<[<@mesh, [{\"x\"}, {\"y\"}, {}]>]>"}
  tuple.1 = (f32[2,2,4]{2,1,0}) tuple(shard_map.9)
  ROOT get-tuple-element.1 = f32[2,2,4]{2,1,0} get-tuple-element(tuple.1), index=0, sharding={devices=[2,2,1]<=[4]}
}'''
UNREDUCED_RESULT = r'''HloModule jit_q2, entry_computation_layout={(f32[4]{0})->f32[4]{0}}, frontend_attributes={xla.sdy.meshes={mesh = #sdy.mesh<["x"=2, "y"=2]>}}

xla.sdy.manual_computation_body.1 {
  shard_map.2 = f32[2]{0} parameter(0)
  constant.1 = f32[] constant(1)
  broadcast.1 = f32[2]{0} broadcast(constant.1), dimensions={}
  ROOT add.1 = f32[2]{0} add(shard_map.2, broadcast.1)
}

q.2 {
  Arg_0.1 = f32[4]{0} parameter(0)
  reshard.1 = f32[4]{0} custom-call(Arg_0.1), custom_call_target="Sharding", custom_call_has_side_effect=true, sharding={devices=[2,2]<=[4] last_tile_dims={unreduced}}, frontend_attributes={xla.sdy.sharding="#sdy.sharding_per_value<[<@mesh, [{\"x\"}], unreduced={\"y\"}>]>"}
  shard_map.5 = f32[2]{0} custom-call(reshard.1), custom_call_target="xla.sdy.GlobalToLocalShape", custom_call_has_side_effect=true, frontend_attributes={xla.sdy.in_shardings="#sdy.sharding_per_value<[<@mesh, [{\"x\"}], unreduced={\"y\"}>]>",xla.sdy.manual_axes="#sdy<manual_axes{\"x\", \"y\"}>"}
  shard_map.6 = f32[2]{0} call(shard_map.5), to_apply=xla.sdy.manual_computation_body.1, frontend_attributes={inlineable="false"}
  ROOT shard_map.7 = f32[4]{0} custom-call(shard_map.6), custom_call_target="xla.sdy.LocalToGlobalShape", custom_call_has_side_effect=true, frontend_attributes={xla.sdy.manual_axes="#sdy<manual_axes{\"x\", \"y\"}>",xla.sdy.out_shardings="#sdy.sharding_per_value<[<@mesh, [{\"x\"}], unreduced={\"y\"}>]>"}
}

ENTRY main.3 {
  x.1 = f32[4]{0} parameter(0), sharding={replicated}, frontend_attributes={xla.sdy.sharding="#sdy.sharding<@mesh, [{}]>"}
  jit_q_.1 = f32[4]{0} call(x.1), to_apply=q.2
  reshard.4 = f32[4]{0} custom-call(jit_q_.1), custom_call_target="Sharding", sharding={replicated}, frontend_attributes={xla.sdy.sharding="#sdy.sharding_per_value<[<@mesh, [{}]>]>"}
  reshard.5 = f32[4]{0} custom-call(reshard.4), custom_call_target="xla.sdy.FuncResultSharding", custom_call_has_side_effect=true, frontend_attributes={xla.sdy.sharding="#sdy.sharding_per_value<[<@mesh, [{}]>]>"}
  tuple.1 = (f32[4]{0}) tuple(reshard.5)
  ROOT get-tuple-element.1 = f32[4]{0} get-tuple-element(tuple.1), index=0, sharding={replicated}
}'''

UNREDUCED_ON = r'''HloModule jit_chain, entry_computation_layout={(f32[4]{0})->f32[4]{0}}, frontend_attributes={xla.sdy.meshes={mesh = #sdy.mesh<["x"=2, "y"=2]>}}

xla.sdy.manual_computation_body.1 {
  shard_map.2 = f32[4]{0} parameter(0)
  constant.1 = f32[] constant(1)
  broadcast.1 = f32[4]{0} broadcast(constant.1), dimensions={}
  ROOT add.1 = f32[4]{0} add(shard_map.2, broadcast.1)
}

xla.sdy.manual_computation_body_0.2 {
  shard_map.7 = f32[4]{0} parameter(0)
  ROOT mul.1 = f32[4]{0} multiply(shard_map.7, shard_map.7)
}

ENTRY main.3 {
  x.1 = f32[4]{0} parameter(0), sharding={replicated}, frontend_attributes={xla.sdy.sharding="#sdy.sharding<@mesh, [{}]>"}
  shard_map.10 = f32[4]{0} custom-call(x.1), custom_call_target="xla.sdy.GlobalToLocalShape", custom_call_has_side_effect=true, frontend_attributes={xla.sdy.in_shardings="#sdy.sharding_per_value<[<@mesh, [{}]>]>",xla.sdy.manual_axes="#sdy<manual_axes{\"x\", \"y\"}>"}
  shard_map.11 = f32[4]{0} call(shard_map.10), to_apply=xla.sdy.manual_computation_body.1, frontend_attributes={inlineable="false"}
  shard_map.12 = f32[4]{0} custom-call(shard_map.11), custom_call_target="xla.sdy.LocalToGlobalShape", custom_call_has_side_effect=true, frontend_attributes={xla.sdy.manual_axes="#sdy<manual_axes{\"x\", \"y\"}>",xla.sdy.out_shardings="#sdy.sharding_per_value<[<@mesh, [{}], unreduced={\"y\"}>]>"}
  shard_map.13 = f32[4]{0} custom-call(shard_map.12), custom_call_target="xla.sdy.GlobalToLocalShape", custom_call_has_side_effect=true, frontend_attributes={xla.sdy.in_shardings="#sdy.sharding_per_value<[<@mesh, [{}], unreduced={\"y\"}>]>",xla.sdy.manual_axes="#sdy<manual_axes{\"x\", \"y\"}>"}
  shard_map.14 = f32[4]{0} call(shard_map.13), to_apply=xla.sdy.manual_computation_body_0.2, frontend_attributes={inlineable="false"}
  shard_map.15 = f32[4]{0} custom-call(shard_map.14), custom_call_target="xla.sdy.LocalToGlobalShape", custom_call_has_side_effect=true, frontend_attributes={xla.sdy.manual_axes="#sdy<manual_axes{\"x\", \"y\"}>",xla.sdy.out_shardings="#sdy.sharding_per_value<[<@mesh, [{}], unreduced={\"y\"}>]>"}
  reshard.2 = f32[4]{0} custom-call(shard_map.15), custom_call_target="Sharding", sharding={replicated}, frontend_attributes={xla.sdy.sharding="#sdy.sharding_per_value<[<@mesh, [{}]>]>"}
  reshard.3 = f32[4]{0} custom-call(reshard.2), custom_call_target="xla.sdy.FuncResultSharding", custom_call_has_side_effect=true, frontend_attributes={xla.sdy.sharding="#sdy.sharding_per_value<[<@mesh, [{}]>]>"}
  tuple.1 = (f32[4]{0}) tuple(reshard.3)
  ROOT get-tuple-element.1 = f32[4]{0} get-tuple-element(tuple.1), index=0, sharding={replicated}
}'''
SHARD_ALIKE = r'''HloModule jit__lambda, entry_computation_layout={(f32[8]{0})->f32[8]{0}}, frontend_attributes={xla.sdy.meshes={mesh = #sdy.mesh<["x"=2, "y"=2]>}}

ENTRY main.1 {
  x.1 = f32[8]{0} parameter(0), sharding={devices=[2,2]<=[4] last_tile_dim_replicate}, frontend_attributes={xla.sdy.sharding="#sdy.sharding<@mesh, [{\"x\"}]>"}
  shard_alike.2 = () custom-call(x.1), custom_call_target="xla.sdy.ShardingGroup", custom_call_has_side_effect=true, frontend_attributes={xla.sdy.sharding_group_id="0 : i64"}
  constant.1 = f32[] constant(2)
  broadcast.1 = f32[8]{0} broadcast(constant.1), dimensions={}
  mul.4 = f32[8]{0} custom-call(broadcast.1), custom_call_target="Sharding", sharding={devices=[2,2]<=[4] last_tile_dim_replicate}, frontend_attributes={xla.sdy.sharding="#sdy.sharding_per_value<[<@mesh, [{\"x\"}]>]>"}
  mul.5 = f32[8]{0} multiply(x.1, mul.4)
  mul.6 = f32[8]{0} custom-call(mul.5), custom_call_target="Sharding", sharding={devices=[2,2]<=[4] last_tile_dim_replicate}, frontend_attributes={xla.sdy.sharding="#sdy.sharding_per_value<[<@mesh, [{\"x\"}]>]>"}
  shard_alike.3 = () custom-call(mul.6), custom_call_target="xla.sdy.ShardingGroup", custom_call_has_side_effect=true, frontend_attributes={xla.sdy.sharding_group_id="0 : i64"}
  mul.7 = f32[8]{0} custom-call(mul.6), custom_call_target="xla.sdy.FuncResultSharding", custom_call_has_side_effect=true, frontend_attributes={xla.sdy.sharding="#sdy.sharding_per_value<[<@mesh, [{\"x\"}]>]>"}
  tuple.1 = (f32[8]{0}) tuple(mul.7)
  ROOT get-tuple-element.1 = f32[8]{0} get-tuple-element(tuple.1), index=0, sharding={devices=[2,2]<=[4] last_tile_dim_replicate}
}'''


def make():
    file = File('spmd', 'Boundaries of work for one device: XLA\'s shardings and Shardy\'s, as HLO and StableHLO.')
    a, b = array('f32', np.arange(16).reshape(4, 4) - 6), array('f32', np.arange(8).reshape(8, 1) * 2 - 5)
    halves = b[:4], b[4:]
    first = np.concatenate([a[:2, 2 * y:2 * y + 2] + a[2:, 2 * y:2 * y + 2] + halves[y].sum() for y in range(2)], 1)
    gathered = np.stack(halves)
    second = np.concatenate([gathered, gathered])
    # XLA expects that many devices.
    file.case('gspmd', GSPMD, [a, b], [first, second], trust=False)
    file.case('shardy', SDY, [a, b], [first, second], layouts=[(0, 1), None], trust=False)
    file.case('stablehlo', STABLEHLO, [a, b], [first, second], trust=False)
    for form in (False, True):
        name = 'shardy_stablehlo' + '_generic' * form
        file.case(name, xla.print_stablehlo(SDY, form), [a, b], [first, second], layouts=[(0, 1), None], trust=False)
    x = array('f32', [1, 2, 3, 4])
    file.case('unreduced', UNREDUCED, [x], [array('f32', [[x, 0 * x], [x, 0 * x]])], trust=False)
    file.case('unreduced_result', UNREDUCED_RESULT, [x], [x + 2], trust=False)
    file.case('one_device', SMALL.replace('SHARDING', '').replace('PART', '4').replace('[2]<=[2]', '[1]0'), [x], [x], trust=False)
    file.case('nested_in_a_call', SMALL.replace('ENTRY main', 'inner').replace('SHARDING', ', sharding={devices=[2]1,0}').replace('PART', '2').replace('[2]<=[2]', '[2]1,0')
              + '\n\nENTRY main {\n  a = f32[4] parameter(0)\n  c = f32[4] call(a), to_apply=inner\n  ROOT d = f32[4] add(c, a)\n}', [x], [2 * x], trust=False)
    file.case('unreduced_from_body_to_body', UNREDUCED_ON, [x], [2 * (x + 1) ** 2], trust=False)
    e = array('f32', np.arange(8))
    file.case('shard_alike', SHARD_ALIKE, [e], [2 * e], trust=False)
    file.case('propagation_barrier', SHARD_ALIKE.replace('FuncResultSharding', 'PropagationBarrier'), [e], [2 * e], trust=False)
    bad = File('error_spmd', 'Boundaries of work for one device that must be refused.')
    for name, sharding, part, message in (('no_sharding', '', '2', 'no sharding says which part a device has'),
                                          ('parts_differ', ', sharding={devices=[4]<=[4]}', '2', 'the parts of f32[4] are not f32[2]'),
                                          ('replicated', ', sharding={replicated}', '2', 'the parts of f32[4] are not f32[2]'),
                                          ('other_type', ', sharding={devices=[2]<=[2]}', '2,1', 'f32[4] has no parts f32[2,1]'),
                                          ('device_twice', ', sharding={devices=[2]1,1}', '2', 'must stand here once'),
                                          ('device_count', ', sharding={devices=[2]<=[3]}', '2', 'expected a grid of 2 devices'),
                                          ('many_devices', ', sharding={devices=[2,5000]<=[10000]}', '2', '1 to 4096 devices'),
                                          ('unknown', ', sharding={elsewhere}', '2', 'expected a sharding')):
        bad.error(name, SMALL.replace('SHARDING', sharding).replace('PART', part), message, inputs=[x])
    bad.error('devices_differ', SMALL.replace('SHARDING', ', sharding={devices=[2,2]<=[4]}').replace('PART', '2'), '2 devices here, but 4 elsewhere', inputs=[x])
    bad.error('sharding_group_with_a_result', SHARD_ALIKE.replace('shard_alike.2 = ()', 'shard_alike.2 = f32[8]'), 'has no result, not 1', 5, inputs=[array('f32', np.arange(8))])
    bad.error('no_mesh', SDY.replace('mesh = #', 'other = #'), 'have no mesh mesh', inputs=[a, b])
    bad.error('no_axes', SDY.replace('xla.sdy.manual_axes', 'xla.sdy.axes'), 'lacks its shardings and manual axes', inputs=[a, b])
    bad.error('rank', SDY.replace('[{\\"y\\"}, {}]>]>"', '[{\\"y\\"}]>]>"'), 'the sharding has 1 dimensions, the array 2', inputs=[a, b])
