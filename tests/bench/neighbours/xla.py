"""The programs of families under XLA's CPU backend on one core, with one thread.

Reads lines of JSON from stdin and answers each with a line:
  {"list": true}                     {"families": {name: {"programs": [names], "pairs": [[name, name]]}}}
  {"prepare": name, "family": name}  {"text": StableHLO, "inputs", "outputs": [{"type", "shape", "data": base64}]}
  {"exact": true}                    {"outputs"} of the prepared program's function of f64
  {"sample": ms}                     {"ms": a call of the prepared program, the mean of as many calls as take so long}
or with {"problem": why not}.
"""
import base64
import json
import os
import sys
import time

os.environ['XLA_FLAGS'] = '--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1'
os.environ['JAX_PLATFORMS'] = 'cpu'
if hasattr(os, 'sched_setaffinity'):
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})

import jax  # noqa: E402  (after the flags)
import numpy as np  # noqa: E402
from families import FAMILIES  # noqa: E402


def described(array):
    array = np.asarray(array)
    return {'type': str(array.dtype), 'shape': array.shape, 'data': base64.b64encode(array.tobytes()).decode()}


class Prepared:
    def __init__(self, program):
        jax.config.update('jax_enable_x64', program.wide)
        self.function = program.function
        self.arguments = [jax.numpy.asarray(a.make(seed)) for a, seed in zip(program.arguments, program.seeds())]
        lowered = jax.jit(program.function, keep_unused=True).lower(*self.arguments)
        self.text, self.compiled = lowered.as_text(), lowered.compile()
        self.outputs = [described(a) for a in jax.tree.leaves(self.run())]

    def run(self):
        return jax.block_until_ready(self.compiled(*self.arguments))

    def described(self):
        return {'text': self.text, 'inputs': [described(a) for a in self.arguments], 'outputs': self.outputs}

    def exact(self):
        """What judges where we and XLA differ: the sums of small floats are XLA's as often as ours."""
        jax.config.update('jax_enable_x64', True)
        wide = [a.astype('complex128' if a.dtype.kind == 'c' else 'float64') if jax.numpy.issubdtype(a.dtype, np.inexact) else a
                for a in self.arguments]
        return {'outputs': [described(a) for a in jax.tree.leaves(jax.jit(self.function)(*wide))]}

    def sample(self, ms):
        start, calls = time.perf_counter(), 0
        while not calls or time.perf_counter() - start < ms / 1000:
            self.run()
            calls += 1
        return {'ms': 1000 * (time.perf_counter() - start) / calls}


def listed():
    made = {name: family() for name, family in FAMILIES.items()}
    return {name: {'programs': [p.name for p in programs], 'pairs': pairs} for name, (programs, pairs) in made.items()}


def main():
    answers = os.fdopen(os.dup(1), 'w')
    os.dup2(2, 1)  # nothing else may write into the stream of answers
    by_family, prepared = {}, None
    for line in sys.stdin:
        question = json.loads(line)
        try:
            if 'list' in question:
                answer = {'families': listed()}
            elif 'prepare' in question:
                family = question['family']
                if family not in by_family:
                    by_family[family] = {p.name: p for p in FAMILIES[family]()[0]}
                prepared = None
                jax.clear_caches()
                prepared = Prepared(by_family[family][question['prepare']])
                answer = prepared.described()
            elif 'exact' in question:
                answer = prepared.exact()
            else:
                answer = prepared.sample(question['sample'])
        except Exception as problem:  # noqa: BLE001  (told, not hidden)
            answer = {'problem': repr(problem)[:300]}
        print(json.dumps(answer), file=answers, flush=True)


main()
