#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs the Debian 12 packages the project needs; does nothing when they
# are all there. --build: only what building and installing it needs, without
# what tests and checks need beyond that.
set -euo pipefail

packages=(
  clang-22 lld-22 libmlir-22-dev mlir-22-tools llvm-22-dev llvm-22-tools # compiler and MLIR
  cmake ninja-build                                                     # build
  libflatbuffers-dev flatbuffers-compiler libxxhash-dev                 # recipe file
  libminizip-dev zlib1g-dev                                             # replay files
  libcli11-dev nlohmann-json3-dev libexpected-dev libmimalloc-dev       # tools
  libfmt-dev libspdlog-dev                                              # messages, logs
  libboost-dev                                                          # minimum cuts
  libgtest-dev libgmock-dev                                             # unit tests (configured)
  python3 python3-venv python3-dev                                      # Python package
  help2man                                                              # man pages
)
checks=(
  clang-format-22 clang-tidy-22 codespell strace                        # checks
  libclang-rt-22-dev                                                    # sanitizers, fuzzing
  ccache git                                                            # building often
  pkgconf lintian debootstrap                                           # packages
  libdnnl-dev                                                           # peer of benchmarks
  python3-numpy python3-jsonschema                                      # tests
  coinor-cbc                                                            # judge of placements
  chromium-headless-shell                                               # tests of pages and traces
)
case ${1:-} in
  "") packages+=("${checks[@]}") ;;
  --build) ;;
  --help | -h) echo "usage: scripts/install-deps.sh [--build]"; exit 0 ;;
  *) echo "error: $0 does not take '$1'; usage: scripts/install-deps.sh [--build]" >&2; exit 2 ;;
esac

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  echo "dependencies: all ${#packages[@]} packages are installed"
  exit 0
fi

echo "dependencies: installing ${missing[*]}"
run=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || {
    echo "error: not root and no sudo; as root run: apt-get install ${missing[*]}" >&2
    exit 1
  }
  run=(sudo)
fi
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { "${run[@]}" apt-get update -q && "${run[@]}" apt-get install -q -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
  tail -n 20 "$log" >&2
  echo "error: apt-get could not install ${missing[*]} (Debian 12 with its security suite is needed)" >&2
  exit 1
fi
echo "dependencies: done"
