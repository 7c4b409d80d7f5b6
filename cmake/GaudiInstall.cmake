# What `cmake --install` copies, in three components: `runtime` runs recipes,
# `compiler` compiles models, `devel` is for programs that use the C interface.
# Only relative paths are written, so that the installed tree may be moved.
include(CMakePackageConfigHelpers)

# Plugins, which nobody links, have a folder of their own.
set(GAUDI_PLUGIN_DIR ${CMAKE_INSTALL_LIBDIR}/gaudi-mlir)
set(runtime gaudi-run plan-buckets plan-buffers GaudiKernelCompiler GaudiMme GaudiOneDnn)
set(compiler gaudi-opt GaudiCompiler)
foreach(component runtime compiler)
  install(TARGETS ${${component}}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT ${component}
    LIBRARY DESTINATION ${GAUDI_PLUGIN_DIR} COMPONENT ${component})
endforeach()
# What must have been built before `cmake --install`.
add_custom_target(installed DEPENDS ${runtime} ${compiler})

# The library with the C interface, and what builds against it.
if(TARGET GaudiMLIR)
install(TARGETS GaudiMLIR EXPORT GaudiMLIRTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    COMPONENT runtime NAMELINK_COMPONENT devel
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/gaudi-c
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT devel
  FILES_MATCHING PATTERN "*.h")
set(GAUDI_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/GaudiMLIR)
if(TARGET GaudiMLIR)
install(EXPORT GaudiMLIRTargets NAMESPACE GaudiMLIR::
  DESTINATION ${GAUDI_PACKAGE_DIR} COMPONENT devel)
endif()
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/GaudiMLIRConfig.cmake.in
  ${PROJECT_BINARY_DIR}/GaudiMLIRConfig.cmake INSTALL_DESTINATION ${GAUDI_PACKAGE_DIR}
  PATH_VARS CMAKE_INSTALL_LIBDIR GAUDI_PLUGIN_DIR NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/GaudiMLIRConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/GaudiMLIRConfig.cmake
  ${PROJECT_BINARY_DIR}/GaudiMLIRConfigVersion.cmake
  DESTINATION ${GAUDI_PACKAGE_DIR} COMPONENT devel)

file(RELATIVE_PATH prefix_from_pkgconfig
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(${PROJECT_SOURCE_DIR}/cmake/gaudi-mlir.pc.in
  ${PROJECT_BINARY_DIR}/gaudi-mlir.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/gaudi-mlir.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT devel)

install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md
  ${PROJECT_SOURCE_DIR}/CHANGELOG.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs
  COMPONENT devel)
