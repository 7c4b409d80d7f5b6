#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Configures and builds one preset (default: release), all targets or the named
# ones. Usage: scripts/build.sh [--preset NAME] [TARGET...]
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/messages.sh

preset=release
usage="scripts/build.sh [--preset NAME] [TARGET...]"
case ${1:-} in
  --preset)
    [ $# -gt 1 ] || fail "--preset needs a name; /usr/bin/cmake --list-presets lists them"
    preset=$2
    shift 2
    ;;
  -*) wrong_option "$1" "$usage" ;;
esac
[ -z "${GAUDI_JOBS:-}" ] || number_of GAUDI_JOBS "$GAUDI_JOBS"
# Debian's CMake: another one earlier in PATH may be newer than what is tested.
cmake=/usr/bin/cmake
[ -x "$cmake" ] || cmake=cmake
need "$cmake"
need ninja
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! "$cmake" --preset "$preset" >"$log" 2>&1; then
  cat "$log" >&2
  fail "the preset $preset cannot be configured (above it says why); scripts/install-deps.sh --build installs what is missing"
fi
grep -A 20 -- '-- gaudi-mlir' "$log" | grep -v -- '-- Build files\|-- Configuring\|-- Generating' || true
ninja -C "build/$preset" ${GAUDI_JOBS:+-j "$GAUDI_JOBS"} "$@"
