# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recipes by all that decides what they are: in memory, and on disk if PT_HPU_RECIPE_CACHE_CONFIG
names a folder (docs/cache.md, "Recipes")."""
import atexit
import dataclasses
import hashlib
import json
import logging
import os
import re
import threading

import numpy as np

import gaudi_mlir
from gaudi_mlir import _core, weights

from . import progress

log = logging.getLogger("gaudi_mlir.torch")

# They are read when a graph is compiled, so that a program may set them after the import.
_VARIABLES = (
    "PT_HPU_RECIPE_CACHE_CONFIG", "PT_RECIPE_CACHE_PATH", "PT_CACHE_FOLDER_DELETE",
    "PT_CACHE_FOLDER_SIZE_MB", "PT_RECIPE_CACHE_IGNORE_VERSION", "PT_HPU_PGM_ENABLE_CACHE",
    "HABANA_PGM_LRU_MAX", "PT_HPU_LAZY_MODE", "PT_HPU_INFERENCE_MODE", "RANK", "LOCAL_RANK")
_OP = re.compile(r"\btorch\.(?!constant|prim\.|vtensor)[a-z_]+\.[\w.]+")

_lock = threading.Lock()
_opened: "tuple[tuple, _core.RecipeCache] | None" = None


@dataclasses.dataclass
class Found:
    """A recipe and how it was had."""
    recipe: "gaudi_mlir.Recipe"
    level: str
    """"memory", "disk", or "miss": it was compiled."""
    why: dict | None
    """Of a miss: `text`, `reason`, `detail`, and `nearest`, the cached key that shares most parts,
    with `differences`."""

    @property
    def text(self) -> str:
        if self.why:
            return self.why["text"]
        return "hit on disk" if self.level == "disk" else "hit in memory"

    @property
    def concerns_disk(self) -> bool:
        """Whether it says something of the folder. Misses in memory are recompiles."""
        if not self.why:
            return self.level == "disk"
        nearest = self.why["nearest"]
        return bool(self.why["detail"] or nearest and nearest["level"] == "disk")


def recipe_of(lowered: weights.Text, device: str, buckets: str | None = None) -> Found:
    """The recipe of this text; `buckets`: of its dynamic sizes. Raises CompileError."""
    parts = _parts(lowered, device)
    if buckets:
        parts.append(("buckets", buckets.encode()))
    cache = _cache()
    core, level, why = cache.lookup(parts)
    if core is not None:
        found = Found(gaudi_mlir.Recipe(core), level, None)
    else:
        with progress.shown(f"compiling {lowered.text.count(' = '):,} ops for {device}"):
            recipe = gaudi_mlir.compile(lowered.text, device=device, resources=lowered.resources,
                                        remarks=False, buckets=buckets)
        cache.store(parts, recipe._core)
        found = Found(recipe, level, json.loads(why))
    _log(cache)
    return found


def stats() -> dict[str, int]:
    """Counts of the cache since it was opened: hits, misses, and what was stored and evicted."""
    return _cache().stats


def _cache() -> "_core.RecipeCache":
    """The cache for the environment as it is, and for this process: a child of a fork() opens its
    own."""
    global _opened
    key = (os.getpid(), *map(os.environ.get, _VARIABLES))
    with _lock:
        if _opened is None or _opened[0] != key:
            _opened = key, _core.RecipeCache(None)
        return _opened[1]


def _log(cache: "_core.RecipeCache") -> None:
    for is_warning, text in cache.lines():
        log.log(logging.WARNING if is_warning else logging.INFO, "%s", text)


def reset() -> None:
    """Waits for what is being stored, and forgets what is in memory."""
    global _opened
    with _lock:
        if _opened is not None and _opened[0][0] == os.getpid():
            _opened[1].flush()
            _log(_opened[1])
        _opened = None


# What is being stored when the program ends.
atexit.register(reset)


def _parts(lowered: weights.Text, device: str) -> list[tuple[str, bytes]]:
    """The key. The source decides; of its parts a miss can say whether it is a matter of ops or of
    shapes, and which cached graph is nearest."""
    values = []
    for name in sorted(lowered.resources):
        array = lowered.resources[name]
        digest = hashlib.blake2b(array.reshape(-1).view(np.uint8), digest_size=16).hexdigest()
        values.append(f"{name!r} {array.nbytes} {digest}")
    text = lowered.text
    head = max(text.find("func.func"), 0)
    parts = {"device": device, "ops": "\n".join(_OP.findall(text)),
             "signature": text[head:text.find("\n", head)], "constants": "\n".join(values),
             "source": text}
    return [(name, value.encode()) for name, value in parts.items()]
