# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weights of a model outside its text: resources, and safetensors files.

A converted module keeps large constants as `dense_resource<name>`; the text names them, and their
values travel as arrays (gaudi_mlir.compile(resources=...)) or in a file beside the text
(docs/weights.md).
"""
import contextlib
import dataclasses
import errno
import json
import os
import re
import secrets
import stat
import struct
from collections.abc import Iterator, Sequence
from typing import Any

import ml_dtypes
import numpy as np

from . import _calls, _places
from ._text import quoted, unwritable
from .errors import FileError

# Constants of fewer bytes stay in the text, where people and passes read them at once.
SMALL_BYTES = 1024

_CONSTANTS = {"stablehlo.constant": "value", "mhlo.constant": "value", "arith.constant": "value",
              "tosa.const": "values", "ml_program.global": "value"}

# Element types of MLIR: as NumPy has them, and as safetensors files call them.
_TYPES: dict[str, tuple[Any, str]] = {
    "f64": (np.float64, "F64"), "f32": (np.float32, "F32"), "f16": (np.float16, "F16"),
    "bf16": (ml_dtypes.bfloat16, "BF16"), "f8E4M3FN": (ml_dtypes.float8_e4m3fn, "F8_E4M3"),
    "f8E5M2": (ml_dtypes.float8_e5m2, "F8_E5M2"), "i1": (np.bool_, "BOOL"),
    **{f"{prefix}{bits}": (np.dtype(f"{kind}{bits // 8}"), f"{kind.upper()}{bits}")
       for bits in (8, 16, 32, 64)
       for prefix, kind in (("i", "i"), ("si", "i"), ("ui", "u"))},
}
_FILE_TYPES = {np.dtype(numpy_type): name for numpy_type, name in _TYPES.values()}


@_calls.named_methods
@dataclasses.dataclass
class Text:
    """A model as MLIR text; `resources` has the values of its dense_resource constants, and
    `places` what its lines are from: "encoder.layer.3 at model.py:12:1", or nothing."""
    text: str
    resources: dict[str, np.ndarray]
    places: list[str] = dataclasses.field(default_factory=list)

    def compile(self, **options):
        """The recipe of the model, whose locations are its places; options are those of
        gaudi_mlir.compile."""
        import gaudi_mlir
        from .compiler import check_options
        check_options(options)
        recipe = gaudi_mlir.compile(self.text, resources=self.resources or None, **options)
        return recipe.with_places(self.places, options.get("name") or "<module>") \
            if any(self.places) else recipe

    def find_max_batch(self, **options):
        """Those of gaudi_mlir.find_max_batch."""
        import gaudi_mlir
        return gaudi_mlir.find_max_batch(self.text, resources=self.resources or None, **options)

    def batch_sweep(self, **options):
        """Those of gaudi_mlir.batch_sweep."""
        import gaudi_mlir
        return gaudi_mlir.batch_sweep(self.text, resources=self.resources or None, **options)

    def save(self, path: str | os.PathLike, weights: str | None = None) -> list[str]:
        """Writes the model to `path`, and large constants to a safetensors file beside it, called
        like it unless `weights` says otherwise. Returns the paths of what was written."""
        path = os.fspath(path)
        try:
            return self._save(path, weights)
        except FileError:
            raise
        except OSError as error:
            refused = FileError(unwritable(str(error.filename or path), error))
            refused.errno, refused.filename = error.errno, error.filename
            raise refused from None

    def _save(self, path: str, weights: str | None) -> list[str]:
        check_suffix(path)
        check_output(path)  # before the weights are written
        own = os.path.basename(path)
        places = [each.replace(f" at {_places.MODULE}:", f" at {own}:") for each in self.places]
        text, written = _with_locations(self.text, places), [path]
        if self.resources:
            name = weights or weights_name(path)
            text = _with_module_attribute(text, f'gaudi.resource_file = {quoted(name)}')
            file = os.path.join(os.path.dirname(path), name)
            save_safetensors(file, self.resources)
            written.append(file)
        _replace_file(path, (text.rstrip("\n") + "\n" + _MARK).encode())
        return written


# In a text that was written here, which another import may replace.
_MARK = "// Written by gaudi-mlir.\n"


def weights_name(path: str) -> str:
    """What the file of the weights of a text is called."""
    return os.path.splitext(os.path.basename(path))[0] + ".safetensors"


def is_own(path: str) -> bool:
    """Whether Text.save has written the file; earlier versions left no mark, but named weights."""
    try:
        with open(path, "rb") as file:
            text = file.read()
    except OSError:
        return False
    return _MARK.encode() in text or f"gaudi.resource_file = {quoted(weights_name(path))}".encode() in text


# "NAME at FILE:LINE:COLUMN", or the second half of it.
_PLACE = re.compile(r"(?:(.+) at )?([^\s:]+):(\d+):(\d+)")


def _with_locations(text: str, places: Sequence[str]) -> str:
    """The text with the place of each line as its location."""
    def location(place: str) -> str:
        found = _PLACE.fullmatch(place)
        name, file, *at = found.groups() if found else (place, None)
        where = f"{quoted(file)}:{':'.join(at)}" if file else ""
        if not name:
            return f" loc({where})"
        return f" loc({quoted(name)}" + (f"({where})" if where else "") + ")"

    if not any(places):
        return text
    lines = text.split("\n")
    for index, place in enumerate(places[:len(lines)]):
        if place and " = " in lines[index] and not lines[index].endswith("{"):
            lines[index] += location(place)
    return "\n".join(lines)


def element_type(name: str) -> np.dtype | None:
    """The NumPy type of an element type of MLIR; None if there is none."""
    return np.dtype(_TYPES[name][0]) if name in _TYPES else None


def file_type(dtype: np.dtype) -> str | None:
    """What safetensors files call a type of NumPy; None if they do not have it."""
    return _FILE_TYPES.get(dtype.newbyteorder("="))


def module_text(module: Any, resources: dict[str, np.ndarray], generic: bool) -> Text:
    """The text of a module of jaxlib or torch-mlir without its large constants.

    `resources` has values of resources that are known; others are read from the module.
    """
    resources = dict(resources)
    resources.update(_lift(module, set(resources)))
    text = module.operation.get_asm(large_resource_limit=1, print_generic_op_form=generic)
    text = re.sub(r"\{-#\s*#-\}\s*\Z", "", text)  # the section of values that were left out
    used = dict.fromkeys(_resource_names(text))
    if any(name not in resources for name in used):
        resources.update(_embedded(module, {name for name in used if name not in resources}))
    debug = module.operation.get_asm(large_resource_limit=1, print_generic_op_form=generic,
                                     enable_debug_info=True)
    places = _places.of_text(re.sub(r"\{-#\s*#-\}\s*\Z", "", debug), len(text.split("\n")))
    return Text(text, {name: resources[name] for name in used if name in resources}, places)


def operations(operation: Any) -> Iterator[Any]:
    """All operations inside one, before those inside them."""
    for region in operation.regions:
        for block in region.blocks:
            for inner in block.operations:
                yield inner.operation
                yield from operations(inner.operation)


def _lift(module: Any, taken: set[str]) -> dict[str, np.ndarray]:
    """Makes resources of the large constants of the module; their values by name."""
    ir = _bindings(module)
    lifted: dict[str, np.ndarray] = {}
    made: dict[Any, Any] = {}  # attributes that are equal are the same
    for op in operations(module.operation):
        attribute = _constant_of(op)
        if attribute is None:
            continue
        if attribute not in made:
            array = _values(attribute)
            if array is None or array.nbytes < SMALL_BYTES:
                continue
            name = fresh(f"constant{len(made)}", taken)
            lifted[name] = array
            made[attribute] = resource_attribute(ir, name, attribute.type, array)
        op.attributes[_CONSTANTS[op.name]] = made[attribute]
    return lifted


def _constant_of(op: Any) -> Any:
    """The dense elements of a constant, unless one value fills them; else None."""
    key = _CONSTANTS.get(op.name)
    if key is None or key not in op.attributes:
        return None
    try:
        attribute = op.attributes[key]
        return None if attribute.is_splat else attribute
    except (AttributeError, TypeError):  # a resource, or elements that have no type in Python
        return None


def _values(attribute: Any) -> np.ndarray | None:
    """The elements of an attribute in its own memory, where the wheel's bindings show it."""
    numpy_type = element_type(str(attribute.type.element_type))
    if numpy_type is None or numpy_type == np.bool_:
        return None
    shape = tuple(attribute.type.shape)
    try:
        return np.asarray(attribute).view(numpy_type).reshape(shape)
    except (RuntimeError, ValueError, TypeError, BufferError):
        pass
    # The bindings have no buffers of narrow floats; long constants print as their bytes.
    found = re.match(r'dense<"0x([0-9A-F]*)">', str(attribute))
    return np.frombuffer(bytes.fromhex(found[1]), numpy_type).reshape(shape) if found else None


def resource_attribute(ir: Any, name: str, tensor_type: Any, array: np.ndarray) -> Any:
    """A resource that shares the memory of `array`, if that is contiguous; `ir` is the module of
    the wheel that made the type."""
    return ir.DenseResourceElementsAttr.get_from_buffer(
        np.ascontiguousarray(array).reshape(-1).view(np.uint8), name, tensor_type,
        alignment=array.dtype.itemsize, context=tensor_type.context)


def _bindings(module: Any) -> Any:
    """The module `ir` of the wheel that made an MLIR module."""
    if type(module.context).__module__.startswith("torch_mlir"):
        from torch_mlir import ir
    else:
        from jaxlib.mlir import ir
    return ir


def fresh(name: str, taken: set[str]) -> str:
    """`name`, with a number if it is taken; takes it."""
    found, number = name, 0
    while found in taken:
        number += 1
        found = f"{name}_{number}"
    taken.add(found)
    return found


_RESOURCE = re.compile(r'dense_resource<(?:"((?:[^"\\]|\\.)*)"|([^>"]*))>')


def _resource_names(text: str) -> list[str]:
    return [quoted or plain for quoted, plain in _RESOURCE.findall(text)]


def _embedded(module: Any, names: set[str]) -> dict[str, np.ndarray]:
    """Values of resources that only the module has, read from its text."""
    text = module.operation.get_asm()
    found: dict[str, np.ndarray] = {}
    start = text.rfind("{-#")
    for name, digits in re.findall(r'([\w.$-]+|"[^"]*"): "0x([0-9A-Fa-f]*)"', text[start:]):
        name = name.strip('"')
        if name in names:
            # The first four bytes are the alignment.
            found[name] = np.frombuffer(bytes.fromhex(digits), np.uint8)[4:]
    for name, kind in re.findall(r"dense_resource<([^>]*)> : tensor<([^>]*)>", text[:start]):
        name = name.strip('"')
        *sizes, element = kind.split("x")
        numpy_type = element_type(element)
        array = found.get(name)
        if array is not None and array.dtype == np.uint8 and numpy_type is not None:
            shape = tuple(int(size) for size in sizes)
            if array.size == np.prod(shape, dtype=np.int64) * numpy_type.itemsize:
                found[name] = array.view(numpy_type).reshape(shape)
    return found


def _with_module_attribute(text: str, attribute: str) -> str:
    """The text of a module, in either form, with one attribute more."""
    head = re.search(r"^module(?: @[^\s{]+)?( attributes \{)?", text, re.M)
    if head:
        at = head.end()
        new = f"{attribute}, " if head[1] else f" attributes {{{attribute}}}"
        return text[:at] + new + text[at:]
    head = re.search(r'^"builtin\.module"\(\) (<\{.*?\}> )?\(\{', text, re.M)
    if not head:
        raise ValueError("the text is not one module")
    # Attributes of the generic form are after the region, the last one of the text.
    end = text.rindex("\n})") + 1
    tail = re.match(r"\}\) \{", text[end:])
    if tail:
        at = end + tail.end()
        return text[:at] + f"{attribute}, " + text[at:]
    return text[:end + 2] + f" {{{attribute}}}" + text[end + 2:]


def save_safetensors(path: str, arrays: dict[str, np.ndarray]) -> None:
    """Writes arrays as one safetensors file, by descending element size so that all are aligned."""
    ordered = sorted(arrays.items(), key=lambda item: -item[1].dtype.itemsize)
    header: dict[str, Any] = {}
    at = 0
    for name, array in ordered:
        if array.dtype not in _FILE_TYPES:
            raise ValueError(f"'{name}' has elements of type {array.dtype}, which safetensors files "
                             "do not have; convert it: array.astype(numpy.float32)")
        header[name] = {"dtype": _FILE_TYPES[array.dtype], "shape": list(array.shape),
                        "data_offsets": [at, at + array.nbytes]}
        at += array.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-(8 + len(text)) % 64)

    def write(file):
        file.write(struct.pack("<Q", len(text)) + text)
        for _, array in ordered:
            file.write(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)

    _replace_file(path, write)


def check_suffix(path: str) -> None:
    """Raises FileError if a file of this name would be taken for another kind."""
    stem, suffix = os.path.splitext(path)
    others = {".onnx": "torch.onnx.export writes ONNX", ".pt2": "torch.export.save writes .pt2",
              ".pt": "torch.save writes .pt", ".mlirbc": "bytecode is not written",
              ".safetensors": "weights go beside it by themselves",
              ".recipe": "gaudi-run MODEL.mlir --compile-only -o MODEL.recipe makes a recipe of it"}
    if suffix in others:
        raise FileError(f"'{path}': what is written is MLIR text; name it '{stem}.mlir' "
                        f"({others[suffix]})")


def check_output(path: str) -> None:
    """Raises OSError if a file of this name cannot be replaced."""
    folder = os.path.realpath(os.path.dirname(path) or ".")
    if folder == "/dev" or folder.startswith("/proc/"):
        raise OSError(errno.EINVAL, "not a place for files", path)
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        if not os.path.isdir(folder):
            raise
        if not os.access(folder, os.W_OK):
            raise OSError(errno.EACCES, os.strerror(errno.EACCES), path) from None
        return
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it exists and is not a regular file", path)


# Files that are being written under another name; gaudi-import removes them when interrupted.
temporary_files: set[str] = set()


def _replace_file(path: str, content) -> None:
    """Writes a file whole or not at all; `content`: bytes, or a function that writes them. A link
    stays, and the file that it names is replaced."""
    check_output(path)
    target = os.path.realpath(path)
    temporary = os.path.join(os.path.dirname(target), f".gaudi-import-{secrets.token_hex(8)}")
    try:
        temporary_files.add(temporary)
        # The system takes the bits of the umask away, which a program reads only by setting it.
        with open(temporary, "xb") as file:
            content(file) if callable(content) else file.write(content)
        os.replace(temporary, target)
    except BaseException as error:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        if isinstance(error, OSError):  # in the name of the file that was asked for
            raise OSError(error.errno, error.strerror, path) from None
        raise
    finally:
        temporary_files.discard(temporary)
