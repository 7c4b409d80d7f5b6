# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a script of PyTorch twice and says where the two runs leave each other: the first step, the
first module, forward or backward, and on the device "hpu" the op, each with its line.

    python -m gaudi_mlir.bisect [--against WHAT] [--steps N] script.py [ARGUMENTS...]

WHAT is "cpu" (each op by PyTorch's CPU; random numbers are the card's on both sides), "device:KIND"
("device:gaudi3"), "env:NAME=VALUE", "script:FILE", or a folder that --record DIR has made, also on
another machine. A third run says what roundings alone make of the script. The exit code is 0 if no
value differs, 1 if one does, 2 for a wrong call or a script that fails.
"""
import argparse
import contextlib
import dataclasses
import importlib
import json
import math
import os
import subprocess
import sys
import tempfile

from gaudi_mlir import _command, _text


def _parser() -> argparse.ArgumentParser:
    parser = _command.Parser(prog="python -m gaudi_mlir.bisect", description=__doc__,
                             formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", default="cpu", metavar="WHAT",
                        help="the other side (default: %(default)s)")
    parser.add_argument("--steps", type=_command.whole_number(0), default=5, metavar="N",
                        help="updates of an optimizer, or calls of the model; 0: all that the "
                             "script makes (default: %(default)s)")
    parser.add_argument("--record", metavar="DIR", help="only records the script's values there")
    parser.add_argument("--keep", metavar="DIR", help="keeps the records of all runs there")
    parser.add_argument("--no-noise", action="store_true",
                        help="does not run the script for its roundings")
    parser.add_argument("--json", metavar="FILE", help="writes the result here, too")
    parser.add_argument("--with-noise", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--side-by-side", metavar="FILE", help=argparse.SUPPRESS)
    parser.add_argument("script")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    return parser


class _Failed(Exception):
    pass


def _run(script: str, arguments: list[str]) -> None:
    """The script, to its end or to that of its last recorded step."""
    from gaudi_mlir._short_runs import Stop, whole
    with contextlib.suppress(Stop):
        whole(script, arguments)


def _record(options) -> int:
    from gaudi_mlir.torch import recorder
    with contextlib.suppress(ImportError):  # a record may be of another device
        importlib.import_module("habana_frameworks.torch")
    made = recorder.Recorder(options.record, options.with_noise, options.steps)
    try:
        _run(options.script, options.arguments)
    finally:
        made.close()
    return 0


def _side_by_side(options) -> int:
    """The first op of the script that is not what PyTorch's CPU computes, into a file."""
    from gaudi_mlir.torch import recorder
    from habana_frameworks.torch import _sidebyside
    # Recorded as well, since that is what its graphs have computed.
    with tempfile.TemporaryDirectory() as folder, _sidebyside.side_by_side() as found, \
            contextlib.closing(recorder.Recorder(folder, steps=options.steps)):
        _run(options.script, options.arguments)
    with open(options.side_by_side, "w", encoding="utf-8") as file:
        json.dump([str(each) for each in found.differences], file)
    return 0


def _other(what: str) -> tuple[str, dict[str, str], str]:
    """How the other side runs: what is said of it, its environment, and its script."""
    kind, _, value = what.partition(":")
    if kind == "device" and value:
        return f"a {value}", {"GAUDI_DEVICE": value}, ""
    if kind == "env" and "=" in value:
        name, _, text = value.partition("=")
        return f"{name}={text}", {name: text}, ""
    if kind == "script" and os.path.isfile(value):
        return value, {}, value
    if kind == "script" and value:
        raise ValueError(f"--against={what}: there is no file '{value}'")
    raise ValueError(f"--against={what}: expected cpu, device:KIND (device:gaudi3), env:NAME=VALUE, "
                     "script:FILE, or a folder that --record has made")


def _child(options, script: str, environment: dict[str, str], *flags: str) -> None:
    command = [sys.executable, "-m", "gaudi_mlir.bisect", f"--steps={options.steps}", *flags,
               script, *options.arguments]
    done = subprocess.run(command, env={**os.environ, **environment}, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True)
    if done.returncode:
        raise _Failed(f"{script} fails{_with(environment)}; run it alone first. It said:\n"
                      f"{done.stderr.rstrip()}")


def _with(environment: dict[str, str]) -> str:
    return f" with {' '.join(f'{name}={value}' for name, value in environment.items())}" \
        if environment else ""


class _Runs:
    """Of the script, with their records."""

    def __init__(self, options, folder: str) -> None:
        self.options, self.folder = options, folder

    def record(self, name: str, environment: dict[str, str], *flags: str, script: str = ""):
        from gaudi_mlir.torch.recorder import Record
        path = os.path.join(self.folder, name)
        _child(self.options, script or self.options.script, environment, f"--record={path}",
               *flags)
        return Record(path)

    def compare(self, mine, other, noisy, environment: dict[str, str]):
        """`noisy`: the record that roundings are added to, of a run with this environment."""
        from gaudi_mlir.torch import divergence
        if self.options.no_noise:
            return divergence.compare(mine, other)
        noise = self.record("noise", environment, "--with-noise")
        return divergence.compare(mine, other, noise, noisy)

    def ops(self) -> list[str]:
        """Those that are not what PyTorch's CPU computes for the same operands."""
        path = os.path.join(self.folder, "ops.json")
        try:
            _child(self.options, self.options.script, {}, f"--side-by-side={path}")
        except _Failed as error:
            return [f"cannot be compared: {error}"]
        with open(path, encoding="utf-8") as file:
            return json.load(file)


def _against_cpu(runs: _Runs):
    """By PyTorch's own kernels, which take ops one by one; where these differ, also by the graphs
    that the script's launches are compiled of, which draw the same random numbers in all modes."""
    environment = {"GAUDI_OPS_ON_CPU": "1", "PT_HPU_LAZY_MODE": "0"}
    mine, other = runs.record("one", {}), runs.record("two", environment)
    result = runs.compare(mine, other, other, environment)
    result.on_card = other.on_card
    if not result.found:
        return result, []
    environment = {"GAUDI_OPS_ON_CPU": "graphs"}
    other = runs.record("graphs", environment)
    by_graphs = runs.compare(mine, other, other, environment)
    by_graphs.on_card = other.on_card
    if by_graphs.found or mine.draws:
        result = by_graphs
        result.note = "PyTorch's CPU has computed the graph of each launch, so that random numbers " \
            "are the same on both sides"
    else:
        result.note = "each launch is what PyTorch's CPU computes of the graph that it was " \
            "compiled of: the op is taken apart into other ops than PyTorch's kernel computes"
    return result, runs.ops() if result.found else []


def _finite(value):
    """Numbers that JSON has not got as text."""
    if isinstance(value, dict):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return list(map(_finite, value))
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _bisect(options) -> int:
    from gaudi_mlir.torch.recorder import Record
    with contextlib.ExitStack() as stack:
        runs = _Runs(options,
                     options.keep or stack.enter_context(tempfile.TemporaryDirectory()))
        if options.against == "cpu":
            title = "PyTorch's CPU"
            result, ops = _against_cpu(runs)
        else:
            title, environment, script = (options.against, {}, "") \
                if os.path.isdir(options.against) else _other(options.against)
            mine = runs.record("one", {})
            other = Record(title) if os.path.isdir(options.against) else \
                runs.record("two", environment, script=script)
            result, ops = runs.compare(mine, other, mine, {}), []
    print(f"{options.script} against {title}\n{result}")
    if ops:
        print(f"op by op: {ops[0]}")
    if options.json:
        document = {"schema": "gaudi-bisect-script/1", "script": options.script,
                    "against": options.against, **dataclasses.asdict(result), "ops": ops}
        if result.found:
            document["found"].update(module=result.found.module,
                                     is_backward=result.found.is_backward())
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(_finite(document), file, indent=1)
    return 1 if result.found else 0


def main() -> int:
    parser = _parser()
    options = parser.parse_script()
    for path in filter(None, (options.record, options.keep)):
        try:
            os.makedirs(path, exist_ok=True)
        except OSError as error:
            parser.exit(2, f"{parser.prog}: error: cannot make the folder '{path}': {error.strerror}; "
                        "name one in a place that you may write to\n")
    if options.record:
        return _record(options)
    if options.side_by_side:
        return _side_by_side(options)
    try:
        return _bisect(options)
    except (OSError, ValueError, _Failed) as error:
        text = _text.unwritable(error.filename, error) if getattr(error, "filename", None) else error
        print(f"{parser.prog}: error: {text}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
