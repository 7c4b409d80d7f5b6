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
    target_link_libraries(${name} PUBLIC MLIR LLVM)
    add_dependencies(${name} GaudiIncGen)
    if(GAUDI_USE_PCH AND NOT name STREQUAL "GaudiDialect")
      target_precompile_headers(${name} REUSE_FROM GaudiDialect)
    endif()
  endif()
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
