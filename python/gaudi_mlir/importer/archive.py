# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Zip archives of models, checked before anything of them is read: names, and the bytes that they
become."""
import io
import os
import re
import zipfile
from collections.abc import Callable

import numpy as np

from .errors import ConversionError

# Members may become so many bytes together: this, and for each byte of the file so many.
FREE_BYTES, EXPANSION = 64 << 20, 20

_SIZE_NEXT = "; if you trust the file, allow more: gaudi-import --max-unpacked=MIB"


class Archive:
    """The members of an archive by name. Raises ConversionError, as its methods do.

    `what` names the archive in errors; `limit` is in bytes, None for one that follows from the size
    of the file. `claim` counts bytes against it.
    """

    def __init__(self, file: "str | bytes", what: str, limit: int | None = None) -> None:
        size = len(file) if isinstance(file, bytes) else os.path.getsize(file)
        self.what = what
        self._left = self._limit = FREE_BYTES + EXPANSION * size if limit is None else limit
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(file) if isinstance(file, bytes) else file)
        except Exception as error:  # zipfile raises several kinds for damaged archives
            raise ConversionError(f"{what} is a damaged zip archive: {error}; copy it or save "
                                  "it again") from None
        self._members: dict[str, zipfile.ZipInfo] = {}
        for info in self._zip.infolist():
            self._check(info)
            if info.filename in self._members:
                self._refuse(info.filename, "is there twice; write the archive again")
            self._members[info.filename] = info
            self.claim(info.file_size, info.filename)

    def _check(self, info: zipfile.ZipInfo) -> None:
        name = info.filename
        parts = name.rstrip("/").split("/")
        if not re.fullmatch(r"[^\x00-\x1f\\:]{1,1000}", name) or "" in parts or ".." in parts:
            self._refuse(name, "has a name that leaves the archive; write the archive again")
        if info.flag_bits & 1:
            self._refuse(name, "is encrypted; write the archive without a password")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            self._refuse(name, "is compressed in a way that is not read; store it, or deflate it")

    def claim(self, count: int, member: str) -> None:
        """Counts bytes that `member` becomes in memory."""
        self._left -= count
        if self._left < 0:
            self._refuse(member, f"brings the model to more than {self._limit} bytes, far beyond "
                         f"the size of the file{_SIZE_NEXT}")

    def _refuse(self, member: str, why: str) -> None:
        raise ConversionError(f"{self.what}: member '{member[:100]}' {why}")

    @property
    def names(self) -> list[str]:
        return list(self._members)

    def strip_root(self) -> None:
        """Takes the folder that all members are in off their names."""
        roots = {name.partition("/")[0] for name in self._members}
        if len(roots) != 1 or any("/" not in name for name in self._members):
            raise ConversionError(f"{self.what}: its members are not in one folder, as those of "
                                  "torch.export.save are")
        self._members = {name.partition("/")[2]: info for name, info in self._members.items()}

    def size(self, name: str) -> int:
        return self._info(name).file_size

    def read(self, name: str) -> bytes:
        return self._open(name, lambda file: file.read())

    def array(self, name: str) -> np.ndarray:
        """The bytes of a member, in memory that may be changed."""
        data = np.empty(self.size(name), np.uint8)

        def fill(file) -> None:
            view = memoryview(data)
            while view.nbytes:
                count = file.readinto(view)
                if not count:
                    raise EOFError("it is shorter than the archive says")
                view = view[count:]
            file.read(1)  # checks the CRC
        self._open(name, fill)
        return data

    def _info(self, name: str) -> zipfile.ZipInfo:
        if name not in self._members:
            raise ConversionError(f"{self.what} has no member '{name[:100]}'; save the program "
                                  "again, by torch.export.save")
        return self._members[name]

    def _open(self, name: str, use: Callable):
        try:
            with self._zip.open(self._info(name)) as file:
                return use(file)
        except ConversionError:
            raise
        except Exception as error:  # zipfile and zlib raise several kinds
            raise ConversionError(
                f"{self.what}: member '{name[:100]}' is damaged ({error or type(error).__name__}); "
                "save the program again") from None
