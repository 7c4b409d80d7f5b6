#!/usr/bin/env bash
# Formats every C++ file and gives every source file its licence line; with
# --check only says which ones lack either.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/messages.sh
case ${1:-} in
  "" | --check) ;;
  *) wrong_option "$1" "scripts/format.sh [--check]" ;;
esac
need clang-format-22
licence="SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"

# Files of these patterns that git knows or would add. A file that was removed
# but not committed yet is still listed.
list() {
  git ls-files --cached --others --exclude-standard -- "$@" |
    while read -r file; do [ ! -e "$file" ] || echo "$file"; done
}

cpp=$(list '*.cpp' '*.h')
# Inputs of tests may be of others, with licences of their own.
unlicensed=$(list '*.cpp' '*.h' '*.c' '*.td' '*.def' '*.fbs' '*.py' '*.pyi' '*.sh' '*.js' '*.cmake' '*CMakeLists.txt' \
  ':!test/**/Inputs/**' ':!test/models/**' | xargs grep -L "$licence" || true)
if [ "${1:-}" = --check ]; then
  for file in $unlicensed; do
    echo "$file: error: no licence line; scripts/format.sh adds it" >&2
  done
  echo "$cpp" | xargs clang-format-22 --dry-run -Werror
  [ -z "$unlicensed" ]
else
  for file in $unlicensed; do
    case $file in
      *.py | *.pyi | *.sh | *.cmake | *.txt) comment="#" ;;
      *) comment="//" ;;
    esac
    # A line that names an interpreter stays the first.
    if head -c 2 "$file" | grep -q '^#!'; then at=2; else at=1; fi
    if [ -s "$file" ]; then sed -i "${at}i $comment $licence" "$file"; else echo "$comment $licence" >"$file"; fi
  done
  echo "$cpp" | xargs clang-format-22 -i
fi
