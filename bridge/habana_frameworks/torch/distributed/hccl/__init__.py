# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The backend "hccl" of torch.distributed: one rank. Collectives between cards are not emulated."""
import os

import torch.distributed as dist

_NAMES = (("world_size", "WORLD_SIZE", "OMPI_COMM_WORLD_SIZE"), ("rank", "RANK", "OMPI_COMM_WORLD_RANK"),
          ("local_rank", "LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK"))


def initialize_distributed_hpu(world_size=None, rank=None, local_rank=None) -> tuple[int, int, int]:
    """World size, rank and local rank: as given, or of the environment, or 1, 0, 0; the environment has
    them afterwards, as torch.distributed reads it."""
    given = {"world_size": world_size, "rank": rank, "local_rank": local_rank}
    values = []
    for name, variable, other in _NAMES:
        value = given[name]
        if value is None:
            value = os.environ.get(variable) or os.environ.get(other) or int(name == "world_size")
        values.append(int(value))
        os.environ[variable] = str(value)
    os.environ.setdefault("MASTER_ADDR", "localhost")
    os.environ.setdefault("MASTER_PORT", "12345")
    os.environ["ID"] = os.environ["RANK"]
    modules = os.environ.get("HABANA_VISIBLE_MODULES")
    os.environ["HLS_MODULE_ID"] = modules.split(",")[values[2]] if modules else str(values[2])
    return tuple(values)


def _group(store, rank: int, size: int, timeout):
    if size != 1:
        raise NotImplementedError(f"hccl: a group of {size} ranks needs {size} cards that talk to each "
                                  "other, which gaudi-mlir does not emulate; it has groups of one rank")
    from torch._C._distributed_c10d import FakeProcessGroup
    return FakeProcessGroup._create_internal(rank, size)  # what a collective of one rank does: a copy


if dist.is_available() and "HCCL" not in dist.Backend._plugins:
    dist.Backend.register_backend("hccl", _group, devices=["hpu"])
