# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Replay files: a launch in one file, which `gaudi-run FILE.zip` runs again and compares.

    replay.save("slow.zip", recipe, [x, w], [y], with_inputs=True)
    again = replay.load("slow.zip")
    [y] = again.recipe.run(again.inputs)
"""

from __future__ import annotations

import dataclasses
import io
import json
import math
import os
import zipfile
import zlib
from typing import Any, Mapping, Sequence

import numpy

from . import _calls, _messages, _text
from .description import ELEMENT_DTYPES
from .errors import FileError
from .recipe import Recipe

_MAX_DESCRIPTION = 16 << 20
_MAX_EXPANSION = 20, 64 << 20
_MAX_MEMBERS = 4096


@dataclasses.dataclass(frozen=True)
class Replay:
    """What a replay file has.

    recipe: the recipe that was launched; None if nothing was compiled
    entry: its entry
    inputs: their values, each None if the file does not have it
    model: the text that was compiled, if it is known
    code, message: how it ended, as exit codes of gaudi-run; -1 if it did not
    description: all of replay.json
    """

    recipe: Recipe | None
    entry: str
    inputs: tuple[Any, ...]
    model: str | None
    code: int
    message: str
    description: Mapping[str, Any]


@_calls.named
def save(path: str | os.PathLike[str], recipe: Recipe, inputs: Sequence[Any],
         outputs: Sequence[Any] = (), *, entry: str | int | None = None, with_inputs: bool = False,
         options: Mapping[str, str] = {}, source: str | None = None, code: int = 0,
         message: str = "", reason: str = "asked for") -> None:
    """Writes a launch of a recipe to a file, whole or not at all.

    inputs, outputs: arrays of the entry; without outputs a replay compares none
    with_inputs: the file has the values of inputs; else hashes, and a replay takes seeded ones
    options: of gaudi-run for the replay, by name without dashes: {"check-finite": ""}
    source: what the recipe was compiled from, for people
    code: 1 if a check failed, 4 if the launch did; `message` says why
    """
    recipe._core.save_replay(os.fsencode(path), recipe._entry_index(entry), list(inputs),
                             list(outputs), with_inputs,
                             [text for pair in options.items() for text in pair], source, code,
                             message, reason)


def _broken(why: str, name: Any) -> FileError:
    return FileError(f"'{os.fsdecode(name)}' is not a whole replay file: {why}; give one that "
                     "replay.save, gaudi-run or GAUDI_REPLAY_DIR wrote, or copy it again")


def _read(archive: zipfile.ZipFile, name: str) -> bytes:
    try:
        return archive.read(name)
    except KeyError:
        raise _broken(f"it names {name!r}, which is not in it", archive.filename) from None


def _array(archive: zipfile.ZipFile, tensor: Mapping[str, Any]) -> Any:
    if "file" not in tensor:
        return None
    file = io.BytesIO(_read(archive, tensor["file"]))
    # numpy.load makes an array of what the header says before it reads one.
    version = numpy.lib.format.read_magic(file)
    header = (numpy.lib.format.read_array_header_1_0 if version == (1, 0) else
              numpy.lib.format.read_array_header_2_0)
    shape, _, dtype = header(file)
    if math.prod(shape) * dtype.itemsize != len(file.getbuffer()) - file.tell():
        raise ValueError(f"{tensor['file']} has not the bytes of its shape {shape}")
    file.seek(0)
    array = numpy.load(file, allow_pickle=False)
    # .npy has no name for bf16 and 8-bit floats.
    element = ELEMENT_DTYPES[tensor["type"].rpartition("x")[2]]
    return array.view(element) if array.dtype.kind == "V" else array


@_calls.named
def load(path: str | os.PathLike[str]) -> Replay:
    """Reads a replay file. Nothing of it is run."""
    name = os.fspath(path)
    try:
        with zipfile.ZipFile(name) as archive:
            sizes = [member.file_size for member in archive.infolist()]
            if len(sizes) > _MAX_MEMBERS:
                raise _broken(f"it has {len(sizes)} members, and at most {_MAX_MEMBERS} are read", name)
            if len(set(archive.namelist())) != len(sizes):
                raise _broken("it has two members of one name", name)
            limit = max(_MAX_EXPANSION[1], _MAX_EXPANSION[0] * os.path.getsize(name))
            if sum(sizes) > limit:
                raise _broken(f"it would unpack to more than {limit} bytes", name)
            if archive.getinfo("replay.json").file_size > _MAX_DESCRIPTION:
                raise _broken(f"its replay.json has more than {_MAX_DESCRIPTION} bytes", name)
            description = json.loads(archive.read("replay.json"))
            if description["format"] != "gaudi-replay" or description["version"] != 1:
                raise _broken("it is not of version 1", name)
            file = description["file"]
            compiled = file if file.endswith(".recipe") else description.get("recipe")
            return Replay(
                Recipe.from_bytes(_read(archive, compiled)) if compiled else None,
                description.get("entry", ""),
                tuple(_array(archive, tensor) for tensor in description["inputs"]),
                None if file.endswith(".recipe") else _read(archive, file).decode(errors="replace"),
                description["ending"]["code"], description["ending"]["message"], description)
    except zipfile.BadZipFile as error:
        with open(name, "rb") as file:
            if _text.is_lfs_pointer(file.read(32)):
                raise FileError(f"{name!r} {_text.LFS_ADVICE}") from None
        raise _broken(str(error), name) from None
    except FileError:
        raise
    except OSError as error:
        raise _messages.unreadable(name, error) from None
    except (zlib.error, KeyError, TypeError, ValueError, AttributeError,
            RecursionError, EOFError, NotImplementedError, RuntimeError, MemoryError) as error:
        raise _broken(f"it has no {error}" if isinstance(error, KeyError) else
                      str(error) or type(error).__name__, name) from None
