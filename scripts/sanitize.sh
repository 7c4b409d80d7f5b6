#!/usr/bin/env bash
# Recipe reader, verifier and runtime under the address and undefined-behaviour
# sanitizers: every byte of a small recipe flipped, every checked-in corrupt
# file. --smoke: the tests of the recipe format only; without it, all unit
# tests of recipe, runtime and support.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "${1:-}" = --smoke ]; then
  ./scripts/build.sh --preset sanitize RecipeTests
  build/sanitize/bin/RecipeTests --gtest_brief=1
else
  ./scripts/build.sh --preset sanitize RecipeTests RuntimeTests SupportTests
  for tests in RecipeTests RuntimeTests SupportTests; do
    build/sanitize/bin/$tests --gtest_brief=1
  done
fi
