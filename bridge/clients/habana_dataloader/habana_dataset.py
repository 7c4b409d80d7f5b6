# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Data sets of images."""


class ImageFolderWithManifest:
    """One that a file lists; there is none here."""

    def __init__(self, *_, **__) -> None:
        raise NotImplementedError("gaudi-mlir has no ImageFolderWithManifest; use "
                                  "torchvision.datasets.ImageFolder")
