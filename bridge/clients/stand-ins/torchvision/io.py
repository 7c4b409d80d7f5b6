# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from . import _absent

__getattr__ = _absent(__name__)
