# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What layers of eight bits have in common: scales, when they change, and their state."""
from typing import NamedTuple

import torch

from . import distributed
from .fp8 import FP8GlobalStateManager, get_fp8_max, update_scale
from .recipe import Format
from .utils import FP8TensorMeta

_SUFFIXES = {"scaling_fwd": "fwd", "scaling_hybrid": "hybrid", "scaling_bwd": "bwd"}


class Pass(NamedTuple):
    """A forward pass of a layer, and what its backward pass does. Scales are [tensors], as they
    were in it; those of E5M2 beside E4M3 (HYBRID) or None."""
    recipe: object
    scale: torch.Tensor
    scale_inv: torch.Tensor
    wide_scale: torch.Tensor | None
    wide_scale_inv: torch.Tensor | None
    is_measured: bool
    is_updated: bool
    run: int
    place: int
    is_again: bool = False
    """Whether a forward pass is computed a second time, for the backward pass."""

    @property
    def is_measured_forward(self) -> bool:
        return self.is_measured and not self.is_again


class TransformerEngineBaseModule(torch.nn.Module):
    """A layer with `forward_tensors` scales in the forward, and `backward_tensors` in the backward
    pass. fp8_meta has its recipe, and FP8TensorMeta by "scaling_fwd", "scaling_bwd" and, for
    HYBRID, "scaling_hybrid", which has the history of "scaling_fwd"."""
    forward_tensors = 2
    backward_tensors = 1

    def __init__(self) -> None:
        super().__init__()
        self.fp8_meta: dict = {}
        self.run_cnt = 0
        self._was_measured = False
        self._is_checkpointed = False

    def _is_fp8(self) -> bool:
        return FP8GlobalStateManager.enabled or self._is_checkpointed and self._is_again()

    @torch._dynamo.disable
    def _is_again(self) -> bool:
        """Whether this forward pass computes one of eight bits again; the block that said so may
        have ended."""
        return distributed.kept(self, False) is not None

    # --- scales -----------------------------------------------------------------------------------

    def get_amax_measure_state(self) -> dict:
        """Whether the last step measured; without a word of the program the last steps before the
        next scales do."""
        manual = FP8GlobalStateManager.manual
        if manual is not None:
            return {"manual": True, "fwd_enabled": manual, "bwd_enabled": manual}
        recipe = self.fp8_meta.get("recipe") or FP8GlobalStateManager.get_fp8_recipe()
        is_measured = (self.run_cnt - 1) % recipe.interval >= \
            recipe.interval - recipe.amax_history_len
        return {"manual": False, "fwd_enabled": is_measured, "bwd_enabled": is_measured}

    def _create(self, recipe, device) -> None:
        """Scales for the recipe; those that there are stay."""
        meta, steps = self.fp8_meta, recipe.amax_history_len
        meta["recipe"] = recipe
        for key, tensors in (("scaling_fwd", self.forward_tensors),
                             ("scaling_bwd", self.backward_tensors)):
            if key not in meta:
                meta[key] = FP8TensorMeta.create(tensors, steps, device)
            meta[key].resize(steps)
        if recipe.fp8_format is not Format.HYBRID:
            meta.pop("scaling_hybrid", None)
            return
        if "scaling_hybrid" not in meta:
            meta["scaling_hybrid"] = FP8TensorMeta.create(self.forward_tensors, 1, device)
        for name in ("amax_history", "amax_history_index"):
            setattr(meta["scaling_hybrid"], name, getattr(meta["scaling_fwd"], name))

    def _begin(self, device) -> Pass:
        """Begins a forward pass."""
        if self._is_checkpointed and (made := distributed.kept(self)) is not None:
            distributed.keep(self, made)
            return made
        state, recipe = FP8GlobalStateManager, FP8GlobalStateManager.get_fp8_recipe()
        self._create(recipe, device)
        run = state.begin(self)
        self.run_cnt += 1
        measure = self.get_amax_measure_state()
        is_updated = self._was_measured if measure["manual"] else \
            recipe.interval == 1 or self.run_cnt % recipe.interval == 1
        self._was_measured = measure["fwd_enabled"]
        forward, hybrid = self.fp8_meta["scaling_fwd"], self.fp8_meta.get("scaling_hybrid")
        with torch.no_grad():
            if is_updated:
                update_scale(forward, recipe, get_fp8_max(recipe))
                if hybrid is not None:
                    update_scale(hybrid, recipe, get_fp8_max(recipe, False))
            if measure["fwd_enabled"]:
                forward.advance()
            scales = [None if each is None else each.clone()
                      for meta in (forward, hybrid)
                      for each in ((None, None) if meta is None else (meta.scale, meta.scale_inv))]
        made = Pass(recipe, *scales, measure["fwd_enabled"], is_updated, run, state.place())
        if distributed.keep(self, made._replace(is_again=True)):
            self._is_checkpointed = True
        return made

    def _measured(self, key: str, name: str, step: Pass, amaxes: dict) -> None:
        """Keeps magnitudes by column."""
        meta = self.fp8_meta[key]
        meta.measured(amaxes)
        if step.recipe.reduce_amax:
            FP8GlobalStateManager.add(name, step.run, step.place, meta)

    def _begin_backward(self, step: Pass):
        """The scales of gradients in the backward pass of a step."""
        meta = self.fp8_meta["scaling_bwd"]
        if step.is_updated:
            update_scale(meta, step.recipe, get_fp8_max(step.recipe, False))
        if step.is_measured:
            meta.advance()
        return meta

    # --- state ------------------------------------------------------------------------------------

    def save_fp8_meta(self) -> dict:
        """A copy of the scales and histories, for load_fp8_meta()."""
        return {key: {name: getattr(meta, name).clone() for name in FP8TensorMeta.NAMES}
                for key, meta in self.fp8_meta.items() if key in _SUFFIXES}

    def load_fp8_meta(self, fp8_meta: dict) -> None:
        """Changes them in place, where captured graphs find them, unless they are of other sizes,
        or the layer has not run yet."""
        tensors = {"scaling_fwd": self.forward_tensors, "scaling_hybrid": self.forward_tensors,
                   "scaling_bwd": self.backward_tensors}
        for key, values in fp8_meta.items():
            if key not in tensors or set(values) != set(FP8TensorMeta.NAMES):
                raise ValueError(f"{type(self).__name__}.load_fp8_meta gets {key!r} with "
                                 f"{', '.join(sorted(values))}; expected what save_fp8_meta gives")
            if values["scale"].shape != (tensors[key],):
                raise ValueError(f"{type(self).__name__} has {tensors[key]} scales of {key!r}, "
                                 f"not {list(values['scale'].shape)}: they are of another layer")
        with torch.no_grad():
            for key, values in fp8_meta.items():
                meta = self.fp8_meta.setdefault(key, FP8TensorMeta())
                for name, value in values.items():
                    there = getattr(meta, name)
                    if there is not None and there.shape == value.shape:
                        there.copy_(value)
                    else:
                        setattr(meta, name, value.to("hpu", copy=True))

    def get_extra_state(self) -> dict:
        """Tensors and numbers, which torch.load(weights_only=True) takes."""
        state: dict = {}
        for key, suffix in _SUFFIXES.items():
            if key in self.fp8_meta:
                for name in FP8TensorMeta.NAMES:
                    state[f"{name}_{suffix}"] = getattr(self.fp8_meta[key], name).clone()
        if state:
            state["extra_fp8_variables"] = {"run_cnt": self.run_cnt,
                                            "was_measured": self._was_measured}
        return state

    def set_extra_state(self, state: dict) -> None:
        """Without tensors that of a layer that has not run."""
        for key in _SUFFIXES:
            self.fp8_meta.pop(key, None)
        self.load_fp8_meta({key: {name: state[f"{name}_{suffix}"] for name in FP8TensorMeta.NAMES}
                            for key, suffix in _SUFFIXES.items() if f"scale_{suffix}" in state})
        rest = state.get("extra_fp8_variables", {})
        self.run_cnt = rest.get("run_cnt", 0)
        self._was_measured = rest.get("was_measured", False)

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, missing_keys,
                              unexpected_keys, error_msgs) -> None:
        super()._load_from_state_dict(state_dict, prefix, local_metadata, strict, missing_keys,
                                      unexpected_keys, error_msgs)
        key = prefix + "_extra_state"
        if key in missing_keys:  # a layer of PyTorch, which begins with scales of 1
            missing_keys.remove(key)
            self.set_extra_state({})
