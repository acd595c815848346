# Warnings for our own code; errors where HEPCHECK_WERROR asks for it.
add_library(hepcheck_warnings INTERFACE)
target_compile_options(hepcheck_warnings INTERFACE
  -Wall -Wextra -Wconversion -Wshadow $<$<BOOL:${HEPCHECK_WERROR}>:-Werror>)
target_include_directories(hepcheck_warnings INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}>)

# What hepcheck_cold(TARGET) compiles need not be fast, only quickly compiled: -Og takes 0.6 of the
# time of -O2, and nearly all of it is templates of JSON and of the command line's parser.
function(hepcheck_cold target)
  target_compile_options(${target} PRIVATE ${HEPCHECK_COLD_OPTIONS})
endfunction()

# hepcheck_joined(TARGET [EXCEPT file...])
# Under HEPCHECK_JOIN, six files at a time are compiled as one, so that the templates they share are
# instantiated once. The other presets compile each alone: a file includes what it needs.
function(hepcheck_joined target)
  cmake_parse_arguments(ARG "" "" "EXCEPT" ${ARGN})
  set_target_properties(${target} PROPERTIES
    UNITY_BUILD ${HEPCHECK_JOIN} UNITY_BUILD_BATCH_SIZE 6)
  set_source_files_properties(${ARG_EXCEPT} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# hepcheck_test(NAME SOURCES file... LINK target... [LABELS label...])
# One GoogleTest binary, one ctest entry.
function(hepcheck_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK;LABELS" ${ARGN})
  if(NOT HEPCHECK_TESTS)
    return()
  endif()
  find_package(GTest REQUIRED)
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} hepcheck_warnings GTest::gtest_main)
  hepcheck_cold(${name})
  add_test(NAME ${name} COMMAND ${name} --gtest_brief=1)
  set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT 900)
endfunction()
