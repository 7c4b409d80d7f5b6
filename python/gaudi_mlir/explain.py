# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a script and says how it ran on the device "hpu": steps, graphs, cuts, recompiles, what costs
time, each with its line. Of a script without that device, or where it is not installed, it says
what torch.compile(backend="gaudi") made: gaudi_mlir.torch.explain().

    python -m gaudi_mlir.explain [--json FILE] [--html FILE] script.py [ARGUMENTS...]

The report goes to the standard error output, so that the script's own output stays what it is; with
--json a file gets that of hpu as well (docs/schema/script.schema.json), and --html makes a page of
it and of the graph that takes most of the card's time. The exit code is the script's, or 1 if a file cannot
be written.
"""
import argparse
import json
import os
import sys

import gaudi_mlir
from gaudi_mlir import _command, _text
from gaudi_mlir._short_runs import outcome, whole


def main() -> int:
    parser = _command.Parser(prog="python -m gaudi_mlir.explain", description=__doc__,
                             formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", metavar="FILE", help="writes the report here, too")
    parser.add_argument("--html", metavar="FILE", help="writes a page")
    parser.add_argument("script")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    options = parser.parse_script()
    try:
        import gaudi_mlir.torch
    except ImportError as error:
        parser.exit(2, f"{parser.prog}: error: {error}\n")
    _script_report = None
    try:
        import habana_frameworks.torch  # noqa: F401
        from habana_frameworks.torch import _script_report
    except ImportError as error:
        if options.json:
            parser.exit(2, f"{parser.prog}: error: --json needs the device hpu, of the package "
                        f"gaudi-mlir-bridge, which cannot be imported: {error}; leave the option "
                        "out, or run scripts/setup-python.sh, which installs the package\n")
    gaudi_mlir.torch.record_lines()
    names: list[dict] = []  # of the script, which keep what it compiled
    code, _ = outcome(lambda: names.append(whole(options.script, options.arguments)))
    report = _script_report.explain() if _script_report else None
    if report is None or not (options.json or report.steps or report.graphs):
        report = gaudi_mlir.torch.explain()
    print(report, file=sys.stderr)
    try:
        if options.json:
            with open(options.json, "w", encoding="utf-8") as file:
                json.dump(report.as_dict(), file, indent=1)
        if options.html:
            report.html(options.html, title=os.path.basename(options.script))
    except (OSError, RuntimeError, ValueError, gaudi_mlir.Error) as error:
        text = _text.unwritable(error.filename, error) if getattr(error, "filename", None) else error
        print(f"{parser.prog}: error: {text}", file=sys.stderr)
        return code or 1
    return code


if __name__ == "__main__":
    sys.exit(main())
