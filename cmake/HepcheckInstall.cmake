# cmake --install: the program, its man page, and a CMake package with two libraries,
# hepcheck::hepcheck (examine files and tables) and hepcheck::reports (write the findings).
include(CMakePackageConfigHelpers)

set_target_properties(hepcheck_validator PROPERTIES EXPORT_NAME hepcheck)
set_target_properties(hepcheck_reports PROPERTIES EXPORT_NAME reports)
install(TARGETS hepcheck RUNTIME)
install(TARGETS hepcheck_validator hepcheck_reports EXPORT hepcheck ARCHIVE)

# The headers that validator/examine_file.h, validator/index_file.h, the index builders and the
# report writers need, and no others.
set(HEPCHECK_INCLUDE_DIR "${CMAKE_INSTALL_INCLUDEDIR}/hepcheck")
foreach(header
    validator/examine_file.h validator/engine.h validator/finding.h
    validator/progress.h validator/result.h
    validator/catalogue/clause.h validator/hdf5/limits.h validator/index_file.h
    validator/derive/build_index.h validator/derive/bloom.h validator/derive/codec.h
    validator/derive/murmur3.h validator/derive/order.h
    validator/model/datatype.h validator/model/table.h validator/model/values.h
    reports/formats.h reports/json.h reports/text.h)
  cmake_path(GET header PARENT_PATH folder)
  install(FILES "${PROJECT_SOURCE_DIR}/${header}" DESTINATION "${HEPCHECK_INCLUDE_DIR}/${folder}")
endforeach()
foreach(library hepcheck_validator hepcheck_reports)
  target_include_directories(${library} INTERFACE
    "$<INSTALL_INTERFACE:${HEPCHECK_INCLUDE_DIR}>")
endforeach()

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/hepcheck")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/hepcheckConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/hepcheckConfig.cmake" INSTALL_DESTINATION "${package_folder}")
# Before 1.0, a new minor version may break the interface.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/hepcheckConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/hepcheckConfig.cmake"
  "${PROJECT_BINARY_DIR}/hepcheckConfigVersion.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/HepcheckHdf5.cmake"
  DESTINATION "${package_folder}")
install(EXPORT hepcheck FILE hepcheckTargets.cmake NAMESPACE hepcheck::
  DESTINATION "${package_folder}")
install(FILES "${PROJECT_SOURCE_DIR}/docs/hepcheck.1"
  DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")

if(HEPCHECK_TESTS)
  add_test(NAME installed_package
    COMMAND "${CMAKE_COMMAND}"
      "-Dbuild=${PROJECT_BINARY_DIR}" "-Dsource=${PROJECT_SOURCE_DIR}"
      "-Dgenerator=${CMAKE_GENERATOR}" "-Dcompiler=${CMAKE_CXX_COMPILER}"
      "-Dflags=${CMAKE_CXX_FLAGS}" "-Dversion=${PROJECT_VERSION}"
      "-Dbindir=${CMAKE_INSTALL_BINDIR}" "-Dmandir=${CMAKE_INSTALL_MANDIR}"
      -P "${PROJECT_SOURCE_DIR}/cmake/test_install.cmake")
  add_test(NAME man_page
    COMMAND "${CMAKE_COMMAND}"
      "-Dhepcheck=$<TARGET_FILE:hepcheck>" "-Dpage=${PROJECT_SOURCE_DIR}/docs/hepcheck.1"
      -P "${PROJECT_SOURCE_DIR}/cmake/test_man_page.cmake")
endif()
