"""StableHLO forms of the cases: XLA's own translation of a share of the HLO cases, and hand-written programs.

Reads the HLO case files, so it must run after the other modules have written theirs. Translated programs keep the HLO
case's inputs and expectations; every third is in MLIR's generic form.
"""
import glob
import math
import os
import random
import re

import numpy as np

import xla
from cases import HERE, File
from element_types import array
from elementwise import BINARY

LIMITS = {'elementwise': 4, 'convert_from': 3, 'compare': 6, 'dot': 14, 'reduce': 16, 'broadcast': 12, 'slice': 8, 'pad': 10, 'concatenate': 8,
          'iota': 10, 'constant': 14, 'select': 8, 'clamp': 10, 'reshape': 8, 'transpose': 8, 'reverse': 6, 'bitcast_convert': 14,
          'gather': 24, 'scatter': 24, 'scatter_types': 8, 'sort': 14, 'sort_types': 8, 'topk': 8, 'reduce_window': 20, 'reduce_window_types': 8,
          'select_and_scatter': 12, 'convolution': 24, 'convolution_types': 8, 'batch_norm_training': 5, 'batch_norm_inference': 5, 'batch_norm_grad': 5, 'rng': 8, 'cholesky': 10, 'triangular_solve': 16, 'fft': 12, 'fft_axes': 12}
EVERYTHING = {'call', 'while', 'conditional', 'tuple', 'map'}
NO_STABLEHLO = {'rng_get_and_update_state', 'stochastic_convert', 'special_functions', 'mulhi', 'next_after'}
FAMILIES = {'loops_and_branches': ('while', 'conditional'), 'calls_and_tuples': ('call', 'tuple', 'map', 'parameter'), 'contractions': ('dot', 'reduce', 'reduce_variadic'),
            'binary': tuple(op.replace('-', '_') for op in BINARY), 'moves': ('broadcast', 'reshape', 'transpose', 'reverse', 'slice', 'concatenate', 'pad'), 'values': ('iota', 'constant', 'select', 'clamp'),
            'casts_and_comparisons': ('bitcast_convert', 'reduce_precision', 'complex_parts', 'convert', 'compare', 'compare_integers', 'compare_floats',
                            'compare_total_order'),
            'gathers_and_scatters': ('gather', 'scatter', 'scatter_types'), 'sorts': ('sort', 'sort_types', 'topk'),
            'windows': ('reduce_window', 'reduce_window_types', 'reduce_window_cumulative', 'select_and_scatter'),
            'convolutions': ('convolution', 'convolution_types'), 'normalization': ('batch_norm_training', 'batch_norm_inference', 'batch_norm_grad'), 'linear_algebra': ('cholesky', 'triangular_solve'), 'fourier': ('fft', 'fft_axes'),
            'random_numbers_and_sizes': ('rng', 'get_dimension_size', 'set_dimension_size')}


def read_cases(path):
    """(name, directive lines, program) of each case in a file."""
    found = []
    for line in open(path):
        if line.startswith('//! case '):
            found.append((line.split()[2], [], []))
        elif found and line.startswith('//!'):
            found[-1][1].append(line)
        elif found:
            found[-1][2].append(line)
    return [(name, ''.join(directives), ''.join(lines).strip() + '\n') for name, directives, lines in found]


def chosen(stem, every, rng):
    """A share of a file's cases: small ones, with all the seed's examples."""
    small = [c for c in every if len(c[1]) < 1500 and c[2].startswith('HloModule')]
    if stem == 'constant':  # XLA reads the literal -0 as 0, so its translation is not the same program
        small = [c for c in small if not c[0].startswith('special_')]
    if stem in EVERYTHING:
        return small
    limit = LIMITS.get(stem) or (LIMITS['convert_from'] if stem.startswith('convert_from') else LIMITS['compare'] if stem.startswith('compare')
                                 else LIMITS['elementwise'])
    seeds = [c for c in small if c[0].startswith('seed_')]
    others = [c for c in small if not c[0].startswith('seed_')]
    kept = set(c[0] for c in seeds + rng.sample(others, min(len(others), limit)))
    return [c for c in small if c[0] in kept]


def translated():
    files = {}
    for path in sorted(glob.glob(os.path.join(HERE, '*.hlo'))):
        stem = os.path.basename(path)[:-4]
        if stem.startswith(('stablehlo_', 'error_')) or stem in NO_STABLEHLO:
            continue
        family = next((f for f, stems in FAMILIES.items() if stem in stems), 'conversions' if stem.startswith('convert_from') else 'unary')
        if family not in files:
            files[family] = File(f'stablehlo_{family}', f'StableHLO as XLA translates it from the HLO cases: {family}.')
        for name, directives, program in chosen(stem, read_cases(path), random.Random(stem)):
            count = len(files[family].cases)
            try:
                text = xla.print_stablehlo(program, generic=count % 3 == 2)
            except xla.Rejected as error:
                files[family].notes.append(f'{stem}_{name}: not translated: {str(error).splitlines()[0][:120]}')
                continue
            if re.search(r'[" ]mhlo\.[a-z_]+["( ]', text.replace('mhlo.is_dynamic ', '').replace('mhlo.use_auto', '')) and not attributes_only(text):
                continue
            if count % 3 == 0:  # without the attributes of the translation, as JAX prints modules
                text = re.sub(r' attributes \{.*\} \{$', ' {', text, count=1, flags=re.M)
            name = name if name.startswith(stem) else f'{stem}_{name}'
            files[family].cases.append((name, f'//! case {name}\n{directives}{text.strip()}\n'))


def attributes_only(text):
    """True if `mhlo.` occurs only in the names of attributes, not as an op."""
    return not re.search(r'(= |^\s*)"?mhlo\.[a-z_]+"?[ (]', text, flags=re.M)


# ---- written by hand ----

F, S = 'f32', 's32'


def main_function(arguments, result, body):
    return f'func.func @main({arguments}) -> {result} {{\n' + '\n'.join('  ' + line for line in body.strip('\n').split('\n')) + '\n}'


def forms():
    file = File('stablehlo_forms', "StableHLO syntax: pretty and generic forms, constants, regions, calls, locations, sharding.")
    x = array(F, [[1, 2, 3], [4, 5, 6]])
    file.case('bare_function', '''func.func @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.add %arg0, %arg0 : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}''', [x], [x + x])
    file.case('module_without_name', '''module {
  func.func public @main(%arg0: tensor<2x3xf32>) -> (tensor<2x3xf32>) {
    %0 = stablehlo.add %arg0, %arg0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    func.return %0 : tensor<2x3xf32>
  }
}''', [x], [x + x])
    file.case('attributes_and_locations', '''#loc1 = loc("x")
module @jit_f attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%arg0: tensor<2x3xf32> {mhlo.sharding = "{devices=[2,1]<=[2]}", tf.aliasing_output = 0 : i32, jax.buffer_donor = true} loc("x")) -> (tensor<2x3xf32> {jax.result_info = "result[0]", mhlo.layout_mode = "default"}) attributes {llvm.emit_c_interface, tags = ["a", 1 : i64, [true, unit]]} {
    %0 = stablehlo.negate %arg0 {mhlo.frontend_attributes = {_xla_compute_type = "host"}, mhlo.sharding = "{replicated}"} : tensor<2x3xf32> loc(#loc5)
    %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {"y", ?}p1]> : tensor<2x3xf32> loc(#loc5)
    return %1 : tensor<2x3xf32> loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc = loc(unknown)
#loc2 = loc("/app/f.py":10:8 to :20)
#loc3 = loc("<module>"(#loc2))
#loc4 = loc(callsite(#loc3 at "/app/g.py":1:2))
#loc5 = loc(fused<"meta">["jit(f)/neg"(#loc4), #loc2])
''', [x], [-x], trust=False)
    file.case('comments', '''// A comment before the module.
module @m { // and after a brace
  // RUN: nothing
  func.func @main(%a: tensor<f32>) -> tensor<f32> {
    %b = stablehlo.sqrt %a : tensor<f32> // at the end of a line
    return %b : tensor<f32>
  }
}''', [array(F, 9)], [array(F, 3)])
    file.case('blanks', '''func.func @main(%a: tensor<2 x 3 xf32>) -> tensor<2x
    3x // rows
    i1> {
  %b = "stablehlo.compare"(%a, %a) <{comparison_direction = #stablehlo<comparison_direction
    GE\t>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  return %b : tensor<2x3xi1>
}''', [x], [np.ones((2, 3), bool)])
    # Functions of a module inside of another have names of their own; a declaration may have an empty region.
    file.case('modules_inside', '''module @outer {
  module @inner {
    func.func private @f(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
      return %a : tensor<2x3xf32>
    }
  }
  "func.func"() <{function_type = (tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "elsewhere", sym_visibility = "private"}> ({
  }) : () -> ()
  func.func @f(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.negate %a : tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  func.func @main(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = call @f(%a) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}''', [x], [-x], trust=False)
    # XLA has no way to say what starts and ends apart on the CPU.
    file.case('async', '''func.func @main(%a: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %f = "stablehlo.async_start"(%a) ({
  ^bb0(%b: tensor<2x3xf32>):
    %0 = stablehlo.negate %b : tensor<2x3xf32>
    stablehlo.return %0 : tensor<2x3xf32>
  }) : (tensor<2x3xf32>) -> !stablehlo.future<tensor<2x3xf32>>
  %1 = stablehlo.add %a, %a : tensor<2x3xf32>
  %2 = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<2x3xf32>>) -> tensor<2x3xf32>
  %3 = sdy.propagation_barrier %2 allowed_direction=NONE : tensor<2x3xf32>
  return %1, %3 : tensor<2x3xf32>, tensor<2x3xf32>
}''', [x], [x + x, -x], trust=False)
    file.case('results_by_number', '''func.func @main(%arg0: tensor<2xf32>, %arg1: tensor<i32>) -> (tensor<i32>, tensor<2xf32>) {
  %0:2 = func.call @pair(%arg0, %arg1) : (tensor<2xf32>, tensor<i32>) -> (tensor<2xf32>, tensor<i32>)
  %sum = stablehlo.add %0#1, %0#1 : tensor<i32>
  return %sum, %0#0 : tensor<i32>, tensor<2xf32>
}
func.func private @pair(%x: tensor<2xf32>, %y: tensor<i32>) -> (tensor<2xf32>, tensor<i32>) {
  %0 = stablehlo.negate %x : tensor<2xf32>
  return %0, %y : tensor<2xf32>, tensor<i32>
}''', [array(F, [1, 2]), array(S, 4)], [array(S, 8), array(F, [-1, -2])])
    file.case('callee_before_and_quoted_names', '''module {
  func.func private @"a name.with-signs"(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<f32>
    return %0 : tensor<f32>
  }
  func.func @main(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = call @"a name.with-signs"(%arg0) : (tensor<f32>) -> tensor<f32>
    %1 = call @"a name.with-signs"(%0) : (tensor<f32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
}''', [array(F, 3)], [array(F, 81)])
    file.case('no_results', 'func.func @main(%arg0: tensor<f32>) {\n  return\n}', [array(F, 3)], [], trust=False)
    file.case('no_arguments', 'func.func @main() -> tensor<2xi32> {\n  %c = stablehlo.constant dense<[1, -2]> : tensor<2xi32>\n  return %c : tensor<2xi32>\n}',
              [], [array(S, [1, -2])])
    file.case('generic_module', '''"builtin.module"() <{sym_name = "m"}> ({
  "func.func"() <{function_type = (tensor<2x2xf32>) -> tensor<2xf32>, sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x2xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.reduce"(%arg0, %0) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%2) : (tensor<f32>) -> ()
    }) : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
    "func.return"(%1) : (tensor<2xf32>) -> ()
  }) : () -> ()
}) : () -> ()''', [array(F, [[1, 2], [3, 4]])], [array(F, [4, 6])])
    file.case('generic_attributes_in_braces', '''func.func @main(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>) -> (tensor<2x3xi1>, tensor<3x2xf32>, tensor<2x3x2xf32>, tensor<1x2xf32>, tensor<2xi8>) {
  %0 = "stablehlo.compare"(%arg0, %arg1) {comparison_direction = #stablehlo<comparison_direction LE>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %1 = "stablehlo.transpose"(%arg0) {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %2 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x3xf32>) -> tensor<2x3x2xf32>
  %3 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 1, 0>, limit_indices = array<i64: 2, 3>, strides = array<i64: 1, 2>} : (tensor<2x3xf32>) -> tensor<1x2xf32>
  %4 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<2xi8>
  "func.return"(%0, %1, %2, %3, %4) : (tensor<2x3xi1>, tensor<3x2xf32>, tensor<2x3x2xf32>, tensor<1x2xf32>, tensor<2xi8>) -> ()
}''', [x, x[:, ::-1]], [x <= x[:, ::-1], x.T, np.repeat(x[:, :, None], 2, 2), x[1:, ::-1][:, ::2], array('s8', [0, 1])])
    constants = [
        ('splat', 'dense<1.5> : tensor<2x2xf32>', array(F, [[1.5, 1.5], [1.5, 1.5]])), ('nested', 'dense<[[1, 2], [-3, 4]]> : tensor<2x2xi32>', array(S, [[1, 2], [-3, 4]])),
        ('scalar', 'dense<-7> : tensor<i64>', array('s64', -7)), ('booleans', 'dense<[true, false]> : tensor<2xi1>', array('pred', [1, 0])),
        ('boolean_splat', 'dense<true> : tensor<3xi1>', array('pred', [1, 1, 1])), ('hex_float', 'dense<0x7F800000> : tensor<f32>', array(F, math.inf)),
        ('hex_floats', 'dense<[0xFF800000, 0x7FC00000, 0x80000000, 0x00000001]> : tensor<4xf32>', array(F, [-math.inf, math.nan, -0.0, 2.0 ** -149])),
        ('hex_bf16', 'dense<0x7F80> : tensor<bf16>', array('bf16', math.inf)), ('hex_f64', 'dense<0xFFF0000000000000> : tensor<f64>', array('f64', -math.inf)),
        ('hex_integer', 'dense<0x10> : tensor<i32>', array(S, 16)), ('negative_zero', 'dense<-0.000000e+00> : tensor<f32>', array(F, -0.0)),
        ('exponents', 'dense<[1.000000e+10, 2.5e-3, 1.401298E-45]> : tensor<3xf32>', array(F, [1e10, 2.5e-3, 2.0 ** -149])),
        ('complex', 'dense<[(1.0, -2.0), (0.000000e+00, 0x7F800000)]> : tensor<2xcomplex<f32>>', array('c64', [1 - 2j, complex(0, math.inf)])),
        ('complex_splat', 'dense<(1.0, -2.0)> : tensor<2xcomplex<f64>>', array('c128', [1 - 2j, 1 - 2j])), ('unsigned', 'dense<[255, 0]> : tensor<2xui8>', array('u8', [255, 0])),
        ('unsigned_64', 'dense<18446744073709551615> : tensor<ui64>', array('u64', 2 ** 64 - 1)), ('int4', 'dense<[-8, 7]> : tensor<2xi4>', array('s4', [-8, 7])),
        ('uint4', 'dense<[15, 7]> : tensor<2xui4>', array('u4', [15, 7])), ('f8E4M3FN', 'dense<[1.5, -4.480000e+02]> : tensor<2xf8E4M3FN>', array('f8e4m3fn', [1.5, -448])),
        ('f8E5M2', 'dense<0x7C> : tensor<f8E5M2>', array('f8e5m2', math.inf)), ('empty', 'dense<> : tensor<0x3xf32>', np.zeros((0, 3), np.float32)),
        ('hex_string_f32', 'dense<"0x0000803F000000C00000C07F"> : tensor<3xf32>', array(F, [1, -2, math.nan])),
        ('hex_string_i16', 'dense<"0x0100FFFF"> : tensor<2x1xi16>', array('s16', [[1], [-1]])), ('hex_string_splat', 'dense<"0x0000803F"> : tensor<2xf32>', array(F, [1, 1])),
        ('hex_string_c64', 'dense<"0x0000803F00000040"> : tensor<1xcomplex<f32>>', array('c64', [1 + 2j])),
        ('f16', 'dense<[6.550400e+04, 5.9604645e-8]> : tensor<2xf16>', array('f16', [65504, 2.0 ** -24]))]
    for name, literal, want in constants:
        shape = literal.split(' : ')[1]
        file.case(f'constant_{name}', f'func.func @main() -> {shape} {{\n  %0 = stablehlo.constant {literal}\n  return %0 : {shape}\n}}', [], [want])
    file.case('while_pretty', '''func.func @main(%n: tensor<i32>) -> (tensor<i32>, tensor<f32>) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0:2 = stablehlo.while(%i = %c, %v = %one) : tensor<i32>, tensor<f32> attributes {mhlo.frontend_attributes = {a = "b"}}
  cond {
    %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.constant dense<1> : tensor<i32>
    %2 = stablehlo.add %i, %1 : tensor<i32>
    %3 = stablehlo.add %v, %v : tensor<f32>
    stablehlo.return %2, %3 : tensor<i32>, tensor<f32>
  }
  return %0#0, %0#1 : tensor<i32>, tensor<f32>
}''', [array(S, 10)], [array(S, 10), array(F, 1024)])
    file.case('region_captures_outer_values', '''func.func @main(%p: tensor<i1>, %x: tensor<2xf32>, %n: tensor<i32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = "stablehlo.if"(%p) ({
    %a = stablehlo.negate %x : tensor<2xf32>
    stablehlo.return %a : tensor<2xf32>
  }, {
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  %1 = "stablehlo.case"(%n) ({
    stablehlo.return %x : tensor<2xf32>
  }, {
    %b = stablehlo.add %x, %0 : tensor<2xf32>
    stablehlo.return %b : tensor<2xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}''', [array('pred', True), array(F, [1, -2]), array(S, 7)], [array(F, [-1, 2]), array(F, [0, 0])])
    file.case('while_captures_outer_values', '''func.func @main(%limit: tensor<f32>, %factor: tensor<f32>) -> tensor<f32> {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.while(%v = %one) : tensor<f32>
   cond {
    %1 = stablehlo.compare LT, %v, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.multiply %v, %factor : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}''', [array(F, 100), array(F, 3)], [array(F, 243)])
    file.case('reduce_with_region', '''func.func @main(%x: tensor<2x3xf32>, %init: tensor<f32>) -> tensor<2xf32> {
  %0 = stablehlo.reduce(%x init: %init) across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
   reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %1 = stablehlo.multiply %b, %b : tensor<f32>
    %2 = stablehlo.add %a, %1 : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }
  return %0 : tensor<2xf32>
}''', [x, array(F, 0)], [array(F, [14, 77])])
    file.case('reduce_two_arrays', '''func.func @main(%x: tensor<4xf32>, %y: tensor<4xi32>) -> (tensor<f32>, tensor<i32>) {
  %c = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %i = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.reduce(%x init: %c), (%y init: %i) across dimensions = [0] : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
   reducer(%a: tensor<f32>, %c_0: tensor<f32>) (%b: tensor<i32>, %d: tensor<i32>)  {
    %1 = stablehlo.maximum %a, %c_0 : tensor<f32>
    %2 = stablehlo.add %b, %d : tensor<i32>
    stablehlo.return %1, %2 : tensor<f32>, tensor<i32>
  }
  return %0#0, %0#1 : tensor<f32>, tensor<i32>
}''', [array(F, [3, 9, -1, 4]), array(S, [1, 2, 3, 4])], [array(F, 9), array(S, 10)])
    file.case('dot_forms', '''func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) {
  %0 = stablehlo.dot %a, %b : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [HIGHEST, DEFAULT] : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  %2 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %0, %1, %2 : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
}''', [x, x.T.copy()], [x @ x.T] * 3)
    a, b = np.arange(12, dtype=np.float32).reshape(2, 2, 3), np.arange(12, dtype=np.float32).reshape(2, 3, 2) - 5
    file.case('dot_batch_and_algorithm', '''func.func @main(%a: tensor<2x2x3xf32>, %b: tensor<2x3x2xf32>) -> (tensor<2x2x2xf32>, tensor<2x2x2xf32>) {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x2x3xf32>, tensor<2x3x2xf32>) -> tensor<2x2x2xf32>
  %1 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x2x3xf32>, tensor<2x3x2xf32>) -> tensor<2x2x2xf32>
  return %0, %1 : tensor<2x2x2xf32>, tensor<2x2x2xf32>
}''', [a, b], [a @ b] * 2)
    file.case('moves_pretty', '''func.func @main(%x: tensor<2x3xf32>, %v: tensor<f32>) -> (tensor<3x2xf32>, tensor<6xf32>, tensor<1x2xf32>, tensor<4x3xf32>, tensor<4x4xf32>, tensor<2x3xf32>, tensor<3x3xi32>) {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<6xf32>
  %2 = stablehlo.slice %x [1:2, 0:3:2] : (tensor<2x3xf32>) -> tensor<1x2xf32>
  %3 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %4 = stablehlo.pad %x, %v, low = [1, -1], high = [0, 0], interior = [1, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<4x4xf32>
  %5 = stablehlo.reverse %x, dims = [0] : tensor<2x3xf32>
  %6 = stablehlo.iota dim = 1 : tensor<3x3xi32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<3x2xf32>, tensor<6xf32>, tensor<1x2xf32>, tensor<4x3xf32>, tensor<4x4xf32>, tensor<2x3xf32>, tensor<3x3xi32>
}''', [x, array(F, 9)], [x.T, x.reshape(6), x[1:, ::2], np.concatenate([x, x]),
                         array(F, [[9, 9, 9, 9], [9, 2, 9, 3], [9, 9, 9, 9], [9, 5, 9, 6]]), x[::-1], array(S, [[0, 1, 2]] * 3)])
    file.case('broadcast_in_dim_expands_size_1', '''func.func @main(%x: tensor<2x1xf32>) -> (tensor<2x3xf32>, tensor<3x2x1xf32>, tensor<2x1x4xf32>) {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<2x1xf32>) -> tensor<3x2x1xf32>
  %2 = "stablehlo.broadcast_in_dim"(%x) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<2x1xf32>) -> tensor<2x1x4xf32>
  return %0, %1, %2 : tensor<2x3xf32>, tensor<3x2x1xf32>, tensor<2x1x4xf32>
}''', [array(F, [[1], [2]])], [array(F, [[1] * 3, [2] * 3]), array(F, [[[1], [2]]] * 3), array(F, [[[1] * 4], [[2] * 4]])])
    file.case('broadcast_prefix', '''func.func @main(%x: tensor<2xf32>) -> tensor<3x2xf32> {
  %0 = stablehlo.broadcast %x, sizes = [3] : (tensor<2xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}''', [array(F, [1, 2])], [array(F, [[1, 2]] * 3)])
    file.case('tuples', '''func.func @main(%x: tensor<2xf32>, %n: tensor<i32>) -> (tensor<i32>, tensor<2xf32>) {
  %0 = stablehlo.tuple %x, %n : tuple<tensor<2xf32>, tensor<i32>>
  %1 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<2xf32>, tensor<i32>>) -> tensor<i32>
  %2 = "stablehlo.get_tuple_element"(%0) <{index = 0 : i32}> : (tuple<tensor<2xf32>, tensor<i32>>) -> tensor<2xf32>
  return %1, %2 : tensor<i32>, tensor<2xf32>
}''', [array(F, [1, 2]), array(S, 3)], [array(S, 3), array(F, [1, 2])])
    file.case('composite_and_barrier', '''module {
  func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
    %0 = stablehlo.composite "my.op" %x {composite_attributes = {n = 1 : i32, t = dense<[1, 2]> : tensor<2xi32>}, decomposition = @my.op, version = 2 : i32} : (tensor<2xf32>) -> tensor<2xf32>
    %1:2 = stablehlo.optimization_barrier %x, %0 : tensor<2xf32>, tensor<2xf32>
    return %1#1, %1#0 : tensor<2xf32>, tensor<2xf32>
  }
  func.func private @my.op(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.cosine %x : tensor<2xf32>
    %1 = stablehlo.subtract %0, %0 : tensor<2xf32>
    return %1 : tensor<2xf32>
  }
}''', [array(F, [1, 2])], [array(F, [0, 0]), array(F, [1, 2])])
    file.case('conversions', '''func.func @main(%x: tensor<2xf32>, %n: tensor<2xui8>) -> (tensor<2xi8>, tensor<2xi32>, tensor<2xf16>, tensor<2x4xui8>, tensor<2xf32>, tensor<2xcomplex<f32>>) {
  %0 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xi8>
  %1 = stablehlo.bitcast_convert %x : (tensor<2xf32>) -> tensor<2xi32>
  %2 = "stablehlo.convert"(%n) : (tensor<2xui8>) -> tensor<2xf16>
  %3 = stablehlo.bitcast_convert %x : (tensor<2xf32>) -> tensor<2x4xui8>
  %4 = stablehlo.reduce_precision %x, format = e5m2 : tensor<2xf32>
  %5 = stablehlo.complex %x, %4 : tensor<2xcomplex<f32>>
  return %0, %1, %2, %3, %4, %5 : tensor<2xi8>, tensor<2xi32>, tensor<2xf16>, tensor<2x4xui8>, tensor<2xf32>, tensor<2xcomplex<f32>>
}''', [array(F, [1.1, -300]), array('u8', [7, 255])],
              [array('s8', [1, -128]), array(F, [1.1, -300]).view(np.int32), array('f16', [7, 255]),
               array(F, [1.1, -300]).view(np.uint8).reshape(2, 4), array(F, [1, -320]), array('c64', [complex(np.float32(1.1), 1), complex(-300, -320)])])
    file.case('total_order', '''func.func @main(%x: tensor<3xf32>, %y: tensor<3xf32>) -> (tensor<3xi1>, tensor<3xi1>) {
  %0 = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  %1 = stablehlo.compare LT, %x, %y : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  return %0, %1 : tensor<3xi1>, tensor<3xi1>
}''', [array(F, [-0.0, math.inf, 1]), array(F, [0.0, math.nan, 2])], [array('pred', [1, 1, 1]), array('pred', [0, 0, 1])])
    file.case('result_accuracy', '''func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = stablehlo.exponential %x {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<2xf32>
  %1 = "stablehlo.tanh"(%x) <{result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>}> : (tensor<2xf32>) -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}''', [array(F, [0, 1])], [array(F, [1, 2.7182817]), array(F, [0, 0.7615942])], {'ulp': 2})
    file.case('unused_function_is_ignored', '''module {
  func.func @main(%x: tensor<f32>) -> tensor<f32> {
    return %x : tensor<f32>
  }
  func.func private @unused(%x: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.custom_call @something_unknown(%x) {api_version = 2 : i32, backend_config = "abc", has_side_effect = true} : (tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}''', [array(F, 3)], [array(F, 3)], trust=False)
    file.case('sharding_custom_calls', '''func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @Sharding(%x) {backend_config = "", mhlo.sharding = "{replicated}"} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.add %0, %x : tensor<4xf32>
  return %1 : tensor<4xf32>
}''', [array(F, [1, 2, 3, 4])], [array(F, [2, 4, 6, 8])])


def chlo():
    file = File('stablehlo_chlo', 'chlo ops: broadcasting binaries (both forms of the broadcasting page) and the unary functions.')
    x = array(F, [[1, 2, 3], [4, 5, 6]])
    tensor = {(): 'tensor<f32>', (3,): 'tensor<3xf32>', (2, 3): 'tensor<2x3xf32>', (2, 1): 'tensor<2x1xf32>', (1, 3): 'tensor<1x3xf32>', (4,): 'tensor<4xf32>',
              (1, 2): 'tensor<1x2xf32>', (4, 2): 'tensor<4x2xf32>', (3, 3): 'tensor<3x3xf32>', (4, 3, 1): 'tensor<4x3x1xf32>', (4, 3, 2): 'tensor<4x3x2xf32>',
              (7, 2, 5): 'tensor<7x2x5xf32>', (1, 2, 5): 'tensor<1x2x5xf32>', (7, 1, 5): 'tensor<7x1x5xf32>', (2, 3, 4): 'tensor<2x3x4xf32>', (3, 4): 'tensor<3x4xf32>'}

    def binary(name, op, a, b, want, dims=None, element='f32', result=None, extra=''):
        def t(v, e):
            return tensor[v.shape].replace('f32', e)
        out = t(want, result or element)
        attribute = f' {{broadcast_dimensions = array<i64{": " if dims else ""}{", ".join(map(str, dims))}>{extra}}}' if dims is not None else ''
        file.case(name, f'func.func @main(%a: {t(a, element)}, %b: {t(b, element)}) -> {out} {{\n'
                        f'  %0 = {op} %a, %b{attribute} : ({t(a, element)}, {t(b, element)}) -> {out}\n  return %0 : {out}\n}}', [a, b], [want])

    def num(*shape):
        return np.arange(1, math.prod(shape) + 1, dtype=np.float32).reshape(shape)
    v = array(F, [7, 8, 9])
    binary('seed_matrix_plus_scalar', 'chlo.broadcast_add', x, array(F, 7), array(F, [[8, 9, 10], [11, 12, 13]]))
    binary('seed_matrix_plus_vector_dim1', 'chlo.broadcast_add', x, v, array(F, [[8, 10, 12], [11, 13, 15]]), [1])
    square = num(3, 3)
    binary('seed_3x3_dim1', 'chlo.broadcast_add', square, v, square + v, [1])
    binary('seed_3x3_dim0', 'chlo.broadcast_add', square, v, square + v[:, None], [0])
    binary('seed_cuboid_dims12', 'chlo.broadcast_multiply', num(2, 3, 4), num(3, 4), num(2, 3, 4) * num(3, 4), [1, 2])
    binary('seed_2x1_2x3', 'chlo.broadcast_subtract', num(2, 1), x, num(2, 1) - x)
    binary('seed_1x2x5_7x2x5', 'chlo.broadcast_add', num(1, 2, 5), num(7, 2, 5), num(1, 2, 5) + num(7, 2, 5))
    binary('seed_7x2x5_7x1x5', 'chlo.broadcast_maximum', num(7, 2, 5), num(7, 1, 5), np.maximum(num(7, 2, 5), num(7, 1, 5)))
    binary('seed_outer_2x1_1x3', 'chlo.broadcast_multiply', num(2, 1), num(1, 3), num(2, 1) * num(1, 3))
    binary('seed_composition_4_1x2', 'chlo.broadcast_add', array(F, [1, 2, 3, 4]), array(F, [[5, 6]]), array(F, [[6, 7], [7, 8], [8, 9], [9, 10]]), [0])
    binary('seed_composition_1x2_4x3x1', 'chlo.broadcast_add', num(1, 2), num(4, 3, 1), num(1, 2)[None] + num(4, 3, 1), [1, 2])
    for op, function in (('divide', np.divide), ('minimum', np.minimum), ('power', np.power), ('remainder', np.fmod)):
        binary(f'broadcast_{op}', f'chlo.broadcast_{op}', x, array(F, [2, 4, 2]), function(x, array(F, [2, 4, 2])), [1])
    i, j = array(S, [[1, 2, 3], [4, 5, 6]]), array(S, [3, 6, 5])
    for op, function in (('and', np.bitwise_and), ('or', np.bitwise_or), ('xor', np.bitwise_xor), ('shift_left', np.left_shift),
                         ('shift_right_logical', np.right_shift), ('shift_right_arithmetic', np.right_shift)):
        binary(f'broadcast_{op}', f'chlo.broadcast_{op}', i, j, function(i, j), [1], 'i32')
    binary('broadcast_compare', 'chlo.broadcast_compare', x, array(F, [1, 5, 3]), x < array(F, [1, 5, 3]), [1], result='i1',
           extra=', comparison_direction = #chlo<comparison_direction LT>')
    file.case('broadcast_select', '''func.func @main(%p: tensor<i1>, %a: tensor<2x3xf32>, %b: tensor<f32>) -> tensor<2x3xf32> {
  %0 = chlo.broadcast_select %p, %a, %b : (tensor<i1>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}''', [array('pred', False), x, array(F, 9)], [np.full((2, 3), 9, np.float32)])
    import mpmath
    unary = {'erf': mpmath.erf, 'erfc': mpmath.erfc, 'lgamma': mpmath.loggamma, 'digamma': mpmath.digamma, 'acos': mpmath.acos, 'acosh': mpmath.acosh, 'asin': mpmath.asin,
             'asinh': mpmath.asinh, 'atan': mpmath.atan, 'atanh': mpmath.atanh, 'sinh': mpmath.sinh, 'cosh': mpmath.cosh, 'tan': mpmath.tan,
             'erf_inv': mpmath.erfinv, 'square': lambda v: v * v}
    for op, function in unary.items():
        points = [1.5, 2.25, 10, 1.0625] if op == 'acosh' else [0.5, 1.5, 4.25, 10] if op in ('lgamma', 'digamma') else [-0.75, -0.125, 0.25, 0.9375]
        for t, mlir, tolerance in (('f32', 'f32', {'abs': 2e-6, 'rel': 2e-6}), ('f64', 'f64', {'abs': 1e-13, 'rel': 1e-13})):
            shape = f'tensor<4x{mlir}>'
            file.case(f'{op}_{t}', f'func.func @main(%x: {shape}) -> {shape} {{\n  %0 = chlo.{op} %x : {shape} -> {shape}\n  return %0 : {shape}\n}}',
                      [array(t, points)], [array(t, [float(mpmath.re(function(mpmath.mpf(p)))) for p in points])], tolerance)
    # One product of each part is exact.
    shape = 'tensor<3xcomplex<f32>>'
    file.case('square_c64', f'func.func @main(%x: {shape}) -> {shape} {{\n  %0 = chlo.square %x : {shape} -> {shape}\n  return %0 : {shape}\n}}',
              [array('c64', [3 + 4j, 4097 + 4096j, 3e38 - 3e38j])], [array('c64', [-7 + 24j, 8193 + 33562624j, complex(0, -math.inf)])])
    # re w = re sqrt(1 - z^2), im w = |im asin z|.
    z = array('c64', [0.5 + 0.25j, -2 + 0.125j, 3 - 4j, -0.0625j, 1 + 1e-3j])
    kernel = [complex(mpmath.sqrt(1 - mpmath.mpc(v) ** 2).real, abs(mpmath.asin(mpmath.mpc(v)).imag)) for v in z.tolist()]
    shape = 'tensor<5xcomplex<f32>>'
    file.case('asin_acos_kernel_c64', f'func.func @main(%x: {shape}) -> {shape} {{\n  %0 = "chlo._asin_acos_kernel"(%x) : ({shape}) -> {shape}\n  return %0 : {shape}\n}}',
              [z], [array('c64', kernel)], {'rel': 2e-6})
    # These carry the error of their argument, as XLA's do: the exact values are tens of units away.
    for op in ('cosh', 'sinh'):
        for t in ('f32', 'f64'):
            shape = f'tensor<6x{t}>'
            file.case(f'{op}_{t}_large', f'func.func @main(%x: {shape}) -> {shape} {{\n  %0 = chlo.{op} %x : {shape} -> {shape}\n  return %0 : {shape}\n}}',
                      [array(t, [7.25, -9.75, 21.375, -40.625, 83.4375, 0])], tolerance={'ulp': 3})
    file.case('next_after', '''func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = chlo.broadcast_next_after %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}''', [array(F, [1, 1, -2, 3]), array(F, [2, 0, -2, math.inf])],
              [np.nextafter(array(F, [1, 1, -2, 3]), array(F, [2, 0, -2, math.inf]))])
    file.case('is_inf', '''func.func @main(%x: tensor<4xf32>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %0 = chlo.is_inf %x : tensor<4xf32> -> tensor<4xi1>
  %1 = chlo.is_pos_inf %x : tensor<4xf32> -> tensor<4xi1>
  %2 = chlo.is_neg_inf %x : tensor<4xf32> -> tensor<4xi1>
  return %0, %1, %2 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}''', [array(F, [math.inf, -math.inf, math.nan, 1])], [array('pred', [1, 1, 0, 0]), array('pred', [1, 0, 0, 0]), array('pred', [0, 1, 0, 0])])
    file.case('constant_like_and_conj', '''func.func @main(%x: tensor<2x3xf32>, %z: tensor<2xcomplex<f32>>) -> (tensor<2x3xf32>, tensor<2xcomplex<f32>>) {
  %0 = "chlo.constant_like"(%x) <{value = 2.500000e+00 : f32}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = chlo.conj %z : tensor<2xcomplex<f32>> -> tensor<2xcomplex<f32>>
  return %0, %1 : tensor<2x3xf32>, tensor<2xcomplex<f32>>
}''', [x, array('c64', [1 + 2j, complex(0, -3)])], [np.full((2, 3), 2.5, np.float32), array('c64', [1 - 2j, complex(0, 3)])])
    file.case('constant_like_complex', '''func.func @main(%z: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  %0 = "chlo.constant_like"(%z) <{value = #complex.number<:f32 1.500000e+00, -2.000000e+00> : complex<f32>}> : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  return %0 : tensor<2xcomplex<f32>>
}''', [array('c64', [1 + 2j, complex(0, -3)])], [np.full(2, 1.5 - 2j, np.complex64)], trust=False)


def errors():
    file = File('error_stablehlo', 'StableHLO programs that must be refused.')

    def bad(name, body, substring='', mark=None, arguments='%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>', result='tensor<2x3xf32>', trust=True):
        text = main_function(arguments, result, body)
        line = next(i + 1 for i, l in enumerate(text.split('\n')) if mark in l) if mark else None
        file.error(name, text, substring, line)
    ret = '\nreturn %0 : tensor<2x3xf32>'
    bad('add_shapes_differ', '%0 = "stablehlo.add"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>' + ret, 'add', 'stablehlo.add')
    bad('operand_type_disagrees', '%0 = stablehlo.negate %arg0 : tensor<2x4xf32>' + ret, '', 'negate')
    bad('undefined_value', '%0 = stablehlo.negate %nosuch : tensor<2x3xf32>' + ret, 'nosuch', 'nosuch')
    bad('value_defined_twice', '%0 = stablehlo.negate %arg0 : tensor<2x3xf32>\n%0 = stablehlo.abs %arg0 : tensor<2x3xf32>' + ret, '0', 'abs')
    bad('undefined_function', '%0 = call @nosuch(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>' + ret, 'nosuch')
    bad('unknown_op', '%0 = stablehlo.frobnicate %arg0 : tensor<2x3xf32>' + ret, 'frobnicate', 'frobnicate')
    bad('unknown_dialect', '%0 = "nosuch.op"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>' + ret, 'nosuch', 'nosuch')
    bad('return_type', 'return %arg1 : tensor<3xf32>', '', 'return')
    bad('return_count', 'return %arg0, %arg0 : tensor<2x3xf32>, tensor<2x3xf32>', '', 'return')
    bad('no_return', '%0 = stablehlo.negate %arg0 : tensor<2x3xf32>', '')
    bad('result_number_out_of_range', '%0 = stablehlo.negate %arg0 : tensor<2x3xf32>\nreturn %0#1 : tensor<2x3xf32>', '', 'return')
    bad('transpose_permutation', '%0 = stablehlo.transpose %arg0, dims = [0, 0] : (tensor<2x3xf32>) -> tensor<2x3xf32>' + ret, '', 'transpose')
    bad('broadcast_in_dim_size', '%0 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<3xf32>) -> tensor<2x3xf32>' + ret, '', 'broadcast')
    bad('reshape_count', '%0 = stablehlo.reshape %arg1 : (tensor<3xf32>) -> tensor<2x3xf32>' + ret, '', 'reshape')
    bad('slice_range', '%0 = stablehlo.slice %arg0 [0:3, 0:3] : (tensor<2x3xf32>) -> tensor<3x3xf32>\nreturn %arg0 : tensor<2x3xf32>', '', 'slice')
    bad('constant_count', '%0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<3xf32>\nreturn %arg0 : tensor<2x3xf32>', '', 'constant')
    bad('constant_ragged', '%0 = stablehlo.constant dense<[[1.0, 2.0], [3.0]]> : tensor<2x2xf32>\nreturn %arg0 : tensor<2x3xf32>', '', 'constant')
    bad('constant_range', '%0 = stablehlo.constant dense<300> : tensor<i8>\nreturn %arg0 : tensor<2x3xf32>', '', 'constant')
    bad('constant_hex_length', '%0 = stablehlo.constant dense<"0x00"> : tensor<2xf32>\nreturn %arg0 : tensor<2x3xf32>', '', 'constant')
    bad('constant_hex_digit', '%0 = stablehlo.constant dense<"0x0000G03F"> : tensor<1xf32>\nreturn %arg0 : tensor<2x3xf32>', '', 'constant')
    bad('dot_contracting', '%0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [0] x [0] : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<3xf32>\nreturn %arg0 : tensor<2x3xf32>',
        '', 'dot_general')
    bad('accuracy_of_a_mode', '%0 = "stablehlo.tanh"(%arg0) {result_accuracy = #stablehlo.result_accuracy<ulps = 1, mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : (tensor<2x3xf32>) -> tensor<2x3xf32>' + ret,
        'no tolerances', 'tanh')
    bad('while_condition', '''%0 = stablehlo.while(%i = %arg0) : tensor<2x3xf32>
cond {
  stablehlo.return %i : tensor<2x3xf32>
} do {
  stablehlo.return %i : tensor<2x3xf32>
}''' + ret, '')
    bad('value_of_a_region_used_outside', '''%p = stablehlo.constant dense<true> : tensor<i1>
%1 = "stablehlo.if"(%p) ({
  %inner = stablehlo.negate %arg0 : tensor<2x3xf32>
  stablehlo.return %inner : tensor<2x3xf32>
}, {
  stablehlo.return %arg0 : tensor<2x3xf32>
}) : (tensor<i1>) -> tensor<2x3xf32>
return %inner : tensor<2x3xf32>''', 'inner', '  return %inner :')
    bad('unclosed_region', '%0 = "stablehlo.if"(%arg0) ({\n  stablehlo.return %arg0 : tensor<2x3xf32>' + ret, '')
    bad('bad_type', '%0 = stablehlo.negate %arg0 : tensor<2x3xq32>' + ret, '', 'negate')
    bad('compare_direction', '%0 = stablehlo.compare LESS, %arg0, %arg0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>\nreturn %arg0 : tensor<2x3xf32>', '', 'compare')
    for name, text, substring in (('no_main_brace', 'func.func @main(%arg0: tensor<f32>) -> tensor<f32> {\n  return %arg0 : tensor<f32>\n', ''),
                                  ('empty_text', '// nothing\n', ''),
                                  ('two_functions_of_one_name', 'func.func @main() {\n  return\n}\nfunc.func @main() {\n  return\n}', 'main'),
                                  ('recursive_call', 'func.func @main(%a: tensor<f32>) -> tensor<f32> {\n  %0 = call @main(%a) : (tensor<f32>) -> tensor<f32>\n  return %0 : tensor<f32>\n}', 'main')):
        file.error(name, text, substring)


def make():
    forms()
    chlo()
    errors()
    translated()
