# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Once imported, a script for "cuda" runs on "hpu" as it is.

Nothing is paid by ops: PyTorch makes what is asked of the device "cuda" on a card, in its
dispatcher, and names of torch.cuda are those of torch.hpu. PT_HPU_GPU_MIGRATION=1 imports it when
PyTorch is imported. `uses()` is what was replaced, with its lines; `missing()` what of it has no
counterpart, which is also written when the process ends."""
import os

import habana_frameworks.torch  # noqa: F401
from habana_frameworks.torch import _C, _missing
from habana_frameworks.torch import hpu as _hpu  # noqa: F401

from . import _amp, _cuda, _devices, _libraries, _others, _types
from ._notes import Use, missing, uses  # noqa: F401

if not os.environ.get("HABANA_VISIBLE_MODULES", "").strip():
    _C.limit_cards(1)  # nothing is computed on several
_devices.install()
_cuda.install()
_types.install()
_amp.install()
_others.install()
_libraries.install()

__getattr__ = _missing.of(__name__)
