#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds the Python package in build/release/python and runs its tests, with the
# Python of Debian and the packages below in build/python/venv.
# Usage: scripts/test-python.sh [--install | ARGUMENTS OF PYTEST...]
# --install only makes the environment.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/messages.sh

packages=(nanobind==3.1.0 numpy==2.1.3 ml_dtypes==0.5.3 pytest==9.2.0 scikit-build-core==1.1.2)
environment=build/python/venv
python=$environment/bin/python
if [ "$(cat "$environment/packages" 2>/dev/null)" != "${packages[*]}" ]; then
  new_environment "$environment" --clear
  pip_install "$python" "${packages[@]}"
  echo "${packages[*]}" >"$environment/packages"
fi
[ "${1:-}" != --install ] || exit 0

./scripts/build.sh GaudiPython
# Kernels that a test compiles must not come from an earlier run.
cache=$(mktemp -d)
trap 'rm -rf "$cache"' EXIT
tests=(python)
for argument in "$@"; do
  [ ! -e "${argument%%::*}" ] || tests=()
done
GAUDI_CACHE_DIR=$cache PYTHONPATH=build/release/python "$python" -m pytest "${tests[@]}" "$@"
