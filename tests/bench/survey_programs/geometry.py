"""Programs of the survey: images, fields, sequences and graphs."""

import jax
import jax.numpy as jnp
import jax.scipy as jsp
import numpy as np
from jax import grad, lax, vmap

from .arguments import below, normal, program, uniform


@program(normal(256, 256, 3))
def blur_sobel(x):
    g = x @ jnp.array([0.3, 0.6, 0.1])
    k = jnp.array([[1, 2, 1], [2, 4, 2], [1, 2, 1]], jnp.float32) / 16
    c = lambda a, k: lax.conv_general_dilated(a[None, None], k[None, None], (1, 1), 'SAME')[0, 0]
    g = c(g, k)
    s = jnp.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]], jnp.float32)
    return jnp.sqrt(c(g, s) ** 2 + c(g, s.T) ** 2)


@program(below(256, 256, 256, 3).astype(np.uint8))
def hsv(x):
    x = x.astype(jnp.float32) / 255
    mx = x.max(-1)
    mn = x.min(-1)
    d = mx - mn + 1e-6
    r, g, b = x[..., 0], x[..., 1], x[..., 2]
    h = jnp.where(mx == r, (g - b) / d % 6, jnp.where(mx == g, (b - r) / d + 2, (r - g) / d + 4)) / 6
    return jnp.stack([h, d / (mx + 1e-6), mx], -1)


@program(below(256, 256, 256).astype(np.uint8))
def hist(x):
    h = jnp.bincount(x.ravel(), length=256)
    c = jnp.cumsum(h)
    return (c[x.astype(jnp.int32)] * 255 // 65536).astype(jnp.uint8)


@program(normal(128, 128), normal(2, 128, 128))
def warp(x, g):
    from jax.scipy.ndimage import map_coordinates

    y, xx = jnp.mgrid[0:128, 0:128]
    return map_coordinates(x, [y + g[0], xx + g[1]], order=1, mode='nearest')


@program(normal(96, 96))
def median3(x):
    p = jnp.pad(x, 1, mode='edge')
    s = jnp.stack([p[i : i + 96, j : j + 96] for i in range(3) for j in range(3)])
    return jnp.median(s, 0)


@program(normal(96, 96))
def dilate(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (5, 5), (1, 1), 'SAME')


@program(normal(64, 64))
def mandel(z0):
    y, x = jnp.mgrid[-1.5:1.5:64j, -2:1:64j]
    c = x + 1j * y

    def st(i, s):
        z, n = s
        z = z * z + c
        return jnp.where(jnp.abs(z) > 4, 4.0, z), n + (jnp.abs(z) < 2)

    return lax.fori_loop(0, 50, st, (c * 0, jnp.zeros((64, 64), jnp.int32)))[1]


@program(normal(64, 64, 3))
def raymarch(d):
    d = d / jnp.linalg.norm(d, axis=-1, keepdims=True)
    o = jnp.array([0, 0, -3.0])

    def sdf(p):
        return jnp.minimum(jnp.linalg.norm(p, axis=-1) - 1, jnp.linalg.norm(p - jnp.array([1, 0, 0.0]), axis=-1) - 0.5)

    def st(i, t):
        return t + sdf(o + d * t[..., None])

    return lax.fori_loop(0, 30, st, jnp.zeros((64, 64)))


@program(normal(1000), normal(31))
def fir(x, h):
    return jnp.convolve(x, h, 'same')


@program(normal(2000))
def iir(x):
    def st(s, x):
        y = 0.1 * x + 0.9 * s
        return y, y

    return lax.scan(st, 0.0, x)[1]


@program(normal(2000), uniform(2000))
def assoc_scan(x, a):
    return lax.associative_scan(lambda l, r: (l[0] * r[0], r[0] * l[1] + r[1]), (a, x))[1]


@program(normal(16, 256, 8), uniform(16, 256, 8))
def ssm(x, a):
    return lax.associative_scan(lambda l, r: (l[0] * r[0], r[0] * l[1] + r[1]), (a, x), axis=1)[1]


@program(normal(1000), np.sort(normal(200)), normal(200))
def interp(x, xp, fp):
    return jnp.interp(x, xp, fp)


@program(normal(10000), np.sort(normal(64)))
def searchsorted(x, b):
    return jnp.searchsorted(b, x)


@program(normal(10000))
def percentile(x):
    return jnp.percentile(x, jnp.array([5, 25, 50, 75, 95.0]))


@program(below(100, 2000))
def unique(x):
    return jnp.unique(x, size=100, return_counts=True)


@program(
    normal(50),
)
def newton(x):
    f = lambda x: x**3 - 2 * x - 5
    return lax.while_loop(
        lambda s: jnp.any(jnp.abs(f(s)) > 1e-5), lambda s: s - f(s) / vmap(grad(f))(s), jnp.abs(x) + 2
    )


@program(normal(20, 20), normal(20))
def cg(a, b):
    A = a @ a.T + 20 * jnp.eye(20)
    return jsp.sparse.linalg.cg(lambda x: A @ x, b, maxiter=30)[0]


@program(normal(5))
def rosenbrock_bfgs(x):
    from jax.scipy.optimize import minimize

    f = lambda x: jnp.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)
    return minimize(f, x, method='BFGS', options=dict(maxiter=30)).x


@program(normal(10), normal(10, 10))
def hessian(x, a):
    return jax.hessian(lambda x: jnp.sum(jnp.tanh(a @ x) ** 2))(x)


@program(normal(256), normal(100, 3, 1))
def spline(t, c):
    u = jnp.clip(jnp.abs(t), 0, 0.99) * 96
    i = u.astype(jnp.int32)
    f = u - i
    w = jnp.stack([(1 - f) ** 3, 3 * f**3 - 6 * f * f + 4, -3 * f**3 + 3 * f * f + 3 * f + 1, f**3], -1) / 6
    return jnp.einsum('tk,tkd->td', w, c[i[:, None] + jnp.arange(4)][..., 0])


@program(below(500, 3000, 2), normal(500, 16))
def gnn(e, h):
    return jax.nn.relu(
        jax.ops.segment_sum(h[e[:, 0]], e[:, 1], 500) / (jax.ops.segment_sum(jnp.ones(3000), e[:, 1], 500)[:, None] + 1)
    )


@program(below(200, 800, 2))
def pagerank(e):
    deg = jnp.zeros(200).at[e[:, 0]].add(1.0) + 1e-6

    def st(i, r):
        return 0.15 / 200 + 0.85 * jnp.zeros(200).at[e[:, 1]].add((r / deg)[e[:, 0]])

    return lax.fori_loop(0, 30, st, jnp.ones(200) / 200)


@program(normal(60, 60))
def floyd(d):
    d = jnp.abs(d)
    return lax.fori_loop(0, 60, lambda k, d: jnp.minimum(d, d[:, k][:, None] + d[k]), d)


@program(
    below(2, 5000),
)
def sieve(x):
    n = 5000

    def st(i, s):
        return jnp.where((jnp.arange(n) % i == 0) & (jnp.arange(n) > i) & (i > 1), False, s)

    return lax.fori_loop(2, 71, st, jnp.ones(n, bool)).sum()


@program(normal(30, 2), normal(60, 2))
def hungarian_cost(a, b):
    return (
        jnp.sqrt(((a[:, None] - b[None]) ** 2).sum(-1)).min(1).sum()
        + jnp.abs(jnp.fft.fft(a[:, 0] + 1j * a[:, 1])).sum()
    )


@program(
    normal(4096, 3),
)
def fourier_feat(x):
    f = 2.0 ** jnp.arange(6)
    y = (x[..., None] * f).reshape(4096, -1)
    return jnp.concatenate([x, jnp.sin(y), jnp.cos(y)], -1)


@program(
    normal(128, 64, 4),
)
def volume_render(s):
    a = 1 - jnp.exp(-jax.nn.softplus(s[..., 3]) * 0.05)
    T = jnp.cumprod(1 - a + 1e-10, 1)
    T = jnp.concatenate([jnp.ones((128, 1)), T[:, :-1]], 1)
    return ((a * T)[..., None] * jax.nn.sigmoid(s[..., :3])).sum(1)


@program(normal(128, 2), normal(16, 16, 16, 2), below(4096, 128, 16))
def hashgrid(x, t, i):
    return t.reshape(4096, 2)[i].mean(1)


@program(normal(8, 7, 3), normal(8, 7, 3), normal(8, 7, 3), normal(8, 7, 3, 3))
def joint_torques(a, r, f, m):
    """As rigid bodies have them: products of vectors of three numbers, batch by batch."""
    torque = jnp.cross(r, f)
    power = vmap(vmap(jnp.dot))(a, torque)
    turned = vmap(vmap(lambda m, v: m @ v))(m, torque)
    return power, turned, vmap(vmap(jnp.dot))(turned, a)


@program(normal(200, 1, 5, 1, 5), normal(200, 1, 5))
def tensor_product(a, b):
    return jnp.einsum("zuivj,zui->zvj", a, b)
