"""Programs of the survey: physics, statistics, optimisation, dynamic programming, graphs."""

import jax
import jax.numpy as jnp
import jax.scipy as jsp
from jax import grad, lax, random, vmap

from .arguments import KEY, below, normal, program, uniform


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
