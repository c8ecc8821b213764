"""Programs of the survey: images, convolutions, products, random numbers, rows."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import grad, lax, random, vmap

from .arguments import KEY, below, normal, program, uniform


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
