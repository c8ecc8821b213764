"""Programs as people write them in JAX, which survey.py times under XLA: functions with the arguments that they are called with."""

from . import (
    machine_learning,
    science,
    geometry,
    functions,
    linear_algebra,
    places,
    arrays,
    loop_steps,
    images,
    inference,
    worlds,
)  # noqa: F401  (they join the list)
from .arguments import PROGRAMS  # noqa: F401
