#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The main job on a real model: installs what is needed, builds, compiles
# ResNet-18 for gaudi2 into a recipe, runs it and compares the output with
# published values; predicts what the three cards would take, as a page for a
# browser and a trace for Perfetto.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/messages.sh
no_options scripts/demo.sh "$@"

./scripts/install-deps.sh --build
echo "building gaudi-run and the compiler that it loads"
./scripts/build.sh gaudi-run | tail -n 1

model=test/models/tosa-resnet18-buddy
recipe=build/demo/resnet18.recipe
mkdir -p build/demo
show() { # show COMMAND...: prints and runs a tool
  printf '\n$ %s\n' "$*"
  "build/release/bin/$1" "${@:2}"
}
show gaudi-run "$model/lifted.mlir" --device=gaudi2 --compile-only -o "$recipe"
show gaudi-run "$recipe" --seed-inputs=1 --warmup=2 --repeat=10 \
  "--expect=@$model/seed1_out_0.npy" --output=@build/demo/out.npy --report=text
show gaudi-run "$model/lifted.mlir" --predict --devices=gaudi,gaudi2,gaudi3 \
  --html=build/demo/resnet18.html --trace=build/demo/resnet18.trace.json
printf '\nA page to look at: %s/build/demo/resnet18.html\nA trace for ui.perfetto.dev: %s/build/demo/resnet18.trace.json\n' \
  "$PWD" "$PWD"
printf '\nNext: docs/tutorial.md; for models of PyTorch, JAX and ONNX docs/porting.md.\n'
