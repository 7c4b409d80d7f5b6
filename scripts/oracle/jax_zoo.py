# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions as people write them in JAX, with their arguments: networks, gradients, optimisers, sampling, linear
algebra, indexing. Each is lowered by JAX to StableHLO, and gaudi-run is compared with JAX on the same inputs."""
import jax_networks  # noqa: F401 (each adds its functions)
import jax_functions  # noqa: F401
from jax_case import ZOO, lowered  # noqa: F401
