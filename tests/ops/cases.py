"""Collects op cases, asks XLA for every result, compares with the reference where there is one, and writes the files.

The file format is described in README.md.
"""
import os
import re

import numpy as np

import element_types as et
import xla

HERE = os.path.dirname(os.path.abspath(__file__))


def ulp_keys(t, a):
    """Maps floats to integers so that neighbours differ by one (NaN excluded by the caller)."""
    a = np.atleast_1d(a).astype(et.DTYPES[t])
    width = 4 if t == 'f4e2m1fn' else 8 * a.dtype.itemsize
    bits = a.view(f'u{a.dtype.itemsize}').astype(object)
    return np.array([int(b) if not int(b) >> (width - 1) else -(int(b) - (1 << (width - 1))) for b in bits.reshape(-1)],
                    dtype=object).reshape(bits.shape)


def agree(t, got, want, tolerance):
    """Elementwise: does `got` meet `want` under the rules of the case format?"""
    if t in et.COMPLEX:
        part = et.COMPLEX[t]
        return agree(part, got.real, want.real, tolerance) & agree(part, got.imag, want.imag, tolerance)
    if not et.is_float(t):
        g, w = got.astype(np.float64 if t == et.SCALE else got.dtype), want.astype(np.float64 if t == et.SCALE else want.dtype)
        return (g == w) | ((g != g) & (w != w))
    g, w = np.atleast_1d(got).astype(np.float64), np.atleast_1d(want).astype(np.float64)
    both_nan = np.isnan(g) & np.isnan(w)
    same = (g == w) & (np.signbit(g) == np.signbit(w))
    if not tolerance:
        return both_nan | same
    finite = np.isfinite(g) & np.isfinite(w)
    with np.errstate(all='ignore'):
        near = np.abs(g - w) <= tolerance.get('abs', 0) + tolerance.get('rel', 0) * np.abs(w)
    safe_g, safe_w = np.where(finite, g, 0), np.where(finite, w, 0)
    near |= (np.abs(ulp_keys(t, safe_g) - ulp_keys(t, safe_w)) <= tolerance.get('ulp', 0)).astype(bool)
    return both_nan | same | (finite & near)


def wrapped(directive, text, width=3000):
    """A directive line, continued by `//!+ ` lines where it gets long."""
    parts = []
    while len(text) > width:
        cut = text.rfind(', ', 0, width) + 1
        if cut <= 0:
            break
        parts.append(text[:cut])
        text = text[cut + 1:]
    parts.append(text)
    return ''.join(f'//! {directive} {p}\n' if i == 0 else f'//!+ {p}\n' for i, p in enumerate(parts))


def is_hlo(text):
    return text.lstrip().startswith('HloModule')


def literal_of(a, t=None, layout=None):
    a = np.asarray(a)
    return et.literal_text(t or et.NAMES[a.dtype], a, layout)


class File:
    """One case file: tests/ops/NAME.hlo."""
    everything = []

    def __init__(self, name, about, order=False):
        """`order`: what the cases' argument of that name is unless given."""
        self.name, self.about, self.order, self.cases, self.notes = name, about, order, [], []
        File.everything.append(self)

    def case(self, name, program, inputs=(), want=None, tolerance=None, layouts=None, trust=True, mlir=None, order=None, phases=()):
        """Adds a case. `want`: the reference's results, None = whatever XLA gives.

        `trust=False` leaves XLA out of it (say why in the caller). `layouts`: the inputs' layouts as written in the
        directives. `mlir`: StableHLO text to ask XLA with instead, where XLA's own HLO parser can not express it.
        `order`: the last bits follow from the order of XLA's operations. `phases`: the results that are vectors up to
        factors of magnitude 1.
        """
        assert re.fullmatch(r'[A-Za-z0-9_.-]+', name) and all(c[0] != name for c in self.cases), name
        inputs = [np.asarray(a) for a in inputs]
        got = None
        if trust:
            try:
                ask = mlir or program
                got = (xla.run_hlo if is_hlo(ask) else xla.run_stablehlo)(ask, inputs)
            except xla.Rejected as error:
                self.notes.append(f'{name}: XLA refuses: {str(error).splitlines()[0][:150]}')
                if want is None:
                    raise
        if want is None:
            want = got
        else:
            want = [np.asarray(a) for a in want]
            if got is not None:
                self.compare(name, got, want, tolerance)
        if all(w.dtype == bool or et.NAMES[w.dtype] in et.INTEGERS for w in want):
            tolerance = None
        head = f'//! case {name}\n'
        for i, a in enumerate(inputs):
            head += wrapped('input', literal_of(a, layout=layouts[i] if layouts else None))
        for a in want:
            head += wrapped('expect', literal_of(a))
        if (self.order if order is None else order) and any(et.NAMES[w.dtype] not in et.INTEGERS for w in want):
            head += "//! order XLA's\n"
        if phases:
            head += f"//! phases {' '.join(map(str, phases))}\n"
        if tolerance:
            head += '//! tolerance ' + ' '.join(f'{k}={v:g}' for k, v in tolerance.items()) + '\n'
        self.cases.append((name, head + program.strip('\n') + '\n'))

    def compare(self, name, got, want, tolerance):
        for i, (g, w) in enumerate(zip(got, want, strict=True)):
            assert g.shape == w.shape and g.dtype == w.dtype, (name, g.shape, w.shape, g.dtype, w.dtype)
            bad = ~np.atleast_1d(agree(et.NAMES[w.dtype], g, w, tolerance))
            if bad.any():
                k = np.flatnonzero(bad)
                t = et.NAMES[w.dtype]
                show = '; '.join(f'[{j}] XLA {et.scalar_text(t, g.reshape(-1)[j])} here {et.scalar_text(t, w.reshape(-1)[j])}'
                                 for j in k[:4])
                self.notes.append(f'{name}: {len(k)} of {g.size} differ: {show}')

    def error(self, name, program, substring, line=None, inputs=()):
        """Adds a case that must be refused, with inputs if only a run shows it; a note is left where XLA takes it."""
        assert all(c[0] != name for c in self.cases), name
        try:
            xla.check(program)
            self.notes.append(f'{name}: XLA accepts')
        except xla.Rejected as error:
            if os.environ.get('SHOW_REJECTIONS'):
                print(f'{self.name}: {name}: {str(error)[:400]}')
        at = f' at {line}' if line else ''
        given = ''.join(wrapped('input', literal_of(np.asarray(a))) for a in inputs)
        self.cases.append((name, f'//! case {name}\n{given}//! error "{substring}"{at}\n' + program.strip('\n') + '\n'))

    def write(self):
        head = f'// {self.about}\n// Generated by generate.py from XLA and exact references; see README.md.\n'
        text = head + '\n'.join([''] + [text for _, text in self.cases])
        with open(os.path.join(HERE, self.name + '.hlo'), 'w') as f:
            f.write(text)
        return len(text)
