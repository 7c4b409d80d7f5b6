#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests gaudi_mlir.torch, gaudi_mlir.jax, gaudi_mlir.onnx and gaudi-import, and runs
# the pages for them, in an environment of its own (build/frameworks; about 2 GB of
# downloads the first time). Not part of check.sh.
# Usage: scripts/test-frameworks.sh [ARGUMENTS OF PYTEST...]
# GAUDI_FRAMEWORKS_PYTHON: a Python that has the packages already.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/messages.sh
check_frameworks_python

packages=(torch==2.13.0 torch-mlir==20261001 transformers==5.23.0 jax==0.10.2 onnx==1.23.2
  onnxruntime==1.32.0 numpy ml_dtypes pytest==9.2.0)
python=${GAUDI_FRAMEWORKS_PYTHON:-$PWD/build/frameworks/bin/python}
if [ -z "${GAUDI_FRAMEWORKS_PYTHON:-}" ]; then
  [ -x "$python" ] || new_environment build/frameworks
  pip_install "$python" "${packages[@]}"
fi
./scripts/test-python.sh --install
./scripts/build.sh GaudiPython gaudi-run

cache=$(mktemp -d)
trap 'rm -rf "$cache"' EXIT
export GAUDI_CACHE_DIR=$cache HF_HUB_OFFLINE=1 PYTHONPATH=$PWD/build/release/python
# What the wheel installs as a program.
programs=$cache/bin
mkdir "$programs"
printf '#!/bin/sh\nexec "%s" -m gaudi_import "$@"\n' "$python" >"$programs/gaudi-import"
chmod +x "$programs/gaudi-import"
export PATH=$PWD/build/release/bin:$programs:$(dirname "$python"):$PATH
tests=(python/tests/pytorch python/tests/importers)
[ $# -eq 0 ] || tests=("$@")
"$python" -m pytest "${tests[@]}"
for page in getting-started getting-started-pytorch porting first-questions; do
  "$python" test/Docs/Inputs/run_page.py "docs/$page.md" "build/frameworks-files/$page"
done
