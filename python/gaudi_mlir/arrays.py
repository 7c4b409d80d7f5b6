"""Arrays that can be bound to inputs of a loaded recipe."""

from __future__ import annotations

import math
from typing import Any, Sequence

import numpy

from . import _core

ALIGNMENT: int = _core.binding_alignment()
"""Bytes to which memory that is bound must be aligned."""


def empty_aligned(shape: Sequence[int] | int, dtype: Any = numpy.float32) -> numpy.ndarray:
    """A new dense array that can be bound; its values are arbitrary."""
    dtype = numpy.dtype(dtype)
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    count = math.prod(shape) * dtype.itemsize
    memory = numpy.empty(count + ALIGNMENT, dtype=numpy.uint8)
    return numpy.ndarray(shape, dtype, memory, offset=-memory.ctypes.data % ALIGNMENT)


def aligned(array: Any) -> numpy.ndarray:
    """The array itself if it can be bound, else a dense copy that can."""
    array = numpy.asarray(array)
    if array.flags.c_contiguous and array.ctypes.data % ALIGNMENT == 0:
        return array
    result = empty_aligned(array.shape, array.dtype)
    result[...] = array
    return result
