"""The process in which XLA runs: some programs make its compiler crash, and only this process may die of that.

Reads pickled (function name, arguments) from stdin, writes pickled ('ok', results) or ('rejected', message) to stdout.
"""
import os
import pickle
import sys

import jax
import jax.lax.linalg  # registers the LAPACK targets
import numpy as np
from jax._src.interpreters import mlir
from jaxlib import _jax, lapack
from jaxlib import xla_client
from jaxlib.mlir import ir


def compile_stablehlo(text):
    device = jax.devices('cpu')[0]
    return device.client.compile_and_load(text, xla_client.DeviceList((device,)), xla_client.CompileOptions())


def check(text):
    """Raises if XLA does not take the program all the way through its compiler."""
    compile_stablehlo(hlo_to_stablehlo(text) if text.lstrip().startswith('HloModule') else text)


def run_stablehlo(text, inputs):
    """The results of @main as a flat list of numpy arrays."""
    device = jax.devices('cpu')[0]
    executable = compile_stablehlo(text)
    arguments = [jax.device_put(array, device) for array in inputs]
    results = executable.execute_sharded(arguments).disassemble_into_single_device_arrays()
    return [np.asarray(shards[0]) for shards in results]


def hlo_to_stablehlo(text):
    """HLO text -> HloModule -> StableHLO: the only way in that jaxlib 0.10 leaves open for HLO text."""
    module = xla_client.hlo.hlo_module_from_text(text)
    computation = xla_client.XlaComputation(module.as_serialized_hlo_module_proto())
    return _jax.mlir.xla_computation_to_mlir_module(computation)


def print_stablehlo(text, generic):
    """HLO text as StableHLO text in the pretty or the generic form, without locations."""
    with mlir.make_ir_context():
        module = ir.Module.parse(hlo_to_stablehlo(text))
        return module.operation.get_asm(print_generic_op_form=generic)


def run_hlo(text, inputs):
    """The leaves of the entry computation's result, in order."""
    return run_stablehlo(hlo_to_stablehlo(text), inputs)


def main():
    jax.config.update('jax_enable_x64', True)
    lapack._lapack.initialize()
    answers = os.fdopen(os.dup(1), 'wb')
    os.dup2(2, 1)  # nothing else may write into the stream of answers
    while True:
        try:
            name, arguments = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        try:
            answer = ('ok', globals()[name](*arguments))
        except Exception as error:
            answer = ('rejected', str(error).strip())
        pickle.dump(answer, answers)
        answers.flush()


if __name__ == '__main__':
    main()
