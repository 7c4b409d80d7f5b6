#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Fuzzes what reads foreign bytes: recipes (verified, loaded and launched),
# recipe text, .npy files and model text. MemoryGraphs compares random graphs
# with the reference, with and without memory checks. Finds stay in
# build/fuzz/TARGET.
# Usage: scripts/fuzz.sh [--smoke | --seconds N] [TARGET...]
#   --smoke      15 seconds a target, the compiler and the runtime without
#                sanitizers
#   --seconds N  N seconds a target (default 3600), everything with sanitizers
set -uo pipefail
cd "$(dirname "$0")/.."
. scripts/messages.sh

seconds=3600 smoke=0 targets=()
while [ $# -gt 0 ]; do
  case $1 in
    --smoke) smoke=1 seconds=15 ;;
    --seconds) number_of --seconds "${2:-}"; seconds=$2; shift ;;
    -*) wrong_option "$1" "scripts/fuzz.sh [--smoke | --seconds N] [TARGET...]" ;;
    *) targets+=("$1") ;;
  esac
  shift
done
[ ${#targets[@]} -gt 0 ] || targets=(NpyFuzzer RecipeTextFuzzer RecipeFuzzer ModelFuzzer MemoryGraphs)

# Building compiler and runtime with sanitizers takes longer than a smoke may.
preset_of() {
  case $smoke$1 in
    ?MemoryGraphs | 1ModelFuzzer | 1RecipeFuzzer) echo release ;;
    *) echo sanitize ;;
  esac
}
program_of() { if [ "$1" = MemoryGraphs ]; then echo gaudi-run; else echo "$1"; fi; }
for preset in release sanitize; do
  wanted=()
  for target in "${targets[@]}"; do
    [ "$(preset_of "$target")" != $preset ] || wanted+=("$(program_of "$target")")
  done
  [ ${#wanted[@]} -eq 0 ] || ./scripts/build.sh --preset $preset "${wanted[@]}" || exit 1
done

# Seeds come from the tests: each is small and reaches a different rule.
seeds_of() { # seeds_of TARGET FOLDER
  case $1 in
    RecipeFuzzer) cp test/Recipe/golden/*.recipe test/Recipe/corrupt/*.recipe "$2" ;;
    RecipeTextFuzzer) cp test/Recipe/golden/*.txt "$2" ;;
    NpyFuzzer)
      /usr/bin/python3 - "$2" <<'PYTHON'
import sys
import numpy as np
for i, kind in enumerate(["<f2", "<f4", ">f8", "|i1", "<i8", "|u1", "|b1", "|V2"]):
    np.save(f"{sys.argv[1]}/{i}.npy", np.zeros((2, 3), kind))
np.save(f"{sys.argv[1]}/fortran.npy", np.asfortranarray(np.ones((3, 2), "<f4")))
np.save(f"{sys.argv[1]}/scalar.npy", np.float32(1))
PYTHON
      ;;
    ModelFuzzer)
      /usr/bin/python3 - "$2" <<'PYTHON'
import pathlib
import re
import sys
words = set()
for path in sorted(pathlib.Path("test").rglob("*.mlir")):
    if "models" in path.parts:
        continue
    for i, part in enumerate(path.read_text().split("// -----")):
        text = re.sub(r"//.*", "", part)
        if 0 < len(text) < 2500:
            name = "_".join(path.parts[1:]) + f".{i}"
            pathlib.Path(sys.argv[1], name).write_text(text)
            words.update(re.findall(r"[a-z_]+\.[a-z_.]+|tensor<[^<>]*>|[a-z_]{4,}", text))
pathlib.Path(sys.argv[1]).with_suffix(".dict").write_text(
    "".join('"%s"\n' % w for w in sorted(words) if '"' not in w and "\\" not in w))
PYTHON
      ;;
  esac
}

run_graphs() { # run_graphs HOME; other graphs each day, failures name the seed
  mkdir -p "$1"
  python3 test/fuzz/memory_graphs.py --seconds="$seconds" --seed="$(date +%j)0000" --keep="$1" >"$1/log" 2>&1
  local status=$?
  if [ $status -eq 0 ]; then
    echo "ok      MemoryGraphs: $(tail -n 1 "$1/log")"
  else
    echo "FAILED  MemoryGraphs: the graphs are in $1, the end of $1/log is"
    tail -n 30 "$1/log"
  fi
  return $status
}

run() { # run TARGET
  local home=build/fuzz/$1 arguments=()
  if [ "$1" = MemoryGraphs ]; then
    run_graphs "$home"
    return
  fi
  rm -rf "$home/seeds"
  mkdir -p "$home/seeds" "$home/corpus"
  seeds_of "$1" "$home/seeds"
  [ ! -e "$home/seeds.dict" ] || arguments+=(-dict="$home/seeds.dict")
  ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 \
    "build/$(preset_of "$1")/bin/$1" "${arguments[@]}" -seed=1 -max_total_time="$seconds" \
    -timeout=20 -rss_limit_mb=3000 -max_len=65536 -artifact_prefix="$home/" -print_final_stats=1 \
    "$home/corpus" "$home/seeds" >"$home/log" 2>&1
  local status=$?
  if [ $status -eq 0 ]; then
    echo "ok      $1: $(sed -n 's/^stat::number_of_executed_units: *//p' "$home/log") inputs"
  else
    echo "FAILED  $1: exit code $status; the input is in $home, the end of $home/log is"
    tail -n 30 "$home/log"
  fi
  return $status
}

status=0 pids=()
for target in "${targets[@]}"; do
  while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n || status=1; done
  run "$target" &
  pids+=($!)
done
for pid in "${pids[@]}"; do wait "$pid" || status=1; done
exit $status
