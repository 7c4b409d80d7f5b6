# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What can go wrong with a model that is imported."""


class InputError(Exception):
    """A file or option is wrong, or a package is missing."""


class ConversionError(Exception):
    """The model cannot be converted; the message names the culprit."""
