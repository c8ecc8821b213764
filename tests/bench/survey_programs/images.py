"""Images, masks and samples in their own narrow types: bytes, signed and unsigned, and 16-bit numbers. See arguments.py."""

from functools import reduce

import jax.numpy as jnp
import numpy as np
from jax import lax

from .arguments import below, image, normal, program


def shifted(x):
    """The image moved by up to one pixel each way, edges repeated."""
    h, w = x.shape
    x = jnp.pad(x, 1, mode='edge')
    return [x[i : i + h, j : j + w] for i in range(3) for j in range(3)]


@program(image(512, 512), image(512, 512))
def u8_mean(a, b):
    return ((a.astype(jnp.uint16) + b.astype(jnp.uint16) + 1) >> 1).astype(jnp.uint8)


@program(image(512, 512), image(512, 512))
def u8_difference(a, b):
    return jnp.maximum(a, b) - jnp.minimum(a, b)


@program(image(512, 512), image(512, 512))
def u8_add_saturated(a, b):
    return jnp.clip(a.astype(jnp.int32) + b.astype(jnp.int32), 0, 255).astype(jnp.uint8)


@program(image(512, 512))
def u8_threshold(a):
    return jnp.where(a > 127, jnp.uint8(255), jnp.uint8(0))


@program(image(512, 512))
def u8_is_between(a):
    return (a >= 50) & (a < 200)


@program(image(3, 512, 512))
def gray_of_planes(x):
    x = x.astype(jnp.uint32)
    return ((77 * x[0] + 150 * x[1] + 29 * x[2] + 128) >> 8).astype(jnp.uint8)


@program(image(512, 512), image(512, 512), image(512, 512))
def u8_mask_blend(a, b, m):
    a, b, m = (x.astype(jnp.int32) for x in (a, b, m))
    return ((a * m + b * (255 - m) + 127) // 255).astype(jnp.uint8)


@program(image(512, 512))
def u8_dilate(x):
    return reduce(jnp.maximum, shifted(x))


@program(image(512, 512))
def sobel_u8(x):
    s = [p.astype(jnp.int16) for p in shifted(x)]
    gx = s[2] + 2 * s[5] + s[8] - s[0] - 2 * s[3] - s[6]
    gy = s[6] + 2 * s[7] + s[8] - s[0] - 2 * s[1] - s[2]
    return jnp.minimum(jnp.abs(gx) + jnp.abs(gy), 255).astype(jnp.uint8)


@program(image(512, 512))
def u8_blur121(x):
    s = [p.astype(jnp.int32) for p in shifted(x)]
    return ((s[0] + s[2] + s[6] + s[8] + 2 * (s[1] + s[3] + s[5] + s[7]) + 4 * s[4] + 8) >> 4).astype(jnp.uint8)


@program(image(512, 512) > 127, image(512, 512) > 127, image(512, 512) > 200)
def masks(a, b, c):
    return (a & ~b) | (b ^ c)


@program(image(512, 512) > 127, image(512, 512), image(512, 512))
def u8_where(m, a, b):
    return jnp.where(m, a, b)


@program(image(512, 512))
def u8_gamma_and_back(x):
    return jnp.round(jnp.sqrt(x.astype(jnp.float32) / 255) * 255).astype(jnp.uint8)


@program(image(512, 512, 4))
def u8_invert_rgba(x):
    return x ^ jnp.array([255, 255, 255, 0], jnp.uint8)


@program(image(512, 512))
def u8_count(x):
    return (x > 127).sum()


@program(image(512, 512))
def u8_sum_rows(x):
    return x.astype(jnp.int32).sum(0)


@program(image(512, 512), image(512, 512))
def u8_sad(a, b):
    return jnp.abs(a.astype(jnp.int32) - b.astype(jnp.int32)).sum()


@program((1000 * normal(262144)).astype(np.int16), (1000 * normal(262144)).astype(np.int16))
def s16_mix(a, b):
    return jnp.clip(a.astype(jnp.int32) + b.astype(jnp.int32), -32768, 32767).astype(jnp.int16)


@program((1000 * normal(262144)).astype(np.int16))
def s16_gain(a):
    return ((a.astype(jnp.int32) * 181) >> 8).astype(jnp.int16)


@program(below(256, 262144).astype(np.int8), below(256, 262144).astype(np.int8))
def s8_relu_add(a, b):
    return jnp.maximum(a + b, 0)


@program(image(262144))
def u8_parity(x):
    return lax.population_count(x) & 1
