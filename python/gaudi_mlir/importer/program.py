# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads programs of torch.export without torch.export.load, which runs code that a file has in
pickles and in texts that it evaluates.

What a program needs is JSON and the bytes of tensors. The JSON is checked against PyTorch's schema,
the ops that it names and the expressions of its sizes against what is known. Modules and lines of
nodes stay texts. All else is left out: sample inputs, compiled code, trees of arguments, guards.
"""
import dataclasses
import enum
import functools
import io
import json
import math
import re
import typing
from typing import Any, NoReturn

import torch
from torch._export.serde import schema, serialize, union
from torch.export.pt2_archive import constants as layout
from torch.utils import _pytree

from .. import _text
from . import expressions
from .archive import Archive
from .errors import ConversionError

_NAMESPACES = ("aten", "prims", "quantized_decomposed", "torchvision")
_CONTROL = ("cond", "while_loop", "scan", "associative_scan", "map_impl",
            "wrap_with_set_grad_enabled", "wrap_with_autocast")
_NUMBER_OPS = {f"{op.__module__}.{op.__name__}" for op in serialize._SYM_OPS} | \
    {"_operator.getitem"}
_VERIFIERS = {"", "ATEN", "TRAINING"}

# Modules around a node as PyTorch writes them, "KEY,PATH,TYPE;...", where brackets may have commas.
_PART = r"(?:[^,;()\[\]]|\([^()\[\]]*\)|\[[^()\[\]]*\])*"
_MODULES = re.compile(f"(?:{_PART},{_PART},{_PART};)*{_PART},{_PART},{_PART}")

# Of all expressions of sizes that are not a symbol.
_MAX_EXPRESSIONS = 4 << 20

# Before 2.8: the same JSON, with tensors in pickles.
_OLD_PROGRAM = "serialized_exported_program.json"

_AGAIN = "save the program again, by torch.export.save of PyTorch 2.13"


def load(path: str, limit: int | None = None) -> "torch.export.ExportedProgram":
    """The program of a file; `limit` is how many bytes its members may become. Raises
    ConversionError, one line that names the member and what helps."""
    archive = Archive(path, f"'{path}'", limit)
    try:
        if _OLD_PROGRAM in archive.names:
            return _old(archive)
        return _current(archive)
    except ConversionError:
        raise
    except Exception as error:  # of the deserializer, which raises what it likes
        raise ConversionError(f"PyTorch does not read the program of '{path}': "
                              f"{_text.first_line(error)[:300]}; {_AGAIN}") from None


def _current(archive: Archive) -> "torch.export.ExportedProgram":
    archive.strip_root()
    if "byteorder" in archive.names and archive.read("byteorder") != b"little":
        raise ConversionError(f"{archive.what} was written on a big-endian machine; {_AGAIN}")
    version = archive.read(layout.ARCHIVE_VERSION_PATH)
    if version != layout.ARCHIVE_VERSION_VALUE.encode():
        raise ConversionError(f"{archive.what} is of version {version[:20]!r} of the format, and "
                              f"{layout.ARCHIVE_VERSION_VALUE} is read; {_AGAIN}")
    before, after = layout.MODELS_FILENAME_FORMAT.split("{}")
    models = [name[len(before):-len(after)] for name in archive.names
              if name.startswith(before) and name.endswith(after)]
    if not models or len(models) > 1 and "model" not in models:
        raise ConversionError(f"{archive.what} has {len(models)} programs"
                              f"{': ' + ', '.join(models) if models else ''}; save the one to "
                              "import in a file of its own, by torch.export.save")
    model = "model" if "model" in models else models[0]
    program = _program(archive, layout.MODELS_FILENAME_FORMAT.format(model))
    tensors = []
    for folder, config in ((layout.WEIGHTS_DIR, layout.WEIGHTS_CONFIG_FILENAME_FORMAT),
                           (layout.CONSTANTS_DIR, layout.CONSTANTS_CONFIG_FILENAME_FORMAT)):
        if f"{folder}{model}.pt" in archive.names:
            tensors.append(_pickled(archive, f"{folder}{model}.pt"))
        else:
            tensors.append(_raw(archive, folder, config.format(model)))
    return serialize.ExportedProgramDeserializer().deserialize(program, *tensors)


def _old(archive: Archive) -> "torch.export.ExportedProgram":
    program = _program(archive, _OLD_PROGRAM)
    return serialize.ExportedProgramDeserializer().deserialize(
        program, _pickled(archive, "serialized_state_dict.pt"),
        _pickled(archive, "serialized_constants.pt"))


def _pickled(archive: Archive, member: str) -> Any:
    """A tensor, or tensors by name, that torch.save wrote: by PyTorch's reader of pickles that
    calls only what makes tensors."""
    data = archive.read(member)
    where = f"{archive.what}: member '{member}'"
    if not data:
        return {}
    if not data.startswith(b"PK"):
        raise ConversionError(f"{where} is a pickle, which can run code; {_AGAIN}")
    Archive(data, where, archive._left)
    try:
        value = torch.load(io.BytesIO(data), weights_only=True, map_location="cpu")
    except Exception:  # it raises several kinds, with pages of advice to trust the file
        raise ConversionError(f"{where} is a pickle of more than tensors, which can run code; "
                              f"{_AGAIN}") from None
    for each in value.values() if isinstance(value, dict) else [value]:
        if not isinstance(each, torch.Tensor):
            raise ConversionError(f"{where} has a {type(each).__name__} among its tensors; "
                                  f"{_AGAIN}")
        archive.claim(each.numel() * each.element_size(), member)
    return value


def _raw(archive: Archive, folder: str, config: str) -> dict[str, torch.Tensor]:
    """The tensors that a table describes, whose members are their bytes."""
    table = _Reader(archive, config).read(schema.PayloadConfig).config
    storages: dict[str, torch.Tensor] = {}
    found = {}
    for name, payload in table.items():
        member = folder + payload.path_name
        if not re.fullmatch(r"[\w.-]+", payload.path_name):
            raise ConversionError(f"{archive.what}: member '{config}' names '{member[:100]}', "
                                  f"which is outside its folder; {_AGAIN}")
        if payload.path_name.startswith((layout.CUSTOM_OBJ_FILENAME_PREFIX,
                                         layout.OPAQUE_OBJ_FILENAME_PREFIX)):
            raise ConversionError(f"{archive.what}: member '{member}' is an object of a class, "
                                  "which can run code; export a model whose constants are tensors")
        if payload.use_pickle:
            found[name] = _pickled(archive, member)
            continue
        meta = payload.tensor_meta
        if meta is None:
            raise ConversionError(f"{archive.what}: member '{config}' does not say the type of "
                                  f"'{name[:100]}'; {_AGAIN}")
        kind = serialize.deserialize_scalar_type(meta.dtype)
        size = serialize.deserialize_size(meta.sizes)
        if any(each < 0 for each in size):
            raise ConversionError(f"{archive.what}: member '{config}' has a negative size for "
                                  f"'{name[:100]}'; {_AGAIN}")
        archive.claim(math.prod(size) * kind.itemsize, member)
        if member not in storages:
            storages[member] = torch.from_numpy(archive.array(member))
        if not math.prod(size):
            tensor = torch.empty(size, dtype=kind)
        else:
            try:
                tensor = storages[member].view(kind).as_strided(
                    size, serialize.deserialize_stride(meta.strides),
                    serialize.deserialize_storage_offset(meta.storage_offset))
            except RuntimeError:
                raise ConversionError(
                    f"{archive.what}: member '{member}' has {archive.size(member)} bytes, which "
                    f"are not those of '{name[:100]}' ({kind}, {list(size)}); {_AGAIN}") from None
        found[name] = torch.nn.Parameter(tensor, requires_grad=meta.requires_grad) \
            if payload.is_param else tensor
    return found


def _program(archive: Archive, member: str) -> schema.ExportedProgram:
    """A program that has nothing but what importing it needs."""
    reader = _Reader(archive, member)
    program = reader.read(schema.ExportedProgram)
    unknown = [name for name in program.verifiers if name not in _VERIFIERS]
    if unknown:
        raise ConversionError(f"{archive.what} is a program of the dialect '{unknown[0][:60]}'; "
                              "save what torch.export.export returns")
    for name in program.range_constraints:
        reader.check(expressions.check_symbol, name, "range_constraints")
    module = program.graph_module
    # Trees may name any class; what is imported has its inputs and outputs in a row.
    inputs = sum(spec.type in ("user_input", "constant_input")
                 for spec in module.signature.input_specs)
    outputs = sum(spec.type == "user_output" for spec in module.signature.output_specs)
    trees = (((0,) * inputs, {}), (0,) * outputs)
    specs = [_pytree.treespec_dumps(_pytree.tree_structure(tree)) for tree in trees]
    module.module_call_graph = [
        schema.ModuleCallEntry("", schema.ModuleCallSignature([], [], *specs))]
    module.metadata, module.treespec_namedtuple_fields = {}, {}
    program.guards_code = []
    return program


class _Reader:
    """Makes objects of PyTorch's schema of JSON that fits it."""

    def __init__(self, archive: Archive, member: str) -> None:
        self._archive, self._member = archive, member
        self._expressions = 0

    def read(self, cls: type) -> Any:
        try:
            data = json.loads(self._archive.read(self._member))
            return self._make(cls, data, "")
        except RecursionError:
            self._refuse("it is nested too deeply")
        except ValueError as error:  # of JSON and of its encoding
            self._refuse(f"it is not JSON: {error}")

    def _refuse(self, what: str, place: str = "") -> NoReturn:
        where = f" at {place[:200]}" if place else ""
        raise ConversionError(f"{self._archive.what}: member '{self._member}'{where}: {what}; "
                              f"{_AGAIN}")

    def check(self, rule: Any, text: str, place: str) -> None:
        try:
            rule(text)
        except expressions.Wrong as error:
            self._refuse(str(error), place)

    def _make(self, cls: Any, data: Any, place: str) -> Any:
        """The object of a type of the schema."""
        origin, arguments = typing.get_origin(cls), typing.get_args(cls)
        if type(None) in arguments:
            if data is None:
                return None
            (cls,) = (each for each in arguments if each is not type(None))
            return self._make(cls, data, place)
        if origin is list:
            self._expect(data, list, place)
            return [self._make(arguments[0], each, f"{place}[{index}]")
                    for index, each in enumerate(data)]
        if origin is dict:
            self._expect(data, dict, place)
            return {key: self._make(arguments[1], each, f"{place}.{key}")
                    for key, each in data.items()}
        if dataclasses.is_dataclass(cls):
            self._expect(data, dict, place)
            return self._checked(self._fields(cls, data, place), place)
        if cls is float and data in ("Infinity", "-Infinity", "NaN"):
            return float(data)
        if cls is float and type(data) is int:
            return float(data)
        if issubclass(cls, enum.IntEnum):
            self._expect(data, int, place)
            if data not in set(cls):
                self._refuse(f"{data} is no {cls.__name__}", place)
            return data
        self._expect(data, cls, place)
        if cls is int and abs(data) >= 1 << 63:
            self._refuse("a number of more than 64 bits", place)
        return data

    def _expect(self, data: Any, cls: type, place: str) -> None:
        if type(data) is not cls:
            self._refuse(f"a {type(data).__name__}, expected a {cls.__name__}", place)

    def _fields(self, cls: type, data: dict[str, Any], place: str) -> Any:
        types = _types(cls)
        if issubclass(cls, union._Union):
            if len(data) != 1 or not data.keys() <= types.keys():
                self._refuse(f"no {cls.__name__}: {', '.join(data)[:60]}", place)
            ((name, value),) = data.items()
            return cls.create(**{name: self._make(types[name], value, f"{place}.{name}")})
        values = {}
        for field in dataclasses.fields(cls):
            if field.name in data:
                values[field.name] = self._make(types[field.name], data[field.name],
                                                f"{place}.{field.name}")
            elif field.default is field.default_factory is dataclasses.MISSING:
                self._refuse(f"a {cls.__name__} without '{field.name}'", place)
        return cls(**values)

    def _checked(self, value: Any, place: str) -> Any:
        """An object whose fields fit, if what they mean is known."""
        if isinstance(value, schema.SymExpr):
            if not expressions.is_symbol(value.expr_str):
                self._expressions += len(value.expr_str)
                if self._expressions > _MAX_EXPRESSIONS:
                    self._refuse(f"more than {_MAX_EXPRESSIONS} characters of expressions", place)
                self.check(expressions.check, value.expr_str, place)
        elif isinstance(value, schema.Device):
            if value.type != "cpu":
                self._refuse(f"a tensor on the device '{value.type[:20]}'; export the model on the "
                             "CPU (model.cpu())", place)
        elif isinstance(value, schema.Node):
            self._check_op(value.target, place)
            value.metadata = {key: text for key, text in value.metadata.items()
                              if key == "stack_trace" or
                              key == "nn_module_stack" and _MODULES.fullmatch(text)}
        elif isinstance(value, schema.Argument) and value.type == "as_operator":
            self._check_op(value.value, place)
        elif isinstance(value, (schema.CustomObjArgument, schema.TokenArgument)):
            self._refuse(f"'{value.name[:60]}' is an object of a class, not a tensor", place)
        return value

    def _check_op(self, target: str, place: str) -> None:
        """That a name is one of an op: PyTorch takes any name inside its modules."""
        if target in _NUMBER_OPS:
            return
        parts = target.split(".")
        if parts[:3] == ["torch", "ops", "higher_order"] and len(parts) == 4 and \
                parts[3] in _CONTROL:
            return
        if parts[:2] == ["torch", "ops"] and len(parts) == 5 and parts[2] in _NAMESPACES:
            op = torch.ops
            for part in parts[2:]:
                op = getattr(op, part, None)
            if isinstance(op, torch._ops.OpOverload) and \
                    all(each.name != "filename" for each in op._schema.arguments):
                return
        self._refuse(f"the op '{target[:100]}' is none of PyTorch's that are read; write the model "
                     "with others, or decompose it (ExportedProgram.run_decompositions)", place)


@functools.cache
def _types(cls: type) -> dict[str, Any]:
    return {name: typing.get_type_hints(cls, globalns=vars(schema))[name]
            for name in (field.name for field in dataclasses.fields(cls))}
