#!/usr/bin/env bash
# Runs every command of docs/porting.md in an environment of its own (build/porting; about 2 GB of
# downloads the first time). Needs gaudi-run in build/release/bin. Not part of check.sh.
set -euo pipefail
cd "$(dirname "$0")/.."

environment=$PWD/build/porting
[ -x build/release/bin/gaudi-run ] || {
  echo "error: build/release/bin/gaudi-run is missing; scripts/build.sh makes it" >&2
  exit 1
}
[ -d "$environment" ] || python3 -m venv "$environment"
# The packages and versions are those of the page.
mapfile -t packages < <(sed -n 's/^pip install \([^#]*\).*/\1/p' docs/porting.md | tr ' ' '\n' | sed '/^$/d')
"$environment/bin/pip" install --quiet --disable-pip-version-check "${packages[@]}"
export PATH=$PWD/build/release/bin:$environment/bin:$PATH
"$environment/bin/python" test/Docs/Inputs/run_page.py docs/porting.md build/porting-files
