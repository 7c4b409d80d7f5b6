#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Configures and builds one preset (default: release), all targets or the named
# ones. Usage: scripts/build.sh [--preset NAME] [TARGET...]
set -euo pipefail
cd "$(dirname "$0")/.."

preset=release
if [ "${1:-}" = --preset ]; then
  preset=$2
  shift 2
fi
# Debian's CMake: another one earlier in PATH may be newer than what is tested.
cmake=/usr/bin/cmake
[ -x "$cmake" ] || cmake=cmake
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! "$cmake" --preset "$preset" >"$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi
grep -A 20 -- '-- gaudi-mlir' "$log" | grep -v -- '-- Build files\|-- Configuring\|-- Generating' || true
ninja -C "build/$preset" ${GAUDI_JOBS:+-j "$GAUDI_JOBS"} "$@"
