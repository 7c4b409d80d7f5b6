# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names of hpu that a script finds CUDA's in: torch.device("cuda").type == "cuda"."""
import sys

# Libraries that ask for "hpu" themselves.
_AWARE = {"torch", "habana_frameworks", "gaudi_mlir", "accelerate", "transformers", "optimum",
          "lightning", "lightning_fabric", "lightning_habana", "pytorch_lightning", "deepspeed",
          "diffusers"}


def is_for_script(depth: int = 2) -> bool:
    """Whether the caller's caller does not know hpu."""
    name = sys._getframe(depth).f_globals.get("__name__") or ""
    return name.partition(".")[0] not in _AWARE


class Name(str):
    """A text of hpu that also equals, begins with, and contains what CUDA has there. In a dict or a
    set it is found as CUDA's only: a key has one hash."""
    __slots__ = ("cuda",)

    def __new__(cls, text: str, cuda: str):
        made = super().__new__(cls, text)
        made.cuda = cuda
        return made

    def __eq__(self, other) -> bool:
        return str.__eq__(self, other) is True or self.cuda == other

    def __ne__(self, other) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.cuda)  # keys of a script are CUDA's

    def __contains__(self, part) -> bool:
        return str.__contains__(self, part) or part in self.cuda

    def startswith(self, *args) -> bool:
        return super().startswith(*args) or self.cuda.startswith(*args)

    def __reduce__(self):
        return str, (str(self),)


def device_name(text: str) -> Name:
    return Name(text, text.replace("hpu", "cuda"))
