# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Finds every library the project uses; a missing one is an error that names
# the Debian package to install.
list(APPEND CMAKE_PREFIX_PATH /usr/lib/llvm-22)


macro(gaudi_require_here package debian)
  find_package(${package} ${ARGN} QUIET)
  if(NOT ${package}_FOUND)
    message(FATAL_ERROR
      "${package} ${ARGN} was not found. On Debian 12: apt-get install ${debian}\n"
      "(scripts/install-deps.sh installs everything the project needs.)")
  endif()
endmacro()

# The version file of LLVM wants an exact major.minor.
gaudi_require_here(MLIR "libmlir-22-dev mlir-22-tools" 22.1 CONFIG)
if(CMAKE_CROSSCOMPILING)
  # Those of the package are for the target.
  find_program(GAUDI_MLIR_TBLGEN mlir-tblgen PATHS /usr/lib/llvm-22/bin REQUIRED NO_DEFAULT_PATH)
  set(MLIR_TABLEGEN_EXE ${GAUDI_MLIR_TBLGEN})
  set(MLIR_TABLEGEN_TARGET ${GAUDI_MLIR_TBLGEN})
endif()
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)
separate_arguments(LLVM_DEFINITIONS_LIST NATIVE_COMMAND "${LLVM_DEFINITIONS}")

gaudi_require_here(FlatBuffers "libflatbuffers-dev flatbuffers-compiler" CONFIG)
gaudi_require_here(CLI11 "libcli11-dev" CONFIG)
gaudi_require_here(fmt "libfmt-dev" CONFIG)
gaudi_require_here(nlohmann_json "nlohmann-json3-dev" CONFIG)
gaudi_require_here(Boost "libboost-dev" 1.74)
gaudi_require_here(Threads "libc6-dev")
gaudi_require_here(spdlog "libspdlog-dev" 1.10 CONFIG)
gaudi_require_here(mimalloc "libmimalloc-dev" CONFIG)

find_program(GAUDI_FLATC flatc)
if(NOT GAUDI_FLATC)
  message(FATAL_ERROR "flatc was not found. On Debian 12: apt-get install flatbuffers-compiler")
endif()
foreach(header_package "xxhash.h|libxxhash-dev" "tl/expected.hpp|libexpected-dev"
    "minizip/unzip.h|libminizip-dev")
  string(REPLACE "|" ";" pair ${header_package})
  list(GET pair 0 header)
  list(GET pair 1 debian)
  string(MAKE_C_IDENTIFIER "GAUDI_HAVE_${header}" found)
  find_path(${found} ${header})
  if(NOT ${found})
    message(FATAL_ERROR "${header} was not found. On Debian 12: apt-get install ${debian}")
  endif()
endforeach()
find_library(GAUDI_XXHASH xxhash REQUIRED)
find_library(GAUDI_MINIZIP libminizip.a minizip REQUIRED)
find_library(GAUDI_ZLIB z REQUIRED)
if(GAUDI_BUILD_TESTS)
  gaudi_require_here(GTest "libgtest-dev libgmock-dev" CONFIG)
  # The unsuffixed Python may lack Debian's modules.
  set(Python3_EXECUTABLE /usr/bin/python3 CACHE FILEPATH "Python that sees Debian's modules")
  find_program(GAUDI_LIT NAMES lit PATHS /usr/lib/llvm-22/bin NO_DEFAULT_PATH)
  if(NOT GAUDI_LIT)
    message(FATAL_ERROR "lit was not found. On Debian 12: apt-get install llvm-22-tools")
  endif()
endif()
