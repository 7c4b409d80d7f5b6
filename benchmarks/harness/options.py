# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks of options, before anything is measured. Each raises ValueError with what is wrong."""
import difflib
import os

# Tables of each kind of host end at this line of a page.
HOSTS = "<!-- benchmarks: hosts -->"


def select(keys: list[str], only: str) -> list[str]:
    """The keys that a list of names stands for; a name ending in * is a prefix."""
    chosen: set[str] = set()
    for name in only.split(","):
        found = [key for key in keys
                 if key == name or (name.endswith("*") and key.startswith(name[:-1]))]
        if not found:
            near = difflib.get_close_matches(name, keys, 1)
            raise ValueError("--only: no row is called '%s'; %schoose from: %s" % (
                name, "did you mean '%s'? " % near[0] if near else "", ", ".join(keys)))
        chosen.update(found)
    return [key for key in keys if key in chosen]


def threads(given: int) -> int:
    """More threads than CPUs would measure the scheduler."""
    cpus = len(os.sched_getaffinity(0))
    if not 1 <= given <= cpus:
        raise ValueError("--threads is %d; expected 1 to %d, the CPUs of this process" % (
            given, cpus))
    return given


def output(option: str, path: str) -> None:
    """Opens a file that is written at the end; one that this creates is removed again."""
    existed = os.path.exists(path)
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666))
        if not existed:
            os.remove(path)
    except OSError as problem:
        raise ValueError("%s: cannot write '%s': %s; name a file in a folder that is there and that "
                         "you may write to" % (option, path, problem.strerror)) from None


def page(option: str, path: str) -> None:
    """A page exists, can be written, and says where the tables go."""
    try:
        with open(path, "r+") as stream:
            text = stream.read()
    except UnicodeDecodeError:
        raise ValueError("%s: '%s' is not text; name a page" % (option, path)) from None
    except OSError as problem:
        raise ValueError("%s: cannot update '%s': %s; name a page that is there" % (
            option, path, problem.strerror)) from None
    if HOSTS not in text:
        raise ValueError("%s: '%s' lacks the line %s; add it where the tables go" % (
            option, path, HOSTS))
