# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Debian packages by CPack, which scripts/make-deb.sh calls: gaudi-mlir is the
# components `runtime` and `compiler`, gaudi-mlir-dev is `devel`.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME gaudi-mlir)
set(CPACK_PACKAGE_VENDOR "gaudi-mlir")
set(CPACK_PACKAGE_CONTACT "gaudi-mlir maintainers <maintainers@gaudi-mlir.invalid>"
  CACHE STRING "maintainer of the Debian packages")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian/compress.cmake)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL runtime compiler devel debian debian-dev)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
foreach(component runtime compiler debian)
  string(TOUPPER ${component} name)
  set(CPACK_COMPONENT_${name}_GROUP programs)
endforeach()
set(CPACK_COMPONENT_DEVEL_GROUP devel)
set(CPACK_COMPONENT_DEBIAN-DEV_GROUP devel)
set(CPACK_DEBIAN_PROGRAMS_DESCRIPTION "compiler and emulator for models on Intel Gaudi
gaudi-run compiles StableHLO, TOSA and linalg models to recipes for gaudi,
gaudi2 and gaudi3, runs them on an emulated device with the numerics and the
memory limits of the card, and predicts what they would take on it.")
set(CPACK_DEBIAN_DEVEL_DESCRIPTION "C interface to the compiler and emulator gaudi-mlir
Headers, the CMake package GaudiMLIR and the pkg-config file gaudi-mlir of the
library that compiles and runs models, and the documentation.")

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_NAME gaudi-mlir)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/debian/triggers)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_DEVEL_PACKAGE_NAME gaudi-mlir-dev)
set(CPACK_DEBIAN_DEVEL_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVEL_PACKAGE_DEPENDS
  "gaudi-mlir (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")

# What only Debian packages have. scripts/make-deb.sh writes the changelog.
foreach(pair "debian|gaudi-mlir" "debian-dev|gaudi-mlir-dev")
  string(REPLACE "|" ";" pair ${pair})
  list(GET pair 0 component)
  list(GET pair 1 package)
  install(FILES ${PROJECT_SOURCE_DIR}/cmake/debian/copyright
    ${PROJECT_BINARY_DIR}/debian/changelog.Debian.gz
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package}
    COMPONENT ${component} EXCLUDE_FROM_ALL)
  install(FILES ${PROJECT_SOURCE_DIR}/cmake/debian/${package}.lintian
    DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides RENAME ${package}
    COMPONENT ${component} EXCLUDE_FROM_ALL)
endforeach()
include(CPack)
