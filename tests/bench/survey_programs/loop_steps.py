"""Single operations on few numbers as steps of a loop, where what an operation sets up shows."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from .arguments import PROGRAMS, below, normal

ROUNDS = 200


def step(name, function, *arguments):
    """Adds a loop whose state is the first argument: function(state, round, *others) is the next one."""

    def loop(x, *others):
        return lax.fori_loop(0, ROUNDS, lambda i, state: function(state, i, *others), x)

    PROGRAMS['step_' + name] = (loop, arguments)


def well_conditioned(n):
    return normal(n, n) + 4 * np.eye(n, dtype=np.float32)


step('gather', lambda x, i, k: x[k] * 0.5 + x, normal(8), below(8, 8))
step('gather_rows', lambda x, i, k: x[k] * 0.5 + x, normal(8, 4), below(8, 8))
step('scatter_add', lambda x, i, k: x.at[k].add(0.1) * 0.9, normal(8), below(8, 5))
step('set_one', lambda x, i: x.at[i % 8].set(x[(i + 1) % 8] * 0.5), normal(8))
step('set_row', lambda x, i: x.at[i % 8].set(x[(i + 1) % 8] * 0.5), normal(8, 6))
step('segment_sum', lambda x, i, s: x * 0.9 + jax.ops.segment_sum(x, s, 4)[s] * 0.1, normal(12), below(4, 12))
step('take_along', lambda x, i, k: jnp.take_along_axis(x, k, 1) * 0.9 + 0.1, normal(4, 6), below(6, 4, 6))
step('interp', lambda x, i, t: jnp.interp(x, jnp.linspace(0, 1, 16), t), normal(8), normal(16))
step('sort', lambda x, i: jnp.sort(x) * 0.9 + jnp.sin(x), normal(8))
step('argsort', lambda x, i: x[jnp.argsort(x)] * 0.9 + jnp.sin(x), normal(8))
step('argmax', lambda x, i: x.at[jnp.argmax(x)].set(-jnp.max(x)), normal(8))
step('top_k', lambda x, i: x - lax.top_k(x, 3)[0][2], normal(16))
step('cumsum8', lambda x, i: jnp.cumsum(x) * 0.1, normal(8))
step('cumsum64', lambda x, i: jnp.cumsum(x) * 0.01, normal(64))
step('concatenate', lambda x, i: jnp.concatenate([x[1:], jnp.sin(x[:1])]), normal(8))
step('softmax', lambda x, i: jax.nn.softmax(x), normal(8))
step('norm', lambda x, i: x / jnp.linalg.norm(x), normal(8))
step('rows_times_rows', lambda x, i: x * jnp.einsum('bi,bi->b', x, x)[:, None] * 0.1, normal(6, 4))
step('batch_mv', lambda x, i, a: jnp.tanh(jnp.einsum('bij,bj->bi', a, x)), normal(6, 4), normal(6, 4, 4))
step('batch_mm', lambda x, i, a: jnp.tanh(a @ x), normal(6, 4, 4), 0.4 * normal(6, 4, 4))
step('transposed_mv', lambda x, i, a: jnp.tanh(a.T @ x), normal(16), 0.2 * normal(16, 16))
step('mm_transposed', lambda x, i, a: jnp.tanh(a @ x.T), normal(8, 8), 0.2 * normal(8, 8))
step('mlp', lambda x, i, a, b: jnp.tanh(b @ jax.nn.relu(a @ x)), normal(4), normal(16, 4), normal(4, 16))
step('attention', lambda q, i, k, v: jax.nn.softmax(q @ k.T) @ v, normal(8), normal(16, 8), normal(16, 8))
step('hessian', lambda x, i: x - 0.1 * jax.hessian(lambda x: jnp.sum(jnp.sin(x) * x[::-1]))(x) @ x, normal(4))
step('rotate', lambda r, i, w: r @ (jnp.eye(3) + 0.01 * jnp.cross(w, jnp.eye(3))), normal(3, 3), normal(3))
step('cross', lambda x, i, w: x + 0.01 * jnp.cross(w, x), normal(3), normal(3))
step('convolve', lambda x, i, k: jnp.convolve(x, k, mode='same'), normal(32), normal(3))
step('cholesky', lambda x, i: jnp.linalg.cholesky(x @ x.T + 4 * jnp.eye(4)), normal(4, 4))
step('solve', lambda x, i, a: jnp.linalg.solve(a, x) + 1, normal(4), well_conditioned(4))
step('triangular', lambda x, i, a: jax.scipy.linalg.solve_triangular(a, x, lower=True), normal(4), well_conditioned(4))
step('inverse', lambda x, i: jnp.linalg.inv(x + 3 * jnp.eye(3)), normal(3, 3))
step('qr', lambda x, i: jnp.linalg.qr(x)[0] * 0.9 + 0.1, normal(3, 3))
step('rfft', lambda x, i: jnp.fft.irfft(jnp.fft.rfft(x) * 0.9, 16), normal(16))
step('normal', lambda x, i: x + 0.1 * jax.random.normal(jax.random.fold_in(jax.random.PRNGKey(0), i), (4,)), normal(4))
step('switch', lambda x, i: lax.switch(i % 3, [jnp.sin, jnp.cos, lambda x: x * 0.5], x), normal(8))
