# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The inputs of gaudi-run --seed-inputs."""
import numpy as np

from hlo_case import DTYPES


def seeded(shape, element, argument, seed):
    """The formula of include/Gaudi/Support/SeededInputs.h."""
    count = int(np.prod(shape))
    with np.errstate(over="ignore"):
        x = np.arange(count, dtype=np.uint32) + np.uint32((seed * 7919 + argument * 104729) & 0xFFFFFFFF)
        x ^= x >> np.uint32(16)
        x *= np.uint32(0x7FEB352D)
        x ^= x >> np.uint32(15)
        x *= np.uint32(0x846CA68B)
        x ^= x >> np.uint32(16)
    dtype, f = DTYPES[element], np.float32
    if element == "i1":
        return ((x >> 8) % 2).astype(dtype).reshape(shape)
    if dtype.kind in "iu":
        return ((x >> 8) % 16).astype(dtype).reshape(shape)
    scale, offset = f(1), f(0)
    if argument != 0 and count == max([1, *shape]):
        scale, offset = f(0.5), f(1)
    elif argument != 0:
        scale = f(np.sqrt(f(6) / f(np.prod(shape[1:]))))
    value = ((x >> np.uint32(8)).astype(f) / f(2**24) - f(0.5)) * (f(2) * scale) + offset
    return value.astype(dtype).reshape(shape)
