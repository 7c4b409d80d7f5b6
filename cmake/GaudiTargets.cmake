# gaudi_add_library(NAME [MLIR] SOURCES... LINK libs...)
# A static library of the project. MLIR: it is part of the compiler (links the
# MLIR and LLVM shared libraries, shares the precompiled header of
# GaudiDialect, and waits for the generated headers). Without MLIR it must not
# see the compiler at all.
function(gaudi_add_library name)
  cmake_parse_arguments(ARG "MLIR" "" "SOURCES;LINK" ${ARGN})
  # BRINGUP-BEGIN: sources that do not exist yet are skipped
  set(existing)
  foreach(source ${ARG_SOURCES})
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${source})
      list(APPEND existing ${source})
    endif()
  endforeach()
  if(NOT existing)
    file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/empty.cpp "")
    set(existing ${CMAKE_CURRENT_BINARY_DIR}/empty.cpp)
  endif()
  set(ARG_SOURCES ${existing})
  # BRINGUP-END
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
