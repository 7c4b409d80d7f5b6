# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Options of the backend "hpu_backend": what PT_HPU_... of the environment says, or a program sets.

An option is an attribute of this module and an entry of `configuration_flags`. Both are the
environment variable, which is what the compiler reads.
"""
import contextlib
import os
import sys
import types

from gaudi_mlir import _environment, _text

# Names, variables, and what they are without a value.
_OPTIONS = {
    "use_compiled_recipes": ("PT_HPU_COMPILE_USE_RECIPES", True),
    "hpu_backend_decomposition_mode": ("PT_HPU_COMPILE_DECOMPOSITION_MODE", "habana"),
    "keep_input_mutations": ("PT_HPU_KEEP_INPUT_MUTATIONS", True),
    "use_eager_fallback": ("PT_HPU_USE_EAGER_FALLBACK", True),
    "use_graph_freezing": ("PT_HPU_COMPILE_GRAPH_FREEZE", False),
    "discard_frozen_params": ("PT_HPU_COMPILE_DISCARD_FROZEN_PARAMS", False),
    "remove_unnecessary_clones": ("PT_HPU_COMPILE_REMOVE_UNNECESSARY_CLONES", True),
    "use_inplace_collective": ("PT_HPU_USE_INPLACE_COLLECTIVE", True),
    "use_inplace_index_copy": ("PT_HPU_USE_INPLACE_INDEX_COPY", True),
    "use_inference_compiler": ("PT_HPU_USE_INFERENCE_COMPILER", True),
    "enable_sfg": ("PT_HPU_ENABLE_SFG", False),
    "use_cpp_partitioner": ("PT_HPU_USE_CPP_PARTITIONER", True),
    "enable_allreduce_graph_split": ("PT_HPU_ENABLE_ALLREDUCE_GRAPH_SPLIT", True),
    "force_static_compile": ("PT_HPU_FORCE_STATIC_COMPILE", False),
    "reinplace_add": ("PT_HPU_REINPLACE_ADD", True),
    "reassign_full_copy": ("PT_HPU_REASSIGN_FULL_COPY", True),
    "reassign_copy_": ("PT_HPU_REASSIGN_COPY_", True),
    "use_boxed_input": ("PT_HPU_USE_BOXED_INPUT", True),
}


VARIABLES = tuple(_OPTIONS.values())
"""Variables, and what they are without a value."""


class _Flags:
    def __getitem__(self, name: str):
        variable, default = _OPTIONS[name]
        value = os.environ.get(variable)
        if value is None:
            return default
        return _environment.is_on(value) if isinstance(default, bool) else value

    def __setitem__(self, name: str, value) -> None:
        os.environ[_OPTIONS[name][0]] = str(int(value)) if isinstance(value, bool) else str(value)

    def __contains__(self, name: str) -> bool:
        return name in _OPTIONS

    def __iter__(self):
        return iter(_OPTIONS)

    def keys(self):
        return _OPTIONS.keys()


configuration_flags = _Flags()


@contextlib.contextmanager
def patch(options: dict):
    """These options in the `with` block: those of torch.compile(options=...)."""
    unknown = [name for name in options if name not in _OPTIONS]
    if unknown:
        hint = _text.meant(unknown[0], _OPTIONS)
        raise ValueError(f"backend hpu_backend: unknown option {', '.join(map(repr, unknown))}; "
                         f"{hint and hint + ' '}it takes {', '.join(_OPTIONS)}")
    for name, value in options.items():
        if isinstance(_OPTIONS[name][1], bool) and not _environment.is_switch(str(value)):
            raise ValueError(f"backend hpu_backend: option {name!r} is {value!r}; expected True or "
                             "False")
    before = {name: os.environ.get(_OPTIONS[name][0]) for name in options}
    try:
        for name, value in options.items():
            configuration_flags[name] = value
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(_OPTIONS[name][0], None)
            else:
                os.environ[_OPTIONS[name][0]] = value


class _Module(types.ModuleType):
    def __getattr__(self, name: str):
        if name in _OPTIONS:
            return configuration_flags[name]
        raise AttributeError(f"hpu_backend has no option {name!r}; it has {', '.join(_OPTIONS)}")

    def __setattr__(self, name: str, value) -> None:
        if name in _OPTIONS:
            configuration_flags[name] = value
        else:
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Module
