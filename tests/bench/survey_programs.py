"""Programs as people write them in JAX, from machine learning, science, images and games, and single functions over 65536
numbers: what survey.py times under XLA. Each is a function with the arguments that it is called with.

Must not know who runs them.
"""

import jax
import jax.numpy as jnp
import jax.scipy as jsp
import numpy as np
from jax import grad, lax, random, vmap

rng = np.random.default_rng(0)
PROGRAMS = {}


def normal(*shape):
    return rng.standard_normal(shape).astype(np.float32)


def uniform(*shape):
    return rng.uniform(0, 1, shape).astype(np.float32)


def below(n, *shape):
    return rng.integers(0, n, shape).astype(np.int32)


KEY = np.array([1, 2], np.uint32)


def program(*arguments):
    def add(function):
        PROGRAMS[function.__name__] = (function, arguments)
        return function

    return add


# --- machine learning
@program(normal(32, 64), normal(64, 256), normal(256), normal(256, 10), below(10, 32))
def mlp_grad(x, w1, b1, w2, y):
    def loss(w1, b1, w2):
        h = jax.nn.gelu(x @ w1 + b1)
        l = h @ w2
        return -jnp.mean(jax.nn.log_softmax(l)[jnp.arange(32), y])

    return grad(loss, argnums=(0, 1, 2))(w1, b1, w2)


@program(normal(1, 256), normal(4, 256, 256), normal(4, 256, 256), normal(64, 256), normal(64, 256))
def decode_attn(x, wq, wo, k, v):
    for i in range(4):
        q = (x @ wq[i]).reshape(8, 32)
        s = jnp.einsum('hd,thd->ht', q, k.reshape(64, 8, 32)) / 5.6
        p = jax.nn.softmax(s, -1)
        o = jnp.einsum('ht,thd->hd', p, v.reshape(64, 8, 32)).reshape(1, 256)
        x = x + o @ wo[i]
        x = x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6)
    return x


@program(normal(16, 50, 64), normal(64, 192), normal(64, 64))
def attn_batch(x, w, wo):
    q, k, v = jnp.split(x @ w, 3, -1)
    h = lambda a: a.reshape(16, 50, 4, 16).transpose(0, 2, 1, 3)
    s = jax.nn.softmax(h(q) @ h(k).transpose(0, 1, 3, 2) / 4 + jnp.where(jnp.tril(jnp.ones((50, 50))), 0, -1e9), -1)
    return (s @ h(v)).transpose(0, 2, 1, 3).reshape(16, 50, 64) @ wo


@program(normal(1, 128, 64), normal(128, 32))
def rope(x, f):
    c, s = jnp.cos(f), jnp.sin(f)
    a, b = x[..., :32], x[..., 32:]
    return jnp.concatenate([a * c - b * s, a * s + b * c], -1)


@program(normal(1, 128, 64), normal(128, 32))
def rope_interleaved(x, f):
    c, s = jnp.cos(f), jnp.sin(f)
    a, b = x[..., ::2], x[..., 1::2]
    return jnp.stack([a * c - b * s, a * s + b * c], -1).reshape(x.shape)


@program(normal(4, 28, 28, 1), normal(3, 3, 1, 16), normal(3, 3, 16, 32), normal(1568, 10), below(10, 4))
def cnn_grad(x, k1, k2, w, y):
    def loss(k1, k2, w):
        h = jax.nn.relu(lax.conv_general_dilated(x, k1, (2, 2), 'SAME', dimension_numbers=('NHWC', 'HWIO', 'NHWC')))
        h = jax.nn.relu(lax.conv_general_dilated(h, k2, (2, 2), 'SAME', dimension_numbers=('NHWC', 'HWIO', 'NHWC')))
        l = h.reshape(4, -1) @ w
        return -jnp.mean(jax.nn.log_softmax(l)[jnp.arange(4), y])

    return grad(loss, argnums=(0, 1, 2))(k1, k2, w)


@program(normal(1, 64, 64, 32), normal(32), normal(32))
def group_norm(x, g, b):
    h = x.reshape(1, 64, 64, 8, 4)
    m = h.mean((1, 2, 4), keepdims=True)
    v = h.var((1, 2, 4), keepdims=True)
    return ((h - m) * lax.rsqrt(v + 1e-5)).reshape(x.shape) * g + b


@program(normal(8, 32, 32, 16), normal(16), normal(16))
def batch_norm(x, g, b):
    m = x.mean((0, 1, 2))
    v = x.var((0, 1, 2))
    return (x - m) * lax.rsqrt(v + 1e-5) * g + b


@program(normal(1, 32, 32, 64))
def upsample_bilinear(x):
    return jax.image.resize(x, (1, 64, 64, 64), 'bilinear')


@program(normal(1, 64, 64, 3))
def resize_cubic(x):
    return jax.image.resize(x, (1, 100, 90, 3), 'cubic')


@program(normal(1, 64, 64, 16))
def upsample_nearest(x):
    return jnp.repeat(jnp.repeat(x, 2, 1), 2, 2)


@program(normal(64, 40, 16), normal(5, 16, 32))
def conv1d(x, k):
    return lax.conv_general_dilated(x, k, (1,), 'SAME', dimension_numbers=('NHC', 'HIO', 'NHC'))


@program(normal(1, 16000), normal(400, 1))
def stft_power(x, w):
    i = np.arange(0, 16000 - 400, 160)[:, None] + np.arange(400)[None]
    f = x[0][i] * w[:, 0]
    s = jnp.fft.rfft(f, n=512)
    return jnp.log(jnp.abs(s) ** 2 + 1e-6)


@program(normal(30, 8, 32), normal(32, 128), normal(32, 128), normal(128))
def lstm(x, wx, wh, b):
    def cell(c, x):
        h, s = c
        i, f, g, o = jnp.split(x @ wx + h @ wh + b, 4, -1)
        s = jax.nn.sigmoid(f) * s + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(s)
        return (h, s), h

    return lax.scan(cell, (jnp.zeros((8, 32)), jnp.zeros((8, 32))), x)[1]


@program(normal(20, 4, 16), normal(16, 64), normal(16, 64), normal(64))
def lstm_grad(x, wx, wh, b):
    def loss(wx, wh, b):
        def cell(c, x):
            h, s = c
            i, f, g, o = jnp.split(x @ wx + h @ wh + b, 4, -1)
            s = jax.nn.sigmoid(f) * s + jax.nn.sigmoid(i) * jnp.tanh(g)
            h = jax.nn.sigmoid(o) * jnp.tanh(s)
            return (h, s), h

        return (lax.scan(cell, (jnp.zeros((4, 16)), jnp.zeros((4, 16))), x)[1] ** 2).mean()

    return grad(loss, (0, 1, 2))(wx, wh, b)


@program(normal(1000, 64), normal(1000, 64), normal(1000, 64), normal(1000, 64))
def adam(p, g, m, v):
    m = 0.9 * m + 0.1 * g
    v = 0.999 * jnp.abs(v) + 0.001 * g * g
    return p - 1e-3 * m / (jnp.sqrt(v) + 1e-8), m, v


@program(below(1000, 8, 32), normal(1000, 64))
def embed_grad(i, e):
    return grad(lambda e: (jnp.tanh(e[i]) ** 2).sum())(e)


@program(normal(64, 1000))
def top_p(l):
    s = -jnp.sort(-jax.nn.softmax(l), -1)
    c = jnp.cumsum(s, -1)
    t = jnp.take_along_axis(s, (c < 0.9).sum(-1, keepdims=True), -1)
    return jnp.where(jax.nn.softmax(l) >= t, l, -1e9)


@program(normal(8, 5000))
def topk50(l):
    return lax.top_k(l, 50)


@program(normal(100, 4), normal(100))
def nms(b, s):
    o = jnp.argsort(-s)
    b = jnp.concatenate([b[:, :2], b[:, :2] + jnp.abs(b[:, 2:])], 1)[o]
    lt = jnp.maximum(b[:, None, :2], b[None, :, :2])
    rb = jnp.minimum(b[:, None, 2:], b[None, :, 2:])
    wh = jnp.clip(rb - lt, 0)
    it = wh[..., 0] * wh[..., 1]
    ar = (b[:, 2] - b[:, 0]) * (b[:, 3] - b[:, 1])
    iou = it / (ar[:, None] + ar[None] - it + 1e-9)

    def body(i, k):
        return jnp.where((iou[i] > 0.5) & (jnp.arange(100) > i) & k[i], False, k)

    return lax.fori_loop(0, 100, body, jnp.ones(100, bool))


@program(normal(2, 8, 64), normal(64, 4), normal(4, 64, 128), normal(4, 128, 64))
def moe(x, g, w1, w2):
    p = jax.nn.softmax(x @ g)
    v, i = lax.top_k(p, 2)
    m = jax.nn.one_hot(i, 4) * v[..., None]
    m = m.sum(-2)
    h = jax.nn.relu(jnp.einsum('btd,edf->btef', x, w1))
    y = jnp.einsum('btef,efd->bted', h, w2)
    return (y * m[..., None]).sum(2)


@program(normal(256, 256).astype(jnp.bfloat16), normal(256, 256).astype(jnp.bfloat16), normal(256).astype(jnp.bfloat16))
def bf16_layer(x, w, b):
    return jax.nn.silu(x @ w + b)


@program(below(255, 64, 256).astype(np.int8), below(255, 256, 256).astype(np.int8), uniform(256))
def int8_linear(x, w, s):
    y = lax.dot_general(x, w, (((1,), (0,)), ((), ())), preferred_element_type=jnp.int32)
    return y.astype(jnp.float32) * s


@program(below(16, 512, 256).astype(np.uint8), uniform(512, 8), normal(4, 512))
def int4_dequant(w, s, x):
    lo = (w & 15).astype(jnp.float32) - 8
    hi = (w >> 4).astype(jnp.float32) - 8
    d = jnp.stack([lo, hi], -1).reshape(512, 512).reshape(512, 8, 64) * s[..., None]
    return x @ d.reshape(512, 512).T


@program(normal(16, 1000), below(1000, 16))
def label_smooth(l, y):
    t = jax.nn.one_hot(y, 1000) * 0.9 + 0.0001
    return -(t * jax.nn.log_softmax(l)).sum(-1).mean()


# --- science, images, games, statistics
@program(normal(500, 3), normal(500, 3), uniform(500))
def nbody(p, v, m):
    d = p[None] - p[:, None]
    r2 = (d * d).sum(-1) + 0.01
    a = (d * (m[None] * r2**-1.5)[..., None]).sum(1)
    v = v + 0.01 * a
    return p + 0.01 * v, v


@program(normal(64, 3) * 3)
def lennard_jones_grad(p):
    def e(p):
        d = p[None] - p[:, None]
        r2 = (d * d).sum(-1) + jnp.eye(64)
        s = (1 / r2) ** 3
        return (jnp.where(jnp.eye(64, dtype=bool), 0, s * s - s)).sum()

    return grad(e)(p)


@program(
    normal(3),
)
def lorenz(s):
    def f(s):
        return jnp.array([10 * (s[1] - s[0]), s[0] * (28 - s[2]) - s[1], s[0] * s[1] - 8 / 3 * s[2]])

    def rk(s, _):
        k1 = f(s)
        k2 = f(s + 0.005 * k1)
        k3 = f(s + 0.005 * k2)
        k4 = f(s + 0.01 * k3)
        s = s + 0.01 / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        return s, s

    return lax.scan(rk, s, None, length=1000)[1]


@program(normal(128, 3))
def lorenz_batch(s):
    def f(s):
        x, y, z = s[:, 0], s[:, 1], s[:, 2]
        return jnp.stack([10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z], -1)

    def rk(s, _):
        k1 = f(s)
        k2 = f(s + 0.005 * k1)
        k3 = f(s + 0.005 * k2)
        k4 = f(s + 0.01 * k3)
        return s + 0.01 / 6 * (k1 + 2 * k2 + 2 * k3 + k4), None

    return lax.scan(rk, s, None, length=200)[0]


@program(normal(128, 128))
def heat(u):
    def step(i, u):
        return u.at[1:-1, 1:-1].add(0.1 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1]))

    return lax.fori_loop(0, 50, step, u)


@program(normal(128, 128), normal(128, 128))
def gray_scott(u, v):
    L = lambda a: jnp.roll(a, 1, 0) + jnp.roll(a, -1, 0) + jnp.roll(a, 1, 1) + jnp.roll(a, -1, 1) - 4 * a

    def st(c, _):
        u, v = c
        r = u * v * v
        return (u + 0.16 * L(u) - r + 0.035 * (1 - u), v + 0.08 * L(v) + r - 0.1 * v), None

    return lax.scan(st, (u, v), None, length=20)[0]


@program(below(2, 128, 128).astype(bool))
def life(b):
    def st(b, _):
        n = sum(
            jnp.roll(b, (i, j), (0, 1)).astype(jnp.int32) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)
        )
        return (n == 3) | (b & (n == 2)), None

    return lax.scan(st, b, None, length=20)[0]


@program(normal(64, 64, 64))
def laplace3d(u):
    return sum(jnp.roll(u, s, a) for s in (1, -1) for a in range(3)) - 6 * u


@program(normal(256, 256))
def fft2_filter(x):
    f = jnp.fft.rfft2(x)
    k = jnp.exp(-(jnp.fft.fftfreq(256)[:, None] ** 2 + jnp.fft.rfftfreq(256)[None] ** 2) * 50)
    return jnp.fft.irfft2(f * k)


@program(normal(200, 200), normal(200))
def gp(a, y):
    k = a @ a.T / 200 + jnp.eye(200)
    L = jnp.linalg.cholesky(k)
    al = jsp.linalg.cho_solve((L, True), y)
    return -0.5 * y @ al - jnp.log(jnp.diag(L)).sum()


@program(normal(100, 100), normal(100))
def solve100(a, b):
    return jnp.linalg.solve(a + 10 * jnp.eye(100), b)


@program(normal(64, 64))
def inv64(a):
    return jnp.linalg.inv(a + 8 * jnp.eye(64))


@program(normal(100, 20))
def pca(x):
    x = x - x.mean(0)
    u, s, v = jnp.linalg.svd(x, full_matrices=False)
    return x @ v.T[:, :2]


@program(normal(64, 64))
def eigh64(a):
    return jnp.linalg.eigh(a + a.T)


@program(normal(200, 3, 3))
def polar3(a):
    u, s, v = jnp.linalg.svd(a)
    return u @ v


@program(normal(200, 3, 3))
def eigh3(a):
    return jnp.linalg.eigh(a + a.transpose(0, 2, 1))[0]


@program(normal(200, 4, 4))
def expm4(a):
    return vmap(jsp.linalg.expm)(a * 0.1)


@program(normal(1000, 3), normal(1000, 4))
def quat_rotate(v, q):
    q = q / jnp.linalg.norm(q, axis=-1, keepdims=True)
    w, u = q[:, :1], q[:, 1:]
    t = 2 * jnp.cross(u, v)
    return v + w * t + jnp.cross(u, t)


@program(normal(1000, 4, 4), normal(1000, 4, 4))
def mat4mul(a, b):
    return a @ b


@program(normal(50, 6), normal(6, 6), normal(3, 6), normal(50, 3))
def kalman(x, A, H, z):
    A = A * 0.1 + jnp.eye(6) * 0.9

    def st(c, z):
        m, P = c
        m = A @ m
        P = A @ P @ A.T + 0.1 * jnp.eye(6)
        S = H @ P @ H.T + jnp.eye(3)
        K = jnp.linalg.solve(S, H @ P).T
        m = m + K @ (z - H @ m)
        P = P - K @ H @ P
        return (m, P), m

    return lax.scan(st, (jnp.zeros(6), jnp.eye(6)), z)[1]


@program(normal(100, 16), normal(16, 16))
def viterbi(e, t):
    def st(d, e):
        s = d[:, None] + t
        return s.max(0) + e, s.argmax(0)

    d, b = lax.scan(st, e[0], e[1:])

    def bt(k, b):
        return b[k], b[k]

    return lax.scan(bt, jnp.argmax(d), b, reverse=True)[1]


@program(normal(100, 16), normal(16, 16))
def hmm_forward(e, t):
    def st(a, e):
        return jsp.special.logsumexp(a[:, None] + t, 0) + e, None

    return jsp.special.logsumexp(lax.scan(st, e[0], e[1:])[0])


@program(normal(2000, 8), normal(10, 8))
def kmeans(x, c):
    def st(c, _):
        d = ((x[:, None] - c[None]) ** 2).sum(-1)
        a = d.argmin(-1)
        o = jax.nn.one_hot(a, 10)
        return (o.T @ x) / (o.sum(0)[:, None] + 1e-6), None

    return lax.scan(st, c, None, length=5)[0]


@program(normal(2000, 8), normal(10, 8))
def kmeans_seg(x, c):
    d = ((x[:, None] - c[None]) ** 2).sum(-1)
    a = d.argmin(-1)
    return jax.ops.segment_sum(x, a, 10) / (jax.ops.segment_sum(jnp.ones(2000), a, 10)[:, None] + 1e-6)


@program(normal(100, 100))
def sinkhorn(c):
    K = jnp.exp(-jnp.abs(c))

    def st(i, uv):
        u, v = uv
        u = 1 / (K @ v)
        v = 1 / (K.T @ u)
        return u, v

    u, v = lax.fori_loop(0, 50, st, (jnp.ones(100), jnp.ones(100)))
    return u[:, None] * K * v


@program(normal(100), normal(100))
def dtw(a, b):
    d = jnp.abs(a[:, None] - b)

    def row(p, r):
        def cell(l, x):
            up, dg, c = x
            v = c + jnp.minimum(jnp.minimum(up, dg), l)
            return v, v

        _, n = lax.scan(cell, jnp.inf, (p[1:], p[:-1], r))
        return jnp.concatenate([jnp.array([jnp.inf]), n]), None

    return lax.scan(row, jnp.concatenate([jnp.zeros(1), jnp.full(100, jnp.inf)]), d)[0][-1]


@program(below(26, 60), below(26, 60))
def levenshtein(a, b):
    def row(p, ac):
        def cell(l, x):
            up, dg, bc = x
            v = jnp.minimum(jnp.minimum(up + 1, l + 1), dg + (ac != bc))
            return v, v

        _, n = lax.scan(cell, p[0] + 1, (p[1:], p[:-1], b))
        return jnp.concatenate([p[:1] + 1, n]), None

    return lax.scan(row, jnp.arange(61), a)[0][-1]


@program(KEY)
def mc_pi(k):
    x = random.uniform(k, (100000, 2))
    return 4 * jnp.mean((x * x).sum(-1) < 1)


@program(KEY, normal(4))
def hmc(k, q):
    U = lambda q: 0.5 * (q @ q) + 0.1 * jnp.sum(q**4)
    g = grad(U)

    def st(q, k):
        k1, k2 = random.split(k)
        p = random.normal(k1, (4,))
        q0, p0 = q, p

        def lf(i, c):
            q, p = c
            p = p - 0.05 * g(q)
            q = q + 0.1 * p
            p = p - 0.05 * g(q)
            return q, p

        q, p = lax.fori_loop(0, 10, lf, (q, p))
        a = U(q0) + 0.5 * p0 @ p0 - U(q) - 0.5 * p @ p
        q = jnp.where(jnp.log(random.uniform(k2)) < a, q, q0)
        return q, q

    return lax.scan(st, q, random.split(k, 100))[1]


@program(KEY, normal(64, 10))
def dropout_cat(k, l):
    a, b = random.split(k)
    return random.categorical(a, l), jnp.where(random.bernoulli(b, 0.8, l.shape), l / 0.8, 0)


@program(KEY)
def perm(k):
    return random.permutation(k, 1000)


@program(KEY)
def gammas(k):
    return random.gamma(k, 2.0, (500,))


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


@program(uniform(256, 256, 3))
def srgb_to_linear(x):
    return jnp.where(x <= 0.04045, x / 12.92, ((x + 0.055) / 1.055) ** 2.4)


@program(uniform(256, 256, 3))
def linear_to_srgb(x):
    return jnp.where(x <= 0.0031308, x * 12.92, 1.055 * x ** (1 / 2.4) - 0.055)


@program(uniform(100000), uniform(100000))
def pow_general(x, y):
    return x**y


@program(uniform(100000))
def pow_m15(x):
    return x**-1.5


@program(normal(100000) * 100)
def mod2pi(x):
    return x % (2 * np.pi)


@program(normal(100000) * 100)
def fmod1(x):
    return jnp.fmod(x, 0.7)


@program(normal(100000), normal(100000))
def atan2_(x, y):
    return jnp.arctan2(x, y)


@program(normal(100000) * 50)
def sincos(x):
    return jnp.sin(x) * jnp.cos(x)


@program(normal(100000))
def tan_(x):
    return jnp.tan(x)


@program(normal(100000))
def asin_(x):
    return jnp.arcsin(jnp.tanh(x)) + jnp.arccos(jnp.tanh(x))


@program(normal(100000))
def sinh_(x):
    return jnp.sinh(x) + jnp.cosh(x)


@program(normal(100000))
def asinh_(x):
    return jnp.arcsinh(x)


@program(normal(100000))
def erfinv_(x):
    return jax.scipy.special.erfinv(jnp.tanh(x))


@program(uniform(100000) * 5)
def lgamma_(x):
    return jax.scipy.special.gammaln(x)


@program(uniform(50000) * 5)
def digamma_(x):
    return jax.scipy.special.digamma(x)


@program(uniform(20000) * 5, uniform(20000) * 5)
def gammainc_(x, a):
    return jax.scipy.special.gammainc(a + 0.1, x)


@program(uniform(20000), uniform(20000) * 5)
def betainc_(x, a):
    return jax.scipy.special.betainc(a + 0.1, a + 0.5, x)


@program(normal(100000))
def cbrt_(x):
    return jnp.cbrt(x)


@program(normal(100000))
def expm1_(x):
    return jnp.expm1(x) + jnp.log1p(jnp.abs(x))


@program(normal(100000))
def norm_cdf(x):
    return jax.scipy.stats.norm.cdf(x) + jax.scipy.stats.norm.logcdf(x)


@program(normal(100000), normal(100000))
def hypot_(x, y):
    return jnp.hypot(x, y)


@program(normal(100000), normal(100000))
def logaddexp_(x, y):
    return jnp.logaddexp(x, y)


@program(normal(100000), normal(100000))
def floor_div(x, y):
    return jnp.floor_divide(x, y)


@program(below(100000, 100000), below(100, 100000) + 1)
def int_divmod(x, y):
    return jnp.divmod(x - 50000, y)


@program(below(100000, 100000))
def int_mod7(x):
    return (x - 50000) % 7


@program(normal(50000) + 1j * normal(50000))
def cexp(x):
    return jnp.exp(x) * jnp.sin(x)


@program(normal(50000) + 1j * normal(50000), normal(50000) + 1j * normal(50000))
def cmul(x, y):
    return x * y / (y + 2)


@program(normal(50000) + 1j * normal(50000))
def cabs_angle(x):
    return jnp.abs(x), jnp.angle(x)


@program(normal(200, 200))
def lu_det(a):
    return jnp.linalg.slogdet(a)


@program(normal(128, 64))
def qr_(a):
    return jnp.linalg.qr(a)


@program(normal(128, 128))
def svd128(a):
    return jnp.linalg.svd(a, compute_uv=False)


@program(normal(200, 40), normal(200))
def lstsq(a, b):
    return jnp.linalg.lstsq(a, b)[0]


@program(normal(40, 40))
def pinv(a):
    return jnp.linalg.pinv(a)


@program(normal(16, 16))
def eig_(a):
    return jnp.linalg.eigvals(a)


@program(normal(128, 128), normal(128, 16))
def tri_solve(a, b):
    return jsp.linalg.solve_triangular(jnp.tril(a) + 20 * jnp.eye(128), b, lower=True)


@program(normal(8, 8, 8), normal(8, 8))
def small_solve_batch(a, b):
    return jnp.linalg.solve(a + 5 * jnp.eye(8), b[..., None])


@program(normal(6, 6), normal(6))
def small_solve1(a, b):
    return jnp.linalg.solve(a + 5 * jnp.eye(6), b)


@program(normal(4, 4))
def inv4(a):
    return jnp.linalg.inv(a + 5 * jnp.eye(4))


@program(normal(3, 3))
def svd3(a):
    return jnp.linalg.svd(a)


@program(normal(1024) + 1j * normal(1024))
def fft1024(x):
    return jnp.fft.fft(x)


@program(normal(64, 1024))
def rfft_batch(x):
    return jnp.fft.rfft(x)


@program(normal(64, 1000))
def rfft1000(x):
    return jnp.abs(jnp.fft.rfft(x))


@program(normal(128, 128) + 1j * normal(128, 128))
def fft2_128(x):
    return jnp.fft.fft2(x)


@program(normal(32, 32, 32) + 1j * normal(32, 32, 32))
def fft3_32(x):
    return jnp.fft.fftn(x)


@program(normal(1, 44100), normal(4410))
def fftconv(x, h):
    return jsp.signal.fftconvolve(x[0], h, mode='same')


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


@program(normal(512, 512))
def flip_both(x):
    return x[::-1, ::-1]


@program(normal(512, 512))
def rot90_(x):
    return jnp.rot90(x)


@program(below(256, 512, 512, 4).astype(np.uint8))
def rgba_gray(x):
    return (x[..., :3].astype(jnp.float32) @ jnp.array([0.299, 0.587, 0.114])).astype(jnp.uint8)


@program(below(256, 224, 224, 3).astype(np.uint8))
def imagenet_norm(x):
    return (
        (x.astype(jnp.float32) / 255 - jnp.array([0.485, 0.456, 0.406])) / jnp.array([0.229, 0.224, 0.225])
    ).transpose(2, 0, 1)


@program(below(256, 256, 256, 4).astype(np.uint8), below(256, 256, 256, 4).astype(np.uint8))
def alpha_blend(a, b):
    a = a.astype(jnp.float32) / 255
    b = b.astype(jnp.float32) / 255
    t = a[..., 3:]
    return (jnp.clip(a * t + b * (1 - t), 0, 1) * 255).astype(jnp.uint8)


@program(below(256, 256, 256, 3).astype(np.uint8))
def box_blur_u8(x):
    x = jnp.pad(x.astype(jnp.int32), ((1, 1), (1, 1), (0, 0)), mode='edge')
    return (sum(x[i : i + 256, j : j + 256] for i in range(3) for j in range(3)) // 9).astype(jnp.uint8)


@program(normal(256, 256))
def gauss_sep(x):
    k = jnp.exp(-jnp.arange(-4, 5) ** 2 / 4.0)
    k = k / k.sum()
    f = lambda a: vmap(lambda r: jnp.convolve(r, k, 'same'))(a)
    return f(f(x).T).T


@program(normal(256, 256))
def bilateral(x):
    p = jnp.pad(x, 2)
    n = d = 0.0
    for i in range(5):
        for j in range(5):
            q = p[i : i + 256, j : j + 256]
            w = jnp.exp(-((q - x) ** 2) * 2 - ((i - 2) ** 2 + (j - 2) ** 2) / 4.0)
            n = n + w * q
            d = d + w
    return n / d


@program(normal(1, 64, 64, 8), normal(3, 3, 8, 8))
def dilated_conv(x, k):
    return lax.conv_general_dilated(
        x, k, (1, 1), 'SAME', rhs_dilation=(2, 2), dimension_numbers=('NHWC', 'HWIO', 'NHWC')
    )


@program(normal(1, 56, 56, 32), normal(3, 3, 1, 32))
def dw_stride2(x, k):
    return lax.conv_general_dilated(
        x, k, (2, 2), 'SAME', feature_group_count=32, dimension_numbers=('NHWC', 'HWIO', 'NHWC')
    )


@program(normal(1, 32, 56, 56), normal(64, 32, 3, 3))
def conv_nchw(x, k):
    return lax.conv_general_dilated(x, k, (1, 1), 'SAME')


@program(normal(1, 64, 28, 28), normal(64, 16, 3, 3))
def conv_grouped(x, k):
    return lax.conv_general_dilated(x, k, (1, 1), 'SAME', feature_group_count=4)


@program(normal(1, 8, 32, 32, 4), normal(3, 3, 3, 4, 8))
def conv3d(x, k):
    return lax.conv_general_dilated(x, k, (1, 1, 1), 'SAME', dimension_numbers=('NDHWC', 'DHWIO', 'NDHWC'))


@program(normal(1, 32, 32, 16), normal(4, 4, 16, 8))
def conv_transpose(x, k):
    return lax.conv_transpose(x, k, (2, 2), 'SAME', dimension_numbers=('NHWC', 'HWIO', 'NHWC'))


@program(normal(8, 64, 64, 8))
def avgpool(x):
    return lax.reduce_window(x, 0.0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1), 'VALID') / 4


@program(normal(8, 64, 64, 8))
def maxpool_grad(x):
    return grad(lambda x: (lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), 'VALID') ** 2).sum())(x)


@program(normal(1, 512), normal(512, 2048), normal(2048, 512))
def ffn1(x, a, b):
    return jax.nn.gelu(x @ a) @ b


@program(normal(8, 512), normal(512, 2048), normal(2048, 512))
def ffn8(x, a, b):
    return jax.nn.gelu(x @ a) @ b


@program(normal(1, 300), normal(30000, 300))
def logits1(x, e):
    return jnp.argmax(x @ e.T)


@program(normal(32, 10), normal(32, 10))
def outer_batch(a, b):
    return jnp.einsum('bi,bj->ij', a, b)


@program(normal(20, 20, 20), normal(20, 20, 20))
def einsum3(a, b):
    return jnp.einsum('ijk,kjl->il', a, b)


@program(normal(64, 7), normal(7, 7), normal(7))
def affine7(x, w, b):
    return x @ w + b


@program(normal(5000, 12), normal(5000, 12, 12))
def mv12(x, m):
    return jnp.einsum('bij,bj->bi', m, x)


@program(
    normal(300, 300) > 1.5,
)
def bool_matmul(a):
    return (a.astype(jnp.float32) @ a.astype(jnp.float32)) > 0


@program(KEY)
def normal100k(k):
    return random.normal(k, (100000,))


@program(KEY)
def uniform100k(k):
    return random.uniform(k, (100000,))


@program(KEY)
def randint100k(k):
    return random.randint(k, (100000,), 0, 10)


@program(KEY)
def mvnormal(k):
    return random.multivariate_normal(k, jnp.zeros(5), jnp.eye(5) + 0.1, (2000,))


@program(normal(4), normal(500))
def mh_chain(q, u):
    def st(q, u):
        p = q + 0.1 * jnp.sin(q * 9 + u)
        a = jnp.exp(-(p @ p) + (q @ q))
        q = jnp.where(a > jnp.abs(u), p, q)
        return q, q[0]

    return lax.scan(st, q, u)[1]


@program(
    normal(50, 50),
)
def jacobi_sweeps(a):
    b = a + a.T + 60 * jnp.eye(50)
    return lax.fori_loop(0, 100, lambda i, x: (jnp.ones(50) - b @ x + jnp.diag(b) * x) / jnp.diag(b), jnp.zeros(50))


@program(normal(40))
def pendulum_grad(x):
    def f(w):
        def st(c, w):
            a, v = c
            v = v - 0.05 * jnp.sin(a) + 0.1 * w
            return (a + 0.05 * v, v), a

        return (lax.scan(st, (1.0, 0.0), w)[1] ** 2).sum()

    return grad(f)(x)


@program(normal(10, 10, 10))
def tensordot3(a):
    return jnp.tensordot(a, a, ((0, 2), (2, 1)))


@program(normal(64, 64), normal(64, 64))
def kron_small(a, b):
    return jnp.kron(a[:16, :16], b[:16, :16])


@program(
    uniform(64, 64) > 0.5,
)
def flood(m):
    def body(c):
        a, _ = c
        n = m & (a | jnp.roll(a, 1, 0) | jnp.roll(a, -1, 0) | jnp.roll(a, 1, 1) | jnp.roll(a, -1, 1))
        return n, jnp.any(n != a)

    return lax.while_loop(lambda c: c[1], body, (m & (jnp.arange(64)[None] == 0), jnp.array(True)))[0]


@program(
    below(4, 200),
)
def rle(x):
    return jnp.cumsum(jnp.concatenate([jnp.ones(1, jnp.int32), (x[1:] != x[:-1]).astype(jnp.int32)]))


@program(below(256, 4096).astype(np.uint8))
def popcount_xor(x):
    return lax.population_count(x[:, None] ^ x[None, :256]).astype(jnp.int32).sum(0)


@program(below(1 << 30, 10000).astype(np.uint32))
def hash32(x):
    for s in (16, 13, 16):
        x = (x ^ (x >> s)) * np.uint32(0x85EBCA6B)
    return x


@program(normal(32, 32, 2, 16), normal(2, 16, 16))
def per_head(x, w):
    return jnp.einsum('bthd,hde->bthe', x, w)


@program(normal(1024, 64))
def l2norm_rows(x):
    return x / jnp.linalg.norm(x, axis=-1, keepdims=True)


@program(normal(1024, 64))
def softmax_ax0(x):
    return jax.nn.softmax(x, 0)


@program(normal(4096, 8))
def softmax8(x):
    return jax.nn.softmax(x, -1)


@program(normal(4096, 8))
def argmax8(x):
    return jnp.argmax(x, -1)


@program(normal(100, 10), below(10, 100))
def xent(l, y):
    return jnp.mean(jax.nn.logsumexp(l, -1) - jnp.take_along_axis(l, y[:, None], -1)[:, 0])


@program(
    normal(
        20000,
    )
)
def huber(x):
    return jnp.where(jnp.abs(x) < 1, 0.5 * x * x, jnp.abs(x) - 0.5).mean()


@program(normal(8, 256, 256))
def attn_scores_mask(s):
    return jax.nn.softmax(jnp.where(jnp.tril(jnp.ones((256, 256), bool)), s, -jnp.inf), -1)


@program(normal(2, 16, 16, 8))
def pixel_shuffle(x):
    return x.reshape(2, 16, 16, 2, 2, 2).transpose(0, 1, 3, 2, 4, 5).reshape(2, 32, 32, 2)


@program(normal(1, 64, 64, 4))
def patches(x):
    return x.reshape(1, 8, 8, 8, 8, 4).transpose(0, 1, 3, 2, 4, 5).reshape(1, 64, 256)


@program(normal(1, 32, 32, 4))
def im2col(x):
    return lax.conv_general_dilated_patches(x, (3, 3), (1, 1), 'SAME', dimension_numbers=('NHWC', 'HWIO', 'NHWC'))


# --- single functions
WIDE, POSITIVE = normal(1 << 16), uniform(1 << 16) * 3
FUNCTIONS = {
    'exp': lambda x, y: jnp.exp(x),
    'log': lambda x, y: jnp.log(jnp.abs(x)),
    'tanh': lambda x, y: jnp.tanh(x),
    'erf': lambda x, y: lax.erf(x),
    'erfc': lambda x, y: lax.erfc(x),
    'logistic': lambda x, y: jax.nn.sigmoid(x),
    'sin': lambda x, y: jnp.sin(x),
    'cos': lambda x, y: jnp.cos(x),
    'sqrt': lambda x, y: jnp.sqrt(jnp.abs(x)),
    'rsqrt': lambda x, y: lax.rsqrt(jnp.abs(x)),
    'div': lambda x, y: y / x,
    'softplus': lambda x, y: jax.nn.softplus(x),
    'gelu': lambda x, y: jax.nn.gelu(x, approximate=False),
    'gelut': lambda x, y: jax.nn.gelu(x),
    'silu': lambda x, y: jax.nn.silu(x),
    'elu': lambda x, y: jax.nn.elu(x),
    'selu': lambda x, y: jax.nn.selu(x),
    'mish': lambda x, y: jax.nn.mish(x),
    'log1p': lambda x, y: jnp.log1p(jnp.abs(x)),
    'expm1': lambda x, y: jnp.expm1(x),
    'pow': lambda x, y: jnp.abs(x) ** y,
    'pow22': lambda x, y: jnp.abs(x) ** 2.2,
    'sq': lambda x, y: x * x + y,
    'floor': lambda x, y: jnp.floor(x * 10),
    'clip': lambda x, y: jnp.clip(x, -1, 1),
    'where': lambda x, y: jnp.where(x > 0, x, y),
    'exp2': lambda x, y: jnp.exp2(x),
    'log2': lambda x, y: jnp.log2(jnp.abs(x)),
    'log10': lambda x, y: jnp.log10(jnp.abs(x)),
    'atan': lambda x, y: jnp.arctan(x),
    'round': lambda x, y: jnp.round(x * 10),
    'sign': lambda x, y: jnp.sign(x),
    'i32': lambda x, y: (x * 1000).astype(jnp.int32),
    'fromi': lambda x, y: (x * 100).astype(jnp.int32).astype(jnp.float32),
    'isnan': lambda x, y: jnp.where(jnp.isnan(x), 0, x),
    'u8': lambda x, y: (jnp.abs(x) * 80).astype(jnp.uint8),
    'f16': lambda x, y: x.astype(jnp.float16),
    'fromf16': lambda x, y: x.astype(jnp.float16).astype(jnp.float32) * y,
    'bf': lambda x, y: x.astype(jnp.bfloat16) * 2,
    'sinc': lambda x, y: jnp.sinc(x),
    'logit': lambda x, y: jax.scipy.special.logit(jax.nn.sigmoid(x)),
    'xlogy': lambda x, y: jax.scipy.special.xlogy(y, jnp.abs(x)),
    'i0': lambda x, y: jax.scipy.special.i0(x),
    'i1e': lambda x, y: jax.scipy.special.i1e(x),
    'entr': lambda x, y: jax.scipy.special.entr(y),
    'normpdf': lambda x, y: jax.scipy.stats.norm.pdf(x),
    'normcdf': lambda x, y: jax.scipy.stats.norm.cdf(x),
    'lognormcdf': lambda x, y: jax.scipy.stats.norm.logcdf(x),
    'ndtri': lambda x, y: jax.scipy.special.ndtri(y / 3.01),
    'exp8': lambda x, y: sum(jnp.exp(x * i) for i in range(8)),
}
for name, function in FUNCTIONS.items():
    PROGRAMS[f"of_{name}"] = (function, (WIDE, POSITIVE))
