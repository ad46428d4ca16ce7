# Installed package: find_package(linkgistic) gives linkgistic::linkgistic.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/linkgistic)

install(TARGETS linkgistic EXPORT linkgisticTargets)
install(DIRECTORY include/linkgistic TYPE INCLUDE FILES_MATCHING PATTERN "*.hpp")
install(FILES ${CMAKE_BINARY_DIR}/include/linkgistic/version.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/linkgistic)
install(EXPORT linkgisticTargets NAMESPACE linkgistic:: DESTINATION ${package_dir})
configure_package_config_file(cmake/linkgisticConfig.cmake.in ${CMAKE_BINARY_DIR}/linkgisticConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/linkgisticConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/linkgisticConfig.cmake ${CMAKE_BINARY_DIR}/linkgisticConfigVersion.cmake
  DESTINATION ${package_dir})
if(LINKGISTIC_BUILD_APP)
  install(TARGETS linkgistic_app RUNTIME)
endif()
