# Build step: converts the parts of the HTML report to C++ constants, with the hashes by which its
# Content-Security-Policy permits the style sheet and the script.
#
#   cmake -Dfolder=... -Dout=FILE.cpp -P embed.cmake
set(alphabet "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")

# Base64 of the bytes in `hex`: three bytes become four characters.
function(base64 hex out)
  string(LENGTH "${hex}" digits)
  math(EXPR padding "(3 - ${digits} / 2 % 3) % 3")
  string(REPEAT "00" ${padding} zeros)
  string(REGEX MATCHALL "......" triples "${hex}${zeros}")
  set(text "")
  foreach(triple IN LISTS triples)
    foreach(shift 18 12 6 0)
      math(EXPR at "(0x${triple} >> ${shift}) & 63")
      string(SUBSTRING "${alphabet}" ${at} 1 letter)
      string(APPEND text "${letter}")
    endforeach()
  endforeach()
  string(LENGTH "${text}" length)
  math(EXPR length "${length} - ${padding}")
  string(SUBSTRING "${text}" 0 ${length} text)
  string(REPEAT "=" ${padding} equals)
  set(${out} "${text}${equals}" PARENT_SCOPE)
endfunction()

set(code "// Made from reports/html by embed.cmake; do not edit.\n#include \"reports/html_parts.h\"\n\n"
         "namespace hepcheck::reports {\n")
foreach(part "ReportPage report.html" "ReportStyle report.css" "ReportScript report.js"
             "BytesPage bytes.html" "BytesStyle bytes.css" "BytesScript bytes.js")
  separate_arguments(part)
  list(GET part 0 name)
  list(GET part 1 file)
  file(READ "${folder}/${file}" bytes HEX)
  file(SHA256 "${folder}/${file}" hash)
  base64("${hash}" hash)
  string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
  list(APPEND code
    "static const char k${name}Bytes[] = {${bytes}}\;\n"
    "const std::string_view k${name}(k${name}Bytes, sizeof k${name}Bytes)\;\n"
    "const std::string_view k${name}Hash = \"${hash}\"\;\n")
endforeach()
list(APPEND code "}  // namespace hepcheck::reports\n")
list(JOIN code "" code)
file(WRITE "${out}" "${code}")
