#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Recipe reader, verifier and runtime under the address and undefined-behaviour
# sanitizers: every byte of a small recipe flipped, every checked-in corrupt
# file. --smoke: the tests of the recipe format only; --thread: what threads
# share (thread pool, caches, executables in several threads, launches at once
# of one load) under the thread sanitizer, without tests that fork; without an option, all unit tests of
# recipe, runtime, shapes and support.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/messages.sh
case "${1:-}" in
--smoke)
  ./scripts/build.sh --preset sanitize RecipeTests
  # In as many processes as there are cores.
  seq 0 $(($(nproc) - 1)) | GTEST_TOTAL_SHARDS=$(nproc) xargs -P "$(nproc)" -I{} \
    env GTEST_SHARD_INDEX={} build/sanitize/bin/RecipeTests --gtest_brief=1
  ;;
--thread)
  ./scripts/build.sh --preset tsan ThreadTests CApiThreadTests MonitoringTests CardFileTests
  export TSAN_OPTIONS="suppressions=$PWD/test/tsan.supp halt_on_error=1"
  build/tsan/bin/CApiThreadTests --gtest_brief=1
  # Children of fork() end without joining the threads of their parents.
  for tests in MonitoringTests CardFileTests; do
    TSAN_OPTIONS="$TSAN_OPTIONS report_thread_leaks=0" build/tsan/bin/$tests --gtest_brief=1
  done
  build/tsan/bin/ThreadTests --gtest_brief=1 \
    --gtest_filter='DeviceStress.*:RecipeCacheTest.ManyThreads:ThreadPool.*:Concurrency.*:DiskCache.*:ObjectCache.*:Panel*:ValidationRecord.*-*Process*:*KilledWriters:*ReportsWhatWritingMet'
  ;;
"")
  tests=(RecipeTests RuntimeTests DeviceRuntimeTests ShapesTests SupportTests MonitoringTests CardFileTests)
  ./scripts/build.sh --preset sanitize "${tests[@]}"
  for program in "${tests[@]}"; do
    "build/sanitize/bin/$program" --gtest_brief=1
  done
  ;;
*) wrong_option "$1" "scripts/sanitize.sh [--smoke | --thread]" ;;
esac
