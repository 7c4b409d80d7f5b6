# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The environment variables of Gaudi's bridge as functions: get_name(), set_name(value).

A value lives in the environment, where everything else reads it too. docs/hpu.md says which have an
effect here.
"""
import contextlib
import os

from gaudi_mlir import _environment, _text

# What each is without a value.
DEFAULTS = {
    "PT_HPU_LAZY_MODE": 1,
    "PT_HPU_MAX_COMPOUND_OP_SIZE": 2 ** 63 - 1,
    "PT_HPU_LAZY_ACC_PAR_MODE": 1,
    "PT_HPU_PLACE_ON_CPU": "",
    "PT_HPU_INFERENCE_MODE": False,
    "PT_HPU_ENABLE_REFINE_DYNAMIC_SHAPES": False,
    "PT_HPU_OPTIM_DYNAMIC_OUTPUT_SIF": True,
    "PT_HPU_ENABLE_DYNAMIC_OUTPUT_PREALLOCATE": True,
    "PT_HPU_MATMUL3D_2D_RESHAPE": False,
    "PT_HPU_RECIPE_CACHE_CONFIG": "",
    "PT_COMPILATION_STATS_PATH": "",
    "PT_COMPILE_ONLY_MODE": False,
    "PT_ENABLE_INT64_SUPPORT": False,
    "PT_HPU_FORCE_TANH_FOR_GELU": True,
    "PT_HPU_ENABLE_DIV_PRECISE": False,
    "PT_HPU_GPU_MIGRATION": False,
    "PT_HPU_WEIGHT_SHARING": True,
    "PT_HPU_EMULATE_DISTRIBUTED": False,
    "PT_ENABLE_COMM_GROUP_CACHE": True,
    "PT_HPU_ENABLE_LAZY_COLLECTIVES": False,
    "PT_HPU_ENABLE_SFG": False,
    "PT_HPU_ENABLE_WEIGHT_CPU_PERMUTE": True,
    "PT_HPU_ENABLE_SYNAPSE_OUTPUT_PERMUTE": True,
    "PT_HPU_STOCHASTIC_ROUNDING_MODE": 1,
    "PT_HPU_EAGER_PIPELINE_ENABLE": True,
    "PT_HPU_EAGER_SHAPE_AGNOSTIC_GRAPH": True,
    "PT_HPU_ENABLE_EAGER_CACHE": False,
    "PT_HPU_GRAPH_DUMP_MODE": "",
    "PT_HPU_GRAPH_DUMP_PREFIX": ".graph_dumps",
    "PT_HPU_GRAPH_DUMP_FORMAT": "pbtxt",
    "PT_SBS": False,
}


def _read(name: str):
    default = DEFAULTS[name]
    value = os.environ.get(name)
    if value is None or value == "" and not isinstance(default, str):
        return default
    if isinstance(default, bool):
        return _environment.is_on(value)
    if not isinstance(default, int):
        return value
    try:
        return int(value)
    except ValueError:
        raise ValueError(f"{name} is {value!r}; expected a whole number") from None


def _unknown(name: str) -> NotImplementedError:
    hint = _text.meant(name, DEFAULTS) or "docs/hpu.md lists those that have an effect"
    return NotImplementedError(f"gaudi-mlir does not know the variable {name}; {hint}")


def _write(name: str, value) -> None:
    if value is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = str(int(value)) if isinstance(value, bool) else str(value)


@contextlib.contextmanager
def env_setting(name: str, value):
    """A value in the `with` block."""
    if name not in DEFAULTS:
        raise _unknown(name)
    before = os.environ.get(name)
    _write(name, value)
    try:
        yield
    finally:
        _write(name, before)


def __getattr__(name: str):
    action, _, variable = name.partition("_")
    variable = variable.upper()
    if action in ("get", "set") and variable.startswith(("PT_", "HABANA_")):
        if variable not in DEFAULTS:
            raise _unknown(variable)
        if action == "get":
            return lambda: _read(variable)
        return lambda value: _write(variable, value)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
