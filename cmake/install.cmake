# Installed package: find_package(linkgistic) gives linkgistic::linkgistic, and pkg-config knows linkgistic.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/linkgistic)

install(TARGETS linkgistic EXPORT linkgisticTargets)
install(DIRECTORY include/linkgistic TYPE INCLUDE FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
install(FILES ${PROJECT_BINARY_DIR}/include/linkgistic/version.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/linkgistic)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/linkgistic)
install(EXPORT linkgisticTargets NAMESPACE linkgistic:: DESTINATION ${package_dir})
if(LINKGISTIC_WITH_CUDA)
  install(TARGETS linkgistic_cuda DESTINATION lib)  # where a program in bin/ looks
endif()
if(LINKGISTIC_BUILD_APP)
  install(TARGETS linkgistic_app RUNTIME)
  # The program writes its own manual page and completions.
  set(said ${PROJECT_BINARY_DIR}/said)
  add_custom_command(OUTPUT ${said}/linkgistic.1 ${said}/linkgistic.bash ${said}/_linkgistic ${said}/linkgistic.fish
    COMMAND ${CMAKE_COMMAND} -E make_directory ${said}
    COMMAND linkgistic_app help --man > ${said}/linkgistic.1
    COMMAND linkgistic_app completion bash > ${said}/linkgistic.bash
    COMMAND linkgistic_app completion zsh > ${said}/_linkgistic
    COMMAND linkgistic_app completion fish > ${said}/linkgistic.fish
    DEPENDS linkgistic_app VERBATIM)
  add_custom_target(linkgistic_says ALL DEPENDS ${said}/linkgistic.1)
  install(FILES ${said}/linkgistic.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${said}/linkgistic.bash DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/bash-completion/completions
    RENAME linkgistic)
  install(FILES ${said}/_linkgistic DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/zsh/site-functions)
  install(FILES ${said}/linkgistic.fish DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/fish/vendor_completions.d)
endif()

# A static archive carries what it is built on to the final link; a shared library has it inside.
get_target_property(library_type linkgistic TYPE)
if(library_type STREQUAL STATIC_LIBRARY)
  set(is_static ON)
  set(pc_requires "libhwy nlopt zlib")
  # And the library of C++ itself, which the linker of a program in C does not take by itself.
  set(pc_libs ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES} ${CMAKE_DL_LIBS})
  list(FILTER pc_libs INCLUDE REGEX "^(stdc\\+\\+|c\\+\\+|m|dl)$")
  list(REMOVE_DUPLICATES pc_libs)
  list(TRANSFORM pc_libs PREPEND "-l")
  list(JOIN pc_libs " " pc_libs)
  set(pc_libs "${OpenMP_CXX_FLAGS} ${pc_libs}")
else()
  set(is_static OFF)
  set(pc_requires "")
  set(pc_libs "")
endif()

configure_package_config_file(cmake/linkgisticConfig.cmake.in ${PROJECT_BINARY_DIR}/linkgisticConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/linkgisticConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/linkgisticConfig.cmake ${PROJECT_BINARY_DIR}/linkgisticConfigVersion.cmake
  cmake/find.cmake DESTINATION ${package_dir})

# pkg-config finds the prefix from where the file lies, so that the installation can be moved.
file(RELATIVE_PATH pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" pc_prefix ${pc_prefix})
configure_file(cmake/linkgistic.pc.in ${PROJECT_BINARY_DIR}/linkgistic.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/linkgistic.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
