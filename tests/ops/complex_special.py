"""Complex functions at the special points of C's Annex G: zeros, ones, infinities and NaN in both parts, on all cuts and poles.

Expectations are the host C library's (through numpy), which follows Annex G. Points where that leaves a sign open, which the
cases' format can not say, are left out: tests/c/complex_test.c has them. The functions that C does not have are in
complex_edges.
"""
import numpy as np

import element_types as et
from cases import File

inf, nan = np.inf, np.nan
PARTS = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 800.0, -800.0, inf, -inf, nan]
HLO = {'exponential': np.exp, 'log': np.log, 'sqrt': np.sqrt, 'sine': np.sin, 'cosine': np.cos, 'tan': np.tan, 'tanh': np.tanh,
       'asin': np.arcsin, 'acos': np.arccos, 'asinh': np.arcsinh, 'acosh': np.arccosh, 'atanh': np.arctanh,
       'sinh': np.sinh, 'cosh': np.cosh}
CHLO = {'atan': np.arctan, 'square': np.square}


def is_settled(z, w):
    """Annex G leaves signs open beside a NaN, and those of tan and tanh where both parts are infinite."""
    return not (np.isnan(w.real) != np.isnan(w.imag)) and not (np.isinf(z.real) and np.isinf(z.imag))


def make():
    file = File('complex_special', 'Complex functions at infinities, NaN, zeros of both signs, on cuts and at poles (C, Annex G).')
    grid = [complex(a, b) for a in PARTS for b in PARTS]
    for name, function in {**HLO, **CHLO}.items():
        for t in et.COMPLEX:
            with np.errstate(all='ignore'):
                wide = [function(np.complex128(z)) for z in grid]
                points = [(z, w) for z, w in zip(grid, wide) if is_settled(z, w)]
                x = et.array(t, [z for z, _ in points])
                want = et.array(t, [w for _, w in points])
            shape = et.shape_text(t, x.shape)
            if name in HLO:
                text = f'HloModule {name}\nENTRY e {{ p = {shape} parameter(0) ROOT r = {shape} {name}(p) }}'
            else:
                tensor = f'tensor<{x.size}x{et.MLIR[t]}>'
                text = (f'func.func @main(%arg0: {tensor}) -> {tensor} {{\n  %0 = chlo.{name} %arg0 : {tensor} -> {tensor}\n'
                        f'  return %0 : {tensor}\n}}')
            file.case(f'{name}_{t}', text, [x], [want], {'ulp': 4}, trust=False)
