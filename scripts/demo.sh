#!/usr/bin/env bash
# The main job on a real model: installs what is needed, builds, compiles
# ResNet-18 for gaudi2 into a recipe, runs it and compares the output with
# published values.
set -euo pipefail
cd "$(dirname "$0")/.."

./scripts/install-deps.sh
echo "building gaudi-opt and gaudi-run"
./scripts/build.sh gaudi-opt gaudi-run GaudiCompiler | tail -n 1

model=test/models/tosa-resnet18-buddy
out=build/demo
mkdir -p "$out"
echo
echo "\$ gaudi-opt $model/lifted.mlir --gaudi-compile=device=gaudi2 --gaudi-emit-recipe=output=$out/resnet18.recipe -o /dev/null"
time_before=$(date +%s%N)
build/release/bin/gaudi-opt "$model/lifted.mlir" --gaudi-compile="device=gaudi2" \
  --gaudi-emit-recipe="output=$out/resnet18.recipe" -o /dev/null
time_after=$(date +%s%N)
echo "compiled in $(((time_after - time_before) / 1000000)) ms"
echo
echo "\$ gaudi-run $out/resnet18.recipe --seed-inputs=1 --warmup=2 --repeat=10 --expect=@$model/seed1_out_0.npy --report=text"
build/release/bin/gaudi-run "$out/resnet18.recipe" --seed-inputs=1 --warmup=2 --repeat=10 \
  --expect="@$model/seed1_out_0.npy" --output="@$out/out.npy" --report=text
