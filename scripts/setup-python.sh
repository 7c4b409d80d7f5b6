#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# From a bare Debian 12 to a PyTorch model's numbers: installs the packages that
# the build needs, builds the compiler and the runtime, makes the Python environment
# build/venv with gaudi_mlir, PyTorch and its device hpu, and runs a model.
# Option: --no-install (Debian's packages are there).
set -euo pipefail
cd "$(dirname "$0")/.."

case ${1:-} in
  "") ./scripts/install-deps.sh --build ;;
  --no-install) ;;
  *) echo "usage: scripts/setup-python.sh [--no-install]" >&2; exit 2 ;;
esac
environment=build/venv
python=$environment/bin/python
[ -x "$python" ] || /usr/bin/python3 -m venv "$environment"
# PyTorch comes while the compiler is at work.
"$python" -m pip install --quiet --disable-pip-version-check torch==2.13.0 \
  >build/setup-python.log 2>&1 &
download=$!
./scripts/build.sh GaudiMLIR
wait "$download" || { cat build/setup-python.log >&2; exit 1; }
# The build tree is a CMake package, too; the libraries are copied. The machine may
# have no compiler but the one of the build.
CC=clang-22 CXX=clang++-22 GaudiMLIR_DIR=$PWD/build/release \
  "$python" -m pip install --quiet --disable-pip-version-check ./python
"$python" -m pip install --quiet --disable-pip-version-check scikit-build-core==1.1.2
CC=clang-22 CXX=clang++-22 GaudiMLIR_DIR=$PWD/build/release \
  "$python" -m pip install --quiet --disable-pip-version-check --no-build-isolation ./bridge
"$python" docs/examples/pytorch.py
"$python" -c 'import torch; print("hpu:", (torch.ones(3, device="hpu") + 1).cpu())'
echo "the environment is $environment"
