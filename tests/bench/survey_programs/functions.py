"""Programs of the survey: elementwise functions, by themselves and together."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from .arguments import PROGRAMS, below, normal, program, uniform


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


# Single functions of the same numbers.
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


@program(1 + 5 * uniform(5000), 5 * uniform(5000) + 0.1, 2 * normal(5000))
def zeta_and_gamma(s, q, x):
    return jax.scipy.special.zeta(s, q), jax.scipy.special.gammaln(x), jax.scipy.special.polygamma(1, q)
