# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops that draw in graphs."""
HABANA_CHECKPOINT_OPS = {
    f"aten.{op}": f"habana_{op.partition('.')[0].removesuffix('_like')}_checkpoint" for op in
    ("bernoulli.default", "multinomial.default", "native_dropout.default", "poisson.default",
     "rand.default", "rand_like.default", "randint.default", "randint.low", "randint_like.default",
     "randint_like.low_dtype", "randn.default", "randn_like.default", "randperm.default")}
"""Names in the log of ops whose numbers a checkpoint draws again."""
