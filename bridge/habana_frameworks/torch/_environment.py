# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Looks at the variables of the environment before a card is opened: what has no meaning is an
error of the first tensor, what has no effect a warning of the import."""
import difflib
import functools
import os
import re

import torch
from gaudi_mlir import _callers, _environment, _text

from . import _C
from .dynamo.compile_backend import config
from .internal import bridge_config

_problem = ""

_CHOICES = {
    "GAUDI_EVENT_CLOCK": ("card", "host"),
    "GAUDI_OPS_ON_CPU": ("0", "off", "false", "no", "1", "on", "true", "yes", "graphs"),
    "GPU_MIGRATION_LOG_LEVEL": ("0", "1", "2", "3"),
    "PT_HPU_COMPILE_DECOMPOSITION_MODE": ("habana", "core_aten", "none"),
    "PT_HPU_GRAPH_DUMP_FORMAT": ("pbtxt", "svg", "graphml"),
    "PT_HPU_GRAPH_DUMP_MODE": ("all", "compile", "eager"),
}
_COUNTS = {
    "HABANA_PGM_LRU_MAX": "how many graphs are kept at most",
    "PT_HPU_MAX_ACCUM_SIZE": "how many ops a graph has at most",
    "PT_HPU_MAX_COMPOUND_OP_SIZE": "how many ops a graph has at most",
}
_OTHERS = (
    "HABANA_LOGS", "HABANA_PROFILE", "HABANA_PT_METRICS_DUMP_TRIGGERS", "HABANA_PT_METRICS_FILE",
    "HABANA_PT_METRICS_FILE_FORMAT", "HABANA_VISIBLE_MODULES", "PT_CACHE_FOLDER_DELETE",
    "PT_CACHE_FOLDER_SIZE_MB", "PT_HPU_METRICS_DUMP_TRIGGERS",
    "PT_HPU_METRICS_FILE", "PT_HPU_METRICS_FILE_FORMAT", "PT_LOG_FILE_AMOUNT",
    "PT_RECIPE_CACHE_DUMP_DEBUG", "PT_RECIPE_CACHE_IGNORE_VERSION", "PT_RECIPE_CACHE_PATH")
_LISTS = ("PT_HPU_AUTOCAST_FP32_OPS_LIST", "PT_HPU_AUTOCAST_LOWER_PRECISION_OPS_LIST")
_SWITCHES = (
    "GAUDI_REPLAY_INPUTS", "PT_HPUGRAPH_DISABLE_TENSOR_CACHE", "PT_HPUGRAPH_ENABLE_DRY_RUN",
    "PT_HPU_ENABLE_CACHE_METRICS", "PT_HPU_METRICS_GC_DETAILS", "PT_HPU_PGM_ENABLE_CACHE",
    "PT_TE_FORCE_SR_BWD", "PT_TE_FORCE_SR_FWD")


def check() -> None:
    if text := _meaningless():
        refuse(text)
    for text in _without_effect():
        _callers.warn(text, RuntimeWarning)


def refuse(text: str) -> None:
    """The first tensor raises it: of an error while it loads a backend, PyTorch says last that the
    backend cannot be loaded."""
    global _problem
    _problem = _problem or text
    _callers.warn(text, RuntimeWarning)  # for those who make no tensor


def raise_problem() -> None:
    """What a variable has that means nothing."""
    if _problem:
        raise ValueError(_problem)


def warn_of_changes() -> None:
    """Of variables that a program has set after they were read."""
    mode = _value("PT_HPU_LAZY_MODE")
    if mode and mode != str(_C.lazy_mode()):
        _say_changed("PT_HPU_LAZY_MODE", mode, str(_C.lazy_mode()),
                     "import habana_frameworks (or before `import torch`, which may import it)")
    device = _value("GAUDI_DEVICE")
    if device and _C.is_open(-1) and device != _C.kind(-1):
        _say_changed("GAUDI_DEVICE", device, _C.kind(-1), "the first tensor of hpu")


@functools.cache
def _say_changed(name: str, now: str, read: str, what: str) -> None:
    _callers.warn(f"{name} was set to {now} after it was read, and has no effect: this process goes on "
                  f"with {read}; set it before {what}, or in the shell: {name}={now} python ...",
                  RuntimeWarning)


def _value(name: str) -> str:
    return os.environ.get(name, "").strip()


def _meaningless() -> str:
    mode = _value("PT_HPU_LAZY_MODE") or "1"
    if mode not in ("0", "1", "2", "3"):
        return f"PT_HPU_LAZY_MODE is {mode!r}; expected 1 (lazy), 0 (eager and compiled), 2 or 3"
    for name, what in _COUNTS.items():
        if not (_value(name) or "0").isdecimal():
            return f"{name} is {_value(name)!r}; expected {what}, a whole number"
    for name, values in _CHOICES.items():
        value = _value(name)
        if value and value.lower() not in values:
            return f"{name} is {value!r}; expected {', '.join(values[:-1])} or {values[-1]}"
    for name in _LISTS:
        path = os.environ.get(name, "")
        try:
            with open(path or os.devnull, "rb"):
                pass
        except OSError as error:
            where = "" if os.path.isabs(path) else f" in {os.getcwd()}"
            return (f"{name} is {path!r}, which cannot be read{where}: {error.strerror}; give the full "
                    "path of a file with the name of an op on each line, or unset it for the "
                    "default list")
    return ""


def _of_list(variable: str, path: str) -> list[str]:
    """What to say of the words of a list of ops that name none; the bridge reads it so, too."""
    if not path or not os.path.isfile(path):
        return []
    with open(path, errors="replace") as file:
        words = [(number, word) for number, line in enumerate(file, 1) for word in line.split()]
    unknown = [(number, word) for number, word in words
               if "::" in word or not hasattr(torch.ops.aten, word)]
    if not unknown:
        return []
    number, word = unknown[0]
    near = _text.meant(re.split("[.:]", word)[-1].lower(), _ops())
    more = f" (and {len(unknown) - 1} others)" if len(unknown) > 1 else ""
    return [f"{variable}: line {number} of {path} is {word!r}{more}, and PyTorch has no such op; "
            + (near or "names are those of ATen, such as layer_norm and linear")]


def _of_op(op: str) -> str:
    """What to say of a name of PT_HPU_PLACE_ON_CPU by which no op of hpu runs; else ""."""
    namespace, _, name = op.rpartition("::")
    if op == "none" or namespace not in ("", "aten"):
        return ""
    is_op = hasattr(torch.ops.aten, name)
    if is_op and not _is_of_others(name):
        return ""
    if is_op:
        what = "computes it by other ops"
        near = f"did you mean '_{name}'?" if f"_{name}" in _ops() and not _is_of_others(f"_{name}") \
            else "name those, which torch.profiler lists"
    else:
        what = "has no such op"
        near = next((f"did you mean '{each}'?" for each in
                     difflib.get_close_matches(name.replace(".", "_"), _ops(), 8)
                     if not _is_of_others(each)), "it takes names such as aten::digamma")
    return f"PT_HPU_PLACE_ON_CPU names {op!r}, and PyTorch {what}; {near}"


def _is_of_others(name: str) -> bool:
    """Whether an op is none of the dispatcher's: all its overloads are written by other ops."""
    overloads = {f"aten::{name}" + (f".{each}" if each != "default" else "")
                 for each in getattr(torch.ops.aten, name).overloads() if "out" not in each}
    return all(torch._C._dispatch_has_kernel_for_dispatch_key(each, "CompositeImplicitAutograd")
               for each in overloads & _overloads())


@functools.cache
def _overloads() -> frozenset[str]:
    """Those of PyTorch's own ops, which are all there when this is imported."""
    return frozenset(each for each in torch._C._dispatch_get_all_op_names()
                     if each.startswith("aten::"))


def _ops() -> set[str]:
    return {each.removeprefix("aten::").partition(".")[0] for each in _overloads()}


def _without_effect() -> list[str]:
    found = []
    defaults = {**bridge_config.DEFAULTS, **dict(config.VARIABLES)}
    switches = [name for name, value in defaults.items() if isinstance(value, bool)]
    for name in (*switches, *_SWITCHES):
        if not _environment.is_switch(_value(name)):
            found.append(f"{name} is {_value(name)!r}, which is taken as 0; expected 1 or 0")
    if _value("GAUDI_REPLAY") and not _value("GAUDI_REPLAY_DIR"):
        found.append("GAUDI_REPLAY has no effect without GAUDI_REPLAY_DIR=DIR, the folder of its "
                     "files")
    for op in filter(None, map(str.strip, _value("PT_HPU_PLACE_ON_CPU").split(","))):
        found += filter(None, [_of_op(op)])
    for name in _LISTS:
        found += _of_list(name, os.environ.get(name, ""))
    for name in ("HABANA_VISIBLE_DEVICES", "HPU_VISIBLE_DEVICES", "GAUDI_VISIBLE_DEVICES"):
        # That of containers is set for all that runs in one.
        if re.fullmatch(r"\d+(,\d+)*", _value(name)) and not _value("HABANA_VISIBLE_MODULES"):
            found.append(f"{name} is {_value(name)!r}, which chooses no cards here; write "
                         f"HABANA_VISIBLE_MODULES={_value(name)}")
    logs = [f"LOG_LEVEL_{each}" for each in (*_C.log_modules(), "ALL_PT")]
    known = (*_environment.OWN, *defaults, *_CHOICES, *_COUNTS, *_LISTS, *_OTHERS, *_SWITCHES, *logs)
    return found + _environment.misspelt(known, ("PT_", "HABANA_", "HPU_", "LOG_LEVEL_PT_"))
