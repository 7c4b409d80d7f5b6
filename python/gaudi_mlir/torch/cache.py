# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recipes by content: in memory, and on disk if PT_HPU_RECIPE_CACHE_CONFIG names a folder."""
import collections
import fcntl
import functools
import hashlib
import logging
import os
import pathlib

import numpy as np

import gaudi_mlir
from gaudi_mlir import weights

from . import flags

log = logging.getLogger("gaudi_mlir.torch")

# Of the recipes that are kept in memory.
MAX_BYTES = 4 << 30

_memory: collections.OrderedDict = collections.OrderedDict()
_prepared: set[str] = set()
hits = collections.Counter()


def recipe_of(lowered: weights.Text, device: str) -> tuple["gaudi_mlir.Recipe", bool]:
    """The recipe of this text, and whether it was there before. Raises CompileError."""
    key = _key(lowered, device)
    in_memory = flags.enabled("PT_HPU_PGM_ENABLE_CACHE", True)
    if in_memory and key in _memory:
        _memory.move_to_end(key)
        hits["memory"] += 1
        return _memory[key], True
    folder = _folder()
    path = folder / f"{key}.recipe" if folder else None
    recipe = _load(path) if path else None
    found = recipe is not None
    hits["disk" if found else "compiled"] += 1
    if recipe is None:
        recipe = gaudi_mlir.compile(lowered.text, device=device, resources=lowered.resources,
                                    remarks=False)
        if path:
            _store(recipe, path)
    if in_memory:
        _memory[key] = recipe
        most = max(flags.number("HABANA_PGM_LRU_MAX", 100000), 3)
        size = sum(each._core.size for each in _memory.values())
        while len(_memory) > most or (size > MAX_BYTES and len(_memory) > 1):
            size -= _memory.popitem(last=False)[1]._core.size
    return recipe, found


def reset() -> None:
    _memory.clear()
    _prepared.clear()
    hits.clear()


def _key(lowered: weights.Text, device: str) -> str:
    digest = hashlib.blake2b(digest_size=16)
    version = "" if flags.enabled("PT_RECIPE_CACHE_IGNORE_VERSION") else build_id()
    for part in (version, device, lowered.text):
        digest.update(part.encode())
        digest.update(b"\0")
    for name in sorted(lowered.resources):
        array = lowered.resources[name]
        digest.update(f"{name}\0{array.nbytes}\0".encode())
        digest.update(array.reshape(-1).view(np.uint8))
    return digest.hexdigest()


@functools.cache
def build_id() -> str:
    """The version, and what tells a rebuilt compiler from the one before."""
    with open("/proc/self/maps") as maps:
        paths = {line.split(maxsplit=5)[-1].strip() for line in maps if "/libGaudiMLIR.so" in line}
    files = [pathlib.Path(path).with_name("libGaudiCompiler.so") for path in paths]
    states = [each.stat() for each in files if each.is_file()]
    return ":".join([gaudi_mlir.__version__,
                     *(f"{state.st_size}-{state.st_mtime_ns}" for state in states)])


def settings() -> tuple[str, bool, int]:
    """Folder, whether to empty it first, and its limit in MB (0: none)."""
    fields = [each.strip() for each in flags.text("PT_HPU_RECIPE_CACHE_CONFIG").split(",")]
    if len(fields) > 3:
        raise ValueError("PT_HPU_RECIPE_CACHE_CONFIG: expected PATH[,DELETE_ON_INIT[,SIZE_MB]]")
    path, delete, size = fields + [""] * (3 - len(fields))
    if size and not size.isdigit():
        raise ValueError(f"PT_HPU_RECIPE_CACHE_CONFIG: the size '{size}' is not a whole number")
    return path, delete.lower() in flags._TRUTHY, int(size) if size else 1024


def _folder() -> pathlib.Path | None:
    path, delete, _ = settings()
    if not path:
        return None
    folder = pathlib.Path(path)
    if str(folder) not in _prepared:
        _prepared.add(str(folder))
        try:
            if delete and os.environ.get("LOCAL_RANK", "0") == "0" and folder.is_dir():
                for each in folder.glob("*.recipe"):
                    each.unlink(missing_ok=True)
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            log.warning("recipe cache: cannot prepare %s: %s", folder, error)
    return folder


def _load(path: pathlib.Path) -> "gaudi_mlir.Recipe | None":
    if not os.path.exists(path):
        return None
    try:
        recipe = gaudi_mlir.Recipe.load(path)
    except gaudi_mlir.Error as error:
        log.warning("recipe cache: %s; compiled again", error)
        return None
    try:
        os.utime(path)
    except OSError as error:  # another process deleted it, or the folder is read-only
        log.info("recipe cache: cannot mark %s as used: %s", path, error)
    return recipe


def _store(recipe: "gaudi_mlir.Recipe", path: pathlib.Path) -> None:
    try:
        recipe.save(path)
        _evict(path.parent)
    except (OSError, gaudi_mlir.Error) as error:
        log.warning("recipe cache: cannot write %s: %s", path, error)


def _evict(folder: pathlib.Path) -> None:
    """Deletes the recipes that were used least recently until the rest is within the limit."""
    limit = 0.99 * settings()[2] * 1024 ** 2
    if not limit:
        return
    with open(folder / "eviction.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        files = sorted(folder.glob("*.recipe"), key=lambda each: each.stat().st_mtime)
        total = sum(each.stat().st_size for each in files)
        for each in files:
            if total <= limit:
                return
            total -= each.stat().st_size
            each.unlink(missing_ok=True)
            log.info("[CACHEFILE] Removed %s successfully. Disk cache size after removal: %d",
                     each.stem, total)
