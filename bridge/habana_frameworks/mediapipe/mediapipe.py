# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from . import Absent


class MediaPipe(metaclass=Absent):
    """A pipe."""
