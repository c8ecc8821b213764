"""What pages draw, simulate, hear and count: meshes, textures, fluids, filters, tables. See arguments.py."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from .arguments import KEY, below, normal, program, uniform


@program(normal(20000, 3), normal(4, 4))
def transform_vertices(v, m):
    p = jnp.concatenate([v, jnp.ones((v.shape[0], 1))], axis=1) @ m.T
    return p[:, :3] / p[:, 3:]


@program(normal(8000, 3), normal(64, 4, 4), below(64, 8000, 4), uniform(8000, 4))
def skin_mesh(v, bones, at, weights):
    h = jnp.concatenate([v, jnp.ones((v.shape[0], 1))], axis=1)
    moved = jnp.einsum('nkij,nj->nki', bones[at], h)
    return jnp.sum(moved * weights[..., None], axis=1)[:, :3]


@program(normal(10000, 3), below(10000, 20000, 3))
def vertex_normals(v, faces):
    a, b, c = v[faces[:, 0]], v[faces[:, 1]], v[faces[:, 2]]
    n = jnp.cross(b - a, c - a)
    out = jnp.zeros_like(v).at[faces.ravel()].add(jnp.repeat(n, 3, axis=0))
    return out / (jnp.linalg.norm(out, axis=1, keepdims=True) + 1e-9)


@program(uniform(256, 256), uniform(65536, 2) * 255)
def sample_texture(t, uv):
    return jax.scipy.ndimage.map_coordinates(t, [uv[:, 1], uv[:, 0]], order=1, mode='nearest')


@program(below(256, 512).astype(np.int32), uniform(2, 128, 128) * 8)
def perlin(perm, p):
    i, f = jnp.floor(p).astype(jnp.int32) & 255, p - jnp.floor(p)
    u = f * f * f * (f * (f * 6 - 15) + 10)

    def corner(dx, dy):
        h = perm[(perm[(i[0] + dx) & 255] + i[1] + dy) & 255] & 3
        x, y = f[0] - dx, f[1] - dy
        return jnp.where(h & 1, -x, x) + jnp.where(h & 2, -y, y)

    a = corner(0, 0) + u[0] * (corner(1, 0) - corner(0, 0))
    b = corner(0, 1) + u[0] * (corner(1, 1) - corner(0, 1))
    return a + u[1] * (b - a)


@program(uniform(256, 256, 3) * 4)
def aces_tonemap(x):
    y = (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14)
    return (jnp.clip(y, 0, 1) ** (1 / 2.2) * 255 + 0.5).astype(jnp.uint8)


@program(uniform(256, 256, 3))
def rgb_to_lab(rgb):
    m = jnp.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    xyz = rgb @ m.T / jnp.array([0.9505, 1.0, 1.089])
    f = jnp.where(xyz > 0.008856, jnp.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return jnp.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])], -1)


@program(uniform(256, 256))
def bayer_dither(x):
    bayer = jnp.array([[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]]) / 16
    return (x > jnp.tile(bayer, (64, 64))).astype(jnp.uint8) * 255


@program(normal(5000, 3), normal(5000, 4), uniform(5000, 3))
def project_splats(p, q, s):
    q = q / jnp.linalg.norm(q, axis=1, keepdims=True)
    w, x, y, z = q.T
    r = jnp.stack(
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
         2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
         2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], axis=1).reshape(-1, 3, 3)
    m = r * s[:, None]
    cov = jnp.einsum('nij,nkj->nik', m, m)
    d = p[:, 2] + 5
    j = jnp.stack([1 / d, 0 * d, -p[:, 0] / d**2, 0 * d, 1 / d, -p[:, 1] / d**2], axis=1).reshape(-1, 2, 3)
    return jnp.einsum('nij,njk,nlk->nil', j, cov, j)


@program(uniform(9, 128, 128) + 0.5)
def lattice_boltzmann(f):
    cx = np.array([0, 1, 0, -1, 0, 1, -1, -1, 1])
    cy = np.array([0, 0, 1, 0, -1, 1, 1, -1, -1])
    w = jnp.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)
    f = jnp.stack([jnp.roll(f[i], (cx[i], cy[i]), (0, 1)) for i in range(9)])
    rho = jnp.sum(f, 0)
    ux = jnp.tensordot(jnp.array(cx, jnp.float32), f, 1) / rho
    uy = jnp.tensordot(jnp.array(cy, jnp.float32), f, 1) / rho
    cu = cx[:, None, None] * ux + cy[:, None, None] * uy
    eq = rho * w[:, None, None] * (1 + 3 * cu + 4.5 * cu**2 - 1.5 * (ux**2 + uy**2))
    return f - (f - eq) / 0.6


@program(normal(128, 128), normal(128, 128), normal(128, 128))
def advect(u, v, d):
    y, x = jnp.meshgrid(jnp.arange(128.0), jnp.arange(128.0), indexing='ij')
    at = [jnp.clip(y - 0.1 * v, 0, 127), jnp.clip(x - 0.1 * u, 0, 127)]
    return jax.scipy.ndimage.map_coordinates(d, at, order=1, mode='nearest')


@program(np.where(uniform(128, 128) < 0.5, 1.0, -1.0).astype(np.float32), KEY)
def ising(s, key):
    mask = (jnp.arange(128)[:, None] + jnp.arange(128)) % 2

    def half(s, inputs):
        key, parity = inputs
        near = jnp.roll(s, 1, 0) + jnp.roll(s, -1, 0) + jnp.roll(s, 1, 1) + jnp.roll(s, -1, 1)
        flips = jax.random.uniform(key, s.shape) < jnp.exp(-2 * 0.44 * s * near)
        return jnp.where(flips & (mask == parity), -s, s), None

    return lax.scan(half, s, (jax.random.split(key, 4), jnp.arange(4) % 2))[0]


@program(normal(64, 64, 3), normal(64, 64, 3))
def cloth_step(p, last):
    q = p + 0.99 * (p - last) + jnp.array([0, -0.001, 0])
    for axis in (0, 1):
        a, b = (q[:-1], q[1:]) if axis == 0 else (q[:, :-1], q[:, 1:])
        d = b - a
        n = jnp.linalg.norm(d, axis=-1, keepdims=True)
        fix = d * (0.5 * (1 - 0.1 / (n + 1e-6)))
        pad = [(0, 0)] * 3
        first, second = list(pad), list(pad)
        first[axis], second[axis] = (0, 1), (1, 0)
        q = q + jnp.pad(fix, first) - jnp.pad(fix, second)
    return q


@program(uniform(4096, 2), normal(4096, 2))
def grid_density(p, v):
    cell = (p * 32).astype(jnp.int32)
    at = cell[:, 0] * 32 + cell[:, 1]
    mass = jnp.zeros(1024).at[at].add(1.0)
    momentum = jnp.zeros((1024, 2)).at[at].add(v)
    return (momentum / jnp.maximum(mass, 1)[:, None])[at]


@program(normal(200, 200), normal(200, 200))
def fdtd(e, h):
    def step(state, _):
        e, h = state
        h = h.at[:, :-1].add(0.5 * (e[:, 1:] - e[:, :-1]))
        e = e.at[:, 1:].add(0.5 * (h[:, 1:] - h[:, :-1]))
        return (e, h), None

    return lax.scan(step, (e, h), None, length=10)[0]


@program(normal(48000))
def biquads(x):
    def step(s, v):
        a, b = s
        y = 0.2 * v + a
        a = 0.4 * v - 0.3 * y + b
        b = 0.2 * v + 0.1 * y
        return (a, b), y

    return lax.scan(step, (0.0, 0.0), x)[1]


@program(normal(16384), normal(4096))
def reverb(x, ir):
    n = 32768
    return jnp.fft.irfft(jnp.fft.rfft(x, n) * jnp.fft.rfft(ir, n), n)[:16384]


@program(normal(8000))
def resample(x):
    return jnp.interp(jnp.arange(11025) * (8000 / 11025), jnp.arange(8000), x)


@program(normal(64, 1024))
def autocorrelation(x):
    f = jnp.fft.rfft(x, 2048)
    return jnp.argmax(jnp.fft.irfft(jnp.abs(f) ** 2)[:, 40:400], axis=1)


@program(below(100, 50000), normal(50000))
def group_stats(group, x):
    n = jax.ops.segment_sum(jnp.ones_like(x), group, 100)
    mean = jax.ops.segment_sum(x, group, 100) / n
    var = jax.ops.segment_sum((x - mean[group]) ** 2, group, 100) / n
    return n, mean, var, jax.ops.segment_max(x, group, 100)


@program(normal(20000))
def rolling(x):
    c = jnp.cumsum(jnp.pad(x, (1, 0)))
    mean = (c[50:] - c[:-50]) / 50
    top = lax.reduce_window(x, -jnp.inf, lax.max, (50,), (1,), 'VALID')
    return mean, top


@program(normal(1000, 50))
def correlation(x):
    return jnp.corrcoef(x.T)


@program(normal(20000), normal(20000))
def histogram2d(x, y):
    return jnp.histogram2d(x, y, bins=32, range=((-3, 3), (-3, 3)))[0]


@program(normal(20000))
def ranks(x):
    return jnp.argsort(jnp.argsort(x)) / x.shape[0]


@program(normal(500, 10), normal(500), normal(10))
def logistic_newton(x, y, w):
    y = (y > 0).astype(jnp.float32)
    for _ in range(5):
        p = jax.nn.sigmoid(x @ w)
        g = x.T @ (p - y)
        h = (x * (p * (1 - p))[:, None]).T @ x + 0.1 * jnp.eye(10)
        w = w - jnp.linalg.solve(h, g)
    return w


@program(normal(200, 30), KEY)
def evolve(population, key):
    def step(p, k):
        a, b, c = jax.random.split(k, 3)
        fitness = jnp.sum(p**2 - 10 * jnp.cos(2 * jnp.pi * p), axis=1)
        best = p[jnp.argsort(fitness)[:100]]
        partner = best[jax.random.permutation(a, 100)]
        child = jnp.where(jax.random.bernoulli(b, 0.5, best.shape), best, partner)
        return jnp.concatenate([best, child + 0.1 * jax.random.normal(c, child.shape)]), None

    return lax.scan(step, population, jax.random.split(key, 5))[0]


@program(normal(1, 64, 128), normal(128, 4), normal(128))
def mamba_conv(x, w, b):
    padded = jnp.pad(x, ((0, 0), (3, 0), (0, 0)))
    return jax.nn.silu(sum(padded[:, i : i + 64] * w[:, i] for i in range(4)) + b)


@program(normal(1, 32, 32, 64), normal(3, 3, 64, 64), normal(64), normal(64))
def res_block(x, w, g, b):
    y = x.reshape(1, 32, 32, 8, 8)
    mean, var = y.mean((1, 2, 4), keepdims=True), y.var((1, 2, 4), keepdims=True)
    y = ((y - mean) * lax.rsqrt(var + 1e-5)).reshape(x.shape) * g + b
    y = lax.conv_general_dilated(jax.nn.silu(y), w, (1, 1), 'SAME', dimension_numbers=('NHWC', 'HWIO', 'NHWC'))
    return x + y


@program(normal(1, 224, 224, 3), normal(16, 16, 3, 192))
def patch_embed(x, w):
    return lax.conv_general_dilated(x, w, (16, 16), 'VALID', dimension_numbers=('NHWC', 'HWIO', 'NHWC')).reshape(-1, 192)


@program(below(5000, 64, 20), normal(5000, 64))
def embedding_bag(tokens, table):
    return jnp.mean(table[tokens], axis=1)


@program(normal(256, 32), normal(32, 64), normal(64, 1), normal(256, 1))
def train_loop(x, w1, w2, y):
    def loss(p):
        return jnp.mean((jnp.tanh(x @ p[0]) @ p[1] - y) ** 2)

    def step(p, _):
        g = jax.grad(loss)(p)
        return [a - 0.1 * b for a, b in zip(p, g)], None

    return lax.scan(step, [w1, w2], None, length=20)[0]


@program(normal(1, 28, 28, 8), normal(5, 5, 1, 8))
def depthwise5(x, w):
    return lax.conv_general_dilated(x, w, (1, 1), 'SAME', dimension_numbers=('NHWC', 'HWIO', 'NHWC'), feature_group_count=8)


@program(normal(8, 256), normal(8, 256, 64))
def gru_like_gate(z, h):
    z = jax.nn.sigmoid(z)[..., None]
    return z * h + (1 - z) * jnp.tanh(h[:, ::-1])
