"""What pages put around and inside of models: images to tensors and back, tokens, caches, masks. See arguments.py."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from .arguments import below, image, normal, program, uniform


@program(image(224, 224, 3))
def to_tensor_nchw(x):
    mean, std = jnp.array([0.485, 0.456, 0.406]), jnp.array([0.229, 0.224, 0.225])
    return jnp.transpose((x.astype(jnp.float32) / 255 - mean) / std, (2, 0, 1))[None]


@program(image(224, 224, 4))
def canvas_to_nchw(x):
    return jnp.transpose(x[..., :3].astype(jnp.float32) / 127.5 - 1, (2, 0, 1))[None]


@program(uniform(1, 3, 256, 256))
def nchw_to_canvas(x):
    rgb = jnp.clip(jnp.round(jnp.transpose(x[0], (1, 2, 0)) * 255), 0, 255).astype(jnp.uint8)
    return jnp.concatenate([rgb, jnp.full((256, 256, 1), 255, jnp.uint8)], axis=-1)


@program(image(256, 256, 3))
def srgb_bytes_to_linear(x):
    x = x.astype(jnp.float32) / 255
    return jnp.where(x <= 0.04045, x / 12.92, ((x + 0.055) / 1.055) ** 2.4)


@program(image(256, 256), image(256, 256), image(256, 256))
def yuv_to_rgb(y, u, v):
    y, u, v = y.astype(jnp.int32), u.astype(jnp.int32) - 128, v.astype(jnp.int32) - 128
    c = 298 * (y - 16) + 128
    rgb = jnp.stack([(c + 409 * v) >> 8, (c - 100 * u - 208 * v) >> 8, (c + 516 * u) >> 8], axis=-1)
    return jnp.clip(rgb, 0, 255).astype(jnp.uint8)


@program(image(640, 480))
def equalize(x):
    counts = jnp.bincount(x.ravel(), length=256)
    table = jnp.cumsum(counts) * 255 // x.size
    return table[x].astype(jnp.uint8)


@program(uniform(21, 129, 129))
def segmentation(scores):
    return jnp.argmax(scores, axis=0).astype(jnp.uint8)


@program(image(512, 512), image(512, 512))
def mask_iou(a, b):
    a, b = a > 100, b > 150
    return jnp.sum(a & b) / jnp.sum(a | b)


@program(below(10, 100000), below(10, 100000))
def accuracy(a, b):
    return jnp.mean(a == b)


@program(image(1024, 256))
def any_all(x):
    return jnp.any(x > 254, axis=1), jnp.all(x > 0, axis=1), jnp.any(x > 254, axis=0)


@program(image(2048, 64), image(64))
def hamming(codes, query):
    return jnp.sum(lax.population_count(codes ^ query).astype(jnp.int32), axis=1)


@program(normal(1, 2048), below(256, 2048, 2048).astype(np.int8), uniform(2048))
def int8_matvec(x, w, scale):
    return (x @ w.astype(jnp.float32)) * scale


@program(normal(1, 1024), normal(1024, 4096).astype(jnp.bfloat16))
def bf16_matvec(x, w):
    return x.astype(jnp.bfloat16) @ w


@program(normal(8, 64), normal(2, 512, 64), normal(2, 512, 64), np.int32(300))
def gqa_decode(q, k, v, length):
    q = q.reshape(2, 4, 64)
    scores = jnp.einsum('ghd,gsd->ghs', q, k) / 8
    scores = jnp.where(jnp.arange(512) < length, scores, -jnp.inf)
    return jnp.einsum('ghs,gsd->ghd', jax.nn.softmax(scores, axis=-1), v).reshape(8, 64)


@program(normal(8, 1024, 64), normal(8, 64), np.int32(511))
def cache_update(cache, new, at):
    return lax.dynamic_update_slice(cache, new[:, None], (0, at, 0))


@program(normal(128, 512), normal(512))
def rms_norm(x, g):
    return x * lax.rsqrt(jnp.mean(x * x, axis=-1, keepdims=True) + 1e-6) * g


@program(normal(64, 256), normal(256, 688), normal(256, 688), normal(688, 256))
def swiglu(x, gate, up, down):
    return (jax.nn.silu(x @ gate) * (x @ up)) @ down


@program(normal(32000), uniform(32000))
def sample_token(logits, u):
    return jnp.argmax(logits / 0.8 - jnp.log(-jnp.log(u)))


@program(normal(32000), below(32000, 64))
def repetition_penalty(logits, seen):
    found = logits[seen]
    return logits.at[seen].set(jnp.where(found > 0, found / 1.2, found * 1.2))


@program(below(32000, 128), normal(32000, 128), normal(512, 128))
def embed_tokens(tokens, table, places):
    return table[tokens] * 11.3 + places[: tokens.shape[0]]


@program(normal(16000))
def log_mel(x):
    frames = x[jnp.arange(98)[:, None] * 160 + jnp.arange(400)] * jnp.hanning(400)
    power = jnp.abs(jnp.fft.rfft(frames, 512)) ** 2
    bands = jnp.clip(1 - jnp.abs(jnp.arange(257)[:, None] / 257 * 41 - jnp.arange(1, 41)), 0, 1)
    return jnp.log10(jnp.maximum(power @ bands, 1e-10))


@program(normal(64, 4000))
def mu_law(x):
    y = jnp.sign(x) * jnp.log1p(255 * jnp.abs(jnp.clip(x, -1, 1))) / jnp.log1p(255.0)
    return ((y + 1) / 2 * 255 + 0.5).astype(jnp.uint8)


@program(below(1 << 16, 100000))
def pcm_to_float(x):
    return (x - 32768).astype(jnp.int16).astype(jnp.float32) / 32768


@program(normal(100000))
def float_to_pcm(x):
    return jnp.clip(jnp.round(x * 32767), -32768, 32767).astype(jnp.int16)


@program(uniform(1000, 4))
def iou_matrix(b):
    lo, hi = jnp.minimum(b[:, :2], b[:, 2:]), jnp.maximum(b[:, :2], b[:, 2:])
    size = jnp.prod(hi - lo, axis=1)
    both = jnp.prod(jnp.clip(jnp.minimum(hi[:, None], hi) - jnp.maximum(lo[:, None], lo), 0), axis=-1)
    return both / (size[:, None] + size - both)


@program(normal(8400, 84))
def detections(x):
    best = jnp.max(x[:, 4:], axis=1)
    score, at = lax.top_k(best, 100)
    return score, x[at, :4], jnp.argmax(x[at, 4:], axis=1)


@program(normal(5000, 20), below(20, 100, 63), normal(100, 63), normal(100, 64))
def forest(x, feature, threshold, leaf):
    node = jnp.zeros((x.shape[0], 100), jnp.int32)
    tree = jnp.arange(100)
    for _ in range(6):
        right = jnp.take_along_axis(x, feature[tree, node], axis=1) > threshold[tree, node]
        node = 2 * node + 1 + right
        node = jnp.minimum(node, 62) if _ < 5 else node
    return jnp.sum(leaf[tree, jnp.clip(node - 63, 0, 63)], axis=1)


@program(below(1 << 30, 4096).astype(np.uint32))
def sha_rounds(x):
    def turn(v, n):
        return (v >> n) | (v << (32 - n))

    a, e = x, x ^ 0x6A09E667
    for i in range(16):
        s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)
        s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)
        a, e = s0 + s1 + (a & e) + np.uint32(i), a + s1
    return a ^ e


@program(below(256, 4096).astype(np.uint32))
def crc32(x):
    def step(crc, byte):
        crc = crc ^ byte
        for _ in range(8):
            crc = jnp.where(crc & 1, (crc >> 1) ^ np.uint32(0xEDB88320), crc >> 1)
        return crc, None

    return ~lax.scan(step, np.uint32(0xFFFFFFFF), x)[0]


@program(normal(64, 96, 96), normal(1, 64))
def class_activation(features, weights):
    x = jnp.einsum('kc,chw->khw', weights, features)[0]
    x = jax.nn.relu(x)
    return x / (jnp.max(x) + 1e-6)


@program(normal(1, 64, 64, 16))
def resize_features(x):
    return jax.image.resize(x, (1, 128, 128, 16), 'bilinear')


@program(image(480, 640, 3))
def resize_image(x):
    return jax.image.resize(x.astype(jnp.float32), (224, 224, 3), 'bilinear')


@program(normal(256, 128), normal(5000, 128))
def cosine_top5(q, db):
    q = q / jnp.linalg.norm(q, axis=1, keepdims=True)
    db = db / jnp.linalg.norm(db, axis=1, keepdims=True)
    return lax.top_k(q @ db.T, 5)
