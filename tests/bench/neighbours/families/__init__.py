"""The families of programs, by name."""
from . import algebra, convolutions, elementwise, movement, products, windows  # noqa: F401  (each registers its families)
from .family import FAMILIES  # noqa: F401
