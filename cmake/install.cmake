# What `cmake --install` puts into a prefix: headers, library, and the files by which find_package and pkg-config find
# them. No installed file names a folder of this machine, so the prefix can be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/hone)
install(TARGETS hone EXPORT hone-targets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT hone-targets NAMESPACE hone:: DESTINATION ${package_dir})
if(TARGET hone_opencl)
  set(has_opencl TRUE)
  set(left_out "")
  install(TARGETS hone_opencl EXPORT hone-opencl-targets)
  install(TARGETS hone_worker RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/hone)
  install(EXPORT hone-opencl-targets NAMESPACE hone:: DESTINATION ${package_dir})
else()
  set(has_opencl FALSE)
  set(left_out PATTERN "opencl*" EXCLUDE)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/hone ${PROJECT_BINARY_DIR}/include/hone
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp" ${left_out})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/hone-config.cmake.in ${PROJECT_BINARY_DIR}/hone-config.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
# Before 1.0, each minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/hone-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/hone-config.cmake ${PROJECT_BINARY_DIR}/hone-config-version.cmake
  DESTINATION ${package_dir})

set(pc_libdir "\${prefix}")
cmake_path(APPEND pc_libdir ${CMAKE_INSTALL_LIBDIR})
set(pc_includedir "\${prefix}")
cmake_path(APPEND pc_includedir ${CMAKE_INSTALL_INCLUDEDIR})
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig
  OUTPUT_VARIABLE prefix_from_pc)
# What a C compiler does not link on its own.
list(TRANSFORM CMAKE_CXX_IMPLICIT_LINK_LIBRARIES PREPEND "-l" OUTPUT_VARIABLE pc_cxx_libraries)
list(FILTER pc_cxx_libraries INCLUDE REGEX "^-l(stdc\\+\\+|c\\+\\+|c\\+\\+abi|m)$")
list(REMOVE_DUPLICATES pc_cxx_libraries)
list(JOIN pc_cxx_libraries " " pc_cxx_libraries)
configure_file(${CMAKE_CURRENT_LIST_DIR}/hone.pc.in ${PROJECT_BINARY_DIR}/hone.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/hone.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
