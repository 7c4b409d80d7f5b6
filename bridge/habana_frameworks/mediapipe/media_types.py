# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from . import Absent


class decoderStage(metaclass=Absent):
    """Stages of a decoder."""


class dtype(metaclass=Absent):
    """Types of elements."""


class ftype(metaclass=Absent):
    """Filters."""


class imgtype(metaclass=Absent):
    """Formats of images."""


class randomCropType(metaclass=Absent):
    """Ways to crop."""
