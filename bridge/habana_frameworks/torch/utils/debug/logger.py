# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lines of the bridge's log, by module (docs/monitoring.md)."""
from ... import _C

ALONE = ("PT_TRACE", "PT_TOWL")
"""Modules that only follow their own variables."""

_LEVELS = ("trace", "debug", "info", "warn", "error", "critical", "off")


def format_args(args) -> str:
    return " ".join(map(str, args))


class Logger:
    """Writes to the log's module PT_`type`; keeps the lines in `data` as well if asked to."""

    def __init__(self, type: str) -> None:
        self.type = type
        self.store_data = False
        self.data: list[str] = []

    def set_store_data(self, enable: bool) -> None:
        """Begins with no line, or keeps none any more."""
        self.store_data = enable
        self.data = []

    def log(self, level: int, args) -> None:
        text = f"[PT_{self.type}] {format_args(args)}"
        if self.store_data:
            self.data.append(text)
        _C.log("PT_PYTHON", level, text)

    def trace(self, *args) -> None:
        self.log(0, args)

    def debug(self, *args) -> None:
        self.log(1, args)

    def info(self, *args) -> None:
        self.log(2, args)

    def warn(self, *args) -> None:
        self.log(3, args)

    warning = warn

    def error(self, *args) -> None:
        self.log(4, args)

    def critical(self, *args) -> None:
        self.log(5, args)


def get_log_level(logger_level: str) -> int:
    if logger_level.lower() not in _LEVELS:
        raise ValueError(f"{logger_level!r} is no level of a log: {', '.join(_LEVELS)}")
    return _LEVELS.index(logger_level.lower())


def enable_logging(logger_name: str, logger_level: str) -> None:
    """LOG_LEVEL_PT_DEVICE; LOG_LEVEL_ALL_PT: all modules of the bridge, LOG_LEVEL_ALL: all."""
    name = logger_name.removeprefix("LOG_LEVEL_")
    level = get_log_level(logger_level)
    modules = [each for each in _C.log_modules() if each == name or
               each not in ALONE and (name == "ALL" or name == "ALL_PT" and each.startswith("PT_"))]
    if not modules:
        raise ValueError(f"the log has no module {name}; LOG_LEVEL_* of docs/monitoring.md name those "
                         "that there are")
    for each in modules:
        _C.set_log_level(each, level)
