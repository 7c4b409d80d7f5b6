# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What `cmake --install` copies, in three components: `runtime` runs recipes,
# `compiler` compiles models, `devel` is for programs that use the C interface.
# Only relative paths are written, so that the installed tree may be moved.
include(CMakePackageConfigHelpers)

# Plugins, which nobody links, have a folder of their own.
set(GAUDI_PLUGIN_DIR ${CMAKE_INSTALL_LIBDIR}/gaudi-mlir)
set(runtime gaudi-run gaudi-smi plan-buckets plan-buffers GaudiKernelCompiler GaudiMme)
set(compiler gaudi-opt gaudi-lsp-server gaudi-reduce GaudiCompiler)
foreach(component runtime compiler)
  install(TARGETS ${${component}}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT ${component}
    LIBRARY DESTINATION ${GAUDI_PLUGIN_DIR} COMPONENT ${component})
endforeach()
# What must have been built before `cmake --install`.
add_custom_target(installed DEPENDS ${runtime} ${compiler} GaudiMLIR)

# The library with the C interface, and what builds against it.
install(TARGETS GaudiMLIR EXPORT GaudiMLIRTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    COMPONENT runtime NAMELINK_COMPONENT devel
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
target_include_directories(GaudiMLIR INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/gaudi-c
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT devel
  FILES_MATCHING PATTERN "*.h")

# The CMake package, of the installed tree and of the build tree. The template
# names the folder `lib` and those of plugins and programs relative to the prefix.
function(gaudi_write_package folder)
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/GaudiMLIRConfig.cmake.in
    ${folder}/GaudiMLIRConfig.cmake PATH_VARS lib plugins programs NO_SET_AND_CHECK_MACRO ${ARGN})
  write_basic_package_version_file(${folder}/GaudiMLIRConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
endfunction()
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/GaudiMLIR)
set(lib ${CMAKE_INSTALL_LIBDIR})
set(plugins ${GAUDI_PLUGIN_DIR})
set(programs ${CMAKE_INSTALL_BINDIR})
gaudi_write_package(${PROJECT_BINARY_DIR}/package INSTALL_DESTINATION ${package_dir})
install(DIRECTORY ${PROJECT_BINARY_DIR}/package/ DESTINATION ${package_dir} COMPONENT devel)
install(EXPORT GaudiMLIRTargets NAMESPACE GaudiMLIR:: DESTINATION ${package_dir} COMPONENT devel)
set(lib lib)
set(plugins lib)
set(programs bin)
gaudi_write_package(${PROJECT_BINARY_DIR}
  INSTALL_DESTINATION ${PROJECT_BINARY_DIR} INSTALL_PREFIX ${PROJECT_BINARY_DIR})
export(EXPORT GaudiMLIRTargets NAMESPACE GaudiMLIR::)

file(RELATIVE_PATH prefix_from_pkgconfig
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(${PROJECT_SOURCE_DIR}/cmake/gaudi-mlir.pc.in
  ${PROJECT_BINARY_DIR}/gaudi-mlir.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/gaudi-mlir.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT devel)

if(TARGET GaudiShare)
  add_dependencies(installed GaudiShare)
  # Manual pages and completions.
  install(DIRECTORY ${PROJECT_BINARY_DIR}/share/ DESTINATION ${CMAKE_INSTALL_DATADIR}
    COMPONENT runtime PATTERN "*.stamp" EXCLUDE)
endif()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md
  ${PROJECT_SOURCE_DIR}/CHANGELOG.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)
# Files that pages of the documentation link to.
foreach(file CONTRIBUTING.md test/unit/CApi/Example.c test/Install/Inputs/compile.c
    test/Install/Inputs/run.cpp)
  get_filename_component(folder ${file} DIRECTORY)
  install(FILES ${PROJECT_SOURCE_DIR}/${file} DESTINATION ${CMAKE_INSTALL_DOCDIR}/${folder}
    COMPONENT devel)
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs
  COMPONENT devel)
