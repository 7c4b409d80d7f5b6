# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays that can be bound to inputs of a loaded recipe."""

from __future__ import annotations

import math
from typing import Any, Sequence

import numpy

from . import _calls, _core

ALIGNMENT: int = _core.binding_alignment()
"""Bytes to which memory that is bound must be aligned."""

Array = numpy.ndarray[Any, Any]


@_calls.named
def empty_aligned(shape: Sequence[int] | int, dtype: Any = numpy.float32) -> Array:
    """A new dense array that can be bound; its values are arbitrary."""
    dtype = numpy.dtype(dtype)
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    count = math.prod(shape) * dtype.itemsize
    memory = numpy.empty(count + ALIGNMENT, dtype=numpy.uint8)
    return numpy.ndarray(shape, dtype, memory, offset=-memory.ctypes.data % ALIGNMENT)


@_calls.named
def aligned(array: Any) -> Array:
    """The array itself if it can be bound, else a dense copy that can."""
    given: Array = numpy.asarray(array)
    if given.flags.c_contiguous and given.ctypes.data % ALIGNMENT == 0:
        return given
    result = empty_aligned(given.shape, given.dtype)
    result[...] = given
    return result
