# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random numbers of the cards: each has a generator, a seed and how many launches have drawn by it."""
from collections.abc import Iterable

import torch

from .. import _C
from ._utils import _get_device_index


def _generator(device) -> torch.Generator:
    return _C.default_generator(_get_device_index(device, optional=True))


def get_rng_state(device="hpu") -> torch.Tensor:
    """16 bytes of the host."""
    return _generator(device).get_state()


def set_rng_state(new_state: torch.Tensor, device="hpu") -> None:
    _generator(device).set_state(new_state)


def get_rng_state_all() -> list[torch.Tensor]:
    return [get_rng_state(index) for index in range(_C.device_count())]


def set_rng_state_all(new_states: Iterable[torch.Tensor]) -> None:
    for index, state in enumerate(new_states):
        set_rng_state(state, index)


def manual_seed(seed: int) -> None:
    """Of the current card."""
    _generator(None).manual_seed(int(seed))


def manual_seed_all(seed: int) -> None:
    for index in range(_C.device_count()):
        _generator(index).manual_seed(int(seed))


def seed() -> None:
    """A seed that nobody chose, for the current card."""
    _generator(None).seed()


def seed_all() -> None:
    """The same one for all cards."""
    _generator(0).seed()
    manual_seed_all(_generator(0).initial_seed())


def initial_seed() -> int:
    return _generator(None).initial_seed()
