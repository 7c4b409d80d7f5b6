#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds PyTorch's device hpu (bridge/) for the PyTorch of scripts/test-torch.sh into
# build/bridge/python, and tests it.
# Usage: scripts/test-bridge.sh [--build | --quick | ARGUMENTS OF pytest...]
# --build: only builds; --quick: without the tests that take seconds each, two pages.
# GAUDI_FRAMEWORKS_PYTHON: a Python that has PyTorch and pytest already.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/messages.sh

./scripts/test-torch.sh --install
python=${GAUDI_FRAMEWORKS_PYTHON:-$PWD/build/torch/bin/python}
"$python" -c "import pytest, xdist" 2>/dev/null ||
  pip_install "$python" pytest==9.2.0 pytest-xdist==3.8.0
./scripts/test-python.sh --install
./scripts/build.sh GaudiPython
launcher=()
[ -z "$(command -v ccache)" ] || launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
cmake -G Ninja -S bridge -B build/bridge -DCMAKE_CXX_COMPILER=clang++-22 \
  -DPython_EXECUTABLE="$python" -DGaudiMLIR_DIR="$PWD/build/release" "${launcher[@]}" >build/bridge.log ||
  { cat build/bridge.log >&2; exit 1; }
ninja -C build/bridge
[ "${1:-}" != --build ] || exit 0

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export GAUDI_CACHE_DIR=$folder PYTHONPATH=$PWD/build/bridge/python:$PWD/build/release/python

tests=("$@")
pages=(docs/hpu.md docs/from-gaudi.md docs/migration.md docs/custom-ops.md docs/performance-checklist.md)
case ${1:-} in
  "") tests=(bridge/tests) ;;
  --quick) tests=(bridge/tests -m "not slow") pages=(docs/hpu.md docs/from-gaudi.md) ;;
  *) pages=() ;;
esac
# Pages run beside the tests, with cards of their own; the blocks of one run in order.
run_pages() {
  mkdir -m 700 "$folder/cards"
  printf '%s\n' "${pages[@]}" | XDG_RUNTIME_DIR=$folder/cards PATH=$(dirname "$python"):$PATH xargs -r -P "$(nproc)" -I{} \
    sh -c '"$0" test/Docs/Inputs/run_page.py "$1" "build/bridge/page/$(basename "$1" .md)"' "$python" {}
}
status=0
[ ${#pages[@]} -eq 0 ] || run_pages >"$folder/pages.log" 2>&1 &
# Each process of pytest has cards of its own, too.
workers=$(($(nproc) < 4 ? $(nproc) : 4))
[ ${#pages[@]} -gt 0 ] || workers=0
"$python" -m pytest -c bridge/pyproject.toml --rootdir bridge -n $workers --dist loadfile --durations=12 "${tests[@]}" || status=$?
wait $! || status=$?
[ ! -s "$folder/pages.log" ] || cat "$folder/pages.log"
exit $status
