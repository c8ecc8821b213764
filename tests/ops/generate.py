"""Writes every tests/ops/*.hlo. Run: python tests/ops/generate.py [module ...]   (needs jax; see README.md)

differences.txt keeps what XLA's CPU backend does differently from the expectations, one line per case.
"""
import importlib
import os
import sys

import cases

MODULES = [
    'elementwise',
    'special_functions',
    'complex_special',
    'six_bit_floats',
    'contractions',
    'grouped_dots',
    'small_products',
    'control',
    'structure',
    'tuples',
    'conversions',
    'structural',
    'indexing',
    'dynamic_slices',
    'scans',
    'shardy',
    'spmd',
    'sorting',
    'windows',
    'select_and_scatter',
    'late_padding',
    'late_sizes',
    'normalization',
    'triangular',
    'approximate_top_k',
    'lapack',
    'fourier',
    'sizes',
    'dynamic_sizes',
    'random_numbers',
    'random_bits',
    'errors',
    'stablehlo_edges',
    'stablehlo_types',
    'stablehlo',  # reads the others' files
]
DIFFERENCES = os.path.join(cases.HERE, 'differences.txt')


def keep_differences(files):
    """Replaces the lines of the files just written, keeps those of the others."""
    kept = []
    if os.path.exists(DIFFERENCES):
        written = {f.name for f in files}
        kept = [line for line in open(DIFFERENCES).read().splitlines() if line.split(':')[0] not in written]
    lines = kept + [f'{file.name}: {note}' for file in files for note in file.notes]
    with open(DIFFERENCES, 'w') as f:
        f.write('\n'.join(sorted(lines)) + '\n')
    return lines


def main():
    total = 0
    for module in sys.argv[1:] or MODULES:
        first = len(cases.File.everything)
        importlib.import_module(module).make()
        for file in cases.File.everything[first:]:
            size = file.write()
            total += size
            if size > 65_000:
                print(f'{file.name}.hlo is large: {size}')
    files = cases.File.everything
    print(f'{len(files)} files, {sum(len(f.cases) for f in files)} cases, {total} bytes, {len(keep_differences(files))} differences')


if __name__ == '__main__':
    main()
