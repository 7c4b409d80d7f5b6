# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command gaudi-import. What it needs is imported only here, inside main: an interrupt or
a package that is missing then ends the command without a traceback."""
import os
import signal
import sys
from typing import Any


def main(argv: "list[str] | None" = None) -> int:
    """Runs the command; its exit code."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupted)
    try:
        from gaudi_mlir.importer import __main__ as command
    except ImportError as error:
        print(f"gaudi-import: error: {error}", file=sys.stderr)
        return 2
    return command.main(argv)


def _interrupted(*_: Any) -> None:
    """Ends the command at once: an exception could be lost in callbacks of libraries."""
    weights = sys.modules.get("gaudi_mlir.weights")
    for path in list(getattr(weights, "temporary_files", ())):
        try:
            os.unlink(path)
        except OSError:
            pass  # already in its place
    os._exit(130)
