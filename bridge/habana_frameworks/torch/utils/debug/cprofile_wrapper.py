# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Python's profiler for one function."""
import contextlib
import cProfile
import functools
import os

from ... import _missing


def cprofile(dirname):
    """A decorator: each call of the function writes <dirname>/<name>_<number>.prof."""
    def decorate(function):
        count = 0

        @functools.wraps(function)
        def called(*args, **kwargs):
            nonlocal count
            os.makedirs(dirname, exist_ok=True)
            path = os.path.join(dirname, f"{function.__name__}_{count}.prof")
            count += 1
            with contextlib.ExitStack() as stack:
                profile = stack.enter_context(cProfile.Profile())
                stack.callback(lambda: profile.dump_stats(path))
                return function(*args, **kwargs)
        return called
    return decorate


__getattr__ = _missing.of(__name__)
