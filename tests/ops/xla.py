"""Runs HLO text and StableHLO text through XLA's own CPU backend, as jaxlib ships it.

This is the oracle of the op cases. It must not know the case format or the engine under test.
HLO text goes text -> HloModule -> StableHLO -> executable, which is the only way in that jaxlib 0.10 leaves open; XLA's
parser, shape inference and verifier see the text first, so a malformed program raises here.
"""
import jax
import numpy as np
from jaxlib import _jax
from jaxlib import xla_client

jax.config.update('jax_enable_x64', True)
_DEVICE = jax.devices('cpu')[0]
_DEVICES = xla_client.DeviceList((_DEVICE,))


class Rejected(Exception):
    """XLA refused the program (parser, verifier or compiler)."""


def run_stablehlo(text, inputs):
    """The results of @main as a flat list of numpy arrays."""
    try:
        options = xla_client.CompileOptions()
        executable = _DEVICE.client.compile_and_load(text, _DEVICES, options)
    except Exception as error:
        raise Rejected(str(error).strip()) from None
    arguments = [jax.device_put(array, _DEVICE) for array in inputs]
    try:
        results = executable.execute_sharded(arguments).disassemble_into_single_device_arrays()
    except Exception as error:
        raise Rejected(str(error).strip()) from None
    return [np.asarray(shards[0]) for shards in results]


def parse_hlo(text):
    try:
        return xla_client.hlo.hlo_module_from_text(text)
    except Exception as error:
        raise Rejected(str(error).strip()) from None


def hlo_to_stablehlo(text):
    module = parse_hlo(text)
    try:
        computation = xla_client.XlaComputation(module.as_serialized_hlo_module_proto())
        return _jax.mlir.xla_computation_to_mlir_module(computation)
    except Exception as error:
        raise Rejected(str(error).strip()) from None


def run_hlo(text, inputs):
    """The leaves of the entry computation's result, in order."""
    return run_stablehlo(hlo_to_stablehlo(text), inputs)
