#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Everything CI checks: format, layering, pages, build with warnings as errors,
# unit tests, lit suite (which runs the real models), clang-tidy on changed
# files, injected faults, smokes of sanitizers and fuzz targets. What takes
# longer is in scripts/slow.sh.
# Options: --no-install (packages are there), --no-sanitize (also no fuzzing).
set -uo pipefail
cd "$(dirname "$0")/.."
. scripts/messages.sh

install=1 sanitize=1
for arg in "$@"; do
  case $arg in
    --no-install) install=0 ;;
    --no-sanitize) sanitize=0 ;;
    *) wrong_option "$arg" "scripts/check.sh [--no-install] [--no-sanitize]" ;;
  esac
done

passed=0 failed=0 summary=()
step() { # step NAME COMMAND...
  local name=$1 start
  shift
  start=$SECONDS
  echo "== $name"
  if "$@"; then
    passed=$((passed + 1))
    summary+=("ok      $((SECONDS - start)) s  $name")
  else
    failed=$((failed + 1))
    summary+=("FAILED  $((SECONDS - start)) s  $name")
    return 1
  fi
}
# A step of one process beside the next ones, which leave it a core; `join` waits
# for it and shows what it said.
beside() { # beside NAME COMMAND...
  beside_name=$1 beside_log=build/beside.log
  shift
  echo "== $beside_name: beside what follows"
  (start=$SECONDS; "$@" >"$beside_log" 2>&1; status=$?; echo $((SECONDS - start)) >"$beside_log.seconds"; exit $status) &
  beside_pid=$!
}
join() {
  local status=0
  wait "$beside_pid" || status=$?
  echo "== $beside_name"
  cat "$beside_log"
  if [ $status -eq 0 ]; then
    passed=$((passed + 1))
    summary+=("ok      $(cat "$beside_log.seconds") s  $beside_name")
  else
    failed=$((failed + 1))
    summary+=("FAILED  $(cat "$beside_log.seconds") s  $beside_name")
  fi
}
finish() {
  echo
  printf '%s\n' "${summary[@]}"
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ]
  exit
}

[ $install -eq 0 ] || step "dependencies" ./scripts/install-deps.sh || finish
step "format" ./scripts/format.sh --check
step "layering" ./scripts/check-includes.py
step "pages" ./scripts/check-docs.py
step "tested diagnostics" ./scripts/untested-diagnostics.py --check
step "generated pages" ./scripts/gen-docs.sh --check
step "build" ./scripts/build.sh || finish
step "rebuilds" ./scripts/check-rebuilds.py
step "trace processor" ./scripts/viewers/trace_processor.py --install
step "unit tests" ctest --test-dir build/release --output-on-failure -j "$(nproc)" --timeout 300 --no-tests=error
step "lit suite" /usr/lib/llvm-22/bin/lit -sv -j "$(nproc)" build/release/test
# Each launch at other addresses: a sample of the lit suite. All of it is in slow.sh.
step "launches by address" env GAUDI_MOVE_TENSORS=1 /usr/lib/llvm-22/bin/lit -sv -j "$(nproc)" \
  --filter='Integration/(resnet18|bert.test|decode|permutations)' build/release/test
step "stress of a card" env GAUDI_STRESS_SECONDS=30 \
  build/release/bin/DeviceRuntimeTests --gtest_filter='DeviceStress.*' --gtest_brief=1
beside "python package" ./scripts/test-python.sh
step "mutants" ./scripts/mutants.py --smoke
step "mutants of fusions" ./scripts/fusion-mutants.py --seconds 60
step "faults" ./scripts/faults.py --every 3
join
step "ops of PyTorch" ./scripts/test-torch.sh
step "device hpu" ./scripts/test-bridge.sh --quick
step "clang-tidy" ./scripts/tidy.sh --changed
if [ $sanitize -eq 1 ]; then
  step "sanitizer smoke" ./scripts/sanitize.sh --smoke
  step "fuzz smoke" ./scripts/fuzz.sh --smoke
fi
finish
