# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from .. import Absent


class HPUResnetPytorchIterator(metaclass=Absent):
    """Batches of a pipe."""
