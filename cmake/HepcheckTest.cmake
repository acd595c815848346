# hepcheck_add_test(NAME [FAIL_ON must|should] [BASELINE FILE] [CONFIG FILE] [OPTIONS ...]
#                   PATHS path...)
#
# Adds a test that passes if the tables in these files, directories and patterns are conformant. Paths
# are relative to the current binary directory, where tests write their files. If another test creates
# the files, add: set_tests_properties(NAME PROPERTIES DEPENDS OTHER).
function(hepcheck_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FAIL_ON;BASELINE;CONFIG" "OPTIONS;PATHS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_PATHS)
    message(FATAL_ERROR "hepcheck_add_test(${name}): PATHS is missing, or there are unknown arguments: "
                        "${arg_UNPARSED_ARGUMENTS}")
  endif()
  set(options ${arg_OPTIONS})
  if(arg_FAIL_ON)
    list(APPEND options --fail-on ${arg_FAIL_ON})
  endif()
  # These paths are relative to the source directory.
  foreach(option IN ITEMS BASELINE CONFIG)
    if(arg_${option})
      cmake_path(ABSOLUTE_PATH arg_${option} BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
      string(TOLOWER "--${option}" word)
      list(APPEND options ${word} "${arg_${option}}")
    endif()
  endforeach()
  add_test(NAME ${name} COMMAND hepcheck::program validate ${options} -- ${arg_PATHS})
endfunction()
