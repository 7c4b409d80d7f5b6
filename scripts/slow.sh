#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What takes longer than check.sh may: roundings of 2^24 numbers, a build by g++
# with its unit tests, all unit tests below the compiler under the sanitizers,
# the thread sanitizer, fuzzing, every injected fault, clang-tidy on all files.
# Usage: scripts/slow.sh [--fuzz-seconds N]   (default 3600 a target)
set -uo pipefail
cd "$(dirname "$0")/.."
. scripts/messages.sh

seconds=3600
case ${1:-} in
  "") ;;
  --fuzz-seconds) number_of --fuzz-seconds "${2:-}"; seconds=$2 ;;
  *) wrong_option "$1" "scripts/slow.sh [--fuzz-seconds N]" ;;
esac
status=0
step() {
  echo "== $1"
  shift
  "$@" || { echo "FAILED  $*"; status=1; }
}
step "dependencies" ./scripts/install-deps.sh
step "build" ./scripts/build.sh
step "lit suite, each launch at other addresses" \
  env GAUDI_MOVE_TENSORS=1 /usr/lib/llvm-22/bin/lit -sv -j "$(nproc)" build/release/test
step "unit tests, each launch at other addresses" env GAUDI_MOVE_TENSORS=1 \
  GAUDI_CACHE_DIR=build/release/moved-cache build/release/bin/RuntimeTests --gtest_brief=1
step "roundings of 2^24 numbers" env GAUDI_ROUNDING_SAMPLES=16777216 \
  build/release/bin/RuntimeTests --gtest_filter='*RoundBy*' --gtest_brief=1
step "g++" ./scripts/build.sh --preset gcc
step "unit tests by g++" ctest --test-dir build/gcc --output-on-failure -j "$(nproc)" --timeout 300 --no-tests=error
step "address and undefined-behaviour sanitizers" ./scripts/sanitize.sh
step "thread sanitizer" ./scripts/sanitize.sh --thread
step "stress of a card" env GAUDI_STRESS_SECONDS=600 \
  build/release/bin/DeviceRuntimeTests --gtest_filter='DeviceStress.*' --gtest_brief=1
step "processes that share recipes and are killed" build/release/bin/RecipeCacheStress
step "faults" ./scripts/faults.py
step "placements against an integer program" ./scripts/placement-judge.py --graphs 500
step "claims for graphs with transposes elsewhere" ./scripts/placement-writings.py --graphs 500 --differ 500
step "mutants of StableHLO models" ./scripts/mutants.py
step "mutants of fusions" ./scripts/fusion-mutants.py --seconds 3600
step "dynamic sizes against static compiles" ./scripts/dynamic-sweep.py
step "functions of JAX with symbolic sizes" ./scripts/jax-dynamic.py
step "PyTorch, JAX and ONNX in Python" ./scripts/test-frameworks.sh
frameworks=${GAUDI_FRAMEWORKS_PYTHON:-build/frameworks/bin/python}
step "device hpu" ./scripts/test-bridge.sh
step "clients of hpu" ./scripts/setup-python.sh --no-install --clients
step "tests of clients of hpu" env PATH="$PWD/build/venv/bin:$PATH" build/venv/bin/python -m pytest \
  -c bridge/pyproject.toml --rootdir bridge bridge/tests/test_clients.py
step "page on clients of hpu" env PATH="$PWD/build/venv/bin:$PATH" \
  build/venv/bin/python test/Docs/Inputs/run_page.py docs/clients.md build/clients-page
step "--check of models and random programs" "$frameworks" scripts/check-sweep.py --random 5000
export PYTHONPATH=build/release/python # of the next two
step "random graphs of ONNX" "$frameworks" scripts/onnx-oracle.py --seconds 1200
step "random functions of JAX" "$frameworks" scripts/jax-oracle.py random --seconds 1200
unset PYTHONPATH
step "planted defects" ./scripts/planted-defects.py
step "clang-tidy" ./scripts/tidy.sh
step "packages in an empty system" ./scripts/test-packages.sh
step "fuzzing" ./scripts/fuzz.sh --seconds "$seconds"
exit $status
