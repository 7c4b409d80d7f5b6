#!/usr/bin/env bash
# Formats every C++ file; with --check only says which ones are not formatted.
set -euo pipefail
cd "$(dirname "$0")/.."
# A file that was removed but not committed yet is still listed.
files=$(git ls-files --cached --others --exclude-standard -- '*.cpp' '*.h' |
  while read -r file; do [ ! -e "$file" ] || echo "$file"; done)
if [ "${1:-}" = --check ]; then
  echo "$files" | xargs clang-format-22 --dry-run -Werror
else
  echo "$files" | xargs clang-format-22 -i
fi
