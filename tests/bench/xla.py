"""Times programs under XLA's CPU backend on one core, with one thread: what native code does with the same programs.

Reads lines of JSON from stdin, {"text": HLO text or StableHLO}, and answers each with a line {"ms": median of a call} or
{"problem": why there is none}. The first line of all is {"version": ...}.
Independent of the engine under test.
"""
import json
import os
import re
import statistics
import sys
import time

os.environ['XLA_FLAGS'] = '--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1'
os.environ['JAX_PLATFORMS'] = 'cpu'
if hasattr(os, 'sched_setaffinity'):
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})

import jax  # noqa: E402  (after the flags)
import jax.lax.linalg  # noqa: E402,F401  (registers the LAPACK targets)
import ml_dtypes  # noqa: E402
import numpy as np  # noqa: E402
from jaxlib import _jax, lapack, xla_client  # noqa: E402

SECONDS, FEWEST = 0.4, 5
TYPES = {'f32': np.float32, 'f64': np.float64, 's32': np.int32, 's8': np.int8, 'f16': np.float16, 'bf16': ml_dtypes.bfloat16}


def stablehlo_of(text):
    """jaxlib takes HLO text only by this way."""
    if not text.lstrip().startswith('HloModule'):
        return text
    module = xla_client.hlo.hlo_module_from_text(text)
    return _jax.mlir.xla_computation_to_mlir_module(
        xla_client.XlaComputation(module.as_serialized_hlo_module_proto()))


def parameters_of(text):
    """Types and dimensions of the entry's parameters."""
    if not text.lstrip().startswith('HloModule'):
        signature = re.search(r'@main\((.*?)\) ->', text, re.S).group(1)
        tensors = re.findall(r'tensor<((?:\d+x)*)(\w+)>', signature)
        return [(kind, [int(d) for d in dims.split('x')[:-1]]) for dims, kind in tensors]
    entry = text[text.index('ENTRY'):]
    found = re.findall(r'= (\w+)\[([\d,]*)\]\S* parameter\((\d+)\)', entry)
    return [(kind, [int(d) for d in dims.split(',') if d]) for kind, dims, _ in sorted(found, key=lambda f: int(f[2]))]


def inputs_of(text):
    rng = np.random.default_rng(1)
    inputs = []
    for kind, dims in parameters_of(text):
        if kind.startswith('s'):
            most = inputs[0].shape[0] if kind == 's32' and inputs else 127
            inputs.append(rng.integers(0, most, dims).astype(TYPES[kind]))
        else:
            inputs.append(rng.uniform(-1, 1, dims).astype(TYPES[kind]))
    if ' cholesky(' in text:
        inputs[0] = inputs[0] @ inputs[0].T + len(inputs[0]) * np.eye(len(inputs[0]), dtype=np.float32)
    return inputs


def time_of(text):
    device = jax.devices('cpu')[0]
    devices = xla_client.DeviceList((device,))
    executable = device.client.compile_and_load(stablehlo_of(text), devices, xla_client.CompileOptions())
    arguments = [jax.device_put(array, device) for array in inputs_of(text)]

    def run():
        results = executable.execute_sharded(arguments).disassemble_into_single_device_arrays()
        for shards in results:
            shards[0].block_until_ready()
    run()
    samples, end = [], time.perf_counter() + SECONDS
    while len(samples) < FEWEST or time.perf_counter() < end:
        start = time.perf_counter()
        run()
        samples.append(1000 * (time.perf_counter() - start))
    return statistics.median(samples)


def main():
    jax.config.update('jax_enable_x64', True)
    lapack._lapack.initialize()
    answers = os.fdopen(os.dup(1), 'w')
    os.dup2(2, 1)  # nothing else may write into the stream of answers
    print(json.dumps({'version': f'jaxlib {jax.lib.__version__ if hasattr(jax.lib, "__version__") else jax.__version__}'}), file=answers, flush=True)
    for line in sys.stdin:
        try:
            answer = {'ms': time_of(json.loads(line)['text'])}
        except Exception as error:
            answer = {'problem': str(error).strip().split('\n')[0]}
        print(json.dumps(answer), file=answers, flush=True)


main()
