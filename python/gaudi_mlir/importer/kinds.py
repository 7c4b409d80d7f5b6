# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recognises what a model file is, by its bytes first and its name second."""
import enum
import os
import pickletools
import re
import zipfile

from .. import _text
from .errors import InputError


class Kind(enum.Enum):
    """What gaudi-import reads; the values are words of messages."""
    ONNX = "an ONNX model"
    PT2 = "a program of torch.export"
    PORTABLE = "serialized StableHLO"
    BYTECODE = "MLIR bytecode"
    TEXT = "MLIR text"
    JAX = "an artifact of jax.export"


# Other formats: place and bytes that only they have, what they are, and what helps.
_FOREIGN = [
    (0, b"GAUDIREC", "a recipe already", "run it: gaudi-run {path}"),
    *[(0, bytes([0x80, protocol]), "a pickle, such as torch.save writes",
       "load it in Python (torch.load(..., weights_only=False)), and save the model: "
       "torch.export.save(torch.export.export(model.eval(), args), 'model.pt2')")
      for protocol in range(2, 6)],
    (0, b"\x93NUMPY", "an array of NumPy, not a model",
     "it can be an input: gaudi-run MODEL --input=@{path}"),
    (0, b"\x1f\x8b", "compressed", "unpack it first: gunzip {path}"),
    (257, b"ustar", "a tar archive", "unpack it first, and name the model in it: tar xf {path}"),
    (4, b"TFL3", "a TensorFlow Lite model", "convert it to TOSA with TensorFlow's "
     "flatbuffer_translate and tf-opt"),
    (0, b"GGUF", "a GGUF file of weights", "export the model that uses them, by torch.export"),
    (8, b"{\"", "a safetensors file of weights",
     "export the model that uses them, by torch.export"),
    (0, b"\x89HDF", "an HDF5 file, such as Keras writes", "export the model with jax.export"),
]


def of_file(path: str) -> Kind:
    """The kind of a file. Raises InputError if it is none that can be imported."""
    try:
        with open(path, "rb") as file:
            head = file.read(4096)
    except OSError as error:
        raise InputError(_text.unreadable(path, error)) from None
    if not head:
        raise InputError(f"cannot read '{path}': the file is empty; save or copy the model again")
    if _text.is_lfs_pointer(head):
        raise InputError(f"'{path}' {_text.LFS_ADVICE}")
    name = path.lower()
    if head.startswith(b"ML\xefR"):
        return Kind.PORTABLE if producer(head).startswith("StableHLO") else Kind.BYTECODE
    if head.startswith(b"PK\x03\x04"):
        return _of_archive(path)
    for offset, magic, what, advice in _FOREIGN:
        if head[offset:offset + len(magic)] == magic:
            raise InputError(f"'{path}' is {what}; {advice.format(path=path)}")
    if _is_text(head):
        _refuse_other_text(path, head)
        return Kind.TEXT
    if _is_onnx(head) or name.endswith(".onnx"):
        return Kind.ONNX
    if _is_jax(head):
        return Kind.JAX
    raise InputError(f"'{path}' is not a model that gaudi-import reads: ONNX, torch.export (.pt2), "
                     "jax.export, StableHLO, or MLIR as text or bytecode")


def _refuse_other_text(path: str, head: bytes) -> None:
    """Of text that is no MLIR by its name or its first character."""
    name, first = path.lower(), head.lstrip()[:1]
    if re.match(rb"\s*<(!doctype\s+html|html)\b", head, re.I):
        raise InputError(f"'{path}' is a page of HTML, as a site shows in the place of a file; download "
                         "the file itself: of a repository the address with /raw/ or /resolve/, or after a "
                         "login")
    if name.endswith(".onnx"):
        raise InputError(f"'{path}' is text, not an ONNX model; export the model again, or copy it as "
                         "binary")
    if name.endswith(".py"):
        raise InputError(f"'{path}' is a program of Python, not a model; run it, and save its model: "
                         "torch.export.save(torch.export.export(model, args), \"model.pt2\")")
    suffix = re.search(r"\.(csv|ipynb|log|md|prototxt|sh|toml|tsv|txt|ya?ml)$", name)
    if first in (b"{", b"<") or suffix:
        what = {b"{": "JSON", b"<": "XML"}.get(first, f"text ({suffix and suffix[0]})")
        raise InputError(f"'{path}' is {what}, not a model; name an ONNX, .pt2, StableHLO or MLIR "
                         "file")


def producer(head: bytes) -> str:
    """Who wrote MLIR bytecode: "MLIR24.0.0git"."""
    return head[5:105].split(b"\0")[0].decode(errors="replace")


def _is_text(head: bytes) -> bool:
    if b"\0" in head:
        return False
    try:
        head.decode()
    except UnicodeDecodeError as error:
        return error.start > len(head) - 4  # cut within a character
    return bool(re.search(rb"\S", head)) and not re.match(rb"[\x01-\x08\x0e-\x1f]", head)


def _is_onnx(head: bytes) -> bool:
    """Whether the bytes begin a ModelProto: ir_version, then a field with a length."""
    return len(head) > 2 and head[0] == 8 and 0 < head[1] < 32 and head[2] & 7 == 2


def _is_jax(head: bytes) -> bool:
    """Whether the bytes may be a flatbuffer: an offset to the root table near the beginning."""
    return len(head) > 8 and 4 <= int.from_bytes(head[:4], "little") < 4096


def _outer_class(head: bytes) -> str:
    """The class of the object that a pickle has, as "MODULE NAME"; empty if it is a dict, a list or
    a tuple. Of a pickle that is cut, as far as it shows."""
    found, strings, last = None, [], ""
    try:
        for code, argument, _ in pickletools.genops(head):
            if code.name in ("PROTO", "FRAME", "MEMOIZE", "BINPUT", "LONG_BINPUT", "PUT"):
                continue
            if code.name == "STOP":
                return "" if last.startswith("TUPLE") else found or ""
            last = code.name
            if found is not None:
                continue
            if last.endswith("UNICODE"):
                strings.append(argument)
            elif last == "BINGET" and strings:  # a class that is called like its module
                strings.append(strings[-1])
            else:
                found = argument if last == "GLOBAL" else \
                    " ".join(strings[-2:]) if last == "STACK_GLOBAL" else ""
    except Exception:  # it is cut, or damaged, in one of many ways
        pass
    return found or ""


def _of_torch_save(path: str) -> str:
    """What a file of torch.save has, by the names in its pickle, which is not run; and what helps."""
    stem = os.path.splitext(os.path.basename(path))[0]
    save = f"torch.export.save(torch.export.export(model.eval(), args), '{stem}.pt2')"
    outer = ""
    try:
        with zipfile.ZipFile(path) as archive:
            member = next(each for each in archive.namelist() if each.endswith("data.pkl"))
            with archive.open(member) as file:
                outer = _outer_class(file.read(1 << 20))
    except Exception:  # it is damaged, in one of many ways
        pass
    if outer and not outer.startswith((
            "torch._utils ", "torch._tensor ", "torch ", "torch.storage ", "collections ", "numpy",
            "builtins ", "_codecs ", "torch.nn.parameter ", "__builtin__ ")):
        return (f"is a whole model ({outer.replace(' ', '.')}, ...) that torch.save wrote, whose "
                f"code is not run here; in Python: model = torch.load('{path}', weights_only=False); "
                f"{save}")
    return ("has weights that torch.save wrote, and no model; in Python, with the model that they are "
            f"of: model.load_state_dict(torch.load('{path}')); {save}")


def _of_archive(path: str) -> Kind:
    try:
        with zipfile.ZipFile(path) as archive:
            names = [entry.split("/", 1)[-1] for entry in archive.namelist()]
    except (zipfile.BadZipFile, OSError) as error:
        raise InputError(f"'{path}' is a damaged zip archive: {error}; copy it or save it again") from None
    if any(re.fullmatch(r"models/.*\.json|serialized_exported_program\.json", name)
           for name in names):
        return Kind.PT2
    if any("data/aotinductor/" in name for name in names):
        raise InputError(f"'{path}' is a package of AOTInductor, which has code for this host and no "
                         f"program; save the exported program that it was compiled from: "
                         "torch.export.save(program, 'model.pt2')")
    if "constants.pkl" in names:
        raise InputError(f"'{path}' is a program of TorchScript; export the model again, by "
                         "torch.export.export and torch.export.save")
    if "data.pkl" in names:
        raise InputError(f"'{path}' {_of_torch_save(path)}")
    if "replay.json" in names:
        raise InputError(f"'{path}' is a replay file; run it: gaudi-run {path}")
    if names and all(name.endswith(".npy") for name in names):
        raise InputError(f"'{path}' has arrays of NumPy, not a model; each can be an input: save it "
                         "by numpy.save, and gaudi-run MODEL --input=@FILE.npy")
    raise InputError(f"'{path}' is a zip archive, but not of torch.export; unpack it, and name the "
                     f"model in it: unzip {path}")
