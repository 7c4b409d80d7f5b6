# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gaudi-import: MODEL in, MODEL.mlir and MODEL.safetensors out."""
import argparse
import collections
import os
import re
import sys
import warnings
from typing import Any

from .. import _command, _text, weights
from ..errors import FileError
from .errors import ConversionError, InputError

_EXAMPLES = """\
examples:
  gaudi-import resnet50.onnx                      resnet50.mlir and resnet50.safetensors
  gaudi-import bert.onnx --size batch=1 --size sequence=1..512/16
  gaudi-import model.pt2 -o model.mlir            what torch.export.save wrote
  gaudi-import model.pt2 --name tokens_0=batch    with a name for a dynamic size
  gaudi-import function.stablehlo -o f.mlir       StableHLO: pretty text, bytes of jax.export
  gaudi-run resnet50.mlir --seed-inputs=1         then run it

exit codes:
  0    the model was written
  2    wrong usage, a file that cannot be read or written, or a package that is not installed
  3    the model cannot be converted
"""


def _size(text: str) -> tuple[str, Any]:
    match = re.fullmatch(r"(.+)=(\d+)(?:\.\.(\d+)(?:/(\d+))?)?", text)
    if not match:
        between = re.fullmatch(r"(.+?)[=:](\d+)(?:[-:,]|\.\.+)?(\d*)", text)
        meant = f"{between[1]}={between[2]}" + (f"..{between[3]}" if between[3] else "") \
            if between else ""
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=SIZE or NAME=MIN..MAX[/MULTIPLE]"
                                         + (f"; did you mean {meant}?" if meant else ", such as "
                                            "batch=8 or batch=1..64"))
    name, low, high, multiple = match.groups()
    if int(high or low) == 0:
        raise argparse.ArgumentTypeError(f"'{text}': a model of size 0 has no elements; sizes begin at 1")
    if multiple is not None and int(multiple) == 0:
        raise argparse.ArgumentTypeError(f"'{text}': a size is a multiple of 1 or more, not of 0")
    if high is None:
        return name, int(low)
    if int(high) < int(low):
        raise argparse.ArgumentTypeError(f"'{text}' ends below where it begins; give the smaller size "
                                         f"first: {name}={high}..{low}")
    return name, (int(low), int(high), *([int(multiple)] if multiple else []))


def _name(text: str) -> tuple[str, str]:
    old, found, new = text.partition("=")
    if not found or not new.isidentifier():
        raise argparse.ArgumentTypeError(f"'{text}' is not SIZE=NAME, with a name of letters, "
                                         "digits and '_', such as tokens_0=batch")
    return old, new


def _version() -> str:
    import gaudi_mlir
    return gaudi_mlir.__version__


class _Parser(_command.Parser):
    """Says what is meant by options of other converters."""

    def advice(self, given: str) -> str:
        name, _, value = given.lstrip("-").partition("=")
        if not given.startswith("-"):
            return f"the text goes to a file by -o {given}" if given.endswith(".mlir") \
                else "it takes one model; call it once for each"
        if name.replace("_", "-") in ("device", "target", "arch", "bf16", "fp16", "autocast",
                                      "precision"):
            return "what is written is for all devices and types; give it to gaudi-run: " \
                "--device=gaudi3, --autocast=bf16"
        if "shape" in name or "dynamic" in name or "axes" in name or "dim" in name:
            return "sizes are given by their names: --size=NAME=8, or --size=NAME=1..64"
        if re.fullmatch(r"\d+(\.\.\d+)?", value):
            return f"a size is given as --size={name}={value}"
        return ""


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="gaudi-import", epilog=_EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Converts a model to MLIR text that gaudi-run takes: ONNX, torch.export "
        "(.pt2), StableHLO in any form, jax.export, and MLIR that gaudi-run does not read itself "
        "(bytecode of a newer version, the torch dialect). Large weights go to a safetensors "
        "file beside the text.")
    parser.add_argument("model", metavar="MODEL", help="the file to convert; its kind is "
                        "recognised by its content")
    parser.add_argument("-o", "--output", metavar="FILE", help="where to write the text (default: "
                        "MODEL.mlir in the current folder)")
    parser.add_argument("--size", metavar="NAME=SIZE", action="append", type=_size, default=[],
                        help="the size of a symbolic dimension, or a range MIN..MAX[/MULTIPLE] "
                        "that stays dynamic; may be repeated")
    parser.add_argument("--name", metavar="SIZE=NAME", action="append", type=_name, default=[],
                        help="what a symbolic size of a .pt2 file is called: such files have no "
                        "names, so that it is INPUT_DIMENSION (tokens_0=batch); may be repeated")
    parser.add_argument("--entry", metavar="NAME", help="the function of an MLIR module to run")
    parser.add_argument("--opset", metavar="N", type=_command.whole_number(1),
                        help="convert an ONNX model to this version of its operators first")
    parser.add_argument("--max-unpacked", metavar="MIB", type=_command.whole_number(1),
                        help="how many MiB the members of a .pt2 file may become (default: 64, and "
                        "20 times the size of the file)")
    parser.add_argument("--version", action="version", version=f"%(prog)s {_version()}")
    parser.add_argument("--check", action="store_true",
                        help="also try whether the compiler takes the result")
    return parser


def _output_of(arguments: argparse.Namespace) -> str:
    if arguments.output:
        output = arguments.output
    else:
        output = os.path.splitext(os.path.basename(arguments.model))[0] + ".mlir"
    if os.path.exists(output) and os.path.exists(arguments.model) \
            and os.path.samefile(output, arguments.model):
        raise InputError(f"'{output}' would replace the model itself; name another file with -o")
    if not arguments.output and os.path.exists(arguments.model) and os.path.isfile(output) \
            and not weights.is_own(output):
        raise InputError(f"'{output}' exists, and was not written by gaudi-import, so that it is not "
                         f"replaced; name another file, or this one, with -o: -o {output}")
    if output == "-":
        raise InputError("gaudi-import writes files, not standard output; name one with -o")
    try:
        weights.check_suffix(output)
    except FileError as error:
        raise InputError(error.message) from None
    try:
        weights.check_output(output)
    except OSError as error:
        raise InputError(_text.unwritable(output, error)) from None
    return output


def _convert(arguments: argparse.Namespace) -> None:
    from . import import_model
    for option, pairs in (("--size", arguments.size), ("--name", arguments.name)):
        name, count = next(iter(collections.Counter(each for each, _ in pairs).most_common(1)),
                           ("", 0))
        if count > 1:
            raise InputError(f"{option} has '{name}' {count} times; give it once")
    sizes = dict(arguments.size)
    output = _output_of(arguments)
    most = arguments.max_unpacked
    text = import_model(arguments.model, sizes=sizes, names=dict(arguments.name),
                        entry=arguments.entry, opset=arguments.opset,
                        max_unpacked=None if most is None else most << 20)
    if not arguments.output and text.resources and not weights.is_own(output):
        beside = weights.weights_name(output)
        if os.path.isfile(beside):
            raise InputError(f"'{beside}' exists, and was not written by gaudi-import, so that it is not "
                             f"replaced; name another file with -o, or replace it: -o {output}")
    try:
        written = text.save(output)
    except FileError as error:
        raise InputError(error.message) from None
    print("wrote " + " and ".join(f"{path} ({_text.bytes_text(os.path.getsize(path))})"
                                  for path in written), flush=True)
    if arguments.check:
        import gaudi_mlir
        # Dynamic sizes are known only to a compilation.
        dynamic = {"buckets": "exponential:1"} if "gaudi.dims" in text.text else None
        try:
            if dynamic:
                text.compile(**dynamic)
            else:
                gaudi_mlir.check_import(text.text, resources=text.resources or None)
        except gaudi_mlir.CompileError as error:
            raise ConversionError(f"the compiler does not take '{output}': {error}") from None
        print("the compiler takes it")


def main(argv: list[str] | None = None) -> int:
    """Runs the command; its exit code."""
    arguments = _parser().parse_args(argv)
    if not sys.warnoptions:
        warnings.simplefilter("ignore")  # of the frameworks, about themselves
    try:
        _convert(arguments)
    except InputError as error:
        print(f"gaudi-import: error: {error}", file=sys.stderr)
        return 2
    except ConversionError as error:
        print(f"gaudi-import: error: {error}", file=sys.stderr)
        return 3
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
