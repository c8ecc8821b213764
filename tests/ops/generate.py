"""Writes every tests/ops/*.hlo. Run: python tests/ops/generate.py [module ...]   (needs jax; see README.md)

Prints what XLA's CPU backend does differently from the expectations; notes.txt keeps that list.
"""
import importlib
import os
import sys

import cases

MODULES = ['elementwise', 'contractions', 'control', 'conversions', 'structural']


def main():
    for module in sys.argv[1:] or MODULES:
        importlib.import_module(module).make()
    total = 0
    notes = []
    for file in cases.File.everything:
        size = file.write()
        total += size
        notes += [f'{file.name}: {n}' for n in file.notes]
        if size > 65_000:
            print(f'{file.name}.hlo is large: {size}')
    print('\n'.join(notes))
    print(f'{len(cases.File.everything)} files, {sum(len(f.cases) for f in cases.File.everything)} cases, {total} bytes')


if __name__ == '__main__':
    main()
