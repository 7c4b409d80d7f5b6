#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Judges a sample of PyTorch's own suites and a few networks on the emulated device
# (docs/conformance.md); scripts/torch-suites.py judges all. Installs PyTorch for
# the CPU and expecttest into build/torch. At most three minutes on 2 cores.
# Usage: scripts/test-torch.sh [--install | ARGUMENTS OF torch-suites.py...]
# GAUDI_FRAMEWORKS_PYTHON: a Python that has the packages already.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/messages.sh
check_frameworks_python

python=${GAUDI_FRAMEWORKS_PYTHON:-$PWD/build/torch/bin/python}
if [ -z "${GAUDI_FRAMEWORKS_PYTHON:-}" ]; then
  packages=(torch==2.13.0 expecttest==0.3.0 numpy==2.1.3 ml_dtypes==0.5.3)
  if [ "$(cat build/torch/packages 2>/dev/null)" != "${packages[*]}" ]; then
    echo "installing PyTorch for the CPU into build/torch"
    new_environment build/torch --clear
    # The wheel without CUDA is a tenth as large; not every index has it.
    "$python" -m pip install --quiet --disable-pip-version-check torch==2.13.0+cpu ||
      pip_install "$python" torch==2.13.0
    pip_install "$python" "${packages[@]:1}"
    echo "${packages[*]}" >build/torch/packages
  fi
fi
[ "${1:-}" != --install ] || exit 0
./scripts/test-python.sh --install
./scripts/build.sh GaudiPython

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export GAUDI_CACHE_DIR=$folder PYTHONPATH=$PWD/build/release/python
sample=(--limit 24 --samples 2 --budget 15 --seconds 100 --least 40
  "op_db float32" "op_db float32 backward" "op_db bfloat16" "op_db int64" "module_db backward" networks optim_db)
[ $# -eq 0 ] || sample=("$@")
"$python" scripts/torch-suites.py --state "$folder/state.jsonl" "${sample[@]}"
