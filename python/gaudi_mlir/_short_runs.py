# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a script whose loops end after some steps, so that what comes after them runs as well.

What a step is, the caller says by `Limit.step()`. "for" loops of the script, and of modules in its
folder, ask between two iterations whether they have had enough; what runs in other loops ("while",
those of libraries) is stopped by an exception.
"""
import ast
import importlib.machinery
import os
import runpy
import sys
import sysconfig
import traceback
import types
from collections.abc import Callable, Iterable

_NAME = "__gaudi_limit__"  # of builtins, which code of the script calls
_HERE = os.path.join(os.path.dirname(__file__), "")


class Stop(BaseException):
    """Ends the script: no loop of it could be ended."""


class Limit:
    """How many steps a loop has at most; 0: no limit."""

    def __init__(self, steps: int, is_compiling: Callable[[], bool]) -> None:
        self.steps, self.is_compiling = steps, is_compiling
        self.count = 0
        self.ended: dict[str, int] = {}
        """Loops that were ended, by their places: after how many steps."""
        self.stopped_at = ""
        self._loops = 0  # that are running
        self._since = 0  # the step from which on no loop could be asked

    def step(self, place: str) -> None:
        self.count += 1
        most = self.steps if not self._loops else 20 * self.steps
        if self.steps and self.count - self._since >= most:
            self._since = self.count
            self.stopped_at = place
            raise Stop

    def loop(self, iterable: Iterable, place: str) -> Iterable:
        """What a loop of the script goes through."""
        # torch.compile sees the loop as it is.
        if self.is_compiling() or not self.steps:
            return iterable
        return self._limited(iterable, place)

    def _limited(self, iterable: Iterable, place: str):
        begin = self.count
        self._loops += 1
        try:
            for each in iterable:
                self._since = self.count
                yield each
                if self.count - begin >= self.steps:
                    self.ended[place] = self.count - begin
                    break
        finally:
            self._loops -= 1
            self._since = self.count


class _Loops(ast.NodeTransformer):
    def __init__(self, path: str) -> None:
        self.path = path

    def visit_For(self, node: ast.For) -> ast.For:
        self.generic_visit(node)
        place = ast.Constant(f"{self.path}:{node.lineno}")
        call = ast.Call(ast.Name(_NAME, ast.Load()), [node.iter, place], [])
        for each in (call, call.func, place):
            ast.copy_location(each, node.iter)
        node.iter = call
        return node


def _code(source: bytes | str, path: str):
    tree = ast.parse(source, path)
    return compile(_Loops(path).visit(tree), path, "exec", dont_inherit=True)


class _Loader(importlib.machinery.SourceFileLoader):
    def get_code(self, fullname):
        path = self.get_filename(fullname)
        return _code(self.get_data(path), path)  # the cache of byte code is the unchanged one's


class _Finder:
    """Modules in the folder of the script."""

    def __init__(self, folder: str) -> None:
        self.folder = os.path.join(os.path.realpath(folder), "")
        self.others = tuple({os.path.join(os.path.realpath(each), "")
                             for name, each in sysconfig.get_paths().items()
                             if name in ("stdlib", "platstdlib", "purelib", "platlib")})

    def find_spec(self, name, path=None, target=None):
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is None or type(spec.loader) is not importlib.machinery.SourceFileLoader:
            return None
        origin = os.path.realpath(spec.origin)
        if not origin.startswith(self.folder) or origin.startswith(self.others):
            return None
        spec.loader = _Loader(name, spec.origin)
        return spec


def whole(script: str, arguments: list[str]) -> dict:
    """Runs all of it as "python script.py arguments" does, and gives its names."""
    sys.argv = [script, *arguments]
    sys.path[0] = os.path.dirname(os.path.abspath(script))
    return runpy.run_path(script, run_name="__main__")


def run(script: str, arguments: list[str], limit: Limit) -> None:
    """As "python script.py arguments" does; raises what the script raises."""
    import builtins
    with open(script, "rb") as file:
        code = _code(file.read(), script)
    folder = os.path.dirname(os.path.abspath(script))
    main = types.ModuleType("__main__")
    main.__dict__.update(__file__=script, __builtins__=builtins, __cached__=None)
    sys.modules["__main__"] = main
    sys.argv = [script, *arguments]
    sys.path[0] = folder
    sys.meta_path.insert(0, _Finder(folder))
    setattr(builtins, _NAME, limit.loop)
    exec(code, main.__dict__)


def outcome(run_script) -> tuple[int, BaseException | None]:
    """The exit code of a script that a function runs, and what it has raised, which is printed as
    Python does: what it did until then is of interest."""
    try:
        run_script()
    except Stop:
        pass
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        return end.code if isinstance(end.code, int) else int(end.code is not None), None
    except BaseException as raised:
        frames = raised.__traceback__
        while frames and frames.tb_frame.f_code.co_filename.startswith(
                (_HERE, ast.__file__, "<frozen runpy")):
            frames = frames.tb_next  # as Python prints it: from the script on
        traceback.print_exception(type(raised), raised, frames)
        return 130 if isinstance(raised, KeyboardInterrupt) else 1, raised
    return 0, None
