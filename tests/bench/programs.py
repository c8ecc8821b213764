"""Exports the two models of the benchmarks as StableHLO text, as JAX prints it, into programs/.

Their parameters are the inputs of workloads.js, in that order; images NHWC, filters HWIO.
Run: python tests/bench/programs.py      (needs jax; see tests/fixtures/README.md)
Independent of the engine under test.
"""
import math
import os

import jax
import jax.numpy as jnp
from jax import lax

HERE = os.path.dirname(os.path.abspath(__file__))
S, D, H, F = 128, 256, 4, 1024
BLOCKS = [(1, 64), (2, 128), (1, 128), (2, 256), (1, 256), (2, 512), (1, 512), (1, 512), (2, 1024), (1, 1024)]


def layer_norm(x, gain, bias):
    mean = x.mean(-1, keepdims=True)
    centered = x - mean
    return centered * lax.rsqrt((centered * centered).mean(-1, keepdims=True) + 1e-5) * gain + bias


def transformer(x, wq, bq, wk, bk, wv, bv, wo, bo, w1, b1, w2, b2, ln1_g, ln1_b, ln2_g, ln2_b):
    """A pre-norm encoder block: attention over 4 heads, then a feed-forward layer with tanh-GELU."""
    def heads(t):
        return t.reshape(S, H, D // H).transpose(1, 0, 2)
    normal = layer_norm(x, ln1_g, ln1_b)
    q, k, v = (heads(normal @ w + b) for w, b in ((wq, bq), (wk, bk), (wv, bv)))
    scores = jax.nn.softmax(q @ k.transpose(0, 2, 1) / math.sqrt(D // H), axis=-1)
    h = x + (scores @ v).transpose(1, 0, 2).reshape(S, D) @ wo + bo
    return h + jax.nn.gelu(layer_norm(h, ln2_g, ln2_b) @ w1 + b1, approximate=True) @ w2 + b2


def convolution(x, filters, stride, groups=1):
    return lax.conv_general_dilated(x, filters, (stride, stride), 'SAME', feature_group_count=groups,
                                    dimension_numbers=('NHWC', 'HWIO', 'NHWC'))


def convnet(x, f0, b0, *rest):
    """MobileNet-like: a convolution, ten depthwise-separable blocks with relu6, the mean, a dense layer."""
    y = jax.nn.relu6(convolution(x, f0, 2) + b0)
    for i, (stride, _) in enumerate(BLOCKS):
        depthwise, e, pointwise, b = rest[4 * i:4 * i + 4]
        y = jax.nn.relu6(convolution(y, depthwise, stride, groups=y.shape[-1]) + e)
        y = jax.nn.relu6(convolution(y, pointwise, 1) + b)
    w, b = rest[-2:]
    return y.mean((1, 2)) @ w + b


def export(name, function, shapes):
    arguments = [jax.ShapeDtypeStruct(shape, jnp.float32) for shape in shapes]
    text = jax.jit(function, keep_unused=True).lower(*arguments).as_text()
    with open(os.path.join(HERE, 'programs', name + '.mlir'), 'w') as file:
        file.write(text)


os.makedirs(os.path.join(HERE, 'programs'), exist_ok=True)
export('transformer', transformer,
       [(S, D)] + 4 * [(D, D), (D,)] + [(D, F), (F,), (F, D), (D,)] + 4 * [(D,)])
channels = [32] + [out for _, out in BLOCKS]
export('convnet', convnet,
       [(1, 224, 224, 3), (3, 3, 3, 32), (32,)]
       + [shape for a, b in zip(channels, channels[1:]) for shape in ((3, 3, 1, a), (a,), (1, 1, a, b), (b,))]
       + [(1024, 1000), (1000,)])
