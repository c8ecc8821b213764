"""Programs of the survey: factorisations, systems of equations, Fourier transforms."""

import jax.numpy as jnp
import jax.scipy as jsp

from .arguments import normal, program


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
