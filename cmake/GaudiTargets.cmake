# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Interface libraries GaudiLinkLLVM and GaudiLinkMLIR (with LLVM): the shared
# libraries, or the archives for a target with the property GAUDI_STATIC_LLVM.
function(gaudi_add_llvm_interface name shared)
  set(script ${PROJECT_BINARY_DIR}/${name}.ld)
  set(archives "")
  foreach(pattern ${ARGN})
    file(GLOB found ${LLVM_LIBRARY_DIR}/${pattern})
    list(APPEND archives ${found})
  endforeach()
  # What LLVM is configured with; a library that nothing calls is left out.
  set(system -l:libz.so.1 -l:libzstd.so.1 -l:libxml2.so.2 -l:libz3.so.4)
  string(REPLACE ";" "\n" text "GROUP(;${archives};AS_NEEDED(${system}))")
  file(CONFIGURE OUTPUT ${script} CONTENT "${text}\n" @ONLY)
  add_library(${name} INTERFACE)
  target_link_libraries(${name} INTERFACE
    "$<IF:$<BOOL:$<TARGET_PROPERTY:GAUDI_STATIC_LLVM>>,${script},${shared}>")
endfunction()
gaudi_add_llvm_interface(GaudiLinkLLVM "LLVM" libLLVM*.a)
gaudi_add_llvm_interface(GaudiLinkMLIR "MLIR;LLVM" libMLIR*.a libLLVM*.a)

# gaudi_add_self_contained(NAME)
# Target NAMESelfContained, not part of `all`: the shared library NAME with MLIR
# and LLVM in it, lib/self-contained/libNAME.so, for the wheel.
function(gaudi_add_self_contained name)
  set(target ${name}SelfContained)
  get_target_property(options ${name} LINK_OPTIONS)
  get_target_property(libraries ${name} LINK_LIBRARIES)
  add_library(${target} SHARED EXCLUDE_FROM_ALL $<TARGET_OBJECTS:${name}>)
  target_link_libraries(${target} PRIVATE ${libraries})
  target_link_options(${target} PRIVATE ${options} -Wl,--gc-sections)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} LINKER_LANGUAGE CXX
    GAUDI_STATIC_LLVM ON LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/self-contained)
endfunction()

# gaudi_compile_together(TARGET)
# Up to twelve files of a target are one compilation, in which they share headers
# and the templates that they instantiate: 0.6 to 0.7 of the work. An edit costs
# more; -DGAUDI_UNITY=OFF is for those who edit the compiler.
function(gaudi_compile_together target)
  set_target_properties(${target} PROPERTIES
    UNITY_BUILD ${GAUDI_UNITY} UNITY_BUILD_BATCH_SIZE 12)
endfunction()

# gaudi_alone(FILES...)
# Files that have a local name in common with another one of their target, with
# which they are not compiled as one.
function(gaudi_alone)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# gaudi_add_library(NAME [MLIR] SOURCES... LINK libs...)
# A static library of the project. MLIR: it is part of the compiler (links the
# MLIR and LLVM shared libraries, shares the precompiled header of
# GaudiDialect, and waits for the generated headers). Without MLIR it must not
# see the compiler at all.
function(gaudi_add_library name)
  cmake_parse_arguments(ARG "MLIR" "" "SOURCES;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  if(ARG_MLIR)
    target_link_libraries(${name} PUBLIC GaudiLinkMLIR)
    add_dependencies(${name} GaudiIncGen)
    if(GAUDI_USE_PCH AND NOT name STREQUAL "GaudiDialect")
      target_precompile_headers(${name} REUSE_FROM GaudiDialect)
    endif()
  endif()
  gaudi_compile_together(${name})
endfunction()

# gaudi_use_allocator(TOOL)
# Gives a tool mimalloc for malloc. Sanitizers bring their own. libstdc++ comes
# first because mimalloc's own operator new aborts where there is no memory.
function(gaudi_use_allocator tool)
  if(NOT GAUDI_SANITIZE)
    target_sources(${tool} PRIVATE ${PROJECT_SOURCE_DIR}/tools/Allocator.cpp)
    target_link_libraries(${tool} PRIVATE stdc++ mimalloc)
  endif()
endfunction()

# gaudi_reuse_header(TARGET HOST)
# The precompiled header of HOST for a target that has the same flags. It is
# compiled for libraries, so executables become position-independent as those.
function(gaudi_reuse_header target host)
  if(GAUDI_USE_PCH)
    target_precompile_headers(${target} REUSE_FROM ${host})
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
endfunction()
