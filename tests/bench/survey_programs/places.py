"""Programs of the survey: gathers, scatters, sorting, distances, cumulative sums."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from .arguments import below, normal, program


@program(below(256, 65536))
def bincount(x):
    return jnp.bincount(x, length=256)


@program(below(1000, 65536), normal(65536))
def seg_sum1(i, x):
    return jax.ops.segment_sum(x, i, 1000)


@program(below(1000, 65536), normal(65536))
def seg_max1(i, x):
    return jax.ops.segment_max(x, i, 1000)


@program(below(1000, 65536), normal(1000))
def take1(i, x):
    return x[i]


@program(below(256, 65536).astype(np.uint8), below(256, 256).astype(np.uint8))
def lut_u8(i, x):
    return x[i]


@program(below(256, 65536).astype(np.uint8), normal(256, 3))
def palette(i, x):
    return x[i]


@program(below(128, 65536, 2), normal(128, 128))
def take2(i, x):
    return x[i[:, 0], i[:, 1]]


@program(below(128, 20000, 2), normal(20000))
def splat2(i, v):
    return jnp.zeros((128, 128)).at[i[:, 0], i[:, 1]].add(v)


@program(normal(100, 100), below(100, 100))
def take_rows_perm(x, i):
    return x[i][:, i]


@program(normal(64, 1000))
def argsort_rows(x):
    return jnp.argsort(x, -1)


@program(normal(1000, 16))
def sort_rows16(x):
    return jnp.sort(x, -1)


@program(normal(1000, 9))
def median_rows9(x):
    return jnp.median(x, -1)


@program(normal(1024, 5))
def topk_rows(x):
    return lax.top_k(x, 2)


@program(below(1000, 100000))
def sort_int(x):
    return jnp.sort(x)


@program(below(50, 10000), normal(10000))
def lexsort_(a, b):
    return jnp.lexsort((b, a))


@program(normal(128, 100), normal(128, 100))
def cross_dist_l1(a, b):
    return jnp.abs(a[:, None] - b[None]).sum(-1)


@program(normal(1000, 3), normal(1000, 3))
def cdist3(a, b):
    return jnp.sqrt(((a[:, None] - b[None]) ** 2).sum(-1))


@program(normal(1000, 3))
def knn(a):
    d = ((a[:, None] - a[None]) ** 2).sum(-1)
    return lax.top_k(-d, 8)[1]


@program(normal(1000, 3), normal(1000, 3))
def chamfer(a, b):
    d = ((a[:, None] - b[None]) ** 2).sum(-1)
    return d.min(0).mean() + d.min(1).mean()


@program(normal(300, 16))
def rbf(a):
    d = ((a[:, None] - a[None]) ** 2).sum(-1)
    return jnp.exp(-0.5 * d)


@program(normal(100000))
def cumsum_(x):
    return jnp.cumsum(x)


@program(normal(256, 256))
def cumsum_ax0(x):
    return jnp.cumsum(x, 0)


@program(normal(256, 256))
def integral_img(x):
    return jnp.cumsum(jnp.cumsum(x, 0), 1)


@program(normal(100000))
def cummax_(x):
    return lax.cummax(x)


@program(normal(100000))
def diff2(x):
    return jnp.diff(x, 2)


@program(normal(100000))
def stats(x):
    return x.mean(), x.std(), x.min(), x.max(), jnp.argmax(x)


@program(normal(64, 64, 64))
def var_mid(x):
    return x.var(1)
