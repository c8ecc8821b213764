"""Programs of the survey: layers, networks, their gradients, decoding."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import grad, lax

from .arguments import below, normal, program, uniform


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


def lstm_states(x, wx, wh, b):
    def cell(c, x):
        h, s = c
        i, f, g, o = jnp.split(x @ wx + h @ wh + b, 4, -1)
        s = jax.nn.sigmoid(f) * s + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(s)
        return (h, s), h

    start = jnp.zeros((x.shape[1], wh.shape[0]))
    return lax.scan(cell, (start, start), x)[1]


@program(normal(30, 8, 32), normal(32, 128), normal(32, 128), normal(128))
def lstm(x, wx, wh, b):
    return lstm_states(x, wx, wh, b)


@program(normal(20, 4, 16), normal(16, 64), normal(16, 64), normal(64))
def lstm_grad(x, wx, wh, b):
    def loss(wx, wh, b):
        return (lstm_states(x, wx, wh, b) ** 2).mean()

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


@program(normal(256, 128), normal(256, 128), uniform(256), uniform(128))
def adafactor(w, g, rows, columns):
    g2 = g * g + 1e-30
    rows, columns = 0.9 * rows + 0.1 * g2.mean(1), 0.9 * columns + 0.1 * g2.mean(0)
    u = g * ((rows / rows.mean()) ** -0.5)[:, None] * (columns**-0.5)[None]
    return w - 0.001 * u / jnp.maximum(1, jnp.sqrt((u * u).mean())), rows, columns


# --- science, images, games, statistics
