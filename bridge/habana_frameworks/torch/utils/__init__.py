# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from . import debug, internal, library_loader  # noqa: F401
