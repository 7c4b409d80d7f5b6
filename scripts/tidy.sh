#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# clang-tidy with the checks of .clang-tidy, naming included; needs the release
# preset built. Usage: tidy.sh [--changed | FILE...]. Default: all sources of
# lib/, tools/ and python/. --changed: those that differ from $GAUDI_BASE
# (default: the main branch of origin, or the last commit where that is where we
# are), at most 12 of them.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/messages.sh

# Those of the Python package where it is built, with the headers it needs.
python=''
[ ! -d build/release/python ] || python='python/src/*.cpp'
if [ "${1:-}" = --changed ]; then
  base=${GAUDI_BASE:-$(git rev-parse --verify -q origin/main || true)}
  if [ -z "$base" ] || [ "$(git rev-parse "$base")" = "$(git rev-parse HEAD)" ]; then
    base=$(git rev-parse --verify -q HEAD~1 || git rev-parse HEAD)
  fi
  files=$(git diff --name-only --diff-filter=d "$base" -- 'lib/*.cpp' 'tools/*.cpp' $python | sed -n 1,12p)
elif [ $# -gt 0 ]; then
  case $1 in -*) wrong_option "$1" "scripts/tidy.sh [--changed | FILE...]" ;; esac
  files=$(printf '%s\n' "$@")
else
  files=$(git ls-files 'lib/*.cpp' 'tools/*.cpp' $python)
fi
need clang-tidy-22
[ -n "$files" ] || { echo "tidy: no file changed"; exit 0; }
echo "tidy: $(echo "$files" | wc -l) files"
./scripts/compile-commands.py build/release build/tidy
# Kernels of other processors are not compiled here.
files=$(echo "$files" | while read -r file; do
  case $file in
    */MicroKernel*) grep -qF "/$file\"" build/tidy/compile_commands.json || continue ;;
  esac
  echo "$file"
done)
status=0
echo "$files" | xargs -r -P "$(nproc)" -n 1 clang-tidy-22 -p build/tidy --quiet 2>&1 |
  { grep -v 'warnings generated\|Suppressed\|Use -header-filter' || true; } |
  awk '!seen[$0]++' >build/tidy.log || status=1
cat build/tidy.log
exit $status
