# The man page documents exactly the long options that the program has.
set(offered "")
foreach(command "" validate clauses)
  execute_process(COMMAND "${hepcheck}" ${command} --help OUTPUT_VARIABLE help
    COMMAND_ERROR_IS_FATAL ANY)
  # An option stands at the start of its line, perhaps after a short form.
  string(REGEX MATCHALL "\n +(-[a-z], *)?--[a-z-]+" lines "${help}")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE ".*--" "" option "${line}")
    list(APPEND offered "${option}")
  endforeach()
endforeach()

file(READ "${page}" text)
string(REGEX MATCHALL "Fl -[a-z-]+" documented "${text}")
list(TRANSFORM documented REPLACE "Fl -" "")

list(REMOVE_DUPLICATES offered)
list(REMOVE_DUPLICATES documented)
list(SORT offered)
list(SORT documented)
list(LENGTH offered count)
if(count LESS 10 OR NOT offered STREQUAL documented)
  message(FATAL_ERROR "options offered:    ${offered}\noptions documented: ${documented}")
endif()
