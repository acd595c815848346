# Installs into an empty directory, then builds and runs a project that uses only that directory.
set(work "${build}/install-test")
set(prefix "${work}/prefix")
file(REMOVE_RECURSE "${work}")

function(run)
  execute_process(COMMAND ${ARGV} OUTPUT_VARIABLE output ERROR_VARIABLE output
    RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command}\nstatus ${status}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

run("${CMAKE_COMMAND}" --install "${build}" --prefix "${prefix}")
run("${prefix}/${bindir}/hepcheck" --version)
string(FIND "${output}" "hepcheck ${version}\n" first)
if(NOT first EQUAL 0)
  message(FATAL_ERROR "the installed program printed: ${output}")
endif()
if(NOT EXISTS "${prefix}/${mandir}/man1/hepcheck.1")
  message(FATAL_ERROR "the man page was not installed")
endif()
foreach(script bash-completion/completions/hepcheck zsh/site-functions/_hepcheck
        fish/vendor_completions.d/hepcheck.fish)
  file(READ "${prefix}/${datadir}/${script}" text)
  if(NOT text MATCHES "completion words")
    message(FATAL_ERROR "${script} is not a completion script")
  endif()
endforeach()

# The installed files must not refer to the source or the build directory.
file(GLOB_RECURSE texts "${prefix}/*.cmake" "${prefix}/*.h")
foreach(text IN LISTS texts)
  file(READ "${text}" content)
  foreach(folder "${source}" "${build}")
    string(FIND "${content}" "${folder}" at)
    if(NOT at EQUAL -1)
      message(FATAL_ERROR "${text} names ${folder}")
    endif()
  endforeach()
endforeach()

run("${CMAKE_COMMAND}" -G "${generator}" -S "${source}/cmake/consumer" -B "${work}/consumer"
  "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_COMPILER=${compiler}" "-DCMAKE_CXX_FLAGS=${flags}"
  "-DHEPCHECK_VERSION=${version}" "-DFIXTURES=${source}/fixtures/hep001")
run("${CMAKE_COMMAND}" --build "${work}/consumer")
run("${work}/consumer/consumer" "${source}/fixtures/hep001")
run("${CMAKE_CTEST_COMMAND}" --test-dir "${work}/consumer" --no-tests=error)
