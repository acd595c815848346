# Warnings for the code of this project; they are errors if HEPCHECK_WERROR is set.
add_library(hepcheck_warnings INTERFACE)
target_compile_options(hepcheck_warnings INTERFACE
  -Wall -Wextra -Wconversion -Wshadow $<$<BOOL:${HEPCHECK_WERROR}>:-Werror>)
target_include_directories(hepcheck_warnings INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}>)

# hepcheck_cold(TARGET) marks code that need not run fast, so that it compiles faster: -Og takes 0.6 of the
# time of -O2, and nearly all of it is templates of JSON and of the command line's parser.
function(hepcheck_cold target)
  target_compile_options(${target} PRIVATE ${HEPCHECK_COLD_OPTIONS})
endfunction()

# hepcheck_generator(TARGET) marks a program that the build runs to make sources.
function(hepcheck_generator target)
  hepcheck_cold(${target})
  if(EMSCRIPTEN)
    target_link_options(${target} PRIVATE -sNODERAWFS=1 -sALLOW_MEMORY_GROWTH=1 -sSTACK_SIZE=8MB)
  endif()
endfunction()

# hepcheck_hot(TARGET) undoes this for a test that takes long: templates of its files that the libraries use,
# too, such as std::vector and std::format, are linked from its files.
function(hepcheck_hot target)
  if(TARGET ${target} AND HEPCHECK_COLD_OPTIONS)
    target_compile_options(${target} PRIVATE -O2)
  endif()
endfunction()

# hepcheck_joined(TARGET [FILES n] [EXCEPT file...])
# Under HEPCHECK_JOIN, up to n (default 12) source files of a directory are compiled as one unit, because
# they spend most of the time in the same headers and templates. The other presets compile each
# file separately, so every file must include what it needs. EXCEPT lists files that are compiled
# separately, such as generated files.
function(hepcheck_joined target)
  cmake_parse_arguments(ARG "" "FILES" "EXCEPT" ${ARGN})
  if(NOT HEPCHECK_JOIN)
    return()
  endif()
  if(NOT ARG_FILES)
    set(ARG_FILES 12)
  endif()
  # Divides the files of each directory into equal parts.
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(REMOVE_ITEM sources ${ARG_EXCEPT})
  set(folders)
  foreach(source IN LISTS sources)
    cmake_path(IS_PREFIX PROJECT_BINARY_DIR "${source}" generated)
    if(generated)
      continue()
    endif()
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
    string(MAKE_C_IDENTIFIER "in_${folder}" folder)
    list(APPEND folders ${folder})
    list(APPEND ${folder} "${source}")
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    list(LENGTH ${folder} count)
    math(EXPR groups "(${count} + ${ARG_FILES} - 1) / ${ARG_FILES}")
    set(index 0)
    foreach(source IN LISTS ${folder})
      math(EXPR group "${index} * ${groups} / ${count}")
      math(EXPR index "${index} + 1")
      # The group of a file holds for all targets of a directory. A test that compiles a file of the program keeps its
      # group, so that the program's objects are the same with and without tests.
      get_source_file_property(known "${source}" UNITY_GROUP)
      if(NOT known)
        set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${folder}_${group}")
      endif()
    endforeach()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# What tests need to know: where the sources and the corpus are, the major version of libhdf5, which decides
# some of the golden files, and where a text that differs from its golden file is written.
string(REGEX MATCH "^[0-9]+" hepcheck_hdf5_major "${HDF5_VERSION}") # empty without libhdf5, and then there are no tests
add_library(hepcheck_test_settings INTERFACE)
target_compile_definitions(hepcheck_test_settings INTERFACE
  HEPCHECK_SOURCE="${PROJECT_SOURCE_DIR}" HEPCHECK_FIXTURES="${PROJECT_SOURCE_DIR}/fixtures"
  HEPCHECK_HDF5=${hepcheck_hdf5_major} HEPCHECK_DIFFERING_GOLDEN_FILES="${PROJECT_BINARY_DIR}/golden")

# hepcheck_test(NAME SOURCES file... LINK target... [LABELS label...])
# Adds a GoogleTest program, and a ctest entry of the same name for the suites that no hepcheck_test_part has.
function(hepcheck_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK;LABELS" ${ARGN})
  if(NOT HEPCHECK_TESTS)
    return()
  endif()
  find_package(GTest REQUIRED)
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} hepcheck_test_settings hepcheck_warnings GTest::gtest_main)
  hepcheck_cold(${name})
  hepcheck_joined(${name} FILES 16)
  add_test(NAME ${name}
    COMMAND ${name} --gtest_brief=1 "--gtest_filter=-$<JOIN:$<TARGET_PROPERTY:${name},HEPCHECK_PARTS>,:>")
  set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT 900)
endfunction()

# hepcheck_test_part(NAME PROGRAM SUITES suite... [LABELS label...])
# Makes some suites of a test program a ctest entry of their own, which runs beside the others.
function(hepcheck_test_part name program)
  cmake_parse_arguments(ARG "" "" "SUITES;LABELS" ${ARGN})
  if(NOT HEPCHECK_TESTS)
    return()
  endif()
  list(TRANSFORM ARG_SUITES APPEND ".*")
  set_property(TARGET ${program} APPEND PROPERTY HEPCHECK_PARTS ${ARG_SUITES})
  list(JOIN ARG_SUITES ":" suites)
  add_test(NAME ${name} COMMAND ${program} --gtest_brief=1 "--gtest_filter=${suites}")
  set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT 900)
endfunction()
