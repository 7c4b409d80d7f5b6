#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compares predicted times of matrix products with measured ones.
# Usage: benchmarks/device-time.sh FILE.csv [--json=FILE]
#        benchmarks/device-time.sh --fit [FILE.csv]: fits the model's constants
#        (default: benchmarks/device_time/gaudi1_gemm.csv) and cross-validates
# --no-build takes the program as it is.
set -euo pipefail
from=$PWD
cd "$(dirname "$0")/.."

build=1 fit=0 options=()
for option in "$@"; do
  case $option in
    --no-build) build=0 ;;
    --fit) fit=1 ;;
    --json=*) # paths are relative to where the user is
      path=${option#--json=}
      case $path in /* | "") ;; *) option=--json=$from/$path ;; esac
      options+=("$option") ;;
    -*) options+=("$option") ;;
    /* | "") options+=("$option") ;;
    *) options+=("$from/$option") ;;
  esac
done

program=build/release/bin/DeviceTime
if [ $build -eq 1 ]; then
  log=$(mktemp)
  trap 'rm -f "$log"' EXIT
  if ! ./scripts/build.sh DeviceTime >"$log" 2>&1; then
    cat "$log" >&2
    echo "error: the comparison does not build; scripts/install-deps.sh installs what it needs" >&2
    exit 2
  fi
  rm -f "$log"
fi
[ -x $program ] || { echo "error: $program is not built" >&2; exit 2; }
[ $fit -eq 1 ] || exec $program ${options[@]+"${options[@]}"}

venv=build/benchmarks/venv
python=python3
[ ! -x /usr/bin/python3 ] || python=/usr/bin/python3
[ -x $venv/bin/python ] || "$python" -m venv $venv ||
  { echo "error: no Python environment in $venv; Debian's package is python3-venv" >&2; exit 2; }
$venv/bin/python -c "import numpy, scipy" 2>/dev/null ||
  $venv/bin/python -m pip install --quiet --disable-pip-version-check numpy scipy >&2 ||
  { echo "error: numpy and scipy cannot be installed in $venv" >&2; exit 2; }
exec $venv/bin/python benchmarks/device_time/fit.py ${options[@]+"${options[@]}"}
