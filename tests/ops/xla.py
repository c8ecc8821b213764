"""Runs HLO text and StableHLO text through XLA's own CPU backend, as jaxlib ships it.

This is the oracle of the op cases, independent of their format and of the engine under test.
XLA's parser, shape inference and verifier see the text first, so a malformed program raises Rejected here.
"""
import atexit
import os
import pickle
import subprocess
import sys

_worker = None


class Rejected(Exception):
    """XLA refused the program (parser, verifier, compiler), or crashed over it."""


def _ask(name, *arguments):
    global _worker
    if _worker is None:
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'xla_worker.py')
        _worker = subprocess.Popen([sys.executable, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        atexit.register(_worker.terminate)
    try:
        pickle.dump((name, arguments), _worker.stdin)
        _worker.stdin.flush()
        status, value = pickle.load(_worker.stdout)
    except (EOFError, BrokenPipeError):
        code = _worker.wait()
        _worker = None
        raise Rejected(f'XLA crashed ({code})') from None
    if status == 'rejected':
        raise Rejected(value)
    return value


def run_stablehlo(text, inputs):
    return _ask('run_stablehlo', text, inputs)


def print_stablehlo(text, generic):
    """HLO text as StableHLO text, as MLIR prints it."""
    return _ask('print_stablehlo', text, generic)


def run_hlo(text, inputs):
    return _ask('run_hlo', text, inputs)


def check(text):
    """Raises Rejected if XLA does not take the program all the way through its compiler."""
    _ask('check', text)
