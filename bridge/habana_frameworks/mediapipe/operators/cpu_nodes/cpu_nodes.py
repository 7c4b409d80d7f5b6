# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from ... import Absent


class media_function(metaclass=Absent):
    """A node that calls Python."""
