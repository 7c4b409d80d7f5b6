# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where layers compute in eight bits, and what they share."""
import contextlib
import os

import torch

from ...._missing import of as _of
from .recipe import DelayedScaling, Format


def is_fp8_available() -> tuple[bool, str]:
    """Whether the card has eight bits, and why not."""
    if torch.hpu.get_device_name() == "GAUDI":
        return False, "the first Gaudi has no fp8: emulate gaudi2 or gaudi3 (GAUDI_DEVICE)"
    return True, ""


def get_default_fp8_recipe() -> DelayedScaling:
    return DelayedScaling()


def get_fp8_te_dtype(fp8_recipe: DelayedScaling, fprop_tensor: bool = True) -> torch.dtype:
    """The type of tensors of the forward or of the backward pass."""
    form = fp8_recipe.fp8_format
    if form is Format.E4M3 or form is Format.HYBRID and fprop_tensor:
        return torch.float8_e4m3fn
    return torch.float8_e5m2


def get_fp8_te_sr(fp8_recipe: DelayedScaling, fprop_tensor: bool = True) -> bool:
    """Whether the last bit is rounded at random: gradients of HYBRID, or as PT_TE_FORCE_SR_FWD and
    PT_TE_FORCE_SR_BWD say."""
    forced = os.environ.get("PT_TE_FORCE_SR_FWD" if fprop_tensor else "PT_TE_FORCE_SR_BWD")
    if forced:
        return forced.strip().lower() in ("1", "true")
    return not fprop_tensor and fp8_recipe.fp8_format is Format.HYBRID


def get_fp8_max(fp8_recipe: DelayedScaling, fprop_tensor: bool = True) -> float:
    """The largest number that scales aim at: of E4M3 that of Gaudi 2 on each card, so that a state
    that is saved by one kind of card is right on another."""
    largest = fp8_recipe.fp8_format.value
    return largest.max_fwd if fprop_tensor else largest.max_bwd


def _default_sf_compute(amax, scale, fp8_max: float, margin: int):
    """The scale 2 ** (floor(log2(fp8_max / amax)) - margin); as it was where nothing but zeros, or
    an infinity or NaN, has been measured."""
    power = torch.floor(torch.log2(fp8_max / amax)) - margin
    # At the edge of float32's range the reciprocal must be a number, too.
    made = torch.exp2(power.clamp(-126, 126))
    return torch.where((amax > 0) & torch.isfinite(amax), made, scale)


def update_scale(meta, fp8_recipe: DelayedScaling, fp8_max: float) -> None:
    """The scales that the history gives."""
    algorithm = fp8_recipe.amax_compute_algo
    if callable(algorithm):
        amax = algorithm(meta.amax_history)
    else:
        amax = (meta.amax_history if algorithm == "max" else meta.last()).amax(0)
    if fp8_recipe.scaling_factor_compute_algo is not None:
        scale = fp8_recipe.scaling_factor_compute_algo(amax, meta.scale, fp8_max, fp8_recipe)
    else:
        scale = _default_sf_compute(amax, meta.scale, fp8_max, fp8_recipe.margin)
    meta.scale.copy_(scale)
    meta.scale_inv.copy_(meta.scale.reciprocal())


class FP8GlobalStateManager:
    """The state of fp8_autocast, and the magnitudes of the current pass, whose largest of all ranks
    come into the histories before the next pass.

    A pass begins where the first layer of a program runs again."""
    enabled = False
    recipe: DelayedScaling | None = None
    group = None
    depth = 0
    manual: bool | None = None
    run = 0
    _first = None
    _buffer: dict = {}
    _places: dict = {}

    @classmethod
    def reset_global_state(cls) -> None:
        cls.enabled, cls.recipe, cls.group, cls.depth, cls.manual = False, None, None, 0, None
        cls.run, cls._first, cls._buffer, cls._places = 0, None, {}, {}

    @classmethod
    def is_fp8_enabled(cls) -> bool:
        return cls.enabled

    @staticmethod
    def is_fp8_available() -> tuple[bool, str]:
        return is_fp8_available()

    @classmethod
    def get_fp8_recipe(cls) -> DelayedScaling:
        return cls.recipe or get_default_fp8_recipe()

    @classmethod
    def get_fp8_group(cls):
        return cls.group

    @classmethod
    def set_measurement_mode(cls, manual: bool, manual_value: bool = True) -> None:
        """Whether the program says which steps are measured, and if, whether the next ones are."""
        cls.manual = bool(manual_value) if manual else None

    @classmethod
    def get_manual_measurement_mode(cls) -> bool | None:
        return cls.manual

    @classmethod
    def get_global_fp8_buffer_checkpoint(cls) -> dict:
        """Magnitudes by pass, and by layer in it."""
        return cls._buffer

    @classmethod
    def begin(cls, module) -> int:
        """The number of the pass that a layer runs in."""
        if cls._first is None or cls._first is module:
            cls._first = module
            cls.reduce()
            cls.run += 1
        return cls.run

    @classmethod
    def place(cls) -> int:
        """Of a layer among those of this pass that are measured."""
        return len(cls._buffer.get(f"FWD_AMAX_{cls.run}", ()))

    @classmethod
    def add(cls, name: str, run: int, place: int, meta) -> None:
        """The last row of a history, of a pass that may have ended: backward passes may begin after
        further forward passes."""
        key = f"{name}_AMAX_{run}"
        rows, places = (each.setdefault(key, []) for each in (cls._buffer, cls._places))
        missing = place + 1 - len(rows)
        rows.extend([None] * missing)
        places.extend([None] * missing)
        rows[place], places[place] = meta.last()[0].clone(), meta.place()

    @classmethod
    def reduce(cls) -> None:
        """Ends a pass: with several ranks their largest magnitudes are those of all."""
        distributed = torch.distributed
        is_alone = not distributed.is_available() or not distributed.is_initialized() or \
            distributed.get_world_size(cls.group) == 1
        for key, rows in cls._buffer.items():
            pairs = [(row, place) for row, place in zip(rows, cls._places[key]) if row is not None]
            if is_alone or not pairs:
                continue
            every = torch.cat([row for row, _ in pairs])
            distributed.all_reduce(every, op=distributed.ReduceOp.MAX, group=cls.group)
            for row, (_, (history, index)) in zip(every.split([len(row) for row, _ in pairs]),
                                                  pairs):
                history.index_copy_(0, index, row.unsqueeze(0))
        cls._buffer, cls._places = {}, {}


@contextlib.contextmanager
def fp8_autocast(enabled: bool = False, force_measurement: bool | None = None,
                 fp8_recipe: DelayedScaling | None = None, fp8_group=None):
    """A `with` block, or a decorator, whose layers compute in eight bits if it is enabled.
    `force_measurement` says for the block whether steps are measured; `fp8_group` is the process
    group of reduce_amax. The block is one of the process, not of the thread: backward passes run in
    threads of their own."""
    if enabled:
        available, reason = is_fp8_available()
        if not available:
            raise RuntimeError(f"fp8_autocast(enabled=True): {reason}")
        if fp8_recipe is not None and not isinstance(fp8_recipe, DelayedScaling):
            raise TypeError(f"fp8_recipe is {fp8_recipe!r}; expected recipe.DelayedScaling(...)")
    state = FP8GlobalStateManager
    before = state.enabled, state.recipe, state.group, state.manual
    state.enabled, state.recipe, state.group = enabled, fp8_recipe, fp8_group
    if force_measurement is not None:
        state.set_measurement_mode(True, force_measurement)
    if state.depth == 0:
        state._first = None
    state.depth += 1
    try:
        yield
    finally:
        state.depth = max(0, state.depth - 1)
        state.enabled, state.recipe, state.group, manual = before
        if force_measurement is not None:
            state.manual = manual


__getattr__ = _of(__name__)
