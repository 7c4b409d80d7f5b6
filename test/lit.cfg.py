# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Configuration of the lit suite: gaudi-opt, gaudi-run and LLVM's test tools
# by plain name; %models is the folder of real graphs, %python has numpy.
import os
import shutil

import lit.formats

config.name = "gaudi"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".mlir", ".test"]
config.excludes = ["unit", "Inputs", "models"]
config.test_source_root = os.path.join(config.gaudi_source_dir, "test")
config.test_exec_root = os.path.join(config.gaudi_test_build_dir, "lit")
config.environment["PATH"] = os.pathsep.join(
    [config.gaudi_tools_dir, config.llvm_tools_dir, os.environ["PATH"]]
)
# Tests of --trace and --html look at the files with a browser, and with Perfetto's
# trace processor in it. scripts/check.sh installs both; without them these tests
# are unsupported.
if any(map(shutil.which, ("chromium-headless-shell", "chromium"))):
    config.available_features.add("chromium")
    viewers = os.path.join(config.gaudi_source_dir, "build", "viewers", "venv", "bin", "python")
    if os.path.exists(viewers):
        config.available_features.add("perfetto")
        config.substitutions.append(("%viewers", viewers))
# gaudi-run on a host with emulated matrix tiles; their kernels use AVX-512 beside them.
config.substitutions.append(
    ("%emulated", os.path.join(os.path.dirname(config.gaudi_tools_dir), "emulated"))
)
with open("/proc/cpuinfo", encoding="utf-8") as cpuinfo:
    if config.processor == "x86_64" and " avx512bw " in cpuinfo.read():
        config.available_features.add("avx512")
# Settings of the caller that reach the tools: of sanitizers, and whether each
# launch has its tensors at other addresses (docs/gaudi-run.md).
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "HOME", "GAUDI_MOVE_TENSORS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
config.substitutions.append(("%fuzz", os.path.join(config.test_source_root, "fuzz")))
config.substitutions.append(("%models", os.path.join(config.test_source_root, "models")))
config.substitutions.append(("%python", config.python))
config.substitutions.append(
    ("%share", os.path.join(os.path.dirname(config.gaudi_tools_dir), "share"))
)
# For programs that build against an installed tree.
config.substitutions.append(("%build", config.gaudi_build_dir))
config.substitutions.append(("%cmake", config.cmake))
config.substitutions.append(("%cc", config.c_compiler))
config.substitutions.append(("%cxx", config.cxx_compiler))
# Tests leave the user's own cache alone.
config.environment["GAUDI_CACHE_DIR"] = os.path.join(config.test_exec_root, "cache")
