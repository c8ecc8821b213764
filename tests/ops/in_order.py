"""Sums and products with every step rounded, in the order in which XLA's CPU backend takes them (docs/numerics.md).

generate.py compares what comes of this with XLA itself.
"""
import numpy as np

WINDOW, BLOCK = 32, 16


def fold(rows, product=False):
    """Along axis 0, one row after the other."""
    dtype = rows.dtype
    wide = dtype if dtype.itemsize >= 4 else np.float32
    total = rows[0]
    for row in rows[1:]:
        a, b = total.astype(wide), row.astype(wide)
        total = (a * b if product else a + b).astype(dtype)
    return total


def reduce_in_order(a, dimensions, product=False):
    """Dimensions longer than WINDOW are combined in windows of that size first, padded alike on both sides."""
    kept = [d for d in range(a.ndim) if d not in dimensions]
    a = a.transpose(list(dimensions) + kept)
    count = len(dimensions)
    while max(a.shape[:count]) > WINDOW:
        windows = [min(n, WINDOW) for n in a.shape[:count]]
        padding = [-n % w for n, w in zip(a.shape, windows)]
        a = np.pad(a, [(p // 2, p - p // 2) for p in padding] + [(0, 0)] * len(kept), constant_values=1 if product else 0)
        positions = [n // w for n, w in zip(a.shape, windows)]
        split = a.reshape([n for pair in zip(positions, windows) for n in pair] + list(a.shape[count:]))
        order = list(range(1, 2 * count, 2)) + list(range(0, 2 * count, 2)) + list(range(2 * count, split.ndim))
        a = fold(split.transpose(order).reshape([-1, *positions, *a.shape[count:]]), product)
    return fold(a.reshape([-1, *a.shape[count:]]), product)


def cumulate_in_order(a, backwards=False):
    """Along axis 0: within blocks of BLOCK, in the order of the elements, then what the other blocks hold."""
    n = len(a)
    blocks = [a[i:i + BLOCK] for i in range(0, n, BLOCK)]
    inside = [np.stack([fold(b[i:] if backwards else b[:i + 1]) for i in range(len(b))]) for b in blocks]
    if len(blocks) == 1:
        return inside[0]
    totals = cumulate_in_order(np.stack([b[0 if backwards else -1] for b in inside]), backwards)
    joined = []
    for i, block in enumerate(inside):
        other = i + 1 if backwards else i - 1
        joined.append(np.stack([fold(np.stack([row, totals[other]])) for row in block]) if 0 <= other < len(blocks) else block)
    return np.concatenate(joined)
