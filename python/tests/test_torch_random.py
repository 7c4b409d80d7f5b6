# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random numbers of the torch dialect on the device: Philox, by a seed and an offset that are inputs."""
import numpy as np
import pytest

import gaudi_mlir


def recipe(count, kind="f32", dtype=6):
    return gaudi_mlir.compile(f"""
func.func @main(%seed: !torch.vtensor<[],si64>, %offset: !torch.vtensor<[],si64>) -> (!torch.vtensor<[{count}],{kind}>, !torch.vtensor<[],si64>) {{
  %n = torch.constant.int {count}
  %size = torch.prim.ListConstruct %n : (!torch.int) -> !torch.list<int>
  %none = torch.constant.none
  %dtype = torch.constant.int {dtype}
  %r:2 = torch.operator "torch.rngprims.philox_rand"(%size, %seed, %offset, %none, %none, %dtype) : (!torch.list<int>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.none, !torch.none, !torch.int) -> (!torch.vtensor<[{count}],{kind}>, !torch.vtensor<[],si64>)
  return %r#0, %r#1 : !torch.vtensor<[{count}],{kind}>, !torch.vtensor<[],si64>
}}""")


def draw(made, seed, offset):
    numbers, step = made.run([np.int64(seed), np.int64(offset)])
    return np.asarray(numbers).astype(np.float64), int(step)


def philox(seed, counter):
    """The four words of Philox-4x32-10 of Salmon et al., for a key of 64 bits and a counter."""
    x = [counter & 0xFFFFFFFF, counter >> 32, seed & 0xFFFFFFFF, seed >> 32]
    key = [seed & 0xFFFFFFFF, seed >> 32]
    for _ in range(10):
        even, odd = x[0] * 0xD2511F53, x[2] * 0xCD9E8D57
        x = [(odd >> 32) ^ x[1] ^ key[0], odd & 0xFFFFFFFF, (even >> 32) ^ x[3] ^ key[1], even & 0xFFFFFFFF]
        key = [(key[0] + 0x9E3779B9) & 0xFFFFFFFF, (key[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return x


def test_numbers_are_those_of_philox():
    numbers, step = draw(recipe(10), 2 ** 40 + 17, 5)
    words = [word for block in range(3) for word in philox(2 ** 40 + 17, 5 + block)]
    np.testing.assert_array_equal(numbers, [(word >> 9) / 2 ** 23 for word in words[:10]])
    assert step == 3


def test_offset_continues():
    made = recipe(8)
    first, step = draw(made, 9, 0)
    second, _ = draw(made, 9, step)
    whole, _ = draw(recipe(16), 9, 0)
    np.testing.assert_array_equal(np.concatenate([first, second]), whole)
    np.testing.assert_array_equal(first, draw(made, 9, 0)[0])
    assert (first != draw(made, 10, 0)[0]).any()


@pytest.mark.parametrize("kind, dtype", [("f32", 6), ("f16", 5), ("bf16", 15)])
def test_distribution(kind, dtype):
    numbers, _ = draw(recipe(20000, kind, dtype), 3, 0)
    assert 0 <= numbers.min() and numbers.max() < 1
    counts, _ = np.histogram(numbers, bins=16, range=(0, 1))
    # Chi-squared of 15 degrees of freedom: above 44 with a probability of 1e-4.
    assert ((counts - 1250) ** 2 / 1250).sum() < 44
    assert abs(np.corrcoef(numbers[:-1], numbers[1:])[0, 1]) < 0.03
