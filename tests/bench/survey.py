"""Times the programs of survey_programs under XLA's CPU backend on one core, with one thread.

For each line on stdin, answers with a line of JSON for the next program whose name contains one of the arguments (any, if
there are none): {"name", "text": StableHLO, "ms": median of a call, "inputs", "outputs": [{"type", "shape", "data": base64}]},
or {"name", "problem"}; after the last one {}.
"""
import base64
import json
import os
import statistics
import sys
import time

os.environ['XLA_FLAGS'] = '--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1'
os.environ['JAX_PLATFORMS'] = 'cpu'
if hasattr(os, 'sched_setaffinity'):
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})

import jax  # noqa: E402  (after the flags)
import numpy as np  # noqa: E402
from survey_programs import PROGRAMS  # noqa: E402

SECONDS, FEWEST = 0.25, 5


def described(array):
    array = np.asarray(array)
    return {'type': str(array.dtype), 'shape': array.shape, 'data': base64.b64encode(array.tobytes()).decode()}


def survey(name):
    function, arguments = PROGRAMS[name]
    arguments = [jax.numpy.asarray(a) for a in arguments]
    lowered = jax.jit(function, keep_unused=True).lower(*arguments)
    compiled = lowered.compile()
    results = jax.tree.leaves(jax.block_until_ready(compiled(*arguments)))
    samples, end = [], time.perf_counter() + SECONDS
    while len(samples) < FEWEST or time.perf_counter() < end:
        start = time.perf_counter()
        jax.block_until_ready(compiled(*arguments))
        samples.append(1000 * (time.perf_counter() - start))
    return {
        'text': lowered.as_text(),
        'ms': statistics.median(samples),
        'inputs': [described(a) for a in arguments],
        'outputs': [described(a) for a in results],
    }


for name in PROGRAMS:
    if len(sys.argv) > 1 and not any(part in name for part in sys.argv[1:]):
        continue
    sys.stdin.readline()
    try:
        answer = survey(name)
    except Exception as problem:  # noqa: BLE001  (told, not hidden)
        answer = {'problem': repr(problem)[:200]}
    print(json.dumps({'name': name, **answer}), flush=True)
sys.stdin.readline()
print('{}', flush=True)
