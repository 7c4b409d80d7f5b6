# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A recipe that is loaded onto the emulated device."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Mapping

from . import _core, _messages
from ._text import bytes_text, plural, time_text

if TYPE_CHECKING:
    from .recipe import Recipe


@dataclass(frozen=True)
class LaunchStats:
    """What one launch did. Times are of the host, but for `predicted_us`."""

    launch_us: float
    """The commands alone."""
    copy_us: float
    """Inputs in and outputs out."""
    iterations: int = 0
    """Of the loops of the entry that the host runs."""
    variant: int | None = None
    """The variant that ran, of an entry with dynamic sizes."""
    predicted_us: float | None = None
    """What the variant would take on the card."""

    def __repr__(self) -> str:
        predicted = "" if self.predicted_us is None else (
            f", predicted on the card {time_text(self.predicted_us)}")
        variant = "" if self.variant is None else f", variant {self.variant}"
        return (f"launch {time_text(self.launch_us)}, copies {time_text(self.copy_us)} "
                f"(of the host){predicted}{variant}")


@dataclass(frozen=True)
class Stats:
    """What an executable did since it was loaded."""

    launches: int
    contexts: int
    """Launches that ever ran at once, at most."""
    peak_bytes: int
    """Measured device memory of one launch."""
    kernels: int
    kernels_from_cache: int
    kernels_compiled: int
    bound_inputs: int
    """Inputs whose arrays are used in place."""
    last_launch: LaunchStats | None
    """The launch that ended last."""

    def __repr__(self) -> str:
        lines = [f"{plural(self.launches, 'launch').replace('launchs', 'launches')}, "
                 f"at most {self.contexts} at once",
                 f"peak of device memory {bytes_text(self.peak_bytes)}, "
                 f"{plural(self.bound_inputs, 'input')} used in place",
                 f"{plural(self.kernels, 'kernel')}: {self.kernels_from_cache} from the cache, "
                 f"{self.kernels_compiled} compiled"]
        if self.last_launch:
            lines.append(f"last launch: {self.last_launch!r}")
        return "\n".join(lines)


class Executable(_core.Executable):
    """A loaded recipe; `Recipe.executable()` makes one. Several threads may call `run` at once."""

    def __init__(self, recipe: Recipe, *, threads: int = 0, max_launches: int = 1,
                 bindings: Mapping[Any, Any] | None = None,
                 cache_dir: str | os.PathLike[str] | None = None, device_memory: int | str = 0,
                 max_iterations: int = 0, max_kernel_weight: int = 0) -> None:
        options: dict[str, Any] = {
            "threads": threads,
            "max_launches": max_launches,
            "device_memory": _messages.bytes_of("device_memory", device_memory),
            "max_iterations": max_iterations,
            "max_kernel_weight": max_kernel_weight,
        }
        if cache_dir is not None:
            options["cache_dir"] = cache_folder(cache_dir)
        bound = [(*_binding(recipe, key), array) for key, array in (bindings or {}).items()]
        super().__init__(recipe._core, options, bound)
        self.recipe = recipe

    @property
    def stats(self) -> Stats:
        last = self._last_launch
        return Stats(**self._stats, last_launch=LaunchStats(**last) if last else None)

    def __repr__(self) -> str:
        names = ", ".join(f"'{entry.name}'" for entry in self.recipe.entries)
        return f"<gaudi_mlir.Executable of {names} for {self.recipe.device}>"


def cache_folder(path: str | os.PathLike[str]) -> bytes:
    """A folder for compiled kernels, which is made; "": none."""
    if path != "":
        try:
            os.makedirs(path, mode=0o700, exist_ok=True)
        except OSError as error:
            raise _messages.unmade("cache_dir", path, error) from None
    return os.fsencode(path)


def _binding(recipe: Recipe, key: Any) -> tuple[int, int]:
    """Numbers of entry and input of a key of `bindings`: an input, or (entry, input)."""
    entry_key, name = key if isinstance(key, tuple) else (None, key)
    entry = recipe._entry_index(entry_key)
    names = [tensor.name for tensor in recipe.entries[entry].inputs]
    if isinstance(name, int) and 0 <= name < len(names):
        return entry, name
    if name in names:
        return entry, names.index(name)
    raise _messages.unknown_binding(name, names, recipe.entries[entry].name)
