# cmake --install: the program, its man page, completion for shells, and a CMake package with two
# libraries, hepcheck::hepcheck (examine files and tables) and hepcheck::reports (write the
# findings), the program as hepcheck::program, and the function hepcheck_add_test.
include(CMakePackageConfigHelpers)

set_target_properties(hepcheck_validator PROPERTIES EXPORT_NAME hepcheck)
set_target_properties(hepcheck_reports PROPERTIES EXPORT_NAME reports)
set_target_properties(hepcheck PROPERTIES EXPORT_NAME program)
install(TARGETS hepcheck EXPORT hepcheck RUNTIME)
install(TARGETS hepcheck_validator hepcheck_reports EXPORT hepcheck ARCHIVE)

# The headers that validator/examine_file.h, validator/formats/hep001/index_file.h, the index builders and the
# report writers need, and no others.
set(HEPCHECK_INCLUDE_DIR "${CMAKE_INSTALL_INCLUDEDIR}/hepcheck")
foreach(header
    validator/bytes.h validator/clause_results.h validator/descriptor.h validator/examine_file.h validator/file_map.h validator/finding.h
    validator/format.h validator/limits.h validator/members.h validator/options.h validator/report.h validator/progress.h validator/result.h validator/rule.h validator/spread.h
    validator/catalogue/clause.h
    validator/formats/hep001/index_file.h
    validator/formats/hep001/derive/build_index.h validator/formats/hep001/derive/bloom.h
    validator/formats/hep001/derive/codec.h validator/formats/hep001/derive/facts.h
    validator/formats/hep001/derive/murmur3.h validator/formats/hep001/derive/order.h
    validator/formats/hep001/model/datatype.h validator/formats/hep001/model/table.h
    validator/formats/hep001/model/values.h
    reports/formats.h reports/json.h reports/text.h)
  cmake_path(GET header PARENT_PATH folder)
  install(FILES "${PROJECT_SOURCE_DIR}/${header}" DESTINATION "${HEPCHECK_INCLUDE_DIR}/${folder}")
endforeach()
foreach(library hepcheck_validator hepcheck_reports)
  target_include_directories(${library} INTERFACE
    "$<INSTALL_INTERFACE:${HEPCHECK_INCLUDE_DIR}>")
endforeach()

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/hepcheck")
set(HEPCHECK_FIND_HDF5 "find_dependency(HDF5 1.12.3 COMPONENTS C)")
set(HEPCHECK_INCLUDE_HDF5 "include(\"\${CMAKE_CURRENT_LIST_DIR}/HepcheckHdf5.cmake\")")
if(NOT HEPCHECK_WITH_LIBHDF5)
  set(HEPCHECK_FIND_HDF5 "")
  set(HEPCHECK_INCLUDE_HDF5 "")
endif()
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/hepcheckConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/hepcheckConfig.cmake" INSTALL_DESTINATION "${package_folder}")
# Before 1.0, a new minor version may break the interface.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/hepcheckConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/hepcheckConfig.cmake"
  "${PROJECT_BINARY_DIR}/hepcheckConfigVersion.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/HepcheckHdf5.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/HepcheckTest.cmake"
  DESTINATION "${package_folder}")
install(EXPORT hepcheck FILE hepcheckTargets.cmake NAMESPACE hepcheck::
  DESTINATION "${package_folder}")
install(FILES "${PROJECT_SOURCE_DIR}/docs/hepcheck.1"
  DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")

# The directories below the system prefix in which bash-completion, zsh and fish search.
foreach(place bash:bash-completion/completions/hepcheck zsh:zsh/site-functions/_hepcheck
        fish:fish/vendor_completions.d/hepcheck.fish)
  string(REGEX MATCH "^([a-z]+):(.*)/([^/]+)$" matched "${place}")
  set(script "${PROJECT_BINARY_DIR}/completion/${CMAKE_MATCH_1}/${CMAKE_MATCH_3}")
  list(APPEND completion_scripts "${script}")
  set(folder "${CMAKE_INSTALL_DATADIR}/${CMAKE_MATCH_2}")
  add_custom_command(OUTPUT "${script}"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${PROJECT_BINARY_DIR}/completion/${CMAKE_MATCH_1}"
    COMMAND hepcheck completion ${CMAKE_MATCH_1} > "${script}"
    DEPENDS hepcheck VERBATIM)
  install(FILES "${script}" DESTINATION "${folder}")
endforeach()
add_custom_target(hepcheck_completion ALL DEPENDS ${completion_scripts})

if(HEPCHECK_TESTS)
  add_test(NAME installed_package
    COMMAND "${CMAKE_COMMAND}"
      "-Dbuild=${PROJECT_BINARY_DIR}" "-Dsource=${PROJECT_SOURCE_DIR}"
      "-Dgenerator=${CMAKE_GENERATOR}" "-Dcompiler=${CMAKE_CXX_COMPILER}"
      "-Dflags=${CMAKE_CXX_FLAGS}" "-Dversion=${PROJECT_VERSION}"
      "-Dbindir=${CMAKE_INSTALL_BINDIR}" "-Dmandir=${CMAKE_INSTALL_MANDIR}"
      "-Ddatadir=${CMAKE_INSTALL_DATADIR}"
      -P "${PROJECT_SOURCE_DIR}/cmake/test_install.cmake")
  add_test(NAME man_page
    COMMAND "${CMAKE_COMMAND}"
      "-Dhepcheck=$<TARGET_FILE:hepcheck>" "-Dpage=${PROJECT_SOURCE_DIR}/docs/hepcheck.1"
      -P "${PROJECT_SOURCE_DIR}/cmake/test_man_page.cmake")
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  add_test(NAME loading
    COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/cmake/test_loading.py"
      "${PROJECT_BINARY_DIR}" "${CMAKE_COMMAND}" "$<TARGET_FILE:hepcheck>")
  # This test builds in a directory of the build tree.
  set_tests_properties(loading PROPERTIES DEPENDS installed_package)
endif()
