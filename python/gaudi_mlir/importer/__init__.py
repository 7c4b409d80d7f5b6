# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Brings models of other projects to text for gaudi-run; the command gaudi-import."""
from collections.abc import Mapping
import os

from .. import _text, weights
from ..errors import ArgumentError
from . import kinds
from .errors import ConversionError, InputError

__all__ = ["ConversionError", "InputError", "import_model", "main"]


def import_model(path: str | os.PathLike, *,
                 sizes: Mapping[str, "int | tuple[int, ...]"] | None = None,
                 names: Mapping[str, str] | None = None,
                 entry: str | None = None, opset: int | None = None,
                 max_unpacked: int | None = None) -> weights.Text:
    """The model of a file (ONNX, torch.export, StableHLO in any form, jax.export, MLIR) as text.

    `sizes` are those of symbolic dimensions, a number or a range (MIN, MAX); `names` renames the
    sizes of a program of torch.export, which has none of its own; `entry` is the
    function of an MLIR module to keep, `opset` the version that an ONNX model is converted to
    first; `max_unpacked` is how many bytes the members of a .pt2 file may become, by default about
    20 times its size. Raises InputError for a file or option that is wrong, ConversionError for a
    model that cannot be converted.
    """
    path = os.fspath(path)
    sizes = dict(sizes or {})
    kind = kinds.of_file(path)
    if opset is not None and kind is not kinds.Kind.ONNX:
        raise InputError(f"--opset is for ONNX models, and '{path}' is {kind.value}; leave it out")
    if max_unpacked is not None and kind is not kinds.Kind.PT2:
        raise InputError(f"--max-unpacked is for programs of torch.export, and '{path}' is "
                         f"{kind.value}; leave it out")
    if names and kind is not kinds.Kind.PT2:
        raise InputError(f"--name is for programs of torch.export, and '{path}' is {kind.value}; leave "
                         "it out")
    if entry is not None and kind in (kinds.Kind.ONNX, kinds.Kind.PT2):
        raise InputError(f"--entry is for MLIR modules, and '{path}' is {kind.value}, which has one "
                         "function; leave it out")
    try:
        if kind is kinds.Kind.ONNX:
            from .. import onnx
            return onnx.to_mlir(path, sizes=sizes, opset=opset)
        if kind is kinds.Kind.PT2:
            from . import pt2
            return pt2.to_mlir(path, sizes, max_unpacked, dict(names or {}))
        if sizes:
            raise InputError(f"--size is for ONNX and torch.export models, and '{path}' is "
                             f"{kind.value}; bound its sizes when it is compiled: "
                             "gaudi-run --shape=INPUT:SIZE=1..64")
        from . import modules
        return modules.to_mlir(path, kind, entry)
    except ImportError as error:
        raise InputError(f"'{path}' is {kind.value}: {error}") from None
    except (InputError, ConversionError):
        raise
    except ArgumentError as error:  # of a variable of the environment
        raise InputError(error.message) from None
    except Exception as error:
        if type(error).__name__ == "OnnxError":
            prefix = "" if str(error).startswith(f"'{path}'") else f"'{path}': "
            raise ConversionError(f"{prefix}{error}") from None
        if kind is kinds.Kind.ONNX:  # what the packages raise of a model that is damaged
            raise ConversionError(f"'{path}': {_text.first_line(error)[:300]}; see what "
                                  "onnx.checker.check_model says of it") from error
        raise


def main(argv: list[str] | None = None) -> int:
    """Runs the command gaudi-import; its exit code."""
    from . import __main__
    return __main__.main(argv)
