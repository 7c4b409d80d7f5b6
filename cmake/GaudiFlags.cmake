# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiler and linker flags shared by every target.
add_compile_options(-Wall -Wextra -Wno-unused-parameter)
if(GAUDI_WERROR)
  add_compile_options(-Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # Without the timestamp a precompiled header is reproducible, so ccache hits.
  add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
  set(GAUDI_USE_PCH ON)
  add_link_options(-fuse-ld=lld)
else()
  # g++'s precompiled headers cost more than they save.
  set(GAUDI_USE_PCH OFF)
  # It takes elements of MLIR's small vectors for uninitialized.
  add_compile_options(-Wno-maybe-uninitialized)
endif()
if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  # As x86-64 has it: a multiply and an addition round twice, and `char` is
  # signed. So costs, and with them recipes, should be the same on both.
  add_compile_options(-ffp-contract=off -fsigned-char)
endif()
if(GAUDI_SANITIZE)
  # Assertions stay on: a sanitizer run is where they cost nothing.
  add_compile_options(-fsanitize=${GAUDI_SANITIZE} -fno-omit-frame-pointer -g1 -fno-sanitize-recover=all -UNDEBUG)
  add_link_options(-fsanitize=${GAUDI_SANITIZE})
  if(GAUDI_SANITIZE MATCHES address AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # Coverage for the fuzz targets; without them it counts for nothing.
    add_compile_options(-fsanitize=fuzzer-no-link)
  endif()
endif()
find_program(GAUDI_CCACHE ccache)
if(GAUDI_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    ${GAUDI_CCACHE})
endif()

add_definitions(${LLVM_DEFINITIONS_LIST})
add_compile_definitions(GAUDI_VERSION="${PROJECT_VERSION}")
include_directories(${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
include_directories(SYSTEM ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
