# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a script of the device "hpu" for some steps and answers the points of the checklist for the
optimization of models, each with evidence; what to change comes first, the largest gain on top.

    gaudi-check [--steps N] [--json FILE] script.py [ARGUMENTS...]

Loops end after N steps (an update by an optimizer, or a call of a module), and the script continues
after them. The report goes to the standard error output, so that the script's own output stays
what it is; with --json a file gets it as well ("-": the standard output). The exit code is 0, or
that of the script if it fails before one of its loops was ended; 1, if the file cannot be written.
"""
import argparse
import json
import os
import sys

from gaudi_mlir import _command, _text


def main() -> int:
    parser = _command.Parser(prog="gaudi-check", description=__doc__,
                             formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=_command.whole_number(0), default=20, metavar="N",
                        help="of a loop; 0: as many as it has (default: %(default)s)")
    parser.add_argument("--json", metavar="FILE", help="writes the report here, too")
    parser.add_argument("script")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    options = parser.parse_script()
    try:
        import torch

        import habana_frameworks.torch  # noqa: F401
        from habana_frameworks.torch import _checklist, _observed
    except ImportError as error:
        parser.exit(2, f"{parser.prog}: error: the device hpu is of the package gaudi-mlir-bridge, "
                    f"which cannot be imported: {error}; scripts/setup-python.sh installs it\n")
    try:  # before the script runs, perhaps for long
        output = open(options.json, "w", encoding="utf-8") \
            if options.json not in (None, "-") else None
    except OSError as error:
        return _unwritten(options.json, error)
    from . import _short_runs
    limit = _short_runs.Limit(options.steps, torch.compiler.is_compiling)
    counter = _observed.Counter(limit.step)
    seen = _observed.Observation(counter.event)
    code, raised = _short_runs.outcome(
        lambda: _short_runs.run(options.script, options.arguments, limit))
    error = _text.shorten(_text.first_line(raised)) if raised else ""
    if raised and limit.ended and code == 1:
        code, error = 0, f"{error}; its loops were ended early, which may be why"
    seen.end()
    report = _checklist.check(seen, options.script, limit.ended, limit.stopped_at, error)
    print(report, file=sys.stderr)
    try:
        if options.json:
            print(json.dumps(report.as_dict(), indent=1), file=output, flush=True)
    except OSError as error:
        return _unwritten(options.json, error)
    return code


def _unwritten(path: str, error: OSError) -> int:
    print(f"gaudi-check: error: {_text.unwritable(path, error)}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
